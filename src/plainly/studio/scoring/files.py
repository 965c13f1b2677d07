"""The files of a run: saved from a request, looked through before they are taken, packed until they are scored."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from plainly import demo
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.catalogue import store
from plainly.corpus.corpus import possible_baselines
from plainly.corpus.readers import Inputs, read
from plainly.corpus.readers.inputs import FORMATS, data_format
from plainly.inference.runs import NO_RUNS, Members, members_of
from plainly.studio.errors import TooLarge
from plainly.studio.scoring import parquet

LONGEST_NAME = 60
MOST_SEGMENTS = 200_000
UNPACKED = 4
"""Times the largest upload: gzipped files may not become larger."""
_BLOCK = 1 << 20
_GZIP = b"\x1f\x8b"
_ODD = re.compile(r"[^\w.()+ -]")


@dataclass(frozen=True)
class Looked:
    """What the files of a run hold."""

    segments: int
    outputs: tuple[str, ...]
    systems: tuple[str, ...]
    """Those that the outputs are of: a system of several runs is one."""
    baselines: tuple[str, ...]
    """Those that the data allow."""
    fingerprint: str
    """Of all sources and references: two runs with the same one scored the same test set."""


def save(stream: IO[bytes], filename: str, number: int, folder: Path, room: int) -> tuple[str, int]:
    """Write an uploaded file as `NUMBER/NAME`, unpacked if it is gzipped; at most `room` bytes. (path, bytes)."""
    name = _ODD.sub("_", filename.replace("\\", "/").rpartition("/")[2])[-LONGEST_NAME:].lstrip(". ") or "file"
    packed = stream.read(2) == _GZIP
    stream.seek(0)
    kept = name[:-3] if packed and name.lower().endswith(".gz") else name
    path = folder / str(number) / (kept or "file")
    path.parent.mkdir()
    taken = 0
    try:
        with path.open("wb") as out:
            source = gzip.GzipFile(fileobj=stream, mode="rb") if packed else stream
            while block := source.read(_BLOCK):
                taken += len(block)
                if taken > room:
                    raise TooLarge(f"{name}: the files are too large when they are unpacked")
                out.write(block)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise PlainlyError(f"{name}: the gzip file is damaged or cut off") from None
    return f"{number}/{path.name}", taken


def insist_records(path: str) -> None:
    """The ending of a file of records says its format."""
    if not path.lower().removesuffix(".gz").endswith(tuple(FORMATS)):
        known = ", ".join(FORMATS)
        raise PlainlyError(f"{Path(path).name}: a file of records must end in {known}, which says its format")


def look_through(inputs: Inputs, folder: Path, room: int) -> Looked:
    """Reads everything once: what is wrong is said at once, with the owner's name of the file, and the line.

    Parquet files, which `save` cannot unpack, may hold as many bytes as `room` says.
    """
    segments = 0
    outputs: dict[str, None] = {}
    runs: Members = NO_RUNS
    baselines: dict[str, None] = {}
    digest = hashlib.sha256()
    with names_of_files(folder):
        if inputs.data and Path(inputs.data).is_relative_to(folder) and data_format(inputs) == "parquet":
            parquet.insist_small(inputs.data, room, MOST_SEGMENTS)
        for chunk in read(inputs):
            segments += len(chunk)
            if segments > MOST_SEGMENTS:
                raise TooLarge(f"more than {MOST_SEGMENTS:,} segments; use plainly score for so many")
            outputs |= dict.fromkeys(chunk.outputs)
            runs = chunk.runs
            baselines |= dict.fromkeys(possible_baselines(chunk))
            _add(digest, chunk)
    if not segments:
        raise PlainlyError("there is nothing to score: no segments")
    allowed = tuple(name for name in baselines if name not in outputs)
    return Looked(segments, tuple(outputs), tuple(members_of(outputs, runs)), allowed, digest.hexdigest())


def packed(folder: Path) -> bytes:
    """All files of a folder as one archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for path in sorted(folder.glob("*/*")):
            archive.write(path, path.relative_to(folder).as_posix())
    return buffer.getvalue()


def unpack(content: bytes, folder: Path) -> None:
    """The files of an archive that `packed` made, in a folder."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            path = folder / name
            if path.resolve().is_relative_to(folder.resolve()):
                path.parent.mkdir(exist_ok=True)
                with archive.open(name) as source, path.open("wb") as out:
                    shutil.copyfileobj(source, out)


@contextmanager
def names_of_files(folder: Path) -> Iterator[None]:
    """What is said of files has the names that their owner gave them, or those of a test set: no folders of ours."""
    try:
        yield
    except PlainlyError as error:
        ours = "|".join(re.escape(f"{home}/") for home in (Path(demo.__file__).parent, store.folder()))
        inner = re.compile(rf"{re.escape(str(folder))}/\d+/|{ours}")
        raise error.reworded(lambda said: inner.sub("", said)) from None


def _add(digest: hashlib._Hash, chunk: Corpus) -> None:
    for source, references in zip(chunk.sources, chunk.references, strict=True):
        digest.update(json.dumps([source, *references]).encode() + b"\n")
