"""How a score moves when a growing share of the outputs is edited.

Nothing is scored twice. Statistics add up, so each text that a trial may need is measured once. A trial is a sum:

    totals = rows of all outputs + (row of the edited text - row of the output), over the edited segments

A trial draws the order in which segments are edited, and what the edit makes of each. At a strength of L %, the first
floor(L * n / 100) of the n segments are edited. So strengths are nested: what is edited at 10 % is so at 20 % too.
With `nested=False` each strength draws anew. All metrics meet the same trials.

Whatever is random is drawn from the seed, the names of system and edit, and the number of the segment. So results
depend neither on the other systems and edits of a run nor on the number of threads. More trials extend the first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.messages import Message
from plainly.corpus import Corpus
from plainly.findings.result import StudyResult
from plainly.gaming import edits as registry
from plainly.gaming.edits import SAMPLE, Edit, Segment
from plainly.inference.estimates import Estimate, finite
from plainly.inference.resampling import generator
from plainly.metrics import Array, Metric, Score
from plainly.scoring.evaluator import measure, prepare

ALL = "all"
"""In the place of an edit: every edit that language and corpus allow."""
STRENGTHS = (0.0, 10.0, 50.0, 100.0)
TRIALS = 100
COVERED = 0.95  # of the trials, by an interval
GROUP = 64  # segments measured together: no more than `cluster` leaves in one piece

T = TypeVar("T")
Numbers = NDArray[np.int64]
Progress = Callable[[int, int], None]  # (steps done, of so many)


@dataclass(frozen=True)
class Spread:
    """Where the trials fell: NaN where one of them could not be scored. The interval holds 95 % of them."""

    estimate: Estimate
    """Their mean; the interval is theirs, not that of the mean."""
    sd: float

    @property
    def mean(self) -> float:
        return self.estimate.value

    def to_dict(self) -> dict[str, float | None]:
        """Plain data for JSON."""
        return {**self.estimate.to_dict(), "sd": finite(self.sd)}


@dataclass(frozen=True)
class Curve:
    """A score and its components against the strength: (strengths, trials)."""

    values: Array
    components: Mapping[str, Array] = field(default_factory=dict)

    def spreads(self, component: str | None = None) -> list[Spread]:
        """One a strength, of the score or of a component."""
        return spreads(self.values if component is None else self.components[component])


@dataclass(frozen=True)
class Mixture:
    """The trials of one system and one edit, as rows to be added up.

    `rows[label]` are the statistics of all texts that the trials need, `original` says which belong to the outputs.
    In trial t the i-th segment to be edited is `order[t, i]`, and its edited text has the row `edited[t, i]`.
    """

    rows: Mapping[str, Array]
    original: Numbers
    order: Numbers
    edited: Numbers

    @property
    def size(self) -> int:
        return len(self.original)

    @property
    def changed(self) -> float:
        """The share of edited texts that differ from the output."""
        return float((self.edited != self.original[self.order]).mean()) if self.edited.size else 0.0

    def totals(self, label: str, counts: Sequence[int]) -> Array:
        """The totals of all trials with so many segments edited, counts in rising order: (counts, trials, sums)."""
        rows = self.rows[label]
        trials = len(self.order)
        totals = np.empty((len(counts), trials, rows.shape[1]))
        base = rows[self.original].sum(axis=0)
        bounds = [0, *counts]
        for trial in range(trials):
            changes = rows[self.edited[trial]] - rows[self.original[self.order[trial]]]
            so_far = base
            for i, end in enumerate(counts):
                so_far = so_far + changes[bounds[i] : end].sum(axis=0)
                totals[i, trial] = so_far
        return totals


@dataclass(frozen=True, repr=False)
class Study(StudyResult, findings="plainly.gaming.findings:findings", usual="curves"):
    """Curves by system, edit and metric. The mixtures answer for any other strength without measuring again.

    Where strengths are not nested, a mixture holds the trials of the first strength.
    """

    size: int  # segments
    strengths: tuple[float, ...]
    trials: int
    seed: int
    nested: bool
    metrics: Mapping[str, Metric]
    edits: Mapping[str, Edit]
    curves: Mapping[str, Mapping[str, Mapping[str, Curve]]]  # system -> edit -> label
    mixtures: Mapping[str, Mapping[str, Mixture]] = field(repr=False)  # system -> edit
    signatures: Mapping[str, str]  # label -> signature
    left_out: Mapping[str, Message]  # of all edits, those that cannot be made here, and why

    @property
    def systems(self) -> list[str]:
        return list(self.curves)

    @property
    def edited_segments(self) -> list[int]:
        """How many segments each strength is."""
        return [edited_count(strength, self.size) for strength in self.strengths]

    def unscored(self, system: str, label: str) -> int:
        """How many outputs the metric could not score as they are."""
        mixture = next(iter(self.mixtures[system].values()))
        return self.size - int(mixture.rows[label][mixture.original, 0].sum())

    def unedited(self, system: str, label: str) -> Score:
        """The score of the outputs as they are."""
        mixture = next(iter(self.mixtures[system].values()))
        return self.metrics[label].score(mixture.rows[label][mixture.original].sum(axis=0))

    def scores(self, system: str, edit: str, label: str, counts: Sequence[int]) -> Array:
        """The score of every trial with that many segments edited: (counts, trials)."""
        return self.metrics[label].score(self.mixtures[system][edit].totals(label, counts)).value

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON: spreads over the trials, strength by strength."""
        return {
            "segments": self.size,
            "strengths": list(self.strengths),
            "edited_segments": self.edited_segments,
            "trials": self.trials,
            "seed": self.seed,
            "nested": self.nested,
            "confidence": COVERED,
            "systems": {
                system: {
                    edit: {
                        "changed": self.mixtures[system][edit].changed,
                        "metrics": {label: _curve_to_dict(curve) for label, curve in curves.items()},
                    }
                    for edit, curves in by_edit.items()
                }
                for system, by_edit in self.curves.items()
            },
        }


