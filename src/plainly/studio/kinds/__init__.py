"""The kinds of campaigns, by name."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from plainly.base.errors import UnknownName
from plainly.studio.kinds.base import Kind

KINDS = {
    "ranking": "plainly.studio.kinds.ranking.kind:Ranking",
    "operations": "plainly.studio.kinds.operations.kind:Operations",
    "comprehension": "plainly.studio.kinds.comprehension.kind:Comprehension",
    "ratings": "plainly.studio.kinds.ratings.kind:Ratings",
}


@cache
def get_kind(name: str) -> Kind:
    """The kind of that name; imported when it is asked for."""
    if name not in KINDS:
        raise UnknownName("kind of campaign", name, KINDS)
    module, attribute = KINDS[name].split(":")
    kind: Kind = getattr(import_module(module), attribute)()
    return kind
