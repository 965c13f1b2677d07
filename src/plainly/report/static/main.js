// What the page does when it opens.
import { embedded } from "./dom.js";
import { makeSortable } from "./tables.js";
import { showCharts } from "./charts.js";
import { showBrowser } from "./browser.js";

for (const note of document.querySelectorAll(".unscripted")) note.remove();
for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
const browser = document.getElementById("browser");
if (browser) showBrowser(browser, embedded("segment-data"));
showCharts(embedded("chart-data")).then(() => { document.documentElement.dataset.ready = "true"; });
