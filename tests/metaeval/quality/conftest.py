"""Judgements with a known truth: outputs of the demo systems, judged by a formula and some noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from plainly.demo import demo_corpus
from plainly.metaeval import JudgedSet
from plainly.metaeval.quality import Inputs
from plainly.metrics import Array

NAMES = ("bleu", "sari/keep", "fkgl", "compression-ratio", "word-length")
Formula = Callable[[dict[str, Array]], Array]
Make = Callable[..., JudgedSet]


@pytest.fixture(scope="session")
def inputs() -> Inputs:
    return Inputs.named(NAMES, "en")


@pytest.fixture(scope="session")
def values(inputs: Inputs) -> Array:
    """(outputs, inputs) of all demo systems, one system after the other."""
    corpus = demo_corpus("en")
    return np.concatenate([inputs.measured(corpus, system) for system in corpus.outputs])


@pytest.fixture(scope="session")
def make(values: Array) -> Make:
    """A set of the segments named, judged by `formula` (of the inputs as z-scores, by name) and noise."""
    corpus = demo_corpus("en")
    scores = np.where(np.isfinite(values), values, np.nanmean(values, axis=0))
    scores = (scores - scores.mean(axis=0)) / scores.std(axis=0)

    def made(
        formula: Formula,
        *,
        name: str = "made-up",
        segments: Sequence[int] = range(60),
        noise: float = 0.3,
        seed: int = 1,
        direction: str = "higher",
    ) -> JudgedSet:
        rows = [(place, system) for place in range(len(corpus.outputs)) for system in segments]
        systems = list(corpus.outputs)
        chosen = np.array([place * len(corpus) + segment for place, segment in rows])
        judged = formula(dict(zip(NAMES, scores[chosen].T, strict=True)))
        judged = judged + noise * np.random.default_rng(seed).normal(size=len(judged))
        return JudgedSet(
            name=name,
            lang="en",
            segments=tuple(str(segment) for _, segment in rows),
            systems=tuple(systems[place] for place, _ in rows),
            sources=tuple(corpus.sources[segment] for _, segment in rows),
            outputs=tuple(str(corpus.outputs[systems[place]][segment]) for place, segment in rows),
            references=tuple(tuple(corpus.references[segment]) for _, segment in rows),
            values={"quality": judged if direction == "higher" else -judged},
            directions={"quality": direction},  # type: ignore[dict-item]
            fields={"half": tuple("first" if segment < 30 else "second" for _, segment in rows)},
        )

    return made


def both(z: dict[str, Array]) -> Array:
    """Two things count, and neither says much alone."""
    return z["sari/keep"] - z["fkgl"]


def one(z: dict[str, Array]) -> Array:
    """One thing counts."""
    return z["bleu"]
