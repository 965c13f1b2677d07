"""Files of pairs become items; whatever is wrong is said with file and line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError
from plainly.operations import AnnotatedPair, Group, assetann, write_jsonl, write_yawat
from plainly.studio.kinds.base import Material
from plainly.studio.kinds.operations.labels import COMMANDS, keys, plain, typology_of

Write = Callable[..., Path]
Read = Callable[..., Material]

REST = "linguistic: other, definition: D, example_source: a, example_target: b"
OWN = f"""name: ours
lang: de
labels:
  - {{name: kurz, title: Kürzer, shapes: [both], computational: replace, yawat: k, {REST}}}
  - {{name: weg, title: Weg, shapes: [source], computational: delete, yawat: w, {REST}}}
"""
PAIRS = [
    AnnotatedPair("1", ("A", "feline", "slept"), ("A", "cat", "slept"), (Group((1,), (1,), "synonym"),), "sys"),
    AnnotatedPair(
        "2", ("It", "sank"), ("It", "flew"), (Group((0,), (0,), "err"), Group((1,), (1,), "synonym")), "sys"
    ),
]


def test_texts_are_cut_into_words(read: Read, write: Write) -> None:
    rows = [("1", "The cat, a feline, slept.", "The cat slept.")]
    found = read({"pairs": write("pairs.csv", rows)}, tokenized=False)
    content = found.items[0].content
    assert content["source"] == ["The", "cat", ",", "a", "feline", ",", "slept", "."]
    assert content["target"] == ["The", "cat", "slept", "."]
    assert content["groups"] == []
    assert found.rows == (("1", "The cat , a feline , slept .", "The cat slept .", ""),)


def test_jsonl_of_texts_may_lack_ids_and_name_origins(read: Read, write: Write) -> None:
    rows = [{"source": "a b", "target": "a", "system": "x"}, {"source": "c", "target": "d", "system": "x"}]
    found = read({"pairs": write("pairs.jsonl", rows)})
    assert [item.name for item in found.items] == ["1 (x)", "2 (x)"]


@pytest.mark.parametrize("form", ["jsonl", "aln"])
def test_annotated_files_bring_a_draft(read: Read, tmp_path: Path, form: str) -> None:
    files = {"pairs": tmp_path / f"pairs.{form}"}
    if form == "aln":
        files["crp"] = tmp_path / "pairs.crp"
        write_yawat(PAIRS, files["pairs"], files["crp"])
    else:
        write_jsonl(PAIRS, files["pairs"])
    found = read(files, start="file")
    first, second = (item.content for item in found.items)
    assert first["groups"] == [{"source": [1], "target": [1], "label": "synonym"}]
    assert (first["erroneous"], second["erroneous"]) == (False, True)
    assert second["groups"] == [{"source": [1], "target": [1], "label": "synonym"}]
    assert all(not item.content["groups"] for item in read(files).items), "no draft was asked for"


def test_a_word_in_two_groups_stays_in_the_last(read: Read, tmp_path: Path) -> None:
    groups = (Group((0,), (0, 1), "synonym"), Group((1,), (), "delmod"), Group((1,), (1,), "move"))
    write_jsonl([AnnotatedPair("1", ("a", "b"), ("c", "d"), groups)], tmp_path / "pairs.jsonl")
    found = read({"pairs": tmp_path / "pairs.jsonl"}, start="file")
    assert found.items[0].content["groups"] == [
        {"source": [0], "target": [0], "label": "synonym"},
        {"source": [1], "target": [1], "label": "move"},
    ]
    assert "tokens in two groups: 2" in found.notes[0]


def test_the_tagger_makes_a_draft(read: Read, write: Write) -> None:
    found = read({"pairs": write("pairs.csv")}, start="rules")
    draft = found.items[0].content["groups"]
    assert {"source": [], "target": [3], "label": "split"} in draft
    with pytest.raises(PlainlyError, match="tagger's labels are not those of ours"):
        read({"pairs": write("pairs.csv"), "typology": write("own.yaml", OWN)}, start="rules")


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("pairs.csv", "id,source\n1,a\n", "pairs.csv:2: the column simplification or target is missing"),
        ("pairs.csv", "id,source,simplification\n1,a\n", "pairs.csv:2: 2 cells"),
        (
            "pairs.jsonl",
            '{"source": "a", "target": "b"}\n{"source": 1.5, "target": "b"}\n',
            "pairs.jsonl:2: source must",
        ),
        ("pairs.jsonl", "nonsense\n", "pairs.jsonl:1: bad JSON"),
        ("pairs.csv", "source,simplification\n,\n", "holds no pair"),
        ("pairs.csv", "id,source,simplification\n1,a,b\n1,c,d\n", "pair 1 is there twice, with different words"),
        ("pairs.csv", f"source,simplification\n{'a ' * 1001},b\n", "1,001 words"),
        ("pairs.aln", "1 1:1:synonym\n", "give the .crp file"),
        ("pairs.csv", "", "empty"),
    ],
)
def test_what_is_wrong_is_said(read: Read, write: Write, name: str, content: str, complaint: str) -> None:
    with pytest.raises(PlainlyError, match=complaint.replace("(", r"\(")):
        read({"pairs": write(name, content)})


def test_no_language_is_taken_for_granted(read: Read, write: Write) -> None:
    path = write("pairs.csv")
    assert read({"pairs": path}, lang="").items
    with pytest.raises(PlainlyError, match="cut into words by the rules of their language"):
        read({"pairs": path}, lang="", tokenized=False)
    with pytest.raises(PlainlyError, match="tagger must know the language"):
        read({"pairs": path}, lang="", start="rules")


def test_a_draft_of_two_annotators_is_refused(read: Read, write: Write) -> None:
    row = {"id": "1", "source": ["a"], "target": ["b"], "groups": []}
    path = write("pairs.jsonl", [row | {"annotator": "x"}, row | {"annotator": "y"}])
    assert len(read({"pairs": path}).items) == 1
    with pytest.raises(PlainlyError, match="by 'x' and 'y'"):
        read({"pairs": path}, start="file")


def test_labels_of_ones_own_survive_the_database(read: Read, write: Write) -> None:
    found = read({"pairs": write("pairs.csv"), "typology": write("own.yaml", OWN)})
    typology = typology_of(found.settings)
    assert typology.names == ("kurz", "weg")
    assert typology.get("weg").shapes == ("source",)
    assert typology_of({"typology": plain(assetann())}) == assetann()


def test_every_label_has_a_key_that_is_its_own_on_its_sides() -> None:
    typology = assetann()
    found = keys(typology)
    assert set(found) == set(typology.operations)
    assert not set(found.values()) & (COMMANDS | {""})
    for one in found:
        for other in found:
            if one != other and set(typology.get(one).shapes) & set(typology.get(other).shapes):
                assert found[one] != found[other]
    assert found["delmod"] == found["inmod"], "counterparts share a key"


def test_owners_learn_that_yawat_cannot_hold_the_pairs(read: Read, write: Write) -> None:
    found = read({"pairs": write("pairs.csv", [("two words", "a", "b")])})
    assert "no YAWAT files" in found.notes[0]
