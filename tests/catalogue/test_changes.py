"""What is done to files after the download, on cases made by hand."""

from __future__ import annotations

import pytest

from plainly.corpus.catalogue.changes import CHANGES


def changed(name: str, *parts: str) -> str:
    return CHANGES[name]([part.encode() for part in parts]).decode()


@pytest.mark.parametrize("text", ["One.\nTwo.", "One.\nTwo.\n"])
def test_final_newline(text: str) -> None:
    assert changed("final newline", text) == "One.\nTwo.\n"


TABLE = 'original\tsimplification\tgrammaticality\tmeaning\tsimplicity\toverall\nA "b".\tB.\tgood\tok\tbad\tok\n'


def test_qats_train() -> None:
    assert changed("qats train", 'Original\tSimplified\tG\tS\tM\tOverall\nA "b".\tB.\tGood\tbad\tOK\tok\n') == TABLE


def test_qats_test() -> None:
    assert changed("qats test", 'A "b".\n', "B.\n", "Overall\tG\tM\tS\nOK\tgood\tok\tbad\n") == TABLE


@pytest.mark.parametrize("parts", [("A.\n", "B.\nC.\n", "O\tG\tM\tS\nok\tok\tok\tok\n"), ("A.\n", "B.\n", "O\nok\n")])
def test_qats_of_files_that_do_not_fit(parts: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"zip|unpack"):
        changed("qats test", *parts)


def test_abgb_second_reference() -> None:
    """Found by the source, whatever its white space; the third source has an empty second wording."""
    corpus = 'originalText,simplificationText\nOld  A.,New A.\nOld B.,New B.\nOld A.,"Newer\nA, it is."\n'
    corpus += "Old B.,Newer B.\nOld C.,New C.\nOld C.,\n"
    assert changed("abgb second reference", corpus, "Old B.\nOld A. \nOld C.\n") == "Newer B.\nNewer A, it is.\n\n"


@pytest.mark.parametrize("source", ["Unknown.\n", "Old A.\n"])
def test_abgb_without_a_second_wording(source: str) -> None:
    with pytest.raises(LookupError):
        changed("abgb second reference", "o,s\nOld A.,New A.\n", source)


def test_line_breaks_in_cells() -> None:
    table = 'id,title\n1,"Two\nlines"\n2,"A, b"\n3,  as it is  \n'
    assert changed("line breaks in cells", table) == 'id,title\n1,Two lines\n2,"A, b"\n3,  as it is  \n'
