"""The generated part of docs/catalogue.md.

    python tests/catalogue/catalogue_page.py     rewrites it

A test fails when it is stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from plainly.corpus.catalogue import Entry, info, names
from plainly.corpus.catalogue.changes import CHANGES
from plainly.corpus.catalogue.entries import CHECKED
from plainly.corpus.catalogue.obtaining import way
from plainly.findings.printers.markdown import plain_table

PAGE = Path(__file__).parent.parent.parent / "docs" / "catalogue.md"
BEGIN, END = "<!-- generated: begin -->\n", "<!-- generated: end -->\n"


def with_current_part(page: str) -> str:
    """The page with its generated part as it is today."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + "".join(generated()) + END + rest.partition(END)[2]


def generated() -> Iterator[str]:
    entries = [info(name) for name in names()]
    yield "\n" + plain_table(
        ["name", "kind", "language", "domain", "segments", "references", "systems", "licence", "commercial use"],
        [
            [
                f"[`{entry.name}`](#{entry.name})",
                entry.kind,
                entry.language,
                entry.domain,
                entry.segments,
                entry.references,
                len(entry.systems),
                entry.licence.name,
                commercial_use(entry),
            ]
            for entry in entries
        ],
    )
    for entry in entries:
        yield from section(entry)
    yield "\n## What is changed after a download\n\n"
    used = {file.change: [] for file in [file for entry in entries for file in entry.files] if file.change}
    for entry in entries:
        for change in dict.fromkeys(file.change for file in entry.files if file.change):
            used[change].append(f"`{entry.name}`")
    yield plain_table(
        ["change", "what it does", "used by"],
        [[name, first_sentence(change.__doc__ or ""), ", ".join(used[name])] for name, change in CHANGES.items()],
    )
    yield "\n## How well the addresses were checked\n\n"
    parts = [part for name in names() for file in info(name).files for part in file.parts]
    yield plain_table(
        ["`checked`", "what it means", "downloads"],
        [[name, words, sum(part.checked == name for part in parts)] for name, words in CHECKED.items()],
    )
    yield "\n"


def section(entry: Entry) -> Iterator[str]:
    yield f"\n## {entry.name}\n\n"
    facts = [
        ["what it is", entry.about],
        ["readers", entry.readers],
        ["form", entry.form],
        ["licence", f"{entry.licence.name}. {entry.licence.terms}"],
        ["origin", entry.origin],
        ["paper", entry.paper],
        *([["how to get it", got(entry)]] if way(entry) != "fetch" else []),
        ["published systems", ", ".join(f"`{system}`" for system in entry.systems) or "none"],
        *(["note", as_markdown(note)] for note in entry.notes),
    ]
    yield plain_table([entry.title, ""], facts)


def as_markdown(text: str) -> str:
    """Entities and underscores that are meant as they stand."""
    return re.sub(r"\b(_\w+_)\b", r"`\1`", text.replace("&", "&amp;"))


def commercial_use(entry: Entry) -> str:
    if entry.licence.non_commercial:
        return "no"
    return "ask" if entry.restricted else "not stated" if entry.licence.name == "not stated" else "yes"


def got(entry: Entry) -> str:
    """Who to ask, or where from; and the files, by their names in the data folder."""
    asked = entry.restricted
    where = (
        f"ask {asked.ask}{f' ({asked.address})' if asked.address else ''}"
        if asked
        else f"by hand, from {entry.origin}; the addresses are not known here"
    )
    folders = dict.fromkeys(f"`{PurePosixPath(file.name).parent}`" for file in entry.files)
    return f"{where}. `plainly data show {entry.name}` lists the files. They belong in {', '.join(folders)}."


def first_sentence(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split())


if __name__ == "__main__":
    PAGE.write_text(with_current_part(PAGE.read_text("utf-8")), "utf-8")
