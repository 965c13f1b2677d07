"""Which operations there are: typologies as data, the bundled one and those of users, from YAML files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Literal, get_args

from plainly.base.declarations import Fault, Table, insist, made, tables
from plainly.base.errors import UnknownName
from plainly.corpus.readers.descriptions import read_description

Side = Literal["source", "target"]
"""One text of a pair."""
Shape = Literal["source", "target", "both"]
"""On which sides an operation has tokens."""

SIDES: tuple[Side, ...] = get_args(Side)
SHAPES: tuple[Shape, ...] = get_args(Shape)
COMPUTATIONAL = ("add", "delete", "replace", "move", "none")
LINGUISTIC = ("lexical", "syntactic", "other")
ERROR = "err"
ANY = "any"
WORDS = ("and", "or", "not", ANY)
"""What expressions are made of besides names; see `plainly.operations.expressions`."""


@dataclass(frozen=True)
class Label:
    """One operation: where it may stand, what kind of change it is, and what it means."""

    name: str
    title: str
    shapes: tuple[Shape, ...]
    computational: str
    linguistic: str
    yawat: str
    definition: str
    example_source: str
    example_target: str
    counterpart: str = ""
    """The label that the same change has on the other side; `repair` puts it there."""
    unmapped: bool = False
    """Whether no one computational operation stands for it; `computational` then says where it is counted."""


@dataclass(frozen=True)
class Typology:
    """All labels of an annotation scheme, in their order. `error` flags a whole pair and is no operation."""

    name: str
    lang: str
    labels: Mapping[str, Label]
    error: ClassVar[str] = ERROR

    def get(self, name: str) -> Label:
        """The label of that name."""
        if name not in self.labels:
            raise UnknownName("label", name, self.labels, {label.yawat: label.name for label in self.labels.values()})
        return self.labels[name]

    @property
    def names(self) -> tuple[str, ...]:
        """All labels, with the flag."""
        return tuple(self.labels)

    @property
    def operations(self) -> tuple[str, ...]:
        """All labels that stand for operations: without the flag."""
        return tuple(name for name in self.labels if name != self.error)

    @property
    def abbreviations(self) -> dict[str, str]:
        """What YAWAT shows -> the label."""
        return {label.yawat: label.name for label in self.labels.values()}

    def of_class(self, name: str, *, move_is_replacement: bool = True) -> tuple[str, ...]:
        """The operations of a computational or linguistic class, in the order of the typology.

        Moved words are replacements in the counts of Cardon et al. (2022), and an operation of their own in their
        definitions. Both readings are here; "move" always gives the moves alone.
        """
        if name not in (*COMPUTATIONAL, *LINGUISTIC):
            raise UnknownName("class of operations", name, (*COMPUTATIONAL, *LINGUISTIC))
        classes = {name, "move"} if name == "replace" and move_is_replacement else {name}
        return tuple(
            operation
            for operation in self.operations
            if classes & {self.labels[operation].computational, self.labels[operation].linguistic}
        )


@cache
def assetann() -> Typology:
    """The 26 operations of Cardon et al. (2022), and the flag for faulty simplifications."""
    return load_typology(str(resources("plainly.operations") / "typologies" / "assetann.yaml"))


def load_typology(path: Path | str) -> Typology:
    """The typology that a YAML file describes; every key is checked."""
    return read_description(path, _typology)


@dataclass(frozen=True)
class _Head:
    """What a typology says of itself."""

    name: str
    lang: str


def _typology(table: Any) -> Typology:
    insist(isinstance(table, Table), "a typology is a table with the keys name, lang and labels")
    head = made(_Head, {key: value for key, value in table.items() if key != "labels"}, "typology")
    entries = tables(table, "labels")
    insist(bool(entries), "labels are missing")
    labels: dict[str, Label] = {}
    for entry in entries:
        with _on_its_line(entry):
            label = _label(entry)
            insist(label.name not in labels, f"label {label.name!r} is there twice")
            labels[label.name] = label
    for entry in entries:
        with _on_its_line(entry):
            _check_other_names(labels[entry["name"]], labels)
    return Typology(head.name, head.lang, MappingProxyType(labels))


def _label(entry: Mapping[str, Any]) -> Label:
    label = made(Label, entry, f"label {entry.get('name', '')!r}")
    insist(bool(_NAME.fullmatch(label.name)), f"{label.name!r} is no name of a label: letters, digits, _ and - only")
    insist(label.name not in WORDS, f"{label.name!r} cannot name a label: it is a word of expressions")
    taken = label.name in (*COMPUTATIONAL, *LINGUISTIC) and not label.name == label.computational == "move"
    insist(not taken, f"{label.name!r} cannot name a label: it is a class of labels")
    insist(bool(_NAME.fullmatch(label.yawat)), f"{label.name}: yawat has letters, digits, _ and - only")
    shapes = label.shapes
    right = isinstance(shapes, tuple) and shapes and all(shapes.count(shape) == 1 for shape in shapes)
    insist(
        bool(right) and all(shape in SHAPES for shape in shapes),
        f"{label.name}: shapes is a list of some of {', '.join(SHAPES)}",
    )
    for key, value, known in (
        ("computational", label.computational, COMPUTATIONAL),
        ("linguistic", label.linguistic, LINGUISTIC),
    ):
        insist(value in known, f"{label.name}: {key} must be one of {', '.join(known)}, not {value!r}")
    flag = label.name == ERROR
    insist(flag == (label.computational == "none"), f"{label.name}: {ERROR}, and it alone, has computational: none")
    return label


def _check_other_names(label: Label, labels: Mapping[str, Label]) -> None:
    """A name stands for one label, and a counterpart stands where the label cannot."""
    for other in labels.values():
        clash = other is not label and label.yawat in (other.name, other.yawat)
        insist(not clash, f"{label.name}: yawat {label.yawat!r} is a name of {other.name} too")
    if label.counterpart:
        known = label.counterpart in labels
        insist(known, f"{label.name}: counterpart {label.counterpart!r} is no label here")
        one_sided = label.shapes in (("source",), ("target",)) and label.name != ERROR
        other_side = "target" if label.shapes == ("source",) else "source"
        fits = one_sided and other_side in labels[label.counterpart].shapes
        insist(fits, f"{label.name}: its counterpart {label.counterpart} cannot stand on the other side alone")


@contextmanager
def _on_its_line(entry: Mapping[str, Any]) -> Iterator[None]:
    try:
        yield
    except Fault as fault:
        raise Fault(str(fault), fault.line or getattr(entry, "line", None)) from None


_NAME = re.compile(r"[^\W\d_][\w-]*")
