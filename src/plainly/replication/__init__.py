"""Papers, computed anew: what was printed, what comes out here, and why the two differ."""

from plainly.replication.found import Found, Values
from plainly.replication.recipe import Erratum, Recipe, Table, load, names
from plainly.replication.replicating import Replication, replicate
from plainly.replication.work import Work

__all__ = ["Erratum", "Found", "Recipe", "Replication", "Table", "Values", "Work", "load", "names", "replicate"]
