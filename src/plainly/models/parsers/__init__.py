"""Parsers: parts of speech, lemmas and dependencies, from whatever is installed for a language.

    parser_for("en")          -> the Parser that would be used (name, version, what it provides), or None
    parse(["A text."], "en")  -> [Parsed]; MissingResource where there is no parser

Both take the name of a parser, too. Without one they take the first of these:

1. English: the spaCy pipeline of the extra `parsers`, whose files are checked (`spacy_pipelines`);
2. a spaCy pipeline (version 3 or later) of the language that the user has installed;
3. German: HanTa, which gives parts of speech and lemmas but no dependencies (`german`).

Dependency labels are those of Universal Dependencies 2 as far as the trees allow (`labels`).
"""

from plainly.models.parsers.choice import missing_parser, parse, parser_for, parsers
from plainly.models.parsers.parsed import (
    DEPENDENCIES,
    ENTITIES,
    EVERYTHING,
    LEMMAS,
    TAGS,
    Parsed,
    Parser,
    Sentence,
    Token,
)
from plainly.models.parsers.spacy_pipelines import ENGLISH

__all__ = [
    "DEPENDENCIES",
    "ENGLISH",
    "ENTITIES",
    "EVERYTHING",
    "LEMMAS",
    "TAGS",
    "Parsed",
    "Parser",
    "Sentence",
    "Token",
    "missing_parser",
    "parse",
    "parser_for",
    "parsers",
]
