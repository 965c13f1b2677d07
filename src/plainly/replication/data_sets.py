"""Whether the data that a table needs are on this machine, and if not, whether they are to be had."""

from __future__ import annotations

from collections.abc import Mapping

from plainly.corpus import catalogue
from plainly.corpus.catalogue.obtaining import Way, way
from plainly.corpus.catalogue.store import here
from plainly.replication.recipe import Recipe

AVAILABLE = {
    "unpublished": "never published",
    "restricted": "not public: see plainly data show",
    "by hand": "public, by hand: see plainly data show",
    "public": "public: run plainly data fetch",
    "here": "here",
}
"""From the worst to the best."""


WAYS: Mapping[Way, str] = {"ask": "restricted", "by hand": "by hand", "fetch": "public"}


def availability(name: str, recipe: Recipe) -> str:
    """Of an entry of the catalogue, or of files that the recipe names: a key of `AVAILABLE`."""
    if name in recipe.test_sets:
        return "here"
    if name not in catalogue.names():
        return "unpublished"
    entry = catalogue.info(name)
    return "here" if here(entry) else WAYS[way(entry)]
