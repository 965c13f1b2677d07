"""Features of one text, the output. Each function gives the value of a text, NaN where it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import log1p, nan

from plainly.metrics.linguistic.markers import count_markers
from plainly.metrics.linguistic.texts import Text, lemma_of
from plainly.metrics.linguistic.trees import DEPENDENT_CLAUSES, MULTIWORD, NOUNS, VERBS, Tree, relation
from plainly.models.parsers import Token
from plainly.text.frequency import RANKED, word_ranks

FUNCTION_WORDS = frozenset({"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"})


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else nan


def mean(values: Sequence[float]) -> float:
    return ratio(sum(values), len(values))


def words(text: Text) -> float:
    return len(text.plain_words)


def characters(text: Text) -> float:
    return len(" ".join(text.raw.split()))


def sentences(text: Text) -> float:
    return text.language.count_sentences(text.raw) if text.plain_words else 0


def word_length(text: Text) -> float:
    return mean([sum(map(str.isalnum, word)) for word in text.plain_words])


def mean_rank(text: Text) -> float:
    return mean(_ranks(text))


def highest_rank(text: Text) -> float:
    return max(_ranks(text), default=nan)


def _ranks(text: Text) -> list[float]:
    """ln(1 + rank) of each word that has a letter; a word that is not in the list has the rank after the last."""
    ranks = word_ranks(text.language.frequency_list or "")
    written = [word.lower() for word in text.plain_words if any(map(str.isalpha, word))]
    return [log1p(ranks.get(word, RANKED)) for word in written]


def discourse_markers(text: Text) -> float:
    return ratio(count_markers(text.plain_words, text.language.code), len(text.plain_words))


def type_token_ratio(text: Text) -> float:
    return ratio(len(set(map(lemma_of, text.words))), len(text.words))


def share_of_tokens(holds: Callable[[Token], bool]) -> Callable[[Text], float]:
    """The feature "share of the tokens, words and marks, that have a property"."""
    return lambda text: mean([holds(token) for token in text.tokens])


def pos_share(pos: str) -> Callable[[Text], float]:
    return share_of_tokens(lambda token: token.pos == pos)


function_words = share_of_tokens(lambda token: token.pos in FUNCTION_WORDS)
named_entities = share_of_tokens(lambda token: token.entity)
multiword = share_of_tokens(lambda token: relation(token) in MULTIWORD)


def share_of_sentences(holds: Callable[[Tree], bool]) -> Callable[[Text], float]:
    """The feature "share of the sentences that have a property"."""
    return lambda text: mean([holds(tree) for tree in text.trees])


root_has_subject = share_of_sentences(lambda tree: any(map(tree.has_subject, tree.roots)))
root_is_verb = share_of_sentences(lambda tree: any(tree.tokens[i].pos in VERBS for i in tree.roots))
root_is_noun = share_of_sentences(lambda tree: any(tree.tokens[i].pos in NOUNS for i in tree.roots))
non_projective = share_of_sentences(lambda tree: not tree.is_projective)


def height(text: Text) -> float:
    return mean([tree.height for tree in text.trees])


def clauses_per_sentence(text: Text) -> float:
    return mean([len(tree.clauses) for tree in text.trees])


def clause_length(text: Text) -> float:
    return ratio(len(text.words), sum(len(tree.clauses) for tree in text.trees))


def share_of_clauses(holds: Callable[[Tree, int], bool]) -> Callable[[Text], float]:
    """The feature "share of the clauses that have a property"."""
    return lambda text: mean([holds(tree, i) for tree in text.trees for i in tree.clauses])


passive = share_of_clauses(Tree.is_passive)
subordinate = share_of_clauses(lambda tree, i: relation(tree.tokens[i]) in DEPENDENT_CLAUSES)
relative = share_of_clauses(lambda tree, i: tree.tokens[i].dep == "acl:relcl")
coordinate = share_of_clauses(lambda tree, i: relation(tree.tokens[i]) == "conj")


def noun_phrase_length(text: Text) -> float:
    return mean(_gathered(tree.noun_phrases for tree in text.trees))


def verb_phrase_length(text: Text) -> float:
    return mean(_gathered(tree.verb_phrases for tree in text.trees))


def prepositional_phrase_length(text: Text) -> float:
    return mean(_gathered(tree.prepositional_phrases for tree in text.trees))


def prepositional_phrases(text: Text) -> float:
    return ratio(len(_gathered(tree.prepositional_phrases for tree in text.trees)), len(text.words))


def _gathered(groups: Iterable[list[int]]) -> list[int]:
    return [size for group in groups for size in group]
