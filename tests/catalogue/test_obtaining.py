"""Entries that cannot be fetched: what is said of them, and that they work once their files lie there."""

from __future__ import annotations

from pathlib import Path

import pytest
from catalogue_helpers import FIRST, OUTPUTS, SOURCES, Catalogue

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.cli import main
from plainly.corpus import catalogue as public
from plainly.corpus.catalogue.entries import File, Restricted, info, names
from plainly.corpus.catalogue.fetching import fetch
from plainly.corpus.catalogue.obtaining import way
from plainly.corpus.catalogue.store import here
from plainly.corpus.catalogue.use import load, published

FILES = (
    File("source", "asked/asked.orig"),
    File("reference", "asked/asked.simp"),
    File("system", "asked/Dress.txt", system="Dress"),
    File("system", "asked/Hybrid.txt", system="Hybrid"),
)


@pytest.fixture
def asked(catalogue: Catalogue, data: Path) -> str:
    """A set of texts that are not public."""
    catalogue.add("asked", *FILES, restricted=Restricted("the publisher", "https://example.org/ask"))
    return (
        "its texts are not public: ask the publisher (https://example.org/ask), "
        f"then put asked.orig, asked.simp (and the outputs Dress.txt, Hybrid.txt) into {data}/asked"
    )


@pytest.fixture
def judged(catalogue: Catalogue) -> Path:
    """Judgements whose addresses are not known; their one file, as it should be."""
    file = catalogue.file("judgements", "judged/votes.csv", "a,b\n1,2\n")
    catalogue.add("judged", File(file.role, file.name, file.bytes, file.sha256), kind="judgements")
    return Path(file.name)


def test_restricted_texts_are_not_fetched(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "fetch", "asked", "--accept-licence"]) == 2
    assert capsys.readouterr().err == f"plainly: asked cannot be fetched: {asked}\n"


def test_restricted_texts_are_not_fetched_from_a_mirror_either(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAINLY_DATA_MIRROR", "https://example.org/mirror")
    with pytest.raises(MissingResource, match="are not public"):
        fetch("asked")


def test_whoever_loads_them_is_told_who_to_ask(asked: str) -> None:
    with pytest.raises(MissingResource) as caught:
        load("asked")
    assert str(caught.value).endswith(asked)


def test_the_list_and_the_card_say_so(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "list", "--format", "csv"]) == 0
    assert 'asked,test set,en,tests,3,1,2,Free,"no, restricted"' in capsys.readouterr().out
    assert main(["data", "show", "asked", "--format", "csv"]) == 0
    shown = capsys.readouterr().out
    assert f'how to get it,"{asked}"' in shown
    assert all(f"file,{file.name}\n" in shown for file in FILES)


def test_once_they_lie_there_they_are_used(asked: str, data: Path) -> None:
    (data / "asked").mkdir(parents=True)
    for file, text in zip(FILES, (SOURCES, FIRST, OUTPUTS), strict=False):  # the outputs of Hybrid are missing
        (data / file.name).write_text(text)
    assert here(info("asked"))
    assert load("asked").references[0] == ("The cat slept.",)
    assert published("asked") == {"Dress": OUTPUTS.split("\n")[:-1]}
    assert fetch("asked") == []
    assert main(["data", "verify", "asked"]) == 0


