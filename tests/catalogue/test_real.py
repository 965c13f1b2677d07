"""The catalogue against the real test sets that lie beside a developer's checkout, served by a real server."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogue_helpers import Site, checksum, tree

from plainly.cli import main
from plainly.corpus.catalogue import fetch, info, load, names, published
from plainly.corpus.catalogue.changes import CHANGES

each_stored = pytest.mark.parametrize("name", [name for name in names() if not info(name).restricted])
each_set = pytest.mark.parametrize("name", [name for name in names("test set") if not info(name).restricted])


@pytest.fixture
def real(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of real data, as the data folder."""
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    return shared / "data"


def test_sums_are_those_of_the_manifest(real: Path) -> None:
    rows = [line.split("\t") for line in (real / "MANIFEST.tsv").read_text("utf-8").splitlines()[1:]]
    manifest = {path.removeprefix("shared/data/"): (int(size), sum_) for path, size, _, sum_ in rows}
    for name in names():
        for file in info(name).files:
            assert not file.sha256 or manifest[file.name] == (file.bytes, file.sha256)


@each_stored
def test_a_set_comes_through_a_mirror(
    name: str,
    shared: Path,
    site: Site,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    entry = info(name)
    site.files = {file.name: (shared / "data" / file.name).read_bytes() for file in entry.files}
    monkeypatch.setenv("PLAINLY_DATA_MIRROR", site.address)
    assert len(fetch(name, accept_licence=True)) == len(entry.files)
    assert tree(data) == {file.name for file in entry.files}
    assert main(["data", "verify", name]) == 0
    count = len(entry.files)
    assert capsys.readouterr().out == f"{name}: {count} of {count} files are there and right, in {data}\n"


@each_set
def test_a_set_has_the_size_that_the_catalogue_says(name: str, real: Path) -> None:
    entry, corpus, outputs = info(name), load(name), published(name)
    assert len(corpus) == entry.segments
    assert max(corpus.reference_counts) == entry.references
    assert corpus.lang == entry.language
    assert all(len(texts) == entry.segments for texts in outputs.values())
    assert list(outputs) == (["simplification"] if entry.having("table") else list(entry.systems))
    if corpus.metadata is not None:
        assert len(corpus.metadata) == entry.segments


@each_stored
def test_changes_of_what_upstream_serves_give_what_is_stored(name: str, real: Path) -> None:
    """Upstream's form is made here by undoing the change; where its sum is in the entry, it is the same."""
    for file in info(name).files:
        if file.change:
            stored = (real / file.name).read_bytes()
            parts = upstream(file.change, stored, real)
            assert CHANGES[file.change](parts) == stored
            for data, part in zip(parts, file.parts, strict=True):
                assert part.sha256 in ("", checksum(data))
                assert part.bytes == len(data) or file.change == "line breaks in cells"


def upstream(change: str, stored: bytes, real: Path) -> list[bytes]:
    if change == "final newline":
        return [stored.removesuffix(b"\n")]
    if change == "abgb second reference":
        # The copy of the corpus here has other column names, and one cell that had a line break, in quotes.
        corpus = (real / "german/abgb/abgb_full.csv").read_bytes()
        corpus = corpus.replace(b"original,simplification\n", b"originalText,simplificationText\n", 1)
        first, second = b"Gesetze wirken nicht", b"Gesetze\nwirken nicht"
        line = next(line for line in corpus.split(b"\n") if line.startswith(first))
        cell, _, rest = line.partition(b",")
        quoted = b'"' + cell.replace(first, second) + b'",' + rest
        return [corpus.replace(line, quoted, 1), (real / "german/abgb/abgb.test.orig").read_bytes()]
    if change == "line breaks in cells":
        title = b"Deutsche Inseln,"
        return [stored.replace(title, b'"Deutsche\nInseln",', 1)]
    rows = [line.split("\t") for line in stored.decode().split("\n")[1:-1]]
    if change == "qats train":
        table = [["Original", "Simplified", "G", "S", "M", "Overall"]]
        table += [[source, simple, g, s, m, overall] for source, simple, g, m, s, overall in rows]
        return [lines(table)]
    labels = [["Overall", "G", "M", "S"], *([overall, g, m, s] for _, _, g, m, s, overall in rows)]
    return [lines([row[:1] for row in rows]), lines([row[1:2] for row in rows]), lines(labels)]


def lines(table: list[list[str]]) -> bytes:
    return "".join("\t".join(row) + "\n" for row in table).encode()
