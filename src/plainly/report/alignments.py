"""Which sentence became which, for segments that are documents: the links that the segment browser shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from plainly.corpus import Corpus
from plainly.text.alignment import align_sentences
from plainly.text.languages import get_language

MOST = 20_000  # sentences of sources, once for each system: beyond that, aligning would take longer than all the rest

Numbers = list[int]
Links = list[tuple[Numbers, Numbers]]  # sentences of the source and of the output, as numbers of texts


def aligned_sentences(
    corpus: Corpus, outputs: Mapping[str, Sequence[str | None]], number: Callable[[str], int]
) -> list[list[Links | None]] | None:
    """The links of every system and segment; None for a segment whose source is not several sentences.

    None at all where no source is, where the language has no sentence splitter, or where there are too many.
    """
    language = get_language(corpus.lang)
    if not language.sentence_source:
        return None
    split = language.split_sentences
    sources = [split(text or "") for text in corpus.sources]
    several = [len(sentences) if len(sentences) > 1 else 0 for sentences in sources]
    if not 0 < sum(several) * len(outputs) <= MOST:
        return None

    def links(source: list[str], text: str | None) -> Links | None:
        if len(source) < 2 or text is None:
            return None
        output = split(text)
        return [
            ([number(source[i]) for i in link.source], [number(output[j]) for j in link.output])
            for link in align_sentences(source, output, corpus.lang)
        ]

    return [[links(source, text) for source, text in zip(sources, texts, strict=True)] for texts in outputs.values()]
