"""What a language is: one declarative entry each, in a file of its own.

A language without an entry is refused, and a metric that needs something the entry does not give (a sentence
splitter, a syllable counter) refuses the language: no text is ever silently treated as English.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files as resources
from pathlib import Path

from plainly.base.errors import PlainlyError, UnknownName
from plainly.text.languages.language import Language, ReadingEase, Scale, Smog
from plainly.text.languages.reading import read_language

__all__ = ["LANGUAGES", "OWN_ENTRIES", "Language", "ReadingEase", "Scale", "Smog", "get_language"]

OWN_ENTRIES = "PLAINLY_LANGUAGES"  # the variable that names a folder with entries of the user's own


def get_language(code: str) -> Language:
    """The language with that code.

    A region is dropped, because no entry depends on one: "pt-BR" and "pt_BR" give Portuguese, whose code is "pt".
    Go on with the code of what you get. A script ("sr-Latn") is not dropped: other letters, other rules.
    """
    known = code if code in LANGUAGES else _REGION.sub("", code)
    if known not in LANGUAGES:
        other = {word.lower(): key for key, entry in LANGUAGES.items() for word in (entry.name, entry.iso639_3)}
        base = re.split("[-_]", code)[0].lower()
        if base in LANGUAGES:
            other[code.lower()] = base
        raise UnknownName("language", code, LANGUAGES, other)
    return LANGUAGES[known]


class _Languages(Mapping[str, Language]):
    """All languages by code. An entry is read when it is first asked for."""

    def __getitem__(self, code: str) -> Language:
        return _read(self._files[code])

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, code: object) -> bool:  # else inherited, and then reads the entry
        return code in self._files

    @property
    def _files(self) -> dict[str, Path]:
        return _paths(os.environ.get(OWN_ENTRIES, ""))


LANGUAGES: Mapping[str, Language] = _Languages()
"""All languages that plainly knows, by code."""

_REGION = re.compile("[-_](?:[A-Za-z]{2}|[0-9]{3})$")
_read = cache(read_language)


@cache
def _paths(own: str) -> dict[str, Path]:
    """The files of all entries by code: those of plainly, and those in the folder `own`, if it is not empty."""
    paths = _entries(Path(str(resources("plainly.text.languages") / "entries")))
    if not own:
        return paths
    if not Path(own).is_dir():
        raise PlainlyError(f"{OWN_ENTRIES}: {own} is no folder")
    added = _entries(Path(own))
    for code in added.keys() & paths:
        # Else two people could get two numbers with one signature.
        raise PlainlyError(f"{added[code]}: plainly has a language {code!r}; rename yours, say to {code}-x-mine")
    return dict(sorted((paths | added).items()))


def _entries(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}
