"""Plans of a ranking: what is simulated unless somebody says otherwise, and which plan reaches a goal soonest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError
from plainly.findings.result import StudyResult
from plainly.ranking.pairing import PAIRINGS
from plainly.ranking.simulation import Answer, needed
from plainly.ranking.studies import PAPER, Combination, Crowd, Setting

ROUNDS = (1, 2, 4, 6, 8, 10, 12, 16, 20)
"""After so many rounds rho is taken."""
ACCURACY = 0.75
SECONDS = 15.0
"""That a judgement takes."""
PLANS = (("elo", "random"), ("elo", "balanced"), ("bradley-terry", "balanced"), ("bradley-terry", "swiss"))
"""What is compared when only a goal is given: the design of the paper first, the one with fewest judgements last."""


@dataclass(frozen=True)
class Plan:
    """One way to reach the goal: how many pairs it takes, or why they do not suffice."""

    setting: Setting
    answer: Answer | None
    why_not: str = ""


@dataclass(frozen=True, repr=False)
class Plans(StudyResult, findings="plainly.ranking.planning_findings:plan_findings"):
    """Ways to a ranking whose mean rho is the target."""

    target: float
    raters: int
    crowd: Crowd
    seconds: float
    """That a judgement takes."""
    plans: tuple[Plan, ...]

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "target_rho": self.target,
            "raters": self.raters,
            "seconds": self.seconds,
            "plans": [self._content(plan) for plan in self.plans],
        }

    def _content(self, plan: Plan) -> dict[str, Any]:
        setting = {name: value for name, value in asdict(plan.setting).items() if name != "pairs"}
        if plan.answer is None:
            return {**setting, "reached": False, "why": plan.why_not}
        hours = plan.answer.hours(self.seconds)
        return {
            **setting,
            "reached": True,
            **asdict(plan.answer),
            "judgements": plan.answer.judgements,
            "hours": hours,
            "hours_a_rater": hours / self.raters,
        }


def usual_combination(method: str) -> Combination:
    """Bradley-Terry takes every vote, Elo what most say."""
    return "votes" if method == "bradley-terry" else "majority"


def usual_pairs(texts: int, pairing: str) -> tuple[int, ...]:
    """One to twenty rounds, as far as there are pairs."""
    if texts < 2:
        raise PlainlyError(f"a simulation needs at least 3 texts, not {texts}")
    most = texts * (texts - 1) // 2 if PAIRINGS[pairing].adaptive else math.inf
    one_round = texts // 2
    return tuple(one_round * rounds for rounds in ROUNDS if one_round * rounds <= most)


def usual_crowds(combination: str, accuracies: Sequence[float] = (), votes: int | None = None) -> list[Crowd]:
    """Those of the paper; or raters of these accuracies, so many of whom judge each pair."""
    if not accuracies and not votes:
        if combination == "majority":
            return list(PAPER)
        return [replace(crowd, name=crowd.name.replace("majority of 16", "16 raters")) for crowd in PAPER]
    count = votes or 1
    who = "one rater" if count == 1 else f"{count} raters"
    return [
        Crowd("oracle" if share == 1 else f"{who}, {100 * share:g} %", share, count)
        for share in accuracies or (ACCURACY,)
    ]


@checks_arguments
def find_plans(
    setting: Setting,
    target: float,
    *,
    raters: int | None = None,
    votes: int | None = None,
    accuracy: float = ACCURACY,
    method: str | None = None,
    pairing: str | None = None,
    combination: Combination | None = None,
    seconds: float = SECONDS,
    threads: int | None = None,
    searching: Callable[[str, str], None] = lambda method, pairing: None,
) -> Plans:
    """How many pairs each plan takes; `method` and `pairing` leave those plans that have them."""
    raters = raters or votes or 1
    votes = votes or raters
    if votes > raters:
        raise PlainlyError(f"{votes} votes a pair need as many raters, not {raters}")
    crowd = Crowd(f"{votes} at {accuracy:g}", accuracy, votes)
    chosen = [plan for plan in PLANS if method in (None, plan[0]) and pairing in (None, plan[1])]
    found = []
    for by, pairs in chosen or [(method or "bradley-terry", pairing or "balanced")]:
        searching(by, pairs)
        own: dict[str, Any] = {
            "method": by,
            "pairing": pairs,
            "combination": combination or usual_combination(by),
            "pairs": (setting.texts // 2 or 1,),
        }
        found.append(_plan(replace(setting, **own), crowd, target, threads))
    if not any(plan.answer for plan in found):
        raise PlainlyError(found[-1].why_not)
    return Plans(target, raters, crowd, seconds, tuple(found))


def _plan(setting: Setting, crowd: Crowd, target: float, threads: int | None) -> Plan:
    try:
        return Plan(setting, needed(setting, crowd, target, threads=threads))
    except PlainlyError as error:
        return Plan(setting, None, error.message)
