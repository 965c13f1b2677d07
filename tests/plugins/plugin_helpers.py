"""Plug-ins for tests: real programs, run for real."""

from __future__ import annotations

import json
from collections.abc import Callable

from plainly import plugins
from plainly.plugins import Entry

# The score of an output is its number of words, or null where it has none.
WELL_BEHAVED = """
import json, sys

hello = json.loads(sys.stdin.readline())
facts = {"plainly": 1, "name": hello["name"], "version": "1.2", "model": hello["model"], "revision": "abc"}
facts |= {"direction": "lower", "range": [0, 1000], "needs": ["references", "source"], "languages": []}
print(json.dumps(facts), flush=True)
for line in sys.stdin:
    answers = []
    for record in json.loads(line)["records"]:
        if record["output"] == "bad":
            answers.append({"id": record["id"], "error": "a bad text"})
        else:
            answers.append({"id": record["id"], "score": len(record["output"].split()) or None})
    print(json.dumps({"scores": answers[::-1]}), flush=True)  # any order will do
"""

# The beginning of programs that misbehave later.
HELLO = """
import json, os, sys, time
hello = json.loads(sys.stdin.readline())
def say(content):
    print(content if isinstance(content, str) else json.dumps(content), flush=True)
say({"plainly": 1, "name": hello["name"], "version": "1"})
def batches():
    for line in sys.stdin:
        yield json.loads(line)["records"]
"""

Make = Callable[..., Entry]


def note_as_installed(entry: Entry, version: str = "1", revision: str = "") -> None:
    home = plugins.entries.home(entry.name)
    home.mkdir(parents=True)
    content = {
        "identity": {"version": version, "model": entry.model, "revision": revision},
        "requirements": list(entry.requirements),
        "command": list(entry.command),
        "file": str(entry.file),
    }
    (home / "installed.json").write_text(json.dumps(content), "utf-8")
