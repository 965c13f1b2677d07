"""Scenes from dependency trees and from UCCA files."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError
from plainly.models.parsers import DEPENDENCIES, Parsed, Token, missing_parser, parse
from plainly.models.scenes import Scene, read_passage, read_passages, scenes

needs_parser = pytest.mark.skipif(
    missing_parser("en", {DEPENDENCIES}) is not None, reason="the extra `parsers` is not installed"
)


def tree(*words: str, lang: str = "en") -> list[Scene]:
    """The scenes of one sentence, given as "text/part of speech/label/position of the head from 1"."""
    tokens = []
    for word in words:
        text, pos, label, head = word.split("/")
        tokens.append(Token(text, text.lower(), pos, head=int(head) - 1, dep=label))
    return scenes(Parsed((tuple(tokens),)), lang)


def shown(found: list[Scene]) -> list[str]:
    """Scenes as "main: participant, first+second"."""
    return [
        f"{joined(scene.main)}: {', '.join(joined(unit) for unit in scene.participants)}".rstrip() for scene in found
    ]


def joined(unit: tuple[object, ...]) -> str:
    return "+".join(word.text for word in unit)  # type: ignore[attr-defined]


def read(text: str) -> list[str]:
    return shown(scenes(parse([text], "en")[0], "en"))


# The first is the running example of Sulem et al. 2018 (section 2): two parallel scenes, "he" remote in the second.
# "home" is an adverb to the parser, so it is no participant here; in UCCA it is one.
READ = {
    "He came back home and played piano.": ["came: he", "played: he, piano"],
    "John arrived home and gave Mary a call.": ["arrived: john", "gave: john, mary, call"],
    "He observed the planet which has 14 known satellites.": ["observed: he, planet", "has: planet, satellites"],
    "John and Mary bought apples and pears last year.": ["bought: john+mary, apples+pears"],
    "He was seen by the police.": ["seen: he, police"],
    "What he said is true.": ["said: what, he", "true: said"],
    "She could have been sleeping.": ["sleeping: she"],
    "He wants to start working.": ["working: he"],
    "The man was able to drive his car to Rome.": ["drive: man, car, rome"],
    "The dog sleeping under the table is old.": ["sleeping: dog, table", "old: dog"],
    "They left because it rained.": ["left: they", "rained: it"],
    "You wait for a bus, the bus will take you far away.": ["wait: you, bus", "take: bus, you"],
    "The protest ended; the rallies were broken up by police.": ["ended: protest", "broken: rallies, police"],
    "Go!": ["go:"],
    "A fine day.": [],
    "": [],
}


@needs_parser
@pytest.mark.parametrize("text", READ)
def test_scenes_of_english(text: str) -> None:
    assert read(text) == READ[text]


@needs_parser
def test_the_words_of_a_scene_exclude_those_of_the_scenes_inside() -> None:
    outer, inner = scenes(parse(["The man who lives in Rome reads old books."], "en")[0], "en")[::-1]
    assert sorted(word.text for word in outer.words) == ["books", "man", "old", "reads", "the"]
    assert sorted(word.text for word in inner.words) == ["in", "lives", "man", "rome", "who"]


@needs_parser
def test_scenes_of_several_sentences_are_in_order() -> None:
    assert read("He sat. She stood up and left.") == ["sat: he", "stood: she", "left: she"]


def test_a_tree_of_universal_dependencies() -> None:
    found = tree(
        "Er/PRON/nsubj/4", "ist/AUX/cop/4", "ein/DET/det/4", "Lehrer/NOUN/root/4", ",/PUNCT/punct/8",
        "der/PRON/nsubj/8", "Rom/PROPN/obj/8", "liebt/VERB/acl:relcl/4", "und/CCONJ/cc/13", "nach/ADP/case/11",
        "Rom/PROPN/obl/13", "gerne/ADV/advmod/13", "fährt/VERB/conj/4", lang="de",
    )  # fmt: skip
    assert shown(found) == ["lehrer: er", "liebt: lehrer, der, rom", "fährt: er, rom"]


def test_an_auxiliary_above_its_verb() -> None:
    """As in German pipelines of spaCy."""
    found = tree("Er/PRON/nsubj/2", "hat/AUX/root/2", "das/DET/det/4", "Haus/NOUN/obj/5", "gesehen/VERB/xcomp/2")
    assert shown(found) == ["gesehen: er, haus"]


def test_the_object_of_a_verb_may_be_the_subject_below() -> None:
    found = tree("Sie/PRON/nsubj/2", "bat/VERB/root/2", "ihn/PRON/obj/2", "zu/PART/mark/5", "gehen/VERB/xcomp/2")
    assert shown(found) == ["bat: sie, ihn, gehen", "gehen: ihn"]


def test_a_long_chain_of_clauses() -> None:
    """Each verb hangs from the one before and shares its subject; nothing here recurses."""
    words = ["he/PRON/nsubj/2", "v/VERB/root/2", *(f"v/VERB/conj/{i}" for i in range(2, 1000))]
    assert shown(tree(*words)) == ["v: he"] * 999


# -- UCCA files ------------------------------------------------------------------------------------------------------

WORDS = ["He", "came", "back", "home", "and", "played", "piano", "."]
UNITS = {  # a parse of the running example in UCCA's categories, written by hand: node -> (category, end) ...
    "1.1": [("H", "1.2"), ("L", "0.5"), ("H", "1.3"), ("U", "0.8")],
    "1.2": [("A", "1.4"), ("P", "1.5"), ("A", "1.6")],
    "1.3": [("A*", "1.4"), ("P", "1.7"), ("A", "1.8")],  # the star marks a remote edge
    "1.4": [("Terminal", "0.1")],
    "1.5": [("C", "1.9"), ("E", "1.10")],
    "1.6": [("Terminal", "0.4")],
    "1.7": [("Terminal", "0.6")],
    "1.8": [("Terminal", "0.7")],
    "1.9": [("Terminal", "0.2")],
    "1.10": [("Terminal", "0.3")],
}


def passage(
    units: dict[str, list[tuple[str, str]]] | None = None, before: str = "", categories: bool = False
) -> bytes:
    """A passage in the standard format; newer files repeat an edge's type as its category."""
    lines = [before, '<root annotationID="0" passageID="1">', '<attributes /><layer layerID="0"><attributes />']
    for i, word in enumerate(WORDS, 1):
        kind = "Word" if word.isalpha() else "Punctuation"
        position = f'paragraph="1" paragraph_position="{i}"'
        lines.append(f'<node ID="0.{i}" type="{kind}"><attributes {position} text="{word}" /></node>')
    lines.append('</layer><layer layerID="1"><attributes />')
    for node, edges in (units or UNITS).items():
        lines.append(f'<node ID="{node}" type="FN"><attributes />')
        for label, end in edges:
            remote = ' remote="True"' if label.endswith("*") else ""
            tag = label.rstrip("*")
            kind = "" if categories else f' type="{tag}"'
            category = f'<category tag="{tag}" />' if categories else ""
            lines.append(f'<edge toID="{end}"{kind}>{category}<attributes{remote} /></edge>')
        lines.append("</node>")
    lines.append("</layer></root>")
    return "".join(lines).encode()