@checks_arguments
def study(
    corpus: Corpus,
    systems: Sequence[str] | None = None,
    metrics: str | Sequence[str | Metric] = (),
    edits: Sequence[str | Edit] = (ALL,),
    strengths: Sequence[float] = STRENGTHS,
    trials: int = TRIALS,
    seed: int = 0,
    nested: bool = True,
    variants: int = SAMPLE,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Study:
    """Edit the outputs of systems of a corpus at random, and see what metrics make of it.

    Without systems, all are taken; of the edits, `all` stands for those that language and corpus allow. `variants`
    is how many texts are drawn for a segment by an edit whose outcomes are too many to list, such as shuffled words;
    the trials then choose among them. `progress` hears how many steps are done, of how many.
    """
    systems = list(corpus.outputs) if systems is None else list(systems)
    metrics = prepare(metrics, corpus.lang, {}) if metrics else []
    every, left_out = registry.possible(corpus.lang, available(corpus))
    chosen = {edit.name: edit for edit in _edits(edits, every)}
    by_label = {metric.label: metric for metric in metrics}
    shares = tuple(float(strength) for strength in strengths)
    _check(corpus, systems, chosen, by_label, shares, trials, seed, variants)
    curves: dict[str, dict[str, dict[str, Curve]]] = {}
    mixtures: dict[str, dict[str, Mixture]] = {}
    steps = _Steps(len(systems) * (2 * len(chosen) + math.ceil(len(corpus) / GROUP)), progress)
    for system in systems:
        texts = _Texts(corpus, system)
        draws = {
            name: steps.after(_draws(texts, edit, (seed, system, name), shares, trials, nested, variants))
            for name, edit in chosen.items()
        }
        rows = {metric.label: np.zeros((texts.count, len(metric.columns))) for metric in metrics}
        for _ in texts.measure_into(rows, metrics, threads):
            steps.after(None)
        mixed = {name: [Mixture(rows, texts.original, *draw) for draw in drawn] for name, drawn in draws.items()}
        mixtures[system] = {name: found[0] for name, found in mixed.items()}
        curves[system] = {
            name: steps.after({label: _curve(metric, found, shares) for label, metric in by_label.items()})
            for name, found in mixed.items()
        }
    references = corpus.judged_by
    return Study(
        len(corpus),
        shares,
        trials,
        seed,
        nested,
        by_label,
        chosen,
        curves,
        mixtures,
        {label: metric.signature(references) for label, metric in by_label.items()},
        left_out if ALL in edits else {},
    )


class _Steps:
    """Counts what is done, and tells it."""

    def __init__(self, all_: int, progress: Progress | None) -> None:
        self._all, self._done, self._progress = all_, 0, progress

    def after(self, result: T) -> T:
        """The result of a step that is done now."""
        self._done += 1
        if self._progress:
            self._progress(self._done, self._all)
        return result


def edited_count(strength: float, segments: int) -> int:
    """How many segments a strength in per cent is."""
    return math.floor(round(strength * segments / 100, 9))  # 70 % of 10 is 7, not what binary fractions make of it


def spreads(values: Array) -> list[Spread]:
    """Mean, standard deviation (of the sample) and the interval of each row of trials."""
    trials = values.shape[1]
    tail = (1 - COVERED) / 2
    low, high = np.quantile(values, [tail, 1 - tail], axis=1)
    sd = values.std(axis=1, ddof=1) if trials > 1 else np.full(len(values), np.nan)
    same = (values == values[:, :1]).all(axis=1)  # their mean is this number, not what rounding makes of it
    mean = np.where(same, values[:, 0], values.mean(axis=1))
    sd = np.where(same & (trials > 1), 0.0, sd)
    found = np.column_stack([mean, low, high, sd]).tolist()
    return [Spread(Estimate(mean, low, high, COVERED), sd) for mean, low, high, sd in found]


def available(corpus: Corpus) -> set[str]:
    """What a corpus can give an edit."""
    given = {
        "source": any(text is not None for text in corpus.sources),
        "references": bool(corpus.reference_counts.any()),
    }
    return {name for name, there in given.items() if there}


def _edits(edits: Sequence[str | Edit], every: Sequence[str]) -> Iterator[Edit]:
    for edit in edits:
        if isinstance(edit, Edit):
            yield edit
        else:
            yield from map(registry.get, every if edit == ALL else [edit])


def _check(
    corpus: Corpus,
    systems: Sequence[str],
    edits: Mapping[str, Edit],
    metrics: Mapping[str, Metric],
    strengths: Sequence[float],
    trials: int,
    seed: int,
    variants: int,
) -> None:
    if not len(corpus):
        raise PlainlyError("there are no segments to edit")
    if not systems or not edits:
        raise PlainlyError(f"a study needs {'edits' if systems else 'outputs of a system'}")
    for name, edit in edits.items():
        if why := edit.lacks(corpus.lang, available(corpus)):
            raise PlainlyError(f"edit {name!r} cannot be made: {why}")
    for system in systems:
        if system not in corpus.outputs:
            raise UnknownName("system", system, corpus.outputs)
    if not metrics:
        raise PlainlyError("a study needs metrics")
    for label, metric in metrics.items():
        if metric.reads_all_outputs_as_one:
            raise PlainlyError(f"{label} reads all outputs as one text, so edited and other outputs cannot be mixed")
    if (
        not strengths
        or not all(0 <= strength <= 100 for strength in strengths)
        or list(strengths) != sorted(set(strengths))
    ):
        raise PlainlyError("strengths must be per cents from 0 to 100, in rising order")
    for name, value, least in (("trials", trials, 1), ("seed", seed, 0), ("variants", variants, 1)):
        if value < least:
            raise PlainlyError(f"{name} must be at least {least}, not {value}")


class _Texts:
    """The outputs of a system and all texts that edits make of them, each once a segment, and each with a number."""

    def __init__(self, corpus: Corpus, system: str) -> None:
        self.corpus = corpus
        self.outputs = tuple(corpus.output(system))
        self._numbers: list[dict[str | None, int]] = [{} for _ in self.outputs]
        self.count = 0
        self.original = np.array([self.number(i, text) for i, text in enumerate(self.outputs)], dtype=np.int64)

    def number(self, segment: int, text: str | None) -> int:
        known = self._numbers[segment]
        if text not in known:
            known[text] = self.count
            self.count += 1
        return known[text]

    def measure_into(
        self, rows: Mapping[str, Array], metrics: Sequence[Metric], threads: int | None
    ) -> Iterator[None]:
        """Fill in the rows of all texts by every metric, some segments a step: those with like numbers of texts."""
        by_size = sorted(range(len(self.outputs)), key=lambda i: len(self._numbers[i]))
        groups = [by_size[start : start + GROUP] for start in range(0, len(by_size), GROUP)]
        pieces = measure(map(self._group, groups), metrics, threads=threads)
        for group, piece in zip(groups, pieces, strict=True):
            for k, found in enumerate(piece.statistics.values()):
                places = [(j, list(self._numbers[i].values())) for j, i in enumerate(group)]
                present = [(j, numbers[k]) for j, numbers in places if k < len(numbers)]
                here, there = np.array(present).T
                for metric, statistics in zip(metrics, found, strict=True):
                    rows[metric.label][there] = statistics[here]
            yield
        for metric in metrics:
            if metric.failure is not None:
                raise PlainlyError(f"{metric.label}: {metric.failure}")

    def _group(self, group: Sequence[int]) -> Corpus:
        """Some segments, with the k-th text of each as the output of a system k."""
        texts = [list(self._numbers[i]) for i in group]
        most = max(map(len, texts))
        outputs = {str(k): [own[k] if k < len(own) else None for own in texts] for k in range(most)}
        sources = [self.corpus.sources[i] for i in group]
        references = [self.corpus.references[i] for i in group]
        return Corpus(sources, references, outputs, lang=self.corpus.lang)


def _draws(
    texts: _Texts,
    edit: Edit,
    key: tuple[int, str, str],
    strengths: Sequence[float],
    trials: int,
    nested: bool,
    variants: int,
) -> list[tuple[Numbers, Numbers]]:
    """Order and edited texts of the trials: once, or once a strength. Drawn texts get their numbers."""
    size = len(texts.outputs)
    outcomes = [_outcomes(texts, edit, i, generator(*key, i), variants) for i in range(size)]
    counts = np.array([len(found) for found in outcomes])
    draws = []
    for part in [""] if nested else [str(strength) for strength in strengths]:
        orders, picks = generator(*key, "order", part), generator(*key, "pick", part)
        order = orders.permuted(np.tile(np.arange(size), (trials, 1)), axis=1)
        picked = (picks.random((trials, size)) * counts).astype(np.int64)
        edited = np.empty((trials, size), dtype=np.int64)
        for i, found in enumerate(outcomes):
            drawn, back = np.unique(picked[:, i], return_inverse=True)
            edited[:, i] = np.array([texts.number(i, found[k]) for k in drawn])[back]
        draws.append((order, np.take_along_axis(edited, order, axis=1)))
    return draws


def _outcomes(texts: _Texts, edit: Edit, i: int, rng: np.random.Generator, variants: int) -> Sequence[str | None]:
    output, corpus = texts.outputs[i], texts.corpus
    if output is None:
        return [None]  # what is not there cannot be edited
    segment = Segment(output, corpus.sources[i], corpus.references[i], texts.outputs, corpus.lang, variants)
    try:
        found = edit.outcomes(segment, rng)
    except PlainlyError:
        raise
    except Exception as error:  # of another package
        raise PlainlyError(
            f"edit {edit.name!r} failed on segment {i + 1}: {type(error).__name__}: {error}"
        ) from error
    if isinstance(found, str) or not len(found) or not all(isinstance(text, str) for text in found):
        raise PlainlyError(f"edit {edit.name!r} must give a list of texts for segment {i + 1}, at least one")
    return found


def _curve(metric: Metric, mixtures: Sequence[Mixture], strengths: Sequence[float]) -> Curve:
    counts = [edited_count(strength, mixtures[0].size) for strength in strengths]
    if len(mixtures) == 1:
        totals = mixtures[0].totals(metric.label, counts)
    else:
        totals = np.concatenate([m.totals(metric.label, [n]) for m, n in zip(mixtures, counts, strict=True)])
    score = metric.score(totals)
    return Curve(score.value, dict(score.components))


def _curve_to_dict(curve: Curve) -> dict[str, Any]:
    return {
        "score": [found.to_dict() for found in curve.spreads()],
        "components": {name: [found.to_dict() for found in curve.spreads(name)] for name in curve.components},
    }
