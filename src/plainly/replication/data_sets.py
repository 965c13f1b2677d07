"""Whether the data that a table needs are on this machine, and if not, whether they are to be had."""

from __future__ import annotations

from plainly.corpus import catalogue
from plainly.replication.recipe import Recipe

AVAILABLE = {
    "unpublished": "never published",
    "public": "public; run plainly data fetch",
    "here": "here",
}
"""From the worst to the best."""


def availability(name: str, recipe: Recipe) -> str:
    """Of an entry of the catalogue, or of files that the recipe names: a key of `AVAILABLE`."""
    if name in recipe.test_sets:
        return "here"
    if name not in catalogue.names():
        return "unpublished"
    entry = catalogue.info(name)
    return "here" if catalogue.present(entry) == len(entry.files) else "public"
