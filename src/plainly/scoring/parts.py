"""The files that a partition becomes: its scores, and its statistics, as Parquet."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.base.records import arrow
from plainly.corpus import Corpus
from plainly.corpus.references import References, widen
from plainly.corpus.text_checks import TextChecks
from plainly.metrics import Array, Metric
from plainly.scoring.evaluator import Measured
from plainly.scoring.row_groups import stitch
from plainly.scoring.segment_rows import SEGMENTS, put_rows

if TYPE_CHECKING:
    from plainly.scoring.jobs import Job


@dataclass
class Kept:
    """The statistics of a partition and what its segments are called. Texts are not kept."""

    segments: list[int] = field(default_factory=list)
    ids: list[str | None] = field(default_factory=list)
    documents: list[str | None] = field(default_factory=list)
    metadata: list[Mapping[str, Any]] = field(default_factory=list)
    statistics: dict[str, list[Array]] = field(default_factory=dict)
    references: dict[str, References] = field(default_factory=dict)
    checks: TextChecks = field(default_factory=TextChecks)
    _pieces: list[dict[str, list[Array]]] = field(default_factory=list)

    def add(self, corpus: Corpus, measured: Measured) -> None:
        """The next piece."""
        count = len(corpus)
        self.ids += corpus.ids or [None] * count
        self.documents += corpus.documents or [None] * count
        self.metadata += corpus.metadata or [{}] * count
        self._pieces.append(measured.statistics)
        if count:
            widen(self.references, measured.references)
        self.checks.add(corpus)

    def join(self) -> None:
        """Put the pieces together."""
        first = self._pieces[0] if self._pieces else {}
        self.statistics = {
            system: [np.concatenate([piece[system][i] for piece in self._pieces]) for i in range(len(tables))]
            for system, tables in first.items()
        }
        self._pieces.clear()


def write_scores(path: str, kept: Kept, metrics: Sequence[Metric], job: Job) -> None:
    """One row a segment and system, one column a metric; what could not be scored is null."""
    rows = SEGMENTS[job.form]
    if rows is not None:
        scores = {
            system: [metric.score(table).value.tolist() for metric, table in zip(metrics, tables, strict=True)]
            for system, tables in kept.statistics.items()
        }
        out = io.StringIO()
        put_rows(rows(out, [metric.label for metric in metrics]), kept.segments, kept.ids, scores)
        places.write_whole(path, _as_bytes(out))
        return
    columns = {
        metric.label: _interleaved([metric.score(tables[i]).value for tables in kept.statistics.values()])
        for i, metric in enumerate(metrics)
    }
    _write(path, kept, job, _numbers(columns, null_for_nan=True), {})


def write_statistics(path: str, kept: Kept, metrics: Sequence[Metric], job: Job) -> None:
    """One row a segment and system, with all columns of all metrics."""
    columns = {
        f"{metric.label}/{name}": _interleaved([tables[i][:, column] for tables in kept.statistics.values()])
        for i, metric in enumerate(metrics)
        for column, name in enumerate(metric.columns)
    }
    metadata = {
        f"@{storable(name)}": _metadata_column([one.get(name) for one in kept.metadata], kind, len(kept.statistics))
        for name, kind in job.metadata
    }
    _write(path, kept, job, _numbers(columns, null_for_nan=False), metadata)


def write_joined(path: str, parts: Sequence[str]) -> None:
    """The rows of several parts in one file, and there in one row group."""
    pyarrow, parquet = arrow()
    tables = []
    for part in parts:
        with places.open_binary(part) as stream:
            tables.append(parquet.read_table(stream, use_threads=False))
    table = pyarrow.concat_tables(tables).unify_dictionaries()
    places.write_whole(path, lambda stream: _write_table(stream, table.schema, [table]))


def write_stitched(path: str, files: Sequence[str], about: Mapping[str, Any]) -> None:
    """The row groups of several files in one file; `about` goes into its footer."""
    _, parquet = arrow()
    with places.open_binary(files[0]) as stream:
        schema = parquet.read_schema(stream)
    empty = io.BytesIO()
    _write_table(empty, schema.with_metadata({"plainly": storable(json.dumps(about, ensure_ascii=False))}), [])

    def opened() -> Iterator[IO[bytes]]:
        for file in files:
            with places.open_binary(file) as stream:
                yield stream

    places.write_whole(path, lambda stream: stitch(stream, empty.getvalue(), opened()))


def _write_table(stream: Any, schema: Any, tables: Iterable[Any]) -> None:
    _, parquet = arrow()
    with parquet.ParquetWriter(stream, schema, compression="zstd", use_dictionary=_repeated(schema)) as writer:
        for table in tables:
            writer.write_table(table)


def write_one_after_the_other(path: str, parts: Sequence[str], form: str, metrics: Sequence[Metric]) -> None:
    """The rows of several parts in one file of text, which has one header."""
    rows = SEGMENTS[form]
    out = io.StringIO()
    if rows is not None:
        rows(out, [metric.label for metric in metrics])
    header = _as_bytes(out)

    def write(stream: IO[bytes]) -> None:
        stream.write(header)
        for part in parts:
            with places.open_binary(part) as rows_of_part:
                rows_of_part.seek(len(header))
                shutil.copyfileobj(rows_of_part, stream, 1 << 20)

    places.write_whole(path, write)


def _as_bytes(text: io.StringIO) -> bytes:
    return text.getvalue().encode("utf-8", "backslashreplace")


def rows_of(path: str) -> int | None:
    """The rows of a part, which stand in the footer of a Parquet file; None if it is not there, or not whole."""
    if not path.endswith(".parquet"):
        if not places.exists(path):
            return None
        with places.open_binary(path) as stream:
            return sum(1 for _ in stream) - path.endswith(".csv")
    pyarrow, parquet = arrow()
    try:
        with places.open_binary(path) as stream:
            return int(parquet.ParquetFile(stream).metadata.num_rows)
    except (PlainlyError, pyarrow.ArrowException, OSError):
        return None


def _write(path: str, kept: Kept, job: Job, numbers: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
    pyarrow, _ = arrow()
    systems = list(kept.statistics)
    times = len(systems)
    columns: dict[str, Any] = {"segment": pyarrow.array(np.repeat(np.asarray(kept.segments, dtype=np.int64), times))}
    if job.has_ids:
        columns["id"] = _repeat(pyarrow.array(kept.ids, pyarrow.string()), times)
    if job.has_documents:
        columns["document"] = _repeat(pyarrow.array(kept.documents, pyarrow.string()), times)
    order = pyarrow.array(np.tile(np.arange(times, dtype=np.int32), len(kept.segments)))
    columns["system"] = pyarrow.DictionaryArray.from_arrays(order, pyarrow.array(systems, pyarrow.string()))
    columns |= metadata
    columns |= numbers
    table = pyarrow.table(columns).replace_schema_metadata({"plainly": "{}"})
    places.write_whole(path, lambda stream: _write_table(stream, table.schema, [table]))


def _repeat(array: Any, times: int) -> Any:
    return array if times == 1 else array.take(np.repeat(np.arange(len(array)), times))


def _interleaved(columns: Sequence[Array]) -> Array:
    """One column from one a system: the first row of each, then the second."""
    return columns[0] if len(columns) == 1 else np.stack(columns, axis=1).ravel()


def _numbers(columns: Mapping[str, Array], null_for_nan: bool) -> dict[str, Any]:
    pyarrow, _ = arrow()
    return {name: pyarrow.array(values, from_pandas=null_for_nan) for name, values in columns.items()}


def _metadata_column(values: list[Any], kind: str, times: int) -> Any:
    pyarrow, _ = arrow()
    if kind == "string":
        texts = [value if value is None or isinstance(value, str) else _as_text(value) for value in values]
        values = [text if text is None else storable(text) for text in texts]
    return _repeat(pyarrow.array(values, pyarrow.type_for_alias(kind)), times)


def _as_text(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):  # a date, a decimal number
        return str(value)


def storable(text: str) -> str:
    """The text as a column can hold it: half a character, which JSON may have, as its escape."""
    return text.encode("utf-8", "backslashreplace").decode()


def _repeated(schema: Any) -> list[str]:
    """Columns whose values are mostly the same: encoded by a dictionary. For numbers, that would only take time."""
    return [field.name for field in schema if str(field.type).startswith(("dictionary", "string"))]
