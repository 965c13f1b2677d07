"""DEplain-web: German pairs that people wrote and others rated (Stodden, Momen and Kallmeyer 2023).

What is rated are the references of the test set, so there are no references to judge them by. Information gain is
left out: neither end of that scale is the better one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.messages import message
from plainly.metaeval.adapters.files import Folder, number, rows
from plainly.metaeval.judged_set import JudgedSet, Values

DIMENSIONS = {
    "simplicity": "simplicity",
    "lexical simplicity": "lexical_simplicity",
    "structural simplicity": "structural_simplicity",
    "meaning": "meaning_preservation",
    "coherence": "coherence_simple",
    "grammaticality": "grammaticality_simple",
    "ambiguity": "ambiguity_simple",
}


def deplain_web(path: str | Path, values: Values | None = None) -> JudgedSet:
    """Pairs rated by one person each."""
    if values == "z":
        raise PlainlyError(
            "deplain-web has one rating a pair, nearly all by one person: z-scores would change nothing"
        )
    needed = ["original", "simplification", "domain", "corpus", "rater", "alignment", *DIMENSIONS.values()]
    table = rows(Folder(path).find("deplain_web_rated.csv"), needed)
    originals = {text: str(i) for i, text in enumerate(dict.fromkeys(row["original"] for _, row in table))}
    return JudgedSet(
        name="deplain-web",
        lang="de",
        segments=tuple(originals[row["original"]] for _, row in table),
        systems=("people",) * len(table),
        sources=tuple(row["original"].strip() for _, row in table),
        outputs=tuple(row["simplification"].strip() for _, row in table),
        references=((),) * len(table),
        values={
            name: np.array([number(row[column], place, column) for place, row in table])
            for name, column in DIMENSIONS.items()
        },
        fields={name: tuple(row[name] for _, row in table) for name in ("domain", "corpus", "alignment", "rater")},
        directions={"ambiguity": "lower"},
        scale=dict.fromkeys(DIMENSIONS, "raw"),
        notes=(
            message("metaeval.data.one-rater", "one rater a pair, so nothing says how raters agree"),
            message(
                "metaeval.data.rated-references",
                "what is rated are references that people wrote; there are no others to judge them by",
            ),
        ),
        paper="Stodden, Momen and Kallmeyer 2023, DEplain: A German Parallel Corpus with Intralingual Translations "
        "into Plain Language for Sentence and Document Simplification, ACL 2023 (2023.acl-long.908)",
        licence="mixed, by row of the file",
    )
