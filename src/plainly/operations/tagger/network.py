"""A small recurrent network over the tokens of a pair, in numpy: how it answers, and how errors flow back.

For each side: features -> a layer -> a recurrent layer that reads in both directions -> beside each token, what the
same layer made of its partner on the other side -> a second recurrent layer -> labels. The recurrent cell is the
gated unit of Cho et al. (2014), in the form in which the reset gate stands behind the product (as cuDNN has it).

People annotate in different styles. The last layer has a part for all of them and a part for each, so that what is
shared is learned from all. Who is not known is asked in all styles, and the mean of the answers counts.

Arrays of sequences have the shape (places, sequences, values). Each function that computes forwards returns what its
counterpart needs to compute backwards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Parameters = dict[str, Array]
Ints = NDArray[np.int64]


class Padded(NamedTuple):
    """One side of a batch of pairs: each sequence filled up to the longest."""

    features: Array
    mask: Array
    """1 where a token is, 0 beyond the end."""
    partner: Ints
    """The place of the partner in the same pair's other side; -1 where there is none."""
    style: Ints
    """Whose annotation each sequence is; without meaning where the answers of all are asked for."""


def initial(inputs: int, hidden: int, labels: int, styles: int, rng: np.random.Generator) -> Parameters:
    """The parameters of one side before any training."""
    parameters = {"in.weight": _uniform(rng, inputs, (inputs, hidden)), "in.bias": np.zeros(hidden, np.float32)}
    for layer, size in (("first", hidden), ("second", 4 * hidden)):
        for direction in ("forward", "backward"):
            parameters |= {
                f"{layer}.{direction}.input": _uniform(rng, hidden, (size, 3 * hidden)),
                f"{layer}.{direction}.state": _uniform(rng, hidden, (hidden, 3 * hidden)),
                f"{layer}.{direction}.bias": _uniform(rng, hidden, (3 * hidden,)),
                f"{layer}.{direction}.bias.state": _uniform(rng, hidden, (hidden,)),
            }
    parameters["out.weight"] = _uniform(rng, 3 * hidden, (3 * hidden, labels))
    parameters["out.bias"] = np.zeros(labels, np.float32)
    parameters["style.weight"] = np.zeros((styles, 3 * hidden, labels), np.float32)
    parameters["style.bias"] = np.zeros((styles, 1, labels), np.float32)
    return parameters


def _uniform(rng: np.random.Generator, fan: int, shape: tuple[int, ...]) -> Array:
    reach = 1 / np.sqrt(fan)
    return rng.uniform(-reach, reach, shape).astype(np.float32)


class Recurrent(NamedTuple):
    """One direction of a recurrent layer, as it was computed."""

    inputs: Array
    states: Array
    """One more than there are places: the first is the empty state."""
    resets: Array
    updates: Array
    news: Array
    products: Array
    order: range


def recurrent(inputs: Array, mask: Array, parameters: Parameters, name: str) -> tuple[Array, Recurrent]:
    """The states of one direction. Beyond the end of a sequence the state stays as it is."""
    places, sequences, _ = inputs.shape
    weight = parameters[f"{name}.state"]
    hidden = weight.shape[0]
    gates = inputs @ parameters[f"{name}.input"] + parameters[f"{name}.bias"]
    order = range(places) if name.endswith("forward") else range(places - 1, -1, -1)
    states = np.zeros((places + 1, sequences, hidden), np.float32)
    resets, updates, news, products = (np.empty((places, sequences, hidden), np.float32) for _ in range(4))
    state = states[0]
    for step, place in enumerate(order):
        product = state @ weight
        both = _sigmoid(gates[place, :, : 2 * hidden] + product[:, : 2 * hidden])
        resets[place], updates[place] = both[:, :hidden], both[:, hidden:]
        products[place] = product[:, 2 * hidden :] + parameters[f"{name}.bias.state"]
        news[place] = np.tanh(gates[place, :, 2 * hidden :] + resets[place] * products[place])
        change = (1 - updates[place]) * (news[place] - state) * mask[place, :, None]
        state = states[step + 1] = state + change
    found = np.empty((places, sequences, hidden), np.float32)
    found[list(order)] = states[1:]
    return found, Recurrent(inputs, states, resets, updates, news, products, order)


