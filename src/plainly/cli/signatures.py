"""`plainly compare-signatures`: can these two numbers be compared?"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict

from plainly.cli.printing import print_findings
from plainly.findings import Column, Findings, Table, message
from plainly.scoring.signatures import Difference, comparable, compare_signatures


def run(options: argparse.Namespace) -> int:
    differences = compare_signatures(options.first, options.second)
    print_findings(options, _findings(differences))
    return 1 if differences else 0


def _findings(differences: Sequence[Difference]) -> Findings:
    unsaid = message("cli.not-said", "(not said)")
    table = Table(
        "differences",
        message("cli.differences", "In what do the signatures differ?"),
        [*map(Column, ("setting", "A", "B", "what it means"))],
        [[one.field, one.first or unsaid, one.second or unsaid, one.meaning] for one in differences],
    )
    can = comparable(differences)
    return Findings(
        tables=[table] if differences else [],
        verdict=[VERDICTS[can]],
        data={"comparable": can, "differences": [asdict(one) for one in differences]},
    )


VERDICTS = {
    True: message("cli.comparable", "Same settings: on the same data these numbers can be compared."),
    False: message("cli.not-comparable", "Not comparable: these numbers were made in different ways."),
    None: message("cli.cannot-say", "Nobody can say whether these numbers can be compared: one does not say enough."),
}
