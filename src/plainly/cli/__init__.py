"""The command line: `plainly COMMAND ...`. Commands are imported when they run, so that --help is quick."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from plainly.cli.parser import build_parser
from plainly.errors import PlainlyError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 on success, 2 on bad input with one line on standard error."""
    parser = build_parser()
    try:
        options = parser.parse_args(arguments)
        run = options.load()
        return int(run(options) or 0)
    except PlainlyError as error:
        return _complain(str(error))
    except BrokenPipeError:
        sys.stderr.close()  # the reader has gone (`| head`); nothing is wrong
        return 0
    except KeyboardInterrupt:
        print("plainly: stopped", file=sys.stderr)
        return 130
    except (OSError, MemoryError) as error:
        return _complain(str(error) or type(error).__name__)
    except Exception as error:
        if os.environ.get("PLAINLY_DEBUG"):
            raise
        _complain(f"a fault in plainly itself: {type(error).__name__}: {error} (PLAINLY_DEBUG=1 shows where)")
        return 1


def _complain(message: str) -> int:
    print("plainly: " + " ".join(message.split()), file=sys.stderr)
    return 2
