"""What do scores become when only some references count?"""

from __future__ import annotations

from dataclasses import astuple

from plainly.findings import Column, Findings, Note, Table, message
from plainly.operations.findings.columns import count, estimate, number, text
from plainly.operations.selection import Sizes, sizes_data
from plainly.operations.subsets import Scored, summaries


def size_findings(found: Sizes) -> Findings:
    """How large subsets are."""
    return Findings(tables=[_sizes(found)], data={"sizes": sizes_data(found), "notes": []})


def subset_findings(found: Scored) -> Findings:
    """Scores on subsets, their means over systems, and the sizes."""
    scores = Table(
        "scores",
        message("operations.scores", "What do scores become when only these references count?"),
        [
            *(text("subset"), text("metric"), text("system"), estimate("score", 2), number("all", 2)),
            *(estimate("change", 2), estimate("random", 2), estimate("beyond random", 2), Column("p", "p")),
        ],
        [
            [
                *(one.subset, one.metric, one.system, one.score, one.whole),
                *(one.from_whole, one.random, one.from_random, one.p),
            ]
            for one in found.scores
        ],
    )
    summary = Table(
        "summary",
        message("operations.mean-over-systems", "What changes in the mean over systems?"),
        [
            *(text("subset"), text("metric"), count("systems"), number("change", 2), count("that rise")),
            *(number("beyond random", 2), count("above random")),
        ],
        [astuple(one) for one in summaries(found.scores)],
    )
    return Findings(
        tables=[scores, summary, _sizes(found.sizes)],
        notes=list(map(Note, found.notes)),
        signatures=found.signatures,
        data=found.data,
    )


def _sizes(found: Sizes) -> Table:
    question = "How large is each subset? (fewest and most references of a source that has any)"
    return Table(
        "sizes",
        message("operations.sizes", question),
        [text("subset"), *map(count, ("sources", "references", "fewest", "most"))],
        [[name, *astuple(size)] for name, size in found.items()],
    )
