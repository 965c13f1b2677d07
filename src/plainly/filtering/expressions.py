"""What may stand in a filter: a small part of SQL, checked here word by word before Polars reads it.

Polars' own SQL can read files, count rows and look at other rows. So nothing reaches it but what this page lists, and
names that the caller knows. Each condition is then true, false or unknown for a row alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import Argument, MissingResource, PlainlyError
from plainly.corpus.readers.files import shown
from plainly.filtering.complaints import complaint

if TYPE_CHECKING:
    import polars

LONGEST = 100_000  # characters: a list of names to keep may be long
DEEPEST = 100
"""Operators and words of one condition: Polars takes quadratic time over long chains, and dies of endless ones."""
MOST = 100  # conditions
NESTED = 40  # brackets in each other
KEEP = Argument("keep")

LOGIC = frozenset(["and", "or", "not", "in", "is", "null", "like", "ilike", "between", "true", "false"])
CASES = frozenset(["case", "when", "then", "else", "end", "as"])
VALUES = frozenset(["null", "true", "false"])
NEGATED = ("in", "like", "ilike", "between")
"""What may follow `not` behind a value."""
TYPES = frozenset(["int", "bigint", "double", "text", "boolean"])
"""What `cast` makes; after `as`, and nowhere else, they are no names."""
NUMERIC = frozenset(["abs", "round", "floor", "ceil", "coalesce", "nullif", "cast", "try_cast"])
TEXTUAL = frozenset(["length", "lower", "upper", "trim", "starts_with", "ends_with", "regexp_like"])
WORDS, FUNCTIONS = LOGIC | CASES, NUMERIC | TEXTUAL
_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<text>'(?:[^']|'')*')
    |(?P<quoted>"(?:[^"]|"")+")
    |(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?!\w))
    |(?P<word>[^\W\d]\w*)
    |(?P<sign><=|>=|<>|!=|==|\|\||[<>=+\-*/%(),])""",
    re.VERBOSE,
)

Codes = NDArray[np.int8]
FAILED, PASSED, UNKNOWN = 0, 1, -1
"""What a condition says of a row."""


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int

    def is_(self, *words: str) -> bool:
        """Whether it is one of these words or signs."""
        return self.kind in ("word", "sign") and self.text.lower() in words


@dataclass(frozen=True)
class Condition:
    """What a row must pass: as it was written, the columns it looks at, and what Polars reads."""

    text: str
    columns: tuple[str, ...]
    sql: str


def conditions(texts: Sequence[str], column_of: Callable[[str], str]) -> list[Condition]:
    """The conditions that the expressions consist of: what their topmost ANDs join, each once.

    `column_of` gives the column that a name stands for, and raises UnknownName where there is none.
    """
    found: dict[str, Condition] = {}
    for text in texts:
        if len(text) > LONGEST:
            raise PlainlyError(f"longer than {LONGEST:,} characters", place=KEEP)
        tokens = list(_tokens(text))
        if not tokens:
            raise PlainlyError("it is empty; say what to keep, as in compression_ratio < 1.2", place=KEEP)
        if max(accumulate(token.is_("(") - token.is_(")") for token in tokens)) > NESTED:
            raise PlainlyError(f"more than {NESTED} brackets in each other", place=KEEP)
        for part in _conjuncts(text, tokens):
            written = text[part[0].start : part[-1].end]
            found.setdefault(written, _condition(written, part, column_of))
            if len(found) > MOST:
                raise PlainlyError(f"more than {MOST} conditions", place=KEEP)
    return list(found.values())


def check(condition: Condition, empty: polars.DataFrame) -> None:
    """Refuses a condition that is not true or false for rows of such columns, before any work."""
    import polars

    kind = _evaluated(condition, empty).dtype
    if kind not in (polars.Boolean, polars.Null):
        raise PlainlyError(
            f"{shown(condition.text)} is no condition: it must be true or false, as in sari > 30", place=KEEP
        )


