"""Files in the published layouts, made up here, with the traps of each layout."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.metaeval.adapters import ADAPTERS, load
from plainly.metaeval.adapters.files import Folder

SEGMENTS = 359  # of the ASSET test set


@pytest.fixture(autouse=True)
def no_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """References may be taken from plainly's own data folder; here there is none."""
    monkeypatch.setenv("PLAINLY_DATA", str(tmp_path / "none"))


def table(path: Path, header: str, rows: Sequence[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(header.split(","))
        writer.writerows(rows)


def references(folder: Path, names: Sequence[str], text: str = "ref {name} line {line}") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        lines = [text.format(name=name, line=line) for line in range(SEGMENTS)]
        (folder / name).write_text("".join(f"{line}\n" for line in lines))


DA = (
    "sent_id,sys_name,orig_sent,simp_sent,sys_type,fluency,fluency_zscore,meaning,meaning_zscore,simplicity,"
    "simplicity_zscore"
)


def simplicity_da(folder: Path) -> None:
    rows = [
        [1, "One", "Source A.", "Out A1.", "T1", 50, 0.5, 60, 0.6, 40, 0.1],
        [1, "Two", "Source A.", "Out A2.", "T2", 51, 0.4, 61, 0.7, 80, 1.1],
        [359, "One", "Source Z.", "Out Z1.", "T1", 52, 0.3, 62, 0.8, 20, -1.0],
    ]
    table(folder / "simplicity_DA.csv", DA, rows)
    single = [
        [sentence, system, "", "", rater, value]
        for sentence, system, values in ((1, "One", (30, 50)), (1, "Two", (90, 70)), (359, "One", (10, 30)))
        for rater, value in enumerate(values)
    ]
    header = "sent_id,sys_name,orig_sent,simp_sent,rater_id,simplicity"
    table(folder / "ratings_per_annotator" / "simplicity_DA_ratings.csv", header, single)


def test_simplicity_da_counts_lines_from_1(tmp_path: Path) -> None:
    simplicity_da(tmp_path)
    references(tmp_path / "asset", [f"asset.test.simp.{k}" for k in range(10)])
    found = load("simplicity-da", tmp_path)
    assert found.positions == (0, 0, 358)
    assert found.references[0][3] == "ref asset.test.simp.3 line 0"
    assert found.references[2][9] == "ref asset.test.simp.9 line 358"
    assert found.segments[0] == found.segments[1] != found.segments[2]  # outputs of one source are one cluster
    assert found.values["simplicity"].tolist() == [0.1, 1.1, -1.0]
    assert found.fields["system type"] == ("T1", "T2", "T1")
    # rater 0 gave 30, 90, 10: mean 43.33, sd (of n) 33.99
    assert found.ratings["simplicity"][:, 0] == pytest.approx([-0.3922, 1.3728, -0.9806], abs=1e-4)
    raw = load("simplicity-da", tmp_path, "raw")
    assert raw.values["simplicity"].tolist() == [40, 80, 20]
    assert raw.ratings["simplicity"].tolist() == [[30, 50], [90, 70], [10, 30]]
    assert raw.scale["meaning"] == "raw"
    assert list(found.ratings) == ["simplicity"]  # of the others no single ratings are published


def test_reference_sets_of_the_same_sources(tmp_path: Path) -> None:
    simplicity_da(tmp_path)
    references(tmp_path / "a", [f"asset.test.simp.{k}" for k in range(10)])
    references(tmp_path / "t", [f"turkcorpus.test.simp.{k}" for k in range(8)])
    references(tmp_path / "h", [f"hsplit.test.tok.simp.{k}" for k in range(4)], "the &quot; {name} &apos; {line}")
    found = load("simplicity-da", tmp_path)
    assert {name: len(texts[0]) for name, texts in found.reference_sets.items()} == {
        "asset": 10,
        "turkcorpus": 8,
        "hsplit": 4,
    }
    assert found.reference_sets["hsplit"][2][1] == "the \" hsplit.test.tok.simp.1 ' 358"  # no Moses escapes


def test_without_references_it_says_so(tmp_path: Path) -> None:
    simplicity_da(tmp_path)
    found = load("simplicity-da", tmp_path)
    assert found.references == ((), (), ())
    assert any("plainly data fetch asset-test" in note for note in map(str, found.notes))


@pytest.mark.parametrize("sentence", ["0", "360", "x", "-1", "1e3", ""])
def test_a_line_that_is_not_there(tmp_path: Path, sentence: str) -> None:
    table(tmp_path / "simplicity_DA.csv", DA, [[sentence, "One", "S.", "O.", "T", 1, 1, 1, 1, 1, 1]])
    with pytest.raises(PlainlyError, match=r"simplicity_DA\.csv:2: sent_id must be a line, 1 to 359"):
        load("simplicity-da", tmp_path)


def test_single_ratings_that_never_vary_are_named(tmp_path: Path) -> None:
    simplicity_da(tmp_path)
    path = tmp_path / "ratings_per_annotator" / "simplicity_DA_ratings.csv"
    path.write_text(path.read_text() + "1,One,,,constant,50\n359,One,,,constant,50\n")
    said = "1 rater of simplicity always gave the same value: no z-scores"
    assert said in [*map(str, load("simplicity-da", tmp_path).notes)]
    assert said not in [*map(str, load("simplicity-da", tmp_path, "raw").notes)]


def test_a_single_rating_of_an_unknown_output(tmp_path: Path) -> None:
    simplicity_da(tmp_path)
    path = tmp_path / "ratings_per_annotator" / "simplicity_DA_ratings.csv"
    path.write_text(path.read_text() + "7,One,,,0,50\n")
    with pytest.raises(PlainlyError, match=r"ratings\.csv:8: there is no output of One for sent_id 7"):
        load("simplicity-da", tmp_path)


def test_asset_ratings_count_lines_from_0(tmp_path: Path) -> None:
    header = "original,simplification,original_sentence_id,aspect,worker_id,rating"
    rows = [
        ["S zero", "O zero", 0, "simplicity", "a", 10],
        ["S zero", "O zero", 0, "simplicity", "b", 90],
        ["S last", "O last", 358, "simplicity", "a", 30],
        ["S last", "O last", 358, "meaning", "a", 70],
    ]
    table(tmp_path / "human_ratings.csv", header, rows)
    references(tmp_path, [f"asset.test.simp.{k}" for k in range(10)])
    found = load("asset-ratings", tmp_path, "raw")
    assert found.positions == (0, 358)
    assert found.references[1][0] == "ref asset.test.simp.0 line 358"
    assert found.values["simplicity"].tolist() == [50, 30]
    assert math.isnan(found.values["meaning"][0])  # nobody judged it
    scored = load("asset-ratings", tmp_path)
    assert scored.ratings["simplicity"][:, 0].tolist() == [-1, 1]  # a gave 10 and 30
    assert np.isnan(scored.ratings["simplicity"][:, 1]).all()  # b gave one value: no z-scores
    assert "1 rater of simplicity always gave the same value: no z-scores" in [*map(str, scored.notes)]
    assert not any("always gave" in note for note in map(str, found.notes))
    table(tmp_path / "human_ratings.csv", header, [["S", "O", 359, "simplicity", "a", 10]])
    with pytest.raises(PlainlyError, match="original_sentence_id must be a line, 0 to 358"):
        load("asset-ratings", tmp_path)


SIMPEVAL = (
    "original_id,original,generation,system,sentence_type,rating_1,rating_2,rating_3,rating_1_zscore,"
    "rating_2_zscore,rating_3_zscore"
)


def simpeval(folder: Path) -> None:
    rows = [
        [number, f"Source {name}.", f"{system} on {name}.", system, "Splittings", 80, 70, 60, 0.8, 0.7, 0.3]
        for number, name in ((0, "one"), (1, "two"))
        for system in ("T5-3B", "Human 1 Writing", "Human 2 Writing")
    ]
    table(folder / "simpeval_2022.csv", SIMPEVAL, rows)
    # not in the order of the ids, one source twice
    (folder / "references.src").write_text("Source two .\nSource one.\nSource two.\n")
    (folder / "references.dst").write_text("Human 1 Writing on two.\nHuman 1 Writing on one.\nAnother text on two.\n")


def test_simpeval_writer_of_references_does_not_judge_himself(tmp_path: Path) -> None:
    simpeval(tmp_path)
    found = load("simpeval-2022", tmp_path)
    by_system = {}
    for segment, system, texts in zip(found.segments, found.systems, found.references, strict=True):
        by_system[segment, system] = texts
    assert by_system["0", "T5-3B"] == ("Human 1 Writing on one.",)
    assert by_system["1", "T5-3B"] == ("Human 1 Writing on two.", "Another text on two.")
    assert by_system["1", "Human 2 Writing"] == by_system["1", "T5-3B"]
    assert by_system["0", "Human 1 Writing"] == by_system["1", "Human 1 Writing"] == ()
    assert found.values["quality"][0] == pytest.approx(0.6)
    assert found.ratings["quality"].shape == (6, 3)
    assert load("simpeval-2022", tmp_path, "raw").values["quality"][0] == pytest.approx(70)
    assert found.fields["system type"] == ("model", "person", "person") * 2
    assert any("Human 1 Writing" in note for note in map(str, found.notes))


def test_simpeval_references_in_the_upstream_layout(tmp_path: Path) -> None:
    simpeval(tmp_path)
    folder = tmp_path / "experiments" / "simpeval_2022" / "references"
    folder.mkdir(parents=True)
    (tmp_path / "references.src").rename(folder / "test.src")
    (tmp_path / "references.dst").rename(folder / "test.dst")
    assert load("simpeval-2022", tmp_path).references[0] == ("Human 1 Writing on one.",)


def test_simpeval_assessments_are_joined_by_text(tmp_path: Path) -> None:
    simpeval(tmp_path)
    header = (
        "WorkerId,Input.id,Input.original,Input.simplified,Input.system,Answer.adequacy,Answer.fluency,"
        "Answer.simplicity"
    )
    rows = [
        ["w1", "9", "Source one. ", "T5-3B on one.", "T5-3B", 5, 4, 2],  # a wrong number, a right text
        ["w2", "9", "Source one. ", "T5-3B on one.", "T5-3B", 3, 4, -2],
        ["w1", "1", "Another wording of it.", "Human 2 on two.", "Human 2 Writing", 1, 2, 0],  # only the number helps
    ]
    table(tmp_path / "simplikert_2022.csv", header, rows)
    table(tmp_path / "simpDA_2022.csv", header, rows)
    found = load("simpeval-2022-likert", tmp_path, "raw")
    assert found.segments == ("0", "1")
    assert found.references[0] == ("Human 1 Writing on one.",)
    assert found.values["adequacy"].tolist() == [4, 1]
    assert found.values["simplicity"].tolist() == [0, 0]
    assert found.ratings["simplicity"][0].tolist() == [2, -2]
    standard = load("simpeval-2022-da", tmp_path)
    assert standard.scale["fluency"] == "z"
    assert "1 rater of adequacy always gave the same value: no z-scores" in [
        *map(str, standard.notes)
    ]  # w2 has one rating


def test_qats_labels_and_literal_quotes(tmp_path: Path) -> None:
    header = "original\tsimplification\tgrammaticality\tmeaning\tsimplicity\toverall\n"
    (tmp_path / "qats.train.tsv").write_text(header + 'He said " yes .\tYes " .\tgood\tok\tbad\tok\n')
    (tmp_path / "qats.test.tsv").write_text(header + 'He said " yes .\tHe agreed .\tGood\tgood\tgood\tgood\n')
    found = load("qats", tmp_path)
    assert found.sources[0] == 'He said " yes .'
    assert found.outputs[0] == 'Yes " .'
    assert found.values["grammaticality"].tolist() == [2, 2]
    assert found.values["simplicity"].tolist() == [0, 2]
    assert found.segments == ("0", "0")  # the same original: not independent, even across the parts
    assert found.fields["part"] == ("train", "test")
    assert found.ratings == {}
    (tmp_path / "qats.test.tsv").write_text(header + "a\tb\tgood\tgood\tgreat\tgood\n")
    with pytest.raises(PlainlyError, match=r"qats\.test\.tsv:2: simplicity must be good, ok or bad, not great"):
        load("qats", tmp_path)
    with pytest.raises(PlainlyError, match="one label a pair"):
        load("qats", tmp_path, "z")


def test_arts_high_is_hard(tmp_path: Path) -> None:
    texts = [("Easy.", "simp"), ("A \x93quoted\x94 text \x96 hard.", "src")]
    lines = [
        json.dumps({"text_id": i, "text": text, "dataset": "Made", "label": label})
        for i, (text, label) in enumerate(texts)
    ]
    (tmp_path / "arts94.jsonl").write_text("\n".join(lines) + "\n")
    table(tmp_path / "scores" / "arts94_gold16_scores.csv", "text_id,score", [[1, 0.9], [0, 0.1]])
    header = "seq,match_id,first_id,second_id,winner_id,easier_id,time"
    for rater in range(1, 17):
        games = [[0, 0, 0, 1, 1, 0, ""], [1, 1, 1, 0, 1 if rater > 4 else 0, 0 if rater > 4 else 1, ""]]
        table(tmp_path / "human" / f"arts94_rater{rater:02}.csv", header, games)
    found = load("arts94", tmp_path)
    assert found.values["difficulty"].tolist() == [0.1, 0.9]
    assert found.direction("difficulty") == "lower"
    assert found.outputs[1] == "A “quoted” text – hard."  # what the control characters stand for in Windows-1252
    assert found.sources == (None, None)
    assert found.ratings["difficulty"][:, 0].tolist() == [0.5, 0.5]
    assert found.ratings["difficulty"][:, 15].tolist() == [0, 1]
    with pytest.raises(PlainlyError, match="no z-scores"):
        load("arts94", tmp_path, "z")


def test_german_ratings_in_windows_1252(tmp_path: Path) -> None:
    header = (
        "ID,Sentence,Article_ID,Article,Votes_Complexity,MOS_Complexity,Std_Complexity,Votes_Understandability,"
        "MOS_Understandability,Std_Understandability,Vote_Lexical_difficulty,MOS_Lexical_difficulty,"
        "Std_Lexical_difficulty"
    )
    row = "3,Ein „größeres“ Haus.,1,Haus,9,1.5,1,9,2.5,1,9,3.5,1\n4,Noch eins.,1,Haus,9,1.5,1,9,2.5,1,9,3.5,1"
    (tmp_path / "TextComplexityDE19").mkdir()
    (tmp_path / "TextComplexityDE19" / "ratings.csv").write_bytes(f"{header}\n{row}\n".encode("cp1252"))
    found = load("textcomplexityde", tmp_path)
    assert found.lang == "de"
    assert found.outputs == ("Ein „größeres“ Haus.", "Noch eins.")
    assert found.segments == ("3", "4")
    assert len(set(found.units)) == 1  # sentences of one article are not independent
    assert any("they are sentences of 1 article, and" in note for note in map(str, found.notes))
    assert {name: values.tolist() for name, values in found.values.items()} == {
        "complexity": [1.5, 1.5],
        "understandability": [2.5, 2.5],
        "lexical difficulty": [3.5, 3.5],
    }
    assert found.direction("complexity") == "lower"


def test_deplain_has_one_rater_and_gaps(tmp_path: Path) -> None:
    header = (
        "original,simplification,domain,corpus,rater,alignment,simplicity,lexical_simplicity,structural_simplicity,"
        "meaning_preservation,coherence_simple,grammaticality_simple,ambiguity_simple"
    )
    table(tmp_path / "deplain_web_rated.csv", header, [["A", "B", "d", "c", 2, "1:1", 1, "", 2, 5, 4, 2, 1]])
    found = load("deplain-web", tmp_path)
    assert math.isnan(found.values["lexical simplicity"][0])
    assert found.values["meaning"].tolist() == [5]
    assert found.direction("ambiguity") == "lower"
    assert found.references == ((),)
    assert found.ratings == {}


@pytest.mark.parametrize("name", ADAPTERS)
def test_files_that_are_not_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(PlainlyError, match="in this folder or below it"):
        load(name, tmp_path)
    with pytest.raises(PlainlyError, match="is not a folder"):
        load(name, tmp_path / "nowhere")


@pytest.mark.parametrize("name", ADAPTERS)
def test_files_that_are_something_else(tmp_path: Path, name: str) -> None:
    (tmp_path / ADAPTERS[name].file).write_text('{"a": 1}\n' if name == "arts94" else "a,b\n1,2\n")
    with pytest.raises(PlainlyError, match=r"header|there is no column|needs .*; found a, ?b"):
        load(name, tmp_path)


def test_an_unknown_data_set(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match="did you mean 'simplicity-da'"):
        load("simplicity_da", tmp_path)


def test_the_shallowest_file_counts(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    for place in ("z.csv", "a/z.csv", "a/b/z.csv"):
        (tmp_path / place).write_text(place)
    assert Folder(tmp_path).find("z.csv").read_text() == "z.csv"
    assert Folder(tmp_path).find("b/z.csv").read_text() == "a/b/z.csv"
