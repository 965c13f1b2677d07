"""The page as a file: what it holds, what it does not, how large it is."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.base.messages import plain
from plainly.corpus import Corpus
from plainly.report import BACKGROUND, build
from plainly.report.assets import SCRIPTS, chart_library, script_json, scripts
from plainly.report.page import REASONS
from plainly.scoring import evaluate
from plainly.scoring.slices import by_fields, by_source_length

VOID = {"meta", "br", "col", "img", "input", "link", "hr"}


class Parsed(HTMLParser):
    """Elements with their attributes; complains about ends that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.data: dict[str, str] = {}
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            name = self.elements[-1][1].get("id") or "code"
            self.data[name] = self.data.get(name, "") + data
        else:
            self.text += data


@pytest.fixture(scope="module")
def parsed(demo: Path) -> Parsed:
    return Parsed(demo.read_text("utf-8"))


@pytest.mark.slow
def test_it_is_whole_and_asks_for_nothing(demo: Path, parsed: Parsed) -> None:
    assert demo.read_text("utf-8").startswith("<!DOCTYPE html>")
    for tag, attributes in parsed.elements:
        assert tag not in ("link", "img", "iframe", "object", "base")
        for name in ("src", "href", "srcset", "action"):
            assert not re.match(r"\s*(https?:|//)", attributes.get(name) or ""), (tag, attributes)
    assert "@import" not in parsed.text
    policy = next(a["content"] for tag, a in parsed.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert str(policy).startswith("default-src 'none'")


def test_names_are_used_once(parsed: Parsed) -> None:
    names = [attributes["id"] for _, attributes in parsed.elements if "id" in attributes]
    assert len(names) == len(set(names))
    targets = {str(a["href"])[1:] for tag, a in parsed.elements if tag == "a"}
    assert targets <= set(names)


def test_scores_intervals_and_signatures_need_no_script(parsed: Parsed, evaluated: Any, demo_corpus: Corpus) -> None:
    text = " ".join(parsed.text.split())
    corpus = demo_corpus
    evaluation = evaluated(corpus, ("identity", "truncate", "reference"), ("sari", "bleu", "fkgl"))
    comparison = evaluation.compare()
    for system, results in evaluation.systems.items():
        assert system in text
        for label, result in results.items():
            assert result.signature in text
            assert result.long_signature in text
            if label not in ("sari", "bleu", "fkgl"):
                continue  # features that tell nobody apart are said in a line
            digits = evaluation.metrics[label].facts.decimals
            assert f"{result.score:.{digits}f}" in text
            found = comparison[system][label].estimate
            assert f"{found.low:.{digits}f} to {found.high:.{digits}f}" in text
    for fact in ("60", "30.4 on average, 24 to 35", "English", "1,000", "12345", "seed", "★"):
        assert fact in text or fact.capitalize() in text
    assert "JavaScript" in text  # what to do without it


def test_everything_of_easses_report_is_there(parsed: Parsed) -> None:
    """Its overall table, system and reference, quality estimation, plots, sorted and random simplifications."""
    text = parsed.text
    for title in ("SARI", "BLEU", "FKGL", "reference", "Compression ratio", "Sentence splits"):
        assert title in text
    for title in ("Levenshtein similarity", "Exact copies", "Additions proportion", "Deletions proportion"):
        assert title in text
    names = {chart["name"] for chart in json.loads(parsed.data["chart-data"])}
    assert {"scores", "length", "compression-ratio", "levenshtein-similarity", "lexical-complexity"} <= names
    assert {"differences", "parts-sari", "reading", "sentence-splits", "by-length"} <= names
    code = parsed.data["code"]
    for choice in ("Random sample", "Strongest compression first", "Most rewritten first", "Exact copies by A"):
        assert choice in code


def test_every_chart_has_a_question_an_alternative_text_and_rows(parsed: Parsed) -> None:
    charts = json.loads(parsed.data["chart-data"])
    pictures = [a for _, a in parsed.elements if a.get("class") == "picture"]
    assert len(pictures) == sum(len(chart["specs"]) for chart in charts)
    assert all(a["role"] == "img" and len(str(a["aria-label"])) > 40 for a in pictures)
    for chart in charts:
        assert chart["rows"]
        assert all(len(row) == len(chart["columns"]) for row in chart["rows"])
    assert parsed.text.count("?") >= len(charts)


def test_chart_rows_are_the_evaluations_numbers(parsed: Parsed, evaluated: Any, demo_corpus: Corpus) -> None:
    charts = {chart["name"]: chart for chart in json.loads(parsed.data["chart-data"])}
    corpus = demo_corpus
    evaluation = evaluated(corpus)
    rows = [dict(zip(charts["scores"]["columns"], row, strict=True)) for row in charts["scores"]["rows"]]
    sari = {row["system"]: row["score"] for row in rows if row["metric"] == "sari"}
    assert sari["hasty-model"] == pytest.approx(evaluation["hasty-model"]["sari"].score, rel=1e-5)
    lengths = [dict(zip(charts["length"]["columns"], row, strict=True)) for row in charts["length"]["rows"]]
    assert sum(row["segments"] for row in lengths if row["system"] == "identity") == 60
    group = charts["by-length"]
    sums = {row[2]: row[6] for row in group["rows"] if row[0] == "sari" and row[1] == "hasty-model"}
    assert sum(sums.values()) == 60


def test_differences_are_the_comparisons_pairs(parsed: Parsed, evaluated: Any, demo_corpus: Corpus) -> None:
    chart = next(chart for chart in json.loads(parsed.data["chart-data"]) if chart["name"] == "differences")
    corpus = demo_corpus
    evaluation = evaluated(corpus, ("identity", "truncate", "reference"), ("sari", "bleu", "fkgl"))
    comparison = evaluation.compare()
    assert len(chart["rows"]) == 3 * 2 * (1 + 2 * 3)  # two systems, and each of them with three baselines
    for row in chart["rows"]:
        cell = dict(zip(chart["columns"], row, strict=True))
        pair = comparison.pair(cell["row"], cell["column"], cell["metric"])
        assert cell["difference"] == pytest.approx(pair.difference, rel=1e-5)
        assert cell["corrected p"] == pytest.approx(pair.p_holm, rel=1e-5)
        better = pair.difference < 0 if cell["metric"] == "fkgl" else pair.difference > 0
        expected = "not told apart" if pair.p_holm >= 0.05 else "better" if better else "worse"
        assert cell["verdict"] == expected


def test_a_part_scores_as_a_test_set_of_its_own(page_of: Any, demo_corpus: Corpus) -> None:
    corpus = demo_corpus
    grouping = by_source_length(corpus)
    assert grouping
    members = np.flatnonzero(grouping.members[0])
    chosen = [int(i) for i in members]
    alone = evaluate(
        [corpus.sources[i] for i in chosen],
        [corpus.outputs["hasty-model"][i] for i in chosen],
        [corpus.references[i] for i in chosen],
        metrics=["sari"],
        intervals=None,
    )
    charts = {c["name"]: c for c in json.loads(Parsed(page_of(corpus)).data["chart-data"])}
    row = next(r for r in charts["by-length"]["rows"] if r[:3] == ["sari", "hasty-model", grouping.names[0]])
    assert row[3] == pytest.approx(alone["output"]["sari"].score, rel=1e-5)


def test_hostile_texts_stay_texts(hostile: Path, hostile_texts: list[str]) -> None:
    page = Parsed(hostile.read_text("utf-8"))
    assert [tag for tag, _ in page.elements].count("script") == 4
    data = json.loads(page.data["segment-data"])
    assert set(hostile_texts) <= set(data["texts"])
    assert data["ids"] == hostile_texts
    assert data["outputs"][2][0] == -1


def test_json_cannot_end_its_script() -> None:
    hostile = {"a": "</script><!--\u2028\ud800", "b": [None, 1.5]}
    text = script_json(hostile)
    assert "<" not in text
    assert "\u2028" not in text
    assert text.encode("utf-8")
    assert json.loads(text) == hostile


def test_scripts_are_joined_without_imports() -> None:
    text = scripts()
    assert not re.search(r"^(import|export) ", text, re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|const|let) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names)), "top-level names must differ over all files"
    assert "</script" not in text + chart_library()
    assert "innerHTML" not in text
    static = Path(__file__).parents[2] / "src" / "plainly" / "report" / "static"
    assert {path.name for path in static.glob("*.js")} == set(SCRIPTS)


