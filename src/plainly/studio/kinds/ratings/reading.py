"""The files of a new campaign: sources with the outputs of systems, and attention checks.

Outputs stand one row an output (`id`, `source`, `system`, `output`, perhaps `role`), or one row a source: `id`,
`source` and a column for each system. There, columns `reference` or `reference...` are texts known to be good. In
JSONL, `outputs` and `references` may also be tables of their own. Checks have `id`, `source`, `output`, and for each
scale a column with what must be said: `1..2`, `5`, or nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError
from plainly.base.messages import plural
from plainly.corpus.readers.files import shown
from plainly.corpus.readers.problems import Problems
from plainly.corpus.readers.rows import cell_text
from plainly.ratings import Range
from plainly.studio.entered_texts import looks_like_formula
from plainly.studio.kinds import gold
from plainly.studio.kinds.base import Campaign, FileSlot, Item, Json, Material, insist_new
from plainly.studio.kinds.columns import rows
from plainly.studio.kinds.ratings import known, scales
from plainly.studio.kinds.ratings.pages import CHECK, kinds_of_checks, pages_of, tasks_for
from plainly.studio.kinds.sizes import insist_small

MOST_ITEMS = 5000
MOST_SYSTEMS = 50
MOST_PAGES = 2000
LONGEST_NAME = 100
LONGEST_TEXT = 20_000
SHOWN_ROWS = 5
SHOWN_TEXT = 120
ABOUT = ("id", "source", "lang", "system", "output", "role", "outputs", "references")
"""Columns that are no systems."""
TABLES = (".csv", ".tsv", ".jsonl")
OUTPUTS = FileSlot(
    "outputs",
    TABLES,
    columns={
        "id": ("key", "item", "number", "nr"),
        "source": ("original", "complex", "src", "sentence", "normal", "input"),
        "system": ("model", "name"),
        "output": ("simplification", "simplified", "prediction", "hypothesis", "generation", "target"),
        "role": (),
    },
    needed=("id", "source"),
    release="outputs",
    more=True,
)
CHECKS = FileSlot(
    "checks",
    TABLES,
    required=False,
    columns={name: OUTPUTS.columns[name] for name in ("id", "source", "output")},
    needed=("id", "output"),
)
PRACTICE = replace(CHECKS, name="practice", columns={**CHECKS.columns, "why": ()})
SCALES_OF_CHECKS = {"copy_scale": "meaning", "nonsense_scale": "fluency"}
"""Options and their defaults, which are fine also where there is no such scale: then no such checks are made."""
_UNKEPT = re.compile("[\x00\ud800-\udfff]")


@dataclass
class _Source:
    """A source as the rows so far have it."""

    place: str
    source: str
    outputs: dict[str, tuple[str, str]] = field(default_factory=dict)
    """System -> role and text."""


def read_material(files: Mapping[str, Path], options: Json) -> Material:
    """Everything that a campaign of ratings needs."""
    insist_small(files)
    found = scales.read_scales(options["scales"])
    settings = {**options, "scales": scales.as_settings(found)}
    for option, usual in SCALES_OF_CHECKS.items():
        if options[option] not in ("", usual, *scales.names(settings)):
            raise PlainlyError(f"there is no scale {shown(options[option])} for attention checks")
    sources, langs, left_out = _sources(files["outputs"], options)
    items = [_item(name, entry) for name, entry in sources.items()]
    systems = dict.fromkeys(output["system"] for item in items for output in item.content["outputs"])
    if len(systems) > MOST_SYSTEMS:
        raise PlainlyError(f"{files['outputs'].name}: there are more than {MOST_SYSTEMS} systems")
    checks = _checks(files["checks"], CHECKS, settings, set(sources)) if "checks" in files else {}
    practice = _checks(files["practice"], PRACTICE, settings, set()) if "practice" in files else {}
    settings |= gold.settings_of(files, [known.practice_task(item, why) for item, why in practice.values()], ())
    checks_of_file = [item for item, _ in checks.values()]
    material = Material(
        items=(*items, *checks_of_file),
        settings=settings,
        columns=("id", "source", *systems),
        rows=tuple(_preview(item, list(systems)) for item in items[:SHOWN_ROWS]),
        notes=(*_notes(items, checks_of_file, settings, left_out), *gold.notes_of(settings)),
        lang=langs.pop() if len(langs) == 1 else "",
    )
    pages = len(pages_of(items, settings)) + len(checks)
    if pages > MOST_PAGES:
        raise PlainlyError(
            f"{pages} pages are too many for one participant ({MOST_PAGES} at most); share the sources out, with a "
            "number of sources for each participant"
        )
    return material


def more_material(campaign: Campaign, files: Mapping[str, Path], options: Json) -> Material:
    """Outputs of further sources. Those of sources that are there would be rated by some people only."""
    lines = [" | ".join(scale.values()) for scale in campaign.settings["scales"]]
    found = read_material(files, {**options, "scales": lines})
    insist_new(campaign, found.items)
    roles = {output["system"]: output["role"] for item in campaign.items for output in item.content["outputs"]}
    for output in (output for item in found.items for output in item.content["outputs"]):
        if roles.setdefault(output["system"], output["role"]) != output["role"]:
            raise PlainlyError(f"{shown(output['system'])} is an output here and a reference there, or the reverse")
    whole = [*campaign.items, *found.items]
    if len(whole) > MOST_ITEMS or len(roles) > MOST_SYSTEMS:
        raise PlainlyError(f"a campaign has {MOST_ITEMS} sources and {MOST_SYSTEMS} systems at most")
    if len(pages_of(whole, campaign.settings)) > MOST_PAGES and campaign.settings["assignment"] == "same":
        raise PlainlyError(f"with these, one participant would have more than {MOST_PAGES} pages")
    return replace(found, settings=campaign.settings)


def _sources(path: Path, options: Json) -> tuple[dict[str, _Source], set[str], int]:
    """Sources by id, the languages that rows name, and how many outputs were empty."""
    sources: dict[str, _Source] = {}
    langs: set[str] = set()
    empty = 0
    problems = Problems()
    for place, row in _rows(path, OUTPUTS, options):
        with problems.caught():
            empty += _take(row, place, sources, options["source"])
            langs.add(cell_text(row.get("lang"), place, "lang"))
        if len(sources) > MOST_ITEMS:
            raise PlainlyError(f"{place}: more than {MOST_ITEMS} sources")
    problems.refuse()
    if not sources:
        raise PlainlyError(f"{path.name}: there are no outputs to rate")
    roles: dict[str, str] = {}
    for name, entry in sources.items():
        with problems.caught():
            if not entry.outputs:
                raise PlainlyError(f"{entry.place}: {shown(name)} has no output to rate")
            for system, (role, _) in entry.outputs.items():
                if roles.setdefault(system, role) != role:
                    raise PlainlyError(f"{entry.place}: {shown(system)} is an output here and a reference elsewhere")
    problems.refuse()
    return sources, langs - {""}, empty


def _take(row: Mapping[str, Any], place: str, sources: dict[str, _Source], with_source: bool) -> int:
    """Adds what a row holds to the sources; says how many of its outputs are empty."""
    name = _name(row.get("id"), place, "id")
    text = _text(row.get("source"), place, "source", needed=with_source)
    long = "output" in row or "system" in row
    entry = sources.setdefault(name, _Source(place, text))
    if not long and entry.place != place:
        raise PlainlyError(f"{place}: id {shown(name)} is there twice, first at {entry.place}")
    if entry.source != text:
        raise PlainlyError(f"{place}: {shown(name)} has another source at {entry.place}")
    empty = 0
    for system, role, value in [_long(row, place)] if long else _wide(row, place):
        output = _text(value, place, system, needed=long)
        if system in entry.outputs:
            raise PlainlyError(f"{place}: the output of {shown(system)} for {shown(name)} is there twice")
        if output:
            entry.outputs[system] = (role, output)
        empty += not output
    return empty


def _rows(path: Path, slot: FileSlot, options: Json) -> Iterator[tuple[str, dict[str, Any]]]:
    for where, row in rows(path, slot, options, () if options["source"] else ("source",)):
        place = f"{path.name}:{where.number}"
        if "id" not in row:
            raise PlainlyError(f"{place}: id is missing")
        yield place, row


def _long(row: Mapping[str, Any], place: str) -> tuple[str, str, Any]:
    for name in ("system", "output"):
        if name not in row:
            raise PlainlyError(f"{place}: {name} is missing; one row an output has id, source, system and output")
    role = cell_text(row.get("role"), place, "role") or "output"
    if role not in ("output", "reference"):
        raise PlainlyError(f"{place}: role must be output or reference, not {shown(role)}")
    return _system(row["system"], place), role, row["output"]


def _wide(row: Mapping[str, Any], place: str) -> list[tuple[str, str, Any]]:
    outputs, references = (row.get(name, {}) for name in ("outputs", "references"))
    if isinstance(references, list):
        named = len(references) > 1
        references = {f"reference-{n}" if named else "reference": text for n, text in enumerate(references, 1)}
    if not isinstance(outputs, dict) or not isinstance(references, dict):
        raise PlainlyError(f"{place}: outputs must be a table of texts by system; references too, or a list")
    found = [(_system(name, place), "output", text) for name, text in outputs.items()]
    found += [(_system(name, place), "reference", text) for name, text in references.items()]
    for name, text in row.items():
        if name not in ABOUT:
            found.append((_system(name, place), "reference" if name.startswith("reference") else "output", text))
    return found


def _checks(path: Path, slot: FileSlot, settings: Json, taken: set[str]) -> dict[str, tuple[Item, str]]:
    """Outputs with what must be said of them, by id; and why."""
    whole = scales.values(settings)
    named = scales.names(settings)
    found: dict[str, tuple[Item, str]] = {}
    for place, row in _rows(path, slot, settings):
        name = _name(row.get("id"), place, "id")
        if name in taken or name in found:
            raise PlainlyError(f"{place}: id {shown(name)} is there twice, or names a source")
        source = _text(row.get("source"), place, "source", needed=settings["source"])
        text = _text(row.get("output"), place, "output", needed=True)
        expected = {scale: _expected(row[scale], place, scale, whole) for scale in named if row.get(scale)}
        if not expected:
            raise PlainlyError(f"{place}: a check needs an expected value on one of the scales {', '.join(named)}")
        output = {"system": CHECK, "role": "check", "text": text, "expected": expected}
        why = _text(row.get("why"), place, "why", needed=False)
        found[name] = Item(name, {"source": source, "outputs": [output]}), why
    return found


def _expected(value: Any, place: str, scale: str, whole: Range) -> str:
    try:
        expected = Range.of(str(value).strip())
    except ValueError:
        raise PlainlyError(
            f"{place}: {shown(scale)} must be a number or a range as 4..5, not {shown(str(value))}"
        ) from None
    if expected.low not in whole or expected.high not in whole:
        raise PlainlyError(f"{place}: {shown(scale)} must lie within {whole}, not {expected}")
    return str(expected)


def _name(value: Any, place: str, what: str) -> str:
    name = cell_text(value, place, what)
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise PlainlyError(f"{place}: {what} must be one line of 1 to {LONGEST_NAME} characters, not {shown(name)}")
    if looks_like_formula(name):
        raise PlainlyError(f"{place}: a spreadsheet would take {shown(name)} for a formula; rename it")
    return name


def _system(value: Any, place: str) -> str:
    name = _name(value, place, "system")
    if name == CHECK or name.startswith(f"{CHECK}-"):
        raise PlainlyError(f"{place}: a system cannot be called {shown(name)}; attention checks have that name")
    return name


def _text(value: Any, place: str, what: str, needed: bool) -> str:
    text = cell_text(value, place, what)
    if needed and not text:
        raise PlainlyError(f"{place}: {shown(what)} is empty")
    if len(text) > LONGEST_TEXT:
        raise PlainlyError(f"{place}: {shown(what)} has more than {LONGEST_TEXT:,} characters")
    if _UNKEPT.search(text):
        raise PlainlyError(f"{place}: {shown(what)} holds characters that cannot be kept (NUL)")
    return text


def _item(name: str, entry: _Source) -> Item:
    outputs = [{"system": system, "role": role, "text": text} for system, (role, text) in entry.outputs.items()]
    return Item(name, {"source": entry.source, "outputs": outputs})


def _preview(item: Item, systems: Sequence[str]) -> tuple[str, ...]:
    texts = {output["system"]: output["text"] for output in item.content["outputs"]}
    cells = (item.content["source"], *(texts.get(system, "") for system in systems))
    return (item.name, *(cell if len(cell) <= SHOWN_TEXT else cell[: SHOWN_TEXT - 1] + "…" for cell in cells))


def _pages_said(items: Sequence[Item], settings: Json) -> str:
    """How much a participant has to do, as the first one gets it."""
    campaign = Campaign("", "ratings", "", "", 0, {**settings, "assignment": "same"}, tuple(items))
    pages = tasks_for(campaign, 1, ())
    roles = Counter(output["role"] == "check" for page in pages for output in page["outputs"])
    what = f"{plural(roles[False], 'output')} and {plural(roles[True], 'attention check')}"
    return f"each participant: {what}, on {plural(len(pages), 'page')}"


def _notes(items: Sequence[Item], checks: Sequence[Item], settings: Json, empty: int) -> Iterator[str]:
    outputs = [output for item in items for output in item.content["outputs"]]
    systems = dict.fromkeys(output["system"] for output in outputs if output["role"] == "output")
    references = dict.fromkeys(output["system"] for output in outputs if output["role"] == "reference")
    yield f"sources: {len(items)}, outputs: {len(outputs)}, systems: {len(systems)}, references: {len(references)}"
    if empty:
        yield f"empty outputs, which are left out: {empty}"
    mine = items[: settings["load"] or None] if settings["assignment"] == "shared" else items
    yield _pages_said([*mine, *checks], settings)
    if settings["assignment"] == "shared":
        people = -(-len(items) * settings["raters"] // max(1, len(mine)))
        yield f"{people} participants are needed for {settings['raters']} raters of each source"
    if settings["checks"] and not kinds_of_checks(settings):
        yield "no attention checks are made: they need the scale for copies (with sources shown) or for nonsense"
