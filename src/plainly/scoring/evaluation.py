"""What an evaluation returns: for every system and metric one signed number; and evaluations put together.

More segments (`concatenate`), or more systems and metrics (`merge`): statistics add up, and no text is scored again.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import chain
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.exact_sums import add_rows
from plainly.base.files import writing
from plainly.base.messages import Note, message, plain
from plainly.corpus import Corpus
from plainly.corpus.corpus import BASELINES, FIRST_REFERENCE, REFERENCE
from plainly.corpus.references import References
from plainly.corpus.text_checks import NO_COPIES
from plainly.findings.printing import lines_above
from plainly.findings.result import StudyResult, pandas_here
from plainly.inference import RESAMPLES, SEED, Resampling, compare, resamples_for
from plainly.inference.estimates import CONFIDENCE
from plainly.inference.paired import TestMethod
from plainly.inference.resampling import check_at_least
from plainly.inference.runs import Members, intervals_of_systems, members_of
from plainly.metrics import Array, Metric
from plainly.scoring import storage
from plainly.scoring.blocks import Blocks, blocked, blocks_note, blocks_of
from plainly.scoring.comparison import Comparison
from plainly.scoring.findings import words_of
from plainly.scoring.partitions import EXACT
from plainly.scoring.results import Result, mean_of_runs, results_of, with_estimates

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")
MOST_NAMED = 3  # of more metrics that are left out for the same reason, there is one note


@dataclass(frozen=True, repr=False)
class Evaluation(StudyResult, findings="plainly.scoring.findings:findings"):
    """Scores of systems by metrics, and the statistics and texts behind them if they were kept.

    `statistics[run][label]` has one row a segment and the columns of the metric; any sum of rows can be scored.
    A system is its own run, unless `runs` names several.
    """

    size: int  # segments
    references: Mapping[str, References]  # of each run
    metrics: Mapping[str, Metric]
    systems: Mapping[str, Mapping[str, Result]]
    statistics: Mapping[str, Mapping[str, Array]] | None = None
    ids: Sequence[str | None] | None = None  # of each segment, if they have any
    documents: Sequence[str] | None = None  # of each segment, if all have one: they are resampled as wholes
    intervals: Resampling | None = None
    runs: Members = dataclasses.field(default_factory=dict)
    corpus: Corpus | None = dataclasses.field(default=None, repr=False)  # what was scored, if it was all in memory
    left_out: Mapping[str, str] = dataclasses.field(default_factory=dict)  # metrics that could not run, and why
    more_notes: tuple[Note, ...] = ()  # on the texts, and on how the intervals came about

    def __getitem__(self, system: str) -> Mapping[str, Result]:
        return self.systems[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.systems)

    def segment_scores(self, system: str, metric: str) -> Array:
        """The score of each segment alone; NaN where it could not be scored."""
        return self.metrics[metric].score(self.kept_statistics[system][metric]).value

    def segments(self) -> pandas.DataFrame:
        """A data frame with one row a segment and system: its scores alone, NaN where it could not be scored."""
        frame = pandas_here()
        kept = self.kept_statistics  # if there are none, say so before anything else
        frames = []
        for system in kept:
            columns: dict[str, Any] = {"segment": range(self.size)}
            if self.ids:
                columns["id"] = self.ids
            if self.documents:
                columns["document"] = self.documents
            columns["system"] = system
            columns |= {label: self.segment_scores(system, label) for label in self.metrics}
            frames.append(frame.DataFrame(columns))
        whole: pandas.DataFrame = frame.concat(frames, ignore_index=True)
        return whole

    def compare(self, **settings: Any) -> Comparison:
        """Intervals, ranks and paired tests from the statistics; for the settings see `comparing`."""
        if misnamed := [note.message for note in self.more_notes if note.message.key == NO_COPIES]:
            raise PlainlyError(str(misnamed[0]))
        chosen = {"clusters": self.documents, "runs": self.runs, **comparing(self.systems, self.units, **settings)}
        if self.size <= EXACT:
            return Comparison.of(self, compare(self.kept_statistics, self.metrics, **chosen))
        drawn = blocked(self.kept_statistics, chosen.pop("clusters"))
        found = compare(drawn, self.metrics, **chosen)
        return Comparison.of(self, found, blocks_note(self.size, drawn.clustered))

    def with_intervals(self, resampling: Resampling) -> Evaluation:
        """The same scores with a confidence interval each, from the statistics; of many segments, from blocks."""
        if self.size > EXACT:
            return self.with_intervals_from(blocks_of(self.kept_statistics, self.documents), resampling)
        resampling = replace(resampling, unit="document" if self.documents else "segment")
        found = intervals_of_systems(
            self.kept_statistics, self.metrics, self.runs, clusters=self.documents, resampling=resampling
        )
        return replace(self, systems=with_estimates(self.systems, found), intervals=resampling)

    def with_intervals_from(
        self, blocks: Blocks, resampling: Resampling, documents: Sequence[str | None] = ()
    ) -> Evaluation:
        """The same with intervals from blocks, if there are enough; `documents`: of blocks of one segment."""
        more_notes = tuple(dict.fromkeys([*self.more_notes, *blocks.notes()]))
        if not blocks.enough():
            return replace(self, more_notes=more_notes)
        metrics = list(self.metrics.values())
        rows = {
            system: dict(zip(self.metrics, without_failed(metrics, tables), strict=True))
            for system, tables in blocks.rows().items()
        }
        clusters = None if None in documents else documents or None
        resampling = replace(resampling, unit="document" if clusters or blocks.clustered else "segment")
        found = intervals_of_systems(rows, self.metrics, self.runs, clusters=clusters, resampling=resampling)
        systems = with_estimates(self.systems, found)
        return replace(self, systems=systems, intervals=resampling, more_notes=more_notes)

    @property
    def units(self) -> int:
        """What is drawn for intervals and tests: documents, where all segments have one, else segments."""
        return len(set(self.documents)) if self.documents else self.size

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the numbers alone do not say."""
        truncated = [
            Note(
                message(
                    "scoring.truncated",
                    "{metric} read only the beginning of long texts, in {segments:.0f} segments of {system}",
                    metric=label,
                    system=system,
                    segments=cut,
                )
            )
            for system, results in self.systems.items()
            for label, result in results.items()
            if (cut := result.components.get("truncated"))
        ]
        return (
            *left_out_notes(self.left_out),
            *metric_notes(self.metrics.values()),
            *truncated,
            *self._notes_on_references(),
            *self.more_notes,
        )

    def _notes_on_references(self) -> Iterator[Note]:
        """What the two baselines that are references can be taken for."""
        if any(result.scored for result in self._against_references(FIRST_REFERENCE)):
            english = (
                "{system} is among the references that it is scored against: a high score is no achievement. "
                "The baseline {other} is scored against the others alone"
            )
            said = message("scoring.first-reference", english, system=FIRST_REFERENCE, other=REFERENCE)
            yield Note(said, "caution")
        against_others = self._against_references(REFERENCE)
        if against_others and not any(result.scored for result in against_others):
            english = (
                "{system} has no score against references: no segment has a second one to score the first against. "
                "The baseline {other} is scored against itself, too"
            )
            yield Note(message("scoring.lone-reference", english, system=REFERENCE, other=FIRST_REFERENCE))

    def _against_references(self, system: str) -> list[Result]:
        """The results of a system by metrics that compare with references."""
        results = self.systems.get(system, {}).items()
        return [result for label, result in results if "references" in self.metrics[label].facts.needs]

    def unscorable(self) -> dict[str, str]:
        """Metrics that scored no segment of any system because the data lack what they need, and what that is.

        Where measuring itself went wrong, the remarks of the metric say so.
        """
        return {
            label: f"no segment has the {' and '.join(needs)} it needs"
            for label, metric in self.metrics.items()
            if (needs := sorted(metric.facts.needs & {"source", "references"}))
            and not metric.remarks
            and not any(results[label].scored for results in self.systems.values())
        }

    def without(self, labels: Collection[str]) -> Evaluation:
        """The same evaluation without these metrics."""

        def kept(by_label: Mapping[str, T]) -> dict[str, T]:
            return {label: value for label, value in by_label.items() if label not in labels}

        statistics = self.statistics
        return replace(
            self,
            metrics=kept(self.metrics),
            systems={system: kept(results) for system, results in self.systems.items()},
            statistics=statistics and {system: kept(rows) for system, rows in statistics.items()},
        )

    @property
    def kept_statistics(self) -> Mapping[str, Mapping[str, Array]]:
        """The statistics; where they were not kept, an error that says how to keep them."""
        if self.statistics is None:
            raise PlainlyError("the statistics were not kept; evaluate with keep_statistics=True")
        return self.statistics

    # ---- how it looks, and where it goes

    def report(self, path: str | Path, **settings: Any) -> None:
        """Write one HTML page with tables, charts and all segments; for settings see `plainly.report.report_of`."""
        report_of = import_module("plainly.report").report_of  # a face: nothing else here looks up to one
        with writing(str(path)) as out:
            out.write(report_of(self, **settings).page)

    @property
    def data(self) -> dict[str, Any]:
        """The numbers as plain data."""
        return {
            "segments": self.size,
            "resampling": self.intervals and self.intervals.to_dict(),
            "systems": {
                system: {label: result.to_dict() for label, result in results.items()}
                for system, results in self.systems.items()
            },
            **({"in_words": words} if (words := words_of(self)) else {}),
        }

    def to_json(self, path: str | Path | None = None) -> str:
        """All but the texts as JSON, the statistics included; `path` writes it to a file too."""
        text = json.dumps(self.to_dict() | storage.behind(self), ensure_ascii=False, allow_nan=False) + "\n"
        if path is not None:
            with writing(str(path)) as out:
                out.write(text)
        return text

    @classmethod
    def from_json(cls, source: str | Path) -> Evaluation:
        """An evaluation from what `to_json` made: the text itself, or the path of the file."""
        return cls(**storage.restored(source))

    def __str__(self) -> str:
        scores = [
            f"{system}: " + ", ".join(f"{label} {result.score:.2f}" for label, result in results.items())
            for system, results in self.systems.items()
        ]
        return "\n".join([*lines_above(self.findings()), *scores])


