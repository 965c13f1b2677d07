"""The version that signatures carry and that the package is built with."""

__version__ = "0.1.0"
