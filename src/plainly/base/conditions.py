"""Conditions that people write, as domain=news, level=native,good or age<45: one meaning for every `--where`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from typing import Any

from plainly.base.errors import PlainlyError

ORDER: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The signs that compare numbers."""
SLIPS: Mapping[str, str] = {"=": "=", ">": ">=", "<": "<=", "!": "!="}
"""What was meant where another sign follows =, by that sign."""
_CONDITION = re.compile(r"(.+?)\s*(!=|<=|>=|=|<|>)\s*(.*)", re.DOTALL)


@dataclass(frozen=True)
class Condition:
    """A name, a sign and a value. Nothing is equal to a value that is not there (None)."""

    name: str
    sign: str
    value: str

    @classmethod
    def of(cls, text: str) -> Condition:
        """From NAME=VALUE, or with another sign; several values may stand between commas.

        >>> Condition.of("domain != news")
        Condition(name='domain', sign='!=', value='news')
        """
        found = _CONDITION.fullmatch(text.strip())
        if found is None:
            raise PlainlyError(
                f"a condition is NAME=VALUE,VALUE, or with !=, <, <=, > or >=, as age<45; not {text!r}"
            )
        condition = cls(*found.groups())
        if condition.sign == "=" and condition.value[:1] in SLIPS:
            raise PlainlyError(f"{text!r} has the sign ={condition.value[0]}; say {SLIPS[condition.value[0]]}")
        if condition.compares:
            condition._number()
        return condition

    def __str__(self) -> str:
        return f"{self.name}{self.sign}{self.value}"

    @property
    def compares(self) -> bool:
        """Whether it compares numbers."""
        return self.sign in ORDER

    def values(self, there: Container[str] = ()) -> list[str]:
        """What stands between the commas; all of it where that is there, as a comma may belong to a value."""
        return [self.value] if self.value in there else [part.strip() for part in self.value.split(",")]

    def holds(self, value: Any) -> bool:
        """Whether a value meets it; where it compares numbers, a value that is none is refused."""
        if self.sign == "=":
            return value is not None and shown(value) in (self.value, *self.values())
        if self.sign == "!=":
            return value is None or shown(value) not in (self.value, *self.values())
        if value is None:
            return False
        number = as_number(value)
        if number is None:
            raise PlainlyError(f"{self}: {self.name} is {shown(value)[:40]!r} somewhere, which is no number")
        return ORDER[self.sign](number, self._number())

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
