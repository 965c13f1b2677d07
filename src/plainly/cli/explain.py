"""`plainly score --explain-sari`: SARI under all settings, and why two numbers differ."""

from __future__ import annotations

import argparse
import json
import re

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.tables import Cell, render
from plainly.cli.request import Request
from plainly.inference.estimates import finite
from plainly.metrics.sari import Sari
from plainly.scoring import runnable
from plainly.scoring.explain import Setting, closest, gap, parse_setting, sari_grid


def explain(request: Request, options: argparse.Namespace, form: str) -> None:
    if len(options.explain_sari) not in (0, 2):
        raise PlainlyError("--explain-sari takes nothing, or two numbers or settings")
    runnable(["sari"], request.available, request.lang)
    with writing(options.output) as out:
        grids = sari_grid(request.chunks, request.lang, request.baselines, options.threads)
        if not grids:
            raise PlainlyError("--explain-sari needs the outputs of a system")
        if options.explain_sari:
            out.write(_gaps(grids, options.explain_sari, form))
        else:
            out.write(_grids(grids, form))


def _grids(grids: dict[str, dict[Setting, float]], form: str) -> str:
    if form == "json":
        content = {
            system: [
                {"variant": s.variant, "tokenizer": s.tokenizer, "lowercase": s.lowercase, "sari": finite(score)}
                for s, score in scores.items()
                if s.variant in Sari.variants
            ]
            for system, scores in grids.items()
        }
        return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
    columns = list(dict.fromkeys((s.tokenizer, s.lowercase) for scores in grids.values() for s in scores))
    headers = ["system", "variant", *(f"{tok} {'lower' if lower else 'cased'}" for tok, lower in columns)]
    rows: list[list[Cell]] = [
        [system, variant, *(scores.get(Setting(variant, tok, lower)) for tok, lower in columns)]
        for system, scores in grids.items()
        for variant in Sari.variants
    ]
    text = render(headers, rows, form)
    if form == "table":
        text += "\n" + "".join(f"{name:<15} {about}\n" for name, about in Sari.variants.items())
    return text


def _gaps(grids: dict[str, dict[Setting, float]], ends: list[str], form: str) -> str:
    rows: list[list[Cell]] = []
    contents = []
    for system, scores in grids.items():
        start, end = (_setting(scores, text) for text in ends)
        steps = gap(scores, start, end)
        rows.append([system, f"from: {_origin(scores, start, ends[0])}", scores[start], None])
        rows += [[system, step.cause, step.after, step.after - step.before] for step in steps]
        rows.append([system, f"to: {_origin(scores, end, ends[1])}", scores[end], scores[end] - scores[start]])
        contents.append(
            {
                "system": system,
                "from": {"setting": str(start), "sari": finite(scores[start]), "given": ends[0]},
                "to": {"setting": str(end), "sari": finite(scores[end]), "given": ends[1]},
                "steps": [
                    {"cause": s.cause, "change": finite(s.after - s.before), "sari": finite(s.after)} for s in steps
                ],
            }
        )
    if form == "json":
        return json.dumps(contents, ensure_ascii=False, indent=2) + "\n"
    return render(["system", "what changes", "SARI", "change"], rows, form)


def _setting(scores: dict[Setting, float], text: str) -> Setting:
    """A setting by name, or the one whose score is nearest to a published number."""
    return closest(scores, text) if _is_number(text) else parse_setting(text)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", text) is not None


def _origin(scores: dict[Setting, float], setting: Setting, text: str) -> str:
    """The setting, and for a published number how far from it the nearest setting is."""
    return (
        f"{setting} (nearest to {text}: {scores[setting] - float(text):+.2f})" if _is_number(text) else str(setting)
    )
