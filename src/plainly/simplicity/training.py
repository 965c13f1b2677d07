"""From judgements and texts to a model: Bradley-Terry ratings are what it learns to foresee.

Nothing here depends on chance beyond the seed, or on the number of cores: the same judgements, texts and settings
give the same file to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

import numpy as np

from plainly.base.arguments import checks_arguments
from plainly.base.errors import PlainlyError, UnknownName
from plainly.inference.correlation import average_ranks
from plainly.ranking import Judgements, rate
from plainly.ranking.ratings import parts, scores
from plainly.simplicity.features import features
from plainly.simplicity.flat_texts import Floats, Ints
from plainly.simplicity.linear import Design, ridge
from plainly.simplicity.model import Model, scorable
from plainly.simplicity.ngrams import Entries, Wording
from plainly.simplicity.trees import Growth, Trees, grow
from plainly.text.languages import get_language

LITE = (
    "ln(characters + 1)",
    "ARI",
    "share of words with a Zipf value below 3.5",
    "share of function words",
    "words all in capitals",
    "mean Zipf value of the 5 rarest words without names",
)
LENGTH = "ln(characters + 1)"  # what length alone achieves stands beside every figure
LEAST_TEXTS = 20
FOLDS = 5
LITE_PENALTY = 1e-3
STEPS = 101  # quantiles of errors that are kept
# In logits. Ranks hardly depend on the width of the prior, and a search for it would move the last digits.
PRIOR_SD = 2.0
DIGITS = 6  # of ratings: closer ones are equal

Say = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """How `full` is trained; the defaults were chosen by cross-validation on ARTS3000, and ARTS300."""

    penalty: float = 3.0
    features_share: float = 0.3
    """How much all features weigh together beside the n-grams of each kind, before learning."""
    reach: float = 4.0
    """Scaled features are held within this many spreads: an odd text shall not be judged by one number."""
    least_documents: int = 10
    """In how many texts an n-gram must occur."""
    growth: Growth = field(default_factory=Growth)
    seed: int = 12345


def targets(judgements: Judgements) -> dict[str, float]:
    """Text -> the share of the other texts that are harder, by Bradley-Terry ratings with a term for the side.

    Texts that nobody judged have no target.
    """
    judged = {text for item in judgements.items for text in (item.first, item.second)}
    known = Judgements(
        tuple(text for text in judgements.texts if text in judged), judgements.items, judgements.direction
    )
    if (count := len(parts(known))) > 1:
        raise PlainlyError(f"the comparisons fall into {count} parts that nothing connects; judge pairs across them")
    ranking = rate(known.turned("easier"), "bradley-terry", position=True, sd=PRIOR_SD, interval="none")
    found = scores(np.round([row.rating.value for row in ranking.rows], DIGITS), "ranks")
    return {row.text: float(score) for row, score in zip(ranking.rows, found, strict=True)}


@checks_arguments
def train(
    texts: Sequence[str],
    target: Sequence[float],
    lang: str = "en",
    kind: str = "full",
    settings: Settings | None = None,
    about: Mapping[str, Any] | None = None,
    say: Say = lambda _: None,
) -> Model:
    """A model that foresees the target, 0 (hard) to 1 (simple), of texts."""
    if kind not in KINDS:
        raise UnknownName("kind of model", kind, KINDS)
    settings = settings or Settings()
    goal = np.array(target, dtype=np.float64)
    if len(texts) < LEAST_TEXTS:
        raise PlainlyError(f"a model needs at least {LEAST_TEXTS} texts, not {len(texts)}")
    if bad := next((text for text in texts if not scorable(text)), None):
        raise PlainlyError(f"the text {bad!r} has no letters and no digits")
    if not np.isfinite(goal).all() or goal.min() == goal.max():
        raise PlainlyError("all texts are equally simple: there is nothing to learn")
    code = get_language(lang).code
    values = features(texts, code)
    folds = np.array(
        [crc32(text.lower().encode("utf-8", "surrogatepass")) % FOLDS for text in texts]
    )  # copies stay together
    if len(set(folds.tolist())) < 2:
        raise PlainlyError("all texts are the same: there is nothing to learn")
    say("length alone")
    length = _foreseen(lambda seen, unseen: _by_length(values[LENGTH], goal, seen, unseen), folds)
    task = _Task(texts, values, goal, folds, code, settings, say)
    model, foreseen = KINDS[kind](task)
    errors = np.quantile(np.abs(np.clip(foreseen, 0, 1) - goal), np.linspace(0, 1, STEPS))
    facts = {
        **(about or {}),
        "texts": len(texts),
        "longest text": _rounded_down(max(map(len, texts))),
        "folds": FOLDS,
        "cross-validated": figures(foreseen, goal),
        "length alone, cross-validated": figures(length, goal),
        **({"seed": settings.seed} if kind == "full" else {}),
    }
    return replace(model, errors=errors.astype(np.float32), about=facts)


def _rounded_down(length: int) -> int:
    """To hundreds, as a limit that people can keep in mind."""
    return length // 100 * 100 or length


def figures(foreseen: Floats, goal: Floats) -> dict[str, float]:
    """How well scores meet what they should be: mean squared error, R2 and Spearman's rho."""
    held = np.clip(foreseen, 0, 1)
    ranked = average_ranks(np.column_stack([held, goal]))
    ranked -= ranked.mean(axis=0)
    spread = np.sqrt((ranked**2).sum(axis=0))
    rho = (ranked[:, 0] * ranked[:, 1]).sum() / (spread[0] * spread[1]) if spread.all() else 0.0
    error = ((held - goal) ** 2).mean()
    found = {"MSE": error, "R2": 1 - error / goal.var(), "Spearman": rho}
    return {name: round(float(value), 4) for name, value in found.items()}


