"""The label that each annotator gave to each token, as arrays: annotations of the same pairs, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.agreement import MISSING, Codes
from plainly.operations.annotations import AnnotatedPair, Group
from plainly.operations.typology import ERROR, SIDES, Side, Typology

Errors = Literal["as-written", "whole-pair", "left-out"]
"""What the flag for a faulty pair means to its tokens.

as-written   the tokens that its group names (the first of each side, in ASSETann) carry it like any label
whole-pair   all tokens of the pair carry it, whatever else the annotator said of them
left-out     pairs that gold flags do not count; without gold, pairs that any annotator flags
"""

Key = tuple[str, str]
UNCHANGED = ""
GOLD = "gold"


@dataclass(frozen=True)
class Ratings:
    """Pairs that two annotators or more have done. Gold, where there is one, is the last of the `raters`.

    `codes[side]` is (tokens, raters): the number of a label, 0 where the token is unchanged, `MISSING` where the
    rater did not do the pair. `units[side]` is the pair that each token belongs to.
    """

    raters: tuple[str, ...]
    has_gold: bool
    labels: tuple[str, ...]
    keys: tuple[Key, ...]
    annotations: tuple[Mapping[Key, AnnotatedPair], ...]
    alone: int
    """Pairs that only one of the raters has done."""
    left_out: int
    """Pairs left out because they are flagged as faulty."""
    codes: Mapping[Side, Codes]
    units: Mapping[Side, Codes]

    def done(self, rater: int) -> int:
        """How many of the pairs the rater has done."""
        return len(self.annotations[rater])


def side_by_side(
    annotators: Mapping[str, Sequence[AnnotatedPair]],
    gold: Sequence[AnnotatedPair] | None,
    typology: Typology,
    errors: Errors = "as-written",
) -> Ratings:
    """Annotations of the same pairs, matched by id and origin; by id alone where some do not name an origin."""
    if errors not in get_args(Errors):
        raise UnknownName("reading of faulty pairs", errors, get_args(Errors))
    raters = (*annotators, GOLD) if gold is not None else tuple(annotators)
    if len(raters) < 2:
        raise PlainlyError("agreement needs two annotators, or one and a gold annotation")
    if len(set(raters)) < len(raters):
        raise PlainlyError(f"an annotator cannot be called {GOLD!r} when there is a gold annotation")
    lists = [*annotators.values(), *([gold] if gold is not None else [])]
    with_origin = all(pair.origin for pairs in lists for pair in pairs)
    tables = [_by_key(name, pairs, with_origin) for name, pairs in zip(raters, lists, strict=True)]
    every = dict.fromkeys(key for table in reversed(tables) for key in table)  # in the order of gold
    shared = [key for key in every if sum(key in table for table in tables) > 1]
    if not shared:
        raise PlainlyError("no pair was annotated by two annotators: their ids (and origins) have nothing in common")
    for key in shared:
        _check_tokens(key, raters, tables)
    judges = tables[-1:] if gold is not None else tables
    kept = [key for key in shared if errors != "left-out" or not _flagged(key, judges)]
    if not kept:
        raise PlainlyError("all pairs are flagged as faulty, so none is left to compare")
    if errors == "whole-pair":
        tables = [{key: _whole(pair) for key, pair in table.items()} for table in tables]
    tables = [{key: table[key] for key in kept if key in table} for table in tables]
    labels = _labels((pair for table in tables for pair in table.values()), typology)
    codes, units = {}, {}
    for side in SIDES:
        codes[side], units[side] = _coded(kept, tables, labels, side)
    return Ratings(
        raters=raters,
        has_gold=gold is not None,
        labels=labels,
        keys=tuple(kept),
        annotations=tuple(tables),
        alone=len(every) - len(shared),
        left_out=len(shared) - len(kept),
        codes=codes,
        units=units,
    )


def in_words(key: Key) -> str:
    """A pair as messages name it."""
    identity, origin = key
    return f"pair {identity!r}" + (f" of {origin!r}" if origin else "")


def _by_key(name: str, pairs: Iterable[AnnotatedPair], with_origin: bool) -> dict[Key, AnnotatedPair]:
    table: dict[Key, AnnotatedPair] = {}
    for pair in pairs:
        key = (pair.id, pair.origin if with_origin else "")
        if key in table:
            reason = "" if with_origin else "; where origins are missing, ids alone must tell pairs apart"
            raise PlainlyError(f"annotator {name!r} has {in_words(key)} twice{reason}")
        table[key] = pair
    return table


def _check_tokens(key: Key, raters: Sequence[str], tables: Sequence[Mapping[Key, AnnotatedPair]]) -> None:
    (first, one), *others = [(name, table[key]) for name, table in zip(raters, tables, strict=True) if key in table]
    for second, other in others:
        for side in SIDES:
            if one.tokens(side) != other.tokens(side):
                raise PlainlyError(
                    f"{in_words(key)}: {first!r} and {second!r} have different tokens on the {side} side; "
                    "annotators must have annotated the same texts under the same ids"
                )


def _flagged(key: Key, tables: Iterable[Mapping[Key, AnnotatedPair]]) -> bool:
    return any(key in table and table[key].erroneous for table in tables)


def _whole(pair: AnnotatedPair) -> AnnotatedPair:
    """A flagged pair as one group: every token, and the flag."""
    if not pair.erroneous:
        return pair
    return replace(pair, groups=(Group(tuple(range(len(pair.source))), tuple(range(len(pair.target))), ERROR),))


def _labels(pairs: Iterable[AnnotatedPair], typology: Typology) -> tuple[str, ...]:
    """Unchanged, the labels of the typology, and any others that are used."""
    used = dict.fromkeys(group.label for pair in pairs for group in pair.groups)
    return tuple(dict.fromkeys((UNCHANGED, *typology.names, *used)))


def _coded(
    keys: Sequence[Key], tables: Sequence[Mapping[Key, AnnotatedPair]], labels: Sequence[str], side: Side
) -> tuple[Codes, NDArray[np.int64]]:
    numbers = {label: number for number, label in enumerate(labels)}
    lengths = [next(len(table[key].tokens(side)) for table in tables if key in table) for key in keys]
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    codes = np.full((int(starts[-1]), len(tables)), MISSING, dtype=np.int64)
    for column, table in enumerate(tables):
        for row, key in enumerate(keys):
            if key not in table:
                continue
            tokens = codes[starts[row] : starts[row + 1], column]
            tokens[:] = 0
            for group in table[key].groups:  # of two groups that share a token, the last counts
                tokens[list(group.positions(side))] = numbers[group.label]
    return codes, np.repeat(np.arange(len(keys)), lengths)
