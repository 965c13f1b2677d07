"""The page of the Python interface, made of what rooms name in `__all__`: signatures, and what docstrings say first.

Nothing is rendered by another tool, so that the page needs no network and says the same on every machine.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from plainly.findings import StudyResult

FACES = (
    *("plainly", "plainly.scoring", "plainly.scoring.statistics", "plainly.ranking", "plainly.ratings"),
    *("plainly.comprehension", "plainly.operations", "plainly.operations.tagger", "plainly.gaming"),
    *("plainly.filtering", "plainly.simplicity", "plainly.metaeval", "plainly.replication", "plainly.report"),
    "plainly.studyfile",
    *("plainly.metrics", "plainly.inference", "plainly.findings", "plainly.corpus", "plainly.corpus.catalogue"),
    *("plainly.corpus.readers", "plainly.demo", "plainly.text", "plainly.judges", "plainly.plugins"),
)
"""The faces, the verbs before what they stand on."""
WIDTH = 100
LONGEST_DEFAULT = 40
INTRODUCTION = """# Python interface

This page is generated from the code: `python docs/generate.py`.
[Python](python.md) shows the interface at work. The [tutorials](tutorials/score-and-compare.md) answer one question
each.

## What is stable

- **What this page names is public.** It changes only with a line under "Changed" in the changelog.
- **Arguments are public by name.** Pass all but the first one to three by name: others may come between them.
- **Results are public by attribute.** So are the keys of `to_dict()`, and the columns of `to_frame()`.
- **Numbers are public by signature.** The same signature, data and seed give the same number.
- **All else is private**, though Python lets you import it. A module may move, and a helper may go.
- plainly is younger than version 1.0. Until then a name may still change, but never in silence.

"""
RESULTS = """## Results

Every study gives a result, and every result can do the same:

| call | what it gives |
| --- | --- |
| `print(result)`, or its name in a shell | the verdict and the first rows, in ten lines at most |
| a notebook cell | the tables, as HTML |
| `result.table(form)` | the tables as a text: `table`, `markdown`, `latex`, `html`, `csv`, `json` and others |
| `result.table(form, "pairs")` | the tables with that name alone |
| `result.to_frame()`, `result.to_frame("pairs")` | one table as a data frame of pandas, with the columns of CSV |
| `result.to_dict()` | plain data, as the command prints with `--format json` |
| `result.findings()` | verdict, tables, notes and signatures, as every face prints them |

Many results let you choose what their tables show, as `study.findings(components=True)` does. These choices go with
`table` and `to_frame`, too.

