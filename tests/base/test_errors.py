"""A fault has parts: what, where, and what mends it. Each face has its own words for the last two."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import plainly
from plainly.base.errors import Argument, BadInput, NotComputable, Place, PlainlyError, Remedy, UnknownName
from plainly.cli import faults as command_line
from plainly.studio import faults as studio
from plainly.studio.texts import say

FACES = ("cli", "compat", "studio", "report")
OPTION = re.compile(r"(?<![\w-])(?<!var\()--[a-z][a-z-]*")  # not a CSS variable
OF_OTHER_PROGRAMS = {
    "models/encoders/folders.py": {"--no-deps"},  # pip
    "plugins/environment.py": {"--disable-pip-version-check", "--no-input", "--log", "--clear", "--version"},
    "scoring/engines/dask.py": {"--nthreads", "--me"},  # dask, squeue
    "scoring/engines/slurm.py": {"--noheader", "--format", "--user", "--gpus", "--test-only"},
}

EMPTY = PlainlyError("an empty reference", place=Place("x.txt", 3), remedy=Remedy("empty_reference", "missing"))


@pytest.mark.parametrize(
    ("error", "in_python", "at_the_command_line", "in_the_studio", "auf_deutsch"),
    [
        (
            EMPTY,
            'x.txt:3: an empty reference; pass empty_reference="missing"',
            "x.txt:3: an empty reference; say --empty-reference missing",
            "x.txt, line 3: an empty reference; choose what an empty line in a reference file means",
            "x.txt, Zeile 3: an empty reference; Bitte wählen, was eine leere Zeile in einer Referenzdatei bedeutet",
        ),
        (
            PlainlyError("it is odd", place=Place("x.parquet", row=4, last_row=6)),
            "x.parquet: rows 4 to 6: it is odd",
            "x.parquet: rows 4 to 6: it is odd",
            "x.parquet, rows 4 to 6: it is odd",
            "x.parquet, Zeilen 4 bis 6: it is odd",
        ),
        (
            PlainlyError("too few", remedy=(Remedy("repeats", True, "to go on"), Remedy("store"))),
            "too few; pass repeats=True to go on or store=...",
            "too few; say --allow-repeats to go on or --store",
            "too few",
            "too few",
        ),
        (
            PlainlyError("none", place=Argument("by", "age:1"), remedy=Remedy("first", 1, condition="if from 1")),
            "by age:1: none; if from 1, pass first=1",
            "--by age:1: none; if from 1, say --first 1",
            "by age:1: none",
            "by age:1: none",
        ),
    ],
)
def test_the_words_of_faces(
    error: PlainlyError, in_python: str, at_the_command_line: str, in_the_studio: str, auf_deutsch: str
) -> None:
    assert str(error) == in_python
    assert command_line.worded(error) == at_the_command_line
    assert studio.worded(error, say("en")) == in_the_studio
    assert studio.worded(error, say("de")) == auf_deutsch


@pytest.mark.parametrize(
    "error",
    [EMPTY, BadInput.of(EMPTY, "files"), UnknownName("metric", "sarri", ["sari"]), NotComputable("sari", "no")],
    ids=lambda error: type(error).__name__,
)
def test_another_process_has_the_same_error(error: PlainlyError) -> None:
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is type(error)
    assert str(found) == str(error)
    assert vars(found) == vars(error)


def test_capitals_do_not_hide_the_nearest_name() -> None:
    for slip in ("mt5-sgc", "mT5-SCG", "MT5"):
        assert "did you mean 'mT5-SGC'?" in str(UnknownName("system", slip, ["mT5-SGC", "hda-etr"])), slip


def test_where_nothing_is_known_it_says_so() -> None:
    assert str(UnknownName("system", "mine", [])) == "unknown system 'mine'; known: none"


def test_the_place_that_was_known_first_stays() -> None:
    error = PlainlyError("odd").at(Place("x.txt", 3)).at(Place("y.txt"))
    assert error.place == Place("x.txt", 3)
    assert error.located == "x.txt:3: odd"


def test_files_get_the_names_that_their_owner_knows() -> None:
    error = PlainlyError("/tmp/a/x.txt is odd", place=Place("/tmp/a/y.txt", 3), remedy=EMPTY.remedies)
    found = error.reworded(lambda text: text.replace("/tmp/a/", ""))
    assert (found.message, found.place, found.remedies) == ("x.txt is odd", Place("y.txt", 3), EMPTY.remedies)
    assert error.message == "/tmp/a/x.txt is odd"


def test_no_text_below_the_faces_names_an_option() -> None:
    root = Path(plainly.__file__).parent
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(FACES):
            named = {option for text in _literals(path) for option in OPTION.findall(text)}
            assert named <= OF_OTHER_PROGRAMS.get(name, set()), name


def _literals(path: Path) -> Iterator[str]:
    """The texts of a module, less what explains it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value
