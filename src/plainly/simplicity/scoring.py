"""Scores of texts with intervals and cautions, and explanations whose parts add up to the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from unicodedata import name

import numpy as np

from plainly.base.arguments import checks_arguments
from plainly.base.messages import Message, message
from plainly.findings.result import StudyResult
from plainly.inference.estimates import CONFIDENCE, Estimate, finite
from plainly.simplicity.features import families, features
from plainly.simplicity.model import Model, load_model, scorable
from plainly.text.identification import identifiable, identify

LEAST_LATIN = 0.5  # of the letters of an English text; a short text tells its script, but not always its language
WORDING = "wording"
"""The family of what words add."""
NOTHING = message("simplicity.nothing", "there is nothing to read")


@dataclass(frozen=True)
class Scored:
    """One text. The estimate is NaN where there is nothing to read."""

    text: str
    estimate: Estimate
    cautions: tuple[Message, ...] = ()

    @property
    def score(self) -> float | None:
        return finite(self.estimate.value)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "text": self.text,
            "score": self.estimate.to_dict(),
            "cautions": [caution.text() for caution in self.cautions],
        }


@dataclass(frozen=True, repr=False)
class Scores(StudyResult, findings="plainly.simplicity.findings:score_findings"):
    """The scores of some texts by one model, in the order of the texts."""

    rows: tuple[Scored, ...]
    model: Model
    name: str
    """What the model is called by."""
    confidence: float

    def __iter__(self) -> Iterator[Scored]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Scored:
        return self.rows[place]

    @property
    def unscored(self) -> int:
        """Texts with nothing to read."""
        return sum(one.score is None for one in self.rows)

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "model": self.name,
            "kind": self.model.kind,
            "lang": self.model.lang,
            "direction": "higher = simpler",
            "confidence": self.confidence,
            "unscored": self.unscored,
            "texts": [one.to_dict() for one in self.rows],
        }


@dataclass(frozen=True)
class Part:
    """What a feature or a word of the text adds to the score; below 0, it makes the text harder."""

    name: str
    value: float | None
    """Of the feature; None for a word."""
    usual: float | None
    """Its mean over the texts learned from."""
    adds: float
    family: str = WORDING
    """What a feature is about; words are the wording."""


@dataclass(frozen=True, repr=False)
class Explanation(StudyResult, findings="plainly.simplicity.findings:one_explanation_findings"):
    """start + the parts of all features and words + limit = score."""

    text: str
    score: float
    start: float
    """The score of a text whose features are all as usual, and whose n-grams are all unknown."""
    features: tuple[Part, ...]
    """Those that add most come first, whether they add or take away."""
    words: tuple[Part, ...]
    """In the order of the text; empty for a model without n-grams."""
    limit: float
    """What holding the sum within 0 and 1 adds; mostly 0."""
    name: str
    """What the model is called by."""

    @property
    def families(self) -> dict[str, float]:
        """What all features of a family add, and all words; the largest first, above 0 or below."""
        adds: dict[str, float] = {}
        for part in (*self.features, *self.words):
            adds[part.family] = adds.get(part.family, 0.0) + part.adds
        return dict(sorted(adds.items(), key=lambda item: -abs(item[1])))

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            **{name: value for name, value in asdict(self).items() if name != "name"},
            "families": self.families,
            "features": [*map(asdict, self.features)],
            "words": [*map(asdict, self.words)],
        }


@checks_arguments
def score(texts: str | Sequence[str], model: str | Model = "full", confidence: float = CONFIDENCE) -> Scores:
    """The score of each text, 0 (hard) to 1 (simple), with an interval.

    `model` is `full`, `lite`, a file of `plainly simplicity train`, or a model that was loaded or trained. The
    interval goes as far to either side as scores of unseen texts were off in cross-validation, in `confidence` of
    the cases. It speaks of texts like those that were learned from.
    """
    texts = [texts] if isinstance(texts, str) else list(texts)
    model, called = _loaded(model)
    reach = model.reaches(confidence)
    found = model.scores(texts)
    cautions = _cautions(texts, model)
    rows = [
        Scored(
            text, Estimate(value, confidence=confidence), (message("simplicity.nothing", "there is nothing to read"),)
        )
        if np.isnan(value)
        else Scored(text, Estimate(value, max(0.0, value - reach), min(1.0, value + reach), confidence), said)
        for text, value, said in zip(texts, found.tolist(), cautions, strict=True)
    ]
    return Scores(tuple(rows), model, called, confidence)


@checks_arguments
def explain(text: str, model: str | Model = "full") -> Explanation | None:
    """Why the text has its score; None where there is nothing to read. `model` as in `score`."""
    model, called = _loaded(model)
    if not scorable(text):
        return None
    values, family = features([text], model.lang), families(model.lang)
    adds = model.feature_parts([text])[0]
    parts = [
        Part(name, float(values[name][0]), float(mean), float(part), family[name])
        for name, mean, part in zip(model.features, model.means, adds, strict=True)
    ]
    words = _word_parts(text, model)
    total = model.start + float(adds.sum()) + sum(word.adds for word in words)
    held = min(1.0, max(0.0, total))
    ordered = sorted(parts, key=lambda part: -abs(part.adds))
    return Explanation(text, held, model.start, tuple(ordered), tuple(words), held - total, called)


def _loaded(model: str | Model) -> tuple[Model, str]:
    """The model, and what it is called by."""
    return (load_model(model), model) if isinstance(model, str) else (model, model.kind)


def _word_parts(text: str, model: Model) -> list[Part]:
    """What each n-gram adds is shared by its occurrences, and by the words that an occurrence touches."""
    if model.wording is None or model.gram_weights is None:
        return []
    entries = model.wording.entries([text])
    weights = model.gram_weights.astype(np.float64)
    adds = dict(zip(entries.column.tolist(), entries.value * weights[entries.column], strict=True))
    tokens = text.split()
    shares = np.zeros(len(tokens))
    places = list(model.wording.places(text))
    times = np.bincount([column for column, _ in places] or [0])
    for column, owners in places:
        for owner in owners:
            shares[owner] += adds[column] / times[column] / len(owners)
    return [Part(token, None, None, share) for token, share in zip(tokens, shares.tolist(), strict=True)]


def _cautions(texts: Sequence[str], model: Model) -> list[tuple[Message, ...]]:
    longest = model.about.get("longest text")
    told: Sequence[str | None] = identify(texts) if model.lang in identifiable() else [None] * len(texts)
    found = []
    for text, language in zip(texts, told, strict=True):
        said = []
        if isinstance(longest, int) and len(text) > longest:
            beyond = "longer than {longest} characters, beyond the texts learned from"
            said.append(message("simplicity.longer", beyond, longest=longest))
        if language not in (None, model.lang):
            other = "looks like language '{language}', but the model knows '{known}'"
            said.append(message("simplicity.language", other, language=language, known=model.lang))
        elif model.lang == "en" and _latin_share(text) < LEAST_LATIN:
            few = "fewer than half of its letters are Latin, but the model knows 'en'"
            said.append(message("simplicity.letters", few))
        found.append(tuple(said))
    return found


def _latin_share(text: str) -> float:
    """Of its letters; 1 where it has none."""
    letters = list(filter(str.isalpha, text))
    return sum("LATIN" in name(letter, "") for letter in letters) / len(letters) if letters else 1.0
