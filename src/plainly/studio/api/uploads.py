"""Files that owners send: kept only while they are read. What is wrong in them is told with their own names."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.datastructures import FormData, UploadFile

from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.readers.files import open_input
from plainly.studio.api.dependencies import Owner
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Campaign, Json, Kind, Material
from plainly.studio.kinds.columns import Header, checked_columns, header
from plainly.studio.kinds.options import completed
from plainly.studio.kinds.sizes import insist_small
from plainly.studio.store.materials import Files, packed, unpacked
from plainly.text.identification import identify
from plainly.text.languages import get_language

MOST_FILES = 20
MOST_FIELDS = 20
_ODD = re.compile(r"[^\w.()+ -]")
_LONGEST = 100
_BEGINNING = 4000
"""Characters of a file by which its language is guessed."""


def form_of(most_files: int) -> Callable[..., AsyncIterator[FormData]]:
    """What gives the parts of a request, so many files at most; nothing is read before it is clear who asks."""

    async def form(request: Request, visitor: Owner) -> AsyncIterator[FormData]:
        async with request.form(max_files=most_files, max_fields=MOST_FIELDS) as parts:
            yield parts

    return form


Form = Annotated[FormData, Depends(form_of(MOST_FILES))]


def multipart(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """How OpenAPI describes a form with files."""
    schema = {"type": "object", "properties": properties, "required": required}
    return {"requestBody": {"required": True, "content": {"multipart/form-data": {"schema": schema}}}}


@dataclass(frozen=True)
class Understood:
    """What the files hold."""

    kind: Kind
    material: Material
    lang: str
    """Of the texts: as the owner says, else as the files say; may be empty."""
    files: Files
    """What was read, to be kept."""


def text_of(form: FormData, name: str, default: str | None = None) -> str:
    """A part that is a text."""
    value = form.get(name, default)
    if not isinstance(value, str):
        raise PlainlyError(f"{name} is missing" if value is None else f"{name} must be a text, not a file")
    return value


def json_of(form: FormData, name: str) -> Any:
    """A part that is JSON; an empty table where it is missing."""
    try:
        return json.loads(text_of(form, name, "{}") or "{}")
    except (ValueError, RecursionError):
        raise PlainlyError(f"{name} is no JSON") from None


@dataclass(frozen=True)
class Seen:
    """What can be said of files, whether or not they were understood."""

    tables: Mapping[str, Header]
    """The columns of those that are tables, by slot."""
    lang: str
    """The language that the texts seem to have; may be empty."""


def understood(form: FormData, kept: Files | None = None, named: str | None = None) -> Understood:
    """Reads the files with the kind that is known, or that the form names; raises PlainlyError with file and line.

    Files that are `kept` stand for those that the form does not bring, unless it says that it does `without` them.
    """
    kind = get_kind(named or text_of(form, "kind"))
    wanted = text_of(form, "lang", "").strip()
    request = {
        "options": completed(kind, json_of(form, "options")),
        "columns": checked_columns(kind, json_of(form, "columns")),
        "lang": get_language(wanted).code if wanted else "",
    }
    return _read(form, kind, request, kind.read, kept)


def added(form: FormData, campaign: Campaign) -> Understood:
    """What the files of the form add to a campaign that is running; options that they do not say are its own."""
    kind = get_kind(campaign.kind)
    own = {option.name: campaign.settings[option.name] for option in kind.options if option.name in campaign.settings}
    own.pop("scales", None)  # kept in another form: the kind knows them
    said = json_of(form, "options")
    request = {
        "options": completed(kind, {**own, **said} if isinstance(said, dict) else said),
        "columns": checked_columns(kind, json_of(form, "columns")),
        "lang": campaign.lang,
    }
    for slot in kind.files:
        if kind.grows and not slot.more and isinstance(form.get(slot.name), UploadFile):
            raise PlainlyError(f"the file for {slot.name!r} cannot be added to a campaign that runs")
    return _read(form, kind, request, partial(kind.more, campaign), None)


def _read(
    form: FormData,
    kind: Kind,
    request: dict[str, Any],
    read: Callable[[Mapping[str, Path], Json], Material],
    kept: Files | None,
) -> Understood:
    options = {**request["options"], "lang": request["lang"], "columns": request["columns"]}
    with tempfile.TemporaryDirectory(prefix="plainly-upload-") as folder:
        try:
            files = _saved(form, kind, Path(folder), kept)
            material = read(files, options)
        except PlainlyError as error:
            raise error.reworded(lambda said: _without(folder, said)) from None
        whole = packed(request, files)
    _insist_whole(material)
    notes = tuple(_without(folder, note) for note in material.notes)
    return Understood(kind, replace(material, notes=notes), request["lang"] or material.lang, whole)


def seen(form: FormData, kept: Files | None = None) -> Seen:
    """What files look like, for an owner who says what their columns mean."""
    kind = get_kind(text_of(form, "kind"))
    with tempfile.TemporaryDirectory(prefix="plainly-upload-") as folder:
        try:
            columns = checked_columns(kind, json_of(form, "columns"))
            files = _saved(form, kind, Path(folder), kept)
            insist_small(files)
            slots = [slot for slot in kind.files if slot.columns and slot.name in files]
            found = {slot.name: header(files[slot.name], slot, columns.get(slot.name, {})) for slot in slots}
            lang = _guessed(next(iter(files.values())))
        except (PlainlyError, StopIteration):
            return Seen({}, "")
    return Seen({name: one for name, one in found.items() if one}, lang)


def _guessed(path: Path) -> str:
    with open_input(str(path)) as file:
        begin = file.read().decode("utf-8", "ignore")[:_BEGINNING]
    return identify([begin])[0] or ""


def _saved(form: FormData, kind: Kind, folder: Path, kept: Files | None) -> dict[str, Path]:
    found = {}
    without = json_of(form, "without")
    if not isinstance(without, (list, dict)):
        raise PlainlyError("without must be a list of files")
    old = unpacked(kept, folder / "kept") if kept else {}
    for slot in kind.files:
        given = form.get(slot.name)
        if not isinstance(given, UploadFile) or not given.filename:
            if slot.name in old and slot.name not in without:
                found[slot.name] = old[slot.name]
                continue
            if slot.required:
                raise PlainlyError(f"the file for {slot.name!r} is missing")
            continue
        name = _ODD.sub("_", given.filename)[-_LONGEST:].lstrip(". ") or slot.name
        if not name.lower().endswith(slot.endings):
            raise PlainlyError(f"{name}: the file for {slot.name!r} must end in {', '.join(slot.endings)}")
        path = folder / slot.name / name
        path.parent.mkdir()
        given.file.seek(0)
        with path.open("wb") as stream:
            shutil.copyfileobj(given.file, stream)
        found[slot.name] = path
    for name, value in form.multi_items():
        if isinstance(value, UploadFile) and name not in found:
            raise UnknownName("file of this kind:", name, [slot.name for slot in kind.files])
    return found


def _insist_whole(material: Material) -> None:
    """JSON and YAML can spell half a character; no browser and no database takes it."""
    items = [(item.name, item.content) for item in material.items]
    try:
        whole = [items, material.settings, material.columns, material.rows, material.notes, material.lang]
        json.dumps(whole, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise PlainlyError("a text in the files has half a character, such as \\ud800") from None


def _without(folder: str, message: str) -> str:
    """The message with the names that the owner gave to the files."""
    return re.sub(rf"{re.escape(folder)}/(kept/)?[^/\s]+/", "", message)