@pytest.mark.slow
def test_size_of_359_segments_by_20_systems(page_of: Any, demo_corpus: Corpus) -> None:
    corpus = demo_corpus
    texts = list(corpus.outputs.values())
    order = [i % 60 for i in range(359)]
    outputs = {f"system-{k}": [f"{(texts[k % 2][i] or '')} {k} {n}" for n, i in enumerate(order)] for k in range(20)}
    references = [[f"{text} {n}" for text in corpus.references[i]] for n, i in enumerate(order)]
    large = Corpus([f"{corpus.sources[i]} {n}" for n, i in enumerate(order)], references, outputs)
    page = page_of(large, ("identity", "truncate", "reference"))
    assert len(page.encode()) < 6_000_000


def test_same_data_same_page(page_of: Any, demo_corpus: Corpus) -> None:
    corpus = demo_corpus
    assert page_of(corpus) == page_of(corpus)


def test_little_data() -> None:
    """One segment, one system, no references: nothing to compare, and still a page."""
    corpus = Corpus(["One two three."], (), {"only": ["One two."]})
    evaluation = evaluate(corpus.sources, corpus.outputs, metrics=["fkgl", *BACKGROUND], intervals=None)
    page = Parsed(build(evaluation, corpus, evaluation.compare(resamples=20)))
    names = [chart["name"] for chart in json.loads(page.data["chart-data"])]
    assert "scores" in names
    assert "differences" not in names


