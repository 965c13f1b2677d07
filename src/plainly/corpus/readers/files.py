r"""Opens input files and reads their bytes or lines, fast and in bounded memory; a fault names the file.

Lines end at "\n" and nowhere else: simplification data hold characters such as U+0085, at which
`str.splitlines` would cut. A block of bytes is decoded and split as a whole; line numbers are worked out only
for a message.
"""

from __future__ import annotations

import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from plainly.base import places
from plainly.base.errors import Place, PlainlyError

STDIN = "-"

BLOCK = 1 << 18
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
GZIP = b"\x1f\x8b"
FOREIGN = {
    b"\xff\xfe": "is UTF-16, not UTF-8; convert it: iconv -f UTF-16 -t UTF-8",
    b"\xfe\xff": "is UTF-16, not UTF-8; convert it: iconv -f UTF-16 -t UTF-8",
    b"\x28\xb5\x2f\xfd": "is packed with zstd; unpack it first: zstd -d",
    b"\xfd7zX": "is packed with xz; unpack it first: xz -d",
    b"PK\x03\x04": "is a zip archive (or an office document); unpack it, or export it as CSV",
}


class InputFile:
    """The bytes of a text file: unpacked if it is a gzip file, without a byte order mark."""

    def __init__(self, name: str, stream: BinaryIO) -> None:
        self.name = name
        self._stream: BinaryIO | gzip.GzipFile | io.BufferedReader = stream
        head = self._read(4)
        for magic, advice in FOREIGN.items():
            if head.startswith(magic):
                raise PlainlyError(f"{name} {advice}")
        self._stream = io.BufferedReader(_Rewound(head, stream))
        self.packed = head.startswith(GZIP)
        if self.packed:
            self._stream = gzip.GzipFile(fileobj=self._stream)
        elif head and name.endswith(".gz"):
            raise PlainlyError(f"{name} is not a gzip file, although its name ends in .gz")
        first = self._read(BLOCK)
        self._first = first.removeprefix(BYTE_ORDER_MARK)
        if not self._first:
            raise PlainlyError(f"{name} is empty")
        self.offset = len(first) - len(self._first)
        """The place in the (unpacked) file of the first byte that `read` returns."""

    def read(self) -> bytes:
        """The next block; empty at the end of the file."""
        block, self._first = self._first or self._read(BLOCK), b""
        return block

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise PlainlyError(f"broken gzip file: {error}", place=Place(self.name)) from None
        except OSError as error:
            raise PlainlyError(str(error.strerror or error), place=Place(self.name)) from None


@contextmanager
def open_input(path: str, stdin: BinaryIO | None = None) -> Iterator[InputFile]:
    """A text file, or standard input, which is not closed afterwards."""
    if path == STDIN:
        yield InputFile("standard input", stdin or sys.stdin.buffer)
        return
    with open_path(path) as stream:
        yield InputFile(shown(path), stream)


def open_path(path: str) -> BinaryIO:
    """The file, open for reading bytes."""
    try:
        return Path(path).open("rb")
    except FileNotFoundError:
        raise PlainlyError("no such file", place=Place(shown(path))) from None
    except IsADirectoryError:
        raise PlainlyError(f"{shown(path)} is a folder, not a file") from None
    except PermissionError:
        raise PlainlyError("no permission to read it", place=Place(shown(path))) from None
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise PlainlyError(str(said), place=Place(shown(path))) from None


def shown(text: str) -> str:
    """The text as it may stand in a message, which has one line and no endless words."""
    text = text if text.isprintable() else repr(text)
    return text if len(text) <= 200 else text[:200] + "..."


