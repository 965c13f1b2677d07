"""What a dependency tree shows: height, phrases, clauses, crossing arcs.

Labels are those of Universal Dependencies as `plainly.models.parsers.labels` gives them. Two ways to build a tree
are served: a preposition hangs on its noun (UD, label `case`) or the noun on its preposition (`pobj`, `pcomp`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from plainly.models.parsers import Sentence, Token

SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
VERBS = frozenset({"VERB", "AUX"})
NOUNS = frozenset({"NOUN", "PROPN", "PRON"})
DEPENDENT_CLAUSES = frozenset({"csubj", "ccomp", "xcomp", "advcl", "acl", "pcomp"})
MULTIWORD = frozenset({"compound", "flat", "fixed"})
_PREDICATE = SUBJECTS | {"cop", "aux"}  # what hangs on a predicate, whatever its part of speech


def relation(token: Token) -> str:
    """The label without what UD adds behind a colon."""
    return token.dep.partition(":")[0]


class Tree:
    """A parsed sentence. Tokens go by their place in it."""

    def __init__(self, sentence: Sentence, is_word: Callable[[Token], bool]) -> None:
        self.tokens = sentence
        self._is_word = is_word
        self.children: list[list[int]] = [[] for _ in sentence]
        self.roots: list[int] = []
        for i, token in enumerate(sentence):
            (self.roots if token.head == i else self.children[token.head]).append(i)

    @cached_property
    def height(self) -> int:
        """The number of tokens on the longest way from a root to a token, both included."""
        level, height = self.roots, 0
        while level:
            level, height = [child for i in level for child in self.children[i]], height + 1
        return height

    @cached_property
    def sizes(self) -> list[int]:
        """How many words each token stands above, itself included."""
        order = list(self.roots)
        for i in order:  # which grows: parents come before their children
            order += self.children[i]
        sizes = [int(self._is_word(token)) for token in self.tokens]
        for i in reversed(order):
            if self.tokens[i].head != i:
                sizes[self.tokens[i].head] += sizes[i]
        return sizes

    @cached_property
    def noun_phrases(self) -> list[int]:
        """Words of each phrase that a noun, name or pronoun heads, less the preposition that UD hangs on it."""
        return [
            self._size_without(i, frozenset({"case"}))
            for i, token in enumerate(self.tokens)
            if token.pos in NOUNS and relation(token) not in MULTIWORD
        ]

    @cached_property
    def verb_phrases(self) -> list[int]:
        """Words of each phrase that a verb heads as the predicate of a clause, less its subjects."""
        return [self._size_without(i, SUBJECTS) for i in self.clauses if self.tokens[i].pos in VERBS]

    @cached_property
    def prepositional_phrases(self) -> list[int]:
        """Words of each phrase of a preposition and what it governs."""
        return [
            self.sizes[token.head] if token.dep == "case" else self.sizes[i]
            for i, token in enumerate(self.tokens)
            if token.pos == "ADP" and (token.dep == "case" or self._labels(i) & {"pobj", "pcomp"})
        ]

    @cached_property
    def clauses(self) -> list[int]:
        """The predicates: a verb, or a word with a subject, copula or auxiliary, where it heads a clause.

        What is joined to another word by a conjunction heads a clause if that word does.
        """
        known: dict[int, bool] = {}
        for token in range(len(self.tokens)):
            joined, first = [], token
            while first not in known and relation(self.tokens[first]) == "conj" and self.tokens[first].head != first:
                joined.append(first)
                first = self._joined_to(first)
            if first not in known:
                known[first] = self._is_clausal(first) and self._is_predicate(first)
            for j in reversed(joined):
                known[j] = known[self._joined_to(j)] and self._is_predicate(j)
        return [i for i, heads in sorted(known.items()) if heads]

    def is_passive(self, clause: int) -> bool:
        """Whether a word below the predicate says so (its subject, its auxiliary, a German participle)."""
        pending = [clause]
        for i in pending:  # which grows: auxiliaries may stand above the verb, one above the other
            for child in self.children[i]:
                if self.tokens[child].dep.endswith(":pass"):
                    return True
                if self.tokens[i].pos == "AUX" and relation(self.tokens[child]) == "xcomp":
                    pending.append(child)
        return False

    def has_subject(self, i: int) -> bool:
        return bool(self._relations(i) & SUBJECTS)

    @cached_property
    def is_projective(self) -> bool:
        """Whether no two arcs cross, that from outside to the root among them."""
        arcs = sorted(
            (min(i, head), -max(i, head))
            for i, token in enumerate(self.tokens)
            for head in [-1 if token.head == i else token.head]
        )
        ends: list[int] = []  # of the arcs that are open; the innermost is the last
        for start, end in arcs:
            while ends and ends[-1] <= start:
                ends.pop()
            if ends and -end > ends[-1]:
                return False
            ends.append(-end)
        return True

    def _joined_to(self, i: int) -> int:
        """What a conjunct is joined to; TIGER hangs it on the conjunction."""
        head = self.tokens[i].head
        return self.tokens[head].head if relation(self.tokens[head]) == "cc" else head

    def _is_clausal(self, i: int) -> bool:
        """Whether the relation of a token to its head is that of a clause."""
        kind, head = relation(self.tokens[i]), self.tokens[i].head
        if kind == "xcomp" and self.tokens[head].pos == "AUX":
            return False  # "is happy", "hat gesagt": one clause with its auxiliary
        return head == i or kind == "parataxis" or kind in DEPENDENT_CLAUSES

    def _is_predicate(self, i: int) -> bool:
        return self.tokens[i].pos in VERBS or bool(self._relations(i) & _PREDICATE)

    def _relations(self, i: int) -> set[str]:
        return {relation(self.tokens[child]) for child in self.children[i]}

    def _labels(self, i: int) -> set[str]:
        return {self.tokens[child].dep for child in self.children[i]}

    def _size_without(self, i: int, relations: frozenset[str]) -> int:
        return self.sizes[i] - sum(
            self.sizes[child] for child in self.children[i] if relation(self.tokens[child]) in relations
        )
