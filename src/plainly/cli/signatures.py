"""`plainly compare-signatures`: can these two numbers be compared?"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from plainly.base.tables import render
from plainly.scoring.signatures import compare_signatures


def run(options: argparse.Namespace) -> None:
    differences = compare_signatures(options.first, options.second)
    if options.format == "json":
        content = {"comparable": not differences, "differences": [asdict(found) for found in differences]}
        print(json.dumps(content, ensure_ascii=False, indent=2))
    elif not differences and options.format == "table":
        print("Same signature: on the same data these numbers can be compared.")
    else:
        rows = [[d.field, d.first or "(not said)", d.second or "(not said)", d.meaning] for d in differences]
        print(render(["setting", "A", "B", "what it means"], rows, options.format), end="")
