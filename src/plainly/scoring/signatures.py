"""What two signatures have in common, and what each difference means for the numbers."""

from __future__ import annotations

from dataclasses import dataclass

from plainly.base.errors import PlainlyError, UnknownName
from plainly.metrics import configure, metric_class
from plainly.metrics.base import SHORT_NAMES

_LONG = {short: long for long, short in SHORT_NAMES.items()}

# Figures: 16 published systems on ASSET and TurkCorpus, see docs/sari.md.
MEANING = {
    "metric": "different metrics: their numbers cannot be compared",
    "lang": "another language: other tokens, syllables and formulas",
    "tokenizer": "other tokens: on published systems SARI moves by up to 0.7, FKGL by about 2",
    "lowercase": "upper and lower case told apart or not: on published systems SARI moves by up to 1.5",
    "references": "another number of references: BLEU rises steeply with it, SARI moves too",
    "reference_weighting": "segments with more references weigh more, or not",
    "variant": "another formula under the same name: can move SARI by 10 points and turn rankings round",
    "empty_operation": "another rule for nothing-to-do: matters for short or unchanged texts",
    "unit": "whole documents or single segments were scored",
    "model": "another model: its values lie in another range, and cannot be compared at all",
    "layer": "another layer of the model: its values lie in another range",
    "revision": "other weights of the model",
    "idf": "tokens weigh otherwise: 1 each, or more where they are rare in these texts",
    "baseline": "rescaled by another baseline, or not at all",
    "prompt": "another prompt, or another version of it: the judge was asked something else",
    "aspects": "other aspects were rated: the mean is of other things",
    "shown": "the judge saw other texts beside the output",
    "plainly": "another version: see 'Numbers changed' in the release notes",
}


@dataclass(frozen=True)
class Difference:
    """One field in which two signatures differ; None where one of them does not say."""

    field: str
    first: str | None
    second: str | None
    meaning: str


def parse_signature(text: str) -> dict[str, str]:
    """The fields of a signature, short or long, by their long names; the metric's name is the field `metric`."""
    name, *parts = text.strip().split("|")
    fields = {"metric": name}
    for part in parts:
        key, colon, value = part.partition(":")
        if not colon or not key:
            raise PlainlyError(f"not a signature: {text!r} (expected name|key:value|key:value)")
        fields[_LONG.get(key, key)] = value
    if not name or ":" in name:
        raise PlainlyError(f"not a signature: {text!r} (it must begin with the metric's name)")
    return fields


def compare_signatures(first: str, second: str) -> list[Difference]:
    """The differences of two signatures; an empty list means that the numbers are comparable.

    What a short signature leaves unsaid is filled in, and library versions, which only long ones name, are compared
    where both name them.
    """
    a, b = _complete(parse_signature(first)), _complete(parse_signature(second))
    libraries = _libraries(a) | _libraries(b)
    return [
        Difference(field, a.get(field), b.get(field), MEANING.get(field, "another setting of this metric"))
        for field in [*a, *(field for field in b if field not in a)]
        if a.get(field) != b.get(field) and not (field in libraries and (field not in a or field not in b))
    ]


def _complete(fields: dict[str, str]) -> dict[str, str]:
    try:
        unsaid = metric_class(fields["metric"]).unsaid
    except UnknownName:
        return fields
    return {**fields, **{name: value for name, value in unsaid.items() if name not in fields}}


def _libraries(fields: dict[str, str]) -> set[str]:
    """The libraries whose versions a long signature of this metric names."""
    try:
        variant = fields.get("variant")
        metric = configure(fields["metric"], {"variant": variant} if variant else {})
    except PlainlyError:
        return set()
    return set(metric.versions())
