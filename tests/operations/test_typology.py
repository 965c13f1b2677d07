"""Typologies: the bundled one says what the paper says, and files of users are checked key by key."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.cli import main
from plainly.operations import assetann, load_typology

# Table 5 of Cardon et al. (2022): what the annotation tool shows -> the short name in the released files.
ABBREVIATIONS = {
    "a2n": "pos2neg",
    "n2a": "neg2pos",
    "a2p": "a2p",
    "p2a": "p2a",
    "delC": "delcst",
    "delM": "delmod",
    "delO": "deloth",
    "delP": "delprop",
    "err": "err",
    "hypero": "hyperonym",
    "hypo": "hyponym",
    "insertC": "incst",
    "insertM": "inmod",
    "insertO": "inoth",
    "insertP": "inprop",
    "merge": "merge",
    "move": "move",
    "POSC": "POSchange",
    "pronom": "pron",
    "pronres": "fromPron",
    "p2s": "p2s",
    "s2p": "s2p",
    "split": "split",
    "syn": "synonym",
    "toImp": "toImp",
    "toPers": "fromImp",
    "verbF": "verbf",
}
# Section 4.2 of the paper, and the rules that give the sizes of its subsets.
LEXICAL = {"synonym", "hyperonym", "hyponym"}
INSERTIONS = {"inmod", "inprop", "inoth"}
DELETIONS = {"delmod", "delprop", "deloth"}
VOICE_AND_NEGATION = {"a2p", "p2a", "pos2neg", "neg2pos"}
SYNTACTIC = INSERTIONS | DELETIONS | VOICE_AND_NEGATION | {"fromImp", "toImp", "merge", "split"}
ADD = INSERTIONS | {"incst", "split", "toImp"}
DELETE = DELETIONS | {"delcst", "fromImp", "merge"}
WORDS = {"move", "verbf", "POSchange", "s2p", "p2s", "pron", "fromPron"}
REPLACE = LEXICAL | VOICE_AND_NEGATION | WORDS


def test_the_26_operations_and_the_flag() -> None:
    typology = assetann()
    assert typology.abbreviations == ABBREVIATIONS
    assert set(typology.operations) == set(ABBREVIATIONS.values()) - {"err"}
    assert len(typology.operations) == 26
    assert "err" in typology.names


@pytest.mark.parametrize(
    ("name", "labels"),
    [("lexical", LEXICAL), ("syntactic", SYNTACTIC), ("add", ADD), ("delete", DELETE), ("replace", REPLACE)],
)
def test_classes_are_those_of_the_paper(name: str, labels: set[str]) -> None:
    assert set(assetann().of_class(name)) == labels


def test_moves_are_replacements_or_not() -> None:
    typology = assetann()
    assert set(typology.of_class("replace", move_is_replacement=False)) == REPLACE - {"move"}
    assert typology.of_class("move") == ("move",)
    with pytest.raises(UnknownName, match="did you mean 'lexical'"):
        typology.of_class("lexicall")


def test_every_class_has_its_side() -> None:
    typology = assetann()
    for name in typology.of_class("add"):
        assert typology.get(name).shapes == ("target",)
    for name in set(typology.of_class("delete")) - {"fromImp"}:
        assert typology.get(name).shapes == ("source",)
    negation = {"pos2neg": ("both", "target"), "neg2pos": ("both", "source")}  # markers alone: appendix A, 3.5.4
    for name in typology.of_class("replace"):
        assert typology.get(name).shapes == negation.get(name, ("both",))
    assert typology.get("fromImp").shapes == ("source", "target")  # the release has 20 and 3 of them


def test_counterparts_mirror_insertions_and_deletions() -> None:
    typology = assetann()
    for kind in ("cst", "mod", "prop", "oth"):
        assert typology.get(f"in{kind}").counterpart == f"del{kind}"
        assert typology.get(f"del{kind}").counterpart == f"in{kind}"


def test_examples_show_a_change() -> None:
    for label in assetann().labels.values():
        assert label.example_source != label.example_target
        assert label.definition.endswith(".")


def test_the_page_shows_the_labels_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["operations", "labels", "--format", "markdown"]) == 0
    page = Path(__file__).parents[2] / "docs" / "operations.md"
    assert capsys.readouterr().out in page.read_text("utf-8")


def test_unknown_label_names_the_nearest_or_the_abbreviated_one() -> None:
    with pytest.raises(UnknownName, match="'synonim'; did you mean 'synonym'"):
        assetann().get("synonim")


OWN = """\
name: easy-read
lang: de
labels:
  - name: erklärung
    title: Added explanation
    shapes: [target]
    computational: add
    linguistic: other
    yawat: expl
    definition: A hard word stays, and words that explain it are new.
    example_source: Die Vormundschaft endet.
    example_target: Die Vormundschaft, also die Vertretung, endet.
  - name: synonym
    title: Synonym
    shapes: [both]
    computational: replace
    linguistic: lexical
    yawat: syn
    definition: Another word for the same.
    example_source: beginnen
    example_target: anfangen
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "own.yaml"
    path.write_text(text, "utf-8")
    return path


