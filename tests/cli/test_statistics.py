"""`plainly statistics`, and `compare` and `report` of statistics: what was measured once is never measured again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="statistics folders need pyarrow")

from plainly.base.exact_sums import exact_sum
from plainly.corpus.references import References
from plainly.demo import demo_corpus
from plainly.metrics import get
from plainly.scoring import Evaluation
from plainly.scoring.partitions import EXACT
from plainly.scoring.results import result
from plainly.scoring.statistics import save

Plainly = Any
METRICS = "sari,bleu,fkgl,compression-ratio"


def write_records(path: str, start: int = 0, stop: int = 60, systems: tuple[str, ...] = ()) -> None:
    demo = demo_corpus("en")
    with Path(path).open("w", encoding="utf-8") as out:
        for i in range(start, stop):
            outputs = {
                name: demo.outputs[name][i] for name in systems or ("careful-writer", "splitter", "truncation")
            }
            record = {
                "id": f"s{i}",
                "source": demo.sources[i],
                "references": list(demo.references[i]),
                "outputs": outputs,
                "domain": ("news", "law")[i % 2],
                "year": 2000 + i % 7,
            }
            out.write(json.dumps(record) + "\n")


def score(plainly: Plainly, data: str, folder: str, *more: str) -> None:
    """What this measures is measured with the command, as users do it."""
    arguments = [
        "--data",
        data,
        "--metrics",
        METRICS,
        "--write-statistics",
        folder,
        "--workers",
        "1",
        "--quiet",
        *more,
    ]
    assert plainly("score", *arguments, "--quiet").status == 0


@pytest.fixture
def stats(plainly: Plainly) -> str:
    write_records("all.jsonl")
    score(plainly, "all.jsonl", "stats", "--baselines", "identity")
    return "stats"


def test_comparing_statistics_prints_what_comparing_texts_prints(plainly: Plainly, stats: str) -> None:
    anew = ["--data", "all.jsonl", "--metrics", METRICS, "--baselines", "identity"]
    for options in (["--format", "json"], ["--format", "table"], ["--table", "pairs", "--baseline", "identity"]):
        assert (
            plainly("compare", "--statistics", stats, *options).printed == plainly("compare", *anew, *options).printed
        )


def test_generated_pairs_compare_the_same_way(plainly: Plainly) -> None:
    words = ["old", "tall", "quick", "brown", "lazy", "careful", "small", "large", "house", "river", "law", "water"]
    with Path("pairs.jsonl").open("w", encoding="utf-8") as out:
        for i in range(2_000):
            source = [words[(i * k + k * k) % len(words)] for k in range(1, 8 + i % 9)]
            outputs = {"a": " ".join(source[::2]), "b": " ".join(source[1:]) if i % 50 else None}
            record = {"source": " ".join(source), "references": [" ".join(source[:-1])], "outputs": outputs}
            out.write(json.dumps(record) + "\n")
    score(plainly, "pairs.jsonl", "stats")
    given = ["--data", "pairs.jsonl", "--metrics", METRICS, "--baselines", ""]  # the folder has none
    anew = plainly("compare", *given, "--format", "json")
    assert plainly("compare", "--statistics", "stats", "--format", "json").printed == anew.printed


def test_several_folders_are_compared_as_one(plainly: Plainly, stats: str) -> None:
    write_records("mine.jsonl", systems=("careful-writer", "splitter"))
    write_records("theirs.jsonl", systems=("truncation",))
    score(plainly, "mine.jsonl", "mine")
    score(plainly, "theirs.jsonl", "theirs", "--baselines", "identity")
    one = plainly("compare", "--statistics", stats, "--format", "json").printed
    assert plainly("compare", "--statistics", "mine", "theirs", "--format", "json").printed == one


def test_scores_of_the_whole_are_those_of_the_run(plainly: Plainly, stats: str) -> None:
    anew = plainly(
        "score", "--data", "all.jsonl", "--metrics", METRICS, "--baselines", "identity", "--format", "json"
    )
    group = plainly("statistics", "score", stats, "--format", "json").json["groups"][0]
    assert group["systems"] == anew.json["systems"]


@pytest.mark.parametrize("form", ["table", "csv", "tsv", "markdown", "latex", "html", "json"])
def test_groups_in_every_format(plainly: Plainly, stats: str, form: str) -> None:
    arguments = ("--by", "domain,year:2", "--metrics", "sari", "--where", "system=splitter", "--resamples", 50)
    printed = plainly("statistics", "score", stats, *arguments, "--format", form).printed
    assert plainly("statistics", "score", stats, *arguments, "--format", form, "-o", "out.txt").status == 0
    assert Path("out.txt").read_text("utf-8") == printed
    for word in ("news", "law", "2000–2003", "2004–2006", "splitter", "sari"):
        assert word in printed
    assert "careful-writer" not in printed


def test_show_says_what_is_there(plainly: Plainly, stats: str) -> None:
    assert plainly("statistics", "show", stats, "--format", "json").json["columns"]["domain"] == {
        "different": 2,
        "values": ["law", "news"],
    }
    printed = plainly("statistics", "show", stats).printed
    for word in ("60", "careful-writer", "sari|lang:en", "domain", "2 different values: law, news"):
        assert word in printed


def test_days_are_merged_into_a_week(plainly: Plainly, stats: str) -> None:
    for number, (start, stop) in enumerate(((0, 25), (25, 26), (26, 60))):
        write_records("part.jsonl", start, stop)
        score(plainly, "part.jsonl", f"day{number}", "--baselines", "identity")
    assert plainly("statistics", "merge", "day0", "day1", "day2", "-o", "week").status == 0
    for options in (["--by", "domain"], ["--by", "year:3", "--where", "domain=law"]):
        whole = plainly("statistics", "score", stats, *options, "--format", "json").printed
        assert plainly("statistics", "score", "week", *options, "--format", "json").printed == whole
    assert "would count twice" in plainly("statistics", "merge", "week", "day1", "-o", "again").refusal
    assert "week is not empty" in plainly("statistics", "merge", "day0", "day1", "-o", "week").refusal


def test_folders_that_only_their_size_says_belong_together_are_noted(plainly: Plainly) -> None:
    for system in ("one", "two"):
        rows = [{"source": f"A b c d {i}.", "outputs": {system: f"A b {i}."}} for i in range(6)]
        Path("data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        arguments = ["--metrics", "fkgl", "--write-statistics", system, "--workers", "1", "--quiet"]
        assert plainly("score", "--data", "data.jsonl", *arguments).status == 0
    said = "note: only the number of segments says that two has those of one"
    assert said in plainly("statistics", "merge", "one", "two", "-o", "both").err
    assert said in plainly("compare", "--statistics", "one", "two", "--resamples", "50").err
    assert said not in plainly("compare", "--statistics", "one", "two", "--resamples", "50", "--quiet").err


@pytest.mark.slow
def test_a_report_of_statistics_has_the_same_numbers_and_no_texts(plainly: Plainly, stats: str) -> None:
    pytest.importorskip("vl_convert", reason="the report needs vl-convert-python")
    assert plainly("report", "--statistics", stats, "--metrics", METRICS, "-o", "page.html", "--quiet").status == 0
    page = Path("page.html").read_text("utf-8")
    anew = ["--data", "all.jsonl", "--metrics", METRICS, "--baselines", "identity"]
    assert plainly("report", *anew, "-o", "anew.html", "--quiet").status == 0
    wanted = chart_rows(Path("anew.html").read_text("utf-8"))
    found = chart_rows(page)
    for name in ("scores", "differences", "parts-sari", "compression-ratio", "by-field-0"):
        assert found[name] == wanted[name], name
    assert "The texts are not in it" in page
    assert 'id="segments"' not in page
    assert 'id="segment-data"' not in page
    assert demo_corpus("en").sources[0] not in page


def test_a_large_folder_has_a_report_of_its_totals(plainly: Plainly) -> None:
    pytest.importorskip("vl_convert", reason="the report needs vl-convert-python")
    size, metric = EXACT + 2_000, get("compression-ratio")
    values = np.random.default_rng(1).lognormal(-0.3, 0.4, (2, size))
    rows = {name: np.column_stack([np.ones(size), column]) for name, column in zip("ab", values, strict=True)}
    scores = {
        name: {metric.label: result(metric, exact_sum(table), size, References())} for name, table in rows.items()
    }
    statistics = {name: {metric.label: table} for name, table in rows.items()}
    save(Evaluation(size, dict.fromkeys("ab", References()), {metric.label: metric}, scores, statistics), "large")
    run = plainly("report", "--statistics", "large", "-o", "large.html", "--resamples", 200)
    assert run.printed == ""
    assert "draw blocks of neighbours" in run.err
    page = Path("large.html").read_text("utf-8")
    assert "blocks of neighbours are drawn" in page
    assert list(chart_rows(page)) == ["scores", "differences"]
    assert f"{scores['a'][metric.label].score:.3f}" in page


def test_a_metric_that_scored_nothing_is_left_out_as_with_texts(plainly: Plainly) -> None:
    Path("bare.jsonl").write_text('{"source": "Bare words here.", "output": "Words."}\n' * 6)
    assert plainly("score", "--data", "bare.jsonl", "--write-statistics", "bare", "--workers", "1").status == 0
    run = plainly("compare", "--statistics", "bare", "--format", "json")
    assert list(run.json["systems"]["output"]) == ["fkgl"]
    assert "note: sari is left out: no segment has the references and source it needs" in run.err


def chart_rows(page: str) -> dict[str, Any]:
    data = page.partition('id="chart-data">')[2].partition("</script>")[0]
    return {chart["name"]: chart["rows"] for chart in json.loads(data)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compare", "--statistics", "nowhere"], "nowhere is no statistics folder: there is no such folder"),
        (["compare", "--statistics", "stats", "--demo"], "leave --demo out"),
        (["compare", "--statistics", "stats", "--metrics", "ter"], "unknown metric of stats 'ter'"),
        (["report", "--statistics", "stats", "--gaming"], "need the texts"),
        (["statistics", "score", "stats", "--by", "colour"], "unknown column of stats 'colour'"),
        (["statistics", "score", "stats", "--by", ","], "argument --by: names no column"),
        (["statistics", "merge", "stats", "-o", "new"], "name two folders or more"),
        (["statistics", "merge", "stats", "stats", "-o", "new"], "would count twice"),
    ],
)
def test_what_makes_no_sense_is_refused(plainly: Plainly, stats: str, arguments: list[str], message: str) -> None:
    assert message in plainly(*arguments).refusal
    assert not Path("new/manifest.json").exists()
