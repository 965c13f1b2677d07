"""What a run in parts says of itself while it is unfinished, for who resumes it; how manifests are written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import blake2b
from typing import Any

from plainly.base import places
from plainly.base.errors import PlainlyError
from plainly.base.version import __version__
from plainly.corpus.readers.files import STDIN
from plainly.scoring.jobs import Job, as_json_bytes, built
from plainly.scoring.partitions import ROWS, Plan

NAME = "manifest.json"
FORMAT = 1
_IN_WORDS = {
    "plainly": "by another version of plainly",
    "files": "with other files, or they were changed since",
    "problems": "when other files could be read",
    "metrics": "with other metrics or settings",
    "settings": "with other options",
}
_OPTIONS = {
    "lang": "the language",
    "empty_reference": "what an empty reference means",
    "columns": "names of columns",
    "systems": "the systems",
    "baselines": "the baselines",
    "on_error": "what bad input does",
    "scores": "scores of segments",
    "statistics": "statistics",
}


def fingerprint(job: Job, plan: Plan) -> dict[str, Any]:
    """All that the parts depend on. Two runs with the same fingerprint write the same parts."""
    settings = asdict(job) | {
        "rules": job.rules._asdict(),
        "metrics": None,
        "scores": job.scores is not None,
        "statistics": job.statistics and places.absolute(job.statistics),
        "checkpoints": None,
        "fingerprint": None,
    }
    return {
        "plainly": __version__,
        "format": FORMAT,
        "rows": ROWS,
        "files": [_facts(path) for path in plan.files],
        "problems": [list(problem) for problem in plan.problems],
        "metrics": [metric.signature(long=True) for metric in built(job.metrics)],
        "settings": json.loads(json.dumps(settings)),
    }


def digest(wanted: Mapping[str, Any]) -> str:
    """A fingerprint in short. What was done before bad input ended a run is as good where that is left out."""
    settings = wanted["settings"] | {"on_error": None}
    return blake2b(json.dumps({**wanted, "settings": settings}).encode(), digest_size=16).hexdigest()


def _facts(path: str) -> list[Any]:
    return [path] if path == STDIN else [places.absolute(path), *places.size_and_time(path)]


def read_manifest(folder: str) -> dict[str, Any] | None:
    """The manifest in a folder, if there is one."""
    path = places.join(folder, NAME)
    if not places.exists(path):
        return None
    with places.open_binary(path) as stream:
        try:
            data = json.loads(stream.read())
        except ValueError:
            raise PlainlyError(f"{path} is damaged; delete {folder} and begin again") from None
    if not isinstance(data, dict):
        raise PlainlyError(f"{path} is no manifest; delete {folder} and begin again")
    return data


def write_manifest(folder: str, data: Mapping[str, Any], name: str = NAME) -> None:
    """Write a manifest, whole."""
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    places.write_whole(places.join(folder, name), as_json_bytes(text))


def check_fitting(folder: str, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Refuses to go on with a run that was begun otherwise. What stopped at bad input may go on by skipping it."""
    for key, value in wanted.items():
        begun = found.get(key)
        if key == "settings" and isinstance(begun, dict) and begun.get("on_error") == "stop":
            begun = begun | {"on_error": value["on_error"]}  # nothing was left out so far
        if begun != value:
            how = _IN_WORDS.get(key, "by another version of plainly") + _differing(key, begun, value)
            raise PlainlyError(f"cannot resume: the run in {folder} was begun {how}; delete it, or say what it said")


def _differing(key: str, begun: Any, wanted: Any) -> str:
    """Which options or files differ, in brackets, where that can be said."""
    names: list[str] = []
    if key == "settings" and isinstance(begun, dict):
        before, now = ({**data, **(data.get("rules") or {})} for data in (begun, wanted))
        names = [option for name, option in _OPTIONS.items() if before.get(name) != now.get(name)]
    elif key == "files" and isinstance(begun, list):
        names = [str(facts[0]) for facts in [*wanted, *begun] if facts not in begun or facts not in wanted][:1]
    return f" ({', '.join(names)})" if names else ""


def run_of(folder: str, found: Mapping[str, Any]) -> str:
    """The name of the run that a manifest is of."""
    run = found.get("run")
    if not isinstance(run, str) or not re.fullmatch("[0-9a-f]{32}", run):
        raise PlainlyError(f"{places.join(folder, NAME)} is damaged; delete {folder} and begin again")
    return run
