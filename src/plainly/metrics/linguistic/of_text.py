"""Features of one text, the output. Each function gives the value of a text, NaN where it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import log1p, nan

from plainly.metrics.linguistic.markers import count_markers
from plainly.metrics.linguistic.table import AMOUNT, MARKERS, RANK, RANKS, SENTENCES, WORDS, feature
from plainly.metrics.linguistic.texts import Text, lemma_of
from plainly.metrics.linguistic.trees import DEPENDENT_CLAUSES, MULTIWORD, NOUNS, VERBS, Tree, relation
from plainly.models.parsers import DEPENDENCIES, ENTITIES, LEMMAS, TAGS, Token
from plainly.text.frequency import RANKED, word_ranks

PARSED = (TAGS, DEPENDENCIES)
FUNCTION_WORDS = frozenset({"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"})
POS = [
    ("ADJ", "adjective", "adjectives"),
    ("ADP", "adposition", "prepositions and postpositions"),
    ("ADV", "adverb", "adverbs"),
    ("AUX", "auxiliary", "auxiliaries, forms of be among them"),
    ("CCONJ", "coordinator", "coordinating conjunctions"),
    ("DET", "determiner", "articles and other determiners"),
    ("INTJ", "interjection", "interjections"),
    ("NOUN", "noun", "common nouns"),
    ("NUM", "numeral", "numerals"),
    ("PART", "particle", "particles"),
    ("PRON", "pronoun", "pronouns"),
    ("PROPN", "proper-noun", "proper nouns"),
    ("PUNCT", "punctuation-mark", "punctuation marks"),
    ("SCONJ", "subordinator", "subordinating conjunctions"),
    ("SYM", "symbol", "symbols"),
    ("VERB", "verb", "full verbs"),
    ("X", "other-token", "of no part of speech"),
]


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else nan


def mean(values: Sequence[float]) -> float:
    return ratio(sum(values), len(values))


@feature("words", "Words", "words of the output", WORDS, range=AMOUNT)
def words(text: Text) -> float:
    return len(text.plain_words)


@feature("characters", "Characters", "characters of the output", range=AMOUNT)
def characters(text: Text) -> float:
    return len(" ".join(text.raw.split()))


@feature("sentences", "Sentences", "sentences of the output", WORDS, SENTENCES, range=AMOUNT)
def sentences(text: Text) -> float:
    return text.language.count_sentences(text.raw) if text.plain_words else 0


@feature("word-length", "Word length", "letters and digits per word", WORDS, range=AMOUNT)
def word_length(text: Text) -> float:
    return mean([sum(map(str.isalnum, word)) for word in text.plain_words])


@feature(
    "word-rank-mean",
    "Mean word rank",
    "how rare the words are: mean of the log rank of all words",
    WORDS,
    RANKS,
    range=RANK,
    direction="lower",
)
def mean_rank(text: Text) -> float:
    return mean(_ranks(text))


@feature(
    "word-rank-max",
    "Highest word rank",
    "how rare the rarest word is: its log rank",
    WORDS,
    RANKS,
    range=RANK,
    direction="lower",
)
def highest_rank(text: Text) -> float:
    return max(_ranks(text), default=nan)


def _ranks(text: Text) -> list[float]:
    """ln(1 + rank) of each word that has a letter; a word that is not in the list has the rank after the last."""
    ranks = word_ranks(text.language.frequency_list or "")
    written = [word.lower() for word in text.plain_words if any(map(str.isalpha, word))]
    return [log1p(ranks.get(word, RANKED)) for word in written]


@feature(
    "discourse-marker-share",
    "Discourse markers",
    "discourse markers (however, for example, ...) / words",
    WORDS,
    MARKERS,
)
def discourse_markers(text: Text) -> float:
    return ratio(count_markers(text.plain_words, text.language.code), len(text.plain_words))


@feature("type-token-ratio", "Type-token ratio", "different lemmas / words", LEMMAS)
def type_token_ratio(text: Text) -> float:
    return ratio(len(set(map(lemma_of, text.words))), len(text.words))


def share_of_tokens(name: str, title: str, which: str, need: str, holds: Callable[[Token], bool]) -> None:
    """Declares a share of the tokens, words and marks."""
    declare = feature(name, title, f"share of the tokens that {which}", need)
    declare(lambda text: mean([holds(token) for token in text.tokens]))


def _pos_share(pos: str, name: str, plural: str) -> None:
    title = f"{name.replace('-', ' ').capitalize()} share"
    share_of_tokens(f"{name}-share", title, f"are {plural}", TAGS, lambda token: token.pos == pos)


share_of_tokens(
    "function-word-share",
    "Function words",
    "are articles, pronouns, prepositions, conjunctions, auxiliaries or particles",
    TAGS,
    lambda token: token.pos in FUNCTION_WORDS,
)
for _each in POS:
    _pos_share(*_each)
share_of_tokens("named-entity-share", "Named entities", "belong to a name", ENTITIES, lambda token: token.entity)
share_of_tokens(
    "multiword-share",
    "Multi-word expressions",
    "are a further part of a compound, name or fixed phrase",
    DEPENDENCIES,
    lambda token: relation(token) in MULTIWORD,
)


@feature(
    "parse-height",
    "Parse height",
    "tokens on the longest way from the root of a sentence to a leaf, mean over sentences",
    DEPENDENCIES,
    range=AMOUNT,
    direction="lower",
)
def height(text: Text) -> float:
    return mean([tree.height for tree in text.trees])


@feature("clauses-per-sentence", "Clauses per sentence", "clauses per sentence", TAGS, DEPENDENCIES, range=AMOUNT)
def clauses_per_sentence(text: Text) -> float:
    return mean([len(tree.clauses) for tree in text.trees])


@feature("clause-length", "Clause length", "words per clause", TAGS, DEPENDENCIES, range=AMOUNT)
def clause_length(text: Text) -> float:
    return ratio(len(text.words), sum(len(tree.clauses) for tree in text.trees))


def phrase_length(kind: str, which: str, sizes: Callable[[Tree], list[int]]) -> None:
    """Declares the mean length of phrases."""
    about = f"mean number of words in {which}"
    declare = feature(f"{kind}-phrase-length", f"{kind.capitalize()} phrase length", about, *PARSED, range=AMOUNT)
    declare(lambda text: mean(_gathered(map(sizes, text.trees))))


phrase_length("noun", "the phrases that a noun, name or pronoun heads", lambda tree: tree.noun_phrases)
phrase_length("verb", "the phrases that a verb heads, without its subject", lambda tree: tree.verb_phrases)
phrase_length("prepositional", "prepositional phrases", lambda tree: tree.prepositional_phrases)


@feature("prepositional-phrase-share", "Prepositional phrases", "prepositional phrases / words", *PARSED)
def prepositional_phrases(text: Text) -> float:
    return ratio(len(_gathered(tree.prepositional_phrases for tree in text.trees)), len(text.words))


def _gathered(groups: Iterable[list[int]]) -> list[int]:
    return [size for group in groups for size in group]


def share_of_clauses(kind: str, which: str, holds: Callable[[Tree, int], bool]) -> Callable[[Text], float]:
    """Declares a share of the clauses."""
    declare = feature(f"{kind}-share", f"{kind.capitalize()} clauses", f"share of the clauses that {which}", *PARSED)
    return declare(lambda text: mean([holds(tree, i) for tree in text.trees for i in tree.clauses]))


passive = share_of_clauses("passive", "are in the passive", Tree.is_passive)
share_of_clauses("subordinate", "depend on another", lambda tree, i: relation(tree.tokens[i]) in DEPENDENT_CLAUSES)
share_of_clauses("relative", "are relative clauses", lambda tree, i: tree.tokens[i].dep == "acl:relcl")
share_of_clauses("coordinate", "are joined to one before them", lambda tree, i: relation(tree.tokens[i]) == "conj")


def share_of_sentences(name: str, title: str, which: str, *needs: str, holds: Callable[[Tree], bool]) -> None:
    """Declares a share of the sentences."""
    declare = feature(name, title, f"share of the sentences {which}", *needs)
    declare(lambda text: mean([holds(tree) for tree in text.trees]))


share_of_sentences(
    "root-has-subject",
    "Root has a subject",
    "whose root has a subject",
    DEPENDENCIES,
    holds=lambda tree: any(map(tree.has_subject, tree.roots)),
)
share_of_sentences(
    "root-is-verb",
    "Root is a verb",
    "whose root is a verb or auxiliary",
    *PARSED,
    holds=lambda tree: any(tree.tokens[i].pos in VERBS for i in tree.roots),
)
share_of_sentences(
    "root-is-noun",
    "Root is a noun",
    "whose root is a noun, name or pronoun",
    *PARSED,
    holds=lambda tree: any(tree.tokens[i].pos in NOUNS for i in tree.roots),
)
share_of_sentences(
    "non-projective-share",
    "Crossing arcs",
    "in which arcs of the parse cross",
    DEPENDENCIES,
    holds=lambda tree: not tree.is_projective,
)
