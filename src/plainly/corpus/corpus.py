"""The corpus: sources, ragged references and the outputs of any number of systems, segment by segment.

Beside it: its texts as token numbers, which the compiled kernels work on, and baselines, what anybody can do without
a simplification system. A score means little without them:

identity         the source, unchanged
truncate         the first 80 % of the blank-separated words of the source, and a full stop
reference        the first reference, scored against the other references of its segment
first-reference  the first reference, scored against all references, itself among them, as EASSE's reports do
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from threading import RLock
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from plainly._kernels import NgramIndex, Vocabulary
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.references import References
from plainly.text.tokenizers import get_tokenizer

T = TypeVar("T")
REFERENCE = "reference"
FIRST_REFERENCE = "first-reference"
BASELINES = ("identity", "truncate", REFERENCE, FIRST_REFERENCE)


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
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of systems that ran several times: the names of their runs among the outputs."""
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
        columns = (self.sources, self.references, self.outputs, self.ids, self.documents, self.metadata)
        return Corpus, (*columns, self.lang, self.runs)

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
            self.runs,
        )

    def chunks(self, size: int) -> Iterator[Corpus]:
        """The corpus in pieces of at most `size` segments."""
        if len(self) <= size:
            yield self
            return
        for start in range(0, len(self), size):
            yield self.slice(start, start + size)

    def with_outputs(self, outputs: Mapping[str, Sequence[str | None]]) -> Corpus:
        """The same test set with other outputs, and the runs that are still among them."""
        runs = {system: own for system, own in self.runs.items() if all(run in outputs for run in own)}
        columns = (self.sources, self.references, outputs, self.ids, self.documents, self.metadata)
        return Corpus(*columns, self.lang, runs)

    def output(self, system: str) -> Sequence[str | None]:
        """The outputs of one system."""
        return self.outputs[system]

    @cached_property
    def reference_counts(self) -> NDArray[np.int64]:
        """The number of references of each segment."""
        return np.fromiter(map(len, self.references), dtype=np.int64, count=len(self))

    @cached_property
    def judged_by(self) -> References:
        """What signatures say of the references."""
        return References.of(self.references)

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


class Encoded(NamedTuple):
    """Texts as token numbers: text i is ids[offsets[i]:offsets[i + 1]]."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each text."""
        return np.diff(self.offsets)

    def of(self, place: int) -> list[int]:
        """The token numbers of one text."""
        numbers: list[int] = self.ids[self.offsets[place] : self.offsets[place + 1]].tolist()
        return numbers


class Characters(NamedTuple):
    """Texts as code points: text i is characters[offsets[i]:offsets[i + 1]]."""

    characters: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of characters of each text."""
        return np.diff(self.offsets)

    def strings(self) -> list[str]:
        """The texts as Python has them."""
        whole = self.characters.astype("<i4").tobytes().decode("utf-32-le", "surrogatepass")
        return [whole[start:end] for start, end in pairwise(self.offsets.tolist())]


class EncodedCorpus:
    """The texts of one corpus under one tokeniser and case, each encoded when it is first asked for.

    All share one vocabulary, so equal tokens have equal numbers; it belongs to this corpus alone. A text that is
    not there (None) is encoded as an empty one; the metrics leave its segment out.
    """

    def __init__(self, corpus: Corpus, tokenizer: str, lowercase: bool) -> None:
        self._corpus = corpus
        self._tokenizer = get_tokenizer(tokenizer)
        self._lowercase = lowercase
        self._outputs: dict[str, Encoded] = {}
        self._joined: dict[str | None, Characters] = {}
        self._tokens: list[str] = []
        self.vocabulary = Vocabulary()

    @cached_property
    def source(self) -> Encoded:
        return self.encode(self._corpus.sources)

    @cached_property
    def references(self) -> Encoded:
        """All references in a row; `Corpus.reference_groups` says which belong to which segment."""
        return self.encode(list(chain.from_iterable(self._corpus.references)))

    def output(self, system: str) -> Encoded:
        if system not in self._outputs:
            self._outputs[system] = self.encode(self._corpus.output(system))
        return self._outputs[system]

    @property
    def tokens(self) -> list[str]:
        """All tokens so far, in the order of their numbers."""
        if len(self._tokens) < len(self.vocabulary):
            self._tokens = self.vocabulary.tokens()
        return self._tokens

    def joined(self, system: str | None) -> Characters:
        """The tokens of each output, or of each source where `system` is None, joined by blanks."""
        if system not in self._joined:
            encoded = self.source if system is None else self.output(system)
            self._joined[system] = Characters(*self.vocabulary.join(*encoded))
        return self._joined[system]

    @cached_property
    def index(self) -> NgramIndex:
        """The n-grams of sources and references."""
        return NgramIndex(*self.source, *self.references, self._corpus.reference_groups)

    @cached_property
    def untokenised_source_index(self) -> NgramIndex:
        """The same with sources split at white space only and in their own case: EASSE's legacy SARI."""
        source = self.vocabulary.encode(present(self._corpus.sources), "whitespace")
        return NgramIndex(*source, *self.references, self._corpus.reference_groups)

    def encode(self, texts: Sequence[str | None]) -> Encoded:
        return Encoded(*self._tokenizer.encode(self.vocabulary, present(texts), self._lowercase, self._corpus.lang))


