"""JSON: the study's result as plain data, with the version that made it."""

from __future__ import annotations

import json

from plainly.base.version import __version__
from plainly.findings.printing import Printer
from plainly.findings.shape import Findings


def write(findings: Findings, lang: str) -> str:
    content = {"plainly": __version__, **findings.data}
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


PRINTER = Printer(("json",), write)
