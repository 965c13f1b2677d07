"""Records as JSON lines: fields, missing values, and what is refused at which line."""

from __future__ import annotations

import gzip
import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.corpus import concatenate
from plainly.corpus.readers import Inputs, read, read_corpus
from plainly.corpus.readers.files import MAX_LINE, open_input, spans
from plainly.corpus.readers.inputs import Refused, chunks
from plainly.corpus.readers.jsonl import read_lines
from plainly.corpus.readers.records import LOOK_AHEAD, Rules

from ..cases import each


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def corpus_of(*records: Any, **more: Any) -> Corpus:
    """The corpus of these records; text is written as it is."""
    lines = [record if isinstance(record, str) else json.dumps(record) for record in records]
    Path("data.jsonl").write_text("".join(line + "\n" for line in lines))
    return read_corpus(Inputs(data="data.jsonl", **more))


def message(*records: Any, **more: Any) -> str:
    with pytest.raises(PlainlyError) as caught:
        corpus_of(*records, **more)
    assert "\n" not in str(caught.value)
    return str(caught.value)


GOOD = {"source": "s"}
TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))


class TestFields:
    def test_everything(self) -> None:
        corpus = corpus_of(
            {
                "id": "x1",
                "source": "s1",
                "references": ["r1", "q1"],
                "outputs": {"a": "a1", "b": "b1"},
                "document": "d1",
                "lang": "en",
                "year": 2020,
                "tags": ["t"],
            },
            {"id": 2, "source": "s2", "references": [], "outputs": {"b": "", "a": None}, "document": 7},
        )
        assert corpus.sources == ["s1", "s2"]
        assert corpus.references == [("r1", "q1"), ()]
        assert corpus.outputs == {"a": ["a1", None], "b": ["b1", ""]}
        assert corpus.ids == ["x1", "2"]
        assert corpus.documents == ["d1", "7"]
        assert corpus.metadata == [{"year": 2020, "tags": ["t"]}, {}]
        assert corpus.lang == "en"

    def test_only_what_is_there(self) -> None:
        corpus = corpus_of(GOOD)
        assert (corpus.outputs, corpus.ids, corpus.documents, corpus.metadata) == ({}, None, None, None)

    @pytest.mark.parametrize("record", [{"output": "o"}, {"output": "o", "source": None}])
    def test_missing_source(self, record: dict[str, Any]) -> None:
        assert corpus_of(record).sources == [None]

    @pytest.mark.parametrize(
        ("fields", "references"),
        [
            ({}, ()),
            ({"references": None}, ()),
            ({"references": "r"}, ("r",)),
            ({"references": ["r", None, "q"]}, ("r", "q")),
            ({"reference": "r"}, ("r",)),
            ({"reference": None}, ()),
            ({"reference.1": "q", "reference.0": "r", "reference.10": "p"}, ("r", "q", "p")),
            ({"reference_0": "r", "reference_1": None}, ("r",)),
        ],
    )
    def test_references(self, fields: dict[str, Any], references: tuple[str, ...]) -> None:
        assert corpus_of(GOOD | fields).references == [references]

    @pytest.mark.parametrize(
        ("fields", "outputs"),
        [
            ({"outputs": None}, {}),
            ({"output": "o"}, {"output": ["o"]}),
            ({"output": None}, {"output": [None]}),
            ({"output.a": "o", "output_b": "p"}, {"a": ["o"], "b": ["p"]}),
            ({"output": "o", "outputs": {"a": "p"}}, {"output": ["o"], "a": ["p"]}),
        ],
    )
    def test_outputs(self, fields: dict[str, Any], outputs: dict[str, list[str | None]]) -> None:
        assert corpus_of(GOOD | fields).outputs == outputs

    def test_line_ends_in_texts_stay(self) -> None:
        assert corpus_of({"source": "a\nb\r\n\x85"}).sources == ["a\nb\r\n\x85"]

    @pytest.mark.parametrize("end", ["", "\n", "\r\n"])
    def test_end_of_the_file(self, end: str) -> None:
        Path("data.ndjson").write_bytes(b'\xef\xbb\xbf{"source": "s"}' + end.encode())
        assert read_corpus(Inputs(data="data.ndjson")).sources == ["s"]

    def test_gzip_and_standard_input(self) -> None:
        packed = gzip.compress(json.dumps(GOOD).encode())
        Path("data.jsonl.gz").write_bytes(packed)
        assert read_corpus(Inputs(data="data.jsonl.gz")).sources == ["s"]
        inputs = Inputs(data="-", data_format="jsonl", stdin=io.BytesIO(packed))
        assert read_corpus(inputs).sources == ["s"]

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(
        st.lists(
            st.fixed_dictionaries(
                {
                    "source": st.none() | TEXT.map("s".__add__),
                    "references": st.lists(TEXT.map("r".__add__)),
                    "outputs": st.fixed_dictionaries({"a": st.none() | TEXT, "b": TEXT}),
                    "extra": st.integers() | st.booleans() | TEXT,
                }
            ),
            min_size=1,
        ),
        st.booleans(),
    )
    def test_round_trip(self, records: list[dict[str, Any]], ascii_only: bool) -> None:
        lines = [json.dumps(record, ensure_ascii=ascii_only) for record in records]
        corpus = corpus_of(*lines)
        assert corpus.sources == [record["source"] for record in records]
        assert corpus.references == [tuple(record["references"]) for record in records]
        assert corpus.outputs["a"] == [record["outputs"]["a"] for record in records]
        assert corpus.metadata == [{"extra": record["extra"]} for record in records]


