"""`plainly ranking pairs`, as its users run it."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from plainly.ranking.pair_files import read_pairs

PAIRS = ("ranking", "pairs", "--texts", "texts.jsonl")


@pytest.fixture(autouse=True)
def _texts() -> None:
    lines = [json.dumps({"id": f"t{i}", "text": f"Text number {i}."}) for i in range(10)]
    Path("texts.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def judged(*pairs: tuple[str, str, str]) -> None:
    lines = ["first,second,winner,question", *(f"{a},{b},{won},harder" for a, b, won in pairs)]
    Path("so-far.csv").write_text("\n".join(lines) + "\n", "utf-8")


def rows(printed: str) -> list[dict[str, str]]:
    return list(csv.DictReader(printed.splitlines()))


def test_balanced_rounds_are_the_default(plainly: Any) -> None:
    run = plainly(*PAIRS, "--rounds", 4)
    found = rows(run.printed)
    assert list(found[0]) == ["match", "first", "second"]
    assert [row["match"] for row in found] == [str(number) for number in range(1, 21)]
    counts = Counter(row[side] for row in found for side in ("first", "second"))
    assert set(counts.values()) == {4}
    assert "20 matches of 10 texts, 4 a text, 0 of texts that met before; seed 12345" in run.err


def test_the_file_is_what_judges_read(plainly: Any) -> None:
    assert plainly(*PAIRS, "--pairing", "random", "--matches", 7, "-o", "pairs.csv", "--quiet").out == ""
    assert [pair.match for pair in read_pairs("pairs.csv")] == [str(number) for number in range(1, 8)]


def test_same_seed_same_pairs(plainly: Any) -> None:
    one, other, third = (plainly(*PAIRS, "--seed", seed).printed for seed in (1, 1, 2))
    assert one == other != third


def test_swiss_rounds_follow_judgements(plainly: Any) -> None:
    first = rows(plainly(*PAIRS, "--pairing", "swiss").printed)
    assert len({row[side] for row in first for side in ("first", "second")}) == 10
    # t0 to t4 beat t5 to t9: then winners meet winners, but for the one who is left over.
    judged(*((f"t{i}", f"t{i + 5}", f"t{i}") for i in range(5)))
    run = plainly(*PAIRS, "--pairing", "swiss", "--judgements", "so-far.csv")
    found = rows(run.printed)
    assert [row["match"] for row in found] == ["6", "7", "8", "9", "10"]
    mixed = [row for row in found if (row["first"] < "t5") != (row["second"] < "t5")]
    assert len(mixed) <= 1
    assert "Elo's order can get worse" in run.err


def test_information_rounds(plainly: Any) -> None:
    judged(*((f"t{i}", f"t{i + 5}", f"t{i}") for i in range(5)))
    found = rows(plainly(*PAIRS, "--pairing", "information", "--judgements", "so-far.csv").printed)
    assert len({row[side] for row in found for side in ("first", "second")}) == 10
    assert not any(int(row["first"][1]) % 5 == int(row["second"][1]) % 5 for row in found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--matches", 46], "fewer than 46; say --allow-repeats to have pairs again, or ask for fewer"),
        (["--matches", 5, "--rounds", 2], "give --rounds or --matches, not both"),
        (["--matches", 10**12, "--allow-repeats"], "1000000000000 matches are too many"),
        (["--rounds", 0], "the number of matches must be at least 1, not 0"),
        (["--pairing", "swiss", "--rounds", 2], "swiss makes one round at a time"),
        (["--pairing", "information"], "information needs --judgements to begin with"),
        (["--judgements", "so-far.csv"], "--judgements go with swiss and information"),
        (["--pairing", "swiss", "--judgements", "none.csv"], "none.csv: no such file"),
        (["--pairing", "swiss", "--judgements", "so-far.csv"], "so-far.csv:3: text x is not among the texts"),
    ],
)
def test_refused(plainly: Any, arguments: list[object], message: str) -> None:
    judged(("t0", "t1", "t0"), ("t0", "x", "t0"))
    assert message in plainly(*PAIRS, *arguments).refusal


def test_more_matches_than_pairs_with_repeats(plainly: Any) -> None:
    assert len(rows(plainly(*PAIRS, "--matches", 100, "--allow-repeats").printed)) == 100


def test_one_text(plainly: Any) -> None:
    Path("texts.jsonl").write_text('{"id": "a", "text": "Alone."}\n', "utf-8")
    assert plainly(*PAIRS).refusal == "texts.jsonl: pairs need at least 2 texts, not 1"


def test_no_input_is_written_over(plainly: Any) -> None:
    Path("texts.csv").write_text("id,text\na,One.\nb,Two.\n", "utf-8")
    run = plainly("ranking", "pairs", "--texts", "texts.csv", "--pairing", "swiss", "-o", "texts.csv")
    assert "texts.csv is an input of this run" in run.refusal
