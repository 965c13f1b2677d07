"""docs/catalogue.md names every test set and says what is true today."""

from __future__ import annotations

from catalogue_page import PAGE, with_current_part

from plainly.cli.parser import build_parser
from plainly.corpus.catalogue import info, names
from plainly.corpus.catalogue.entries import KINDS, ROLES
from plainly.corpus.catalogue.fetching import MIRROR
from plainly.corpus.catalogue.store import FOLDER


def test_the_generated_part_is_current() -> None:
    text = PAGE.read_text("utf-8")
    assert text == with_current_part(text), "stale; run: python tests/catalogue/catalogue_page.py"


def test_every_set_and_its_licence_is_on_the_page() -> None:
    text = PAGE.read_text("utf-8")
    for name in names():
        assert f"\n## {name}\n" in text
        assert info(name).licence.terms in text


def test_every_action_option_and_variable_is_explained() -> None:
    text = PAGE.read_text("utf-8").partition("<!--")[0]
    data = build_parser()._subparsers._group_actions[0].choices["data"]  # type: ignore[union-attr,index]
    for action, parser in data._subparsers._group_actions[0].choices.items():
        assert f"plainly data {action}" in text
        for option in parser._option_string_actions:
            assert option in ("-h", "--help") or option in text
    assert all(f"`{word}`" in text for word in (*ROLES, *KINDS, FOLDER, MIRROR))
