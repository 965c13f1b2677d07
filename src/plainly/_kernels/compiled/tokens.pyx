# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Text to token numbers in one native pass: tokenising (13a or white space) and vocabulary encoding.

Twin: `plainly._kernels.plain.tokens`. Both number tokens in the order of their first occurrence, so the
result does not depend on how the hash table works inside.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy

from os import urandom
from threading import Lock

import numpy as np

cdef uint64_t SEED = int.from_bytes(urandom(8), "little")

cdef extern from "Python.h":
    int Py_UNICODE_ISSPACE(uint32_t character) nogil
    int PyUnicode_IS_ASCII(object text)
    object PyUnicode_FromKindAndData(int kind, const void *buffer, Py_ssize_t size)

cdef extern from *:
    """
    static const uint64_t FNV_START = 1469598103934665603ULL;
    static const uint64_t FNV_STEP = 1099511628211ULL;
    """
    const uint64_t FNV_START
    const uint64_t FNV_STEP

# What the 13a rules ask of a character. Only ASCII has members outside PLAIN and SPACE.
cdef enum Kind:
    PLAIN
    SPACE
    SYMBOL  # a token of its own wherever it stands
    DIGIT
    STOP  # full stop and comma: tokens unless between digits
    DASH  # a token after a digit

cdef uint8_t ASCII_KIND[128]


cdef void _fill_ascii_kinds() noexcept:
    cdef int c
    for c in range(128):
        if Py_UNICODE_ISSPACE(c):
            ASCII_KIND[c] = SPACE
        elif 48 <= c <= 57:
            ASCII_KIND[c] = DIGIT
        elif c == 44 or c == 46:
            ASCII_KIND[c] = STOP
        elif c == 45:
            ASCII_KIND[c] = DASH
        elif 33 <= c <= 38 or 40 <= c <= 43 or c == 47 or 58 <= c <= 64 or 91 <= c <= 96 or 123 <= c <= 126:
            ASCII_KIND[c] = SYMBOL
        else:
            ASCII_KIND[c] = PLAIN


_fill_ascii_kinds()


cdef inline uint8_t kind_of(uint32_t c) noexcept nogil:
    if c < 128:
        return ASCII_KIND[c]
    return SPACE if Py_UNICODE_ISSPACE(c) else PLAIN


cdef struct Text:
    const void *data
    int kind
    bint lower  # to be lower-cased on reading; only for ASCII
    Py_ssize_t length


cdef struct Growing:  # the ids of all tokens so far
    int32_t *ids
    int64_t size
    int64_t capacity


cdef uint32_t NOTHING = 0xFFFFFFFF  # not a character


cdef struct Rules:
    uint32_t held[3]  # the character that rule 2, 3 and 4 keeps back