def without_failed(metrics: Sequence[Metric], tables: Sequence[Array]) -> list[Array]:
    """The rows of each metric; of one that broke off none count: the segments before are no fair sample."""
    return [
        rows if metric.failure is None else np.zeros_like(rows) for metric, rows in zip(metrics, tables, strict=True)
    ]


def left_out_notes(left_out: Mapping[str, str]) -> list[Note]:
    """Which metrics are left out, and why."""
    notes = []
    for why in dict.fromkeys(left_out.values()):
        names = [name for name, reason in left_out.items() if reason == why]
        if len(names) > MOST_NAMED:
            english = "{count} metrics are left out, for each of them {why}: {metrics}"
            said = message("scoring.all-left-out", english, count=len(names), why=why, metrics=", ".join(names))
            notes.append(Note(said))
        else:
            english = "{metric} is left out: {why}"
            notes += [Note(message("scoring.left-out", english, metric=name, why=why)) for name in names]
    return notes


def metric_notes(metrics: Iterable[Metric]) -> list[Note]:
    """What whoever reads the scores of metrics should know, and how measuring went."""
    notes = []
    for metric in metrics:
        if metric.facts.caution:
            notes.append(Note(plain(metric.facts.caution), "caution"))
        notes += [Note(plain(remark)) for remark in metric.remarks]
    return notes