@pytest.mark.parametrize("categories", [False, True], ids=["types", "categories"])
def test_scenes_of_a_passage(categories: bool) -> None:
    text, found = read_passage(passage(categories=categories))
    assert text == "He came back home and played piano ."
    assert shown(found) == ["came: he, home", "played: he, piano"]
    assert [joined(scene.others) for scene in found] == ["back", ""]


def test_a_scene_as_participant_stands_for_its_main_relation() -> None:
    units = {
        **UNITS,
        "1.1": [("H", "1.2")],
        "1.2": [("A", "1.4"), ("P", "1.5"), ("A", "1.3")],
        "1.3": [("P", "1.7"), ("A", "1.8"), ("A", "1.11")],
        "1.11": [],
    }
    # 1.11 has no word: a participant that the text does not name ("implicit")
    assert shown(read_passage(passage(units))[1]) == ["came: he, played", "played: piano,"]


def test_coordinated_centres_are_one_unit() -> None:
    units = {**UNITS, "1.6": [("C", "1.11"), ("N", "0.5"), ("C", "1.12")], "1.11": [("Terminal", "0.4")]}
    units |= {"1.12": [("Terminal", "0.7")], "1.3": []}
    assert shown(read_passage(passage(units))[1]) == ["came: he, home+piano"]


def test_a_passage_with_a_loop_ends() -> None:
    units = {**UNITS, "1.5": [("C", "1.9")], "1.9": [("C", "1.5"), ("Terminal", "0.2")]}
    assert len(read_passage(passage(units))[1]) == 2


BOMB = '<!DOCTYPE root [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
BAD = {
    "no XML": (b"He came back home.", "not a UCCA passage: syntax error"),
    "cut off": (passage()[:-20], "not a UCCA passage: "),
    "another format": (b"<html><body /></html>", "it has no words or no units"),
    "entities": (passage(before=BOMB), "it has a document type"),
    "a wrong end": (passage({**UNITS, "1.9": [("C", "7.7")]}), "an edge leads to 7.7"),
    "empty": (b"", "not a UCCA passage"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files(name: str) -> None:
    content, message = BAD[name]
    with pytest.raises(PlainlyError, match=message):
        read_passage(content)


def test_a_folder_of_passages(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match="no folder with UCCA passages"):
        read_passages(str(tmp_path))
    (tmp_path / "1.xml").write_bytes(passage())
    passages = read_passages(str(tmp_path))
    found = passages.of("He came back home and played piano.")  # tokenised otherwise than the passage
    assert found is not None
    assert len(found) == 2
    assert passages.of("He came back.") is None
    (tmp_path / "1.xml").write_bytes(passage(categories=True))
    assert read_passages(str(tmp_path)).digest != passages.digest
    (tmp_path / "2.xml").write_bytes(b"<root")
    with pytest.raises(PlainlyError, match=r"2\.xml: not a UCCA passage"):
        read_passages(str(tmp_path))


def test_a_file_too_large(tmp_path: Path) -> None:
    with (tmp_path / "1.xml").open("wb") as file:
        file.truncate(20 * 2**20)
    with pytest.raises(PlainlyError, match="larger than 16 MB"):
        read_passages(str(tmp_path))
