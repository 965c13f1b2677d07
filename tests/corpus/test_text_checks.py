"""Texts that are not what they should be are noted, however the corpus is cut."""

from __future__ import annotations

from plainly import evaluate
from plainly.corpus import Corpus
from plainly.corpus.text_checks import TextChecks

SOURCES = ["1\tThe feline slept .", "2\tIt was late ."]
TOKENISED = "2 of 2 outputs of mine end in ' .': they look tokenised"
IDS = "sources begin with a number and a tab, as '1\\tThe feline slept .'"
BLANK = "1 blank references count as references"


def corpus() -> Corpus:
    return Corpus(SOURCES, [["A cat slept."], [" "]], {"mine": ["The cat slept .", "Late ."], "other": ["A.", "B ."]})


def texts(checks: TextChecks) -> list[str]:
    return [note.message.text() for note in checks.notes()]


def test_what_is_noted() -> None:
    checks = TextChecks()
    assert list(checks.watch([corpus()])) == [corpus()]
    tokenised, other, ids, blank = texts(checks)
    assert tokenised.startswith(TOKENISED)
    assert other.startswith("1 of 2 outputs of other end in ' .'")
    assert ids.startswith(IDS)
    assert blank == BLANK


def test_parts_in_order_say_what_the_whole_says() -> None:
    whole, parts = TextChecks(), TextChecks()
    whole.add(corpus())
    for piece in corpus().chunks(1):
        part = TextChecks()
        part.add(piece)
        parts.merge(part)
    assert parts == whole


def test_nothing_is_said_of_good_texts() -> None:
    checks = TextChecks()
    checks.add(Corpus(["The feline slept."], [["A cat slept."]], {"mine": ["The cat slept."]}))
    assert texts(checks) == []


def test_notebooks_hear_of_it() -> None:
    scores = evaluate(SOURCES, {"mine": ["The cat slept .", "Late ."]}, [["A cat slept."], [" "]], metrics=["sari"])
    said = [note.message.text() for note in scores.notes]
    assert said[0].startswith(TOKENISED)
    assert said[1].startswith(IDS)
    assert said[2] == BLANK
    assert BLANK in scores._repr_html_()
