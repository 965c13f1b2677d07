"""ARTS: the numbers of shared/oracle/arts.json from the raw histories, and what better estimators make of them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from plainly.inference import Resampling
from plainly.ranking import (
    Judgement,
    Judgements,
    agreement,
    cross_validate,
    estimator,
    majority,
    rate,
    read_judgements,
)
from plainly.ranking.alphas import AlphaKind
from plainly.ranking.fewer_raters import Way, fewer_raters
from plainly.ranking.replication import arts_kappa, judgements_behind
from plainly.ranking.votes import table

ROWS = [f"R{number}" for number in range(1, 9)]


def gold(oracle: Any) -> Judgements:
    """The majority of sixteen behind the published tables."""
    pairs = [(str(a), str(b)) for a, b in oracle["pairs94"]]
    items = [
        Judgement(a, b, a if bit == "1" else b, "gold", match=str(place))
        for place, ((a, b), bit) in enumerate(zip(pairs, oracle["gold16_bits"], strict=True))
    ]
    return Judgements.of(items, "harder")


def history(arts: Path, name: str) -> Path:
    return arts / "histories" / name


@pytest.mark.parametrize("row", [*ROWS, "GPT3.5"])
def test_published_tables(arts: Path, arts_oracle: Any, row: str) -> None:
    if row == "GPT3.5":
        entry, file = arts_oracle["table3"][row], "gpt/gpt35_arts94_old.csv"
    else:
        entry = arts_oracle["table9"][row]
        number = int("".join(c for c in entry["file"].rpartition("/")[2].partition("-")[0] if c.isdigit()))
        file = f"human/arts94_rater{number:02}.csv"
    judged = read_judgements(history(arts, file))
    behind = gold(arts_oracle)
    (found,) = agreement(judged, gold=behind, method="elo", resampling=Resampling(resamples=10)).raters
    votes = table(judged)
    printed_kappa = arts_kappa(votes.codes[:, 0], votes.of(behind))
    expected = entry["recomputed"]
    assert found.share.value == pytest.approx(expected["A"], abs=5e-5)
    assert found.kappa.value == pytest.approx(expected["kappa_cohen"], abs=5e-5)
    assert printed_kappa == pytest.approx(expected["kappa_printed_formula"], abs=5e-5)
    assert found.spearman.value == pytest.approx(expected["rho"], abs=5e-5)
    assert found.kendall.value == pytest.approx(expected["tau"], abs=5e-5)
    published = entry["published"]
    assert printed_kappa == pytest.approx(published["kappa"], abs=5e-5)


def test_published_scores(arts: Path, arts_oracle: Any) -> None:
    """The one score file that the authors published: Elo of the majority, from least to greatest."""
    ranking = rate(gold(arts_oracle), "elo", scale="min-max", interval="none")
    with (arts / "scores" / "arts94_gold16_scores.csv").open() as file:
        for row in csv.DictReader(file):
            assert ranking[row["text_id"]].score == pytest.approx(float(row["score"]), abs=5e-6)


def test_the_decisions_behind_the_published_scores(arts: Path, arts_oracle: Any, arts_people: Judgements) -> None:
    """The same as were found apart from plainly: gold16_bits of shared/oracle/arts.json."""
    with (arts / "scores" / "arts94_gold16_scores.csv").open() as file:
        published = {row["text_id"]: float(row["score"]) for row in csv.DictReader(file)}
    found = judgements_behind(published, majority(arts_people, "first"))
    assert [item.winner for item in found.items] == [item.winner for item in gold(arts_oracle).items]


def test_elo_of_a_history_stored_out_of_order(arts: Path) -> None:
    """Ratings computed apart from plainly, in shared/data/arts/derived."""
    ranking = rate(read_judgements(history(arts, "gpt/gpt4_arts300.csv")), "elo", interval="none")
    with (arts / "derived" / "gpt4_arts300_elo_k16.csv").open() as file:
        for row in csv.DictReader(file):
            assert ranking[row["text_id"]].rating.value == pytest.approx(float(row["elo"]), abs=1e-3)


def test_the_five_rater_gold_is_a_majority(arts: Path, arts_people: Judgements) -> None:
    """shared/data/arts/README.md: upstream's gold is exactly the majority of raters 1 to 5."""
    five = arts_people.select([i for i, item in enumerate(arts_people.items) if item.rater <= "arts94_rater05"])
    stored = read_judgements(history(arts, "human/arts94_gold5.csv"))
    assert [item.winner for item in majority(five).items] == [item.winner for item in stored.items]
    assert all(item.seconds is None for item in stored.items)  # a clock that stands still


