"""`plainly doctor`: what can run here, for this machine and for a language."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import plainly as package
from plainly.metrics import metric_class, names
from plainly.text import spacy_tokenizer
from plainly.text.tokenizers import TOKENIZERS


def part(content: Any, name: str) -> dict[str, str]:
    return next(row for row in content["language_parts"] if row["part"] == name)


def test_all_parts_and_metrics_are_listed(plainly: Any) -> None:
    content = plainly("doctor", "--format", "json").json
    assert content["plainly"] == package.__version__
    assert content["language"] == "en"
    parts = {row["part"]: row for row in content["parts"]}
    assert {"Python", "compiled kernels", "numpy", "sacrebleu", "pyarrow", "nltk", "NLTK Punkt data"} < set(parts)
    labels = [row["metric"] for row in content["metrics"]]
    for name in names():
        variants = list(metric_class(name).variants)[1:]
        assert {name, *(f"{name}:{variant}" for variant in variants)} <= set(labels)
    for row in [*content["parts"], *content["language_parts"], *content["metrics"]]:
        assert (row["to mend"] == "") == (row["state"] not in ("missing", "not available"))


def test_what_a_language_has(plainly: Any) -> None:
    content = plainly("doctor", "--lang", "de", "--format", "json").json
    assert content["language"] == "de"
    for tokenizer in TOKENIZERS:
        assert part(content, f"tokenizer {tokenizer}")
    assert part(content, "tokenizer 13a")["what it is"].endswith("the default")
    assert part(content, "sentences") == {"part": "sentences", "state": "ok", "what it is": "builtin", "to mend": ""}
    assert part(content, "syllables")["what it is"] == "pyphen-de_DE"
    assert part(content, "word ranks")["state"] == "ok"
    assert part(content, "identification")["state"] == "ok"
    assert "fre" in part(content, "readability")["what it is"]
    metrics = {row["metric"]: row for row in content["metrics"]}
    assert metrics["sari"]["state"] == "ok"
    assert metrics["fkgl"]["state"] == "not available"
    assert "'de'" in metrics["fkgl"]["to mend"]


def test_what_a_language_lacks(plainly: Any) -> None:
    content = plainly("doctor", "--lang", "th", "--format", "json").json
    assert part(content, "writing")["what it is"] == "from left to right, no blanks between words"
    assert part(content, "tokenizer char")["what it is"].endswith("the default")
    assert part(content, "tokenizer moses")["to mend"] == "sacremoses has no rules for Thai"
    assert part(content, "tokenizer spacy")["to mend"].endswith("pip install pythainlp")
    assert part(content, "sentences")["to mend"].startswith("Thai does not mark where sentences end")
    for lacking in ("syllables", "word ranks", "function words", "readability"):
        assert part(content, lacking)["state"] == "not available"
    assert {row["metric"]: row["state"] for row in content["metrics"]}["sari"] == "ok"


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "th"])
def test_looking_says_what_trying_says(lang: str, plainly: Any) -> None:
    looked, tried = (plainly("doctor", "--lang", lang, "--format", "json", *more).json for more in ([], ["--try"]))
    for table in ("parts", "language_parts", "metrics"):
        states = [[tuple(row.values())[:2] for row in content[table]] for content in (looked, tried)]
        assert states[0] == states[1]


def test_a_package_that_is_missing(plainly: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    spacy_tokenizer._tokenizer.cache_clear()
    row = part(plainly("doctor", "--lang", "ru", "--format", "json").json, "tokenizer spacy")
    assert (row["state"], row["to mend"].endswith("pip install 'plainly[languages]'")) == ("missing", True)


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html"])
def test_as_tables(form: str, plainly: Any) -> None:
    printed = plainly("doctor", "--lang", "ar", "--format", form).printed
    assert "compiled kernels" in printed
    assert "What is there for Arabic?" in printed
    assert "from right to left" in printed
    assert "Which metrics can score Arabic?" in printed
    assert "sari:star" in printed


def test_one_table_for_programs(plainly: Any) -> None:
    assert plainly("doctor", "--format", "csv").refusal == (
        "one file holds one table: parts, language_parts, metrics, profiles"
    )
    printed = plainly("doctor", "--lang", "ar", "--table", "metrics", "--format", "csv").printed
    assert printed.startswith("metric,state,to mend\n")
    assert "sari:star,ok,\n" in printed


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("german", "unknown language 'german'; did you mean 'de'?"),
        ("eng", "unknown language 'eng'; did you mean 'en'?"),
    ],
)
def test_an_unknown_language(lang: str, said: str, plainly: Any) -> None:
    assert plainly("doctor", "--lang", lang).refusal == said
