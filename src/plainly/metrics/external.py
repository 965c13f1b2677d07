"""Metrics of plug-ins: a program in an environment of its own gives each output a score; the metric is their mean.

    score = sum of the scores / number of texts that have one

A plug-in that crashes or hangs does not end the run: its metric has failed, and the others are still reported.
See docs/plugins.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import new_class
from typing import ClassVar

import numpy as np

from plainly.base.signature import Signed
from plainly.corpus import Corpus
from plainly.metrics.base import Array, Facts, Metric, scored
from plainly.metrics.means import MeanOfSegments
from plainly.metrics.settings import MODEL, REVISION
from plainly.plugins import Entry, PluginFailure, Session, info, names
from plainly.plugins.session import known_identity

Text = tuple[str | None, str | None, tuple[str, ...]]  # source, output, references; only what the plug-in needs


@dataclass(frozen=True, kw_only=True)
class External(MeanOfSegments):
    """The metric of a plug-in; `plugin_metric` makes a subclass for each."""

    column = "score"
    entry: ClassVar[Entry]
    also_signed: ClassVar = {
        "model": MODEL,
        "revision": REVISION,
        "plugin": Signed("the version of a [plug-in](plugins.md)"),
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "_session", Session(self.entry))  # not a setting, so not a field

    def settings(self) -> dict[str, str]:
        known = known_identity(self.entry)
        model, revision = (known.model, known.revision) if known else (self.entry.model, self.entry.revision)
        facts = {"model": model, "revision": revision, "plugin": known.version if known else "not installed"}
        return {**super().settings(), **{name: value for name, value in facts.items() if value}}

    def values(self, corpus: Corpus, system: str) -> Array:
        scores = corpus.prepared(("plugin", self.name), lambda: self._scores(corpus))
        return np.array([scores.get(text) for text in self._texts(corpus, system)], dtype=np.float64)  # None: NaN

    @property
    def failure(self) -> str | None:
        return self._running.failure

    @property
    def remarks(self) -> list[str]:
        if self.failure is not None:
            return [f"{self.name} failed and has no scores: {self.failure}"]
        return [self.remark_on(len(self.refusals), self.refusals[0])] if self.refusals else []

    @property
    def refusals(self) -> list[str]:
        return self._running.errors

    def close(self) -> None:
        self._running.close()

    @property
    def _running(self) -> Session:
        session: Session = self.__dict__["_session"]
        return session

    def _scores(self, corpus: Corpus) -> Mapping[Text, float | None]:
        """The scores of all systems' texts, each distinct one asked for once; none if the plug-in fails."""
        texts = {
            text: None
            for system in corpus.outputs
            for text, present in zip(
                self._texts(corpus, system), scored(corpus, system, self.facts.needs), strict=True
            )
            if present
        }
        records = [self.entry.record(output, source, references) for source, output, references in texts]
        try:
            return dict(zip(texts, self._running.score(records), strict=True))
        except PluginFailure:
            return {}  # the session remembers why

    def _texts(self, corpus: Corpus, system: str) -> list[Text]:
        needs = self.facts.needs
        return [
            (source if "source" in needs else None, output, tuple(group) if "references" in needs else ())
            for source, output, group in zip(corpus.sources, corpus.output(system), corpus.references, strict=True)
        ]


def plugin_metric(name: str) -> type[Metric] | None:
    """The metric of the plug-in of that name; None if there is no such plug-in."""
    if name not in names():
        return None
    entry = info(name)
    facts = Facts(
        title=entry.title,
        about=entry.about,
        direction=entry.direction,
        range=entry.range,
        needs=frozenset(entry.needs),
        paper=entry.paper,
        caution=entry.caution,
        decimals=entry.decimals,
    )
    members = {"name": name, "facts": facts, "languages": frozenset(entry.languages) or None, "entry": entry}
    title = f"Plugin_{name.replace('-', '_')}"
    metric: type[Metric] = new_class(title, (External,), {}, lambda body: body.update(members))
    return metric
