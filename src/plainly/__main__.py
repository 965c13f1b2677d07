"""`python -m plainly` is the command `plainly`."""

import sys

from plainly.cli import command

sys.exit(command())
