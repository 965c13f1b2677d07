"""Participants get the words that their page shows, and no word on how they are checked."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plainly.studio import kinds
from plainly.studio.kinds import get_kind
from plainly.studio.texts import languages, say

HOME = Path(kinds.__file__).parent
FOR_OWNERS = ("file", "option", "flag", "odd", "summary", "figure", "table", "column", "picture", "note")


def asked(kind: str) -> tuple[set[str], list[re.Pattern[str]]]:
    """Keys that the scripts of a kind name, and patterns of those that they put together."""
    script = "".join(path.read_text("utf-8") for path in (HOME / kind).glob("*.js"))
    whole = set(re.findall(rf"""["']{kind}\.([\w.-]+)["']""", script))
    made = re.findall(rf"`{kind}\.([^`]*)`", script)
    patterns = [re.compile(re.sub(r"\\\$\\\{.*?\\\}", r"[\\w.-]*", re.escape(each))) for each in made]
    return whole, patterns


@pytest.mark.parametrize("name", kinds.KINDS)
@pytest.mark.parametrize("lang", languages())
def test_what_pages_get_is_what_they_ask_for(name: str, lang: str) -> None:
    sent = say(lang).part(name, get_kind(name).page_texts)
    whole, patterns = asked(name)
    assert whole - set(sent) == set()
    for pattern in patterns:
        assert any(pattern.fullmatch(key) for key in sent), pattern.pattern
    for key in (key.removesuffix(".one") for key in sent):
        assert key in whole or any(pattern.fullmatch(key) for pattern in patterns), key


@pytest.mark.parametrize("name", kinds.KINDS)
def test_nothing_for_owners_is_sent(name: str) -> None:
    sent = say("en").part(name, get_kind(name).page_texts)
    assert [key for key in sent if key.split(".")[0] in FOR_OWNERS] == []
    words = json.dumps(dict(sent)).lower()
    assert "attention" not in words
    assert "participant" not in words
