"""`plainly operations tag`: texts in, annotations out, in both formats; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plainly.operations import read_jsonl, read_yawat
from plainly.operations.tagger import encoder

SOURCES = "The feline slept on the mat.\nHe left the town, which was small.\n"
OUTPUTS = "The cat slept on the mat.\nHe left the town.\n"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "src.txt").write_text(SOURCES, encoding="utf-8")
    (tmp_path / "out.txt").write_text(OUTPUTS, encoding="utf-8")
    return ["--sources", str(tmp_path / "src.txt"), "--system", f"mine={tmp_path / 'out.txt'}"]


def test_jsonl_goes_to_standard_output(plainly: Any, files: list[str]) -> None:
    pairs = [
        json.loads(line) for line in plainly("operations", "tag", *files, "--tagger", "rules").printed.splitlines()
    ]
    assert [(pair["id"], pair["origin"], pair["annotator"]) for pair in pairs] == [
        ("0", "mine", "rules"),
        ("1", "mine", "rules"),
    ]
    assert pairs[0]["source"] == ["The", "feline", "slept", "on", "the", "mat", "."]
    assert pairs[0]["groups"] == [{"source": [1], "target": [1], "label": "synonym", "confidence": 0.55}]


def test_what_is_written_can_be_read(plainly: Any, files: list[str], tmp_path: Path) -> None:
    plainly("operations", "tag", *files, "--tagger", "rules", "-o", str(tmp_path / "a.jsonl"))
    plainly("operations", "tag", *files, "--tagger", "rules", "-o", str(tmp_path / "a.aln"))
    first = read_jsonl(tmp_path / "a.jsonl")
    second = read_yawat(tmp_path / "a.aln", crp=tmp_path / "a.crp")
    for one, other in zip(first, second, strict=True):
        assert (one.source, one.target) == (other.source, other.target)
        assert [(g.source, g.target, g.label) for g in one.groups] == [
            (g.source, g.target, g.label) for g in other.groups
        ]


def test_references_and_records_are_tagged_too(plainly: Any, files: list[str], tmp_path: Path) -> None:
    out = files[3].partition("=")[2]
    printed = plainly("operations", "tag", *files[:2], "--references", out, "--tagger", "rules").printed
    assert [json.loads(line)["origin"] for line in printed.splitlines()] == ["0", "0"]
    record = {"id": "a1", "source": "A feline slept.", "references": ["A cat slept."], "outputs": {"s": "A cat."}}
    (tmp_path / "data.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    printed = plainly("operations", "tag", "--data", str(tmp_path / "data.jsonl"), "--tagger", "rules").printed
    found = [json.loads(line) for line in printed.splitlines()]
    assert [(pair["id"], pair["origin"]) for pair in found] == [("a1", "s"), ("a1", "0")]


def test_tokens_stand_between_blanks(plainly: Any, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("He 's here , U.S .\n", encoding="utf-8")
    (tmp_path / "t").write_text("He 's here .\n", encoding="utf-8")
    texts = ["--sources", str(tmp_path / "s"), "--system", f"x={tmp_path / 't'}"]
    pair = json.loads(plainly("operations", "tag", *texts, "--tokenized", "--tagger", "rules").printed)
    assert pair["source"] == ["He", "'s", "here", ",", "U.S", "."]


@pytest.mark.slow
def test_auto_and_commercial(plainly: Any, files: list[str]) -> None:
    printed = plainly("operations", "tag", *files, "--commercial").printed
    assert {json.loads(line)["annotator"] for line in printed.splitlines()} == {"rules"}
    printed = plainly("operations", "tag", *files, "--lang", "de").printed
    assert {json.loads(line)["annotator"] for line in printed.splitlines()} == {"rules"}
    printed = plainly("operations", "tag", *files, "--tagger", "learned").printed
    assert all(json.loads(line)["annotator"].startswith("learned") for line in printed.splitlines())
    refused = plainly("operations", "tag", *files, "--tagger", "learned", "--commercial")
    assert "may not be used commercially" in refused.refusal


def test_ids_and_empty_outputs_are_noted(plainly: Any, tmp_path: Path) -> None:
    (tmp_path / "s").write_text("0\tHe left the town.\n1\tShe stayed.\n", encoding="utf-8")
    (tmp_path / "t").write_text("0\tHe left.\n\n", encoding="utf-8")
    given = ["operations", "tag", "--sources", tmp_path / "s", "--system", f"x={tmp_path / 't'}", "--tagger", "rules"]
    err = plainly(*given).err
    assert "note: sources begin with a number and a tab, as '0\\tHe left the town.'" in err
    assert "note: outputs of x begin with a number and a tab" in err
    assert "note: 1 outputs of x are empty\n" in err
    assert plainly(*given, "--quiet").err == ""


@pytest.mark.slow
@pytest.mark.skipif(encoder.missing("en") is not None, reason="the extra `models` or its model is not installed")
def test_a_faster_tagger_is_named_where_the_encoder_was_not_asked_for(
    plainly: Any, files: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = "the tagger 'encoder' is slow on so many pairs; --tagger learned is faster"
    assert slow not in plainly("operations", "tag", *files).err
    monkeypatch.setattr("plainly.cli.operations.tag.MANY", 1)
    assert slow in plainly("operations", "tag", *files).err
    assert slow not in plainly("operations", "tag", *files, "--tagger", "encoder").err
    assert slow not in plainly("operations", "tag", *files, "--commercial").err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "give --sources"),
        (["--sources", "{src}"], "there is nothing to tag"),
        (["--sources", "{src}", "--system", "x={one}"], "one.txt"),
        (["--sources", "{src}", "--system", "mine={out}", "--lang", "xx"], "unknown language 'xx'"),
        (["--sources", "{src}", "--system", "mine={out}", "-o", "{out}"], "is an input of this run"),
        (
            ["--sources", "{src}", "--system", "mine={out}", "--tagger", "learned", "--lang", "de"],
            "'learned' cannot run",
        ),
        (["--sources", "{src}", "--system", "mine={out}", "--model", "{out}"], "out.txt"),
        (["--sources", "{src}", "--system", "mine={out}", "-o", "two.txt"], "files that end in .aln, .jsonl"),
        (["--sources", "{src}", "--system", "mine={out}", "-o", "two.jsonl.gz"], "leave .gz out of the name"),
    ],
)
def test_what_is_refused(plainly: Any, files: list[str], tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "one.txt").write_text("Only one line.\n", encoding="utf-8")
    names = {"src": files[1], "out": files[3].partition("=")[2], "one": str(tmp_path / "one.txt")}
    before = Path(names["out"]).read_text(encoding="utf-8")
    answer = plainly("operations", "tag", *(part.format(**names) for part in arguments))
    assert said in answer.refusal
    assert Path(names["out"]).read_text(encoding="utf-8") == before
