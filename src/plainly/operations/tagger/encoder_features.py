"""What the encoder is told of each token besides the text: what the alignment and the form of words say.

One row a token, source before target. All numbers lie between -1 and 1.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainly.operations.tagger.alignment import Alignment, align
from plainly.operations.tagger.labeller import Pair, Tokens
from plainly.operations.tagger.lexicon import Kind, Words, likeness, same_stem

NAMES = (
    *("on target", "kept", "moved", "linked", "free"),
    *("other case", "partner before too", "partner after too", "block length", "way moved", "moved back"),
    *("likeness", "same stem", "link score", "link in gap", "commonness", "commonness of partner", "rarer"),
    *("found elsewhere", "unknown word", "mark", "function word", "content word", "capital", "digit"),
    *("ends a sentence", "comma", "first", "last", "short word", "long word"),
    *("nothing in other gap", "one in other gap", "few in other gap", "many in other gap"),
    *("alone in gap", "two in gap", "few in gap", "many in gap", "gap begins", "gap ends", "gap at beginning"),
    *("gap at end", "surplus of gap", "moved into gap", "moved out of gap", "best likeness in gap", "place in gap"),
    *("best likeness", "mark before", "mark after", "run share", "text length", "other length", "kept share"),
)
PLACE = {name: place for place, name in enumerate(NAMES)}

Floats = NDArray[np.float32]


class Observed(NamedTuple):
    """`features`: a row a token. `partners`: the row of the token on the other side, or -1."""

    features: Floats
    partners: NDArray[np.int64]


def observe(pair: Pair, words: Words) -> Observed:
    source, target = pair
    alignment = align(source, target, words)
    sides = (source, target, _View.of(alignment)), (target, source, _View.of(alignment.turned))
    features = np.concatenate([_side(*side, words) for side in sides])
    features[len(source) :, PLACE["on target"]] = 1
    partners = [*(j + len(source) if j >= 0 else -1 for j in alignment.partners), *alignment.turned.partners]
    return Observed(features, np.array(partners, dtype=np.int64))


class _View(NamedTuple):
    """An alignment as one side sees it."""

    partners: list[int]
    kept: dict[int, int]
    blocks: dict[int, int]  # token -> length of its moved block
    scores: dict[int, float]  # token -> score of its link
    moved_in: set[int]  # tokens of the other side in moved blocks
    kept_there: list[int]

    @classmethod
    def of(cls, alignment: Alignment) -> _View:
        return cls(
            alignment.partners,
            dict(alignment.kept),
            {block.source + k: block.length for block in alignment.moved for k in range(block.length)},
            {link.source: link.score for link in alignment.links},
            {block.target + k for block in alignment.moved for k in range(block.length)},
            alignment.turned.kept_sources,
        )


def _side(own: Tokens, other: Tokens, view: _View, words: Words) -> Floats:
    found = np.zeros((len(own), len(NAMES)), dtype=np.float32)
    low, there = [words.lower(word) for word in own], [words.lower(word) for word in other]
    elsewhere = set(there)
    taken = view.moved_in.union(view.kept_there)
    free_there = [j for j in range(len(other)) if j not in taken]
    lengths = (math.log1p(len(own)) / 5, math.log1p(len(other)) / 5, len(view.kept) / max(1, len(own)))
    for i, word in enumerate(own):
        row = _word(word, low[i], elsewhere, words)
        partner = view.partners[i]
        if partner >= 0:
            row |= _partner(i, partner, own, other, low, there, view, words)
        else:
            row["free"] = 1
        if i not in view.kept:
            row["best likeness"] = max((likeness(low[i], there[j]) for j in free_there), default=0)
        row["first"], row["last"] = i == 0, i == len(own) - 1
        row["mark before"] = i > 0 and words.kind(low[i - 1]) is Kind.MARK
        row["mark after"] = i + 1 < len(own) and words.kind(low[i + 1]) is Kind.MARK
        row["text length"], row["other length"], row["kept share"] = lengths
        for name, value in row.items():
            found[i, PLACE[name]] = value
    for places, shape in _gaps(low, there, view):
        for name, values in shape.items():
            found[places, PLACE[name]] = values
    return found


def _word(word: str, low: str, elsewhere: set[str], words: Words) -> dict[str, float]:
    kind, commonness = words.kind(low), words.commonness(low)
    return {
        "commonness": commonness,
        "found elsewhere": low in elsewhere,
        "unknown word": commonness == 0 and word.islower() and word.isalpha(),
        "mark": kind is Kind.MARK,
        "function word": kind is Kind.FUNCTION,
        "content word": kind is Kind.CONTENT,
        "capital": word[:1].isupper(),
        "digit": any(map(str.isdigit, word)),
        "ends a sentence": word in words.stops,
        "comma": word == ",",
        "short word": len(word) <= 3,
        "long word": len(word) >= 8,
    }


def _partner(
    i: int, partner: int, own: Tokens, other: Tokens, low: list[str], there: list[str], view: _View, words: Words
) -> dict[str, float]:
    linked = i in view.scores
    mine, theirs = words.commonness(low[i]), words.commonness(there[partner])
    way = partner / len(other) - i / len(own)
    return {
        "kept": i in view.kept,
        "moved": i in view.blocks,
        "linked": linked,
        "other case": not linked and own[i] != other[partner],
        "partner before too": i > 0 and partner > 0 and view.partners[i - 1] == partner - 1,
        "partner after too": i + 1 < len(own) and view.partners[i + 1] == partner + 1,
        "block length": min(view.blocks.get(i, 0), 10) / 10,
        "way moved": abs(way),
        "moved back": way < 0,
        "likeness": likeness(low[i], there[partner]),
        "same stem": linked and same_stem(low[i], there[partner]),
        "link score": view.scores.get(i, 0.0) / 1.5,
        "commonness of partner": theirs,
        "rarer": theirs - mine if linked else 0.0,
    }


def _gaps(low: list[str], there: list[str], view: _View) -> list[tuple[list[int], dict[str, Any]]]:
    """For the tokens between two kept ones: what stands there on both sides."""
    found: list[tuple[list[int], dict[str, Any]]] = []
    ends = [(-1, -1), *sorted(view.kept.items()), (len(low), len(there))]
    for (i, j), (next_i, next_j) in pairwise(ends):
        mine = list(range(i + 1, next_i))
        if not mine:
            continue
        theirs = [k for k in range(j + 1, next_j) if k not in view.moved_in]
        count, others = sum(k not in view.blocks for k in mine), len(theirs)
        shape: dict[str, Any] = {
            "nothing in other gap": others == 0,
            "one in other gap": others == 1,
            "few in other gap": 2 <= others <= 3,
            "many in other gap": others > 3,
            "alone in gap": count == 1,
            "two in gap": count == 2,
            "few in gap": 3 <= count <= 5,
            "many in gap": count > 5,
            "gap at beginning": i < 0,
            "gap at end": next_i == len(low),
            "surplus of gap": (count - others) / (count + others + 1),
            "moved into gap": next_j - j - 1 > others,
            "moved out of gap": len(mine) > count,
            "best likeness in gap": [max((likeness(low[k], there[t]) for t in theirs), default=0) for k in mine],
            "place in gap": [(place + 0.5) / len(mine) for place in range(len(mine))],
            "link in gap": [j < view.partners[k] < next_j for k in mine],
        }
        found += [(mine, shape), ([mine[0]], {"gap begins": 1}), ([mine[-1]], {"gap ends": 1})]
    return found
