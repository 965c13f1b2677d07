"""Pairs whose annotation is known, for practice and as checks; and how far two annotations of a pair are the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainly.base.errors import Place, PlainlyError
from plainly.corpus.readers.files import MAX_RECORD, LineFile, open_input, shown
from plainly.corpus.readers.jsonl import parse_object
from plainly.operations import AnnotatedPair, Typology
from plainly.operations.typology import ERROR
from plainly.studio.kinds.base import Campaign, FileSlot, Item, Json
from plainly.studio.kinds.dashboards import Say
from plainly.studio.kinds.operations.pairs import FILE, NOTHING, PAIRS, Wanted, is_annotated, read_pairs

ENDINGS = (".jsonl", ".ndjson", ".csv", ".tsv")
PRACTICE = FileSlot("practice", ENDINGS, required=False, columns=PAIRS.columns)
CHECKS = FileSlot("checks", ENDINGS, required=False, columns=PAIRS.columns)
LONGEST_WHY = 2000


def read_known(path: Path, slot: FileSlot, wanted: Wanted, item: Callable[[AnnotatedPair], Item]) -> list[Json]:
    """Tasks with what they expect: the groups of annotated pairs; nothing, where both texts are the same."""
    annotated = is_annotated(path)
    columns = {PAIRS.name: wanted.columns.get(slot.name, {})}
    pairs, _ = read_pairs(
        {PAIRS.name: path}, replace(wanted, start=FILE if annotated else NOTHING, columns=columns, there=0)
    )
    reasons = _reasons(path) if annotated else {}
    for pair in pairs:
        if not annotated and pair.source != pair.target:
            raise PlainlyError(
                f"{path.name}: pair {shown(pair.id)}: nothing is known of it: give annotated pairs (JSONL), or texts "
                "that are the same on both sides, where nothing may be marked"
            )
    return [_task(item(pair), reasons.get((pair.id, pair.origin), "")) for pair in pairs]


def item_of(campaign: Campaign, task: Json) -> Item:
    """The pair of a task: one of the campaign's, or one that stands in the task."""
    return Item(task["pair"], task["content"]) if "content" in task else campaign.by_name[task["pair"]]


def same(one: Json, other: Json) -> float:
    """How far two annotations agree: the F score of their groups, with the same words and the same label.

    A pair that is faulty for one only is another matter altogether.
    """
    if one["erroneous"] != other["erroneous"]:
        return 0.0
    groups = [{_key(group) for group in each["groups"]} for each in (one, other)]
    count = sum(map(len, groups))
    return 2 * len(groups[0] & groups[1]) / count if count else 1.0


def said(task: Json, typology: Typology, bundled: bool, say: Say) -> str:
    """What is expected, a line for each group."""
    expected, content = task["expected"], task["content"]

    def title(label: str) -> str:
        return say(f"operations.label.{label}") if bundled else typology.get(label).title

    lines = [title(ERROR)] if expected["erroneous"] else []
    for group in expected["groups"]:
        words = (
            " ".join(content[side][place] for place in group[side]) or say("operations.nothing")
            for side in ("source", "target")
        )
        lines.append(f"{' → '.join(words)}: {title(group['label'])}")
    return "\n".join(lines) or say("operations.nothing")


def _task(item: Item, why: str) -> Json:
    expected = {"groups": item.content["groups"], "erroneous": item.content["erroneous"]}
    content = {**item.content, "groups": [], "erroneous": False}
    return {"pair": item.name, "content": content, "expected": expected, "why": why}


def _reasons(path: Path) -> dict[tuple[str, str], str]:
    """Why pairs are annotated so, by id and origin."""
    found = {}
    with open_input(str(path)) as file:
        for number, line in enumerate(LineFile(file, MAX_RECORD), 1):
            row: Mapping[str, Any] = parse_object(Place(file.name, number), line)
            why = row.get("why", "")
            if not isinstance(why, str) or len(why) > LONGEST_WHY:
                raise PlainlyError(f"{path.name}:{number}: why must be text of {LONGEST_WHY:,} characters at most")
            found[str(row["id"]), str(row.get("origin", ""))] = why
    return found


def _key(group: Json) -> tuple[Sequence[int], Sequence[int], str]:
    return tuple(group["source"]), tuple(group["target"]), group["label"]
