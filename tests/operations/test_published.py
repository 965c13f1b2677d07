"""Annotations of the catalogue by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainly.base.errors import MissingResource, PlainlyError
from plainly.cli import main
from plainly.operations import AnnotatedPair, published
from plainly.operations.formats import Rules


@pytest.fixture
def real(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))


def test_assetann_is_read_by_its_name(real: None, released: list[AnnotatedPair]) -> None:
    found = published("assetann")
    assert [(pair.id, pair.groups) for pair in found] == [(pair.id, pair.groups) for pair in released]
    assert found[359].origin == "asset.simp.1"
    assert len(published("assetann-gold", Rules(aliases={"literal": "synonym"}))) == 50  # section 3.4 of the paper


def test_options_take_the_name(real: None, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["operations", "stats", "--annotations", "assetann", "--table", "summary", "--resamples", "0"]
    assert main([*arguments, "--format", "csv", "--quiet"]) == 0
    assert "\npairs,3590," in capsys.readouterr().out  # section 3.1 of the paper
    assert main(["operations", "convert", "--annotations", "all=assetann"]) == 2
    assert "assetann has 10 files of annotations, which cannot all be 'all'" in capsys.readouterr().err
    assert main(["operations", "stats", "--annotations", "assetann-subsets"]) == 2
    assert "holds no annotations; these do: assetann, assetann-gold" in capsys.readouterr().err


def test_what_is_not_here_says_where_it_is_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(tmp_path))
    with pytest.raises(MissingResource, match="get them from GitHub remicardon/assetann"):
        published("assetann")


def test_a_test_set_is_no_annotation() -> None:
    with pytest.raises(PlainlyError, match="asset-test holds no annotations"):
        published("asset-test")
