"""Numbers within sentences, as the reader's language writes them."""

from __future__ import annotations

from plainly.studio.kinds.base import Say


def number(value: float, digits: int, say: Say) -> str:
    """With so many digits after the point (or comma), and a real minus; no zero is negative."""
    written = f"{value:.{digits}f}"
    if not float(written):
        written = written.removeprefix("-")
    return written.replace(".", say("common.point")).replace("-", "−")
