"""Features of a source and its output. Each function gives the value of a pair, NaN where it has none.

Words that are kept, added or deleted are counted as in a multiset: what is there twice can be kept twice.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isnan, nan

from plainly.metrics.linguistic import of_text
from plainly.metrics.linguistic.of_text import PARSED, ratio
from plainly.metrics.linguistic.table import SENTENCES, SOURCE, TOKENS, WORDS, feature
from plainly.metrics.linguistic.texts import Text, lemma_of
from plainly.models.parsers import DEPENDENCIES, LEMMAS

SEGMENTS = "share of the segments whose output has"


@feature("forms-kept", "Forms kept", "share of the output's tokens that the source has too", SOURCE, TOKENS)
def forms_kept(source: Text, output: Text) -> float:
    return ratio((source.forms & output.forms).total(), output.forms.total())


@feature("lemmas-kept", "Lemmas kept", "share of the output's tokens whose lemma the source has too", SOURCE, LEMMAS)
def lemmas_kept(source: Text, output: Text) -> float:
    return ratio((source.lemmas & output.lemmas).total(), output.lemmas.total())


@feature("lemmas-added", "Lemmas added", "share of the output's tokens whose lemma the source lacks", SOURCE, LEMMAS)
def lemmas_added(source: Text, output: Text) -> float:
    return ratio((output.lemmas - source.lemmas).total(), output.lemmas.total())


@feature(
    "lemmas-deleted", "Lemmas deleted", "share of the source's tokens whose lemma the output lacks", SOURCE, LEMMAS
)
def lemmas_deleted(source: Text, output: Text) -> float:
    return ratio((source.lemmas - output.lemmas).total(), source.lemmas.total())


@feature(
    "words-rewritten",
    "Words rewritten",
    "share of the output's tokens that are another form of a lemma of the source",
    SOURCE,
    LEMMAS,
)
def words_rewritten(source: Text, output: Text) -> float:
    new_forms, new_lemmas = output.forms - source.forms, output.lemmas - source.lemmas
    rewritten = 0
    for token in output.tokens:
        if new_forms[token.text] > 0:
            new_forms[token.text] -= 1
            lemma = lemma_of(token)
            if new_lemmas[lemma] > 0:
                new_lemmas[lemma] -= 1
            else:
                rewritten += 1
    return ratio(rewritten, len(output.tokens))


@feature(
    "lemma-overlap", "Lemma overlap", "different lemmas in both texts / different lemmas in either", SOURCE, LEMMAS
)
def lemma_overlap(source: Text, output: Text) -> float:
    first, second = ({lemma_of(token) for token in text.words} for text in (source, output))
    return ratio(len(first & second), len(first | second))


@feature("joined-share", "Sentences joined", f"{SEGMENTS} fewer sentences than the source", SOURCE, WORDS, SENTENCES)
def joined(source: Text, output: Text) -> float:
    return float(of_text.sentences(output) < of_text.sentences(source)) if output.plain_words else nan


@feature(
    "passive-to-active",
    "Passive to active",
    "of the segments whose source has a passive clause, the share whose output has none",
    SOURCE,
    *PARSED,
)
def passive_to_active(source: Text, output: Text) -> float:
    if not of_text.passive(source) > 0 or not output.tokens:
        return nan
    return float(not of_text.passive(output) > 0)


def reduced(name: str, title: str, which: str, need: str, measured: Callable[[Text], float]) -> None:
    """Declares the feature "1 if the output has less of something than its source, else 0"."""

    @feature(name, title, f"{SEGMENTS} {which} than the source", SOURCE, need)
    def holds(source: Text, output: Text) -> float:
        before, after = measured(source), measured(output)
        return nan if isnan(before) or isnan(after) else float(after < before)


reduced("height-reduced", "Parse height reduced", "a lower parse height", DEPENDENCIES, of_text.height)
reduced("word-length-reduced", "Word length reduced", "shorter words", WORDS, of_text.word_length)


@feature(
    "characters-removed",
    "Characters removed",
    "characters of the source less those of the output",
    SOURCE,
    range=(-inf, inf),
)
def characters_removed(source: Text, output: Text) -> float:
    return of_text.characters(source) - of_text.characters(output)
