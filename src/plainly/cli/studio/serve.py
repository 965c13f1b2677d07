"""`plainly studio`: starts the studio."""

from __future__ import annotations

import argparse
import os
import sys

from plainly.cli.studio.places import url_of
from plainly.studio.server import serve
from plainly.studio.settings import Settings


def run(options: argparse.Namespace) -> None:
    settings = Settings(
        url_of(options, new=True),
        host=options.host,
        port=options.port,
        secure=options.secure,
        proxy=tuple(options.proxy),
    )
    serve(settings, lambda line: print(line, flush=True), browser=not options.no_browser and _has_screen())


def _has_screen() -> bool:
    """Whether somebody sits in front of it; a browser in a terminal would only be in the way."""
    if not sys.stdout.isatty():
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
