"""Which pairs are meant? Expressions such as `lexical and not err`, `delprop or (split and synonym)`.

    expression = term { "or" term }
    term       = factor { "and" factor }
    factor     = "not" factor | "(" expression ")" | name

A name is a label of the typology, a class of its labels (lexical, add, ...), or `any`: some operation, whichever.
It holds for a pair that has at least one group of that kind. `replace` includes moved words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

from plainly.base.errors import PlainlyError, UnknownName
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.typology import ANY, COMPUTATIONAL, LINGUISTIC, Typology, assetann

DEEPEST = 100  # brackets inside brackets; nobody writes more, and Python would stop at a thousand
LONGEST = 10_000

Test = Callable[[Set[str]], bool]  # the labels of a pair -> whether the expression holds


@dataclass(frozen=True)
class Expression:
    """An expression that was read; called with a pair, it says whether it holds."""

    text: str
    _test: Test = field(repr=False, compare=False)

    def __call__(self, pair: AnnotatedPair) -> bool:
        return self.holds({group.label for group in pair.groups})

    def holds(self, labels: Set[str]) -> bool:
        """Whether it holds for a pair that has these labels."""
        return self._test(labels)


def parse(text: str, typology: Typology | None = None) -> Expression:
    """The expression that a text means; a fault is named with its place.

    >>> parse("lexical and not err").holds({"synonym", "move"})
    True
    """
    return Expression(text, _Parser(text, typology or assetann()).parsed())


class _Token(NamedTuple):
    text: str
    place: int  # of its first character, from 1 on


class _Parser:
    def __init__(self, text: str, typology: Typology) -> None:
        self._text = text
        self._typology = typology
        if len(text) > LONGEST:
            raise PlainlyError(f"the expression is longer than {LONGEST:,} characters")
        self._tokens = list(_tokens(text))
        self._next = 0
        self._depth = 0

    def parsed(self) -> Test:
        test = self._expression()
        if (token := self._peek()) is not None:
            self._fault(token, f"{token.text!r} is not expected here; join names by and, or")
        return test

    def _expression(self) -> Test:
        return self._joined("or", any, self._term)

    def _term(self) -> Test:
        return self._joined("and", all, self._factor)

    def _joined(self, word: str, join: Callable[[Iterator[bool]], bool], part: Callable[[], Test]) -> Test:
        parts = [part()]
        while self._takes(word):
            parts.append(part())
        if len(parts) == 1:
            return parts[0]
        return lambda labels: join(test(labels) for test in parts)

    def _factor(self) -> Test:
        negated = False
        while self._takes("not"):
            negated = not negated
        test = self._unit()
        return (lambda labels: not test(labels)) if negated else test

    def _unit(self) -> Test:
        token = self._peek()
        if token is None or token.text in ("and", "or", ")"):
            self._fault(token, "a label, a class or an opening bracket is missing")
        self._next += 1
        if token.text != "(":
            return self._name(token)
        self._depth += 1
        if self._depth > DEEPEST:
            self._fault(token, f"more than {DEEPEST} brackets inside each other")
        test = self._expression()
        if not self._takes(")"):
            self._fault(self._peek(), f"the bracket of character {token.place} is not closed")
        self._depth -= 1
        return test

    def _name(self, token: _Token) -> Test:
        if token.text in self._typology.names:
            name = token.text
            return lambda labels: name in labels
        classes = (*COMPUTATIONAL, *LINGUISTIC)
        if token.text == ANY:
            wanted = frozenset(self._typology.operations)
        elif token.text in classes:
            wanted = frozenset(self._typology.of_class(token.text))
        else:
            unknown = UnknownName("label or class", token.text, {*self._typology.names, *classes, ANY})
            self._fault(token, str(unknown))
        return lambda labels: not wanted.isdisjoint(labels)

    def _peek(self) -> _Token | None:
        return self._tokens[self._next] if self._next < len(self._tokens) else None

    def _takes(self, word: str) -> bool:
        token = self._peek()
        if token is None or token.text != word:
            return False
        self._next += 1
        return True

    def _fault(self, token: _Token | None, what: str) -> NoReturn:
        place = f"at character {token.place}" if token else "at its end"
        shown = self._text if len(self._text) <= 200 else self._text[:200] + "..."
        raise PlainlyError(f"expression {shown!r}, {place}: {what}")


def _tokens(text: str) -> Iterator[_Token]:
    for found in re.finditer(r"[()]|[^\s()]+", text):
        yield _Token(found.group(), found.start() + 1)
