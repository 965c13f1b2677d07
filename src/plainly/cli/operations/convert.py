"""`plainly operations convert`: annotations checked, repaired if asked for, and written in another format."""

from __future__ import annotations

import argparse
from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.cli.operations.inputs import annotations_of, crp_of_output
from plainly.operations import write_jsonl, write_yawat


def run(options: argparse.Namespace) -> None:
    crp = crp_of_output(options.output)
    if crp is None:
        write_jsonl(annotations_of(options), options.output)
        return
    if Path(crp).exists() and not Path(options.output).exists():
        raise PlainlyError(f"{crp} is there already and would be replaced; choose another name")
    write_yawat(annotations_of(options), options.output, crp)
