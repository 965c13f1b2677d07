"""`plainly operations agreement`: do annotators find the same operations, and do they find those of gold?"""

from __future__ import annotations

import argparse

from plainly.base.errors import PlainlyError
from plainly.cli.operations.inputs import annotation_sets, rules_of
from plainly.cli.options import studied_resampling
from plainly.cli.printing import print_findings
from plainly.operations.agreement import agreement, by_annotator
from plainly.operations.findings import agreement_findings


def run(options: argparse.Namespace) -> None:
    if options.top < 1:
        raise PlainlyError(f"--top must be at least 1, not {options.top}")
    if options.annotator is not None and not options.gold:
        raise PlainlyError(
            "--annotator needs --gold: without it, labels and confusions are of all annotators together"
        )
    merge = _merge(options.merge)
    rules = rules_of(options)
    pairs, gold = annotation_sets(options, ["annotations", "gold"], "annotator", rules)
    found = agreement(
        by_annotator(pairs),
        gold if options.gold else None,
        typology=rules.typology,
        errors=options.errors,
        merge=merge,
        resampling=studied_resampling(options, "source"),
    )
    if options.table == "overall" and not found.overall:
        raise PlainlyError("--table overall needs two annotators besides gold")
    if options.table == "spread" and not found.spreads:
        raise PlainlyError("--table spread needs gold and two annotators besides it")
    made = agreement_findings(found, options.annotator, options.top)
    print_findings(options, made, [options.table] if options.table else ())


def _merge(items: list[str]) -> dict[str, list[str]]:
    merge: dict[str, list[str]] = {}
    for item in items:
        name, _, text = item.partition("=")
        labels = [label.strip() for label in text.split(",") if label.strip()]
        if not name or not labels:
            raise PlainlyError(f"--merge takes NAME=LABEL,LABEL, not {item!r}")
        merge.setdefault(name, []).extend(labels)
    return merge
