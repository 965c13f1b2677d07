"""A run in a process of its own: participants do not wait for it, it can be ended, and its memory goes with it.

The parent writes what is wanted to the child's standard input. The child says how far it is, a line of JSON a step,
and leaves what it found in the folder of the run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.studio.apart import step_back
from plainly.studio.faults import worded
from plainly.studio.scoring.scoring import Outcome, Progress, score
from plainly.studio.scoring.wanted import Wanted
from plainly.studio.texts import FALLBACK, say

OFTEN = 0.5
"""Seconds at most between two calls of `progress`, so that a run can be ended in the middle of a long step."""
_RESULT, _PAGE = "outcome.json", "page.gz"


def score_apart(wanted: Wanted, folder: Path, title: str, progress: Progress) -> Outcome:
    """What `score` gives, from another process. What `progress` raises ends it."""
    command = [sys.executable, "-m", __name__, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as child:
        try:
            assert child.stdin is not None
            child.stdin.write(json.dumps({"title": title, "wanted": wanted.to_json()}))
            child.stdin.close()
            error = _followed(child, progress)
        finally:
            child.kill()
    if error is not None:
        raise MemoryError if error == "" else PlainlyError(error)
    if child.returncode < 0:
        raise PlainlyError("the run was ended by the system, as a rule for want of memory")
    if child.returncode:
        raise RuntimeError(f"the process of the run ended with status {child.returncode}")
    found = json.loads((folder / _RESULT).read_text(encoding="utf-8"))
    page = folder / _PAGE
    return Outcome(**{**found, "notes": tuple(found["notes"])}, page=page.read_bytes() if page.exists() else None)


def _followed(child: subprocess.Popen[str], progress: Progress) -> str | None:
    """Tell how far the child is until it ends; what it says went wrong, "" for want of memory."""
    said: Queue[str | None] = Queue()
    Thread(target=_listen, args=(child, said), daemon=True).start()
    step: tuple[str, int, int] = ("reading", 0, 0)
    error: str | None = None
    while True:
        progress(*step)
        try:
            line = said.get(timeout=OFTEN)
        except Empty:
            continue
        if line is None:
            child.wait()
            return error
        content: dict[str, Any] = json.loads(line)
        error = content.get("error", error)
        step = tuple(content.get("step", step))


def _listen(child: subprocess.Popen[str], said: Queue[str | None]) -> None:
    assert child.stdout is not None
    for line in child.stdout:
        said.put(line)
    said.put(None)


def _main(folder: Path) -> None:
    """What the child does."""
    step_back()
    lines = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever libraries print is for the log, not for the parent

    def tell(**content: Any) -> None:
        print(json.dumps(content), file=lines, flush=True)

    asked = json.load(sys.stdin)
    try:
        outcome = score(
            Wanted.from_json(asked["wanted"]),
            folder,
            asked["title"],
            lambda step, done, of: tell(step=[step, done, of]),
        )
    except PlainlyError as error:
        tell(error=worded(error, say(FALLBACK)))
        return
    except MemoryError:
        tell(error="")
        return
    if outcome.page is not None:
        (folder / _PAGE).write_bytes(outcome.page)
    content = {spec.name: getattr(outcome, spec.name) for spec in fields(outcome) if spec.name != "page"}
    (folder / _RESULT).write_text(json.dumps(content), encoding="utf-8")


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
