"""What a combined metric looks at: scores of other metrics and components of scores, output by output.

An input is named as its metric, or as METRIC/COMPONENT: `bleu`, `sari/keep`, `sari:star/add`. Metrics are taken with
their usual settings, so that a name says all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus import Corpus
from plainly.metrics import Array, Metric, Score, metric_class
from plainly.scoring import evaluate_stream
from plainly.scoring.evaluator import CHUNK, prepare

COMBINED = "plainly-quality"
MOST_INPUTS = 100
# Few, each with another view; those of a family, such as all readability formulas, say the same again.
WITH_REFERENCES = (
    *("bleu", "sari/add", "sari/keep", "sari/delete", "chrf", "ter"),
    *("bertscore/precision", "bertscore/recall"),
)
WITH_SOURCE = (
    *("compression-ratio", "levenshtein-similarity", "additions-proportion", "deletions-proportion"),
    *("sentence-splits", "exact-copies", "simplicity/gain", "meaning"),
)
WITH_OUTPUT = ("fkgl", "lexical-complexity", "simplicity", "word-length")


def usual_inputs(available: set[str], lang: str) -> list[str]:
    """The inputs taken where none are named: all that texts ("source", "references"), language and machine allow."""
    wanted = [
        *(WITH_REFERENCES if "references" in available else ()),
        *(WITH_SOURCE if "source" in available else ()),
        *WITH_OUTPUT,
    ]
    return [name for name in wanted if metric_class(_metric_name(name)).missing(lang) is None]


@dataclass(frozen=True)
class Inputs:
    """Inputs by name, and the metrics that give them."""

    names: tuple[str, ...]
    metrics: tuple[Metric, ...]

    @classmethod
    def named(cls, names: Sequence[str], lang: str) -> Inputs:
        """The inputs of these names; what cannot be computed here is said in words."""
        if not 0 < len(names) <= MOST_INPUTS:
            raise PlainlyError(f"a combined metric has 1 to {MOST_INPUTS} inputs, not {len(names)}")
        made: dict[str, Metric] = {}
        labels = []
        for name in names:
            wanted, slash, component = name.partition("/")
            metric = made.get(wanted) or _metric(wanted, lang)
            made[wanted] = made[metric.label] = metric
            if slash and component not in (known := components(metric)):
                raise UnknownName(f"component of {metric.label}", component, known)
            labels.append(f"{metric.label}{slash}{component}")
        if repeated := next((label for label in labels if labels.count(label) > 1), None):
            raise PlainlyError(f"the input {repeated} is named twice")
        return cls(tuple(labels), tuple({metric.label: metric for metric in made.values()}.values()))

    @property
    def needs(self) -> frozenset[str]:
        """All that the metrics need."""
        return frozenset().union(*(metric.facts.needs for metric in self.metrics))

    def settings(self) -> dict[str, dict[str, str]]:
        """The settings of each metric that move its score."""
        return {metric.label: metric.settings() for metric in self.metrics}

    def measured(self, corpus: Corpus, system: str) -> Array:
        """The value of each input for each output of a system, NaN where there is none: (outputs, inputs)."""
        return self._values(lambda metric: metric.measure(corpus, system))

    def of(self, corpus: Corpus, system: str, threads: int | None = None) -> Array:
        """The same of a whole corpus, in chunks and threads."""
        evaluation = evaluate_stream(corpus.chunks(CHUNK), self.metrics, threads=threads, keep=sys.maxsize)
        for metric in self.metrics:
            if metric.failure is not None:
                raise PlainlyError(f"{metric.label} failed: {metric.failure}")
        statistics: Mapping[str, Array] = evaluation.kept_statistics[system]
        return self._values(lambda metric: statistics[metric.label])

    def _values(self, rows: Callable[[Metric], Array]) -> Array:
        scores: dict[str, Score] = {metric.label: metric.score(rows(metric)) for metric in self.metrics}
        columns = []
        for name in self.names:
            label, slash, component = name.partition("/")
            values = np.asarray(scores[label].components[component] if slash else scores[label].value)
            columns.append(np.where(np.isfinite(values), values, np.nan))
        return np.column_stack(columns).astype(np.float64)


def components(metric: Metric) -> tuple[str, ...]:
    """The names of what its score is made of."""
    return tuple(metric.score(np.zeros((1, len(metric.columns)))).components)


def _metric_name(name: str) -> str:
    return name.partition("/")[0].partition(":")[0]


def _metric(name: str, lang: str) -> Metric:
    if _metric_name(name) == COMBINED:
        raise PlainlyError(f"{COMBINED} cannot be an input of itself")
    why = metric_class(_metric_name(name)).missing(lang)
    if why is not None:
        raise PlainlyError(f"the input {name} cannot be computed: {why}")
    (metric,) = prepare([name], lang, {})
    if type(metric).follow is not Metric.follow:
        raise PlainlyError(f"the input {name} depends on the outputs before, so it says nothing of a single one")
    return metric
