"""Ranks under two profiles: the EASSE-DE paper's Table 4, its published outputs, and what turns beyond chance."""

from __future__ import annotations

import json
import math
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus, catalogue
from plainly.demo import demo_corpus
from plainly.findings import printed
from plainly.scoring import ProfileRanks, compare_profiles

# Stodden 2024, Table 4: score and rank on DEplain-APA with the settings of EASSE-DE (a) and of EASSE (b).
TABLE_4 = """
hda_LS                 22.3  5   26.06 12  0.55 7     23.77 4   26.82 12   0.38 7
sockeye-APA-LHA        11.84 11  40.16 3   0.37 12    12.42 11  40.27 3    0.13 12
sockeye-DEplain-APA    19.58 7   44.14 1   0.53 9     20.97 7   44.89 1    0.36 9
mBART-DEplain-APA      28.49 1   38.72 5   0.64 1     30.01 1   39.12 5    0.47 1
mBART-DEplain-APA+web  28.03 2   33.81 10  0.64 1     29.62 2   34.44 10   0.47 1
mT5-DEplain-APA        22.32 4   39.41 4   0.61 4     23.7  5   39.8  4    0.46 3
mT5-SGC                8.12  12  37.92 6   0.48 11    8.92  12  38.2  6    0.29 11
BLOOM-zero             16.14 9   35.43 9   0.53 9     17.23 10  35.19 9    0.36 9
BLOOM-10-random        17.97 8   35.93 8   0.57 5     19.23 8   35.52 8    0.38 7
BLOOM-10-similarity    20.97 6   41.27 2   0.57 5     22.21 6   41.21 2    0.39 6
custom-decoder-ats     1.24  13  36.42 7   0.16 13    1.29  13  36.65 7    -0.13 13
identity               26.89 3   15.25 13  0.63 3     28.5  3   15.88 13   0.45 4
truncate               16.11 10  27.2  11  0.55 7     18.94 9   28.31 11   0.41 5
"""
METRICS = ("bleu", "sari", "bertscore")


def as_printed(place: int) -> tuple[Any, dict[str, dict[str, int]]]:
    """The scores of one half of the table as a comparison, and its ranks: metric -> system -> rank."""
    systems: dict[str, dict[str, Any]] = {}
    ranks: dict[str, dict[str, int]] = {metric: {} for metric in METRICS}
    for line in TABLE_4.strip().splitlines():
        system, *numbers = line.split()
        for i, metric in enumerate(METRICS):
            score, rank = numbers[6 * place + 2 * i : 6 * place + 2 * i + 2]
            systems.setdefault(system, {})[metric] = SimpleNamespace(score=float(score), lacking=0)
            ranks[metric][system] = int(rank)

    class Printed(SimpleNamespace):
        def __getitem__(self, system: str) -> Any:
            return self.systems[system]

    directions = dict.fromkeys(METRICS, "higher")
    evaluation = SimpleNamespace(metrics=dict.fromkeys(METRICS))
    found = Printed(systems=systems, directions=directions, evaluation=evaluation, find=lambda *names: None)
    return found, ranks


def test_ranks_and_what_turns_are_those_of_table_4() -> None:
    (ours, our_ranks), (theirs, their_ranks) = as_printed(0), as_printed(1)
    found = ProfileRanks({"easse-de": ours, "easse": theirs})
    for metric in METRICS:  # 78 ranks
        assert found.ranks[metric] == {"easse-de": our_ranks[metric], "easse": their_ranks[metric]}
    bleu, sari, bertscore = found.agreements
    assert (bleu.systems, bleu.pairs) == (13, 78)
    # In the print, hda_LS and mT5 change places 4 and 5, BLOOM-zero and truncate places 9 and 10.
    assert [(pair.first, pair.second) for pair in bleu.turned] == [
        ("mT5-DEplain-APA", "hda_LS"),
        ("BLOOM-zero", "truncate"),
    ]
    assert bleu.turned[0].differences == pytest.approx((0.02, -0.07))
    assert bleu.tau == pytest.approx(1 - 2 * 2 / 78)
    assert sari.tau == 1  # "the ranks for SARI are constant"
    assert sari.turned == ()
    # identity 3 -> 4 against mT5 4 -> 3; truncate 7 -> 5 passes both BLOOM rows (5, 5 -> 7, 6)
    assert {(pair.first, pair.second) for pair in bertscore.turned} == {
        ("identity", "mT5-DEplain-APA"),
        ("BLOOM-10-random", "truncate"),
        ("BLOOM-10-similarity", "truncate"),
    }


