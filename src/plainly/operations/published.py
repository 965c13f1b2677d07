"""Annotations of the catalogue, by their names, and where the tokens of an annotation lie beside it."""

from __future__ import annotations

import re
from pathlib import Path

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError
from plainly.corpus import catalogue
from plainly.corpus.catalogue import store
from plainly.corpus.catalogue.use import ready
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.formats import read
from plainly.operations.reading_rules import Rules

KIND = "annotations"
Tokens = tuple[str | None, str | None, str | None]
"""The files with the tokens of an .aln file: of sources and of targets, or of both."""


@checks_arguments
def published(name: str, rules: Rules | None = None) -> list[AnnotatedPair]:
    """The annotated pairs of an entry of the catalogue, such as "assetann"; the name of a file is their origin."""
    return [
        pair
        for origin, path in published_files(name)
        for pair in read(path, *(beside(path) or (None, None, None)), origin=origin, rules=rules)
    ]


def published_files(name: str) -> list[tuple[str, str]]:
    """The files of annotations of an entry: (name of the file without its ending, place)."""
    entry = catalogue.info(name)
    if not entry.having(KIND):
        known = [other for other in catalogue.names(KIND) if catalogue.info(other).having(KIND)]
        raise PlainlyError(f"{name} holds no annotations; these do: {', '.join(known)}")
    ready(entry, entry.required)
    places = [store.place(file) for file in entry.having(KIND)]
    return [(place.stem, str(place)) for place in places]


def beside(path: str, *, released: bool = True) -> Tokens | None:
    """The files with the tokens of an .aln file, where they lie as YAWAT or the release of ASSETann puts them."""
    crp = Path(path.removesuffix(".gz")).with_suffix(".crp")
    if crp.is_file():
        return (None, None, str(crp))
    return _released_tokens(path) if released else None


def _released_tokens(path: str) -> Tokens | None:
    """ASSETann is released so: aln/asset.simp.3.aln, with tok/asset.test.tok.orig and tok/asset.test.tok.simp.3."""
    found = re.fullmatch(r"(\w+)\.simp\.(\d+)\.aln", Path(path).name)
    if found is None:
        return None
    folder = Path(path).resolve().parent.parent / "tok"
    files = [folder / f"{found[1]}.test.tok.{side}" for side in ("orig", f"simp.{found[2]}")]
    return (str(files[0]), str(files[1]), None) if all(file.is_file() for file in files) else None
