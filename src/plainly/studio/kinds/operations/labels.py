"""The labels of a campaign: a typology as JSON and back, and the key that gives each label."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import lru_cache
from string import ascii_lowercase, digits
from types import MappingProxyType
from typing import Any

from plainly.operations import Label, Typology
from plainly.operations.guide import Entry, guide, marked
from plainly.operations.typology import ERROR
from plainly.studio.kinds.base import Json

COMMANDS = frozenset("deglnu")
"""Keys of the page: done, erroneous, guide, list, next and undo."""
HUES = 12
"""Colours of labels; with more labels they begin anew. The words beside them tell them apart."""


def plain(typology: Typology) -> dict[str, Any]:
    """As it is kept; YAML of it is a typology file again."""
    labels = [{key: value for key, value in asdict(label).items() if value} for label in typology.labels.values()]
    return {
        "name": typology.name,
        "lang": typology.lang,
        "labels": [label | {"shapes": list(label["shapes"])} for label in labels],
    }


def typology_of(settings: Json) -> Typology:
    """The typology of a campaign. Every answer needs it: it is made once."""
    return _typology(json.dumps(settings["typology"]))


@lru_cache(maxsize=32)
def _typology(written: str) -> Typology:
    content = json.loads(written)
    labels = [Label(**{**label, "shapes": tuple(label["shapes"])}) for label in content["labels"]]
    return Typology(content["name"], content["lang"], MappingProxyType({label.name: label for label in labels}))


def keys(typology: Typology) -> dict[str, str]:
    """The key of each label: a letter of its name where that is free. Labels of different sides may share one.

    Labels that stand on one side only choose first: the others need a key that is free in several places.
    A label gets none when all letters and digits are taken; it is still in the menu.
    """
    found: dict[str, str] = {}
    for name in sorted(typology.operations, key=lambda name: len(typology.labels[name].shapes)):
        label = typology.labels[name]
        taken = COMMANDS | {
            key for other, key in found.items() if set(typology.labels[other].shapes) & set(label.shapes)
        }
        wanted = f"{found.get(label.counterpart, '')}{name.lower()}{label.title.lower()}{ascii_lowercase}{digits}"
        free = (key for key in wanted if key in ascii_lowercase + digits and key not in taken)
        found[name] = next(free, "")
    return found


def shown(typology: Typology, *, bundled: bool) -> list[dict[str, Any]]:
    """The operations as the page needs them. What the bundled ones mean is among the interface texts."""
    by_name = keys(typology)
    return [
        {
            "name": name,
            "short": label.yawat,
            "shapes": list(label.shapes),
            "key": by_name[name],
            "hue": place % HUES,
            **({} if bundled else meaning(label)),
        }
        for place, name in enumerate(typology.operations)
        for label in [typology.labels[name]]
    ]


def public(settings: Json) -> dict[str, Any]:
    """What pages need to know of labels, and how the two texts stand."""
    typology, bundled = typology_of(settings), settings["bundled"]
    return {
        "layout": settings["layout"],
        "labels": shown(typology, bundled=bundled),
        "bundled": bundled,
        "label_lang": typology.lang,
        "flag": {"name": ERROR, **meaning(flag)} if (flag := typology.labels.get(ERROR)) else None,
    }


def guided(lang: str) -> dict[str, Any]:
    """The annotation guide; texts of examples as parts, each with the label of its words or ""."""
    found = guide(lang)
    return {
        "rules": [_entry(rule) for rule in found.rules],
        "labels": {n: _entry(e) for n, e in found.labels.items()},
    }


def _entry(entry: Entry) -> dict[str, Any]:
    examples = [
        {
            "before": list(marked(example.source)),
            "after": list(marked(example.target)),
            **{name: getattr(example, name) for name in ("why", "wrong", "lang")},
        }
        for example in entry.examples
    ]
    return {"title": entry.title, "text": entry.text, "points": list(entry.points), "examples": examples}


def meaning(label: Label) -> dict[str, str]:
    """What the guide says of a label, in the words of its typology."""
    return {
        "title": label.title,
        "definition": label.definition,
        "before": label.example_source,
        "after": label.example_target,
    }
