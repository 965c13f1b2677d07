"""Example campaigns, one a kind, in languages of the interface: files of our own, as an owner would bring them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from plainly.base import declarations
from plainly.base.errors import UnknownName
from plainly.studio.kinds import KINDS, get_kind
from plainly.studio.kinds.base import Material
from plainly.studio.kinds.options import completed
from plainly.studio.store.materials import Files, packed
from plainly.studio.texts import FALLBACK


@dataclass(frozen=True)
class Example:
    """A campaign that is ready to be made."""

    kind: str
    name: str
    lang: str
    welcome: Mapping[str, Any]
    material: Material
    files: Files


def example(kind: str, lang: str) -> Example:
    """The example of that kind, in the language of the interface, or else in English."""
    if kind not in KINDS:
        raise UnknownName("kind of campaign", kind, KINDS)
    said = _read(lang if _there(lang) else FALLBACK)[kind]
    reader = get_kind(kind)
    request = {"options": completed(reader, said.get("options", {})), "columns": {}, "lang": said.get("lang", "")}
    slot = reader.files[0].name
    with tempfile.TemporaryDirectory(prefix="plainly-example-") as folder:
        [(name, text)] = said["files"].items()
        path = Path(folder) / name
        path.write_text(text.lstrip("\n"), "utf-8")
        material = reader.read({slot: path}, {**request["options"], "lang": request["lang"], "columns": {}})
        whole = packed(request, {slot: path})
    welcome = material.settings.get("welcome") or {
        "instructions": said["instructions"].strip(),
        "consent": said["consent"],
        "form": said.get("form", []),
    }
    name = said.get("name") or material.settings["name"]
    return Example(kind, name, request["lang"] or material.lang, welcome, material, whole)


def _there(lang: str) -> bool:
    return (files(__package__) / f"{lang}.toml").is_file()


@cache
def _read(lang: str) -> Mapping[str, Any]:
    return declarations.read((files(__package__) / f"{lang}.toml").read_text("utf-8"))
