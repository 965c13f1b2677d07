"""Statistics folders that options name, for every command that reads them."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from plainly.base.errors import PlainlyError
from plainly.base.places import join
from plainly.cli.printing import note
from plainly.cli.request import asked_profile, listed_names
from plainly.scoring.statistics import Folder, merge_folders

TEXTS = {
    "sources": "--sources",
    "references": "--references",
    "system": "--system",
    "data": "--data",
    "test_set": "--test-set",
    "demo": "--demo",
    "lang": "--lang",
    "baselines": "--baselines",
    "tokenizer": "--tokenizer",
    "lowercase": "--lowercase and --cased",
}
"""Options that say what to measure: that is done."""


@contextmanager
def statistics_of(options: argparse.Namespace) -> Iterator[Folder]:
    """The folder of `--statistics`; several are put together for the time of the command."""
    for name, option in TEXTS.items():
        if getattr(options, name, None) not in (None, [], False):
            raise PlainlyError(f"--statistics holds what was measured; leave {option} out")
    if options.unit == "document":
        raise PlainlyError("--statistics holds what was measured; leave --unit out")
    if len(options.statistics) == 1:
        yield opened(options.statistics[0], options)
        return
    with tempfile.TemporaryDirectory(prefix="plainly-") as temporary:
        merged = join(temporary, "merged")
        done = merge_folders(options.statistics, merged)
        for text in () if options.quiet else done.notes:
            note(f"note: {text}")
        yield opened(merged, options)


def opened(path: str, options: argparse.Namespace) -> Folder:
    """A folder with the metrics that are asked for; it must have been measured as a profile says."""
    labels = listed_names(options.metrics)
    if options.metrics is not None and not labels:
        raise PlainlyError("--metrics names no metric")
    profile = asked_profile(options)
    return Folder(path, (labels or None) if profile is None else profile.measured(Folder(path).metrics, labels))
