"""The metrics of Tanprasert and Kauchak 2021: hand-worked cases, and every number of the oracle (fkgl_wikilarge.json)
whose texts are in shared/data (four systems of six; Original and Reference)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.gaming import Segment, get, study
from plainly.metrics import Array, Metric
from plainly.metrics.tanprasert_kauchak import ReplicatedSari, count_syllables, line_counts, word_units
from plainly.text.sentences import punkt_sentences
from plainly.text.tokenizers import get_tokenizer

from ..cases import each
from ..real import NOT_HERE, SHARED

SYSTEMS = ("Dress-Ls", "EncDecA", "Dress", "PBMT-R")
LAST_TOKEN_TOO = "replace-rand-the:last-token"
IN_ORACLE = {LAST_TOKEN_TOO: "replace-rand-the/last-token-allowed"}
OURS = {theirs: ours for ours, theirs in IN_ORACLE.items()}
EDITS = (
    "random-period",
    "random-the",
    "replace-longest",
    "replace-rand-period",
    "replace-rand-the",
    "random-period+replace-longest",
    LAST_TOKEN_TOO,
)
FKGL, BLEU, SARI, SPLIT = (f"{name}-tk2021" for name in ("fkgl", "bleu", "sari", "percent-split"))
METRICS = {name: metrics.get(name) for name in (FKGL, BLEU, SARI, SPLIT)}
COUNTED = [(o, count) for o in ("add", "delete", "keep") for count in ("correct", "made", "wanted")]
COUNTED.remove(("delete", "wanted"))  # nothing is made of it


# ---- small cases, worked by hand


@each(
    "word, count",
    [
        ("the", 1),  # th: none, so the least
        ("table", 2),  # tabl: a, and one more for abl
        ("feel", 2),  # ee, and one more for a doubled vowel before l
        ("committee", 3),  # one e is dropped: o i e
        ("bee", 1),
        ("nation", 2),  # a io, one more for io, one less for ion
        ("likely", 2),  # i e y, one less for ely
        ("McKay", 2),  # ay, and one more for mc
        ("etc.", 4),  # listed, once the mark is gone
        ("1,000", 1),  # a number, once the mark is gone
        ("n't", 0),
        ("full-size", 0),
        (" -LRB- ", 0),
        (" \n", 0),
    ],
)
def test_syllables(word: str, count: int) -> None:
    assert count_syllables(word) == count


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("The cat sat .\n", ["The", "cat", "sat", " .\n"]),
        ("Ford 's car\n", ["Ford", " '", "s", "car", "\n"]),
        ("U.S. , too", ["U.S.", " , ", "too"]),
        ("one.two", ["one.two"]),
        (".one", ["one"]),
        ("end .\n'' Next", ["end", " .\n'' ", "Next"]),
    ],
)
def test_word_scan(text: str, units: list[str]) -> None:
    assert word_units(text) == units


def test_words_per_sentence_are_whole() -> None:
    # 23 words in 3 sentences, 30 syllables: 7 words a sentence.
    score = METRICS[FKGL].score(np.array([3.0, 23.0, 3.0, 30.0]))
    assert float(score.value) == pytest.approx(0.39 * 7 + 11.8 * 30 / 23 - 15.59, abs=1e-12)
    assert float(score.components["true_division"]) == pytest.approx(
        0.39 * 23 / 3 + 11.8 * 30 / 23 - 15.59, abs=1e-12
    )
    assert float(score.components["words_per_sentence"]) == pytest.approx(23 / 3)


def test_split_counts_full_stops_of_abbreviations() -> None:
    corpus = Corpus(["A .", "B .", None, "D ."], outputs={"it": ["A . A .", "B", "C .", "Mr. D ."]})
    rows = METRICS[SPLIT].measure(corpus, "it")
    assert rows.tolist() == [[1, 1], [1, 0], [0, 0], [1, 1]]
    assert float(METRICS[SPLIT].score(rows.sum(axis=0)).value) == pytest.approx(200 / 3)


def test_sari_takes_one_reference_for_eight() -> None:
    # Unigrams: source a b, output a c, reference a c. Of 8 a's that were kept, 1 was wanted; of 8 b's, all go.
    corpus = Corpus(["a b"], [("a c",)], {"it": ["a c"]})
    totals = METRICS[SARI].measure(corpus, "it").sum(axis=0)
    counts = dict(zip(METRICS[SARI].columns, totals, strict=True))
    assert [counts[f"add_{name}_1"] for name in ("correct", "made", "wanted")] == [1, 1, 1]
    assert [counts[f"keep_{name}_1"] for name in ("correct", "made", "wanted")] == [1, 8, 1]
    assert [counts[f"delete_{name}_1"] for name in ("correct", "made")] == [8, 8]
    score = METRICS[SARI].score(totals)
    # Bigrams: one is added, "a b" is deleted; longer ones there are none.
    assert float(score.components["uncut"]) == pytest.approx((1 + 2 / 9 + 1 + 1 + 0 + 1) / 12)
    assert float(score.value) == 0.3518  # .35185... is cut, not rounded
    assert float(score.components["keep_f1_1"]) == pytest.approx(2 * 0.125 / 1.125)


def test_sari_leaves_the_source_untokenised_and_cased() -> None:
    # "U.S." is one token of the source; "U", ".", "S" and "." of the output are all new, and so is "The".
    corpus = Corpus(["the U.S."], [("The U.S.",)], {"it": ["The U.S."]})
    counts = dict(zip(METRICS[SARI].columns, METRICS[SARI].measure(corpus, "it")[0], strict=True))
    assert [counts[f"add_{name}_1"] for name in ("correct", "made", "wanted")] == [4, 4, 4]
    assert counts["keep_made_1"] == 0
    assert counts["delete_made_1"] == 16


def test_several_references_fill_up_the_eight() -> None:
    one = Corpus(["a b c ."], [("a c .",)], {"it": ["a b ."]})
    eight = Corpus(["a b c ."], [("a c .",) * 8], {"it": ["a b ."]})
    nine = Corpus(["a b c ."], [("a c .",) * 9], {"it": ["a b ."]})
    star = metrics.get("sari", variant="star", lowercase=False)
    sound = star.score(star.measure(one, "it").sum(axis=0)).value / 100
    full = METRICS[SARI].score(METRICS[SARI].measure(eight, "it").sum(axis=0)).components["uncut"]
    assert float(full) == pytest.approx(float(sound), abs=1e-12)  # with eight of them, the assumption holds
    with pytest.raises(PlainlyError, match="at most 8 references"):
        METRICS[SARI].measure(nine, "it")


@pytest.mark.usefixtures("punkt")
def test_what_is_not_there_is_not_scored() -> None:
    corpus = Corpus([None, "A .", "B ."], [("A .",), (), ("B .",)], {"it": ["A .", "A .", None]})
    for metric in METRICS.values():
        rows = metric.measure(corpus, "it")
        assert rows.shape == (3, len(metric.columns))
        assert not rows[rows[:, 0] == 0].any()
        assert np.isnan(metric.score(np.zeros(len(metric.columns))).value)
        assert metric.measure(Corpus([], outputs={"it": []}), "it").shape == (0, len(metric.columns))
    assert METRICS[FKGL].measure(corpus, "it")[:, 0].tolist() == [1, 1, 0]
    assert METRICS[SARI].measure(corpus, "it")[:, 0].tolist() == [0, 0, 0]


def test_they_are_found_by_name_but_all_leaves_them_out() -> None:
    assert set(METRICS) < set(metrics.names())
    assert not set(METRICS) & set(metrics.standing_for_all())
    assert all(metric.facts.caution.startswith("only for replication") for metric in METRICS.values())
    assert METRICS[SARI].signature("1").startswith("sari-tk2021|lang:en|refs:1|assumed_references:8|")


# ---- the oracle


@cache
def oracle() -> dict[str, Any]:
    if not SHARED.is_dir():
        pytest.skip(NOT_HERE)
    content: dict[str, Any] = json.loads((SHARED / "oracle" / "fkgl_wikilarge.json").read_text())
    return content


@cache
def texts() -> dict[str, list[str]]:
    oracle()
    folder = SHARED / "data" / "system_outputs" / "wikilarge_tokenised"
    names = {"Original": "Complex", "Reference": "Reference", **{name: name for name in SYSTEMS}}
    return {
        name: (folder / f"{file}.tok.txt").read_bytes().decode("utf-8").removesuffix("\n").split("\n")
        for name, file in names.items()
    }


@cache
def wikilarge() -> Corpus:
    return Corpus(texts()["Original"], [(text,) for text in texts()["Reference"]], texts())


def exactly(expected: float | Sequence[float]) -> Any:
    return pytest.approx(expected, abs=1e-9)


def check_cell(cell: dict[str, Any], totals: dict[str, Array], exact_counts: bool) -> None:
    """All numbers of a cell: counts, scores, and their parts."""
    same: Callable[[Any], Any] = (lambda number: number) if exact_counts else exactly
    fkgl, bleu, sari = (METRICS[label].score(totals[label]) for label in (FKGL, BLEU, SARI))
    for name in ("words", "sentences", "syllables"):
        assert float(fkgl.components[name]) == same(cell[name]), name
    assert float(fkgl.value) == exactly(cell["fkgl"])
    assert float(fkgl.components["true_division"]) == exactly(cell["fkgl_true_division"])

    counts = dict(zip(METRICS[BLEU].columns, totals[BLEU], strict=True))
    assert [counts[f"matches_{n}"] for n in (1, 2, 3, 4)] == same(cell["bleu_matches"])
    assert [counts[f"ngrams_{n}"] for n in (1, 2, 3, 4)] == same(cell["bleu_totals"])
    assert counts["output_length"] == same(cell["sys_len"])
    assert counts["reference_length"] == same(cell["ref_len"])
    assert float(bleu.value) == exactly(cell["bleu"])
    precisions = [float(bleu.components[f"precision_{n}"]) for n in (1, 2, 3, 4)]
    assert precisions == exactly(cell["bleu_precisions"])

    counts = dict(zip(METRICS[SARI].columns, totals[SARI], strict=True))
    for n, row in enumerate(cell["sari_counts"]["n1_to_n4"], 1):
        assert [counts[f"{o}_{count}_{n}"] for o, count in COUNTED] == same(row), n
    assert float(sari.components["uncut"]) == exactly(cell["sari"])
    assert float(sari.value) == exactly(np.floor(1e4 * cell["sari"]) / 1e4)
    for theirs, ours in (("add_f1", "add_f1"), ("keep_f1", "keep_f1"), ("delete_p", "delete_precision")):
        parts = [float(sari.components[f"{ours}_{n}"]) for n in (1, 2, 3, 4)]
        assert parts == exactly(cell["sari_components_from_truncated_p_r"][theirs]), theirs


def totals(outputs: Sequence[str]) -> dict[str, Array]:
    corpus = wikilarge().with_outputs({"it": outputs})
    return {label: metric.measure(corpus, "it").sum(axis=0) for label, metric in METRICS.items()}


def sound_sari(outputs: Sequence[str]) -> float:
    star = metrics.get("sari", variant="star", lowercase=False)
    return float(star.score(star.measure(wikilarge().with_outputs({"it": outputs}), "it").sum(axis=0)).value) / 100


def outcomes(name: str, output: str) -> Sequence[str]:
    return get(name).outcomes(Segment(output), np.random.default_rng(0))


def cells(kind: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for system in SYSTEMS:
        for name, found in oracle()["systems"][system]["modified"].items():
            if kind in found:
                yield system, OURS.get(name, name), found[kind]


def test_unit_cases_of_syllables() -> None:
    for word, case in oracle()["unit_cases"]["syllables"].items():
        assert count_syllables(word) == case["count"], word


@pytest.mark.usefixtures("punkt")
def test_unit_cases_of_running_text() -> None:
    for case in oracle()["unit_cases"]["running_text"]:
        units = word_units(case["text"])
        assert len(units) == case["words"], case
        assert sum(map(count_syllables, units)) == case["syllables"], case
        assert len(punkt_sentences(case["text"])) == case["sentences"], case
        # The rows add up to the same, but for what the text opens with and a stop that is missing at its end.
        rows = np.array([line_counts(line) for line in case["text"].removesuffix("\n").split("\n")]).sum(axis=0)
        opens, stops = case["text"][0].isalnum(), any(mark in case["text"][-5:] for mark in ".!?")
        assert rows.tolist() == [case["words"] - (not opens), case["sentences"] - (not stops), case["syllables"]]


def test_unit_cases_of_tokens_and_edits() -> None:
    tokenize = get_tokenizer("13a").tokens
    for case in oracle()["unit_cases"]["tokenisation_13a"]:
        assert tokenize(case["text"]) == case["tokens"]
    for case in oracle()["unit_cases"]["modifications"]:
        assert list(outcomes(case["method"], case["input"])) == case["outputs"]


def test_unit_cases_of_sari_and_bleu() -> None:
    case = oracle()["unit_cases"]["sari_bleu"]
    corpus = Corpus(case["source"], [(text,) for text in case["reference"]], {"it": case["output"]})
    for k in (8, 1):
        metric, expected = ReplicatedSari(assumed_references=k), case[f"k={k}"]
        found = metric.measure(corpus, "it").sum(axis=0)
        counts = dict(zip(metric.columns, found, strict=True))
        for n, row in enumerate(expected["counts_n1_to_n4"], 1):
            assert [counts[f"{o}_{count}_{n}"] for o, count in COUNTED] == row, (k, n)
        assert float(metric.score(found).components["uncut"]) == exactly(expected["sari"])
    bleu = METRICS[BLEU].score(METRICS[BLEU].measure(corpus, "it").sum(axis=0))
    assert float(bleu.value) == exactly(case["bleu"])
    assert [float(bleu.components[f"precision_{n}"]) for n in (1, 2, 3, 4)] == exactly(case["bleu_precisions"])


@pytest.mark.usefixtures("punkt")
@pytest.mark.parametrize("text", ["Original", "Reference", *SYSTEMS])
def test_the_table_of_averages(text: str) -> None:
    expected, found = oracle()["table3"][text], totals(texts()[text])
    fkgl = METRICS[FKGL].score(found[FKGL])
    for name in ("words", "sentences", "syllables"):
        assert float(fkgl.components[name]) == expected[name], name
    assert float(fkgl.components["words_per_sentence"]) == exactly(expected["average_length"])
    assert float(fkgl.components["syllables_per_word"]) == exactly(expected["average_syllables"])
    assert float(fkgl.value) == exactly(expected["fkgl"])
    assert float(fkgl.components["true_division"]) == exactly(expected["fkgl_true_division"])
    assert found[SPLIT].tolist() == [expected["lines"], expected["split_lines"]]
    assert float(METRICS[SPLIT].score(found[SPLIT]).value) == exactly(expected["percent_split"])


@pytest.mark.usefixtures("punkt")
@pytest.mark.parametrize("system", SYSTEMS)
def test_unedited_outputs(system: str) -> None:
    cell, outputs = oracle()["systems"][system]["0"], texts()[system]
    check_cell(cell, totals(outputs), exact_counts=True)
    assert sound_sari(outputs) == exactly(cell["sari_k1_normalised_source"]["sari"])
    raw = ReplicatedSari(assumed_references=1)
    score = raw.score(raw.measure(wikilarge(), system).sum(axis=0))
    assert float(score.components["uncut"]) == exactly(cell["sari_k1_raw_source"]["sari"])


@pytest.mark.usefixtures("punkt")
def test_the_longest_word_replaced_everywhere() -> None:
    compared = 0
    for system, name, cell in cells("100_exact"):
        outputs = [outcomes(name, output)[0] for output in texts()[system]]
        check_cell(cell, totals(outputs), exact_counts=True)
        assert sound_sari(outputs) == exactly(cell["sari_k1_normalised_source"])
        compared += 1
    assert compared == 4


@pytest.mark.slow
@pytest.mark.usefixtures("punkt")
def test_all_outputs_edited_in_the_middle() -> None:
    compared = 0
    for system, name, cell in cells("100_middle_position_exact"):
        outputs = []
        for output in texts()[system]:
            edited = outcomes(name, output)  # at positions 1, 2, ...
            outputs.append(edited[min(max(len(output.split()) // 2 - 1, 0), len(edited) - 1)])
        check_cell(cell, totals(outputs), exact_counts=True)
        assert sound_sari(outputs) == exactly(cell["sari_k1_normalised_source"])
        compared += 1
    assert compared == 20


def average_rows(metric: Metric, edited: Sequence[Sequence[str]]) -> Array:
    """The row of each segment, averaged over the texts that it may have."""
    most = max(map(len, edited))
    corpus = wikilarge().with_outputs(
        {str(k): [own[k] if k < len(own) else None for own in edited] for k in range(most)}
    )
    rows = np.zeros((len(corpus), len(metric.columns)))
    for k in range(most):
        rows += metric.measure(corpus, str(k))
    averages: Array = rows / np.array([len(own) for own in edited])[:, None]
    return averages


@pytest.mark.slow
@pytest.mark.usefixtures("punkt")
@pytest.mark.parametrize("system", SYSTEMS)
def test_all_outputs_edited_averaged_over_positions(system: str) -> None:
    compared = 0
    for found, name, cell in cells("100_expected"):
        if found == system:
            edited = [outcomes(name, output) for output in texts()[system]]
            expected = {label: average_rows(metric, edited).sum(axis=0) for label, metric in METRICS.items()}
            # The last line ends a sentence even if it has lost its stop. Its row does not know that it is the last.
            expected[FKGL][2] += np.mean([len(punkt_sentences(text)) - line_counts(text)[1] for text in edited[-1]])
            check_cell(cell, expected, exact_counts=False)
            compared += 1
    assert compared == 6


@pytest.mark.slow
@pytest.mark.usefixtures("punkt")
@pytest.mark.parametrize("system", SYSTEMS)
def test_random_cells(system: str) -> None:
    runs = 100
    levels = range(10, 101, 10)
    done = study(
        wikilarge(),
        [system],
        [METRICS[label] for label in (FKGL, BLEU, SARI)],
        EDITS,
        levels,
        trials=runs,
        nested=False,
        seed=1,
    )
    compared = 0
    for name in EDITS:
        fkgl, bleu, sari = (done.curves[system][name][label] for label in (FKGL, BLEU, SARI))
        ours = {
            "fkgl": fkgl.values,
            "fkgl_true_division": fkgl.components["true_division"],
            "bleu": bleu.values,
            "sari": sari.components["uncut"],
            "sari_truncated_per_run": sari.values,
        }
        for i, cell in enumerate(
            oracle()["systems"][system]["modified"][IN_ORACLE.get(name, name)]["monte_carlo"].values()
        ):
            expected = [
                (ours[score][i], found["mean"], found["sd"]) for score, found in cell.items() if score in ours
            ]
            if "bleu_precisions" in cell:  # at 50 and 100 %, parts without their standard deviations: ours will do
                theirs = {"precision": cell["bleu_precisions"], **cell["sari_components_from_truncated_p_r"]}
                parts = {**bleu.components, **sari.components}
                for part, means in theirs.items():
                    for n, mean in enumerate(means, 1):
                        values = parts[f"{part.replace('delete_p', 'delete_precision')}_{n}"][i]
                        expected.append((values, mean, values.std(ddof=1)))
            for values, mean, sd in expected:
                within = 4 * sd * np.sqrt(1 / runs + 1 / 1000) + 1e-8  # theirs have eight decimals
                assert abs(values.mean() - mean) <= within, (name, levels[i], mean)
                compared += 1
    assert compared == 7 * (10 * 5 + 2 * 16)
