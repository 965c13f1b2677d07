"""Which participants are meant? Conditions on what they said of themselves: `level=native`, `age<45`.

    native_language=Basque,Turkish    one of these
    native_language!=English          none of these; who said nothing is among them
    age<45   age<=45   age>45   age>=45
    level=                            nobody said anything there

All conditions must hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from plainly.base.conditions import Condition
from plainly.base.errors import PlainlyError, UnknownName
from plainly.comprehension.reader_groups import columns_of, numbered
from plainly.comprehension.records import Answer


def chosen(answers: Sequence[Answer], conditions: Sequence[Condition]) -> list[Answer]:
    """The answers of participants for whom all conditions hold; a column or value that nobody has is refused."""
    left = list(answers)
    for condition in conditions:
        fits = _values_that_fit(answers, condition)
        left = [answer for answer in left if answer.fields.get(condition.name, "") in fits]
    if not left:
        raise PlainlyError(f"no participant has {' and '.join(map(str, conditions))}")
    return left


def _values_that_fit(answers: Sequence[Answer], condition: Condition) -> set[str]:
    columns = columns_of(answers)
    if not columns:
        raise PlainlyError(f"there is no column {condition.name!r}")
    if condition.name not in columns:
        raise UnknownName("column", condition.name, columns)
    if condition.compares:
        return {text for text in numbered(answers, condition.name) if condition.holds(text)}
    said = {answer.fields.get(condition.name, "") for answer in answers}
    for value in condition.values(said):
        if value and value not in said:
            raise UnknownName(f"value of {condition.name}", value, said - {""})
    return {text for text in said if condition.holds(text)}
