"""Records as CSV and TSV: quotes, headers, cells."""

from __future__ import annotations

import csv
import gzip
import io
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.readers import Inputs, read, read_corpus
from plainly.corpus.readers.files import MAX_LINE


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def corpus_of(content: str, name: str = "data.csv", empty_reference: str = "error") -> Corpus:
    Path(name).write_bytes(content.encode())
    return read_corpus(Inputs(data=name, empty_reference=empty_reference))


def message(content: str, name: str = "data.csv") -> str:
    with pytest.raises(PlainlyError) as caught:
        corpus_of(content, name)
    assert "\n" not in str(caught.value)
    return str(caught.value)


class TestCsv:
    def test_everything(self) -> None:
        corpus = corpus_of(
            "id,source,reference.1,reference.0,output.a,output_b,document,lang,year\r\n"
            "1,s1,q1,r1,a1,,d,en,2020\r\n"
            "2,s2,q2,r2,a2,b2,,,\r\n"
        )
        assert corpus.ids == ["1", "2"]
        assert corpus.sources == ["s1", "s2"]
        assert corpus.references == [("r1", "q1"), ("r2", "q2")]
        assert corpus.outputs == {"a": ["a1", "a2"], "b": ["", "b2"]}
        assert corpus.documents == ["d", None]
        assert corpus.metadata == [{"year": "2020"}, {"year": ""}]

    def test_quotes(self) -> None:
        corpus = corpus_of('\ufeffsource,output\n"a, ""b""\r\nc\n\nd", x \ny\x85z,"\n"\n')
        assert corpus.sources == ['a, "b"\r\nc\n\nd', "y\x85z"]
        assert corpus.outputs == {"output": [" x ", "\n"]}

    def test_one_column(self) -> None:
        """The empty line is a row with one empty cell."""
        assert corpus_of("output\na\n\nb\n").outputs == {"output": ["a", "", "b"]}

    def test_gzip_and_standard_input(self) -> None:
        packed = gzip.compress(b"source\ns\n")
        Path("data.csv.gz").write_bytes(packed)
        assert read_corpus(Inputs(data="data.csv.gz")).sources == ["s"]
        assert read_corpus(Inputs(data="-", data_format="csv", stdin=io.BytesIO(packed))).sources == ["s"]

    def test_longest_cell(self) -> None:
        cell = "é" * MAX_LINE
        assert corpus_of(f"source,output\n{cell},{cell}\n").sources == [cell]

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(
        st.lists(
            st.tuples(*[st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))] * 2),
            min_size=1,
        )
    )
    def test_round_trip(self, rows: list[tuple[str, str]]) -> None:
        written = io.StringIO()
        csv.writer(written, quoting=csv.QUOTE_ALL).writerows([("output.a", "output.b"), *rows])
        corpus = corpus_of(written.getvalue())
        assert list(zip(corpus.outputs["a"], corpus.outputs["b"], strict=True)) == rows

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("source,output\na,b\nc\n", "data.csv:3: 1 cell, but the header has 2"),
            ("source,output\na,b\n\n", "data.csv:3: 1 cell, but the header has 2"),
            ("source,output\na,b,c\n", "data.csv:2: 3 cells, but the header has 2"),
            ('source,output\n"a\nb\n",c\nd\n', "data.csv:5: 1 cell, but the header has 2"),
            ('source,output\na,b\n"c\n', "data.csv:3: a quote is left open"),
            ('source,output\n"a"b,c\n', "data.csv:2: bad quotes: "),
            ("source,output\na\rb,c\n", "data.csv:2: a carriage return outside quotes; "),
            ("source,source\na,b\n", "data.csv: in the header: 'source' is there twice"),
            ("x,x,source\na,b,c\n", "data.csv: in the header: 'x' is there twice"),
            ("output.a,output_a\na,b\n", "data.csv: in the header: 'output.a' and 'output_a' mean the same"),
            (
                "src,hyp\na,b\n",
                "data.csv: in the header: neither source nor reference nor output; found: src, hyp",
            ),
            (
                "source;output\na;b\n",
                "data.csv: in the header: neither source nor reference nor output; found: source;output; "
                "is the file separated by ';'?",
            ),
            ("source,references\na,b\n", "data.csv: in the header: 'references' must be one column per text: "),
            ("source,outputs\na,b\n", "data.csv: in the header: 'outputs' must be one column per text: "),
            ("Source,output\na,b\n", "data.csv: in the header: unknown name 'Source'; did you mean 'source'?"),
            ("source,output\n", "data.csv: there are no records"),
            ("source,output\n ,b\n", "data.csv:2: empty source"),
            ("source,lang\na,de\n", "data.csv:2: lang is 'de', but the run is in 'en'; pass lang=\"de\""),
            ("source,id\na,1\nb,\n", "data.csv:3: no id, but the records before it have one"),
            ("source\na\0b\n", "data.csv:2: a NUL byte at offset 8; is it a text file?"),
            ("", "data.csv is empty"),
        ],
    )
    def test_refused(self, content: str, said: str) -> None:
        assert message(content).startswith(said)

    def test_too_long_a_cell(self) -> None:
        said = "a cell is longer than 1,000,000 characters; is a quote left open?"
        assert message("source\n" + "a" * (MAX_LINE + 1)) == f"data.csv:2: {said}"
        assert message('source\na\n"' + "a\n" * MAX_LINE) == f"data.csv:3: {said}"

    def test_empty_reference(self) -> None:
        content = "source,reference_0,reference_1\na,r,\nb,r,q\n"
        assert message(content).startswith("data.csv:2: empty reference (reference_1); pass empty_reference=")
        assert corpus_of(content, empty_reference="missing").references == [("r",), ("r", "q")]
        assert corpus_of(content, empty_reference="keep").references == [("r", ""), ("r", "q")]

    @pytest.mark.slow
    def test_memory_does_not_grow_with_the_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("plainly.corpus.readers.record_files.LOOK_AHEAD", 100)

        def peak(rows: int) -> int:
            Path("data.csv").write_text("source,reference,output\n" + f"{'word ' * 20},{'r ' * 50},o\n" * rows)
            tracemalloc.start()
            try:
                assert sum(len(chunk) for chunk in read(Inputs(data="data.csv"), 100)) == rows
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

        assert peak(30_000) < 2 * peak(1_500)


class TestTsv:
    def test_quotes_are_text(self) -> None:
        corpus = corpus_of('source\toutput\n"a\t b"\r\n""\t\n', "data.tsv")
        assert corpus.sources == ['"a', '""']
        assert corpus.outputs == {"output": [' b"', ""]}

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("source\toutput\na\tb\tc\n", "data.tsv:2: 3 cells, but the header has 2"),
            ("source\toutput\na\tb\nc\n", "data.tsv:3: 1 cell, but the header has 2"),
            ("source,output\na,b\n", "data.tsv: in the header: neither source nor reference nor output; "),
            ("source\tsource\n", "data.tsv: in the header: 'source' is there twice"),
        ],
    )
    def test_refused(self, content: str, said: str) -> None:
        assert message(content, "data.tsv").startswith(said)
