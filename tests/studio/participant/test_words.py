"""Every text that the participants' page asks for is there, in every language, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plainly.studio.texts import languages, say

STUDIO = Path(__file__).parents[3] / "src" / "plainly" / "studio"
MADE_UP = {"unsent", "unsent_one", "kept", "kept_one"}
"""Whose keys a script puts together."""


@pytest.mark.parametrize("lang", languages())
def test_words_of_participants(lang: str) -> None:
    files = [STUDIO / "templates" / "participant.html", STUDIO / "pages" / "participant.py"]
    files += [STUDIO / "static" / "participant.js", *(STUDIO / "static" / "participant").glob("*.js")]
    used = {key for path in files for key in re.findall(r"participant\.([a-z_]+)[\"']", path.read_text("utf-8"))}
    assert used - {"html", "js", "css"} | MADE_UP == set(say(lang).section("participant"))


def test_placeholders_are_filled_in() -> None:
    script = (STUDIO / "static" / "participant.js").read_text("utf-8")
    script += (STUDIO / "static" / "participant" / "welcome.js").read_text("utf-8")
    for key, text in say("en").section("participant").items():
        for name in re.findall(r"\{(\w+)\}", text):
            assert re.search(rf"\{{ {name}\b", script), f"{key} needs {name}"
