"""Which files `plainly comprehension` writes: their endings say what is in them."""

from __future__ import annotations


def is_page(output: str | None) -> bool:
    """Whether the name of the output says that it is an HTML page."""
    return (output or "").lower().endswith((".html", ".htm"))