def comparing(
    systems: Iterable[str],
    units: int,
    resamples: int | None = None,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    interval: str = "percentile",
    method: TestMethod = "bootstrap",
    **settings: Any,
) -> dict[str, Any]:
    """What `plainly.inference.compare` takes, from settings in one row; others are handed on.

    Without a number of resamples, intervals have the usual one, as everywhere; tests have as many trials as
    `resamples_for` says. Systems with the name of a baseline are taken for it; they change no number of the others.
    """
    among = [system for system in systems if system in BASELINES]
    ranked = sum(system not in among for system in systems)
    drawn = RESAMPLES if resamples is None else resamples
    check_at_least("resamples", drawn, 1)
    resampling = Resampling(drawn, seed, confidence, interval)
    tests = comb(ranked, 2) if settings.get("baseline") is None else ranked - 1
    few = units if method == "bootstrap" else None
    trials = resamples_for(tests, 1 - confidence, few) if resamples is None else resamples
    return {"baselines": among, **settings, "method": method, "resampling": resampling, "trials": trials}


def concatenate(parts: Sequence[Evaluation]) -> Evaluation:
    """One evaluation of all segments of the parts, in order: the same systems scored by the same metrics."""
    first = _first(parts)
    for part in parts:
        if set(part.systems) != set(first.systems):
            raise PlainlyError(f"the parts have different systems: {_names(first)} and {_names(part)}")
        if dict(part.metrics) != dict(first.metrics):
            raise PlainlyError("the parts were scored by different metrics or settings")
    statistics = {
        run: {label: np.concatenate([part.kept_statistics[run][label] for part in parts]) for label in first.metrics}
        for run in first.kept_statistics
    }
    sums = {
        system: dict(zip(rows, add_rows(None, list(rows.values())), strict=True))
        for system, rows in statistics.items()
    }
    references = {run: References.widest([part.references[run] for part in parts]) for run in first.references}
    size = sum(part.size for part in parts)
    documents = [part.documents for part in parts]
    ids = [part.ids for part in parts]
    results = results_of(first.metrics, sums, size, references)
    whole = Evaluation(
        size=size,
        references=references,
        metrics=first.metrics,
        systems=mean_of_runs(results, members_of(results, first.runs)),
        runs=first.runs,
        statistics=statistics,
        ids=list(chain.from_iterable(names or [None] * part.size for names, part in zip(ids, parts, strict=True)))
        if any(ids)
        else None,
        documents=None if None in documents else list(chain.from_iterable(filter(None, documents))),
    )
    return whole.with_intervals(first.intervals) if first.intervals else whole


