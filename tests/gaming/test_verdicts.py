"""Verdicts on cases that are worked by hand, and on metrics whose faults are known."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from plainly import metrics
from plainly.base.errors import UnknownName
from plainly.corpus import Corpus
from plainly.gaming.edits import Edit
from plainly.gaming.study import Study, study
from plainly.gaming.verdicts import Tally, cheapest, deceptions, judged_metrics, rule_of, table, verdicts
from plainly.metrics import Array, Facts, Metric, Score
from plainly.metrics.base import SCORED, ratio


class MeanLength(Metric):
    """The mean number of words: each edit that adds a word moves it by 1 / segments."""

    name: ClassVar[str] = "mean-length"
    facts: ClassVar[Facts] = Facts("Mean length", "words a segment", "higher", (0, np.inf), frozenset(), "none")

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "words")

    def measure(self, corpus: Corpus, system: str) -> Array:
        return np.array([[1.0, len((text or "").split())] for text in corpus.output(system)])

    def score(self, totals: Array) -> Score:
        return Score(ratio(totals[..., 1], totals[..., 0]))


class MeanShortness(MeanLength):
    name = "mean-shortness"
    facts = replace(MeanLength.facts, direction="lower")


ADD = Edit("add", "one word more", lambda segment, rng: [segment.output + " more"])
CUT = Edit("cut", "one word less", lambda segment, rng: [segment.output.rpartition(" ")[0]])
KEEP = Edit("keep", "nothing", lambda segment, rng: [segment.output])


@pytest.fixture(scope="module")
def lengths() -> Study:
    """40 segments: 5 words in each output of `long`; 4 words in 27 or 28 outputs of the others, else 5."""
    outputs = {
        "long": ["a b c d e"] * 40,
        "short": ["a b c d"] * 27 + ["a b c d e"] * 13,
        "shorter": ["a b c d"] * 28 + ["a b c d e"] * 12,
    }
    corpus = Corpus(["s"] * 40, [], outputs)
    chosen = [MeanLength(), MeanShortness(), metrics.get("compression-ratio")]
    return study(corpus, metrics=chosen, edits=[ADD, CUT, KEEP], trials=7)


def test_the_fewest_edited_segments_that_flip_the_ranking(lengths: Study) -> None:
    found = {(deception.metric, deception.edit): deception for deception in deceptions(lengths, "long", "short")}
    up = found["mean-length", "add"]
    # 27 words are missing; 27 edits make the systems equal, the 28th makes the worse one better
    assert (up.worse, up.better, up.segments, up.share) == ("short", "long", 28, 28 / 40)
    assert up.gap == pytest.approx(27 / 40)
    down = found["mean-shortness", "cut"]
    assert (down.worse, down.better, down.segments) == ("long", "short", 28)
    assert down.gap == pytest.approx(27 / 40)
    for metric, edit in [("mean-length", "cut"), ("mean-length", "keep"), ("mean-shortness", "add")]:
        assert found[metric, edit].segments is None
        assert found[metric, edit].share is None
    assert {name: best.edit for name, best in cheapest(list(found.values())).items()} == {
        "mean-length": "add",
        "mean-shortness": "cut",
    }


def test_a_tie_is_no_flip(lengths: Study) -> None:
    """28 edits make a tie, and 28 of 40 is a level of the grid."""
    by_edit = {d.edit: d.segments for d in deceptions(lengths, "long", "shorter") if d.metric == "mean-length"}
    assert by_edit == {"add": 29, "cut": None, "keep": None}


def test_equal_systems_have_no_ranking_to_flip(lengths: Study) -> None:
    assert deceptions(lengths, "long", "long") == []
    with pytest.raises(UnknownName):
        deceptions(lengths, "long", "shrot")


def test_metrics_without_a_direction_get_no_verdict(lengths: Study) -> None:
    assert list(judged_metrics(lengths)) == ["mean-length", "mean-shortness"]
    assert {verdict.metric for verdict in verdicts(lengths)} == {"mean-length", "mean-shortness"}


def test_gains_follow_the_direction(lengths: Study) -> None:
    found = {(v.metric, v.edit): v for v in verdicts(lengths) if v.system == "long"}
    for metric, edit, gain, passed in [
        ("mean-length", "add", 1, False),
        ("mean-length", "cut", -1, True),
        ("mean-shortness", "add", -1, True),
        ("mean-shortness", "cut", 1, False),
        ("mean-length", "keep", 0, None),
    ]:
        verdict = found[metric, edit]
        assert verdict.gain == pytest.approx(gain)
        assert verdict.gain_per_segment == pytest.approx(math.nan if edit == "keep" else gain / 40, nan_ok=True)
        assert verdict.passed is passed
        assert verdict.changed == (0 if edit == "keep" else 1)
    cells = table(verdicts(lengths))
    assert cells["mean-length"] == {"add": Tally(0, 3), "cut": Tally(3, 3), "keep": Tally(0, 0)}


@pytest.fixture(scope="module")
def real() -> Study:
    """Six short simplifications, with negations, numbers and names."""
    sources = [
        "The committee did not ratify the proposal that Maria Lopez had submitted in 1998 .",
        "The physician could not ascertain the cause of the illness of Peter Holm .",
        "Approximately 250 residents were evacuated subsequent to the conflagration .",
        "The vessel , commanded by Anna Berg , never attained its destination .",
        "Numerous students were unable to commence the examination prior to 9 o'clock .",
        "The municipality will construct 30 dwellings adjacent to the river .",
    ]
    references = [
        ["The group did not accept the plan that Maria Lopez made in 1998 ."],
        ["The doctor could not find the cause of the illness of Peter Holm ."],
        ["About 250 people had to leave after the fire ."],
        ["The ship of Anna Berg never got to its port ."],
        ["Many students could not start the test before 9 o'clock ."],
        ["The town will build 30 homes near the river ."],
    ]
    outputs = [
        "The group did not accept the plan that Maria Lopez gave in 1998 .",
        "The doctor could not find the cause of the illness of Peter Holm .",
        "About 250 people left after the fire .",
        "The ship of Anna Berg never got to its end .",
        "Many students could not start the test before 9 o'clock .",
        "The town will build 30 homes next to the river .",
    ]
    chosen = [metrics.get(name) for name in ("sari", "bleu", "fkgl:textbook", "compression-ratio")]
    return study(Corpus(sources, references, {"real": outputs}), metrics=chosen, trials=40)


def test_chance_alone_passes_nothing_and_fails_nothing() -> None:
    toss = Edit("toss", "a word more or less", lambda segment, rng: [segment.output + " more", "a b"])
    noticed = replace(toss, name="drop-negation")  # an edit that must be noticed
    corpus = Corpus(["s"] * 30, [], {"x": ["a b c"] * 30})
    found = {v.edit: v for v in verdicts(study(corpus, metrics=[MeanLength()], edits=[toss, noticed]))}
    assert found["toss"].edited.estimate.low < found["toss"].unedited < found["toss"].edited.estimate.high
    assert found["toss"].passed is True
    assert found["drop-negation"].passed is False


def test_copying_references_is_no_deception() -> None:
    both = study(
        Corpus(["s"] * 4, [["a b c d e"]] * 4, {"good": ["a b c d x"] * 4, "bad": ["a b x x x"] * 4}),
        metrics=[metrics.get("bleu")],
        edits=["copy-reference", "random-the"],
        trials=3,
    )
    assert [deception.edit for deception in deceptions(both, "good", "bad")] == ["random-the"]


def test_rules() -> None:
    assert rule_of("random-the") == "no better"
    assert rule_of("lower-case+random-the") == "no better"
    assert rule_of("unrelated") == "bottom"
    assert rule_of("copy-reference") == "no worse"


def test_reference_based_metrics_are_sane_and_fkgl_is_not(real: Study) -> None:
    found = {(verdict.metric, verdict.edit): verdict for verdict in verdicts(real)}
    failed = {
        metric: [edit for name, edit in found if name == metric and found[name, edit].passed is False]
        for metric in ("sari", "bleu")
    }
    # SARI rewards deletion, so text about something else beats a copy of the source
    assert failed == {"sari": ["unrelated"], "bleu": []}
    assert found["sari", "copy-source"].edited.estimate.high < found["sari", "unrelated"].edited.estimate.low
    # Tanprasert and Kauchak (2021): a stop, or a short word for the longest, lowers FKGL; it sees no meaning
    for edit in ("random-period", "replace-longest", "random-period+replace-longest", "delete-last-quarter"):
        assert found["fkgl:textbook", edit].passed is False, edit
    assert found["fkgl:textbook", "copy-source"].passed is True  # sources are harder to read
    assert found["fkgl:textbook", "unrelated"].passed is False
    assert found["bleu", "unrelated"].passed is True
