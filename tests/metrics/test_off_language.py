"""Outputs in another language: by hand, on the demo sets, and on published outputs that nobody had noticed."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import plainly
from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus

from ..real import SHARED

GERMAN = SHARED / "data" / "german"


def demo(lang: str, system: str) -> list[str]:
    return (files("plainly") / "demo" / lang / "outputs" / f"{system}.txt").read_text("utf-8").splitlines()


def off_language(lang: str, outputs: list[str | None]) -> metrics.Score:
    metric = metrics.get("off-language", lang=lang)
    return metric.score(metric.measure(Corpus([None] * len(outputs), outputs={"s": outputs}), "s").sum(axis=0))


def test_by_hand() -> None:
    outputs = [
        "Der Minister hat gestern ein neues Gesetz vorgestellt.",
        "The minister presented a new law to the parliament yesterday.",
        "Le ministre a présenté hier une nouvelle loi au parlement.",
        "Die Kinder spielen am Nachmittag im Garten hinter dem Haus.",
        "1990 - 1995",
        "",
        None,
    ]
    metric = metrics.get("off-language", lang="de")
    rows = metric.measure(Corpus([None] * 7, outputs={"s": outputs}), "s")
    # What has no letters, or is not there, is not scored.
    assert rows[:, 0].tolist() == [1, 1, 1, 1, 0, 0, 0]
    found = metric.score(rows.sum(axis=0))
    assert (float(found.value), float(found.components["english"])) == (0.5, 0.25)


def test_nothing_to_tell_is_nan() -> None:
    assert np.isnan(off_language("de", ["", None, "1"]).value)


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_demo_sets_are_in_their_language(lang: str) -> None:
    other = "en" if lang == "de" else "de"
    outputs = {
        "own": demo(lang, "careful-writer"),
        "other": demo(other, "careful-writer"),
        "mixed": demo(lang, "careful-writer")[:45] + demo(other, "careful-writer")[45:],
    }
    scores = plainly.evaluate(None, outputs, lang=lang, metrics=["off-language"])
    found = {system: results["off-language"].score for system, results in scores.systems.items()}
    assert found == {"own": 0.0, "other": 1.0, "mixed": 0.25}
    assert scores["other"]["off-language"].components["english"] == (1.0 if other == "en" else 0.0)


@pytest.mark.skipif(not GERMAN.is_dir(), reason=f"the shared data are not at {GERMAN}")
@pytest.mark.parametrize(
    ("data_set", "least", "most"),
    # By function words, 26 % and 30 % of the lines are English (shared/notes/easse-de.md, 1.2), and more elsewhere.
    [("deplain_web", 0.22, 0.32), ("geolino", 0.27, 0.38), ("bisect", 0.5, 0.8), ("abgb", 0.5, 0.8)],
)
def test_published_outputs_of_bloom_are_partly_english(data_set: str, least: float, most: float) -> None:
    def outputs(name: str) -> list[str | None]:
        return list((GERMAN / data_set / name).read_bytes().decode("utf-8").removesuffix("\n").split("\n"))

    found = off_language("de", outputs("system_outputs/BLOOM-0-random.txt"))
    assert least < found.components["english"] <= found.value < most
    assert off_language("de", outputs(f"{data_set}.test.orig")).value == 0


def test_a_language_that_cannot_be_told_is_refused() -> None:
    with pytest.raises(PlainlyError, match="py3langid does not know the language 'bo'"):
        metrics.get("off-language", lang="bo")
    assert metrics.metric_class("off-language").missing("de") is None
