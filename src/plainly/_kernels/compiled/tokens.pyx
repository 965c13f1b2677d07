# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Text to token numbers in one native pass: tokenising (13a, white space or words) and vocabulary encoding.

Twin: `plainly._kernels.plain.tokens`. Both number tokens in the order of their first occurrence, so the
result does not depend on how the hash table works inside.

Texts are read as UTF-8, half characters included. What lies beyond ASCII is settled when a text is read: there all
white space becomes a blank. So the rules look at bytes, of which only ASCII has members outside PLAIN, and a token is
a stretch of the text that was read.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from os import urandom
from threading import Lock

import numpy as np

cdef uint64_t SEED = int.from_bytes(urandom(8), "little")

cdef extern from "Python.h":
    int Py_UNICODE_ISALNUM(uint32_t character) nogil
    int Py_UNICODE_ISSPACE(uint32_t character) nogil
    int PyUnicode_IS_ASCII(object text)
    uint32_t PyUnicode_READ(int kind, const void *data, Py_ssize_t index) nogil

cdef extern from *:
    """
    static const uint64_t STEP = 0x9E3779B97F4A7C15ULL;
    """
    const uint64_t STEP

cdef enum:
    BY_13A
    WHITESPACE
    WORDS

RULES = {"13a": BY_13A, "whitespace": WHITESPACE, "words": WORDS}

# What a rule asks of a byte.
cdef enum Kind:
    PLAIN
    DIGIT
    DASH  # a token after a digit
    SPACE
    SYMBOL  # a token of its own wherever it stands
    STOP  # full stop and comma: tokens unless between digits

cdef uint8_t KINDS[3][256]  # of each rule
cdef enum:
    WIDTH = 8  # what is compared at once
cdef uint64_t MASKS[WIDTH]  # keeps so many bytes
cdef uint64_t MARKS[WIDTH + 1]  # in the last byte: how long a token is, if it is shorter than `WIDTH`


cdef void _fill_tables() noexcept:
    cdef int c, length
    memset(KINDS, PLAIN, sizeof(KINDS))
    for c in range(128):
        if Py_UNICODE_ISSPACE(c):
            KINDS[BY_13A][c] = KINDS[WHITESPACE][c] = SPACE
        elif 48 <= c <= 57:
            KINDS[BY_13A][c] = DIGIT
        elif c == 44 or c == 46:
            KINDS[BY_13A][c] = STOP
        elif c == 45:
            KINDS[BY_13A][c] = DASH
        elif 33 <= c <= 38 or 40 <= c <= 43 or c == 47 or 58 <= c <= 64 or 91 <= c <= 96 or 123 <= c <= 126:
            KINDS[BY_13A][c] = SYMBOL
        if not is_of_word(c):
            KINDS[WORDS][c] = SPACE
    for length in range(WIDTH):
        MASKS[length] = 0
        memset(&MASKS[length], 255, length)
        MARKS[length] = 0
        memset(<uint8_t *> &MARKS[length] + WIDTH - 1, length, 1)
    MARKS[WIDTH] = 0
    memset(<uint8_t *> &MARKS[WIDTH] + WIDTH - 1, 255, 1)


cdef inline bint is_of_word(uint32_t c) noexcept nogil:
    return c == 95 or Py_UNICODE_ISALNUM(c) != 0


cdef inline bint is_unspaced(uint32_t c) noexcept nogil:
    """Whether a character belongs to a script that writes no blanks between words."""
    return (0x0E00 <= c <= 0x0EFF or 0x1000 <= c <= 0x109F or 0x1780 <= c <= 0x17FF or 0x3040 <= c <= 0x30FF
            or 0x3400 <= c <= 0x9FFF)


_fill_tables()


cdef struct Text:
    const void *data
    int kind
    bint ascii
    bint lower  # to be lower-cased on reading; only for ASCII
    Py_ssize_t length


cdef struct Growing:  # the ids of all tokens so far
    int32_t *ids
    int64_t size
    int64_t capacity


cdef struct Slot:
    uint64_t head  # a token shorter than `WIDTH` and its length, or the hash of a longer one; 0 in an empty slot
    int64_t number


