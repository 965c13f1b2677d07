"""A metric of each linguistic feature. A share of nothing, and a source without a passive, have no value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import Any, ClassVar

import numpy as np

from plainly.base.errors import MissingResource
from plainly.corpus import Corpus
from plainly.metrics.base import NO_SETTINGS, Array, Facts, scored
from plainly.metrics.linguistic import FEATURES, table
from plainly.metrics.linguistic.table import Feature
from plainly.metrics.linguistic.texts import Text, texts_of
from plainly.metrics.means import MeanOfSegments
from plainly.metrics.settings import PARSER, RANKS, SENTENCES, parser_setting
from plainly.models.parsers import ENTITIES, EVERYTHING, missing_parser, parser_for
from plainly.text.frequency import ranks_version
from plainly.text.languages import get_language

PAPER = (
    "plainly's definition, after Stodden and Kallmeyer 2020, A Multi-lingual and Cross-domain Analysis of Features "
    "for Text Simplification, READI"
)
_BY_PARSER = EVERYTHING | {table.TOKENS}


@dataclass(frozen=True, kw_only=True)
class LinguisticFeature(MeanOfSegments):
    """The metric of one entry of the table."""

    feature: ClassVar[Feature]
    also_signed: ClassVar = {"parser": PARSER, "ranks": RANKS, "sentences": SENTENCES}

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        needs = cls.feature.needs
        language = get_language(lang)
        if table.WORDS in needs and not language.spaces:
            return f"{language.name} has no blanks between words"
        if table.SENTENCES in needs and not language.sentence_source:
            return f"plainly has no sentence splitter for {language.name}"
        if table.RANKS in needs and language.frequency_list is None:
            return f"there are no word ranks for {language.name}"
        if table.MARKERS in needs and not language.markers:
            return f"plainly has no list of discourse markers for {language.name}"
        return None

    def settings(self) -> dict[str, str]:
        settings = super().settings()
        if table.RANKS in self.feature.needs:
            settings["ranks"] = "wordfreq"
        if table.SENTENCES in self.feature.needs:
            settings["sentences"] = get_language(self.lang).sentence_source or "none"
        return settings

    def versions(self) -> dict[str, str]:
        return {"wordfreq": ranks_version()} if table.RANKS in self.feature.needs else {}

    def values(self, corpus: Corpus, system: str) -> Array:
        why = self.missing(self.lang, vars(self))
        if why:
            raise MissingResource(f"{self.name} cannot be computed: {why}")
        texts = self._texts(corpus)
        present = scored(corpus, system, self.facts.needs)
        output = corpus.output(system)
        sides = (corpus.sources, output) if table.SOURCE in self.feature.needs else (output,)
        values = np.full(len(corpus), nan)
        for i in np.flatnonzero(present).tolist():
            values[i] = self.feature.value(*(texts[side[i] or ""] for side in sides))
        return values

    def _texts(self, corpus: Corpus) -> Mapping[str, Text]:
        return texts_of(corpus, self.lang, None)


@dataclass(frozen=True, kw_only=True)
class ParsedFeature(LinguisticFeature):
    """The metric of one that rests on a parse."""

    parser: str = parser_setting()

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        needs = cls.feature.needs & EVERYTHING
        return super().missing(lang, settings) or missing_parser(lang, needs, settings.get("parser", ""))

    def settings(self) -> dict[str, str]:
        parser = parser_for(self.lang, self.parser)
        return super().settings() | {"parser": parser.identity if parser else "none"}

    def _texts(self, corpus: Corpus) -> Mapping[str, Text]:
        parser = parser_for(self.lang, self.parser)
        return texts_of(corpus, self.lang, parser, names=ENTITIES in self.feature.needs)


def _metric(feature: Feature) -> type[LinguisticFeature]:
    facts = Facts(feature.title, feature.about, feature.direction, feature.range, feature.needs, PAPER, decimals=3)
    body = {
        "feature": feature,
        "facts": facts,
        "name": feature.name,
        "__module__": __name__,
        "__doc__": feature.about,
    }
    return type(feature.name, (ParsedFeature if feature.needs & _BY_PARSER else LinguisticFeature,), body)


# One class a feature, under the name of the feature, where the registry and pickle find it.
globals().update({name: _metric(feature) for name, feature in FEATURES.items()})
