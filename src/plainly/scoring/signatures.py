"""What two signatures have in common, and what each difference means for the numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.signature import OTHERWISE, Signature, Signed
from plainly.metrics import Metric, configure, metric_class, settings_of, signature_fields
from plainly.metrics.f1_token import F1Token
from plainly.scoring.mentions import read_mention

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
    """A signature, short or long, with its settings under their long names; also of sacrebleu, or of a paper."""
    mention = read_mention(text)
    if mention is not None:
        return mention
    return Signature.parse(text, _fields(text.strip().partition("|")[0]))


def compare_signatures(first: str, second: str) -> list[Difference]:
    """The differences of two signatures; an empty list means that the numbers are comparable.

    Of two metrics that is the one difference: their settings have nothing to do with each other.
    What a short signature leaves unsaid is filled in. Versions of libraries, which only long ones name, are compared
    where both name them; so is the language where one is sacrebleu's, which does not say it.
    """
    signatures = parse_signature(first), parse_signature(second)
    a, b = map(_said, signatures)
    if (metrics := {a.get("metric"), b.get("metric")}) - {None} == metrics and len(metrics) == 2:
        return [Difference("metric", a["metric"], b["metric"], OTHER_METRIC)]
    optional = _libraries(signatures[0]) | _libraries(signatures[1])
    if signatures[0].tool != signatures[1].tool or any(one.mentioned for one in signatures):
        optional |= {"lang", *(one.tool for one in signatures)}
        if "kept" not in (a.get("empty_references"), b.get("empty_references")):
            optional.add("empty_references")  # nobody says that there are none
    return [
        Difference(name, a.get(name), b.get(name), _meaning(name, signatures))
        for name in [*a, *(name for name in b if name not in a)]
        if not _same(a.get(name), b.get(name), shortened=name in {one.tool for one in signatures})
        and not (name in optional and (name not in a or name not in b))
    ]


def comparable(differences: Sequence[Difference]) -> bool | None:
    """Whether the numbers are; None where nobody can say, since a signature is silent on what the other says."""
    if any(one.first is not None and one.second is not None for one in differences):
        return False
    return None if differences else True


def _same(one: str | None, other: str | None, shortened: bool) -> bool:
    """Whether two values are; a version may be written shorter, as 2.4 for 2.4.0."""
    if one == other or one is None or other is None or not shortened:
        return one == other
    return one.startswith(f"{other}.") or other.startswith(f"{one}.")


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
    named = {"metric": signature.name} if signature.name else {}
    said = {**named, **signature.settings, **version}
    if signature.mentioned:
        return said  # who writes a few words leaves out more than the usual
    return said | {name: value for name, value in unsaid.items() if name not in said}


def _libraries(signature: Signature) -> set[str]:
    """The libraries whose versions a long signature of this metric names."""
    try:
        variant = signature.settings.get("variant")
        metric = configure(signature.name, {"variant": variant} if variant else {})
        found = set(metric.versions())
        for name, one in settings_of(type(metric)).items():
            found |= set(one.libraries(signature.settings.get(name, one.of(metric))))
    except PlainlyError:
        return set()
    return found
