"""Which operations there are, and what they mean."""

from __future__ import annotations

from dataclasses import asdict

from plainly.findings import Findings, Message, Table, message
from plainly.operations.findings.columns import text
from plainly.operations.typology import ERROR, Label, Typology


def label_findings(typology: Typology) -> Findings:
    """The labels of a typology."""
    labels = typology.labels.values()
    columns = [
        text(name) for name in ("label", "YAWAT", "sides", "kind", "mapped", "linguistic", "definition", "example")
    ]
    rows = [
        [
            *(
                label.name,
                label.yawat,
                " or ".join(label.shapes),
                label.computational,
                _mapped(label),
                label.linguistic,
            ),
            *(label.definition, f"{label.example_source} → {label.example_target}"),
        ]
        for label in labels
    ]
    return Findings(
        tables=[Table("labels", message("operations.labels", "Which operations are there?"), columns, rows)],
        data={"name": typology.name, "lang": typology.lang, "labels": [asdict(label) for label in labels]},
    )


def _mapped(label: Label) -> Message | None:
    """Whether one computational operation stands for the label; the flag is no operation."""
    if label.name == ERROR:
        return None
    word = "no" if label.unmapped else "yes"
    return message(f"operations.mapped.{word}", word)
