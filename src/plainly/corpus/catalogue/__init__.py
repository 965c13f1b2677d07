"""The catalogue of test sets, judgements and annotations: facts, files with checksums, and published outputs.

Only `fetch` uses the network; everything else reads the data folder.
"""

from plainly.corpus.catalogue.entries import Entry, File, Licence, info, names
from plainly.corpus.catalogue.fetching import fetch
from plainly.corpus.catalogue.store import present
from plainly.corpus.catalogue.use import inputs, load, path, published

__all__ = ["Entry", "File", "Licence", "fetch", "info", "inputs", "load", "names", "path", "present", "published"]
