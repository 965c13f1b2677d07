"""JSON: the study's result as plain data, with the version that made it, and warnings where there are any."""

from __future__ import annotations

import json
from typing import Any

from plainly.base.version import __version__
from plainly.findings.printing import Printer
from plainly.findings.shape import Findings


def write(findings: Findings, lang: str) -> str:
    return json.dumps(content(findings, lang), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def content(findings: Findings, lang: str = "en") -> dict[str, Any]:
    """What is written."""
    warnings = {"warnings": [warning.text(lang) for warning in findings.warnings]} if findings.warnings else {}
    return {"plainly": __version__, **warnings, **findings.data}


PRINTER = Printer(("json",), write)
