"""What a study of agreement finds: figures with intervals, for annotators, labels and groups."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from plainly.findings.result import StudyResult
from plainly.inference.estimates import Estimate
from plainly.inference.resampling import Resampling
from plainly.operations.contested import contested
from plainly.operations.ratings import Errors, Ratings
from plainly.operations.typology import SIDES, Side


@dataclass(frozen=True)
class Overall:
    """All annotators together, without gold: labels read in one way, on one side."""

    variant: str
    side: Side
    davies_fleiss: Estimate
    alpha: Estimate
    """Krippendorff's, nominal."""
    observed: Estimate
    """The share of tokens with the same label, over all pairs of annotators."""


@dataclass(frozen=True)
class Kappa:
    """Cohen's kappa of two annotators: labels read in one way, on one side. `first` may be "gold"."""

    first: str
    second: str
    variant: str
    side: Side
    kappa: Estimate


@dataclass(frozen=True)
class Spread:
    """The kappas of all annotators with gold, taken together: labels read in one way, on one side."""

    variant: str
    side: Side
    annotators: int
    """Those whose kappa exists."""
    mean: Estimate
    sd: float
    """With their number in the denominator: it describes these annotators."""
    lowest: float
    highest: float


@dataclass(frozen=True)
class Matching:
    """Two annotators, group by group."""

    first: str
    second: str
    pairs: int
    groups: Estimate
    """F1 of groups with the same tokens on both sides and the same label."""
    spans: Estimate
    """F1 of groups with the same tokens on both sides."""
    operations: Estimate
    """Pearson's r of the groups found in each pair of sentences."""


@dataclass(frozen=True)
class LabelScore:
    """One label, token by token. Without gold only F1 is there: how far two annotators agree on the label."""

    annotator: str
    side: Side
    label: str
    gold: int
    found: int
    precision: Estimate | None
    recall: Estimate | None
    f1: Estimate


@dataclass(frozen=True)
class Matrix:
    """Tokens by the label that gold gave them (rows) and that an annotator gave them (columns).

    Without gold, two annotators are alike: off the diagonal a cell counts both ways, so the matrix is symmetric.
    """

    annotator: str
    side: Side
    labels: tuple[str, ...]
    """Those that occur; "" for unchanged tokens."""
    tokens: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Confusion:
    """Tokens to which gold (or one annotator) gave one label and another annotator a different one."""

    annotator: str
    side: Side
    label: str
    other: str
    tokens: int
    share: float
    """Of all tokens on this side whose labels differ."""


@dataclass(frozen=True, repr=False)
class Agreement(StudyResult, findings="plainly.operations.findings:agreement_findings"):
    """What a set of annotations of the same pairs says about its annotators."""

    ratings: Ratings
    errors: Errors
    resampling: Resampling
    overall: tuple[Overall, ...]
    kappas: tuple[Kappa, ...]
    spreads: tuple[Spread, ...]
    """With gold and two annotators or more."""
    matching: tuple[Matching, ...]
    labels: tuple[LabelScore, ...]
    matrices: tuple[Matrix, ...]
    confusions: tuple[Confusion, ...]

    @property
    def annotators(self) -> tuple[str, ...]:
        """Without gold."""
        return self.ratings.raters[: len(self.ratings.raters) - self.ratings.has_gold]

    @property
    def data(self) -> dict[str, Any]:
        """As it stands in JSON; what is not a number becomes null."""
        ratings = self.ratings
        return {
            "annotators": {name: ratings.done(i) for i, name in enumerate(self.annotators)},
            "gold": ratings.done(-1) if ratings.has_gold else None,
            "pairs": len(ratings.keys),
            "pairs_of_one_annotator": ratings.alone,
            "erroneous": {"reading": self.errors, "left_out": ratings.left_out},
            "tokens": {side: len(ratings.codes[side]) for side in SIDES},
            "resampling": self.resampling.to_dict(),
            **{
                name: [_plain(found) for found in getattr(self, name)]
                for name in ("overall", "kappas", "spreads", "matching", "labels", "matrices", "confusions")
            },
            "contested": [_plain(pair) for pair in contested(ratings)],
        }


def _plain(found: Any) -> dict[str, Any]:
    """The fields of a finding; figures as they stand in JSON, with the tokens or groups that they rest on."""
    content = {field.name: getattr(found, field.name) for field in fields(found)}
    return {
        name: {**value.to_dict(), "n": value.n} if isinstance(value, Estimate) else value
        for name, value in content.items()
    }