Fit = Callable[[Ints, Ints], Floats]


def _foreseen(fit: Fit, folds: Ints) -> Floats:
    """What `fit(seen, unseen)`, each rows of texts, says of the texts of each fold when it has not seen them."""
    found = np.zeros(len(folds))
    for fold in range(FOLDS):
        seen, unseen = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        if len(unseen):
            found[unseen] = fit(seen, unseen)
    return found


def _by_length(length: Floats, goal: Floats, seen: Ints, unseen: Ints) -> Floats:
    x, y = length[seen] - length[seen].mean(), goal[seen] - goal[seen].mean()
    slope = (x * y).sum() / max((x * x).sum(), 1e-12)
    said: Floats = goal[seen].mean() + slope * (length[unseen] - length[seen].mean())
    return said


@dataclass(frozen=True)
class _Task:
    """What there is to learn."""

    texts: Sequence[str]
    values: dict[str, Floats]
    goal: Floats
    folds: Ints
    lang: str
    settings: Settings
    say: Say

    def varying(self, wanted: Iterable[str]) -> tuple[str, ...]:
        """Those of the features that the language has, and that differ between texts."""
        found = tuple(name for name in wanted if name in self.values and np.ptp(self.values[name]) > 0)
        if not found:
            raise PlainlyError("all texts are alike: there is nothing to learn")
        return found


def _lite(task: _Task) -> tuple[Model, Floats]:
    """As many of the six features as the language has, and what is said of unseen texts."""
    goal = task.goal
    scaled = _Scaled.of(task.values, task.varying(LITE), np.inf)
    design = Design(scaled.matrix, _no_entries(), 0)
    task.say("six features")

    def fit(seen: Ints, unseen: Ints) -> Floats:
        weights, _ = ridge(design.only(seen), goal[seen] - goal[seen].mean(), LITE_PENALTY)
        return design.only(unseen).times(weights, np.zeros(0)) + float(goal[seen].mean())

    weights, _ = ridge(design, goal - goal.mean(), LITE_PENALTY)
    return scaled.model("lite", task.lang, weights, float(goal.mean())), _foreseen(fit, task.folds)