def recurrent_back(
    slope: Array, was: Recurrent, mask: Array, parameters: Parameters, name: str, slopes: Parameters
) -> Array:
    """From the slope of the loss by the states to that by the inputs; slopes of the parameters go into `slopes`."""
    weight = parameters[f"{name}.state"]
    hidden = weight.shape[0]
    places, sequences, _ = slope.shape
    of_gates = np.empty((places, sequences, 3 * hidden), np.float32)
    of_products = np.empty((places, sequences, 3 * hidden), np.float32)
    after = np.zeros((sequences, hidden), np.float32)
    for step in range(places - 1, -1, -1):
        place = was.order[step]
        here = after + slope[place]
        before, kept = was.states[step], mask[place, :, None]
        reset, update, new = was.resets[place], was.updates[place], was.news[place]
        flowing = here * kept
        of_new = flowing * (1 - update) * (1 - new * new)
        of_update = flowing * (before - new) * update * (1 - update)
        of_reset = of_new * was.products[place] * reset * (1 - reset)
        of_gates[place] = np.concatenate([of_reset, of_update, of_new], axis=1)
        of_products[place] = np.concatenate([of_reset, of_update, of_new * reset], axis=1)
        after = here * (1 - kept) + flowing * update + of_products[place] @ weight.T
    before = np.empty((places, sequences, hidden), np.float32)
    before[list(was.order)] = was.states[:-1]
    flat = of_gates.reshape(-1, 3 * hidden)
    slopes[f"{name}.input"] = was.inputs.reshape(-1, was.inputs.shape[2]).T @ flat
    slopes[f"{name}.state"] = before.reshape(-1, hidden).T @ of_products.reshape(-1, 3 * hidden)
    slopes[f"{name}.bias"] = flat.sum(axis=0)
    slopes[f"{name}.bias.state"] = of_products[:, :, 2 * hidden :].sum(axis=(0, 1))
    of_inputs: Array = of_gates @ parameters[f"{name}.input"].T
    return of_inputs


def _sigmoid(values: Array) -> Array:
    result: Array = 0.5 * np.tanh(0.5 * values) + np.float32(0.5)
    return result


class Dropout:
    """Leaves out values at random while training; without a generator it lets all pass."""

    def __init__(self, share: float = 0.0, rng: np.random.Generator | None = None) -> None:
        self._share, self._rng = share, rng

    def __call__(self, values: Array) -> tuple[Array, Array | None]:
        """What is left, and by what it was multiplied."""
        if self._rng is None or not self._share:
            return values, None
        # Bytes are quick to draw; the share is rounded to their 256 values.
        left_out = round(256 * self._share)
        drawn = self._rng.integers(0, 256, values.shape, np.uint8)
        factors = np.multiply(drawn >= left_out, np.float32(256 / (256 - left_out)), dtype=np.float32)
        return values * factors, factors


def _undropped(slope: Array, factors: Array | None) -> Array:
    return slope if factors is None else slope * factors


class _Side(NamedTuple):
    """What was computed on one side."""

    inputs: Array
    entry: Array
    entry_factors: Array | None
    first: tuple[Recurrent, Recurrent]
    second: tuple[Recurrent, Recurrent]
    second_factors: Array | None
    last: Array
    last_factors: Array | None


class Pass(NamedTuple):
    """One run of the network over a batch, each sequence in its own style."""

    logits: tuple[Array, Array]
    sides: tuple[_Side, _Side]


def forward(batch: tuple[Padded, Padded], network: tuple[Parameters, Parameters], dropout: Dropout) -> Pass:
    """The logits of both sides."""
    entries, firsts, states = [], [], []
    for side, parameters in zip(batch, network, strict=True):
        inputs, _ = dropout(side.features)
        entry = np.maximum(inputs @ parameters["in.weight"] + parameters["in.bias"], 0)
        dropped, factors = dropout(entry)
        both = [recurrent(dropped, side.mask, parameters, f"first.{way}") for way in ("forward", "backward")]
        entries.append((inputs, entry, factors))
        firsts.append((both[0][1], both[1][1]))
        states.append(np.concatenate([both[0][0], both[1][0]], axis=2))
    logits, sides = [], []
    for number, (side, parameters) in enumerate(zip(batch, network, strict=True)):
        beside = gathered(states[1 - number], side.partner)
        seen, second_factors = dropout(np.concatenate([states[number], beside], axis=2))
        both = [recurrent(seen, side.mask, parameters, f"second.{way}") for way in ("forward", "backward")]
        inputs, entry, factors = entries[number]
        last, last_factors = dropout(np.concatenate([both[0][0], both[1][0], entry], axis=2))
        logits.append(
            last @ parameters["out.weight"] + parameters["out.bias"] + _styled(last, side.style, parameters)
        )
        second = (both[0][1], both[1][1])
        sides.append(_Side(inputs, entry, factors, firsts[number], second, second_factors, last, last_factors))
    return Pass((logits[0], logits[1]), (sides[0], sides[1]))


