"""Why two SARI numbers differ."""

from __future__ import annotations

import itertools

import pytest

from plainly import metrics
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus import Corpus
from plainly.metrics.sari import Sari
from plainly.scoring.explain import STAR_SENTENCE, Setting, closest, gap, parse_setting, sari_grid
from plainly.text.tokenizers import tokenizers_for

CORPUS = Corpus(
    ["The U.S. Senate ratified it.", "Cats repose.", "He utilised the tool (a hammer)."],
    [["The U.S. Senate agreed to it.", "The Senate said yes."], ["Cats rest."], ["He used a hammer.", "He used it."]],
    {"a": ["The US Senate agreed.", "Cats rest.", "He used the tool."], "b": ["The Senate.", "cats repose", "He."]},
)


Grid = dict[str, dict[Setting, float]]


@pytest.fixture(scope="module")
def grid() -> Grid:
    return sari_grid(CORPUS.chunks(2))


def test_every_setting_is_the_metric_itself(grid: Grid) -> None:
    assert set(grid) == {"a", "b"}
    named = [setting for setting in grid["a"] if setting.variant != STAR_SENTENCE]
    # the legacy variant has no lower-cased form
    assert len(named) == len(tokenizers_for("en")) * (2 * len(Sari.variants) - 1)
    for setting in named:
        metric = Sari(variant=setting.variant, tokenizer=setting.tokenizer, lowercase=setting.lowercase)
        assert grid["a"][setting] == pytest.approx(
            float(metric.score(metric.measure(CORPUS, "a").sum(axis=0)).value), abs=1e-9
        )


def test_star_by_sentence_is_the_mean_of_its_segments(grid: Grid) -> None:
    metric = metrics.get("sari:star")
    alone = metric.score(metric.measure(CORPUS, "b")).value
    assert grid["b"][Setting(STAR_SENTENCE, "13a", True)] == pytest.approx(alone.mean())


def test_the_steps_add_up_to_the_gap(grid: Grid) -> None:
    scores = grid["a"]
    settings = [
        setting for setting in scores if setting.variant != STAR_SENTENCE and setting.tokenizer in ("13a", "none")
    ]
    for start, end in itertools.product(settings, repeat=2):
        steps = gap(scores, start, end)
        total = sum(step.after - step.before for step in steps)
        assert total == pytest.approx(scores[end] - scores[start], abs=1e-9), (start, end)
        for one, next_one in itertools.pairwise(steps):
            assert one.after == next_one.before
    assert gap(scores, settings[0], settings[0]) == []


def test_each_step_has_one_cause(grid: Grid) -> None:
    steps = gap(grid["a"], Setting("easse", "13a", True), Setting("huggingface", "none", False))
    assert [step.cause for step in steps] == [
        "delete scored by precision instead of F1",
        "mean over segments instead of corpus counts",
        "ratios averaged over n-gram types, stricter rule for deletions",
        "0/0 counts as 1, keep recall from sums",
        "tokenizer 13a -> none",
        "lower-cased -> cased",
    ]


def test_a_published_number_finds_its_setting(grid: Grid) -> None:
    scores = grid["b"]
    for setting in (Setting("star", "13a", True), Setting("huggingface", "char", False)):
        found = closest(scores, f"{scores[setting]:.2f}")
        assert scores[found] == pytest.approx(scores[setting], abs=0.0101)
    # Of several settings that round to the number, the most usual is taken.
    usual, rare = Setting("easse", "13a", True), Setting("star", "none", False)
    assert closest({usual: 37.04, rare: 37.0}, "37.0") == usual


def test_settings_by_name() -> None:
    assert parse_setting("star") == Setting("star", "13a", True)
    assert parse_setting("huggingface, none, cased") == Setting("huggingface", "none", False)
    assert parse_setting("easse-legacy") == Setting("easse-legacy", "13a", False)
    with pytest.raises(PlainlyError, match=r"is not variant,tokenizer,lower\|cased"):
        parse_setting("star,13a,upper")
    with pytest.raises(UnknownName, match="did you mean 'star'"):
        parse_setting("starr")
    with pytest.raises(UnknownName, match="unknown tokenizer"):
        parse_setting("star,13b")
