"""The texts of an evaluation: the outputs of all systems, baselines too, and groups of segments by what is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.corpus import BASELINES, with_baselines

BANDS = 4
MOST_VALUES = 6  # the most frequent values of a field have a column of their own, the rest share one
REST = "all others"


def has_texts(corpus: Corpus) -> bool:
    """Whether there is anything to read: an evaluation that comes from a statistics folder has no texts."""
    columns = [corpus.sources, *corpus.outputs.values()]
    return any(text is not None for column in columns for text in column)


def corpora_of(corpus: Corpus, systems: Iterable[str]) -> dict[str, Corpus]:
    """For every system the corpus that has its outputs: `reference` is measured on one of its own."""
    wanted = list(systems)
    added = [name for name in wanted if name not in corpus.outputs]
    for name in added:
        if name not in BASELINES:
            raise PlainlyError(f"system {name!r} was scored, but the corpus has no outputs of it")
    homes = {name: part for part in with_baselines(corpus, added) for name in part.outputs}
    return {name: homes[name] for name in wanted}


def outputs_of(corpus: Corpus, systems: Iterable[str]) -> dict[str, Sequence[str | None]]:
    """The outputs of every system; texts of baselines are made here again."""
    return {name: home.output(name) for name, home in corpora_of(corpus, systems).items()}


@dataclass(frozen=True)
class Grouping:
    """A way to cut the test set into parts: `members[i]` says which segments belong to the part `names[i]`."""

    field: str
    title: str
    names: Sequence[str]
    members: Sequence[NDArray[np.bool_]]

    @property
    def width(self) -> int:
        """Pixels that the name of a part needs."""
        return max(48, *(min(110, 8 * len(name)) for name in self.names))


def source_words(corpus: Corpus) -> NDArray[np.int64]:
    """The number of words of each source: what stands between blanks."""
    return corpus.encoded("none", True).source.lengths


def by_source_length(corpus: Corpus) -> Grouping | None:
    """Bands of about as many segments each; None where all sources are of one length or there are none."""
    words = source_words(corpus)
    present = np.array([text is not None for text in corpus.sources], dtype=bool)
    if not present.any():
        return None
    edges = np.unique(np.quantile(words[present], np.linspace(0, 1, BANDS + 1), method="nearest"))
    if len(edges) < 3:
        return None
    names, members = [], []
    for low, high in pairwise([edges[0] - 1, *edges[1:]]):
        low = low + 1
        names.append(f"{low}–{high}" if low < high else f"{low}")
        members.append(present & (words >= low) & (words <= high))
    return Grouping("source length", "words of the source", names, members)


def by_fields(corpus: Corpus) -> Iterator[Grouping]:
    """One grouping a field of the records, the document first, where a field tells segments apart."""
    for field, values in fields(corpus).items():
        counts = Counter(value for value in values if value is not None)
        if len(counts) < 2 or max(counts.values()) < 2:
            continue  # one part only, or every segment for itself
        frequent = [value for value, _ in counts.most_common(MOST_VALUES)]
        names = [*frequent, *([REST] if len(counts) > MOST_VALUES else [])]
        placed = [None if value is None else value if value in frequent else REST for value in values]
        members = [np.array([value == name for value in placed], dtype=bool) for name in names]
        yield Grouping(field, field, names, members)


def fields(corpus: Corpus) -> dict[str, list[str | None]]:
    """The document and the metadata of each segment as text, field by field; what is no single value is left out."""
    columns: dict[str, list[str | None]] = {}
    if corpus.documents is not None and any(corpus.documents):
        columns["document"] = [None if document is None else str(document) for document in corpus.documents]
    if corpus.metadata is None:
        return columns
    names = dict.fromkeys(name for record in corpus.metadata for name in record)
    for name in names:
        values = [record.get(name) for record in corpus.metadata]
        if all(value is None or isinstance(value, str | int | float | bool) for value in values):
            columns[str(name)] = [None if value is None else str(value) for value in values]
    return columns
