"""The tokeniser `stanza`: a stand-in for the library, which is large and fetches its models from the network."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from plainly.base.errors import MissingResource
from plainly.text import stanza_tokenizer
from plainly.text.tokenizers import get_tokenizer, tokenizers_for

STANZA = get_tokenizer("stanza")


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    stanza_tokenizer._pipeline.cache_clear()
    yield
    stanza_tokenizer._pipeline.cache_clear()


def stand_in(pipeline: Any) -> ModuleType:
    stanza = ModuleType("stanza")
    stanza.Pipeline = pipeline  # type: ignore[attr-defined]
    return stanza


def test_tokens_of_all_sentences_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    def pipeline(lang: str, **settings: Any) -> Any:
        asked.append((lang, settings))
        tokens = [[SimpleNamespace(text="10 000"), SimpleNamespace(text="kamen")], [SimpleNamespace(text=".")]]
        return lambda text: SimpleNamespace(sentences=[SimpleNamespace(tokens=sentence) for sentence in tokens])

    monkeypatch.setitem(sys.modules, "stanza", stand_in(pipeline))
    assert STANZA.tokens("10 000 kamen.", lang="de") == ["10_000", "kamen", "."]
    assert "stanza" in tokenizers_for("de")
    assert asked == [("de", {"processors": "tokenize", "download_method": None, "verbose": False})]


def test_without_stanza_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza", None)
    with pytest.raises(MissingResource, match="pip install stanza"):
        STANZA.tokens("Ein Satz.", lang="de")
    assert "stanza" not in tokenizers_for("de")


def test_without_its_model_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def pipeline(lang: str, **settings: Any) -> Any:
        raise FileNotFoundError("resources.json")

    monkeypatch.setitem(sys.modules, "stanza", stand_in(pipeline))
    with pytest.raises(MissingResource, match=r"its model for 'de' is not: python -c .*stanza\.download\('de'"):
        STANZA.tokens("Ein Satz.", lang="de")
