"""Files that owners send: kept only while they are read. What is wrong in them is told with their own names."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.datastructures import FormData, UploadFile

from plainly.base.errors import PlainlyError, UnknownName
from plainly.studio.api.dependencies import Owner
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.base import Kind, Material
from plainly.studio.kinds.options import completed
from plainly.text.languages import get_language

MOST_FILES = 20
MOST_FIELDS = 20
_ODD = re.compile(r"[^\w.()+ -]")
_LONGEST = 100


def form_of(most_files: int) -> Callable[..., AsyncIterator[FormData]]:
    """What gives the parts of a request, so many files at most; nothing is read before it is clear who asks."""

    async def form(request: Request, visitor: Owner) -> AsyncIterator[FormData]:
        async with request.form(max_files=most_files, max_fields=MOST_FIELDS) as parts:
            yield parts

    return form


Form = Annotated[FormData, Depends(form_of(MOST_FILES))]


@dataclass(frozen=True)
class Understood:
    """What the files hold."""

    kind: Kind
    material: Material
    lang: str
    """Of the texts: as the owner says, else as the files say; may be empty."""


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


def understood(form: FormData) -> Understood:
    """Reads the files with the kind that the form names; raises PlainlyError with file and line."""
    kind = get_kind(text_of(form, "kind"))
    wanted = text_of(form, "lang", "").strip()
    lang = get_language(wanted).code if wanted else ""
    options = completed(kind, json_of(form, "options"))
    with tempfile.TemporaryDirectory(prefix="plainly-upload-") as folder:
        try:
            material = kind.read(_saved(form, kind, Path(folder)), {**options, "lang": lang})
        except PlainlyError as error:
            raise error.reworded(lambda said: _without(folder, said)) from None
    _insist_whole(material)
    notes = tuple(_without(folder, note) for note in material.notes)
    return Understood(kind, replace(material, notes=notes), lang or material.lang)


def _saved(form: FormData, kind: Kind, folder: Path) -> dict[str, Path]:
    found = {}
    for slot in kind.files:
        given = form.get(slot.name)
        if not isinstance(given, UploadFile) or not given.filename:
            if slot.required:
                raise PlainlyError(f"the file for {slot.name!r} is missing")
            continue
        name = _ODD.sub("_", given.filename)[-_LONGEST:].lstrip(". ") or slot.name
        if not name.lower().endswith(slot.endings):
            raise PlainlyError(f"{name}: the file for {slot.name!r} must end in {', '.join(slot.endings)}")
        path = folder / slot.name / name
        path.parent.mkdir()
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
    return re.sub(rf"{re.escape(folder)}/[^/\s]+/", "", message)
