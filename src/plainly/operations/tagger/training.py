"""How the tagger `learned` is trained: the same annotations and the same seed give the same weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.models.one_core import one_core_each
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.tagger.encoding import Prepared, Scale, padded, prepare
from plainly.operations.tagger.faults import Detector, cross_validated, fit, pair_features, safe_threshold
from plainly.operations.tagger.labeller import COLUMN, LABELS, ONE_SIDED
from plainly.operations.tagger.learned import Model, Network
from plainly.operations.tagger.network import (
    Array,
    Dropout,
    Ints,
    Padded,
    Parameters,
    backward,
    forward,
    initial,
    softmax,
)
from plainly.operations.typology import Side

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Settings:
    """What was chosen in cross-validation by source, and nothing of it on the gold annotations."""

    networks: int = 3
    hidden: int = 64
    epochs: int = 10
    batch: int = 32
    rate: float = 4e-3
    dropout: float = 0.3
    smoothing: float = 0.05
    decay: float = 1e-3
    largest_step: float = 1.0
    seed: int = 0


def train_networks(
    pairs: Sequence[AnnotatedPair],
    prepared: Prepared,
    scales: tuple[Scale, Scale],
    settings: Settings,
    progress: Progress = lambda _: None,
) -> list[Network]:
    """Networks that differ in their random beginnings; their probabilities are averaged."""
    inputs = tuple(scale(columns) for scale, columns in zip(scales, prepared.columns, strict=True))
    truths = (truth(pairs, "source"), truth(pairs, "target"))
    people = list(dict.fromkeys(pair.annotator or pair.origin for pair in pairs))
    styles = np.array([people.index(pair.annotator or pair.origin) for pair in pairs], np.int64)
    found = []
    with one_core_each():
        for number in range(settings.networks):
            rng = np.random.default_rng([settings.seed, number])
            training = _Training(prepared, (inputs[0], inputs[1]), truths, styles, settings, rng)
            for epoch in range(settings.epochs):
                loss = training.epoch()
                progress(
                    f"network {number + 1} of {settings.networks}, "
                    f"round {epoch + 1} of {settings.epochs}, loss {loss:.3f}"
                )
            found.append(training.network)
    return found


def truth(pairs: Sequence[AnnotatedPair], side: Side) -> Ints:
    """The column of the label of every token of a side; -1 for labels that the tagger does not set there."""
    other = ONE_SIDED["target" if side == "source" else "source"]
    return np.array(
        [-1 if label in other else COLUMN.get(label, -1) for pair in pairs for label in pair.token_labels(side)],
        np.int64,
    )


class _Training:
    def __init__(
        self,
        prepared: Prepared,
        inputs: tuple[Array, Array],
        truths: tuple[Ints, Ints],
        styles: Ints,
        settings: Settings,
        rng: np.random.Generator,
    ) -> None:
        self._flats, self._inputs, self._truths = prepared.flats, inputs, truths
        self._styles, self._settings, self._rng = styles, settings, rng
        self.network: Network = tuple(  # type: ignore[assignment]
            initial(side.shape[1], settings.hidden, len(LABELS), int(styles.max()) + 1, rng) for side in inputs
        )
        self._adam = Adam(self.network, settings)
        self._size = len(prepared.alignments)
        if not self._size:
            raise PlainlyError("there is nothing to learn from: no pairs without the flag err")
        self._steps = settings.epochs * math.ceil(self._size / settings.batch)

    def epoch(self) -> float:
        """One round over all pairs; returns the mean loss."""
        # Texts of about one length go together, but not the same ones in every round.
        noise = self._rng.normal(0, 3, self._size)
        order = np.argsort(self._flats[0].lengths + noise, kind="stable")
        size = self._settings.batch
        groups = [order[start : start + size].tolist() for start in range(0, self._size, size)]
        self._rng.shuffle(groups)
        return float(np.mean([self._step(chosen) for chosen in groups]))

    def _step(self, chosen: list[int]) -> float:
        source, target = self._flats
        batch = (
            padded(self._inputs[0], source, target, chosen, self._styles),
            padded(self._inputs[1], target, source, chosen, self._styles),
        )
        done = forward(batch, self.network, Dropout(self._settings.dropout, self._rng))
        losses, slopes = [], []
        for number, side in enumerate(batch):
            wanted = self._wanted(number, chosen, side)
            loss, slope = cross_entropy(done.logits[number], wanted, self._settings.smoothing)
            losses.append(loss)
            slopes.append(slope)
        self._adam.step(backward((slopes[0], slopes[1]), done, batch, self.network), self._steps)
        return sum(losses)

    def _wanted(self, number: int, chosen: list[int], side: Padded) -> Ints:
        wanted = np.full(side.mask.shape, -1, np.int64)
        flat = self._flats[number]
        for column, text in enumerate(chosen):
            start, end = flat.offsets[text], flat.offsets[text + 1]
            wanted[: end - start, column] = self._truths[number][start:end]
        return wanted


def cross_entropy(logits: Array, truth: Ints, smoothing: float) -> tuple[float, Array]:
    """The mean loss over the tokens that have an answer, and its slope; answers are `smoothing` short of sure."""
    known = truth >= 0
    count = max(1, int(known.sum()))
    probabilities = softmax(logits)
    labels = logits.shape[2]
    wanted = np.full_like(logits, smoothing / labels)
    places, sequences = np.nonzero(known)
    wanted[places, sequences, truth[known]] += 1 - smoothing
    loss = -(wanted * np.log(np.maximum(probabilities, 1e-12)))[known].sum() / count
    slope: Array = (probabilities - wanted) * known[:, :, None] / np.float32(count)
    return float(loss), slope


class Adam:
    """Steps by running means of slopes and their squares (Kingma and Ba 2015), with decay apart (Loshchilov 2019).

    The rate rises for three tenths of the steps and falls to nothing after, both along a cosine.
    """

    FIRST, SECOND, TINY = 0.9, 0.999, 1e-8
    RISING = 0.3

    def __init__(self, network: Network, settings: Settings) -> None:
        self._network, self._settings, self._done = network, settings, 0
        self._first = tuple({name: np.zeros_like(value) for name, value in side.items()} for side in network)
        self._second = tuple({name: np.zeros_like(value) for name, value in side.items()} for side in network)

    def step(self, slopes: tuple[Parameters, Parameters], steps: int) -> None:
        settings = self._settings
        rate = settings.rate * self._share(self._done / max(1, steps - 1))
        self._done += 1
        length = math.sqrt(sum(float((value * value).sum()) for side in slopes for value in side.values()))
        shrink = np.float32(min(1.0, settings.largest_step / (length + 1e-6)))
        for side, first, second, of_side in zip(self._network, self._first, self._second, slopes, strict=True):
            for name, parameter in side.items():
                slope = of_side[name] * shrink
                first[name] += np.float32(1 - self.FIRST) * (slope - first[name])
                second[name] += np.float32(1 - self.SECOND) * (slope * slope - second[name])
                mean = first[name] / np.float32(1 - self.FIRST**self._done)
                spread = np.sqrt(second[name] / np.float32(1 - self.SECOND**self._done)) + np.float32(self.TINY)
                parameter *= np.float32(1 - rate * settings.decay)
                parameter -= np.float32(rate) * mean / spread

    def _share(self, progress: float) -> float:
        low = 0.04
        if progress < self.RISING:
            return low + (1 - low) * (1 - math.cos(math.pi * progress / self.RISING)) / 2
        return (1 + math.cos(math.pi * (progress - self.RISING) / (1 - self.RISING))) / 2


def learnable(pairs: Sequence[AnnotatedPair]) -> list[AnnotatedPair]:
    """The pairs that show operations: those without the flag."""
    return [pair for pair in pairs if not pair.erroneous]


def prepare_pairs(pairs: Sequence[AnnotatedPair], lang: str, *, parsed: bool) -> Prepared:
    return prepare([(pair.source, pair.target) for pair in pairs], lang, parsed=parsed)


def train(
    pairs: Sequence[AnnotatedPair],
    lang: str,
    *,
    parsed: bool,
    settings: Settings,
    about: dict[str, Any] | None = None,
    progress: Progress = lambda _: None,
) -> Model:
    """A model that learned from annotated pairs. `about` says where they come from."""
    known = learnable(pairs)
    if not any(pair.operations for pair in known):
        raise PlainlyError("there is nothing to learn from: no pair has an operation and no flag")
    progress("reading the pairs")
    prepared = prepare_pairs(known, lang, parsed=parsed)
    scales = Scale.of(prepared.columns[0]), Scale.of(prepared.columns[1])
    networks = train_networks(known, prepared, scales, settings, progress)
    origin = {"pairs": len(known), "sources": len({pair.id for pair in known}), "settings": asdict(settings)}
    return Model(lang, parsed, scales, tuple(networks), train_detector(pairs, lang, settings), origin | (about or {}))


def train_detector(pairs: Sequence[AnnotatedPair], lang: str, settings: Settings) -> Detector:
    """The detector of erroneous pairs; where the threshold lies is found by cross-validation by source."""
    rows = pair_features(prepare_pairs(pairs, lang, parsed=False))
    erroneous = np.array([pair.erroneous for pair in pairs])
    means, spreads, weights = fit(rows, erroneous)
    groups = folds(pairs, FOLDS, settings.seed)
    threshold = safe_threshold(cross_validated(rows, erroneous, groups), erroneous) if erroneous.any() else 2.0
    return Detector(means, spreads, weights, threshold)


FOLDS = 5


def folds(pairs: Sequence[AnnotatedPair], count: int, seed: int) -> list[int]:
    """The fold of each pair; all pairs of a source are in one."""
    sources = sorted({pair.id for pair in pairs})
    order = np.random.default_rng(seed).permutation(len(sources))
    fold = {sources[place]: int(number % count) for number, place in enumerate(order)}
    return [fold[pair.id] for pair in pairs]
