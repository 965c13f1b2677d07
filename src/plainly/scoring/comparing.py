"""`compare`: from texts, or from an evaluation, to which system is better and how sure that is."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.corpus import possible_baselines
from plainly.inference.comparison import Family
from plainly.inference.estimates import CONFIDENCE
from plainly.inference.paired import TestMethod
from plainly.inference.power import POWER
from plainly.inference.resampling import SEED
from plainly.scoring.comparison import Comparison
from plainly.scoring.evaluation import Evaluation
from plainly.scoring.evaluator import evaluate, language_said, refuse_other_words
from plainly.scoring.text_arguments import OutputTexts, ReferenceTexts, corpus_of

COPIES = "identity"
"""The baseline that tells whether copying the source would win."""


def compare(
    sources: Evaluation | Corpus | Sequence[str | None] | None = None,
    outputs: OutputTexts = (),
    references: ReferenceTexts | None = None,
    *,
    data: Any = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    lang: str | None = None,
    documents: Sequence[str] | None = None,
    baseline: str | None = None,
    baselines: Sequence[str] | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    interval: str = "percentile",
    method: TestMethod = "bootstrap",
    family: Family = "metric",
    power: float = POWER,
    **evaluating: Any,
) -> Comparison:
    """Which system is better, and how sure is that? Intervals, ranks, and every pair of systems tested.

    Give what `evaluate` takes (`metrics`, `tokenizer` and others, too), or an evaluation. With a `baseline` all other
    systems are tested against it, else every pair is. `baselines` are what anybody can do without a system; copying
    the source is one unless others are named. They move no number of a system.

    >>> texts = {"a": ["The cat slept."] * 3, "b": ["The feline reposed."] * 3}
    >>> found = compare(["The feline reposed."] * 3, texts, [["The cat slept."]] * 3, metrics="sari", resamples=200)
    >>> found.order("sari")
    ('a', 'b')
    """
    refuse_other_words("compare", evaluating, [*inspect.signature(compare).parameters, *_OF_EVALUATE])
    settings: Mapping[str, Any] = {
        **{"baseline": baseline, "resamples": resamples, "seed": seed, "confidence": confidence},
        **{"interval": interval, "method": method, "family": family, "power": power},
    }
    if isinstance(sources, Evaluation):
        given = {"outputs": outputs, "references": references, "lang": lang, "documents": documents}
        given |= {"data": data, "columns": columns}
        named = [name for name, value in given.items() if value is not None and len(value)]
        if beside := [*named, *(["baselines"] if baselines else [])]:
            raise PlainlyError(f"an evaluation has its texts; leave {beside[0]} out")
        if evaluating:
            raise PlainlyError(f"an evaluation is scored already; leave {next(iter(evaluating))} out")
        return sources.compare(**settings)
    lang = language_said(lang, sources, evaluating.get("profile"))
    corpus = corpus_of(sources, outputs, references, documents, lang, data, columns)
    if baselines is None:
        baselines = [name for name in possible_baselines(corpus) if name == COPIES]
    return evaluate(corpus, baselines=baselines, intervals=None, **evaluating).compare(**settings)


_OF_EVALUATE = [name for name in inspect.signature(evaluate).parameters if name not in ("intervals", "settings")]
