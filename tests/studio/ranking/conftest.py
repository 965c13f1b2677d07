"""A ranking campaign of made-up texts, and people who judge them by a truth that they see more or less well."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi", reason="the studio is not installed")

from plainly.studio.kinds.base import Campaign, Given, Person
from plainly.studio.kinds.ranking.kind import Ranking
from plainly.studio.texts import say

TIME = "2026-03-01T10:00:00+00:00"


@pytest.fixture
def kind() -> Ranking:
    return Ranking()


@pytest.fixture
def make(kind: Ranking, tmp_path: Path) -> Callable[..., Campaign]:
    """make(number of texts, **options): a campaign; `pairs_file` is the content of one."""

    def made(texts: int = 12, pairs_file: str = "", **options: Any) -> Campaign:
        path = tmp_path / "texts.csv"
        rows = [f"t{number},This is text number {number}." for number in range(texts)]
        path.write_text("\n".join(["id,text", *rows]) + "\n")
        files = {"texts": path}
        if pairs_file:
            files["pairs"] = tmp_path / "pairs.csv"
            files["pairs"].write_text(pairs_file)
            options.setdefault("pairs", "fixed")
        chosen = {option.name: option.default for option in kind.options} | options
        material = kind.read(files, chosen)
        return Campaign("c1", "ranking", "Which is easier?", "en", 7, material.settings, material.items)

    return made


class Crowd:
    """Participants who find t0 hardest, then t1, and so on, and err now and then."""

    def __init__(self, kind: Ranking, campaign: Campaign, seed: int = 3) -> None:
        self.kind, self.campaign = kind, campaign
        self.draw = np.random.default_rng(seed)
        self.tasks: list[list[Any]] = []
        self.given: list[Given] = []

    def judge(self, slope: float = 1.0, seconds: float = 6.0, choice: str = "", fields: Any = None) -> Person:
        """One more participant judges all they get."""
        number = len(self.tasks) + 1
        person = Person(f"P{number:03d}", number, fields or {})
        own = list(self.kind.tasks(self.campaign, number, self.tasks))
        done = 0
        while done < len(own):
            for place in range(done, len(own)):
                self.given.append(self._given(person, place, own[place], slope, seconds, choice))
            done = len(own)
            own += self.kind.more_tasks(self.campaign, number, own, self.given)
        self.tasks.append(own)
        return person

    def _given(self, person: Person, place: int, task: Any, slope: float, seconds: float, choice: str) -> Given:
        first, second = (int(task[side][1:]) for side in ("first", "second"))
        chance = 1 / (1 + np.exp(-slope * (first - second) / 2))
        said = choice or ("first" if self.draw.random() < chance else "second")
        answer = self.kind.checked(self.campaign, task, {"choice": said})
        took = round(seconds * float(self.draw.uniform(0.5, 1.5)), 3)
        return Given(person, place, task, answer, took, TIME)


@pytest.fixture
def crowd(kind: Ranking) -> Callable[..., Crowd]:
    return lambda campaign, seed=3: Crowd(kind, campaign, seed)


@pytest.fixture(params=["en", "de"])
def strict_say(request: pytest.FixtureRequest) -> Callable[..., str]:
    """Interface texts where a missing one, or one that is not filled in, is an error."""
    speaker = say(request.param)

    def said(key: str, **values: object) -> str:
        section, _, name = key.partition(".")
        assert name in speaker.section(section), key
        text = speaker(key, **values)
        assert "{" not in text, text
        return text

    said.lang = request.param  # type: ignore[attr-defined]
    return said
