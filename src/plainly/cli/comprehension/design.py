"""`plainly comprehension design`: who reads what, in which order?"""

from __future__ import annotations

import argparse

from plainly.base.files import refuse_overwriting
from plainly.base.messages import plural
from plainly.cli.options import insist_ending
from plainly.cli.printing import note
from plainly.comprehension.checks import refuse_errors
from plainly.comprehension.design import block_size, make_plan, next_balanced
from plainly.comprehension.experiment import read_experiment
from plainly.comprehension.plans import write_plan


def run(options: argparse.Namespace) -> None:
    refuse_overwriting(options.output, [options.experiment])
    insist_ending(options.output, "a plan", ("csv", "jsonl"))
    experiment = read_experiment(options.experiment)
    refuse_errors(experiment, options.experiment)
    write_plan(make_plan(experiment, options.participants, options.seed), options.output)
    if options.quiet:
        return
    passages, versions = len(experiment.passages), len(experiment.version_ids)
    note(
        f"{plural(options.participants, 'participant')}, each {plural(passages, 'passage')} in {versions} versions; "
        f"seed {options.seed}"
    )
    balanced = next_balanced(options.participants, passages, versions)
    if balanced != options.participants:
        block = block_size(passages, versions)
        note(f"note: everything is balanced after every {block} participants; next with {balanced}")