cdef class Vocabulary:
    """Numbers tokens 0, 1, 2, ... in the order in which they are first seen. Threads may share it: it has a lock."""

    cdef uint8_t *pool  # all tokens, one after the other
    cdef int64_t pool_capacity
    cdef int64_t *starts  # token i is pool[starts[i]:starts[i + 1]]
    cdef int64_t count, capacity
    cdef Slot *slots  # open addressing, filled to half at the most
    cdef uint64_t mask
    cdef uint64_t seed  # differs from process to process, so that nobody can prepare texts that collide
    cdef object lock

    def __cinit__(self):
        self.lock = Lock()
        self.seed = SEED
        self.pool_capacity = 1 << 14
        self.capacity = 1 << 10
        self.mask = 2 * self.capacity - 1
        self.pool = <uint8_t *> malloc(self.pool_capacity)
        self.starts = <int64_t *> malloc((self.capacity + 1) * sizeof(int64_t))
        self.slots = <Slot *> calloc(self.mask + 1, sizeof(Slot))
        if not (self.pool and self.starts and self.slots):
            raise MemoryError
        self.starts[0] = 0

    def __dealloc__(self):
        free(self.pool)
        free(self.starts)
        free(self.slots)

    def __len__(self):
        return self.count

    def encode(self, texts, rule, lowercase=False):
        """Lower-case if asked, tokenise by `rule` ("13a", "whitespace" or "words"), number the tokens.

        Words are runs of letters, digits and underscores; where a script writes no blanks, each character.
        Returns (ids, offsets): text i is ids[offsets[i]:offsets[i + 1]].
        """
        if rule not in RULES:
            raise ValueError(f"no tokeniser rule {rule!r}")
        with self.lock:
            return self._encode(texts, RULES[rule], lowercase)

    cdef tuple _encode(self, object texts, int rule, bint lower):
        cdef list kept = list(texts)  # the characters must stay alive while the GIL is released
        cdef Py_ssize_t n = len(kept), i, longest = 0
        offsets_array = np.empty(n + 1, dtype=np.int64)
        cdef int64_t[::1] offsets = offsets_array
        cdef Text *views = <Text *> PyMem_Malloc((n + 1) * sizeof(Text))
        cdef uint8_t *scratch = NULL
        cdef Py_ssize_t *ends = NULL
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
                views[i].ascii = PyUnicode_IS_ASCII(text)
                views[i].lower = lower and views[i].ascii
                if lower and not views[i].ascii:
                    text = kept[i] = str.lower(text)
                views[i].data = PyUnicode_DATA(text)
                views[i].kind = PyUnicode_KIND(text)
                views[i].length = PyUnicode_GET_LENGTH(text)
                longest = max(longest, views[i].length if views[i].ascii else MOST_BYTES * views[i].length)
            out.size = 0
            out.capacity = 1024
            out.ids = <int32_t *> malloc(out.capacity * sizeof(int32_t))
            scratch = <uint8_t *> malloc(longest + 2 * WIDTH)
            ends = <Py_ssize_t *> malloc((longest + 2) * sizeof(Py_ssize_t))
            if not (out.ids and scratch and ends):
                raise MemoryError
            offsets[0] = 0
            with nogil:
                scratch[0] = 32
                for i in range(n):
                    ok = self.encode_text(&views[i], rule, scratch + 1, ends, &out)
                    if not ok:
                        break
                    offsets[i + 1] = out.size
            ids = np.empty(out.size, dtype=np.int32)
            if out.size and ok:
                copy_ids(ids, out)
            if not ok:
                raise MemoryError
        finally:
            free(out.ids)
            free(scratch)
            free(ends)
            PyMem_Free(views)
        return ids, offsets_array

    def tokens(self):
        """All tokens, in the order of their numbers."""
        cdef int64_t i
        cdef const char *pool = <const char *> self.pool
        return [pool[self.starts[i]:self.starts[i + 1]].decode("utf-8", "surrogatepass") for i in range(self.count)]

    def lengths(self):
        """The number of characters of each token."""
        result = np.empty(self.count, dtype=np.int64)
        cdef int64_t[::1] view = result
        cdef int64_t i, j, length
        for i in range(self.count):
            length = 0
            for j in range(self.starts[i], self.starts[i + 1]):
                length += self.pool[j] & 0xC0 != 0x80
            view[i] = length
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
        cdef int64_t at = 0
        with nogil:
            for i in range(n):
                for j in range(offsets[i], offsets[i + 1]):
                    if j > offsets[i]:
                        target[at] = 32
                        at += 1
                    at += decode(self.pool + self.starts[ids[j]], self.pool + self.starts[ids[j] + 1], &target[at])
                bound[i + 1] = at
        return characters[:at], bounds

    # -- native part: everything below runs without the GIL and reports lack of memory by False --

    cdef bint encode_text(self, const Text *text, int rule, uint8_t *line, Py_ssize_t *ends,
                          Growing *out) noexcept nogil:
        """Read and tokenise a text. A blank stands before the line, and one is put behind it."""
        cdef Py_ssize_t length = text.length
        if not text.ascii:
            length = read_wide(text, rule == WORDS, line)
        elif text.lower:
            read_lower(<const uint8_t *> text.data, length, line)
        else:
            memcpy(line, text.data, length)
        if rule == BY_13A:
            length = unescape(line, length)
        line[length] = 32
        memset(line + length + 1, 0, WIDTH)  # tokens are read in whole words
        if not self.reserve_ids(out, length + 1):
            return False
        find_ends(line, length + 1, KINDS[rule], ends)
        if rule == BY_13A:
            return self.split_13a(line, ends, out)
        return self.split_at_space(line, ends, out)

    cdef bint split_at_space(self, const uint8_t *line, const Py_ssize_t *ends, Growing *out) noexcept nogil:
        cdef Py_ssize_t start = 0
        while ends[0] >= 0:
            if ends[0] > start and not self.add(line + start, ends[0] - start, out):
                return False
            start = ends[0] + 1
            ends += 1
        return True

    cdef bint split_13a(self, const uint8_t *line, const Py_ssize_t *ends, Growing *out) noexcept nogil:
        """The four substitutions of mteval-v13a as one pass.

        1. a SYMBOL becomes " SYMBOL "
        2. (not DIGIT)(STOP) becomes "\\1 \\2 "
        3. (STOP)(not DIGIT) becomes " \\1 \\2"
        4. (DIGIT)(DASH) becomes "\\1 \\2 "

        Each match consumes both characters. So in a run of stops rule 2 takes them in pairs, the first pair being the
        character before and the first stop, unless that character is a digit. A last stop that is in no pair stays
        with the digit behind it: "5..6" is "5 . . 6", "a..6" is "a . .6" and "5.6" is one token.
        """
        cdef const uint8_t *kinds = KINDS[BY_13A]
        cdef Py_ssize_t start = 0, i, end
        cdef uint8_t kind
        cdef bint after_digit
        while ends[0] >= 0:
            i = ends[0]
            ends += 1
            kind = kinds[line[i]]
            if kind == SPACE:
                if i > start and not self.add(line + start, i - start, out):
                    return False
                start = i + 1
                continue
            after_digit = kinds[line[i - 1]] == DIGIT
            if kind == DASH and not after_digit:
                continue
            end = i + 1
            if kind == STOP:
                while kinds[line[end]] == STOP:
                    end += 1
                    ends += 1
                if kinds[line[end]] == DIGIT and (end - i) % 2 == after_digit:
                    end -= 1  # the last stop stays with the digit behind it
                if end == i:  # and with the one before it
                    continue
            if i > start and not self.add(line + start, i - start, out):
                return False
            for start in range(i, end):
                if not self.add(line + start, 1, out):
                    return False
            start = end
        return True

    cdef inline bint add(self, const uint8_t *token, int64_t length, Growing *out) noexcept nogil:
        """Write the number of a token to `out`; a new token gets the next one."""
        cdef uint64_t head = self.head_of(token, length), slot = self.place_of(head)
        cdef int64_t number
        while self.slots[slot].head:
            if self.slots[slot].head == head:
                number = self.slots[slot].number
                if length < WIDTH or (self.starts[number + 1] - self.starts[number] == length
                                      and memcmp(self.pool + self.starts[number], token, length) == 0):
                    out.ids[out.size] = <int32_t> number
                    out.size += 1
                    return True
            slot = (slot + 1) & self.mask
        return self.add_new(token, length, head, slot, out)

    cdef bint add_new(self, const uint8_t *token, int64_t length, uint64_t head, uint64_t slot,
                      Growing *out) noexcept nogil:
        cdef int64_t start = self.starts[self.count]
        if self.count == self.capacity:
            if not self.grow_table():
                return False
            slot = self.place_of(head)
            while self.slots[slot].head:
                slot = (slot + 1) & self.mask
        if not self.reserve_pool(start + length):
            return False
        memcpy(self.pool + start, token, length)
        self.slots[slot].head = head
        self.slots[slot].number = self.count
        out.ids[out.size] = <int32_t> self.count
        out.size += 1
        self.count += 1
        self.starts[self.count] = start + length
        return True

    cdef inline uint64_t head_of(self, const uint8_t *token, int64_t length) noexcept nogil:
        cdef uint64_t word, hashed = self.seed
        if length < WIDTH:
            memcpy(&word, token, WIDTH)
            return (word & MASKS[length]) | MARKS[length]
        while length >= WIDTH:
            memcpy(&word, token, WIDTH)
            hashed = (hashed ^ word) * STEP
            hashed ^= hashed >> 32
            token += WIDTH
            length -= WIDTH
        memcpy(&word, token, WIDTH)
        hashed = (hashed ^ (word & MASKS[length]) ^ <uint64_t> length) * STEP
        return (hashed ^ hashed >> 29) | MARKS[WIDTH]

    cdef inline uint64_t place_of(self, uint64_t head) noexcept nogil:
        cdef uint64_t hashed = (head ^ self.seed) * STEP
        hashed = (hashed ^ hashed >> 32) * (self.seed | 1)
        return (hashed ^ hashed >> 29) & self.mask

    cdef bint grow_table(self) noexcept nogil:
        cdef int64_t capacity = 2 * self.capacity, i
        cdef uint64_t slot
        cdef int64_t *starts = <int64_t *> realloc(self.starts, (capacity + 1) * sizeof(int64_t))
        if starts == NULL:
            return False
        self.starts = starts
        cdef Slot *slots = <Slot *> calloc(2 * capacity, sizeof(Slot))
        if slots == NULL:
            return False
        self.mask = 2 * capacity - 1
        for i in range(capacity):  # as many slots as there were
            if self.slots[i].head:
                slot = self.place_of(self.slots[i].head)
                while slots[slot].head:
                    slot = (slot + 1) & self.mask
                slots[slot] = self.slots[i]
        free(self.slots)
        self.slots = slots
        self.capacity = capacity
        return True

    cdef bint reserve_pool(self, int64_t size) noexcept nogil:
        cdef int64_t capacity = self.pool_capacity
        while capacity < size:
            capacity *= 2
        if capacity == self.pool_capacity:
            return True
        cdef uint8_t *pool = <uint8_t *> realloc(self.pool, capacity)
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


