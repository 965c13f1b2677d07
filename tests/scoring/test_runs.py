"""Runs in parts: any cut into partitions, any order and any engine give the same bits."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainly.base import places
from plainly.corpus.readers import Inputs
from plainly.metrics import get
from plainly.scoring import evaluate
from plainly.scoring.engines import Item, Made
from plainly.scoring.engines.processes import Processes
from plainly.scoring.jobs import Done, measure_partition
from plainly.scoring.partitioned import evaluation_of, job_for
from plainly.scoring.partitions import Partition, plan
from plainly.scoring.problems import MOST, OTHER, Problems
from plainly.scoring.runs import Run, Summary

pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

METRICS = [get("sari"), get("bleu"), get("levenshtein-similarity"), get("chrf")]
TEXT = "when rain fell on the dusty village square children ran out and danced until evening came"
COUNT = 203


class Shuffled:
    """An engine that does everything here, in an order of its own."""

    workers = 1

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)

    def run(self, work: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        waiting = list(items)
        self._draw.shuffle(waiting)
        return map(work, waiting)

    def __enter__(self) -> Shuffled:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        pass


def texts(i: int) -> tuple[str, str, str]:
    words = TEXT.split()
    some = [words[(i * step + i) % len(words)] for step in range(1, 14)]
    return f"{' '.join(some)} {i}", " ".join(some[: 4 + i % 7]), " ".join(some[i % 4 :])


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("data") / "pairs.parquet")
    columns = list(zip(*map(texts, range(COUNT)), strict=True))
    table = pyarrow.table(dict(zip(["source", "reference", "output"], columns, strict=True)))
    parquet.write_table(table, path, row_group_size=29)
    return path


def summary_of(data: str, rows: int, engine: Any) -> Summary:
    planned = plan(Inputs(data=data), rows=rows)
    run = Run(planned, job_for(planned, METRICS, ["identity"]))
    run.prepare(resume=False)
    return run.measure(engine)


def bits(summary: Summary) -> dict[str, list[list[str]]]:
    return {system: [total.to_json() for total in totals] for system, totals in summary.sums.totals.items()}


@pytest.fixture(scope="module")
def whole(data: str) -> Summary:
    """Measured here, in one part."""
    return summary_of(data, COUNT, Processes(1))


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.integers(1, COUNT + 1), seed=st.integers(0, 99))
def test_any_cut_and_any_order_give_the_same_bits(data: str, whole: Summary, rows: int, seed: int) -> None:
    parts = summary_of(data, rows, Shuffled(seed))
    assert bits(parts) == bits(whole)
    assert parts.sums.segments == whole.sums.segments == COUNT
    for system, blocks in whole.blocks.rows().items():
        for mine, its in zip(parts.blocks.rows()[system], blocks, strict=True):
            assert mine.tobytes() == its.tobytes()


def test_the_numbers_are_those_of_evaluate(data: str) -> None:
    sources, references, outputs = zip(*map(texts, range(COUNT)), strict=True)
    expected = evaluate(sources, outputs, [[text] for text in references], metrics=METRICS, baselines=["identity"])
    with Processes(2) as engine:
        summary = summary_of(data, 50, engine)
    found = evaluation_of(summary, METRICS, expected.intervals)
    assert found.systems == expected.systems


class Counting(Shuffled):
    """An engine that counts its items, and stops after some of them."""

    def __init__(self, most: int) -> None:
        super().__init__(seed=1)
        self.items: list[Any] = []
        self._most = most

    def run(self, work: Callable[[Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        for item in items:
            if len(self.items) == self._most:
                raise KeyboardInterrupt
            self.items.append(item)
            yield work(item)


@pytest.mark.parametrize("kind", ["file", "folder"])
@pytest.mark.parametrize("where", ["here", "elsewhere"])
def test_what_is_done_is_not_done_again(data: str, whole: Summary, tmp_path: Path, kind: str, where: str) -> None:
    folder = str(tmp_path)
    if where == "elsewhere":
        pytest.importorskip("fsspec", reason="needs plainly[cluster]")
        folder = f"memory:/{tmp_path}"
    scores, statistics = (f"{folder}/{name}" for name in ("scores/" if kind == "folder" else "s.parquet", "stats"))
    planned = plan(Inputs(data=data), rows=20)
    job = job_for(planned, METRICS)
    first = Run(planned, job, scores, statistics)
    first.prepare(resume=False)
    with pytest.raises(KeyboardInterrupt):
        first.measure(Counting(4))
    second = Run(planned, job, scores, statistics)
    second.prepare(resume=True)
    engine = Counting(99)
    summary = second.measure(engine)
    groups = [tuple(range(8)), (8, 9, 10)] if kind == "file" else []  # parts whose rows stand together in the file
    assert [item.number for item in engine.items[:7]] == list(range(4, 11))
    assert engine.items[7:] == groups
    assert summary.restored == 80
    assert summary.rows == summary.sums.segments == COUNT
    second.finish(summary)
    work = f"{scores}_unfinished" if kind == "folder" else f"{folder}/_s.parquet.unfinished"
    assert not places.exists(work)
    assert not places.exists(f"{statistics}/_unfinished")
    assert [path.rpartition("/")[2] for path in places.listed(statistics, ".parquet")] == [
        f"part-{number:05}.parquet" for number in range(11)
    ]
    assert bits(summary)["output"] == bits(whole)["output"]


def test_what_is_done_survives_json(data: str) -> None:
    planned = plan(Inputs(data=data))
    job = job_for(planned, METRICS)
    done = measure_partition(job, next(planned.partitions()))
    again = Done.from_json(done.to_json())
    assert again.to_json() == done.to_json()
    assert again.sums.totals == done.sums.totals
    assert all((a == b).all() for a, b in zip(again.blocks["output"], done.blocks["output"], strict=True))


def test_partitions_cover_every_row_once(tmp_path: Path) -> None:
    for name, count in (("a", 5), ("b", 0), ("c", 7)):
        table = pyarrow.table({"source": [f"{name} {i}" for i in range(count)], "output": ["x"] * count})
        table = table.cast(pyarrow.schema([("source", pyarrow.string()), ("output", pyarrow.string())]))
        parquet.write_table(table, tmp_path / f"{name}.parquet")
    planned = plan(Inputs(data=str(tmp_path)), rows=3)
    found = [(Path(p.path).stem, p.number, p.first, p.start, p.stop) for p in planned.partitions()]
    assert found == [("a", 0, 0, 0, 3), ("a", 1, 3, 3, 5), ("c", 2, 5, 0, 3), ("c", 3, 8, 3, 6), ("c", 4, 11, 6, 7)]
    assert planned.total == 12
    assert str(Partition(0, 0, "x.parquet", 3, 5)) == "x.parquet: rows 4 to 5"


def test_problems_are_counted_by_reason_with_the_first_places() -> None:
    problems = Problems()
    for i in range(8):
        problems.add(f"f: row {i + 1}", "bad")
    other = Problems()
    other.add("g", "a whole file", 70)
    other.add("f: row 99", "bad")
    problems.merge(other)
    assert problems.counts == {"bad": 9, "a whole file": 70}
    assert problems.places == {"bad": [f"f: row {i}" for i in range(1, 6)], "a whole file": ["g"]}
    assert Problems.from_json(problems.to_json()).to_json() == problems.to_json()
    for i in range(2 * MOST):
        problems.add("h", f"reason {i}")
    assert len(problems.counts) == MOST + 1
    assert problems.counts[OTHER] == MOST + 2
