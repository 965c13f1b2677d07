"""All papers on the data that are here: as many numbers come out as docs/replicate.md says."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from plainly.cli import main
from plainly.models.parsers import DEPENDENCIES, missing_parser
from plainly.replication import names

from ..real import BESIDE, ROOT, SHARED

PAGE = ROOT / "docs" / "replicate.md"
COUNTS = ("printed", "met", "explained", "unexplained", "unavailable")


def promised() -> dict[str, dict[str, int]]:
    """The table of the page: paper -> its counts."""
    rows = re.findall(r"^\| \[`([\w-]+)`\]\(papers/\1\.md\) \|([ \d|]+)\|$", PAGE.read_text("utf-8"), re.MULTILINE)
    return {paper: dict(zip(COUNTS, map(int, numbers.split("|")), strict=True)) for paper, numbers in rows}


def test_the_page_counts_every_paper() -> None:
    counts = promised()
    assert [*counts] == names()
    for paper, numbers in counts.items():
        assert numbers["printed"] == sum(numbers[status] for status in COUNTS[1:]), paper


@pytest.mark.slow
def test_as_many_numbers_come_out_as_the_page_says(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With public data alone: no model but those that ship, and no texts but those that `shared` has."""
    if SHARED != BESIDE:
        pytest.skip("`make data` fetches some of the data alone; the page counts with the folder ../shared")
    if missing_parser("de", {DEPENDENCIES}) is None:
        pytest.skip("a spaCy pipeline of German is here, with which more numbers come out")
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    for name in ("HF_HOME", "HF_HUB_CACHE"):
        monkeypatch.setenv(name, str(tmp_path))
    assert main(["replicate", "--all", "--format", "csv", "--quiet"]) == 0
    rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert {row["paper"]: {name: int(row[name]) for name in COUNTS} for row in rows} == promised()
