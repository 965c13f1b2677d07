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
from plainly.text.languages.language import DIRECTIONS, Language
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
    language = made(Language, entry, "entry")
    insist(language.direction in DIRECTIONS, f"direction must be one of {', '.join(DIRECTIONS)}")
    source = language.syllable_source
    insist(source in ("", "plainly") or source.startswith(PYPHEN), f"syllable_source must begin with {PYPHEN}")
    return language


def _with_sets(kind: type, table: Any) -> dict[str, Any]:
    """The table, in which a set of words is written as one text, with these sets."""
    insist(isinstance(table, Mapping), "sentences must be a table")
    entry = dict(table)
    for name in table.keys() & {field.name for field in fields(kind) if field.type in ("frozenset[str]", "Words")}:
        insist(isinstance(table[name], str), f"{name} must be one text, with blanks between the words")
        entry[name] = frozenset(table[name].split())
    return entry


_CODE = re.compile("[a-z]{2,3}(?:-[A-Za-z0-9]+)*")
