"""`plainly studio`: starts the studio."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import TypeVar

from plainly.base.errors import PlainlyError
from plainly.cli.studio.parser import network, port
from plainly.cli.studio.places import url_of
from plainly.studio.addresses import public_url
from plainly.studio.server import serve
from plainly.studio.settings import PORT, Settings

T = TypeVar("T")


def run(options: argparse.Namespace) -> None:
    settings = Settings(
        url_of(options, new=True),
        host=options.host or _told("HOST", str) or "127.0.0.1",
        port=_first(options.port, _told("PORT", port), PORT),
        secure=options.secure or bool(_told("SECURE", _yes)),
        url=public_url(options.url) if options.url else _told("URL", public_url) or "",
        metrics_token=_told("METRICS_TOKEN", str) or "",
        proxy=tuple(options.proxy or _told("PROXY", _networks) or ()),
    )
    serve(settings, lambda line: print(line, flush=True), browser=not options.no_browser and _has_screen())


def _told(name: str, read: Callable[[str], T]) -> T | None:
    """What the environment says where no option does, as containers need it; None where it says nothing."""
    variable = f"PLAINLY_STUDIO_{name}"
    written = os.environ.get(variable, "").strip()
    try:
        return read(written) if written else None
    except (argparse.ArgumentTypeError, PlainlyError) as error:
        raise PlainlyError(f"{variable}: {error}") from None


def _first(*given: int | None) -> int:
    return next(one for one in given if one is not None)


def _networks(written: str) -> list[str]:
    return [network(one) for one in written.replace(",", " ").split()]


def _yes(written: str) -> bool:
    if written not in ("yes", "no"):
        raise PlainlyError(f"must be yes or no, not {written!r}")
    return written == "yes"


def _has_screen() -> bool:
    """Whether somebody sits in front of it; a browser in a terminal would only be in the way."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
