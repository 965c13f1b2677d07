"""The catalogue of test sets: facts, files with checksums, and published outputs to compare with.

Only `fetch` uses the network; everything else reads the data folder.
"""

from plainly.corpus.catalogue.entries import File, Licence, TestSet, info, names
from plainly.corpus.catalogue.fetching import fetch
from plainly.corpus.catalogue.store import present
from plainly.corpus.catalogue.use import inputs, load, published

__all__ = ["File", "Licence", "TestSet", "fetch", "info", "inputs", "load", "names", "present", "published"]
