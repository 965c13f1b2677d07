"""Which operations there are, and what they mean."""

from __future__ import annotations

from dataclasses import asdict

from plainly.findings import Findings, Table, message
from plainly.operations.findings.columns import text
from plainly.operations.typology import Typology


def label_findings(typology: Typology) -> Findings:
    """The labels of a typology."""
    labels = typology.labels.values()
    columns = [text(name) for name in ("label", "YAWAT", "sides", "kind", "linguistic", "definition", "example")]
    rows = [
        [
            *(label.name, label.yawat, " or ".join(label.shapes), label.computational, label.linguistic),
            *(label.definition, f"{label.example_source} → {label.example_target}"),
        ]
        for label in labels
    ]
    return Findings(
        tables=[Table("labels", message("operations.labels", "Which operations are there?"), columns, rows)],
        data={"name": typology.name, "lang": typology.lang, "labels": [asdict(label) for label in labels]},
    )
