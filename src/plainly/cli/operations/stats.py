"""`plainly operations stats`: how common each operation is, and how two corpora differ."""

from __future__ import annotations

import argparse

from plainly.base.errors import PlainlyError
from plainly.cli.operations.inputs import annotation_sets, rules_of
from plainly.cli.operations.parser import TABLES
from plainly.cli.options import studied_resampling
from plainly.cli.printing import insist_on_one_table, print_findings
from plainly.operations.findings import statistics_findings
from plainly.operations.statistics import statistics


def run(options: argparse.Namespace) -> None:
    sampling = studied_resampling(options, "source")
    if options.table == "comparison" and not options.beside:
        raise PlainlyError("--table comparison needs --beside")
    insist_on_one_table(options, TABLES["stats"] if options.beside else TABLES["stats"][:-1])
    rules = rules_of(options)
    first, second = annotation_sets(options, ["annotations", "beside"], rules=rules)
    against = second if options.beside else None
    found = statistics(first, against, rules.typology, sampling, erroneous=options.erroneous)
    print_findings(options, statistics_findings(found), [options.table] if options.table else ())
