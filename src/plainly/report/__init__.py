"""The report: one HTML page to read, search, print and share."""

from plainly.report.page import BACKGROUND, Report, build, headline_of, report_of

__all__ = ["BACKGROUND", "Report", "build", "headline_of", "report_of"]
