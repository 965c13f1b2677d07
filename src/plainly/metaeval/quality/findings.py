"""Whether a learned metric beats the best of its inputs, as every face prints it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from plainly.findings import Findings, Message, Note, Table, column, message
from plainly.metaeval.judged_set import many
from plainly.metaeval.quality.training import Trained

DIGITS = 3
_column = partial(column, "metaeval")


def findings(found: Trained) -> Findings:
    """The tests of a model, and what it weighs."""
    return Findings(
        tables=[_tests(found)],
        verdict=[found.verdict],
        notes=[Note(_weights(found)), *(Note(one, aside=True) for one in _notes(found))],
        data=found.data,
    )


def _tests(found: Trained) -> Table:
    folds = message("metaeval.folds", "itself, in folds")
    return Table(
        "tests",
        message("metaeval.tests", "Is the combined metric better than the best single one?"),
        [
            _column("tested on"),
            _column("learned from"),
            _column("outputs", "count"),
            _column("combined", "estimate", DIGITS),
            _column("best single"),
            _column("its r", "number", DIGITS),
            _column("ahead", "estimate", DIGITS),
            _column("p", "p"),
            _column("verdict"),
            _column("best afterwards", key="afterwards"),
            _column("its r afterwards", "number", DIGITS, "its-r"),
        ],
        [
            [
                *(test.tested_on, " + ".join(test.trained_on) or folds, test.n, test.combined.estimate),
                *(test.single, test.by_single.value, test.gap.difference, test.p, test.verdict),
                *(test.afterwards, test.by_afterwards),
            ]
            for test in found.validations
        ],
    )


def _weights(found: Trained) -> Message:
    """The inputs, the heaviest first."""
    model = found.model
    order = np.argsort(-np.abs(model.weights), kind="stable")
    return message(
        "metaeval.weights",
        "learned from {outputs}, weights in spreads: {weights}",
        outputs=many(model.about["outputs"], "output"),
        weights=", ".join(f"{model.inputs[place]} {model.weights[place]:+.2f}" for place in order.tolist()),
    )


def _notes(found: Trained) -> Iterator[Message]:
    """What the numbers alone do not say."""
    alike: dict[tuple[tuple[str, ...], int], list[str]] = {}
    for test in found.validations:
        if test.left_out:
            alike.setdefault((test.trained_on, test.left_out), []).append(test.tested_on)
    for (_, count), names in alike.items():
        yield message(
            "metaeval.too-alike",
            "{outputs} too much like {names} were kept out of what it learned",
            outputs=many(count, "output"),
            names=" and ".join(names),
        )
    yield from found.notes
    for name in found.untested:
        yield message(
            "metaeval.untested", "{name} is no test: what is left to learn from is too much like it", name=name
        )
