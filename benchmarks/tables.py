"""Tables of figures that no study found, in the forms that findings have."""

from __future__ import annotations

from collections.abc import Sequence

from plainly.findings import Column, Findings, Table, plain, printed

Cell = str | float | int | None


def render(
    headers: Sequence[str], rows: Sequence[Sequence[Cell]], form: str, decimals: int | Sequence[int] = 2
) -> str:
    """The rows under their heads; `decimals` says how many digits numbers have, in all columns or in each."""
    places = [decimals] * len(headers) if isinstance(decimals, int) else decimals
    columns = [
        Column(head, "number" if any(isinstance(row[i], (int, float)) for row in rows) else "text", places[i])
        for i, head in enumerate(headers)
    ]
    return printed(Findings([Table("figures", plain(""), columns, rows)]), form)
