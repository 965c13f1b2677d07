"""Which labeller serves: `rules`, `learned` or `encoder`, or the strongest one that runs here (`auto`)."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.operations.tagger.labeller import Labeller
from plainly.text.languages import get_language

LEVELS = ("encoder", "learned", "rules")  # the strongest first
AUTO = "auto"
FREE = ("rules",)
"""Levels without weights. The others learned from annotations whose licence forbids commercial use."""


def load(level: str, lang: str, *, commercial: bool = False, path: str | None = None) -> Labeller:
    """The labeller of a level for a language.

    `commercial` leaves only levels whose licence allows it. `path` names weights of one's own: then the level is
    `learned`, unless said otherwise, and whether they may be used commercially is for their owner to say.
    """
    if level not in (AUTO, *LEVELS):
        raise UnknownName("level", level, (AUTO, *LEVELS))
    lang = get_language(lang).code
    if path is not None:
        return _loaded("learned" if level == AUTO else level, lang, path)
    if commercial and level not in (AUTO, *FREE):
        raise PlainlyError(
            f"the weights of the level {level!r} may not be used commercially (CC BY-NC 4.0); "
            "choose the level 'rules', or weights of your own"
        )
    if level != AUTO:
        why = _module(level).missing(lang)
        if why:
            raise MissingResource(f"the level {level!r} cannot run: {why}")
        return _loaded(level, lang, None)
    return _loaded(strongest(lang, commercial=commercial), lang, None)


def strongest(lang: str, *, commercial: bool = False) -> str:
    """The level that `auto` means for a language here, without weights of one's own."""
    known = [name for name in LEVELS if name in FREE or not commercial]
    return next(name for name in known if _module(name).missing(lang) is None)


def _loaded(level: str, lang: str, path: str | None) -> Labeller:
    labeller: Labeller = _module(level).load(lang, path)
    return labeller


def _module(level: str) -> ModuleType:
    return import_module(f"plainly.operations.tagger.{level}")
