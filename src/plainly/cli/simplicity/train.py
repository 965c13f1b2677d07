"""`plainly simplicity train`: a model for your language, domain and readers, from your own ranking."""

from __future__ import annotations

import argparse

from plainly.base.errors import PlainlyError
from plainly.base.files import write_bytes
from plainly.cli.judgement_inputs import judgements_of, protect_inputs
from plainly.cli.printing import ProgressLine, note_aside
from plainly.ranking import read_texts
from plainly.simplicity import Settings, overlapping, targets, train
from plainly.simplicity.findings import training_findings


def run(options: argparse.Namespace) -> None:
    if not options.texts:
        raise PlainlyError("--texts is missing: the texts that were judged (id, text)")
    protect_inputs(options.output, options.judgements, options.texts, *options.test_texts)
    judgements, texts = judgements_of(options)
    held_out = [text.text for path in options.test_texts for text in read_texts(path)]
    known = targets(judgements)
    near = overlapping([text.text for text in texts], held_out)
    kept = [text for text, left_out in zip(texts, near, strict=True) if text.id in known and not left_out]
    line = ProgressLine(options.quiet)
    try:
        model = train(
            [text.text for text in kept],
            [known[text.id] for text in kept],
            options.lang or "en",
            options.size,
            Settings(seed=options.seed),
            about={"judgements": len(judgements), "left out": sum(near)},
            say=lambda doing: line.show(f"learning: {doing:<30}"),
        )
    finally:
        line.end()
    content = model.save()
    write_bytes(options.output, content)
    unjudged = len(texts) - len(known)
    note_aside(
        options,
        training_findings(model, learned=len(kept), left_out=sum(near), unjudged=unjudged, size=len(content)),
    )
