"""Features of a source and its output. Each function gives the value of a pair, NaN where it has none.

Words that are kept, added or deleted are counted as in a multiset: what is there twice can be kept twice.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, nan

from plainly.metrics.linguistic import of_text
from plainly.metrics.linguistic.of_text import ratio
from plainly.metrics.linguistic.texts import Text, lemma_of


def forms_kept(source: Text, output: Text) -> float:
    return ratio((source.forms & output.forms).total(), output.forms.total())


def lemmas_kept(source: Text, output: Text) -> float:
    return ratio((source.lemmas & output.lemmas).total(), output.lemmas.total())


def lemmas_added(source: Text, output: Text) -> float:
    return ratio((output.lemmas - source.lemmas).total(), output.lemmas.total())


def lemmas_deleted(source: Text, output: Text) -> float:
    return ratio((source.lemmas - output.lemmas).total(), source.lemmas.total())


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


def lemma_overlap(source: Text, output: Text) -> float:
    first, second = ({lemma_of(token) for token in text.words} for text in (source, output))
    return ratio(len(first & second), len(first | second))


def fewer(measured: Callable[[Text], float]) -> Callable[[Text, Text], float]:
    """The feature "1 if the output has less of something than its source, else 0"."""

    def holds(source: Text, output: Text) -> float:
        before, after = measured(source), measured(output)
        return nan if isnan(before) or isnan(after) else float(after < before)

    return holds


height_reduced = fewer(of_text.height)
word_length_reduced = fewer(of_text.word_length)


def joined(source: Text, output: Text) -> float:
    return float(of_text.sentences(output) < of_text.sentences(source)) if output.plain_words else nan


def passive_to_active(source: Text, output: Text) -> float:
    if not of_text.passive(source) > 0 or not output.tokens:
        return nan
    return float(not of_text.passive(output) > 0)


def characters_removed(source: Text, output: Text) -> float:
    return of_text.characters(source) - of_text.characters(output)
