"""`plainly studio import`: a campaign from an export of another studio, or from files."""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.plain_data import plain_data
from plainly.cli.printing import note
from plainly.cli.studio.places import opened
from plainly.corpus.readers.descriptions import read_description
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Kind, Option
from plainly.studio.kinds.columns import checked_columns
from plainly.studio.kinds.options import completed
from plainly.studio.store import archive, campaigns, materials
from plainly.text.languages import get_language

LARGEST = 2 << 30
"""Bytes of an archive."""


def run(options: argparse.Namespace) -> None:
    if options.archive and options.kind:
        raise PlainlyError("an export says its kind itself; leave out --kind")
    if options.archive:
        _import_archive(options)
    elif options.kind:
        _import_files(options)
    else:
        raise PlainlyError("name an export, or say --kind KIND --input SLOT=FILE --name TEXT")


def _import_archive(options: argparse.Namespace) -> None:
    path = Path(options.archive)
    content = archive.read(_text(path), str(path))
    with opened(options, new=True) as database, database.writing() as session:
        made = archive.restore(session, content, str(path), new_links=options.new_links)
        told = made.id, made.name
    note(f"made the campaign {told[1]!r}, a copy with {len(content['participants'])} participants")
    print(told[0])


def _text(path: Path) -> str:
    """The archive, from wherever it is."""
    try:
        if path.is_dir():
            path = path / archive.NAME
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(path) as packed:
                if packed.getinfo(archive.NAME).file_size > LARGEST:
                    raise PlainlyError(f"{path}: {archive.NAME} is too large")
                return packed.read(archive.NAME).decode("utf-8")
        return path.read_text("utf-8")
    except KeyError:
        raise PlainlyError(f"{path}: there is no {archive.NAME} in it") from None
    except OSError as error:
        raise PlainlyError(f"cannot read {path}: {error.strerror or error}") from error
    except (zipfile.BadZipFile, ValueError) as error:
        raise PlainlyError(f"{path}: this is no export of a campaign: {error}") from error


def _import_files(options: argparse.Namespace) -> None:
    if not options.name:
        raise PlainlyError("a campaign needs a name: --name TEXT")
    kind = get_kind(options.kind)
    lang = get_language(options.lang).code if options.lang else ""
    chosen = completed(kind, dict(_option(kind, written) for written in options.option))
    columns = checked_columns(kind, _columns(kind, options.columns or {}))
    files = _files(kind, options.input)
    material = kind.read(files, {**chosen, "lang": lang, "columns": columns})
    for remark in material.notes:
        note(f"note: {remark}")
    if not (lang or material.lang):
        raise PlainlyError("the files do not say which language the texts have: say it with --lang")
    welcome = (
        read_description(options.welcome, plain_data) if options.welcome else material.settings.get("welcome") or {}
    )
    with opened(options, new=True) as database, database.writing() as session:
        made = campaigns.create(
            session,
            kind=kind.name,
            name=options.name,
            lang=lang or material.lang,
            interface=options.interface,
            welcome=welcome,
            material=material,
            seed=options.seed,
        )
        materials.keep(
            session, made.id, materials.packed({"options": chosen, "columns": columns, "lang": lang}, files)
        )
        told = made.id
    note(f"made the campaign {options.name!r}, a draft with {len(material.items)} items")
    print(told)


def _files(kind: Kind, written: list[str]) -> dict[str, Path]:
    slots = {slot.name: slot for slot in kind.files}
    found: dict[str, Path] = {}
    for one in written:
        name, equals, file = one.partition("=")
        if not equals or not file:
            raise PlainlyError(f"--input {one}: write it as SLOT=FILE; slots of {kind.name}: {', '.join(slots)}")
        if name not in slots:
            raise UnknownName(f"file of {kind.name}:", name, slots)
        if name in found:
            raise PlainlyError(f"--input {name} is given twice")
        if not file.lower().endswith(slots[name].endings):
            raise PlainlyError(f"{file}: the file for {name!r} must end in {', '.join(slots[name].endings)}")
        found[name] = Path(file)
        if not found[name].is_file():
            raise PlainlyError(f"{file}: no such file")
    for slot in kind.files:
        if slot.required and slot.name not in found:
            raise PlainlyError(f"the file for {slot.name!r} is missing: --input {slot.name}=FILE")
    return found


def _columns(kind: Kind, said: dict[str, str]) -> dict[str, dict[str, str]]:
    """By slot: NAME, of the first table that has such a column, or SLOT.NAME."""
    tables = {slot.name: slot for slot in kind.files if slot.columns}
    found: dict[str, dict[str, str]] = {}
    for name, column in said.items():
        slot, dot, own = name.partition(".")
        if not dot:
            slot, own = next((one for one in tables if name in tables[one].columns), next(iter(tables), "")), name
        if not slot:
            raise PlainlyError(f"{kind.name} reads no table; leave out --columns")
        found.setdefault(slot, {})[own] = column
    return found


def _option(kind: Kind, written: str) -> tuple[str, Any]:
    name, equals, value = written.partition("=")
    known = {option.name: option for option in kind.options}
    if not equals:
        raise PlainlyError(f"--option {written}: write it as NAME=VALUE")
    if name not in known:
        raise UnknownName(f"option of {kind.name}:", name, known)
    return name, _value(known[name], value)


def _value(option: Option, written: str) -> Any:
    """As the wizard of the studio would send it; wrong ones stay texts, and are refused with the others."""
    if option.type in ("whole", "number", "switch"):
        try:
            return json.loads({"yes": "true", "no": "false"}.get(written, written))
        except (ValueError, RecursionError):
            return written
    return written.split("\\n") if option.type == "lines" else written
