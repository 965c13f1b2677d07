"""Texts as token numbers: what is derived from them follows the vocabulary as it grows."""

from __future__ import annotations

from plainly.corpus import Corpus


def test_tokens_and_joined_texts() -> None:
    corpus = Corpus(["A cat, a dog.", None], (), {"a": ["A  cat.", "😀 café"], "b": ["", "New words!"]})
    encoded = corpus.encoded("13a", True)
    assert encoded.joined(None).strings() == ["a cat , a dog .", ""]
    assert encoded.tokens == ["a", "cat", ",", "dog", "."]
    assert encoded.joined("a").strings() == ["a cat .", "😀 café"]
    assert encoded.tokens == ["a", "cat", ",", "dog", ".", "😀", "café"]
    assert encoded.joined("b").strings() == ["", "new words !"]
    assert encoded.joined("b").lengths.tolist() == [0, 11]
    assert encoded.tokens == encoded.vocabulary.tokens()
