"""Plug-ins: metrics that need an environment of their own, run as a program that answers in JSON lines.

Only `install` uses the network. The protocol is in docs/plugins.md.
"""

from plainly.plugins.entries import Entry, info, names, read_entry
from plainly.plugins.environment import check, install, remove, state
from plainly.plugins.session import PluginFailure, Session

__all__ = [
    "Entry",
    "PluginFailure",
    "Session",
    "check",
    "info",
    "install",
    "names",
    "read_entry",
    "remove",
    "state",
]
