"""The four kinds of campaigns: what owners give, what participants press, and what the command line says of it."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from plainly.studio.kinds.ranking.results import RESAMPLES
from plainly.studio.texts import say

from ..comprehension.conftest import EXPERIMENT
from ..ratings.conftest import lines

SEEN = """() => {
  const { screen } = document.body.dataset;
  return [screen, document.getElementById('count').textContent, document.querySelector('#task h1')?.textContent];
}"""
CHANGED = f"before => JSON.stringify(({SEEN})()) !== before"


class Study(ABC):
    """One kind, as the people around it see it."""

    kind: str
    slot: str
    file: str
    content: str
    beside = 0
    """Steps of each participant that are no answers."""

    @abstractmethod
    def press(self, page: Any, who: int, number: int) -> None:
        """The keys for what is on the screen; participants differ."""

    @abstractmethod
    def compare(self, folder: Path, results: dict[str, Any], run: Any) -> None:
        """The numbers of the dashboard are those of the command line; `run` calls it and reads its JSON."""

    def answer(self, page: Any, who: int, most: int = 200) -> None:
        """Works through all tasks, or some, by keyboard alone."""
        for number in range(most):
            page.wait_for_function("() => ['task', 'finished'].includes(document.body.dataset.screen)")
            before = page.evaluate(SEEN)
            if before[0] == "finished":
                return
            self.press(page, who, number)
            page.wait_for_function(CHANGED, arg=json.dumps(before, separators=(",", ":"), ensure_ascii=False))


class Ranking(Study):
    kind, slot, file = "ranking", "texts", "texts.csv"
    content = (
        "id,text\n"
        "t1,The cat sat on the mat.\n"
        't2,"Notwithstanding its domesticity, the feline reposed."\n'
        "t3,Rain fell all day.\n"
        "t4,Precipitation persisted throughout the diurnal period.\n"
    )

    def press(self, page: Any, who: int, number: int) -> None:
        """One likes short texts, the other short words: whatever pairs are drawn, they agree on all but t2 and t4."""

        def mind(text: str) -> tuple[int, int]:
            return 0 if who == 0 else max(map(len, text.split())), len(text)

        first, second = (page.locator(f"#text-{side}").inner_text() for side in ("first", "second"))
        page.keyboard.press("ArrowLeft" if mind(first) < mind(second) else "ArrowRight")

    def compare(self, folder: Path, results: dict[str, Any], run: Any) -> None:
        files = ["--judgements", str(folder / "judgements.csv"), "--texts", str(folder / "texts.jsonl")]
        files += ["--resamples", str(RESAMPLES)]
        rated = run("ranking", "rate", *files)
        agreed = run("ranking", "agreement", *files)
        assert results["signatures"] == [rated["signature"], agreed["signature"]]
        expected = [[row[name] for name in ("text", "rating", "rank", "score", "matches")] for row in rated["texts"]]
        assert [row[:5] for row in results["tables"][0]["rows"]] == expected
        alpha = agreed["groups"][0]["alpha"]
        assert [alpha[key] for key in ("value", "low", "high")] in [
            [one["value"], one["low"], one["high"]] for one in results["figures"]
        ]


class Operations(Study):
    kind, slot, file = "operations", "pairs", "pairs.csv"
    content = (
        "id,source,simplification\n"
        "a,The feline slept because it was tired.,The cat slept. It was tired.\n"
        "b,She was elected in May.,People elected her in May.\n"
    )
    MARKS = (
        ("ArrowRight", "Space", "Tab", "ArrowRight", "Space", "s"),
        ("Space", "Tab", "Space", "s"),
    )
    """One word of either text, and a synonym; the words of the second participant are others."""

    def press(self, page: Any, who: int, number: int) -> None:
        page.locator(".operations .word").first.wait_for()
        for key in (*self.MARKS[who if number == 0 else 0], "d"):
            page.keyboard.press(key)

    def compare(self, folder: Path, results: dict[str, Any], run: Any) -> None:
        agreed = run("operations", "agreement", "--annotations", str(folder / "annotations.jsonl"))
        kappas = {row["side"]: row["davies_fleiss"] for row in agreed["overall"] if row["variant"] == "labels"}
        for side in ("source", "target"):
            label = say("en")("operations.summary.fleiss", side=say("en")(f"operations.summary.side.{side}"))
            (shown,) = (one for one in results["figures"] if one["label"] == label)
            assert shown["value"] == kappas[side]["value"]


class Comprehension(Study):
    kind, slot, file = "comprehension", "experiment", "storms.yaml"
    content = EXPERIMENT
    beside = 6  # of two passages: ready, read, ready

    def press(self, page: Any, who: int, number: int) -> None:
        page.locator("#task :is(.ready, .reading, .question)").wait_for()
        if page.locator(".question").count():
            page.keyboard.press("ABCD"[(number + who) % 4])
        if page.locator(".reading").count():
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")

    def compare(self, folder: Path, results: dict[str, Any], run: Any) -> None:
        files = [str(folder / "answers.csv"), "--experiment", str(folder / "experiment.yaml")]
        scored = run("comprehension", "score", *files)
        assert results["signatures"] == [scored["signature"]]
        shown = [row[7]["value"] for row in results["tables"][0]["rows"]]
        assert shown == [row["scores"]["c-score-simple"]["value"] for row in scored["texts"]]


class Ratings(Study):
    kind, slot, file = "ratings", "outputs", "outputs.jsonl"
    content = lines(2)

    def press(self, page: Any, who: int, number: int) -> None:
        page.locator(".ratings").wait_for()
        for scale in range(3):
            page.keyboard.press(str(1 + (number + who * scale) % 5))
        page.keyboard.press("Enter")

    def compare(self, folder: Path, results: dict[str, Any], run: Any) -> None:
        scored = run("ratings", "score", str(folder / "ratings.csv"))
        assert results["signatures"] == [scored["signature"]]
        shown = {(row[0], row[1]): row[7] for row in results["tables"][0]["rows"]}
        assert shown == {(row["scale"], row["system"]): row["mean"] for row in scored["systems"]}


STUDIES: tuple[Study, ...] = (Ranking(), Operations(), Comprehension(), Ratings())
