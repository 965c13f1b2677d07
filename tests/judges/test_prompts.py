"""Prompts: the texts stand in their places and cannot break out of them, and versions are signed."""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.judges import Profile, get_prompt, question
from plainly.judges.answers import choice
from plainly.judges.prompts import fenced

# The first digits of the SHA-256 of each prompt. A prompt that changes needs a new version, and then a new line here.
PUBLISHED = {
    ("assessment", 1): "2be75460ec7e",
    ("pairwise", 1): "705abaef34c8",
    ("rank-all", 1): "8e0c3119cac7",
    ("reader", 2): "8c48a4b06943",
    ("score", 1): "c47c27984586",
    ("pairwise-de", 1): "22c77abf09ce",
    ("score-de", 1): "2a7a764a346c",
    ("rank-all-de", 1): "46e12388fa5d",
}


@pytest.mark.parametrize(("name", "version"), PUBLISHED)
def test_a_prompt_does_not_change_without_a_new_version(name: str, version: int) -> None:
    content = (files("plainly.judges") / "prompts" / f"{name}.toml").read_bytes()
    assert f"\nversion = {version}\n".encode() in content
    assert sha256(content).hexdigest()[:12] == PUBLISHED[name, version]


def test_every_prompt_is_published() -> None:
    names = {entry.name for entry in (files("plainly.judges") / "prompts").iterdir()}
    assert names == {f"{name}.toml" for name, _ in PUBLISHED}


def test_texts_stand_in_their_places() -> None:
    asked = question(get_prompt("pairwise"), {"first": "$second {0} %s", "second": "Zwei"}, choice("AB"))
    assert '\nText A:\n"""\n$second {0} %s\n"""\n\nText B:\n"""\nZwei\n"""\n' in asked.user
    assert asked.messages(0)[0]["role"] == "system"
    assert asked.messages(1)[1]["content"] == f"{asked.user}\n\n{asked.again}"


@given(st.text(alphabet='"\nab', max_size=40))
def test_no_text_ends_its_own_quotation(text: str) -> None:
    fence, *middle, last = fenced(text).split("\n")
    assert fence == last
    assert set(fence) == {'"'}
    assert len(fence) >= 3
    assert fence not in "\n".join(middle)
    assert "\n".join(middle) == text


def test_what_is_not_given_is_not_said() -> None:
    plain = question(get_prompt("pairwise"), {"first": "a", "second": "b"}, choice("AB"))
    reader = Profile(topic="law", level="B1", age=12)
    told = question(get_prompt("pairwise"), {"first": "a", "second": "b"}, choice("AB"), reader=reader)
    assert "reader" not in plain.system
    assert told.system.endswith(plain.system)
    for part in ("expert on this topic: law.", "B1.", "12 years old."):
        assert part in told.system
    assert "years" not in Profile(topic="law").text()
    assert str(reader) == "expert on law, level B1, age 12"
    assert reader.signed() == {"reader": "expert on law, level B1, age 12 (reader-2)"}
    assert Profile().signed() == {}


@pytest.mark.parametrize("wrong", [{"topic": "a\nb"}, {"level": "x" * 201}, {"age": 2}, {"age": 1000}])
def test_what_is_no_reader(wrong: dict[str, object]) -> None:
    with pytest.raises(PlainlyError, match="the reader's"):
        Profile(**wrong)  # type: ignore[arg-type]
