"""The whole of a filter: plan, measure wherever the engine runs, judge and write the rows in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from plainly.base.arguments import checks_arguments
from plainly.base.errors import Argument, BadInput, PlainlyError, Remedy, UnknownName
from plainly.base.files import refuse_overwriting
from plainly.corpus.readers.columns import layout, view
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.inputs import Inputs
from plainly.corpus.readers.records import make_record
from plainly.corpus.readers.tables import LONE, ROWS
from plainly.corpus.references import References
from plainly.filtering.duplicates import Seen
from plainly.filtering.expressions import (
    FAILED,
    PASSED,
    UNKNOWN,
    Codes,
    Condition,
    check,
    conditions,
    polars_or_advice,
    verdicts,
)
from plainly.filtering.file_rows import Rows
from plainly.filtering.measuring import Scored, Work
from plainly.filtering.ordering import in_order
from plainly.filtering.planning import Planned, planned
from plainly.filtering.samples import Items
from plainly.filtering.score_names import Names, ScoreName
from plainly.filtering.summary import Example, Summary, Tally
from plainly.filtering.writers import Writer, writing_rows
from plainly.metrics import Metric
from plainly.scoring.engines import Engine
from plainly.scoring.engines.processes import Processes
from plainly.scoring.evaluator import choose
from plainly.scoring.jobs import spec
from plainly.scoring.partitions import Partition
from plainly.scoring.problems import Problems

if TYPE_CHECKING:
    import polars

DROPPED_BY = "dropped_by"
"""The column of dropped rows that names the conditions."""
MetricsOf = Callable[[Sequence[str], set[str]], Sequence[Metric]]
Progress = Callable[[int, int | None], None]


@dataclass(frozen=True)
class Filter:
    """What is asked for. `scores` are to be written beside the rows: names, or None for none of them."""

    inputs: Inputs
    keep: Sequence[str] = ()
    unique: Sequence[str] = ()
    system: str | None = None
    scores: Sequence[str] | None = None
    output: str | None = None
    dropped: str | None = None
    examples: int = 0
    seed: int = 0
    on_error: str = "stop"


@checks_arguments
def run_filter(
    asked: Filter,
    metrics_of: MetricsOf | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Do all that is asked for: keep some pairs, write them and the others, and say what was dropped and why.

    `metrics_of` builds the metrics of these names for what the input has: "source", "references"; without it, they
    have their usual settings. `engine` says where the work is done; without it, in this process.
    """
    polars_or_advice()
    with ExitStack() as stack:
        plan = planned(asked.inputs, asked.on_error, stack)
        refuse_overwriting(asked.output, plan.files)
        refuse_overwriting(asked.dropped, plan.files)
        setting = _Setting(asked, plan, metrics_of or partial(_usual_metrics, asked.inputs.lang))
        kept = stack.enter_context(writing_rows(asked.output, plan.source, plan.kind, setting.added))
        dropped_columns = {**setting.added, DROPPED_BY: "string"}
        dropped = stack.enter_context(writing_rows(asked.dropped, plan.source, plan.kind, dropped_columns))
        judged = _Judging(setting, kept, dropped)
        for partition, scored in in_order(engine or Processes(1), setting.work, plan):
            judged.add(partition, plan.source.take(partition), scored)
            if progress:
                progress(partition.first + len(partition), plan.total)
        return judged.summary()


def _usual_metrics(lang: str, names: Sequence[str], there: set[str]) -> Sequence[Metric]:
    return choose(names, there, lang, {})[0]


