// What the page does when it opens.
import { embedded } from "./dom.js";
import { makeSortable, offerCopies } from "./tables.js";
import { showCharts } from "./charts.js";
import { showBrowser } from "./browser.js";
import { unfoldWhereNeeded } from "./sections.js";

for (const note of document.querySelectorAll(".unscripted")) note.remove();
for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
for (const menu of document.querySelectorAll(".copies")) offerCopies(menu);
unfoldWhereNeeded();
const browser = document.getElementById("browser");
if (browser) showBrowser(browser, embedded("segment-data"));
showCharts(embedded("chart-data")).then(() => { document.documentElement.dataset.ready = "true"; });
