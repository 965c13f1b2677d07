"""Files of a ranking campaign: what is understood, and what is refused with the place where it stands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.studio.kinds.ranking.kind import Ranking

Make = Callable[..., Any]


def read(kind: Ranking, tmp_path: Path, texts: str, listed: str | None = None, **options: Any) -> Any:
    files = {"texts": tmp_path / "texts.csv"}
    files["texts"].write_text(texts, encoding="utf-8")
    if listed is not None:
        files["pairs"] = tmp_path / "pairs.csv"
        files["pairs"].write_text(listed, encoding="utf-8")
    return kind.read(files, {option.name: option.default for option in kind.options} | options)


def test_what_the_owner_sees(kind: Ranking, tmp_path: Path) -> None:
    found = read(kind, tmp_path, "id,text,level,lang\na,One.,A1,de\nb,Two.,B2,de\nc,Three.,C1,de\nd,Four.,C1,de\n")
    assert found.columns == ("id", "text")
    assert found.rows == (("a", "One."), ("b", "Two."), ("c", "Three."), ("d", "Four."))
    assert [item.name for item in found.items] == ["a", "b", "c", "d"]
    assert found.items[0].content == {"text": "One.", "fields": {"level": "A1", "lang": "de"}}
    assert found.lang == "de"
    assert found.notes == (  # 4 texts make 4 * 3 / 2 pairs
        "texts: 4; each participant judges 6 pairs",
        "4 texts make 6 pairs only; every text meets every other once",
    )


def test_jsonl_is_read_too(kind: Ranking, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"id": "a", "text": "One."}\n{"text_id": "b", "text": "Two."}\n')
    found = kind.read({"texts": path}, {option.name: option.default for option in kind.options})
    assert [item.name for item in found.items] == ["a", "b"]


def test_the_study_of_the_paper(kind: Ranking, tmp_path: Path) -> None:
    """94 texts in 8 rounds are 376 pairs (Engelmann et al. 2024, section 4.1 and figure 3)."""
    rows = "".join(f"t{number},Text {number}.\n" for number in range(94))
    assert read(kind, tmp_path, "id,text\n" + rows).notes == ("texts: 94; each participant judges 376 pairs",)


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        ("id,text\na,One.\na,Two.\n", "texts.csv:3: text a is there twice"),
        ("id,text\na,One.\nb, \n", "texts.csv:3: text b is empty"),
        ("id\na\n", "text"),
        ("id,text\na,One.\n", "texts.csv: a ranking needs 2 to 5000 texts, not 1"),
        ("", "texts.csv"),
        ("id,text\ntie,One.\nb,Two.\n", "'tie' cannot be the id of a text"),
        ('id,text\n"=HYPERLINK(1)",One.\nb,Two.\n', "spreadsheet"),
        ("id,text\n@x,One.\nb,Two.\n", "spreadsheet"),
        (f"id,text\n{'x' * 201},One.\nb,Two.\n", "200 characters"),
        (f"id,text\na,{'x' * 100_001}\nb,Two.\n", "more than 100000 characters"),
    ],
)
def test_wrong_texts(kind: Ranking, tmp_path: Path, texts: str, complaint: str) -> None:
    with pytest.raises(PlainlyError) as refused:
        read(kind, tmp_path, texts)
    assert complaint in str(refused.value)
    assert "\n" not in str(refused.value)


def test_everything_that_is_wrong_is_told_at_once(kind: Ranking, tmp_path: Path) -> None:
    with pytest.raises(PlainlyError) as refused:
        read(kind, tmp_path, "id,text\na,One.\na,Two.\nb, \n,Four.\n")
    expected = ("texts.csv:3: text a is there twice", "texts.csv:4: text b is empty", "texts.csv:5: id is empty")
    assert all(complaint in str(refused.value) for complaint in expected)
    with pytest.raises(PlainlyError) as refused:
        read(kind, tmp_path, "id,text\n@x,One.\ntie,Two.\n")
    assert "texts.csv:2: a spreadsheet" in str(refused.value)
    assert "texts.csv:3: 'tie' cannot be" in str(refused.value)
    with pytest.raises(PlainlyError) as refused:
        read(kind, tmp_path, "id,text\n" + "x, \n" * 30)
    assert str(refused.value).count("is empty") == 20
    assert str(refused.value).endswith("; and 10 more")


def test_what_a_database_cannot_keep(kind: Ranking, tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"id": "a", "text": "One\\u0000"}\n{"id": "b", "text": "Two."}\n')
    with pytest.raises(PlainlyError):
        kind.read({"texts": path}, {option.name: option.default for option in kind.options})


def test_negative_numbers_are_ids(kind: Ranking, tmp_path: Path) -> None:
    assert [item.name for item in read(kind, tmp_path, "id,text\n-1,One.\n+2,Two.\n").items] == ["-1", "+2"]


@pytest.mark.parametrize(
    ("pairs", "complaint"),
    [
        ("first,second\na,x\n", "pairs.csv:2: text x is not among the texts"),
        ("first,second\na,a\n", "pairs.csv:2: text a is compared with itself"),
        ("first,second\na,\n", "pairs.csv:2: second is missing"),
        ("first,second\n", "pairs.csv holds no pairs"),
        ("first,second,match\na,b,=1+1\n", "pairs.csv:2: =1+1 cannot name a match"),
    ],
)
def test_wrong_pairs(kind: Ranking, tmp_path: Path, pairs: str, complaint: str) -> None:
    with pytest.raises(PlainlyError) as refused:
        read(kind, tmp_path, "id,text\na,One.\nb,Two.\n", pairs, pairs="fixed")
    assert complaint in str(refused.value)


def test_pairs_of_a_file(kind: Ranking, tmp_path: Path) -> None:
    texts = "id,text\na,One.\nb,Two.\nc,Three.\nd,Four.\n"
    found = read(kind, tmp_path, texts, "first,second\na,b\nb,c\nc,b\n", pairs="fixed")
    assert found.settings["list"] == [["a", "b", "1"], ["b", "c", "2"], ["c", "b", "3"]]
    assert "texts that are in no pair, and will have no rank: 1" in found.notes
    named = read(kind, tmp_path, texts, "first,second,match\na,b,m1\nb,a,m1\nb,a,m2\n", pairs="fixed")
    assert named.settings["list"] == [["a", "b", "m1"], ["b", "a", "m2"]]
    assert "matches that are there twice, and count once: 1" in named.notes


def test_a_file_of_pairs_and_the_choice_go_together(kind: Ranking, tmp_path: Path) -> None:
    texts = "id,text\na,One.\nb,Two.\n"
    with pytest.raises(PlainlyError, match="balanced pairs are chosen"):
        read(kind, tmp_path, texts, "first,second\na,b\n")
    with pytest.raises(PlainlyError, match="no file of pairs"):
        read(kind, tmp_path, texts, pairs="fixed")


def test_too_many_pairs_for_one(make: Make) -> None:
    with pytest.raises(PlainlyError, match="share them out"):
        make(500, matches=100)
    assert make(500, matches=100, sharing="shared").settings["matches"] == 100
