"""Scripts, styles and pictures of the pages: in memory, under addresses that change with them.

An address is /static/MARK/NAME, where the mark is a fingerprint of all files. So browsers may keep them for ever, and
the modules of one page, which import each other by relative names, are always of one version.
"""

from __future__ import annotations

import hashlib
import mimetypes
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fastapi import APIRouter, Request, Response

from plainly.studio.compression import SMALLEST, packed, takes_gzip
from plainly.studio.errors import NotThere

HOME = Path(__file__).parent
FOR_EVER = "public, max-age=31536000, immutable"
_KIND_FILE = re.compile(r"[a-z][a-z0-9_]*\.(js|css)")
_MARK = re.compile(r"[0-9a-f]{16}/")
router = APIRouter(prefix="/static", include_in_schema=False)


@dataclass(frozen=True)
class _File:
    content: bytes
    packed: bytes
    kind: str


def static(name: str) -> str:
    """The address of a file."""
    return f"/static/{_mark()}/{name}"


@router.api_route("/{name:path}", methods=["GET", "HEAD"])
async def file(name: str, request: Request) -> Response:
    mark = _MARK.match(name)
    plain = name[mark.end() :] if mark else name
    found = _files().get(plain)
    if found is None:
        raise NotThere("there is no such file")
    # A page that was opened before an update asks by the old mark; it must not keep the new file under it.
    current = mark is not None and mark[0] == f"{_mark()}/"
    headers = {
        "Cache-Control": FOR_EVER if current else "no-cache",
        "ETag": f'W/"{_mark()}"',
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    small = takes_gzip(request.headers) and len(found.content) >= SMALLEST
    if small:
        headers["Content-Encoding"] = "gzip"
    return Response(found.packed if small else found.content, headers=headers, media_type=found.kind)


@cache
def _files() -> dict[str, _File]:
    """All of them by name."""
    paths = {path.relative_to(HOME / "static").as_posix(): path for path in (HOME / "static").rglob("*.*")}
    for path in (HOME / "kinds").glob("*/*.*"):
        if _KIND_FILE.fullmatch(path.name):
            paths[f"kinds/{path.parent.name}/{path.name}"] = path
    return {name: _read(path) for name, path in sorted(paths.items())}


def _read(path: Path) -> _File:
    content = path.read_bytes()
    # Some systems say otherwise of scripts, and browsers insist.
    kind = "text/javascript" if path.suffix == ".js" else mimetypes.guess_type(path.name)[0]
    return _File(content, packed(content, 9), kind or "application/octet-stream")


@cache
def _mark() -> str:
    found = hashlib.sha256()
    for name, one in _files().items():
        found.update(f"{name} {len(one.content)}\n".encode() + one.content)
    return found.hexdigest()[:16]
