"""`plainly ranking report`: the ranking, the raters and their disputes as one HTML page."""

from __future__ import annotations

import argparse
from datetime import date

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.cli.judgement_inputs import judgements_of, methods_of, protect_inputs, settings_for
from plainly.cli.options import studied_resampling
from plainly.cli.printing import note
from plainly.ranking import rate
from plainly.ranking.careless import words_of
from plainly.ranking.raters import agreement
from plainly.report.assets import chart_library
from plainly.report.ranking import ranking_page


def run(options: argparse.Namespace) -> None:
    chart_library()  # if it is missing, say so before the work
    methods = methods_of(options)
    if len(methods) > 1:
        raise PlainlyError("--method takes one method here")
    drawn = studied_resampling(options, "match")
    protect_inputs(options.output, options.judgements, options.texts)
    judgements, texts = judgements_of(options)
    with writing(options.output) as out:
        ranking = rate(
            judgements,
            methods[0],
            disconnected=options.disconnected,
            resamples=drawn.resamples,
            seed=drawn.seed,
            confidence=drawn.confidence,
            **settings_for(methods[0], options, methods),
        )
        wording = {text.id: text.text for text in texts}
        found = None
        if len(judgements.raters) > 1:
            found = agreement(judgements, by=options.by, words=words_of(wording), resampling=drawn)
        out.write(ranking_page(ranking, judgements, found, wording, date.today().isoformat(), options.title))
    if not options.quiet:
        for remark in ranking.notes:
            note(f"note: {remark}")
        if options.output != "-":
            note(f"wrote {options.output}")
