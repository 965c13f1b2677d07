"""CoreNLP parses: names only."""

from plainly.compat.easse.aligner import WHY
from plainly.compat.easse.unavailable import stand_ins

__getattr__ = stand_ins(
    [
        "dependencyParseAndPutOffsets",
        "findChildren",
        "findParents",
        "format_parser_output",
        "join_parse_result",
        "lemmatize",
        "ner",
        "nerWordAnnotator",
        "posTag",
        "split_parse_result",
        "syntactic_parse_texts",
    ],
    WHY,
)