def verdicts(condition: Condition, frame: polars.DataFrame) -> Codes:
    """What the condition says of each row."""
    found = _evaluated(condition, frame)
    codes = found.cast(int).fill_null(UNKNOWN).to_numpy().astype(np.int8)
    return np.broadcast_to(codes, (len(frame),)) if len(codes) != len(frame) else codes  # a constant has one value


def polars_or_advice() -> None:
    """Say before the work if Polars is not there."""
    try:
        import polars  # noqa: F401
    except ImportError:
        raise MissingResource("a filter needs Polars; run: pip install 'plainly[filter]'") from None


def _evaluated(condition: Condition, frame: polars.DataFrame) -> polars.Series:
    import polars

    try:
        return frame.select(polars.sql_expr(condition.sql).alias("kept")).to_series()
    except (Exception, polars.exceptions.PanicException) as error:
        why = complaint(error, condition.columns, frame)
        raise PlainlyError(f"{shown(condition.text)}: {why}", place=KEEP) from None


def _tokens(text: str) -> Iterator[Token]:
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if text.startswith(("--", "/*"), place):
            raise PlainlyError(
                f"character {place + 1}: {text[place : place + 2]}: a filter has no comments", place=KEEP
            )
        if match is None:
            raise PlainlyError(f"character {place + 1}: {_complaint(text[place])}", place=KEEP)
        if match.lastgroup != "space":
            yield Token(str(match.lastgroup), match[0], place, match.end())
        place = match.end()


def _complaint(character: str) -> str:
    if character in "'\"":
        return f"the quote {character} is left open"
    if character.isdigit():
        return "this is no number"
    return f"{shown(character)!r} has no meaning here"


def _conjuncts(text: str, tokens: list[Token]) -> Iterator[list[Token]]:
    """What the topmost ANDs join; brackets around all of it, or around one of its parts, change nothing."""
    depth = 0
    cases = 0
    between = 0
    cuts: list[int] = []
    for place, token in enumerate(tokens):
        depth += token.is_("(") - token.is_(")")
        cases += token.is_("case") - token.is_("end")
        if depth < 0:
            raise PlainlyError(f"character {token.start + 1}: a bracket too many", place=KEEP)
        if depth or cases:
            continue
        if token.is_("or"):
            cuts = []
            break
        between += token.is_("between")
        if token.is_("and"):
            if between:
                between -= 1  # this AND belongs to it
            else:
                cuts.append(place)
    else:
        if depth:
            raise PlainlyError(f"a bracket is left open: {shown(text)}", place=KEEP)
    if not cuts and len(tokens) > 2 and _wrapped(tokens):
        yield from _conjuncts(text, tokens[1:-1])
        return
    if not cuts:
        yield tokens
        return
    for start, end in zip([-1, *cuts], [*cuts, len(tokens)], strict=True):
        if end == start + 1:
            raise PlainlyError(f"a condition is missing beside an AND: {shown(text)}", place=KEEP)
        yield from _conjuncts(text, tokens[start + 1 : end])


def _wrapped(tokens: list[Token]) -> bool:
    """Whether the first bracket closes at the end."""
    return tokens[0].is_("(") and _closing(tokens, 0) == len(tokens) - 1


def _closing(tokens: list[Token], place: int) -> int:
    """The place of the bracket that closes this one; the end, if none does."""
    depth = 0
    for end in range(place, len(tokens)):
        depth += tokens[end].is_("(") - tokens[end].is_(")")
        if not depth:
            return end
    return len(tokens) - 1


