"""What is held against people: every metric, with every set of references, as one value for each judged output."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.groups import grouped
from plainly.corpus.readers.files import shown
from plainly.metaeval.judged_set import OUTPUT, JudgedSet
from plainly.metrics import Array, Metric
from plainly.scoring import evaluate_stream
from plainly.scoring.evaluator import CHUNK

POOLED = "pooled"  # all references of all named sets
Texts = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Contender:
    """A metric with its references. Signs are as the metric gives them."""

    label: str  # the metric, and which references if there are several sets: "sari (asset)"
    metric: str
    references: str  # the name of the set; "" where the metric uses none
    direction: Literal["higher", "lower", "none"]
    signature: str
    scores: Array  # one a row; NaN: not scored


def reference_sets(judged: JudgedSet, names: Sequence[str]) -> dict[str, Texts]:
    """The sets of references to use, each by its name; where two or more are named, all of them together, too.

    `NAME:K` are the first K references of a set. Without names, the references that the data come with.
    """
    if not names:
        return {"": judged.references}
    chosen = {name: _set(judged, name) for name in names if name != POOLED}
    if len(chosen) > 1 or POOLED in names:
        every = chosen or judged.reference_sets
        if not every:
            raise PlainlyError(f"{judged.name} has no sets of references that could be pooled")
        chosen[POOLED] = tuple(
            tuple(dict.fromkeys(text for texts in own for text in texts)) for own in zip(*every.values(), strict=True)
        )
    return chosen


def _set(judged: JudgedSet, name: str) -> Texts:
    known, colon, count = name.rpartition(":")
    if name in judged.reference_sets or not colon:
        known, count = name, ""
    if known not in judged.reference_sets:
        if not judged.reference_sets:
            raise PlainlyError(f"{judged.name} has no sets of references with names; give files, as {known}=FILE")
        raise UnknownName("set of references", known, judged.reference_sets)
    texts = judged.reference_sets[known]
    if not count:
        return texts
    most = max(map(len, texts), default=0)
    if not re.fullmatch(r"[0-9]{1,9}", count) or not 0 < int(count) <= most:
        raise PlainlyError(f"{shown(name)}: {known} has 1 to {most} references, not {shown(count)}")
    return tuple(own[: int(count)] for own in texts)


def contenders(
    judged: JudgedSet,
    metrics: Sequence[Metric],
    references: Mapping[str, Texts] | None = None,
    threads: int | None = None,
) -> list[Contender]:
    """Every metric once with each set of references; metrics that use none only once."""
    sets = reference_sets(judged, ()) if references is None else references
    without = [metric for metric in metrics if "references" not in metric.facts.needs]
    using = [metric for metric in metrics if "references" in metric.facts.needs]
    found = _scored(judged, without, "", (), threads)
    for name, texts in sets.items():
        found += _scored(judged, using, name, texts, threads)
    by_metric = grouped(found, lambda contender: contender.metric)
    return [contender for metric in metrics for contender in by_metric[metric.label]]


def _scored(
    judged: JudgedSet, metrics: Sequence[Metric], references: str, texts: Texts | tuple[()], threads: int | None
) -> list[Contender]:
    if not metrics:
        return []
    corpus = judged.corpus(texts) if texts else judged.corpus()
    evaluation = evaluate_stream(corpus.chunks(CHUNK), metrics, threads=threads, keep=sys.maxsize)
    return [
        Contender(
            f"{metric.label} ({references})" if references else metric.label,
            metric.label,
            references,
            metric.facts.direction,
            evaluation[OUTPUT][metric.label].signature,
            np.asarray(evaluation.segment_scores(OUTPUT, metric.label), dtype=np.float64),
        )
        for metric in metrics
    ]
