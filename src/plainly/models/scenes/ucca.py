"""Scenes from UCCA passages: the standard XML format, one file a passage, as UCCA's tools and parsers write it.

A unit is a scene if a process (P) or a state (S) hangs from it. Its participants hang by A, remote ones too.
The minimal centre of a unit (Sulem et al. 2018) is found by going down: in a scene to its main relation, else to
its centres (C), until only words are left. A unit that is not named in the text ("implicit") has no centre.

Files come from anywhere: document types, and so entities, are refused, and the graph may have loops.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError, ParserCreate

from plainly.base.errors import PlainlyError
from plainly.models.scenes.scene import Scene, Word

LARGEST = 16 * 2**20  # bytes of one file; the longest published passages have about 1 MB
MAIN = frozenset({"P", "S"})
PARTICIPANT = frozenset({"A"})
CENTRE = frozenset({"C"})
PARALLEL = frozenset({"H"})
WORDS_LAYER = "0."
FUNCTION = frozenset({"F", "R", "N", "L", "U"})  # functional, relators, connectors, linkers, punctuation


@dataclass(frozen=True)
class Passages:
    """The passages of a folder by their text. A passage belongs to the source that has its letters."""

    scenes: dict[str, list[Scene]]
    digest: str
    """Tells one folder's contents from another's, for signatures."""

    def of(self, text: str) -> list[Scene] | None:
        """The scenes of a text; None if there is no passage for it."""
        return self.scenes.get(_letters(text))


def read_passages(folder: str) -> Passages:
    """All passages (`*.xml`) of a folder."""
    path = Path(folder)
    files = sorted(path.glob("*.xml")) if path.is_dir() else []
    if not files:
        raise PlainlyError(f"{folder}: no folder with UCCA passages (*.xml)")
    scenes: dict[str, list[Scene]] = {}
    digest = sha256()
    for file in files:
        content = _read(file)
        digest.update(sha256(content).digest())
        text, found = read_passage(content, str(file))
        scenes[_letters(text)] = found
    return Passages(scenes, digest.hexdigest()[:8])


def read_passage(content: bytes, name: str = "passage") -> tuple[str, list[Scene]]:
    """The text of a passage and its scenes, in the order of their first words."""
    graph = _Graph()
    parser = ParserCreate()
    parser.StartDoctypeDeclHandler = graph.refuse_doctype
    parser.StartElementHandler = graph.start
    try:
        parser.Parse(content, True)
    except (ExpatError, ValueError) as error:
        raise PlainlyError(f"{name}: not a UCCA passage: {error}") from None
    if not graph.words or not graph.edges:
        raise PlainlyError(f"{name}: not a UCCA passage: it has no words or no units")
    if dangling := {end for edges in graph.edges.values() for _, end, _ in edges} - graph.nodes:
        raise PlainlyError(f"{name}: not a UCCA passage: an edge leads to {min(dangling)}, which is not there")
    text = " ".join(graph.words[word] for word in sorted(graph.words, key=_position))
    return text, graph.scenes()


@dataclass
class _Graph:
    """The units and words of a passage, filled while its file is read."""

    words: dict[str, str] = field(default_factory=dict)
    marks: set[str] = field(default_factory=set)  # words that are punctuation
    edges: dict[str, list[tuple[set[str], str, bool]]] = field(default_factory=dict)  # categories, end, remote
    nodes: set[str] = field(default_factory=set)
    node: str = ""
    element: str = ""

    def refuse_doctype(self, *_: Any) -> None:
        raise ValueError("it has a document type")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "node":
            self.node = attributes.get("ID", "")
            self.nodes.add(self.node)
            if attributes.get("type") == "Punctuation":
                self.marks.add(self.node)
            self.edges.setdefault(self.node, [])
        elif name == "edge":
            edge = ({attributes.get("type", "")}, attributes.get("toID", ""), False)
            self.edges.setdefault(self.node, []).append(edge)
        elif name == "category" and self.element == "edge":
            self.edges[self.node][-1][0].add(attributes.get("tag", ""))
        elif name == "attributes" and self.element == "edge":
            categories, end, _ = self.edges[self.node][-1]
            self.edges[self.node][-1] = (categories, end, attributes.get("remote", "").lower() == "true")
        elif name == "attributes" and self.node.startswith(WORDS_LAYER) and "text" in attributes:
            self.words[self.node] = attributes["text"]
        if name in ("node", "edge"):
            self.element = name

    def scenes(self) -> list[Scene]:
        found = []
        for node in self.edges:
            if not self._is_scene(node):
                continue
            main = self._centres(self._ends(node, MAIN))
            participants = [self._centres([end]) for end in self._ends(node, PARTICIPANT)]
            units = {word for unit in (main, *participants) for word in unit}
            others = [word for word in self._own_words(node) if word not in units]
            first = min(map(_position, [*main, *others]), default=0)
            found.append((first, main, participants, others))
        found.sort(key=lambda scene: scene[0])
        return [
            Scene(self._unit(main), tuple(map(self._unit, participants)), self._unit(others))
            for _, main, participants, others in found
        ]

    def _is_scene(self, node: str) -> bool:
        return bool(self._ends(node, MAIN))

    def _ends(self, node: str, wanted: frozenset[str]) -> list[str]:
        return [end for categories, end, _ in self.edges.get(node, ()) if categories & wanted]

    def _centres(self, nodes: Iterable[str]) -> list[str]:
        """The words that are the minimal centres of the units."""
        words, seen, waiting = [], set[str](), list(nodes)
        while waiting:
            node = waiting.pop()
            if node in seen:
                continue
            seen.add(node)
            if node in self.words:
                if node not in self.marks:
                    words.append(node)
                continue
            waiting += (
                self._ends(node, MAIN)
                or self._ends(node, CENTRE)
                or self._ends(node, PARALLEL)
                or [end for categories, end, _ in self.edges[node] if not categories & FUNCTION]
                or [end for _, end, _ in self.edges[node]]
            )
        return sorted(words, key=_position)

    def _own_words(self, scene: str) -> list[str]:
        """The words below a scene that are not in a scene inside it."""
        words, seen, waiting = [], set[str](), [scene]
        while waiting:
            node = waiting.pop()
            if node in seen or (node != scene and self._is_scene(node)):
                continue
            seen.add(node)
            if node in self.words:
                words.append(node)
            else:
                waiting += [end for _, end, remote in self.edges[node] if not remote]
        return sorted((word for word in words if word not in self.marks), key=_position)

    def _unit(self, words: Iterable[str]) -> tuple[Word, ...]:
        return tuple(Word.of(self.words[word]) for word in words)


def _position(word: str) -> int:
    number = word.removeprefix(WORDS_LAYER)
    return int(number) if number.isdecimal() else 0


def _letters(text: str) -> str:
    return "".join(text.split()).lower()


def _read(file: Path) -> bytes:
    with file.open("rb") as stream:
        content = stream.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise PlainlyError(f"{file}: larger than {LARGEST // 2**20} MB, which no UCCA passage is")
    return content
