"""Reads language entries: one TOML file a language, and checks every key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from plainly.base.declarations import Fault, insist, made, read
from plainly.base.errors import PlainlyError
from plainly.text.hyphenation import PYPHEN
from plainly.text.languages.language import DIRECTIONS, Language, ReadingEase, Scale, Smog
from plainly.text.sentences import SentenceSplitter


def read_language(path: Path) -> Language:
    """The language that a file describes; its code is the name of the file."""
    try:
        return _language(path.stem, read(path.read_text("utf-8")))
    except (OSError, UnicodeDecodeError, Fault) as error:
        raise PlainlyError(f"{path}: {error}") from error


def _language(code: str, table: Mapping[str, Any]) -> Language:
    insist(bool(_CODE.fullmatch(code)), f"{code!r} is no code of a language")
    entry = _with_sets(Language, table)
    sentences = _with_sets(SentenceSplitter, entry.get("sentences", {}))
    sentences.setdefault("first_words", entry.get("stop_words", frozenset()))  # function words open most sentences
    entry |= {"code": code, "sentences": made(SentenceSplitter, sentences, "sentences")}
    entry |= {name: _listed(table[name], name) for name in ("catch_all_answers", "markers") if name in table}
    entry |= {"negations": _negations(table.get("negations", "")), "easy_words": _pairs(table.get("easy_words", ""))}
    formulas = {"reading_ease": ReadingEase, "smog": Smog}
    entry |= {
        name: made(kind, _with_scale(table[name], name), name) for name, kind in formulas.items() if name in table
    }
    language = made(Language, entry, "entry")
    insist(language.direction in DIRECTIONS, f"direction must be one of {', '.join(DIRECTIONS)}")
    source = language.syllable_source
    insist(source in ("", "plainly") or source.startswith(PYPHEN), f"syllable_source must begin with {PYPHEN}")
    return language


def _with_scale(table: Any, name: str) -> Any:
    """The table of a formula, its scale read: bands are one text, "0 hard, 50 easy"."""
    if not (isinstance(table, Mapping) and isinstance(table.get("scale"), Mapping)):
        return table
    where = f"{name}.scale"
    bands = [tuple(phrase.partition(" ")[::2]) for phrase in _listed(table["scale"].get("bands"), f"{where}.bands")]
    insist(all(_NUMBER.fullmatch(start) and word for start, word in bands), f"{where}.bands must be: 0 hard, 50 easy")
    starts = [float(start) for start, _ in bands]
    insist(starts == sorted(set(starts)), f"{where}.bands must rise")
    scale = {**table["scale"], "bands": tuple(zip(starts, (word for _, word in bands), strict=True))}
    return {**table, "scale": made(Scale, scale, where)}


def _with_sets(kind: type, table: Any) -> dict[str, Any]:
    """The table, in which a set of words is written as one text, with these sets."""
    insist(isinstance(table, Mapping), "sentences must be a table")
    entry = dict(table)
    for name in table.keys() & {field.name for field in fields(kind) if field.type in ("frozenset[str]", "Words")}:
        insist(isinstance(table[name], str), f"{name} must be one text, with blanks between the words")
        entry[name] = frozenset(table[name].split())
    return entry


def _listed(text: Any, name: str) -> list[str]:
    """The phrases of a text with commas between them."""
    insist(isinstance(text, str), f"{name} must be one text, with commas between the phrases")
    return [" ".join(phrase.split()) for phrase in text.split(",")]


def _negations(text: Any) -> dict[str, str]:
    """Words that vanish, and pairs word=rest; an underscore stands for a blank."""
    insist(isinstance(text, str), "negations must be one text, with blanks between the words")
    split = (pair.partition("=") for pair in text.split())
    return {word: rest.replace("_", " ") for word, _, rest in split}


def _pairs(text: Any) -> dict[str, str]:
    """Pairs "difficult easy", with commas between them."""
    pairs = [phrase.split() for phrase in _listed(text, "easy_words")] if text else []
    insist(all(len(pair) == 2 for pair in pairs), "easy_words must be pairs: difficult easy, difficult easy")
    return {difficult: easy for difficult, easy in pairs}  # noqa: C416 - says what is what


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_CODE = re.compile("[a-z]{2,3}(?:-[A-Za-z0-9]+)*")
