"""Which judgements of pairs to read: options of several commands. Importing this page imports nothing heavy."""

from __future__ import annotations

import argparse

from plainly.cli.options import Parser


def add_judgement_options(action: Parser, *, required: bool = True) -> argparse._ArgumentGroup:
    """Which judgements to read, the same for every action that reads them (`cli.judgement_inputs` reads them)."""
    files = action.add_argument_group(
        "judgements", "CSV, TSV or JSONL (also .gz) with first, second, winner, rater; or histories of ARTS"
    )
    files.add_argument(
        "--judgements",
        metavar="[RATER=]FILE",
        action="append",
        required=required,
        default=None if required else [],
        help="may be repeated, as for one file a rater",
    )
    files.add_argument(
        "--winner",
        choices=["harder", "easier"],
        help="what winning means, where the files do not say it in a column question",
    )
    files.add_argument("--texts", metavar="FILE", help="the texts (id, text): JSONL, CSV or TSV; others are refused")
    return files
