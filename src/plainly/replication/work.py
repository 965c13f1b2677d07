"""What the tables of one replication share, so that nothing is done twice."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from plainly.base.errors import MissingResource
from plainly.corpus import catalogue
from plainly.corpus.catalogue.entries import File
from plainly.inference import Resampling
from plainly.replication.recipe import Recipe

T = TypeVar("T")


@dataclass
class Work:
    """One run over a recipe. `tell` hears of each step."""

    recipe: Recipe
    resampling: Resampling
    tell: Callable[[str], None]
    doubts: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Test sets that have another number of segments here than in the catalogue: both numbers."""
    unchecked: dict[str, list[str]] = field(default_factory=dict)
    """Of entries of the catalogue, files with other bytes than its own."""
    _done: dict[Hashable, Any] = field(default_factory=dict)

    def file(self, entry: str, name: str) -> Path:
        """A file of an entry of the catalogue; one with other bytes is taken down."""

        def note(file: File) -> None:
            self.unchecked.setdefault(entry, []).append(file.name)

        return self.once(("file", entry, name), lambda: catalogue.path(entry, name, note))

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` makes, made the first time that the key is asked for; what is missing stays missing."""
        if key not in self._done:
            try:
                self._done[key] = make()
            except MissingResource as error:
                self._done[key] = error
        if isinstance(found := self._done[key], MissingResource):
            raise found
        return cast("T", found)
