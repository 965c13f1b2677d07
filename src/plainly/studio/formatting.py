"""Instructions with formatting: a small part of Markdown, as a tree of plain data.

Browsers never get markup. What they get says which of a few elements to make, and with which text: a heading, a
paragraph, a list, bold or italic words, a line break, a link to an https address, or a picture of the campaign.
Everything else that Markdown knows stays the text that it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

Node = str | dict[str, Any]
RULES = ("heading", "list", "newline", "escape", "emphasis", "link", "image")
DEEPEST = 16
"""Elements within each other; what is deeper stands there without an element of its own."""
IMAGE = re.compile(r"[a-z0-9][a-z0-9_-]{0,79}\.(?:png|jpg|webp)")
"""The name of a picture of the campaign."""
_LINK = re.compile(r"https://[^\s\\<>\"'\x00-\x20]{1,2000}", re.IGNORECASE)
_ELEMENTS = {
    **{f"h{level}": "h2" if level < 3 else "h3" for level in range(1, 7)},  # h1 is the name of the study
    **{tag: tag for tag in ("p", "ul", "ol", "li", "strong", "em", "a")},
}


def formatted(text: str) -> list[Node]:
    """The text as elements and their texts.

    >>> formatted("Read **both**.")
    [{'tag': 'p', 'children': ['Read ', {'tag': 'strong', 'children': ['both']}, '.']}]
    """
    tree: list[Node] = []
    _grow([tree], _reader().parse(text))
    return tree


def pictures_in(text: str) -> set[str]:
    """The names of the pictures that the text shows.

    >>> pictures_in("- ![A cat](cat.png)")
    {'cat.png'}
    """
    inside = (child for token in _reader().parse(text) for child in token.children or ())
    shown = {str(child.attrs.get("src", "")) for child in inside if child.type == "image"}
    return {name for name in shown if IMAGE.fullmatch(name)}


def _grow(open_: list[list[Node]], tokens: Sequence[Token]) -> None:
    """Hangs the elements of the tokens into the innermost of those that are open."""
    for token in tokens:
        if token.type == "inline":
            _grow(open_, token.children or [])
        elif token.nesting > 0:
            open_.append(_opened(open_, token))
        elif token.nesting < 0:
            open_.pop()
        elif token.type in ("softbreak", "hardbreak"):
            open_[-1].append({"tag": "br"})
        elif token.type == "image" and IMAGE.fullmatch(str(token.attrs.get("src", ""))):
            open_[-1].append({"tag": "img", "src": token.attrs["src"], "alt": token.content})
        elif token.content:
            open_[-1].append(token.content)


def _opened(open_: list[list[Node]], token: Token) -> list[Node]:
    """Where the children of the token go: into an element of its own, unless it has none."""
    tag = _ELEMENTS.get(token.tag)
    if tag is None or token.hidden or len(open_) > DEEPEST:
        return open_[-1]
    made: dict[str, Any] = {"tag": tag, "children": []}
    if tag == "a":
        href = str(token.attrs.get("href", ""))
        if not _LINK.fullmatch(href):
            return open_[-1]
        made["href"] = href
    if tag == "ol" and isinstance(start := token.attrs.get("start"), int):
        made["start"] = start
    open_[-1].append(made)
    children: list[Node] = made["children"]
    return children


@cache
def _reader() -> MarkdownIt:
    return _Reader("zero", {"html": False, "linkify": False, "typographer": False}).enable(list(RULES))


class _Reader(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802  (as the library calls it)
        """Whether an address may stand in a text at all: other links stay the text that they are."""
        return bool(_LINK.fullmatch(url) or IMAGE.fullmatch(url))
