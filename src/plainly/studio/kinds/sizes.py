"""How much the files of a campaign may hold.

A small file may unpack to gigabytes: it is looked through before it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from plainly.corpus.readers.files import open_input
from plainly.studio.errors import TooLarge

MEGABYTE = 1 << 20
MOST = 32 * MEGABYTE
"""Of all files together, unpacked: far beyond what people can read."""
MOST_LINES = 200_000
"""Of one file. As objects in memory, short rows are many times as large as they are in the file."""
MOST_YAML = 2 * MEGABYTE
"""Of a description: YAML is read slowly."""


def insist_small(files: Mapping[str, Path]) -> None:
    """Refuses files that are too large for a campaign; never holds more than a block of one in memory."""
    room = MOST
    for path in files.values():
        described = path.name.lower().endswith((".yaml", ".yml"))
        most = min(room, MOST_YAML) if described else room
        room -= _size(path, most)


def _size(path: Path, most: int) -> int:
    taken = lines = 0
    with open_input(str(path)) as file:
        while block := file.read():
            taken += len(block)
            lines += block.count(b"\n")
            if taken > most:
                unpacked = "unpacked, the file is" if path.stat().st_size <= most else "the file is"
                raise TooLarge(f"{path.name}: {unpacked} too large; at most {most / MEGABYTE:.3g} MiB are read")
            if lines > MOST_LINES:
                raise TooLarge(f"{path.name}: more than {MOST_LINES:,} lines; people cannot read so many")
    return taken
