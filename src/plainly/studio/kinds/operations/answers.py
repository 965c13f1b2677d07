"""What a browser says of a pair, checked; and as the annotation that studies work with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown
from plainly.operations import AnnotatedPair, Group, Typology, check
from plainly.operations.typology import ERROR, SIDES
from plainly.studio.kinds.base import Item, Json

LONGEST = 10_000_000  # seconds with one pair: four months
LARGEST = 1_000_000  # a token position; no text is so long


def checked(item: Item, typology: Typology, answer: Any) -> dict[str, Any]:
    """The answer as it is kept: groups in order, three marks. Whatever cannot be is refused."""
    table = _table(answer, "an answer", {"groups", "erroneous", "done", "seconds"})
    groups = table["groups"]
    tokens = len(item.content["source"]) + len(item.content["target"])
    if not isinstance(groups, list) or len(groups) > tokens:
        raise PlainlyError("groups must be a list, with no more groups than there are words")
    for key in ("erroneous", "done"):
        if not isinstance(table[key], bool):
            raise PlainlyError(f"{key} must be true or false")
    seconds = table["seconds"]
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not 0 <= seconds <= LONGEST:
        raise PlainlyError("seconds must be a number that is not below 0")
    found = sorted((_group(group) for group in groups), key=_place)
    if table["erroneous"] and not flaggable(item, typology):
        raise PlainlyError("this pair cannot be marked as faulty")
    kept = {
        "groups": [plain(group) for group in found],
        "erroneous": table["erroneous"],
        "done": table["done"],
        "seconds": round(float(seconds), 3),
    }
    check(annotated(item, kept), typology)
    return kept


def annotated(item: Item, answer: Json, annotator: str = "") -> AnnotatedPair:
    """The pair with the groups of an answer, and the flag where it stands."""
    content = item.content
    groups = [made(group) for group in answer["groups"]]
    if answer["erroneous"]:
        groups.append(made(content["flag"]))
    source, target = (tuple(content[side]) for side in SIDES)
    return AnnotatedPair(content["id"], source, target, tuple(groups), content["origin"], annotator)


def draft(item: Item) -> dict[str, Any]:
    """Where the work on a pair begins: as an answer that is not done."""
    content = item.content
    return {"groups": content["groups"], "erroneous": content["erroneous"], "done": False, "seconds": 0}


def flaggable(item: Item, typology: Typology) -> bool:
    """Whether the pair can be marked as faulty: the labels must have the flag, and the flag a word to stand on."""
    return ERROR in typology.labels and item.content["flag"] is not None


def plain(group: Group) -> dict[str, Any]:
    """A group as JSON."""
    return {"source": list(group.source), "target": list(group.target), "label": group.label}


def made(group: Json) -> Group:
    """A group that is known to be right."""
    return Group(tuple(group["source"]), tuple(group["target"]), group["label"])


def _group(group: Any) -> Group:
    table = _table(group, "a group", {"source", "target", "label"})
    label = table["label"]
    if not isinstance(label, str):
        raise PlainlyError("the label of a group must be text")
    if label == ERROR:
        raise PlainlyError("a faulty pair is marked as a whole, not by a group")
    return Group(_positions(table["source"]), _positions(table["target"]), label)


def _positions(value: Any) -> tuple[int, ...]:
    right = isinstance(value, list) and all(
        isinstance(position, int) and not isinstance(position, bool) and abs(position) < LARGEST for position in value
    )
    if not right:
        raise PlainlyError("the words of a group are a list of whole numbers")
    return tuple(sorted(value))


def _table(value: Any, what: str, keys: set[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PlainlyError(f"{what} must be an object with {', '.join(sorted(keys))}")
    for key in value:
        if key not in keys:
            raise PlainlyError(f"{what} has no {shown(str(key))!r}; it has {', '.join(sorted(keys))}")
    for key in sorted(keys - value.keys()):
        raise PlainlyError(f"{what} lacks {key}")
    return value


def _place(group: Group) -> tuple[Any, ...]:
    """Groups in the order of the source; what is new in the target comes last."""
    return not group.source, group.source, group.target, group.label
