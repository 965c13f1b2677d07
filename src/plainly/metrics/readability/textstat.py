"""How textstat counts and rounds: what published German tables rest on.

EASSE-DE, EASSE-multi and the papers that use them compute Flesch's reading ease and the Wiener Sachtextformel by
the package textstat, on all outputs of a system joined by blanks:

* Words stand between blanks and have a letter, digit or underscore; all else is deleted from them.
* Sentences are what stands between ``. ! ?``, in any place ("3.5", "z. B."), if it has three words or more; every
  text has one at least. So an output without a final mark makes one sentence with the next.
* Syllables are the pieces of a word between the breaks of a hyphenation dictionary.
* textstat up to 0.7.5 rounds words per sentence and syllables per word to one decimal inside the formula.

A row here is thus not a matter of its segment alone: which sentences end where depends on the outputs before it. A
sentence belongs to the row in which its third word stands, and three columns say how to go on from any row, so the
rows of pieces of a corpus (`follow`) are those of the whole, and their sum is exact. Rows drawn at random, as
intervals need them, keep the sentences they have in the order of the corpus.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from plainly.corpus import Corpus
from plainly.metrics._text_counts import LONG, POLYSYLLABLE, Counts, TokenTable, sums
from plainly.metrics.base import SCORED, Array, scored, with_scored
from plainly.metrics.readability.formula import Readability, Totals
from plainly.metrics.settings import lowercase_setting, tokenizer_setting, variant_setting
from plainly.text.hyphenation import PYPHEN, pyphen_counter, pyphen_version

EXACT = "exact"
CURRENT = "textstat"
ROUNDED = "textstat-0.7.5"
AMERICAN = "textstat-0.7.5-us"

# textstat asks pyphen for "en" and gets the British dictionary.
ENGLISH = f"{PYPHEN}en_GB"
# Where no language was set, textstat took this one.
UNSET = f"{PYPHEN}en_US"
LEAST_WORDS = 3  # what has fewer is no sentence


@dataclass(frozen=True, kw_only=True)
class AsTextstat(Readability):
    """A formula that can also be had with textstat's counts, for comparison with published tables."""

    variants: ClassVar = {
        EXACT: "textbook counts, no rounding",
        CURRENT: "the counts of textstat 0.7.7 and later, no rounding",
        ROUNDED: "the counts and the rounding of textstat up to 0.7.5: the numbers of published German tables",
    }
    textstat_decimals: ClassVar[int] = 2  # of the result of textstat up to 0.7.5

    tokenizer: str = tokenizer_setting("none")
    lowercase: bool = lowercase_setting(False)
    variant: str = variant_setting(variants)

    def settings(self) -> dict[str, str]:
        settings = super().settings()
        if self.variant == EXACT:
            del settings["tokenizer"], settings["lowercase"]  # words stand between blanks in the text as it is
            return settings
        if "syllables" in settings:
            settings["syllables"] = self._syllable_source
        return {**settings, "sentences": "textstat"}

    def versions(self) -> dict[str, str]:
        if self.variant == EXACT or "syllables" not in self.counted:
            return super().versions()
        return {"pyphen": pyphen_version()}

    @property
    def columns(self) -> tuple[str, ...]:
        return super().columns if self.variant == EXACT else (SCORED, *self.counted, *_CONTEXT)

    def measure(self, corpus: Corpus, system: str) -> Array:
        if self.variant == EXACT:
            return super().measure(corpus, system)
        count = partial(_count, corpus, system, self.tokenizer, self.lowercase, self._syllable_source, self._keeps)
        key = ("textstat", self.lang, self.tokenizer, self.lowercase, self._keeps, system)
        chosen = [TEXTSTAT_COUNTS.index(name) for name in (*self.counted, *_CONTEXT)]
        return with_scored(scored(corpus, system, self.facts.needs), corpus.prepared(key, count)[:, chosen])

    @property
    def reads_all_outputs_as_one(self) -> bool:
        return self.variant != EXACT

    def follow(self, rows: Array, before: Array) -> Array:
        if not self.reads_all_outputs_as_one:
            return rows
        sentences, leading, marked, left_open = (self.columns.index(name) for name in ("sentences", *_CONTEXT))
        rows = rows.copy()
        # The sentence that the piece before left open goes on to the first mark.
        stops = np.flatnonzero(rows[:, marked])
        reach = rows[: stops[0] + 1] if len(stops) else rows
        alone = np.cumsum(reach[:, leading])
        joined = before[left_open] + alone
        reach[:, sentences] += np.diff(joined >= LEAST_WORDS, prepend=before[left_open] >= LEAST_WORDS)
        reach[:, sentences] -= np.diff(alone >= LEAST_WORDS, prepend=False)
        goes_on = (reach[:, 0] > 0) & (reach[:, marked] == 0)
        reach[goes_on, left_open] = np.minimum(joined, LEAST_WORDS)[goes_on]
        return rows

    def totals(self, totals: Array) -> Totals:
        total = dict(super().totals(totals))
        if self.variant != EXACT:
            total["sentences"] = np.where(total["words"] > 0, np.maximum(total["sentences"], 1), 0)
        return total

    @property
    def rounds(self) -> bool:
        return self.variant in (ROUNDED, AMERICAN)

    def rounded(self, value: Array) -> Array:
        """The result of the formula as textstat gives it."""
        return half_up(value, self.textstat_decimals) if self.rounds else value

    @property
    def _keeps(self) -> bool:
        """Whether an apostrophe before t, s, d, ve, ll or re is kept, which moves syllables."""
        return not self.rounds

    @property
    def _syllable_source(self) -> str:
        if self.variant == AMERICAN:
            return UNSET
        return ENGLISH if self.lang == "en" else self.language.syllable_source


