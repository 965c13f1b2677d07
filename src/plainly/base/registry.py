"""A choice by name: what plainly brings, and what other packages register by an entry point.

Nothing is imported before it is asked for. A name that nobody registered is an `UnknownName`; a name that two
packages claim is an error. Another package registers something so, here a pairing:

    [project.entry-points."plainly.pairings"]
    my-pairing = "my_package.pairings:MY_PAIRING"
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar, cast

from plainly.base.errors import PlainlyError, UnknownName

T = TypeVar("T")


class Registry(Generic[T]):
    """Things of one sort by name. An own thing stands there as it is, or as "module:attribute"."""

    def __init__(
        self, sort: str, own: Mapping[str, T | str], group: str, shape: str, fits: Callable[[Any], bool]
    ) -> None:
        """`shape` says in words what must be registered, as "a plainly.gaming.Edit"; `fits` tells whether it is."""
        self.sort, self.own, self.group = sort, own, group
        self._shape, self._fits = shape, fits

    def __getitem__(self, name: str) -> T:
        if name in self.own:
            own = self.own[name]
            return _imported(own) if isinstance(own, str) else own
        foreign = self._points()[0]
        if name not in foreign:
            raise UnknownName(self.sort, name, [*self.own, *foreign])
        return self._loaded(foreign[name])

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in self._points()[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def names(self) -> list[str]:
        """Own ones in their order, then those of other packages. Nothing is loaded."""
        foreign, twice = self._points()
        if twice:
            raise PlainlyError(self._said_twice(twice[0]))
        return [*self.own, *foreign]

    def usable(self) -> list[str]:
        """As `names`, without those of other packages that cannot be had: `faults` says why."""
        return [*self.own, *(name for name, point in self._points()[0].items() if not self._fault(point))]

    def faults(self) -> list[str]:
        """What is wrong with things of other packages that cannot be had."""
        foreign, twice = self._points()
        return [fault for point in foreign.values() if (fault := self._fault(point))] + list(
            map(self._said_twice, twice)
        )

    def _points(self) -> tuple[dict[str, EntryPoint], list[EntryPoint]]:
        """The entry points of other packages by name, and those whose name was taken."""
        found: dict[str, EntryPoint] = {}
        twice = []
        for point in _registered(self.group, tuple(sys.path)):
            if point.name in self.own or point.name in found:
                twice.append(point)
            else:
                found[point.name] = point
        return found, twice

    def _loaded(self, point: EntryPoint) -> T:
        try:
            loaded = point.load()
        except Exception as error:  # whatever the other package does
            why = f"cannot be loaded: {type(error).__name__}: {error}"
            raise PlainlyError(f"{self.sort} {point.name!r} ({point.value}) {why}") from error
        if not self._fits(loaded):
            raise PlainlyError(f"{self.sort} {point.name!r} ({point.value}) is not {self._shape}")
        return cast(T, loaded)

    def _fault(self, point: EntryPoint) -> str:
        try:
            self._loaded(point)
        except PlainlyError as error:
            return str(error)
        return ""

    def _said_twice(self, point: EntryPoint) -> str:
        return f"{self.sort} {point.name!r} is registered twice; the second is {point.value}"


def _imported(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


@cache
def _registered(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """The entry points of a group; looked for once, as long as packages are looked for in the same folders."""
    return tuple(sorted(entry_points(group=group), key=lambda point: point.name))
