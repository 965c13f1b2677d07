"""Interface texts: one TOML file a language, one section a part of the studio.

A new language is one new file. What it lacks is said in English, so a half-done file can be used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files

from plainly.base import declarations
from plainly.base.errors import UnknownName
from plainly.text.languages import LANGUAGES

FALLBACK = "en"
_FIRST_WORD = re.compile(r"[._-]")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_ACCEPTED = re.compile(r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]{1,30})?\s*(?:;\s*q=([0-9.]{1,6})\s*)?")


class Speaker:
    """The texts of one language: `say("ranking.note.live", count=200)`."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.dir = direction(lang)
        self._sections = _read(lang)

    def __call__(self, key: str, **values: object) -> str:
        """The text, filled in; the key itself where no file has it, so that a gap is seen and breaks nothing."""
        section, _, name = key.partition(".")
        text = self._sections.get(section, {}).get(name)
        if text is None:
            text = _read(FALLBACK).get(section, {}).get(name, key)
        return _PLACEHOLDER.sub(lambda found: str(values.get(found[1], found[0])), text)

    def section(self, name: str) -> Mapping[str, str]:
        """All texts of a section, for the browser."""
        return {**_read(FALLBACK).get(name, {}), **self._sections.get(name, {})}

    def part(self, name: str, first: Collection[str]) -> Mapping[str, str]:
        """Those texts of a section whose keys begin with one of these words."""
        return {key: text for key, text in self.section(name).items() if _FIRST_WORD.split(key)[0] in first}


@cache
def languages() -> Mapping[str, str]:
    """The languages of the interface by code, each named in itself."""
    found = {}
    for path in sorted(files(__name__).iterdir(), key=lambda entry: entry.name):
        if path.name.endswith(".toml"):
            lang = path.name.removesuffix(".toml")
            found[lang] = _read(lang).get("common", {}).get("language", lang)
    return found


@cache
def say(lang: str) -> Speaker:
    """The texts of a language that `languages` lists."""
    if lang not in languages():
        raise UnknownName("interface language", lang, languages())
    return Speaker(lang)


def chosen(cookie: str | None, accepted: str | None) -> str:
    """The language of a visitor: as chosen before, else what the browser asks for, else English."""
    if cookie in languages():
        return str(cookie)
    wishes = []
    for place, part in enumerate((accepted or "")[:1000].split(",")):
        found = _ACCEPTED.fullmatch(part)
        if found and found[1].lower() in languages():
            wishes.append((-_quality(found[2]), place, found[1].lower()))
    return min(wishes)[2] if wishes else FALLBACK


def direction(lang: str) -> str:
    """How texts of a language run: ltr or rtl; `auto` where the language is not known."""
    code = lang if lang in LANGUAGES else re.split("[-_]", lang)[0].lower()
    return LANGUAGES[code].direction if code in LANGUAGES else "auto"


def _quality(written: str | None) -> float:
    try:
        return float(written or 1)
    except ValueError:
        return 0.0


@cache
def _read(lang: str) -> Mapping[str, Mapping[str, str]]:
    return declarations.read((files(__name__) / f"{lang}.toml").read_text("utf-8"))
