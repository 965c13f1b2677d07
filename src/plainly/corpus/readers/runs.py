"""Runs of one system, as with other seeds: what they are called among the outputs, whatever they are read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from plainly.base.errors import PlainlyError

T = TypeVar("T")


def named_runs(systems: Mapping[str, Mapping[str, T]]) -> tuple[dict[str, T], dict[str, tuple[str, ...]]]:
    """What belongs to each run, by the names of the outputs, and the runs of systems that have several.

    `systems` has the runs of each system by their own names. A system that ran once is called by its name alone.
    """
    outputs: dict[str, T] = {}
    runs: dict[str, tuple[str, ...]] = {}
    for system, own in systems.items():
        named = {f"{system}/{run}" if len(own) > 1 else system: one for run, one in own.items()}
        if len(named) > 1:
            runs[system] = tuple(named)
        for run, one in named.items():
            if run in outputs:
                raise PlainlyError(f"system {run!r} is given twice")
            outputs[run] = one
    return outputs, runs


def runs_of_files(paths: Sequence[str]) -> dict[str, str]:
    """Runs by the names of their files; where these are the same, by number."""
    stems = [Path(path).stem for path in paths]
    names = stems if len(set(stems)) == len(stems) else [str(number) for number in range(1, len(paths) + 1)]
    return dict(zip(names, paths, strict=True))
