"""What to read: the names of the input files, and what can be checked before any is opened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from plainly.base import places
from plainly.base.errors import Place, PlainlyError, Remedy, UnknownName

STDIN = "-"
FORMATS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv", ".parquet": "parquet"}
EMPTY_REFERENCE = ("error", "missing", "keep")


@dataclass(frozen=True)
class Inputs:
    """The files of a run. Every path may be "-" (standard input), but only one of them."""

    sources: str | None = None
    references: tuple[str, ...] = ()
    systems: Mapping[str, str] = field(default_factory=dict)
    data: str | None = None
    """One file of records; systems may be added to it as line files."""
    data_format: str | None = None
    """jsonl, csv, tsv or parquet; None: by the ending of the name of `data`."""
    empty_reference: str = "error"
    """What an empty reference is: an error, "missing" (there is none here) or "keep" (an empty text)."""
    documents: Sequence[str | None] | None = None
    """Of each segment of line files: the document it belongs to."""
    metadata: Sequence[Mapping[str, Any]] | None = None
    """Of each segment of line files: whatever else is known of it."""
    lang: str = "en"
    stdin: BinaryIO | None = None
    """Read in the place of standard input."""


def check_inputs(inputs: Inputs) -> None:
    """Refuses what cannot be read whatever stands in the files."""
    if inputs.sources is None and not inputs.systems and inputs.data is None:
        raise PlainlyError("nothing to read: give sources, systems or a data file")
    if inputs.data is not None and (inputs.sources is not None or inputs.references):
        raise PlainlyError(
            f"sources and references are taken from {inputs.data}; give them there or as line files, not both"
        )
    if inputs.empty_reference not in EMPTY_REFERENCE:
        raise UnknownName("rule for empty references", inputs.empty_reference, EMPTY_REFERENCE)
    paths = list(_paths(inputs))
    for use, path in paths:
        if not path:
            raise PlainlyError(f"the file name for {use} is empty")
    on_stdin = [use for use, path in paths if path == STDIN]
    if len(on_stdin) > 1:
        raise PlainlyError(f"standard input (-) can be read only once, but is given for {' and '.join(on_stdin)}")
    if "" in inputs.systems:
        raise PlainlyError(f"{inputs.systems['']}: a system needs a name")
    if inputs.data is not None:
        data_format(inputs)


def data_format(inputs: Inputs) -> str:
    """The format of the data: as said, else by the ending of its name. Several files are Parquet."""
    path = inputs.data or ""
    known = sorted(set(FORMATS.values()))
    if inputs.data_format is not None:
        if inputs.data_format not in known:
            raise UnknownName("data format", inputs.data_format, known)
        found = inputs.data_format
    else:
        name = path.lower().removesuffix(".gz")
        endings = [ending for ending in FORMATS if name.endswith(ending)]
        if endings:
            found = FORMATS[endings[0]]
        elif path and several(path):
            found = "parquet"
        else:
            said = f"nothing says whether it is {', '.join(known[:-1])} or {known[-1]}"
            raise PlainlyError(said, place=Place(path), remedy=Remedy("data_format"))
    if found == "parquet" and path == STDIN:
        raise PlainlyError("Parquet cannot be read from standard input; give the name of a file")
    return found


def several(path: str) -> bool:
    """Whether a path may stand for several files: a folder, a pattern, or something on another machine."""
    here = places.local(path)
    return here is None or here.is_dir() or ("*" in path and not here.exists())


def _paths(inputs: Inputs) -> Iterator[tuple[str, str]]:
    if inputs.sources is not None:
        yield "the sources", inputs.sources
    for number, path in enumerate(inputs.references):
        yield f"reference {number}", path
    for name, path in inputs.systems.items():
        yield f"system {name!r}", path
    if inputs.data is not None:
        yield "the data", inputs.data
