"""Published judgements, each read from its own files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from plainly.base.errors import UnknownName
from plainly.metaeval.adapters.asset_sources import REFERENCE_SETS, asset_ratings, simplicity_da
from plainly.metaeval.adapters.deplain import deplain_web
from plainly.metaeval.adapters.labels import qats
from plainly.metaeval.adapters.simpeval import simpeval, simpeval_da, simpeval_likert
from plainly.metaeval.adapters.texts import arts94, textcomplexityde
from plainly.metaeval.judged_set import JudgedSet, Values

__all__ = ["ADAPTERS", "REFERENCE_SETS", "Adapter", "load"]


@dataclass(frozen=True)
class Adapter:
    """One data set: what it is, the file without which it is not there, and how it is read."""

    about: str
    file: str
    read: Callable[[str | Path, Values | None], JudgedSet]


ADAPTERS: Mapping[str, Adapter] = {
    "simplicity-da": Adapter(
        "600 English outputs of six systems, direct assessment", "simplicity_DA.csv", simplicity_da
    ),
    "asset-ratings": Adapter("100 English outputs, 15 ratings each", "human_ratings.csv", asset_ratings),
    "simpeval-2022": Adapter("360 English outputs, overall quality", "simpeval_2022.csv", simpeval),
    "simpeval-2022-da": Adapter("the same, three aspects, 0 to 100", "simpDA_2022.csv", simpeval_da),
    "simpeval-2022-likert": Adapter("the same, three aspects, short scales", "simplikert_2022.csv", simpeval_likert),
    "qats": Adapter("631 English pairs labelled good, ok or bad", "qats.train.tsv", qats),
    "arts94": Adapter("94 English texts, how hard they are", "arts94.jsonl", arts94),
    "deplain-web": Adapter("384 German pairs that people wrote", "deplain_web_rated.csv", deplain_web),
    "textcomplexityde": Adapter(
        "1000 German sentences, how hard they are", "textcomplexityde_ratings.csv", textcomplexityde
    ),
}
"""Published judgements that can be read, by name."""


def load(name: str, folder: str | Path, values: Values | None = None) -> JudgedSet:
    """A data set from the folder that holds its files, at any depth.

    `values`: "raw" as people gave them, "z" as z-scores of each rater; None as the data set's paper uses them.
    """
    if name not in ADAPTERS:
        raise UnknownName("data set", name, ADAPTERS)
    return ADAPTERS[name].read(folder, values)
