"""Expressions over labels and classes: their meaning, and what is said of those that have none."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly.base.errors import PlainlyError
from plainly.operations import assetann
from plainly.operations.expressions import parse

from ..cases import each

NAMES = st.sampled_from(["synonym", "split", "delprop", "move", "err"])
EXPRESSIONS = st.recursive(
    NAMES,
    lambda inner: st.one_of(
        inner.map("not {}".format),
        inner.map("({})".format),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(" ".join),
    ),
    max_leaves=8,
)


@given(text=EXPRESSIONS, labels=st.frozensets(NAMES))
def test_means_what_python_means(text: str, labels: frozenset[str]) -> None:
    truth = {name: name in labels for name in ["synonym", "split", "delprop", "move", "err"]}
    assert parse(text).holds(labels) is bool(eval(text, {"__builtins__": {}}, truth))


@each(
    "text, labels, holds",
    [
        ("lexical and not err", {"hyponym", "delcst"}, True),
        ("lexical and not err", {"hyponym", "err"}, False),
        ("lexical", {"POSchange"}, False),
        ("syntactic", {"delmod"}, True),
        ("syntactic", {"delcst"}, False),
        ("add", {"split"}, True),
        ("delete", {"merge"}, True),
        ("replace", {"move"}, True),  # as the subsets of the paper have it
        ("move", {"synonym"}, False),
        ("any", {"err"}, False),
        ("any", {"err", "pron"}, True),
        ("not any", set(), True),
        ("split or synonym and err", {"split"}, True),  # and binds closer
        ("(split or synonym) and err", {"split"}, False),
        ("not not split", {"split"}, True),
        ("\tsplit\nor(pron)", {"pron"}, True),
    ],
)
def test_classes_and_order(text: str, labels: set[str], holds: bool) -> None:
    assert parse(text).holds(labels) is holds


def test_classes_are_the_rules_of_the_released_subsets() -> None:
    # data/assetann/README.md, table of subsets
    rules = {
        "lexical": "synonym hyperonym hyponym",
        "syntactic": "a2p p2a delmod deloth delprop fromImp toImp inmod inoth inprop merge split neg2pos pos2neg",
        "add": "inmod inprop inoth incst split toImp",
        "delete": "delmod deloth delprop delcst fromImp merge",
        "replace": "synonym hyperonym hyponym move verbf POSchange s2p p2s a2p p2a pron fromPron pos2neg neg2pos",
    }
    for name, listed in rules.items():
        kept = {label for label in assetann().operations if parse(name).holds({label})}
        assert kept == set(listed.split())


@each(
    "text, message",
    [
        ("", "at its end: a label, a class or an opening bracket is missing"),
        ("lexical and", "at its end: a label"),
        ("lexical and or err", "at character 13: a label"),
        ("(split", "at its end: the bracket of character 1 is not closed"),
        ("split)", r"at character 6: '\)' is not expected here"),
        ("split synonym", "at character 7: 'synonym' is not expected here"),
        ("synonim", "at character 1: unknown label or class 'synonim'; did you mean 'synonym'"),
        ("not", "at its end"),
        ("(" * 101 + "split" + ")" * 101, "at character 101: more than 100 brackets"),
        ("split or " * 2000 + "split", "longer than 10,000 characters"),
        ("__import__", "unknown label or class"),
        ("split\x00", "at character 1: unknown label"),
    ],
)
def test_faults_name_the_place(text: str, message: str) -> None:
    with pytest.raises(PlainlyError, match=message) as caught:
        parse(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(PlainlyError):
        assert parse(text).holds({"split"}) in (True, False)