def test_judgements_without_addresses_are_put_in_place_by_hand(
    judged: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert way(info("judged")) == "by hand"
    assert main(["data", "fetch", "judged"]) == 2
    unknown = "the addresses of its files are not known here: get them from these tests"
    said = f"{unknown}, then put votes.csv into {data}/judged"
    assert capsys.readouterr().err == f"plainly: judged cannot be fetched: {said}\n"
    with pytest.raises(MissingResource) as caught:
        public.path("judged", str(judged))
    assert str(caught.value).endswith(said)


def test_a_mirror_has_files_without_addresses(judged: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mirror = data.parent / "mirror"
    (mirror / judged).parent.mkdir(parents=True)
    (mirror / judged).write_text("a,b\n1,2\n")
    monkeypatch.setenv("PLAINLY_DATA_MIRROR", mirror.as_uri())
    assert fetch("judged") == [data / judged] == [public.path("judged", str(judged))]


def test_a_file_of_an_entry_is_checked(judged: Path, data: Path) -> None:
    (data / judged).parent.mkdir(parents=True)
    (data / judged).write_text("a,b\n1,3\n")
    with pytest.raises(MissingResource, match="is not the file of the catalogue"):
        public.path("judged", str(judged))
    with pytest.raises(
        UnknownName, match=r"unknown file of judged 'judged/vote\.csv'; did you mean 'judged/votes\.csv'"
    ):
        public.path("judged", "judged/vote.csv")


def test_judgements_are_no_test_set(judged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert names("judgements") == ["judged"]
    assert "judged" not in names("test set")
    with pytest.raises(PlainlyError, match="judged is no test set: it holds judgements"):
        load("judged")
    assert main(["score", "--test-set", "judged", "--system", "mine=nowhere.txt"]) == 2
    assert "judged is no test set" in capsys.readouterr().err


# ---- files that readers make of pickles

HEADER = "match_id,first_id,second_id,winner_id\n"
RIGHT = HEADER + "0,0,1,1\n1,2,1,2\n"


@pytest.fixture
def made(catalogue: Catalogue, data: Path) -> Path:
    """Where the one file of an entry is to lie: two judgements of three texts."""
    file = catalogue.file("judgements", "made/votes.csv", HEADER.replace("match", "other") + "0,0,1,1\n1,2,1,2\n")
    columns = ("first_id", "second_id", "winner_id")
    own = File(file.role, file.name, file.bytes, file.sha256, records=2, columns=columns)
    catalogue.add("made", own, kind="judgements")
    (data / file.name).parent.mkdir(parents=True)
    return data / file.name


def test_other_bytes_with_the_right_content_are_used_and_said(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made.write_text(RIGHT)
    assert here(info("made"))
    assert main(["data", "verify", "made"]) == 0
    assert capsys.readouterr().out == (
        f"made: 0 of 1 files are there and right, in {made.parent.parent}; 1 file not byte for byte as in the "
        "catalogue, but with its columns, ids and number of records; nobody checked the rest "
        "(the first: made/votes.csv)\n"
    )
    assert main(["data", "path", "made"]) == 0
    path, said = capsys.readouterr()
    assert path == f"{made}\n"
    assert "not byte for byte" in said
    told: list[File] = []
    assert public.path("made", "made/votes.csv", told.append) == made
    assert [file.name for file in told] == ["made/votes.csv"]
    with pytest.raises(MissingResource, match="wrong checksum"):
        public.path("made", "made/votes.csv")  # nobody would be told


def test_the_very_bytes_are_right_without_a_word(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made.write_text(RIGHT.replace("match", "other"))
    assert main(["data", "verify", "made"]) == 0
    assert capsys.readouterr().out == f"made: 1 of 1 files are there and right, in {made.parent.parent}\n"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (RIGHT + "2,0,2,2\n", "3 records, not 2"),
        (HEADER, "0 records, not 2"),
        (RIGHT.replace("winner_id", "winner"), "no winner_id; found match_id, first_id, second_id, winner"),
        (RIGHT.replace("0,0,1,1", "0,0,3,3"), "second_id is 3, but texts have the numbers 0 to 2"),
        (RIGHT.replace("0,0,1,1", "0,0.0,1,1"), "first_id is 0.0, but texts have the numbers 0 to 2"),
        (RIGHT.replace(",", ";"), "columns must be separated by commas"),
    ],
)
def test_other_content_is_refused_with_its_fault(
    made: Path, content: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    made.write_text(content)
    assert main(["data", "verify", "made"]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"plainly: {made} is not the file of the catalogue (")
    assert why in said


def test_the_card_says_what_such_a_file_needs(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "show", "made"]) == 0
    assert f"made/{made.name} (2 records: first_id, second_id, winner_id)" in capsys.readouterr().out
