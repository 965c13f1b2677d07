"""The texts that a command is about: its arguments, standard input, or a file."""

from __future__ import annotations

import argparse

from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable, refuse_overwriting
from plainly.corpus.readers.files import LineFile, open_input

USUAL = "full"  # the model, where none is named


def texts_of(options: argparse.Namespace) -> list[str]:
    """All texts, in the order in which they were given; an output that would be written over them is refused."""
    refuse_overwriting(options.output, [options.file, options.model])
    check_writable(options.output)
    if options.file and options.text:
        raise PlainlyError("give texts or --file, not both")
    if options.file:
        return _lines(options.file)
    if options.text == ["-"]:
        return _lines("-")
    if not options.text:
        raise PlainlyError("give a text, --file FILE, or - for standard input")
    return list(options.text)


def _lines(path: str) -> list[str]:
    with open_input(path) as file:
        return list(LineFile(file))