def _condition(written: str, tokens: list[Token], column_of: Callable[[str], str]) -> Condition:
    if sum(token.kind == "word" or (token.kind == "sign" and token.text != ",") for token in tokens) > DEEPEST:
        raise PlainlyError(f"a condition of more than {DEEPEST} words and signs: {shown(written)}", place=KEEP)
    columns: dict[str, None] = {}

    def sql(place: int) -> str:
        token = tokens[place]
        if token.kind == "text" or token.kind == "sign":
            return token.text
        if token.kind == "number":
            return _number(token)
        word = token.text.lower()
        called = place + 1 < len(tokens) and tokens[place + 1].is_("(")
        cast_to = place > 0 and tokens[place - 1].is_("as") and word in TYPES
        if token.kind == "word" and (word in WORDS or cast_to or (called and word in FUNCTIONS)):
            return word
        if token.kind == "word" and called:
            known = ", ".join(sorted(FUNCTIONS))
            raise PlainlyError(f"there is no function {shown(token.text)!r} here; there are: {known}", place=KEEP)
        name = token.text if token.kind == "word" else token.text[1:-1].replace('""', '"')
        column = column_of(name)
        columns[column] = None
        return '"' + column.replace('"', '""') + '"'

    parts = [sql(place) for place in range(len(tokens))]
    _check_order(tokens)
    for place, token in enumerate(tokens):
        if token.is_("/", "%"):  # to Polars, 0/0 is more than any number; here it is unknown
            first, last = _operand(tokens, place + 1)
            if last < len(tokens):
                parts[first] = "nullif(" + parts[first]
                parts[last] += ", 0)"
    return Condition(written, tuple(columns), " ".join(parts))


def _check_order(tokens: list[Token]) -> None:
    """Refuses what follows an expression without an operator: Polars takes it for a name, and ignores it."""
    within: list[str] = []  # brackets, those of casts and cases that are open
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        where = f"character {token.start + 1}"
        if before and _ends(tokens, place - 1):
            bare_not = token.is_("not") and not (place + 1 < len(tokens) and tokens[place + 1].is_(*NEGATED))
            if bare_not or _begins(token):
                raise PlainlyError(
                    f"{where}: no operator stands between {shown(before.text)} and {shown(token.text)}", place=KEEP
                )
        if token.is_("(", "case"):
            within.append("cast" if before and before.is_("cast", "try_cast") else token.text.lower())
        elif token.is_(")", "end", "when", "then", "else", "as"):
            opened = within[-1] if within else ""
            if token.is_("as"):
                fits = opened == "cast" and _is_type(tokens, place + 1)
            else:
                fits = (opened == "case") != token.is_(")") and bool(opened)
            if not fits:
                raise PlainlyError(f"{where}: {shown(token.text)} has no meaning here", place=KEEP)
            if token.is_(")", "end"):
                within.pop()


def _begins(token: Token) -> bool:
    """Whether a value begins here."""
    if token.kind == "word":
        return token.text.lower() in VALUES | {"case"} or token.text.lower() not in WORDS
    return token.kind != "sign" or token.is_("(")


def _ends(tokens: list[Token], place: int) -> bool:
    """Whether a value ends here."""
    token = tokens[place]
    if token.kind == "word" and token.text.lower() not in WORDS:
        return not (token.text.lower() in FUNCTIONS and place + 1 < len(tokens) and tokens[place + 1].is_("("))
    return token.kind not in ("word", "sign") or token.is_(")", "end", *VALUES)


def _is_type(tokens: list[Token], place: int) -> bool:
    """Whether a type stands here, and the end of its cast behind it."""
    return place + 1 < len(tokens) and tokens[place].is_(*TYPES) and tokens[place + 1].is_(")")


def _operand(tokens: list[Token], place: int) -> tuple[int, int]:
    """The first and last place of what a division is by: a number, a name, a call or what stands in brackets."""
    start = place
    while place < len(tokens) and tokens[place].is_("+", "-"):
        place += 1
    if place + 1 < len(tokens) and tokens[place].kind == "word" and tokens[place + 1].is_("("):
        place += 1
    if place < len(tokens) and tokens[place].is_("("):
        place = _closing(tokens, place)
    return start, place


def _number(token: Token) -> str:
    """The number as Polars reads a double; it takes 1.2 for a decimal."""
    if token.text.isdecimal():
        if len(token.text) > 18:
            raise PlainlyError(f"character {token.start + 1}: a number of more than 18 digits", place=KEEP)
        return token.text
    value = float(token.text)
    if value in (float("inf"), float("-inf")):
        raise PlainlyError(f"character {token.start + 1}: {token.text} is too large a number", place=KEEP)
    return f"{value!r}e0" if "e" not in repr(value) else repr(value)
