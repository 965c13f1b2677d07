# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""N-gram counts of sources, references and outputs: what SARI and BLEU are made of.

Twin: `plainly._kernels.plain.ngrams`. Counting is exact: an n-gram is numbered by the pair (number of its first
n - 1 tokens, number of its last token), so no two n-grams can be confused.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from threading import Lock

import numpy as np

cdef enum:
    ORDERS = 4


# The table of n-grams is what the kernel touches most, so its counts, which cannot exceed the number of tokens of
# one segment, have 32 bits. All products and sums have 64.
cdef struct Gram:
    uint64_t key  # (number of the prefix + 1) << 32 | last token
    int32_t tail  # number of the n-gram without the first token
    uint32_t stamp  # which text counted last (0 the source, k the k-th reference) << 2 | order, 0 for single tokens
    uint32_t source  # times in the source
    uint32_t references  # times in all references together
    uint32_t most  # times in the reference that has it most often
    uint32_t here  # times in the text that is being read; 0 between outputs


cdef struct Segment:
    int64_t first  # its n-grams are grams[first:first + size]
    int64_t size
    int64_t from_source  # the first so many of them occur in the source
    int64_t slots  # its hash table is slots[slots:slots + mask + 1]
    uint64_t mask
    int64_t references  # how many it has
    int64_t source_total[ORDERS]  # n-grams of the source
    int64_t add_reference[ORDERS]  # types of the references that are not in the source
    int64_t keep_reference[ORDERS]
    int64_t delete_reference[ORDERS]


cdef struct Found:  # the n-grams of one output: those of the index that it has, and the types of the others
    int64_t *touched
    int64_t size
    Gram *novel
    int64_t novel_size
    int32_t *novel_slots
    uint64_t novel_mask
    int64_t capacity


