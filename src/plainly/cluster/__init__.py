"""Where measuring runs. Today: threads on this machine."""

from plainly.cluster.local import Measured, measure

__all__ = ["Measured", "measure"]
