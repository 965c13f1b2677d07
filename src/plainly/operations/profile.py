"""What does each system do, beside what the references do? Which operations explain its score? Show me some.

A profile gathers the annotations of a corpus: of its outputs and of its references, each pair marked by its origin.
They come from people or from the tagger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plainly.base.errors import PlainlyError
from plainly.base.groups import grouped
from plainly.corpus import Corpus
from plainly.inference.resampling import Resampling
from plainly.metrics import Metric
from plainly.operations.annotated_set import AnnotatedSet
from plainly.operations.annotations import AnnotatedPair, Group
from plainly.operations.correlation import Finding, findings, observe
from plainly.operations.shares import Counts, Frequency, frequencies
from plainly.operations.tagger import Labeller, annotate, tokens
from plainly.operations.typology import Typology, assetann

REFERENCES = "references"


@dataclass(frozen=True)
class Doing:
    """What one system does, or what the references do: how common each operation is among its pairs."""

    origin: str
    pairs: int
    erroneous: int
    operations: Mapping[str, Frequency]


@dataclass(frozen=True)
class Example:
    """One operation in its pair."""

    pair: AnnotatedPair
    group: Group


@dataclass(frozen=True)
class Profile:
    """The whole picture; `explained` is empty where no metric could be held against the operations."""

    doings: Sequence[Doing]
    explained: Sequence[Finding]
    examples: Mapping[str, Sequence[Example]]
    typology: Typology
    annotators: Sequence[str]

    @property
    def operations(self) -> list[str]:
        """Those that occur, the most common of the systems first."""
        total = {
            name: sum(doing.operations[name].pairs.count for doing in self.doings)
            for name in self.typology.operations
        }
        return sorted((name for name, count in total.items() if count), key=lambda name: -total[name])


def tagged(corpus: Corpus, labeller: Labeller, tokenized: bool = False) -> list[AnnotatedPair]:
    """The outputs of all systems, then the references, as annotated pairs; what is missing gives no pair."""
    found = []
    for i, source in enumerate(corpus.sources):
        if source is None:
            continue
        texts = [(name, outputs[i]) for name, outputs in corpus.outputs.items()]
        texts += [(REFERENCES, reference) for reference in corpus.references[i]]
        own = tokens(source, corpus.lang, tokenized=tokenized)
        found += [
            AnnotatedPair(str(i), own, tokens(text, corpus.lang, tokenized=tokenized), (), origin)
            for origin, text in texts
            if text is not None
        ]
    return list(annotate(found, labeller, corpus.lang))


def profile(
    pairs: Sequence[AnnotatedPair],
    corpus: Corpus,
    metrics: Sequence[Metric] = (),
    typology: Typology | None = None,
    resampling: Resampling | None = None,
    most: int = 3,
) -> Profile:
    """What the annotated pairs of a corpus say. The id of a pair is the number of its segment, from 0."""
    typology, resampling = typology or assetann(), resampling or Resampling()
    by_origin = grouped(pairs, lambda pair: pair.origin)
    if not by_origin:
        raise PlainlyError("there is nothing to show: no annotated pairs")
    doings = [_doing(origin, own, typology, resampling) for origin, own in by_origin.items()]
    outputs = [pair for pair in pairs if pair.origin != REFERENCES]
    return Profile(
        doings,
        _explained(outputs, corpus, metrics, typology, resampling),
        {name: _examples(outputs, name, most) for name in typology.operations},
        typology,
        list(dict.fromkeys(pair.annotator for pair in pairs)),
    )


def _doing(origin: str, pairs: Sequence[AnnotatedPair], typology: Typology, resampling: Resampling) -> Doing:
    counts = Counts(pairs, typology)
    common = {found.name: found for found in frequencies(counts, counts.labels, resampling)}
    return Doing(origin, len(pairs), sum(pair.erroneous for pair in pairs), common)


def _explained(
    outputs: Sequence[AnnotatedPair],
    corpus: Corpus,
    metrics: Sequence[Metric],
    typology: Typology,
    resampling: Resampling,
) -> list[Finding]:
    """How the scores of single outputs go with what was done in them, over all systems."""
    if not metrics or not any(pair.operations for pair in outputs):
        return []
    by_segment = grouped(outputs, lambda pair: int(pair.id))
    data = AnnotatedSet(
        ids=tuple(map(str, by_segment)),
        sources=tuple(corpus.sources[i] or "" for i in by_segment),
        targets=tuple(tuple(corpus.outputs[pair.origin][i] or "" for pair in own) for i, own in by_segment.items()),
        pairs=tuple(map(tuple, by_segment.values())),
        lang=corpus.lang,
    )
    references = [corpus.references[i] for i in by_segment]
    observed = observe(data, metrics, references=references, typology=typology, components=())
    return findings(observed, resampling=resampling)


def _examples(pairs: Iterable[AnnotatedPair], label: str, most: int) -> list[Example]:
    """The surest ones, as far as possible of different systems."""
    found = [Example(pair, group) for pair in pairs for group in pair.operations if group.label == label]
    found.sort(key=lambda example: -(example.group.confidence or 0))
    chosen: list[Example] = []
    while found and len(chosen) < most:
        seen = {example.pair.origin for example in chosen}
        best = next((example for example in found if example.pair.origin not in seen), found[0])
        chosen.append(best)
        found.remove(best)
    return chosen
