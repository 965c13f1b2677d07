"""The compiled kernels equal their plain-Python twins to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainly._kernels.plain import ngrams as plain_ngrams
from plainly._kernels.plain import sequences as plain_sequences
from plainly._kernels.plain import tokens as plain_tokens

compiled_ngrams = pytest.importorskip("plainly._kernels.compiled.ngrams", reason="no compiled kernels here")
compiled_sequences = pytest.importorskip("plainly._kernels.compiled.sequences")
compiled_tokens = pytest.importorskip("plainly._kernels.compiled.tokens")

# Text that meets the rules of 13a far more often than chance would.
PIECES = ["a", "B", "İ", "ΑΣ", "1", "23", ".", ",", "-", "-\n", "\n", " ", "\t", "&", "&amp;", "&quot;", "&lt;"]
PIECES += [
    "<skipped>",
    "'",
    "!",
    "(",
    "$",
    "~",
    "é",
    "漢",
    "ก",
    "ำ",
    "_",
    "..",
    "eightlong",
    "😀",
    "\u00a0",
    "\u0085",
    "\u2028",
    "\x1c",
    "\0",
    "\ud800",
]
tricky = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)
texts = st.lists(tricky | st.text(max_size=20), max_size=8)


@given(texts, st.sampled_from(["13a", "whitespace", "words"]), st.booleans())
def test_vocabulary(lines: list[str], rule: str, lowercase: bool) -> None:
    compiled, plain = compiled_tokens.Vocabulary(), plain_tokens.Vocabulary()
    for _ in range(2):  # the second time every token is known
        ids, offsets = compiled.encode(lines, rule, lowercase)
        expected_ids, expected_offsets = plain.encode(lines, rule, lowercase)
        assert ids.dtype == expected_ids.dtype
        assert offsets.dtype == expected_offsets.dtype
        assert ids.tolist() == expected_ids.tolist()
        assert offsets.tolist() == expected_offsets.tolist()
    assert compiled.tokens() == plain.tokens()
    assert compiled.lengths().tolist() == plain.lengths().tolist()
    assert len(compiled) == len(plain)
    for ours, theirs in zip(compiled.join(ids, offsets), plain.join(ids, offsets), strict=True):
        assert ours.tolist() == theirs.tolist()


def test_a_vocabulary_that_grows() -> None:
    words = [f"word{i}" for i in range(50_000)]
    vocabulary = compiled_tokens.Vocabulary()
    ids, _ = vocabulary.encode([" ".join(words), " ".join(reversed(words))], "whitespace")
    assert vocabulary.tokens() == words
    assert ids.tolist() == [*range(50_000), *reversed(range(50_000))]


@pytest.mark.parametrize("tokens", [compiled_tokens, plain_tokens])
def test_what_vocabularies_refuse(tokens: object) -> None:
    vocabulary = tokens.Vocabulary()  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="no tokeniser rule 'x'"):
        vocabulary.encode(["a"], "x")
    with pytest.raises(TypeError, match="text 1 is NoneType, not str"):
        vocabulary.encode(["a", None], "13a")
    with pytest.raises(IndexError):
        vocabulary.join(np.array([7], dtype=np.int32), np.array([0, 1]))


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[np.ndarray], ...]:
    """Encoded sources, ragged references, groups and two outputs; few token types, so that n-grams repeat."""
    n = draw(st.integers(0, 4))
    size = draw(st.sampled_from([1, 2, 5, 40]))
    text = st.lists(st.integers(0, size - 1), max_size=9)

    def encoded(count: int) -> list[np.ndarray]:
        lines = [draw(text) for _ in range(count)]
        offsets = np.cumsum([0, *map(len, lines)]).astype(np.int64)
        return [np.array([token for line in lines for token in line], dtype=np.int32), offsets]

    group = np.cumsum([0, *(draw(st.integers(0, 3)) for _ in range(n))]).astype(np.int64)
    return encoded(n), encoded(int(group[-1])), [group], encoded(n), encoded(n)


@settings(max_examples=3 * settings.default.max_examples)
@given(corpora(), st.permutations(["sari", "sari_ratios", "bleu"]))
def test_ngram_counts(corpus: tuple[list[np.ndarray], ...], methods: list[str]) -> None:
    source, references, group, *outputs = corpus
    compiled = compiled_ngrams.NgramIndex(*source, *references, *group)
    plain = plain_ngrams.NgramIndex(*source, *references, *group)
    for output in outputs:  # the second must not see what the first left behind
        for method in methods:
            counted, expected = getattr(compiled, method)(*output), getattr(plain, method)(*output)
            assert counted.dtype == expected.dtype
            np.testing.assert_array_equal(counted, expected)
        np.testing.assert_array_equal(
            compiled_ngrams.overlaps(*output, *references, *group),
            plain_ngrams.overlaps(*output, *references, *group),
        )


@given(corpora(), st.lists(st.booleans(), max_size=4))
def test_different_tokens(corpus: tuple[list[np.ndarray], ...], marks: list[bool]) -> None:
    without = np.array(marks, dtype=np.uint8)  # of the first tokens; all others stay
    for text in corpus[:2]:
        for ours, theirs in zip(
            compiled_ngrams.distinct(*text, without), plain_ngrams.distinct(*text, without), strict=True
        ):
            assert ours.dtype == theirs.dtype
            assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("ngrams", [compiled_ngrams, plain_ngrams])
def test_different_tokens_have_numbers(ngrams: object) -> None:
    with pytest.raises(IndexError, match="negative"):
        ngrams.distinct(np.array([-1], dtype=np.int32), np.array([0, 1]), np.zeros(0, np.uint8))  # type: ignore[attr-defined]


@given(corpora())
def test_longest_common_subsequences(corpus: tuple[list[np.ndarray], ...]) -> None:
    first, _, _, second, _ = corpus
    np.testing.assert_array_equal(
        compiled_sequences.lcs_lengths(*first, *second), plain_sequences.lcs_lengths(*first, *second)
    )


@pytest.mark.parametrize("length", [63, 64, 65, 128, 129, 400])
def test_longest_common_subsequences_across_machine_words(length: int) -> None:
    rng = np.random.default_rng(length)
    first = rng.integers(0, 4, length).astype(np.int32)
    second = (rng.integers(0, 4, length + 13) + 256 * rng.integers(0, 2)).astype(np.int32)
    offsets, others = np.array([0, length]), np.array([0, length + 13])
    for pair in ((first, second), (first, first)):
        ends = (offsets, others if pair[1] is second else offsets)
        ours = compiled_sequences.lcs_lengths(pair[0], ends[0], pair[1], ends[1])
        assert ours == plain_sequences.lcs_lengths(pair[0], ends[0], pair[1], ends[1])
    assert compiled_sequences.lcs_lengths(first, offsets, first, offsets) == length
