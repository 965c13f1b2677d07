"""SARI on paper: hand-worked values, the edge cases users trip over, ragged references, and its variants."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainly import metrics
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus import Corpus


def score(source: str, output: str, references: list[str], name: str = "sari", **settings: object) -> float:
    metric = metrics.get(name, **settings)
    return float(
        metric.score(metric.measure(Corpus([source], [references], {"it": [output]}), "it").sum(axis=0)).value
    )


def test_worked_by_hand() -> None:
    # source a b c, output a d, reference a c d (r = 1).
    # n = 1: add: O-S = {d}, T-S = {d}, correct 1: P = R = F = 1
    #        keep: made {a}, wanted {a, c}, correct {a}: P = 1, R = 1/2, F = 2/3
    #        delete: made {b, c}, wanted {b}, correct {b}: P = 1/2, R = 1, F = 2/3
    # n = 2: add: O-S = {a d}, T-S = {a c, c d}, correct 0: F = 0; keep: made {}, F = 0
    #        delete: made {a b, b c}, wanted {a b, b c}: F = 1
    # n = 3: add: O has none, F = 0; keep 0; delete: made {a b c}, wanted {a b c}: F = 1. n = 4: all 0.
    metric = metrics.get("sari")
    parts = metric.score(metric.measure(Corpus(["a b c"], [["a c d"]], {"it": ["a d"]}), "it").sum(axis=0))
    assert float(parts.components["add"]) == pytest.approx(100 / 4)
    assert float(parts.components["keep"]) == pytest.approx(100 * (2 / 3) / 4)
    assert float(parts.components["delete"]) == pytest.approx(100 * (2 / 3 + 1 + 1) / 4)
    assert float(parts.value) == pytest.approx(100 * (1 + 2 / 3 + 2 / 3 + 2) / 12)
    assert float(parts.components["keep_recall_1"]) == pytest.approx(50)


def test_the_example_of_the_original_release() -> None:
    # The three outputs that come with cocoxu/simplification's script, and the values it prints for them.
    source = "About 95 species are currently accepted ."
    references = [
        "About 95 species are currently known .",
        "About 95 species are now accepted .",
        "95 species are now accepted .",
    ]
    expected = {
        "About 95 you now get in .": 26.82782411698074,
        "About 95 species are now agreed .": 58.89995423074248,
        "About 95 species are currently agreed .": 50.71608864657479,
    }
    for output, value in expected.items():
        assert score(source, output, references, "sari:sentence", tokenizer="none") == pytest.approx(value, abs=1e-9)


class TestEdgeCases:
    def test_an_exact_copy_of_the_only_reference(self) -> None:
        # No new unigram: add for n = 1 is 0/0 = 0, so add = 3/4 and SARI = (75 + 100 + 100) / 3 = 91.67.
        source, simple = "the old cat quietly sat on the mat today", "the cat sat on the mat today"
        assert score(source, simple, [simple]) == pytest.approx(91.6666666667)
        assert score(source, simple, [simple], empty_operation="one") == pytest.approx(100)
        assert score(source, simple, [simple], empty_operation="skip") == pytest.approx(100)

    def test_one_word(self) -> None:
        # Source = output = reference = one word: only keep for n = 1 is there: 100 / 4 / 3 = 8.33.
        assert score("cat", "cat", ["cat"]) == pytest.approx(100 / 12)
        assert score("cat", "cat", ["cat"], empty_operation="one") == pytest.approx(100)
        # A right change of one word: add and delete for n = 1: 2 * 100 / 4 / 3 = 16.67.
        assert score("feline", "cat", ["cat"]) == pytest.approx(100 / 6)
        assert score("feline", "cat", ["cat"], empty_operation="skip") == pytest.approx(100)

    def test_copy_of_everything(self) -> None:
        # Nothing to add, nothing to delete, all kept: (0 + 100 + 0) / 3.
        text = "the cat sat on the mat"
        assert score(text, text, [text, text]) == pytest.approx(100 / 3)
        assert score(text, text, [text, text], empty_operation="one") == pytest.approx(100)

    def test_empty_output(self) -> None:
        # shared/oracle/easse_edge_cases.json, case empty_output (13a, lower-cased).
        value = score("The cat sat on the mat.", "", ["The cat sat.", "A cat sat down."])
        assert value == pytest.approx(28.926482873851295, abs=1e-9)

    def test_everything_empty(self) -> None:
        assert score("", "", [""]) == 0
        assert np.isnan(score("", "", [""], empty_operation="skip"))
        assert score("", "", [""], empty_operation="one") == pytest.approx(100)

    def test_no_reference_is_not_zero(self) -> None:
        assert np.isnan(score("a b", "a", []))

    def test_a_segment_may_skip_what_others_have(self) -> None:
        # Segment 1 (copy of everything) has only keep, which is perfect; segment 2 adds and deletes rightly.
        corpus = Corpus(["a b", "c", ""], [["a b"], ["d"], [""]], {"it": ["a b", "d", ""]})
        metric = metrics.get("sari:easse-sentence", empty_operation="skip")
        rows = metric.measure(corpus, "it")
        parts = metric.score(rows.sum(axis=0))
        assert rows[:, 0].tolist() == [1, 1, 0]  # nothing at all to be done: no score
        assert float(parts.value) == pytest.approx(100)
        assert float(parts.components["add"]) == pytest.approx(100)
        assert float(parts.components["keep"]) == pytest.approx(100)

    def test_variants_with_a_rule_of_their_own_say_so(self) -> None:
        assert "empty" not in metrics.get("sari:sentence").signature("1")
        with pytest.raises(PlainlyError, match="sari:sentence has its own rule for empty operations: zero"):
            metrics.get("sari:sentence", empty_operation="one")


class TestRaggedReferences:
    corpus = Corpus(
        ["a b c d e", "f g h i j"],
        [["a b c"], ["f g", "f h", "g h i", "f i j"]],
        {"it": ["a b x", "f g h"]},
    )

    def totals(self, **settings: str) -> np.ndarray:
        metric = metrics.get("sari", **settings)
        return metric.measure(self.corpus, "it")

    def test_every_segment_weighs_the_same(self) -> None:
        # Giving segment 2 each of its references twice must not change its weight.
        metric = metrics.get("sari")
        doubled = Corpus(
            self.corpus.sources,
            [self.corpus.references[0], [*self.corpus.references[1]] * 2],
            self.corpus.outputs,
        )
        once, twice = (metric.score(metric.measure(c, "it").sum(axis=0)).value for c in (self.corpus, doubled))
        assert float(once) == pytest.approx(float(twice), abs=1e-12)

    def test_by_counts_a_segment_with_more_references_weighs_more(self) -> None:
        by_segments, by_counts = self.totals(), self.totals(reference_weighting="counts")
        made = metrics.get("sari").columns.index("keep_made_1")
        assert by_counts[:, made].tolist() == [2 * 1, 3 * 4]
        assert (by_segments[:, made] / by_segments[0, made]).tolist() == [1, 1.5]

    def test_equal_numbers_of_references_make_the_weighting_irrelevant(self) -> None:
        even = Corpus(["a b c", "d e f"], [["a b", "b"], ["d", "e g"]], {"it": ["a", "e g"]})
        values = []
        for weighting in ("segments", "counts"):
            metric = metrics.get("sari", reference_weighting=weighting)
            values.append(float(metric.score(metric.measure(even, "it").sum(axis=0)).value))
        assert values[0] == pytest.approx(values[1], abs=1e-12)

    def test_the_signature_names_the_weighting_only_where_it_matters(self) -> None:
        metric = metrics.get("sari")
        assert metric.signature("10") == "sari|lang:en|tok:13a|case:lower|refs:10|variant:easse|plainly:0.1.0"
        assert "|refs:1-4|weight:segments|" in metric.signature("1-4")

    @given(st.lists(st.integers(1, 12), min_size=2, max_size=6))
    def test_sums_are_exact_up_to_twelve_references(self, counts: list[int]) -> None:
        corpus = Corpus(
            ["a b c d"] * len(counts), [[["b c", "a d e", "c"][i % 3]] * k for i, k in enumerate(counts)]
        ).with_outputs({"it": ["a c e"] * len(counts)})
        rows = metrics.get("sari").measure(corpus, "it")
        assert (rows == np.round(rows)).all()


class TestVariants:
    def test_star_scores_deletions_by_precision(self) -> None:
        # From test_worked_by_hand: delete precision is 1/2, 1, 1, 0 for n = 1..4.
        value = score("a b c", "a d", ["a c d"], "sari:star")
        assert value == pytest.approx(100 * (1 + 2 / 3 + 1 / 2 + 2) / 12)

    def test_paper_averages_precision_and_recall_first(self) -> None:
        # add: P = R = 1/4; keep: P = 1/4, R = 1/8, F = 1/6; delete: P = 2.5/4, R = 3/4, F = 15/22.
        value = score("a b c", "a d", ["a c d"], "sari:paper")
        assert value == pytest.approx(100 * (1 / 4 + 1 / 6 + 15 / 22) / 3)

    def test_legacy_leaves_the_source_alone(self) -> None:
        # "sat." stays one token in the source, so the copy adds "sat" and "." and deletes "sat.": add is 1 for all n;
        # keep is 1 for n = 1, 2, and 0/0 for n = 3, 4; delete is 1 for n = 1..3, and 0/0 for n = 4.
        text = "The cat sat."
        assert score(text, text, [text], "sari:easse-legacy") == pytest.approx(100 * (4 + 2 + 3) / 12)
        assert score(text, text, [text], "sari") == pytest.approx(100 / 3)
        assert metrics.get("sari:easse-legacy").lowercase is False

    def test_huggingface_counts_nothing_to_do_as_done(self) -> None:
        text = "the cat sat on the mat"
        assert score(text, text, [text], "sari:huggingface") == pytest.approx(100)
        assert "empty:one" in metrics.get("sari:huggingface").signature("1")

    @pytest.mark.parametrize("variant", metrics.metric_class("sari").variants)
    def test_all_parts_are_there(self, variant: str) -> None:
        metric = metrics.get("sari", variant=variant)
        corpus = Corpus(["a b c d e"], [["a b", "a c d"]], {"it": ["a d c"]})
        parts = metric.score(metric.measure(corpus, "it").sum(axis=0)).components
        for operation in ("add", "keep", "delete"):
            assert operation in parts
            for rate in ("precision", "recall", "f1"):
                for n in (1, 2, 3, 4):
                    assert 0 <= float(parts[f"{operation}_{rate}_{n}"]) <= 100

    def test_unknown_settings_are_refused(self) -> None:
        with pytest.raises(UnknownName, match=r"unknown variant of sari 'eaase'; did you mean 'easse'\?"):
            metrics.get("sari:eaase")
        with pytest.raises(UnknownName, match="unknown empty-operation rule 'none'"):
            metrics.get("sari", empty_operation="none")
        with pytest.raises(UnknownName, match="unknown reference weighting"):
            metrics.get("sari", reference_weighting="equal")
        with pytest.raises(UnknownName, match="unknown setting of sari 'tokeniser'; did you mean 'tokenizer'"):
            metrics.get("sari", tokeniser="13a")


class TestBaselinesOnPaper:
    words = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), min_size=4, max_size=12).map(" ".join)

    @given(st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=5))
    def test_identity_adds_and_deletes_nothing(self, segments: list[tuple[str, list[str]]]) -> None:
        # With O = S: made additions and deletions are empty, so add = delete = 0; keep recall is 1 where it can be.
        sources = [source for source, _ in segments]
        corpus = Corpus(sources, [references for _, references in segments], {"it": sources})
        metric = metrics.get("sari")
        parts = metric.score(metric.measure(corpus, "it").sum(axis=0))
        assert float(parts.components["add"]) == 0
        assert float(parts.components["delete"]) == 0
        for n in (1, 2, 3, 4):
            assert float(parts.components[f"keep_recall_{n}"]) in (0, 100)
        assert float(parts.value) == pytest.approx(float(parts.components["keep"]) / 3)

    @given(st.lists(st.tuples(words, words), min_size=1, max_size=5))
    def test_the_only_reference_is_perfect_up_to_empty_operations(self, segments: list[tuple[str, str]]) -> None:
        corpus = Corpus([s for s, _ in segments], [[r] for _, r in segments], {"it": [r for _, r in segments]})
        metric = metrics.get("sari", empty_operation="one")
        parts = metric.score(metric.measure(corpus, "it").sum(axis=0))
        assert float(parts.value) == pytest.approx(100)
