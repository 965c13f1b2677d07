"""QATS 2016: pairs labelled good, ok or bad (Stajner et al. 2016)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from plainly.base.errors import MissingResource, PlainlyError
from plainly.base.messages import message
from plainly.corpus.readers.files import shown
from plainly.metaeval.adapters.files import Folder, Rows, rows
from plainly.metaeval.judged_set import JudgedSet, Values

LABELS = {"bad": 0.0, "ok": 1.0, "good": 2.0}
DIMENSIONS = ("simplicity", "meaning", "grammaticality", "overall")
PARTS = {"train": "qats.train.tsv", "test": "qats.test.tsv"}


def qats(path: str | Path, values: Values | None = None) -> JudgedSet:
    """Both parts, as `plainly data fetch qats-train qats-test` stores them; labels become bad 0, ok 1, good 2."""
    if values == "z":
        raise PlainlyError("qats has one label a pair: there are no raters whose z-scores could be taken")
    folder = Folder(path)
    table: Rows = []
    parts: list[str] = []
    for part, name in PARTS.items():
        file = folder.look_for(name)
        if file is not None:
            own = rows(file, ["original", "simplification", *DIMENSIONS])
            table += own
            parts += [part] * len(own)
    if not table:
        names = " nor ".join(PARTS.values())
        raise MissingResource(f"{folder.name}: there is neither {names} in this folder or below it")
    originals = {text: str(i) for i, text in enumerate(dict.fromkeys(row["original"] for _, row in table))}
    return JudgedSet(
        name="qats",
        lang="en",
        segments=tuple(originals[row["original"]] for _, row in table),
        systems=("unnamed",) * len(table),
        sources=tuple(row["original"].strip() for _, row in table),
        outputs=tuple(row["simplification"].strip() for _, row in table),
        references=((),) * len(table),
        values={name: np.array([_label(row[name], place, name) for place, row in table]) for name in DIMENSIONS},
        fields={"part": tuple(parts)},
        scale=dict.fromkeys(DIMENSIONS, "label"),
        notes=(
            message(
                "metaeval.data.labels",
                "labels count as bad 0, ok 1, good 2; one label a pair is published, so nothing says how "
                "raters agree",
            ),
            message("metaeval.data.bare", "the systems are not named, and there are no references"),
        ),
        paper="Stajner, Popovic, Saggion, Specia and Fishel 2016, Shared Task on Quality Assessment for Text "
        "Simplification, QATS workshop at LREC 2016",
        licence="not stated",
    )


def _label(cell: str, place: str, name: str) -> float:
    if cell.strip().lower() not in LABELS:
        raise PlainlyError(f"{place}: {name} must be good, ok or bad, not {shown(cell)}")
    return LABELS[cell.strip().lower()]
