"""The version that signatures carry; the same as in pyproject.toml (a test compares them)."""

__version__ = "0.1.0"
