"""Opens an input file and reads its bytes; whatever goes wrong is one sentence that names the file."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from plainly.base.errors import Place, PlainlyError
from plainly.corpus.readers.inputs import STDIN

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
        if head.startswith(GZIP):
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
