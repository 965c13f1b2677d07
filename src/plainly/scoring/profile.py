"""Profiles: the settings of a paper or a tool by one name, each a TOML file in `profiles`, or one of your own.

    title = "ours: German, cased"
    lang = "de"
    metrics = ["sari", "fre:textstat-0.7.5"]

    [settings]
    tokenizer = "spacy"
    lowercase = false

    [own.sari]
    empty_operation = "one"

Whoever takes a profile obeys it in full. What contradicts it is refused; what it leaves open can still be said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from plainly.base.declarations import Fault, insist, made, read
from plainly.base.errors import PlainlyError, Remedy, UnknownName
from plainly.metrics import Metric, Setting, metric_class, settings_of
from plainly.text.languages import get_language


@dataclass(frozen=True)
class Profile:
    """What a profile says. Its fields are the keys of its file."""

    name: str
    """That of the file."""
    title: str
    metrics: tuple[str, ...]
    """What is computed unless something else is asked for."""
    others: tuple[str, ...] = ()
    """What may be asked for besides."""
    lang: str = ""
    """The language of the texts. A profile without it wants to be told."""
    any_language: bool = False
    """Whether it takes texts of other languages, too."""
    citation: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Of all its metrics that have them."""
    own: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Of single metrics."""
    counts: tuple[str, ...] = ()
    """Those of them that tell of gaming more than FKGL does."""

    def language(self, said: str | None) -> str:
        """The language of the texts, where other things say this one, or none."""
        if said is None and not self.lang:
            raise PlainlyError(f"the profile {self.name} says no language", remedy=Remedy("lang"))
        if said is not None and said != self.lang and not self.any_language:
            raise PlainlyError(f"the profile {self.name} is for language {self.lang!r}; these texts are in {said!r}")
        return said or self.lang

    def named(self, requested: Sequence[str]) -> list[str]:
        """The metrics asked for, in the variants that it has; it refuses others."""
        every = (*self.metrics, *self.others)
        known = {base_name(name): name for name in reversed(every)} | {name: name for name in every}
        for name in requested:
            if name not in known:
                raise UnknownName(f"metric of the profile {self.name}", name, every)
        return list(dict.fromkeys(known[name] for name in requested))

    def of(self, metric: str) -> dict[str, Any]:
        """Its settings of a metric."""
        name = base_name(metric)
        known = settings_of(metric_class(name))
        shared = {key: value for key, value in self.settings.items() if key in known}
        return {**shared, **self.own.get(name, {})}

    @property
    def background(self) -> dict[str, Any]:
        """Its tokens and case, for what is counted beside its metrics."""
        return {name: self.settings[name] for name in ("tokenizer", "lowercase") if name in self.settings}

    @property
    def said(self) -> str:
        """Its settings in words."""
        own = [
            f"{metric}.{name} {_word(value)}" for metric, values in self.own.items() for name, value in values.items()
        ]
        return ", ".join([*(f"{name} {_word(value)}" for name, value in self.settings.items()), *own])

    def settle(
        self, metrics: Iterable[str], settings: Mapping[str, Any], own: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, dict[str, Any]]:
        """The settings of each metric: its own, and those that are asked for besides. It refuses what contradicts."""
        found = {name: dict(values) for name, values in own.items()}
        for metric in metrics:
            name = base_name(metric)
            profiled, known = self.of(metric), settings_of(metric_class(name))
            for key, value in settings.items():
                if key in known and key in profiled:
                    self._insist(known[key], self.settings.get(key, profiled[key]), value)
            for key, value in own.get(name, {}).items():
                if key in profiled:
                    self._insist(known[key], profiled[key], value)
            found[name] = {**profiled, **own.get(name, {})}
        return found

    def measured(self, metrics: Mapping[str, Metric], requested: Sequence[str]) -> list[str]:
        """Of metrics that are measured, by their labels, those that it has; it refuses those with other settings."""
        wanted = self.named(requested) if requested else [name for name in self.metrics if name in metrics]
        if not wanted:
            raise PlainlyError(f"none of the metrics of the profile {self.name} was measured")
        for label in wanted:
            if label not in metrics:
                raise UnknownName("metric", label, metrics)
            metric = metrics[label]
            self.language(metric.lang)
            known = settings_of(type(metric))
            for key, value in self.of(label).items():
                self._insist(known[key], value, getattr(metric, key), f"{label} was measured with")
        return wanted

    def _insist(self, setting: Setting, value: Any, said: Any, what: str = "you say") -> None:
        if value != said:
            here = f"the profile {self.name} says {setting.name} {_word(value)}"
            raise PlainlyError(
                f"{here}, but {what} {_word(said)}" + (": say one of them" if what == "you say" else "")
            )


def profile_names() -> list[str]:
    """The profiles that come with plainly."""
    return sorted(_bundled())


def get_profile(name: str | Profile) -> Profile:
    """The profile of that name, or the one that a TOML file holds."""
    if isinstance(name, Profile):
        return name
    path = Path(name) if name.endswith(".toml") else _bundled().get(name)
    if path is None and Path(name).is_file():
        raise PlainlyError(f"{name}: a file that holds a profile must end in .toml")
    if path is None:
        raise UnknownName("profile", name, profile_names())
    try:
        return _checked(made(Profile, {**read(path.read_text(encoding="utf-8")), "name": path.stem}, "the profile"))
    except (OSError, UnicodeDecodeError) as error:
        raise PlainlyError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    except (Fault, PlainlyError) as error:
        raise PlainlyError(f"{path}: {error}") from error


def base_name(metric: str) -> str:
    """The name of a metric without its variant."""
    return metric.partition(":")[0]


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _bundled() -> dict[str, Path]:
    return {path.stem: path for path in Path(str(resources("plainly.scoring") / "profiles")).glob("*.toml")}


def _checked(profile: Profile) -> Profile:
    """The profile, if all that it names is there."""
    insist(bool(profile.metrics), "it names no metric")
    insist(bool(profile.lang) or profile.any_language, "it says neither lang nor any_language")
    lang = get_language(profile.lang).code if profile.lang else ""
    every = (*profile.metrics, *profile.others)
    for name in every:
        _check_variant(name)
    for name in profile.counts:
        insist(name in every, f"counts: {name} is not among its metrics")
    classes = {base_name(name): metric_class(base_name(name)) for name in every}
    for table in ("settings", "own"):
        insist(isinstance(getattr(profile, table), Mapping), f"{table} must be a table")
    shared = {key: one for metric in classes.values() for key, one in _settable(metric).items()}
    _check_values(profile.settings, shared, "settings")
    for name, values in profile.own.items():
        if name not in classes:
            raise UnknownName("metric in [own]", name, classes)
        insist(isinstance(values, Mapping), f"own.{name} must be a table")
        _check_values(values, _settable(classes[name]), f"own.{name}")
    return replace(profile, lang=lang)


def _check_variant(name: str) -> None:
    base, colon, variant = name.partition(":")
    metric = metric_class(base)
    if colon and variant not in metric.variants:
        raise UnknownName(f"variant of {base}", variant, metric.variants)


def _settable(metric: type[Metric]) -> dict[str, Setting]:
    return {key: one for key, one in settings_of(metric).items() if one.shown}


def _check_values(values: Mapping[str, Any], known: Mapping[str, Setting], table: str) -> None:
    for key, value in values.items():
        if key not in known:
            raise UnknownName(f"key of [{table}]", key, known)
        kind = known[key].kind
        fits = isinstance(value, kind) and isinstance(value, bool) == (kind is bool)  # true is a number in Python
        insist(fits, f"[{table}] {key} must be of type {kind.__name__}")
        known[key].check(table, value)
