"""Labels by rule: no model, for every language that has an entry.

The rules read the alignment, the function words and the sentence marks of the language, and the forms of words.
They know no parts of speech. So they tell a deleted modifier from a deleted clause by its length and its first
word, and a change of number from one of tense by the ending.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.operations.tagger.alignment import Alignment, aligned
from plainly.operations.tagger.labeller import COLUMN, LABELS, UNCHANGED, Floats, Labelled, Meaning, Pair, Tokens
from plainly.operations.tagger.lexicon import Kind, Words, same_stem, words_of
from plainly.text.languages import get_language

# Shares of tokens that bear the label the rule gives, on the released annotations of ASSETann without err (rounded;
# measured, not fitted). They are the confidence of the rules.
SURE = {
    UNCHANGED: 0.95,
    **{"split": 0.95, "move": 0.6, "synonym": 0.55, "delcst": 0.4, "deloth": 0.4, "delprop": 0.4, "incst": 0.4},
    **{"POSchange": 0.4, "s2p": 0.4, "delmod": 0.3, "p2s": 0.3, "verbf": 0.3, "inoth": 0.2},
}
CLAUSE = 9  # tokens from which on a deleted run with a mark at its edge is taken for a clause
MODIFIER = 2  # tokens up to which it is taken for a modifier


class Rules:
    """The labeller of the kind `rules`."""

    name = "rules"
    threshold = 2.0  # no pair is called erroneous: rules cannot compare what texts mean
    on_device = False
    meaning: Meaning | None = None

    def __init__(self, lang: str) -> None:
        self._words = words_of(lang)
        self.signed: Mapping[str, str] = {"words": self._words.checksum}

    def label(self, pairs: Sequence[Pair]) -> list[Labelled]:
        return [self._label(source, target) for source, target in pairs]

    def _label(self, source: Tokens, target: Tokens) -> Labelled:
        alignment = aligned(source, target, self._words.language.code)
        of_source, of_target = labels(source, target, alignment, self._words)
        return Labelled(_probabilities(of_source), _probabilities(of_target), 0.0)


def labels(
    source: Sequence[str], target: Sequence[str], alignment: Alignment, words: Words
) -> tuple[list[str], list[str]]:
    """One label a token of the source, and one a token of the target."""
    a, b = [words.lower(token) for token in source], [words.lower(token) for token in target]
    of_source: list[str | None] = [None] * len(a)
    of_target: list[str | None] = [None] * len(b)
    for i, j in alignment.kept:
        of_source[i] = of_target[j] = UNCHANGED
    for block in alignment.moved:
        for k in range(block.length):
            of_source[block.source + k] = of_target[block.target + k] = "move"
    for i, j, _ in alignment.links:
        label = replacement(source[i], target[j], words)
        if label:
            of_source[i] = of_target[j] = label
    for run in _runs(of_source):
        _mark_deletions(run, a, of_source, words)
    for run in _runs(of_target):
        _mark_insertions(run, b, of_target, words)
    return [label or UNCHANGED for label in of_source], [label or UNCHANGED for label in of_target]


def replacement(old: str, new: str, words: Words) -> str:
    """What one word standing for another is called; empty where the guide wants a deletion and an insertion."""
    a, b = words.lower(old), words.lower(new)
    if a == b:
        return "move"
    kind = words.kind(a)
    if kind is not Kind.CONTENT:
        # Determiners, prepositions and marks are deleted and inserted "for consistency", not replaced.
        return ""
    if not same_stem(a, b):
        return "synonym"
    if words.language.code == "de" and (old[:1].isupper() or new[:1].isupper()):  # nouns have capitals
        if old[:1].isupper() != new[:1].isupper():
            return "POSchange"
        return "s2p" if len(b) > len(a) else "p2s"
    short, long = sorted((a, b), key=len)
    ending = long[len(short) :] if long.startswith(short) else long[len(short) - 1 :]
    if ending in ("s", "es", "ies", "'s") and words.language.code == "en":
        return "s2p" if long == b else "p2s"
    if ending.startswith(_DERIVED):
        return "POSchange"
    return "verbf"


_DERIVED = ("ly", "ness", "tion", "ion", "ment", "al", "ive", "ous", "ity", "er", "or", "ist", "ism", "ung", "lich")


def _runs(found: Sequence[str | None]) -> list[list[int]]:
    """The positions that have no label yet, in runs."""
    return [list(run) for free, run in groupby(range(len(found)), lambda i: found[i] is None) if free]


def _mark_deletions(run: list[int], a: list[str], of_source: list[str | None], words: Words) -> None:
    kinds = [words.kind(a[i]) for i in run]
    if Kind.CONTENT not in kinds:
        label = "delcst"
    elif len(run) <= MODIFIER:
        label = "delmod"
    else:
        label = "delprop" if len(run) >= CLAUSE and Kind.MARK in (kinds[0], kinds[-1]) else "deloth"
    for i, kind in zip(run, kinds, strict=True):
        lone = kind is Kind.MARK and (i == run[0] or i == run[-1])
        of_source[i] = "delcst" if lone else label


def _mark_insertions(run: list[int], b: list[str], of_target: list[str | None], words: Words) -> None:
    content = sum(words.kind(b[j]) is Kind.CONTENT for j in run)
    label = "incst" if not content else "inoth"
    for j in run:
        ends = b[j] in words.stops and 0 < j < len(b) - 1
        of_target[j] = "split" if ends else "incst" if words.kind(b[j]) is not Kind.CONTENT else label


def _probabilities(found: Sequence[str]) -> Floats:
    """The label of the rule with its share, the rest spread evenly."""
    rows = np.zeros((len(found), len(LABELS)), dtype=np.float32)
    for row, label in zip(rows, found, strict=True):
        share = SURE[label]
        row[:] = (1 - share) / (len(LABELS) - 1)
        row[COLUMN[label]] = share
    return rows


def missing(lang: str) -> str | None:
    """Rules serve every language that has an entry."""
    get_language(lang)
    return None


def load(lang: str, path: str | None = None) -> Rules:
    """The labeller of a language; there are no weights to choose."""
    if path is not None:
        raise PlainlyError("rules have no weights: leave the file out, or choose another tagger")
    return Rules(lang)