cdef enum:
    MOST_BYTES = 5  # that a character is read as: in UTF-8, and blanks around it


cdef void find_ends(const uint8_t *line, Py_ssize_t length, const uint8_t *kinds, Py_ssize_t *ends) noexcept nogil:
    """Where a token may end, and -1. No branch depends on the text: none can be guessed wrong."""
    cdef Py_ssize_t i, found = 0
    for i in range(length):
        ends[found] = i
        found += kinds[line[i]] >= DASH
    ends[found] = -1


cdef void read_lower(const uint8_t *data, Py_ssize_t length, uint8_t *line) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(length):
        line[i] = data[i] + (<uint8_t> (data[i] - 65) < 26) * 32


cdef Py_ssize_t read_wide(const Text *text, bint words, uint8_t *line) noexcept nogil:
    """Read a text that is not ASCII as UTF-8; returns how many bytes it has."""
    cdef Py_ssize_t i, at = 0
    cdef uint32_t c
    cdef bint alone
    for i in range(text.length):
        c = PyUnicode_READ(text.kind, text.data, i)
        if c < 0x80:
            line[at] = c
            at += 1
            continue
        if (words and not is_of_word(c)) or (not words and Py_UNICODE_ISSPACE(c)):
            line[at] = 32
            at += 1
            continue
        alone = words and is_unspaced(c)
        if alone:
            line[at] = 32
            at += 1
        at += encode(c, line + at)
        if alone:
            line[at] = 32
            at += 1
    return at


