"""Records with ragged references, and the readers that make them."""

from plainly.corpus.corpus import Corpus

__all__ = ["Corpus"]
