"""How long a user waits before anything happens: whole processes, the interpreter included."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.rows import Row, timed_process

REPEAT = 5


def run() -> list[Row]:
    command = str(Path(sys.executable).parent / "plainly")
    calls = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import plainly": [sys.executable, "-c", "import plainly"],
        "plainly --help": [command, "--help"],
        "plainly score --demo": [command, "score", "--demo", "--quiet"],
    }
    return [Row(name, timed_process(call, REPEAT)) for name, call in calls.items()]
