"""Which parser serves which language here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from plainly.base.errors import MissingResource
from plainly.models.parsers import english, spacy_pipelines
from plainly.models.parsers.german import GermanParser
from plainly.models.parsers.parsed import Parsed, Parser

_SHIPPED = ("en", "de")  # the extra `parsers` brings a parser for these


@cache
def parser_for(lang: str) -> Parser | None:
    """The parser that would be used for a language, or None. Nothing is loaded before the first text comes."""
    pipeline = spacy_pipelines.installed(lang)
    if pipeline is not None:
        return pipeline
    if lang == "en" and english.installed():
        return english.EnglishParser()
    if lang == "de" and GermanParser.installed():
        return GermanParser()
    return None


def parse(texts: Sequence[str], lang: str) -> list[Parsed]:
    """One `Parsed` a text, in order."""
    parser = parser_for(lang)
    if parser is None:
        raise MissingResource(f"cannot parse {lang!r}: {missing_parser(lang)}")
    return parser.parse(texts)


def missing_parser(lang: str, needs: Iterable[str] = ()) -> str | None:
    """Why a language cannot be parsed here, or what of `needs` its parser lacks; None if nothing is missing."""
    parser = parser_for(lang)
    if parser is None and lang in _SHIPPED:
        return f"there is no parser for {lang!r}: pip install 'plainly[parsers]'"
    if parser is None:
        return f"there is no parser for {lang!r}; install a spaCy pipeline of that language"
    lacking = [what for what in sorted(needs) if what not in parser.provides]
    if lacking:
        return f"{parser.name}, the parser for {lang!r} here, gives no {' and no '.join(lacking)}"
    return None
