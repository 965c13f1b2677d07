"""A study file is read strictly: what it does not know is refused with its line and the nearest name it knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from plainly.base import declarations
from plainly.base.errors import Place, PlainlyError, UnknownName
from plainly.corpus import catalogue
from plainly.corpus.readers.inputs import EMPTY_REFERENCE, FORMATS
from plainly.inference.estimates import METHODS
from plainly.metrics import GROUPS, metric_class, names, settings_of
from plainly.metrics.base import UNITS
from plainly.metrics.registry import as_registered
from plainly.operations.tagger import KINDS
from plainly.scoring.profile import Profile, get_profile
from plainly.studyfile.definition import (
    KEPT,
    TEST_SET,
    Comparing,
    Export,
    Gates,
    Metrics,
    Page,
    Study,
    TestSet,
)

Keys = tuple[str, ...]
TOP = (
    "title",
    "lang",
    "profile",
    "unit",
    "kept",
    "test_set",
    "test_sets",
    "systems",
    "metrics",
    "comparison",
    "report",
)
TABLES = ("systems", "pairs", "runs", "slices")
EXPORTS = (*TABLES, "scores", "segments")
TESTS = ("bootstrap", "bootstrap-plain", "randomisation")
_WORD = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_KEY = re.compile(rf"\s*({_WORD}(?:\s*\.\s*{_WORD})*)\s*=")
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_WORD}(?:\s*\.\s*{_WORD})*)\s*\]")
_AT = re.compile(r"\(at line (\d+), column \d+\)")


def load(path: Path) -> Study:
    """The study that a file describes."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PlainlyError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
    try:
        table = declarations.read(text)
    except declarations.Fault as fault:
        line = _AT.search(str(fault))
        raise PlainlyError(str(fault), place=Place(str(path), int(line[1]) if line else None)) from fault
    return _Reader(path, lines_of(text)).study(table)


def lines_of(text: str) -> dict[Keys, int]:
    """Where each key and each table of a TOML text stands; of tables in a list, with their number."""
    found: dict[Keys, int] = {}
    counts: dict[Keys, int] = {}
    inside: Keys = ()
    for number, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(line):
            inside = _parts(header[2])
            if header[1] == "[[":
                counts[inside] = counts.get(inside, -1) + 1
                inside = (*inside, str(counts[inside]))
            found.setdefault(inside, number)
        elif key := _KEY.match(line):
            found.setdefault((*inside, *_parts(key[1])), number)
    return found


def _parts(dotted: str) -> Keys:
    return tuple(part.strip().strip("\"'") for part in re.findall(_WORD, dotted))


