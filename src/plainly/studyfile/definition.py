"""What a study file says: texts, systems, metrics, comparisons, and what is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plainly.scoring.profile import Profile

KEPT = ".plainly"
"""Where measured statistics are kept, beside the study file."""
TEST_SET = "{test_set}"
"""Stands for the name of a test set in the names of files."""


@dataclass(frozen=True)
class TestSet:
    """Texts that all systems have simplified: line files, a table of records, or a set of the catalogue."""

    __test__ = False
    sources: str = ""
    references: tuple[str, ...] = ()
    data: str = ""
    data_format: str = ""
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What the data call things, by our names."""
    catalogue: str = ""
    against: str = ""
    demo: bool = False
    lang: str = ""
    empty_reference: str = ""
    systems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Metrics:
    """By which metrics, and their settings: those of all that have them, and those of one."""

    names: tuple[str, ...] = ()
    idf: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Comparing:
    """How systems are compared, and what is printed of it. What is not said is as in `plainly compare`."""

    baseline: str = ""
    baselines: tuple[str, ...] | None = None
    test: str = "bootstrap"
    resamples: int | None = None
    seed: int = 12345
    confidence: float = 0.95
    interval: str = "percentile"
    by: tuple[str, ...] = ()
    tagger: str = "auto"
    tables: tuple[str, ...] = ("systems",)


@dataclass(frozen=True)
class Page:
    """The report: one HTML page, and its charts as files."""

    file: str = ""
    title: str = ""
    figures: str = ""
    gaming: bool = False
    operations: str = ""


@dataclass(frozen=True)
class Export:
    """One table in one file, in the form of its ending."""

    file: str
    table: str = "systems"


@dataclass(frozen=True)
class Gates:
    """What no system may fall short of."""

    fail_if_worse: tuple[str, ...] | None = None
    fail_under: Mapping[str, float] = field(default_factory=dict)
    fail_over: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Study:
    """A study file. Paths are relative to its folder."""

    path: Path
    test_sets: Mapping[str, TestSet]
    metrics: Metrics
    comparison: Comparing
    report: Page | None
    exports: tuple[Export, ...]
    gates: Gates
    unit: str
    kept: str
    profile: Profile | None = None
    lines: Mapping[tuple[str, ...], int] = field(default_factory=dict, repr=False, compare=False)
    """Where keys stand in the file."""

    @property
    def folder(self) -> Path:
        """That paths are relative to."""
        return self.path.parent

    def place(self, path: str, test_set: str = "") -> str:
        """A path of the file, as others find it."""
        named = Path(path.replace(TEST_SET, test_set)).expanduser()
        return str(named if named.is_absolute() else self.folder / named)
