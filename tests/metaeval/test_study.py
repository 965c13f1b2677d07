"""The study over made-up judgements whose answers are known."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from plainly.base.errors import PlainlyError
from plainly.inference import Resampling
from plainly.metaeval import JudgedSet, Row, Study, Table, study
from plainly.metaeval.contenders import reference_sets
from plainly.scoring.evaluator import prepare

QUICK = Resampling(resamples=100)
WORDS = ("the", "old", "house", "stands", "near", "a", "river", "and", "nobody", "lives", "there", "now")


def judged(outputs: int = 40, seed: int = 0) -> JudgedSet:
    """Outputs of one to twelve words; people like long ones, with noise. Two systems share each source."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 13, outputs)
    texts = tuple(" ".join(WORDS[:n]).capitalize() + "." for n in lengths)
    liking = lengths + rng.normal(0, 2, outputs)
    raters = liking[:, None] + rng.normal(0, 1, (outputs, 3))
    return JudgedSet(
        name="made up",
        lang="en",
        segments=tuple(str(i // 2) for i in range(outputs)),
        systems=tuple("ab"[i % 2] for i in range(outputs)),
        sources=("The old house stands near a river and nobody lives there now.",) * outputs,
        outputs=texts,
        references=(("The old house stands near a river.",),) * outputs,
        values={"liking": raters.mean(axis=1)},
        ratings={"liking": raters},
        fields={"half": tuple("first" if i < outputs // 2 else "" for i in range(outputs))},
        scale={"liking": "raw"},
    )


def run(data: JudgedSet, *names: str, **settings: Any) -> Study:
    settings.setdefault("granularities", ("segment",))
    settings.setdefault("resampling", QUICK)
    return study(data, prepare(names, data.lang, {}), **settings)


def row(table: Table, contender: str) -> Row:
    return next(each for each in table.rows if each.contender == contender)


def test_coefficients_are_those_of_scipy() -> None:
    data = judged()
    (table,) = run(data, "words", "fkgl").tables
    lengths = [len(text.split()) for text in data.outputs]
    found = row(table, "words").agreement
    people = data.values["liking"]
    assert found.pearson.value == pytest.approx(stats.pearsonr(lengths, people).statistic)
    assert found.spearman.value == pytest.approx(stats.spearmanr(lengths, people).statistic)
    assert found.kendall.value == pytest.approx(stats.kendalltau(lengths, people).statistic)
    assert table.outputs == table.judged == 40
    assert table.segments == 20
    bounds = found.pearson.estimate
    assert bounds.low < found.pearson.value < bounds.high


def test_signs_stay_and_the_best_goes_by_its_own_direction() -> None:
    data = judged()
    people = -data.values["liking"]  # now they like short outputs
    data = replace(data, values={"liking": people}, ratings={})
    (table,) = run(data, "sentence-length", "bleu", "words").tables
    short = row(table, "sentence-length")  # lower is better
    assert short.agreement.pearson.value < -0.8
    assert short.standing.best
    assert table.best == short
    assert row(table, "words").agreement.pearson.value < -0.8
    assert not row(table, "words").standing.takes_part  # no direction: listed, not in the running
    assert row(table, "bleu").wrong_way
    assert any("against its own direction, beyond chance: bleu" in note for note in map(str, table.notes))


def test_a_dimension_where_less_is_better() -> None:
    data = replace(judged(), directions={"liking": "lower"})
    (table,) = run(data, "sentence-length").tables
    assert table.human_direction == "lower"
    assert row(table, "sentence-length").agreement.pearson.value > 0.8
    assert row(table, "sentence-length").orientation == 1
    assert not row(table, "sentence-length").wrong_way


def test_all_metrics_are_held_against_the_same_outputs() -> None:
    data = judged()
    data = replace(data, references=tuple(() if i < 10 else texts for i, texts in enumerate(data.references)))
    found = run(data, "words", "bleu")
    (table,) = found.tables
    assert table.outputs == 30
    assert {each.agreement.n for each in table.rows} == {30}
    lengths = [len(text.split()) for text in data.outputs[10:]]
    expected = np.corrcoef(lengths, data.values["liking"][10:])[0, 1]
    assert row(table, "words").agreement.pearson.value == pytest.approx(expected)
    assert "30 of 40 judged outputs count: those that every metric scores" in [*map(str, table.notes)]
    assert "bleu leaves 10 of 40 outputs unscored" in [*map(str, found.notes)]
    assert table.ceiling.outputs == 40  # raters are held against each other on all


def test_a_metric_that_scores_nothing_takes_nothing_away() -> None:
    data = replace(judged(), references=((),) * 40)
    (table,) = run(data, "words", "bleu").tables
    assert table.outputs == 40
    assert row(table, "bleu").agreement.reason is not None
    assert any(note.startswith("bleu: ") for note in map(str, table.notes))
    with pytest.raises(PlainlyError, match="no metric scores any output"):
        run(data, "bleu")


def test_reference_sets_give_a_row_each_and_one_for_all() -> None:
    data = judged()
    sets = {
        "near": (("The old house stands.", "The old house."),) * 40,
        "far": (("Nobody lives there now.", "The old house."),) * 40,
    }
    data = replace(data, reference_sets=sets)
    (table,) = run(data, "bleu", "words", references=["near", "far", "near:1"]).tables
    assert [(each.metric, each.references) for each in table.rows] == [
        ("bleu", "near"),
        ("bleu", "far"),
        ("bleu", "near:1"),
        ("bleu", "pooled"),
        ("words", ""),
    ]
    assert reference_sets(data, ["near", "far"])["pooled"][0] == (
        "The old house stands.",
        "The old house.",
        "Nobody lives there now.",
    )
    assert reference_sets(data, ["far:1"])["far:1"][0] == ("Nobody lives there now.",)
    # the pooled row is what the same metric gives with these references as the only ones
    pooled = replace(data, references=reference_sets(data, ["near", "far"])["pooled"])
    (alone,) = run(pooled, "bleu").tables
    same = row(alone, "bleu").agreement.pearson.value
    assert row(table, "bleu (pooled)").agreement.pearson.value == pytest.approx(same, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("neer", "unknown set of references 'neer'; did you mean 'near'"),
        ("near:0", "near has 1 to 2 references, not 0"),
        ("near:3", "near has 1 to 2 references"),
        ("near:x", "near has 1 to 2 references"),
        ("near:²", "near has 1 to 2 references"),
        (f"near:{'9' * 6000}", "near has 1 to 2 references"),
    ],
)
def test_reference_sets_that_are_not_there(name: str, complaint: str) -> None:
    data = replace(judged(), reference_sets={"near": (("a", "b"),) * 40})
    with pytest.raises(PlainlyError, match=complaint):
        reference_sets(data, [name])


def test_references_without_sets() -> None:
    with pytest.raises(PlainlyError, match="no sets of references with names"):
        reference_sets(judged(), ["asset"])
    with pytest.raises(PlainlyError, match="could be pooled"):
        reference_sets(judged(), ["pooled"])


def test_length_is_removed() -> None:
    data = judged()
    found = run(data, "characters", "words", control=prepare(["words"], "en", {}))
    (table,) = found.tables
    assert found.controls == ("words",)
    partial = row(table, "characters").agreement.partial
    assert partial is not None
    lengths = np.array([len(text.split()) for text in data.outputs])
    characters = np.array([len(text) for text in data.outputs])

    def rest(values: Any) -> Any:
        return values - np.polyval(np.polyfit(lengths, values, 1), lengths)

    expected = np.corrcoef(rest(characters), rest(data.values["liking"]))[0, 1]
    assert partial.value == pytest.approx(expected, abs=1e-6)
    own = row(table, "words").agreement.partial
    assert own is not None
    assert np.isnan(own.value)  # nothing is left of the control itself


def test_groups() -> None:
    data = judged()
    tables = run(data, "words", by=("half", "system", "quality", "references")).tables
    assert [(table.field, table.group, table.outputs) for table in tables] == [
        ("", "", 40),
        ("half", "first", 20),
        ("system", "a", 20),
        ("system", "b", 20),
        *(("quality", table.group, 20) for table in tables if table.field == "quality"),
        ("references", "1 reference", 40),
    ]
    assert {table.group for table in tables if table.field == "quality"} == {"low", "high"}
    first = np.corrcoef([len(text.split()) for text in data.outputs[:20]], data.values["liking"][:20])[0, 1]
    assert row(tables[1], "words").agreement.pearson.value == pytest.approx(first)
    with pytest.raises(PlainlyError, match="unknown field 'sytem'; did you mean 'system'"):
        run(data, "words", by=("sytem",))


def test_a_group_that_no_metric_scores_is_said_in_words() -> None:
    data = judged()
    data = replace(
        data,
        references=tuple(
            () if system == "a" else own for system, own in zip(data.systems, data.references, strict=True)
        ),
    )
    whole, a, b = run(data, "bleu", by=("system",)).tables
    assert (whole.outputs, a.outputs, b.outputs) == (20, 0, 20)
    assert str(row(a, "bleu").agreement.reason) == (
        "no outputs have both a score and a judgement; a correlation needs 3"
    )
    assert a.best is None
    assert row(a, "bleu").agreement.reason in a.notes
    assert b.best is not None
    run(data, "bleu", by=("system",), control=prepare(["words"], "en", {}))  # nothing to control for, either


def test_documents_are_drawn_as_wholes_and_segments_are_counted() -> None:
    data = judged()
    documents = replace(data, clusters=tuple(str(i // 10) for i in range(40)))
    (alone,), (together,) = run(data, "words").tables, run(documents, "words").tables
    assert together.segments == alone.segments == 20
    as_segments = replace(data, segments=documents.clusters)
    (drawn,) = run(as_segments, "words").tables
    for name in ("pearson", "kendall", "taus"):
        assert getattr(row(together, "words").agreement, name) == getattr(row(drawn, "words").agreement, name)
    assert row(together, "words").agreement.pearson.estimate != row(alone, "words").agreement.pearson.estimate
    assert together.ceiling == drawn.ceiling


def test_the_wrong_way_follows_the_coefficient() -> None:
    """A metric with one far outlier: Pearson's coefficient goes its way, the ranks go against it for sure."""
    lengths = [n for n in range(1, 11) for _ in range(4)]
    texts = tuple(" ".join(WORDS[:n]).capitalize() + "." for n in lengths)
    people = -np.array(lengths, dtype=float)
    people[-1] = 500
    data = replace(
        judged(), outputs=texts, values={"liking": people}, ratings={}, segments=tuple(map(str, range(40)))
    )
    shown = {}
    for coefficient in ("pearson", "spearman"):
        found = run(data, "bleu", coefficient=coefficient)
        (table,) = found.tables
        shown[coefficient] = table.to_dict()["rows"][0]["wrong_way"]
        assert shown[coefficient] == row(table, "bleu").wrong_way
    assert shown == {"pearson": False, "spearman": True}


def test_ties_follow_the_level() -> None:
    (table,) = run(judged(), "bleu", "sentence-length", resampling=Resampling(resamples=100, confidence=0.8)).tables
    behind = next(each for each in table.rows if each.standing.takes_part and not each.standing.best)
    assert behind.alpha == pytest.approx(0.2)
    gap = replace(behind.standing.gap, difference=replace(behind.standing.gap.difference, low=-1, high=1))  # type: ignore[union-attr, type-var]
    near = replace(behind, standing=replace(behind.standing, p_holm=0.1, gap=gap))
    assert near.standing.within_noise
    assert not near.tied  # p is below 1 - 0.8
    assert replace(near, alpha=0.05).tied


def test_systems_are_the_means_of_their_outputs() -> None:
    data = judged()
    data = replace(data, systems=tuple("abcd"[i % 4] for i in range(40)))
    (table,) = run(data, "words", granularities=("system",)).tables
    lengths = np.array([len(text.split()) for text in data.outputs])
    means = [(lengths[i::4].mean(), data.values["liking"][i::4].mean()) for i in range(4)]
    assert row(table, "words").agreement.pearson.value == pytest.approx(np.corrcoef(np.array(means).T)[0, 1])
    assert row(table, "words").agreement.n == 4
    assert any("only 4 systems" in note for note in map(str, table.notes))


def test_constant_ratings_are_said_in_words() -> None:
    data = replace(judged(), values={"liking": np.full(40, 3.0)}, ratings={"liking": np.full((40, 3), 3.0)})
    (table,) = run(data, "words", "fkgl").tables
    assert [*map(str, table.notes)].count("people judged all outputs the same, so nothing can agree with them") == 1
    assert table.best is None
    assert np.isnan(row(table, "words").agreement.pearson.value)
    assert table.ceiling.reason is not None
    assert "the same" in str(table.ceiling.reason)


def test_one_rater_is_said_in_words() -> None:
    data = judged()
    data = replace(data, ratings={"liking": data.ratings["liking"][:, :1]})
    found = run(data, "words")
    assert "liking: one rater only; whether others would say the same, nobody knows" in [*map(str, found.notes)]
    assert "one rater only" in str(found.tables[0].ceiling.reason)


def test_no_single_ratings_and_few_outputs_are_said() -> None:
    data = replace(judged(6), ratings={})
    (table,) = run(data, "words").tables
    assert str(table.ceiling.reason) == "single ratings are not known, only their means"
    assert "only 6 outputs: too few for intervals, which take 10" in [*map(str, table.notes)]


def test_unknown_dimension() -> None:
    with pytest.raises(PlainlyError, match="unknown dimension 'likng'; did you mean 'liking'"):
        run(judged(), "words", dimensions=["likng"])


def test_json_is_plain_and_the_same_twice() -> None:
    data = judged()
    first, second = (
        run(data, "words", "bleu", "fkgl", granularities=("segment", "system"), by=("half",)).to_dict()
        for _ in range(2)
    )
    text = json.dumps(first, allow_nan=False)
    assert text == json.dumps(second)
    assert first["tables"][0]["best"] is not None
    other = run(data, "words", resampling=Resampling(resamples=100, seed=1)).to_dict()
    assert other["tables"][0]["rows"][0]["agreement"]["pearson"]["value"] == pytest.approx(
        first["tables"][0]["rows"][0]["agreement"]["pearson"]["value"]
    )
    assert json.dumps(other) != text


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(PlainlyError, match="there are 40 outputs, but the systems have 1 entries"):
        replace(judged(), systems=("a",))
    with pytest.raises(PlainlyError, match="no part of a test set"):
        judged().with_reference_set("more", [("a",)] * 40)
    data = replace(judged(), positions=tuple(range(40)), lines=40)
    with pytest.raises(PlainlyError, match="have 39 lines, but the texts have 40"):
        data.with_reference_set("more", [("a",)] * 39)


def test_a_selection_keeps_everything_in_step() -> None:
    data = judged()
    chosen = data.select(np.arange(40) % 4 == 0)
    assert len(chosen) == 10
    assert chosen.outputs == data.outputs[::4]
    assert chosen.values["liking"].tolist() == data.values["liking"][::4].tolist()
    assert chosen.ratings["liking"].shape == (10, 3)
