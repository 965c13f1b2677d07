"""What every metric promises: additive statistics, order does not matter, any text is survived, facts are there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plainly import metrics
from plainly.base.version import __version__
from plainly.corpus import Corpus
from plainly.metaeval.quality.metric import Quality
from plainly.metrics import SCORED, Metric
from plainly.metrics._encoder import EncoderMetric
from plainly.metrics.judge import Judge

# Variants that need data which is not on every machine have tests of their own.
ELSEWHERE = {
    *("d-sari:code", "fkgl:easse", "sentence-splits:easse", "dale-chall:textstat"),
    "dale-chall:textstat-0.7.5",
    *("fkgl-tk2021", "sentence-length-tk2021", "syllables-per-word-tk2021"),
}
LABELS = [
    label
    for name in metrics.names()
    if name not in metrics.GROUPS["linguistic"]  # test_linguistic holds all of them to it at once
    for label in [name, *(f"{name}:{variant}" for variant in list(metrics.metric_class(name).variants)[1:])]
    if label not in ELSEWHERE
]

WORDS = ["The", "cats", "sat", "on", "a", "mat", ".", ",", "!", "Dr.", "U.S.", "3.5", "é", "漢", "it's"]
words = st.sampled_from(WORDS)
texts = st.lists(words, max_size=8).map(" ".join)
anything = st.text(max_size=25)


@st.composite
def corpora(draw: st.DrawFn, text: st.SearchStrategy[str] = texts) -> Corpus:
    """One to five segments; sources, references and outputs may be missing."""
    n = draw(st.integers(1, 5))
    optional = text | st.none()
    return Corpus(
        draw(st.lists(optional, min_size=n, max_size=n)),
        [draw(st.lists(text, max_size=3)) for _ in range(n)],
        {"it": draw(st.lists(optional, min_size=n, max_size=n))},
    )


def same(a: float, b: float, precision: float = 1e-9) -> bool:
    return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=precision, abs_tol=precision)


@pytest.fixture(params=LABELS, scope="module")
def metric(request: pytest.FixtureRequest) -> Metric:
    chosen = metrics.get(request.param)
    if isinstance(chosen, (EncoderMetric, Judge, Quality)) and (why := chosen.missing("en")):
        pytest.skip(why)
    return chosen


def precision(metric: Metric, usual: float) -> float:
    """How far two runs may be apart: models compute in float32, and their last digits depend on the texts beside."""
    return 1e-5 if isinstance(metric, EncoderMetric) else usual


PATIENT = settings(max_examples=settings.default.max_examples // 4, suppress_health_check=list(HealthCheck))


@PATIENT
@given(corpus=corpora(), data=st.data())
def test_statistics_add_up_and_order_does_not_matter(metric: Metric, corpus: Corpus, data: st.DataObject) -> None:
    rows = metric.measure(corpus, "it")
    assert rows.shape == (len(corpus), len(metric.columns))
    assert metric.columns[0] == SCORED
    assert np.isfinite(rows).all()
    whole = metric.score(rows.sum(axis=0))

    cut = data.draw(st.integers(0, len(corpus)))
    first, second = metric.measure(corpus.slice(0, cut), "it"), metric.measure(corpus.slice(cut, len(corpus)), "it")
    if first[:, 0].any():
        second = metric.follow(second, first[first[:, 0] > 0][-1])
    np.testing.assert_allclose(np.concatenate([first, second]), rows, rtol=1e-12, atol=precision(metric, 0))
    assert metric.reads_all_outputs_as_one == ("textstat" in metric.label)
    if metric.reads_all_outputs_as_one:
        return

    def references_of(i: int) -> st.SearchStrategy[list[str]]:
        references = list(corpus.references[i])
        # chrF takes the first of equally good references, as sacrebleu does; there the order can matter.
        return st.just(references) if metric.name == "chrf" else st.permutations(references)

    order = data.draw(st.permutations(range(len(corpus))))
    shuffled = Corpus(
        [corpus.sources[i] for i in order],
        [data.draw(references_of(i)) for i in order],
        {"it": [corpus.outputs["it"][i] for i in order]},
    )
    again = metric.score(metric.measure(shuffled, "it").sum(axis=0))
    assert same(float(whole.value), float(again.value), precision(metric, 1e-9))


@PATIENT
@given(corpus=corpora())
def test_scores_are_vectorised_and_in_range(metric: Metric, corpus: Corpus) -> None:
    rows = metric.measure(corpus, "it")
    weights = np.arange(3 * len(corpus)).reshape(3, len(corpus)) % 3
    together = metric.score(weights @ rows)
    low, high = metric.facts.range
    for i in range(3):
        alone = metric.score(weights[i] @ rows)
        assert same(float(together.value[i]), float(alone.value))
        assert together.components.keys() == alone.components.keys()
        for name, values in together.components.items():
            assert same(float(values[i]), float(alone.components[name]))
        assert math.isnan(alone.value) or low - 1e-9 <= float(alone.value) <= high + 1e-9


@PATIENT
@given(corpus=corpora(anything))
def test_any_text_is_survived(metric: Metric, corpus: Corpus) -> None:
    rows = metric.measure(corpus, "it")
    assert np.isfinite(rows).all()
    value = float(metric.score(rows.sum(axis=0)).value)
    assert not math.isinf(value)
    for i, output in enumerate(corpus.outputs["it"]):
        if output is None:
            assert not rows[i].any(), "a missing output is not scored"
    if not rows[:, 0].any():
        assert math.isnan(value), "nothing scored is not a number, never 0"


def test_facts_and_signature(metric: Metric) -> None:
    facts = metric.facts
    assert facts.title
    assert facts.about
    assert facts.paper
    assert facts.direction in ("higher", "lower", "none")
    assert facts.range[0] < facts.range[1]
    assert facts.needs <= {"source", "references", "language"}
    short, long = metric.signature("3"), metric.signature("3", long=True)
    assert short.startswith(f"{metric.name}|lang:{metric.lang}|")
    assert short.endswith(f"|plainly:{__version__}")
    assert ("refs:3" in short) == ("references" in facts.needs)
    assert len(long) >= len(short)
    assert len(set(metric.columns)) == len(metric.columns)


def test_signatures_tell_all_metrics_apart() -> None:
    signatures = [metrics.get(label).signature("1") for label in LABELS]
    assert len(set(signatures)) == len(signatures)
