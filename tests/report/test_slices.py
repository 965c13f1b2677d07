"""Where the best system is better: what the page says, charts and lists is what `plainly compare --by` finds."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.report.test_page import Parsed

from plainly.corpus import Corpus
from plainly.report import build
from plainly.scoring import Evaluation, evaluate
from plainly.scoring.slices import by_fields, by_source_length, slices

Look = Callable[..., Any]
SHORT = "the old viaduct near town {} collapsed"
LONG = "in the year {} the committee of the town postponed the long vote on the old viaduct near the river again"


def corpus_of(systems: dict[str, str]) -> Corpus:
    """120 segments, short and long in turn. A system is good at "short", "long", "both" or "none".

    Where it is good it writes a reference; elsewhere it copies the source.
    """
    sources, references = [], []
    outputs: dict[str, list[str | None]] = {name: [] for name in systems}
    for i in range(120):
        kind = "long" if i % 2 else "short"
        tail = " again" * (i // 2 % 3)
        sources.append((LONG if i % 2 else SHORT).format(i) + tail)
        references.append([f"the bridge {i} fell", f"bridge number {i} fell down"])
        for name, good in systems.items():
            outputs[name].append(f"the bridge {i} fell" if good in (kind, "both") else sources[-1])
    metadata = [{"kind": "long" if i % 2 else "short"} for i in range(120)]
    return Corpus(sources, references, outputs, metadata=metadata)


def evaluated(corpus: Corpus, metric: str = "sari") -> Evaluation:
    return evaluate(corpus.sources, corpus.outputs, corpus.references, metrics=[metric], intervals=None)


def page_of(corpus: Corpus, against: str | None = None, metric: str = "sari") -> Parsed:
    evaluation = evaluated(corpus, metric)
    tests = evaluation.compare(resamples=400, baseline=against) if against else None
    return Parsed(build(evaluation, corpus, evaluation.compare(resamples=400), against=tests))


def words(page: Parsed) -> str:
    return " ".join(page.text.split())


def chart(page: Parsed) -> list[dict[str, Any]]:
    found = next(chart for chart in json.loads(page.data["chart-data"]) if chart["name"] == "slices")
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


MIXED = {"longs": "long", "shorts": "short", "nothing": "none"}


def test_a_reversal_is_said_first() -> None:
    """By construction: one is right on all long sources and on no short one, the other the other way round."""
    page = page_of(corpus_of(MIXED))
    text = words(page)
    best = evaluated(corpus_of(MIXED)).compare(resamples=400).verdict.order[0]
    other = "shorts" if best == "longs" else "longs"
    kinds = {"longs": ("long", "short"), "shorts": ("short", "long")}[best]
    assert f"Where is {best} better than the others?" in text
    assert "It turns round with the length: " in text
    said = text.partition("It turns round with the kind: ")[2]
    assert said.startswith(f"{best} is better than {other} on kind {kinds[0]} (by ")
    assert f"but worse on kind {kinds[1]} (by " in said
    cells = {(row["system"], row["slice"]): row["verdict"] for row in chart(page) if row["by"] == "kind"}
    assert cells[other, kinds[0]] == "better"
    assert cells[other, kinds[1]] == "worse"
    assert cells["nothing", kinds[0]] == "better"
    assert cells["nothing", kinds[1]] == "not told apart"  # both copy the source


def test_the_page_has_every_difference_that_compare_has() -> None:
    corpus = corpus_of(MIXED)
    length = by_source_length(corpus)
    assert length
    found = slices(evaluated(corpus).compare(resamples=400), [length, *by_fields(corpus)], "sari")
    page = page_of(corpus)
    drawn = {(row["first"], row["second"], row["by"], row["slice"]): row for row in chart(page)}
    assert len(drawn) == len(found.differences)
    text = words(page)
    for one in found.differences:
        row = drawn[(one.first, one.second, *one.slice)]
        assert row["difference"] == pytest.approx(one.difference.difference, rel=1e-5)
        assert row["corrected p"] == pytest.approx(one.p_corrected, rel=1e-5)
        assert (row["verdict"] != "not told apart") == one.significant
        low, high = (f"{bound:.2f}".replace("-", "−") for bound in (one.first_score.low, one.first_score.high))
        assert f"{low} to {high}" in text
    counts = {way: sum(row["verdict"] == way for row in drawn.values()) for way in ("better", "worse")}
    assert f"is better in {counts['better']} and worse in {counts['worse']}, beyond chance." in text


def test_against_one_system_all_others_are_tested() -> None:
    page = page_of(corpus_of(MIXED), against="nothing")
    assert "Where are systems better than nothing?" in words(page)
    assert {(row["first"], row["second"]) for row in chart(page)} == {("longs", "nothing"), ("shorts", "nothing")}
    assert "It turns round" not in words(page)


def test_without_a_better_end_it_says_higher_and_lower() -> None:
    page = page_of(corpus_of({"longs": "long", "shorts": "short"}), metric="compression-ratio")
    assert "It turns round with the kind: shorts is higher than longs on kind long" in words(page)
    assert {row["verdict"] for row in chart(page) if row["by"] == "kind"} == {"higher", "lower"}


def test_where_nothing_is_shown_nothing_is_claimed() -> None:
    page = page_of(corpus_of({"a": "both", "b": "both"}))
    assert "shows a difference beyond chance." in words(page)
    assert {row["verdict"] for row in chart(page)} == {"not told apart"}


def test_one_system_has_scores_alone() -> None:
    page = page_of(corpus_of({"a": "long"}))
    names = [chart["name"] for chart in json.loads(page.data["chart-data"])]
    assert "slices" not in names
    assert {"by-length", "by-field-0"} <= set(names)
    assert "Where are the scores high?" in page.text


def test_a_column_called_length_does_not_hide_the_length_of_sources() -> None:
    """As in `plainly compare --by length`."""
    corpus = corpus_of({"longs": "long", "shorts": "short"})
    page = page_of(replace(corpus, metadata=[{"length": "left" if i % 3 else "right"} for i in range(120)]))
    names = [chart["name"] for chart in json.loads(page.data["chart-data"])]
    assert names.count("by-length") == 1
    assert "by-field-0" not in names
    assert {"left", "right"}.isdisjoint(row["slice"] for row in chart(page))


def test_of_many_pairs_the_telling_ones_are_drawn() -> None:
    """Ten systems that never differ from the best, and one that turns round: it is among the eight."""
    systems = {"best": "long", **{f"same-{i}": "long" for i in range(10)}, "turns": "short"}
    page = page_of(corpus_of(systems))
    assert len({row["system"] for row in chart(page)}) == 8
    assert {"turns", "best"} & {row["system"] for row in chart(page)}  # whichever of them is not the best
    assert "Here are the 8 most telling of 11 pairs; the table has all." in words(page)


def test_the_table_says_each_pair_once_and_fits(look: Look, tmp_path: Path) -> None:
    corpus = corpus_of({"longs": "long", "shorts": "short"})
    evaluation = evaluated(corpus)
    path = tmp_path / "slices.html"
    path.write_text(build(evaluation, corpus, evaluation.compare(resamples=400)), "utf-8")
    page = look(path, viewport={"width": 1280, "height": 800})
    table = page.locator("#slices table.pairs")
    heads = table.locator("th[scope=rowgroup]").all_inner_texts()
    assert len(heads) == 1
    assert heads[0] in ("longs against shorts", "shorts against longs")
    box, room = table.bounding_box(), page.locator("#slices .scroll:has(table.pairs)").bounding_box()
    assert box["width"] <= room["width"]
    # A range of lengths stands in one line: its cell is no higher than a line and what is around it.
    heights = table.locator("tbody th[scope=row]").evaluate_all(
        "all => all.map(cell => { const text = document.createRange(); text.selectNodeContents(cell);"
        " return text.getClientRects().length; })"
    )
    assert heights == [1] * len(heights)