@pytest.mark.slow
def test_published_systems_turn_round_as_by_the_numbers_of_easse_de(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """shared/oracle/easse_de.json: scores by the functions of EASSE-DE under both settings."""
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    oracle = json.loads((shared / "oracle" / "easse_de.json").read_text("utf-8"))["datasets"]["DEplain-web"][
        "systems"
    ]
    corpus = catalogue.load("deplain-web-test")
    outputs = catalogue.published("deplain-web-test")
    found = compare_profiles(
        corpus.with_outputs(outputs), profiles=["easse-de", "easse"], baselines=["identity"], resamples=20
    )
    expected: dict[str, set[frozenset[str]]] = {}
    for name in ("SARI", "BLEU"):
        scores = {
            {"_identity": "identity"}.get(file, file.removeprefix("easse-multi:").partition(".txt")[0]): [
                row["settings"][setting][name] for setting in ("spacy-de|lc=False", "13a|lc=True")
            ]
            for file, row in oracle.items()
            if file not in ("_reference", "_truncate")
        }
        assert set(scores) == set(found.ranks[name.lower()]["easse"])
        expected[name.lower()] = {
            frozenset((one, other))
            for one, other in combinations(scores, 2)
            if np.prod([a - b for a, b in zip(scores[one], scores[other], strict=True)]) < 0
        }
    assert expected["sari"]
    turned = {one.metric: {frozenset((pair.first, pair.second)) for pair in one.turned} for one in found.agreements}
    assert turned == expected


CASED, LOWERED = (
    f"""
title = "case"
any_language = true
metrics = ["bleu", "compression-ratio"]

[settings]
lowercase = {lowercase}
"""
    for lowercase in ("false", "true")
)


@pytest.fixture
def shouting(tmp_path: Path) -> tuple[Corpus, list[str]]:
    """One system shouts the reference, the other has half of its words; and two profiles that see it otherwise."""
    (tmp_path / "cased.toml").write_text(CASED, "utf-8")
    (tmp_path / "lowered.toml").write_text(LOWERED, "utf-8")
    references = [f"the quick fox number {i} runs over the low hill" for i in range(30)]
    outputs = {
        "loud": [text.upper() for text in references],
        "half": [" ".join(text.split()[:6]) + " a big dog" for text in references],
    }
    corpus = Corpus(references, [(text,) for text in references], outputs)
    return corpus, [str(tmp_path / "cased.toml"), str(tmp_path / "lowered.toml")]


def test_what_settings_decide_is_told_from_chance(shouting: tuple[Corpus, list[str]]) -> None:
    corpus, profiles = shouting
    found = compare_profiles(corpus, profiles=profiles, lang="en", resamples=100)
    (bleu,) = found.agreements  # the compression ratio has no better end
    (pair,) = bleu.turned
    assert (pair.first, pair.second, pair.beyond_chance, bleu.tau) == ("half", "loud", True, -1)
    assert found.score("bleu", "lowered", "loud") == pytest.approx(100)  # the reference itself, but for its case
    text = printed(found.findings())
    assert "BLEU: cased and lowered disagree on the order of 1 of 1 pairs" in text
    assert "These differ beyond chance under both profiles: half above loud. Here the settings decide" in text
    assert "compression-ratio has no better end, so nothing is ranked by it" in text
    german = printed(found.findings(), lang="de")
    assert "BLEU: cased und lowered sind sich bei 1 von 1 Paaren von Systemen über die Reihenfolge uneins" in german
    data = found.to_dict()
    assert data["metrics"]["bleu"]["cased"]["half"]["rank"] == data["metrics"]["bleu"]["lowered"]["loud"]["rank"] == 1
    assert data["agreement"][0]["turned"][0]["beyond_chance"] is True


def test_chance_is_called_chance() -> None:
    """The demo systems splitter and identity are .06 BLEU apart: no test tells them apart."""
    found = compare_profiles(demo_corpus("de"), profiles=["easse-de", "easse"], resamples=200)
    sari, bleu = found.agreements
    assert sari.turned == ()
    assert [(pair.first, pair.second, pair.beyond_chance) for pair in bleu.turned] == [
        ("splitter", "identity", False)
    ]
    text = printed(found.findings())
    assert "SARI: easse-de and easse put the 6 systems in the same order." in text
    assert "None of these pairs differs beyond chance under both profiles." in text


def test_three_profiles_and_a_system_that_lacks_segments() -> None:
    demo = demo_corpus("de")
    outputs = {name: demo.outputs[name] for name in ("splitter", "hasty-model", "identity")}
    outputs["splitter"] = [None, *outputs["splitter"][1:]]
    found = compare_profiles(
        demo.with_outputs(outputs), profiles=["easse-de", "easse", "easse-multi"], metrics="bleu", resamples=20
    )
    assert [one.profiles for one in found.agreements] == [
        *(("easse-de", "easse"), ("easse-de", "easse-multi"), ("easse", "easse-multi"))
    ]
    assert found.ranks["bleu"]["easse"] == {"splitter": None, "hasty-model": 1, "identity": 2}
    assert {one.systems for one in found.agreements} == {2}
    assert found.agreements[1].tau == 1  # the same settings under two names


def test_equal_scores_contradict_nothing(shouting: tuple[Corpus, list[str]]) -> None:
    """Without case, "same" and "loud" are the same text; with case they are not. That is no other order."""
    corpus, profiles = shouting
    outputs = {"loud": corpus.outputs["loud"], "same": [group[0] for group in corpus.references]}
    found = compare_profiles(corpus.with_outputs(outputs), profiles=profiles, lang="en", resamples=20)
    assert found.ranks["bleu"] == {"cased": {"loud": 2, "same": 1}, "lowered": {"loud": 1, "same": 1}}
    assert found.agreements[0].turned == ()
    assert "BLEU: cased and lowered contradict each other on none of 1 pairs" in printed(found.findings())


def test_one_system_alone_has_no_order() -> None:
    demo = demo_corpus("de")
    found = compare_profiles(
        demo.with_outputs({"one": demo.sources}), profiles=["easse-de", "easse"], metrics="bleu", resamples=20
    )
    assert math.isnan(found.agreements[0].tau)
    assert "BLEU: there are not two systems to rank." in printed(found.findings())


@pytest.mark.parametrize(
    ("profiles", "more", "message"),
    [
        (["easse"], {}, "two profiles at least"),
        (["easse", "easse"], {}, "the profile easse is named twice"),
        (["easse", "easse-ed"], {}, "did you mean 'easse-de'"),
        (["easse", "tanprasert-kauchak-2021"], {}, "have no metric in common"),
        (["easse-de", "easse"], {"metrics": "fkgl"}, "unknown metric of the profile easse-de 'fkgl'"),
        (["easse", "easse-de"], {"metrics": "compression-ratio"}, "share no metric with a better end"),
        (["easse", "easse-de"], {"lang": "en"}, "the profile easse-de is for language 'de'"),
        (["easse", "easse-de"], {"tokenizer": "13a"}, "the profile easse-de says tokenizer spacy, but you say 13a"),
    ],
)
def test_what_cannot_be_compared_is_said(profiles: list[str], more: dict[str, Any], message: str) -> None:
    texts = {"a": ["Das ist gut."] * 3, "b": ["Das ist sehr gut."] * 3}
    sources, references = ["Das ist recht gut."] * 3, [["Das ist gut."]] * 3
    with pytest.raises(PlainlyError, match=message):
        compare_profiles(sources, texts, references, profiles=profiles, **more)
