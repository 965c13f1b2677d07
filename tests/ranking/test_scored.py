"""Scores of texts beside judgements of pairs, and the pairs about which raters disagree."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.inference import Resampling
from plainly.ranking import Judgement, Judgements, agreement
from plainly.ranking.formats import read_scores
from plainly.ranking.judgements import Direction
from plainly.ranking.scored import Scored, ScoredRow

FEW = Resampling(resamples=20)
WINNERS = {("a", "b"): "aaa", ("b", "c"): "bbc", ("c", "d"): "cdd", ("a", "d"): "aad", ("a", "c"): "ac-"}
"""Pair -> whom each of three raters calls harder. Majority: a, b, d, a, and one tie."""


@pytest.fixture
def judged() -> Judgements:
    items = [
        Judgement(
            *pair, None if winner == "-" else winner, f"r{rater}", groups={"level": "low" if rater == 0 else "high"}
        )
        for pair, winners in WINNERS.items()
        for rater, winner in enumerate(winners)
    ]
    return Judgements.of(items, "harder", ["a", "b", "c", "d"])


def row(judged: Judgements, scores: Mapping[str, float], high: Direction = "harder", **settings: object) -> ScoredRow:
    (found,) = agreement(
        judged,
        scores=[Scored("mine", scores, high)],
        method="elo",
        resampling=FEW,
        **settings,  # type: ignore[arg-type]
    ).scores
    return found


def test_decisions_by_hand(judged: Judgements) -> None:
    """4 matches are decided; a > c = d > b wins those of (a, b) and (a, d), loses (b, c), ties (c, d): 2 of 4.

    By chance: majority 3 x first, 1 x second; scores 2 x first, 1 x second, 1 x tie: (3 x 2 + 1 x 1) / 16 = 7 / 16.
    Kappa = (8 / 16 - 7 / 16) / (9 / 16) = 1 / 9.
    """
    found = row(judged, {"a": 4, "c": 2, "d": 2, "b": 1})
    assert (found.name, found.texts, found.compared) == ("mine", 4, 4)
    assert found.share.value == 0.5
    assert found.kappa.value == pytest.approx(1 / 9)


def test_ranks_by_hand(judged: Judgements) -> None:
    """Elo of the majority: a 1231.3, b 1200.7, d 1200.0, c 1168.0 or so. The scores order them a, d, b, c.

    One pair of six is discordant: tau = 4 / 6. Ranks differ by one twice: rho = 1 - 6 x 2 / (4 x 15) = 0.8.
    """
    found = row(judged, {"a": 9, "d": 8, "b": 7, "c": 6})
    assert found.spearman.value == pytest.approx(0.8)
    assert found.kendall.value == pytest.approx(2 / 3)


def test_a_high_score_that_means_easy_is_the_same_turned_round(judged: Judgements) -> None:
    scores = {"a": 9.0, "d": 8.0, "b": 7.0, "c": 6.0}
    turned = {text: -score for text, score in scores.items()}
    assert row(judged, turned, "easier") == row(judged, scores, "harder")
    easy = judged.turned("easier")
    assert row(easy, scores).kendall.value == pytest.approx(row(judged, scores).kendall.value)


def test_texts_without_a_score_are_left_out(judged: Judgements) -> None:
    found = row(judged, {"a": 3, "b": 2, "c": 1})
    assert (found.texts, found.compared) == (3, 2)
    assert found.share.value == 1
    with pytest.raises(PlainlyError, match="no text of the judgements has a score in mine"):
        row(judged, {"z": 1})


def test_the_yardstick_is_gold_where_there_is_gold(judged: Judgements) -> None:
    gold = Judgements.of([Judgement("a", "b", "b", "gold")], "harder")
    found = row(judged, {"a": 1, "b": 2, "c": 3, "d": 4}, gold=gold)
    assert (found.share.value, found.compared) == (1, 1)


def test_disputed_pairs_and_the_votes_of_groups(judged: Judgements) -> None:
    found = agreement(judged, by=["level"], pairs=2, resampling=FEW)
    first = found.pairs[0]
    assert (first.votes.first, first.votes.second, first.votes.for_first, first.votes.for_second) == ("a", "c", 1, 1)
    assert [(one.value, one.votes.for_first, one.votes.for_second, one.votes.ties) for one in first.groups] == [
        *(("high", 0, 1, 1), ("low", 1, 0, 0))
    ]
    assert len(found.pairs) == 2


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "votes.csv").write_text("first,second,winner,rater\na,b,a,r\na,b,b,s\nb,c,b,r\nb,c,b,s\na,c,a,r\n")
    (tmp_path / "scores.csv").write_text("id,score\na,3\nb,2\nc,1\n")
    (tmp_path / "ranking.csv").write_text("position,text_id\n1,c\n2,b\n3,a\n")
    return tmp_path


def test_scores_and_positions_are_read(files: Path) -> None:
    assert read_scores(files / "scores.csv", "abc") == {"a": 3, "b": 2, "c": 1}
    assert read_scores(files / "ranking.csv", "abc") == {"a": 3, "b": 2, "c": 1}


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("id,score\na,1\na,2\n", ":3: text a is there twice"),
        ("id,score\nz,1\n", ":2: text z is not among the texts"),
        ("id,score\na,high\n", ":2: score must be a number"),
        ("id,score\na,inf\n", ":2: score must be a number"),
        ("id,position\na,\n", ":2: position must be a number"),
        ("id\na\n", ":2: score is missing; found id"),
        ("id,fkgl\na,3\n", ":2: score is missing; found id, fkgl"),
        ("id,text\nz,A text.\n", ":2: score is missing; found id, text"),  # not: the text is no id
        ("score\n1\n", ":2: text  is not among the texts"),
        ("name,points\na,1\n", "found name, points"),
    ],
)
def test_scores_that_are_refused(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "scores.csv").write_text(content)
    with pytest.raises(PlainlyError) as caught:
        read_scores(tmp_path / "scores.csv", "abc")
    assert complaint in str(caught.value)


def test_the_command(files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(files)
    words = ["ranking", "agreement", "votes.csv", "--winner", "harder", "--resamples", "20"]
    scored = ["--scores", "scores.csv", "--high", "harder", "--table", "scores", "--format", "csv"]
    assert main([*words, *scored]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["scores"], row["texts"], float(row["share"])) for row in rows] == [("scores", "3", 1.0)]
    assert main([*words, "--table", "contested", "--format", "csv"]) == 0
    assert capsys.readouterr().out.split("\n")[1].startswith("a,b,1,1,0,")


@pytest.mark.parametrize(
    ("extra", "complaint"),
    [
        (["--scores", "scores.csv"], "what does a high score, or a late position, mean?"),
        (["--scores", "scores.csv", "--high", "hard"], "what a high score means"),
        (["--high", "easier"], "--high says what --scores mean"),
        (["--table", "scores"], "there is no table scores: give --scores"),
        (["--table", "votes"], "there is no table votes"),
        (["--scores", "none.csv", "--high", "harder"], "none.csv"),
        (["--top", "0"], "pairs must be at least 1"),
    ],
)
def test_refusals(
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    extra: list[str],
    complaint: str,
) -> None:
    monkeypatch.chdir(files)
    assert main(["ranking", "agreement", "votes.csv", "--winner", "harder", "--resamples", "20", *extra]) == 2
    assert complaint in capsys.readouterr().err
