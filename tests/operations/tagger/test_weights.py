"""The weights of plainly-assetann: taken where they are installed, and missed in one line where they are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import MissingResource
from plainly.cli import main
from plainly.operations.tagger import KINDS, advice, load, strongest, weights
from plainly.operations.tagger.learned import WEIGHTS

HOW = "pip install plainly-assetann (CC BY-NC 4.0: not for commercial use)"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if no distribution brought weights."""
    monkeypatch.setattr(weights, "GROUP", "plainly.a_group_that_nobody_is_in")


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    (tmp_path / "source.txt").write_text("The feline slept.\n", encoding="utf-8")
    (tmp_path / "output.txt").write_text("The cat slept.\n", encoding="utf-8")
    return ["--sources", str(tmp_path / "source.txt"), "--system", f"mine={tmp_path / 'output.txt'}"]


def test_they_are_found_through_the_entry_point() -> None:
    for name in (*WEIGHTS.values(), "encoder.safetensors"):
        assert weights.get(name).parent.name == "plainly_assetann"
        assert weights.missing(name) is None
    assert weights.find("nothing.npz") is None
    assert advice("en") == []
    assert strongest("en") != "rules"


@pytest.mark.usefixtures("without")
def test_without_them_auto_means_rules() -> None:
    assert strongest("en") == "rules"
    assert load("auto", "en").name == "rules"
    assert [str(one.message) for one in advice("en")] == [
        f"the taggers 'learned' and 'encoder' know more than rules: {HOW}"
    ]
    assert advice("de") == [], "there are none for German, so that nothing is missing"


@pytest.mark.usefixtures("without")
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "rules"])
def test_without_them_a_kind_by_name_says_how_to_get_it(kind: str) -> None:
    with pytest.raises(MissingResource) as refused:
        load(kind, "en")
    assert str(refused.value).startswith(f"the tagger {kind!r} cannot run: ")
    assert "pip install" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.usefixtures("without")
def test_the_command_says_so(texts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["operations", "tag", *texts]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["annotator"] == "rules"
    assert f"note: the taggers 'learned' and 'encoder' know more than rules: {HOW}\n" in printed.err
    for more in (["--commercial"], ["--lang", "de"], ["--quiet"], ["--tagger", "rules"]):
        assert main(["operations", "tag", *texts, *more]) == 0
        assert HOW not in capsys.readouterr().err
    assert main(["operations", "tag", *texts, "--tagger", "learned"]) == 2
    refused: Any = capsys.readouterr().err
    assert refused.count("\n") == 1
    assert f"the tagger 'learned' cannot run: its weights are not installed: {HOW}" in refused
