"""What two signatures have in common, and what each difference means for the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.signature import OTHERWISE, Signature, Signed
from plainly.metrics import Metric, configure, metric_class, signature_fields
from plainly.metrics.f1_token import F1Token

OTHER_METRIC = "different metrics: their numbers cannot be compared"
COMMON = signature_fields(F1Token)  # what a metric that is not on this machine has like others


@dataclass(frozen=True)
class Difference:
    """One field in which two signatures differ; None where one of them does not say."""

    field: str
    first: str | None
    second: str | None
    meaning: str


def parse_signature(text: str) -> Signature:
    """A signature, short or long, with its settings under their long names; also one of sacrebleu's."""
    return Signature.parse(text, _fields(text.strip().partition("|")[0]))


def compare_signatures(first: str, second: str) -> list[Difference]:
    """The differences of two signatures; an empty list means that the numbers are comparable.

    What a short signature leaves unsaid is filled in. Versions of libraries, which only long ones name, are compared
    where both name them; so is the language where one is sacrebleu's, which does not say it.
    """
    signatures = parse_signature(first), parse_signature(second)
    a, b = map(_said, signatures)
    optional = _libraries(signatures[0]) | _libraries(signatures[1])
    if signatures[0].tool != signatures[1].tool:
        optional |= {"lang", *(one.tool for one in signatures)}
    return [
        Difference(name, a.get(name), b.get(name), _meaning(name, signatures))
        for name in [*a, *(name for name in b if name not in a)]
        if a.get(name) != b.get(name) and not (name in optional and (name not in a or name not in b))
    ]


def _meaning(name: str, signatures: tuple[Signature, ...]) -> str:
    if name == "metric":
        return OTHER_METRIC
    known = [fields[name] for fields in (_fields(one.name) for one in signatures) if name in fields]
    return known[0].differs if known else OTHERWISE


def _fields(metric: str) -> Mapping[str, Signed]:
    found = _metric(metric)
    return COMMON if found is None else signature_fields(found)


def _metric(name: str) -> type[Metric] | None:
    try:
        return metric_class(name)
    except UnknownName:
        return None


def _said(signature: Signature) -> dict[str, str]:
    """All that a signature says, and what it leaves unsaid."""
    version = {} if signature.version is None else {signature.tool: signature.version}
    unsaid = {name: known.unsaid for name, known in _fields(signature.name).items() if known.unsaid is not None}
    said = {"metric": signature.name, **signature.settings, **version}
    return said | {name: value for name, value in unsaid.items() if name not in said}


def _libraries(signature: Signature) -> set[str]:
    """The libraries whose versions a long signature of this metric names."""
    try:
        variant = signature.settings.get("variant")
        metric = configure(signature.name, {"variant": variant} if variant else {})
    except PlainlyError:
        return set()
    return set(metric.versions())
