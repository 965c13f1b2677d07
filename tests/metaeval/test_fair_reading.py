"""Nothing in a study invites a wrong conclusion: ties, directions, ceilings, few outputs, few permutations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plainly.findings import printed as in_form
from plainly.findings.printers.markdown import escaped
from plainly.inference import Resampling
from plainly.metaeval import Study, study
from plainly.metaeval.ceiling import ceiling
from plainly.metaeval.comparing import against_best
from plainly.metaeval.correlations import FEWEST_DRAWN, segment_level
from plainly.metaeval.findings import best_sentence, findings
from plainly.metaeval.quality import Inputs, train
from plainly.metaeval.study_notes import permutation_notes
from plainly.metaeval.systems import system_level
from plainly.metaeval.wide_tables import best_name
from plainly.scoring.evaluator import prepare

from .test_study import QUICK, judged, row, run

# Of the six pairs one is tied for the metric, and five go with people: (5 - 0 - 1) / 6.
METRIC, PEOPLE = np.array([1.0, 2.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0, 4.0])
WITH_A_TIE = 4 / 6


@pytest.mark.parametrize(
    ("turn", "direction", "human", "expected"),
    [
        (1, "higher", "higher", WITH_A_TIE),
        (-1, "lower", "higher", -WITH_A_TIE),
        (-1, "higher", "lower", -WITH_A_TIE),
        (1, "lower", "lower", WITH_A_TIE),
    ],
)
def test_a_tie_makes_tau_weaker_in_every_direction(turn: int, direction: str, human: str, expected: float) -> None:
    directions = {"m": direction}
    found = segment_level({"m": turn * METRIC}, PEOPLE, directions, human_direction=human)["m"]  # type: ignore[arg-type]
    assert found.taus["10"].value == pytest.approx(expected)
    assert found.taus["14"].value == pytest.approx(np.sign(expected) * 5 / 6)
    assert found.accuracy.value == pytest.approx(5 / 6)


def text_of(found: Study, table: str = "correlations", form: str = "table") -> str:
    return in_form(findings(found).only(table), form)


def test_the_interval_of_tau_is_turned_with_it() -> None:
    rng = np.random.default_rng(1)
    metric = rng.integers(0, 5, 40).astype(float)
    people = metric + rng.normal(0, 1, 40)
    up, down = (
        segment_level({"m": sign * metric}, people, {"m": name}, resampling=QUICK)["m"].taus["10"]  # type: ignore[dict-item]
        for sign, name in ((1, "higher"), (-1, "lower"))
    )
    assert up.estimate.has_interval
    assert down.estimate.has_interval
    assert (down.value, down.estimate.low) == pytest.approx((-up.value, -up.estimate.high))


def test_without_a_direction_nobody_knows_what_a_mistake_is() -> None:
    found = segment_level({"m": METRIC}, PEOPLE, {"m": "none"})["m"]
    assert set(found.taus) == {"13", "14", "c"}
    assert np.isnan(found.accuracy.value)
    level = system_level(
        {"m": METRIC}, PEOPLE, {"m": "none"}, systems=list("abcd"), segments=["0"] * 4, resampling=QUICK
    )
    assert np.isnan(level.agreements["m"].accuracy.value)
    printed = text_of(run(judged(), "words"), "pairs")
    assert next(line for line in printed.splitlines() if line.startswith("words ")).split()[6] == "-"
    assert "accuracy goes by the metric's own direction" in printed


def test_few_outputs_have_no_intervals() -> None:
    rng = np.random.default_rng(2)
    for n in (FEWEST_DRAWN - 1, FEWEST_DRAWN):
        people = rng.normal(size=n)
        scores = {name: people + rng.normal(size=n) for name in "ab"}
        found = segment_level(scores, people, {}, resampling=QUICK)["a"]
        gaps = [own.gap for own in against_best(scores, people, {}, resampling=QUICK).values() if own.gap]
        raters = ceiling(people[:, None] + rng.normal(size=(n, 3)), resampling=QUICK)
        enough = n == FEWEST_DRAWN
        assert found.pearson.estimate.has_interval == enough
        assert found.accuracy.estimate.has_interval == enough
        assert np.isfinite([gaps[0].difference.low, raters.between.low, raters.alpha.high]).all() == enough
    found_study = run(judged(6), "bleu", "fkgl")
    assert "only 6 outputs: too few for intervals, which take 10" in [*map(str, found_study.tables[0].notes)]
    printed = text_of(found_study)
    assert "nan" not in printed
    assert not any(each.wrong_way for each in found_study.tables[0].rows)


def test_the_ceiling_says_what_it_is_and_stands_only_where_it_belongs() -> None:
    found = run(judged(), "words", granularities=("segment", "system"), by=("system", "quality"))
    known = {(table.granularity, table.field): table.ceiling.reason for table in found.tables}
    assert known["segment", ""] is None
    assert known["segment", "system"] is None
    assert "on outputs, not on means of systems" in str(known["system", ""])
    assert "the halves were chosen by these ratings" in str(known["segment", "quality"])
    printed = text_of(found)
    assert "means, weighted by outputs in common; interval alpha 0." in printed
    assert "interval" in text_of(found, "ceiling", "csv").splitlines()[1].split(",")


def test_the_best_of_noise_is_not_said_to_agree() -> None:
    data = judged()
    noise = np.random.default_rng(5).normal(size=40)
    data = replace(data, values={"liking": noise}, ratings={})
    found = run(data, "bleu")
    (table,) = found.tables
    assert table.best is not None
    if not table.best.agrees:  # the same noise, turned
        found = run(replace(data, values={"liking": -noise}), "bleu")
        (table,) = found.tables
        assert table.best is not None
    bounds = table.best.agreement.pearson.estimate
    assert 0 in bounds
    assert table.best.beyond_chance == 0
    assert "no metric agrees with people beyond chance: the interval of the best one holds 0" in [
        *map(str, table.notes)
    ]
    assert "no metric agrees with people beyond chance" in str(best_sentence(found, table))
    assert str(best_name(found, table)) == "bleu (not beyond chance)"


def test_the_least_bad_is_no_best_in_the_table() -> None:
    data = judged()
    found = run(replace(data, values={"liking": -data.values["liking"]}, ratings={}), "bleu")
    printed = text_of(found)
    line = next(line for line in printed.splitlines() if line.startswith("bleu "))
    assert line.endswith("least bad, wrong way")


def test_marks_follow_the_printed_interval_and_behind_has_one() -> None:
    found = run(judged(), "bleu", "fkgl", "sentence-length")
    for each in found.tables[0].rows:
        bounds = each.agreement.pearson.estimate
        against = bounds.high < 0 if each.orientation > 0 else bounds.low > 0
        assert each.wrong_way == against
        without_p = replace(each, agreement=replace(each.agreement, pearson=replace(each.agreement.pearson, p=1.0)))
        assert without_p.wrong_way == against
    header, *lines = text_of(found, form="csv").splitlines()
    assert {"behind", "behind low", "behind high"} <= set(header.split(","))
    behind = row(found.tables[0], "fkgl").standing.gap
    assert behind is not None
    assert f"{behind.difference.low}" in next(line for line in lines if ",fkgl," in line)


def test_permutations_that_cannot_give_a_small_p() -> None:
    # Six segments can be swapped in 64 ways, two of which differ as much as the scores: 2 / 64, twice by Holm's rule.
    (note,) = permutation_notes(6, 2, 1000, 0.05)
    assert str(note) == "p permuted cannot fall below 0.062 here: 6 segments, 1000 trials, 2 comparisons"
    assert not list(permutation_notes(6, 1, 1000, 0.05))
    assert list(permutation_notes(100, 1, 10, 0.05))
    assert "cannot fall below" in " ".join(
        map(str, run(judged(10), "bleu", "fkgl", "sentence-length").tables[0].notes)
    )


def test_names_stay_names_in_markdown() -> None:
    assert escaped("my_*best*_<b>") == r"my\_\*best\*\_\<b\>"
    data = judged()
    data = replace(data, systems=tuple("my_*best*_one" if name == "a" else name for name in data.systems))
    printed = text_of(run(data, "fkgl", by=("system",)), form="markdown")
    assert r"system: my\_\*best\*\_one: 20 outputs" in printed


def test_williams_is_said_to_take_outputs_as_independent() -> None:
    assert "p Williams takes outputs as independent" in text_of(run(judged(), "fkgl"))


def test_a_metric_beside_what_it_learned_from(tmp_path: Path) -> None:
    data = judged(60)
    data = replace(data, sources=tuple(f"Source number {segment} stands here." for segment in data.segments))
    made = train(
        [data.select(np.arange(60) < 40)], ["liking"], Inputs.named(["bleu", "fkgl"], "en"), resampling=Resampling(50)
    )
    path = tmp_path / "model.json"
    path.write_text(made.model.text())
    shouted = replace(data, sources=tuple(str(text).upper() for text in data.sources))

    metrics = prepare(["plainly-quality"], "en", {"quality_model": str(path)})
    found = study(shouted, metrics, granularities=("segment",), resampling=QUICK)
    assert any("learned from the sources of 40 of these 60 outputs" in note for note in map(str, found.notes))
    other = replace(data, sources=("Something else altogether.",) * 60)
    assert not any(
        "learned" in note
        for note in map(str, study(other, metrics, granularities=("segment",), resampling=QUICK).notes)
    )
