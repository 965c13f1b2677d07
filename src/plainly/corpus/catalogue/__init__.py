"""The catalogue of test sets, judgements and annotations: facts, files with checksums, published outputs
and the model cards of the systems that made them.

Only `fetch` uses the network; everything else reads the data folder.
"""

from plainly.corpus.catalogue.entries import Entry, File, Licence, info, names
from plainly.corpus.catalogue.fetching import fetch
from plainly.corpus.catalogue.model_cards import ModelCard, card_of, model_cards
from plainly.corpus.catalogue.store import present
from plainly.corpus.catalogue.use import inputs, load, path, published

__all__ = [
    "Entry",
    "File",
    "Licence",
    "ModelCard",
    "card_of",
    "fetch",
    "info",
    "inputs",
    "load",
    "model_cards",
    "names",
    "path",
    "present",
    "published",
]