def merge(parts: Sequence[Evaluation]) -> Evaluation:
    """One evaluation of the same segments with all systems and metrics of the parts.

    Each system must have been scored by each metric in some part. The intervals are made anew, with the settings of
    the first part, so that all rest on the same resamples. Ids, documents, sources and metadata tell whether the
    segments are the same; of parts that have none of them, only the number of segments is compared.
    """
    first = _first(parts)
    metrics = {label: metric for part in parts for label, metric in part.metrics.items()}
    for part in parts:
        if part.size != first.size:
            raise PlainlyError(f"the parts have different segments: {first.size} and {part.size}")
        _check_same_segments(first, part)
        if any(metrics[label] != metric for label, metric in part.metrics.items()):
            raise PlainlyError("the parts use the same metric with different settings")
    systems: dict[str, dict[str, Result]] = {system: {} for part in parts for system in part.systems}
    statistics: dict[str, dict[str, Array]] = {}
    for part in parts:
        for run, by_label in part.kept_statistics.items():
            for label, rows in by_label.items():
                if not np.array_equal(statistics.setdefault(run, {}).setdefault(label, rows), rows, equal_nan=True):
                    raise PlainlyError(f"the parts have different statistics of {run} by {label}")
        for system in part.systems:
            systems[system] |= part.systems[system]
    for system, results in systems.items():
        missing = [label for label in metrics if label not in results]
        if missing:
            raise PlainlyError(f"{system} was not scored by {', '.join(missing)} in any part")
    whole = replace(
        first,
        metrics=metrics,
        systems={system: {label: results[label] for label in metrics} for system, results in systems.items()},
        statistics={system: {label: rows[label] for label in metrics} for system, rows in statistics.items()},
        references={run: bounds for part in parts for run, bounds in part.references.items()},
        runs={system: runs for part in parts for system, runs in part.runs.items()},
        intervals=None,
    )
    return whole.with_intervals(first.intervals) if first.intervals else whole


def first_difference(first: Sequence[Any], second: Sequence[Any]) -> int | None:
    """The place of the first segment of which two columns say different things; None if there is none."""
    for place, (one, other) in enumerate(zip(first, second, strict=True)):
        if one != other and str(one) != str(other):  # files may hold numbers as texts
            return place
    return None


def _check_same_segments(first: Evaluation, other: Evaluation) -> None:
    known = _columns(first)
    for name, column in _columns(other).items():
        place = first_difference(known[name], column) if name in known else None
        if place is not None:
            values = f"{known[name][place]!r:.60} and {column[place]!r:.60}"
            raise PlainlyError(f"the parts have different segments: the {name} of segment {place} is {values}")


def _columns(evaluation: Evaluation) -> dict[str, Sequence[Any]]:
    """What is known of the segments, but for what is known of none."""
    corpus = evaluation.corpus
    metadata = corpus.metadata if corpus is not None and corpus.metadata else []
    names = dict.fromkeys(name for record in metadata for name in record)
    columns: dict[str, Sequence[Any]] = {name: [record.get(name) for record in metadata] for name in names}
    columns["source"] = corpus.sources if corpus is not None else ()
    columns |= {"id": evaluation.ids or (), "document": evaluation.documents or ()}
    return {name: column for name, column in columns.items() if any(value is not None for value in column)}


def _first(parts: Sequence[Evaluation]) -> Evaluation:
    if not parts:
        raise PlainlyError("there is nothing to put together")
    return parts[0]


def _names(evaluation: Evaluation) -> str:
    return ", ".join(evaluation.systems)