cdef class NgramIndex:
    """The n-grams (n = 1..4) of every segment's source and references, counted once for any number of outputs.

    All texts are token numbers of one vocabulary. Segment i has the references group[i] .. group[i + 1] - 1, and
    reference j is reference_ids[reference_offsets[j]:reference_offsets[j + 1]]. Threads may share it: outputs are
    read one at a time, under a lock. A segment is counted when its first output is read, and both are at hand.
    """

    cdef Gram *grams
    cdef int32_t *slots
    cdef Segment *segments
    cdef int64_t n
    cdef int64_t counted  # segments so far
    cdef const int32_t[::1] source_ids, reference_ids
    cdef const int64_t[::1] source_offsets, reference_offsets
    cdef int64_t[::1] reference_lengths
    cdef int64_t[::1] group
    cdef object lock

    def __cinit__(self, const int32_t[::1] source_ids, const int64_t[::1] source_offsets,
                  const int32_t[::1] reference_ids, const int64_t[::1] reference_offsets,
                  const int64_t[::1] group):
        cdef int64_t i, tokens
        self.lock = Lock()
        self.n = source_offsets.shape[0] - 1
        if group.shape[0] != self.n + 1:
            raise ValueError("sources and reference groups differ in number")
        self.source_ids, self.source_offsets = source_ids, source_offsets
        self.reference_ids, self.reference_offsets = reference_ids, reference_offsets
        self.group = np.array(group)
        self.reference_lengths = np.diff(np.asarray(reference_offsets)).astype(np.int64)
        self.segments = <Segment *> calloc(self.n + 1, sizeof(Segment))
        if self.segments == NULL:
            raise MemoryError
        for i in range(self.n):
            self.place(i)
        # Room for the case that no n-gram repeats; what is not used is never touched and costs nothing.
        tokens = source_ids.shape[0] + reference_ids.shape[0]
        self.grams = <Gram *> malloc((ORDERS * tokens + 1) * sizeof(Gram))
        self.slots = <int32_t *> malloc((self.segments[self.n].slots + 1) * sizeof(int32_t))
        if not (self.grams and self.slots):
            raise MemoryError

    def __dealloc__(self):
        free(self.grams)
        free(self.slots)
        free(self.segments)

    def sari(self, const int32_t[::1] ids, const int64_t[::1] offsets):
        """SARI's counts of each segment: int64 (segments, 3 operations, 3 counts, 4 orders).

        Operations: add, keep, delete. Counts: correct, made by the system, wanted by the references.
        Add counts n-gram types. Keep and delete count n-grams, times the number of references.
        """
        result = np.zeros((self.n, 3, 3, ORDERS), dtype=np.int64)
        cdef int64_t[:, :, :, ::1] rows = result
        cdef int64_t i
        cdef Found found
        self.open_output(offsets, &found)
        with self.lock, nogil:
            for i in range(self.n):
                self.read_output(i, ids, offsets, &found)
                self.sari_row(&self.segments[i], &found, rows[i])
                self.forget_output(i, &found)
        close_output(&found)
        return result

    def sari_ratios(self, const int32_t[::1] ids, const int64_t[::1] offsets):
        """The sums behind the SARI variants that average over n-gram types: float64 (segments, 4 orders, 10).

        Columns: keep: sum over types of correct / kept, types kept, sum of correct / wanted, types wanted,
        correct n-grams, wanted n-grams; delete: sum of correct / deleted, types deleted,
        sum of correct / wanted, types wanted. A deletion counts as correct as often as it exceeds the references.
        """
        result = np.zeros((self.n, ORDERS, 10), dtype=np.float64)
        cdef double[:, :, ::1] rows = result
        cdef int64_t i
        cdef Found found
        self.open_output(offsets, &found)
        with self.lock, nogil:
            for i in range(self.n):
                self.read_output(i, ids, offsets, &found)
                self.ratio_row(&self.segments[i], rows[i])
                self.forget_output(i, &found)
        close_output(&found)
        return result

    def bleu(self, const int32_t[::1] ids, const int64_t[::1] offsets):
        """BLEU's counts of each segment: int64 (segments, 10).

        Columns: output length, length of the closest reference (the shorter of two equally close), matches
        for n = 1..4, n-grams of the output for n = 1..4.
        """
        result = np.zeros((self.n, 2 + 2 * ORDERS), dtype=np.int64)
        cdef int64_t[:, ::1] rows = result
        cdef int64_t i, j, length
        cdef Gram *gram
        cdef Found found
        self.open_output(offsets, &found)
        with self.lock, nogil:
            for i in range(self.n):
                self.read_output(i, ids, offsets, &found)
                length = offsets[i + 1] - offsets[i]
                rows[i, 0] = length
                rows[i, 1] = self.closest_reference(i, length)
                for j in range(ORDERS):
                    rows[i, 2 + ORDERS + j] = max(0, length - j)
                for j in range(found.size):
                    gram = &self.grams[found.touched[j]]
                    rows[i, 2 + order_of(gram)] += min(gram.here, gram.most)
                self.forget_output(i, &found)
        close_output(&found)
        return result

    # -- counting sources and references ---------------------------------------------------------------------------------

    cdef void place(self, int64_t i) noexcept:
        """Give segment i its hash table, and segment i + 1 the place behind it."""
        cdef Segment *segment = &self.segments[i]
        cdef int64_t tokens = self.source_offsets[i + 1] - self.source_offsets[i]
        cdef int64_t size = 16
        tokens += self.reference_offsets[self.group[i + 1]] - self.reference_offsets[self.group[i]]
        while size < (ORDERS + 1) * tokens:  # filled to four fifths at the most
            size *= 2
        segment.mask = size - 1
        segment.references = self.group[i + 1] - self.group[i]
        self.segments[i + 1].slots = segment.slots + size

    cdef void count(self, int64_t i) noexcept nogil:
        cdef Segment *segment = &self.segments[i]
        cdef int64_t j, k, n, wanted
        cdef Gram *gram
        memset(self.slots + segment.slots, 0, (segment.mask + 1) * sizeof(int32_t))
        self.count_text(segment, self.source_ids, self.source_offsets[i], self.source_offsets[i + 1], 0)
        segment.from_source = segment.size
        for k in range(segment.references):
            j = self.group[i] + k
            self.count_text(segment, self.reference_ids, self.reference_offsets[j], self.reference_offsets[j + 1],
                            <uint32_t> (k + 1))
        for j in range(segment.size):
            gram = &self.grams[segment.first + j]
            gram.here = 0
            n = order_of(gram)
            segment.source_total[n] += gram.source
            if gram.source == 0:
                segment.add_reference[n] += 1
            else:
                wanted = min(segment.references * gram.source, <int64_t> gram.references)
                segment.keep_reference[n] += wanted
                segment.delete_reference[n] += segment.references * gram.source - wanted
        self.segments[i + 1].first = segment.first + segment.size
        self.counted += 1

    cdef void count_text(self, Segment *segment, const int32_t[::1] ids, int64_t start, int64_t end,
                         uint32_t reader) noexcept nogil:
        """Count the n-grams that end at each token, the longest first: of one that is known, all tails are known."""
        cdef int64_t ends[ORDERS]  # the numbers of the n-grams that end at the token before
        cdef int64_t i, n, number, longer
        cdef uint64_t key
        cdef uint32_t stamp
        cdef bint known
        cdef Gram *grams = self.grams + segment.first
        cdef Gram *gram = NULL
        for i in range(start, end):
            known = False
            longer = -1
            for n in range(min(i - start, ORDERS - 1), -1, -1):
                stamp = reader << 2 | <uint32_t> n
                if known:
                    number = gram.tail
                else:
                    key = <uint64_t> ids[i]
                    if n:
                        key |= <uint64_t> (ends[n - 1] + 1) << 32
                    number = self.find_or_insert(segment, key, stamp)
                    known = number >= 0
                    if not known:
                        number = segment.size - 1
                    if longer >= 0:
                        grams[longer].tail = <int32_t> number
                    longer = number
                ends[n] = number
                gram = &grams[number]
                if reader == 0:
                    gram.source += 1
                    continue
                if gram.stamp != stamp:
                    gram.stamp = stamp
                    gram.here = 0
                gram.references += 1
                gram.here += 1
                gram.most = max(gram.most, gram.here)

    cdef inline int64_t find(self, Segment *segment, uint64_t key) noexcept nogil:
        cdef uint64_t slot = scatter(key) & segment.mask
        cdef int32_t *slots = self.slots + segment.slots
        while slots[slot]:
            if self.grams[segment.first + slots[slot] - 1].key == key:
                return slots[slot] - 1
            slot = (slot + 1) & segment.mask
        return -1

    cdef inline int64_t find_or_insert(self, Segment *segment, uint64_t key, uint32_t stamp) noexcept nogil:
        """The number of an n-gram; -1 if it is new, and now the last."""
        cdef uint64_t slot = scatter(key) & segment.mask
        cdef int32_t *slots = self.slots + segment.slots
        cdef Gram *gram
        while slots[slot]:
            if self.grams[segment.first + slots[slot] - 1].key == key:
                return slots[slot] - 1
            slot = (slot + 1) & segment.mask
        gram = &self.grams[segment.first + segment.size]
        gram.key = key
        gram.stamp = stamp
        gram.source = gram.references = gram.most = gram.here = 0
        segment.size += 1
        slots[slot] = <int32_t> segment.size
        return -1

    # -- reading outputs ------------------------------------------------------------------------------------

    cdef int open_output(self, const int64_t[::1] offsets, Found *found) except -1:
        if offsets.shape[0] != self.n + 1:
            raise ValueError(f"{offsets.shape[0] - 1} outputs for {self.n} segments")
        cdef int64_t longest = longest_text(offsets)
        cdef int64_t size = 16
        found.capacity = ORDERS * longest + 1
        while size < 2 * found.capacity:
            size *= 2
        found.novel_mask = size - 1
        found.size = found.novel_size = 0
        found.touched = <int64_t *> malloc(found.capacity * sizeof(int64_t))
        found.novel = <Gram *> malloc(found.capacity * sizeof(Gram))
        found.novel_slots = <int32_t *> calloc(size, sizeof(int32_t))
        if not (found.touched and found.novel and found.novel_slots):
            close_output(found)
            raise MemoryError
        return 0

    cdef void read_output(self, int64_t i, const int32_t[::1] ids, const int64_t[::1] offsets,
                          Found *found) noexcept nogil:
        """Count the output's n-grams: known ones in `here` of the index, novel types in `found`.

        A novel n-gram gets a number past those of the index, and so do all n-grams that it begins.
        """
        cdef Segment *segment = &self.segments[i]
        cdef Gram *grams = self.grams + segment.first
        cdef int64_t ends[ORDERS]
        cdef int64_t start = offsets[i], j, n, number
        cdef uint64_t key
        if i == self.counted:
            self.count(i)
        for j in range(start, offsets[i + 1]):
            number = -1
            for n in range(min(j - start, ORDERS - 1), -1, -1):
                if number >= 0:
                    number = grams[number].tail
                else:
                    key = <uint64_t> ids[j]
                    if n:
                        key |= <uint64_t> (ends[n - 1] + 1) << 32
                    if n == 0 or ends[n - 1] < segment.size:
                        number = self.find(segment, key)
                    if number < 0:
                        ends[n] = segment.size + find_novel(found, key, n)
                        continue
                ends[n] = number
                if grams[number].here == 0:
                    found.touched[found.size] = segment.first + number
                    found.size += 1
                grams[number].here += 1

    cdef void forget_output(self, int64_t i, Found *found) noexcept nogil:
        cdef int64_t j
        cdef uint64_t slot
        for j in range(found.size):
            self.grams[found.touched[j]].here = 0
        for j in range(found.novel_size):
            slot = scatter(found.novel[j].key) & found.novel_mask
            while found.novel_slots[slot]:
                found.novel_slots[slot] = 0
                slot = (slot + 1) & found.novel_mask
        found.size = found.novel_size = 0

    cdef void sari_row(self, Segment *segment, Found *found, int64_t[:, :, ::1] row) noexcept nogil:
        """All counts from the n-grams that the output has; the rest follows from the totals of the segment."""
        cdef int64_t n, j, r = segment.references, kept, rest, wanted
        cdef Gram *gram
        if r == 0:
            return
        for n in range(ORDERS):
            row[0, 2, n] = segment.add_reference[n]
            row[1, 2, n] = segment.keep_reference[n]
            row[2, 2, n] = segment.delete_reference[n]
            row[2, 0, n] = segment.delete_reference[n]
            row[2, 1, n] = r * segment.source_total[n]
        for j in range(found.novel_size):
            row[0, 1, order_of(&found.novel[j])] += 1
        for j in range(found.size):
            gram = &self.grams[found.touched[j]]
            n = order_of(gram)
            if gram.source == 0:
                row[0, 0, n] += gram.references > 0
                row[0, 1, n] += 1
                continue
            kept = r * min(gram.source, gram.here)
            row[1, 0, n] += min(kept, <int64_t> gram.references)
            row[1, 1, n] += kept
            rest = r * gram.source - kept
            wanted = max(0, r * gram.source - gram.references)
            row[2, 0, n] -= wanted - min(rest, wanted)
            row[2, 1, n] -= kept

    cdef void ratio_row(self, Segment *segment, double[:, ::1] row) noexcept nogil:
        cdef int64_t j, n, r = segment.references, s, kept, wanted, correct
        cdef Gram *gram
        for j in range(segment.from_source):
            gram = &self.grams[segment.first + j]
            n = order_of(gram)
            s = r * gram.source
            kept = r * min(gram.source, gram.here)
            wanted = min(s, <int64_t> gram.references)
            correct = min(kept, wanted)
            if correct:
                row[n, 0] += <double> correct / kept
                row[n, 2] += <double> correct / wanted
                row[n, 4] += correct
            row[n, 1] += kept > 0
            row[n, 3] += wanted > 0
            row[n, 5] += wanted
            correct = s - kept - gram.references
            if correct > 0:
                row[n, 6] += <double> correct / (s - kept)
                row[n, 8] += <double> correct / (s - gram.references)
            row[n, 7] += s > kept
            row[n, 9] += s > gram.references

    cdef int64_t closest_reference(self, int64_t i, int64_t length) noexcept nogil:
        cdef int64_t j, candidate, best = 0, gap, smallest = -1
        for j in range(self.group[i], self.group[i + 1]):
            candidate = self.reference_lengths[j]
            gap = length - candidate if length > candidate else candidate - length
            if smallest < 0 or gap < smallest or (gap == smallest and candidate < best):
                smallest = gap
                best = candidate
        return best


