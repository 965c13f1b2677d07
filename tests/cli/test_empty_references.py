"""Empty references that count as texts move scores, so every signature says that they do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import plainly as package
from plainly.scoring.signatures import comparable, compare_signatures

TEXTS = {"src": "A feline reposed.\nIt ceased.\n", "ref": "A cat slept.\n\n", "one": "A cat slept.\nIt.\n"}
GIVEN = ("--sources", "src", "--references", "ref", "--system", "one=one", "--metrics", "sari,bleu,fkgl")
KEEP = ("--empty-reference", "keep")
SARI = "sari|lang:en|tok:13a|case:lower|refs:1|empty-refs:kept|variant:easse|plainly:"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        Path(name).write_text(text, "utf-8")


@pytest.mark.slow
def test_every_command_says_that_they_were_kept(plainly: Any) -> None:
    scored = plainly("score", *GIVEN, *KEEP).printed
    assert SARI in scored
    assert "refs:1|empty-refs:kept|smooth:exp" in scored
    assert "fkgl|lang:en|" in scored
    assert scored.count("empty-refs") == 2
    assert SARI in plainly("compare", *GIVEN, "--baselines", "identity", *KEEP).printed
    plainly("report", *GIVEN, *KEEP, "-o", "report.html")
    assert "empty-refs:kept" in Path("report.html").read_text("utf-8")
    kept = json.loads(plainly("score", *GIVEN, *KEEP, "--format", "json").printed)
    long = kept["systems"]["one"]["sari"]["long_signature"]
    assert "references:1|empty_references:kept|" in long
    missing = plainly("score", *GIVEN, "--empty-reference", "missing").printed
    assert "refs:0-1|" in missing
    assert "empty-refs" not in missing


def test_they_are_kept_in_files_of_statistics(plainly: Any) -> None:
    pytest.importorskip("pyarrow")
    plainly("score", *GIVEN, *KEEP, "--baselines", "identity", "--write-statistics", "kept")
    assert SARI in plainly("compare", "--statistics", "kept").printed
    evaluation = package.evaluate(
        ["A cat."] * 2, {"one": ["A cat."] * 2, "two": ["Cat."] * 2}, [["A cat."], [""]], metrics=["sari"]
    )
    assert "|empty-refs:kept|" in evaluation["two"]["sari"].signature
    again = package.Evaluation.from_json(evaluation.to_json())
    assert again["one"]["sari"].signature == evaluation["one"]["sari"].signature


def test_signatures_with_and_without_them_are_not_comparable() -> None:
    kept = f"{SARI}0.1.0"
    (difference,) = compare_signatures(kept, kept.replace("empty-refs:kept|", ""))
    assert (difference.field, difference.first, difference.second) == ("empty_references", "kept", "none")
    assert comparable([difference]) is False
    (silent, *_) = (d for d in compare_signatures(kept, "SARI (EASSE 0.2.4)") if d.field == "empty_references")
    assert silent.second is None
