"""Tags pairs of texts: align, label, group by rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plainly.operations.annotations import AnnotatedPair, Group
from plainly.operations.tagger.alignment import aligned
from plainly.operations.tagger.constraints import Constraints
from plainly.operations.tagger.grouping import group
from plainly.operations.tagger.labeller import Labeller, Pair
from plainly.operations.tagger.lexicon import words_of
from plainly.text.languages import get_language
from plainly.text.tokenizers import get_tokenizer

BATCH = 256  # pairs that are labelled at once


def tag(pairs: Sequence[Pair], labeller: Labeller, lang: str = "en") -> Iterator[tuple[Group, ...]]:
    """The groups of each pair of tokenised texts, in order."""
    lang = get_language(lang).code
    for start in range(0, len(pairs), BATCH):
        batch = pairs[start : start + BATCH]
        for pair, labelled in zip(batch, labeller.label(batch), strict=True):
            constraints = Constraints(pair, words_of(lang), labeller.meaning)
            yield group(labelled, aligned(*pair, lang), labeller.threshold, constraints)


def annotate(pairs: Sequence[AnnotatedPair], labeller: Labeller, lang: str = "en") -> Iterator[AnnotatedPair]:
    """The same pairs with the tagger's groups in the place of their own, and its name as annotator."""
    tagged = tag([(pair.source, pair.target) for pair in pairs], labeller, lang)
    for pair, groups in zip(pairs, tagged, strict=True):
        yield AnnotatedPair(pair.id, pair.source, pair.target, groups, pair.origin, labeller.name)


def tokens(text: str, lang: str, *, tokenized: bool = False) -> tuple[str, ...]:
    """The tokens of a text, by the language's tokeniser, or at white space if the text is tokenised already."""
    if tokenized:
        return tuple(text.split())
    language = get_language(lang)
    return tuple(get_tokenizer(language.tokenizer).tokens(text, lang=language.code))
