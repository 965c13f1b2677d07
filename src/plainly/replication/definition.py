"""What a benchmark file says: which systems on which test sets, by which metrics, and what was printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.resources import files as resources
from math import isfinite
from pathlib import Path
from typing import Any

from plainly.base.declarations import Fault, insist, made, read, tables
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus import catalogue
from plainly.metrics import metric_class
from plainly.text.languages import get_language
from plainly.text.tokenizers import get_tokenizer

FIRST_REFERENCE = "first-reference"  # scored against all references, itself among them, as EASSE's reports do
SPECIAL = ("identity", "truncate", FIRST_REFERENCE)


@dataclass(frozen=True)
class Column:
    """A column of a table: a metric, or one of its components, and settings that are not those of the table."""

    metric: str
    component: str = ""
    tokenizer: str = ""
    model: str = ""
    cause: str = ""  # why its numbers may differ from printed ones


@dataclass(frozen=True)
class Row:
    """A system on a test set. What is empty is as the table says."""

    system: str
    name: str = ""
    test_set: str = ""
    lang: str = ""
    tokenizer: str = ""
    printed: tuple[str, ...] = ()  # one number a column, as printed; "" where there is none
    cause: str = ""
    restricted: bool = False  # the texts of the test set are not public


@dataclass(frozen=True)
class Table:
    """A table: its rows, and the settings that they share."""

    name: str
    columns: tuple[str, ...]
    test_set: str = ""
    lang: str = "en"
    tokenizer: str = "13a"
    lowercase: bool = True
    note: str = ""
    rows: tuple[Row, ...] = ()  # none: all systems of the test set, and the baselines


@dataclass(frozen=True)
class Files:
    """A test set that is not in the catalogue: its files, relative to the benchmark file."""

    references: tuple[str, ...] = ()
    sources: str = ""
    systems: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Benchmark:
    """Tables to compute."""

    title: str
    columns: Mapping[str, Column]
    tables: tuple[Table, ...]
    about: str = ""
    paper: str = ""
    test_sets: Mapping[str, Files] = field(default_factory=dict)
    folder: Path = Path()


def names() -> list[str]:
    """The benchmarks that come with plainly."""
    return sorted(_bundled())


def load(name: str) -> Benchmark:
    """The bundled benchmark of that name, or the one that a TOML file describes."""
    path = Path(name) if name.endswith(".toml") else _bundled().get(name)
    if path is None:
        raise UnknownName("benchmark", name, names())
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PlainlyError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        benchmark = replace(_benchmark(read(text)), folder=path.parent)
        _check_names(benchmark)
        return benchmark
    except Fault as error:
        raise PlainlyError(f"{path}: {error}") from error


def _bundled() -> dict[str, Path]:
    folder = Path(str(resources("plainly.replication") / "definitions"))
    return {path.stem: path for path in folder.glob("*.toml")}


def _benchmark(table: dict[str, Any]) -> Benchmark:
    columns = {
        title: made(Column, entry, f"column {title}") for title, entry in _named(table.pop("columns", {}), "columns")
    }
    sets = {
        name: made(Files, entry, f"test set {name}") for name, entry in _named(table.pop("test_sets", {}), "sets")
    }
    listed = [_table(entry, i, columns) for i, entry in enumerate(tables(table, "tables"), 1)]
    table.pop("tables")
    benchmark = made(Benchmark, {**table, "columns": columns, "test_sets": sets, "tables": listed}, "benchmark")
    insist(bool(columns) and bool(listed), "there are no columns or no tables")
    return benchmark


def _named(entries: Any, what: str) -> list[tuple[str, Any]]:
    insist(isinstance(entries, dict), f"{what} must be tables with names")
    return list(entries.items())


def _table(entry: Mapping[str, Any], number: int, columns: Mapping[str, Column]) -> Table:
    where = f"table {entry.get('name', number)}"
    rows = tuple(made(Row, row, f"{where}, row {i}") for i, row in enumerate(entry.get("rows", []), 1))
    table = made(Table, {**entry, "rows": list(rows)}, where)
    for title in table.columns:
        insist(title in columns, f"{where}: there is no column {title!r}")
    for row in rows:
        insist(bool(row.test_set or table.test_set), f"{where}: {row.system} has no test set")
        insist(
            len(row.printed) in (0, len(table.columns)),
            f"{where}: {row.system} has {len(row.printed)} printed numbers for {len(table.columns)} columns",
        )
        for text in row.printed:
            insist(text == "" or _is_number(text), f"{where}: {row.system}: {text!r} is not a number")
    insist(bool(rows or table.test_set), f"{where}: neither rows nor a test set")
    return table


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False


def _check_names(benchmark: Benchmark) -> None:
    """Every metric, tokeniser, language, test set and system that plainly can know must be spelt right."""
    for title, column in benchmark.columns.items():
        with _at(f"column {title}"):
            metric_class(column.metric.partition(":")[0])
    for table in benchmark.tables:
        for row in table.rows or (Row(""),):
            with _at(f"table {table.name}" + (f", {row.system}" if row.system else "")):
                get_language(row.lang or table.lang)
                get_tokenizer(row.tokenizer or table.tokenizer)
                _check_system(benchmark, row, row.test_set or table.test_set)


@contextmanager
def _at(where: str) -> Iterator[None]:
    try:
        yield
    except PlainlyError as error:
        raise Fault(f"{where}: {error}") from error


def _check_system(benchmark: Benchmark, row: Row, test_set: str) -> None:
    own = benchmark.test_sets.get(test_set)
    if own is None and test_set not in catalogue.names() and not row.restricted:
        raise UnknownName("test set", test_set, [*benchmark.test_sets, *catalogue.names()])
    if own is not None and row.system and row.system not in (systems := [*own.systems, *SPECIAL]):
        raise UnknownName("system", row.system, systems)
