"""Syllables by pyphen, against pyphen itself, textstat and published counts."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from plainly.base.errors import MissingResource, UnknownName
from plainly.text import hyphenation
from plainly.text.hyphenation import pyphen_counter
from plainly.text.languages import get_language
from plainly.text.tokenizers import get_tokenizer

from ..cases import each


@each(
    "code, word, expected",
    [
        ("de", "Donaudampfschifffahrt", 5),  # Do-nau-dampf-schiff-fahrt
        ("de", "DONAUDAMPFSCHIFFFAHRT", 5),
        ("de", "Vereinfachung", 4),
        ("de", "Abend", 1),  # A-bend has two, but one letter is never broken off
        ("de", "Oma", 1),
        ("de", "Museum", 3),
        ("de", ",", 1),
        ("de", "1990", 1),
        ("es", "simplificación", 5),
        ("it", "semplificazione", 6),
        ("ru", "предложение", 4),
    ],
)
def test_pieces_of_a_word(code: str, word: str, expected: int) -> None:
    count = get_language(code).count_syllables
    assert count is not None
    assert count(word) == expected


def test_equal_to_pyphen(shared: Path) -> None:
    from pyphen import Pyphen

    text = (shared / "data" / "german" / "deplain_web" / "deplain_web.test.orig").read_text("utf-8")
    positions, count = Pyphen(lang="de_DE").positions, pyphen_counter("de_DE")
    for word in set(text.split()):
        assert count(word) == len(positions(word.lower())) + 1


def test_textstat_counts_can_be_met(shared: Path) -> None:
    # Origin: textstat 0.7.3 on the outputs, tokenised by 13a and joined by blanks; it drops what is not \w.
    records = json.loads((shared / "oracle" / "easse_de.json").read_text("utf-8"))["datasets"]["GEOlino"]["systems"]
    folder = shared / "data" / "german" / "geolino" / "system_outputs"
    count, tokenizer = pyphen_counter("de_DE"), get_tokenizer("13a")
    expected = {
        name: record["settings"]["13a|lc=False"]["textstat_0.7.3"]["n_syllables"]
        for name, record in records.items()
        if (folder / name).exists()
    }
    assert len(expected) >= 8
    for name, syllables in expected.items():
        lines = (folder / name).read_text("utf-8").split("\n")
        tokens = [re.sub(r"\W", "", token) for line in lines for token in tokenizer.tokens(line.strip())]
        assert sum(count(token) for token in tokens if token) == syllables, name


def test_without_pyphen_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyphen", None)
    hyphenation.pyphen_counter.cache_clear()
    with pytest.raises(MissingResource, match="pip install pyphen"):
        pyphen_counter("de_DE")


def test_an_unknown_dictionary_is_named() -> None:
    with pytest.raises(UnknownName, match=r"unknown dictionary of pyphen 'de_XX'; known: .*de_DE"):
        pyphen_counter("de_XX")
