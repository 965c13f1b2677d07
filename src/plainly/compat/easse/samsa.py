"""SAMSA with EASSE's arguments, over plainly's metric `samsa`.

The formula is the same, the scenes are not: EASSE takes them from a UCCA parser, plainly from a dependency parse
(`samsa|scenes:dependency`), and it has its own word alignment. So these are not EASSE's numbers; docs/samsa.md
says how far apart they are. Texts are parsed as they stand, because a parser needs their case and their blanks:
`lowercase`, `tokenizer` and `verbose` are taken and change nothing.
"""

from __future__ import annotations

from plainly.compat.easse._inputs import SYSTEM, Sentences, as_corpus, score_of
from plainly.compat.easse.unavailable import stand_ins
from plainly.corpus import Corpus
from plainly.metrics import get

WHY = (
    "EASSE's steps need a UCCA parser and CoreNLP; the score with plainly's own scenes is "
    "`plainly score --metrics samsa`, or corpus_samsa in Python"
)

__getattr__ = stand_ins(
    [
        "align_scenes_sentences",
        "compute_samsa",
        "get_minimal_centers_from_participants",
        "get_minimal_centers_from_relations",
        "syntactic_parse_ucca_scenes",
    ],
    WHY,
)


def corpus_samsa(
    orig_sents: Sentences,
    sys_sents: Sentences,
    lowercase: bool = False,
    tokenizer: str = "13a",
    verbose: bool = False,
) -> float:
    """The mean of the sentences' scores, 0 to 100, by scenes:dependency. Not the same number as EASSE's.

    Sources without a scene are left out; NaN if that leaves none.
    """
    return corpus_value(as_corpus(orig_sents, sys_sents))


def corpus_value(corpus: Corpus) -> float:
    """The same of a corpus that is built already."""
    return score_of(corpus, "samsa")


def sentence_samsa(
    orig_sent: str,
    sys_sent: str,
    lowercase: bool = False,
    tokenizer: str = "13a",
    verbose: bool = False,
) -> float:
    """The score of one sentence, 0 to 100, by scenes:dependency. Not the same number as EASSE's."""
    return get_samsa_sentence_scores([orig_sent], [sys_sent])[0]


def get_samsa_sentence_scores(
    orig_sents: Sentences,
    sys_sents: Sentences,
    lowercase: bool = False,
    tokenizer: str = "13a",
    verbose: bool = False,
) -> list[float]:
    """The score of each sentence, 0 to 100, by scenes:dependency. Not the same numbers as EASSE's.

    NaN where the source has no scene.
    """
    metric = get("samsa")
    scores: list[float] = metric.score(metric.measure(as_corpus(orig_sents, sys_sents), SYSTEM)).value.tolist()
    return scores
