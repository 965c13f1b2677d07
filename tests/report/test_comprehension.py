"""The page of answers of readers, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainly.cli import main
from plainly.comprehension.analysis import Analysis, analyse
from plainly.comprehension.formats import write_records
from plainly.comprehension.records import gathered
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated
from plainly.report.comprehension import comprehension_page

Look = Callable[..., Any]


def analysis() -> Analysis:
    experiment = made_up_experiment()
    answers = simulated(experiment, 40, Effects(difference=0.2, unfinished=0.2), seed=2).answers
    return analyse(gathered(answers, experiment), experiment, by=["age:45"], resamples=50)


def page(path: Path, found: Analysis, **settings: Any) -> Path:
    path.write_text(comprehension_page(found, "2026-01-01", **settings), "utf-8")
    return path


def test_scores_tests_groups_and_questions(look: Look, tmp_path: Path) -> None:
    found = analysis()
    opened = look(page(tmp_path / "c.html", found))
    assert opened.locator("figure .picture svg").count() == 4  # three scores, and the map of questions
    assert opened.locator("#texts table").first.locator("tbody tr").count() == 8
    assert (
        opened.locator("#texts table").nth(1).locator("tbody tr").count() == 10
    )  # both hypotheses, 4 passages and all
    assert opened.locator("#groups tbody tr").count() == len(found.groups["age:45"])
    assert opened.locator("#questions tbody tr").count() == 36
    assert found.hypotheses[0].verdict in opened.locator("#result").inner_text()
    counts = opened.locator("#method tbody tr").all_inner_texts()
    assert counts[0].split() == ["read", str(found.counts.answers)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_everybody_can_read_it(look: Look, tmp_path: Path, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    opened = look(
        page(tmp_path / "c.html", analysis()), color_scheme=scheme, viewport={"width": width, "height": 740}
    )
    faults = [
        (fault["id"], [node["html"][:120] for node in fault["nodes"][:3]])
        for fault in axe.Axe().run(opened).response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert faults == []
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_names(tmp_path: Path) -> None:
    evil = "</script><script>window.hacked=1</script>"
    answers = [
        replace(answer, question=evil, passage=evil, participant=f"{number}")
        for number, answer in enumerate(simulated(made_up_experiment(), 12, seed=1).answers)
    ]
    text = page(tmp_path / "c.html", analyse(gathered(answers), resamples=20), title=evil).read_text("utf-8")
    assert evil not in text


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_records(simulated(made_up_experiment(), 20, seed=1).answers, tmp_path / "a.csv")
    arguments = ["comprehension", "report", str(tmp_path / "a.csv"), "--resamples", "20"]
    assert main([*arguments, "--title", "Storms", "-o", str(tmp_path / "r.html")]) == 0
    assert "<title>Storms</title>" in (tmp_path / "r.html").read_text("utf-8")
    assert main([*arguments, "--by", "shoe", "-o", str(tmp_path / "other.html")]) == 2
    assert "unknown column" in capsys.readouterr().err
    assert not (tmp_path / "other.html").exists()
