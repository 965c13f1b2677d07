"""Declarative entries: the table of a TOML file becomes a dataclass, and every key is checked."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, TypeVar

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T", bound="DataclassInstance")


class Fault(Exception):
    """Something in an entry is not as it must be."""


def read(text: str) -> dict[str, Any]:
    """The table that a TOML text holds."""
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Fault(str(error)) from error
    return table


def made(kind: type[T], table: Any, where: str) -> T:
    """A dataclass from a table with the same keys; refuses missing and unknown keys and wrong types."""
    insist(isinstance(table, Mapping), f"{where} is missing")
    facts = {field.name: field for field in fields(kind)}
    for name in table:
        insist(name in facts, f"{where}: unknown key {name!r}")
    values = {}
    for name, field in facts.items():
        if name not in table:
            insist(field.default is not MISSING, f"{where}: {name} is missing")
            continue
        value = tuple(table[name]) if isinstance(table[name], list) else table[name]
        expected = _KINDS.get(str(field.type), (object,))
        mistaken = isinstance(value, bool) and int in expected  # to Python, true is a whole number
        insist(isinstance(value, expected) and not mistaken, f"{where}: {name} must be of type {field.type}")
        if str(field.type) == "tuple[str, ...]":
            insist(all(isinstance(item, str) for item in value), f"{where}: {name} must hold texts")
        insist(value != "" or field.default == "", f"{where}: {name} is empty")
        values[name] = value
    return kind(**values)


_KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "tuple[str, ...]": (tuple,),
}


def tables(table: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """The list of tables under a key."""
    value = table.get(key)
    insist(isinstance(value, list) and all(isinstance(item, dict) for item in value), f"{key} are missing")
    found: list[Mapping[str, Any]] = value or []
    return found


def insist(right: bool, complaint: str) -> None:
    """The complaint, unless all is right."""
    if not right:
        raise Fault(complaint)