def _styled(last: Array, style: Ints, parameters: Parameters) -> Array:
    """What each sequence's own style adds to the logits."""
    added = last.transpose(1, 0, 2) @ parameters["style.weight"][style] + parameters["style.bias"][style]
    result: Array = added.transpose(1, 0, 2)
    return result


def answers(done: Pass, network: tuple[Parameters, Parameters]) -> tuple[Array, Array]:
    """The probabilities of the labels on both sides: the mean over all styles."""
    found = []
    for side, parameters in zip(done.sides, network, strict=True):
        shared = side.last @ parameters["out.weight"] + parameters["out.bias"]
        styles = zip(parameters["style.weight"], parameters["style.bias"], strict=True)
        total = sum(softmax(shared + side.last @ weight + bias) for weight, bias in styles)
        found.append(np.asarray(total / len(parameters["style.bias"]), np.float32))
    return found[0], found[1]


def softmax(logits: Array) -> Array:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: Array = powers / powers.sum(axis=-1, keepdims=True)
    return result


def gathered(states: Array, partner: Ints) -> Array:
    """The states at the places of the partners; zeros where there is none."""
    columns = np.arange(partner.shape[1])[None, :]
    found: Array = states[np.maximum(partner, 0), columns] * (partner >= 0)[:, :, None]
    return found


def backward(
    slopes: tuple[Array, Array], was: Pass, batch: tuple[Padded, Padded], network: tuple[Parameters, Parameters]
) -> tuple[Parameters, Parameters]:
    """From the slopes of the loss by the logits to those by all parameters."""
    found: tuple[Parameters, Parameters] = ({}, {})
    of_states = [np.zeros_like(np.concatenate([s.first[0].news, s.first[1].news], axis=2)) for s in was.sides]
    of_entries = []
    for number, (side, parameters, done) in enumerate(zip(batch, network, was.sides, strict=True)):
        labels = slopes[number].shape[2]
        flat = slopes[number].reshape(-1, labels)
        found[number]["out.weight"] = done.last.reshape(-1, done.last.shape[2]).T @ flat
        found[number]["out.bias"] = flat.sum(axis=0)
        by_sequence = slopes[number].transpose(1, 0, 2)
        styles = parameters["style.weight"][side.style]
        found[number]["style.weight"] = np.zeros_like(parameters["style.weight"])
        np.add.at(found[number]["style.weight"], side.style, done.last.transpose(1, 2, 0) @ by_sequence)
        found[number]["style.bias"] = np.zeros_like(parameters["style.bias"])
        np.add.at(found[number]["style.bias"], side.style, by_sequence.sum(axis=1, keepdims=True))
        of_last = slopes[number] @ parameters["out.weight"].T
        of_last += (by_sequence @ styles.transpose(0, 2, 1)).transpose(1, 0, 2)
        of_last = _undropped(of_last, done.last_factors)
        hidden = done.entry.shape[2]
        of_entries.append(of_last[:, :, 2 * hidden :])
        of_seen = np.zeros_like(done.second[0].inputs)
        for way, (name, record) in enumerate(zip(("forward", "backward"), done.second, strict=True)):
            slope = of_last[:, :, way * hidden : (way + 1) * hidden]
            of_seen += recurrent_back(slope, record, side.mask, parameters, f"second.{name}", found[number])
        of_seen = _undropped(of_seen, done.second_factors)
        of_states[number] += of_seen[:, :, : 2 * hidden]
        has = side.partner >= 0
        columns = np.broadcast_to(np.arange(has.shape[1]), has.shape)
        np.add.at(of_states[1 - number], (side.partner[has], columns[has]), of_seen[:, :, 2 * hidden :][has])
    for number, (side, parameters, done) in enumerate(zip(batch, network, was.sides, strict=True)):
        hidden = done.entry.shape[2]
        of_dropped = np.zeros_like(done.first[0].inputs)
        for way, (name, record) in enumerate(zip(("forward", "backward"), done.first, strict=True)):
            slope = of_states[number][:, :, way * hidden : (way + 1) * hidden]
            of_dropped += recurrent_back(slope, record, side.mask, parameters, f"first.{name}", found[number])
        of_entry = (of_entries[number] + _undropped(of_dropped, done.entry_factors)) * (done.entry > 0)
        flat = of_entry.reshape(-1, hidden)
        found[number]["in.weight"] = done.inputs.reshape(-1, done.inputs.shape[2]).T @ flat
        found[number]["in.bias"] = flat.sum(axis=0)
    return found
