"""Which segments: conditions such as domain=news, length>20 or system!=mine, all of which must hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plainly.base.conditions import Condition
from plainly.base.errors import PlainlyError, UnknownName
from plainly.scoring.statistics.folder import Folder, Piece


@dataclass(frozen=True)
class Selection:
    """The systems and segments that meet all conditions."""

    conditions: tuple[Condition, ...]
    systems: tuple[str, ...]

    @classmethod
    def of(cls, folder: Folder, conditions: Sequence[str]) -> Selection:
        """The conditions, checked against what the folder has."""
        made = [Condition.of(text) for text in conditions]
        about_systems = [condition for condition in made if condition.name == "system"]
        for condition in about_systems:
            if condition.compares:
                raise PlainlyError(f"{condition}: systems are chosen by = or !=")
            for name in condition.values(folder.systems):
                if name not in folder.systems:
                    raise UnknownName("system", name, folder.systems)
        systems = tuple(name for name in folder.systems if all(one.holds(name) for one in about_systems))
        if not systems:
            raise PlainlyError(f"no system is left: {', '.join(map(str, about_systems))}")
        rest = tuple(condition for condition in made if condition.name != "system")
        for condition in rest:
            folder.check_field(condition.name)
        return cls(rest, systems)

    @property
    def fields(self) -> list[str]:
        """What a piece must have for `which`."""
        return list(dict.fromkeys(condition.name for condition in self.conditions))

    def which(self, piece: Piece) -> NDArray[np.bool_]:
        """The segments of a piece that are meant."""
        chosen = np.ones(len(piece), dtype=bool)
        for condition in self.conditions:
            chosen &= np.fromiter(map(condition.holds, piece.fields[condition.name]), dtype=bool, count=len(piece))
        return chosen
