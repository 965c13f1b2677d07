"""Comparing signatures."""

from __future__ import annotations

import pytest

from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.scoring.signatures import MEANING, compare_signatures, parse_signature


@pytest.mark.parametrize("label", [*metrics.names(), "fkgl:easse", "sari:huggingface", "dale-chall:textstat"])
def test_short_and_long_signatures_of_one_setting_agree(label: str) -> None:
    metric = metrics.get(label)
    for references in ("10", "0-3"):
        short, long = metric.signature(references), metric.signature(references, long=True)
        assert compare_signatures(short, long) == []
        assert compare_signatures(long, short) == []


def test_versions_that_both_name_are_compared() -> None:
    long = metrics.get("chrf").signature("1", long=True)
    older = long.replace("sacrebleu:2", "sacrebleu:1")
    assert [difference.field for difference in compare_signatures(long, older)] == ["sacrebleu"]


def test_each_difference_is_named_and_explained() -> None:
    first = metrics.get("sari").signature("10")
    second = metrics.get("sari", variant="star", tokenizer="none", lowercase=False).signature("8")
    found = {d.field: (d.first, d.second) for d in compare_signatures(first, second)}
    assert found == {
        "tokenizer": ("13a", "none"),
        "lowercase": ("lower", "mixed"),
        "references": ("10", "8"),
        "variant": ("easse", "star"),
    }
    assert all(d.meaning == MEANING[d.field] for d in compare_signatures(first, second))


def test_a_field_that_only_one_has() -> None:
    only = compare_signatures("sari|tok:13a|variant:easse", "sari|tok:13a")
    assert [(d.field, d.first, d.second) for d in only] == [("variant", "easse", None)]


def test_values_may_hold_colons() -> None:
    assert parse_signature("bleu|smooth:floor:0.1")["smooth"] == "floor:0.1"


@pytest.mark.parametrize("text", ["", "sari|tok", "tok:13a|case:lower", "37.1"])
def test_what_is_not_a_signature(text: str) -> None:
    if text == "37.1":
        assert parse_signature(text) == {"metric": "37.1"}
        return
    with pytest.raises(PlainlyError, match="not a signature"):
        parse_signature(text)
