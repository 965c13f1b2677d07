"""`plainly studio restore`: a backup in the place of everything."""

from __future__ import annotations

import argparse
from pathlib import Path

from plainly.cli.printing import note
from plainly.cli.studio.places import opened
from plainly.studio.running import alone
from plainly.studio.store.backup import restore


def run(options: argparse.Namespace) -> None:
    with opened(options, new=True) as database, alone(database.path):
        restore(Path(options.file), database, force=options.force)
        note(f"restored {options.file} to {database.named}")
