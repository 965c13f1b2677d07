"""All linguistic features: one entry each. A feature is added by a function and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log1p
from typing import Literal

from plainly.metrics.linguistic import of_pair, of_text
from plainly.models.parsers import DEPENDENCIES, ENTITIES, LEMMAS, TAGS
from plainly.text.frequency import RANKED

SOURCE = "source"
WORDS = "blanks between words"
SENTENCES = "sentence splitter"
RANKS = "word ranks"
MARKERS = "list of markers"
TOKENS = "parser"  # any, for its tokens

SHARE = (0.0, 1.0)
AMOUNT = (0.0, inf)
RANK = (0.0, log1p(RANKED))


@dataclass(frozen=True)
class Feature:
    """`value` takes the output; where the source is among `needs`, source and output."""

    name: str
    title: str
    about: str
    value: Callable[..., float]
    needs: frozenset[str]
    range: tuple[float, float] = SHARE
    direction: Literal["higher", "lower", "none"] = "none"


def _needing(*needs: str) -> frozenset[str]:
    return frozenset(needs)


_OF_TEXT = [
    Feature("words", "Words", "words of the output", of_text.words, _needing(WORDS), AMOUNT),
    Feature("characters", "Characters", "characters of the output", of_text.characters, _needing(), AMOUNT),
    Feature(
        "sentences", "Sentences", "sentences of the output", of_text.sentences, _needing(WORDS, SENTENCES), AMOUNT
    ),
    Feature(
        "word-length", "Word length", "letters and digits per word", of_text.word_length, _needing(WORDS), AMOUNT
    ),
    Feature(
        "word-rank-mean",
        "Mean word rank",
        "how rare the words are: mean of the log rank of all words",
        of_text.mean_rank,
        _needing(WORDS, RANKS),
        RANK,
        "lower",
    ),
    Feature(
        "word-rank-max",
        "Highest word rank",
        "how rare the rarest word is: its log rank",
        of_text.highest_rank,
        _needing(WORDS, RANKS),
        RANK,
        "lower",
    ),
    Feature(
        "discourse-marker-share",
        "Discourse markers",
        "discourse markers (however, for example, ...) / words",
        of_text.discourse_markers,
        _needing(WORDS, MARKERS),
    ),
    Feature(
        "type-token-ratio",
        "Type-token ratio",
        "different lemmas / words",
        of_text.type_token_ratio,
        _needing(LEMMAS),
    ),
    Feature(
        "function-word-share",
        "Function words",
        "share of the tokens that are articles, pronouns, prepositions, conjunctions, auxiliaries or particles",
        of_text.function_words,
        _needing(TAGS),
    ),
    *(
        Feature(
            f"{name}-share",
            f"{name.replace('-', ' ').capitalize()} share",
            f"share of the tokens that are {plural}",
            of_text.pos_share(pos),
            _needing(TAGS),
        )
        for pos, name, plural in [
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
    ),
    Feature(
        "named-entity-share",
        "Named entities",
        "share of the tokens that belong to a name",
        of_text.named_entities,
        _needing(ENTITIES),
    ),
    Feature(
        "multiword-share",
        "Multi-word expressions",
        "share of the tokens that are a further part of a compound, name or fixed phrase",
        of_text.multiword,
        _needing(DEPENDENCIES),
    ),
    Feature(
        "parse-height",
        "Parse height",
        "tokens on the longest way from the root of a sentence to a leaf, mean over sentences",
        of_text.height,
        _needing(DEPENDENCIES),
        AMOUNT,
        "lower",
    ),
    Feature(
        "clauses-per-sentence",
        "Clauses per sentence",
        "clauses per sentence",
        of_text.clauses_per_sentence,
        _needing(TAGS, DEPENDENCIES),
        AMOUNT,
    ),
    Feature(
        "clause-length",
        "Clause length",
        "words per clause",
        of_text.clause_length,
        _needing(TAGS, DEPENDENCIES),
        AMOUNT,
    ),
    Feature(
        "noun-phrase-length",
        "Noun phrase length",
        "mean number of words in the phrases that a noun, name or pronoun heads",
        of_text.noun_phrase_length,
        _needing(TAGS, DEPENDENCIES),
        AMOUNT,
    ),
    Feature(
        "verb-phrase-length",
        "Verb phrase length",
        "mean number of words in the phrases that a verb heads, without its subject",
        of_text.verb_phrase_length,
        _needing(TAGS, DEPENDENCIES),
        AMOUNT,
    ),
    Feature(
        "prepositional-phrase-length",
        "Prepositional phrase length",
        "mean number of words in prepositional phrases",
        of_text.prepositional_phrase_length,
        _needing(TAGS, DEPENDENCIES),
        AMOUNT,
    ),
    Feature(
        "prepositional-phrase-share",
        "Prepositional phrases",
        "prepositional phrases / words",
        of_text.prepositional_phrases,
        _needing(TAGS, DEPENDENCIES),
    ),
    *(
        Feature(f"{kind}-share", f"{kind.capitalize()} clauses", about, value, _needing(TAGS, DEPENDENCIES))
        for kind, about, value in [
            ("passive", "share of the clauses that are in the passive", of_text.passive),
            ("subordinate", "share of the clauses that depend on another", of_text.subordinate),
            ("relative", "share of the clauses that are relative clauses", of_text.relative),
            ("coordinate", "share of the clauses that are joined to one before them", of_text.coordinate),
        ]
    ),
    Feature(
        "root-has-subject",
        "Root has a subject",
        "share of the sentences whose root has a subject",
        of_text.root_has_subject,
        _needing(DEPENDENCIES),
    ),
    Feature(
        "root-is-verb",
        "Root is a verb",
        "share of the sentences whose root is a verb or auxiliary",
        of_text.root_is_verb,
        _needing(TAGS, DEPENDENCIES),
    ),
    Feature(
        "root-is-noun",
        "Root is a noun",
        "share of the sentences whose root is a noun, name or pronoun",
        of_text.root_is_noun,
        _needing(TAGS, DEPENDENCIES),
    ),
    Feature(
        "non-projective-share",
        "Crossing arcs",
        "share of the sentences in which arcs of the parse cross",
        of_text.non_projective,
        _needing(DEPENDENCIES),
    ),
]

_OF_PAIR = [
    Feature(
        "forms-kept",
        "Forms kept",
        "share of the output's tokens that the source has too",
        of_pair.forms_kept,
        _needing(SOURCE, TOKENS),
    ),
    Feature(
        "lemmas-kept",
        "Lemmas kept",
        "share of the output's tokens whose lemma the source has too",
        of_pair.lemmas_kept,
        _needing(SOURCE, LEMMAS),
    ),
    Feature(
        "lemmas-added",
        "Lemmas added",
        "share of the output's tokens whose lemma the source lacks",
        of_pair.lemmas_added,
        _needing(SOURCE, LEMMAS),
    ),
    Feature(
        "lemmas-deleted",
        "Lemmas deleted",
        "share of the source's tokens whose lemma the output lacks",
        of_pair.lemmas_deleted,
        _needing(SOURCE, LEMMAS),
    ),
    Feature(
        "words-rewritten",
        "Words rewritten",
        "share of the output's tokens that are another form of a lemma of the source",
        of_pair.words_rewritten,
        _needing(SOURCE, LEMMAS),
    ),
    Feature(
        "lemma-overlap",
        "Lemma overlap",
        "different lemmas in both texts / different lemmas in either",
        of_pair.lemma_overlap,
        _needing(SOURCE, LEMMAS),
    ),
    Feature(
        "joined-share",
        "Sentences joined",
        "share of the segments whose output has fewer sentences than the source",
        of_pair.joined,
        _needing(SOURCE, WORDS, SENTENCES),
    ),
    Feature(
        "passive-to-active",
        "Passive to active",
        "of the segments whose source has a passive clause, the share whose output has none",
        of_pair.passive_to_active,
        _needing(SOURCE, TAGS, DEPENDENCIES),
    ),
    Feature(
        "height-reduced",
        "Parse height reduced",
        "share of the segments whose output has a lower parse height than the source",
        of_pair.height_reduced,
        _needing(SOURCE, DEPENDENCIES),
    ),
    Feature(
        "word-length-reduced",
        "Word length reduced",
        "share of the segments whose output has shorter words than the source",
        of_pair.word_length_reduced,
        _needing(SOURCE, WORDS),
    ),
    Feature(
        "characters-removed",
        "Characters removed",
        "characters of the source less those of the output",
        of_pair.characters_removed,
        _needing(SOURCE),
        (-inf, inf),
    ),
]

FEATURES = {feature.name: feature for feature in [*_OF_TEXT, *_OF_PAIR]}
