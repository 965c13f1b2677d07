"""`plainly ranking agreement`: raters, habits and groups in every format, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from plainly.inference import Resampling
from plainly.ranking import agreement, read_judgements

HEADER = "first,second,winner,rater,seconds,level\n"
TEXTS = "abcdef"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    rows: dict[str, list[str]] = {}
    for rater, level in {"ann": "B2", "ben": "C1", "cem": "C1", "dan": "B2"}.items():
        pairs = [(a, b) for a in TEXTS for b in TEXTS if a < b]
        for number, (a, b) in enumerate(pairs):
            winner = a if rater == "dan" and number % 4 == 0 else b
            rows.setdefault(rater, []).append(f"{a},{b},{winner},{rater},{5 + number % 3},{level}\n")
    (tmp_path / "j.csv").write_text(HEADER + "".join(line for lines in rows.values() for line in lines))
    (tmp_path / "ann.csv").write_text(HEADER + "".join(rows["ann"]))
    return ["--judgements", "j.csv", "--winner", "harder", "--resamples", "40"]


def test_json_is_the_study(plainly: Any, files: list[str]) -> None:
    content = plainly("ranking", "agreement", *files, "--by", "level", "--format", "json").json
    found = agreement(read_judgements("j.csv", "harder"), by=["level"], resampling=Resampling(resamples=40))
    assert content == found.to_dict()
    assert [group["value"] for group in content["groups"]] == ["", "B2", "C1"]


def test_all_tables(plainly: Any, files: list[str]) -> None:
    out = plainly("ranking", "agreement", *files).printed
    for title in ("agree with the yardstick?", "Whose judgements should one look at?", "Krippendorff's alpha"):
        assert title in out
    assert "matches: 15, raters: 4, judgements: 60" in out
    assert "\nranking-agreement|against:others|alpha:krippendorff|method:bradley-terry|" in out
    assert "kappa as printed" not in out


def test_kappas_in_words(plainly: Any, files: list[str]) -> None:
    (table, *_) = plainly("ranking", "agreement", *files, "--table", "groups").printed.split("\n\n")
    assert table.splitlines()[0].endswith("in words")
    assert "Landis and Koch (1977)" in plainly("ranking", "agreement", *files).printed
    (row,) = csv.DictReader(
        io.StringIO(plainly("ranking", "agreement", *files, "--table", "groups", "--format", "csv").printed)
    )
    # dan differs in 4 of 15 matches: Do = 4 * 2 / 60; De = 2 * 4 * 56 / (60 * 59); alpha = 1 - 59 / 56
    assert float(row["alpha"]) == pytest.approx(-3 / 56)
    assert row["in words"] == "poor"


def test_which_alpha(plainly: Any, files: list[str]) -> None:
    """All but one of the raters always take the second text: by chance they agree often."""
    found = {}
    for kind in ("krippendorff", "two-orders"):
        content = plainly("ranking", "agreement", *files, "--alpha-kind", kind, "--format", "json").json
        assert f"|alpha:{kind}|" in content["signature"]
        found[kind] = content["groups"][0]["alpha"]["value"]
    assert found["krippendorff"] < 0.1 < found["two-orders"]


@pytest.mark.parametrize("name", ["raters", "habits", "groups"])
def test_one_table_as_csv(plainly: Any, files: list[str], name: str) -> None:
    out = plainly("ranking", "agreement", *files, "--table", name, "--format", "csv").printed
    rows = list(csv.DictReader(io.StringIO(out)))
    assert len(rows) == (1 if name == "groups" else 4)
    assert all(row["signature"].startswith("ranking-agreement|") for row in rows)


def test_texts_show_who_cannot_have_read_them(plainly: Any, files: list[str]) -> None:
    """5, 6 or 7 seconds for two texts of a hundred words each: 0.03 seconds a word."""
    Path("texts.csv").write_text("id,text\n" + "".join(f"{name},{'word ' * 100}\n" for name in TEXTS))
    habits = ["--table", "habits", "--format", "csv"]
    out = plainly("ranking", "agreement", *files, *habits, "--texts", "texts.csv").printed
    for row in csv.DictReader(io.StringIO(out)):
        assert float(row["seconds a word"]) == pytest.approx(0.03)
        assert "unread" in row["flags"]
    bare = plainly("ranking", "agreement", *files, *habits).printed
    assert "seconds a word" not in bare
    assert "unread" not in bare


def test_gold_by_share(plainly: Any, files: list[str]) -> None:
    content = plainly("ranking", "agreement", *files, "--gold", "ann.csv", "--format", "json").json
    shares = {row["rater"]: row["share"]["value"] for row in content["raters"]}
    assert shares == {"ann": 1, "ben": 1, "cem": 1, "dan": pytest.approx(11 / 15)}


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--format", "csv"], "one file holds one table: raters, habits, groups"),
        (["--gold", "ann.csv", "--yardstick", "others"], "--gold and --yardstick are two yardsticks"),
        (["--by", "age"], "unknown column 'age'"),
        (["--method", "elo,glicko"], "--method takes one method here"),
    ],
)
def test_what_cannot_be_is_refused(plainly: Any, files: list[str], options: list[str], complaint: str) -> None:
    assert complaint in plainly("ranking", "agreement", *files, *options).refusal


def test_one_rater_only(plainly: Any, files: list[str]) -> None:
    options = ["--judgements", "ann.csv", "--winner", "harder"]
    assert "there is only one rater, ann" in plainly("ranking", "agreement", *options).refusal
