"""`plainly operations convert`: annotations checked, repaired if asked for, and written in another format."""

from __future__ import annotations

import argparse
from pathlib import Path

from plainly.cli.operations.inputs import annotations_of
from plainly.errors import PlainlyError
from plainly.operations import write_jsonl, write_yawat
from plainly.operations.formats import is_yawat


def run(options: argparse.Namespace) -> None:
    if options.output is not None and options.output.endswith(".gz"):
        raise PlainlyError("annotations are written unpacked; leave .gz out of the name")
    if options.output is None or not is_yawat(options.output):
        write_jsonl(annotations_of(options), options.output)
        return
    crp = str(Path(options.output).with_suffix(".crp"))
    if Path(crp).exists() and not Path(options.output).exists():
        raise PlainlyError(f"{crp} is there already and would be replaced; choose another name")
    write_yawat(annotations_of(options), options.output, crp)