def _full(task: _Task) -> tuple[Model, Floats]:
    """A linear model of all features and n-grams, and trees on the features, mixed as cross-validation says."""
    goal, settings, say = task.goal, task.settings, task.say
    names = task.varying(task.values)
    scaled = _Scaled.of(task.values, names, settings.reach)
    wording = Wording.learned(task.texts, task.lang, settings.least_documents)
    scale = float(np.sqrt(settings.features_share / len(names)))
    design = Design(scaled.matrix * scale, wording.entries(task.texts), len(wording))
    matrix = np.column_stack([task.values[name] for name in names])

    def linear(seen: Ints, unseen: Ints) -> Floats:
        say("features and n-grams")
        weights = ridge(design.only(seen), goal[seen] - goal[seen].mean(), settings.penalty)
        return design.only(unseen).times(*weights)

    def trees(seen: Ints, unseen: Ints) -> Floats:
        say("trees")
        return _grown(matrix[seen], goal[seen], settings).predicted(matrix[unseen])

    mean = goal.mean()
    halves = np.column_stack([_foreseen(linear, task.folds), _foreseen(trees, task.folds)])
    mix = _mixed(halves, goal - mean)
    say("features and n-grams")
    weights, gram_weights = ridge(design, goal - mean, settings.penalty)
    say("trees")
    grown = _grown(matrix, goal, settings)
    grown = replace(grown, value=(grown.value * mix[1]).astype(np.float32))
    model = scaled.model("full", task.lang, weights * scale * mix[0], float(mean) + grown.start)
    gram_weights = (gram_weights * mix[0]).astype(np.float16)
    return replace(model, wording=wording, gram_weights=gram_weights, trees=grown), mean + (halves * mix).sum(axis=1)


def _grown(matrix: Floats, goal: Floats, settings: Settings) -> Trees:
    return grow(matrix, goal - goal.mean(), settings.growth, settings.seed)


def _mixed(halves: Floats, goal: Floats) -> Floats:
    """The two weights, neither below 0, with the least squared error; to three digits."""
    gram = np.array([[(a * b).sum() for a in halves.T] for b in halves.T])
    right = np.array([(a * goal).sum() for a in halves.T])
    alone = np.divide(right, np.diag(gram), out=np.zeros(2), where=np.diag(gram) > 0).clip(0)
    options = [np.array([alone[0], 0.0]), np.array([0.0, alone[1]])]
    determinant = gram[0, 0] * gram[1, 1] - gram[0, 1] ** 2
    if determinant > 1e-9 * gram[0, 0] * gram[1, 1]:
        options.append(
            np.array(
                [
                    gram[1, 1] * right[0] - gram[0, 1] * right[1],
                    gram[0, 0] * right[1] - gram[0, 1] * right[0],
                ]
            )
            / determinant
        )
    allowed = [mix for mix in options if (mix >= 0).all()]
    best = min(allowed, key=lambda mix: round(float((((halves * mix).sum(axis=1) - goal) ** 2).sum()), 9))
    return np.round(best, 3)


@dataclass(frozen=True)
class _Scaled:
    """Features less their means, in spreads."""

    names: tuple[str, ...]
    means: Floats
    spreads: Floats
    reach: float
    matrix: Floats

    @classmethod
    def of(cls, values: dict[str, Floats], names: tuple[str, ...], reach: float) -> _Scaled:
        matrix = np.column_stack([values[name] for name in names])
        means = matrix.mean(axis=0).astype(np.float32).astype(np.float64)  # as they are stored
        spreads = matrix.std(axis=0).astype(np.float32).astype(np.float64)
        return cls(names, means, spreads, reach, np.clip((matrix - means) / spreads, -reach, reach))

    def model(self, kind: str, lang: str, weights: Floats, start: float) -> Model:
        return Model(
            kind,
            lang,
            self.names,
            self.means.astype(np.float32),
            self.spreads.astype(np.float32),
            weights.astype(np.float32),
            self.reach,
            round(start, 6),
            np.zeros(2, dtype=np.float32),
            {},
        )


def _no_entries() -> Entries:
    nothing = np.zeros(0, dtype=np.int64)
    return Entries(nothing, nothing, np.zeros(0))


def overlapping(texts: Sequence[str], others: Sequence[str], share: float = 0.5) -> list[bool]:
    """Whether a text has at least this share of words in common with one of the others (Jaccard's index)."""
    held_out = [_words(other) for other in others]
    by_word: dict[str, set[int]] = {}
    for number, words in enumerate(held_out):
        for word in words:
            by_word.setdefault(word, set()).add(number)
    found = []
    for text in texts:
        words = _words(text)
        near = set().union(*(by_word.get(word, ()) for word in words))
        found.append(any(len(words & held_out[i]) >= share * len(words | held_out[i]) for i in near))
    return found


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


_WORD = re.compile(r"\w+")


KINDS = {"lite": _lite, "full": _full}