cdef class Vocabulary:
    """Numbers tokens 0, 1, 2, ... in the order in which they are first seen. Threads may share it: it has a lock."""

    cdef uint32_t *pool  # the characters of all tokens, one after the other; the open token stands at the end
    cdef int64_t pool_size, pool_capacity
    cdef int64_t *starts  # token i is pool[starts[i]:starts[i + 1]]
    cdef uint64_t *hashes
    cdef int64_t count, capacity
    cdef int32_t *slots  # open addressing: token number + 1, or 0
    cdef uint64_t mask
    cdef uint64_t seed  # differs from process to process, so that nobody can prepare texts that collide
    cdef object lock

    def __cinit__(self):
        self.lock = Lock()
        self.seed = FNV_START ^ SEED
        self.pool_capacity = 1 << 14
        self.capacity = 1 << 10
        self.mask = (1 << 12) - 1
        self.pool = <uint32_t *> malloc(self.pool_capacity * sizeof(uint32_t))
        self.starts = <int64_t *> malloc((self.capacity + 1) * sizeof(int64_t))
        self.hashes = <uint64_t *> malloc(self.capacity * sizeof(uint64_t))
        self.slots = <int32_t *> calloc(self.mask + 1, sizeof(int32_t))
        if not (self.pool and self.starts and self.hashes and self.slots):
            raise MemoryError
        self.starts[0] = 0

    def __dealloc__(self):
        free(self.pool)
        free(self.starts)
        free(self.hashes)
        free(self.slots)

    def __len__(self):
        return self.count

    def encode(self, texts, rule, lowercase=False):
        """Lower-case if asked, tokenise by `rule` ("13a" or "whitespace"), number the tokens.

        Returns (ids, offsets): text i is ids[offsets[i]:offsets[i + 1]].
        """
        if rule not in ("13a", "whitespace"):
            raise ValueError(f"no tokeniser rule {rule!r}")
        with self.lock:
            return self._encode(texts, rule == "13a", lowercase)

    cdef tuple _encode(self, object texts, bint by_13a, bint lower):
        cdef list kept = list(texts)  # the characters must stay alive while the GIL is released
        cdef Py_ssize_t n = len(kept), i, longest = 0
        offsets_array = np.empty(n + 1, dtype=np.int64)
        cdef int64_t[::1] offsets = offsets_array
        cdef Text *views = <Text *> PyMem_Malloc((n + 1) * sizeof(Text))
        cdef uint32_t *scratch = NULL
        cdef Growing out
        cdef bint ok = True
        out.ids = NULL
        if views == NULL:
            raise MemoryError
        try:
            for i in range(n):
                text = kept[i]
                if not isinstance(text, str):
                    raise TypeError(f"text {i} is {type(text).__name__}, not str")
                views[i].lower = lower and PyUnicode_IS_ASCII(text)
                if lower and not views[i].lower:
                    text = kept[i] = str.lower(text)
                views[i].data = PyUnicode_DATA(text)
                views[i].kind = PyUnicode_KIND(text)
                views[i].length = PyUnicode_GET_LENGTH(text)
                longest = max(longest, views[i].length)
            out.size = 0
            out.capacity = 1024
            out.ids = <int32_t *> malloc(out.capacity * sizeof(int32_t))
            scratch = <uint32_t *> malloc((longest + 2) * sizeof(uint32_t))
            if out.ids == NULL or scratch == NULL:
                raise MemoryError
            offsets[0] = 0
            with nogil:
                for i in range(n):
                    ok = self.encode_text(views[i], by_13a, scratch, &out)
                    if not ok:
                        break
                    offsets[i + 1] = out.size
            ids = np.empty(out.size, dtype=np.int32)
            if out.size and ok:
                copy_ids(ids, out)
            if not ok:
                raise MemoryError
        finally:
            self.pool_size = self.starts[self.count]  # an open token that could not be finished is dropped
            free(out.ids)
            free(scratch)
            PyMem_Free(views)
        return ids, offsets_array

    def tokens(self):
        """All tokens, in the order of their numbers."""
        cdef int64_t i
        return [
            PyUnicode_FromKindAndData(4, self.pool + self.starts[i], self.starts[i + 1] - self.starts[i])
            for i in range(self.count)
        ]

    def lengths(self):
        """The number of characters of each token."""
        result = np.empty(self.count, dtype=np.int64)
        cdef int64_t[::1] view = result
        cdef int64_t i
        for i in range(self.count):
            view[i] = self.starts[i + 1] - self.starts[i]
        return result

    def join(self, const int32_t[::1] ids, const int64_t[::1] offsets):
        """The characters of each text, its tokens joined by one blank: (code points, offsets)."""
        cdef Py_ssize_t n = offsets.shape[0] - 1, i, j, total = 0
        for j in range(ids.shape[0]):
            if not 0 <= ids[j] < self.count:
                raise IndexError(f"token number {ids[j]} is not in this vocabulary")
            total += self.starts[ids[j] + 1] - self.starts[ids[j]] + 1
        characters = np.empty(total, dtype=np.int32)
        bounds = np.zeros(n + 1, dtype=np.int64)
        cdef int32_t[::1] target = characters
        cdef int64_t[::1] bound = bounds
        cdef int64_t at = 0, length
        with nogil:
            for i in range(n):
                for j in range(offsets[i], offsets[i + 1]):
                    if j > offsets[i]:
                        target[at] = 32
                        at += 1
                    length = self.starts[ids[j] + 1] - self.starts[ids[j]]
                    if length:
                        memcpy(&target[at], self.pool + self.starts[ids[j]], length * sizeof(uint32_t))
                        at += length
                bound[i + 1] = at
        return characters[:at], bounds

    # -- native part: everything below runs without the GIL and reports lack of memory by False --

    cdef bint encode_text(self, Text text, bint by_13a, uint32_t *scratch, Growing *out) noexcept nogil:
        cdef Py_ssize_t i, length = text.length
        cdef uint32_t c
        cdef uint32_t *line = scratch + 1
        if text.lower:
            for i in range(length):
                c = (<const uint8_t *> text.data)[i]
                line[i] = c + 32 if 65 <= c <= 90 else c
        elif text.kind == 1:
            for i in range(length):
                line[i] = (<const uint8_t *> text.data)[i]
        elif text.kind == 2:
            for i in range(length):
                line[i] = (<const uint16_t *> text.data)[i]
        else:
            memcpy(line, text.data, length * sizeof(uint32_t))
        if not self.reserve_pool(length + 1) or not self.reserve_ids(out, length + 1):
            return False
        if not by_13a:
            return self.split_at_space(line, length, out)
        length = unescape(line, length)
        scratch[0] = 32  # the rules look at neighbours; a blank on either side saves them the edge cases
        line[length] = 32
        return self.split_13a(scratch, length + 2, out)

    cdef bint split_at_space(self, uint32_t *line, Py_ssize_t length, Growing *out) noexcept nogil:
        cdef Py_ssize_t i
        cdef uint64_t hashed = self.seed
        for i in range(length):
            if kind_of(line[i]) == SPACE:
                if not self.close_token(&hashed, out):
                    return False
            else:
                self.append(line[i], &hashed)
        return self.close_token(&hashed, out)

    cdef bint split_13a(self, uint32_t *line, Py_ssize_t length, Growing *out) noexcept nogil:
        """The four substitutions of mteval-v13a as one pass.

        1. a SYMBOL becomes " SYMBOL "
        2. (not DIGIT)(STOP) becomes "\\1 \\2 "
        3. (STOP)(not DIGIT) becomes " \\1 \\2"
        4. (DIGIT)(DASH) becomes "\\1 \\2 "

        Each of rules 2 to 4 looks at two neighbours and, where it matches, consumes both. So each keeps one
        character back (`held`) until it has seen the next, and hands on what it lets go to the next rule.
        Inside a run of letters and blanks no rule can match: such runs bypass the rules.
        """
        cdef Rules rules
        cdef uint64_t hashed = self.seed
        cdef Py_ssize_t i = 0
        cdef uint32_t c
        cdef uint8_t kind, following
        rules.held[0] = rules.held[1] = rules.held[2] = NOTHING
        while i < length:
            c = line[i]
            kind = kind_of(c)
            i += 1
            if kind == SYMBOL:
                if not (self.rule_2(32, &rules, &hashed, out) and self.rule_2(c, &rules, &hashed, out)
                        and self.rule_2(32, &rules, &hashed, out)):
                    return False
                continue
            if not self.rule_2(c, &rules, &hashed, out):
                return False
            if kind > SPACE or i >= length:
                continue
            kind = kind_of(line[i])
            if kind > SPACE:
                continue
            if not self.flush(&rules, &hashed, out):
                return False
            while i + 1 < length:
                following = kind_of(line[i + 1])
                if following > SPACE:
                    break
                if kind == PLAIN:
                    self.append(line[i], &hashed)
                elif not self.close_token(&hashed, out):
                    return False
                kind = following
                i += 1
        return self.flush(&rules, &hashed, out) and self.close_token(&hashed, out)

    cdef bint rule_2(self, uint32_t c, Rules *rules, uint64_t *hashed, Growing *out) noexcept nogil:
        cdef uint32_t held = rules.held[0]
        if held == NOTHING:
            rules.held[0] = c
            return True
        if (c == 46 or c == 44) and not 48 <= held <= 57:
            rules.held[0] = NOTHING
            return (self.rule_3(held, rules, hashed, out) and self.rule_3(32, rules, hashed, out)
                    and self.rule_3(c, rules, hashed, out) and self.rule_3(32, rules, hashed, out))
        rules.held[0] = c
        return self.rule_3(held, rules, hashed, out)

    cdef bint rule_3(self, uint32_t c, Rules *rules, uint64_t *hashed, Growing *out) noexcept nogil:
        cdef uint32_t held = rules.held[1]
        if held == NOTHING:
            rules.held[1] = c
            return True
        if (held == 46 or held == 44) and not 48 <= c <= 57:
            rules.held[1] = NOTHING
            return (self.rule_4(32, rules, hashed, out) and self.rule_4(held, rules, hashed, out)
                    and self.rule_4(32, rules, hashed, out) and self.rule_4(c, rules, hashed, out))
        rules.held[1] = c
        return self.rule_4(held, rules, hashed, out)

    cdef bint rule_4(self, uint32_t c, Rules *rules, uint64_t *hashed, Growing *out) noexcept nogil:
        cdef uint32_t held = rules.held[2]
        if held == NOTHING:
            rules.held[2] = c
            return True
        if c == 45 and 48 <= held <= 57:
            rules.held[2] = NOTHING
            self.append(held, hashed)
            if not self.close_token(hashed, out):
                return False
            self.append(c, hashed)
            return self.close_token(hashed, out)
        rules.held[2] = c
        return self.emit(held, hashed, out)

    cdef bint flush(self, Rules *rules, uint64_t *hashed, Growing *out) noexcept nogil:
        """Let go of every held character; only called where no rule can match across the gap."""
        cdef uint32_t held = rules.held[0]
        rules.held[0] = NOTHING
        if held != NOTHING and not self.rule_3(held, rules, hashed, out):
            return False
        held = rules.held[1]
        rules.held[1] = NOTHING
        if held != NOTHING and not self.rule_4(held, rules, hashed, out):
            return False
        held = rules.held[2]
        rules.held[2] = NOTHING
        return held == NOTHING or self.emit(held, hashed, out)

    cdef inline bint emit(self, uint32_t c, uint64_t *hashed, Growing *out) noexcept nogil:
        if kind_of(c) == SPACE:
            return self.close_token(hashed, out)
        self.append(c, hashed)
        return True

    cdef inline void append(self, uint32_t c, uint64_t *hashed) noexcept nogil:
        self.pool[self.pool_size] = c
        self.pool_size += 1
        hashed[0] = (hashed[0] ^ c) * FNV_STEP

    cdef bint close_token(self, uint64_t *hashed, Growing *out) noexcept nogil:
        """Number the open token, if there is one, and write the number to `out`."""
        cdef int64_t start = self.starts[self.count]
        cdef int64_t length = self.pool_size - start
        if length == 0:
            return True
        cdef uint64_t h = hashed[0]
        hashed[0] = self.seed
        h ^= h >> 29
        cdef uint64_t slot = h & self.mask
        cdef int32_t number
        while self.slots[slot]:
            number = self.slots[slot] - 1
            if (self.hashes[number] == h and self.starts[number + 1] - self.starts[number] == length
                    and memcmp(self.pool + self.starts[number], self.pool + start,
                               length * sizeof(uint32_t)) == 0):
                self.pool_size = start
                out.ids[out.size] = number
                out.size += 1
                return True
            slot = (slot + 1) & self.mask
        if self.count + 1 >= self.capacity and not self.grow_table():
            return False
        self.hashes[self.count] = h
        self.starts[self.count + 1] = self.pool_size
        out.ids[out.size] = <int32_t> self.count
        out.size += 1
        self.count += 1
        slot = h & self.mask
        while self.slots[slot]:
            slot = (slot + 1) & self.mask
        self.slots[slot] = <int32_t> self.count
        return True

    cdef bint grow_table(self) noexcept nogil:
        cdef int64_t capacity = 2 * self.capacity, i
        cdef uint64_t mask = 2 * self.mask + 1, slot
        cdef int64_t *starts = <int64_t *> realloc(self.starts, (capacity + 1) * sizeof(int64_t))
        if starts == NULL:
            return False
        self.starts = starts
        cdef uint64_t *hashes = <uint64_t *> realloc(self.hashes, capacity * sizeof(uint64_t))
        if hashes == NULL:
            return False
        self.hashes = hashes
        cdef int32_t *slots = <int32_t *> calloc(mask + 1, sizeof(int32_t))
        if slots == NULL:
            return False
        for i in range(self.count):
            slot = self.hashes[i] & mask
            while slots[slot]:
                slot = (slot + 1) & mask
            slots[slot] = <int32_t> (i + 1)
        free(self.slots)
        self.slots = slots
        self.mask = mask
        self.capacity = capacity
        return True

    cdef bint reserve_pool(self, int64_t more) noexcept nogil:
        cdef int64_t capacity = self.pool_capacity
        while capacity < self.pool_size + more:
            capacity *= 2
        if capacity == self.pool_capacity:
            return True
        cdef uint32_t *pool = <uint32_t *> realloc(self.pool, capacity * sizeof(uint32_t))
        if pool == NULL:
            return False
        self.pool = pool
        self.pool_capacity = capacity
        return True

    cdef bint reserve_ids(self, Growing *out, int64_t more) noexcept nogil:
        cdef int64_t capacity = out.capacity
        while capacity < out.size + more:
            capacity *= 2
        if capacity == out.capacity:
            return True
        cdef int32_t *ids = <int32_t *> realloc(out.ids, capacity * sizeof(int32_t))
        if ids == NULL:
            return False
        out.ids = ids
        out.capacity = capacity
        return True


