"""What do scores become when only some references count: those without errors, those with a lexical operation, ...?

A subset of references leaves each source a number of references of its own, and leaves out sources that keep none.
Fewer references change every score, whichever they are. So beside the subset stands a control: for each source as
many references, drawn at random from all of it (or from those that `within` allows), many times over. Only what
departs from the control is due to the operations.

Intervals draw whole sources: of the score, and of the paired differences from all references and from the control.
`p` asks whether the subset itself could be such a draw: with c the scores of D draws and m their mean,

    p = (1 + number of |c - m| >= |score - m|) / (D + 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError
from plainly.base.groups import grouped
from plainly.base.messages import Message, message
from plainly.base.plain_data import plain_data
from plainly.corpus import Corpus
from plainly.corpus.references import References
from plainly.findings.result import StudyResult
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import (
    USUAL,
    Resampled,
    Resampling,
    bootstrap_weights,
    check_at_least,
    interval,
    scores,
    total,
    weighted_totals,
)
from plainly.metrics import Array, Metric
from plainly.operations.annotated_set import AnnotatedSet
from plainly.operations.expressions import Expression
from plainly.operations.resampling_note import drawn
from plainly.operations.selection import (
    Members,
    Outputs,
    Sizes,
    corpus_of,
    everything,
    random_members,
    select,
    sizes,
    sizes_data,
)
from plainly.scoring.evaluator import measure

DRAWS = 100
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class SubsetScore:
    """The score of a system by the references of a subset, beside all references and beside random ones."""

    subset: str
    metric: str
    system: str
    score: Estimate
    whole: float  # by all references, on all sources
    from_whole: Estimate
    random: Estimate  # mean over the draws, and between which they fell
    from_random: Estimate
    p: float


@dataclass(frozen=True)
class Summary:
    """The mean change over all systems, and how many of them rise."""

    subset: str
    metric: str
    systems: int
    from_whole: float
    above_whole: int
    from_random: float
    above_random: int


@dataclass(frozen=True, repr=False)
class Scored(StudyResult, findings="plainly.operations.findings:subset_findings"):
    """What systems score on subsets, beside all references and beside random ones."""

    sizes: Sizes
    scores: tuple[SubsetScore, ...]
    sources: int
    references: int
    within: Expression | None
    """From which references random ones are drawn; None: from all."""
    draws: int
    resampling: Resampling
    signatures: tuple[str, ...]

    @property
    def notes(self) -> list[Message]:
        """What a reader of the numbers should know."""
        return list(self._notes())

    def _notes(self) -> Iterator[Message]:
        yield message(
            "operations.whole",
            "all: {sources} sources, {references} references; change: subset less all",
            sources=self.sources,
            references=self.references,
        )
        pool = "from all references" if self.within is None else "from {within}"
        yield message(
            f"operations.random.{'all' if self.within is None else 'within'}",
            f"random: mean of {{draws}} draws {pool}, as many for each source as the subset has; in its brackets: "
            "where most of them fall; p: of the draws",
            draws=self.draws,
            within=repr(self.within and self.within.text),
        )
        yield from drawn(self.resampling)

    @property
    def data(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "scores": plain_data(self.scores),
            "summary": plain_data(summaries(self.scores)),
            "sizes": sizes_data(self.sizes),
            "draws": self.draws,
            "within": self.within and self.within.text,
            "seed": self.resampling.seed,
            "resampling": self.resampling.to_dict(),
            "notes": plain_data([*self.notes, *self.signatures]),
        }


@checks_arguments
def scored(
    data: AnnotatedSet,
    outputs: Outputs,
    metrics: Sequence[Metric],
    subsets: Mapping[str, Members],
    *,
    within: Expression | None = None,
    draws: int = DRAWS,
    resampling: Resampling = USUAL,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Scored:
    """Every system by every metric on every subset. The control draws from references like `within`, or from all.

    Without resamples the bounds of intervals are NaN.
    """
    check_at_least("draws", draws, 1)
    resampling = replace(resampling, unit="source")
    found = sizes(subsets)
    pool = everything(data) if within is None else select(data, within)
    _check(data, outputs, metrics, subsets, pool)
    steps = len(subsets) * (draws + 1) + 1
    done = 0

    def rows(chosen: Iterable[Members]) -> Iterator[list[list[Array]]]:
        nonlocal done
        for found in measured_rows(data, chosen, outputs, metrics, threads):
            done += 1
            if progress:
                progress(done, steps)
            yield found

    (whole,) = rows([everything(data)])
    results = []
    for name, members in subsets.items():
        controls = (random_members(members, pool, draw, resampling.seed) for draw in range(draws))
        subset, *control = rows([members, *controls])
        for s, system in enumerate(outputs):
            for m, metric in enumerate(metrics):
                tables = [subset[s][m], whole[s][m], *(drawn[s][m] for drawn in control)]
                compared = _compare(metric, tables, resampling)
                results.append(SubsetScore(name, metric.label, system, *compared))
    judged_by = References.of(
        [targets[k] for k in chosen]
        for members in [everything(data), *subsets.values()]
        for targets, chosen in zip(data.targets, members, strict=True)
        if chosen
    )
    return Scored(
        sizes=found,
        scores=tuple(results),
        sources=len(data),
        references=sum(map(len, data.targets)),
        within=within,
        draws=draws,
        resampling=resampling,
        signatures=tuple(metric.signature(judged_by) for metric in metrics),
    )


def summaries(results: Sequence[SubsetScore]) -> list[Summary]:
    """One line for each subset and metric."""
    found = []
    for (subset, metric), group in grouped(results, lambda result: (result.subset, result.metric)).items():
        whole = np.array([result.from_whole.value for result in group])
        drawn = np.array([result.from_random.value for result in group])
        counts = (int((whole > 0).sum()), int((drawn > 0).sum()))
        found.append(
            Summary(subset, metric, len(group), float(whole.mean()), counts[0], float(drawn.mean()), counts[1])
        )
    return found


def measured_rows(
    data: AnnotatedSet,
    choices: Iterable[Members],
    outputs: Outputs,
    metrics: Sequence[Metric],
    threads: int | None = None,
) -> Iterator[list[list[Array]]]:
    """For each choice of references, the rows of each system by each metric; zeros where a source keeps none."""
    waiting: list[NDArray[np.int64]] = []

    def corpora() -> Iterator[Corpus]:
        for members in choices:
            waiting.append(np.array([i for i, chosen in enumerate(members) if chosen], dtype=np.int64))
            yield corpus_of(data, members, outputs)

    parts: list[dict[str, list[Array]]] = []
    length = 0
    for measured in measure(corpora(), metrics, threads=threads):
        parts.append(measured.statistics)
        length += len(measured.corpus)
        if length < len(waiting[0]):
            continue
        kept = waiting.pop(0)
        yield [
            [_spread([p[system][m] for p in parts], kept, len(data)) for m in range(len(metrics))]
            for system in outputs
        ]
        parts, length = [], 0


def _spread(parts: Sequence[Array], kept: NDArray[np.int64], sources: int) -> Array:
    rows = np.concatenate(parts)
    everywhere = np.zeros((sources, rows.shape[1]))
    everywhere[kept] = rows
    return everywhere


def _compare(metric: Metric, tables: Sequence[Array], resampling: Resampling) -> tuple[Any, ...]:
    """From the rows of subset, whole and draws to what `SubsetScore` holds after its names."""
    observed = scores(metric, np.stack([total(table) for table in tables])).value
    sums = weighted_totals(bootstrap_weights(len(tables[0]), resampling.resamples, resampling.seed), tables)
    subset, whole, *control = (scores(metric, table).value if resampling.resamples else np.empty(0) for table in sums)
    score, of_whole, drawn = observed[0], observed[1], observed[2:]
    mean = float(drawn.mean())
    tails = [(1 - resampling.confidence) / 2, (1 + resampling.confidence) / 2]
    low, high = (float(bound) for bound in np.quantile(drawn, tails))
    far = np.abs(drawn - mean) >= abs(score - mean) - 1e-12 * max(1.0, abs(mean))

    def estimate(value: float, values: Array) -> Estimate:
        return interval(Resampled(float(value), values), resampling)

    return (
        estimate(score, subset),
        float(of_whole),
        estimate(score - of_whole, subset - whole),
        Estimate(mean, low, high, resampling.confidence),
        estimate(score - mean, subset - np.mean(control, axis=0)),
        float((1 + far.sum()) / (1 + len(drawn))),
    )


def _check(
    data: AnnotatedSet, outputs: Outputs, metrics: Sequence[Metric], subsets: Mapping[str, Members], pool: Members
) -> None:
    if not outputs or not metrics:
        raise PlainlyError("there is nothing to score: no system or no metric")
    for system, texts in outputs.items():
        if len(texts) != len(data):
            raise PlainlyError(f"the annotations have {len(data)} sources, but {system!r} has {len(texts)} outputs")
    for metric in metrics:
        if "references" not in metric.facts.needs:
            raise PlainlyError(f"{metric.label} reads no references; a subset of them does not change it")
    for name, members in subsets.items():
        for identity, chosen, allowed in zip(data.ids, members, pool, strict=True):
            if len(chosen) > len(allowed):
                raise PlainlyError(
                    f"subset {name!r} has {len(chosen)} references of source {identity!r}, "
                    f"but its control has only {len(allowed)} to draw from"
                )
