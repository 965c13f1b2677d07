"""Metrics of sentences, computed over the aligned sentences of documents and added up.

Output and references are aligned with the source (`plainly.text.alignment`). Sentences of the source that any of
these alignments merges form one group; every other sentence of the source is a group of its own. A sentence of the
output or of a reference belongs to the group that it is linked to; an inserted one to that of the sentence before it.
So the groups hold all of the text, each sentence once. A group is scored like a segment: n-grams never reach from one
group into the next. The statistics of a document are the sums over its groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import ClassVar, NamedTuple

import numpy as np

from plainly.base.signature import Signed
from plainly.corpus import Corpus
from plainly.metrics.base import Array, Facts, Metric, Score, scored, with_scored
from plainly.metrics.bleu import Bleu
from plainly.metrics.readability.formula import SPLIT
from plainly.metrics.sari import Sari
from plainly.metrics.settings import SENTENCES, lowercase_setting, signature_fields, tokenizer_setting
from plainly.text.alignment import ALIGNER, Link, align_sentences
from plainly.text.languages import get_language

PAPER = "plainly's own, after Maddela and Alva-Manchego 2025, Adapting Sentence-level Automatic Metrics, NAACL"


@dataclass(frozen=True, kw_only=True)
class Aligned(Metric):
    """A metric of sentences over groups of aligned sentences; a segment is a document."""

    languages = SPLIT
    also_signed: ClassVar[Mapping[str, Signed]] = {
        "sentences": SENTENCES,
        "alignment": Signed("[how sentences were aligned](documents.md#the-alignment)"),
    }

    tokenizer: str = tokenizer_setting()
    lowercase: bool = lowercase_setting()

    of_sentences: ClassVar[type[Sari | Bleu]]

    @property
    def inner(self) -> Metric:
        """The metric of sentences."""
        return self.of_sentences(lang=self.lang, tokenizer=self.tokenizer, lowercase=self.lowercase)

    def settings(self) -> dict[str, str]:
        splitter = get_language(self.lang).sentence_source
        return {**self.inner.settings(), **super().settings(), "sentences": splitter, "alignment": ALIGNER}

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.inner.columns, "groups")

    def measure(self, corpus: Corpus, system: str) -> Array:
        present = scored(corpus, system, self.facts.needs)
        documents = np.flatnonzero(present)
        groups, counts = corpus.prepared(
            ("aligned groups", system, self.lang),
            partial(_groups, corpus, system, documents.tolist(), self.lang),
        )
        statistics = np.zeros((len(corpus), len(self.columns) - 1))
        if len(documents):
            starts = [0, *accumulate(counts)][:-1]
            statistics[documents, :-1] = np.add.reduceat(self.inner.measure(groups, system)[:, 1:], starts, axis=0)
            statistics[documents, -1] = counts
        return with_scored(present, statistics)

    def score(self, totals: Array) -> Score:
        inner = self.inner.score(totals[..., :-1])
        return Score(inner.value, {**inner.components, "groups": totals[..., -1]})


def _facts(name: str) -> Facts:
    return Facts(
        title=f"Aligned {name}",
        about=f"{name} over aligned sentences of documents, added up; a segment is a document",
        direction="higher",
        range=(0.0, 100.0),
        needs=frozenset({"source", "references", "language"}),
        paper=PAPER,
    )


class AlignedSari(Aligned):
    name = "aligned-sari"
    facts = _facts("SARI")
    also_signed: ClassVar = signature_fields(Sari)
    of_sentences = Sari


class AlignedBleu(Aligned):
    name = "aligned-bleu"
    facts = _facts("BLEU")
    also_signed: ClassVar = signature_fields(Bleu)
    of_sentences = Bleu


class _Text(NamedTuple):
    """The sentences of an output or a reference, and their links to those of the source."""

    sentences: list[str]
    links: list[Link]


def _groups(corpus: Corpus, system: str, documents: Sequence[int], lang: str) -> tuple[Corpus, list[int]]:
    """The groups of some documents as a corpus of their own, and how many groups each document has."""
    split = get_language(lang).split_sentences

    def aligned(i: int, text: str) -> _Text:
        sentences = split(text)
        return _Text(sentences, align_sentences(sources[i], sentences, lang))

    sources = corpus.prepared(("sentences of sources", lang), lambda: [split(text or "") for text in corpus.sources])
    references = corpus.prepared(
        ("aligned references", lang),
        lambda: [[aligned(i, text) for text in group] for i, group in enumerate(corpus.references)],
    )
    outputs = corpus.output(system)
    counts = []
    groups: list[tuple[str, ...]] = []  # source, output, references
    for i in documents:
        found = _grouped(sources[i], [aligned(i, outputs[i] or ""), *references[i]])
        counts.append(len(found))
        groups += found
    parts = Corpus(
        [group[0] for group in groups],
        [group[2:] for group in groups],
        {system: [group[1] for group in groups]},
        lang=corpus.lang,
    )
    return parts, counts


def _grouped(source: Sequence[str], texts: Sequence[_Text]) -> list[tuple[str, ...]]:
    """The groups of one document: the source and each of the texts, cut at the same places."""
    homes = _homes(len(source), [link for text in texts for link in text.links])
    sides = [_by_group(source, homes, homes)]
    for text in texts:
        placed: dict[int, int] = {}  # sentence -> group
        home = 0
        for link in text.links:
            home = homes[link.source[0]] if link.source else home
            placed |= dict.fromkeys(link.output, home)
        sides.append(_by_group(text.sentences, [placed[j] for j in range(len(text.sentences))], homes))
    return list(zip(*sides, strict=True))


def _homes(sources: int, links: Sequence[Link]) -> list[int]:
    """The group of each sentence of the source, named by its first sentence; a source without any is one group."""
    homes = list(range(max(sources, 1)))
    for link in links:
        if len(link.source) > 1:
            merged = {homes[i] for i in link.source}
            homes = [min(merged) if home in merged else home for home in homes]
    return homes


def _by_group(sentences: Sequence[str], groups: Sequence[int], homes: Sequence[int]) -> list[str]:
    """The text of each group, in the order of the groups."""
    texts: dict[int, list[str]] = {home: [] for home in sorted(set(homes))}
    for sentence, group in zip(sentences, groups, strict=False):  # an empty source still has a group
        texts[group].append(sentence)
    return [" ".join(part) for part in texts.values()]
