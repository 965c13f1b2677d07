"""Test sets from the data folder, as Python and `plainly score` use them; no network."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest
from catalogue_helpers import FIRST, OUTPUTS, SECOND, SOURCES, Catalogue

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.corpus.catalogue import inputs, load, published
from plainly.corpus.readers import read_corpus


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def stored(catalogue: Catalogue, data: Path) -> Catalogue:
    """The catalogue with all files in the data folder."""
    for name, content in catalogue.content.items():
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(content)
    return catalogue


def test_load(stored: Catalogue) -> None:
    corpus = load("tiny")
    assert corpus.sources == SOURCES.splitlines()
    expected = list(zip(FIRST.splitlines(), SECOND.splitlines(), strict=True))
    assert [tuple(group) for group in corpus.references] == expected
    assert corpus.outputs == {}
    assert corpus.lang == "en"
    assert corpus.metadata is None


def test_published(stored: Catalogue) -> None:
    assert published("tiny") == {"A+B": OUTPUTS.splitlines()}
    assert published("closed") == {}


def test_inputs(stored: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text(FIRST)
    mine = {"mine": str(tmp_path / "mine.txt")}
    assert dict(inputs("tiny", mine).systems) == mine
    corpus = read_corpus(inputs("tiny", mine, against_published=True))
    assert list(corpus.outputs) == ["mine", "A+B"]
    assert corpus.outputs["mine"] == FIRST.splitlines()


def test_inputs_in_another_language_with_empty_references(stored: Catalogue, data: Path) -> None:
    file = stored.file("reference", "de/r", "Eins.\n\nDrei.\n")
    (data / "de").mkdir()
    (data / "de/r").write_bytes(stored.content["de/r"])
    stored.add("de", stored.sets["tiny"].files[0], file, language="de", empty_reference="missing")
    assert inputs("de", {}).lang == "de"
    corpus = load("de")
    assert [list(group) for group in corpus.references] == [["Eins."], [], ["Drei."]]
    assert corpus.lang == "de"


def test_what_is_not_there(catalogue: Catalogue, data: Path) -> None:
    cure = "run: plainly data fetch tiny"
    for use in (load, published, lambda name: inputs(name, {})):
        with pytest.raises(MissingResource, match="tiny is not on this machine: its files are not in ") as caught:
            use("tiny")
        assert str(caught.value).endswith(f"{data}; {cure}")


def test_only_what_is_used_must_be_there(stored: Catalogue, data: Path) -> None:
    (data / "outputs/A+B.txt").unlink()
    assert len(load("tiny")) == 3
    assert inputs("tiny", {}).sources
    absent = re.escape(f"tiny is not on this machine: outputs/A+B.txt is not in {data}; ")
    with pytest.raises(MissingResource, match=absent):
        inputs("tiny", {}, against_published=True)
    (data / "tiny/tiny.orig").unlink()
    several = re.escape(f": tiny/tiny.orig and 1 more of its files are not in {data}; ")
    with pytest.raises(MissingResource, match=several):
        inputs("tiny", {}, against_published=True)


def test_a_changed_file_is_not_used(stored: Catalogue, data: Path) -> None:
    path = data / "tiny/tiny.simp.1"
    path.write_text(SECOND.replace("ended", "ENDED"))
    with pytest.raises(MissingResource) as caught:
        load("tiny")
    cure = "run: plainly data fetch tiny"
    assert str(caught.value) == f"{path} is not the file of the catalogue (wrong checksum); {cure}"


def test_a_last_line_without_its_end_is_the_same_text(stored: Catalogue, data: Path) -> None:
    """As many releases have it; what is stored here ends every line."""
    whole = load("tiny")
    path = data / "tiny/tiny.simp.1"
    path.write_text(SECOND.removesuffix("\n"))
    assert load("tiny").references == whole.references
    path.write_text(SECOND + "\n")
    with pytest.raises(MissingResource, match="wrong checksum"):
        load("tiny")


def test_names_that_clash(stored: Catalogue) -> None:
    with pytest.raises(PlainlyError, match=r"'A\+B' is the name of a published system; give yours another name"):
        inputs("tiny", {"A+B": "x"}, against_published=True)


def test_nothing_published(stored: Catalogue) -> None:
    with pytest.raises(PlainlyError, match="there are no published outputs on closed"):
        inputs("closed", {}, against_published=True)


def test_unknown_names(catalogue: Catalogue) -> None:
    for use in (load, published, lambda name: inputs(name, {})):
        with pytest.raises(UnknownName, match="did you mean 'tiny'"):
            use("tniy")


def test_a_table_of_labels(stored: Catalogue, data: Path) -> None:
    table = 'original\tsimplification\toverall\nOne "two.\tOne.\tgood\nOne "two.\tTwo.\tbad\nThree.\tDrei.\tok\n'
    stored.add("labels", stored.file("table", "labels.tsv", table), documents="original")
    (data / "labels.tsv").write_text(table)
    corpus = load("labels")
    assert corpus.sources == ['One "two.', 'One "two.', "Three."]
    assert corpus.documents == corpus.sources
    assert corpus.metadata is not None
    assert corpus.metadata[1]["overall"] == "bad"
    assert published("labels") == {"simplification": ["One.", "Two.", "Drei."]}
    with pytest.raises(PlainlyError, match="labels has labels, not references; use it from Python"):
        inputs("labels", {})


def test_metadata_and_documents(stored: Catalogue, data: Path) -> None:
    table = 'doc,title\na,"One, two"\na,Two\nb,Three\n'
    meta = stored.file("metadata", "meta.csv", table)
    (data / "meta.csv").write_text(table)
    stored.add("rich", *stored.sets["tiny"].files[:2], meta, documents="doc")
    corpus = load("rich")
    assert corpus.documents == ["a", "a", "b"]
    assert corpus.metadata is not None
    assert corpus.metadata[0] == {"doc": "a", "title": "One, two"}
    read = read_corpus(inputs("rich", {}))  # what the command line scores
    assert read.documents == corpus.documents
    assert read.metadata == corpus.metadata


def test_outputs_without_sources(stored: Catalogue) -> None:
    stored.add("outputs", stored.sets["tiny"].files[3])
    corpus = load("outputs")
    assert list(corpus.sources) == [None, None, None]
    assert published("outputs") == {"A+B": OUTPUTS.splitlines()}
    assert read_corpus(inputs("outputs", {}, against_published=True)).outputs["A+B"] == OUTPUTS.splitlines()
