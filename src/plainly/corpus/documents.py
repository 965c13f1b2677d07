"""Whole documents from the records that are their sentences or paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.corpus.corpus import Corpus, concatenate

# An empty line ends a sentence for every splitter, so the joints stay what they are. The blank keeps tokenisers from
# taking a hyphen at the end of a record for a word break.
JOINT = " \n\n"


def by_document(chunks: Iterable[Corpus]) -> Iterator[Corpus]:
    """The same texts with one segment a document; a record that names no document is a document of its own.

    Texts are joined in order, references by position: a document has as many as its record with the fewest. Where a
    record lacks its source or an output, the document does too, so it is not scored. The records of a document must
    stand one after the other; they may go on in the next chunk.
    """
    closed: set[str] = set()
    rest: Corpus | None = None
    for chunk in chunks:
        records = chunk if rest is None else concatenate([rest, chunk])
        *bounds, last = _starts(records)
        if bounds:
            yield _joined(records.slice(0, last), [*bounds, last], closed)
        rest = records.slice(last, len(records))
    if rest is not None:
        yield _joined(rest, [0, len(rest)], closed)
        if not closed:
            raise PlainlyError("no record names its document, so there is nothing to join; leave the unit out")


def _starts(corpus: Corpus) -> list[int]:
    """Where each document begins."""
    names = corpus.documents or [None] * len(corpus)
    return [i for i in range(len(corpus)) if i == 0 or names[i] is None or names[i] != names[i - 1]]


def _joined(corpus: Corpus, bounds: Sequence[int], closed: set[str]) -> Corpus:
    parts = [slice(start, end) for start, end in pairwise(bounds)]
    names = [None if corpus.documents is None else corpus.documents[part.start] for part in parts]
    for name in names:
        if name in closed:
            raise PlainlyError(f"document {name!r} is in pieces: the records of a document must stand together")
        if name is not None:
            closed.add(name)
    ids = corpus.ids or [""] * len(corpus)
    return Corpus(
        [_text(corpus.sources[part]) for part in parts],
        [[_text(texts) or "" for texts in zip(*corpus.references[part], strict=False)] for part in parts],
        {system: [_text(texts[part]) for part in parts] for system, texts in corpus.outputs.items()},
        [ids[part.start] if name is None else name for name, part in zip(names, parts, strict=True)],
        None,
        corpus.metadata and [_common(corpus.metadata[part]) for part in parts],
        corpus.lang,
    )


def _text(texts: Sequence[str | None]) -> str | None:
    present = [text for text in texts if text is not None]
    return JOINT.join(filter(None, present)) if len(present) == len(texts) else None


def _common(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The metadata that all records of a document have in common."""
    first, *others = records
    return {name: value for name, value in first.items() if all(other.get(name) == value for other in others)}
