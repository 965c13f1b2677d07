"""The conventions behind the printed tables of Cardon et al. 2022, faults included.

"Linguistic Corpus Annotation for Automatic Text Simplification Evaluation" (EMNLP 2022) scores systems on subsets of
ASSET's references (Table 4). Its SARI comes out of the released files only if two faults are left in:

prefix   sources and references begin with the number of the line and a tab; the outputs do not. The numbers count as
         words that every system deleted and every reference kept.
blanks   a source with k references has 10 lines, of which 10 - k are blank. The blank ones count as references that
         deleted everything.

BLEU in the paper has the prefix, but its tool dropped the blank references. In both forms the sources of the subsets
are untokenised and the references tokenised, but those of `orig`, which are untokenised.
This serves to check the paper, not to judge a system.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plainly.base.messages import Message, message
from plainly.base.plain_data import plain_data
from plainly.corpus import Corpus
from plainly.findings.result import StudyResult
from plainly.metrics import Metric
from plainly.metrics.bleu import Bleu
from plainly.metrics.sari import Sari
from plainly.operations.annotated_set import AnnotatedSet
from plainly.operations.selection import Members, Outputs, Sizes, corpus_of, everything, sizes, sizes_data

NAME = "cardon-2022"
SUBSETS = {
    "new": "any and not err",
    "lexical": "lexical and not err",
    "synt": "syntactic and not err",
    "addGuide": "add and not err",
    "delGuide": "delete and not err",
    "replGuide": "replace and not err",
}
"""The subsets, named as the released folders, and the rules that fit them."""
ALPHAS = {"sari keep": 0.6, "sari add": 0.2, "sari delete": 0.5}
"""The penalties of the lasso behind Table 3. That of the whole score is not known; the best leaves R2 near 0."""
ORIG = "orig"
FORMS = {
    "printed": "both faults in",
    "no prefix": "blank references count, the prefix is gone",
    "corrected": "neither fault; every source weighs the same",
    "corrected, counts": "neither fault; a source weighs as much as it has references",
    "same texts": "as corrected, with untokenised references like those of orig",
}


@dataclass(frozen=True)
class Replicated:
    """One cell of Table 4 in all its forms; None where a form does not exist."""

    metric: str
    subset: str
    system: str
    forms: Mapping[str, float | None]

    def to_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {"metric": self.metric, "subset": self.subset, "system": self.system, **self.forms}


def table_4(untokenised: AnnotatedSet, outputs: Outputs, subsets: Mapping[str, Members]) -> list[Replicated]:
    """SARI and BLEU of all systems on all references and on the subsets."""
    tokenised = replace(
        untokenised, targets=tuple(tuple(" ".join(pair.target) for pair in group) for group in untokenised.pairs)
    )
    found = []
    for subset, members in {ORIG: everything(tokenised), **subsets}.items():
        same = corpus_of(untokenised, members, outputs)
        if subset == ORIG:
            texts = dict.fromkeys(("printed", "no prefix", "corrected", "corrected, counts"), same)
            bleu_printed = same
        else:
            clean = corpus_of(tokenised, members, outputs)
            columns = max(map(len, tokenised.targets))
            texts = {
                "printed": _with_blanks(_with_prefix(clean), columns),
                "no prefix": _with_blanks(clean, columns),
                "corrected": clean,
                "corrected, counts": clean,
            }
            bleu_printed = _with_prefix(clean)
        texts["same texts"] = same
        for system in outputs:
            sari = {
                form: _score(_sari("counts" if form.endswith("counts") else "segments"), corpus, system)
                for form, corpus in texts.items()
            }
            bleu: dict[str, float | None] = dict.fromkeys(FORMS)
            for form, corpus in (("printed", bleu_printed), ("corrected", texts["corrected"]), ("same texts", same)):
                bleu[form] = _score(Bleu(lowercase=True), corpus, system)
            found += [Replicated("sari", subset, system, sari), Replicated("bleu", subset, system, bleu)]
    return found


@dataclass(frozen=True, repr=False)
class TableFour(StudyResult, findings="plainly.operations.findings:table_four_findings"):
    """Table 4 of Cardon et al. 2022, as printed and mended."""

    sizes: Sizes
    cells: tuple[Replicated, ...]
    changes: tuple[Replicated, ...]

    @property
    def notes(self) -> list[Message]:
        """What the forms are."""
        return [message(f"operations.form.{form}", f"{form}: {about}") for form, about in FORMS.items()]

    @property
    def data(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "scores": plain_data(self.cells),
            "summary": plain_data(self.changes),
            "sizes": sizes_data(self.sizes),
            "forms": FORMS,
            "notes": plain_data(self.notes),
        }


def replicated(data: AnnotatedSet, outputs: Outputs, subsets: Mapping[str, Members]) -> TableFour:
    """Table 4 of the paper, on these outputs."""
    found = sizes(subsets)
    cells = table_4(data, outputs, subsets)
    return TableFour(found, tuple(cells), tuple(mean_changes(cells)))


def mean_changes(cells: list[Replicated]) -> list[Replicated]:
    """For each subset: the mean over systems of its score less that on all references, in every form."""
    whole = {(cell.metric, cell.system): cell.forms for cell in cells if cell.subset == ORIG}
    together: dict[tuple[str, str], list[dict[str, float]]] = {}
    for cell in cells:
        if cell.subset != ORIG:
            base = whole[cell.metric, cell.system]
            changes = {
                form: value - before
                for form, value in cell.forms.items()
                if value is not None and (before := base[form]) is not None
            }
            together.setdefault((cell.metric, cell.subset), []).append(changes)
    return [
        Replicated(
            metric,
            subset,
            f"mean of {len(changes)}",
            {form: float(np.mean([c[form] for c in changes])) if form in changes[0] else None for form in FORMS},
        )
        for (metric, subset), changes in together.items()
    ]


def _sari(weighting: str) -> Metric:
    return Sari(reference_weighting=weighting)


def _score(metric: Metric, corpus: Corpus, system: str) -> float:
    return float(metric.score(metric.measure(corpus, system).sum(axis=0)).value)


def _with_prefix(corpus: Corpus) -> Corpus:
    ids = corpus.ids or ()
    return Corpus(
        [f"{number}\t{text}" for number, text in zip(ids, corpus.sources, strict=True)],
        [[f"{number}\t{text}" for text in group] for number, group in zip(ids, corpus.references, strict=True)],
        corpus.outputs,
        ids,
        lang=corpus.lang,
    )


def _with_blanks(corpus: Corpus, columns: int) -> Corpus:
    groups = [[*group, *[""] * (columns - len(group))] for group in corpus.references]
    return Corpus(corpus.sources, groups, corpus.outputs, corpus.ids, lang=corpus.lang)
