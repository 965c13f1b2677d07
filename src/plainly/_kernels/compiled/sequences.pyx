# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Longest common subsequences of sequences of numbers (code points or tokens).

Twin: `plainly._kernels.plain.sequences`. The bit-parallel algorithm of Hyyrö (2004), "Bit-parallel LCS-length
computation revisited", in strips of 64 positions of the first sequence, so that memory stays linear.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

import numpy as np

cdef extern from *:
    """
    static inline int count_bits(uint64_t word) { return __builtin_popcountll(word); }
    """
    int count_bits(uint64_t word) nogil

cdef enum:
    SLOTS = 256  # at most 64 distinct symbols stand in a strip


def lcs_lengths(const int32_t[::1] first, const int64_t[::1] first_offsets,
                const int32_t[::1] second, const int64_t[::1] second_offsets):
    """The length of the longest common subsequence of each pair of sequences."""
    cdef int64_t n = first_offsets.shape[0] - 1, i, longest = 1
    if second_offsets.shape[0] - 1 != n:
        raise ValueError(f"{n} sequences against {second_offsets.shape[0] - 1}")
    result = np.zeros(n, dtype=np.int64)
    cdef int64_t[::1] lengths = result
    for i in range(n):
        longest = max(longest, second_offsets[i + 1] - second_offsets[i])
    cdef uint8_t *carry = <uint8_t *> calloc(longest, 1)
    if carry == NULL:
        raise MemoryError
    with nogil:
        for i in range(n):
            lengths[i] = lcs_length(first, first_offsets[i], first_offsets[i + 1],
                                    second, second_offsets[i], second_offsets[i + 1], carry)
    free(carry)
    return result


cdef int64_t lcs_length(const int32_t[::1] first, int64_t first_start, int64_t first_end,
                        const int32_t[::1] second, int64_t second_start, int64_t second_end,
                        uint8_t *carry) noexcept nogil:
    """`carry[j]` takes the overflow of the addition at position j of the second sequence to the next strip."""
    cdef int64_t length = 0, strip, j
    cdef int32_t symbols[SLOTS]
    cdef uint64_t masks[SLOTS]
    cdef uint64_t state, match, total
    # What both begin or end with is part of a longest common subsequence: near copies are done at once.
    while first_start < first_end and second_start < second_end and first[first_start] == second[second_start]:
        first_start += 1
        second_start += 1
        length += 1
    while first_start < first_end and second_start < second_end and first[first_end - 1] == second[second_end - 1]:
        first_end -= 1
        second_end -= 1
        length += 1
    for j in range(second_end - second_start):
        carry[j] = 0
    for strip in range(first_start, first_end, 64):
        for j in range(SLOTS):
            masks[j] = 0
        for j in range(strip, min(strip + 64, first_end)):
            match = slot_of(first[j], symbols, masks)
            symbols[match] = first[j]
            masks[match] |= <uint64_t> 1 << (j - strip)
        state = ~<uint64_t> 0
        for j in range(second_end - second_start):
            match = state & masks[slot_of(second[second_start + j], symbols, masks)]
            total = state + match
            if carry[j]:
                total += 1
                carry[j] = total <= state
            else:
                carry[j] = total < state
            state = total | (state - match)
        if first_end - strip < 64:  # positions past the end are not part of the sequence
            state |= ~<uint64_t> 0 << (first_end - strip)
        length += count_bits(~state)
    return length


cdef inline int slot_of(int32_t symbol, int32_t *symbols, uint64_t *masks) noexcept nogil:
    cdef int slot = symbol & (SLOTS - 1)
    while masks[slot] and symbols[slot] != symbol:
        slot = (slot + 1) & (SLOTS - 1)
    return slot
