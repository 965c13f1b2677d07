"""What a filter says of conditions that it cannot compute: its own words, with the condition and what helps."""

from __future__ import annotations

import datetime
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
pytest.importorskip("polars", reason="needs polars")

COMMAND = str(Path(sys.executable).parent / "plainly")
Plainly = Callable[..., Any]
SECRET = "The confidential text of a source."


@pytest.fixture
def keep(plainly: Plainly) -> Plainly:
    """Filters a small file by a condition."""
    table = {
        "id": ["a", "b"],
        "source": [SECRET, "A longer text stands here."],
        "output": ["A text.", "A text stands here."],
        "year": ["2010", "n/a"],
        "date": [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)],
        "pages": [1, 2],
        "tags": [["x"], ["y"]],
        "Genre": ["news", "web"],
    }
    parquet.write_table(pyarrow.table(table), "in.parquet")

    def run(condition: str) -> Any:
        return plainly("filter", "--data", "in.parquet", "--dry-run", "--workers", 1, "--keep", condition)

    return run


MISMATCHED = "these values do not go together: "
MISSING = "something is missing or in the wrong place; a condition is like sari > 30 or genre in ('news', 'web')"


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("year > 2000", f"{MISMATCHED}year holds texts; say try_cast(year as int) to compare with numbers"),
        ("year > pages", f"{MISMATCHED}year holds texts, pages holds numbers; say try_cast(year as int) to compare"),
        ("source + 1 > 2", f"{MISMATCHED}source holds texts; say try_cast(source as int)"),
        ("pages like 'a%'", f"{MISMATCHED}pages holds numbers; say cast(pages as text) to compare with texts"),
        ("lower(pages) = 'a'", f"{MISMATCHED}pages holds numbers; say cast(pages as text)"),
        (
            "date > '2020-06-01'",
            f"{MISMATCHED}date holds dates or times; say cast(date as text) to compare with a text",
        ),
        ("tags = 'x'", f"{MISMATCHED}tags holds lists or the like, which no filter can use"),
        (
            "cast(year as int) > 3",
            "not every value there can be converted; with try_cast in place of cast, the others",
        ),
        ("cast(source as int) > 3", "not every value there can be converted; with try_cast in place of cast"),
        ("regexp_like(source, '(')", "this is no regular expression"),
        ("round() > 1", "a function has too many arguments, or too few"),
        ("length(source, 1, 2) > 1", "a function has too many arguments, or too few"),
        ("source is", MISSING),
        ("pages >", MISSING),
        ("pages in ()", MISSING),
        ("pages between 1", MISSING),
        ("case when pages > 1 then 2", MISSING),
        ("not", MISSING),
    ],
)
def test_a_condition_that_cannot_be_computed(keep: Plainly, condition: str, words: str) -> None:
    refusal = keep(condition).refusal
    assert refusal.startswith(f"--keep: {condition}: {words}")
    for foreign in ("column:", "dtype", "Expr", "python", "String", SECRET):
        assert foreign not in refusal


@pytest.mark.parametrize(
    "condition",
    ["try_cast(year as int) > 2000", "cast(date as text) > '2020-06-01'", "cast(pages as text) = '2'"],
)
def test_the_advice_works(keep: Plainly, condition: str) -> None:
    assert " kept 1 50.00 " in " ".join(keep(condition).printed.split())


@pytest.mark.parametrize(("name", "meant"), [("ID", "id"), ("YEAR", "year"), ("genre", "Genre"), ("DATES", "date")])
def test_names_are_guessed_whatever_their_case(keep: Plainly, name: str, meant: str) -> None:
    assert keep(f"{name} = 'a'").refusal == f"unknown name in the filter {name!r}; did you mean {meant!r}?"


@pytest.mark.parametrize(("mark", "place"), [("--", 11), ("/*", 11)])
def test_comments_are_refused_as_such(keep: Plainly, mark: str, place: int) -> None:
    refusal = keep(f"pages > 1 {mark} a remark").refusal
    assert refusal == f"--keep: character {place}: {mark}: a filter has no comments"
    assert keep(f"source <> 'a {mark} b'").printed


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl"])
def test_a_full_disk_names_the_file(name: str) -> None:
    """A limit on the size of files stands for a disk that is full."""
    texts = [f"{i * 7919 % 10007} words" for i in range(3000)]
    parquet.write_table(pyarrow.table({"source": texts, "output": texts}), "in.parquet")
    command = [
        COMMAND,
        "filter",
        "--data",
        "in.parquet",
        "--keep",
        "length(source) > 1",
        "-o",
        name,
        "--workers",
        "1",
    ]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=_limited)
    assert (done.returncode, done.stderr) == (2, f"plainly: cannot write {name}: File too large\n")
    assert [path.name for path in Path().iterdir()] == ["in.parquet"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_named(plainly: Plainly, files: list[str]) -> None:
    assert plainly("score", *files, "--metrics", "sari", "--write-statistics", "kept").printed
    refusal = plainly("statistics", "score", "kept", "-o", "/dev/full").refusal
    assert refusal == "cannot write /dev/full: No space left on device"
