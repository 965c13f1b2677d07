"""The conventions behind the printed tables of Tanprasert and Kauchak 2021, quirks included.

"Flesch-Kincaid is Not a Text Simplification Evaluation Metric" (GEM 2021) was computed with tools whose conventions
its text does not tell. Those below reproduce its tables. They serve to check the paper, not to judge a system: they
are found by name alone, and `all` leaves them out.

The texts are tokenised, one segment a line. BLEU and SARI run from 0 to 1, as they are printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import ClassVar, Literal

import numpy as np

from plainly._kernels import NgramIndex
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.metrics.base import SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.bleu import Bleu
from plainly.metrics.means import MeanOfSegments
from plainly.metrics.readability.english import Fkgl
from plainly.metrics.sari import COUNTS, OPERATIONS, ORDERS
from plainly.metrics.settings import SENTENCES, lowercase_setting, setting
from plainly.text.sentences import punkt_sentences
from plainly.text.syllables import count_syllables_easse

PAPER = "Tanprasert and Kauchak 2021, Flesch-Kincaid is Not a Text Simplification Evaluation Metric, GEM"
CAUTION = "only for replication: the conventions of tanprasert-kauchak-2021"


def _facts(
    title: str,
    about: str,
    direction: Literal["higher", "lower", "none"],
    range: tuple[float, float],
    *needs: str,
    decimals: int = 4,
) -> Facts:
    title = f"{title} (TK2021)"
    return Facts(title, about, direction, range, frozenset(needs), PAPER, caution=CAUTION, decimals=decimals)


@dataclass(frozen=True, kw_only=True)
class ReplicatedFkgl(Metric):
    """FKGL = 0.39 floor(words / sentences) + 11.8 syllables / words - 15.59, over all outputs as one running text.

    A row is what its line adds to that text. Rows add up to the counts of the text, with these exceptions:

    - A text that opens with punctuation has one word more.
    - A text that does not end in a stop has one sentence more.
    - Whether an abbreviation ends its line and a sentence depends on the next line, but not here.
    """

    name = "fkgl-tk2021"
    facts = _facts(
        "FKGL", "FKGL with punctuation counted as words, and whole words per sentence", "lower", (-15.59, inf)
    )
    languages = frozenset({"en"})
    also_signed: ClassVar = {"sentences": SENTENCES}

    def settings(self) -> dict[str, str]:
        return {**super().settings(), "sentences": "punkt-nltk"}

    def versions(self) -> dict[str, str]:
        return Fkgl(variant="easse").versions()

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "words", "sentences", "syllables")

    def measure(self, corpus: Corpus, system: str) -> Array:
        counts = [line_counts(line) if line else (0, 0, 0) for line in corpus.output(system)]
        return with_scored(scored(corpus, system, self.facts.needs), np.array(counts).reshape(-1, 3))

    def score(self, totals: Array) -> Score:
        words, sentences, syllables = (totals[..., i] for i in (1, 2, 3))
        length, syllables_per_word = ratio(words, sentences), ratio(syllables, words)
        components = {
            "words": words,
            "sentences": sentences,
            "syllables": syllables,
            "words_per_sentence": length,
            "syllables_per_word": syllables_per_word,
            "true_division": _grade(length, syllables_per_word),
        }
        empty = totals[..., 0] == 0
        components = {name: np.where(empty, np.nan, part) for name, part in components.items()}
        return Score(_grade(np.floor(length), syllables_per_word), components)


@dataclass(frozen=True, kw_only=True)
class ReplicatedLength(ReplicatedFkgl):
    """Words per sentence, as that FKGL counts them."""

    name = "sentence-length-tk2021"
    facts = _facts(
        "Average length", "words per sentence, with punctuation counted as words", "none", (0.0, inf), decimals=3
    )

    def score(self, totals: Array) -> Score:
        return Score(super().score(totals).components["words_per_sentence"])


@dataclass(frozen=True, kw_only=True)
class ReplicatedSyllables(ReplicatedFkgl):
    """Syllables per word, as that FKGL counts them."""

    name = "syllables-per-word-tk2021"
    facts = _facts(
        "Average syllables", "syllables per word, with punctuation counted as words", "none", (0.0, inf), decimals=3
    )

    def score(self, totals: Array) -> Score:
        return Score(super().score(totals).components["syllables_per_word"])


def _grade(words_per_sentence: Array, syllables_per_word: Array) -> Array:
    return 0.39 * words_per_sentence + 11.8 * syllables_per_word - 15.59


def line_counts(line: str) -> tuple[int, int, int]:
    """Words, sentence ends and syllables that a line adds to a text, if a line that begins with "The" follows it."""
    units = word_units(f"{line}\n")
    if units and not _OPENS_WORD.match(units[0]):
        del units[0]  # goes on from the end of the line before, and was counted there
    return len(units), _sentence_ends(line), sum(map(count_syllables, units))


def word_units(text: str) -> list[str]:
    """What counts as a word: a run of characters that words lack, or else all up to the next blank.

    A single blank and a single mark are no words. But a mark with its blanks is one, and so is a line end.
    """
    return [unit for unit in _UNIT.findall(text) if unit not in _NO_WORDS]


@lru_cache(maxsize=1 << 16)
def count_syllables(unit: str) -> int:
    """Syllables: 0 unless the word is letters and digits alone (but for .,!?), at least 1 if it is.

    The rules are those of EASSE's counter, but for words in "ee": one final e is dropped there, not all of them.
    """
    word = unit.translate(_WITHOUT_MARKS).strip().lower()
    if not word.isalnum():
        return 0
    # The other e's stay when they are not at the end; an apostrophe matches none of the rules.
    return max(1, count_syllables_easse(f"{word[:-1]}'" if word.endswith("ee") else word))


def _sentence_ends(line: str) -> int:
    """How many sentences end in a line. Punkt decides on a stop by the word it is part of, and the next one."""
    words = [*line.split(), "The"]
    return sum(_ends_in(word, following) for word, following in pairwise(words) if _STOP.search(word))


@lru_cache(maxsize=1 << 16)
def _ends_in(word: str, following: str) -> int:
    return len(punkt_sentences(f"{word} {following} The")) - len(punkt_sentences(f"{following} The"))


_UNIT = re.compile(r"\W+|\S+")
_OPENS_WORD = re.compile(r"\w")
_STOP = re.compile(r"[.?!]")
_MARKS = ".,!?"
_NO_WORDS = frozenset({" ", *_MARKS})
_WITHOUT_MARKS = str.maketrans("", "", _MARKS)


@dataclass(frozen=True, kw_only=True)
class PercentSplit(MeanOfSegments):
    """The share of outputs with more full stops than their source, those of abbreviations included."""

    name = "percent-split-tk2021"
    column = "split"
    facts = _facts(
        "% split",
        "percentage of outputs with more full-stop characters than their source",
        "none",
        (0.0, 100.0),
        "source",
        decimals=3,
    )

    def values(self, corpus: Corpus, system: str) -> Array:
        pairs = zip(corpus.sources, corpus.output(system), strict=True)
        split = [(output or "").count(".") > (source or "").count(".") for source, output in pairs]
        return np.array(split, dtype=np.float64)

    def score(self, totals: Array) -> Score:
        return Score(100 * super().score(totals).value)


@dataclass(frozen=True, kw_only=True)
class ReplicatedBleu(Bleu):
    """Cased BLEU from 0 to 1."""

    name = "bleu-tk2021"
    facts = _facts("BLEU", "cased n-gram overlap with the reference, from 0 to 1", "higher", (0.0, 1.0), "references")

    lowercase: bool = lowercase_setting(False)

    def score(self, totals: Array) -> Score:
        percent = super().score(totals)
        precisions = {name: part / 100 for name, part in percent.components.items() if name.startswith("precision_")}
        return Score(percent.value / 100, {**percent.components, **precisions})


@dataclass(frozen=True, kw_only=True)
class ReplicatedSari(Metric):
    """SARI of corpus counts as the paper's tool has it: always so many references, and a source split at blanks.

    Source and output count `assumed_references` times, the references that there are count once each. So most of
    what the source has is "to be deleted", and delete hardly moves. F1 judges add and keep, precision delete.
    The score is cut to four decimals; its parts are made of precisions and recalls that were cut before.
    """

    name = "sari-tk2021"
    facts = _facts(
        "SARI",
        "cased corpus SARI from 0 to 1 that takes one reference for eight",
        "higher",
        (0.0, 1.0),
        "source",
        "references",
    )

    assumed_references: int = setting(8, help="how many references are assumed, whatever there are")

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, *(f"{o}_{count}_{n}" for o in OPERATIONS for count in COUNTS for n in ORDERS))

    def measure(self, corpus: Corpus, system: str) -> Array:
        index = corpus.prepared((self.name, self.assumed_references), lambda: self._index(corpus))
        counts = index.sari(*corpus.encoded("13a", False).output(system))
        return with_scored(scored(corpus, system, self.facts.needs), counts.reshape(len(corpus), 36))

    def score(self, totals: Array) -> Score:
        counts = totals[..., 1:].reshape(*totals.shape[:-1], 3, 3, 4)
        correct, made, wanted = (counts[..., i, :] for i in range(3))
        precision, recall = _or_zero(correct, made), _or_zero(correct, wanted)
        uncut = _parts(precision, recall).mean(axis=(-2, -1))
        # Multiplied before it is divided, so that a quotient with four decimals stays what it is.
        parts = _parts(_cut(_or_zero(1e4 * correct, made)), _cut(_or_zero(1e4 * correct, wanted)))
        named = {
            f"{part}_{n}": parts[..., i, k]
            for i, part in enumerate(("add_f1", "keep_f1", "delete_precision"))
            for k, n in enumerate(ORDERS)
        }
        empty = totals[..., 0] == 0
        components = {name: np.where(empty, np.nan, part) for name, part in {"uncut": uncut, **named}.items()}
        return Score(np.where(empty, np.nan, _cut(1e4 * uncut)), components)

    def _index(self, corpus: Corpus) -> NgramIndex:
        """The n-grams of sources split at blanks, and of references with empty ones up to the assumed number."""
        if corpus.reference_counts.max(initial=0) > self.assumed_references:
            raise PlainlyError(f"{self.name} takes at most {self.assumed_references} references a segment")
        encoded = corpus.encoded("13a", False)
        source = encoded.vocabulary.encode([text or "" for text in corpus.sources], "whitespace")
        ids, offsets = encoded.references
        first, end = corpus.reference_groups[:-1, None], corpus.reference_groups[1:, None]
        begins = offsets[np.minimum(first + np.arange(self.assumed_references), end)]
        groups = self.assumed_references * np.arange(len(corpus) + 1)
        return NgramIndex(*source, ids, np.append(begins, offsets[-1]), groups)


def _parts(precision: Array, recall: Array) -> Array:
    """F1 of add and keep, precision of delete: (..., operation, n)."""
    f1 = _or_zero(2 * precision * recall, precision + recall)
    return np.concatenate([f1[..., :2, :], precision[..., 2:, :]], axis=-2)


def _or_zero(numerator: Array, denominator: Array) -> Array:
    return np.nan_to_num(ratio(numerator, denominator))


def _cut(ten_thousandths: Array) -> Array:
    """Four decimals, cut and not rounded."""
    return np.asarray(np.floor(ten_thousandths) / 1e4)
