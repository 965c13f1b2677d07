"""Tags of references are computed once, and kept files are used only where they are what was written."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from plainly.base.messages import Message
from plainly.corpus import Corpus
from plainly.demo import demo_corpus
from plainly.operations.reference_tags import reference_tags
from plainly.operations.tagger import Tagger

RULES = Tagger("rules", "en")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAINLY_TAGS", str(tmp_path / "tags"))
    monkeypatch.setenv("PLAINLY_DATA", str(tmp_path / "data"))
    return tmp_path / "tags"


@pytest.fixture
def corpus() -> Corpus:
    return demo_corpus("en")


class Heard:
    """Hears what is said of the work."""

    def __init__(self) -> None:
        self.stages: list[Message] = []
        self.done: list[tuple[int, int]] = []

    def stage(self, what: Message) -> None:
        self.stages.append(what)

    def progress(self, done: int, all_: int) -> None:
        self.done.append((done, all_))


def only_file(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_tags_are_computed_once(corpus: Corpus, folder: Path) -> None:
    heard = Heard()
    first = reference_tags(corpus, RULES, watch=heard)
    assert first.computed == len(first.pairs) == 180  # 60 sources with 3 references each
    assert list(map(str, heard.stages)) == ["tagging 180 references with rules"]
    assert heard.stages[0].text("de") == "180 Referenzen werden annotiert, mit rules"
    assert heard.done == [(180, 180)]
    heard = Heard()
    again = reference_tags(corpus, Tagger("rules", "en"), watch=heard)
    assert again.computed == 0
    assert again.pairs == first.pairs
    assert heard.stages == []
    assert {pair.annotator for pair in again.pairs} == {"rules"}


def test_no_text_is_kept(corpus: Corpus, folder: Path) -> None:
    reference_tags(corpus, RULES)
    kept = only_file(folder).read_text("utf-8")
    words = {word for source in corpus.sources for word in (source or "").split() if len(word) > 9}
    assert words
    assert not any(word in kept for word in words)


@pytest.mark.parametrize("damage", ["cut", "changed", "foreign", "empty", "folder", "other head"])
def test_a_damaged_file_is_not_used_and_written_anew(corpus: Corpus, folder: Path, damage: str) -> None:
    right = reference_tags(corpus, RULES).pairs
    path = only_file(folder)
    whole = path.read_bytes()
    head, _, body = whole.partition(b"\n")
    if damage == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(
            {
                "cut": whole[: len(whole) // 2],
                "changed": whole.replace(b'"synonym"', b'"hyponym"', 1),  # as good a label, but not what was found
                "foreign": b"\x80\x04\x95 a pickle, say",
                "empty": b"",
                "other head": json.dumps({**json.loads(head), "kind": "something else"}).encode() + b"\n" + body,
            }[damage]
        )
    again = reference_tags(corpus, RULES)
    assert (again.computed, again.pairs) == (180, right)
    if damage != "folder":  # in the place of which nothing can be written
        assert path.read_bytes() == whole
        assert reference_tags(corpus, RULES).computed == 0


def test_another_text_is_tagged_anew(corpus: Corpus, folder: Path) -> None:
    reference_tags(corpus, RULES)
    other = [["Something else.", *group[1:]] if i == 7 else group for i, group in enumerate(corpus.references)]
    changed = reference_tags(replace(corpus, references=other), RULES)
    assert changed.computed == 180
    assert len(list(folder.iterdir())) == 2
    assert reference_tags(corpus, RULES).computed == 0  # the first one is still there
    sources = ["Another source.", *corpus.sources[1:]]
    assert reference_tags(replace(corpus, sources=sources), RULES).computed == 180


def test_another_tagger_has_tags_of_its_own(tmp_path: Path, folder: Path) -> None:
    """The words of the language are a part of the rules: another entry, other tags."""
    corpus = Corpus(["Die Katze schlief ein."], [["Die Katze schlief."]], {}, lang="de")
    assert reference_tags(corpus, Tagger("rules", "de")).computed == 1
    english = replace(corpus, lang="en")
    assert reference_tags(english, RULES).computed == 1
    assert len(list(folder.iterdir())) == 2


def test_outputs_have_no_say(corpus: Corpus) -> None:
    reference_tags(corpus, RULES)
    assert reference_tags(corpus.with_outputs({}), RULES).computed == 0


def test_a_test_set_of_the_catalogue_has_its_tags_beside_it(corpus: Corpus, folder: Path, tmp_path: Path) -> None:
    assert reference_tags(corpus, RULES, in_catalogue=True).computed == 180
    assert only_file(tmp_path / "data" / "tags").suffix == ".json"
    assert not folder.exists()
    assert reference_tags(corpus, RULES, in_catalogue=True).computed == 0


def test_where_nothing_can_be_written(corpus: Corpus, tmp_path: Path) -> None:
    """A data folder that others look after: then the folder of the user serves."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tags").write_text("a file is in the way", "utf-8")
    assert reference_tags(corpus, RULES, in_catalogue=True).computed == 180
    assert reference_tags(corpus, RULES, in_catalogue=True).computed == 0
    (tmp_path / "tags" / only_file(tmp_path / "tags").name).unlink()
    (tmp_path / "tags").rmdir()
    (tmp_path / "tags").symlink_to(tmp_path / "nowhere" / "below")
    assert reference_tags(corpus, RULES).computed == 180


def test_two_at_once(corpus: Corpus, folder: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: reference_tags(corpus, Tagger("rules", "en")).pairs, range(4)))
    assert all(pairs == found[0] for pairs in found)
    assert only_file(folder).suffix == ".json"  # and nothing half written beside it
    assert reference_tags(corpus, RULES).computed == 0


def test_a_corpus_without_references(folder: Path) -> None:
    assert reference_tags(Corpus(["A text.", None], [[], ["A text."]], {}), RULES).pairs == []
    assert not folder.exists()
