"""Line files: what a line is, which files belong together, and the message when they do not."""

from __future__ import annotations

import gzip
import io
import os
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.corpus.readers import Inputs, read, read_corpus
from plainly.corpus.readers.files import BLOCK


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, content: str | bytes) -> str:
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def outputs(content: str | bytes) -> list[str | None]:
    return list(read_corpus(Inputs(systems={"a": write("out", content)})).outputs["a"])


def message(inputs: Inputs) -> str:
    with pytest.raises(PlainlyError) as caught:
        read_corpus(inputs)
    assert "\n" not in str(caught.value)
    return str(caught.value)


class TestWhatALineIs:
    @pytest.mark.parametrize(
        ("content", "lines"),
        [
            ("a\nb\n", ["a", "b"]),
            ("a\nb", ["a", "b"]),
            ("a\n\n", ["a", ""]),
            ("\n", [""]),
            ("a\r\nb\r\n", ["a", "b"]),
            ("a\r\nb\r", ["a", "b"]),
            ("a\r\r\nb\n", ["a\r", "b"]),
            ("a\rb\n", ["a\rb"]),
            ("  a \n\tb\t\n", ["  a ", "\tb\t"]),
            ("a\x85b\x0bc\x0cd\u2028e\u2029f\x1cg\x1dh\x1ei\n", ["a\x85b\x0bc\x0cd\u2028e\u2029f\x1cg\x1dh\x1ei"]),
            (b"\xef\xbb\xbfa\nb\n", ["a", "b"]),
            ("a\n\ufeffb\n", ["a", "\ufeffb"]),
        ],
    )
    def test_lines(self, content: str | bytes, lines: list[str]) -> None:
        assert outputs(content) == lines

    @pytest.mark.parametrize("end", ["", "\n"])
    def test_lines_across_blocks(self, end: str) -> None:
        lines = ["é" * (BLOCK // 2 - 1), "b", "ü" * BLOCK, "", "x" * (3 * BLOCK), "end"]
        assert outputs("\n".join(lines) + end) == lines

    def test_a_return_across_blocks(self) -> None:
        """The first block ends between the return and the line end."""
        assert outputs("x" * (BLOCK - 1) + "\r\nb\r\n") == ["x" * (BLOCK - 1), "b"]

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(
        lines=st.lists(st.text(st.characters(exclude_characters="\n\r\0", exclude_categories=["Cs"])), min_size=1),
        mark=st.booleans(),
        line_end=st.sampled_from(["\n", "\r\n"]),
        packed=st.booleans(),
        size=st.integers(1, 5),
    )
    def test_round_trip(self, lines: list[str], mark: bool, line_end: str, packed: bool, size: int) -> None:
        """What was written is read, in chunks of any size; a mark in the file's own text needs one before it."""
        mark = mark or lines[0].startswith("\ufeff")
        content = (("\ufeff" if mark else "") + "".join(line + line_end for line in lines)).encode()
        path = write("lines", gzip.compress(content) if packed else content)
        chunks = list(read(Inputs(systems={"a": path}), size))
        assert [line for chunk in chunks for line in chunk.outputs["a"]] == lines
        assert [len(chunk) for chunk in chunks[:-1]] == [size] * (len(chunks) - 1)


class TestWhatARunIs:
    def test_all_files(self) -> None:
        corpus = read_corpus(
            Inputs(
                sources=write("src", "s1\ns2\n"),
                references=(write("ref.0", "r1\nr2\n"), write("ref.1", "q1\nq2\n")),
                systems={"a": write("a", "a1\n\n"), "copy": "src"},
                lang="de",
            )
        )
        assert corpus.sources == ["s1", "s2"]
        assert corpus.references == [("r1", "q1"), ("r2", "q2")]
        assert corpus.outputs == {"a": ["a1", ""], "copy": ["s1", "s2"]}
        assert corpus.lang == "de"
        assert (corpus.ids, corpus.documents, corpus.metadata) == (None, None, None)

    def test_without_sources(self) -> None:
        corpus = read_corpus(Inputs(systems={"a": write("a", "a1\na2\n")}))
        assert corpus.sources == [None, None]
        assert corpus.references == [(), ()]

    def test_without_systems(self) -> None:
        corpus = read_corpus(Inputs(sources=write("src", "s1\ns2\n"), references=(write("ref", "r1\nr2\n"),)))
        assert corpus.references == [("r1",), ("r2",)]
        assert corpus.outputs == {}

    @pytest.mark.parametrize(("size", "sizes"), [(1, [1] * 6), (2, [2] * 3), (4, [4, 2]), (6, [6]), (7, [6])])
    def test_chunks(self, size: int, sizes: list[int]) -> None:
        inputs = Inputs(write("src", "1\n2\n3\n4\n5\n6\n"), (write("ref", "a\nb\nc\nd\ne\nf\n"),), {"sys": "src"})
        chunks = list(read(inputs, size))
        assert [len(chunk) for chunk in chunks] == sizes
        assert [text for chunk in chunks for text in chunk.sources] == list("123456")
        assert [group for chunk in chunks for group in chunk.references] == [(letter,) for letter in "abcdef"]
        assert [text for chunk in chunks for text in chunk.outputs["sys"]] == list("123456")

    @pytest.mark.parametrize("packed", [False, True])
    def test_standard_input(self, packed: bool) -> None:
        content = b"a\nb\n"
        stdin = io.BytesIO(gzip.compress(content) if packed else content)
        assert read_corpus(Inputs(sources="-", stdin=stdin)).sources == ["a", "b"]
        assert not stdin.closed

    def test_a_pipe(self) -> None:
        """A shell's <(command) is a file that cannot be wound back."""
        out, into = os.pipe()
        os.write(into, gzip.compress(b"a\nb\n"))
        os.close(into)
        try:
            assert read_corpus(Inputs(sources=f"/dev/fd/{out}")).sources == ["a", "b"]
        finally:
            os.close(out)

    def test_memory_does_not_grow_with_the_files(self) -> None:
        def peak(lines: int) -> int:
            for name in ("src", "ref", "out"):
                write(name, "".join(f"{name} {number} {'word ' * 20}\n" for number in range(lines)))
            tracemalloc.start()
            try:
                assert sum(len(chunk) for chunk in read(Inputs("src", ("ref",), {"a": "out"}))) == lines
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

        assert peak(100_000) < 2 * peak(5_000)

    def test_stopping_early_closes_the_files(self) -> None:
        """An open file would raise a ResourceWarning, which is an error in the tests."""
        chunks = read(Inputs(write("src", "a\nb\n")), 1)
        assert len(next(chunks)) == 1
        chunks.close()  # type: ignore[attr-defined]
        assert list(chunks) == []


class TestEmptyLines:
    def test_source(self) -> None:
        inputs = Inputs(write("src.txt", "a\nb\nc\nd\n\u2003\n"))
        assert message(inputs) == "src.txt:5: empty source"
        with pytest.raises(PlainlyError, match=r"^src\.txt:5: empty source$"):
            list(read(inputs, 2))

    @pytest.mark.parametrize("blank", ["", " ", "\t\u00a0"])
    def test_reference(self, blank: str) -> None:
        src, ref0 = write("src", "s1\ns2\ns3\n"), write("ref.0", f"r1\n{blank}\nr3\n")
        ref1 = write("ref.1", "q1\nq2\nq3\n")
        inputs = Inputs(src, (ref1, ref0))
        assert message(inputs) == (
            'ref.0:2: empty reference; pass empty_reference="missing" (no reference here) '
            'or empty_reference="keep" (the reference is an empty text)'
        )
        missing = read_corpus(Inputs(src, (ref1, ref0), empty_reference="missing"))
        assert missing.references == [("q1", "r1"), ("q2",), ("q3", "r3")]
        kept = read_corpus(Inputs(src, (ref1, ref0), empty_reference="keep"))
        assert kept.references == [("q1", "r1"), ("q2", blank), ("q3", "r3")]

    def test_reference_line_number_in_a_later_chunk(self) -> None:
        inputs = Inputs(write("src", "a\nb\nc\nd\ne\n"), (write("ref", "a\nb\nc\nd\n\n"),))
        with pytest.raises(PlainlyError, match=r"^ref:5: empty reference"):
            list(read(inputs, 2))

    def test_all_references_missing(self) -> None:
        inputs = Inputs(write("src", "a\nb\n"), (write("ref", "\n\n"),), empty_reference="missing")
        assert read_corpus(inputs).references == [(), ()]


def numbered(count: int) -> str:
    return "".join(f"{number}\n" for number in range(count))


class TestUnevenFiles:
    @pytest.mark.parametrize("size", [1, 7, 100, 358, 359, 5000])
    def test_reference_too_short(self, size: int) -> None:
        inputs = Inputs(
            write("src.txt", numbered(359)), (write("ref.0", numbered(359)), write("ref.1", numbered(358)))
        )
        with pytest.raises(PlainlyError) as caught:
            list(read(inputs, size))
        expected = "ref.1: line 359 is missing: it has 358 lines, but src.txt has 359"
        assert str(caught.value) == expected

    def test_source_too_short(self) -> None:
        inputs = Inputs(write("src", "s\n"), (write("ref", numbered(5000)),), {"a": write("a", numbered(5000))})
        assert message(inputs) == "src: line 2 is missing: it has 1 line, but ref has 5000"

    def test_last_line_without_line_end_counts(self) -> None:
        inputs = Inputs(write("src", numbered(11)), systems={"a": write("a", numbered(20) + "last")})
        with pytest.raises(PlainlyError) as caught:
            list(read(inputs, 3))
        assert str(caught.value) == "src: line 12 is missing: it has 11 lines, but a has 21"

    @pytest.mark.parametrize("size", [3, 10, 5000])
    @pytest.mark.parametrize("lines", [21, 100_000])
    def test_counts_of_long_files(self, size: int, lines: int) -> None:
        inputs = Inputs(write("src", numbered(11)), systems={"a": write("a", numbered(lines))})
        with pytest.raises(PlainlyError) as caught:
            list(read(inputs, size))
        assert str(caught.value) == f"src: line 12 is missing: it has 11 lines, but a has {lines}"

    def test_blank_line_at_the_end(self) -> None:
        inputs = Inputs(write("src", "a\nb\n\n"), (write("ref", "a\nb\n"),))
        assert message(inputs) == (
            "ref: line 3 is missing: it has 2 lines, but src has 3; the lines that src has more are blank"
        )

    def test_transposed(self) -> None:
        references = tuple(write(f"ref.{number}", numbered(2)) for number in range(5))
        assert message(Inputs(write("src", numbered(5)), references)) == (
            "ref.0: line 3 is missing: it has 2 lines, but src has 5; "
            "the references look transposed: give one file per reference, not one file per source"
        )

    def test_several_texts_in_one_file(self) -> None:
        inputs = Inputs(write("src", numbered(5)), (write("ref", numbered(50)),))
        assert message(inputs) == (
            "src: line 6 is missing: it has 5 lines, but ref has 50; "
            "that is 10 times as many: if it holds 10 texts per segment, make it 10 files"
        )


class TestWhatToRead:
    @pytest.mark.parametrize(
        ("inputs", "said"),
        [
            (Inputs(), "nothing to read: give sources, systems or a data file"),
            (Inputs(references=("ref",)), "nothing to read: give sources, systems or a data file"),
            (Inputs(sources="s", data="d.csv"), "sources and references are taken from d.csv; "),
            (Inputs(references=("r",), data="d.csv"), "sources and references are taken from d.csv; "),
            (
                Inputs(sources="-", systems={"a": "-"}),
                "standard input (-) can be read only once, but is given for the sources and system 'a'",
            ),
            (
                Inputs(data="-", data_format="csv", systems={"a": "-"}),
                "standard input (-) can be read only once, but is given for system 'a' and the data",
            ),
            (Inputs("s", ("-", "-")), "standard input (-) can be read only once, but is given for reference 0 and"),
            (Inputs(sources="s", empty_reference="mising"), "unknown rule for empty references 'mising'; did you"),
            (Inputs(data="-"), "-: nothing says whether it is csv, jsonl, parquet or tsv; pass data_format=..."),
            (
                Inputs(data="d.json"),
                "d.json: nothing says whether it is csv, jsonl, parquet or tsv; pass data_format=...",
            ),
            (Inputs(data="d.csv", data_format="cvs"), "unknown data format 'cvs'; did you mean 'csv'?"),
            (Inputs(data="-", data_format="parquet"), "Parquet cannot be read from standard input"),
            (Inputs(sources=""), "the file name for the sources is empty"),
            (Inputs(systems={"": "out"}), "out: a system needs a name"),
        ],
    )
    def test_refused_before_a_file_is_opened(self, inputs: Inputs, said: str) -> None:
        with pytest.raises(PlainlyError) as caught:
            read(inputs)
        assert str(caught.value).startswith(said)

    def test_chunk_size(self) -> None:
        with pytest.raises(PlainlyError, match=r"^the chunk size must be at least 1, not 0$"):
            read(Inputs(sources="src"), 0)
