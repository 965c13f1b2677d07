"""How much a Parquet file really holds. A few hundred bytes may stand for gigabytes, and its own figures may lie.

So it is unpacked once in a process of its own, a few rows at a time, with a limit on memory where the system has one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

from plainly.studio.errors import TooLarge

ROWS = 64
PATIENCE = 120
"""Seconds."""
_CELL = 8
"""Bytes that a cell takes at least, even an empty one."""
_BASE = 1 << 30
"""Bytes that the process needs for itself."""
_FINE, _TOO_MUCH = 0, 3


def insist_small(path: str, room: int, rows: int) -> None:
    """Refuses a file that unpacks to more than so many bytes or rows. What else is wrong with it, its reader says."""
    command = [sys.executable, "-m", __name__, path, str(room), str(rows)]
    environment = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system", "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise TooLarge(f"{path}: it takes too long to unpack this file") from None
    if done.returncode != _FINE:  # also if it was ended for want of memory
        raise TooLarge(
            f"{path}: unpacked, the file is too large; at most {room >> 20} MiB and {rows:,} rows are read"
        )


def _main(path: str, room: int, rows: int) -> int:
    """What the child does; its status."""
    with suppress(ImportError, ValueError, OSError):  # not on all systems
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_BASE + 2 * room,) * 2)
    try:
        return _FINE if _fits(path, room, rows) else _TOO_MUCH
    except MemoryError:
        return _TOO_MUCH
    except Exception:  # damaged, or there is no pyarrow: the reader has words for it
        return _FINE


def _fits(path: str, room: int, rows: int) -> bool:
    import pyarrow.parquet

    with pyarrow.parquet.ParquetFile(path, pre_buffer=False) as file:
        about = file.metadata
        columns = [
            about.row_group(group).column(column)
            for group in range(about.num_row_groups)
            for column in range(about.num_columns)
        ]
        if about.num_rows > rows or sum(column.total_uncompressed_size for column in columns) > room:
            return False
        for batch in file.iter_batches(batch_size=ROWS, use_threads=False):
            room -= sum(_weight(column) for column in batch.columns)
            rows -= batch.num_rows
            if room < 0 or rows < 0:
                return False
    return True


def _weight(array: Any) -> int:
    """About the bytes of a column: each cell by itself, also where the file has equal ones once."""
    import pyarrow.types as types

    cells = _CELL * len(array)
    if types.is_dictionary(array.type):
        return cells + int(array.dictionary_decode().nbytes)
    if types.is_struct(array.type):
        return cells + sum(_weight(field) for field in array.flatten())
    if types.is_nested(array.type):
        return cells + _weight(array.flatten())
    return cells + int(array.nbytes)


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
