"""A first study file, from what is in a folder: sources, references and outputs by names and numbers of lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.base.files import writing
from plainly.base.groups import grouped
from plainly.corpus.readers.inputs import FORMATS

SOURCE = re.compile(r"(?:^|[^a-z])(?:src|sources?|orig(?:inals?)?|complex|normal|inputs?)(?:$|[^a-z])")
REFERENCE = re.compile(r"(?:^|[^a-z])(?:refs?|references?|simp(?:le)?|gold|targets?|tgt)(?:$|[^a-z])")
ENDINGS = (".txt", ".src", ".tok", ".detok", ".out", ".orig", ".simp", "")
NUMBER = re.compile(r"\d+(?=[^\d]*$)")
LARGEST = 1 << 30  # bytes: what is larger is no file of lines that people put beside a study file


@dataclass(frozen=True)
class Folder:
    """What was found: names of files, relative to the folder."""

    lines: int = 0
    sources: str = ""
    references: Sequence[str] = ()
    systems: Mapping[str, Sequence[str]] = field(default_factory=dict)
    data: str = ""


def beginning(path: Path, lang: str = "") -> str:
    """Write a study file for the folder it stands in, with comments, and never over another; its text."""
    if path.exists():
        raise PlainlyError(f"{path} is there already; delete it, or say another name")
    if not path.parent.is_dir():
        raise PlainlyError(f"there is no folder {path.parent}")
    text = written(looked_at(path.parent), lang)
    with writing(str(path)) as out:
        out.write(text)
    return text


def looked_at(folder: Path) -> Folder:
    """What the files of a folder, and of the folders in it, seem to be."""
    files = sorted(
        file.relative_to(folder)
        for pattern in ("*", "*/*")
        for file in folder.glob(pattern)
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(folder).parts)
    )
    counted = {file: count for file in files if (count := _lines(folder / file))}
    by_count = grouped(counted, counted.__getitem__)
    fitting = {count: some for count, some in by_count.items() if _sources(some) and len(some) > 1}
    if fitting:
        count = max(fitting, key=lambda one: len(fitting[one]))
        return _of_lines(count, fitting[count])
    tables = [file for file in files if file.suffix.lower() in FORMATS]
    return Folder(data=str(tables[0])) if tables else Folder()


def written(found: Folder, lang: str) -> str:
    """The study file as a text."""
    parts = [
        "# A study of text simplification: what is read, measured, compared and written.",
        "# plainly run study.toml does it. A second time, only what is new is measured.",
        "# Paths are relative to this file. Lines that begin with # are remarks; take the mark away to use them.",
        "",
        '# title = "Which system simplifies best?"  # of the report',
        f"lang = {_quoted(lang)}" if lang else '# lang = "en"  # of the texts',
        "",
        "[test_set]",
        *_test_set(found),
        "",
        "[systems]",
        '# NAME = "FILE"; a pattern, as "seed*.txt", or a list of files, makes runs of one system',
        *(f"{_key(name)} = {_one_or_more(files)}" for name, files in found.systems.items()),
        "",
        "[metrics]",
        '# names = ["sari", "bleu", "fkgl", "chrf"]  # and others that plainly score lists',
        "# lowercase = true        # a setting of all metrics that have it",
        "# [metrics.chrf]          # settings of one metric",
        "# word_order = 2",
        "",
        "[comparison]",
        '# baseline = "NAME"       # test every system against this one; without it, all pairs',
        '# by = ["length"]         # where is one system better?',
        '# tables = ["systems", "pairs"]  # what is printed',
        "# resamples = 1000",
        "# seed = 12345",
        "",
        "# [report]",
        '# file = "report.html"',
        '# figures = "figures"',
        "",
        "# [[exports]]             # one table in one file, in the form of its ending; as many as you like",
        '# file = "systems.tex"',
        '# table = "systems"       # or pairs, runs, slices, scores, segments',
        "",
        "# [gates]                 # exit status 1 where a system falls short",
        '# fail_if_worse = ["sari"]  # than the baseline, beyond chance',
        "# fail_under = { sari = 35 }",
    ]
    return "\n".join(parts) + "\n"


def _test_set(found: Folder) -> list[str]:
    if found.sources:
        return [
            f"sources = {_quoted(found.sources)}  # {found.lines:,} lines",
            f"references = {_one_or_more(found.references)}"
            if found.references
            else '# references = "ref.*"  # one a line; found none by name',
        ]
    if found.data:
        return [f"data = {_quoted(found.data)}"]
    return [
        "# No texts were found beside this file. So it begins with the demo set; take the line out for your own:",
        "demo = true",
        '# sources = "sources.txt"',
        '# references = "ref.*"',
        '# catalogue = "asset-test"  # in the place of files: a published test set, see plainly data list',
    ]


def _of_lines(count: int, files: Sequence[Path]) -> Folder:
    source = _sources(files)[0]
    others = [file for file in files if file != source]
    references = [file for file in others if REFERENCE.search(file.name.lower())]
    outputs = [file for file in others if file not in references and not SOURCE.search(file.name.lower())]
    systems: dict[str, list[str]] = {}
    for file in outputs:
        systems.setdefault(_system(file), []).append(str(file))
    return Folder(count, str(source), [str(file) for file in references], systems)


def _sources(files: Iterable[Path]) -> list[Path]:
    return [file for file in files if SOURCE.search(file.name.lower())]


def _system(file: Path) -> str:
    """The name of a system; files that differ in their last number are runs of one."""
    name = NUMBER.sub("", file.stem).strip("-_. ") or file.parent.name or file.stem
    return name.removesuffix("seed").removesuffix("run").strip("-_. ") or name


def _lines(path: Path) -> int:
    """How many lines a text file has; 0 for what is none."""
    endings = (path.suffix.lower() in ENDINGS) or path.suffix[1:].isdecimal()
    if not endings or path.stat().st_size > LARGEST:
        return 0
    try:
        content = path.read_bytes()
        content.decode()
    except (OSError, UnicodeDecodeError):
        return 0
    return content.count(b"\n") + (not content.endswith(b"\n")) if content and b"\0" not in content else 0


def _one_or_more(files: Sequence[str]) -> str:
    return _quoted(files[0]) if len(files) == 1 else f"[{', '.join(map(_quoted, files))}]"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)
