"""Where a big run may write, and what it says before the work where it may not."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plainly.scoring.runs

pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")

Plainly = Callable[..., Any]


def rows(count: int, first: int = 0, **more: Any) -> list[dict[str, Any]]:
    made = ({"source": f"the red house {i}", "reference": f"a house {i}"} for i in range(first, first + count))
    return [row | {"output": f"{row['reference']} there"} | more for row in made]


def write(path: str, records: list[dict[str, Any]], **settings: Any) -> None:
    Path(path).parent.mkdir(exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(records), path, **settings)


@pytest.fixture
def score(plainly: Plainly) -> Plainly:
    """Scores the folder `data`."""
    write("data/a.parquet", rows(5))

    def run(*options: object, data: str = "data") -> Any:
        return plainly("score", "--data", data, "--metrics", "sari", "--workers", 1, *options)

    return run


def left() -> list[str]:
    """What is there but for the data."""
    return sorted(path.name for path in Path().iterdir() if path.name != "data")


def test_no_pipe_is_replaced_by_a_file(score: Plainly) -> None:
    os.mkfifo("pipe")
    refusal = score("--per-segment", "-o", "pipe", "--format", "parquet").refusal
    assert refusal == "cannot write pipe: it is not a regular file"
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)
    assert left() == ["pipe"]


def test_a_filter_replaces_no_pipe(plainly: Plainly, score: Plainly) -> None:
    pytest.importorskip("polars", reason="needs polars")
    os.mkfifo("pipe.parquet")
    refusal = plainly("filter", "--data", "data", "--keep", "sari > 0", "-o", "pipe.parquet").refusal
    assert refusal == "cannot write pipe.parquet: it is not a regular file"
    assert stat.S_ISFIFO(Path("pipe.parquet").stat().st_mode)


@pytest.mark.parametrize(
    ("scores", "statistics"),
    [("same/", "same"), ("x.parquet", "x.parquet"), ("same/", "link"), ("same/", "same/s"), ("same/s/", "same")],
)
def test_scores_and_statistics_go_to_two_places(score: Plainly, scores: str, statistics: str) -> None:
    Path("link").symlink_to("same")
    refusal = score("--per-segment", "-o", scores, "--write-statistics", statistics).refusal
    assert refusal.endswith("are the same place, or one in the other")
    assert left() == ["link"]


@pytest.mark.parametrize(
    ("data", "options"),
    [
        ("data", ["-o", "data/out.parquet"]),
        ("data", ["-o", "data/deep/"]),
        ("data", ["-o", "way/out.parquet"]),
        ("data/*.parquet", ["-o", "data/out.parquet"]),
        ("data", ["-o", "out.parquet", "--write-statistics", "data/statistics"]),
    ],
)
def test_nothing_is_written_among_the_data(score: Plainly, data: str, options: list[str]) -> None:
    Path("way").symlink_to("data")
    assert f"is among the data of this run ({data})" in score("--per-segment", *options, data=data).refusal
    assert [path.name for path in Path("data").iterdir()] == ["a.parquet"]


def test_a_filter_writes_nothing_among_the_data(plainly: Plainly, score: Plainly) -> None:
    pytest.importorskip("polars", reason="needs polars")
    refusal = plainly("filter", "--data", "data", "--keep", "sari > 0", "-o", "data/out.parquet").refusal
    assert refusal == "-o data/out.parquet is among the data of this run (data); choose another place"


def test_beside_the_data_there_is_room(score: Plainly) -> None:
    assert score("--per-segment", "-o", "data/_out.parquet", "--write-statistics", "data2").printed
    assert score("--per-segment", "-o", "data/out.parquet", data="data/a.parquet").printed


def test_endings_in_capitals_count_and_other_files_are_named(score: Plainly) -> None:
    write("data/b.PARQUET", rows(3, 5))
    write("data/c.parq", rows(2, 8))
    for hidden in (".crc", "_SUCCESS"):
        Path("data", hidden).write_text("")
    done = score("--format", "json")
    assert done.json["segments"] == 8
    assert "note: passed over, as they do not end in .parquet: data/c.parq (1)\n" in done.err
    assert "passed over" not in score("--quiet").err


@pytest.mark.parametrize("option", ["--scheduler", "--slurm"])
def test_an_empty_name_of_a_cluster_is_refused(plainly: Plainly, score: Plainly, option: str) -> None:
    given = ["score", "--data", "data", "--metrics", "sari", option]
    assert plainly(*given, "").refusal == f"{option} is empty; say where the cluster is, or leave it out"


def test_parquet_does_not_go_to_standard_output(score: Plainly) -> None:
    refusal = score("--per-segment", "-o", "-", "--format", "parquet").refusal
    assert refusal == "Parquet does not go to standard output; say -o FILE.parquet"
    assert left() == []


@pytest.mark.parametrize(
    "options", [["-o", "s.parquet"], ["-o", "s/"], ["-o", "s.parquet", "--write-statistics", "t"]]
)
def test_where_nothing_is_left_nothing_stays(score: Plainly, options: list[str]) -> None:
    write("data/a.parquet", rows(5, source=" "))
    refusal = score("--per-segment", "--on-error", "skip", *options).refusal
    assert refusal == "nothing is left to score: empty source (5)"
    assert left() == []


def test_a_broken_row_group_names_its_rows_and_the_way_out(score: Plainly) -> None:
    write("data/b.parquet", rows(300), row_group_size=100, compression="none", use_dictionary=False)
    path = Path("data/b.parquet")
    column = parquet.ParquetFile(path).metadata.row_group(1).column(0)
    damaged = bytearray(path.read_bytes())
    start, size = column.data_page_offset, column.total_compressed_size
    damaged[start : start + size] = b"\xff" * size
    path.write_bytes(damaged)
    for data in ("data", "data/b.parquet"):  # the first rows of the first file are looked at when the run is planned
        refusal = score(data=data).refusal
        assert refusal.startswith("data/b.parquet: rows 101 to 200: broken Parquet file: ")
        assert refusal.endswith("; say --on-error skip to leave such rows out")


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda: write("data/b.parquet", rows(3, genre="news")), "files"),
        (lambda: Path("data/b.parquet").write_bytes(b"PAR1 and no more"), "files"),
        (lambda: write("data/b.parquet", rows(3, source=" ")), "rows"),
        (lambda: write("data/a.parquet", rows(3, source=" ")), "rows"),
    ],
)
def test_whatever_ends_a_run_by_bad_input_the_way_out_is_named(
    score: Plainly, spoil: Callable[[], None], what: str
) -> None:
    spoil()
    assert score().refusal.endswith(f"; say --on-error skip to leave such {what} out")
    if what == "files":
        assert score("--on-error", "skip").printed


def test_of_a_single_file_that_is_broken_nothing_would_be_left(score: Plainly) -> None:
    Path("data/a.parquet").write_bytes(b"no Parquet")
    assert score().refusal == "data/a.parquet is not a Parquet file"


@pytest.mark.parametrize("options", [["--per-segment", "-o", "s.parquet"], ["--write-statistics", "t"], []])
def test_whoever_stops_a_run_hears_how_it_goes_on(
    score: Plainly, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C is a signal to this process, at the moment when a partition is done."""
    measure = plainly.scoring.runs.measure_partition

    def interrupted(*arguments: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return measure(*arguments)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs tests may have it ignored
    try:
        with monkeypatch.context() as patched:
            patched.setattr("plainly.scoring.runs.measure_partition", interrupted)
            stopped = score(*options)
    finally:
        signal.signal(signal.SIGINT, before)
    advice = "; say --resume to go on" if options else ""
    assert (stopped.status, stopped.err) == (130, f"plainly: stopped{advice}\n")
    if options:
        assert score("--resume", *options).printed


def test_who_resumes_with_other_options_hears_which(score: Plainly) -> None:
    write("data/b.parquet", rows(3, source=" "))
    begun = ["--per-segment", "-o", "s.parquet"]
    assert "empty source" in score(*begun).refusal
    other = score(*begun, "--resume", "--baselines", "identity", "--empty-reference", "keep").refusal
    assert "was begun with other options (what an empty reference means, the baselines); delete it" in other
    write("data/b.parquet", rows(4, 5))
    changed = score(*begun, "--resume").refusal
    assert f"with other files, or they were changed since ({Path('data/b.parquet').absolute()}); " in changed


def test_a_merger_that_refuses_leaves_nothing(plainly: Plainly, score: Plainly) -> None:
    assert score("--write-statistics", "one").printed
    assert score("--write-statistics", "two").printed
    assert "twice" in plainly("statistics", "merge", "one", "two", "-o", "both").refusal
    assert left() == ["one", "two"]
