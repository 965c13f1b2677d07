"""The corpus: sources, ragged references and the outputs of any number of systems, segment by segment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError
from plainly.corpus.encoded import EncodedCorpus

T = TypeVar("T")


@dataclass(frozen=True)
class Corpus:
    """A test set and what systems made of it. All sequences have one entry a segment.

    A segment may have any number of references, also none; `sources[i]` or an output may be None, which means
    "not there" and is not the same as "" (an empty text). What is not there is not scored, but counted.
    """

    sources: Sequence[str | None]
    references: Sequence[Sequence[str]] = ()
    outputs: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    ids: Sequence[str] | None = None
    documents: Sequence[str | None] | None = None
    metadata: Sequence[Mapping[str, Any]] | None = None
    lang: str = "en"
    _prepared: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _lock: Any = field(default_factory=RLock, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.references:
            object.__setattr__(self, "references", [()] * len(self.sources))
        self._check_lengths()

    def _check_lengths(self) -> None:
        n = len(self.sources)
        columns: dict[str, Sequence[Any] | None] = {
            "the references": self.references,
            **{f"the outputs of {name!r}": texts for name, texts in self.outputs.items()},
            "the ids": self.ids,
            "the documents": self.documents,
            "the metadata": self.metadata,
        }
        for name, column in columns.items():
            if column is not None and len(column) != n:
                hint = ""
                if name == "the references" and column and all(len(inner) == n for inner in column):
                    hint = (
                        f"; they look transposed: give one list of references a segment, "
                        f"list(zip(*references)), not {len(column)} lists of {n}"
                    )
                raise PlainlyError(f"there are {n} sources, but {name} have {len(column)} entries{hint}")

    def __reduce__(self) -> tuple[type[Corpus], tuple[Any, ...]]:
        """Sent to another process without what was prepared, which is soon built again."""
        columns = (self.sources, self.references, self.outputs, self.ids, self.documents, self.metadata, self.lang)
        return Corpus, columns

    def __len__(self) -> int:
        return len(self.sources)

    def slice(self, start: int, end: int) -> Corpus:
        """The segments start .. end - 1 as a corpus of their own."""
        part = slice(start, end)
        return Corpus(
            self.sources[part],
            self.references[part],
            {name: texts[part] for name, texts in self.outputs.items()},
            self.ids and self.ids[part],
            self.documents and self.documents[part],
            self.metadata and self.metadata[part],
            self.lang,
        )

    def chunks(self, size: int) -> Iterator[Corpus]:
        """The corpus in pieces of at most `size` segments."""
        if len(self) <= size:
            yield self
            return
        for start in range(0, len(self), size):
            yield self.slice(start, start + size)

    def with_outputs(self, outputs: Mapping[str, Sequence[str | None]]) -> Corpus:
        """The same test set with other outputs."""
        return Corpus(self.sources, self.references, outputs, self.ids, self.documents, self.metadata, self.lang)

    def output(self, system: str) -> Sequence[str | None]:
        """The outputs of one system."""
        return self.outputs[system]

    @cached_property
    def reference_counts(self) -> NDArray[np.int64]:
        """The number of references of each segment."""
        return np.fromiter(map(len, self.references), dtype=np.int64, count=len(self))

    @cached_property
    def reference_groups(self) -> NDArray[np.int64]:
        """Segment i has the references groups[i] .. groups[i + 1] - 1 of all references in a row."""
        return np.concatenate([[0], np.cumsum(self.reference_counts)])

    def encoded(self, tokenizer: str, lowercase: bool) -> EncodedCorpus:
        """All texts as token numbers; computed once for all metrics that share the settings."""
        return self.prepared(("encoded", tokenizer, lowercase), lambda: EncodedCorpus(self, tokenizer, lowercase))

    def forget_prepared(self) -> None:
        """Free what was prepared; it is built again if it is asked for again."""
        self._prepared.clear()

    def prepared(self, key: Any, build: Callable[[], T]) -> T:
        """What several metrics need and one of them has to compute: built at the first call, then kept."""
        with self._lock:
            if key not in self._prepared:
                self._prepared[key] = build()
            result: T = self._prepared[key]
        return result
