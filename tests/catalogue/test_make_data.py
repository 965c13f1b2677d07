"""`make data`, against a server on loopback."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogue_helpers import Catalogue, Site, tree

from ..fetch_data import fetch_all


def test_all_sets_come_and_what_lies_beside_is_linked(catalogue: Catalogue, tmp_path: Path) -> None:
    folder, beside = tmp_path / ".data", tmp_path / "shared"
    for name in ("oracle/numbers.json", "data/tiny/notes.txt", "data/arts/pairs.csv"):
        (beside / name).parent.mkdir(parents=True, exist_ok=True)
        (beside / name).write_text("beside")
    (beside / "data" / "tiny" / "tiny.orig").write_text("another")
    assert fetch_all(folder, True, beside) == 0
    fetched = {file.name for entry in catalogue.sets.values() for file in entry.files}
    assert fetched <= tree(folder / "data")
    assert (folder / "data" / "tiny" / "tiny.orig").read_text() != "another"
    for name in ("oracle/numbers.json", "data/tiny/notes.txt", "data/arts/pairs.csv"):
        assert (folder / name).read_text() == "beside"
    assert fetch_all(folder, True, beside) == 0  # again, with nothing to do


def test_terms_are_shown_and_must_be_accepted(
    catalogue: Catalogue, site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fetch_all(tmp_path / ".data", False, tmp_path / "shared") == 2
    assert capsys.readouterr().out == (
        "closed: CC BY-NC 4.0. No commercial use.\nIf you accept these terms, say: make data LICENCES=accept\n"
    )
    assert not (tmp_path / ".data").exists()


def test_a_site_that_is_away_is_one_line(
    catalogue: Catalogue, site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.close()
    assert fetch_all(tmp_path / ".data", True, tmp_path / "shared") == 2
    assert capsys.readouterr().err.count("\n") == 1
