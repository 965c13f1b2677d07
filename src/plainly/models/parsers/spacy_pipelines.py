"""Any language: the spaCy pipelines (version 3 or later) that the user has installed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.metadata import entry_points
from pathlib import Path
from threading import Lock
from typing import Any

from plainly.models.parsers.labels import Rule, renamed, rule_for
from plainly.models.parsers.parsed import (
    DEPENDENCIES,
    ENTITIES,
    LEMMAS,
    NUMBERS,
    TAGS,
    Parsed,
    Parser,
    Sentence,
    Token,
)
from plainly.models.parsers.tidy import is_symbol, tidied

# What the components of a pipeline provide.
_PROVIDED = {
    TAGS: {"tagger", "morphologizer"},
    LEMMAS: {"lemmatizer", "trainable_lemmatizer"},
    DEPENDENCIES: {"parser"},
    ENTITIES: {"ner"},
}
# Of several pipelines the larger is the better; those on a transformer come last, for they are slow without a GPU.
_SIZES = ("lg", "md", "sm")


class SpacyPipeline(Parser):
    """A pipeline by its name. It is loaded when the first text comes."""

    def __init__(self, name: str, meta: dict[str, Any]) -> None:
        self.name = name
        self.version = str(meta["version"])
        components = set(meta["pipeline"])
        self.provides = frozenset(what for what, any_of in _PROVIDED.items() if any_of & components)
        self._lock = Lock()

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        with self._lock:
            return [Parsed(tuple(self._sentences(doc))) for doc in self._pipeline.pipe(map(tidied, texts))]

    @cached_property
    def _pipeline(self) -> Any:
        import spacy

        pipeline = spacy.load(self.name)
        pipeline.max_length = 1 << 40  # spaCy refuses texts of a million characters; here none is refused
        return pipeline

    @cached_property
    def _rule(self) -> Rule:
        return rule_for(frozenset(self._pipeline.get_pipe("parser").labels))

    def _sentences(self, doc: Any) -> Iterator[Sentence]:
        for span in doc.sents:
            words = [token for token in span if not token.is_space]
            place = {token.i: i for i, token in enumerate(words)}
            sentence = tuple(
                Token(
                    text=token.text,
                    lemma=token.lemma_,
                    pos="SYM" if is_symbol(token.text) else token.pos_,
                    tag=token.tag_,
                    head=place.get(token.head.i, i),
                    raw_dep=token.dep_,
                    entity=bool(token.ent_type_) and token.ent_type_ not in NUMBERS,
                )
                for i, token in enumerate(words)
            )
            if sentence:
                yield renamed(sentence, self._rule)


def installed(lang: str) -> SpacyPipeline | None:
    """The best pipeline with a parser that is installed for a language."""
    found = [
        SpacyPipeline(name, meta) for name, meta in _metas() if meta["lang"] == lang and "parser" in meta["pipeline"]
    ]
    return min(found, key=lambda pipeline: (_size(pipeline.name), pipeline.name), default=None)


def _metas() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every pipeline for spaCy 3 and what it says of itself, found as spaCy finds them, but without loading spaCy."""
    for point in entry_points(group="spacy_models"):
        if point.dist is not None:
            path = Path(str(point.dist.locate_file(point.value.replace(".", "/")))) / "meta.json"
            if path.is_file():
                yield point.name, json.loads(path.read_text("utf-8"))


def _size(name: str) -> int:
    size = name.rpartition("_")[2]
    return _SIZES.index(size) if size in _SIZES else len(_SIZES)