cdef void copy_ids(int32_t[::1] target, Growing out) noexcept:
    memcpy(&target[0], out.ids, out.size * sizeof(int32_t))


cdef Py_ssize_t unescape(uint32_t *line, Py_ssize_t length) noexcept nogil:
    """The replacements that 13a makes before its rules, one after the other, in place."""
    cdef Py_ssize_t i
    cdef bint ampersand = False, bracket = False, line_feed = False
    for i in range(length):
        ampersand |= line[i] == 38
        bracket |= line[i] == 60
        line_feed |= line[i] == 10
    if bracket:
        length = replace(line, length, b"<skipped>", 9, -1)
    if line_feed:
        length = replace(line, length, b"-\n", 2, -1)
        length = replace(line, length, b"\n", 1, 32)
    if ampersand:
        length = replace(line, length, b"&quot;", 6, 34)
        length = replace(line, length, b"&amp;", 5, 38)
        length = replace(line, length, b"&lt;", 4, 60)
        length = replace(line, length, b"&gt;", 4, 62)
    return length


cdef Py_ssize_t replace(uint32_t *line, Py_ssize_t length, const char *old, Py_ssize_t width,
                        int new) noexcept nogil:
    """Replace every `old` by the character `new` (by nothing if negative); returns the new length."""
    cdef Py_ssize_t source = 0, target = 0, j
    while source < length:
        j = 0
        while j < width and source + j < length and line[source + j] == <uint8_t> old[j]:
            j += 1
        if j == width:
            if new >= 0:
                line[target] = new
                target += 1
            source += width
        else:
            line[target] = line[source]
            target += 1
            source += 1
    return target
