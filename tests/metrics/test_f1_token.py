"""F1 token: worked by hand, its properties, and EASSE's numbers (run with EASSE 0.2.4, see shared/oracle)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly import metrics
from plainly.corpus import Corpus

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d.", "Ü"]), max_size=6).map(" ".join)
GROUPS = st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=3)), min_size=1, max_size=6)


def f1(output: str | None, *references: str, **settings: Any) -> float:
    metric = metrics.get("f1-token", **settings)
    rows = metric.measure(Corpus([None], [references], {"system": [output]}), "system")
    return float(metric.score(rows[0]).value)


def test_worked_by_hand() -> None:
    # a a b against a b c d: shared a, b (the second a finds no partner); precision 2/3, recall 2/4
    # F1 = 2 * 2 / (3 + 4) = 4/7
    assert f1("a a b", "a b c d") == pytest.approx(400 / 7)
    # against "b": shared 1, F1 = 2 / (3 + 1) = 1/2, less than 4/7: the better reference counts
    assert f1("a a b", "b", "a b c d") == pytest.approx(400 / 7)


def test_case_and_tokenizer_are_settings() -> None:
    assert f1("The end.", "the end .") == 100
    # The, end, . against the, end, . without lower-casing: shared 2 of 3 and 3
    assert f1("The end.", "the end .", lowercase=False) == pytest.approx(200 / 3)
    # the, end. against the, end, . : shared 1, F1 = 2 / (2 + 3)
    assert f1("The end.", "the end .", tokenizer="none") == pytest.approx(40)


@pytest.mark.parametrize(
    ("output", "references", "expected"),
    [
        ("", ["a"], 0),
        ("a", [""], 0),
        ("", [""], 0),  # EASSE gives 0 here (easse_edge_cases.json)
        ("a", [], np.nan),
        (None, ["a"], np.nan),
    ],
)
def test_what_is_empty_scores_0_and_what_is_missing_is_not_scored(
    output: str | None, references: list[str], expected: float
) -> None:
    assert f1(output, *references) == pytest.approx(expected, nan_ok=True)


def rows_of(groups: list[tuple[str, list[str]]]) -> Any:
    outputs, references = [group[0] for group in groups], [group[1] for group in groups]
    return metrics.get("f1-token").measure(Corpus([None] * len(groups), references, {"s": outputs}), "s")


@given(GROUPS, st.randoms(use_true_random=False))
def test_rows_belong_to_segments(groups: list[tuple[str, list[str]]], random: Any) -> None:
    rows = rows_of(groups)
    np.testing.assert_array_equal(rows, np.concatenate([rows_of([group]) for group in groups]))
    order = random.sample(range(len(groups)), len(groups))
    np.testing.assert_array_equal(rows_of([groups[i] for i in order]), rows[order])
    shuffled = [(output, random.sample(references, len(references))) for output, references in groups]
    np.testing.assert_array_equal(rows_of(shuffled), rows)


@given(st.text(), st.lists(st.text(), min_size=1, max_size=3))
def test_any_text_scores_between_0_and_100(output: str, references: list[str]) -> None:
    assert 0 <= f1(output, *references) <= 100
    tokens = metrics.get("f1-token").measure(Corpus([None], [[output]], {"s": [output]}), "s")
    assert tokens[0, 1] in (0, 100)  # a text against itself, 0 if it has no token


TEST_SETS = {
    "asset_test": ("asset/asset.test", 10),
    "turkcorpus_test": ("turkcorpus/turkcorpus.test", 8),
    "hsplit_test": ("hsplit/hsplit.test.tok", 4),
    "turkcorpus_test_legacy": ("turkcorpus/legacy_tok_lower/turkcorpus.test.tok", 8),
}


@pytest.mark.parametrize(
    "tokenizers",
    [("13a",), ("none", "intl"), pytest.param(("moses", "penn"), marks=pytest.mark.slow)],
    ids="+".join,
)
@pytest.mark.parametrize("test_set", TEST_SETS)
def test_equals_easse(shared: Path, test_set: str, tokenizers: tuple[str, ...]) -> None:
    stem, number = TEST_SETS[test_set]
    sources = lines(shared / "data" / f"{stem}.orig")
    references = [lines(shared / "data" / f"{stem}.simp.{i}") for i in range(number)]
    outputs = {path.stem: lines(path) for path in (shared / "data" / "system_outputs").rglob("*.txt")}
    outputs = {name: texts for name, texts in outputs.items() if len(texts) == len(sources)}
    outputs |= {"Identity": sources, "Reference": references[0]}
    words = [source.split() for source in sources]
    outputs["Truncate"] = [" ".join(text[: int(0.8 * len(text))]) + "." for text in words]
    against_all = Corpus(sources, list(zip(*references, strict=True)), outputs)
    # EASSE's row "Reference": reference 0 against references 1, 1, 2, 3, ...
    against_others = Corpus(sources, list(zip(references[1], *references[1:], strict=True)), outputs)
    checked = 0
    for record in json.loads((shared / "oracle" / "easse_en.json").read_text("utf-8"))["records"]:
        name = Path(record["file"]).name if "tokenised:" in record["kind"] else record["system"].split()[0]
        if record["test_set"] == test_set and record["tokenizer"] in tokenizers and name in outputs:
            metric = metrics.get("f1-token", tokenizer=record["tokenizer"], lowercase=record["lowercase"])
            rows = metric.measure(against_others if name == "Reference" else against_all, name)
            assert metric.score(rows.sum(axis=0)).value == pytest.approx(record["f1_token"], abs=1e-9), record
            checked += 1
    assert checked >= 6 * len(tokenizers)


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]


def test_equals_easse_on_edge_cases(shared: Path) -> None:
    for case in json.loads((shared / "oracle" / "easse_edge_cases.json").read_text("utf-8"))["cases"]:
        metric = metrics.get("f1-token", tokenizer=case["tokenizer"], lowercase=case["lowercase"])
        references = list(zip(*case["refs"], strict=True))
        rows = metric.measure(Corpus(case["orig"], references, {"s": case["sys"]}), "s")
        assert metric.score(rows.sum(axis=0)).value == pytest.approx(case["f1_token"], abs=1e-9), case["case"]
