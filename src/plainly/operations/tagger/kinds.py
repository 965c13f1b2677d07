"""The kinds of tagger: `rules`, `learned` or `encoder`, or the strongest one that runs here (`auto`)."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.base.messages import Note, message
from plainly.operations.tagger import weights
from plainly.operations.tagger.labeller import Labeller
from plainly.text.languages import get_language

KINDS = ("encoder", "learned", "rules")
"""The kinds of tagger, the strongest first."""
AUTO = "auto"
"""The kind that stands for the strongest one that runs here."""
FREE = ("rules",)
"""Kinds without weights. The others learned from annotations whose licence forbids commercial use."""


def load(kind: str, lang: str, *, commercial: bool = False, path: str | None = None) -> Labeller:
    """The labeller of a kind for a language.

    `commercial` leaves only kinds whose licence allows it. `path` names weights of one's own: then the kind is
    `learned`, unless said otherwise, and whether they may be used commercially is for their owner to say.
    """
    if kind not in (AUTO, *KINDS):
        raise UnknownName("tagger", kind, (AUTO, *KINDS))
    lang = get_language(lang).code
    if path is not None:
        return _loaded("learned" if kind == AUTO else kind, lang, path)
    if commercial and kind not in (AUTO, *FREE):
        raise PlainlyError(
            f"the weights of the tagger {kind!r} may not be used commercially (CC BY-NC 4.0); "
            "choose the tagger 'rules', or weights of your own"
        )
    if kind != AUTO:
        why = _module(kind).missing(lang)
        if why:
            raise MissingResource(f"the tagger {kind!r} cannot run: {why}")
        return _loaded(kind, lang, None)
    return _loaded(strongest(lang, commercial=commercial), lang, None)


def strongest(lang: str, *, commercial: bool = False) -> str:
    """The kind that `auto` means for a language here, without weights of one's own."""
    known = [name for name in KINDS if name in FREE or not commercial]
    return next(name for name in known if _module(name).missing(lang) is None)


def advice(lang: str) -> list[Note]:
    """How to get a kind that is stronger than rules, where `auto` means rules for want of weights alone."""
    learned = _module("learned")
    why: str | None = learned.missing(lang) if lang == learned.LANGUAGE else None
    english = "the taggers 'learned' and 'encoder' know more than rules: {how}"
    return [Note(message("operations.stronger", english, how=weights.HOW))] if why else []


def _loaded(kind: str, lang: str, path: str | None) -> Labeller:
    labeller: Labeller = _module(kind).load(lang, path)
    return labeller


def _module(kind: str) -> ModuleType:
    return import_module(f"plainly.operations.tagger.{kind}")
