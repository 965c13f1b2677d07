"""The network: its slopes against differences, its cell against a plain loop, its training step by step."""

from __future__ import annotations

import math

import numpy as np
import pytest

from plainly.operations.tagger.network import (
    Dropout,
    Padded,
    Parameters,
    answers,
    backward,
    forward,
    initial,
    recurrent,
)
from plainly.operations.tagger.training import Adam, Settings, cross_entropy

HIDDEN, INPUTS, LABELS, STYLES = 3, 5, 4, 2
Network = tuple[Parameters, Parameters]


def network(rng: np.random.Generator) -> Network:
    def side() -> Parameters:
        found = initial(INPUTS, HIDDEN, LABELS, STYLES, rng)
        # Styles begin as zeros; here they must differ.
        return {name: value + rng.normal(0, 0.3, value.shape).astype(np.float32) for name, value in found.items()}

    return side(), side()


def side(lengths: list[int], others: list[int], rng: np.random.Generator) -> Padded:
    places = max(lengths)
    mask = np.array([[float(place < length) for length in lengths] for place in range(places)], np.float32)
    partner = np.full((places, len(lengths)), -1)
    for sequence, (length, other) in enumerate(zip(lengths, others, strict=True)):
        for place in range(0, length, 2):
            partner[place, sequence] = rng.integers(other)
    features = rng.normal(size=(places, len(lengths), INPUTS)).astype(np.float32)
    return Padded(features, mask, partner, np.array([1, 0]))


def batch(rng: np.random.Generator) -> tuple[Padded, Padded]:
    return side([4, 2], [3, 5], rng), side([3, 5], [4, 2], rng)


def test_slopes_are_those_of_differences() -> None:
    rng = np.random.default_rng(1)
    parameters, texts = network(rng), batch(rng)
    wanted = [rng.normal(size=(*text.mask.shape, LABELS)).astype(np.float32) for text in texts]
    for weight, text in zip(wanted, texts, strict=True):
        weight *= text.mask[:, :, None]

    def value() -> float:
        logits = forward(texts, parameters, Dropout()).logits
        return sum(float((a.astype(np.float64) * b).sum()) for a, b in zip(logits, wanted, strict=True))

    found = backward((wanted[0], wanted[1]), forward(texts, parameters, Dropout()), texts, parameters)
    for values, slopes in zip(parameters, found, strict=True):
        assert values.keys() == slopes.keys()
        for name, array in values.items():
            for _ in range(5):
                place = tuple(int(rng.integers(size)) for size in array.shape)
                old, step = array[place], np.float32(5e-3)
                array[place] = old + step
                above = value()
                array[place] = old - step
                below = value()
                array[place] = old
                assert slopes[name][place] == pytest.approx((above - below) / (2 * step), rel=2e-2, abs=5e-3), name


@pytest.mark.parametrize("name", ["first.forward", "first.backward"])
def test_the_cell_is_that_of_its_equations(name: str) -> None:
    # r = s(x Wr + h Ur + br), z = s(x Wz + h Uz + bz), n = tanh(x Wn + bn + r (h Un + cn)), h' = (1 - z) n + z h
    rng = np.random.default_rng(2)
    parameters = network(rng)[0]
    inputs = rng.normal(size=(3, 1, HIDDEN)).astype(np.float32)
    found, _ = recurrent(inputs, np.ones((3, 1), np.float32), parameters, name)
    w, u = parameters[f"{name}.input"], parameters[f"{name}.state"]
    b, c = parameters[f"{name}.bias"], parameters[f"{name}.bias.state"]
    state = [0.0] * HIDDEN
    for place in range(3) if name.endswith("forward") else (2, 1, 0):
        x = inputs[place, 0]

        def gate(unit: int, x: np.ndarray = x, state: list[float] = state) -> tuple[float, float]:
            mine = float(sum(x[i] * w[i, unit] for i in range(HIDDEN)) + b[unit])
            return mine, float(sum(state[i] * u[i, unit] for i in range(HIDDEN)))

        after = []
        for k in range(HIDDEN):
            reset = 1 / (1 + math.exp(-sum(gate(k))))
            update = 1 / (1 + math.exp(-sum(gate(HIDDEN + k))))
            mine, product = gate(2 * HIDDEN + k)
            new = math.tanh(mine + reset * (product + float(c[k])))
            after.append((1 - update) * new + update * state[k])
        state = after
        assert found[place, 0] == pytest.approx(state, abs=1e-5)


def test_what_follows_the_end_of_a_text_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    parameters, texts = network(rng), batch(rng)
    before = answers(forward(texts, parameters, Dropout()), parameters)
    for text in texts:
        text.features[text.mask == 0] = 99
    after = answers(forward(texts, parameters, Dropout()), parameters)
    for one, other, text in zip(before, after, texts, strict=True):
        assert one[text.mask > 0] == pytest.approx(other[text.mask > 0], abs=1e-6)
        assert one.sum(axis=2) == pytest.approx(np.ones(text.mask.shape), abs=1e-5)


def test_answers_are_means_over_styles() -> None:
    rng = np.random.default_rng(4)
    parameters, texts = network(rng), batch(rng)

    def styled(style: int) -> np.ndarray:
        same = tuple(text._replace(style=np.full(2, style)) for text in texts)
        logits = forward(same, parameters, Dropout()).logits[0].astype(np.float64)
        powers = np.exp(logits)
        return powers / powers.sum(axis=2, keepdims=True)

    found = answers(forward(texts, parameters, Dropout()), parameters)[0]
    assert found == pytest.approx((styled(0) + styled(1)) / 2, abs=1e-5)


def test_loss_of_a_case_worked_by_hand() -> None:
    # Two labels, logits 0 and ln 3: probabilities 1/4 and 3/4. Answer 1, smoothed by 0.2: wanted 0.1 and 0.9.
    logits = np.array([[[0.0, math.log(3)]], [[5.0, 5.0]]], np.float32)
    loss, slope = cross_entropy(logits, np.array([[1], [-1]]), 0.2)
    assert loss == pytest.approx(-(0.1 * math.log(0.25) + 0.9 * math.log(0.75)), abs=1e-6)
    assert slope[0, 0] == pytest.approx([0.25 - 0.1, 0.75 - 0.9], abs=1e-6)
    assert slope[1, 0] == pytest.approx([0, 0])  # no answer, no slope


def test_the_first_step_of_adam_is_the_rate() -> None:
    # Kingma and Ba (2015): after bias correction the first step is rate * sign(slope). The first rate is 4 %.
    parameters: Network = ({"a": np.array([1.0, -1.0], np.float32)}, {})
    settings = Settings(rate=0.1, decay=0.0, largest_step=1e9)
    Adam(parameters, settings).step(({"a": np.array([3.0, -0.5], np.float32)}, {}), steps=10)
    assert parameters[0]["a"] == pytest.approx([1 - 0.004, -1 + 0.004], abs=1e-6)


def test_dropout_keeps_the_mean() -> None:
    values = np.ones((100, 100), np.float32)
    dropped, factors = Dropout(0.3, np.random.default_rng(0))(values)
    assert factors is not None
    assert dropped.mean() == pytest.approx(1, abs=0.02)
    assert (dropped == 0).mean() == pytest.approx(0.3, abs=0.02)
    assert Dropout()(values)[0] is values