class _Reader:
    """Reads the sections of one file; knows where they stand."""

    def __init__(self, path: Path, lines: Mapping[Keys, int]) -> None:
        self._path = path
        self._lines = lines

    def study(self, table: dict[str, Any]) -> Study:
        known = (*TOP, "exports", "gates")
        self._insist_known((), table, known)
        lang = self._text((), table, "lang")
        shared = self._several(("systems",), self._table((), table, "systems"))
        if "test_set" in table and "test_sets" in table:
            raise self._fault(("test_set",), "say [test_set] for one, or [test_sets.NAME] for several")
        if "test_set" in table:
            named = {"": self._table((), table, "test_set")}
        else:
            named = {
                name: self._table(("test_sets",), self._table((), table, "test_sets"), name)
                for name in self._table((), table, "test_sets")
            }
        if not named:
            raise self._fault((), "there are no texts: say [test_set], or [test_sets.NAME] for several")
        sets = {}
        for name, entry in named.items():
            at = ("test_sets", name) if name else ("test_set",)
            sets[name] = self._test_set(at, entry, shared, lang)
        report = self._report(self._table((), table, "report"), self._text((), table, "title"))
        exports = self._exports(table.get("exports", []))
        study = Study(
            path=self._path,
            test_sets=sets,
            metrics=self._metrics(self._table((), table, "metrics")),
            comparison=self._comparison(self._table((), table, "comparison")),
            report=report if "report" in table else None,
            exports=exports,
            gates=self._gates(self._table((), table, "gates")),
            unit=self._text((), table, "unit", UNITS) or "segment",
            kept=self._text((), table, "kept") or KEPT,
            profile=self._profile(self._text((), table, "profile")),
            lines=self._lines,
        )
        self._check(study)
        return study

    # ---- sections

    def _test_set(
        self, at: Keys, table: Mapping[str, Any], shared: Mapping[str, tuple[str, ...]], lang: str
    ) -> TestSet:
        names = ("sources", "references", "data", "data_format", "columns", "catalogue", "against", "demo", "lang")
        self._insist_known(at, table, (*names, "empty_reference", "systems"))
        own = self._several((*at, "systems"), self._table(at, table, "systems"))
        found = TestSet(
            sources=self._text(at, table, "sources"),
            references=self._texts(at, table, "references") or (),
            data=self._text(at, table, "data"),
            data_format=self._text(at, table, "data_format", sorted(set(FORMATS.values()))),
            columns=self._several((*at, "columns"), self._table(at, table, "columns")),
            catalogue=self._text(at, table, "catalogue", catalogue.names("test set"), "test set"),
            against=self._text(at, table, "against", ("published",)),
            demo=self._flag(at, table, "demo"),
            lang=self._text(at, table, "lang") or lang,
            empty_reference=self._text(at, table, "empty_reference", EMPTY_REFERENCE) or "error",
            systems={**shared, **own},
        )
        ways = [name for name in ("sources", "data", "catalogue", "demo") if getattr(found, name)]
        if len(ways) > 1:
            raise self._fault((*at, ways[1]), f"{ways[0]} and {ways[1]} both bring texts; say one of them")
        if found.references and ways and ways != ["sources"]:
            raise self._fault((*at, "references"), f"{ways[0]} brings its own references; leave these out")
        if found.columns and not found.data:
            raise self._fault((*at, "columns"), "columns says what data calls things; say data, too")
        if found.against and not found.catalogue:
            raise self._fault((*at, "against"), "against goes with catalogue")
        if not ways and not found.systems:
            raise self._fault(at, "there are no texts: say sources and references, data, catalogue or demo")
        return found

    def _profile(self, name: str) -> Profile | None:
        if not name:
            return None
        try:  # a file of one's own lies beside the study file
            return get_profile(str(self._path.parent / name) if name.endswith(".toml") else name)
        except PlainlyError as error:
            raise error.at(self._place(("profile",))) from None

    def _metrics(self, table: Mapping[str, Any]) -> Metrics:
        at = ("metrics",)
        own = {key: value for key, value in table.items() if isinstance(value, dict)}
        shared = {key: value for key, value in table.items() if key not in own and key not in ("names", "idf")}
        found = self._texts(at, table, "names")
        if found is not None and not found:
            raise self._fault((*at, "names"), "names names no metric")
        requested = tuple(map(as_registered, found or ()))
        for name in requested:
            if name != "all" and name not in GROUPS:
                try:
                    metric_class(name.partition(":")[0])
                except PlainlyError as error:
                    raise error.at(self._place((*at, "names"))) from None
        for name in own:
            try:
                metric_class(name)
            except PlainlyError as error:
                raise error.at(self._place((*at, name))) from None
            known = {key: one for key, one in settings_of(metric_class(name)).items() if one.shown}
            self._insist_known((*at, name), own[name], known)
        every = {key for name in names() for key, one in settings_of(metric_class(name)).items() if one.shown}
        self._insist_known(at, shared, [*sorted(every - {"idf", "variant"}), "names", "idf", *names()])
        settings = {key: _setting(value) for key, value in shared.items()}
        return Metrics(
            names=requested,
            idf=self._flag(at, table, "idf"),
            settings=settings,
            own={name: {key: _setting(value) for key, value in values.items()} for name, values in own.items()},
        )

    def _comparison(self, table: Mapping[str, Any]) -> Comparing:
        at = ("comparison",)
        self._insist_known(at, table, Comparing.__dataclass_fields__)
        usual = Comparing()
        tables = self._texts(at, table, "tables")
        return Comparing(
            baseline=self._text(at, table, "baseline"),
            baselines=self._texts(at, table, "baselines"),
            test=self._text(at, table, "test", TESTS) or usual.test,
            resamples=self._whole(at, table, "resamples"),
            seed=usual.seed if (seed := self._whole(at, table, "seed")) is None else seed,
            confidence=usual.confidence if "confidence" not in table else self._number(at, table, "confidence"),
            interval=self._text(at, table, "interval", METHODS) or usual.interval,
            by=self._texts(at, table, "by") or (),
            tagger=self._text(at, table, "tagger", ("auto", *KINDS)) or usual.tagger,
            tables=usual.tables if tables is None else self._each((*at, "tables"), tables, TABLES, "table"),
        )

    def _report(self, table: Mapping[str, Any], title: str) -> Page:
        at = ("report",)
        self._insist_known(at, table, Page.__dataclass_fields__)
        return Page(
            file=self._text(at, table, "file") or "report.html",
            title=self._text(at, table, "title") or title,
            figures=self._text(at, table, "figures"),
            gaming=self._flag(at, table, "gaming"),
            operations=self._text(at, table, "operations", ("auto", *KINDS)),
        )

    def _exports(self, entries: Any) -> tuple[Export, ...]:
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise self._fault(("exports",), "write every export as [[exports]]")
        found = []
        for number, entry in enumerate(entries):
            at = ("exports", str(number))
            self._insist_known(at, entry, Export.__dataclass_fields__)
            file = self._text(at, entry, "file")
            if not file:
                raise self._fault(at, "this export has no file")
            found.append(Export(file, self._text(at, entry, "table", EXPORTS) or "systems"))
        return tuple(found)

    def _gates(self, table: Mapping[str, Any]) -> Gates:
        at = ("gates",)
        self._insist_known(at, table, Gates.__dataclass_fields__)
        worse = table.get("fail_if_worse")
        bounds = {}
        for name in ("fail_under", "fail_over"):
            inside = self._table(at, table, name)
            bounds[name] = {metric: self._number((*at, name), inside, metric) for metric in inside}
        return Gates(
            fail_if_worse={True: (), False: None}[worse]
            if isinstance(worse, bool)
            else self._texts(at, table, "fail_if_worse"),
            **bounds,
        )

    def _check(self, study: Study) -> None:
        """What sections say of each other."""
        several = len(study.test_sets) > 1
        if study.gates.fail_if_worse is not None and not study.comparison.baseline:
            raise self._fault(("gates", "fail_if_worse"), "worse than which system? say baseline in [comparison]")
        if "slices" in study.comparison.tables and not study.comparison.by:
            raise self._fault(("comparison", "tables"), "there are no slices: say by, as by = ['length']")
        for number, export in enumerate(study.exports):
            at = ("exports", str(number))
            if export.table == "slices" and not study.comparison.by:
                raise self._fault((*at, "table"), "there are no slices: say by in [comparison], as by = ['length']")
            if several and export.table == "segments" and TEST_SET not in export.file:
                raise self._fault((*at, "file"), f"there are several test sets: say {TEST_SET} in the name")
        page = study.report
        for key, name in (("file", page.file), ("figures", page.figures)) if page and several else ():
            if name and TEST_SET not in name:
                raise self._fault(("report", key), f"there are several test sets: say {TEST_SET} in the name")

    # ---- values

    def _table(self, at: Keys, table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        value: Any = table.get(key, {})
        if not isinstance(value, dict):
            raise self._fault((*at, key), f"{key} must be a table, as [{'.'.join((*at, key))}]")
        return value

    def _text(self, at: Keys, table: Mapping[str, Any], key: str, known: Iterable[str] = (), kind: str = "") -> str:
        value = table.get(key, "")
        if not isinstance(value, str) or (key in table and not value.strip()):
            raise self._fault((*at, key), f'{key} must be a text, as {key} = "..."')
        return self._each((*at, key), (value,), known, kind or key)[0] if value else ""

    def _texts(self, at: Keys, table: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
        """A text or a list of texts; None where the key is not there."""
        value = table.get(key)
        given = [value] if isinstance(value, str) else value
        if key in table and (not isinstance(given, list) or not all(isinstance(one, str) and one for one in given)):
            raise self._fault((*at, key), f'{key} must be a text or a list of texts, as {key} = ["..."]')
        return None if given is None else tuple(given)

    def _several(self, at: Keys, table: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """Of each key a text or a list of texts."""
        return {name: self._texts(at, table, name) or () for name in table}

    def _flag(self, at: Keys, table: Mapping[str, Any], key: str) -> bool:
        value = table.get(key, False)
        if not isinstance(value, bool):
            raise self._fault((*at, key), f"{key} must be true or false")
        return value

    def _whole(self, at: Keys, table: Mapping[str, Any], key: str) -> int | None:
        value = table.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            raise self._fault((*at, key), f"{key} must be a whole number from 0 on")
        return value

    def _number(self, at: Keys, table: Mapping[str, Any], key: str) -> float:
        value = table[key]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self._fault((*at, key), f"{key} must be a number")
        return float(value)

    def _each(self, at: Keys, values: tuple[str, ...], known: Iterable[str], kind: str) -> tuple[str, ...]:
        known = tuple(known)
        for value in values:
            if known and value not in known:
                raise UnknownName(kind, value, known).at(self._place(at))
        return values

    def _insist_known(self, at: Keys, table: Mapping[str, Any], known: Iterable[str]) -> None:
        known = tuple(known)
        for key in table:
            if key not in known:
                where = f" of [{'.'.join(at)}]" if at and not at[-1].isdecimal() else " of [[exports]]" if at else ""
                raise UnknownName(f"key{where}", key, known).at(self._place((*at, key)))

    def _fault(self, at: Keys, complaint: str) -> PlainlyError:
        return PlainlyError(complaint, place=self._place(at))

    def _place(self, at: Keys) -> Place:
        return place_of(self._path, self._lines, at)


def place_of(path: Path, lines: Mapping[Keys, int], at: Keys) -> Place:
    """The line of a key, or of what it stands in."""
    while at and at not in lines:
        at = at[:-1]
    return Place(str(path), lines.get(at))


def _setting(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
