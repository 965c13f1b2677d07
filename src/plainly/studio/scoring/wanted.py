"""What somebody wants to be scored: files or a test set, a language, metrics. As JSON it is kept with the run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.corpus import catalogue
from plainly.corpus.readers import Inputs
from plainly.demo import demo_inputs
from plainly.studio.scoring.sets import DEMO, demo_language


@dataclass(frozen=True)
class Wanted:
    """One run. Paths of files are those within the folder of the run, as `2/system.txt`."""

    lang: str
    metrics: tuple[str, ...] = ()
    """None: the usual ones of the language."""
    baselines: tuple[str, ...] = ()
    empty_reference: str = "error"
    test_set: str = ""
    published: bool = False
    """Whether the systems published with the test set are scored, too."""
    sources: str | None = None
    references: tuple[str, ...] = ()
    systems: Mapping[str, str] = field(default_factory=dict)
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of systems that ran several times: the names that their runs have among the systems."""
    data: str | None = None

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Wanted:
        """From what `to_json` made; what else is kept beside it is ignored."""
        known = {name: kept[name] for name in cls.__dataclass_fields__ if name in kept}
        for name in ("metrics", "baselines", "references"):
            known[name] = tuple(known.get(name) or ())
        return cls(**known)

    def to_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @property
    def requested(self) -> list[str] | None:
        """The metrics as `plainly.scoring.runnable` takes them."""
        return list(self.metrics) or None

    def inputs(self, folder: Path) -> Inputs:
        """What to read, with the files of the run in the folder."""
        systems = {name: str(folder / path) for name, path in self.systems.items()}
        if self.test_set.startswith(DEMO):
            demo = demo_inputs(demo_language(self.test_set))
            if twice := sorted(set(systems) & set(demo.systems)):
                raise PlainlyError(f"{twice[0]!r} is the name of a demo system; give yours another name")
            return replace(demo, systems={**systems, **demo.systems}, runs=self.runs)
        if self.test_set:
            return replace(catalogue.inputs(self.test_set, systems, self.published), runs=self.runs)
        return Inputs(
            sources=None if self.sources is None else str(folder / self.sources),
            references=tuple(str(folder / path) for path in self.references),
            systems=systems,
            runs=self.runs,
            data=None if self.data is None else str(folder / self.data),
            empty_reference=self.empty_reference,
            lang=self.lang,
        )

    @property
    def available(self) -> set[str]:
        """What the files can give a metric; records may have everything."""
        if self.data or self.test_set:
            return {"source", "references"}
        given = {"source": self.sources, "references": self.references}
        return {name for name, files in given.items() if files}

    def files(self) -> dict[str, str]:
        """What was read, for the reader of the report."""
        named = {}
        if self.test_set.startswith(DEMO):
            named["Test set"] = "the demo set of plainly"
        elif self.test_set:
            entry = catalogue.info(self.test_set)
            named |= {"Test set": f"{entry.name}: {entry.title}", "Licence": entry.licence.name, "Paper": entry.paper}
        found = {"Records": self.data, "Sources": self.sources}
        named |= {what: Path(path).name for what, path in found.items() if path}
        if self.references:
            named["References"] = ", ".join(Path(path).name for path in self.references)
        if self.systems:
            named["Outputs"] = ", ".join(Path(path).name for path in self.systems.values())
        return named

    def command(self) -> str:
        """The command that gives the same numbers; none does where outputs are added to the demo set."""
        words = ["plainly", "score"]
        if self.test_set.startswith(DEMO):
            if self.systems:
                return ""
            words += ["--demo", "--lang", self.lang]
        elif self.test_set:
            words += ["--test-set", self.test_set, *(["--against", "published"] if self.published else [])]
        else:
            words += ["--data", Path(self.data).name] if self.data else []
            words += ["--sources", Path(self.sources).name] if self.sources else []
            for path in self.references:
                words += ["--references", Path(path).name]
        of = {run: system for system, own in self.runs.items() for run in own}
        for name, path in self.systems.items():
            words += ["--system", f"{of.get(name, name)}={Path(path).name}"]
        if not self.test_set:
            words += ["--lang", self.lang]
            words += [] if self.empty_reference == "error" else ["--empty-reference", self.empty_reference]
        words += ["--metrics", ",".join(self.metrics)] if self.metrics else []
        words += ["--baselines", ",".join(self.baselines)] if self.baselines else []
        return shlex.join([*words, "--format", "json"])
