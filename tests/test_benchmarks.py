"""What `make bench` writes and says; and that the pictures of docs/speed.md show the figures of its file."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]  # the benchmarks, and what makes the pages

import speed_page  # noqa: E402
from benchmarks.results import BUSY, RESULTS, Results, changes, read, results, section, write  # noqa: E402
from benchmarks.rows import Row, Times  # noqa: E402


def rows(ours: float, theirs: float, size: int) -> list[Row]:
    return [Row("SARI", Times(ours, 9.0), "a peer", Times(theirs, 9.0)), Row("alone", Times(ours), segments=size)]


def run(ours: float, theirs: float = 10.0, yardstick: float = 1.0, data: str = "some", size: int = 10) -> Results:
    return results({"scores": section(rows(ours, theirs, size), was_busy=True, yardstick=yardstick)}, data)


def test_the_file_holds_plain_data_and_no_wall_clock_of_a_busy_machine(tmp_path: Path) -> None:
    write(tmp_path / "r.json", run(2.0))
    found = read(tmp_path / "r.json")["sections"]["scores"]
    assert found["clock"] == BUSY
    assert found["rows"] == [
        {"what": "SARI", "ours": {"processor": 2.0}, "peer": "a peer", "theirs": {"processor": 10.0}, "ratio": 5.0},
        {"what": "alone", "ours": {"processor": 2.0}, "segments": 10},
    ]
    idle = section([Row("SARI", Times(2.0, 1.5))], was_busy=False, yardstick=1.0)
    assert idle["rows"] == [{"what": "SARI", "ours": {"processor": 2.0, "wall": 1.5}}]


def test_sections_of_the_same_machine_and_data_stay_in_the_file() -> None:
    again = {"gaming": section([], was_busy=True, yardstick=1.0)}
    assert list(results(again, "some", run(2.0))["sections"]) == ["scores", "gaming"]
    assert list(results(again, "others", run(2.0))["sections"]) == ["gaming"]


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (run(2.4), []),  # 20 % slower, within 25 %
        (run(2.6), ["SARI, a peer: 30% slower", "alone, 10: 30% slower"]),
        (run(4.0, theirs=20.0, yardstick=2.0), []),  # the machine is half as fast: no ratio changed
        (run(4.0, theirs=20.0), ["alone, 10: 100% slower"]),
        (run(1.0), []),
        (run(2.0, theirs=5.0, yardstick=0.5), []),  # the others took less time, not plainly more
        (run(2.0, size=11), []),  # another figure
    ],
)
def test_what_became_slower_is_said_by_ratio(now: Results, said: list[str]) -> None:
    found = changes("scores", run(2.0), now, tolerance=0.25)
    if said:
        assert [line.partition(" slower")[0] + " slower" for line in found] == [f"scores: {line}" for line in said]
    else:
        assert found[0].startswith("scores: nothing became slower by more than 25% since")


def test_a_recorded_peer_is_no_yardstick() -> None:
    def beside(theirs: float) -> Results:
        row = Row("SARI", Times(2.0), "a peer", Times(theirs), recorded=True)
        return results({"scores": section([row], was_busy=True, yardstick=1.0)}, "some")

    assert changes("scores", beside(20.0), beside(10.0))[0].startswith("scores: nothing became slower")


def test_runs_of_other_data_are_not_compared() -> None:
    assert changes("scores", run(2.0), run(9.0, data="others"))[0].endswith("another data")
    assert changes("scores", None, run(9.0)) == ["scores: there is nothing to compare with"]


def test_the_committed_file_names_its_machine_and_no_host_or_path() -> None:
    found = read(RESULTS)
    assert sorted(found["machine"]) == ["cores", "processor", "python"]
    assert not re.search(r"/\w+/|localhost", json.dumps(found))
    assert {"scores", "growth"} <= set(found["sections"])
    assert all(part["commit"] for part in found["sections"].values())


@pytest.mark.parametrize("name", speed_page.PICTURES)
def test_pictures_show_the_figures_of_the_file(name: str) -> None:
    """Fonts move letters by a hair from machine to machine, so only words and numbers count."""
    pytest.importorskip("vl_convert")
    kept = (ROOT / "docs" / "pictures" / f"{name}.svg").read_text("utf-8")
    assert _shown(kept) == _shown(speed_page.PICTURES[name]()), "stale; run: python docs/generate.py --examples"


def _shown(svg: str) -> tuple[list[str], list[str]]:
    marks = re.findall(r'aria-roledescription="(?:point|bar)[^>]*? d="([^"]*)"|aria-label="([^"]*)"', svg)
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg), [label for _, label in marks]
