"""The annotation guide: how to choose among the labels of ASSETann, with examples and counter-examples.

The guide is data, one file a language beside the typology. The docs and the studio show it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from plainly.base import declarations
from plainly.base.declarations import insist, made, tables

HOME = files("plainly.operations") / "typologies"
ENGLISH = "en"
_MARKED = re.compile(r"(\[[^\]]*\])")


@dataclass(frozen=True)
class Example:
    """A source and its simplification, with words marked as `[words|label]`."""

    source: str
    target: str
    why: str = ""
    wrong: bool = False
    """Whether it shows what not to do."""
    lang: str = ""
    """Where it is not that of the guide."""


@dataclass(frozen=True)
class Entry:
    """A rule, or what is to be known of a label."""

    text: str
    points: tuple[str, ...] = ()
    """What the text ends with, one by one."""
    examples: tuple[Example, ...] = ()
    name: str = ""
    title: str = ""
    """Of a rule; a label has its own."""


@dataclass(frozen=True)
class Guide:
    """Rules for all labels, and an entry for each of them."""

    rules: tuple[Entry, ...]
    labels: Mapping[str, Entry]


@cache
def guide(lang: str = ENGLISH) -> Guide:
    """The guide in a language; in English where there is none."""
    path = HOME / f"assetann.guide.{lang}.toml"
    if not path.is_file():
        return guide(ENGLISH)
    table = declarations.read(path.read_text("utf-8"))
    rules = tuple(_entry(entry, f"rule {entry.get('name', '')}") for entry in tables(table, "rules"))
    labels = {name: _entry(entry, f"label {name}", name) for name, entry in table["labels"].items()}
    return Guide(rules, MappingProxyType(labels))


def marked(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a text of an example, each with its label; "" where there is none.

    >>> list(marked("The [cure|synonym] works."))
    [('The ', ''), ('cure', 'synonym'), (' works.', '')]
    """
    for part in filter(None, _MARKED.split(text)):
        words, _, label = part[1:-1].partition("|") if part.startswith("[") else (part, "", "")
        yield words, label


def _entry(table: Mapping[str, Any], where: str, own: str = "") -> Entry:
    examples = [made(Example, example, where) for example in table.get("examples", [])]
    whole = made(Entry, {**table, "examples": []}, where)
    return replace(whole, examples=tuple(_labelled(example, own, where) for example in examples))


def _labelled(example: Example, own: str, where: str) -> Example:
    """Words without a label have the label of the entry."""

    def written(text: str) -> str:
        insist(bool(own) or "[" not in _LABELLED.sub("", text), f"{where}: marked words without a label")
        return _MARKED.sub(lambda part: part[0] if "|" in part[0] else f"{part[0][:-1]}|{own}]", text)

    return Example(written(example.source), written(example.target), example.why, example.wrong, example.lang)


_LABELLED = re.compile(r"\[[^\]|]*\|[\w-]+\]")
