"""Sets a plug-in up in an environment of its own, checks that it works, and removes it.

An installed plug-in is a folder `installed/NAME` in the plug-in folder. `installed.json` is written there last, after
the plug-in has answered: without it nothing is taken for installed, and `install` goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from plainly.base.errors import PlainlyError, Remedy
from plainly.base.files import locked, writing
from plainly.plugins.entries import Check, Entry, folder, home, info, is_bundled
from plainly.plugins.process import without_secrets
from plainly.plugins.protocol import Identity
from plainly.plugins.session import PluginFailure, Session, environment, known_identity, python_of

# Our own sentence, for plug-ins without checks of their own: any score will do.
_ANY = Check(
    output="The cat slept.",
    source="The feline reposed.",
    references=("The cat was asleep.",),
    at_least=float("-inf"),
    at_most=float("inf"),
    origin="plainly",
)


def state(entry: Entry) -> str:
    """installed, unfinished (begun, or its entry has changed since), or not installed."""
    if known_identity(entry):
        return "installed"
    return "unfinished" if home(entry.name).exists() else "not installed"


def install(
    entry: Entry, python: str | None = None, tell: Callable[[str], None] = lambda _: None, quiet: bool = False
) -> Identity:
    """Make the environment, check the plug-in, and note that it is installed. May use the network."""
    with locked(folder(), "installing into"):
        if entry.requirements and not known_identity(entry):
            _make_environment(entry, python, tell)
            _install_requirements(entry, tell, quiet)
        tell(f"{entry.name}: starting it; it may fetch its model now")
        identity = _self_check(entry, online=True)
        _note(entry, identity)
    return identity


def check(name: str) -> Identity:
    """Run the plug-in on the texts whose scores its entry knows. Uses no network."""
    return _self_check(info(name), online=False)


def remove(name: str) -> bool:
    """Remove the plug-in's environment; False if there was nothing to remove."""
    if not home(name).exists():
        info(name)  # complains if there is no such plug-in
        return False
    with locked(folder(), "installing into"):
        (home(name) / "installed.json").unlink(missing_ok=True)  # first: what is half removed is not installed
        try:
            shutil.rmtree(home(name))
        except OSError as error:
            raise PlainlyError(f"cannot remove {home(name)}: {error.strerror}") from error
    return True


def _self_check(entry: Entry, online: bool) -> Identity:
    session = Session(entry, online)
    checks = entry.checks or (_ANY,)
    try:
        identity = session.identity()
        scores = session.score([entry.record(check.output, check.source, check.references) for check in checks])
    except PluginFailure as failure:
        raise PlainlyError(f"{entry.name} does not work: {failure}") from failure
    finally:
        session.close()
    for known, score in zip(checks, scores, strict=True):
        if score is None:
            why = f": {session.errors[0]}" if session.errors else ""
            raise PlainlyError(f"{entry.name} does not work: it gave no score for {known.output!r}{why}")
        if not known.at_least <= score <= known.at_most:
            raise PlainlyError(
                f"{entry.name} does not work: it gave {score:g} for {known.output!r}, "
                f"not {known.at_least:g} to {known.at_most:g} ({known.origin})"
            )
    return identity


def _note(entry: Entry, identity: Identity) -> None:
    content = {
        "name": entry.name,
        "identity": asdict(identity),
        "requirements": list(entry.requirements),
        "command": list(entry.command),
        "python": str(python_of(entry)),
        **({} if is_bundled(entry.name) else {"file": str(entry.file)}),
    }
    home(entry.name).mkdir(parents=True, exist_ok=True)
    with writing(str(home(entry.name) / "installed.json")) as out:
        out.write(json.dumps(content, indent=2) + "\n")


def _make_environment(entry: Entry, python: str | None, tell: Callable[[str], None]) -> None:
    (home(entry.name) / "installed.json").unlink(missing_ok=True)
    if _works(python_of(entry)) and not python:
        return  # it was begun before; pip goes on with it
    base = python or _base_python(entry)
    place = home(entry.name) / "environment"
    tell(f"{entry.name}: making an environment with {base} in {place}")
    place.parent.mkdir(parents=True, exist_ok=True)
    done = _run([base, "-m", "venv", "--clear", str(place)], place.parent)
    if done.returncode or not _works(python_of(entry)):
        said = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        why = f": {said[0].strip()}" if said else ""
        raise PlainlyError(f"{base} cannot make an environment in {place}{why}")


def _works(python: Path) -> bool:
    """Whether there is a Python with pip."""
    return python.exists() and not _run([str(python), "-m", "pip", "--version"], python.parent).returncode


def _base_python(entry: Entry) -> str:
    """A Python of a version that the plug-in wants: the one that runs plainly, else one on the search path."""
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    if not entry.python or own in entry.python:
        return sys.executable
    for version in reversed(entry.python):
        if found := shutil.which(f"python{version}"):
            return found
    wanted = " or ".join(entry.python)
    raise PlainlyError(
        f"{entry.name} wants Python {wanted}, here is {own}; install one",
        remedy=Remedy("python", condition="if there is one elsewhere"),
    )


def _install_requirements(entry: Entry, tell: Callable[[str], None], quiet: bool) -> None:
    log = home(entry.name) / "pip.txt"
    log.unlink(missing_ok=True)
    tell(f"{entry.name}: installing {', '.join(entry.requirements)}")
    options = ["--disable-pip-version-check", "--no-input", "--log", str(log)]
    command = [str(python_of(entry)), "-m", "pip", "install", *options, *entry.requirements]
    shown = subprocess.DEVNULL if quiet else 2  # pip's own progress, on standard error
    try:
        status = subprocess.run(
            command, cwd=entry.file.parent, env=environment(online=True), stdout=shown, stderr=shown, check=False
        ).returncode
    except OSError as error:
        raise PlainlyError(f"{command[0]} cannot be started: {error.strerror}") from error
    if status:
        raise PlainlyError(f"pip could not install {entry.name}{_complaint(log)}; all it said is in {log}")


def _complaint(log: Path) -> str:
    """The last complaint in pip's log."""
    try:
        lines = log.read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    complaints = [line.partition("ERROR:")[2].strip() for line in lines if "ERROR:" in line]
    return f": {without_secrets(complaints[-1], os.environ)}" if complaints else ""


def _run(command: Sequence[str], place: Path) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, cwd=place, env=environment(online=True), capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise PlainlyError(f"{command[0]} cannot be started: {error.strerror}") from error
