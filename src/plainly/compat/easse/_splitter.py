"""Which sentence splitter stands behind FKGL and sentence splits: Punkt, as in EASSE, or plainly's own."""

from __future__ import annotations

import warnings
from functools import cache

from plainly.base.errors import MissingResource
from plainly.text.sentences import punkt_sentences


@cache  # so that the warning comes once
def sentence_variant() -> str:
    """The metric variant to ask for: "easse" where Punkt can run, else "builtin" with one warning."""
    try:
        punkt_sentences("One sentence.")
    except MissingResource as missing:
        warnings.warn(
            "sentences are split by plainly's own splitter, so FKGL and sentence splits may differ slightly "
            f"from EASSE's. For its exact numbers: {missing}",
            stacklevel=3,
        )
        return "builtin"
    return "easse"
