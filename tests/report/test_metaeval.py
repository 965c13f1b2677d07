"""The page of a meta-evaluation, in a real browser and without scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.cli import main
from plainly.corpus import Corpus
from plainly.findings import plain
from plainly.inference import Resampling
from plainly.inference.paired import Direction
from plainly.metaeval import JudgedSet, Study, study
from plainly.metaeval.collection import Collection, points
from plainly.metaeval.findings import best_sentence, findings
from plainly.metaeval.operations import operations_study
from plainly.metaeval.wide_tables import best_name, signs, wide_tables
from plainly.metrics import SCORED, Facts, Metric, Score, ratio, scored, setting, with_scored
from plainly.operations import AnnotatedPair, Group, write_jsonl
from plainly.report.metaeval import metaeval_page
from plainly.report.metaeval_charts import best_first, forest, scatter, standing
from plainly.report.metaeval_markdown import metaeval_markdown, pictures

Look = Callable[..., Any]
DRAWS = Resampling(resamples=60)
N = 80
EVIL = "</script><script>window.hacked=1</script>"
TEXT = "A sentence that people judged."


@dataclass(frozen=True, kw_only=True)
class Told(Metric):
    """A metric whose score stands in the output, among those of others."""

    place: int = setting(0, help="of the judged outputs")

    columns = (SCORED, "value")

    @property
    def label(self) -> str:
        return self.name

    def measure(self, corpus: Corpus, system: str) -> Any:
        values = [[float(str(text).split()[self.place])] for text in corpus.output(system)]
        return with_scored(scored(corpus, system, self.facts.needs), np.array(values))

    def score(self, totals: Any) -> Score:
        return Score(ratio(totals[..., 1], totals[..., 0]), {})


def told(name: str, direction: Direction, place: int) -> Metric:
    facts = Facts(title=name, about=name, direction=direction, range=(-9.0, 9.0), needs=frozenset(), paper="")
    return type(name, (Told,), {"name": name, "facts": facts})(place=place)


@cache
def made(name: str = "made-up") -> tuple[JudgedSet, Study]:
    """A good metric, its twin, one in the wrong direction, one that is noise and one without a direction."""
    rng = np.random.default_rng(8)
    quality = rng.normal(size=N)
    people = quality + rng.normal(0, 0.4, N)
    raters = people[:, None] + rng.normal(0, 0.5, (N, 3))
    good = quality + rng.normal(0, 0.3, N)
    columns = {
        "good": good,
        "twin": good + rng.normal(0, 0.05, N),
        "backwards": quality + rng.normal(0, 1, N),
        "noise": rng.normal(size=N),
        "length": quality + rng.normal(0, 1, N),
    }
    data = JudgedSet(
        name=name,
        lang="en",
        segments=tuple(str(i // 4) for i in range(N)),
        systems=tuple(f"system {i % 4}" for i in range(N)),
        sources=(TEXT,) * N,
        outputs=tuple(" ".join(map(repr, row)) + f" {TEXT}" for row in np.column_stack([*columns.values()]).tolist()),
        references=((),) * N,
        values={"simplicity": raters.mean(axis=1), "difficulty": -people},
        fields={"half": tuple("first" if i < N // 2 else "second" for i in range(N))},
        ratings={"simplicity": raters},
        directions={"difficulty": "lower"},
        scale={"simplicity": "raw", "difficulty": "raw"},
        notes=(plain("a note of the data"),),
        paper="Nobody 2026",
        licence="none",
    )
    directions: list[Direction] = ["higher", "higher", "lower", "higher", "none"]
    metrics = [told(label, way, place) for place, (label, way) in enumerate(zip(columns, directions, strict=True))]
    return data, study(data, metrics, by=["half"], control=[metrics[-1]], resampling=DRAWS)


@cache
def collection(name: str = "made-up") -> Collection:
    data, found = made(name)
    words = tuple(TEXT.split())
    pairs = [
        AnnotatedPair(
            data.segments[i],
            words,
            words,
            (Group((1,), (1,), "synonym"),) if data.values["simplicity"][i] > 0 else (),
            data.systems[i],
        )
        for i in range(N)
    ]
    done = operations_study(data, found.contenders, pairs, resampling=DRAWS)
    return Collection(
        (found,),
        {"qats": "there is no qats.train.tsv"},
        {name: {"sari": "it needs references"}},
        {name: done},
        {name: points(found, data, ["good", "noise"])},
    )


def page(path: Path, found: Collection | None = None, **settings: Any) -> Path:
    path.write_text(metaeval_page(found or collection(), "2026-01-01", **settings), "utf-8")
    return path


@pytest.fixture(scope="module")
def opened(look_once: Look, tmp_path_factory: pytest.TempPathFactory) -> Any:
    return look_once(page(tmp_path_factory.mktemp("metaeval") / "m.html"))


def cells(opened: Any, table: str, row: str) -> list[str]:
    line = opened.locator(f"{table} tbody tr", has=opened.locator("th", has_text=re.compile(f"^{row}")))
    return [text.strip() for text in line.locator("td").all_inner_texts()]


def test_the_best_one_is_bold_and_the_others_are_marked(opened: Any) -> None:
    _, found = made()
    table = found.chosen("segment", "")[0]
    best = table.best
    assert best is not None
    assert best.contender in ("good", "twin")
    other = "twin" if best.contender == "good" else "good"
    own = cells(opened, "#data-0-main", best.contender)[0]
    assert own.startswith("★") or "best" in own
    value = best.agreement.pearson.value
    assert f"{value:.2f}" in own
    bold = opened.locator("#data-0-main td.best .score").first
    assert bold.evaluate("e => getComputedStyle(e).fontWeight") == "700"
    tied = next(row for row in table.rows if row.contender == other)
    assert ("≈" in cells(opened, "#data-0-main", other)[0]) == tied.tied
    assert "✗" in cells(opened, "#data-0-main", "backwards")[0]
    assert "°" in cells(opened, "#data-0-main", "length")[0]


def test_charts_are_drawn_and_tables_are_there(opened: Any) -> None:
    assert opened.locator("figure[data-chart=forest-0] .picture svg").count() == 2  # one a dimension
    assert opened.locator("figure[data-chart=scatter-0] .picture svg").count() == 4  # two metrics by two dimensions
    scores = 5 + 2  # metrics, and what people gave
    assert opened.locator("figure[data-chart=operations-0-chart] .picture svg").count() == scores
    assert opened.locator("#overview tbody tr").count() == 2
    titles = opened.locator("#data-0 details:not(.menu) > summary").all_inner_texts()
    assert titles == [
        "r with length removed",
        "Means of 4 systems",
        "simplicity by half",
        "difficulty by half",
        *(table.question.text() for table in findings(made()[1]).tables if table.name == "correlations"),
        "Signatures",
    ]
    words = opened.locator("main").inner_text()
    for said in (
        "a note of the data",
        "sari (it needs references)",
        "qats: there is no qats.train.tsv",
        "Nobody 2026",
    ):
        assert said in words


def test_everything_is_there_without_scripts(look: Look, tmp_path: Path) -> None:
    opened = look(page(tmp_path / "m.html"), ready=False, java_script_enabled=False)
    assert opened.locator("#data-0-main tbody tr").count() == 5
    assert opened.get_by_text("The charts need JavaScript").is_visible()
    opened.locator("#data-0 details:not(.menu) > summary").first.click()
    assert opened.locator("#data-0 details table").first.is_visible()


def test_the_numbers_are_those_of_the_study(opened: Any) -> None:
    _, found = made()
    for column, table in enumerate(found.chosen("segment", "")):
        for row in table.rows:
            shown = cells(opened, "#data-0-main", row.contender)[column].replace("−", "-")
            bounds = row.agreement.pearson.estimate
            for value in (row.agreement.pearson.value, bounds.low, bounds.high):
                assert f"{round(value, 2) + 0.0:.2f}" in shown


def test_charts_follow_standing_and_direction() -> None:
    _, found = made()
    table, turned = found.chosen("segment", "")
    order = [row.contender for row in best_first(table, "pearson")]
    assert order[-1] == "length"
    assert order[-2] == "backwards"  # people like what it dislikes
    kinds = {row.contender: standing(row) for row in table.rows}
    assert kinds["noise"] == kinds["backwards"] == "behind"
    assert kinds["length"] == "no direction"
    # Of difficulty less is better, so a good metric has a negative number, and stands on top all the same.
    assert best_first(turned, "pearson")[0].agreement.pearson.value < -0.5
    chart = forest(found, "f")
    assert chart is not None
    rules = [
        layer["encoding"]["x"]["datum"]
        for layer in chart.panels[0].spec["layer"]
        if "datum" in layer["encoding"]["x"]
    ]
    ceiling = table.ceiling.with_others.value
    assert sorted(rules) == pytest.approx([-ceiling, 0, ceiling])
    assert not any(
        "datum" in layer["encoding"]["x"] for layer in chart.panels[1].spec["layer"][1:]
    )  # no raters known
    drawn = scatter(found, collection().points["made-up"], "s")
    assert drawn is not None
    assert len(drawn.rows) == 4 * N


def test_sentences_and_marks() -> None:
    _, found = made()
    table = found.chosen("segment", "")[0]
    assert table.best is not None
    assert str(best_sentence(found, table)).startswith(f"made-up, simplicity: {table.best.contender} agrees best, 0.")
    by_name = {row.contender: row for row in table.rows}
    assert signs(by_name["backwards"]) == {"✗"}
    assert signs(by_name["length"]) == {"°"}
    assert signs(table.best) == {"best"}
    shown = next(wide_tables(found))
    assert [column.better for column in shown.columns] == ["", "", "lower"]
    assert [line[0] for line in shown.rows] == ["good ↑", "twin ↑", "backwards ↓", "noise ↑", "length"]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_everybody_can_read_it(
    look: Look, faults_of: Callable[..., list[str]], tmp_path: Path, scheme: str, width: int
) -> None:
    opened = look(page(tmp_path / "m.html"), color_scheme=scheme, viewport={"width": width, "height": 740})
    opened.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert faults_of(opened, serious=True) == []
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    levels = opened.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map(h => Number(h.tagName[1]))")
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_hostile_names(look: Look, tmp_path: Path) -> None:
    text = metaeval_page(collection(EVIL), "2026-01-01", title=EVIL)
    assert EVIL not in text
    opened = look(page(tmp_path / "m.html", collection(EVIL), title=EVIL))
    assert opened.evaluate("window.hacked === undefined")
    assert opened.locator("h1").inner_text() == EVIL


def test_the_least_bad_is_not_called_the_best() -> None:
    data, _ = made()
    found = study(data, [told("backwards", "lower", 2)], granularities=["segment"], resampling=DRAWS)
    table = found.chosen("segment", "")[0]
    assert str(best_name(found, table)) == "none (least bad: backwards)"
    assert "no metric agrees with people; the least bad is backwards" in str(best_sentence(found, table))


def test_markdown_has_figures_and_no_texts() -> None:
    text = metaeval_markdown(collection(), {"made-up": "pictures/metaeval-made-up.svg"})
    _, found = made()
    table = found.chosen("segment", "")[0]
    assert table.best is not None
    value = f"{table.best.agreement.pearson.value:.2f}"
    assert re.search(rf"\| {table.best.contender} ↑ \| \*\*{re.escape(value)} \[[^|]*\]\*\* \|", text)
    assert "](pictures/metaeval-made-up.svg)" in text
    assert "seed 12345" in text
    assert "not in the folder: qats" in text
    assert "| synonym |" in text
    assert TEXT not in text
    assert "2026-01-01" not in text


def test_what_the_model_of_simplicity_has_seen_is_said() -> None:
    data, _ = made()
    said = "The model of `simplicity` learned from ARTS3000"
    for name in ("simplicity", "good"):
        found = study(data, [told(name, "higher", 0)], granularities=["segment"], resampling=Resampling(resamples=10))
        assert (said in metaeval_markdown(Collection((found,)), {})) == (name == "simplicity")


def test_pictures_are_drawn_in_the_colours_of_the_page() -> None:
    drawn = pictures(collection())["made-up"]
    assert drawn.startswith("<svg")
    assert "var(" not in drawn
    assert ">good<" in drawn


def test_the_command_writes_all_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["segment,system,rater,simplicity"]
    for i in range(12):
        for system in ("careful-writer", "hasty-model"):
            rows += [f"{i},{system},{rater},{(3 * i + len(system) + place) % 7}" for place, rater in enumerate("ab")]
    (tmp_path / "r.csv").write_text("\n".join(rows) + "\n", "utf-8")
    asked = [
        "metaeval",
        "--demo",
        "--ratings",
        str(tmp_path / "r.csv"),
        "--scales",
        "simplicity",
        "--resamples",
        "20",
    ]
    asked += ["--metrics", "sari,fkgl", "--quiet", "--operations", "rules"]
    output = tmp_path / "m.html"
    assert main([*asked, "--scatter", "sari", "-o", str(output), "--also", str(tmp_path / "m.json")]) == 0
    text = output.read_text("utf-8")
    assert "Which operations does a metric reward?" in text
    assert '"simplicity: sari"' in text
    assert '"operations"' in (tmp_path / "m.json").read_text("utf-8")
    pairs = [
        AnnotatedPair(str(i), ("a",), ("b",), (Group((0,), (0,), "synonym"),) if i % 2 else (), system)
        for i in range(12)
        for system in ("careful-writer", "hasty-model")
    ]
    write_jsonl(pairs, tmp_path / "marked.jsonl")
    assert main([*asked[:-1], str(tmp_path / "marked.jsonl"), "-o", str(tmp_path / "marked.json")]) == 0
    own = json.loads((tmp_path / "marked.json").read_text("utf-8"))["operations"]
    assert {row["operation"] for row in own["overall"]} == {"synonym"}
    assert main(asked) == 0
    assert "Which operations do metrics and people reward? all outputs" in capsys.readouterr().out
    assert main([*asked, "-o", str(output), "--also", str(output)]) == 2
    assert main([*asked, "--scatter", "bleu", "-o", str(tmp_path / "other.html")]) == 2
    assert main(["metaeval", "--all", str(tmp_path), "-o", str(tmp_path / "x.csv")]) == 2
    assert main(["metaeval", "--all", str(tmp_path), "-o", str(tmp_path / "x.html")]) == 2
    errors = capsys.readouterr().err
    for said in (
        "name the same file",
        "unknown metric of this run 'bleu'",
        "--all writes .html",
        "no data set is in",
    ):
        assert said in errors
    assert not (tmp_path / "other.html").exists()
    assert not (tmp_path / "x.html").exists()
