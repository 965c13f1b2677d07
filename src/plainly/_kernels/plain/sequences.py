"""Longest common subsequences by the textbook recurrence: the oracle of `plainly._kernels.compiled.sequences`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def lcs_lengths(
    first: NDArray[np.int32],
    first_offsets: NDArray[np.int64],
    second: NDArray[np.int32],
    second_offsets: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The length of the longest common subsequence of each pair of sequences."""
    n = len(first_offsets) - 1
    if len(second_offsets) - 1 != n:
        raise ValueError(f"{n} sequences against {len(second_offsets) - 1}")
    return np.array(
        [
            _lcs_length(
                first[first_offsets[i] : first_offsets[i + 1]].tolist(),
                second[second_offsets[i] : second_offsets[i + 1]].tolist(),
            )
            for i in range(n)
        ],
        dtype=np.int64,
    )


def _lcs_length(first: list[int], second: list[int]) -> int:
    row = [0] * (len(second) + 1)
    for symbol in first:
        diagonal = 0
        for j, other in enumerate(second, 1):
            above = row[j]
            row[j] = diagonal + 1 if symbol == other else max(above, row[j - 1])
            diagonal = above
    return row[-1]
