"""How the page says things: titles, numbers, intervals and verdicts in plain words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plainly.inference.estimates import Estimate
from plainly.inference.paired import Difference
from plainly.metrics import Metric
from plainly.scoring import Evaluation

ARROWS = {"higher": "↑", "lower": "↓", "none": ""}
BETTER = {"higher": "higher is better", "lower": "lower is better", "none": "neither end is better"}
NOTHING = "–"


def in_sentence(title: str) -> str:
    """A title inside a sentence: a word in lower case, an abbreviation or a name as it is."""
    known = {"Levenshtein", "Flesch", "Gunning", "Coleman-Liau", "Dale-Chall"}
    first = title.partition(" ")[0]
    return title if first in known or not first[1:].islower() else title[0].lower() + title[1:]


def axis_title(evaluation: Evaluation, label: str) -> str:
    direction = evaluation.metrics[label].facts.direction
    title = evaluation.metrics[label].title
    return title if direction == "none" else f"{title} {ARROWS[direction]} {BETTER[direction]}"


def number(value: float, decimals: int) -> str:
    """A number with a true minus sign; a dash where there is none. A number that rounds to 0 has no sign."""
    return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−") if math.isfinite(value) else NOTHING


def between(estimate: Estimate, decimals: int) -> str:
    """An interval in words; a dash where there is none."""
    return f"{estimate.low:.{decimals}f} to {estimate.high:.{decimals}f}" if estimate.has_interval else "-"


def number_for(metric: Metric, value: float) -> str:
    return number(value, metric.facts.decimals)


def estimate(metric: Metric, score: float, low: float, high: float) -> str:
    """47.31 (44.90 to 49.62)."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return number_for(metric, score)
    return f"{number_for(metric, score)} ({number_for(metric, low)} to {number_for(metric, high)})"


def p_text(p: float) -> str:
    if not math.isfinite(p):
        return "p unknown"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p >= 0.1 else f"p = {p:.4f}"


def verdict(found: Difference, significant: bool) -> str:
    """The first of two systems against the second; where neither end is better, which score is higher."""
    if not significant:
        return "not told apart"
    if found.first_is_better is None:
        return "higher" if found.difference > 0 else "lower"
    return "better" if found.first_is_better else "worse"


def joined(items: Sequence[str], last: str = "and") -> str:
    if len(items) < 3:
        return f" {last} ".join(items)
    return ", ".join(items[:-1]) + f" {last} {items[-1]}"


def plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
