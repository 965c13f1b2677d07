"""Interface texts: the same keys and the same gaps in all languages, and the language that the reader wants."""

from __future__ import annotations

import re

import pytest

from plainly.base.errors import UnknownName
from plainly.studio import texts
from plainly.studio.texts import chosen, direction, languages, say


def test_all_languages_say_the_same() -> None:
    english = texts._read("en")
    for lang in languages():
        found = texts._read(lang)
        assert set(found) == set(english)
        for section, entries in english.items():
            assert set(found[section]) == set(entries), (lang, section)
            for key, text in entries.items():
                gaps = sorted(re.findall(r"\{\w+\}", text))
                assert sorted(re.findall(r"\{\w+\}", found[section][key])) == gaps, (lang, section, key)
                assert found[section][key].strip(), (lang, section, key)


def test_every_text_that_pages_and_scripts_ask_for_is_there() -> None:
    from pathlib import Path

    home = Path(texts.__file__).parent.parent
    known = {f"{section}.{key}" for section, entries in texts._read("en").items() for key in entries}
    asked = set()
    for path in (*home.glob("templates/*.html"), *home.glob("static/owner/*.js"), *home.glob("pages/*.py")):
        asked |= set(
            re.findall(
                r"""(?:say|words)\(["']((?:common|owner|login)\.[\w.-]+)["']\s*[,)]""", path.read_text("utf-8")
            )
        )
    assert len(asked) > 100
    assert asked <= known


def test_gaps_are_filled_and_markup_stays_text() -> None:
    words = say("de")
    assert words("owner.done.of", done=3, total="{done}") == "3 von {done}"
    assert words("owner.done.of", done=3) == "3 von {total}"
    assert words("no.such.key") == "no.such.key"


@pytest.mark.parametrize(
    ("cookie", "accepted", "lang"),
    [
        (None, None, "en"),
        ("de", "en", "de"),
        ("xx", "de-AT,en;q=0.8", "de"),
        (None, "fr-FR, fr;q=0.9, de;q=0.5, en;q=0.6", "en"),
        (None, "de;q=0, " * 500, "de"),
        (None, "de;q=nonsense, *, ;;;", "en"),
        ("../../etc", "\0", "en"),
    ],
)
def test_the_language_of_the_reader(cookie: str | None, accepted: str | None, lang: str) -> None:
    assert chosen(cookie, accepted) == lang


def test_unknown_languages_are_refused() -> None:
    with pytest.raises(UnknownName):
        say("../en")


def test_which_way_texts_run() -> None:
    assert [direction(lang) for lang in ("en", "ar", "he", "ar-EG", "xx", "")] == [
        "ltr",
        "rtl",
        "rtl",
        "rtl",
        "auto",
        "auto",
    ]