class TestSystems:
    def test_a_record_may_lack_a_system(self) -> None:
        corpus = corpus_of(GOOD, {"outputs": {"a": "1"}}, {"outputs": {"b": "2"}})
        assert corpus.outputs == {"a": [None, "1", None], "b": [None, None, "2"]}

    @pytest.mark.parametrize("size", [1, 100, 10_000])
    def test_systems_do_not_depend_on_the_chunk_size(self, size: int) -> None:
        lines = [json.dumps(GOOD)] * (LOOK_AHEAD - 1) + [json.dumps({"output.late": "x"})]
        Path("data.jsonl").write_text("\n".join(lines))
        chunks = list(read(Inputs(data="data.jsonl"), size))
        assert {tuple(chunk.outputs) for chunk in chunks} == {("late",)}
        assert chunks[-1].outputs["late"][-1] == "x"

    def test_new_system_too_late(self) -> None:
        records = [GOOD] * LOOK_AHEAD + [{"outputs": {"late": "x"}}]
        assert message(*records) == (
            "data.jsonl:2049: system 'late' is new here; every system must be named in the first 2048 records"
        )

    def test_line_files_beside_the_records(self) -> None:
        Path("b.txt").write_text("b1\n\n")
        corpus = corpus_of({"source": "s", "output": "o"}, {"source": "t"}, systems={"b": "b.txt"})
        assert corpus.outputs == {"output": ["o", None], "b": ["b1", ""]}

    def test_same_name_in_both(self) -> None:
        Path("a.txt").write_text("a1\n")
        assert message({"outputs": {"a": "x"}}, systems={"a": "a.txt"}) == (
            "system 'a' is in data.jsonl and in a.txt; give one of them another name"
        )

    def test_uneven(self) -> None:
        Path("b.txt").write_text("1\n2\n3\n")
        assert message(GOOD, GOOD, systems={"b": "b.txt"}) == (
            "data.jsonl: record 3 is missing: it has 2 records, but b.txt has 3 lines"
        )
        assert message(*[GOOD] * 5, systems={"b": "b.txt"}) == (
            "b.txt: line 4 is missing: it has 3 lines, but data.jsonl has 5 records"
        )
        assert message(*[GOOD] * 5000, systems={"b": "b.txt"}) == (
            "b.txt: line 4 is missing: it has 3 lines, but data.jsonl has 5000 records"
        )


class TestEmptyTexts:
    def test_source(self) -> None:
        assert message(GOOD, {"source": " "}) == "data.jsonl:2: empty source"

    @pytest.mark.parametrize("field", ["reference", "references", "reference.3"])
    def test_reference(self, field: str) -> None:
        records = [GOOD, GOOD | {field: ""}]
        assert message(*records) == (
            f'data.jsonl:2: empty reference ({field}); pass empty_reference="missing" (no reference here) '
            'or empty_reference="keep" (the reference is an empty text)'
        )
        assert corpus_of(*records, empty_reference="missing").references == [(), ()]
        assert corpus_of(*records, empty_reference="keep").references == [(), ("",)]

    def test_reference_in_a_list(self) -> None:
        record = {"references": ["r", "\t", None]}
        assert message(record).startswith("data.jsonl:1: empty reference (references[1]); ")
        assert corpus_of(record, empty_reference="missing").references == [("r",)]
        assert corpus_of(record, empty_reference="keep").references == [("r", "\t")]


