"""What does each system do, beside what the references do? Which operations explain its score? Show me some.

A profile gathers the annotations of a corpus: of its outputs and of its references, each pair marked by its origin.
They come from people or from the tagger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from plainly.base.errors import PlainlyError
from plainly.base.groups import grouped
from plainly.base.messages import message
from plainly.corpus import Corpus
from plainly.inference.resampling import Resampling
from plainly.metrics import Metric
from plainly.operations.annotated_set import AnnotatedSet
from plainly.operations.annotations import AnnotatedPair, Group
from plainly.operations.correlation import Finding, findings, observe
from plainly.operations.reference_tags import REFERENCES as REFERENCES
from plainly.operations.reference_tags import Watch, annotated, reference_tags
from plainly.operations.shares import Counts, Frequency, frequencies
from plainly.operations.tagger import Tagger, tokens
from plainly.operations.typology import Typology, assetann


@dataclass(frozen=True)
class Doing:
    """What one system does, or what the references do: how common each operation is among its pairs."""

    origin: str
    pairs: int
    erroneous: int
    operations: Mapping[str, Frequency]
    found: Mapping[int, frozenset[str]]
    """By segment: the operations that occur in it."""


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
    resampling: Resampling
    runs: Mapping[str, Sequence[str]]
    """Of systems that ran several times: their runs, each of which has a doing of its own."""

    @property
    def operations(self) -> list[str]:
        """Those that occur, the most common of the systems first."""
        total = {
            name: sum(doing.operations[name].pairs.count for doing in self.doings)
            for name in self.typology.operations
        }
        return sorted((name for name, count in total.items() if count), key=lambda name: -total[name])


def tagged(
    corpus: Corpus, tagger: Tagger, *, in_catalogue: bool = False, watch: Watch | None = None
) -> list[AnnotatedPair]:
    """The outputs of all systems, then the references, as annotated pairs; what is missing gives no pair.

    Tags of references are kept, see `reference_tags`; `in_catalogue` where they are those of a published test set.
    """
    found = tagged_outputs(corpus, tagger, watch)
    return [*found, *reference_tags(corpus, tagger, in_catalogue=in_catalogue, watch=watch).pairs]


def profile_of(
    corpus: Corpus,
    tagger: Tagger,
    metrics: Sequence[Metric],
    resampling: Resampling,
    *,
    in_catalogue: bool = False,
    watch: Watch | None = None,
) -> Profile:
    """What the tagger finds in the outputs and references of a corpus; intervals draw whole sources."""
    pairs = tagged(corpus, tagger, in_catalogue=in_catalogue, watch=watch)
    return profile(pairs, corpus, metrics, resampling=replace(resampling, method="percentile", unit="source"))


def tagged_outputs(corpus: Corpus, tagger: Tagger, watch: Watch | None = None) -> list[AnnotatedPair]:
    """The outputs of all systems as annotated pairs."""
    outputs = list(_outputs(corpus))
    what = message("operations.tagging-outputs", "tagging {count:,} outputs with {tagger}", count=len(outputs))
    return annotated(outputs, tagger, what, watch)


def _outputs(corpus: Corpus) -> Iterator[AnnotatedPair]:
    for number, source in enumerate(corpus.sources):
        if source is None:
            continue
        own = tokens(source, corpus.lang)
        for name, texts in corpus.outputs.items():
            text = texts[number]
            if text is not None:
                yield AnnotatedPair(str(number), own, tokens(text, corpus.lang), (), name)


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
        resampling,
        corpus.runs,
    )


def _doing(origin: str, pairs: Sequence[AnnotatedPair], typology: Typology, resampling: Resampling) -> Doing:
    counts = Counts(pairs, typology)
    common = {found.name: found for found in frequencies(counts, counts.labels, resampling)}
    found: dict[int, frozenset[str]] = {}
    for pair in pairs:
        own = frozenset(typology.get(label).name for label in pair.labels)
        found[int(pair.id)] = found.get(int(pair.id), frozenset()) | own
    return Doing(origin, len(pairs), sum(pair.erroneous for pair in pairs), common, found)


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
