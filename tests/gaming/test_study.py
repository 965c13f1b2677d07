"""A study adds up rows; what it says must be what scoring the edited corpus says."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly import metrics
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus import Corpus
from plainly.gaming.edits import TRIVIAL, Edit, Segment, get, names, possible
from plainly.gaming.study import Spread, Study, edited_count, spreads, study
from plainly.metrics import Metric

SENTENCE = "The experienced captain did not recognise 14 of the boats that Anna Berg sold to Peter Holm in 1987 ."
WORDS = SENTENCE.split()


def small_corpus(size: int = 70) -> Corpus:
    rng = np.random.default_rng(5)

    def text(least: int) -> str:
        return " ".join(WORDS[i] for i in sorted(rng.choice(len(WORDS), rng.integers(least, 16), replace=False)))

    sources = [text(8) for _ in range(size)]
    references = [[text(3) for _ in range(i % 3 + 1)] for i in range(size)]
    first: list[str | None] = [text(3) for _ in range(size)]
    second: list[str | None] = [text(3) for _ in range(size)]
    first[:4] = ["", "one", None, "two words"]
    return Corpus(sources, references, {"first": first, "second": second})


def some_metrics() -> list[Metric]:
    return [metrics.get(name) for name in ("sari", "bleu", "fkgl:textbook", "levenshtein-similarity")]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return small_corpus()


@pytest.fixture(scope="module")
def whole(corpus: Corpus) -> Study:
    return study(corpus, metrics=some_metrics(), trials=12, seed=3)


def direct(metric: Metric, corpus: Corpus, outputs: list[str | None]) -> float:
    return float(metric.score(metric.measure(corpus.with_outputs({"x": outputs}), "x").sum(axis=0)).value)


def test_all_edits_and_systems_are_taken(whole: Study) -> None:
    assert whole.systems == ["first", "second"]
    assert list(whole.edits) == names()
    for by_edit in whole.curves.values():
        for curves in by_edit.values():
            assert list(curves) == ["sari", "bleu", "fkgl:textbook", "levenshtein-similarity"]
            assert all(curve.values.shape == (4, 12) for curve in curves.values())
            assert all(part.shape == (4, 12) for curve in curves.values() for part in curve.components.values())


def test_level_0_is_the_unedited_score(corpus: Corpus, whole: Study) -> None:
    for system, by_edit in whole.curves.items():
        for curves in by_edit.values():
            for metric in some_metrics():
                expected = direct(metric, corpus, list(corpus.output(system)))
                assert (curves[metric.label].values[0] == whole.unedited(system, metric.label).value).all()
                # the corpus adds its fractions in another order, which moves the last bit of some metrics
                assert curves[metric.label].values[0] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("name", ["replace-longest", "copy-source", "delete-last-quarter", "duplicate", "lower-case"])
def test_level_100_of_a_fixed_edit_is_the_score_of_the_edited_corpus(corpus: Corpus, whole: Study, name: str) -> None:
    rng = np.random.default_rng(0)
    for system in corpus.outputs:
        edited = [
            None if text is None else get(name).apply(Segment(text, source), rng)
            for text, source in zip(corpus.output(system), corpus.sources, strict=True)
        ]
        for metric in some_metrics():
            values = whole.curves[system][name][metric.label].values[-1]
            expected = direct(metric, corpus, edited)
            if metric.label == "levenshtein-similarity":  # its rows are fractions, not counts
                assert values == pytest.approx(expected, rel=1e-12)
            else:
                assert (values == expected).all()


def test_every_trial_is_the_score_of_some_edited_corpus(corpus: Corpus) -> None:
    """Every edited segment has the row of one of its outcomes, every other one its own row, and none counts twice."""
    marked = Edit("mark", "one of four", lambda segment, rng: [f"{segment.output} m{k}" for k in range(4)])
    metric = metrics.get("bleu")
    found = study(corpus, ["second"], [metric], [marked], (50,), trials=5)
    mixture = found.mixtures["second"]["mark"]
    outputs = list(corpus.output("second"))
    edited = edited_count(50, len(corpus))
    candidates = [
        [metric.measure(corpus.slice(i, i + 1).with_outputs({"x": [f"{text} m{k}"]}), "x")[0] for k in range(4)]
        for i, text in enumerate(outputs)
    ]
    for trial in range(5):
        totals = sum(mixture.rows["bleu"][mixture.original[i]] for i in mixture.order[trial, edited:])
        for position, i in enumerate(mixture.order[trial, :edited]):
            row = mixture.rows["bleu"][mixture.edited[trial, position]]
            assert any((row == candidate).all() for candidate in candidates[i])
            totals = totals + row
        assert found.curves["second"]["mark"]["bleu"].values[0, trial] == metric.score(totals).value
        assert sorted(mixture.order[trial]) == list(range(len(corpus)))


def test_outcomes_are_equally_likely(corpus: Corpus) -> None:
    three = Edit("three", "one of three", lambda segment, rng: [segment.output, "x", "y y"])
    mixture = study(corpus, ["second"], [metrics.get("bleu")], [three], trials=300).mixtures["second"]["three"]
    drawn = 300 * len(corpus)
    assert abs(mixture.changed - 2 / 3) < 4 * math.sqrt(2 / 9 / drawn)


@pytest.mark.parametrize("nested", [True, False])
def test_results_depend_on_the_seed_alone(corpus: Corpus, nested: bool) -> None:
    chosen = ["random-the", "shuffle-words", "unrelated"]
    settings = {"strengths": (10, 60), "trials": 6, "nested": nested}
    first = study(corpus, None, some_metrics(), chosen, seed=1, threads=1, **settings)  # type: ignore[arg-type]
    again = study(corpus, ["second"], some_metrics(), chosen[::-1], seed=1, threads=4, **settings)  # type: ignore[arg-type]
    other = study(corpus, ["second"], some_metrics(), chosen, seed=2, **settings)  # type: ignore[arg-type]
    for edit in chosen:
        for label in first.metrics:
            one, two, three = (found.curves["second"][edit][label].values for found in (first, again, other))
            assert (one == two).all()
            if label in ("bleu", "sari"):  # FKGL does not see where the word stands
                assert (one != three).any()


def test_more_trials_extend_the_first(corpus: Corpus) -> None:
    few, many = (study(corpus, ["second"], some_metrics(), ["random-the"], trials=n) for n in (3, 9))
    for label in few.metrics:
        first, whole = (found.curves["second"]["random-the"][label].values for found in (few, many))
        assert (whole[:, :3] == first).all()


def test_levels_are_nested_unless_asked_otherwise(corpus: Corpus) -> None:
    """Each level added by itself is the level that it is among others, if nested; else it has its own trials."""
    metric = metrics.get("bleu")
    chosen = {"metrics": [metric], "edits": ["random-the"], "trials": 5}
    both = study(corpus, ["second"], strengths=(20, 60), **chosen)  # type: ignore[arg-type]
    alone = study(corpus, ["second"], strengths=(60,), **chosen)  # type: ignore[arg-type]
    apart = study(corpus, ["second"], strengths=(20, 60), nested=False, **chosen)  # type: ignore[arg-type]
    values = [found.curves["second"]["random-the"]["bleu"].values[-1] for found in (both, alone, apart)]
    assert (values[0] == values[1]).all()
    assert (values[0] != values[2]).any()


@pytest.mark.parametrize(
    ("level", "segments", "expected"), [(0, 7, 0), (10, 1077, 107), (70, 10, 7), (99.9, 10, 9), (100, 7, 7)]
)
def test_a_level_rounds_down(level: float, segments: int, expected: int) -> None:
    assert edited_count(level, segments) == expected


def spread(*trials: float) -> Spread:
    return spreads(np.array([trials]))[0]


def test_spread() -> None:
    found = spread(1.0, 2.0, 3.0, 4.0)
    assert (found.mean, found.sd) == (2.5, pytest.approx(math.sqrt(5 / 3)))
    assert (found.estimate.low, found.estimate.high) == (
        pytest.approx(1.075),
        pytest.approx(3.925),
    )  # linear between values
    assert spread(0.1, 0.1, 0.1).to_dict() == {"value": 0.1, "low": 0.1, "high": 0.1, "sd": 0.0}
    assert spread(2.0).to_dict() == {"value": 2.0, "low": 2.0, "high": 2.0, "sd": None}
    assert spread(np.nan, 1.0).to_dict() == dict.fromkeys(["value", "low", "high", "sd"])


def test_plain_data(whole: Study) -> None:
    data = json.loads(json.dumps(whole.to_dict(), allow_nan=False))
    cell = data["systems"]["first"]["random-the"]
    assert data["strengths"] == [0, 10, 50, 100]
    assert cell["metrics"]["sari"]["score"][0]["value"] == whole.unedited("first", "sari").value
    assert cell["changed"] == pytest.approx(67 / 70)  # an empty text, one token, and none cannot be edited
    assert set(cell["metrics"]["bleu"]["components"]) >= {"precision_1", "brevity_penalty"}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"systems": ["frist"]}, "did you mean 'first'"),
        ({"metrics": []}, "needs metrics"),
        ({"systems": []}, "needs outputs of a system"),
        ({"edits": []}, "a study needs edits"),
        ({"metrics": [metrics.get("bleu"), metrics.get("bleu", lowercase=False)]}, "two metrics would be called"),
        ({"metrics": [metrics.get("fre:textstat")]}, "as one text"),
        ({"strengths": (0, 101)}, "per cents"),
        ({"strengths": (50, 10)}, "rising"),
        ({"trials": 0}, "trials must be at least 1"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"variants": 0}, "variants must be at least 1"),
        ({"edits": ["nonsense"]}, "unknown edit"),
    ],
)
def test_bad_requests_are_refused(corpus: Corpus, settings: dict[str, object], message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        study(corpus, **{"metrics": some_metrics(), **settings})  # type: ignore[arg-type]


def test_a_language_without_stand_ins_has_the_other_edits() -> None:
    latin = Corpus(["Gallia est"], [["Gallia"]], {"x": ["Gallia est omnis"]}, lang="la")
    bleu = [metrics.get("bleu", lang="la")]
    assert list(study(latin, metrics=bleu, trials=1).edits) == possible("la", {"source", "references"})[0]
    with pytest.raises(PlainlyError, match="cannot be made: there are no words for it in language 'la'"):
        study(latin, metrics=bleu, edits=["random-the"])


def test_edits_that_the_data_do_not_allow() -> None:
    bare = Corpus([None], [[]], {"x": ["One two three."]})
    fkgl = [metrics.get("fkgl")]
    assert not {"copy-source", "copy-reference"} & study(bare, metrics=fkgl, trials=1).edits.keys()
    with pytest.raises(PlainlyError, match="edit 'copy-source' cannot be made: it needs source"):
        study(bare, metrics=fkgl, edits=["copy-source"])


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        (lambda segment, rng: 1 / 0, "edit 'own' failed on segment 1: ZeroDivisionError"),
        (lambda segment, rng: "letters", "must give a list of texts for segment 1"),
        (lambda segment, rng: [None], "must give a list of texts for segment 1"),
        (lambda segment, rng: [], "must give a list of texts for segment 1"),
    ],
)
def test_faults_of_other_packages(corpus: Corpus, outcomes: Any, message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        study(corpus, metrics=some_metrics(), edits=[Edit("own", "", outcomes)])


def test_what_is_edited_and_what_is_scored() -> None:
    """By hand: 10 % of three segments is none, 34 % one, 67 % two; a missing output cannot be scored."""
    corpus = Corpus(["a b"] * 3, [["a"]] * 3, {"x": ["a b", None, "b"]})
    found = study(corpus, metrics=[metrics.get("bleu")], edits=["duplicate"], strengths=[10, 34, 67], trials=1)
    assert found.edited_segments == [0, 1, 2]
    assert found.unscored("x", "bleu") == 1


def test_progress_ends_where_it_said(corpus: Corpus) -> None:
    seen: list[tuple[int, int]] = []
    study(corpus, metrics=some_metrics(), trials=1, progress=lambda done, all_: seen.append((done, all_)))
    assert [done for done, _ in seen] == list(range(1, seen[-1][1] + 1))


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(PlainlyError, match="no segments"):
        study(Corpus([], [], {"a": []}), metrics=some_metrics())


def test_unknown_systems_are_an_unknown_name(corpus: Corpus) -> None:
    with pytest.raises(UnknownName):
        study(corpus, ["third"], some_metrics())


@pytest.mark.slow
@pytest.mark.parametrize("system", ["Dress-Ls", "Dress", "EncDecA", "PBMT-R"])
def test_bleu_of_the_oracle(shared: Path, system: str) -> None:
    """shared/oracle/fkgl_wikilarge.json: 1,000 runs of another implementation at each level, in this tolerance."""
    folder = shared / "data" / "system_outputs" / "wikilarge_tokenised"
    sources, reference, outputs = (
        (folder / f"{name}.tok.txt").read_text().removesuffix("\n").split("\n")
        for name in ("Complex", "Reference", system)
    )
    corpus = Corpus(sources, [[text] for text in reference], {system: outputs})
    known = json.loads((shared / "oracle" / "fkgl_wikilarge.json").read_text())["systems"][system]
    levels = range(0, 101, 10)
    found = study(
        corpus,
        metrics=[metrics.get("bleu", lowercase=False)],
        edits=[edit.name for edit in TRIVIAL],
        strengths=levels,
    )
    for edit in found.edits:
        runs = found.curves[system][edit]["bleu"].spreads()
        assert runs[0].mean == pytest.approx(100 * known["0"]["bleu"], abs=1e-9)
        for level, run in zip(levels[1:], runs[1:], strict=True):
            expected = known["modified"][edit]["monte_carlo"][str(level)]["bleu"]
            # printed with 8 decimals
            tolerance = 4 * expected["sd"] * math.sqrt(1 / found.trials + 1 / 1000) + 1e-8
            assert abs(run.mean / 100 - expected["mean"]) <= tolerance, (edit, level)
