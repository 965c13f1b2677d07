"""Released files are read without options: small files of the same form, and the real ones where they are here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cases import each

from plainly.base.errors import PlainlyError
from plainly.metaeval import JudgedSet, load
from plainly.metaeval.rated_texts import joined, read_judgements, texts_of
from plainly.ratings import read_ratings

ORIGINAL, SIMPLE = "The feline reposed.", "The cat slept."
Entry = tuple[str, str, str, str, float | None]
FORMS: list[tuple[str, str, list[Entry], str]] = [
    (
        "mturk.csv",  # SimpEval 2022, direct assessment and Likert; comments are no scale
        "WorkerId,Input.id,Input.original,Input.simplified,Input.system,Answer.adequacy,Answer.comment\n"
        f"3,40,{ORIGINAL},{SIMPLE},Muss,90,nice\n4,40,{ORIGINAL},{SIMPLE},Muss,80,\n",
        [("3", "40", "Muss", "adequacy", 90), ("4", "40", "Muss", "adequacy", 80)],
        "read as an export of Mechanical Turk: rater=WorkerId,item=Input.id,system=Input.system",
    ),
    (
        "simpeval.csv",
        "original_id,original,generation,system,sentence_type,rating_1,rating_2,rating_3,rating_1_zscore\n"
        f"37,{ORIGINAL},{SIMPLE},T5-3B,Splittings,100.0,70.0,60.0,1.36\n",
        [(f"rating_{n}", "37", "T5-3B", "quality", value) for n, value in ((1, 100), (2, 70), (3, 60))],
        "rating_1 to rating_3 are not three people",
    ),
    (
        "da_ratings.csv",
        f"sent_id,sys_name,orig_sent,simp_sent,rater_id,simplicity\n1,Hybrid,{ORIGINAL},{SIMPLE},8,100\n",
        [("8", "1", "Hybrid", "simplicity", 100)],
        "read as single ratings of Simplicity-DA",
    ),
    (
        "da.csv",
        "sent_id,sys_name,orig_sent,simp_sent,sys_type,fluency,fluency_zscore,simplicity\n"
        f"268,ACCESS,{ORIGINAL},{SIMPLE},Neural,77.4,0.15,71.5\n",
        [("mean", "268", "ACCESS", "fluency", 77.4), ("mean", "268", "ACCESS", "simplicity", 71.5)],
        "values are means of several raters",
    ),
    (
        "asset.csv",
        "original,simplification,original_sentence_id,aspect,worker_id,rating\n"
        f"{ORIGINAL},{SIMPLE},7,meaning,12,55\n",
        [("12", "7", "unnamed", "meaning", 55)],
        "read as the ratings of ASSET",
    ),
    (
        "qats.tsv",
        "original\tsimplification\tgrammaticality\tmeaning\tsimplicity\toverall\n"
        f"{ORIGINAL}\t{SIMPLE}\tgood\tok\tok\tbad\n{ORIGINAL}\t{SIMPLE}\tGood\tok\tok\tbad\n",
        [
            ("label", f"{{file}}:{line}", "unnamed", scale, value)
            for line in (2, 3)
            for scale, value in (("simplicity", 1), ("meaning", 1), ("grammaticality", 2), ("overall", 0))
        ],
        "labels count as bad 0, ok 1, good 2",
    ),
    (
        "prolific.csv",
        f"PROLIFIC_PID,item,system,scale,value,source,output\n5f1,1,mine,fluency,4,{ORIGINAL},{SIMPLE}\n",
        [("5f1", "1", "mine", "fluency", 4)],
        "read as a survey with participants of Prolific: rater=PROLIFIC_PID",
    ),
]


@each("name, text, expected, said", FORMS)
def test_small_files_of_the_same_form(
    name: str, text: str, expected: list[Entry], said: str, tmp_path: Path, plainly: Any
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    found = read_ratings(path)
    entries = [(e.rater, e.item, e.system, e.scale, e.value) for e in found.entries]
    assert entries == [(rater, item.format(file=path), *rest) for rater, item, *rest in expected]
    assert {(e.source, e.output) for e in found.entries} == {(ORIGINAL, SIMPLE)}
    assert said in str(found.notes[0])
    assert "wird gelesen als" in found.notes[0].text("de")
    run = plainly("ratings", "score", str(path), "--resamples", "20")
    assert run.status == 0
    assert said in run.out
    texts = texts_of(found)
    assert texts is not None
    assert joined(found, texts).outputs[0] == SIMPLE


def test_data_frames() -> None:
    row = {"sent_id": 1, "sys_name": "Hybrid", "rater_id": 8, "simplicity": 90.0}
    (entry,) = read_ratings(pytest.importorskip("pandas").DataFrame([row])).entries
    assert (entry.rater, entry.item, entry.system, entry.value) == ("8", "1", "Hybrid", 90)


def test_unknown_stays_unknown(tmp_path: Path) -> None:
    """A header that is nearly one of these is not read, but one is told what to say."""
    path = tmp_path / "r.csv"
    path.write_text("original_id,original,generation,system,rating_1\n1,a,b,c,3\n")
    with pytest.raises(PlainlyError, match=r"found original_id, original, generation, system, rating_1") as error:
        read_ratings(path)
    assert "no header" not in str(error.value)


def test_the_list_of_participants_is_none(tmp_path: Path) -> None:
    path = tmp_path / "prolific_export.csv"
    path.write_text("Submission id,Participant id,Status,Completion code\n1,2,APPROVED,X\n")
    with pytest.raises(PlainlyError, match="list of participants that Prolific exports: it has no ratings"):
        read_ratings(path)


def test_texts_of_ratings_are_scored(tmp_path: Path, plainly: Any) -> None:
    """Correlations need no other file: ratings of 12 outputs whose lengths people like in reverse."""
    rows = ["WorkerId,Input.id,Input.original,Input.simplified,Input.system,Answer.simplicity"]
    rows += [f"1,{n},{'word ' * 20},{'word ' * n},mine,{50 - n}" for n in range(1, 13)]
    path = tmp_path / "mturk.csv"
    path.write_text("\n".join(rows) + "\n")
    found = plainly("metaeval", "--ratings", str(path), "--metrics", "words", "--format", "json").json
    (table,) = found["studies"][0]["tables"] if "studies" in found else found["tables"]
    assert json.dumps(table).count("-1.0") > 0
    refused = plainly("metaeval", "--ratings", str(path), "--columns", "rater=WorkerId", "--metrics", "words")
    assert refused.status == 2
    own = tmp_path / "own.csv"
    own.write_text("segment,system,rater,dimension,value\n1,a,b,c,3\n")
    refused = plainly("metaeval", "--ratings", str(own), "--metrics", "words")
    assert (refused.status, "say --columns source=COLUMN,output=COLUMN" in refused.err) == (2, True)


RELEASED = {
    "simpeval-2022": ("simpeval_2022/simpeval_2022.csv", 360),
    "simpeval-2022-da": ("simpeval_2022/simpDA_2022.csv", 360),
    "simpeval-2022-likert": ("simpeval_2022/simplikert_2022.csv", 360),
    "asset-ratings": ("asset/human_ratings.csv", 100),
    "simplicity-da": ("simplicity_da/simplicity_DA.csv", 600),
}


@pytest.mark.slow
@each("name, file, outputs", [(name, *facts) for name, facts in RELEASED.items()])
def test_as_the_data_set_is_read(name: str, file: str, outputs: int, shared: Path) -> None:
    """The means of every output are those of the reader that knows the data set."""
    path = shared / "data" / "human_ratings" / file
    ratings = read_judgements([str(path)])
    texts = texts_of(ratings)
    assert texts is not None
    found, known = joined(ratings, texts), load(name, shared / "data", "raw")
    assert len(found.outputs) == outputs

    names = sorted(found.values)
    assert names == sorted(known.values)

    def means(judged: JudgedSet) -> dict[Any, Any]:
        rows = zip(*(judged.values[name].tolist() for name in names), strict=True)
        own = zip(judged.systems if len(set(known.systems)) > 1 else judged.sources, judged.outputs, strict=True)
        return {
            tuple(map(str.strip, key)): [round(value, 8) for value in row] for key, row in zip(own, rows, strict=True)
        }

    assert means(found) == means(known)


def test_qats_as_released(shared: Path) -> None:
    folder = shared / "data" / "qats"
    found = read_ratings([folder / "qats.train.tsv", folder / "qats.test.tsv"])
    # README of the data: 382 of 505 are good in grammaticality, in train.
    grammatical = [e.value for e in found.entries if e.scale == "grammaticality" and "train" in e.file]
    assert (len(grammatical), grammatical.count(2)) == (505, 382)
