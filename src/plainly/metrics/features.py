"""Features of a source and its output, as EASSE's quality estimation defines them, and shares of words.

Each is a mean over segments. With s and o the normalised texts of source and output, S and O their tokens (as
multisets), |.| a number of characters or tokens:

    compression ratio        |o| / |s|                                   no value if s is empty
    sentence splits          sentences(o) / sentences(s)                 see `SentenceSplits`
    Levenshtein similarity   2 LCS(s, o) / (|s| + |o|), of characters    1 if both are empty
    exact copies             1 if s = o, else 0
    additions proportion     |O - S| / max(words(s), words(o))           no value if both are 0
    deletions proportion     |S - O| / max(words(s), words(o))           no value if both are 0
    lexical complexity       see `LexicalComplexity`
    words added              |O - S| / |O|                               no value if O is empty
    words deleted            |S - O| / |S|                               no value if S is empty
    words kept               |S & O| / |S|                               no value if S is empty
    words reordered          (|S & O| - LCS(S, O)) / |S & O|             no value if S or O is empty;
                                                                         0 if no word is kept

A normalised text is the tokens joined by blanks; with the tokeniser `none` it is the text as it stands, less
the blanks at its ends. words(.) counts the tokens of 13a, whatever the tokeniser. A segment for which a
feature has no value is not scored: it stays out of the mean and is counted. (EASSE stops with an error there.)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from typing import Any, ClassVar, Literal, NamedTuple
from xml.sax.saxutils import unescape

import numpy as np
from numpy.typing import NDArray

from plainly._kernels import Vocabulary, lcs_lengths, overlaps
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.corpus import Characters
from plainly.metrics._text_counts import Learned, TokenTable, count_sentences, sentence_counts
from plainly.metrics.base import NO_SETTINGS, Array, Facts, ratio
from plainly.metrics.linguistic.texts import parsed_sentences
from plainly.metrics.means import MeanOfSegments
from plainly.metrics.settings import (
    PARSER,
    RANKS,
    lowercase_setting,
    parser_setting,
    tokenizer_setting,
    variant_setting,
)
from plainly.models.parsers import DEPENDENCIES, missing_parser, parser_for
from plainly.text.frequency import RANKED, ranks_version, word_ranks
from plainly.text.languages import LANGUAGES, get_language
from plainly.text.sentences import punkt_sentences

Counts = NDArray[np.int64]

EASSE = "Alva-Manchego et al. 2019, EASSE: Easier Automatic Sentence Simplification Evaluation, EMNLP"
TSEVAL = "Martin et al. 2018, Reference-less Quality Estimation of Text Simplification Systems, ATA"
AFTER = f"plainly's definition, after features of {TSEVAL}"


def _facts(
    title: str,
    about: str,
    largest: float = 1.0,
    direction: Literal["lower", "none"] = "none",
    needs: frozenset[str] = frozenset({"source"}),
    paper: str = f"{TSEVAL}; {EASSE}",
) -> Facts:
    return Facts(title, about, direction, (0.0, largest), needs, paper, decimals=3)


@dataclass(frozen=True, kw_only=True)
class Feature(MeanOfSegments):
    """What looks at the normalised texts of source and output."""

    tokenizer: str = tokenizer_setting()
    lowercase: bool = lowercase_setting()

    def _texts(self, corpus: Corpus, system: str) -> tuple[Characters, Characters]:
        """The normalised source and output."""
        return self._text(corpus, None), self._text(corpus, system)

    def _text(self, corpus: Corpus, system: str | None) -> Characters:
        if self.tokenizer != "none":
            return corpus.encoded(self.tokenizer, self.lowercase).joined(system)
        build = partial(_untokenised, corpus, self.lowercase, system)
        return corpus.prepared(("untokenised", self.lowercase, system), build)

    def _words(self, corpus: Corpus, system: str) -> Words:
        build = partial(_compare_words, corpus, self.tokenizer, self.lowercase, system)
        return corpus.prepared(("word counts", self.tokenizer, self.lowercase, system), build)


class CompressionRatio(Feature):
    name = "compression-ratio"
    facts = _facts("Compression ratio", "characters of the output / characters of the source", np.inf)

    def values(self, corpus: Corpus, system: str) -> Array:
        source, output = self._texts(corpus, system)
        return _ratio(output.lengths, source.lengths)


@dataclass(frozen=True, kw_only=True)
class SentenceSplits(Feature):
    """Sentences of the output / sentences of the source, both counted in the normalised text.

    A source without a sentence gives no value; in the variant `easse` it gives 0, as there.
    """

    name = "sentence-splits"
    facts = _facts(
        "Sentence splits",
        "sentences of the output / sentences of the source",
        np.inf,
        needs=frozenset({"source", "language"}),
    )
    variants: ClassVar = {
        "builtin": "plainly's sentence splitter",
        "easse": "NLTK's Punkt, as in EASSE; English only; needs nltk and its punkt_tab data",
        "parser": "the sentences of a parser, in the texts as they are, as in EASSE-DE; needs a spaCy pipeline",
    }
    also_signed: ClassVar = {"parser": PARSER}
    languages = frozenset(code for code, language in LANGUAGES.items() if language.sentence_source)

    variant: str = variant_setting(variants)
    parser: str = parser_setting()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant == "easse" and self.lang != "en":
            raise PlainlyError(f"{self.label} is defined for English only, not for {self.lang!r}")

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        if settings.get("variant") == "parser":
            return missing_parser(lang, {DEPENDENCIES}, settings.get("parser", ""))
        return super().missing(lang, settings)

    def settings(self) -> dict[str, str]:
        settings = super().settings()
        if self.variant == "parser":
            del settings["tokenizer"], settings["lowercase"]
            parser = parser_for(self.lang, self.parser)
            settings["parser"] = parser.identity if parser else "none"
        return settings

    def versions(self) -> dict[str, str]:
        if self.variant != "easse":
            return {}
        return {"nltk": version("nltk")}

    def values(self, corpus: Corpus, system: str) -> Array:
        source, output = self._count(corpus, None), self._count(corpus, system)
        values = _ratio(output, source)
        return np.where(source == 0, 0.0, values) if self.variant == "easse" else values

    def _count(self, corpus: Corpus, system: str | None) -> Counts:
        if self.variant == "parser":
            return parsed_sentences(corpus, system, self.lang, self.parser)
        if self.variant == "easse":
            texts = self._text(corpus, system).strings()
            return np.array([len(punkt_sentences(text)) for text in texts], dtype=np.int64)
        if self.tokenizer == "none":
            return count_sentences(self.lang, self._text(corpus, system).strings())
        return sentence_counts(corpus, system, self.lang, self.tokenizer, self.lowercase)


class LevenshteinSimilarity(Feature):
    name = "levenshtein-similarity"
    facts = _facts("Levenshtein similarity", "share of the characters that need no insertion or deletion")

    def values(self, corpus: Corpus, system: str) -> Array:
        source, output = self._texts(corpus, system)
        both = source.lengths + output.lengths
        return np.where(both == 0, 1.0, _ratio(2 * lcs_lengths(*source, *output), both))


class ExactCopies(Feature):
    name = "exact-copies"
    facts = _facts("Exact copies", "share of the segments that the system left as they are")

    def values(self, corpus: Corpus, system: str) -> Array:
        source, output = self._texts(corpus, system)
        same = source.lengths == output.lengths  # only these can be copies, and their characters are in step
        first, second = (text.characters[np.repeat(same, text.lengths)] for text in (source, output))
        copies = np.zeros(len(corpus))
        copies[same] = _sums(first != second, _offsets(source.lengths[same])) == 0
        return copies


class WordShare(Feature):
    """Words of one kind / words of another."""

    @abstractmethod
    def share(self, words: Words) -> tuple[Counts, Counts]:
        """What is divided by what."""

    def values(self, corpus: Corpus, system: str) -> Array:
        return _ratio(*self.share(self._words(corpus, system)))


class AdditionsProportion(WordShare):
    name = "additions-proportion"
    facts = _facts("Additions proportion", "words of the output that the source lacks / words of the longer text")

    def share(self, words: Words) -> tuple[Counts, Counts]:
        return words.output - words.shared, words.longer


class DeletionsProportion(WordShare):
    name = "deletions-proportion"
    facts = _facts("Deletions proportion", "words of the source that the output lacks / words of the longer text")

    def share(self, words: Words) -> tuple[Counts, Counts]:
        return words.source - words.shared, words.longer


class LexicalComplexity(Feature):
    """The upper quartile of ln(1 + rank) over the content words of the output.

    Content words are the tokens among the 50,000 most frequent words (the first has rank 0) that are not
    function words; the list is in lower case, so they are looked up in lower case. An output without a
    content word, an empty one too, gets ln(1 + 50000), as in EASSE. EASSE's own table of ranks could not be had: here
    wordfreq ranks the words, so its numbers do not carry over.
    """

    name = "lexical-complexity"
    facts = _facts(
        "Lexical complexity",
        "how rare the rarer words of the output are: upper quartile of the log rank of its content words",
        float(np.log1p(RANKED)),
        direction="lower",
        needs=frozenset({"language"}),
    )
    languages = frozenset(
        code for code, language in LANGUAGES.items() if language.frequency_list and language.stop_words
    )
    also_signed: ClassVar = {"ranks": RANKS}

    def settings(self) -> dict[str, str]:
        return {**super().settings(), "ranks": "wordfreq"}

    def versions(self) -> dict[str, str]:
        return {"wordfreq": ranks_version()}

    def values(self, corpus: Corpus, system: str) -> Array:
        encoded = corpus.encoded(self.tokenizer, self.lowercase)
        output = encoded.output(system)
        table = corpus.prepared(
            ("ranks", self.lang, self.tokenizer, self.lowercase),
            lambda: TokenTable(encoded, _content_ranks(self.lang).__getitem__, 1),
        )
        rank = table.of(output.ids)[:, 0]
        content = rank >= 0
        lengths = _sums(content, output.offsets)
        owner = np.repeat(np.arange(len(lengths)), lengths)
        in_order = np.sort(owner * RANKED + rank[content]) - owner * RANKED
        return _quantiles(np.log1p(in_order), lengths, 0.75, empty=self.facts.range[1])


class WordsAdded(WordShare):
    name = "words-added"
    facts = _facts("Words added", "share of the output's words that the source lacks", paper=AFTER)

    def share(self, words: Words) -> tuple[Counts, Counts]:
        return words.output - words.shared, words.output


class WordsDeleted(WordShare):
    name = "words-deleted"
    facts = _facts("Words deleted", "share of the source's words that the output lacks", paper=AFTER)

    def share(self, words: Words) -> tuple[Counts, Counts]:
        return words.source - words.shared, words.source


class WordsKept(WordShare):
    name = "words-kept"
    facts = _facts("Words kept", "share of the source's words that the output has too", paper=AFTER)

    def share(self, words: Words) -> tuple[Counts, Counts]:
        return words.shared, words.source


class WordsReordered(Feature):
    name = "words-reordered"
    facts = _facts("Words reordered", "share of the kept words that left the order of the source", paper=AFTER)

    def values(self, corpus: Corpus, system: str) -> Array:
        words = self._words(corpus, system)
        encoded = corpus.encoded(self.tokenizer, self.lowercase)
        in_order = lcs_lengths(*encoded.source, *encoded.output(system))
        moved = _ratio(words.shared - in_order, np.maximum(words.shared, 1))
        return np.where((words.source == 0) | (words.output == 0), np.nan, moved)


class Words(NamedTuple):
    """Numbers of tokens, segment by segment."""

    source: Counts
    output: Counts
    shared: Counts
    longer: Counts  # the larger of both by 13a


def _untokenised(corpus: Corpus, lowercase: bool, system: str | None) -> Characters:
    raw = corpus.sources if system is None else corpus.output(system)
    texts = [((text.lower() if lowercase else text) if text else "").strip() for text in raw]
    whole = "".join(texts).encode("utf-32-le", "surrogatepass")
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    return Characters(np.frombuffer(whole, dtype="<i4").astype(np.int32), _offsets(lengths))


def _compare_words(corpus: Corpus, tokenizer: str, lowercase: bool, system: str) -> Words:
    encoded = corpus.encoded(tokenizer, lowercase)
    source, output = encoded.source, encoded.output(system)
    shared = overlaps(*output, *source, np.arange(len(corpus) + 1))
    pieces = _pieces(encoded.tokens)
    counted = [_sums(pieces[text.ids], text.offsets) for text in (source, output)]
    return Words(source.lengths, output.lengths, shared, np.maximum(*counted))


# What NLTK's NIST tokeniser unescapes beside &lt; &gt; &amp;
_ENTITIES = {"&apos;": "'", "&quot;": '"', "&#124;": "|", "&#91;": "[", "&#93;": "]"}
_INERT = str.maketrans("&<", "@@")


def _pieces(tokens: list[str]) -> Counts:
    """How many words each token is for NLTK's NIST tokeniser, by which EASSE counts the words of a text.

    Its rules are those of 13a but for the entities: each is read once. After that, & and < give way to a sign
    that 13a cuts off too, so that 13a does not read what now looks like an entity.
    """
    everything = "".join(tokens)
    if "&" in everything or "<" in everything:
        tokens = [
            unescape(token.replace("<skipped>", ""), _ENTITIES).translate(_INERT)
            if "&" in token or "<" in token
            else token
            for token in tokens
        ]
    _, offsets = Vocabulary().encode(tokens, "13a")
    return np.diff(offsets)


@cache
def _content_ranks(lang: str) -> Learned:
    """The rank of a token that is a content word of the language, else -1."""
    language = get_language(lang)
    ranks = word_ranks(language.frequency_list or lang)

    def rank(token: str) -> int:
        word = token.lower()
        return -1 if word in language.stop_words else ranks.get(word, -1)

    return Learned(rank)


def _ratio(numerator: Counts, denominator: Counts) -> Array:
    return ratio(numerator.astype(np.float64), denominator.astype(np.float64))


def _offsets(lengths: Counts) -> Counts:
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths)])


def _sums(values: NDArray[np.int64] | NDArray[np.bool_], offsets: Counts) -> Counts:
    """The sum of values[offsets[i]:offsets[i + 1]] for each i."""
    return np.diff(_offsets(values.astype(np.int64))[offsets])


def _quantiles(values: Array, lengths: Counts, q: float, empty: float) -> Array:
    """The quantile of each group of sorted values, by linear interpolation as `numpy.quantile` does it."""
    offsets = _offsets(lengths)
    some = lengths > 0
    position = q * (lengths[some] - 1)
    below = np.floor(position).astype(np.int64)
    above = np.minimum(below + 1, lengths[some] - 1)
    low, high = values[offsets[:-1][some] + below], values[offsets[:-1][some] + above]
    quantiles = np.full(len(lengths), empty)
    quantiles[some] = low + (position - below) * (high - low)
    return quantiles
