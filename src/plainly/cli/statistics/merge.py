"""`plainly statistics merge`: one folder of several."""

from __future__ import annotations

import argparse

from plainly.cli.printing import note
from plainly.scoring.statistics import merge_folders


def run(options: argparse.Namespace) -> None:
    done = merge_folders(options.folders, options.output)
    if not options.quiet:
        note(f"wrote {options.output}: {done.words}")
        for text in done.notes:
            note(f"note: {text}")