def overlaps(const int32_t[::1] ids, const int64_t[::1] offsets,
             const int32_t[::1] other_ids, const int64_t[::1] other_offsets, const int64_t[::1] group):
    """How many tokens text i shares (as multisets) with each text group[i] .. group[i + 1] - 1 of the others."""
    cdef int64_t n = offsets.shape[0] - 1, i, j, k, common
    if group.shape[0] != n + 1:
        raise ValueError("texts and groups differ in number")
    result = np.zeros(other_offsets.shape[0] - 1, dtype=np.int64)
    cdef int64_t[::1] shared = result
    cdef int32_t largest = -1, least = 0
    for j in range(ids.shape[0]):
        largest = max(largest, ids[j])
        least = min(least, ids[j])
    for j in range(other_ids.shape[0]):
        largest = max(largest, other_ids[j])
        least = min(least, other_ids[j])
    if least < 0:
        raise IndexError("a token number is negative")
    # `spare[t]` holds how often token t of text i is still to be matched; undone after each use.
    cdef int64_t *spare = <int64_t *> calloc(largest + 2, sizeof(int64_t))
    if spare == NULL:
        raise MemoryError
    with nogil:
        for i in range(n):
            for j in range(offsets[i], offsets[i + 1]):
                spare[ids[j]] += 1
            for k in range(group[i], group[i + 1]):
                common = 0
                for j in range(other_offsets[k], other_offsets[k + 1]):
                    common += spare[other_ids[j]] > 0
                    spare[other_ids[j]] -= 1
                for j in range(other_offsets[k], other_offsets[k + 1]):
                    spare[other_ids[j]] += 1
                shared[k] = common
            for j in range(offsets[i], offsets[i + 1]):
                spare[ids[j]] -= 1
    free(spare)
    return result


