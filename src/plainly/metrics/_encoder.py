"""What metrics that read texts through an encoder share: the choice of the model, and what signatures say of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, ClassVar

from plainly.base.errors import MissingResource, PlainlyError
from plainly.metrics.base import NO_SETTINGS, Metric
from plainly.metrics.settings import MODEL, REVISION, setting
from plainly.models.encoders import (
    CPU,
    EMBEDDED,
    EXACT,
    PRECISIONS,
    Encoder,
    device_for,
    find,
    get_encoder,
    libraries,
    on_disk,
)


@dataclass(frozen=True, kw_only=True)
class EncoderMetric(Metric):
    """`model` is the embedded one, a folder or a name of the hub; None is the default of the language.

    `device` ("auto", "cpu" or a device of torch) is not in the signature: it moves only the last digits. `precision`
    is: what is not exact is faster on a device, and moves the fourth digit or so.
    """

    also_signed: ClassVar = {"model": MODEL, "revision": REVISION}

    model: str | None = setting(
        None,
        help="a folder or a name in the cache of the model hub",
        decided="by language",
        option="model",
        resource=True,
    )
    device: str = setting(
        "auto",
        help="auto (default), cpu, cuda or another device of torch",
        signed=False,
        option="device",
        resource=True,
    )
    precision: str = setting(
        EXACT,
        choices=PRECISIONS,
        help="of a device: exact (default), tf32 or bf16, which are faster and move the fourth digit or so",
        about="how a device computes: `tf32` and `bf16` round products, or all numbers; not said where it is exact",
        differs="numbers of the model were rounded more: scores move in the fourth digit or so",
        unsaid=EXACT,
        resource=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.model is not None and not self.model.strip():
            raise PlainlyError(f"{self.name}: the model has no name")

    @classmethod
    @abstractmethod
    def usual_models(cls, lang: str) -> tuple[str, ...]:
        """The models for a language: the first of them that is here is used."""

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        try:
            assert find(settings.get("model") or _first_here(cls.usual_models(lang), lang)).weights
        except MissingResource as error:
            return str(error)
        return super().missing(lang)

    @property
    def model_name(self) -> str:
        """The model as the user would name it; MissingResource where none is here."""
        return self.model or _first_here(self.usual_models(self.lang), self.lang)

    @property
    def encoder(self) -> Encoder:
        return get_encoder(self.model_name, self.device, self.precision)

    @property
    def on_device(self) -> bool:
        return device_for(self.device).name != CPU

    @property
    def remarks(self) -> list[str]:
        note = device_for(self.device).note
        return [*super().remarks, *([f"{self.name}: {note}"] if note else [])]

    def settings(self) -> dict[str, str]:
        settings = super().settings()
        try:
            folder = find(self.model_name)
            model, revision = folder.name, folder.revision
        except MissingResource:  # a signature of what cannot run here
            model, revision = self.model or self.usual_models(self.lang)[-1], "missing"
        if not self.on_device:
            settings["precision"] = EXACT
        return {**settings, "model": model.replace("|", "-"), "revision": revision}

    def versions(self) -> dict[str, str]:
        try:
            return {library: version(library) for library in libraries(self.model_name)}
        except (MissingResource, PackageNotFoundError):  # a signature of what cannot run here
            return {}


def _first_here(models: tuple[str, ...], lang: str) -> str:
    for model in models:
        if on_disk(model):
            return model
    if EMBEDDED in models:
        find(EMBEDDED)  # says how to get it
    raise MissingResource(
        f"language {lang!r} needs the model {models[0]}, which is not on this machine: hf download {models[0]} "
        f"(or choose a model by name; {EMBEDDED} is English)"
    )