class TestRefused:
    @pytest.mark.parametrize(
        ("record", "said"),
        [
            ({"source": 7}, "source must be text, not a number"),
            ({"source": 7.5}, "source must be text, not a number"),
            ({"source": True}, "source must be text, not true or false"),
            ({"source": ["s"]}, "source must be text, not a list"),
            ({"source": {"s": 1}}, "source must be text, not an object"),
            ({"references": 7}, "references must be a list of texts, not a number"),
            ({"references": {"a": "b"}}, "references must be a list of texts, not an object"),
            ({"references": ["r", 7]}, "references[1] must be text, not a number"),
            ({"references": [["r"]]}, "references[0] must be text, not a list"),
            ({"reference": ["r"]}, "reference must be text, not a list"),
            ({"outputs": "o"}, "outputs must be texts by system, not text; a lone text is an output"),
            ({"outputs": ["o"]}, "outputs must be texts by system, not a list"),
            ({"outputs": {"a": 1}}, "the output of 'a' must be text, not a number"),
            ({"outputs": {"": "o"}}, "a system in outputs needs a name"),
            ({"outputs": {"output": "o"}, "output": "p"}, "system 'output' is there twice"),
            ({"output": 1}, "output must be text, not a number"),
            ({"output.": "o"}, "'output.' does not name a system"),
            ({"output.a": "o", "output_a": "p"}, "'output.a' and 'output_a' mean the same"),
            ({"output.output": "o", "output": "p"}, "'output.output' and 'output' mean the same"),
            ({"reference.0": "o", "reference_0": "p"}, "'reference.0' and 'reference_0' mean the same"),
            ({"reference": "r", "references": ["q"]}, "give one of reference, references; "),
            ({"reference": "r", "reference.0": "q"}, "give one of reference, reference.0; "),
            (GOOD | {"id": 1.5}, "id must be text, not a number"),
            (GOOD | {"id": True}, "id must be text, not true or false"),
            (GOOD | {"document": []}, "document must be text, not a list"),
            (GOOD | {"lang": 1}, "lang must be text, not a number"),
            (GOOD | {"lang": "de"}, "lang is 'de', but the run is in 'en'; pass lang=\"de\""),
            ({"src": "s", "hyp": "o"}, "neither source nor reference nor output; found: src, hyp"),
            ({}, "neither source nor reference nor output; found: "),
            (GOOD | {"Source": "s"}, "unknown name 'Source'; did you mean 'source'?"),
            (GOOD | {"Outputs": {}}, "unknown name 'Outputs'; did you mean 'output'?"),
            (GOOD | {"reference.a": "s"}, "unknown name 'reference.a'; did you mean 'reference'?"),
            ({"source": "a\0b"}, "source has a NUL character"),
            ({"source": "a\ud83d"}, "source has half a character, \\ud83d; its pair is missing"),
        ],
    )
    def test_fields(self, record: dict[str, Any], said: str) -> None:
        assert message(GOOD, record).startswith(f"data.jsonl:2: {said}")

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ('{"source": }', "bad JSON at column 12: Expecting value"),
            ("[", "bad JSON at column 2: Expecting value; each line is one JSON object"),
            ('{"source": "s"} x', "bad JSON at column 17: Extra data"),
            ("", "blank line; each line is one JSON object"),
            ("  ", "blank line; each line is one JSON object"),
            ('["s"]', "not a JSON object; each line is one JSON object"),
            ("null", "not a JSON object; each line is one JSON object"),
            ('{"source": "a", "source": "b"}', "bad JSON: 'source' is there twice"),
            ('{"outputs": {"a": "1", "a": "2"}}', "bad JSON: 'a' is there twice"),
        ],
    )
    def test_lines(self, line: str, said: str) -> None:
        assert message(GOOD, line, GOOD).startswith(f"data.jsonl:2: {said}")

    def test_sizes(self) -> None:
        long = {"source": "a" * (MAX_LINE + 1)}
        assert message(long).startswith("data.jsonl:1: source is longer than 1,000,000 characters; ")
        number = '{"source": "s", "n": ' + "9" * 5000 + "}"
        assert message(number).startswith("data.jsonl:1: bad JSON: Exceeds the limit")
        assert message('{"source": ' + "[" * 100_000).startswith("data.jsonl:1: bad JSON: ")

    def test_some_ids(self) -> None:
        assert message(GOOD | {"id": "1"}, GOOD) == "data.jsonl:2: no id, but the records before it have one"
        assert message(GOOD, GOOD | {"id": "1"}) == "data.jsonl:2: an id, but the records before it have none"

    def test_file(self) -> None:
        with pytest.raises(PlainlyError, match=r"^no\.jsonl: no such file$"):
            read_corpus(Inputs(data="no.jsonl"))
        Path("empty.jsonl").touch()
        with pytest.raises(PlainlyError, match=r"^empty\.jsonl is empty$"):
            read_corpus(Inputs(data="empty.jsonl"))
        Path("latin.jsonl").write_bytes(b'{"source": "s"}\n{"source": "\xe9"}\n')
        with pytest.raises(PlainlyError, match=r"^latin\.jsonl:2: not UTF-8: byte 0xe9 at offset 28; "):
            read_corpus(Inputs(data="latin.jsonl"))

    def test_other_language(self) -> None:
        assert corpus_of(GOOD | {"lang": "de"}, GOOD | {"lang": None}, lang="de").lang == "de"