def test_alpha_of_sixteen(arts_people: Judgements) -> None:
    """0.4504 for the stored files: shared/notes/arts.md, 2.3."""
    found = agreement(arts_people, resampling=Resampling(resamples=200))
    assert found.groups[0].alpha.value == pytest.approx(0.4504, abs=5e-5)
    assert [row.rater for row in found.raters if row.flags] == ["arts94_rater09", "arts94_rater15"]  # 2 s a pair


def test_alpha_of_a_machine_that_favours_a_side(arts: Path) -> None:
    """Three runs of GPT-3.5. krippendorff 0.9.0: alpha(table(...).codes.T, level_of_measurement="nominal")."""
    runs = read_judgements([history(arts, f"gpt/gpt35_arts94{run}.csv") for run in ("", "_run1", "_run2")])
    plain, both = (
        agreement(runs, alpha=kind, resampling=Resampling(resamples=20)).groups[0].alpha.value
        for kind in get_args(AlphaKind)
    )
    assert plain == pytest.approx(0.8327479594360623, abs=1e-12)
    assert both == pytest.approx(0.904, abs=5e-4)


def test_majority_ties(arts_people: Judgements) -> None:
    """Sixteen of the 376 matches are tied 8 to 8: shared/data/arts/README.md."""
    assert majority(arts_people, "half").ties == 16
    assert len(majority(arts_people, "drop")) == 360


def test_bradley_terry_foretells_better(arts_people: Judgements) -> None:
    """Accuracy 0.86 and log-loss 0.31 at least; Elo has 0.830 and 0.612 (shared/notes/arts.md, 3.2)."""
    judged = majority(arts_people, "first")
    methods = {name: estimator(name) for name in ("elo", "bradley-terry")}
    elo, bradley_terry = cross_validate(judged, methods, resampling=Resampling(resamples=200))
    assert bradley_terry.accuracy.value >= 0.86
    assert bradley_terry.log_loss.value <= 0.31
    assert elo.log_loss.value == pytest.approx(0.612, abs=0.005)
    assert elo.accuracy.value == pytest.approx(0.83, abs=0.03)
    assert bradley_terry.ahead["calibrated_log_loss"].high < 0


def test_three_raters_are_enough(arts: Path, arts_people: Judgements) -> None:
    """Against GPT-4's own 2,256 pairs: 0.847 for three raters, 0.851 for sixteen with majority and Elo (3.3)."""
    ways = [Way("elo", "majority", "first", {}), Way("bradley-terry", "all", None, {})]
    against = read_judgements(history(arts, "gpt/gpt4_arts94_2256pairs.csv"))
    three = fewer_raters(arts_people, [3], ways, against=against, draws=20).rows
    sixteen = fewer_raters(arts_people, [16], ways, against=against).rows
    assert three[1].spearman.value == pytest.approx(sixteen[0].spearman.value, abs=0.02)
    assert sixteen[1].spearman.value == pytest.approx(0.917, abs=0.005)
    assert sixteen[0].spearman.value == pytest.approx(0.85, abs=0.01)


def test_side_bias_of_machines(arts: Path, arts_people: Judgements) -> None:
    """In logits: GPT-3.5 -2.4 to -3.4, people +.07: shared/notes/arts.md, 0. GPT-4 favours the same side, by less."""
    found = {
        name: rate(read_judgements(history(arts, f"gpt/{name}_old.csv")), position=True, resamples=10).position
        for name in ("gpt35_arts94", "gpt4_arts94")
    }
    older, newer = found["gpt35_arts94"], found["gpt4_arts94"]
    people = rate(arts_people, position=True, resamples=10).position
    assert older is not None
    assert newer is not None
    assert people is not None
    assert -3.4 < older.value < -2.4
    assert older.value < newer.value < newer.high < -1
    assert people.value == pytest.approx(0.07, abs=0.01)


@pytest.mark.slow
def test_the_side_term_foretells_machines(arts: Path) -> None:
    """On ARTS3000 it cuts GPT-3.5's held-out log-loss from .640 to .329 (notes/arts.md, 3.5); here on ARTS300."""
    judged = read_judgements(history(arts, "gpt/gpt35_arts300.csv"))
    methods = {"without": estimator("bradley-terry"), "with": estimator("bradley-terry", position=True)}
    without, with_side = cross_validate(judged, methods, folds=2, resampling=Resampling(resamples=50))
    assert with_side.log_loss.value < 0.6 * without.log_loss.value


@pytest.mark.slow
def test_three_thousand_texts(arts: Path) -> None:
    """A side term, intervals and all, on 12,000 judgements."""
    ranking = rate(read_judgements(history(arts, "gpt/gpt4_arts3000.csv")), position=True, resamples=200)
    assert ranking.position is not None
    assert ranking.position.value == pytest.approx(-1.5, abs=0.1)
    widths = np.array([row.rank.high - row.rank.low for row in ranking.rows])
    assert 300 < np.median(widths) < 2000
