"""`python -m plainly.compat.easse`."""

import sys

from plainly.compat.easse.cli import cli

sys.exit(cli())