def test_no_sources_and_missing_outputs() -> None:
    corpus = Corpus([None, None], (), {"a": ["One.", None], "b": [None, None]})
    evaluation = evaluate(None, corpus.outputs, metrics=["fkgl", "sentence-length"], intervals=None)
    text = Parsed(build(evaluation, corpus, evaluation.compare(resamples=20))).text
    assert "no sources" in text
    assert "2 segments of 2 could not be scored" in text


def test_german() -> None:
    corpus = Corpus(["Die Katze schläft."], [["Die Katze ruht.", "Sie ruht."]], {"eins": ["Die Katze."]}, lang="de")
    evaluation = evaluate(
        corpus.sources,
        corpus.outputs,
        corpus.references,
        lang="de",
        metrics=["sari", "compression-ratio"],
        intervals=None,
    )
    page = build(evaluation, corpus, evaluation.compare(resamples=20))
    assert "German" in Parsed(page).text


def test_fields_make_parts() -> None:
    metadata: list[dict[str, Any]] = [{"domain": f"d{i % 9}", "n": i, "list": [1]} for i in range(36)]
    corpus = Corpus(["a b"] * 36, (), {"s": ["a"] * 36}, metadata=metadata, documents=["x", None] * 18)
    found = {grouping.field: grouping for grouping in by_fields(corpus)}
    assert set(found) == {"domain"}  # one document only; n tells every segment apart; a list is no value
    assert list(found["domain"].names) == ["d0", "d1", "d2", "d3", "d4", "d5", "all others"]
    assert [int(members.sum()) for members in found["domain"].members] == [4] * 6 + [12]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"corpus": Corpus(["a"], (), {"s": ["a"]})}, "the evaluation has 2 segments, but the corpus has 1"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], message: str, evaluated: Any) -> None:
    corpus = Corpus(["a b", "c"], [["a"], ["c"]], {"s": ["a", "c"]})
    evaluation = evaluated(corpus)
    settings: dict[str, Any] = {"corpus": corpus, "comparison": evaluation.compare(resamples=20), **change}
    with pytest.raises(PlainlyError, match=re.escape(message)):
        build(evaluation, **settings)