def test_documents_and_metadata_in_some_chunks_only() -> None:
    corpus = corpus_of(*[GOOD] * 3000, GOOD | {"document": "d", "year": 1})
    assert corpus.documents == [None] * 3000 + ["d"]
    assert corpus.metadata == [{}] * 3000 + [{"year": 1}]


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainly.corpus.readers.record_files.LOOK_AHEAD", 100)

    def peak(records: int) -> int:
        record = {"source": "word " * 20, "references": ["word " * 20] * 2, "output": "word " * 20}
        Path("data.jsonl").write_text((json.dumps(record) + "\n") * records)
        tracemalloc.start()
        try:
            assert sum(len(chunk) for chunk in read(Inputs(data="data.jsonl"), 100)) == records
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(20_000) < 2 * peak(1_000)


LINES = {
    "plain": ['{"id": "a", "source": "s", "references": ["r", "t"], "output": "o"}'] * 5,
    "a column each": ['{"source": "s", "reference.1": null, "reference.0": "é", "output.x": "o", "note": 5}'] * 4,
    "fields that come and go": ['{"source": "s", "output": "o"}', '{"source": "s", "output": "o", "note": [1]}'],
    "numbers": ['{"id": 7, "source": "s", "document": 1, "output": null}'] * 3,
    "white space": [' {"source": "s", "output": "o"}', '{"source": "s", "output": "o"}\t\r'],
    "blank": ['{"source": "s", "output": "o"}', "", '{"source": " ", "output": "o"}'],
    "broken": ['{"source": "s", "output": "o"}', "{", "[]", "7 7"],
    "twice": ['{"source": "s", "source": "t", "output": "o"}', '{"source": "s", "output": "o"}'],
    "half a character": ['{"source": "s", "output": "\\ud800"}', '{"source": "s", "output": "o"}'],
    "no text": ['{"source": "s", "output": 5}', '{"source": "s", "output": "\\u0000"}'],
    "a list for a reference": ['{"source": "s", "reference": ["r"], "output": "o"}'] * 2,
    "a new system": ['{"source": "s", "output": "o"}', '{"source": "s", "output": "o", "output.b": "p"}'],
    "an id too many": ['{"source": "s", "output": "o"}', '{"id": "a", "source": "s", "output": "o"}'],
    "a strange name": ['{"source": "s", "output": "o"}', '{"source": "s", "sorce": "o"}'],
}


@pytest.mark.parametrize("end", ["\n", "", "\r\n"])
@each("kind", LINES)
def test_lines_that_are_read_apart_are_those_of_the_file(kind: str, end: str) -> None:
    """The file is cut after each second line; every cut is read alone, and bad lines are told by their number."""
    text = (end or "\n").join([*LINES[kind], ""]).removesuffix("" if end else "\n")
    Path("data.jsonl").write_bytes(b"\xef\xbb\xbf" + text.encode())
    with open_input("data.jsonl") as file:
        cuts = list(spans(file, 2))
    assert sum(count for _, _, count in cuts) == len(LINES[kind])
    expected: list[Refused] = []
    whole = concatenate(list(chunks(Inputs(data="data.jsonl"), 2048, expected)))
    told: list[Refused] = []
    parts = [
        part
        for place, (begin, stop, _) in enumerate(cuts)
        for part in read_lines(
            "data.jsonl",
            (begin, stop),
            2 * place,
            Rules("en", "error"),
            tuple(whole.outputs),
            whole.ids is not None,
            lambda *one: told.append(one),
        )
    ]
    assert told == expected
    assert concatenate(parts) == whole
