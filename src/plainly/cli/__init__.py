"""The command line: `plainly COMMAND ...`. Commands are imported when they run, so that --help is quick."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Sequence

from plainly.base.errors import PlainlyError
from plainly.cli.faults import worded
from plainly.cli.parser import parse

STOPPED = 130  # by Ctrl-C


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 on success, 2 on bad input with one line on standard error."""
    _open_closed_streams()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without arrows is no reason to fail
    try:
        try:
            words = sys.argv[1:] if arguments is None else list(arguments)
            options = parse(words)
            run = options.load()
            return int(run(options) or 0)
        finally:
            sys.stdout.flush()
    except PlainlyError as error:
        return _complain(worded(error))
    except BrokenPipeError:  # the reader has gone (`| head`); nothing is wrong
        _drop_unwritten()
        return 0
    except KeyboardInterrupt as stop:
        print("; ".join(["plainly: stopped", *map(str, stop.args)]), file=sys.stderr, flush=True)
        return STOPPED
    except (OSError, MemoryError) as error:
        _drop_unwritten()
        return _complain(str(error) or type(error).__name__)
    except Exception as error:
        if os.environ.get("PLAINLY_DEBUG"):
            raise
        _complain(f"a fault in plainly itself: {type(error).__name__}: {error} (PLAINLY_DEBUG=1 shows where)")
        return 1


def _open_closed_streams() -> None:
    """A stream that the caller closed (`>&-`) is None in Python; what is printed there goes nowhere."""
    if sys.stdout is None:
        sys.stdout = io.StringIO()
    if sys.stderr is None:
        sys.stderr = io.StringIO()


def command() -> int:
    """The installed command: as `main`, with a quick and clean end where it is told to end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    status = main()
    if status == STOPPED and threading.active_count() > 1:
        os._exit(STOPPED)  # Python would wait for the threads that still measure
    return status


def _drop_unwritten() -> None:
    """What standard output does not take can go nowhere; Python would try once more at exit, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> int:
    print("plainly: " + " ".join(message.split()), file=sys.stderr)
    return 2
