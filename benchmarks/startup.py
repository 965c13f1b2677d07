"""How long a user waits before anything happens: whole processes, the interpreter included."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.speed import Rows, best


def run(repeat: int) -> Rows:
    command = str(Path(sys.executable).parent / "plainly")
    calls = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import plainly": [sys.executable, "-c", "import plainly"],
        "plainly --help": [command, "--help"],
        "plainly score --demo": [command, "score", "--demo", "--quiet"],
    }
    return [
        [name, None, best(lambda call=call: subprocess.run(call, check=True, capture_output=True), repeat), None]  # type: ignore[misc]
        for name, call in calls.items()
    ]