def test_statistics_are_needed(evaluated: Any) -> None:
    corpus = Corpus(["a b"], [["a"]], {"s": ["a"]})
    evaluation = evaluated(corpus)
    bare = evaluate(corpus.sources, corpus.outputs, corpus.references, keep_statistics=False, intervals=None)
    with pytest.raises(PlainlyError, match="keep_statistics=True"):
        build(bare, corpus, evaluation.compare(resamples=20))


def test_many_equals_are_counted_not_named() -> None:
    texts = ["The cat sat."]
    corpus = Corpus(["The feline sat."], [["The cat sat."]], {f"s{k}": texts for k in range(5)})
    evaluation = evaluate(corpus.sources, corpus.outputs, corpus.references, metrics=["sari"], intervals=None)
    text = Parsed(build(evaluation, corpus, evaluation.compare(resamples=20))).text
    assert "s0, s1 and 3 more have the same SARI, 83.33." in text


@pytest.mark.parametrize(("segments", "lines"), [(1, False), (2, True)])
def test_one_segment_has_no_lines_of_intervals(segments: int, lines: bool) -> None:
    texts = ["The cat sat.", "It slept."][:segments]
    corpus = Corpus(["The feline sat.", "It slumbered."][:segments], [[text] for text in texts], {"one": texts})
    evaluation = evaluate(corpus.sources, corpus.outputs, corpus.references, metrics=["sari"], intervals=None)
    page = build(evaluation, corpus, evaluation.compare(resamples=20))
    assert ("Lines show 95% intervals." in page) == lines
    assert ("with its interval" in page) == lines
    assert ("Small numbers: 95% intervals" in page) == lines
    assert ('"strokeCap":"round"' in page) == lines


def test_a_system_that_lacks_segments_is_marked_and_not_first() -> None:
    """It has the easy half alone, and the better score; where both can be compared, it is worse."""
    plain = [f"The cat saw {n} birds on the old mat today." for n in range(40)]
    hard = ["The feline perceived it." if n % 2 else text for n, text in enumerate(plain)]
    full = [text if n % 2 else f"{text} Yes." for n, text in enumerate(hard)]
    few = [None if n % 2 else f"{text} Yes. No." for n, text in enumerate(plain)]
    corpus = Corpus([f"{text} Indeed." for text in plain], [[text] for text in plain], {"few": few, "full": full})
    evaluation = evaluate(corpus.sources, corpus.outputs, corpus.references, metrics=["bleu"], intervals=None)
    comparison = evaluation.compare(resamples=200)
    assert comparison["few"]["bleu"].score > comparison["full"]["bleu"].score
    page = build(evaluation, corpus, comparison)
    text = " ".join(Parsed(page).text.split())
    assert "full is the best of 2 systems by BLEU, on the segments that they share" in text
    assert "few has a better score, " in text
    assert "but on 20 of 40 segments; on the 20 that both have, full is better by " in text
    assert "† lacks segments that others have: it cannot be first." in text
    assert re.search(r"1\s*full\b.*?\b2\s*few\s*[\d.]+\s*†\s*, lacks segments", text)
    assert "20 of the 40 outputs of few are missing or could not be scored by BLEU." in text
    assert "Pairs of systems are compared on the segments that both have." in text


