"""Words for kappa."""

from __future__ import annotations

from math import nan

from plainly.findings.kappa_words import in_words, landis_koch
from plainly.inference import Estimate


def test_the_words_of_landis_and_koch() -> None:
    # Landis and Koch (1977), section 4, the table of "strength of agreement".
    bounds = {-0.01: "poor", 0.0: "slight", 0.2: "slight", 0.21: "fair", 0.4: "fair", 0.41: "moderate"}
    bounds |= {
        0.6: "moderate",
        0.61: "substantial",
        0.8: "substantial",
        0.81: "almost perfect",
        1.0: "almost perfect",
        nan: "",
    }
    assert {kappa: landis_koch(kappa) for kappa in bounds} == bounds


def test_in_every_language() -> None:
    word = in_words(Estimate(0.4231))  # what ARTS calls moderate: Engelmann et al. 2024, section 5.1
    assert word is not None
    assert (word.text(), word.text("de")) == ("moderate", "mittelmäßig")
    assert in_words(Estimate(nan)) is None
