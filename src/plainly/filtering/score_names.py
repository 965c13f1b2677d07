"""What the names in a filter stand for: columns of the file, texts of the pair, scores and parts of scores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

import numpy as np

from plainly import plugins
from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.readers.files import shown
from plainly.metrics import configure, metric_class, names

TEXTS = ("source", "output", "reference")


@dataclass(frozen=True)
class ScoreName:
    """A score, or a part of it: `metric` is NAME or NAME:VARIANT."""

    metric: str
    component: str | None = None

    @property
    def plain(self) -> str:
        """As it is written in a filter, and as the column that holds it is called."""
        return plain(self.metric if self.component is None else f"{self.metric}_{self.component}")


class Names:
    """Gives every name the column of a frame that holds it, and remembers what was asked for.

    A column of the file goes before a score of the same name: scores that were written once can be used again.
    """

    def __init__(self, columns: Iterable[str], lang: str) -> None:
        self._columns = set(columns)
        self._lang = lang
        self.scores: dict[str, ScoreName] = {}  # by column of the frame
        self.columns: dict[str, str] = {}
        self.texts: dict[str, str] = {}

    def column_of(self, name: str) -> str:
        """The column of the frame; it is remembered that it is needed."""
        if name in TEXTS:
            key = f"column:{name}"
            self.texts[key] = name
        elif name in self._columns:
            key = f"column:{name}"
            self.columns[key] = name
        else:
            key = self.score(name)
        return key

    def score(self, name: str) -> str:
        """The same for a name that can only be a score."""
        found = self._score(name)
        if found is None:
            raise self._unknown(name)
        key = f"score:{found.plain}"
        self.scores[key] = found
        return key

    def _score(self, name: str) -> ScoreName | None:
        metric, _, variant = name.lower().partition(":")
        sought = plain(metric)
        for known in names():
            own = plain(known)
            if sought == own:
                return ScoreName(_with_variant(known, variant))
        if metric in plugins.names():
            return ScoreName(name.lower())
        return next(self._parts(sought), None) if not variant else None

    def _parts(self, sought: str) -> Iterator[ScoreName]:
        """Variants and components by their plain names: sari_star, sari_add."""
        for known in sorted(names(), key=len, reverse=True):
            if not sought.startswith(plain(known) + "_"):
                continue
            rest = sought.removeprefix(plain(known) + "_")
            yield from (ScoreName(_with_variant(known, v)) for v in metric_class(known).variants if plain(v) == rest)
            metric = configure(known, {"lang": self._lang})
            components = metric.score(np.zeros(len(metric.columns))).components
            yield from (ScoreName(known, component) for component in components if plain(component) == rest)

    def _unknown(self, name: str) -> PlainlyError:
        known = [*TEXTS, *sorted(self._columns), *map(plain, names())]
        lowered = {one.lower(): one for one in reversed(known)}
        near = get_close_matches(name.lower(), lowered, n=1, cutoff=0.6 if len(name) > 2 else 1)
        if near:
            return UnknownName("name in the filter", shown(name), [lowered[near[0]]], {near[0]: lowered[near[0]]})
        hint = "; a text stands in single quotes" if not re.fullmatch(r"\w+", name) else ""
        columns = shown(", ".join(sorted(self._columns | set(TEXTS))))
        return PlainlyError(
            f"unknown name in the filter: {shown(name)!r}{hint}; the columns are {columns}; "
            "other names are those of metrics"
        )


def _with_variant(name: str, variant: str) -> str:
    """NAME:VARIANT, but for the default variant NAME."""
    return name if variant in ("", next(iter(metric_class(name).variants), "")) else f"{name}:{variant}"


def plain(name: str) -> str:
    """The name as one word, which needs no quotes in a filter."""
    return re.sub(r"\W", "_", name)
