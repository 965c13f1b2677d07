"""Reads what the options of `plainly.cli.ranking.parser` name."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import check_writable, refuse_overwriting
from plainly.corpus import catalogue
from plainly.corpus.catalogue import store
from plainly.ranking import Judgements, Text, read_judgements, read_texts
from plainly.ranking.formats import COLUMNS, named_file
from plainly.ranking.ratings import METHODS, settings_of

OF_TEXTS = ("id", "text")
METHOD = "bradley-terry"
JUDGEMENTS = "judgements"
"""The kind of an entry of the catalogue, and of files in it."""
SETTINGS = {
    "k": "k",
    "start": "start",
    "orders": "orders",
    "prior_sd": "sd",
    "period": "period",
    "openskill": "model",
}
"""Options that are settings of some method, and their names there."""


def protect_inputs(output: str | None, judgements: list[str], *others: str | None) -> None:
    """Refuse to write over what is read: judgements, each `[RATER=]FILE`, and other files."""
    refuse_overwriting(output, [*(named_file(item)[1] for item in judgements), *others])
    check_writable(output)


def judgements_of(options: argparse.Namespace) -> tuple[Judgements, list[Text]]:
    """The judgements, and the texts if they are given."""
    if not options.judgements:
        raise PlainlyError("there are no judgements: give FILE or RATER=FILE, several or a pattern")
    for item in options.judgements:
        _refuse_entry(named_file(item)[1])
    columns, of_texts = columns_of(options)
    texts = read_texts(options.texts, of_texts) if options.texts else []
    ids = [text.id for text in texts] if texts else None
    return read_judgements(options.judgements, options.winner, ids, columns), texts


def _refuse_entry(path: str) -> None:
    """An entry of the catalogue holds judgements by several people and models: the asker says which."""
    if path not in catalogue.names(JUDGEMENTS) or Path(path).exists():
        return
    files = catalogue.info(path).having(JUDGEMENTS)
    raise PlainlyError(
        f"{path} is an entry of the catalogue, not a file: it has {len(files)} files of judgements, by people and by "
        f"models; name those that you mean, as {store.place(files[0])} (plainly data show {path} lists them)"
    )


def columns_of(options: argparse.Namespace) -> tuple[dict[str, str], dict[str, str]]:
    """What columns are called in files of judgements, and in those of texts."""
    named: dict[str, str] = options.columns or {}
    for name in named:
        if name not in (*COLUMNS, *OF_TEXTS):
            raise UnknownName("name of a column", name, (*COLUMNS, *OF_TEXTS))
    of_texts = {name: column for name, column in named.items() if name in OF_TEXTS}
    if of_texts and not options.texts:
        raise PlainlyError(f"--columns {next(iter(of_texts))} is a column of --texts; give that, too")
    return {name: column for name, column in named.items() if name not in of_texts}, of_texts


def methods_of(options: argparse.Namespace) -> list[str]:
    """The methods of `--method`, comma-separated."""
    names = [name.strip() for name in (options.method or METHOD).split(",") if name.strip()]
    if not names:
        raise PlainlyError("--method names no method")
    for name in names:
        if name.partition(":")[0] not in METHODS:
            raise UnknownName("method of rating", name, METHODS)
    if len(set(names)) < len(names):
        raise PlainlyError("--method names a method twice")
    return names


def settings_for(method: str, options: argparse.Namespace, methods: list[str]) -> dict[str, Any]:
    """What the options set of this method. An option that none of the methods has is refused."""
    known = settings_of(method)
    anywhere = {name for other in methods for name in settings_of(other.partition(":")[0])}
    given = {name: getattr(options, option) for option, name in SETTINGS.items()}
    if options.position:
        given["position"] = True
    for option, name in (*SETTINGS.items(), ("position", "position")):
        if given.get(name) is not None and name not in anywhere:
            raise PlainlyError(f"--{option.replace('_', '-')} is no setting of {', '.join(methods)}")
    return {name: value for name, value in given.items() if value is not None and name in known}
