"""Named entities by the transition system of spaCy 2: each word begins, goes on with, ends or is an entity, or none.

All sentences take their n-th step together; a step is a word.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plainly.models.parsers.network import Floats, Ids, Transitions
from plainly.models.parsers.parsed import NUMBERS

_BEGIN, _IN, _LAST, _UNIT, _OUT = range(1, 6)
_NONE = -1


def recognise(model: Transitions, vectors: Floats, starts: Ids, lengths: Ids) -> Ids:
    """The number of the action of each word, -1 after the end: (sentences, longest).

    The words of sentence i are the rows starts[i] .. starts[i] + lengths[i] - 1 of `vectors`.
    """
    moves = np.array([action.move for action in model.actions])
    labels = [action.label for action in model.actions]
    kinds = np.unique(labels, return_inverse=True)[1]
    labelled = np.array(labels) != ""
    within = np.isin(moves, (_IN, _LAST)) & labelled
    outside = np.isin(moves, (_BEGIN, _UNIT)) & labelled | (moves == _OUT)
    begins, unfinished = np.isin(moves, (_BEGIN, _UNIT)), np.isin(moves, (_BEGIN, _IN))

    prepared = model.prepared(vectors)
    taken = np.full((len(lengths), int(lengths.max(initial=0))), _NONE)
    latest = np.full(len(lengths), _NONE)  # the first word of the latest entity
    count = np.zeros(len(lengths), dtype=np.int64)  # of entities
    open_kind = np.full(len(lengths), _NONE)
    for word in range(taken.shape[1]):
        i = np.flatnonzero(lengths > word)
        is_last = lengths[i] == word + 1
        entity = np.where(count[i] < lengths[i], latest[i], _NONE)
        places = np.stack(
            [
                np.full(len(i), word),
                np.full(len(i), word - 1),
                np.where(is_last, _NONE, word + 1),
                entity,
                np.maximum(entity - 1, _NONE),
                np.where(entity + 1 < lengths[i], entity + 1, _NONE),
            ],
            axis=1,
        )
        scores = model.scores(prepared, np.where(places == _NONE, len(vectors), places + starts[i, None]))
        opened = open_kind[i, None]
        valid = np.where(opened == _NONE, outside, within & (kinds == opened)) & ~(is_last[:, None] & unfinished)
        scores[~valid] = -np.inf
        best = scores.argmax(axis=1)
        taken[i, word] = best
        latest[i[begins[best]]] = word
        count[i] += begins[best]
        open_kind[i] = np.where(unfinished[best], kinds[best], _NONE)
    return taken


def names(model: Transitions) -> NDArray[np.bool_]:
    """Which actions say that a word belongs to a name; one entry more, for -1. Dates and numbers are no names."""
    return np.array([bool(action.label) and action.label not in NUMBERS for action in model.actions] + [False])
