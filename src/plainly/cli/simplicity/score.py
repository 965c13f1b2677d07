"""`plainly simplicity score`: how simple are these texts?"""

from __future__ import annotations

import argparse
import json

from plainly.base.files import writing
from plainly.base.tables import Cell, render, with_lines
from plainly.base.version import __version__
from plainly.cli.notes import note
from plainly.cli.simplicity.inputs import texts_of
from plainly.simplicity import load_model, score

SHOWN = 60  # characters of a text in a table


def run(options: argparse.Namespace) -> None:
    model = load_model(options.model)
    found = score(texts_of(options), model, options.confidence)
    with writing(options.output) as out:
        if options.format == "json":
            content = {
                "plainly": __version__,
                "model": options.model,
                "kind": model.kind,
                "lang": model.lang,
                "direction": "higher = simpler",
                "confidence": options.confidence,
                "unscored": sum(one.score is None for one in found),
                "texts": [one.to_dict() for one in found],
            }
            out.write(json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
        else:
            whole = options.format == "csv"
            rows: list[list[Cell]] = [
                [
                    *(one.score, one.estimate.low, one.estimate.high),
                    "; ".join(one.cautions),
                    one.text if whole else _short(one.text),
                ]
                for one in found
            ]
            table = render(["simplicity", "low", "high", "caution", "text"], rows, options.format, 3)
            lines = [f"0 = hard, 1 = simple; model {options.model}, intervals of {options.confidence:g}"]
            out.write(with_lines(table, lines, options.format))
    if not options.quiet:
        unscored = sum(one.score is None for one in found)
        if unscored:
            note(f"note: {unscored} of {len(found)} texts are not scored: there is nothing to read")
        if doubtful := sum(bool(one.cautions) for one in found) - unscored:
            note(f"caution: {doubtful} of {len(found)} texts are unlike those that the model learned from")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1]}…"
