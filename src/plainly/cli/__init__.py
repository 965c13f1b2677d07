"""The command line: `plainly COMMAND ...`. Commands are imported when they run, so that --help is quick."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

from plainly.cli.parser import build_parser
from plainly.errors import PlainlyError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 on success, 2 on bad input with one line on standard error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without arrows is no reason to fail
    try:
        try:
            options = build_parser().parse_args(arguments)
            run = options.load()
            return int(run(options) or 0)
        finally:
            sys.stdout.flush()
    except PlainlyError as error:
        return _complain(str(error))
    except BrokenPipeError:  # the reader has gone (`| head`); nothing is wrong
        _drop_unwritten()
        return 0
    except KeyboardInterrupt:
        print("plainly: stopped", file=sys.stderr)
        return 130
    except (OSError, MemoryError) as error:
        _drop_unwritten()
        return _complain(str(error) or type(error).__name__)
    except Exception as error:
        if os.environ.get("PLAINLY_DEBUG"):
            raise
        _complain(f"a fault in plainly itself: {type(error).__name__}: {error} (PLAINLY_DEBUG=1 shows where)")
        return 1


def _drop_unwritten() -> None:
    """What standard output does not take can go nowhere; Python would try once more at exit, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> int:
    print("plainly: " + " ".join(message.split()), file=sys.stderr)
    return 2
