"""Why do two SARI numbers differ? All variants, tokenisers and cases on the same files, and the steps between.

The variants form a tree in which neighbours differ in one thing:

    huggingface -- sentence -- (star, mean over segments) -- star -- easse -- easse-sentence
                                                                       |----- paper
                                                                       '----- easse-legacy

So the gap between any two settings is a sum of steps with one cause each: first along the tree, then from one
tokeniser to the other, then from one case to the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plainly.base.errors import PlainlyError
from plainly.base.exact_sums import Totals, add_rows
from plainly.corpus import Corpus
from plainly.metrics.sari import STAR_SENTENCE, VARIANTS, Sari
from plainly.scoring.evaluator import measure
from plainly.text.tokenizers import get_tokenizer, tokenizers_for

# child -> (parent, what changes on the way from the parent to the child)
_TREE = {
    **{name: (variant.beside, variant.change) for name, variant in VARIANTS.items() if variant.beside},
    STAR_SENTENCE: ("star", "mean over segments instead of corpus counts"),
}


@dataclass(frozen=True)
class Setting:
    """One way to compute SARI."""

    variant: str
    tokenizer: str
    lowercase: bool

    def __str__(self) -> str:
        return f"{self.variant}, tok {self.tokenizer}, {'lower-cased' if self.lowercase else 'cased'}"


@dataclass(frozen=True)
class Step:
    """One change of setting and what it does to the score."""

    cause: str
    before: float
    after: float


def sari_grid(
    chunks: Iterable[Corpus], lang: str = "en", baselines: Sequence[str] = (), threads: int | None = None
) -> dict[str, dict[Setting, float]]:
    """SARI of every system under every variant x case x tokeniser that can run here for the language."""
    metrics = [
        Sari(lang=lang, variant=variant, tokenizer=tokenizer, lowercase=lowercase)
        for tokenizer in tokenizers_for(lang)
        for lowercase in (True, False)
        for variant, formula in VARIANTS.items()
        if not (formula.cased and lowercase)
    ]
    totals: dict[str, list[Totals]] = {}
    segment_sums: dict[str, dict[Setting, list[float]]] = {}
    for measured in measure(chunks, metrics, baselines, threads):
        for system, statistics in measured.statistics.items():
            totals[system] = add_rows(totals.get(system), statistics)
            for metric, rows in zip(metrics, statistics, strict=True):
                if metric.variant == "star":
                    setting = Setting(STAR_SENTENCE, metric.tokenizer, metric.lowercase)
                    alone = metric.score(rows).value
                    pair = segment_sums.setdefault(system, {}).setdefault(setting, [0.0, 0.0])
                    pair[0] += float(np.nansum(alone))
                    pair[1] += float((~np.isnan(alone)).sum())
    return {
        system: {
            **{
                Setting(metric.variant, metric.tokenizer, metric.lowercase): float(metric.score(total.values()).value)
                for metric, total in zip(metrics, totals[system], strict=True)
            },
            **{setting: total / n if n else float("nan") for setting, (total, n) in sums.items()},
        }
        for system, sums in segment_sums.items()
    }


def closest(scores: Mapping[Setting, float], published: str) -> Setting:
    """The setting whose score is nearest to a published number; the most usual of those that round to it."""
    number = float(published)
    if number > 100:
        raise PlainlyError(f"{published} is not a SARI score: they go from 0 to 100")
    rounding = 0.5 * 10.0 ** -len(published.partition(".")[2])
    named = [  # in order: 13a and easse first
        setting for setting, score in scores.items() if setting.variant != STAR_SENTENCE and score == score
    ]
    if not named:
        raise PlainlyError("no SARI could be computed for these texts")
    return min(named, key=lambda setting: max(0.0, abs(scores[setting] - number) - rounding))


def gap(scores: Mapping[Setting, float], start: Setting, end: Setting) -> list[Step]:
    """The steps from one setting to another; their changes add up to the whole gap."""
    if "easse-legacy" in (start.variant, end.variant) and start.variant != end.variant:
        # The legacy variant has no lower-cased form: change case on the easse side of that edge.
        cause = _TREE["easse-legacy"][1]
        if end.variant == "easse-legacy":
            middle = Setting("easse", end.tokenizer, False)
            return [*gap(scores, start, middle), Step(cause, scores[middle], scores[end])]
        middle = Setting("easse", start.tokenizer, False)
        return [Step(cause + " (undone)", scores[start], scores[middle]), *gap(scores, middle, end)]
    steps = []
    here = start
    for variant, cause in _tree_path(start.variant, end.variant):
        there = Setting(variant, here.tokenizer, here.lowercase)
        steps.append(Step(cause, scores[here], scores[there]))
        here = there
    if here.tokenizer != end.tokenizer:
        there = Setting(here.variant, end.tokenizer, here.lowercase)
        steps.append(Step(f"tokenizer {here.tokenizer} -> {there.tokenizer}", scores[here], scores[there]))
        here = there
    if here.lowercase != end.lowercase:
        cause = "lower-cased -> cased" if here.lowercase else "cased -> lower-cased"
        steps.append(Step(cause, scores[here], scores[end]))
    return steps


def parse_setting(text: str) -> Setting:
    """A setting from "variant[,tokenizer[,lower|cased]]"."""
    parts = [part.strip() for part in text.split(",")]
    variant = parts[0]
    tokenizer = parts[1] if len(parts) > 1 else "13a"
    case = parts[2] if len(parts) > 2 else "lower"
    if case not in ("lower", "cased") or len(parts) > 3:
        raise PlainlyError(f"{text!r} is not variant,tokenizer,lower|cased")
    get_tokenizer(tokenizer)
    metric = Sari(variant=variant, tokenizer=tokenizer, lowercase=case == "lower")  # checks the variant
    return Setting(metric.variant, metric.tokenizer, metric.lowercase)


def _tree_path(start: str, end: str) -> list[tuple[str, str]]:
    """The variants on the way from start to end, each with what changes on reaching it."""
    up, down = _ancestors(start), _ancestors(end)
    meeting = next(variant for variant in up if variant in down)
    path = [(_TREE[variant][0], _TREE[variant][1] + " (undone)") for variant in up[: up.index(meeting)]]
    return path + [(variant, _TREE[variant][1]) for variant in reversed(down[: down.index(meeting)])]


def _ancestors(variant: str) -> list[str]:
    line = [variant]
    while line[-1] in _TREE:
        line.append(_TREE[line[-1]][0])
    return line
