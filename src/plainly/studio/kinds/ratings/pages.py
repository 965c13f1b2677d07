"""Who rates what, on which pages, in which order; and the attention checks among them.

Nobody sees names of systems. With one output a page, the outputs of a source lie far apart: every round has one
output of each source. Two kinds of checks can be made from the sources themselves. A copy of the source keeps its
meaning, so its meaning must be rated high. A source with its words in random order must be rated low in fluency.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from plainly.studio.kinds.base import Campaign, Item, Json
from plainly.studio.kinds.dealt import scattered
from plainly.studio.kinds.ratings import scales

LAYOUTS = {"one": False, "together": True}
"""Whether all outputs of a source stand on one page."""
CHECK = "check"
COPY = f"{CHECK}-copy"
NONSENSE = f"{CHECK}-nonsense"
FEWEST_WORDS = 5
FEWEST_CHARACTERS = 8
"""Of a language without spaces: below, the order says little."""

Page = dict[str, Any]
"""`item`, and `outputs`: system, role; of a check also text and expected."""


def tasks_for(campaign: Campaign, number: int, others: Sequence[Sequence[Json]]) -> list[Json]:
    """The pages of participant `number`, given those of everybody else who has begun."""
    draw = np.random.default_rng([campaign.seed, number])
    settings = campaign.settings
    items = [item for item in campaign.items if not is_check(item)]
    if settings["assignment"] == "shared" and number:
        items = _least_rated(items, others, settings, draw)
    pages = pages_of(items, settings, draw)
    _add_checks(pages, items, settings, draw)
    own = [_page(item, item.content["outputs"]) for item in campaign.items if is_check(item)] if pages else []
    return list(scattered(pages, own, draw))


def pages_of(items: Sequence[Item], settings: Json, draw: np.random.Generator | None = None) -> list[Page]:
    """One page an output, or one a source, in the order of the files or at random."""
    chosen = [(item, _shuffled(item.content["outputs"], draw)) for item in items]
    if LAYOUTS[settings["layout"]]:
        return [_page(item, outputs) for item, outputs in _shuffled(chosen, draw)]
    rounds = max((len(outputs) for _, outputs in chosen), default=0)
    return [
        _page(item, outputs[place : place + 1])
        for place in range(rounds)
        for item, outputs in _shuffled([each for each in chosen if len(each[1]) > place], draw)
    ]


def outputs_of(items: Sequence[Item]) -> int:
    return sum(len(item.content["outputs"]) for item in items)


def kinds_of_checks(settings: Json) -> list[str]:
    """Which checks can be made: a copy shows nothing where the source is hidden."""
    known = scales.names(settings)
    kinds = [COPY] if settings["source"] and settings["copy_scale"] in known else []
    return [*kinds, *([NONSENSE] if settings["nonsense_scale"] in known else [])]


def checks_made(outputs: int, settings: Json) -> int:
    """How many are made for so many outputs."""
    return math.ceil(settings["checks"] * outputs) if outputs else 0


def texts_of(campaign: Campaign, task: Json) -> list[str]:
    """Of the outputs of a page."""
    if all("text" in output for output in task["outputs"]):
        return [output["text"] for output in task["outputs"]]
    kept = {output["system"]: output["text"] for output in campaign.by_name[task["item"]].content["outputs"]}
    return [output["text"] if "text" in output else kept[output["system"]] for output in task["outputs"]]


def is_check(item: Item) -> bool:
    return any(output["role"] == "check" for output in item.content["outputs"])


def _page(item: Item, outputs: Sequence[Json]) -> Page:
    kept = [{name: value for name, value in output.items() if name != "text"} for output in outputs]
    return {"item": item.name, "outputs": kept}


def _shuffled(entries: Sequence[Any], draw: np.random.Generator | None) -> list[Any]:
    if draw is None:
        return list(entries)
    return [entries[place] for place in draw.permutation(len(entries))]


def _least_rated(
    items: Sequence[Item], others: Sequence[Sequence[Json]], settings: Json, draw: np.random.Generator
) -> list[Item]:
    """Sources that too few participants have, those with the fewest first; a participant gets all their outputs."""
    had = Counter(name for tasks in others for name in {task["item"] for task in tasks})
    short = [item for item in _shuffled(items, draw) if had[item.name] < settings["raters"]]
    short.sort(key=lambda item: had[item.name])
    return short[: settings["load"] or None]


def _add_checks(pages: list[Page], items: Sequence[Item], settings: Json, draw: np.random.Generator) -> None:
    """Each on a page of its own, never the first; or, where outputs stand together, on the page of its source."""
    kinds = kinds_of_checks(settings)
    wanted = checks_made(outputs_of(items), settings) if kinds else 0
    waiting = {kind: _shuffled(items, draw) for kind in kinds}
    made: list[tuple[Item, Page]] = []
    while len(made) < wanted and any(waiting.values()):
        kind = kinds[0]
        kinds = [*kinds[1:], kind]
        if waiting[kind]:
            item = waiting[kind].pop()
            check = _check(kind, item, settings, draw)
            if check is not None:
                made.append((item, check))
    if LAYOUTS[settings["layout"]]:
        by_item = {page["item"]: page["outputs"] for page in pages}
        for item, check in made:
            outputs = by_item[item.name]
            outputs.insert(int(draw.integers(len(outputs) + 1)), check)
    else:
        pages[:] = scattered(pages, [{"item": item.name, "outputs": [check]} for item, check in made], draw)


def _check(kind: str, item: Item, settings: Json, draw: np.random.Generator) -> Page | None:
    source = item.content["source"]
    whole = scales.values(settings)
    if kind == COPY:
        text, expected = source, {settings["copy_scale"]: str(scales.high_end(whole))}
    else:
        text, expected = nonsense(source, draw), {settings["nonsense_scale"]: str(scales.low_end(whole))}
    return {"system": kind, "role": "check", "text": text, "expected": expected} if text else None


def nonsense(source: str, draw: np.random.Generator) -> str:
    """The words in random order (characters, in a language without spaces); "" where there are too few."""
    words, between = source.split(), " "
    if len(words) < FEWEST_WORDS:
        words, between = list("".join(words)), ""
        if len(words) < FEWEST_CHARACTERS or source.count(" "):
            return ""
    if len(set(words)) == 1:
        return ""
    while (mixed := between.join(_shuffled(words, draw))) == between.join(words):
        pass
    return mixed
