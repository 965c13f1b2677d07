"""`plainly metaeval train`: a model is written where it has earned it, and scores outputs like any metric."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.demo import demo_corpus
from plainly.metaeval.quality import Inputs, read_model

NAMES = ("bleu", "sari/keep", "fkgl", "word-length")
ASKED = ("metaeval", "train", "--demo", "--ratings", "r.csv", "--inputs", ",".join(NAMES), "--resamples", "100")
SIMPLE = (*ASKED, "--dimension", "simplicity")


@pytest.fixture(scope="module")
def table() -> str:
    """Of every demo output: for simplicity, two inputs count alike; for taste, one alone."""
    corpus = demo_corpus("en")
    values = np.stack([Inputs.named(NAMES, "en").measured(corpus, system) for system in corpus.outputs])
    scores = (values - values.mean(axis=(0, 1))) / values.std(axis=(0, 1))
    noise = 0.3 * np.random.default_rng(5).normal(size=scores.shape[:2])
    judged = {"simplicity": scores[..., 1] - scores[..., 2] + noise, "taste": scores[..., 0] + noise}
    rows = [
        f"{segment},{system},r,{dimension},{given[place, segment]:.4f}\n"
        for dimension, given in judged.items()
        for place, system in enumerate(corpus.outputs)
        for segment in range(len(corpus))
    ]
    return "segment,system,rater,dimension,value\n" + "".join(rows)


@pytest.fixture(autouse=True)
def ratings(table: str) -> None:
    Path("r.csv").write_text(table)


def test_a_better_metric_is_written_and_scores(plainly: Any) -> None:
    found = plainly(*SIMPLE, "-o", "m.json")
    assert "the combined metric is better than the best single one in cross-validation by source" in found.printed
    assert "wrote m.json" in found.err
    model = read_model("m.json")
    assert model.inputs == NAMES
    assert model.about["trained on"] == ["r"]
    scored = ("score", "--demo", "--metrics", "plainly-quality", "--quality-model", "m.json", "--format", "json")
    result = plainly(*scored).json
    assert model.identity in json.dumps(result)


def test_one_that_is_no_better_is_not_written(plainly: Any) -> None:
    asked = (*ASKED, "--dimension", "taste", "-o", "m.json")
    found = plainly(*asked)
    assert found.status == 1
    assert "is not shown to be better than the best single one" in found.out
    assert "m.json is not written; --anyway writes it" in found.err
    assert not Path("m.json").exists()
    assert plainly(*asked[:-2]).status == 0  # no file was asked for
    found = plainly(*asked, "--anyway")
    assert "caution: m.json holds a metric that is not shown to be better" in found.err
    assert read_model("m.json").dimension == "taste"


def test_json_has_the_model_and_the_tests(plainly: Any) -> None:
    content = plainly(*SIMPLE, "--format", "json", "--quiet").json
    assert content["better"] is True
    (test,) = content["model"]["about"]["tests"]
    assert test["tested_on"] == "r"
    assert test["n"] == 360
    assert not Path("m.json").exists()


def test_a_field_splits_the_ratings_into_sets(plainly: Any) -> None:
    corpus = demo_corpus("en")
    records = [
        {
            "id": str(segment),
            "source": corpus.sources[segment],
            "references": list(corpus.references[segment]),
            "outputs": {system: texts[segment] for system, texts in corpus.outputs.items()},
            "domain": "news" if segment % 2 else "law",
        }
        for segment in range(len(corpus))
    ]
    Path("d.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    asked = tuple("d.jsonl" if word == "--demo" else word for word in SIMPLE)
    asked = (*asked[:2], "--data", *asked[2:], "--split-by", "domain", "--format", "csv", "--quiet")
    rows = plainly(*asked).printed.splitlines()
    assert [row.split(",")[:2] for row in rows[1:]] == [
        ["r: law", '"itself'],
        ["r: news", '"itself'],
        ["r: law", "r: news"],
        ["r: news", "r: law"],
    ]


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (("--dimension", "beauty"), "unknown dimension 'beauty'"),
        (("--dimension", ","), "--dimension names nothing"),
        (("--dimension", "simplicity", "--anyway"), "--anyway goes with --output"),
        (("--dimension", "simplicity", "--held-out", "qats"), "published ratings need --ratings-folder"),
        (
            ("--dimension", "simplicity", "--held-out", "qats", "--ratings-folder", "."),
            "there is neither qats.train.tsv nor",
        ),
        (("--dimension", "simplicity", "--held-out", "quats", "--ratings-folder", "."), "did you mean 'qats'"),
        (
            ("--dimension", "simplicity", "--ratings-set", "qats", "--held-out", "qats", "--ratings-folder", "."),
            "qats is both --ratings-set and --held-out",
        ),
        (("--dimension", "simplicity", "--split-by", "domain"), "no fields that it could be split by"),
        (("--dimension", "simplicity", "-o", "r.csv"), "a model is written as json"),
        (("--dimension", "simplicity", "-o", "no/such/m.json"), "cannot write no/such/m.json"),
        (("--dimension", "simplicity", "--confidence", "2"), "confidence"),
        (("--dimension", "simplicity", "--less-is-better", "simplicty"), "did you mean 'simplicity'"),
        ((), "--dimension"),
    ],
)
def test_what_is_refused(plainly: Any, more: tuple[str, ...], complaint: str) -> None:
    assert complaint in plainly(*ASKED, *more).refusal


def test_nothing_to_learn_from(plainly: Any) -> None:
    found = plainly("metaeval", "train", "--dimension", "simplicity")
    assert "give --ratings FILE with the texts, or --ratings-set NAMES" in found.refusal
    found = plainly("metaeval", "train", "--dimension", "simplicity", "--resamples", "0")
    assert "resamples must be at least 1" in found.refusal


def test_scoring_without_a_model_says_how_to_get_one(plainly: Any) -> None:
    found = plainly("score", "--demo", "--metrics", "plainly-quality")
    assert "train one on judgements (plainly metaeval train)" in found.refusal
    Path("m.json").write_text("{}")
    found = plainly("score", "--demo", "--metrics", "plainly-quality", "--quality-model", "m.json")
    assert "does not hold a model made by plainly metaeval train" in found.refusal


def test_what_is_learned_where_less_is_better(plainly: Any) -> None:
    asked = (*SIMPLE, "--format", "json", "--quiet")
    usual = plainly(*asked).json["model"]["inputs"]
    turned = plainly(*asked, "--less-is-better", "simplicity").json["model"]["inputs"]
    assert [part["weight"] for part in turned] == pytest.approx([-part["weight"] for part in usual])


def test_ratings_options_without_ratings(plainly: Any) -> None:
    found = plainly(
        "metaeval", "train", "--ratings-set", "qats", "--dimension", "simplicity", "--less-is-better", "x"
    )
    assert found.refusal.startswith("--less-is-better goes with --ratings")
