"""Which participants are meant? Conditions on what they said of themselves: `level=native`, `age<45`.

    native_language=Basque,Turkish    one of these
    native_language!=English          none of these; who said nothing is among them
    age<45   age<=45   age>45   age>=45
    level=                            nobody said anything there

All conditions must hold.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from plainly.base.errors import PlainlyError, UnknownName
from plainly.comprehension.reader_groups import as_number, columns_of, numbered
from plainly.comprehension.records import Answer

COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
"""Of numbers."""
_CONDITION = re.compile(r"\s*(?P<column>.*?)\s*(?P<sign><=|>=|!=|<|>|=)\s*(?P<value>.*?)\s*", re.DOTALL)


@dataclass(frozen=True)
class Where:
    """One condition; `Where.parse("age<45")` reads it."""

    column: str
    sign: str
    value: str

    @classmethod
    def parse(cls, text: str) -> Where:
        """From COLUMN=VALUE,VALUE or COLUMN<NUMBER, with != > <= >= as well."""
        found = _CONDITION.fullmatch(text)
        if found is None or not found["column"]:
            raise PlainlyError(f"expected a condition such as level=native,good or age<45, not {text!r}")
        made = cls(**found.groupdict())
        if made.sign in COMPARISONS and math.isnan(as_number(made.value)):
            raise PlainlyError(f"{made}: {made.sign} compares numbers, and {made.value!r} is none")
        return made

    def __str__(self) -> str:
        return f"{self.column}{self.sign}{self.value}"

    def chosen(self, answers: Sequence[Answer]) -> list[Answer]:
        """The answers of participants for whom it holds; a column or value that nobody has is refused."""
        columns = columns_of(answers)
        if self.column not in columns:
            raise (
                UnknownName("column", self.column, columns)
                if columns
                else PlainlyError(f"there is no column {self.column!r}")
            )
        if self.sign in COMPARISONS:
            holds, bound = COMPARISONS[self.sign], as_number(self.value)
            numbers = numbered(answers, self.column)
            fits = {text for text, number in numbers.items() if holds(number, bound)}
        else:
            said = {answer.fields.get(self.column, "") for answer in answers}
            named = self._values(said)
            fits = named if self.sign == "=" else said - named
        return [answer for answer in answers if answer.fields.get(self.column, "") in fits]

    def _values(self, said: set[str]) -> set[str]:
        """What stands between the commas; a value with a comma in it is meant as a whole."""
        values = {self.value} if self.value in said else {part.strip() for part in self.value.split(",")}
        for value in sorted(values - {""}):
            if value not in said:
                raise UnknownName(f"value of {self.column}", value, said - {""})
        return values


def chosen(answers: Sequence[Answer], conditions: Sequence[Where]) -> list[Answer]:
    """The answers of participants for whom all conditions hold."""
    left = list(answers)
    for condition in conditions:
        fits = set(map(id, condition.chosen(answers)))
        left = [answer for answer in left if id(answer) in fits]
    if not left:
        raise PlainlyError(f"no participant has {' and '.join(map(str, conditions))}")
    return left
