"""What studies of operations tell, as every face prints it."""

from plainly.operations.findings.agreement import agreement_findings
from plainly.operations.findings.labels import label_findings
from plainly.operations.findings.rewards import reward_findings
from plainly.operations.findings.statistics import statistics_findings
from plainly.operations.findings.subsets import size_findings, subset_findings

__all__ = [
    "agreement_findings",
    "label_findings",
    "reward_findings",
    "size_findings",
    "statistics_findings",
    "subset_findings",
]
