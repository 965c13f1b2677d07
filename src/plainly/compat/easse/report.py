"""The scores of EASSE's report. Its pages are not made here: plainly has a report of its own."""

from __future__ import annotations

from collections.abc import Sequence

from plainly.compat.easse import bleu, fkgl, quality_estimation, samsa, sari
from plainly.compat.easse._inputs import References, Sentences, as_corpus
from plainly.compat.easse.unavailable import stand_in, stand_ins
from plainly.compat.easse.utils.constants import DEFAULT_METRICS

WHY = "EASSE's report pages are not made here; `plainly report` makes one page with all of it"

__getattr__ = stand_ins(
    [
        "get_head_html",
        "get_html_report",
        "get_multiple_systems_html_report",
        "get_multiple_systems_qualitative_examples_html",
        "get_plotly_histogram",
        "get_plotly_html",
        "get_plots_html",
        "get_qualitative_examples_html",
        "get_random_html_id",
        "get_score_table_html_multiple_systems",
        "get_score_table_html_single_system",
        "get_scores_by_length_html",
        "get_table_html",
        "get_table_html_from_dataframe",
        "get_test_set_description_html",
        "make_differing_words_bold",
        "make_text_bold_html",
        "write_html_report",
        "write_multiple_systems_html_report",
    ],
    WHY,
)


def get_all_scores(
    orig_sents: Sentences,
    sys_sents: Sentences,
    refs_sents: References,
    lowercase: bool = False,
    tokenizer: str = "13a",
    metrics: Sequence[str] = DEFAULT_METRICS,
) -> dict[str, float]:
    """The report's scores, rounded to 2 digits: those of `metrics` that it knows, then quality estimation."""
    corpus = as_corpus(orig_sents, sys_sents, refs_sents)
    scores: dict[str, float] = {}
    if "bleu" in metrics:
        scores["BLEU"] = bleu.corpus_value(corpus, lowercase, tokenizer)
    if "sari" in metrics:
        scores["SARI"] = sum(sari.operation_scores(corpus, lowercase, tokenizer)) / 3
    if "samsa" in metrics:
        stand_in("SAMSA", samsa.WHY)()
    if "fkgl" in metrics:
        scores["FKGL"] = fkgl.corpus_value(corpus, tokenizer)
    scores |= quality_estimation.corpus_values(corpus, lowercase, tokenizer)
    return {name: round(value, 2) for name, value in scores.items()}
