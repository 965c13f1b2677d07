"""Simulated studies that rank texts: how near a ranking comes to the truth after so many pairs.

A cell has a crowd and a number of pairs. Rho is the mean of many runs; chance may add to a mean of as few as were
behind the print.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from plainly.ranking import Setting, Simulation, simulate
from plainly.ranking.simulation import Point
from plainly.ranking.studies import PAPER
from plainly.replication.computations.cells import asked, chosen, places
from plainly.replication.found import Found, Values
from plainly.replication.recipe import Table
from plainly.replication.work import Work

ERRORS = 4  # so many standard errors are left to chance
CROWDS = {crowd.name: crowd for crowd in PAPER}


@dataclass(frozen=True)
class Asked:
    """Which number a cell holds."""

    pairs: int
    of: str = "rho"
    """A name in `NUMBERS`."""
    crowd: str = "oracle"
    """A name in `CROWDS`."""
    seconds: float = 15.0
    """That a decision takes."""
    runs: int = 2000
    of_print: int = 20
    """So many runs were behind the print."""
    pairing: str = "random"


def compute(table: Table, work: Work) -> Values:
    """Every cell of a table."""
    found = {}
    for row, title in places(table):
        cell = asked(Asked, table, row, title)
        chosen(CROWDS, cell.crowd, "crowd")
        found[row.key, title] = chosen(NUMBERS, cell.of, "number")(cell, work)
    return found


def _point(cell: Asked, crowd: str, work: Work) -> Point:
    def simulated() -> Simulation:
        setting = Setting(runs=cell.runs, pairing=cell.pairing, seed=work.resampling.seed)
        return simulate(setting, PAPER)

    simulation = work.once(("simulation", cell.runs, cell.pairing), simulated)
    curve = {str(point.pairs): point for point in simulation.curve(crowd)}
    return chosen(curve, str(cell.pairs), "number of pairs")


def _rho(cell: Asked, work: Work) -> Found:
    """The mean, and between what 95 % of the runs lie."""
    point = _point(cell, cell.crowd, work)
    return Found(point.rho, margin=_chance(cell, point.sd), decimals=3, resampled=False)


def _gap(cell: Asked, work: Work) -> Found:
    """How far it is below the oracle."""
    oracle, own = (_point(cell, crowd, work) for crowd in ("oracle", cell.crowd))
    return Found(oracle.rho.value - own.rho.value, margin=_chance(cell, math.hypot(oracle.sd, own.sd)), decimals=3)


def _chance(cell: Asked, sd: float) -> float:
    return ERRORS * sd * math.sqrt(1 / cell.runs + 1 / cell.of_print)


NUMBERS: Mapping[str, Callable[[Asked, Work], Found]] = {
    "rho": _rho,
    "gap": _gap,
    "minutes": lambda cell, work: Found(cell.pairs * cell.seconds / 60, decimals=0),
}
"""What a cell may hold, by name."""
