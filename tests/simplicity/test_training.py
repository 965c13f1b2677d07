"""Training: on a small made-up ranking, and on ARTS, whose figures and bytes must come out."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.ranking import Judgement, Judgements, read_judgements, read_texts
from plainly.simplicity import Settings, figures, load_model, overlapping, targets, train
from plainly.simplicity.model import read_model
from plainly.simplicity.trees import Growth

from ..real import NOT_HERE, SHARED

ARTS = SHARED / "data" / "arts"
EASY = ["dog", "cat", "sun", "red", "big", "go", "see", "run"]
DIFFICULT = ["constitutional", "jurisprudence", "photosynthesis", "administrative", "heterogeneous", "epistemology"]
FEW = Settings(growth=Growth(trees=10))


@cache
def small() -> tuple[list[str], list[float]]:
    """Sixty texts of eight words; the more hard words, the lower the target."""
    chance = np.random.default_rng(5)
    texts, goals = [], []
    for _ in range(60):
        hard = int(chance.integers(0, 9))
        words = [*chance.choice(DIFFICULT, hard), *chance.choice(EASY, 8 - hard)]
        texts.append(" ".join(chance.permutation(words)).capitalize() + ".")
        goals.append(1 - hard / 8)
    return texts, goals


@pytest.mark.parametrize("kind", ["lite", "full"])
@pytest.mark.parametrize("lang", ["en", "de", "zh"])
def test_learns_a_made_up_ranking_in_any_language(kind: str, lang: str) -> None:
    texts, goals = small()
    model = train(texts, goals, lang, kind, FEW)
    reached = model.about["cross-validated"]
    assert reached["Spearman"] > 0.85
    assert figures(model.scores(texts), np.array(goals))["R2"] > 0.7
    again = read_model(train(texts, goals, lang, kind, FEW).save(), "again")
    assert again.save() == model.save()
    assert again.scores(texts).tolist() == model.scores(texts).tolist()
    assert (model.kind, model.lang) == (kind, lang)


def test_what_cannot_be_learned_is_refused() -> None:
    texts, goals = small()
    with pytest.raises(PlainlyError, match="at least 20 texts, not 5"):
        train(texts[:5], goals[:5])
    with pytest.raises(PlainlyError, match="no letters and no digits"):
        train([*texts[:-1], "…"], goals)
    with pytest.raises(PlainlyError, match="nothing to learn"):
        train(texts, [0.5] * len(texts))
    with pytest.raises(PlainlyError, match="nothing to learn"):
        train(["the same"] * 60, goals)
    with pytest.raises(PlainlyError, match="unknown kind"):
        train(texts, goals, kind="huge")


def test_targets_turn_hard_into_low() -> None:
    """a is harder than b, b than c; so the shares of harder texts are 0, 1/2 and 1."""
    items = [Judgement("a", "b", "a"), Judgement("c", "b", "b"), Judgement("a", "c", "a"), Judgement("b", "a", "a")]
    assert targets(Judgements.of(items, "harder")) == {"a": 0.0, "b": 0.5, "c": 1.0}
    easier = [replace(item, winner=item.second if item.winner == item.first else item.first) for item in items]
    assert targets(Judgements.of(easier, "easier")) == {"a": 0.0, "b": 0.5, "c": 1.0}


def test_texts_without_a_judgement_have_no_target() -> None:
    items = [Judgement("a", "b", "a"), Judgement("b", "c", "b")]
    assert set(targets(Judgements.of(items, "harder", ["x", "c", "b", "a"]))) == {"a", "b", "c"}
    apart = [*items, Judgement("d", "e", "d")]
    with pytest.raises(PlainlyError, match="2 parts that nothing connects"):
        targets(Judgements.of(apart, "harder"))


def test_figures_by_hand() -> None:
    """Errors .1, .2, .3, .4: MSE .075. Variance of the goal 1.25 / 9; one neighbouring swap of four: rho .8."""
    goal = np.array([0, 1 / 3, 2 / 3, 1])
    found = figures(np.array([0.1, 1 / 3 + 0.2, 2 / 3 - 0.3, 0.6]), goal)
    assert found == {"MSE": 0.075, "R2": round(1 - 0.075 * 9 / 1.25, 4), "Spearman": 0.8}


def test_overlap_is_the_share_of_common_words() -> None:
    """a b c against b c d: two of four words."""
    assert overlapping(["A b, c!", "a b x y", "z"], ["b c d"]) == [True, False, False]
    assert overlapping(["A b, c!"], ["b c d"], 0.51) == [False]
    assert overlapping(["a", ""], []) == [False, False]


def arts() -> Path:
    if not ARTS.is_dir():
        pytest.skip(NOT_HERE)
    return ARTS


# What issue and notes ask for: at most this MSE, at least this R2 and Spearman's rho. The paper: .0608 and .378.
LIMITS = {"lite": (0.044, 0.5, 0.82), "full": (0.040, 0.60, 0.82)}


@pytest.mark.parametrize("name", LIMITS)
def test_people_are_foreseen(name: str) -> None:
    texts = [text.text for text in read_texts(arts() / "texts" / "arts94.jsonl")]
    with (ARTS / "scores" / "arts94_gold16_scores.csv").open(encoding="utf-8", newline="") as file:
        simple = 1 - np.array([float(row["score"]) for row in csv.DictReader(file)])
    found = figures(load_model(name).scores(texts), simple)
    error, explained, rho = LIMITS[name]
    assert found["MSE"] <= error
    assert found["R2"] >= explained
    assert found["Spearman"] >= rho


@pytest.mark.slow
def test_near_copies_of_test_texts_are_found() -> None:
    """The notes on ARTS count 28 of the 94 test texts with a near copy in ARTS3000."""
    many, few = ([text.text for text in read_texts(arts() / "texts" / f"arts{n}.jsonl")] for n in (3000, 94))
    assert sum(overlapping(few, many)) == 28
    left_out = sum(overlapping(many, few))
    assert load_model("full").about["left out"] == load_model("lite").about["left out"] == left_out


@pytest.mark.slow
@pytest.mark.parametrize("name", LIMITS)
def test_training_gives_the_shipped_file_to_the_byte(name: str, tmp_path: Path) -> None:
    from plainly.cli import main
    from plainly.simplicity.model import SHIPPED

    folder = arts()
    output = tmp_path / SHIPPED[name]
    inputs = [
        "--judgements",
        f"{folder}/histories/gpt/gpt4_arts3000.csv",
        "--texts",
        f"{folder}/texts/arts3000.jsonl",
    ]
    options = ["--test-texts", f"{folder}/texts/arts94.jsonl", "--size", name, "--quiet", "-o", str(output)]
    assert main(["simplicity", "train", *inputs, *options]) == 0
    shipped = Path(__file__).parents[2] / "src" / "plainly" / "simplicity" / "weights" / SHIPPED[name]
    assert output.read_bytes() == shipped.read_bytes()


@pytest.mark.slow
def test_targets_of_arts_follow_the_published_ranking() -> None:
    """Bradley-Terry on GPT-4's judgements of ARTS300 against Elo scores computed elsewhere (hard = high)."""
    texts = [text.id for text in read_texts(arts() / "texts" / "arts300.jsonl")]
    found = targets(read_judgements(str(ARTS / "histories" / "gpt" / "gpt4_arts300.csv"), texts=texts))
    with (ARTS / "derived" / "gpt4_arts300_elo_k16.csv").open(encoding="utf-8", newline="") as file:
        elo = {row["text_id"]: float(row["score_rank"]) for row in csv.DictReader(file)}
    pairs = np.array([(found[text], elo[text]) for text in texts])
    assert np.corrcoef(pairs.T)[0, 1] < -0.93
