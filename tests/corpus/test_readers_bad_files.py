"""Files that are no text files: one clear sentence each, with the file and, where there is one, the line."""

from __future__ import annotations

import gzip
import io
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.corpus.readers import Inputs, read, read_corpus
from plainly.corpus.readers.files import BLOCK, MAX_LINE


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def message(path: str, content: bytes | None = None) -> str:
    """What is said about the file as a line file."""
    if content is not None:
        Path(path).write_bytes(content)
    with pytest.raises(PlainlyError) as caught:
        read_corpus(Inputs(sources=path))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_missing() -> None:
    assert message("no.txt") == "no.txt: no such file"
    assert message("no/no.txt") == "no/no.txt: no such file"


def test_folder() -> None:
    Path("folder").mkdir()
    assert message("folder") == "folder is a folder, not a file"


def test_no_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening is made to fail, because no permission is missing when the tests run as root."""

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    Path("secret").write_text("a\n")
    monkeypatch.setattr(Path, "open", refuse)
    assert message("secret") == "secret: no permission to read it"


@pytest.mark.parametrize(("path", "said"), [("a\0b", "'a\\x00b': "), ("x" * 5000, "x" * 200 + "...: ")])
def test_impossible_names(path: str, said: str) -> None:
    assert message(path).startswith(said)


def test_a_name_with_a_line_end_keeps_the_message_on_one_line() -> None:
    assert message("a\nb") == "'a\\nb': no such file"


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", gzip.compress(b"")], ids=["nothing", "mark", "gzip"])
def test_empty(content: bytes) -> None:
    assert message("x", content) == "x is empty"


def test_empty_standard_input() -> None:
    with pytest.raises(PlainlyError, match=r"^standard input is empty$"):
        read_corpus(Inputs(sources="-", stdin=io.BytesIO()))


class TestEncoding:
    def test_latin_1(self) -> None:
        assert message("x", "a\nbé\n".encode("latin-1")) == (
            "x:2: not UTF-8: byte 0xe9 at offset 3; if the file is Latin-1, convert it: iconv -f ISO-8859-1 -t UTF-8"
        )

    def test_windows_1252(self) -> None:
        assert message("x", "a\n“b”\n".encode("cp1252")) == (
            "x:2: not UTF-8: byte 0x93 at offset 2; if the file is Latin-1, convert it: "
            "iconv -f WINDOWS-1252 -t UTF-8"
        )

    def test_cut_in_the_middle_of_a_character(self) -> None:
        assert message("x", b"\xef\xbb\xbfab\n\xc3").startswith("x:2: not UTF-8: byte 0xc3 at offset 6; ")

    def test_far_into_the_file(self) -> None:
        content = b"line\n" * BLOCK + b"tail"
        assert message("x", content + b"\xff\n").startswith(
            f"x:{BLOCK + 1}: not UTF-8: byte 0xff at offset {len(content)}; "
        )

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
    def test_byte_order_mark_of_another_encoding(self, encoding: str) -> None:
        said = "x is UTF-16, not UTF-8; convert it: iconv -f UTF-16 -t UTF-8"
        assert message("x", "a\n".encode(encoding)) == said

    def test_big_endian(self) -> None:
        assert message("x", b"\xfe\xff\0a").startswith("x is UTF-16, not UTF-8; ")

    def test_utf_16_without_mark(self) -> None:
        assert message("x", "text\n".encode("utf-16-le")) == (
            "x:1: a NUL byte at offset 1; is it UTF-16? Convert it: iconv -f UTF-16 -t UTF-8"
        )


class TestBinary:
    def test_nul_byte(self) -> None:
        content = b"\xef\xbb\xbf" + b"line of text\n" * 50_000 + b"some text, then a \0\n"
        assert message("x", content) == (f"x:50001: a NUL byte at offset {content.index(0)}; is it a text file?")

    def test_nul_byte_in_a_line_over_two_blocks(self) -> None:
        content = b"a\n" + b"x" * (BLOCK + 10) + b"\0\n"
        assert message("x", content) == f"x:2: a NUL byte at offset {len(content) - 2}; is it a text file?"

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            (b"\x28\xb5\x2f\xfd\x20", "x is packed with zstd; unpack it first: zstd -d"),
            (b"\xfd7zXZ\0", "x is packed with xz; unpack it first: xz -d"),
            (b"PK\x03\x04\x14\0", "x is a zip archive (or an office document); "),
        ],
    )
    def test_packed(self, content: bytes, said: str) -> None:
        assert message("x", content).startswith(said)

    def test_endless_zeros(self) -> None:
        assert message("/dev/zero").startswith("/dev/zero:1: a NUL byte at offset 0; ")


class TestGzip:
    def test_cut_off(self) -> None:
        packed = gzip.compress(bytes(range(65, 91)) * 100)
        assert message("x.gz", packed[:-9]).startswith("x.gz: broken gzip file: ")

    def test_damaged(self) -> None:
        packed = bytearray(gzip.compress("".join(f"{number}\n" for number in range(10_000)).encode()))
        packed[len(packed) // 2] ^= 0xFF
        assert message("x.gz", bytes(packed)).startswith("x.gz: broken gzip file: ")

    def test_name_only(self) -> None:
        said = "x.gz is not a gzip file, although its name ends in .gz"
        assert message("x.gz", b"text\n") == said


class Endless(io.RawIOBase):
    """Letters without a line end; counts what was read."""

    total = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        buffer[:] = b"a" * len(buffer)
        self.total += len(buffer)
        return len(buffer)


class TestLongLines:
    @pytest.mark.parametrize("letter", ["a", "é", "😀"])
    def test_limit_counts_characters(self, letter: str) -> None:
        line = letter * MAX_LINE
        Path("x").write_text(f"a\n{line}\nb\n")
        assert read_corpus(Inputs(sources="x")).sources == ["a", line, "b"]
        said = "x:2: longer than 1,000,000 characters; is this file one segment per line?"
        assert message("x", f"a\n{line}{letter}\nb\n".encode()) == said
        assert message("x", f"a\n{line}{letter}".encode()) == said

    def test_endless_line_is_not_read_to_its_end(self) -> None:
        stream = Endless()
        tracemalloc.start()
        try:
            with pytest.raises(PlainlyError, match=r"^standard input:1: longer than 1,000,000 characters; "):
                next(read(Inputs(sources="-", stdin=io.BufferedReader(stream))))  # type: ignore[type-var]
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert stream.total < 5 * MAX_LINE
        assert peak < 10 * MAX_LINE


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.binary(max_size=8)
        | st.sampled_from(
            [
                b"\n",
                b'"',
                b",",
                b"\t",
                b"\r",
                b"source",
                b"output",
                b'{"source": "',
                b'"}',
                b"\xef\xbb\xbf",
                b"\x1f\x8b",
            ]
        )
    ).map(b"".join),
    st.sampled_from(["lines", "jsonl", "csv", "tsv", "parquet"]),
)
def test_any_bytes_are_read_or_refused_in_one_line(content: bytes, kind: str) -> None:
    Path("any").write_bytes(content)
    inputs = Inputs(sources="any") if kind == "lines" else Inputs(data="any", data_format=kind)
    try:
        said = f"any: {len(read_corpus(inputs))} segments"
    except PlainlyError as error:
        said = str(error)
    assert said.startswith("any")
    assert "\n" not in said
