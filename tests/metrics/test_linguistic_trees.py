"""What is read off a dependency tree, on trees drawn by hand in the ways that parsers draw them."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from plainly.metrics.linguistic.texts import is_word
from plainly.metrics.linguistic.trees import Tree
from plainly.models.parsers import Token


def tree(*rows: str) -> Tree:
    """A tree from "word pos head dep"; heads count from 1, as in treebanks, and 0 is the root's."""
    split = (row.split() for row in rows)
    return Tree(
        tuple(
            Token(text, pos=pos, head=int(head) - 1 if int(head) else i, dep=dep)
            for i, (text, pos, head, dep) in enumerate(split)
        ),
        is_word,
    )


# Universal Dependencies: the noun carries its preposition, the predicate its copula.
UNIVERSAL = tree(
    "Anna PROPN 4 nsubj",
    "was AUX 4 cop",
    "very ADV 4 advmod",
    "happy ADJ 0 root",
    "because SCONJ 9 mark",
    "the DET 7 det",
    "dog NOUN 9 nsubj:pass",
    "was AUX 9 aux:pass",
    "found VERB 4 advcl",
    "in ADP 12 case",
    "the DET 12 det",
    "park NOUN 9 obl",
    ". PUNCT 4 punct",
)

# The same sentence as the English parser draws it: preposition above noun, copula above predicate.
CLEAR = tree(
    "Anna PROPN 2 nsubj",
    "was AUX 0 root",
    "very ADV 4 advmod",
    "happy ADJ 2 xcomp",
    "because SCONJ 9 mark",
    "the DET 7 det",
    "dog NOUN 9 nsubj:pass",
    "was AUX 9 aux:pass",
    "found VERB 2 advcl",
    "in ADP 9 obl",
    "the DET 12 det",
    "park NOUN 10 pobj",
    ". PUNCT 2 punct",
)

# "Das Buch ist von Anna gelesen worden, und er hat gelacht": auxiliaries above their verbs, one above the other.
TIGER = tree(
    "Das DET 2 det",
    "Buch NOUN 3 nsubj",
    "ist AUX 0 root",
    "von ADP 6 obl:agent",
    "Anna PROPN 4 pobj",
    "gelesen VERB 7 xcomp:pass",
    "worden AUX 3 xcomp",
    ", PUNCT 3 punct",
    "und CCONJ 3 cc",
    "er PRON 11 nsubj",
    "hat AUX 9 conj",
    "gelacht VERB 11 xcomp",
)


def words(tree: Tree, places: list[int]) -> list[str]:
    return [tree.tokens[i].text for i in places]


def test_clauses() -> None:
    """Two clauses each: Anna was happy, the dog was found; das Buch ist gelesen worden, er hat gelacht."""
    assert words(UNIVERSAL, UNIVERSAL.clauses) == ["happy", "found"]
    assert words(CLEAR, CLEAR.clauses) == ["was", "found"]
    assert words(TIGER, TIGER.clauses) == ["ist", "hat"]


def test_passives() -> None:
    assert [UNIVERSAL.is_passive(i) for i in UNIVERSAL.clauses] == [False, True]
    assert [CLEAR.is_passive(i) for i in CLEAR.clauses] == [False, True]
    assert TIGER.is_passive(2), "ist - worden - gelesen"
    assert not TIGER.is_passive(10), "hat - gelacht"


def test_heights() -> None:
    """happy - found - park - in; was - found - in - park - the; ist - worden - gelesen - von - Anna."""
    assert (UNIVERSAL.height, CLEAR.height, TIGER.height) == (4, 5, 5)


def test_noun_phrases() -> None:
    """Anna; the dog; the park: the preposition is no part of it, whichever way the tree is drawn."""
    assert UNIVERSAL.noun_phrases == CLEAR.noun_phrases == [1, 2, 2]


def test_verb_phrases() -> None:
    """ "because ... was found in the park" is 8 words less the 2 of "the dog"; "was very happy because ..." is 11."""
    assert UNIVERSAL.verb_phrases == [6]
    assert CLEAR.verb_phrases == [11, 6]


def test_prepositional_phrases() -> None:
    """in the park."""
    assert UNIVERSAL.prepositional_phrases == CLEAR.prepositional_phrases == [3]


def test_a_particle_heads_no_phrase() -> None:
    drawn = tree("She PRON 2 nsubj", "gave VERB 0 root", "up ADP 2 compound:prt")
    assert drawn.prepositional_phrases == []


def test_coordination() -> None:
    """ "He sings and dances and cats": two verbs in a row are two clauses, the noun is none."""
    drawn = tree(
        "He PRON 2 nsubj",
        "sings VERB 0 root",
        "and CCONJ 2 cc",
        "dances VERB 2 conj",
        "and CCONJ 4 cc",
        "cats NOUN 4 conj",
    )
    assert words(drawn, drawn.clauses) == ["sings", "dances"]


def test_what_hangs_on_a_noun_is_no_clause_for_its_conjunct() -> None:
    drawn = tree("Fish NOUN 0 root", "and CCONJ 1 cc", "swim VERB 1 conj")
    assert drawn.clauses == []


def test_a_fragment_has_no_clause() -> None:
    assert tree("A DET 2 det", "cat NOUN 0 root").clauses == []


def test_two_roots() -> None:
    drawn = tree("Stop VERB 0 root", "Go VERB 0 root", "now ADV 2 advmod")
    assert drawn.roots == [0, 1]
    assert drawn.height == 2


@pytest.mark.parametrize(
    ("heads", "projective"),
    [
        ([2, 0, 2], True),
        ([2, 4, 0, 3, 2], False),  # 2 -> 4 and 3's arc from outside cross
        ([3, 4, 0, 3], False),  # 1 -> 3 and 2 -> 4
        ([0, 3, 1, 1], True),
        ([3, 0, 2], False),  # 1 -> 3 spans the root, which does not depend on 3
        ([0], True),
        ([], True),
    ],
)
def test_crossing_arcs(heads: list[int], projective: bool) -> None:
    assert tree(*(f"w X {head} dep" for head in heads)).is_projective == projective


def test_crossing_arcs_by_definition() -> None:
    """Arcs (a, b) and (c, d) cross where a < c < b < d; all pairs looked at, on random trees."""
    random.seed(4)
    seen = set()
    for _ in range(400):
        size = random.randrange(1, 8)
        order = random.sample(range(1, size + 1), size)
        heads = {word: random.choice(order[:i]) if i else 0 for i, word in enumerate(order)}
        arcs = [tuple(sorted(arc)) for arc in heads.items()]
        crossing = any(a < c < b < d or c < a < d < b for (a, b), (c, d) in combinations(arcs, 2))
        drawn = tree(*(f"w X {heads[word]} dep" for word in range(1, size + 1)))
        assert drawn.is_projective == (not crossing), heads
        seen.add(crossing)
    assert seen == {True, False}


def test_a_long_chain_is_no_trouble() -> None:
    size = 20_000
    drawn = tree("w VERB 0 root", *(f"w VERB {i} conj" for i in range(1, size)))
    assert drawn.height == len(drawn.clauses) == drawn.sizes[0] == size
    assert drawn.is_projective
