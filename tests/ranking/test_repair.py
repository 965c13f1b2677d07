"""Formatting is mended, words are kept. Every expected text was written by hand."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainly.ranking.repair import RULES, repair, repaired

from ..cases import each

PIECES = (
    "-LRB- -rrb- `` '' &amp; &lt; amp; Ã © â€ ™ ï»¿ \x92 \x81 \ufeff @-@ \" ' n't 's i I . , ! ... a B ß İ ǆ ა \\/ "
    "É é \u0301 &#0; &#128; &nbsp; ( ) “ ’ 日"
)
BROKEN = st.sampled_from([*PIECES.split(" "), " ", "  ", "\n", "\u2028", " 's", " n't"])


@each(
    "text, mended",
    [
        ("He said `` no '' -LRB- twice -RRB- .", 'He said "no" (twice).'),
        ("he wrote -lsb- sic -rsb- , once", "He wrote [sic], once"),
        ("An ` old ' bell , a ` ` new '' one", "An 'old' bell, a \"new\" one"),
        ("A &amp;amp; B cost &lt; 5 &quot;crowns&quot;", 'A & B cost < 5 "crowns"'),
        ("A well @-@ known 1 @,@ 000 m race and\\/or walk", "A well-known 1,000 m race and/or walk"),
        ("The cafÃ© isnâ€™t open", "The café isn't open"),
        ("Twice broken: cafÃƒÂ©", "Twice broken: café"),
        ("Windows quotes \x93here\x94", 'Windows quotes "here"'),
        ("“Well,” she said, ‘fine’", "\"Well,\" she said, 'fine'"),
        ("It  was\tlate ; we left !", "It was late; we left!"),
        ('The " old " house', 'The "old" house'),
        ("They do n't know the dogs ' names", "They don't know the dogs' names"),
        ("she 's here and we 're late", "She's here and we're late"),
        ("the river is long . it flows north .", "The river is long. It flows north."),
        ("when i left, i'm sure it rained", "When I left, I'm sure it rained"),
        ("THE RIVER IS VERY LONG. IT FLOWS NORTH.", "The river is very long. It flows north."),
        ("Use .NET or .5 litres :-)", "Use .NET or .5 litres :-)"),
        ("iPhone sales rose.", "iPhone sales rose."),
        ("NASA landed.", "NASA landed."),
        ("see e.g. the map", "See e.g. the map"),
        ("\x07A bell", "A bell"),
        ("სახლი დიდია.", "სახლი დიდია."),
        ("家は大きい。", "家は大きい。"),
        ("", ""),
    ],
)
def test_mended(text: str, mended: str) -> None:
    assert repair(text) == mended


def test_french_keeps_its_spaces() -> None:
    assert repair("Quoi ? Oui , non !", "fr") == "Quoi ? Oui, non !"
    assert repair("« Quoi »", "fr") == "« Quoi »"


@pytest.mark.parametrize("piece", ["&amp;", "amp;", "a. ", "Ãƒ", "``", " ,", "( ", " n't", '" '])
def test_long_texts_take_no_longer_than_they_are(piece: str) -> None:
    """A hundred thousand characters in a second or two; were the time quadratic, it would be minutes."""
    text = "&" + piece * (100_000 // len(piece))
    assert len(repair(text)) <= len(text)


def test_says_which_rules_were_needed() -> None:
    assert repaired("A bell.").rules == ()
    found = [repaired("a bell ."), repaired("The “bell”")]
    assert found[0].rules == ("spacing", "capitals")
    assert found[1].rules == ("quotes",)


@settings(max_examples=3 * settings.default.max_examples)
@given(st.one_of(st.text(), st.lists(BROKEN).map("".join)), st.sampled_from(["en", "de", "fr", "tr"]))
def test_mended_texts_stay_as_they_are(text: str, lang: str) -> None:
    once = repair(text, lang)
    assert repair(once, lang) == once
    assert repaired(once, lang).rules == ()


@given(st.text(st.characters(categories=["Lo", "Nd", "Mn", "So"], exclude_characters="Â"), max_size=60))
def test_any_script_is_kept(text: str) -> None:
    """Letters without case, digits, marks and signs, between blanks at most: not one is lost."""
    assert repair(text) == text


@given(
    st.text(st.characters(categories=["Lu", "Ll", "Zs"], max_codepoint=0x24F, exclude_characters="ÂÃÄÅ"), max_size=60)
)
def test_letters_are_kept_but_for_their_case(text: str) -> None:
    def letters(written: str) -> list[str]:
        """Without case: a dotless i has the capital of an i."""
        return [unicodedata.normalize("NFKC", c.upper().casefold()) for c in written if c.isalpha()]

    assert letters(repair(text)) == letters(text)


def test_every_rule_alone_is_idempotent_on_an_example() -> None:
    for name, rule in RULES.items():
        once = rule("cafÃ© `` a '' “b” ( c ) .", "en")
        assert rule(once, "en") == once, name
