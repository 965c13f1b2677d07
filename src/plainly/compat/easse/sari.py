"""SARI (Xu et al. 2016) with EASSE's arguments; the formulas stand in `plainly.metrics.sari`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import harmonic_mean

import numpy as np

from plainly.compat.easse._inputs import SYSTEM, References, Sentences, as_corpus
from plainly.corpus import Corpus
from plainly.metrics import Array, Score, get

NGRAM_ORDER = 4

Counts = Sequence[int]


def corpus_sari(
    orig_sents: Sentences,
    sys_sents: Sentences,
    refs_sents: References,
    lowercase: bool = True,
    tokenizer: str = "13a",
    legacy: bool = False,
    use_f1_for_deletion: bool = True,
    use_paper_version: bool = False,
) -> float:
    """SARI of a corpus, 0-100. `refs_sents` has the shape (references, sentences).

    >>> corpus_sari(["He purchased a car."], ["He bought a car."], [["He bought a car."], ["He got a car."]])
    80.55555555555556
    """
    operations = get_corpus_sari_operation_scores(
        orig_sents,
        sys_sents,
        refs_sents,
        lowercase,
        tokenizer,
        legacy,
        use_f1_for_deletion,
        use_paper_version,
    )
    return sum(operations) / 3


def get_corpus_sari_operation_scores(
    orig_sents: Sentences,
    sys_sents: Sentences,
    refs_sents: References,
    lowercase: bool = True,
    tokenizer: str = "13a",
    legacy: bool = False,
    use_f1_for_deletion: bool = True,
    use_paper_version: bool = False,
) -> tuple[float, float, float]:
    """SARI's three parts (add, keep, delete) of a corpus, 0-100."""
    corpus = as_corpus(orig_sents, sys_sents, refs_sents)
    if not len(refs_sents):
        return 0.0, 0.0, 0.0
    return operation_scores(corpus, lowercase, tokenizer, legacy, use_f1_for_deletion, use_paper_version)


def operation_scores(
    corpus: Corpus,
    lowercase: bool = True,
    tokenizer: str = "13a",
    legacy: bool = False,
    use_f1_for_deletion: bool = True,
    use_paper_version: bool = False,
) -> tuple[float, float, float]:
    """The same of a corpus that is built already."""
    if not len(corpus):
        return 0.0, 0.0, 0.0
    metric = get("sari", variant="easse-legacy" if legacy else "easse", tokenizer=tokenizer, lowercase=lowercase)
    totals = metric.measure(corpus, SYSTEM).sum(axis=0)
    return _operations(totals, use_f1_for_deletion, use_paper_version)


def compute_ngram_stats(orig_sents: Sentences, sys_sents: Sentences, refs_sents: References) -> tuple[list[int], ...]:
    """The nine counts behind SARI, each for n = 1..4, of text that is normalised already.

    Their order is add, keep, delete; within each: correct, made by the system, wanted by the references.
    """
    metric = get("sari", tokenizer="none", lowercase=False, reference_weighting="counts")
    rows = metric.measure(as_corpus(orig_sents, sys_sents, refs_sents), SYSTEM)
    counts = rows.sum(axis=0)[1:].astype(int).reshape(9, NGRAM_ORDER)
    return tuple(row.tolist() for row in counts)


def compute_macro_sari(
    add_sys_correct: Counts,
    add_sys_total: Counts,
    add_ref_total: Counts,
    keep_sys_correct: Counts,
    keep_sys_total: Counts,
    keep_ref_total: Counts,
    del_sys_correct: Counts,
    del_sys_total: Counts,
    del_ref_total: Counts,
    use_f1_for_deletion: bool = True,
) -> tuple[float, float, float]:
    """Add, keep and delete, 0-1, from the nine counts: F1 for each n, then their mean (the default)."""
    totals = _totals(
        [add_sys_correct, add_sys_total, add_ref_total],
        [keep_sys_correct, keep_sys_total, keep_ref_total],
        [del_sys_correct, del_sys_total, del_ref_total],
    )
    add, keep, delete = _operations(totals, use_f1_for_deletion, use_paper_version=False)
    return add / 100, keep / 100, delete / 100


def compute_micro_sari(
    add_hyp_correct: Counts,
    add_hyp_total: Counts,
    add_ref_total: Counts,
    keep_hyp_correct: Counts,
    keep_hyp_total: Counts,
    keep_ref_total: Counts,
    del_hyp_correct: Counts,
    del_hyp_total: Counts,
    del_ref_total: Counts,
    use_f1_for_deletion: bool = True,
) -> tuple[float, float, float]:
    """Add, keep and delete, 0-1, from the nine counts: means over n of precision and recall, then one F1."""
    totals = _totals(
        [add_hyp_correct, add_hyp_total, add_ref_total],
        [keep_hyp_correct, keep_hyp_total, keep_ref_total],
        [del_hyp_correct, del_hyp_total, del_ref_total],
    )
    add, keep, delete = _operations(totals, use_f1_for_deletion, use_paper_version=True)
    return add / 100, keep / 100, delete / 100


def compute_precision_recall(sys_correct: int, sys_total: int, ref_total: int) -> tuple[float, float]:
    """Precision and recall, 0-1; 0 where the denominator is 0."""
    precision, recall, _ = compute_precision_recall_f1(sys_correct, sys_total, ref_total)
    return precision, recall


def compute_f1(precision: float, recall: float) -> float:
    """The harmonic mean of the two; 0 unless both are positive."""
    return float(harmonic_mean([precision, recall]))


def compute_precision_recall_f1(sys_correct: int, sys_total: int, ref_total: int) -> tuple[float, float, float]:
    """Precision, recall and F1, 0-1."""
    counts = [[sys_correct, 0, 0, 0], [sys_total, 0, 0, 0], [ref_total, 0, 0, 0]]
    parts = _score("easse", _totals(counts, counts, counts)).components
    precision, recall, f1 = (float(parts[f"add_{rate}_1"]) / 100 for rate in ("precision", "recall", "f1"))
    return precision, recall, f1


def extract_ngrams(line: str, min_order: int = 1, max_order: int = NGRAM_ORDER) -> list[Counter[str]]:
    """How often each n-gram occurs in a line, one counter for each n; tokens are joined with one blank."""
    tokens = line.split()
    return [
        Counter(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))
        for n in range(min_order, max_order + 1)
    ]


def multiply_counter(c: Counter[str], v: int) -> Counter[str]:
    """The counter with every count times `v`."""
    return Counter({key: count * v for key, count in c.items()})


def _operations(totals: Array, use_f1_for_deletion: bool, use_paper_version: bool) -> tuple[float, float, float]:
    parts = _score("paper" if use_paper_version else "easse", totals).components
    # The precision of deletions is one number in both schemes: its mean over n.
    delete = parts["delete"] if use_f1_for_deletion else _score("star", totals).components["delete"]
    return float(parts["add"]), float(parts["keep"]), float(delete)


def _score(variant: str, totals: Array) -> Score:
    return get("sari", variant=variant).score(totals)


def _totals(add: Sequence[Counts], keep: Sequence[Counts], delete: Sequence[Counts]) -> Array:
    one_segment = [1.0]
    return np.concatenate([one_segment, np.array([add, keep, delete], dtype=np.float64).ravel()])
