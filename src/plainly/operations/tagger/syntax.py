"""Parts of speech, lemmas and dependencies of tokens, from a parser; the parser cuts words in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from plainly.models.parsers import Parsed, Token, parse
from plainly.operations.tagger.labeller import Tokens

POS = (
    *("", "PUNCT", "SYM", "X", "DET", "ADP", "PART", "CCONJ", "SCONJ", "PRON", "AUX", "VERB"),
    *("ADV", "ADJ", "NUM", "NOUN", "PROPN", "INTJ"),
)
TAGS = (
    *("", "NN", "NNS", "NNP", "NNPS", "VB", "VBP", "VBZ", "VBD", "VBN", "VBG", "MD", "JJ", "JJR", "JJS", "RB"),
    *("RBR", "RBS", "IN", "DT", "CD", "PRP", "PRP$", "WDT", "WP", "WRB", "TO", "CC", "POS", "EX", "RP"),
)
DEPS = (
    *("", "punct", "dep", "det", "det:predet", "case", "mark", "cc", "cc:preconj", "aux", "aux:pass", "expl"),
    *("advmod", "amod", "nummod", "compound", "compound:prt", "flat", "nmod:poss", "nmod", "pobj", "pcomp", "obl"),
    *("obl:agent", "appos", "acl", "acl:relcl", "advcl", "parataxis", "conj", "ccomp", "xcomp", "nsubj"),
    *("nsubj:pass", "csubj", "csubj:pass", "obj", "iobj", "root", "discourse", "vocative"),
)
# Neighbours in these lists do like things: trees split numbers at a threshold.
POS_NUMBER = {name: number for number, name in enumerate(POS)}
TAG_NUMBER = {name: number for number, name in enumerate(TAGS)}
DEP_NUMBER = {name: number for number, name in enumerate(DEPS)}
UNKNOWN_DEP = DEP_NUMBER["dep"]


class Word(NamedTuple):
    """What a parser says of one token. `head` is a position in the text; that of the token itself for a root."""

    lemma: str
    pos: int
    tag: int
    dep: int
    head: int
    entity: bool


def analyse(texts: Sequence[Tokens], lang: str) -> list[list[Word]]:
    """One list a text, one word a token. Texts that occur twice are parsed once."""
    distinct = list(dict.fromkeys(texts))
    parsed = parse([" ".join(text) for text in distinct], lang)
    found = {text: _words(text, result) for text, result in zip(distinct, parsed, strict=True)}
    return [found[text] for text in texts]


def _words(text: Tokens, parsed: Parsed) -> list[Word]:
    """The parser's words put to our tokens; of several in one token, the one that hangs on another token counts."""
    flat: list[Token] = []
    heads: list[int] = []
    for sentence in parsed.sentences:
        heads += [len(flat) + token.head for token in sentence]
        flat += sentence
    owners = _owners(text, flat)
    words: list[Word | None] = [None] * len(text)
    outward = [False] * len(text)
    for number, (token, head, owner) in enumerate(zip(flat, heads, owners, strict=True)):
        leaves = owners[head] != owner or head == number
        if words[owner] is None or (leaves and not outward[owner]):
            words[owner] = _word(token, owners[head])
            outward[owner] = leaves
    return [word or Word("", 0, 0, UNKNOWN_DEP, i, False) for i, word in enumerate(words)]


def _owners(text: Tokens, flat: Sequence[Token]) -> list[int]:
    """The token of ours in which each word of the parser begins, counted in characters that are not blank."""
    ends, end = [], 0
    for token in text:
        end += _length(token)
        ends.append(end)
    owners, place, owner = [], 0, 0
    for word in flat:
        while owner < len(text) - 1 and ends[owner] <= place:
            owner += 1
        owners.append(owner)
        place += _length(word.text)
    return owners


@lru_cache(1 << 16)
def _length(text: str) -> int:
    return len("".join(text.split()))


def _word(token: Token, head: int) -> Word:
    return Word(
        token.lemma.lower(),
        POS_NUMBER.get(token.pos, 0),
        TAG_NUMBER.get(token.tag, 0),
        DEP_NUMBER.get(token.dep, UNKNOWN_DEP),
        head,
        token.entity,
    )
