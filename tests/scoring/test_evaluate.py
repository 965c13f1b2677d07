"""`plainly.evaluate`: shapes, missing texts, many systems, signatures, streams."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import plainly
from plainly import metrics
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus import Corpus
from plainly.corpus.corpus import possible_baselines
from plainly.inference import Resampling, confidence_interval
from plainly.scoring import evaluate_stream, runnable

SOURCES = ["The feline reposed on the rug.", "He utilised a hammer to fix it.", "It rained, so we left."]
OUTPUTS = ["The cat lay on the rug.", "He used a hammer.", "It rained. We left."]
REFERENCES = [
    ["The cat lay on the rug.", "A cat slept."],
    ["He used a hammer to fix it."],
    ["It rained. So we left."],
]


def test_one_system() -> None:
    scores = plainly.evaluate(SOURCES, OUTPUTS, REFERENCES)
    assert scores.size == 3
    assert scores.references == {"output": (1, 2, False)}
    assert list(scores["output"]) == ["sari", "bleu", "fkgl"]
    sari = scores["output"]["sari"]
    metric = metrics.get("sari")
    direct = metric.score(metric.measure(Corpus(SOURCES, REFERENCES, {"it": OUTPUTS}), "it").sum(axis=0))
    assert sari.score == float(direct.value)
    assert sari.signature == (
        "sari|lang:en|tok:13a|case:lower|refs:1-2|weight:segments|variant:easse|plainly:" + plainly.__version__
    )
    assert (sari.scored, sari.unscored) == (3, 0)
    assert sari.score in sari.estimate


def test_statistics_answer_later_questions() -> None:
    scores = plainly.evaluate(SOURCES, {"a": OUTPUTS, "b": SOURCES}, REFERENCES, metrics=["sari", "sari:star"])
    assert scores.statistics is not None
    rows = scores.statistics["a"]["sari:star"]
    subset = scores.metrics["sari:star"].score(rows[:2].sum(axis=0))
    alone = plainly.evaluate(SOURCES[:2], OUTPUTS[:2], REFERENCES[:2], metrics=["sari:star"])
    assert float(subset.value) == alone["output"]["sari:star"].score
    single = scores.segment_scores("a", "sari")
    third = plainly.evaluate(SOURCES[2:], OUTPUTS[2:], REFERENCES[2:], metrics=["sari"])
    assert single[2] == third["output"]["sari"].score


def test_without_statistics() -> None:
    scores = plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, keep_statistics=False)
    with pytest.raises(PlainlyError, match="keep_statistics=True"):
        scores.segment_scores("output", "sari")


def test_missing_texts_are_counted_and_never_zero() -> None:
    scores = plainly.evaluate(
        [*SOURCES, None, "More."],
        [*OUTPUTS, "x", None],
        [*REFERENCES, ["x"], ["More.", None]],
        metrics=["sari", "bleu", "fkgl"],
    )["output"]
    whole = plainly.evaluate(SOURCES, OUTPUTS, REFERENCES)["output"]
    assert scores["sari"].score == whole["sari"].score
    assert [scores[name].unscored for name in ("sari", "bleu", "fkgl")] == [2, 1, 1]
    nothing = plainly.evaluate(["a"], [None], [["b"]])["output"]
    assert all(math.isnan(result.score) for result in nothing.values())
    assert json.loads(json.dumps(nothing["sari"].to_dict()))["score"]["value"] is None


def test_none_among_references_is_missing_and_empty_text_is_not() -> None:
    def sari(references: list[str | None]) -> float:
        return plainly.evaluate(["a b c"], ["a b"], [references], metrics=["sari"])["output"]["sari"].score

    assert sari(["a b", None]) == sari(["a b"])
    assert sari(["a b", ""]) != sari(["a b"])


def test_iterators_and_arrays_are_read_once_and_whole() -> None:
    expected = plainly.evaluate(SOURCES, OUTPUTS, [["a", "b"]] * 3, metrics=["sari"])["output"]["sari"].score
    for references in (zip("aaa", "bbb", strict=True), np.array([["a", "b"]] * 3, dtype=object)):
        scores = plainly.evaluate(iter(SOURCES), tuple(OUTPUTS), references, metrics=["sari"])  # type: ignore[arg-type]
        assert scores["output"]["sari"].score == expected


def test_reference_free_use() -> None:
    assert plainly.evaluate(None, OUTPUTS, metrics=["fkgl"])["output"]["fkgl"].scored == 3
    assert plainly.evaluate(SOURCES, OUTPUTS, metrics=["exact-copies"])["output"]["exact-copies"].score == 0


def test_settings_reach_the_metrics_that_have_them() -> None:
    scores = plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, tokenizer="none", lowercase=False)["output"]
    assert "|tok:none|case:mixed|" in scores["sari"].signature
    assert "|tok:none|case:mixed|" in scores["bleu"].signature
    assert "|tok:none|" in scores["fkgl"].signature


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_and_chunks_change_nothing(threads: int) -> None:
    n = 301
    corpus = Corpus(
        [f"{SOURCES[i % 3]} {i}" for i in range(n)],
        [REFERENCES[i % 3] for i in range(n)],
        {"a": [f"{OUTPUTS[i % 3]} {i}" for i in range(n)], "b": [SOURCES[i % 3] for i in range(n)]},
    )
    chosen = [metrics.get(name) for name in ("sari", "bleu", "fkgl", "levenshtein-similarity", "sari:huggingface")]
    whole = evaluate_stream([corpus], chosen, threads=1, keep=n)
    parts = evaluate_stream(corpus.chunks(77), chosen, threads=threads, keep=n)
    assert whole.statistics is not None
    assert parts.statistics is not None
    for system in ("a", "b"):
        for label in whole.metrics:
            np.testing.assert_array_equal(whole.statistics[system][label], parts.statistics[system][label])
        # Sums of whole numbers are exact, whatever the order.
        for label in ("sari", "bleu", "fkgl"):
            assert whole[system][label] == parts[system][label]
        for label in ("levenshtein-similarity", "sari:huggingface"):
            assert whole[system][label].score == pytest.approx(parts[system][label].score, rel=1e-12)


def test_a_stream_keeps_nothing_and_sees_every_chunk_in_order() -> None:
    corpus = Corpus([f"s {i}" for i in range(500)], [["r"]] * 500, {"it": ["o"] * 500})
    seen: list[str | None] = []
    result = evaluate_stream(
        corpus.chunks(100), [metrics.get("sari")], threads=2, each=lambda m: seen.extend(m.corpus.sources)
    )
    assert result.statistics is None
    assert seen == list(corpus.sources)


class TestIntervals:
    def test_a_stream_longer_than_is_kept_has_none(self) -> None:
        corpus = Corpus(SOURCES, REFERENCES, {"it": OUTPUTS})
        short = evaluate_stream([corpus], [metrics.get("sari")], keep=3, intervals=Resampling(resamples=50))
        long = evaluate_stream([corpus], [metrics.get("sari")], keep=2, intervals=Resampling(resamples=50))
        assert short["it"]["sari"].estimate.has_interval
        assert not long["it"]["sari"].estimate.has_interval
        assert long.statistics is None
        assert long["it"]["sari"].score == short["it"]["sari"].score

    def test_they_come_from_the_inference_room(self) -> None:
        settings = Resampling(resamples=200, seed=7, method="bca", confidence=0.9)
        scores = plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, metrics=["sari"], intervals=settings)
        assert scores.statistics is not None
        found = confidence_interval(
            metrics.get("sari"),
            scores.statistics["output"]["sari"],
            resampling=Resampling(resamples=200, seed=7, method="bca", confidence=0.9),
        )
        assert scores["output"]["sari"].estimate == found
        said = {"resamples": 200, "seed": 7, "confidence": 0.9, "method": "bca", "unit": "segment"}
        assert scores.to_dict()["resampling"] == said

    def test_documents_are_resampled_as_wholes(self) -> None:
        # Two documents, each of two equal segments: an interval by segments is narrower than one by documents.
        corpus = Corpus(
            ["a b c d"] * 4,
            [["a b"]] * 4,
            {"it": ["a b", "a b", "c d", "c d"]},
            documents=["one", "one", "two", "two"],
        )
        metric = [metrics.get("bleu-sentence")]
        clustered = evaluate_stream([corpus], metric, keep=9, intervals=Resampling())
        loose = evaluate_stream([replace(corpus, documents=None)], metric, keep=9, intervals=Resampling())
        assert clustered.documents == ["one", "one", "two", "two"]
        assert clustered.compare().settings.resampling.unit == "document"
        widths = [e["it"]["bleu-sentence"].estimate for e in (clustered, loose)]
        assert (widths[0].low, widths[0].high) == pytest.approx((0.0, 100.0))
        assert widths[1].has_interval
        assert clustered["it"]["bleu-sentence"].score == loose["it"]["bleu-sentence"].score


class TestWhatIsRefused:
    def test_uneven_lengths(self) -> None:
        with pytest.raises(PlainlyError, match="there are 3 sources, but the outputs of 'output' have 2 entries"):
            plainly.evaluate(SOURCES, OUTPUTS[:2], REFERENCES)

    def test_transposed_references(self) -> None:
        with pytest.raises(PlainlyError, match="look transposed: give one list of references a segment"):
            plainly.evaluate(SOURCES, OUTPUTS, [["a", "b", "c"], ["d", "e", "f"]])

    def test_texts_where_lists_belong(self) -> None:
        with pytest.raises(PlainlyError, match="the references are texts, but each segment has a list of them"):
            plainly.evaluate(SOURCES, OUTPUTS, ["a", "b", "c"])
        with pytest.raises(PlainlyError, match=r"the references of segment 1 must be a list .*, not str"):
            plainly.evaluate(SOURCES, OUTPUTS, [["a"], "b", ["c"]])
        with pytest.raises(PlainlyError, match=r"the outputs of 'output' must be a list .*, not str"):
            plainly.evaluate(SOURCES, "a text")

    def test_what_has_no_order_or_is_no_text(self) -> None:
        with pytest.raises(PlainlyError, match="the sources must be a list with one entry a segment, not set"):
            plainly.evaluate(set(SOURCES), OUTPUTS)  # type: ignore[arg-type]
        with pytest.raises(PlainlyError, match="the outputs of 'output': entry 1 is float, not a text"):
            plainly.evaluate(SOURCES, ["a", float("nan"), "b"])  # type: ignore[list-item]
        with pytest.raises(PlainlyError, match="the references of segment 0: entry 0 is int"):
            plainly.evaluate(SOURCES, OUTPUTS, [[1], ["b"], ["c"]])  # type: ignore[list-item]
        with pytest.raises(PlainlyError, match="must be a list, not int"):
            plainly.evaluate(SOURCES, 7)  # type: ignore[arg-type]
        with pytest.raises(PlainlyError, match="lowercase must be True or False, not 'no'"):
            plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, lowercase="no")

    def test_unknown_names(self) -> None:
        with pytest.raises(UnknownName, match=r"unknown metric 'sarri'; did you mean 'sari'\?"):
            plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, metrics=["sarri"])
        with pytest.raises(UnknownName, match="unknown language 'xx'"):
            plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, lang="xx")
        with pytest.raises(PlainlyError, match="no metric here has a setting 'tokeniser'"):
            plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, tokeniser="13a")
        with pytest.raises(UnknownName, match="unknown baseline 'identty'; did you mean 'identity'"):
            plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, baselines=["identty"])

    def test_a_language_the_metric_does_not_know(self) -> None:
        with pytest.raises(PlainlyError, match="fkgl is not defined for language 'de'"):
            plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, lang="de", metrics=["fkgl"])
        assert (
            plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, lang="de", metrics=["sari"])["output"]["sari"].scored == 3
        )

    def test_nothing(self) -> None:
        with pytest.raises(PlainlyError, match="no segments"):
            plainly.evaluate([], [], [])
        with pytest.raises(PlainlyError, match="no metric to compute"):
            plainly.evaluate(SOURCES, OUTPUTS, metrics=[])


class TestBaselines:
    def test_their_outputs_are_scored_like_systems(self) -> None:
        names = ["identity", "truncate", "reference"]
        scores = plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, metrics=["sari", "bleu"], baselines=names)
        assert list(scores.systems) == ["output", *names]
        identity = plainly.evaluate(SOURCES, SOURCES, REFERENCES, metrics=["sari"])
        assert scores["identity"]["sari"].score == identity["output"]["sari"].score
        cut = ["The feline reposed on.", "He utilised a hammer to.", "It rained, so we."]  # int(0.8 n) words and "."
        truncate = plainly.evaluate(SOURCES, cut, REFERENCES, metrics=["sari"])
        assert scores["truncate"]["sari"].score == truncate["output"]["sari"].score

    def test_a_reference_is_scored_against_the_others(self) -> None:
        scores = plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, metrics=["bleu"], baselines=["reference"])
        alone = plainly.evaluate(SOURCES[:1], ["The cat lay on the rug."], [["A cat slept."]], metrics=["bleu"])
        result = scores["reference"]["bleu"]
        assert result.score == alone["output"]["bleu"].score
        assert (result.scored, result.unscored) == (1, 2)  # two segments have one reference only
        assert "|refs:0-1|" in result.signature

    def test_the_first_reference_has_100_against_itself_and_says_so(self) -> None:
        names = ["reference", "first-reference"]
        one = [group[:1] for group in REFERENCES]
        scores = plainly.evaluate(SOURCES, OUTPUTS, one, metrics=["sari", "bleu"], baselines=names)
        first = scores["first-reference"]
        # All that an output has is in its one reference, and the other way round: Stodden 2024 prints 100 and 100.
        assert first["bleu"].score == pytest.approx(100)
        assert first["sari"].score == pytest.approx(100)
        assert first["bleu"].scored == 3
        assert math.isnan(scores["reference"]["bleu"].score)
        notes = [str(note.message) for note in scores.notes]
        assert any(note.startswith("first-reference is among the references") for note in notes)
        assert any(note.startswith("reference has no score against references") for note in notes)
        several = plainly.evaluate(SOURCES, OUTPUTS, REFERENCES, metrics=["sari"], baselines=names)
        assert several["first-reference"]["sari"].score < 100  # the other reference wants other words
        assert [str(note.message)[:9] for note in several.notes] == ["first-ref"]

    @pytest.mark.parametrize("references", [None, REFERENCES])
    def test_the_first_reference_needs_no_caution_without_a_comparison(
        self, references: list[list[str]] | None
    ) -> None:
        scores = plainly.evaluate(SOURCES, OUTPUTS, references, metrics=["fre"], baselines=["first-reference"])
        assert not [note for note in scores.notes if str(note.message).startswith("first-reference")]

    def test_the_first_reference_is_never_added_unasked(self) -> None:
        corpus = Corpus(SOURCES, REFERENCES, {"output": OUTPUTS})
        assert possible_baselines(corpus) == ["identity", "truncate", "reference"]


class TestRunnable:
    def test_defaults_leave_out_what_lacks_references(self) -> None:
        chosen, left_out = runnable(None, {"source"}, "en")
        assert chosen == ["fkgl"]
        assert left_out == {"sari": "it needs references", "bleu": "it needs references"}

    def test_all(self) -> None:
        chosen, left_out = runnable(["all"], {"source"}, "de")
        assert "compression-ratio" in chosen
        assert left_out["fkgl"] == "it is not defined for language 'de'"

    def test_what_is_asked_for_must_run(self) -> None:
        with pytest.raises(PlainlyError, match="bleu cannot be computed: it needs references"):
            runnable(["bleu"], {"source"}, "en")

    def test_what_no_segment_has_is_seen_at_the_end(self) -> None:
        scores = plainly.evaluate(SOURCES, OUTPUTS)
        assert scores.unscorable() == {
            "sari": "no segment has the references and source it needs",
            "bleu": "no segment has the references it needs",
        }
        assert list(scores.without(scores.unscorable())["output"]) == ["fkgl"]


def test_a_system_may_be_called_reference() -> None:
    scores = plainly.evaluate(SOURCES[:1], {"reference": OUTPUTS[:1]}, REFERENCES[:1], metrics=["bleu"])
    assert "|refs:2|" in scores["reference"]["bleu"].signature


def test_a_segment_without_references_may_be_none() -> None:
    scores = plainly.evaluate(SOURCES, OUTPUTS, [REFERENCES[0], None, []], metrics=["bleu"])["output"]["bleu"]
    assert (scores.scored, scores.unscored) == (1, 2)


def test_threads_may_share_a_corpus() -> None:
    n = 400
    corpus = Corpus(
        [f"{SOURCES[i % 3]} {i % 50}" for i in range(n)],
        [REFERENCES[i % 3] for i in range(n)],
        {f"system {k}": [f"{OUTPUTS[(i + k) % 3]} {i % 7}" for i in range(n)] for k in range(8)},
    )
    chosen = [metrics.get(name) for name in ("sari", "bleu", "fkgl", "levenshtein-similarity", "words-kept")]
    alone = {
        (system, metric.name): metric.measure(replace(corpus), system)
        for metric in chosen
        for system in corpus.outputs
    }
    with ThreadPoolExecutor(8) as pool:
        shared = {
            key: pool.submit(metric.measure, corpus, system)
            for metric in chosen
            for system in corpus.outputs
            for key in [(system, metric.name)]
        }
        for key, future in shared.items():
            np.testing.assert_array_equal(future.result(), alone[key])
