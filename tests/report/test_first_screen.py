"""The first screen: who won, by how much, how sure, with the numbers of `score` and `compare`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.report.test_page import Parsed

import plainly.demo
from plainly.cli import main
from plainly.corpus import Corpus
from plainly.corpus.corpus import possible_baselines
from plainly.findings import printed
from plainly.report.charts import BASELINE
from plainly.report.telling import extremes

Look = Callable[..., Any]


@pytest.fixture(name="demo_set")
def _demo_set(demo_corpus: Corpus) -> Corpus:
    return demo_corpus


def attributes(page: Parsed, name: str) -> dict[str, str | None]:
    """Of the first element of this class."""
    return next(found for _, found in page.elements if name in (found.get("class") or "").split())


@pytest.fixture(scope="module")
def printed_by(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """What a command says of the demo set, as JSON."""

    def run(command: str) -> Any:
        path = tmp_path_factory.mktemp("json") / f"{command}.json"
        given = ["--baselines", ",".join(possible_baselines(plainly.demo.demo_corpus("en")))]
        assert main([command, "--demo", *given, "--quiet", "--format", "json", "-o", str(path)]) == 0
        return json.loads(path.read_text("utf-8"))

    return run


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Parsed:
    path = tmp_path_factory.mktemp("page") / "page.html"
    assert main(["report", "--demo", "--quiet", "-o", str(path)]) == 0
    return Parsed(path.read_text("utf-8"))


def copied(page: Parsed) -> list[dict[str, str]]:
    """The main table, as the page copies it."""
    return list(csv.DictReader(io.StringIO(str(attributes(page, "copies")["data-csv"]))))


def test_every_estimate_is_that_of_score_and_compare(page: Parsed, printed_by: Callable[[str], Any]) -> None:
    scores, compared = printed_by("score")["systems"], printed_by("compare")
    rows = copied(page)
    assert len(rows) == sum(map(len, scores.values()))
    for row in rows:
        system, metric = row["system"], row["metric"]
        bounds = {"value": row["score"], "low": row["score low"], "high": row["score high"]}
        for found in (scores[system][metric]["score"], compared["systems"][system][metric]["score"]):
            assert {name: repr(found[name]) for name in bounds} == bounds
        assert row["rank"] == str(compared["systems"][system][metric]["rank"])
    shown = [found["data-order"] for tag, found in page.elements if tag == "td" and found.get("data-order")]
    assert all(repr(results["sari"]["score"]["value"]) in shown for results in scores.values())


def test_it_says_the_verdict_and_names_the_test_set(page: Parsed, printed_by: Callable[[str], Any]) -> None:
    text = " ".join(page.text.split())
    for sentence in printed_by("compare")["verdict"]["sentences"]:
        assert sentence in text
    assert "Which system is better on the demo set?" in text
    assert "simplest" not in text


def test_against_one_system_it_says_what_compare_says(tmp_path: Path) -> None:
    given = ["--demo", "--metrics", "sari,bleu", "--baselines", "reference", "--baseline", "substituter", "--quiet"]
    page, data = tmp_path / "page.html", tmp_path / "data.json"
    assert main(["report", *given, "-o", str(page)]) == 0
    assert main(["compare", *given, "-o", str(data)]) == 0
    sentences = json.loads(data.read_text("utf-8"))["verdict"]["sentences"]
    assert sentences[0].startswith("Better than substituter by SARI: careful-writer by ")
    text = " ".join(Parsed(page.read_text("utf-8")).text.split())
    for sentence in sentences:
        assert sentence in text


def test_systems_come_best_first_and_baselines_apart(page: Parsed, printed_by: Callable[[str], Any]) -> None:
    compared = printed_by("compare")
    chart = json.loads(page.data["chart-data"])[0]
    order = compared["verdict"]["order"]
    assert [row[1] for row in chart["rows"]] == [*order, *compared["baselines"]]
    assert [row[1] for row in chart["rows"] if row[2] == BASELINE] == compared["baselines"]
    names = [found.get("data-order") for tag, found in page.elements if tag == "th" and found.get("scope") == "row"]
    assert names[: len(order)] == order
    assert names[len(order) : len(order) + len(compared["baselines"])] == compared["baselines"]


def test_copies_are_what_compare_prints(page_of: Any, evaluated: Any, demo_set: Corpus) -> None:
    evaluation = evaluated(demo_set)
    others = [label for label in evaluation.metrics if label not in ("sari", "bleu")]
    comparison = evaluation.without(others).compare(resamples=200)
    menu = attributes(Parsed(page_of(demo_set)), "copies")
    for form in ("latex", "markdown", "csv"):
        assert menu[f"data-{form}"] == printed(comparison.findings().only("systems"), form)


@pytest.mark.slow
def test_more_than_ten_systems_unfold(page_of: Any, demo_set: Corpus) -> None:
    texts = demo_set.outputs["hasty-model"]
    few = Parsed(page_of(demo_set.with_outputs({f"s{k}": texts for k in range(10)})))
    assert "rest-table" not in [found.get("id") for _, found in few.elements]
    many = Parsed(page_of(demo_set.with_outputs({f"s{k:02}": texts for k in range(13)})))
    assert "3 more systems" in many.text
    assert "rest-table" in [found.get("id") for _, found in many.elements]


def test_the_five_segments_are_the_largest_wins_and_losses(page: Parsed, evaluated: Any, demo_set: Corpus) -> None:
    evaluation = evaluated(demo_set)
    best, second = (
        evaluation.segment_scores("careful-writer", "sari"),
        evaluation.segment_scores("hasty-model", "sari"),
    )
    gains = best - second
    chosen = extremes(gains)
    wins, losses = [i for i in chosen if gains[i] > 0], [i for i in chosen if gains[i] < 0]
    assert len(chosen) == 5
    assert [gains[i] for i in wins] == sorted(gains, reverse=True)[: len(wins)]
    assert [gains[i] for i in losses] == sorted(gains)[: len(losses)]


def test_where_losses_are_rare_there_are_more_wins() -> None:
    assert extremes(np.array([3.0, np.nan, 1.0, -2.0, 5.0, 0.0, 2.0])) == [4, 0, 6, 2, 3]
    assert extremes(np.array([0.0, np.nan])) == []


def test_the_telling_segments_stand_on_the_page(page_of: Any, demo_set: Corpus, evaluated: Any) -> None:
    found = Parsed(page_of(demo_set))
    evaluation = evaluated(demo_set)
    gains = evaluation.segment_scores("careful-writer", "sari") - evaluation.segment_scores("hasty-model", "sari")
    shown = [str(one["aria-label"]) for tag, one in found.elements if tag == "article"]
    assert shown == [f"Segment {i + 1}" for i in extremes(gains)]


def test_runs_have_a_mean_and_a_spread(tmp_path: Path, demo_set: Corpus) -> None:
    files = {name: tmp_path / f"{name}.txt" for name in ("one", "two", "src", "ref")}
    texts = list(demo_set.outputs.values())
    for name, lines in zip(files, (*texts, demo_set.sources, [r[0] for r in demo_set.references]), strict=True):
        files[name].write_text("\n".join(map(str, lines)) + "\n", "utf-8")
    given = ["--sources", str(files["src"]), "--references", str(files["ref"])]
    runs = ["--system", f"mine={files['one']}", "--system", f"mine={files['two']}", "--system", str(files["two"])]
    out = tmp_path / "runs.html"
    assert main(["report", *given, *runs, "--metrics", "sari", "--quiet", "-o", str(out)]) == 0
    text = " ".join(Parsed(out.read_text("utf-8")).text.split())
    assert "of 2 runs" in text
    assert "texts of the first run" in text


def test_warnings_about_texts_stand_before_the_verdict(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    (tmp_path / "a.txt").write_text("One two.\nThree four.\n")
    (tmp_path / "b.txt").write_text("One two.\nThree four.\n")
    (tmp_path / "src.txt").write_text("One two three.\nThree four five.\n")
    systems = ["--system", str(tmp_path / "a.txt"), "--system", str(tmp_path / "b.txt")]
    assert main(["report", "--sources", str(tmp_path / "src.txt"), *systems, "--quiet", "-o", str(out)]) == 0
    text = Parsed(out.read_text("utf-8")).text
    assert text.index("Check the texts:") < text.index("The answer") + 200


def test_stages_are_told_off_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--demo", "--metrics", "sari", "-o", str(tmp_path / "page.html")]) == 0
    told = capsys.readouterr().err.splitlines()
    wanted = [
        "scoring 60 segments by sari ...",
        "comparing systems by sari ...",
        "measuring features of the outputs ...",
    ]
    assert told[:4] == [*wanted, "drawing charts ..."]


@pytest.mark.parametrize(
    ("width", "parts"), [(1280, [".verdict", ".picture svg", "#scores-table"]), (390, [".verdict"])]
)
def test_the_answer_is_above_the_fold(look: Look, demo: Path, width: int, parts: list[str]) -> None:
    page = look(demo, unfold=False, viewport={"width": width, "height": 800})
    for part in parts:
        box = page.locator(part).first.bounding_box()
        assert box["y"] + box["height"] < 800, part
    assert page.locator(".picture svg").first.bounding_box()["y"] < 500
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_heads_stay_in_their_columns(look: Look, tmp_path: Path) -> None:
    """A long name, as that of FRE under the profile of a paper, is broken; it lay over the next column."""
    out = tmp_path / "de.html"
    assert (
        main(["report", "--demo", "--profile", "easse-de", "--metrics", "sari,bleu,fre", "--quiet", "-o", str(out)])
        == 0
    )
    heads = look(out, unfold=False, viewport={"width": 1100, "height": 800}).locator("table.ranks thead th")
    assert any("textstat-0.7.5" in text for text in heads.all_inner_texts())
    for head in heads.all():
        assert head.evaluate("head => head.scrollWidth <= head.clientWidth"), head.inner_text()


def test_tables_copy_and_charts_save(look: Look, demo: Path) -> None:
    page = look(demo, permissions=["clipboard-read", "clipboard-write"])
    page.locator(".standings .copies summary").click()
    page.locator(".standings .copies").get_by_role("button", name="LaTeX").click()
    page.wait_for_selector("text=LaTeX copied")
    assert page.evaluate("navigator.clipboard.readText()").count("\\begin{table}")
    page.locator("[data-chart=scores] .tools summary").click()
    for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with page.expect_download() as download:
            page.locator("[data-chart=scores]").get_by_role("button", name=f"Picture as {kind}").click()
        content = Path(download.value.path()).read_bytes()
        assert content.startswith(start)
        assert b"var(--" not in content


def test_a_link_opens_its_part(look: Look, demo: Path) -> None:
    page = look(demo, unfold=False)
    assert not page.locator("#method dl").first.is_visible()
    page.get_by_role("link", name="Method").click()
    assert page.locator("#method dl").first.is_visible()
