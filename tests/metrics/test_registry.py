"""Metrics by name, and metrics of other packages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from plainly import metrics
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus import Corpus
from plainly.metrics import SCORED, Array, Facts, Metric, Score, ratio, registry, scored, with_scored


@dataclass(frozen=True, kw_only=True)
class Shouting(Metric):
    """Share of outputs that end in an exclamation mark: a metric of another package."""

    name = "shouting"
    facts = Facts("Shouting", "outputs that shout", "lower", (0.0, 1.0), frozenset(), "nobody 2026")

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "shouts")

    def measure(self, corpus: Corpus, system: str) -> Array:
        import numpy as np

        shouts = np.array([[(text or "").endswith("!")] for text in corpus.output(system)])
        return with_scored(scored(corpus, system, self.facts.needs), shouts)

    def score(self, totals: Array) -> Score:
        return Score(ratio(totals[..., 1], totals[..., 0]))


@pytest.fixture
def registered(package: Callable[..., Path]) -> Iterator[Callable[..., None]]:
    """Registers entry points for one test."""

    def register(**points: str) -> None:
        package("plainly.metrics", points)

    yield register
    registry.metric_class.cache_clear()


def test_a_metric_of_another_package(registered, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "another_package", sys.modules[__name__])
    registered(shouting="another_package:Shouting")
    assert "shouting" in metrics.names()[len(registry.BUILT_IN) :]
    metric = metrics.get("shouting")
    corpus = Corpus(["a", "b"], (), {"it": ["Wow!", "No."]})
    assert float(metric.score(metric.measure(corpus, "it").sum(axis=0)).value) == 0.5


def test_a_name_taken_twice(registered) -> None:
    registered(sari="another_package:Sari")
    with pytest.raises(PlainlyError, match="metric 'sari' is registered twice; the second is another_package:Sari"):
        metrics.names()


def test_something_that_is_no_metric(registered) -> None:
    registered(path="pathlib:Path")
    with pytest.raises(PlainlyError, match=r"'path' \(pathlib:Path\) is not a subclass of plainly.metrics.Metric"):
        metrics.get("path")


def test_a_package_that_is_gone(registered) -> None:
    registered(gone="no_such_package:Metric")
    with pytest.raises(PlainlyError, match=r"metric 'gone' \(no_such_package:Metric\) cannot be loaded"):
        metrics.get("gone")


def test_a_variant_of_a_metric_that_has_none() -> None:
    with pytest.raises(PlainlyError, match="bleu has no variants"):
        metrics.get("bleu:foo")


def test_unknown_names_get_a_suggestion() -> None:
    with pytest.raises(UnknownName, match=r"unknown metric 'fgkl'; did you mean 'fkgl'\?"):
        metrics.get("fgkl")
    with pytest.raises(UnknownName, match=r"known: .*bleu"):
        metrics.get("xyzzy")


def test_every_built_in_metric_is_where_the_registry_says() -> None:
    for name in registry.BUILT_IN:
        assert metrics.metric_class(name).name == name
