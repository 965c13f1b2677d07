"""`plainly simplicity explain`: what makes these texts simple or hard, by the model?"""

from __future__ import annotations

import argparse
import json

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.tables import Cell, render, with_lines
from plainly.base.version import __version__
from plainly.cli.simplicity.inputs import texts_of
from plainly.simplicity import WORDING, Explanation, explain, load_model


def run(options: argparse.Namespace) -> None:
    if options.top < 1:
        raise PlainlyError(f"--top must be at least 1, not {options.top}")
    model = load_model(options.model)
    texts = texts_of(options)
    found = [explain(text, model) for text in texts]
    with writing(options.output) as out:
        if options.format == "json":
            explained = [
                {"text": text, **(why.to_dict() if why else {"score": None})}
                for text, why in zip(texts, found, strict=True)
            ]
            content = {"plainly": __version__, "model": options.model, "texts": explained}
            out.write(json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
            return
        rows = [row for number, why in enumerate(found, 1) for row in _rows(number, why, options)]
        headers = ["text", "part", "value", "usual", "adds"]
        line = "the score is the sum of what its parts add; above 0: simpler"
        out.write(with_lines(render(headers, rows, options.format, 3), [line], options.format))


def _rows(number: int, why: Explanation | None, options: argparse.Namespace) -> list[list[Cell]]:
    if why is None:
        return [[number, "not scored: there is nothing to read", None, None, None]]
    top, words = options.top, sorted(why.words, key=lambda word: -abs(word.adds))
    rows: list[list[Cell]] = [[number, "start", None, None, why.start]]
    if options.by == "features":
        rows += [[number, part.name, part.value, part.usual, part.adds] for part in why.features[:top]]
        rows += _rest(number, "feature", [part.adds for part in why.features[top:]])
    else:
        found = [(name, adds) for name, adds in why.families.items() if name != WORDING]
        rows += [[number, name, None, None, adds] for name, adds in found]
    rows += [[number, f"word: {word.name}", None, None, word.adds] for word in words[:top]]
    rows += _rest(number, "word", [word.adds for word in words[top:]])
    if why.limit:
        rows.append([number, "held within 0 and 1", None, None, why.limit])
    return [*rows, [number, "score", None, None, why.score]]


def _rest(number: int, kind: str, adds: list[float]) -> list[list[Cell]]:
    if not adds:
        return []
    return [[number, f"{len(adds)} more {kind}{'s' if len(adds) > 1 else ''}", None, None, sum(adds)]]
