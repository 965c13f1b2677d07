"""How the tagger `encoder` is trained. It needs torch, and is quick only on a GPU.

What is learned are low-rank changes of the transformer, its biases and norms, and the head (see `encoder`). Three
things work against the small number of different sources: much dropout, soft targets, and pairs read backwards, in
which a deletion is an insertion and a hyperonym a hyponym.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plainly.base.errors import MissingResource, PlainlyError
from plainly.models.encoders import EMBEDDED, find, get_encoder
from plainly.models.encoders.bert import BertEncoder
from plainly.operations.annotations import AnnotatedPair
from plainly.operations.tagger.encoder import IMPOSSIBLE, Arrays, Ints, Model, Read, Reader, read_of
from plainly.operations.tagger.encoder_features import NAMES, PLACE
from plainly.operations.tagger.labeller import COLUMN, LABELS
from plainly.operations.tagger.lexicon import words_of

if TYPE_CHECKING:
    import torch

Progress = Callable[[str], None]
THRESHOLD = 0.5  # an error is likelier than not; in cross-validation no threshold finds errors well

BACKWARDS = {
    **{"delcst": "incst", "deloth": "inoth", "delmod": "inmod", "delprop": "inprop", "merge": "split"},
    **{
        "hyperonym": "hyponym",
        "s2p": "p2s",
        "a2p": "p2a",
        "pron": "fromPron",
        "pos2neg": "neg2pos",
        "fromImp": "toImp",
    },
}
BACKWARDS |= {after: before for before, after in BACKWARDS.items()}
_BACKWARDS = np.array([COLUMN[BACKWARDS.get(label, label)] for label in LABELS])


@dataclass(frozen=True)
class Settings:
    """What was chosen in cross-validation by source, and nothing of it on the gold annotations."""

    networks: int = 3
    rank: int = 12
    place_rank: int = 32
    hidden: int = 192
    error_hidden: int = 32
    epochs: int = 14
    batch: int = 32
    rate: float = 1e-3
    decay: float = 0.01
    style_decay: float = 0.1
    warm_up: float = 0.1
    dropout: float = 0.2
    head_dropout: float = 0.4
    smoothing: float = 0.05
    backwards: float = 0.3
    """The share of pairs that are read backwards; they count half."""
    error_weight: float = 0.3
    largest_step: float = 1.0
    seed: int = 0


class Example(NamedTuple):
    """A pair to learn from. `labels`: a column a token, or -1 where there is nothing to learn."""

    read: Read
    labels: Ints
    erroneous: bool
    style: int
    backwards: bool = False


def prepare(pairs: Sequence[AnnotatedPair], styles: Sequence[str], lang: str = "en") -> list[Example]:
    """Examples of the pairs; `styles` are the annotators, as `annotator_of` names them."""
    base = get_encoder(EMBEDDED, "cpu")
    assert isinstance(base, BertEncoder)
    reader = Reader(base, words_of(lang))
    found = []
    for pair in pairs:
        texts = (pair.source, pair.target)
        if not all(texts) or len(list(reader.parts(texts))) > 1:
            continue  # nothing to learn, or too long
        labels = [COLUMN.get(label, -1) for label in (*pair.token_labels("source"), *pair.token_labels("target"))]
        if pair.erroneous or (not pair.groups and pair.source != pair.target):  # not annotated
            labels = [-1] * len(labels)
        columns = np.array(labels, np.int64)
        sides = (np.arange(len(labels)) >= len(pair.source)).astype(np.int64)
        columns[IMPOSSIBLE[sides, columns] & (columns >= 0)] = -1
        found.append(Example(reader.read(texts), columns, pair.erroneous, styles.index(annotator_of(pair))))
    return found


def annotator_of(pair: AnnotatedPair) -> str:
    return pair.annotator or pair.origin


def reverse(example: Example) -> Example:
    """The pair read from target to source."""
    read, middle = example.read, example.read.source_length
    count = len(read.first)
    order = np.roll(np.arange(count), -middle)
    new_place = np.argsort(order)
    pieces = [[] for _ in range(count)]  # type: list[list[int]]
    for piece, token in zip(read.ids, read.token_of.tolist(), strict=True):
        if token >= 0:
            pieces[token].append(piece)
    features = read.features[order]
    features[:, PLACE["on target"]] = 1 - features[:, PLACE["on target"]]
    partners = read.partners[order]
    partners = np.where(partners >= 0, new_place[partners], -1)
    labels = example.labels[order]
    labels = np.where(labels >= 0, _BACKWARDS[labels], -1)
    marks = read.ids[0], read.ids[-1]
    turned = read_of([pieces[place] for place in order], count - middle, marks, features, partners)
    return Example(turned, labels, example.erroneous, example.style, backwards=True)


def train(
    pairs: Sequence[AnnotatedPair],
    *,
    settings: Settings | None = None,
    about: dict[str, Any] | None = None,
    device: str = "auto",
    progress: Progress = lambda _: None,
) -> Model:
    """A model that learned from annotated pairs, and from each what its annotator would say."""
    settings = settings or Settings()
    styles = sorted({annotator_of(pair) for pair in pairs})
    progress("reading the pairs")
    examples = prepare(pairs, styles)
    if not any((example.labels > 0).any() for example in examples):
        raise PlainlyError("there is nothing to learn from: no pair has an operation and no flag")
    base = base_arrays()
    networks = tuple(
        fit(examples, base, len(styles), settings, number, device, progress) for number in range(settings.networks)
    )
    origin = {"pairs": len(examples), "sources": len({pair.id for pair in pairs}), "annotators": styles}
    return Model(networks, THRESHOLD, origin | {"settings": asdict(settings)} | (about or {}))


def check_torch() -> None:
    if find_spec("torch") is None:
        raise MissingResource("training an encoder needs torch: pip install torch")


def base_arrays() -> Arrays:
    """The weights of the transformer as they are."""
    from safetensors.numpy import load_file

    return {name: values.astype(np.float32) for name, values in load_file(find(EMBEDDED).weights[0]).items()}


def fit(
    examples: Sequence[Example],
    base: Arrays,
    styles: int,
    settings: Settings,
    number: int,
    device: str = "auto",
    progress: Progress = lambda _: None,
) -> Arrays:
    """The arrays of one network; `number` sets it apart from others with the same seed."""
    check_torch()
    import torch

    from plainly.operations.tagger.encoder_network import TrainedNetwork

    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1000 * settings.seed + number)
    rng = np.random.default_rng([settings.seed, number])
    network = TrainedNetwork(base, styles, settings).to(device)
    optimiser = torch.optim.AdamW(network.parameter_groups(), betas=(0.9, 0.98))
    turned = [reverse(example) for example in examples]
    steps = settings.epochs * math.ceil(len(examples) / settings.batch)

    def share(step: int) -> float:
        return min(1.0, (step + 1) / (settings.warm_up * steps)) * max(0.0, 1 - step / steps)

    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, share)
    network.train()
    for epoch in range(settings.epochs):
        losses = []
        for chosen in _batches(examples, settings.batch, rng):
            backwards = rng.random(len(chosen)) < settings.backwards
            batch = [turned[i] if turn else examples[i] for i, turn in zip(chosen, backwards, strict=True)]
            tensors = {name: torch.from_numpy(values).to(device) for name, values in padded(batch).items()}
            loss = _loss(network, tensors, settings)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), settings.largest_step)
            optimiser.step()
            schedule.step()
            losses.append(loss.detach())
        progress(
            f"network {number + 1} of {settings.networks}, round {epoch + 1} of {settings.epochs}, "
            f"loss {float(torch.stack(losses).mean()):.3f}"
        )
    arrays: Arrays = network.arrays()
    return arrays


def _batches(examples: Sequence[Example], size: int, rng: np.random.Generator) -> Iterator[list[int]]:
    """Texts of about one length together, but not the same ones in every round."""
    lengths = np.array([len(example.read.ids) for example in examples])
    order = np.argsort(lengths + rng.normal(0, 5, len(examples)), kind="stable")
    groups = [order[start : start + size].tolist() for start in range(0, len(order), size)]
    for place in rng.permutation(len(groups)).tolist():
        yield groups[place]


def padded(batch: Sequence[Example]) -> dict[str, np.ndarray[Any, Any]]:
    """The examples in arrays, filled up to the longest."""
    count, pieces = len(batch), max(len(example.read.ids) for example in batch)
    tokens = max(len(example.read.first) for example in batch)
    whole = {
        name: np.full((count, pieces if name in ("ids", "token_of") else tokens), -1, np.int64)
        for name in ("ids", "token_of", "first", "partners", "places", "labels", "sides")
    }
    features = np.zeros((count, tokens, len(NAMES)), np.float32)
    for row, (read, labels, *_) in enumerate(batch):
        length = len(read.first)
        whole["ids"][row, : len(read.ids)] = read.ids
        whole["token_of"][row, : len(read.ids)] = read.token_of
        whole["first"][row, :length] = read.first
        whole["partners"][row, :length] = read.partners
        whole["places"][row, :length] = read.places
        whole["labels"][row, :length] = labels
        whole["sides"][row, :length] = np.arange(length) >= read.source_length
        features[row, :length] = read.features
    return {
        **whole,
        "features": features,
        "styles": np.array([example.style for example in batch], np.int64),
        "erroneous": np.array([example.erroneous for example in batch], np.float32),
        "backwards": np.array([example.backwards for example in batch], np.float32),
    }


def _loss(network: Any, tensors: dict[str, torch.Tensor], settings: Settings) -> torch.Tensor:
    """Cross-entropy with soft targets, of tokens and of the flag of pairs; pairs read backwards count half."""
    import torch

    logits, errors = network(tensors)
    known = tensors["labels"] >= 0
    likelihoods = logits.log_softmax(-1)
    hard = likelihoods.gather(-1, tensors["labels"].clamp(min=0)[..., None])[..., 0]
    possible = ~network.impossible[tensors["sides"].clamp(min=0)]
    soft = (likelihoods * possible).sum(-1) / possible.sum(-1)
    losses = -(1 - settings.smoothing) * hard - settings.smoothing * soft
    weights = known * (1 - 0.5 * tensors["backwards"])[:, None]
    of_tokens = (losses * weights).sum() / known.sum().clamp(min=1)
    of_pairs = torch.nn.functional.binary_cross_entropy_with_logits(errors, tensors["erroneous"], reduction="none")
    loss: torch.Tensor = of_tokens + settings.error_weight * (of_pairs * (1 - tensors["backwards"])).mean()
    return loss


def with_annotators(pairs: Sequence[AnnotatedPair], changes: Sequence[int]) -> list[AnnotatedPair]:
    """The pairs with numbers for annotators: the next one begins with each of `changes`, counted from 0."""
    return [replace(pair, annotator=str(bisect_right(changes, place) + 1)) for place, pair in enumerate(pairs)]
