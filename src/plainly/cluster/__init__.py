"""Where measuring runs: threads of this process for what is in memory; for big data, partitions on an engine."""

from plainly.cluster.local import Measured, measure
from plainly.cluster.totals import Totals, add_rows, exact_sum

__all__ = ["Measured", "Totals", "add_rows", "exact_sum", "measure"]
