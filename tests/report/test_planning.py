"""The plan of a study as a page, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.ranking.simulation import Simulation, simulate
from plainly.ranking.studies import PAPER, Setting
from plainly.report.planning import planning_page

Look = Callable[..., Any]


@pytest.fixture(scope="module")
def found() -> Simulation:
    return simulate(Setting(texts=10, pairs=(5, 10, 40), runs=20))


@pytest.fixture(scope="module")
def page(found: Simulation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("planning") / "plan.html"
    path.write_text(planning_page(found, 15.0, "2026-01-01"), "utf-8")
    return path


def test_one_line_a_crowd(look: Look, page: Path) -> None:
    opened = look(page)
    assert opened.locator("figure .picture svg").count() == 1
    legend = opened.locator("figure .legend li").all_inner_texts()
    assert [name.strip() for name in legend] == [crowd.name for crowd in PAPER]
    axes = opened.locator("figure .picture svg").text_content()
    assert "pairs judged" in axes
    assert "minutes a rater (dashed)" in axes


def test_the_chart_draws_the_points_of_the_simulation(look: Look, page: Path, found: Simulation) -> None:
    opened = look(page)
    opened.locator(".tools summary").first.click()
    opened.get_by_role("button", name="Show data").first.click()
    rows = opened.locator("figure .tools tbody tr").all_inner_texts()
    last = found.curve("oracle")[-1]
    (row,) = [row.split() for row in rows if row.split()[:2] == ["oracle", "40"]]
    assert [float(cell.replace("−", "-")) for cell in row[2:]] == pytest.approx(
        [last.rho.value, last.rho.low, last.rho.high, last.sd, 10.0], rel=1e-5
    )


def test_says_how_it_was_made(look: Look, page: Path) -> None:
    said = look(page).locator("#method").inner_text()
    assert "10 texts, rated by elo from random pairs" in said
    assert "20 runs, seed 12345" in said


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_it(look: Look, faults_of: Callable[..., list[str]], page: Path, scheme: str) -> None:
    opened = look(page, color_scheme=scheme, viewport={"width": 360, "height": 740})
    assert faults_of(opened, serious=True) == []
