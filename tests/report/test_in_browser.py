"""The page in a real browser, from a file, with the network off."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.corpus import Corpus

Look = Callable[..., Any]
UNFOLD = "document.querySelectorAll('details').forEach(part => { part.open = true; })"
TITLE = "document.querySelector('#browser .segment > h3').textContent"
PHONE = {"viewport": {"width": 360, "height": 740}}


def column(page: Any, number: int) -> list[float]:
    """The numbers of a column of the main table, from top to bottom; what is shown says the same."""
    found = page.locator(f"#scores-table tbody tr > :nth-child({number})")
    orders = [float(order) for order in found.evaluate_all("all => all.map(cell => cell.dataset.order)")]
    for order, text in zip(orders, found.all_inner_texts(), strict=True):
        assert f"{order:.2f}" in text
    return orders


def titles(page: Any) -> list[str]:
    found: list[str] = page.locator("#browser .segment > h3").all_text_contents()
    return found


def choose(page: Any, label: str, choice: str) -> None:
    page.evaluate(UNFOLD)
    page.get_by_label(label, exact=True).select_option(label=choice)


def test_all_charts_are_drawn(look: Look, demo: Path) -> None:
    page = look(demo)
    pictures = page.locator(".picture").count()
    assert pictures == page.locator(".picture svg").count() > 10
    sizes = page.evaluate("[...document.querySelectorAll('.picture svg')].map(svg => svg.clientWidth)")
    assert min(sizes) > 200


def test_every_system_has_its_label(look: Look, tmp_path: Path, page_of: Any, demo_corpus: Corpus) -> None:
    systems = [f"system-{k}" for k in range(14)]
    path = tmp_path / "many.html"
    path.write_text(page_of(demo_corpus.with_outputs(dict.fromkeys(systems, demo_corpus.outputs["hasty-model"]))))
    page = look(path)
    for chart in page.locator("figure.chart").all():
        if chart.get_attribute("data-chart") in ("length", "compression", "splits", "similarity"):
            labels = chart.locator("svg text").all_text_contents()
            assert set(systems) <= set(labels), chart.get_attribute("data-chart")


def test_charts_sort_themselves_out_on_a_phone(look: Look, demo: Path) -> None:
    page = look(demo, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    wide = page.evaluate(
        "[...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll, .vh')"
        " && e.getBoundingClientRect().right > 361).map(e => e.outerHTML.slice(0, 80))"
    )
    assert wide == []


def test_hostile_page_on_a_phone(look: Look, hostile: Path) -> None:
    assert look(hostile, **PHONE).evaluate("document.documentElement.scrollWidth") <= 360


def test_the_table_sorts(look: Look, demo: Path) -> None:
    page = look(demo, ready=False)
    head = page.locator("#scores-table thead th").nth(2)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    scores = column(page, 3)
    assert scores == sorted(scores, reverse=True)
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    assert column(page, 3) == sorted(scores)
    page.locator("#scores-table thead th button").nth(1).click()
    assert head.get_attribute("aria-sort") is None
    names = page.locator("#scores-table tbody .name").all_inner_texts()
    assert names == sorted(names)


def test_segments_are_paged(look: Look, demo: Path) -> None:
    page = look(demo, ready=False)
    choose(page, "Order", "Its own order")
    assert titles(page) == [f"Segment {i}" for i in range(1, 26)]
    assert page.get_by_role("status").inner_text() == "60 segments found. Here: 1 to 25."
    page.get_by_role("button", name="Next").first.click()
    page.get_by_role("button", name="Next").last.click()
    assert titles(page) == [f"Segment {i}" for i in range(51, 61)]
    assert page.get_by_role("button", name="Next").first.is_disabled()


def test_search(look: Look, demo: Path, demo_corpus: Corpus) -> None:
    page = look(demo, ready=False)
    choose(page, "Order", "Its own order")
    page.get_by_label("Search in all texts").fill("viaduct")
    page.wait_for_function("document.querySelectorAll('#browser .segment').length < 25")
    corpus = demo_corpus
    everything = [
        " ".join(
            [corpus.sources[i] or "", *corpus.references[i], *(texts[i] or "" for texts in corpus.outputs.values())]
        )
        for i in range(60)
    ]
    assert titles(page) == [f"Segment {i + 1}" for i, text in enumerate(everything) if "viaduct" in text.lower()]
    assert page.locator("mark.found").count() > 0
    page.get_by_label("Search in all texts").fill("no such words at all")
    page.wait_for_selector("text=No segment is like that")


def scores_of(page: Any, title: str) -> list[list[float]]:
    """The numbers behind a title, system by system, in each segment shown."""
    found: list[list[float]] = page.evaluate(
        """title => [...document.querySelectorAll('#browser .segment')].map(segment =>
            [...segment.querySelectorAll('.output')].map(output =>
                Number([...output.querySelectorAll('.small-print > *')].map(e => e.textContent)
                    .find(text => text.startsWith(title + ' ')).slice(title.length + 1))))""",
        title,
    )
    return found


def test_orders(look: Look, demo: Path) -> None:
    page = look(demo, ready=False)
    choose(page, "Order", "Largest gain of A first")
    gains = [round(a - b, 2) for a, b in scores_of(page, "SARI")]
    assert gains == sorted(gains, reverse=True)
    choose(page, "Order", "Largest loss of A first")
    losses = [round(a - b, 2) for a, b in scores_of(page, "SARI")]
    assert losses == sorted(losses)
    assert losses[0] < gains[-1]
    choose(page, "Score", "FKGL")
    choose(page, "Order", "Largest gain of A first")  # lower is better
    gains = [round(b - a, 2) for a, b in scores_of(page, "FKGL")]
    assert gains == sorted(gains, reverse=True)
    choose(page, "Order", "Where A and B differ most")
    apart = [abs(round(a - b, 2)) for a, b in scores_of(page, "FKGL")]
    assert apart == sorted(apart, reverse=True)
    choose(page, "System A", "hasty-model")
    choose(page, "Order", "Strongest compression first")
    ratios = [b for _, b in scores_of(page, "Compression ratio")]
    assert ratios == sorted(ratios)


def test_random_sample_has_a_seed(look: Look, demo: Path) -> None:
    page = look(demo, ready=False)
    choose(page, "Order", "Random sample")
    first = titles(page)
    assert first != [f"Segment {i}" for i in range(1, 26)]
    seed = page.get_by_label("Seed of the random sample")
    assert seed.input_value() == "12345"
    seed.fill("7")
    page.wait_for_function(
        "first => document.querySelector('#browser .segment > h3').textContent !== first", arg=first[0]
    )
    seed.fill("12345")
    page.wait_for_function(
        "first => document.querySelector('#browser .segment > h3').textContent === first", arg=first[0]
    )
    assert titles(page) == first


def test_filters(look: Look, hostile: Path, demo: Path, demo_corpus: Corpus) -> None:
    page = look(demo, ready=False)
    choose(page, "System A", "hasty-model")
    choose(page, "Show", "Exact copies by A")
    corpus = demo_corpus
    copies = [i + 1 for i in range(60) if corpus.outputs["hasty-model"][i] == corpus.sources[i]]
    assert titles(page) == [f"Segment {i}" for i in copies]
    choose(page, "System A", "identity")
    assert page.get_by_role("status").inner_text().startswith("60 segments")
    choose(page, "System A", "careful-writer")
    choose(page, "Show", "A scores better than B")
    assert all(a > b for a, b in scores_of(page, "SARI"))

    page = look(hostile, ready=False)
    choose(page, "System A", "nice")
    choose(page, "Show", "Empty outputs of A")
    assert page.locator("#browser .segment").count() == 1
    assert page.locator("#browser").get_by_text("(empty output)").count() == 1
    choose(page, "System A", '=SUM(A1),"x"')
    choose(page, "Show", "Missing outputs of A")
    assert page.locator("#browser .segment").count() == 1
    choose(page, "Show", "All segments")
    choose(page, "domain", "<i>c</i>")
    assert page.locator("#browser .segment").count() == 4


def test_words_are_marked(look: Look, tmp_path: Path, page_of: Any) -> None:
    corpus = Corpus(
        ["In 1868 the old bridge collapsed."],
        [["The bridge fell in 1868."]],
        {"s": ["The bridge fell down in 1868."]},
    )
    path = tmp_path / "words.html"
    path.write_text(page_of(corpus), "utf-8")
    page = look(path)
    output = page.locator(".output .text").first
    marks = output.evaluate(
        "text => [...text.children].map(e => [e.tagName, e.className, e.title,"
        " [...e.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join('')])"
    )
    # Kept in order: the, bridge. "in 1868" went from the front to the end. References say "fell", not "down".
    assert marks == [
        ["DEL", "", "deleted", "old"],
        ["DEL", "", "deleted", "collapsed"],
        ["INS", "", "added", "fell"],
        ["INS", "unsupported", "added, in no reference", "down"],
        ["MARK", "moved", "moved", "in 1868"],
    ]
    assert page.get_by_text("Words: 2 kept, 2 added, 2 deleted, 2 moved").count() >= 1
    assert "[added: fell]" in output.text_content()  # what a screen reader says
    page.get_by_label("Show deleted words").uncheck()
    assert page.locator(".output del").count() == 0
    page.get_by_label("Mark changes").uncheck()
    assert page.locator(".output ins, .output mark").count() == 0
    assert page.locator(".output .text").first.text_content() == "The bridge fell down in 1868."


def test_systems_side_by_side(look: Look, demo: Path) -> None:
    page = look(demo, ready=False)
    names = page.locator("#browser .segment").first.locator(".output h4")
    assert names.all_inner_texts() == ["careful-writer", "hasty-model"]
    page.get_by_role("checkbox", name="identity").check()
    page.get_by_role("checkbox", name="careful-writer").uncheck()
    assert names.all_inner_texts() == ["hasty-model", "identity"]


def test_hostile_texts_are_shown_not_run(look: Look, hostile: Path, hostile_texts: list[str]) -> None:
    page = look(hostile)
    assert page.evaluate("window.hacked") is None
    assert page.title() == "</title><script>window.hacked = 5</script>"
    choose(page, "Order", "Its own order")
    page.get_by_label("Mark changes").uncheck()
    assert (
        page.locator(".output .text").evaluate_all("all => all.slice(0, 1).map(e => e.textContent)")
        == hostile_texts[:1]
    )
    shown = page.evaluate("[...document.querySelectorAll('.output:first-child .text')].map(e => e.textContent)")
    assert shown == hostile_texts
    page.evaluate(UNFOLD)
    for button in page.get_by_role("button", name="Show data").all():
        button.click()
    page.get_by_label("Search in all texts").fill("<script>")
    page.wait_for_function("document.querySelectorAll('#browser .segment').length < 8")
    assert page.evaluate("window.hacked") is None
    assert page.locator("main img, main b:has-text('evil'), main i, main u").count() == 0


def saved(page: Any, button: Any) -> str:
    with page.expect_download() as download:
        button.click()
    return Path(download.value.path()).read_text("utf-8")


def test_data_can_be_saved(look: Look, demo: Path, hostile: Path, hostile_texts: list[str]) -> None:
    page = look(demo)
    page.evaluate(UNFOLD)
    charts = {chart["name"]: chart for chart in json.loads(page.locator("#chart-data").text_content())}
    for name in ("scores", "differences", "by-length"):
        figure = page.locator(f'[data-chart="{name}"]')
        rows = list(csv.reader(io.StringIO(saved(page, figure.get_by_role("button", name="Data as CSV")))))
        assert rows[0] == charts[name]["columns"]
        assert len(rows) == len(charts[name]["rows"]) + 1
        assert [str(cell) for cell in charts[name]["rows"][0][:2]] == rows[1][:2]
        objects = json.loads(saved(page, figure.get_by_role("button", name="Data as JSON")))
        assert [list(item.values()) for item in objects] == charts[name]["rows"]
    figure.get_by_role("button", name="Show data").click()
    assert figure.locator("tbody tr").count() == len(charts["by-length"]["rows"])

    page = look(hostile)
    choose(page, "Order", "Its own order")
    table = list(
        csv.reader(io.StringIO(saved(page, page.get_by_role("button", name="Save these segments")), newline=""))
    )
    assert [row[1] for row in table[1:]] == hostile_texts
    assert [row[table[0].index("</script><b>evil")] for row in table[1:]] == hostile_texts


def test_without_scripts(look: Look, demo: Path) -> None:
    page = look(demo, ready=False, java_script_enabled=False)
    assert page.locator("#scores-table tbody tr").count() == 2
    assert page.locator("#baselines-table tbody tr").count() == 3
    assert page.get_by_text("The charts need JavaScript").is_visible()
    page.locator("#segments > summary").click()
    assert page.get_by_text("To search and read the 60 segments, allow JavaScript").is_visible()
    assert page.locator("button").count() == 0


@pytest.mark.slow
def test_ten_thousand_segments_by_five_systems(look: Look, tmp_path: Path, page_of: Any, demo_corpus: Corpus) -> None:
    corpus = demo_corpus
    order = [i % 60 for i in range(10_000)]
    texts = list(corpus.outputs.values())
    outputs = {f"s{k}": [f"{texts[k % 2][i]} {k} {n}" for n, i in enumerate(order)] for k in range(5)}
    references = [[f"{text} {n}" for text in corpus.references[i]] for n, i in enumerate(order)]
    large = Corpus([f"{corpus.sources[i]} {n}" for n, i in enumerate(order)], references, outputs)
    path = tmp_path / "large.html"
    path.write_text(page_of(large), "utf-8")
    page = look(path)
    choose(page, "Order", "Where systems disagree most")
    page.get_by_label("Search in all texts").fill("viaduct")
    page.wait_for_function("!document.querySelector('[role=status]').textContent.startsWith('10,000')")
    assert page.locator("#browser .segment").count() == 25