def test_own_typology(tmp_path: Path) -> None:
    typology = load_typology(written(tmp_path, OWN))
    assert (typology.name, typology.lang) == ("easy-read", "de")
    assert typology.operations == ("erklärung", "synonym")
    assert typology.of_class("add") == ("erklärung",)
    assert typology.get("synonym").counterpart == ""


def test_a_label_called_move_moves_words(tmp_path: Path) -> None:
    text = OWN.replace("name: synonym", "name: move").replace("computational: replace", "computational: move")
    assert load_typology(written(tmp_path, text)).of_class("move") == ("move",)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("name: easy-read\n", "", "own.yaml: typology: name is missing"),
        ("lang: de", "lang: [de]", "own.yaml: typology: lang must be of type str"),
        ("lang: de", "lang: de\nlanguage: de", "own.yaml: typology: unknown key 'language'"),
        ("    yawat: expl\n", "", "own.yaml:4: label 'erklärung': yawat is missing"),
        ("yawat: syn", "yavat: syn", "own.yaml:13: label 'synonym': unknown key 'yavat'"),
        ("yawat: syn", "yawat: synonym\n    yawat: s", "own.yaml:19: 'yawat' is there twice"),
        ("yawat: syn", "yawat: expl", "own.yaml:4: erklärung: yawat 'expl' is a name of synonym too"),
        ("name: synonym", "name: erklärung", "own.yaml:13: label 'erklärung' is there twice"),
        ("name: synonym", "name: yes", "own.yaml:13: label True: name must be of type str"),
        ("name: synonym", "name: a:b", "own.yaml:13: 'a:b' is no name of a label"),
        ("name: synonym", "name: err", "own.yaml:13: err: err, and it alone, has computational: none"),
        ("name: synonym", "name: 'or'", "own.yaml:13: 'or' cannot name a label: it is a word of expressions"),
        ("name: synonym", "name: any", "own.yaml:13: 'any' cannot name a label: it is a word of expressions"),
        ("name: synonym", "name: replace", "own.yaml:13: 'replace' cannot name a label: it is a class of labels"),
        ("name: synonym", "name: lexical", "own.yaml:13: 'lexical' cannot name a label: it is a class of labels"),
        ("name: synonym", "name: move", "own.yaml:13: 'move' cannot name a label: it is a class of labels"),
        ("shapes: [both]", "shapes: both", "own.yaml:13: synonym: shapes is a list of some of source, target, both"),
        ("shapes: [both]", "shapes: [left]", "own.yaml:13: synonym: shapes is a list of some of"),
        ("shapes: [both]", "shapes: [[both]]", "own.yaml:13: synonym: shapes is a list of some of"),
        ("linguistic: lexical", "linguistic: words", "own.yaml:13: synonym: linguistic must be one of lexical,"),
        ("computational: replace", "computational: 3", "own.yaml:13: label 'synonym': computational must be of type"),
        ("title: Synonym", "title: ''", "own.yaml:13: label 'synonym': title is empty"),
        ("title: Synonym", "title: Synonym\n    counterpart: x", "own.yaml:13: synonym: counterpart 'x' is no label"),
        (
            "title: Added explanation",
            "title: A\n    counterpart: synonym",
            "own.yaml:4: erklärung: its counterpart synonym cannot stand on the other side alone",
        ),
        ("title: Synonym", "title: &a Synonym\n    x: *a", "own.yaml:15: no references here, such as *a"),
        ("title: Synonym", "title: !!python/object:os.system x", "own.yaml:14: could not determine a constructor"),
        ("title: Synonym", "title: 'open", "own.yaml:"),
        ("title: Synonym", "? [a]\n    : b\n    title: x", "must be a text"),
    ],
)
def test_faults_are_named_with_their_line(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert OWN.count(old) == 1
    with pytest.raises(PlainlyError) as raised:
        load_typology(written(tmp_path, OWN.replace(old, new)))
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    "text", ["", "- a", "3", "labels: []", "name: a\nlang: b\nlabels: []", "[" * 5000, "\x07", "a: b\n---\nc: d"]
)
def test_what_is_no_typology_is_refused_in_words(tmp_path: Path, text: str) -> None:
    with pytest.raises(PlainlyError, match=r"own\.yaml"):
        load_typology(written(tmp_path, text))


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match="no such file"):
        load_typology(tmp_path / "none.yaml")


# Section 3.2 of the paper names two sets of operations; the second has no fixed computational operation.
SET_APART = {"a2p", "p2a", "POSchange", "split", "merge", "toImp", "fromImp", "pos2neg", "neg2pos"}


def test_operations_without_one_computational_operation_are_set_apart(capsys: pytest.CaptureFixture[str]) -> None:
    labels = assetann().labels
    assert {name for name in assetann().operations if labels[name].unmapped} == SET_APART
    assert main(["operations", "labels", "--format", "csv"]) == 0
    rows = {row["label"]: row["mapped"] for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert {name for name, mapped in rows.items() if mapped == "no"} == SET_APART
    assert rows["err"] == "", "the flag is no operation"
    assert rows["move"] == "yes"
