"""Tasks beside those of the study: practice and checks, whose right answers are known, and tasks shown once more.

What the owner gives for practice and as checks is kept in the settings of a campaign, under `gold`: tasks of its kind
that hold all they show, each with what is `expected`, and perhaps `why`. None of it is ever an item of the study.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.messages import plural
from plainly.studio.kinds.base import Campaign, FileSlot, Json, Kind, Option
from plainly.studio.kinds.dealt import CHECK, PRACTICE, REPEAT, STUDY, Dealt

OPTIONS = (
    Option("repeats", "number", 0.0, least=0, most=0.5),
    Option("fail_after", "whole", 0, least=0, most=100),
)
"""Of every kind; their labels are the interface texts `gold.option.NAME`."""
MOST = 200
"""Practice tasks, or checks, of one campaign."""
TRIES = 2
FEWEST = 4
"""Tasks, before one of them is shown once more."""
_STREAM = 7_304_021
"""What these random choices are for: no kind uses the same stream."""


def slot(name: str, endings: tuple[str, ...], columns: Mapping[str, Sequence[str]], *needed: str) -> FileSlot:
    """For a file with practice, or with checks."""
    return FileSlot(name, endings, required=False, columns=columns, needed=needed)


def settings_of(files: Mapping[str, Path], practice: Sequence[Json], checks: Sequence[Json]) -> dict[str, Any]:
    """As campaigns keep them."""
    found = {"practice": list(practice), "checks": list(checks)}
    for name, tasks in found.items():
        if len(tasks) > MOST:
            raise PlainlyError(f"{files[name].name}: more than {MOST} tasks; people should not need so many")
    return {"gold": found} if practice or checks else {}


def notes_of(settings: Json) -> Iterator[str]:
    """What the owner should know when the files were read."""
    gold = settings.get("gold", {})
    if count := sum("expected" in task for task in gold.get("practice", ())):
        yield f"practice: {plural(count, 'answer')} to give, with feedback"
    if gold.get("checks"):
        yield f"checks: {len(gold['checks'])}, all for every participant"
    if share := settings.get("repeats"):
        yield f"repeats: {100 * share:g} % of the tasks are shown once more, in addition"


def practice_of(campaign: Campaign) -> Sequence[Json]:
    """What everybody does before the first task, once or twice."""
    tasks: Sequence[Json] = campaign.settings.get("gold", {}).get("practice", ())
    return tasks


def checks_of(campaign: Campaign) -> Sequence[Json]:
    """Those that everybody gets among the tasks."""
    tasks: Sequence[Json] = campaign.settings.get("gold", {}).get("checks", ())
    return tasks


def practice_for(kind: Kind, campaign: Campaign, number: int, attempt: int) -> list[Dealt]:
    """One try, the first or the second."""
    draw = np.random.default_rng([campaign.seed, number, _STREAM, attempt])
    return [Dealt(PRACTICE, kind.varied(task, draw)) for task in practice_of(campaign)]


def dealt(kind: Kind, campaign: Campaign, number: int, tasks: Sequence[Json], before: int, place: int) -> list[Dealt]:
    """Tasks of the study with checks and repeats among them; `before` came earlier, and the first stands at `place`.

    Checks are spread over all tasks that there will be, and never come first. What is shown once more was shown in
    the first half, and comes in the second one.
    """
    draw = np.random.default_rng([campaign.seed, number, _STREAM, TRIES + 1, before])
    checks = [Dealt(CHECK, kind.varied(task, draw)) for task in _due(kind, campaign, number, len(tasks), before)]
    chosen = _chosen(kind, campaign, tasks, draw)
    mixed = kind.mixed([Dealt(STUDY, task) for task in tasks], checks, chosen, draw)
    at = {id(one.task): place + offset for offset, one in enumerate(mixed) if one.role == STUDY}
    firsts = {id(again): at[id(task)] for task, again in chosen}
    return [
        Dealt(one.role, {**one.task, "repeats": firsts[id(one.task)]}) if one.role == REPEAT else one for one in mixed
    ]


def beside_in_all(campaign: Campaign, total: int) -> int:
    """About how many checks and repeats come with so many tasks."""
    repeats: float = campaign.settings.get("repeats", 0)
    return len(checks_of(campaign)) + round(repeats * total)


def _due(kind: Kind, campaign: Campaign, number: int, count: int, before: int) -> list[Json]:
    """The checks that belong among these tasks: each has its part of all tasks that there will be."""
    checks = checks_of(campaign)
    if not checks or not count:
        return []
    order = np.random.default_rng([campaign.seed, number, _STREAM]).permutation(len(checks))
    total = max(before + count, kind.total(campaign, before + count))
    places = [(at + 0.5) * total / len(checks) for at in range(len(checks))]
    return [checks[which] for which, at in zip(order, places, strict=True) if before <= at < before + count]


def _chosen(
    kind: Kind, campaign: Campaign, tasks: Sequence[Json], draw: np.random.Generator
) -> list[tuple[Json, Json]]:
    """Tasks of the first half, each with what is shown once more."""
    share = campaign.settings.get("repeats", 0)
    count = sum(kind.again(campaign, task) is not None for task in tasks) if share else 0
    if count < FEWEST:
        return []
    pairs = [(task, again) for task in kind.early(tasks) if (again := kind.again(campaign, task)) is not None]
    wanted = min(len(pairs), max(1, round(share * count)))
    return [pairs[at] for at in sorted(draw.permutation(len(pairs))[:wanted].tolist())]
