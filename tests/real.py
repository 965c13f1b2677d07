"""Where real test sets and peers' numbers are: what `make data` fetched, else the folder beside a checkout."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
FETCHED = ROOT / ".data"
BESIDE = ROOT.parent / "shared"
SHARED = FETCHED if FETCHED.is_dir() else BESIDE
NOT_HERE = "real test sets or peers' numbers are not here: run `make data`, or have the folder ../shared"
