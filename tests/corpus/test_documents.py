"""Records joined to documents: what is joined, what is missing, and streams in chunks of any size."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plainly
from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.corpus import Corpus
from plainly.corpus.corpus import concatenate
from plainly.corpus.documents import JOINT, by_document
from plainly.text.languages import get_language

CORPUS = Corpus(
    ["a", "b", "c", "d", "e", "f"],
    [["A", "AA"], ["B"], ["C", "CC"], ["D", "DD"], [], ["F"]],
    {"it": ["1", "2", "3", None, "5", ""]},
    ids=["r1", "r2", "r3", "r4", "r5", "r6"],
    documents=["x", "x", None, "y", "y", "z"],
    metadata=[{"genre": "news", "line": 1}, {"genre": "news", "line": 2}, {}, {}, {}, {"line": 6}],
)


def text(*parts: str) -> str:
    return JOINT.join(parts)


def test_what_is_joined() -> None:
    joined = concatenate(list(by_document([CORPUS])))
    assert joined.sources == [text("a", "b"), "c", text("d", "e"), "f"]
    assert joined.references == [[text("A", "B")], ["C", "CC"], [], ["F"]]  # as many as the record with the fewest
    assert joined.outputs == {"it": [text("1", "2"), "3", None, ""]}  # half an output is none
    assert joined.ids == ["x", "r3", "y", "z"]
    assert joined.metadata == [{"genre": "news"}, {}, {}, {"line": 6}]
    assert joined.documents is None


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_chunks_do_not_cut_documents(size: int) -> None:
    whole = concatenate(list(by_document([CORPUS])))
    assert concatenate(list(by_document(CORPUS.chunks(size)))) == whole


def test_a_joint_ends_a_sentence_and_joins_no_words() -> None:
    corpus = Corpus(["A heading", "The well-"], outputs={"it": ["x", "y"]}, documents=["d", "d"])
    source = next(by_document([corpus])).sources[0]
    for lang in ("en", "de", "ja", "ar"):
        assert get_language(lang).split_sentences(source or "") == ["A heading", "The well-"]
    joined = Corpus([text("The well-", "known")], outputs={"it": ["x"]})
    encoded = joined.encoded("13a", True)
    assert encoded.source.lengths.tolist() == [3]
    assert "known" in encoded.vocabulary.tokens()


@pytest.mark.parametrize("size", [1, 10])
def test_a_document_in_pieces_is_an_error(size: int) -> None:
    corpus = Corpus(["a", "b", "c"], outputs={"it": ["a", "b", "c"]}, documents=["x", "y", "x"])
    with pytest.raises(
        PlainlyError, match="document 'x' is in pieces: the records of a document must stand together"
    ):
        list(by_document(corpus.chunks(size)))


def test_no_document_at_all_is_an_error() -> None:
    with pytest.raises(PlainlyError, match="no record names its document"):
        plainly.evaluate(["a"], ["a"], [["a"]], unit="document")


def test_documents_are_what_is_counted_and_drawn() -> None:
    evaluation = plainly.evaluate(
        ["a b.", "c d.", "e f."],
        ["a.", None, "e."],
        [["a b."], ["c."], ["e."]],
        metrics=["sari", "d-sari"],
        documents=["x", "x", "y"],
        unit="document",
    )
    assert evaluation.size == 2
    result = evaluation["output"]["d-sari"]
    assert (result.scored, result.unscored) == (1, 1)
    assert result.signature.startswith("d-sari|lang:en|unit:document|tok:13a|")
    assert list(evaluation.ids or ()) == ["x", "y"]
    assert plainly.evaluate(["a"], ["a"], [["a"]])["output"]["sari"].signature.startswith("sari|lang:en|tok:13a|")
    with pytest.raises(PlainlyError, match="set up for the unit 'segment'"):
        plainly.evaluate(["a"], ["a"], [["a"]], metrics=[plainly.metrics.get("sari")], unit="document")


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [
        {
            "source": f"Text {i} is here.",
            "output": f"Text {i}.",
            "references": [f"Text {i}."],
            "document": f"d{i // 3}",
        }
        for i in range(3000)
    ]
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    asked = ["score", "--data", str(path), "--metrics", "sari,d-sari", "--no-intervals", "--format", "json"]
    assert main([*asked, "--unit", "document"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["segments"] == 1000
    result = found["systems"]["output"]["d-sari"]
    assert (result["scored"], result["unscored"]) == (1000, 0)
    assert "|unit:document|" in result["signature"]
    records[5]["document"] = "d0"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    assert main([*asked, "--unit", "document"]) == 2
    assert capsys.readouterr().err.endswith("'d0' is in pieces: the records of a document must stand together\n")
