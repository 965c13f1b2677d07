"""The study of how metrics are fooled, as a page and as a section of the report, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.corpus import Corpus
from plainly.demo import demo_corpus
from plainly.gaming import study
from plainly.metrics import get
from plainly.report.gaming import gaming_page, section

Look = Callable[..., Any]
EDITS = ["random-period", "replace-longest", "copy-source", "unrelated"]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    corpus = demo_corpus("en")
    metrics = [get("fkgl"), get("bleu"), get("sari"), get("compression-ratio")]
    found = study(corpus, ["hasty-model", "splitter"], metrics, EDITS, trials=10)
    path = tmp_path_factory.mktemp("gaming") / "gaming.html"
    path.write_text(gaming_page(found, corpus, "2026-01-01"), "utf-8")
    return path


def test_every_metric_has_a_chart_for_each_kind_of_edit(look: Look, page: Path) -> None:
    opened = look(page)
    assert opened.locator("figure").count() == 4 * 2
    assert opened.locator("figure .picture svg").count() == 4 * 2 * 2  # one a system
    legend = opened.locator("figure").first.locator(".legend li").all_inner_texts()
    assert [name.strip() for name in legend] == ["random-period", "replace-longest"]


def test_charts_draw_the_spreads_of_the_study(look: Look, page: Path) -> None:
    found = study(demo_corpus("en"), ["splitter"], [get("fkgl")], ["random-period"], trials=10)
    last = found.curves["splitter"]["random-period"]["fkgl"].spreads()[-1]
    opened = look(page)
    opened.locator(".tools summary").first.click()
    opened.get_by_role("button", name="Show data").first.click()
    rows = opened.locator("figure").first.locator(".tools tbody tr").all_inner_texts()
    (row,) = [row.split() for row in rows if row.split()[:3] == ["splitter", "random-period", "100"]]
    assert [float(cell.replace("−", "-")) for cell in row[3:6]] == pytest.approx(
        [last.mean, last.estimate.low, last.estimate.high], rel=1e-5
    )


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("width", [1200, pytest.param(360, marks=pytest.mark.slow)])
def test_everybody_can_read_it(
    look: Look, faults_of: Callable[..., list[str]], page: Path, scheme: str, width: int
) -> None:
    opened = look(page, color_scheme=scheme, viewport={"width": width, "height": 740})
    assert faults_of(opened, serious=True) == []
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_rules_parts_and_counts() -> None:
    corpus = demo_corpus("en")
    found = section(study(corpus, ["splitter"], [get("bleu"), get("compression-ratio")], EDITS, trials=5), corpus)
    assert found.verdicts
    assert found.verdicts.headers == ["edit", "rule", "BLEU"]  # the other has no better end
    assert found.verdicts.rows[0] == ["random-period", "no better", "yes 1/1"]
    ((system, (grid,)),) = found.breakdowns  # a compression ratio has no parts
    assert system == "splitter"
    assert grid.headers == ["Edit", *(f"precision {n}" for n in range(1, 5)), "brevity penalty"]
    assert grid.rows[0][:3] == ["none", "90.02", "74.13"]  # plainly score --demo --metrics bleu --components
    assert found.deceived is None
    assert found.post_hoc
    assert [row[0] for row in found.post_hoc.rows] == ["source", *(f"reference {i}" for i in (1, 2, 3)), "splitter"]


def test_how_to_flip_two_systems() -> None:
    corpus = demo_corpus("en")
    metrics = [get("fkgl"), get("sari"), get("words")]
    found = study(corpus, ["splitter", "hasty-model"], metrics, ["random-period"], trials=5)
    shown = section(found, corpus, ("splitter", "hasty-model"))
    assert shown.deceived
    assert [row[:4] for row in shown.deceived.rows] == [
        ["fkgl", "random-period", "splitter", "hasty-model"],
        ["sari", "none lifts it", "splitter", "hasty-model"],
    ]
    assert "nothing to flip for words: it has no better end" in shown.notes


def test_hostile_names_and_texts(look: Look, hostile_texts: list[str], tmp_path: Path) -> None:
    names = ["</script><b>evil", '"><img src=x onerror=window.hacked=1>']
    corpus = Corpus(hostile_texts, [[text] for text in hostile_texts], dict.fromkeys(names, hostile_texts))
    found = study(corpus, metrics=[get("sari")], edits=EDITS, trials=2)
    path = tmp_path / "hostile.html"
    path.write_text(gaming_page(found, corpus, "2026-01-01", title="<script>window.hacked=2</script>"), "utf-8")
    opened = look(path)
    assert opened.evaluate("window.hacked === undefined")
    assert opened.locator("h4").first.inner_text() == names[0]


def test_a_section_of_the_report(
    page_of: Callable[..., str], demo_corpus: Corpus, look: Look, tmp_path: Path
) -> None:
    found = study(demo_corpus, metrics=[get("sari")], edits=EDITS, trials=2)
    path = tmp_path / "report.html"
    path.write_text(page_of(demo_corpus, gaming=found), "utf-8")
    opened = look(path)
    assert opened.get_by_role("heading", name="How easily are these metrics fooled?").count() == 1
    assert opened.locator('#gaming figure[data-chart="gaming-trivial-sari"] .picture svg').count() == 2
    assert "How easily are these metrics fooled?" not in page_of(demo_corpus)
