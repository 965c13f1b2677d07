"""The report: one HTML page to read, search, print and share."""

from plainly.report.background import BACKGROUND, background_metrics
from plainly.report.build import build
from plainly.report.page import page_of

__all__ = ["BACKGROUND", "background_metrics", "build", "page_of"]
