"""`plainly ranking sample`, as its users run it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainly.ranking import read_texts
from plainly.ranking.pair_files import read_pairs

SAMPLE = ("ranking", "sample", "--corpus", "bells=src.txt,simp.txt", "--licence", "CC0", "-o", "made")


@pytest.fixture(autouse=True)
def _corpora() -> None:
    Path("src.txt").write_text("".join(f"bell{i} ring{i} out{i} far{i} .\n" for i in range(12)), "utf-8")
    Path("simp.txt").write_text("".join(f"tone{i} loud{i} now{i} .\n" for i in range(12)), "utf-8")
    records = [
        {"source": f"river{i} flow{i} sea{i}", "references": [f"water{i} run{i}", f"wet{i} go{i}"], "domain": "water"}
        for i in range(12)
    ]
    Path("rivers.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")


def test_a_dataset_from_two_corpora(plainly: Any) -> None:
    more = ("--corpus", "rivers=rivers.jsonl", "--domain", "bells=sound", "--count", 12, "--rounds", 4)
    run = plainly(*SAMPLE, *more)
    assert run.printed == ""
    assert "wrote made: 12 texts, 24 matches; passed over: 0 too long" in run.err
    texts = read_texts("made/texts.jsonl")
    cells = {(text.fields["corpus"], text.fields["domain"], text.fields["label"]) for text in texts}
    assert len(cells) == 4
    assert {domain for _, domain, _ in cells} == {"sound", "water"}
    assert all(text.text[0].isupper() and " ." not in text.text for text in texts)
    assert len({text.fields["place"] for text in texts}) == 12
    assert len(read_pairs("made/pairs.csv")) == 24
    assert '"corpus": [' in Path("made/README.md").read_text("utf-8")


def test_without_repair(plainly: Any) -> None:
    plainly(*SAMPLE, "--count", 4, "--mend", "none", "--quiet")
    assert all(text.text == text.fields["original"] for text in read_texts("made/texts.jsonl"))


def test_texts_of_an_earlier_dataset_are_left_out(plainly: Any) -> None:
    assert plainly(*SAMPLE, "--count", 10).status == 0
    first = {text.text for text in read_texts("made/texts.jsonl")}
    again = (*SAMPLE[:-1], "second", "--count", 10, "--exclude", "made/texts.jsonl")
    assert plainly(*again).status == 0
    assert not first & {text.text for text in read_texts("second/texts.jsonl")}


def test_scores_are_added_later(plainly: Any) -> None:
    plainly(*SAMPLE, "--count", 6)
    texts = read_texts("made/texts.jsonl")
    lines = [f"{text.id},{int(text.fields['label'] == 'source')}" for text in texts]
    Path("scores.csv").write_text("\n".join(["id,score", *lines]), "utf-8")
    run = plainly("ranking", "sample", "--add-scores", "scores.csv", "-o", "made")
    assert run.printed == ""
    assert "mean score: source 1.0000, simplified 0.0000" in run.err
    assert Path("made/scores.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "say how many texts to draw: --count N"),
        (["--count", 1], "a ranking needs at least 2 texts, not 1"),
        (["--count", 50], "50 texts cannot be drawn: no source texts are left after 12"),
        (
            ["--count", 4, "--corpus", "short=src.txt,one.txt"],
            "one.txt: line 2 is missing: it has 1 line, but src.txt",
        ),
        (["--count", 4, "--corpus", "lone=src.txt"], "give a file of records, or two line files"),
        (["--count", 4, "--corpus", "nameless"], "--corpus takes NAME=FILE"),
        (["--count", 4, "--corpus", "bells=rivers.jsonl"], "corpus bells is given twice"),
        (["--count", 4, "--domain", "bell=sound"], "did you mean 'bells'?"),
        (["--count", 4, "--longest", 0], "at least 1 character, not 0"),
        (["--count", 4, "--cut-longest", 100], "below 1, not 1"),
        (["--count", 4, "--rounds", 0], "--rounds must be at least 1"),
        (["--add-scores", "scores.csv"], "nothing is drawn then"),
    ],
)
def test_refused(plainly: Any, arguments: list[object], message: str) -> None:
    Path("one.txt").write_text("one line\n", "utf-8")
    assert message in plainly(*SAMPLE, *arguments).refusal
    assert not Path("made").exists()


def test_a_licence_must_be_named(plainly: Any) -> None:
    run = plainly("ranking", "sample", "--corpus", "bells=src.txt,simp.txt", "--count", 4, "-o", "made")
    assert run.refusal.startswith("say under which terms the texts stand")


def test_a_folder_that_is_there(plainly: Any) -> None:
    Path("made").mkdir()
    Path("made/notes.txt").write_text("mine", "utf-8")
    assert plainly(*SAMPLE, "--count", 4).refusal.startswith("made is there already")
    assert [path.name for path in Path("made").iterdir()] == ["notes.txt"]


def test_scores_without_a_folder(plainly: Any) -> None:
    run = plainly("ranking", "sample", "--add-scores", "scores.csv", "-o", "nowhere")
    assert run.refusal == "nowhere/texts.jsonl: no such file"


def test_scores_of_the_folder_itself_are_not_written_over(plainly: Any) -> None:
    plainly(*SAMPLE, "--count", 4)
    lines = [f"{text.id},0.5,kept" for text in read_texts("made/texts.jsonl")]
    Path("made/scores.csv").write_text("\n".join(["id,score,note", *lines]), "utf-8")
    run = plainly("ranking", "sample", "--add-scores", "made/scores.csv", "-o", "made")
    assert "made/scores.csv is an input of this run" in run.refusal
    assert "kept" in Path("made/scores.csv").read_text("utf-8")


def test_odd_numbers_and_repeats_are_noted(plainly: Any) -> None:
    """Three texts make three pairs; eight rounds of one match repeat five."""
    said = plainly(*SAMPLE, "--count", 3).err
    assert "the number of texts is odd: there is one source more" in said
    assert "3 texts make 3 pairs; 5 of 8 matches repeat one of them" in said
    even = plainly(*SAMPLE[:-1], "other", "--count", 6, "--rounds", 2).err
    assert "odd" not in even
    assert "repeat" not in even
