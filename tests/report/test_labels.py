"""Long names beside a chart: told apart, in the room that there is, and in full where one points at them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from plainly.corpus import Corpus
from plainly.report.grids import difference_grid
from plainly.report.labels import CUT, shortened, width

Look = Callable[..., Any]
RUNS = [f"mixture-of-two-systems-number-{i}" for i in range(8)]


def test_names_that_differ_at_the_end_keep_their_ends() -> None:
    found = shortened([*RUNS, "Dress"], 140)
    assert set(found) == set(RUNS)
    assert all(label[0] == name[0] and label[-1] == name[-1] and CUT in label for name, label in found.items())


def test_names_that_differ_in_the_middle_keep_the_middle() -> None:
    names = [f"{'model-with-a-long-name' * 2}-{t}-{'and-a-long-description' * 2}" for t in ("0.0", "0.7")]
    cold, hot = (shortened(names, 140)[name] for name in names)
    assert "0.0" in cold
    assert "0.7" in hot


def test_what_fits_stays_as_it_is() -> None:
    assert shortened(["Dress", "PBMT-R", "a" * 12], 140) == {}


@given(st.lists(st.text("ab-Wi0漢", min_size=1, max_size=60), min_size=1, max_size=12, unique=True))
def test_labels_differ_and_fit(names: list[str]) -> None:
    found = shortened(names, 100)
    shown = [found.get(name, name) for name in names]
    assert len(set(shown)) == len(names)
    assert all(width(label) <= 100 for label in shown)


def test_letters_of_groups_are_never_cut() -> None:
    letters = dict.fromkeys(RUNS, "ce-gikm")
    spec = difference_grid(RUNS, {}, letters, {"better": "green"})
    axis = spec["encoding"]["y"]["axis"]
    assert axis["labelLimit"] == 0  # none: the names are short enough
    named = json.loads(axis["labelExpr"].partition("[datum")[0])
    assert all(label.endswith("  ce-gikm") for label in named.values())
    assert spec["usermeta"]["names"][named[RUNS[3]]] == RUNS[3]


def test_the_page_tells_them_apart_and_says_them_in_full(
    look: Look, tmp_path: Path, page_of: Any, demo_corpus: Corpus
) -> None:
    texts = list(demo_corpus.outputs.values())
    outputs = {name: texts[i % 2] for i, name in enumerate(RUNS)}
    path = tmp_path / "long.html"
    path.write_text(page_of(demo_corpus.with_outputs(outputs)), "utf-8")
    page = look(path)
    for chart in ("scores", "differences", "parts-sari", "length", "by-length"):
        picture = page.locator(f'[data-chart="{chart}"] .picture svg').first
        found = picture.evaluate(
            "svg => Object.fromEntries([...svg.querySelectorAll('.role-axis-label text')]"
            ".filter(text => text.querySelector('title'))"
            ".map(text => [text.firstChild.textContent, text.querySelector('title').textContent]))"
        )
        assert set(found.values()) == set(RUNS), chart
        assert all(CUT in label for label in found), chart
