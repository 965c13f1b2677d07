"""Which parser serves which language here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from plainly.base.errors import MissingResource, UnknownName
from plainly.models.parsers import spacy_pipelines
from plainly.models.parsers.german import GermanParser
from plainly.models.parsers.parsed import EVERYTHING, Parsed, Parser
from plainly.text.languages import LANGUAGES

_SHIPPED = ("en", "de")  # the extra `parsers` brings a parser for these


def parser_for(lang: str, name: str = "") -> Parser | None:
    """The parser of a name, or the one that is taken for a language without a name; None if there is no parser.

    Nothing is loaded before the first text comes.
    """
    found = parsers(lang)
    if not name:
        return next(iter(found.values()), None)
    if found and name not in found:
        raise UnknownName(f"parser for {lang!r}", name, tuple(found))
    return found.get(name)


@cache
def parsers(lang: str) -> dict[str, Parser]:
    """All parsers for a language that are here, by name; the first is the one that is taken."""
    found: list[Parser] = [*spacy_pipelines.installed(lang)]
    if lang == "de" and GermanParser.installed():
        found.append(GermanParser())
    return {parser.name: parser for parser in found}


def parse(texts: Sequence[str], lang: str, name: str = "", needs: frozenset[str] = EVERYTHING) -> list[Parsed]:
    """One `Parsed` a text, in order."""
    parser = parser_for(lang, name)
    if parser is None:
        raise MissingResource(f"cannot parse {lang!r}: {missing_parser(lang)}")
    return parser.parse(texts, needs)


def missing_parser(lang: str, needs: Iterable[str] = (), name: str = "") -> str | None:
    """Why a language cannot be parsed here, or what of `needs` its parser lacks; None if nothing is missing."""
    parser = parser_for(lang, name)
    if parser is None and lang in _SHIPPED:
        return f"there is no parser for {lang!r}: pip install 'plainly[parsers]'"
    if parser is None:
        return f"there is no parser for {lang!r}; {_pipeline(lang)}"
    lacking = [what for what in sorted(needs) if what not in parser.provides]
    if lacking:
        why = f"{parser.name}, the parser for {lang!r} here, gives no {' and no '.join(lacking)}"
        return why if isinstance(parser, spacy_pipelines.SpacyPipeline) else f"{why}; {_pipeline(lang)}"
    return None


def _pipeline(lang: str) -> str:
    """What would give a language a parser of everything. It is taken as soon as it is there."""
    known = LANGUAGES.get(lang)
    way = f": python -m spacy download {known.spacy_pipeline}" if known and known.spacy_pipeline else ""
    return f"install a spaCy pipeline of {known.name if known else 'that language'}{way}"
