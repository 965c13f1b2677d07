"""Puts Parquet files together without decoding them: their bytes are copied, and one footer is written for all.

pyarrow cannot do that. A footer is a Thrift structure in the compact protocol. It is read into fields, the places of
the columns are moved, and it is written again; what nobody here knows is kept as it is.
"""

from __future__ import annotations

import io
import shutil
import struct
from collections.abc import Iterable
from typing import IO, Any

MAGIC = b"PAR1"
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, _, STRUCT = range(1, 13)
FEW = 15  # lists of fewer, and steps of field numbers up to this, stand in the first byte
Fields = dict[int, tuple[int, Any]]
"""A structure: the kind and the value of each field by its number. A list is the kind of its items, and these."""

# Numbers of fields in Parquet's own definition of its footer.
ROWS, GROUPS = 3, 4  # of the file
COLUMNS, GROUP_OFFSET, GROUP_ROWS, ORDINAL = 1, 5, 3, 7  # of a row group
COLUMN = 3  # of a chunk of a column: what is known of it
CHUNK_OFFSETS = (2, 4, 6)  # of a chunk: file, offset index, column index
PAGE_OFFSETS = (9, 10, 11, 14)  # of a column: data, index, dictionary, Bloom filter


def stitch(out: IO[bytes], empty: bytes, files: Iterable[IO[bytes]]) -> None:
    """Write one file that has the row groups of all files, and else what the empty file says."""
    _, footer = _footer(io.BytesIO(empty))
    out.write(MAGIC)
    place = len(MAGIC)
    groups: list[Fields] = []
    rows = 0
    for file in files:
        end, found = _footer(file)
        for group in found[GROUPS][1][1]:
            _move(group, place - len(MAGIC))
            if ORDINAL in group:
                group[ORDINAL] = I16, len(groups)
            rows += group[GROUP_ROWS][1]
            groups.append(group)
        file.seek(len(MAGIC))
        _copy(file, out, end - len(MAGIC))
        place += end - len(MAGIC)
    footer[ROWS] = I64, rows
    footer[GROUPS] = LIST, (STRUCT, groups)
    written = bytearray()
    _write(written, STRUCT, footer)
    out.write(bytes(written) + struct.pack("<I", len(written)) + MAGIC)


def _footer(file: IO[bytes]) -> tuple[int, Fields]:
    """Where the footer of a file begins, and what is in it."""
    size = file.seek(0, io.SEEK_END)
    file.seek(size - 8)
    (length,) = struct.unpack("<I", file.read(4))
    file.seek(size - 8 - length)
    fields: Fields = _read(io.BytesIO(file.read(length)), STRUCT)
    return size - 8 - length, fields


def _move(group: Fields, step: int) -> None:
    """All places in a row group are so many bytes further on."""
    _shift(group, (GROUP_OFFSET,), step)
    for chunk in group[COLUMNS][1][1]:
        _shift(chunk, CHUNK_OFFSETS, step)
        _shift(chunk[COLUMN][1], PAGE_OFFSETS, step)


def _shift(fields: Fields, numbers: Iterable[int], step: int) -> None:
    for number in numbers:
        if number in fields and fields[number][1]:  # 0 is no place
            kind, place = fields[number]
            fields[number] = kind, place + step


def _copy(file: IO[bytes], out: IO[bytes], size: int) -> None:
    shutil.copyfileobj(_Front(file, size), out, 1 << 20)


class _Front:
    """So many bytes of a file, and no more."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file = file
        self._left = size

    def read(self, size: int = 0, /) -> bytes:
        block = self._file.read(min(size, self._left))
        self._left -= len(block)
        return block


def _read(data: IO[bytes], kind: int) -> Any:
    if kind in (TRUE, FALSE):  # of a list; that of a field is its kind
        return data.read(1)
    if kind == BYTE:
        return data.read(1)
    if kind in (I16, I32, I64):
        number = _varint(data)
        return (number >> 1) ^ -(number & 1)
    if kind == DOUBLE:
        return data.read(8)
    if kind == BINARY:
        return data.read(_varint(data))
    if kind in (LIST, SET):
        head = data.read(1)[0]
        count = _varint(data) if head >> 4 == FEW else head >> 4
        return head & 15, [_read(data, head & 15) for _ in range(count)]
    if kind != STRUCT:
        raise ValueError(f"a footer with a field of kind {kind}")
    fields: Fields = {}
    number = 0
    while head := data.read(1)[0]:
        step, kind = head >> 4, head & 15
        number = number + step if step else _read(data, I16)
        fields[number] = kind, None if kind in (TRUE, FALSE) else _read(data, kind)
    return fields


def _varint(data: IO[bytes]) -> int:
    number = shift = 0
    while True:
        byte = data.read(1)[0]
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number


def _write(out: bytearray, kind: int, value: Any) -> None:
    if kind in (I16, I32, I64):
        _write_varint(out, value * 2 if value >= 0 else -value * 2 - 1)
    elif kind == BINARY:
        _write_varint(out, len(value))
        out += value
    elif kind in (LIST, SET):
        of, items = value
        out.append(min(len(items), FEW) << 4 | of)
        if len(items) >= FEW:
            _write_varint(out, len(items))
        for item in items:
            _write(out, of, item)
    elif kind == STRUCT:
        before = 0
        for number, (of, item) in value.items():
            step = number - before
            out.append((step << 4 if 0 < step <= FEW else 0) | of)
            if not 0 < step <= FEW:
                _write(out, I16, number)
            before = number
            if of not in (TRUE, FALSE):
                _write(out, of, item)
        out.append(0)
    else:
        out += value


def _write_varint(out: bytearray, number: int) -> None:
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
