"""Annotations in files: which format a file has, by the ending of its name."""

from __future__ import annotations

from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.corpus.readers.files import shown
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.jsonl import read_jsonl, write_jsonl
from plainly.operations.reading_rules import Notes, Rules
from plainly.operations.yawat import read_yawat, write_yawat

__all__ = ["Notes", "Rules", "is_yawat", "read", "read_jsonl", "read_yawat", "write_jsonl", "write_yawat"]

JSONL = (".jsonl", ".ndjson")


def read(
    path: Path | str,
    sources: Path | str | None = None,
    targets: Path | str | None = None,
    crp: Path | str | None = None,
    origin: str = "",
    annotator: str = "",
    rules: Rules | None = None,
) -> list[AnnotatedPair]:
    """The annotations of a file. YAWAT files need `sources` and `targets`, or `crp`; JSONL brings its tokens."""
    if is_yawat(path):
        return read_yawat(path, sources, targets, crp, origin, annotator, rules)
    if sources or targets or crp:
        raise PlainlyError(f"{shown(str(path))} brings its own tokens; leave sources, targets and crp out")
    return read_jsonl(path, origin, annotator, rules)


def is_yawat(path: Path | str) -> bool:
    """Whether the file is a YAWAT file and so needs tokens from elsewhere; refuses names of neither format."""
    ending = Path(str(path).removesuffix(".gz")).suffix.lower()
    if ending not in (".aln", *JSONL):
        raise PlainlyError(f"{shown(str(path))}: annotations are in files that end in .aln, {', '.join(JSONL)}")
    return ending == ".aln"
