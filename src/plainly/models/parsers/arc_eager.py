"""Dependency trees by an arc-eager transition system, for many sentences at a time.

A state is a stack and a buffer of words. An action shifts the next word of the buffer onto the stack, reduces the
stack, or draws an arc between the two. It is the system of spaCy 2 (Honnibal and Johnson 2015: non-monotonic, so
an arc to the left may replace an earlier one, and Reduce puts a word without a head back into the buffer), less
its action that ends a sentence: here a sentence is a sentence before it is parsed.

All sentences take their n-th step together, so that each step is a handful of array operations.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plainly.models.parsers.network import Floats, Ids, Transitions

SHIFT, REDUCE, LEFT, RIGHT, _BREAK = range(5)
_NOTHING = -1


class Arcs(NamedTuple):
    """The heads of the words of each sentence (a root's is itself) and the numbers of the actions that drew the
    arcs (-1 for a root): (sentences, longest)."""

    heads: Ids
    actions: Ids


def parse(model: Transitions, vectors: Floats, starts: Ids, lengths: Ids) -> Arcs:
    """The trees of sentences whose words are the rows starts[i] .. starts[i] + lengths[i] - 1 of `vectors`."""
    states = _States(lengths)
    prepared = model.prepared(vectors)
    moves = np.array([action.move for action in model.actions])
    active = np.arange(len(lengths))
    while True:
        active = states.settle(active)
        if not len(active):
            return Arcs(states.heads[:, 1:] - 1, states.actions[:, 1:])
        words = states.words_in_places(active)
        rows = np.where(words == _NOTHING, len(vectors), words + starts[active, None])
        scores = model.scores(prepared, rows)
        scores[~states.valid(active)[:, moves]] = -np.inf
        best = scores.argmax(axis=1)
        states.take(active, moves[best], best)


def without_lifted_arcs(heads: list[int], labels: list[str]) -> tuple[list[int], list[str]]:
    """The trees as they are meant where arcs cross (Nivre and Nilsson 2005).

    An arc that would cross others was learnt with a higher head and the label "own||label of the head". It goes
    back to the first word of that label below its head, the nearest level first, from left to right.
    """
    if not any("||" in label for label in labels):
        return heads, labels
    heads, plain = list(heads), [label.partition("||")[0] for label in labels]
    for word, label in enumerate(labels):
        _, lifted, wanted = label.partition("||")
        level = [heads[word]] if lifted else []
        while level:
            below = [i for i, head in enumerate(heads) if head in level and i not in (head, word)]
            found = [i for i in below if labels[i] == wanted]
            if found:
                heads[word] = found[0]
                break
            level = below
    return heads, plain


class _States:
    """Stack, buffer and arcs of all sentences. Words are numbered from 1 here; 0 is the word that is not there,
    which is its own head and has no children, so that looking at it needs no check."""

    def __init__(self, lengths: Ids) -> None:
        count, longest = len(lengths), int(lengths.max(initial=0))
        shape = (count, longest + 1)
        self.heads = np.tile(np.arange(longest + 1), (count, 1))
        self.actions = np.full(shape, _NOTHING)
        self._end = lengths + 1
        self._next = np.ones(count, dtype=np.int64)  # where the buffer begins
        self._depth = np.zeros(count, dtype=np.int64)  # of the stack
        self._buffer = np.concatenate([self.heads, np.zeros((count, 2), dtype=np.int64)], axis=1)
        self._buffer[np.arange(longest + 3) >= self._end[:, None]] = 0
        self._stack = np.zeros((count, longest + 4), dtype=np.int64)  # its first three places stay empty
        self._came_back = np.zeros(shape, dtype=bool)  # from the stack to the buffer
        self._leftmost = np.zeros(shape, dtype=np.int64)  # child
        self._rightmost = np.zeros(shape, dtype=np.int64)
        self._sibling = np.zeros(shape, dtype=np.int64)  # the rightmost child before this one

    def _top(self, i: NDArray[np.int64], below: int = 0) -> Ids:
        return np.asarray(self._stack[i, self._depth[i] + 2 - below])

    def _first(self, i: NDArray[np.int64], after: int = 0) -> Ids:
        return np.asarray(self._buffer[i, self._next[i] + after])

    def words_in_places(self, i: Ids) -> Ids:
        """The eight words that the scores rest on, by their place in the sentence from 0, -1 for none."""
        first, top = self._first(i), self._top(i)
        places = [first, self._first(i, 1), top, self._top(i, 1), self._top(i, 2)]
        places += [self._leftmost[i, first], self._leftmost[i, top], self._rightmost[i, top]]
        return np.stack(places, axis=1) - 1

    def valid(self, i: Ids) -> NDArray[np.bool_]:
        """Which moves a state allows: (states, moves)."""
        first, top = self._first(i), self._top(i)
        allowed = np.zeros((len(i), 5), dtype=bool)
        allowed[:, SHIFT] = (self._end[i] - self._next[i] >= 2) & ~self._came_back[i, first]
        allowed[:, REDUCE] = self._depth[i] >= 2
        allowed[:, LEFT] = True
        allowed[:, RIGHT] = self.heads[i, top] != first
        return allowed

    def take(self, i: Ids, moves: Ids, actions: Ids) -> None:
        """Let each state take its action."""
        self._draw_left(i[moves == LEFT], actions[moves == LEFT])
        self._draw_right(i[moves == RIGHT], actions[moves == RIGHT])
        self._push(i[moves == SHIFT])
        self._reduce(i[moves == REDUCE])

    def settle(self, i: Ids) -> Ids:
        """Do what needs no choice, until each state has one or is at its end; those that have one."""
        unsettled = i
        while len(unsettled):
            nothing_left = self._next[unsettled] == self._end[unsettled]
            no_stack = self._depth[unsettled] == 0
            self._push(unsettled[no_stack & ~nothing_left])
            waiting = unsettled[nothing_left & ~no_stack]
            single = self._depth[waiting] == 1
            self._depth[waiting[single]] = 0
            self._reduce(waiting[~single])
            unsettled = unsettled[(nothing_left ^ no_stack)]
        return i[(self._next[i] < self._end[i]) | (self._depth[i] > 0)]

    def _push(self, i: Ids) -> None:
        self._stack[i, self._depth[i] + 3] = self._first(i)
        self._depth[i] += 1
        self._next[i] += 1

    def _reduce(self, i: Ids) -> None:
        top = self._top(i)
        self._depth[i] -= 1
        headless = self.heads[i, top] == top
        back, word = i[headless], top[headless]
        self._next[back] -= 1
        self._buffer[back, self._next[back]] = word
        self._came_back[back, word] = True

    def _draw_left(self, i: Ids, actions: Ids) -> None:
        head, child = self._first(i), self._top(i)
        former = self.heads[i, child]
        had = former != child  # and it was the rightmost child there
        self._rightmost[i[had], former[had]] = self._sibling[i[had], child[had]]
        self.heads[i, child], self.actions[i, child] = head, actions
        self._leftmost[i, head] = child
        self._depth[i] -= 1

    def _draw_right(self, i: Ids, actions: Ids) -> None:
        head, child = self._top(i), self._first(i)
        self._sibling[i, child] = self._rightmost[i, head]
        self._rightmost[i, head] = child
        self.heads[i, child], self.actions[i, child] = head, actions
        self._push(i)