def half_up(value: Array, decimals: int) -> Array:
    """Rounded as old textstat rounds: halves away from zero for positive numbers."""
    scale = 10**decimals
    return np.asarray(np.floor(value * scale + np.copysign(0.5, value)) / scale)


_CONTEXT = ("leading_words", "marked", "open_words")
"""Words before the first mark, whether there is one, and words (at most three) of the sentence open at the end."""
_OF_TOKENS = (
    "words",
    "syllables",
    "polysyllables",
    "monosyllables",
    "long_words",
    "letters",
)
TEXTSTAT_COUNTS = (*_OF_TOKENS, "sentences", *_CONTEXT)


def _count(
    corpus: Corpus, system: str, tokenizer: str, lowercase: bool, syllable_source: str, keep_apostrophes: bool
) -> Counts:
    encoded = corpus.encoded(tokenizer, lowercase)
    count_syllables = pyphen_counter(syllable_source.removeprefix(PYPHEN)) if syllable_source else None
    table = corpus.prepared(
        ("textstat tokens", tokenizer, lowercase, syllable_source, keep_apostrophes),
        lambda: TokenTable(
            encoded,
            lambda token: _token_numbers(token, count_syllables, keep_apostrophes),
            len(_OF_TOKENS) + 3,
        ),
    )
    output = encoded.output(system)
    numbers = table.of(output.ids)
    of_tokens = sums(numbers[:, : len(_OF_TOKENS)], output.offsets)
    return np.column_stack([of_tokens, _sentences(numbers[:, len(_OF_TOKENS) :], output.offsets)])


def _token_numbers(
    token: str, count_syllables: Callable[[str], int] | None, keep_apostrophes: bool
) -> tuple[int, ...]:
    """`_OF_TOKENS`, and how the token goes on with a sentence: words before its first mark, whether it has one, and
    words after its last (those between two marks are too few to be a sentence)."""
    letters = len(_NO_LETTER.sub("", token))
    if not letters:
        return *(0 for _ in _OF_TOKENS), 0, int(_MARK.search(token) is not None), 0
    word = _NEITHER.sub("", _QUOTE.sub("", token)) if keep_apostrophes else _NO_LETTER.sub("", token)
    syllables = count_syllables(word) if count_syllables else 0
    first, *rest = (int(_LETTER.search(part) is not None) for part in _MARK.split(token))
    return (
        1,
        syllables,
        int(syllables >= POLYSYLLABLE),
        int(syllables == 1),
        int(letters > LONG),
        letters,
        first,
        int(bool(rest)),
        rest[-1] if rest else 0,
    )


def _sentences(tokens: Counts, offsets: Counts) -> Counts:
    """Sentences and `_CONTEXT` of each text: (texts, 4). The texts follow each other, joined by blanks."""
    # Each token is two steps: up to its first mark, and on from its last. A mark begins a new run of words.
    words = tokens[:, [0, 2]].ravel()
    marks = np.column_stack([np.zeros(len(tokens), dtype=np.int64), tokens[:, 1]]).ravel()
    ends = 2 * offsets
    running = np.cumsum(words)
    start = np.maximum.accumulate(np.where(marks, np.arange(len(marks)), 0))
    in_run = running - np.where(start > 0, running[start - 1], 0)
    complete = (words > 0) & (in_run == LEAST_WORDS)

    marks_before = np.concatenate([[0], np.cumsum(marks)])
    unmarked = marks_before[1:] == np.repeat(marks_before[ends[:-1]], np.diff(ends))
    left_open = np.minimum(np.concatenate([[0], in_run])[ends[1:]], LEAST_WORDS)
    return np.column_stack(
        [sums(complete.astype(np.int64), ends), sums(words * unmarked, ends), sums(marks, ends) > 0, left_open]
    )


def counts_of_one(text: str, familiar: Container[str]) -> tuple[int, int, int]:
    """What the Dale-Chall formula of textstat up to 0.7.5 rests on: words, sentences and different unfamiliar words.

    A word that occurs twice is counted once among the unfamiliar ones, and twice among the words. Unfamiliar words
    keep their apostrophes, all words lose them.
    """
    parts = [len(_without_marks(part)) for part in _SENTENCE.findall(text)]
    unfamiliar = {word for word in _WORD.findall(text.lower()) if word not in familiar}
    return len(_without_marks(text)), max(1, sum(part >= LEAST_WORDS for part in parts)), len(unfamiliar)


def _without_marks(text: str) -> list[str]:
    return _MARKS.sub("", text).split()


_SENTENCE = re.compile(r"\b[^.!?]+[.!?]*")
_WORD = re.compile(r"[\w='‘’]+")
_MARKS = re.compile(r"[^\w\s]")
_LETTER = re.compile(r"\w")
_NO_LETTER = re.compile(r"\W")
_MARK = re.compile("[.!?]+")
# An apostrophe that is none of an English contraction, and then all that is neither letter nor apostrophe.
_QUOTE = re.compile("'(?![tsd]|ve|ll|re)")
_NEITHER = re.compile(r"[^\w']")