class _Setting:
    """What is known before the first row is measured. Faults of the request come to light here."""

    def __init__(self, asked: Filter, plan: Planned, metrics_of: MetricsOf) -> None:
        self.asked = asked
        self.plan = plan
        source = plan.source
        self.system = _system(asked.system, plan)
        names = Names(source.columns, plan.rules.lang)
        self.conditions: list[Condition] = conditions(asked.keep, names.column_of)
        self.unique = [names.column_of(name) for name in asked.unique]
        if scores := [key for key in self.unique if key in names.scores]:
            score = scores[0].partition(":")[2]
            raise PlainlyError(f"it takes columns, not the score {score}", place=Argument("unique"))
        if not self.conditions and not self.unique:
            raise PlainlyError("nothing says what shall be kept", remedy=(Remedy("keep"), Remedy("unique")))
        in_filter = list(names.scores)
        written = in_filter if asked.scores == () else [names.score(name) for name in asked.scores or ()]
        self.names = names
        self.score_names: dict[str, ScoreName] = names.scores
        self.written = [] if asked.scores is None else written
        self.added = {self.score_names[key].plain: "double" for key in self.written}
        for column in [*self.added, *([DROPPED_BY] if asked.dropped else [])]:
            if column in source.columns:
                raise PlainlyError(f"the column {shown(column)!r} is there already; rename it in the input")
        wanted = list(dict.fromkeys(name.metric for name in self.score_names.values()))
        there = _there(_fields(plan), self.system)
        self.metrics = dict(zip(wanted, metrics_of(wanted, there), strict=True)) if wanted else {}
        for metric in self.metrics.values():
            if metric.reads_all_outputs_as_one:
                raise PlainlyError(f"{metric.label} depends on the order of the rows; no filter can use it")
        places = {name: place for place, name in enumerate(self.metrics)}
        self.work = Work(
            tuple(spec(metric) for metric in self.metrics.values()),
            tuple((places[name.metric], name.component) for name in self.score_names.values()),
            self.system,
            tuple(names.texts.values()),
            plan.rules,
            plan.systems,
            plan.has_ids,
            asked.on_error,
        )
        first = source.first()
        nothing = np.full((len(first), len(self.score_names)), np.nan)
        unscored = self.frame(first, nothing, {name: [None] * len(first) for name in names.texts.values()})
        for condition in self.conditions:
            check(condition, unscored)

    def frame(self, rows: Rows, values: NDArray[np.float64], texts: Mapping[str, Sequence[str | None]]) -> Any:
        """All that the conditions look at. What is not a number is nothing."""
        import polars

        frame = rows.frame(self.names.columns)
        series = [polars.Series(key, values[:, i]) for i, key in enumerate(self.score_names)]
        series += [polars.Series(key, texts[name], dtype=polars.String) for key, name in self.names.texts.items()]
        if frame.width == 0:
            frame = polars.DataFrame({"row": np.arange(len(rows))})
        return frame.with_columns(series).with_columns(polars.selectors.float().fill_nan(None))


