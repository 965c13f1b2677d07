"""What a long run shows on a terminal, and nowhere else."""

from __future__ import annotations

import sys
import time

import pytest

from plainly.base.messages import plain
from plainly.cli.engines import RowsProgress, duration
from plainly.cli.printing import WorkLine


def test_rows_rate_and_time_left(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progress = RowsProgress(quiet=False)
    now[0] += 10
    progress(50_000, 1_000_000, restored=30_000)
    progress.end()
    # By hand: 20,000 new rows in 10 s are 2,000 a second; 950,000 rows take 475 s, about 8 minutes.
    assert capsys.readouterr().err == "\r50,000 of 1,000,000 rows (5%), 2,000 a second, 8 min left\n"
    progress(50_000, None)
    assert capsys.readouterr().err == "\r50,000 rows, 5,000 a second"


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str], quiet: bool) -> None:
    progress = RowsProgress(quiet)
    progress(5, 10)
    progress.end()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 s"), (59.4, "59 s"), (61, "1 min"), (3599, "1 h 0 min"), (7500, "2 h 5 min")]
)
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_long_work_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: lines where another tenth of 3,000 is done, none for the last one; short work has its name alone."""
    for quiet, lines in ((False, ["tagging ...", "300 of 3,000", "900 of 3,000", "sorting ..."]), (True, [])):
        work = WorkLine(quiet)
        work.stage(plain("tagging"))
        for done in (256, 300, 400, 900, 3000):
            work.progress(done, 3000)
        work.stage(plain("sorting"))
        work.progress(5, 10)
        work.end()
        assert capsys.readouterr().err.splitlines() == lines


def test_long_work_on_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    work = WorkLine(quiet=False)
    work.stage(plain("tagging"))
    work.progress(1500, 3000)
    work.end()
    assert capsys.readouterr().err == f"tagging ...\n\r[{'#' * 15}{'.' * 15}] 50%\n"