def distinct(const int32_t[::1] ids, const int64_t[::1] offsets, const uint8_t[::1] without):
    """The different tokens of each text in the order of their first occurrence, but for token t if without[t]."""
    cdef int64_t n = offsets.shape[0] - 1, i, j, size = 0
    cdef int32_t largest = -1
    for j in range(ids.shape[0]):
        if ids[j] < 0:
            raise IndexError("a token number is negative")
        largest = max(largest, ids[j])
    found = np.empty(ids.shape[0], dtype=np.int32)
    bounds = np.zeros(n + 1, dtype=np.int64)
    cdef int32_t[::1] kept = found
    cdef int64_t[::1] bound = bounds
    cdef int64_t *last = <int64_t *> calloc(largest + 2, sizeof(int64_t))  # the text that had it last, from 1
    if last == NULL:
        raise MemoryError
    with nogil:
        for j in range(min(without.shape[0], <int64_t> largest + 1)):
            if without[j]:
                last[j] = n + 1
        for i in range(n):
            for j in range(offsets[i], offsets[i + 1]):
                if last[ids[j]] <= i:
                    last[ids[j]] = i + 1
                    kept[size] = ids[j]
                    size += 1
            bound[i + 1] = size
    free(last)
    return found[:size], bounds


cdef int64_t find_novel(Found *found, uint64_t key, int64_t order) noexcept nogil:
    cdef uint64_t slot = scatter(key) & found.novel_mask
    while found.novel_slots[slot]:
        if found.novel[found.novel_slots[slot] - 1].key == key:
            return found.novel_slots[slot] - 1
        slot = (slot + 1) & found.novel_mask
    found.novel[found.novel_size].key = key
    found.novel[found.novel_size].stamp = <uint32_t> order
    found.novel_size += 1
    found.novel_slots[slot] = <int32_t> found.novel_size
    return found.novel_size - 1


cdef void close_output(Found *found) noexcept:
    free(found.touched)
    free(found.novel)
    free(found.novel_slots)


cdef int64_t longest_text(const int64_t[::1] offsets) noexcept nogil:
    cdef int64_t i, longest = 0
    for i in range(offsets.shape[0] - 1):
        longest = max(longest, offsets[i + 1] - offsets[i])
    return longest


cdef inline int64_t order_of(const Gram *gram) noexcept nogil:
    return gram.stamp & 3


cdef inline uint64_t scatter(uint64_t key) noexcept nogil:
    key ^= key >> 32
    key *= <uint64_t> 0x9E3779B97F4A7C15
    return key ^ (key >> 29)
