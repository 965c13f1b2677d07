"""What the references do to their sources, tagged once and kept.

Tagging references takes longer than all else, and references of a test set do not change. So their tags are kept:
for a test set of the catalogue in the data folder, for files of one's own in the cache folder of the user
(`PLAINLY_TAGS` names another). A file holds no texts, only positions and labels. Its name is the SHA-256 of all that
the tags depend on: the tokens of sources and references, the tagger, its version and the checksum of its weights. A
file that is broken, or not of this kind, is not used, and written anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from plainly.base.errors import PlainlyError
from plainly.base.files import user_folder, write_bytes
from plainly.base.messages import Message, message
from plainly.corpus import Corpus
from plainly.corpus.catalogue import store
from plainly.operations.annotations import AnnotatedPair, Group, check
from plainly.operations.tagger import Tagger, tokens
from plainly.operations.tagger.tagging import BATCH

REFERENCES = "references"
FOLDER = "PLAINLY_TAGS"
KIND = "plainly: tags of references, 2"


class Watch(Protocol):
    """Who is told how the work goes."""

    def stage(self, what: Message) -> None:
        """What begins now."""

    def progress(self, done: int, all_: int) -> None:
        """How much of it is done."""


@dataclass(frozen=True)
class ReferenceTags:
    """The references of a corpus as annotated pairs; the id of a pair is the number of its segment, from 0."""

    pairs: Sequence[AnnotatedPair]
    signature: str
    """Of the tagger."""
    computed: int
    """How many pairs were tagged now; 0 where all were kept."""


def reference_tags(
    corpus: Corpus, tagger: Tagger, *, in_catalogue: bool = False, watch: Watch | None = None
) -> ReferenceTags:
    """The tags of the references, as they were kept, or new; these are kept then."""
    pairs = list(_pairs(corpus))
    signature = tagger.signature.short
    key = _key(pairs, signature)
    places = [folder / key for folder in _folders(in_catalogue)]
    for place in places:
        kept = _read(place, pairs)
        if kept is not None:
            return ReferenceTags(kept, signature, 0)
    what = message("operations.tagging-references", "tagging {count:,} references with {tagger}", count=len(pairs))
    found = annotated(pairs, tagger, what, watch)
    _keep(places, found)
    return ReferenceTags(found, signature, len(found))


def annotated(
    pairs: Sequence[AnnotatedPair], tagger: Tagger, what: Message, watch: Watch | None = None
) -> list[AnnotatedPair]:
    """The pairs with the groups of the tagger; `what` says it to those who watch."""
    if watch is not None and pairs:
        watch.stage(replace(what, values={**what.values, "tagger": tagger.signature.settings["kind"]}))
    found: list[AnnotatedPair] = []
    coming = tagger.annotate(pairs)
    while part := list(islice(coming, BATCH)):
        found += part
        if watch is not None:
            watch.progress(len(found), len(pairs))
    return found


def _pairs(corpus: Corpus) -> Iterator[AnnotatedPair]:
    for number, (source, references) in enumerate(zip(corpus.sources, corpus.references, strict=True)):
        if source is None or not references:
            continue
        own = tokens(source, corpus.lang)
        for text in references:
            yield AnnotatedPair(str(number), own, tokens(text, corpus.lang), (), REFERENCES)


def _key(pairs: Sequence[AnnotatedPair], signature: str) -> str:
    """The name of the file: other tokens or another tagger, another name."""
    digest = sha256(f"{KIND}\n{signature}\n".encode())
    for pair in pairs:
        digest.update(json.dumps([pair.id, pair.source, pair.target]).encode() + b"\n")
    return f"{digest.hexdigest()}.json"


def _folders(in_catalogue: bool) -> list[Path]:
    """Where tags are looked for, and kept in the first one that can be written to."""
    own = user_folder(FOLDER, "tags")
    return [store.folder() / "tags", own] if in_catalogue else [own]


def _read(place: Path, pairs: Sequence[AnnotatedPair]) -> list[AnnotatedPair] | None:
    """The pairs with what was kept; None where it is not there, or cannot be what was written."""
    try:
        head, _, body = place.read_bytes().partition(b"\n")
        if json.loads(head) != _head(body):
            return None
        content = json.loads(body)
        found = [
            replace(pair, groups=tuple(_group(*one) for one in groups), annotator=content["annotator"])
            for pair, groups in zip(pairs, content["groups"], strict=True)
        ]
        for pair in found:
            check(pair)
    except (OSError, ValueError, TypeError, KeyError, RecursionError, PlainlyError):
        return None
    return found


def _keep(places: Sequence[Path], pairs: Sequence[AnnotatedPair]) -> None:
    """Write the tags to the first place that takes them. Where none does, they are tagged again next time."""
    if not pairs:
        return
    groups = [[[one.source, one.target, one.label, one.confidence] for one in pair.groups] for pair in pairs]
    body = json.dumps({"annotator": pairs[0].annotator, "groups": groups}).encode()
    content = json.dumps(_head(body)).encode() + b"\n" + body
    for place in places:
        with suppress(OSError, PlainlyError):
            place.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(str(place), content)
            return


def _head(body: bytes) -> dict[str, Any]:
    return {"kind": KIND, "sha256": sha256(body).hexdigest()}


def _group(source: list[int], target: list[int], label: str, confidence: float | None) -> Group:
    return Group(tuple(source), tuple(target), label, confidence)
