"""Scenes from a dependency tree: plainly's own reading of what UCCA calls a scene.

* Every verb that heads a clause evokes a scene, and so does every predicate with a copula. Auxiliaries, modal
  verbs and participles in front of a noun do not. Nor do nouns: UCCA also has scenes like "his arrival".
* Coordinated, subordinate, relative and participial clauses are scenes of their own.
* The main relation is the verb. With a copula it is the predicate ("is *tall*"). With a verb or an adjective that
  only says how or whether something happens ("*begin* to eat", "is *able* to eat"), it is the verb below.
* Participants are subjects, objects, obliques and complement clauses. Adverbs and clauses of time, place, cause
  and so on are none. Where a clause leaves its subject to another one, that one counts ("He came and *he* left").
  A relative or participial clause takes part in the noun that it describes, not in its pronoun.
* The minimal centre of a participant is its head word, of a coordination each head, of a clause its main relation.

In trees of Universal Dependencies function words hang from content words. In others a preposition, a copula or an
auxiliary stands above what it introduces (`plainly.models.parsers.labels`). Both are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from plainly.models.parsers import Parsed, Sentence, Token
from plainly.models.scenes.scene import Scene, Word
from plainly.text.languages import get_language

SUBJECTS = frozenset({"nsubj", "csubj"})
ARGUMENTS = SUBJECTS | {"obj", "iobj", "obl", "ccomp", "xcomp"}
BELOW_PREPOSITION = frozenset({"pobj", "pcomp"})
LEANING_CLAUSES = frozenset({"conj", "xcomp", "advcl", "pcomp"})  # may share the subject of the clause above
MEASURES = frozenset({"obl:tmod", "obl:npmod", "obl:unmarked", "npadvmod"})
# fmt: off
NO_CLAUSE = frozenset({
    "amod", "appos", "aux", "case", "cc", "compound", "cop", "det", "discourse", "fixed", "flat", "mark", "nmod",
    "nummod", "obl", "punct",
})
# fmt: on
NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
NO_WORD = frozenset({"PUNCT", "SPACE"})
RELATIVE_TAGS = ("W", "PREL")  # how the Penn and Stuttgart tags of relative pronouns begin


def scenes(parsed: Parsed, lang: str) -> list[Scene]:
    """The scenes of a text, in the order of their main relations."""
    secondary = get_language(lang).secondary_verbs
    return [scene for sentence in parsed.sentences for scene in _Tree(sentence, secondary).scenes()]


class _Tree:
    """A sentence whose words are named by their positions."""

    def __init__(self, sentence: Sentence, secondary: frozenset[str]) -> None:
        self._tokens = sentence
        self._secondary = secondary
        self._children: list[list[int]] = [[] for _ in sentence]
        for i, token in enumerate(sentence):
            if token.head not in (-1, i):
                self._children[token.head].append(i)

    def scenes(self) -> Iterator[Scene]:
        others: dict[int, list[int]] = {head: [] for head in self._heads}
        for i, token in enumerate(self._tokens):
            if token.pos not in NO_WORD and (head := self._scene_of[i]) is not None:
                others[head].append(i)
        for head in sorted(self._heads, key=self._main):
            main, participants = self._main(head), self._participants(head)
            units = {*main, *(i for unit in participants for i in unit)}
            yield Scene(
                self._unit(main),
                tuple(map(self._unit, participants)),
                self._unit(i for i in others[head] if i not in units),
            )

    @cached_property
    def _heads(self) -> set[int]:
        """The words that head a scene."""
        candidates = {i for i in range(len(self._tokens)) if self._heads_clause(i)}
        return candidates - {link for i in candidates for link in self._links(i)[1:]}

    def _heads_clause(self, i: int) -> bool:
        token = self._tokens[i]
        if _base(token) in NO_CLAUSE:
            return False
        return token.pos in ("VERB", "AUX") or any(_base(child) == "cop" for child in self._below(i))

    def _links(self, i: int) -> list[int]:
        """From the head of a clause down to its main relation: i, or copula and predicate, "wants", "try", "go"."""
        links = [i]
        while True:
            last = self._tokens[links[-1]]
            leads_on = last.pos == "AUX" or last.lemma.lower() in self._secondary
            below = self._child(links[-1], frozenset({"xcomp"})) if leads_on else None
            if below is None:
                return links
            links.append(below)

    def _main(self, head: int) -> list[int]:
        return self._coordinated(self._links(head)[-1])

    def _participants(self, head: int) -> list[list[int]]:
        tokens, links = self._tokens, self._links(head)
        found = [i for link in links for i in self._arguments(link, links)]
        if not any(_base(tokens[i]) in SUBJECTS for i in found):
            found[:0] = self._shared_subject(head)
        if _is_described(tokens[head]) and not self._has_marker(head):
            found = [i for i in found if not tokens[i].tag.startswith(RELATIVE_TAGS)]
            found.insert(0, tokens[head].head)
        return [self._centres(i) for i in dict.fromkeys(found)]

    def _arguments(self, link: int, links: list[int]) -> Iterator[int]:
        """The heads of the participants that hang from one word of a clause."""
        if len(links) > 1 and link == links[-1] and self._tokens[link].pos in NOMINAL:
            return  # what hangs from a predicate noun describes the noun
        has_object = any(child.dep in ("obj", "nsubj:pass") for child in self._below(link))
        for child in self._children[link]:
            token = self._tokens[child]
            if child in links or _base(token) not in ARGUMENTS or {token.dep, token.raw_dep} & MEASURES:
                continue
            if _base(token) == "obl" and not self._is_object(self._below_prepositions(child)):
                continue
            if _base(token) == "ccomp" and child < link and has_object:
                continue  # a clause put beside this one: "It rains, the trip is cancelled"
            yield child

    def _shared_subject(self, head: int) -> list[int]:
        """The subject that a clause without one takes from the clause above, if there is any."""
        while True:
            token = self._tokens[head]
            for link in self._links(head):
                subject = self._child(link, SUBJECTS)
                if subject is not None and not self._tokens[subject].tag.startswith(RELATIVE_TAGS):
                    return [subject]
            if _is_described(token):
                return [] if self._has_marker(head) else [token.head]
            above = self._scene_of[token.head]
            if _base(token) not in LEANING_CLAUSES or above is None:
                return []
            controller = self._child(above, frozenset({"obj"})) if _base(token) == "xcomp" else None
            if controller is not None:
                return [controller]  # "She asked *him* to leave"
            head = above

    def _centres(self, i: int) -> list[int]:
        i = self._below_prepositions(i)
        return self._main(i) if i in self._heads else self._coordinated(i)

    def _below_prepositions(self, i: int) -> int:
        """The word that prepositions stand above: "of" -> "Rome", "according" -> "to" -> "him"; or i itself."""
        while True:
            token = self._tokens[i]
            below = self._child(i, BELOW_PREPOSITION)
            if below is None and token.pos == "VERB" and _base(token) == "obl":
                below = self._child(i, frozenset({"obl"}))
            if below is None:
                return i
            i = below

    def _is_object(self, i: int) -> bool:
        """Whether an oblique is a participant: not a mere preposition, nor a clause ("by", "by going")."""
        return self._tokens[i].pos != "ADP" and i not in self._heads

    def _coordinated(self, i: int) -> list[int]:
        """A noun or an adjective and those coordinated with it; any other word alone."""
        found, waiting = [], [i]
        while waiting:
            word = waiting.pop()
            found.append(word)
            if self._is_nominal(word):
                waiting += [
                    child
                    for child in self._children[word]
                    if _base(self._tokens[child]) == "conj" and self._is_nominal(child)
                ]
        return sorted(found)

    def _is_nominal(self, i: int) -> bool:
        return self._tokens[i].pos in NOMINAL | {"ADJ"} and not self._heads_clause(i)

    def _child(self, i: int, labels: frozenset[str]) -> int | None:
        return next((child for child in self._children[i] if _base(self._tokens[child]) in labels), None)

    def _has_marker(self, i: int) -> bool:
        """Whether a clause below a noun says what it is about ("the wish to go"), not which one is meant."""
        return any(child.pos == "PART" or _base(child) == "mark" for child in self._below(i))

    def _below(self, i: int) -> list[Token]:
        return [self._tokens[child] for child in self._children[i]]

    @cached_property
    def _scene_of(self) -> dict[int, int | None]:
        """The head of the innermost scene around each word."""
        scene: dict[int, int | None] = {}
        for start in range(len(self._tokens)):
            path: list[int] = []
            i = start
            while i not in scene and i not in self._heads and i not in path[-1:]:
                path.append(i)
                i = self._tokens[i].head
            found = i if i in self._heads else scene.get(i)
            scene.update(dict.fromkeys(path, found))
            scene[start] = found
        return scene

    def _unit(self, words: Iterable[int]) -> tuple[Word, ...]:
        return tuple(Word.of(token.text, token.lemma, token.pos) for token in (self._tokens[i] for i in words))


def _base(token: Token) -> str:
    return token.dep.partition(":")[0]


def _is_described(token: Token) -> bool:
    return _base(token) == "acl"
