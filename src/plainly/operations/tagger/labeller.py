"""What a labeller is: the one thing that the kinds of tagger (rules, learned, encoder) have in common.

A labeller looks at pairs of tokenised texts and says for each token how likely each label is. It decides nothing:
`grouping` makes non-overlapping groups out of these probabilities and the alignment of the pair, as far as
`constraints` allows. So a new labeller needs one method, and all of them are compared on the same terms.

    labeller.label([(("A", "feline", "slept", "."), ("A", "cat", "slept", "."))])
    -> [Labelled(source, target, error)]

* `source` is an array (tokens of the source x labels), `target` the same for the target; rows add up to 1.
  Columns follow `LABELS`. A text without tokens has an array of shape (0, labels).
* `error` is the probability that the whole pair is erroneous (the label `err`). The label has no column: an
  erroneous pair still gets its other labels, and `grouping` only adds the flag.
* Labels that cannot stand on a side (an insertion on the source) get probability 0 there.
* Order is kept: one `Labelled` a pair. The result for a pair does not depend on the other pairs of the call.

The module of a kind offers two functions, which `kinds` calls:

    missing(lang) -> str | None     why it cannot run for a language here, as a sentence; None if it can
    load(lang, path=None) -> Labeller    `path` names weights of the user's own, in the place of those of the package
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from plainly.operations.typology import Side

Tokens = tuple[str, ...]
Pair = tuple[Tokens, Tokens]
Floats = NDArray[np.float32]

UNCHANGED = ""
DELETIONS = ("delcst", "delmod", "deloth", "delprop", "merge")  # they stand on the source alone
INSERTIONS = ("incst", "inmod", "inoth", "inprop", "split", "toImp")  # on the target alone
REPLACEMENTS = (
    *("synonym", "hyperonym", "hyponym", "move", "verbf", "POSchange", "s2p", "p2s"),
    *("a2p", "p2a", "pron", "fromPron", "pos2neg", "neg2pos"),
)  # they need tokens on both sides
LABELS = (UNCHANGED, *DELETIONS, *INSERTIONS, *REPLACEMENTS, "fromImp")
"""The columns of all probabilities. fromImp may stand alone on either side; the tagger sets it on the source."""
COLUMN = {label: column for column, label in enumerate(LABELS)}
ONE_SIDED: dict[Side, tuple[str, ...]] = {"source": (*DELETIONS, "fromImp"), "target": INSERTIONS}
"""What a token may be called that has no counterpart."""


class Labelled(NamedTuple):
    """The probabilities of one pair."""

    source: Floats
    target: Floats
    error: float


class Meaning(Protocol):
    """What knows whether words have to do with each other."""

    def related(self, first: Sequence[str], second: Sequence[str]) -> bool: ...


class Labeller(Protocol):
    """One kind of tagger."""

    name: str
    """For the record: the kind and the version of its weights."""

    signed: Mapping[str, str]
    """What its answers depend on beside the pair and its name: checksums of weights and words, the parser."""

    threshold: float
    """A pair is called erroneous from this probability of an error on."""

    meaning: Meaning | None
    """Tells replacements from words that have nothing to do with what stood there; None where nothing can."""

    on_device: bool
    """Whether a GPU does most of the work, which several processes would only wait for."""

    def label(self, pairs: Sequence[Pair]) -> list[Labelled]: ...
