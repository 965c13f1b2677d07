"""The report: one HTML page to read, search, print and share."""

from plainly.report.build import BACKGROUND, build, write

__all__ = ["BACKGROUND", "build", "write"]
