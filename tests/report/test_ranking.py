"""The page of a ranking, in a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.cli import main
from plainly.inference import Resampling
from plainly.ranking import Judgement, Judgements, rate
from plainly.ranking.raters import agreement
from plainly.report.ranking import ranking_page

Look = Callable[..., Any]


def judgements(names: list[str], raters: int = 3, seed: int = 4) -> Judgements:
    """Later texts are harder; raters are right three times of four."""
    rng = np.random.default_rng(seed)
    items = []
    for rater in range(raters):
        for _ in range(8 * len(names)):
            i, j = (int(place) for place in rng.choice(len(names), 2, replace=False))
            harder = max(i, j) if rng.random() < 0.75 else min(i, j)
            items.append(
                Judgement(names[i], names[j], names[harder], f"rater {rater}", seconds=float(rng.integers(2, 30)))
            )
    return Judgements.of(items, "harder", names)


def page(path: Path, names: list[str], texts: dict[str, str], raters: int = 3, **settings: Any) -> Path:
    given = judgements(names, raters)
    ranking = rate(given, position=True, resamples=50)
    found = agreement(given, resampling=Resampling(resamples=50)) if raters > 1 else None
    path.write_text(ranking_page(ranking, given, found, texts, "2026-01-01", **settings), "utf-8")
    return path


NAMES = [f"t{i}" for i in range(12)]
TEXTS = {name: f"This is the text called {name}." for name in NAMES}


def test_ranks_raters_and_disputes(look: Look, tmp_path: Path) -> None:
    opened = look(page(tmp_path / "ranking.html", NAMES, TEXTS))
    assert opened.locator("figure .picture svg").count() == 2
    places = opened.locator("#texts tbody th").all_inner_texts()
    ranking = rate(judgements(NAMES), position=True, resamples=50)
    assert places == [row.text for row in ranking.by_rank()]
    assert opened.locator("#raters table").first.locator("tbody tr").count() == 3
    assert opened.locator("#disputes .segment").count() == 12
    assert "An advantage of the side shown first is not told from none" in opened.locator("#result").inner_text()


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("width", [1200, pytest.param(360, marks=pytest.mark.slow)])
def test_everybody_can_read_it(look: Look, tmp_path: Path, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    path = page(tmp_path / "ranking.html", NAMES, TEXTS)
    opened = look(path, color_scheme=scheme, viewport={"width": width, "height": 740})
    faults = [
        (fault["id"], [node["html"][:120] for node in fault["nodes"][:3]])
        for fault in axe.Axe().run(opened).response["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert faults == []
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def test_hostile_texts_and_one_rater(look: Look, hostile_texts: list[str], tmp_path: Path) -> None:
    names = ["</script><b>evil", *NAMES[1:6]]
    texts = dict(zip(names, hostile_texts, strict=False))
    opened = look(page(tmp_path / "hostile.html", names, texts, raters=1, title="<script>window.hacked=1</script>"))
    assert opened.evaluate("window.hacked === undefined")
    assert opened.locator("#raters").count() == 0
    assert names[0] in opened.locator("#texts tbody th").all_inner_texts()


def test_texts_that_cannot_be_told_apart(tmp_path: Path) -> None:
    """Two raters who contradict each other on every match: no hardest text, and no kappa to draw."""
    items = [Judgement(a, b, w, r) for r, w in (("x", "a"), ("y", "b")) for a, b in (("a", "b"),)]
    given = Judgements.of(items, "harder")
    ranking = rate(given, resamples=50)
    text = ranking_page(ranking, given, agreement(given, resampling=Resampling(resamples=50)), {}, "2026-01-01")
    assert "cannot be told apart" in text
    assert "The easiest text is" not in text


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "j.csv"
    rows = [f"{item.first},{item.second},{item.winner},{item.rater}" for item in judgements(NAMES).items]
    path.write_text("\n".join(["first,second,winner,rater", *rows]) + "\n", "utf-8")
    output = tmp_path / "r.html"
    arguments = ["ranking", "report", "--judgements", str(path), "--resamples", "50", "-o", str(output)]
    assert main([*arguments, "--winner", "harder"]) == 0
    assert "Which texts are hard to read?" in output.read_text("utf-8")
    assert "all 12 texts are connected by comparisons" in capsys.readouterr().err
    assert main(arguments) == 2  # what winning means must be said