"""


def api_page() -> str:
    return "".join(_page())


def _page() -> Iterator[str]:
    yield INTRODUCTION
    yield RESULTS
    yield "## Rooms\n\n| room | what it answers |\n| --- | --- |\n"
    for face in FACES:
        yield f"| [`{face}`](#{_anchor(face)}) | {_first(import_module(face).__doc__)} |\n"
    for face in FACES:
        yield from _face(import_module(face))


def undocumented() -> list[str]:
    """Public names of which nothing is said."""
    return [
        f"{face}.{name}"
        for face in FACES
        for name in import_module(face).__all__
        if not name.startswith("__") and not _about(import_module(face), name)
    ]


def public() -> set[tuple[str, str]]:
    """What may be imported: (face, name)."""
    return {(face, name) for face in FACES for name in import_module(face).__all__}


def _face(face: ModuleType) -> Iterator[str]:
    yield f"\n## {face.__name__}\n\n{_first(face.__doc__)}\n"
    names = [name for name in face.__all__ if not inspect.ismodule(getattr(face, name)) and not name.startswith("__")]
    verbs = [name for name in names if inspect.isroutine(getattr(face, name))]
    for name in [*verbs, *(name for name in names if name not in verbs)]:
        yield f"\n### {face.__name__}.{name}\n\n"
        yield from _entry(face, name)


def _entry(face: ModuleType, name: str) -> Iterator[str]:
    thing = getattr(face, name)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        yield f"```py\n{_call(name, thing)}\n```\n\n"
    yield f"{_whole(thing.__doc__) if inspect.isroutine(thing) else _about(face, name)}\n"
    if inspect.isclass(thing):
        if issubclass(thing, StudyResult) and thing is not StudyResult:
            yield "\nIt is a [result](#results).\n"
        if members := list(_members(thing)):
            yield "\n| member | what it is |\n| --- | --- |\n"
            yield from members


def _members(thing: type) -> Iterator[str]:
    """Methods and properties of the class itself that say what they are."""
    for name, member in vars(thing).items():
        plain = member.__func__ if isinstance(member, (staticmethod, classmethod)) else member
        about = _first(getattr(plain, "__doc__", None))
        if name.startswith("_") or not about:
            continue
        if inspect.isfunction(plain):
            arguments = _arguments(plain, skip_first=not isinstance(member, staticmethod))
            yield f"| `{name}{arguments}` | {_cell(about)} |\n"
        elif isinstance(plain, property) or type(plain).__name__ == "cached_property":
            yield f"| `{name}` | {_cell(about)} |\n"


def _call(name: str, thing: Any) -> str:
    try:
        parts = _parameters(thing, skip_first=False)
    except (TypeError, ValueError):  # a protocol, or a type of C
        return name
    returns = "" if inspect.isclass(thing) else _returned(thing)
    line = f"{name}({', '.join(parts)}){returns}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){returns}"])


def _arguments(function: Any, skip_first: bool) -> str:
    """Names alone: types make a table unreadable."""
    parts = [part.partition(":")[0].partition(" =")[0] for part in _parameters(function, skip_first)]
    return f"({', '.join(parts)})"


def _parameters(thing: Any, skip_first: bool) -> list[str]:
    parameters = list(inspect.signature(thing).parameters.values())[int(skip_first) :]
    parts: list[str] = []
    keyword_only = False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            parts.append("*")
        keyword_only |= one.kind is one.VAR_POSITIONAL
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        kind = "" if one.annotation is one.empty else f": {_type(one.annotation)}"
        default = "" if one.default is one.empty else f" = {_default(one.default)}"
        parts.append(f"{stars}{one.name}{kind}{default}")
    return parts


def _returned(thing: Any) -> str:
    kind = inspect.signature(thing).return_annotation
    return "" if kind is inspect.Signature.empty else f" -> {_type(kind)}"


def _type(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return text.strip("\"'")


def _default(value: Any) -> str:
    """The value as Python writes it; what would be long, or another on each machine, is three dots."""
    text = f'"{value}"' if isinstance(value, str) else repr(value)
    return "..." if "<" in text or len(text) > LONGEST_DEFAULT or is_dataclass(value) else text


def _about(face: ModuleType, name: str) -> str:
    """The first paragraph that is said of a public name."""
    thing = getattr(face, name)
    if inspect.ismodule(thing) or inspect.isclass(thing) or inspect.isroutine(thing):
        own = thing.__doc__ or ""
        made_by_dataclass = inspect.isclass(thing) and own.startswith(f"{thing.__name__}(")
        return "" if made_by_dataclass else _first(own)
    return _first(_said_of_value(face.__name__, name))


def _said_of_value(module: str, name: str) -> str | None:
    """The text that stands below the assignment of a value, in the module where it is made."""
    source = Path(inspect.getsourcefile(import_module(module)) or "").read_text("utf-8")
    body = ast.parse(source).body
    for statement in ast.walk(ast.Module(body, [])):
        if isinstance(statement, ast.ImportFrom) and statement.module:
            for alias in statement.names:
                if (alias.asname or alias.name) == name:
                    return _said_of_value(statement.module, alias.name)
    for statement, below in zip(body, [*body[1:], None], strict=True):
        targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
        named = any(isinstance(target, ast.Name) and target.id == name for target in targets)
        if named and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            return str(below.value.value)
    return None


def _first(doc: str | None) -> str:
    """The first paragraph, on one line."""
    paragraph = inspect.cleandoc(doc or "").partition("\n\n")[0]
    return " ".join(paragraph.split())


def _whole(doc: str | None) -> str:
    """All that is said before the first example."""
    return inspect.cleandoc(doc or "").partition("\n>>>")[0].strip()


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _anchor(heading: str) -> str:
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())
