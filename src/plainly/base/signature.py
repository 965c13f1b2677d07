"""Signatures: what was done, with which settings, by which version, in one line.

Same signature, same data, same seed: same number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.version import __version__

PLAINLY = "plainly"
OTHERWISE = "another setting of this metric"


@dataclass(frozen=True)
class Signed:
    """What is known of a field of signatures."""

    about: str  # for the docs; may be Markdown
    differs: str = OTHERWISE  # what it means for two numbers that they differ in it
    short: str = ""  # its name in short signatures, where that is another
    unsaid: str | None = None  # the value at which short signatures leave it out


NO_FIELDS: Mapping[str, Signed] = MappingProxyType({})


@dataclass(frozen=True)
class Signature:
    """A name, its settings under their long names, and the version of the tool that computed.

    `libraries` are the versions of others that took part; only the long form names them. `fields` say which settings
    have short names, and which of them the short form leaves out.
    """

    name: str
    settings: Mapping[str, Any]
    version: str | None = __version__
    tool: str = PLAINLY
    libraries: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Signed] = field(default_factory=dict, repr=False, compare=False)
    mentioned: bool = False
    """Whether it is only what somebody wrote of a number, in words."""

    @property
    def short(self) -> str:
        said = {}
        for name, value in self.settings.items():
            known = self.fields.get(name)
            if known is None or known.unsaid != value:
                said[(known and known.short) or name] = value
        return self._line(said)

    @property
    def long(self) -> str:
        return self._line({**self.settings, **self.libraries})

    def _line(self, said: Mapping[str, Any]) -> str:
        version = {} if self.version is None else {self.tool: self.version}
        return "|".join([self.name, *(f"{name}:{_brief(value)}" for name, value in {**said, **version}.items())])

    @classmethod
    def parse(cls, text: str, fields: Mapping[str, Signed] = NO_FIELDS) -> Signature:
        """A signature from its short or long form, or from one of sacrebleu's; `fields` know the short names."""
        name, *parts = text.strip().split("|")
        if ":" in name:  # sacrebleu leaves the name out where it is said beside
            name, parts = "", [name, *parts]
        said = {}
        for part in parts:
            key, colon, value = part.partition(":")
            if not colon or not key:
                raise PlainlyError(f"not a signature: {text!r} (expected name|key:value|key:value)")
            said[key] = value
        if "#" in said and "v" in said:  # the short form of sacrebleu
            said = {_THEIR_SHORT.get(key, _S[("nc" in said)] if key == "s" else key): said[key] for key in said}
        if "nrefs" in said and "version" in said:
            return _of_sacrebleu(name, said)
        if not name:
            raise PlainlyError(f"not a signature: {text!r} (it must begin with the metric's name)")
        long_names = {known.short: long for long, known in fields.items() if known.short}
        settings = {long_names.get(key, key): value for key, value in said.items()}
        return cls(name, settings, settings.pop(PLAINLY, None), fields=fields)


def signed(name: str, settings: Mapping[str, Any]) -> str:
    """The one line of a study: its name, its settings, the version."""
    return Signature(name, settings).short


def _brief(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


# How sacrebleu says our settings. In its short form, `s` is the smoothing of BLEU or the space of chrF.
_THEIR_NAMES = {
    "nrefs": "references",
    "case": "lowercase",
    "tok": "tokenizer",
    "smooth": "smooth",
    "nc": "char_order",
    "nw": "word_order",
    "space": "space",
    "norm": "norm",
    "punct": "punct",
    "asian": "asian",
}
_THEIR_SHORT = {
    "#": "nrefs",
    "c": "case",
    "e": "eff",
    "t": "tok",
    "nr": "norm",
    "pn": "punct",
    "as": "asian",
    "v": "version",
}
_S = ("smooth", "space")
_THEIR_VALUES = {("case", "lc"): "lower", ("nrefs", "var"): "several"}
_TOLD_BY = {"smooth": "bleu", "nc": "chrf", "norm": "ter"}  # a setting that only one metric has -> the metric


def _of_sacrebleu(name: str, said: Mapping[str, str]) -> Signature:
    ours = next((metric for key, metric in _TOLD_BY.items() if key in said), None)
    if ours is None or (name and not name.lower().startswith(ours)):
        raise PlainlyError(f"plainly does not know this metric of sacrebleu: {name or '|'.join(said)}")
    settings = {
        long: _THEIR_VALUES.get((key, said[key]), said[key])
        for key, long in _THEIR_NAMES.items()
        if key in said and (key, said[key]) != ("space", "no")
    }
    if ours == "bleu" and said.get("eff") == "yes":
        settings["order"] = "effective"
    if ours == "chrf" and said.get("eff") == "no":
        settings["order"] = "smoothed"
    if ours == "chrf" and name[4:].rstrip("+").isdecimal():
        settings["beta"] = name[4:].rstrip("+")
    return Signature(ours, settings, said["version"], "sacrebleu")
