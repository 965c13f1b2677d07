"""The share of outputs that are in another language than they should be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.signature import Signed
from plainly.corpus import Corpus
from plainly.metrics.base import NO_SETTINGS, SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.text.identification import identifiable, identify


@dataclass(frozen=True, kw_only=True)
class OffLanguage(Metric):
    """Outputs in another language / outputs whose language can be told.

    An output too short to tell, or without letters, is not scored, and is counted.
    """

    name = "off-language"
    facts = Facts(
        title="Off-language",
        about="share of the outputs that are not in the language of the corpus",
        direction="lower",
        range=(0.0, 1.0),
        needs=frozenset({"language"}),
        paper="plainly; the languages are told apart by Lui and Baldwin 2012, langid.py: An Off-the-shelf Language "
        "Identification Tool, ACL",
        decimals=3,
    )
    also_signed: ClassVar = {"identifier": Signed("who tells languages apart")}

    def __post_init__(self) -> None:
        super().__post_init__()
        if why := self.missing(self.lang):
            raise PlainlyError(f"{self.name} cannot be computed: {why}")

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        return None if lang in identifiable() else f"py3langid does not know the language {lang!r}"

    def settings(self) -> dict[str, str]:
        return {**super().settings(), "identifier": "py3langid"}

    def versions(self) -> dict[str, str]:
        return {"py3langid": version("py3langid")}

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "off_language", "english")

    def measure(self, corpus: Corpus, system: str) -> Array:
        found = corpus.prepared(("languages", system), lambda: _languages(corpus, system))
        told = np.array([code is not None for code in found], dtype=bool)
        counts = np.array([(code != self.lang, code == "en") for code in found], dtype=bool).reshape(-1, 2)
        return with_scored(scored(corpus, system, self.facts.needs) & told, counts)

    def score(self, totals: Array) -> Score:
        return Score(ratio(totals[..., 1], totals[..., 0]), {"english": ratio(totals[..., 2], totals[..., 0])})


def _languages(corpus: Corpus, system: str) -> list[str | None]:
    """The language of each output; systems often write the same, which is told once."""
    texts = [text or "" for text in corpus.output(system)]
    known: dict[str, str | None] = corpus.prepared("languages of texts", dict)
    new = list(dict.fromkeys(text for text in texts if text not in known))
    known.update(zip(new, identify(new), strict=True))
    return [known[text] for text in texts]
