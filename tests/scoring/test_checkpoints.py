"""What a run takes up again: what it did itself, of the same rows, whole. Nothing else, whatever lies about."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus.readers import Inputs
from plainly.metrics import get
from plainly.scoring import partitions
from plainly.scoring.engines.processes import Processes
from plainly.scoring.jobs import measure_partition
from plainly.scoring.partitioned import job_for
from plainly.scoring.runs import Run, Summary

pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

METRICS = [get("compression-ratio")]
WORK = "_out.parquet.unfinished"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, count: int, kept: int) -> None:
    """Sources of 10 letters, outputs of `kept` of them: so their ratio is known."""
    Path(path).parent.mkdir(exist_ok=True)
    table = pyarrow.table({"source": ["abcdefghij"] * count, "output": ["abcdefghij"[:kept]] * count})
    parquet.write_table(table, path)


def run_of(data: str, rows: int = 5, on_error: str = "stop", statistics: str | None = None) -> Run:
    planned = partitions.plan(Inputs(data=data), on_error, rows)
    return Run(planned, job_for(planned, METRICS, on_error=on_error), "out.parquet", statistics)


def measured(run: Run, resume: bool = False) -> Summary:
    run.prepare(resume)
    with Processes(1) as engine:
        return run.measure(engine)


def scores() -> list[float]:
    found: list[float] = parquet.read_table("out.parquet")["compression-ratio"].to_pylist()
    return found


def test_leftovers_without_a_manifest_are_nobodys() -> None:
    write("a.parquet", 20, 5)
    write("b.parquet", 20, 2)
    first = run_of("a.parquet")
    measured(first)
    Path(WORK, "manifest.json").unlink()  # killed while it deleted the folder
    other = run_of("b.parquet")
    summary = measured(other)
    assert summary.restored == 0
    other.finish(summary)
    assert scores() == [0.2] * 20


def test_a_checkpoint_of_another_run_or_of_other_rows_does_not_count() -> None:
    write("a.parquet", 20, 5)
    write("b.parquet", 20, 2)
    measured(run_of("a.parquet"))
    strays = {path.name: path.read_bytes() for path in Path(WORK).glob("*/*")}
    shutil.rmtree(WORK)
    other = run_of("b.parquet")
    other.prepare(resume=False)
    (mine,) = (path for path in Path(WORK).iterdir() if path.is_dir())
    for name, content in strays.items():
        (mine / name).write_bytes(content)
    again = run_of("b.parquet")
    summary = measured(again, resume=True)
    assert summary.restored == 0
    again.finish(summary)
    assert scores() == [0.2] * 20
    # The same run, but the checkpoint of one partition under the name of another.
    Path("out.parquet").unlink()
    measured(run_of("b.parquet"))
    (mine,) = (path for path in Path(WORK).iterdir() if path.is_dir())
    shutil.copy(mine / "done-00001.json", mine / "done-00002.json")
    assert measured(run_of("b.parquet"), resume=True).restored == 15


@pytest.mark.parametrize("statistics", [None, "stats"])
def test_workers_of_a_killed_run_do_not_write_into_the_next_one(statistics: str | None) -> None:
    write("a.parquet", 20, 5)
    write("b.parquet", 20, 2)
    killed = run_of("a.parquet", statistics=statistics)
    killed.prepare(resume=False)
    late = list(killed._plan.partitions())[1:3]
    shutil.rmtree(WORK)
    run = run_of("b.parquet", statistics=statistics)
    run.prepare(resume=False)
    with Processes(1) as engine:
        summary = run.measure(engine)
        for partition in late:  # as a worker that is still there; the folder of its run may be gone
            Path(str(killed._job.checkpoints)).mkdir(parents=True, exist_ok=True)
            if killed._job.statistics:
                Path(killed._job.statistics).mkdir(parents=True, exist_ok=True)
            measure_partition(killed._job, partition)
    run.finish(summary)
    assert scores() == [0.2] * 20
    if statistics:
        sums = [parquet.read_table(path).to_pylist()[0] for path in sorted(Path("stats").glob("*.parquet"))]
        assert len({json.dumps({k: v for k, v in row.items() if k != "segment"}) for row in sums}) == 1
        assert sorted(path.name for path in Path("stats").iterdir())[0] == "manifest.json"


def test_a_file_that_can_be_read_again_moves_no_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, kept in (("a", 9), ("b", 5), ("c", 2)):
        write(f"data/{name}.parquet", 5, kept)
    real = partitions.describe

    def unwell(path: str, *columns: Any) -> Any:
        if path.endswith("a.parquet"):
            raise PlainlyError(f"cannot read {path}: Connection timed out")
        return real(path, *columns)

    monkeypatch.setattr(partitions, "describe", unwell)
    begun = run_of("data", on_error="skip")
    begun.prepare(resume=False)
    measure_partition(begun._job, next(begun._plan.partitions()))
    monkeypatch.setattr(partitions, "describe", real)
    with pytest.raises(PlainlyError, match="was begun when other files could be read; delete it"):
        run_of("data", on_error="skip").prepare(resume=True)


@pytest.mark.parametrize("content", [b"", b"PAR1", None], ids=["empty", "torn", "rows missing"])
def test_a_part_that_is_not_whole_is_done_again(content: bytes | None) -> None:
    write("a.parquet", 20, 5)
    measured(run_of("a.parquet"))
    (part,) = Path(WORK).glob("*/part-00001.parquet")
    if content is None:
        parquet.write_table(parquet.read_table(part).slice(0, 3), part)
    else:
        part.write_bytes(content)
    run = run_of("a.parquet")
    summary = measured(run, resume=True)
    assert summary.restored == 15
    run.finish(summary)
    assert scores() == [0.5] * 20


@pytest.mark.parametrize(
    "change",
    [
        lambda data: [],
        lambda data: data | {"totals": []},
        lambda data: data | {"references": []},
        lambda data: data | {"problems": [1]},
        lambda data: data | {"totals": {"output": [["nonsense"]]}},
    ],
)
def test_a_checkpoint_of_another_shape_is_done_again(change: Callable[[Any], Any]) -> None:
    write("a.parquet", 20, 5)
    measured(run_of("a.parquet"))
    (path,) = Path(WORK).glob("*/done-00001.json")
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    assert measured(run_of("a.parquet"), resume=True).restored == 15


def test_a_manifest_without_the_name_of_its_run() -> None:
    write("a.parquet", 20, 5)
    run_of("a.parquet").prepare(resume=False)
    path = Path(WORK, "manifest.json")
    for name in (None, 5, "../../elsewhere"):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"run": name}))
        with pytest.raises(PlainlyError, match=r"manifest\.json is damaged; delete _out\.parquet\.unfinished"):
            run_of("a.parquet").prepare(resume=True)


def test_the_work_folder_is_no_input() -> None:
    write("q/a.parquet", 20, 5)
    planned = partitions.plan(Inputs(data="q"), rows=5)
    run = Run(planned, job_for(planned, METRICS), "q/out.parquet")
    run.prepare(resume=False)
    measure_partition(run._job, next(planned.partitions()))
    for data in ("q", "q/*.parquet", "q/**/*.parquet"):
        assert partitions.plan(Inputs(data=data)).total == 20
    again = Run(partitions.plan(Inputs(data="q"), rows=5), job_for(planned, METRICS), "q/out.parquet")
    summary = measured(again, resume=True)
    assert (summary.restored, summary.sums.segments) == (5, 20)


def test_scores_and_statistics_need_a_folder_each() -> None:
    write("a.parquet", 20, 5)
    planned = partitions.plan(Inputs(data="a.parquet"))
    run = Run(planned, job_for(planned, METRICS), "x/", "x")
    with pytest.raises(PlainlyError, match="scores and statistics cannot both go to x; choose another folder"):
        run.prepare(resume=False)
    assert not Path("x").exists()


def test_a_file_that_changes_after_the_plan_ends_the_run() -> None:
    for on_error in ("stop", "skip"):
        write("a.parquet", 20, 5)
        run = run_of("a.parquet", on_error=on_error)
        write("a.parquet", 12, 5)
        run.prepare(resume=False)
        with Processes(1) as engine, pytest.raises(PlainlyError, match=r"a\.parquet: it has changed since the run"):
            run.measure(engine)
        shutil.rmtree(WORK)


def test_bad_rows_are_counted_where_they_are_read() -> None:
    parquet.write_table(pyarrow.table({"source": [" ", "abc"] * 50, "output": ["a"] * 100}), "a.parquet")
    run = run_of("a.parquet", rows=100, on_error="skip")
    run.prepare(resume=False)
    done = measure_partition(run._job, next(run._plan.partitions()))
    assert done.problems.counts == {"empty source": 50}
    assert done.sums.segments == 50
