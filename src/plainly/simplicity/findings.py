"""What a model says of texts, as every face prints it: scores, and what adds to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from plainly.findings import Findings, Note, Table, column, joined, message
from plainly.findings.shape import Row
from plainly.simplicity.learners import Learners
from plainly.simplicity.model import Model
from plainly.simplicity.scoring import WORDING, Explanation, Scores

_column = partial(column, "simplicity")
SHOWN = 60
"""Characters of a text that people see in a table."""


def score_findings(found: Scores) -> Findings:
    """Scores of texts."""
    question = message("simplicity.scores", "How simple are these texts?")
    columns = [_column("simplicity", "estimate", 3), _column("caution"), _column("text")]
    table = Table(
        "scores",
        question,
        columns,
        [[one.estimate, joined(one.cautions, "; "), _short(one.text)] for one in found],
        legend=[
            message(
                "simplicity.legend",
                "0 = hard, 1 = simple; model {model}, intervals of {confidence:g}",
                model=found.name,
                confidence=found.confidence,
            )
        ],
        long=Table(
            "scores", question, columns, [[one.estimate, joined(one.cautions, "; "), one.text] for one in found]
        ),
    )
    return Findings(
        tables=(table,),
        notes=tuple(_notes(found)),
        data=found.data,
    )


def explanation_findings(
    texts: Sequence[str], found: Sequence[Explanation | None], name: str, *, by: str = "families", top: int = 10
) -> Findings:
    """What adds to each score: `by` families or features, and the `top` words."""
    table = Table(
        "parts",
        message("simplicity.parts", "What makes these texts simple or hard?"),
        [
            *(_column("text", "count"), _column("part"), _column("value", "number", 3)),
            *(_column("usual", "number", 3), _column("adds", "number", 3)),
        ],
        [row for number, why in enumerate(found, 1) for row in _parts(number, why, by, top)],
        legend=[message("simplicity.sum", "the score is the sum of what its parts add; above 0: simpler")],
    )
    explained = [why.data if why else {"text": text, "score": None} for text, why in zip(texts, found, strict=True)]
    return Findings(tables=(table,), data={"model": name, "texts": explained})


def one_explanation_findings(why: Explanation, *, by: str = "families", top: int = 10) -> Findings:
    """What adds to the score of one text."""
    return explanation_findings([why.text], [why], why.name, by=by, top=top)


def learner_findings(found: Learners) -> Findings:
    """How well each learner foresees."""
    figures = [_column(name, "estimate", 4) for name in ("mse", "r2", "spearman")]
    table = Table(
        "learners",
        message("simplicity.learners", "Which learner foresees the ranking best?"),
        [_column("learner"), *figures],
        [[row.learner, row.mse, row.r2, row.spearman] for row in found.rows],
        legend=[
            message(
                "simplicity.learners.legend",
                "learned from {seen:,} texts, foreseen {unseen:,}; a low MSE and a high R2 are good. In brackets: "
                "{confidence:.0%} intervals, {resamples} resamples of the texts foreseen (of random numbers: draws)",
                seen=found.seen,
                unseen=found.unseen,
                confidence=found.resampling.confidence,
                resamples=found.resampling.resamples,
            )
        ],
    )
    return Findings(tables=(table,), data=found.data)


def training_findings(model: Model, *, learned: int, left_out: int, unjudged: int, size: int) -> Findings:
    """How good a new model is, and from what it learned; `size` is that of its file, in bytes."""
    reached, length = model.about["cross-validated"], model.about["length alone, cross-validated"]
    said = message(
        "simplicity.learned",
        "learned from {learned:,} texts, {left_out} left out; {size:.2f} MB; cross-validated "
        "Spearman {spearman:.3f}, MSE {mse:.4f} (length alone: {length_spearman:.3f}, {length_mse:.4f})",
        learned=learned,
        left_out=left_out,
        size=size / 1e6,
        spearman=reached["Spearman"],
        mse=reached["MSE"],
        length_spearman=length["Spearman"],
        length_mse=length["MSE"],
    )
    return Findings(notes=[*left_out_notes(unjudged), Note(said, aside=True)])


def left_out_notes(unjudged: int, unscored: int = 0) -> list[Note]:
    """How many texts are of no use: many, where judgements or scores are those of other texts."""
    counts = [
        (unjudged, message("simplicity.unjudged", "texts that nobody judged, left out: {count}", count=unjudged)),
        (
            unscored,
            message("simplicity.without-score", "test texts without a score, left out: {count}", count=unscored),
        ),
    ]
    return [Note(one, aside=True) for count, one in counts if count]


def _notes(found: Scores) -> Iterator[Note]:
    if unscored := found.unscored:
        said = "{unscored} of {all} texts are not scored: there is nothing to read"
        yield Note(message("simplicity.unscored", said, unscored=unscored, all=len(found)), aside=True)
    if doubtful := sum(bool(one.cautions) for one in found) - unscored:
        said = "{doubtful} of {all} texts are unlike those that the model learned from"
        yield Note(message("simplicity.doubtful", said, doubtful=doubtful, all=len(found)), "caution", aside=True)


def _parts(number: int, why: Explanation | None, by: str, top: int) -> Iterator[Row]:
    if why is None:
        nothing = message("simplicity.not-scored", "not scored: there is nothing to read")
        yield [number, nothing, None, None, None]
        return
    yield [number, message("simplicity.start", "start"), None, None, why.start]
    yield from PARTS[by](number, why, top)
    words = sorted(why.words, key=lambda word: -abs(word.adds))
    for word in words[:top]:
        yield [number, message("simplicity.word", "word: {word}", word=word.name), None, None, word.adds]
    yield from _rest(number, "word", [word.adds for word in words[top:]])
    if why.limit:
        yield [number, message("simplicity.limit", "held within 0 and 1"), None, None, why.limit]
    yield [number, message("simplicity.score", "score"), None, None, why.score]


def _families(number: int, why: Explanation, top: int) -> Iterator[Row]:
    yield from ([number, family, None, None, adds] for family, adds in why.families.items() if family != WORDING)


def _features(number: int, why: Explanation, top: int) -> Iterator[Row]:
    yield from ([number, part.name, part.value, part.usual, part.adds] for part in why.features[:top])
    yield from _rest(number, "feature", [part.adds for part in why.features[top:]])


PARTS = {"families": _families, "features": _features}
"""What the score of a text may be the sum of."""


def _rest(number: int, kind: str, adds: Sequence[float]) -> Iterator[Row]:
    if adds:
        several = "" if len(adds) == 1 else "s"
        more = message(f"simplicity.more-{kind}{several}", f"{{count}} more {kind}{several}", count=len(adds))
        yield [number, more, None, None, sum(adds)]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…"
