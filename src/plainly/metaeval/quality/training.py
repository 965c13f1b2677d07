"""From judged outputs to a combined metric, with the tests that say whether it is worth having."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.messages import Message, joined, message
from plainly.corpus.references import References
from plainly.findings.result import StudyResult
from plainly.inference.resampling import USUAL, Resampling
from plainly.metaeval.judged_set import JudgedSet
from plainly.metaeval.quality.features import Inputs
from plainly.metaeval.quality.model import LEARNED, Model, fingerprints
from plainly.metaeval.quality.pool import FEWEST_OUTPUTS, pooled
from plainly.metaeval.quality.ridge import fitted
from plainly.metaeval.quality.validation import Validation, held_out, within


@dataclass(frozen=True, repr=False)
class Trained(StudyResult, findings="plainly.metaeval.quality.findings:findings"):
    """A model, and how it fared in every test."""

    model: Model
    validations: tuple[Validation, ...]
    untested: tuple[str, ...] = ()
    """Sets that could not be held out, as too little that is unlike them would be left to learn from."""
    turned: tuple[str, ...] = ()
    """Sets in which less is better of what was judged."""

    @property
    def notes(self) -> tuple[Message, ...]:
        """What the numbers alone do not say."""
        said = "{name}: less is better of what was judged, so judgements are turned round: a high prediction is good"
        return tuple(message("metaeval.note.turned", said, name=name) for name in self.turned)

    @property
    def data(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {"verdict": self.verdict.text(), "better": self.better, "model": self.model.to_dict()}

    @property
    def deciding(self) -> tuple[Validation, ...]:
        """The tests that count: those on unseen sets, as far as there are any."""
        return tuple(test for test in self.validations if test.held_out) or self.validations

    @property
    def better(self) -> bool:
        """Whether the combined metric beats the best single one, in every test that counts."""
        return all(test.better for test in self.deciding)

    @property
    def verdict(self) -> Message:
        """One sentence for people."""
        where = message("metaeval.unseen", "on data it never saw")
        if not self.deciding[0].held_out:
            where = message("metaeval.by-source", "in cross-validation by source")
        if self.better:
            said = "the combined metric is better than the best single one {where}"
            return message("metaeval.better", said, where=where)
        lost = [
            message(
                "metaeval.against",
                "{name} ({own:.2f} against {value:.2f} of {single})",
                name=test.tested_on,
                own=test.combined.value,
                single=test.rival[0],
                value=test.rival[1],
            )
            for test in self.deciding
            if not test.better
        ]
        said = "the combined metric is not shown to be better than the best single one {where}: {tests}"
        return message("metaeval.not-better", said, where=where, tests=joined(lost))


def train(
    judged: Sequence[JudgedSet],
    dimensions: Sequence[str],
    inputs: Inputs,
    *,
    unseen: Sequence[JudgedSet] = (),
    resampling: Resampling = USUAL,
    threads: int | None = None,
) -> Trained:
    """Learn from judged outputs, and test on sets that stay unseen.

    Without `unseen` sets, each of several sets is left out in turn; a single one is tested in folds by source. What
    is too much like the unseen sets is not learned from.
    """
    langs = sorted({own.lang for own in (*judged, *unseen)})
    if len(langs) > 1:
        raise PlainlyError(f"the data sets are in several languages: {', '.join(langs)}")
    names, kept_away = [own.name for own in judged], [own.name for own in unseen]
    pool = pooled([*judged, *unseen], dimensions, inputs, threads)
    rows = pool.rows(*names)
    everything = len(rows)
    for name in kept_away:
        rows = pool.unlike(rows, name)
    if len(rows) < FEWEST_OUTPUTS:
        raise PlainlyError(
            f"{everything - len(rows)} of {everything} outputs are too much like those held out; "
            f"at least {FEWEST_OUTPUTS} must be left to learn from"
        )
    tests = [within(pool, name, resampling) for name in names]
    tests += [held_out(pool, name, names, rows, resampling) for name in kept_away]
    untested = []
    for name in names if len(names) > 1 and not unseen else ():
        others = [other for other in names if other != name]
        seen = pool.unlike(pool.rows(*others), name)
        if len(seen) < FEWEST_OUTPUTS:
            untested.append(name)
        else:
            tests.append(held_out(pool, name, others, seen, resampling))
    found = fitted(pool, rows, pool.people[:, None])
    about: dict[str, Any] = {
        "trained on": names,
        "outputs": len(rows),
        "sources": len(np.unique(pool.groups[rows])),
        "references": str(References.of(texts for own in judged for texts in own.references)),
        "left out, as too much like what was held out": everything - len(rows),
        "penalty": float(found.penalty[0]),
        "best single input": pool.inputs[found.single[0]],
        "turned round, as less is better": list(pool.turned),
        "seed": resampling.seed,
        "confidence": resampling.confidence,
        "tests": [test.to_dict() for test in tests],
        "licence of the judgements": sorted({own.licence for own in judged if own.licence}),
        LEARNED: fingerprints([pool.texts[row] for row in rows.tolist()]),
    }
    model = Model(
        lang=langs[0],
        dimension=dimensions[0],
        inputs=pool.inputs,
        means=found.means,
        spreads=found.spreads,
        weights=found.weights[:, 0],
        start=float(found.start[0]),
        settings=inputs.settings(),
        about=about,
    )
    return Trained(model, tuple(tests), tuple(untested), pool.turned)
