"""BERTScore (Zhang et al. 2020): each token of one text is matched with the most similar token of the other.

With x the vectors of the reference's tokens and y those of the output's, all of length 1, and w(.) their weights:

    R = sum_i w(x_i) max_j x_i . y_j / sum_i w(x_i)        recall: is what the reference says in the output?
    P = sum_j w(y_j) max_i x_i . y_j / sum_j w(y_j)        precision: is what the output says in the reference?
    F1 = 2 P R / (P + R)

Weights are 1, or with `idf` the inverse document frequency log((N + 1) / (n + 1)) of the token, n of N texts having
it; the tokens for the beginning and the end of a text weigh nothing, but may be matched. A segment's P, R and F1 are
each the largest over its references; the score is the mean over segments. A text without tokens gives 0. All of this
is as in the package bert-score. With a baseline b, each value v becomes (v - b) / (1 - b).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress
from math import log
from pathlib import Path
from threading import Lock
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from plainly.base.errors import PlainlyError, Remedy
from plainly.base.signature import Signed
from plainly.corpus import Corpus
from plainly.metrics._encoder import EncoderMetric
from plainly.metrics.base import SCORED, Array, Facts, Score, ratio, scored, with_scored
from plainly.metrics.settings import setting
from plainly.models.encoders import EMBEDDED, MOVED

PAPER = "Zhang et al. 2020, BERTScore: Evaluating Text Generation with BERT, ICLR"

# The layers published with the package bert-score: those that agree best with human judgements of translations.
# Of the embedded model it is the last but one: the last was trained for whole sentences, see docs/bertscore.md.
LAYERS = {
    EMBEDDED: 5,
    "roberta-large": 17,
    "roberta-base": 10,
    "bert-base-multilingual-cased": 9,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-chinese": 8,
    "distilbert-base-uncased": 5,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "microsoft/deberta-xlarge-mnli": 40,
}
SHORT_NAMES = {EMBEDDED: "MiniLM"}
"""How titles name models, where not by the last part of their name."""


@dataclass(frozen=True, kw_only=True)
class BertScore(EncoderMetric):
    """`idf` are the texts that weigh the tokens: for the package's idf, all references of the test set."""

    name = "bertscore"
    facts = Facts(
        title="BERTScore",
        about="how well the tokens of output and reference match, by the vectors of a language model: F1",
        direction="higher",
        range=(-1.0, 1.0),
        needs=frozenset({"references"}),
        paper=PAPER,
        caution="BERTScores of different models or layers cannot be compared",
        decimals=4,
    )
    also_signed: ClassVar = {
        "baseline": Signed(
            "precision, recall and F1 that BERTScore counts as 0",
            "rescaled by another baseline, or not at all",
            unsaid="none",
        ),
    }

    layer: int | None = setting(
        None,
        kind=int,
        help="the layer of the model",
        about="whose vectors BERTScore compares",
        differs="another layer of the model: its values lie in another range",
        decided="by model",
        resource=True,
    )
    idf: tuple[str, ...] | None = setting(
        None,
        kind=tuple,
        help="the texts that weigh the tokens",
        about="how many texts weigh the tokens, and a digest of them",
        differs="tokens weigh otherwise: 1 each, or more where they are rare in these texts",
        unsaid="none",
        shown=False,  # a face has no texts to give, but says that it should be those of the test set
    )
    baseline_file: str | None = setting(
        None,
        help="rescale by this table (LAYER,P,R,F)",
        signed=False,
        resource=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.layer is not None and (not isinstance(self.layer, int) or self.layer < 0):
            raise PlainlyError(f"layer must be a whole number from 0 on, not {self.layer!r}")
        if self.idf is None:
            return
        texts = () if isinstance(self.idf, (str, bool)) else tuple(self.idf)
        if not texts or not all(isinstance(text, str) for text in texts):
            raise PlainlyError("idf must be a list of texts that weigh the tokens: all references of the test set")
        object.__setattr__(self, "idf", texts)

    @classmethod
    def usual_models(cls, lang: str) -> tuple[str, ...]:
        return ("roberta-large", EMBEDDED) if lang == "en" else ("bert-base-multilingual-cased",)

    @property
    def title(self) -> str:
        """With the model and the layer: BERTScores of others cannot be compared."""
        settings = self.settings()
        model = settings["model"].partition("@")[0]
        name = SHORT_NAMES.get(model, model.rpartition("/")[2])
        return f"{super().title} ({name}, layer {settings['layer']})"

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, "precision", "recall", "f1", "truncated")

    def settings(self) -> dict[str, str]:
        settings = super().settings()
        layer = _usual_layer(self.model or settings["model"]) if self.layer is None else self.layer
        revision = settings.pop("revision")
        del settings["layer"], settings["idf"]
        return {
            **settings,
            "layer": "unknown" if layer is None else str(layer),
            "revision": revision,
            "idf": "none" if self.idf is None else f"{len(self.idf)}-{_digest(self.idf)}",
            "baseline": "none" if self.baseline_file is None else "/".join(f"{v:g}" for v in self._baseline),
        }

    def measure(self, corpus: Corpus, system: str) -> Array:
        key = ("bertscore", replace(self, baseline_file=None))
        statistics = corpus.prepared(key, lambda: self._measure_all(corpus))[system]
        present = scored(corpus, system, self.facts.needs) & ~np.isnan(statistics).any(axis=1)
        if self.baseline_file is not None:
            base = np.array([*self._baseline, 0.0])
            statistics = (statistics - base) / (1 - base)
        return with_scored(present, statistics)

    def score(self, totals: Array) -> Score:
        precision, recall, f1 = (ratio(totals[..., i], totals[..., 0]) for i in (1, 2, 3))
        return Score(f1, {"precision": precision, "recall": recall, "f1": f1, "truncated": totals[..., 4]})

    def _measure_all(self, corpus: Corpus) -> dict[str, Array]:
        """Precision, recall, F1 and whether a text was cut, of all systems; NaN where a segment has no value.

        All systems at once, so that a text is encoded once even if several of them, or a reference, say the same.
        """
        statistics = {system: np.full((len(corpus), 4), np.nan) for system in corpus.outputs}
        outputs = (text for texts in corpus.outputs.values() for text in texts if text is not None)
        texts = list(dict.fromkeys(chain(chain.from_iterable(corpus.references), outputs)))
        known: dict[str | None, int] = {text: i for i, text in enumerate(texts)}
        number = known.__getitem__
        references = np.fromiter(map(number, chain.from_iterable(corpus.references)), dtype=np.int64)
        counts, groups = corpus.reference_counts, corpus.reference_groups
        wanted = {}  # by system: its segments, and their pairs, those of one segment after the other
        for system in corpus.outputs:
            present = scored(corpus, system, self.facts.needs)
            there, many = np.flatnonzero(present), counts[present]
            own = np.fromiter(map(number, compress(corpus.output(system), present.tolist())), dtype=np.int64)
            steps = np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)
            others = references[np.repeat(groups[there], many) + steps]
            wanted[system] = there, np.column_stack([others, np.repeat(own, many)])
        if not any(len(pairs) for _, pairs in wanted.values()):
            return statistics
        # By the numbers of the references, so that pairs with the same one stand together.
        pairs, places = np.unique(np.concatenate([own for _, own in wanted.values()]), axis=0, return_inverse=True)
        values = self._match(texts, pairs[:, ::-1])[places.reshape(-1)]
        start = 0
        for system, (there, own) in wanted.items():
            if len(own):
                firsts = start + np.cumsum(counts[there]) - counts[there]
                statistics[system][there] = np.fmax.reduceat(values[: start + len(own)], firsts)
            start += len(own)
        return statistics

    def _match(self, texts: Sequence[str], pairs: NDArray[np.int64]) -> Array:
        """Precision, recall, F1, and whether a text was cut; pairs are of an output and a reference, by number."""
        encoder = self.encoder
        tokens = encoder.tokens(texts)
        precision, recall = encoder.match(tokens, pairs, self._chosen_layer, self._weights).T
        both = precision + recall
        with np.errstate(divide="ignore", invalid="ignore"):
            f1 = np.where(both == 0, 0.0, 2 * precision * recall / both)
        values = np.column_stack([precision, recall, f1, np.zeros(len(pairs))])
        values[tokens.without(encoder.special)[pairs].any(axis=1)] = 0
        values[:, 3] = tokens.cut[pairs].any(axis=1)
        return values

    @property
    def _chosen_layer(self) -> int:
        layer = _usual_layer(self.model_name) if self.layer is None else self.layer
        if layer is None:
            known = f"0 to {self.encoder.layers}"
            raise PlainlyError(f"bertscore: which layer of {self.model_name}? It has {known}", remedy=Remedy("layer"))
        self.encoder.check_layer(layer)
        return layer

    @property
    def _weights(self) -> Array:
        """What each token of the vocabulary weighs."""
        encoder = self.encoder
        if self.idf is None:
            weights = np.ones(encoder.vocabulary)
            weights[list(encoder.special)] = 0
            return weights
        with _COUNTING:
            counts = self._document_counts
        rare = log(len(self.idf) + 1)
        weights = np.full(encoder.vocabulary, rare)
        for token, count in counts.items():
            weights[token] = log((len(self.idf) + 1) / (count + 1))
        return weights

    @cached_property
    def _document_counts(self) -> Counter[int]:
        """In how many of the texts of `idf` each token is."""
        counts: Counter[int] = Counter()
        texts = self.idf or ()
        for start in range(0, len(texts), 4096):
            for ids in self.encoder.tokens(texts[start : start + 4096]):
                counts.update(set(ids.tolist()))
        return counts

    @cached_property
    def _baseline(self) -> tuple[float, float, float]:
        """The baseline of precision, recall and F1, from the row of the layer in a file of bert-score's form."""
        path, layer = Path(str(self.baseline_file)), self._chosen_layer
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise PlainlyError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
        for line in lines[1:]:
            cells = line.replace("\t", ",").split(",")
            try:
                number, precision, recall, f1 = map(float, cells)
            except ValueError:
                raise PlainlyError(f"{path}: expected LAYER,P,R,F and numbers below, not {line!r}") from None
            if number == layer:
                if not all(-1 <= value < 1 for value in (precision, recall, f1)):
                    raise PlainlyError(f"{path}: a baseline must be from -1 to below 1, not {line!r}")
                return precision, recall, f1
        raise PlainlyError(f"{path}: no baseline for layer {layer}")


_COUNTING = Lock()


def _usual_layer(model: str) -> int | None:
    """The layer of a model by its name on the hub, with or without its revision and its old owner."""
    plain = model.partition("@")[0]
    return LAYERS.get(plain, LAYERS.get(plain.rpartition("/")[2]) if plain in MOVED.values() else None)


def _digest(texts: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:12]