def present(texts: Sequence[str | None]) -> Sequence[str]:
    """The texts; one that is not there is an empty one."""
    return [text or "" for text in texts] if None in texts else texts  # type: ignore[return-value]


def with_baselines(corpus: Corpus, names: Sequence[str]) -> list[Corpus]:
    """The corpus with baselines as further systems; `reference` has its own corpus, with one reference less."""
    outputs = dict(corpus.outputs)
    for name in names:
        if name not in BASELINES:
            raise UnknownName("baseline", name, BASELINES)
        if name in corpus.outputs:
            raise PlainlyError(f"system {name!r} has the name of a baseline; rename it")
    if "identity" in names:
        outputs["identity"] = corpus.sources
    if "truncate" in names:
        outputs["truncate"] = [None if text is None else truncated(text) for text in corpus.sources]
    if FIRST_REFERENCE in names:
        outputs[FIRST_REFERENCE] = [group[0] if group else None for group in corpus.references]
    corpora = [corpus.with_outputs(outputs)] if names else [corpus]
    if REFERENCE in names:
        first = [group[0] if len(group) > 1 else None for group in corpus.references]
        others = Corpus(
            corpus.sources,
            [group[1:] for group in corpus.references],
            {REFERENCE: first},
            corpus.ids,
            corpus.documents,
            corpus.metadata,
            corpus.lang,
        )
        corpora.append(others)
    return corpora


def possible_baselines(corpus: Corpus) -> list[str]:
    """The baselines that a corpus allows: there must be sources, or several references of a segment.

    `first-reference` is not among them: what it scores is known before, so it only serves to check settings.
    """
    sources = any(text is not None for text in corpus.sources)
    possible = {
        "identity": sources,
        "truncate": sources,
        REFERENCE: bool((corpus.reference_counts > 1).any()),
    }
    return [name for name in possible if possible[name] and name not in corpus.outputs]


def truncated(text: str) -> str:
    """The first int(0.8 n) of the n words that single blanks separate, and a full stop, as EASSE does it."""
    words = text.split(" ")
    return " ".join(words[: int(0.8 * len(words))]) + "."


def concatenate(parts: Sequence[Corpus]) -> Corpus:
    """One corpus from its chunks, which have the same systems and language."""
    first = parts[0]
    return Corpus(
        _joined(part.sources for part in parts),
        _joined(part.references for part in parts),
        {name: _joined(part.outputs[name] for part in parts) for name in first.outputs},
        None if first.ids is None else _joined(part.ids or () for part in parts),
        _joined_or_none([part.documents for part in parts], parts, None),
        _joined_or_none([part.metadata for part in parts], parts, {}),
        first.lang,
        first.runs,
    )


def _joined(parts: Iterable[Iterable[T]]) -> list[T]:
    return list(chain.from_iterable(parts))


def _joined_or_none(columns: Sequence[Sequence[Any] | None], parts: Sequence[Corpus], default: Any) -> Any:
    """The column, if any chunk has it; a chunk without it has the default."""
    if all(column is None for column in columns):
        return None
    return _joined(
        [default] * len(part) if column is None else column for column, part in zip(columns, parts, strict=True)
    )
