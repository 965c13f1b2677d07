"""`plainly studio backup`: everything in one file, while the studio runs."""

from __future__ import annotations

import argparse
from pathlib import Path

from plainly.cli.printing import note
from plainly.cli.studio.places import opened
from plainly.studio.store.backup import back_up


def run(options: argparse.Namespace) -> None:
    with opened(options) as database:
        back_up(database, Path(options.file), force=options.force)
    note(f"wrote {options.file}")