def test_metrics_without_a_better_end_have_a_map_of_pairs_too(demo_corpus: Corpus) -> None:
    evaluation = evaluate(
        demo_corpus.sources,
        demo_corpus.outputs,
        demo_corpus.references,
        metrics=["compression-ratio", "sentence-splits"],
        baselines=["identity"],
        intervals=None,
    )
    comparison = evaluation.compare(resamples=200)
    headline = ["compression-ratio", "sentence-splits"]
    page = Parsed(build(evaluation, demo_corpus, comparison, headline=headline))
    charts = {chart["name"]: chart for chart in json.loads(page.data["chart-data"])}
    rows = [dict(zip(charts["differences"]["columns"], row, strict=True)) for row in charts["differences"]["rows"]]
    for row in rows:
        pair = comparison.pair(row["row"], row["column"], row["metric"])
        way = "higher" if pair.difference > 0 else "lower"
        assert row["verdict"] == (way if pair.significant else "not told apart")
    assert {row["verdict"] for row in rows} >= {"higher", "lower"}
    text = " ".join(page.text.split())
    assert "+ is higher than the system of the column, − is lower" in text
    assert "★" not in text  # nobody is the best, so there is nothing to explain
    assert "Rank" not in text
    kinds = {row[2] for row in charts["scores"]["rows"]}
    assert kinds == {"systems", "baselines"}
    shown = [str(found.get("class")) for _, found in page.elements]
    assert shown.count("legend") == 2  # of the first chart, and of the other metric's
    assert "best, or not told apart" not in text


def test_an_opened_section_says_its_summary_once(parsed: Parsed) -> None:
    text = " ".join(parsed.text.split())
    assert text.count("SARI tells 1 of 1 pair apart.") == 1


def test_a_legend_explains_what_occurs(parsed: Parsed, page_of: Any, demo_corpus: Corpus) -> None:
    text = " ".join(parsed.text.split())
    assert "★ best of a column." in text
    assert "c-f stands for" not in text  # two systems have no range of letters
    assert "Against careful-writer: ▲ better, ▼ worse" in text  # of features
    alone = demo_corpus.with_outputs({"one": demo_corpus.outputs["hasty-model"]})
    single = " ".join(Parsed(page_of(alone)).text.split())
    for mark in ("★", "≈", "Against ", "share a letter", "sd says", "ranks on other texts"):
        assert mark not in single, mark


def test_a_system_alone_has_no_rank(parsed: Parsed, page_of: Any, demo_corpus: Corpus) -> None:
    """Nor do baselines beside it, on the page or in the tables to copy."""
    alone = Parsed(page_of(demo_corpus.with_outputs({"one": demo_corpus.outputs["hasty-model"]}), ("identity",)))
    for page, ranked in ((parsed, True), (alone, False)):
        assert any(found.get("class") == "place" for tag, found in page.elements if tag == "col") == ranked
        menu = next(found for _, found in page.elements if found.get("data-what") == "scores of all systems")
        assert ("rank" in str(menu["data-markdown"])) == ranked


def test_the_copied_features_stand_as_on_the_page(page_of: Any, demo_corpus: Corpus) -> None:
    """In the order of the scores, baselines last; under a question of their own; without a verdict."""
    page = Parsed(page_of(demo_corpus, ("identity",)))
    menu = next(found for _, found in page.elements if found.get("data-what") == "features of the outputs")
    latex = str(menu["data-latex"])
    names = [line.split(" & ")[0].strip() for line in latex.splitlines() if line.endswith(r"\\")][1:]
    assert names == ["careful-writer", "hasty-model", "identity"]
    assert latex.count(r"\caption{What do the systems do to the text? ") == 1
    assert "has no better end" not in latex
    assert "best rank" not in str(menu["data-markdown"])
    listed = dict.fromkeys(line.split(",")[0] for line in str(menu["data-csv"]).splitlines()[1:])
    assert list(listed) == names


def test_remarks_that_unfold_are_counted(demo_corpus: Corpus) -> None:
    evaluation = evaluate(
        demo_corpus.sources, demo_corpus.outputs, demo_corpus.references, metrics=["sari"], intervals=None
    )
    comparison = evaluation.compare(resamples=50)
    lead = min(2, len(comparison.verdict.answer()))
    room = REASONS - (len(comparison.verdict.sentences()) - lead)
    for more, said in ((0, None), (1, "1 more remark"), (2, "2 more remarks")):
        reasons = tuple(plain(f"Remark {n}.") for n in range(room + more))
        text = Parsed(build(evaluation, demo_corpus, replace(comparison, reasons=reasons))).text
        assert re.findall(r"\d+ more remarks?", text) == ([said] if said else [])