class _Judging:
    """Judges rows, writes them, and counts."""

    def __init__(self, setting: _Setting, kept: Writer | None, dropped: Writer | None) -> None:
        self._setting = setting
        self._kept = kept
        self._dropped = dropped
        asked = setting.asked
        self._labels = [condition.text for condition in setting.conditions]
        if setting.unique:
            self._labels.append(f"unique {', '.join(asked.unique)}")
        self._tally: Tally | None = None
        self._numeric: list[str] = []
        self._seen = Seen()
        self._examples: list[Items[Example]] = [
            Items(asked.examples, [asked.seed, 2, number]) for number in range(len(self._labels))
        ]
        self._problems = Problems()
        for place, why, count in setting.plan.problems:
            self._problems.add(place, why, count)
        self._lost = sum(count for _, _, count in setting.plan.problems)
        self._references: set[References] = set()
        self._remarks: dict[str, None] = {}

    def add(self, partition: Partition, rows: Rows, scored: Scored) -> None:
        self._problems.merge(scored.problems)
        self._check_read(rows, scored)
        frame = self._setting.frame(rows, scored.values, scored.texts)
        good = np.ones(len(rows), dtype=bool)
        good[[*scored.bad, *rows.broken]] = False
        codes = self._codes(frame, good)
        numbers = np.flatnonzero(good)
        values = self._numbers(frame)
        assert self._tally is not None
        self._tally.add(codes[:, good], values[good])
        passed = (codes == PASSED).all(axis=0)
        self._write(self._kept, rows, np.flatnonzero(good & passed), scored, None)
        out = np.flatnonzero(good & ~passed)
        self._write(self._dropped, rows, out, scored, codes)
        self._draw(partition, rows, codes, numbers, scored)
        self._lost += len(rows) - len(numbers)
        self._references.update(scored.references)
        self._remarks |= dict.fromkeys(scored.remarks)

    def _check_read(self, rows: Rows, scored: Scored) -> None:
        """Counts rows that could be measured, but not read as a whole: in a column that no metric looks at."""
        for number, why in rows.broken.items():
            if number not in scored.bad:
                if self._setting.asked.on_error == "stop":
                    raise BadInput(why, place=rows.place(number))
                self._problems.add(str(rows.place(number)), why)

    def _codes(self, frame: polars.DataFrame, good: NDArray[np.bool_]) -> Codes:
        """What each condition says of each row: (conditions, rows)."""
        found = [verdicts(condition, frame) for condition in self._setting.conditions]
        if self._setting.unique:
            passed = np.logical_and.reduce([good, *(codes == PASSED for codes in found)])
            repeats = np.full(len(frame), PASSED, dtype=np.int8)  # of dropped rows, none counts as a repeat
            places = np.flatnonzero(passed)
            pairs = frame.select(self._setting.unique)[places.tolist()].rows()
            repeats[places[self._seen.repeated(pairs)]] = FAILED
            found.append(repeats)
        return np.stack(found)

    def _numbers(self, frame: polars.DataFrame) -> NDArray[np.float64]:
        """The scores, and the numbers among the columns that conditions look at."""
        import polars

        if self._tally is None:
            named = {column for condition in self._setting.conditions for column in condition.columns}
            self._numeric = [
                column
                for column, kind in frame.schema.items()
                if column in self._setting.score_names or (column in named and kind.is_numeric())
            ]
            labels = [column.partition(":")[2] for column in self._numeric]
            self._tally = Tally(self._labels, labels, self._setting.asked.seed)
        numbers = frame.select(polars.col(column).cast(polars.Float64) for column in self._numeric)
        return numbers.to_numpy() if self._numeric else np.empty((len(frame), 0))

    def _write(
        self, writer: Writer | None, rows: Rows, numbers: NDArray[np.int64], scored: Scored, codes: Codes | None
    ) -> None:
        if writer is None:
            return
        places = {key: place for place, key in enumerate(self._setting.score_names)}
        more: dict[str, list[Any]] = {}
        for key in self._setting.written:
            values = scored.values[numbers, places[key]].tolist()
            more[self._setting.score_names[key].plain] = [None if value != value else value for value in values]
        if codes is not None:
            more[DROPPED_BY] = [self._reasons(codes[:, number]) for number in numbers]
        if len(numbers):
            writer.write(rows, numbers.tolist(), more)

    def _reasons(self, codes: Codes) -> str:
        said = {FAILED: "", UNKNOWN: " (cannot be computed)"}
        return "; ".join(
            label + said[code] for label, code in zip(self._labels, codes.tolist(), strict=True) if code != PASSED
        )

    def _draw(self, partition: Partition, rows: Rows, codes: Codes, good: NDArray[np.int64], scored: Scored) -> None:
        if not self._setting.asked.examples:
            return
        for label, drawn, row_codes in zip(self._labels, self._examples, codes, strict=True):
            out = good[row_codes[good] != PASSED]
            for place in drawn.choose(len(out)):
                number = int(out[place])
                drawn.add(self._example(label, partition, rows, number, scored, int(row_codes[number])))

    def _example(
        self, label: str, partition: Partition, rows: Rows, number: int, scored: Scored, code: int
    ) -> Example:
        setting = self._setting
        fields = {
            name: value for name, value in rows.fields(number).items() if name not in ("id", "document", "lang")
        }
        record = make_record(rows.place(number), fields, setting.plan.rules)
        output = record.outputs.get(setting.system) if setting.system else next(iter(record.references), None)
        values = scored.values[number].tolist()
        scores = {
            name.plain: None if value != value else value
            for name, value in zip(setting.score_names.values(), values, strict=True)
        }
        return Example(label, partition.first + number + 1, record.source, output, scores, code == UNKNOWN)

    def summary(self) -> Summary:
        tally = self._tally or Tally(self._labels, [], self._setting.asked.seed)
        references = References.widest(self._references)
        return Summary(
            rows=tally.rows + self._lost,
            kept=tally.kept,
            dropped=tally.rows - tally.kept,
            left_out=self._lost,
            conditions=tally.counts(),
            quantiles=tally.quantiles(),
            sampled=tally.sampled,
            examples=tuple(example for drawn in self._examples for example in drawn.items),
            system=self._setting.system,
            seed=self._setting.asked.seed,
            signatures={m.label: m.signature(references) for m in self._setting.metrics.values()},
            problems=self._problems.counts,
            places=self._problems.places,
            remarks=tuple(self._remarks),
        )


def _system(asked: str | None, plan: Planned) -> str | None:
    """The system whose outputs are filtered; None where the references are."""
    if asked is not None:
        if asked not in plan.systems:
            raise UnknownName("system", asked, plan.systems or ["none: the file has no outputs"])
        return asked
    if len(plan.systems) > 1:
        known = shown(", ".join(plan.systems))
        raise PlainlyError(f"there are several systems: {known}", remedy=Remedy("system", shown(plan.systems[0])))
    if plan.systems:
        return plan.systems[0]
    if not layout(_fields(plan)).references:
        raise PlainlyError("there are neither outputs nor references: nothing to pair the sources with")
    return None


def _fields(plan: Planned) -> tuple[str, ...]:
    """The columns by our names."""
    lone = LONE if plan.kind in ROWS else "references"
    return tuple(name for name, _ in view(tuple(plan.source.columns), plan.rules.columns, lone))


def _there(columns: tuple[str, ...], system: str | None) -> set[str]:
    """What metrics can have. A lone reference that is taken for the output is no reference any more."""
    references = layout(columns).references
    taken = system is None and len(references) == 1 and references[0] != "references"
    return {"source"} & set(columns) | ({"references"} if references and not taken else set())
