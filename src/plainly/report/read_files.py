"""What a report says of the texts that it was made from: their test set, or the names of their files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plainly.corpus import catalogue

DEMO = "the demo set"


def test_set_title(published: str | None, demo: bool, files: Sequence[str | None]) -> str:
    """The name of the test set: as the catalogue has it, else that of the first file that holds it."""
    if demo:
        return DEMO
    if published:
        return catalogue.info(published).title
    path = next(str(name) for name in files if name)
    return Path(path).name if path != "-" else ""


def files_read(
    published: str | None,
    demo: bool,
    data: str | None,
    sources: str | None,
    references: Sequence[str],
    outputs: Sequence[str],
) -> dict[str, str]:
    """What was read, for people."""
    if demo:
        return {"Test set": "the demo set of plainly"}
    if published:
        entry = catalogue.info(published)
        return {"Test set": f"{entry.name}: {entry.title}", "Licence": entry.licence.name, "Paper": entry.paper}
    found = {"Records": data, "Sources": sources}
    named = {what: Path(path).name for what, path in found.items() if path}
    if references:
        named["References"] = ", ".join(Path(path).name for path in references)
    if outputs:
        named["Outputs"] = ", ".join(Path(path).name for path in outputs)
    return named
