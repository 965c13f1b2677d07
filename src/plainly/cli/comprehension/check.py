"""`plainly comprehension check`: are these good questions?"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from plainly.base.files import refuse_overwriting, writing
from plainly.base.tables import render
from plainly.cli.comprehension.outputs import refuse_page
from plainly.comprehension.checks import Finding, check_experiment
from plainly.comprehension.experiment import read_experiment
from plainly.corpus.readers.checks import plural
from plainly.corpus.readers.files import shown


def run(options: argparse.Namespace) -> int:
    refuse_page(options.output, "check")
    refuse_overwriting(options.output, [options.experiment])
    experiment = read_experiment(options.experiment)
    found = check_experiment(experiment)
    errors = sum(finding.severity == "error" for finding in found)
    with writing(options.output) as out:
        out.write(_text(found, errors, options))
    return int(bool(found if options.strict else errors))


def _text(found: list[Finding], errors: int, options: argparse.Namespace) -> str:
    if options.format == "json":
        content = {
            "file": options.experiment,
            "errors": errors,
            "advice": len(found) - errors,
            "findings": [asdict(finding) for finding in found],
        }
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    if options.format != "table":
        rows = [[item.line, item.place, item.rule, item.severity, item.message] for item in found]
        return render(["line", "place", "rule", "severity", "change"], rows, options.format)
    name = shown(options.experiment)
    lines = [f"{name}:{item.line}: {item.severity}: {item.place}: {item.message} [{item.rule}]" for item in found]
    counts = f"{plural(errors, 'error')}, {plural(len(found) - errors, 'piece')} of advice"
    return "".join(f"{line}\n" for line in [*lines, f"{name}: {counts if found else 'nothing to change'}"])
