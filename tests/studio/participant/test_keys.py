"""Every text that scripts, templates and Python ask for is there. Where a key is put together, one that fits is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from plainly.studio import texts
from plainly.studio.kinds import KINDS, get_kind

from ...cases import each

STUDIO = Path(texts.__file__).parent.parent
FILES = [path for ending in ("py", "js", "html") for path in sorted(STUDIO.rglob(f"*.{ending}"))]
SECTIONS = texts._read("en")
KNOWN = {f"{section}.{key}" for section, entries in SECTIONS.items() for key in entries}
CALL = re.compile(r"\b(?:say|speaker|words)\(")
PIECE = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|`[^`]*`|.', re.DOTALL)
GAP = re.compile(r"\$?\{[^{}]*\}")


def first_argument(code: str, start: int) -> Iterator[str]:
    """The strings in it. It ends with a comma or a bracket, but not with one inside a string or other brackets."""
    depth = 0
    for piece in PIECE.finditer(code, start):
        found = piece[0]
        if len(found) > 1:
            yield found[1:-1]
        elif found in "([{":
            depth += 1
        elif found in ")]}" or (found == "," and not depth):
            if not depth:
                return
            depth -= 1


def asked(code: str) -> Iterator[str]:
    """The keys of all calls, with * for what is filled in."""
    for call in CALL.finditer(code):
        for written in first_argument(code, call.end()):
            if re.match(r"[a-z]+\.\S+$", written) and written.partition(".")[0] in SECTIONS:
                yield GAP.sub("*", written) + ("*" if written.endswith(".") else "")


def is_known(key: str) -> bool:
    return key in KNOWN or ("*" in key and any(fnmatchcase(known, key) for known in KNOWN))


def test_keys_are_found() -> None:
    code = """
        say("common.save"); page.say(done ? "ranking.tie" : 'ranking.skip', { key: "common.no" });
        say(f"ranking.flag.{why}") + say(`operations.label.${label.name}`) + say(map["ranking.csv"], x)
    """
    assert list(asked(code))[:5] == [
        "common.save",
        "ranking.tie",
        "ranking.skip",
        "ranking.flag.*",
        "operations.label.*",
    ]
    assert is_known("ranking.flag.*")
    assert not is_known("ranking.flags.*")
    assert not is_known("operations.closed")


@each("path", FILES)
def test_every_text_that_is_asked_for_is_there(path: Path) -> None:
    assert [key for key in asked(path.read_text("utf-8")) if not is_known(key)] == []


def test_that_is_most_of_them() -> None:
    found = {key for path in FILES for key in asked(path.read_text("utf-8"))}
    reached = {key for key in KNOWN if any(fnmatchcase(key, asked_for) for asked_for in found)}
    assert len(found) > 400
    assert len(reached) > 0.8 * len(KNOWN)


@pytest.mark.parametrize("name", KINDS)
def test_the_browser_gets_every_text_of_a_kind_that_its_page_asks_for(name: str) -> None:
    first = set(get_kind(name).page_texts)
    for path in sorted((STUDIO / "kinds" / name).glob("*.js")):
        keys = [key.removeprefix(f"{name}.") for key in asked(path.read_text("utf-8")) if key.startswith(f"{name}.")]
        words = {re.split("[._-]", key)[0] for key in keys}
        assert words - {"*"} <= first, path.name
