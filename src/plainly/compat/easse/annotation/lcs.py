"""The longest common subsequence of two lists, by the textbook table (no recursion: no limit on length)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def get_lcs(seq1: Sequence[T], seq2: Sequence[T]) -> list[T]:
    """A longest list of items that occurs in both, in order.

    >>> get_lcs(["the", "big", "cat"], ["the", "cat", "sat"])
    ['the', 'cat']
    """
    return [seq1[i] for i, _ in get_lcs_alignment(seq1, seq2)]


def get_lcs_alignment(seq1: Sequence[T], seq2: Sequence[T]) -> list[tuple[int, int]]:
    """Where these items stand: pairs of positions from 0."""
    rest = [[0] * (len(seq2) + 1) for _ in range(len(seq1) + 1)]  # [i][j]: length for seq1[i:] and seq2[j:]
    for i in reversed(range(len(seq1))):
        for j in reversed(range(len(seq2))):
            same = seq1[i] == seq2[j]
            rest[i][j] = rest[i + 1][j + 1] + 1 if same else max(rest[i + 1][j], rest[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(seq1) and j < len(seq2):
        if seq1[i] == seq2[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif rest[i + 1][j] >= rest[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
