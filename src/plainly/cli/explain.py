"""`plainly score --explain-sari`: SARI under all settings, and why two numbers differ."""

from __future__ import annotations

import argparse

from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable
from plainly.cli.printing import print_findings
from plainly.cli.request import Request
from plainly.scoring import runnable
from plainly.scoring.explain import sari_grid
from plainly.scoring.sari_findings import gap_findings, grid_findings


def explain(request: Request, options: argparse.Namespace) -> None:
    if len(options.explain_sari) not in (0, 2):
        raise PlainlyError("--explain-sari takes nothing, or two numbers or settings")
    runnable(["sari"], request.available, request.lang)
    check_writable(options.output)
    grids = sari_grid(request.chunks, request.lang, request.baselines, options.threads)
    if not grids:
        raise PlainlyError("--explain-sari needs the outputs of a system")
    print_findings(
        options, gap_findings(grids, *options.explain_sari) if options.explain_sari else grid_findings(grids)
    )
