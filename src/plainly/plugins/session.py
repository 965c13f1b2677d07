"""A plug-in at work: started when it is first needed, asked batch by batch, ended when the run is over."""

from __future__ import annotations

import os
import sys
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from plainly.base.errors import MissingResource, PlainlyError
from plainly.plugins.entries import Entry, home, record
from plainly.plugins.process import Broken, Process, last_line, without_secrets
from plainly.plugins.protocol import Identity, Nonsense, batch, hello, read_hello, read_scores

# What would make the environment of a plug-in see the one that runs plainly.
_OURS = ("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
# No network while scoring: models come with `plainly plugins install`.
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
_ALWAYS = {"PYTHONUTF8": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "TOKENIZERS_PARALLELISM": "false"}


class PluginFailure(PlainlyError):
    """A plug-in crashed, hangs or talks nonsense."""


def python_of(entry: Entry) -> Path:
    """The Python of the plug-in's environment."""
    if not entry.requirements:
        return Path(sys.executable)
    folder = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    return home(entry.name).joinpath("environment", *folder)


def environment(online: bool = False) -> dict[str, str]:
    """The environment variables of a plug-in."""
    kept = {name: value for name, value in os.environ.items() if name not in _OURS}
    return {**kept, **_ALWAYS, **({} if online else _OFFLINE)}


def known_identity(entry: Entry) -> Identity | None:
    """What the plug-in said that it is when it was installed; None if it is not installed as its entry says."""
    found = record(entry.name)
    same = found.get("requirements") == list(entry.requirements) and found.get("command") == list(entry.command)
    identity = found.get("identity")
    if not same or not isinstance(identity, dict) or not python_of(entry).exists():
        return None
    with suppress(TypeError):
        return Identity(**identity)
    return None


class Session:
    """One run of a plug-in. Threads may share it; they take turns.

    A plug-in that has failed is not asked again: whoever asks is told why at once.
    """

    def __init__(self, entry: Entry, online: bool = False) -> None:
        self.entry = entry
        self.failure: str | None = None
        self.errors: list[str] = []
        """What the plug-in said of texts that it could not score."""
        self._online = online
        self._identity: Identity | None = None
        self._process: Process | None = None
        self._end: weakref.finalize[Any, Any] | None = None
        self._lock = Lock()

    def identity(self) -> Identity:
        """What the plug-in says that it is."""
        with self._lock:
            return self._ready()[1]

    def score(self, records: Sequence[Mapping[str, Any]]) -> list[float | None]:
        """The scores of records with "output" and what the plug-in needs; None where it gave none."""
        values: list[float | None] = []
        for start in range(0, len(records), self.entry.batch):
            part = records[start : start + self.entry.batch]
            with self._lock:
                process, _ = self._ready()
                try:
                    scores = read_scores(process.ask(batch(part), self.entry.batch_seconds), len(part))
                except (Broken, Nonsense) as error:
                    raise self._failed(process, error) from error
                self.errors += scores.errors
            values += scores.values
        return values

    def close(self) -> None:
        """End the plug-in. A thread that waits for its answer is told so; the next question starts it again."""
        process = self._process
        if process:
            process.kill()
        with self._lock:
            self._stop()

    def _ready(self) -> tuple[Process, Identity]:
        """The running program, started if need be."""
        if self.failure is not None:
            raise PluginFailure(self.failure)
        if self._process is None or self._identity is None:
            known = known_identity(self.entry)
            if known is None and not self._online:
                name = self.entry.name
                raise MissingResource(f"{name} is not installed; run: plainly plugins install {name}")
            self._start(known)
        assert self._process
        assert self._identity
        return self._process, self._identity

    def _start(self, known: Identity | None) -> None:
        entry = self.entry
        names = {"python": str(python_of(entry)), "folder": str(entry.file.parent)}
        command = [filled(part, names) for part in entry.command]
        home(entry.name).mkdir(parents=True, exist_ok=True)
        try:
            process = self._process = Process(command, environment(self._online), home(entry.name))
        except Broken as error:
            self.failure = str(error)
            raise PluginFailure(self.failure) from error
        self._end = weakref.finalize(self, process.close)  # also where nobody closes the session, and at exit
        try:
            self._identity = read_hello(process.ask(hello(entry), entry.start_seconds), entry)
            if known is not None and not self._online and self._identity != known:
                raise Nonsense(f"it is not what was installed; run: plainly plugins install {entry.name}")
        except (Broken, Nonsense) as error:
            raise self._failed(process, error) from error

    def _failed(self, process: Process, error: PlainlyError) -> PluginFailure:
        """Ends the program, and says why and what it said last."""
        process.kill()
        said = without_secrets(process.said(), os.environ)
        reason = str(error)
        if line := last_line(said):
            reason += f"; its last words: {line}"
            with suppress(OSError):
                log = home(self.entry.name) / "standard-error.txt"
                log.write_text(said, "utf-8")
                reason += f" (more in {log})"
        self._stop()
        self.failure = reason
        return PluginFailure(reason)

    def _stop(self) -> None:
        if self._end:
            self._end()
        self._process = self._identity = self._end = None


def filled(text: str, names: Mapping[str, str]) -> str:
    """The text with {python} and {folder} replaced; other braces stay as they are."""
    for name, value in names.items():
        text = text.replace(f"{{{name}}}", value)
    return text