class _Rewound(io.RawIOBase):
    """A stream whose first bytes have been read already; unlike seek(0), this works on pipes."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = head
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._head[: len(buffer)] or self._stream.read(len(buffer))
        self._head = self._head[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def refuse_changed(path: str, facts: tuple[int, str] | None) -> tuple[int, str]:
    """The size and the time of a file; refuses another file than the one that had these, if some are given."""
    found = places.size_and_time(path)
    if facts is not None and tuple(facts) != found:
        raise PlainlyError(f"{shown(path)}: it has changed since the run began")
    return found


class Span:
    """Some lines of a file that is not packed, by the bytes where they begin and end."""

    def __init__(self, name: str, stream: BinaryIO, begin: int, end: int) -> None:
        self.name = name
        self.offset = begin
        self._left = end - begin
        self._stream = stream
        stream.seek(begin)

    def read(self) -> bytes:
        """The next block; empty at the end."""
        block = self._stream.read(min(BLOCK, self._left))
        self._left -= len(block)
        return block


def spans(file: InputFile, count: int) -> Iterator[tuple[int, int, int]]:
    """Where lines begin and end in the file, so many at a time, and how many they are: the last ones may be fewer."""
    begin = place = file.offset
    lines, last = 0, b""
    while block := file.read():
        found = block.count(b"\n")
        if lines + found >= count:
            ends = [match.end() for match in _LINE_END.finditer(block)]
            for end in ends[count - lines - 1 :: count]:
                yield begin, place + end, count
                begin = place + end
        lines = (lines + found) % count
        place += len(block)
        last = block[-1:]
    if place > begin:
        yield begin, place, lines + (last != b"\n")


_LINE_END = re.compile(rb"\n")
MAX_LINE = 1_000_000
"""Characters of the longest line: far beyond any segment, far below what fills the memory."""
MAX_RECORD = 16 * MAX_LINE
"""The same for a line that holds all the texts of a record."""
MAX_BYTES_PER_CHARACTER = 4


class LineFile:
    r"""The lines of a file, taken from the front. One "\r" before "\n" is dropped or kept."""

    unit = "line"

    def __init__(
        self, file: InputFile | Span, limit: int = MAX_LINE, keep_return: bool = False, first: int = 1
    ) -> None:
        self.name = file.name
        self.taken = 0
        self._file = file
        self._limit = limit
        self._keep_return = keep_return
        self._lines: list[str] = []
        self._tail: list[bytes] = []
        self._tail_size = 0
        self._line = first
        self._offset = file.offset

    def take(self, count: int) -> list[str]:
        """The next `count` lines; fewer at the end of the file."""
        while len(self._lines) < count and (more := self._next_lines()):
            self._lines.extend(more)
        lines = self._lines[:count]
        del self._lines[:count]
        self.taken += len(lines)
        return lines

    def __iter__(self) -> Iterator[str]:
        """The lines that are left, one by one."""
        while lines := self._next_lines():
            yield from lines

    def count_rest(self) -> int:
        """The number of lines that were not taken; ends the reading."""
        count = len(self._lines)
        last = b"".join(self._tail)[-1:]
        while block := self._file.read():
            count += block.count(b"\n")
            last = block[-1:]
        return count + (last not in (b"", b"\n"))

    def _next_lines(self) -> list[str]:
        """The lines of the next block; the start of a line that ends in a later block waits in `_tail`."""
        while block := self._file.read():
            if b"\0" in block:
                raise self._nul_byte(block)
            head, newline, tail = block.rpartition(b"\n")
            if newline:
                whole = b"".join([*self._tail, head, newline])
                self._tail, self._tail_size = [tail], len(tail)
                return self._decode(whole)
            self._tail.append(block)
            self._tail_size += len(block)
            if self._tail_size > self._limit * MAX_BYTES_PER_CHARACTER:
                raise self._too_long(self._line)
        last, self._tail = b"".join(self._tail), []
        return self._decode(last + b"\n") if last else []

    def _decode(self, block: bytes) -> list[str]:
        try:
            text = block.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._not_utf8(block, error.start) from None
        if not self._keep_return and "\r" in text:
            text = text.replace("\r\n", "\n")
        lines = text.split("\n")
        lines.pop()
        if len(block) > self._limit:
            for number, line in enumerate(lines, self._line):
                if len(line) > self._limit:
                    raise self._too_long(number)
        self._line += len(lines)
        self._offset += len(block)
        return lines

    def _fault(self, number: int, what: str) -> PlainlyError:
        return PlainlyError(what, place=Place(self.name, line=number))

    def _too_long(self, number: int) -> PlainlyError:
        limit = f"{self._limit:,} characters"
        return self._fault(number, f"longer than {limit}; is this file one segment per line?")

    def _nul_byte(self, block: bytes) -> PlainlyError:
        at = block.index(b"\0")
        number = self._line + block.count(b"\n", 0, at)
        sample = block[:1000]
        looks_wide = sample.count(b"\0") > 0.3 * len(sample)
        advice = "is it UTF-16? Convert it: iconv -f UTF-16 -t UTF-8" if looks_wide else "is it a text file?"
        return self._fault(number, f"a NUL byte at offset {self._offset + self._tail_size + at}; {advice}")

    def _not_utf8(self, block: bytes, at: int) -> PlainlyError:
        number = self._line + block.count(b"\n", 0, at)
        # Bytes 0x80 to 0x9f are letters and quotes in Windows-1252, but control characters in Latin-1.
        code = "WINDOWS-1252" if 0x80 <= block[at] <= 0x9F else "ISO-8859-1"
        return self._fault(
            number,
            f"not UTF-8: byte 0x{block[at]:02x} at offset {self._offset + at}; "
            f"if the file is Latin-1, convert it: iconv -f {code} -t UTF-8",
        )
