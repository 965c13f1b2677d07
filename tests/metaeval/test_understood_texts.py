"""C-Scores beside metrics, ratings and reading: joined text by text, and correlated as scipy does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from plainly.base.errors import PlainlyError, UnknownName
from plainly.cli import main
from plainly.comprehension import Analysis, Answer, Experiment, Passage, Question, Version, analyse, gathered
from plainly.inference import Resampling
from plainly.metaeval import from_answers, study
from plainly.metaeval.understood_texts import RATE
from plainly.ratings import Rating
from plainly.ratings import gathered as rated

FEW = Resampling(resamples=50)
SECONDS = {("1", "complex"): 20, ("1", "simplified"): 10, ("2", "complex"): 40, ("2", "simplified"): 8}
"""Every answer is correct, so c-score-simple is 100 / seconds: 5, 10, 2.5 and 12.5."""
READ = {("1", "complex"): 3000, ("1", "simplified"): 1000, ("2", "complex"): 1000, ("2", "simplified"): 2000}
"""Milliseconds for 3, 2, 4 and 2 words: 60, 120, 240 and 60 words per minute."""


@pytest.fixture
def experiment() -> Experiment:
    def passage(name: str, complex_: str, simplified: str) -> Passage:
        question = Question(f"q{name}", "What?", ("This.", "That."), 0)
        return Passage(name, (Version("complex", complex_), Version("simplified", simplified)), (question,))

    return Experiment(
        "small",
        "en",
        (passage("1", "Extinguish conflagrations immediately.", "Stop fires."), passage("2", "Do a b c.", "Go out.")),
    )


def answers(timed: bool = True) -> list[Answer]:
    return [
        Answer(
            *(f"{reader}{version}", passage, version, f"q{passage}", 0, True, float(seconds)),
            fields={"reading_time": str(READ[passage, version])} if timed else {},
        )
        for (passage, version), seconds in SECONDS.items()
        for reader in ("ann", "ben")
    ]


@pytest.fixture
def analysed(experiment: Experiment) -> Callable[..., Analysis]:
    def run(timed: bool = True) -> Analysis:
        return analyse(gathered(answers(timed), experiment), experiment, resampling=FEW, permutations=1)

    return run


def rating(item: str, system: str, value: float, rater: str = "cem") -> Rating:
    return Rating(rater, item, system, "simplicity", value)


RATINGS = [rating("2", "simplified", 5), rating("1", "complex", 2), rating("1", "simplified", 3)]


def test_a_row_is_a_text(analysed: Callable[..., Analysis], experiment: Experiment) -> None:
    found = from_answers(analysed(), experiment, rated(RATINGS))
    assert list(zip(found.segments, found.systems, strict=True)) == list(SECONDS)
    assert found.outputs[0] == "Extinguish conflagrations immediately."
    assert found.values["c-score-simple"].tolist() == pytest.approx([5, 10, 2.5, 12.5])
    assert found.dimensions == ("c-score-simple", "c-score-complete", "c-score-textsize")
    assert found.beside[RATE].scores.tolist() == pytest.approx([60, 120, 240, 60])
    np.testing.assert_array_equal(found.beside["rated simplicity"].scores, [2, 3, np.nan, 5])
    assert "values:raw" in found.beside["rated simplicity"].signature


def test_correlations_are_those_of_scipy(analysed: Callable[..., Analysis], experiment: Experiment) -> None:
    judged = from_answers(analysed(), experiment, rated([*RATINGS, rating("2", "complex", 1)]))
    found = study(judged, "words", granularities=["segment"], dimensions=["c-score-simple"], resampling=FEW)
    rows = {row.contender: row for row in found.tables[0].rows}
    scores = [5, 10, 2.5, 12.5]
    for name, values in (("words", [3, 2, 4, 2]), (RATE, [60, 120, 240, 60]), ("rated simplicity", [2, 3, 1, 5])):
        assert rows[name].agreement.n == 4
        assert rows[name].agreement.pearson.value == pytest.approx(stats.pearsonr(values, scores).statistic)
        assert rows[name].agreement.spearman.value == pytest.approx(stats.spearmanr(values, scores).statistic)
    assert rows["rated simplicity"].orientation == 1
    # of one passage: ratings prefer the simplified text in both, as C-Scores do
    within = rows["rated simplicity"].agreement.within
    assert within
    assert (within.accuracy.value, within.accuracy.pairs) == (1.0, 2)
    assert "too few for intervals" in " ".join(map(str, found.tables[0].notes))


def test_few_texts_are_warned_of_in_both_languages(analysed: Callable[..., Analysis], experiment: Experiment) -> None:
    found = from_answers(analysed(), experiment)
    told = [note.text() for note in found.notes]
    assert (
        "only 2 passages: texts of one passage share its questions, so these correlations are a hint, and no proof"
        in told
    )
    assert any(note.startswith("C-Scores: c-score|unit:1s|scale:plain|") and "resamples" not in note for note in told)
    assert [note for note in found.notes if note.text("de") == note.text() and "C-Scores: " not in note.text()] == []
    agreed = study(found, "words", granularities=["segment"], resampling=FEW).tables[0].ceiling
    assert agreed.reason
    assert agreed.reason.text() == "a C-Score is made of all its readers together"


def test_without_reading_times_nothing_stands_beside(
    analysed: Callable[..., Analysis], experiment: Experiment
) -> None:
    assert from_answers(analysed(timed=False), experiment).beside == {}


def test_ratings_turned_round_and_standardised(analysed: Callable[..., Analysis], experiment: Experiment) -> None:
    found = from_answers(analysed(), experiment, rated(RATINGS), values="z", less_is_better=("simplicity",))
    beside = found.beside["rated simplicity"]
    assert beside.direction == "lower"
    # of 5, 2 and 3: mean 10/3, sd (n) sqrt(14/9)
    assert beside.scores[0] == pytest.approx((2 - 10 / 3) / (14 / 9) ** 0.5)
    with pytest.raises(UnknownName, match="did you mean 'simplicity'"):
        from_answers(analysed(), experiment, rated(RATINGS), less_is_better=("simplicty",))


def test_ratings_of_other_texts_are_refused(analysed: Callable[..., Analysis], experiment: Experiment) -> None:
    with pytest.raises(PlainlyError, match="there is no segment with the id 7"):
        from_answers(analysed(), experiment, rated([rating("7", "complex", 1)]))
    with pytest.raises(PlainlyError, match="unknown system 'simple'"):
        from_answers(analysed(), experiment, rated([rating("1", "simple", 1)]))


def test_some_of_the_texts(analysed: Callable[..., Analysis], experiment: Experiment) -> None:
    found = from_answers(analysed(), experiment).select([1, 3])
    assert found.beside[RATE].scores.tolist() == pytest.approx([120, 60])
    with pytest.raises(PlainlyError, match="there are 2 outputs, but the words-per-minute have 4 entries"):
        replace(found, beside=from_answers(analysed(), experiment).beside)


# ---- the command

YAML = """\
name: small
lang: en
instructions: Read.
consent: I agree.
passages:
  - id: "1"
    versions:
      - {id: complex, text: Extinguish conflagrations immediately.}
      - {id: simplified, text: Stop fires.}
    questions: [{id: q1, text: "What?", correct: This., distractors: [That.]}]
