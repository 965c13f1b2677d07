"""`python -m plainly` is the command `plainly`."""

import sys

from plainly.cli import main

sys.exit(main())
