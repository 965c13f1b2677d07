"""Words for kappa, as Landis and Koch (1977, Biometrics 33: 159-174) gave them; for every study that prints kappas.

    below 0   poor             up to .60   moderate
    up to .20 slight           up to .80   substantial
    up to .40 fair             above       almost perfect

They say themselves that the bounds are arbitrary. Papers use the words for alpha, too, which is a habit as well.
"""

from __future__ import annotations

import math

from plainly.base.messages import Message, message
from plainly.findings.shape import Column
from plainly.inference.estimates import Estimate

UP_TO = ((0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"), (math.inf, "almost perfect"))

IN_WORDS = Column("in words", title=message("findings.in-words", "in words"))
"""The column beside a kappa."""
BOUNDS = message(
    "findings.landis-koch",
    "in words: Landis and Koch (1977) for kappa; their bounds are a convention and say nothing of what is enough",
)
"""What a table with that column says below."""


def landis_koch(kappa: float) -> str:
    """The word for a kappa; none where it is not a number."""
    if math.isnan(kappa):
        return ""
    return "poor" if kappa < 0 else next(word for bound, word in UP_TO if kappa <= bound)


def in_words(kappa: Estimate) -> Message | None:
    """The cell beside a kappa. It is the word for the value; an interval may reach into others."""
    word = landis_koch(kappa.value)
    return message(f"findings.landis-koch.{word.replace(' ', '-')}", word) if word else None
