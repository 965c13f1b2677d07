"""Which segments: conditions such as domain=news, length>20 or system!=mine, all of which must hold."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.scoring.statistics.folder import Folder, Piece

_CONDITION = re.compile(r"(.+?)\s*(!=|<=|>=|=|<|>)\s*(.*)", re.DOTALL)
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Condition:
    """A field, a sign and a value. A segment without a value meets no condition but `!=`."""

    field: str
    sign: str
    value: str

    @classmethod
    def of(cls, text: str) -> Condition:
        """From NAME=VALUE, or with another sign.

        >>> Condition.of("domain != news")
        Condition(field='domain', sign='!=', value='news')
        """
        found = _CONDITION.fullmatch(text.strip())
        if found is None:
            raise PlainlyError(f"a condition is NAME=VALUE, or with !=, <, <=, > or >=, not {text!r}")
        condition = cls(*found.groups())
        if condition.sign in _ORDER:
            condition._number()
        return condition

    def __str__(self) -> str:
        return f"{self.field}{self.sign}{self.value}"

    def holds(self, value: Any) -> bool:
        """Whether it is met by the value of a segment."""
        if self.sign == "=":
            return value is not None and shown(value) == self.value
        if self.sign == "!=":
            return value is None or shown(value) != self.value
        if value is None:
            return False
        number = as_number(value)
        if number is None:
            raise PlainlyError(f"{self}: {self.field} is {shown(value)[:40]!r} somewhere, which is no number")
        return _ORDER[self.sign](number, self._number())

    def _number(self) -> float:
        number = as_number(self.value)
        if number is None:
            raise PlainlyError(f"{self}: {self.sign} needs a number, not {self.value!r}")
        return number


def shown(value: Any) -> str:
    """A value as people write it: true, 3, 0.5, news."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def as_number(value: Any) -> float | None:
    """The number that a value is, also one that is written as a text; None if it is none."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


@dataclass(frozen=True)
class Selection:
    """The systems and segments that meet all conditions."""

    conditions: tuple[Condition, ...]
    systems: tuple[str, ...]

    @classmethod
    def of(cls, folder: Folder, conditions: Sequence[str]) -> Selection:
        """The conditions, checked against what the folder has."""
        made = [Condition.of(text) for text in conditions]
        about_systems = [condition for condition in made if condition.field == "system"]
        for condition in about_systems:
            if condition.sign in _ORDER:
                raise PlainlyError(f"{condition}: systems are chosen by = or !=")
            if condition.value not in folder.systems:
                raise UnknownName("system", condition.value, folder.systems)
        systems = tuple(name for name in folder.systems if all(one.holds(name) for one in about_systems))
        if not systems:
            raise PlainlyError(f"no system is left: {', '.join(map(str, about_systems))}")
        rest = tuple(condition for condition in made if condition.field != "system")
        for condition in rest:
            folder.check_field(condition.field)
        return cls(rest, systems)

    @property
    def fields(self) -> list[str]:
        """What a piece must have for `which`."""
        return list(dict.fromkeys(condition.field for condition in self.conditions))

    def which(self, piece: Piece) -> NDArray[np.bool_]:
        """The segments of a piece that are meant."""
        chosen = np.ones(len(piece), dtype=bool)
        for condition in self.conditions:
            chosen &= np.fromiter(map(condition.holds, piece.fields[condition.field]), dtype=bool, count=len(piece))
        return chosen
