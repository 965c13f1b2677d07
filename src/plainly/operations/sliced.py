"""A comparison cut into slices, also by what the references do, and what that adds to its verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from plainly.base.errors import PlainlyError
from plainly.findings import Findings
from plainly.operations.reference_tags import Watch, reference_tags
from plainly.operations.slices import by_operation
from plainly.operations.tagger import Tagger
from plainly.operations.why import tag_and_explain
from plainly.scoring.comparison import Comparison
from plainly.scoring.slices import OPERATION, groupings, slices


def findings_with_slices(
    comparison: Comparison,
    by: Sequence[str],
    tagger: Callable[[], Tagger],
    *,
    in_catalogue: bool = False,
    watch: Watch | None = None,
) -> Findings:
    """The findings with a table of slices `by` length, operation or columns of the records.

    The operations of the references make slices; those of the best two systems go into the verdict. `tagger` is
    asked for only there. Tags of references are kept, see `reference_tags`.
    """
    corpus = comparison.evaluation.corpus
    if corpus is None:
        raise PlainlyError("slices need the texts and columns, which this evaluation does not have")
    more = None
    if OPERATION in by:
        chosen = tagger()
        more = by_operation(corpus, reference_tags(corpus, chosen, in_catalogue=in_catalogue, watch=watch))
        comparison = tag_and_explain(comparison, corpus, chosen, watch)
    found = slices(comparison, groupings(corpus, by, {OPERATION: more.grouping} if more else None))
    findings = comparison.findings([found.table()])
    return replace(
        findings,
        notes=[*findings.notes, *(more.notes if more else ())],
        data={**findings.data, "slices": found.to_dict(), "segments_without_value": dict(found.without)},
    )
