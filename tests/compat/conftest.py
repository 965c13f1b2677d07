"""A machine with Punkt, and one without."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import pytest

from plainly.base.errors import MissingResource
from plainly.compat.easse import _splitter
from plainly.text import sentences


@pytest.fixture
def exact_splitter(punkt: None) -> Iterator[None]:
    """Punkt is there."""
    sentences._punkt.cache_clear()
    _splitter.sentence_variant.cache_clear()
    yield
    _splitter.sentence_variant.cache_clear()


@pytest.fixture
def no_splitter(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Punkt is not there, and the warning that says so has not been given."""

    def missing(text: str) -> list[str]:
        raise MissingResource("install Punkt")

    monkeypatch.setattr(_splitter, "punkt_sentences", missing)
    _splitter.sentence_variant.cache_clear()
    yield
    _splitter.sentence_variant.cache_clear()


@pytest.fixture
def builtin_splitter(no_splitter: None) -> None:
    """Punkt is not there, and the warning has been given."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert _splitter.sentence_variant() == "builtin"