cdef inline Py_ssize_t encode(uint32_t c, uint8_t *target) noexcept nogil:
    """Write a character beyond ASCII as UTF-8; returns how many bytes it has."""
    if c < 0x800:
        target[0] = 0xC0 | c >> 6
        target[1] = 0x80 | c & 0x3F
        return 2
    if c < 0x10000:
        target[0] = 0xE0 | c >> 12
        target[1] = 0x80 | c >> 6 & 0x3F
        target[2] = 0x80 | c & 0x3F
        return 3
    target[0] = 0xF0 | c >> 18
    target[1] = 0x80 | c >> 12 & 0x3F
    target[2] = 0x80 | c >> 6 & 0x3F
    target[3] = 0x80 | c & 0x3F
    return 4


cdef inline int64_t decode(const uint8_t *token, const uint8_t *end, int32_t *target) noexcept nogil:
    """Write the characters of a token; returns how many it has."""
    cdef int64_t n = 0
    cdef uint8_t lead
    while token < end:
        lead = token[0]
        token += 1
        if lead < 0x80:
            target[n] = lead
        elif lead < 0xC0:
            n -= 1
            target[n] = target[n] << 6 | (lead & 0x3F)
        else:
            target[n] = lead & (0x1F if lead < 0xE0 else 0x0F if lead < 0xF0 else 0x07)
        n += 1
    return n


cdef Py_ssize_t unescape(uint8_t *line, Py_ssize_t length) noexcept nogil:
    """The replacements that 13a makes before its rules, one after the other, in place."""
    cdef Py_ssize_t i
    cdef uint8_t ampersand = 0, bracket = 0, line_feed = 0
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


cdef Py_ssize_t replace(uint8_t *line, Py_ssize_t length, const char *old, Py_ssize_t width,
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