"""
ANSWERS = """\
user,pair,text,question,answer,time,reading_time
a,1,complex,q1,0,5000,3000
b,1,complex,q1,1,5000,3000
c,1,simplified,q1,0,4000,1000
d,1,simplified,q1,0,4000,1000
"""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("experiment.yaml").write_text(YAML)
    Path("answers.csv").write_text(ANSWERS)
    Path("ratings.csv").write_text("segment,system,rater,simplicity\n1,complex,x,1\n1,simplified,x,4\n")
    return tmp_path


GIVEN = ("metaeval", "--comprehension", "answers.csv", "--experiment", "experiment.yaml")


@pytest.mark.usefixtures("files")
def test_the_command_has_a_row_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    more = ("--ratings", "ratings.csv", "--scales", "simplicity", "--metrics", "words", "--format", "csv")
    assert main([*GIVEN, *more]) == 0
    out = capsys.readouterr().out.splitlines()
    assert len([line for line in out if ",c-score-simple," in line]) == 3
    assert all(any(name in line for line in out) for name in ("words-per-minute", "rated simplicity"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["metaeval", "--comprehension", "answers.csv"], "--comprehension needs --experiment FILE"),
        (["metaeval", "--experiment", "experiment.yaml", "--demo"], "--experiment goes with --comprehension"),
        ([*GIVEN, "--demo"], "--comprehension brings its own texts; leave --demo out"),
        ([*GIVEN, "--ratings-set", "asset-ratings"], "--comprehension brings its own texts; leave --ratings-set out"),
        ([*GIVEN, "--scales", "simplicity"], "--scales goes with --ratings"),
        ([*GIVEN, "--unit", "document"], "C-Scores are of texts; leave --unit out"),
        ([*GIVEN, "-o", "answers.csv"], "answers.csv"),
        (["metaeval", "--demo", "--faults", "apart"], "--faults goes with --comprehension"),
        ([*GIVEN, "--columns", "user=who"], "there is no column 'who'"),
        ([*GIVEN, "--metrics", "sari"], "sari"),
        (["metaeval", "--all", ".", "-o", "x.md", "--comprehension", "answers.csv"], "leave --comprehension out"),
    ],
)
@pytest.mark.usefixtures("files")
def test_what_does_not_go_together_is_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    complaint = capsys.readouterr().err
    assert said in complaint
    assert "Traceback" not in complaint


@pytest.mark.usefixtures("files")
def test_columns_of_answers_and_of_ratings_may_have_other_names(capsys: pytest.CaptureFixture[str]) -> None:
    for name, own, other in (("answers.csv", "user", "who"), ("ratings.csv", "rater", "worker")):
        Path(name).write_text(Path(name).read_text().replace(own, other, 1))
    more = ("--ratings", "ratings.csv", "--scales", "simplicity", "--metrics", "words", "--format", "csv")
    assert main([*GIVEN, *more, "--columns", "rater=worker"]) == 2
    assert "user is missing" in (refused := capsys.readouterr().err)
    assert "say --columns user=COLUMN if it has another name" in refused
    assert main([*GIVEN, *more, "--columns", "user=who,rater=worker"]) == 0
    assert "rated simplicity" in capsys.readouterr().out


@pytest.mark.usefixtures("files")
def test_answers_that_cannot_be_right_are_kept_apart_if_asked(capsys: pytest.CaptureFixture[str]) -> None:
    head, first, *others = Path("answers.csv").read_text().splitlines()
    Path("answers.csv").write_text("\n".join([head, first.replace("q1", "q9"), *others]))
    assert main([*GIVEN, "--metrics", "words"]) == 2
    assert "say --faults apart" in capsys.readouterr().err
    assert main([*GIVEN, "--metrics", "words", "--faults", "apart"]) == 0
    assert "kept apart, as they cannot be right: 1 answer;" in capsys.readouterr().out
