"""Declarative entries: the table of a TOML or YAML file becomes a dataclass, and every key is checked."""

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

DEEPEST = 20  # tables and lists in each other: no entry needs more, and YAML takes long over thousands
MOST_PARTS = 100_000
"""Of a YAML text, counted as it is read: no description that people write comes near."""


class Fault(Exception):
    """Something in an entry is not as it must be; `line` says where, if it is known."""

    def __init__(self, complaint: str, line: int | None = None) -> None:
        super().__init__(complaint)
        self.line = line


class Table(dict[str, Any]):
    """A table that knows the line on which it begins, and those of its keys."""

    line = 1

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}


def read(text: str) -> dict[str, Any]:
    """The table that a TOML text holds."""
    try:
        table: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Fault(str(error)) from error
    return table


def read_yaml(text: str) -> Any:
    """What a YAML text holds: plain data, every table a `Table`. References and keys given twice are refused."""
    import yaml

    try:
        depth = 0
        for number, event in enumerate(yaml.parse(text, Loader=yaml.SafeLoader)):
            line = event.start_mark.line + 1
            if number > MOST_PARTS:  # each takes a while
                raise Fault(f"more than {MOST_PARTS:,} lists, tables and values", line)
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise Fault("nested too deep", line)
            if isinstance(event, yaml.AliasEvent):  # a few of them in a row make gigabytes
                raise Fault(f"no references here, such as *{event.anchor}", line)
        return _built(yaml.compose(text, Loader=yaml.SafeLoader), yaml.SafeLoader(""))
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark
        raise Fault(error.problem or "this is no YAML", at.line + 1 if at else None) from None
    except yaml.YAMLError as error:  # a character that YAML does not allow
        raise Fault(" ".join(str(error).split())) from None


def _built(node: Any, loader: Any) -> Any:
    """The data of a node. Scalars are made by the loader, as `yaml.safe_load` makes them."""
    import yaml

    if node is None:
        return None
    line = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        return [_built(item, loader) for item in node.value]
    if isinstance(node, yaml.ScalarNode):
        try:
            return loader.construct_object(node)
        except ValueError as error:  # a date that does not exist, a number of thousands of digits
            raise Fault(str(error), line) from None
    table = Table()
    table.line = line
    for key, value in node.value:
        name = _built(key, loader)
        at = key.start_mark.line + 1
        if not isinstance(name, str):
            raise Fault(f"the key {key.value!r} must be a text", at)
        if name in table:
            raise Fault(f"{name!r} is there twice", at)
        table[name] = _built(value, loader)
        table.lines[name] = at
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
            spare = field.default is not MISSING or field.default_factory is not MISSING
            insist(spare, f"{where}: {name} is missing")
            continue
        value = tuple(table[name]) if isinstance(table[name], list) else table[name]
        expected = _KINDS.get(str(field.type), (object,))
        mistaken = isinstance(value, bool) and int in expected  # to Python, true is a whole number
        called = "a list of texts" if str(field.type) == "tuple[str, ...]" else f"of type {field.type}"
        insist(isinstance(value, expected) and not mistaken, f"{where}: {name} must be {called}")
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
