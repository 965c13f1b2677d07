"""How easily metrics are fooled, as every face prints it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from plainly.findings import Column, Findings, Message, Note, Table, column, message, plain
from plainly.findings.shape import Row
from plainly.gaming.edits import broken, get
from plainly.gaming.study import Study
from plainly.gaming.verdicts import (
    Rule,
    Tally,
    Verdict,
    cheapest,
    deceptions,
    judged_metrics,
    rule_of,
    table,
    undecided,
    verdicts,
)
from plainly.metrics import Metric

Pair = tuple[str, str]
_column = partial(column, "gaming")
RULES: dict[Rule, Message] = {
    "no better": message("gaming.rule.no-better", "no better"),
    "worse": message("gaming.rule.worse", "worse"),
    "no worse": message("gaming.rule.no-worse", "no worse"),
    "bottom": message("gaming.rule.bottom", "bottom"),
}
PASSED = {True: message("gaming.yes", "yes"), False: message("gaming.no", "NO"), None: None}
BETTER = {
    "higher": message("gaming.higher", "higher is better"),
    "lower": message("gaming.lower", "lower is better"),
}


def findings(study: Study, pair: Pair | None = None, components: bool = False) -> Findings:
    """Curves, rules and verdicts; with a pair of systems, also how to flip their order.

    With `components`, the parts of each score have curves, too.
    """
    judged = verdicts(study)
    return Findings(
        tables=(
            _curves(study, components),
            _rules(study, judged),
            _verdicts(judged),
            *([_deceptions(study, pair)] if pair else []),
        ),
        verdict=[_sentence(study, label, judged) for label in judged_metrics(study)],
        notes=[Note(setting(study)), *_notes(study, pair)],
        signatures=list(study.signatures.values()),
        data={
            **study.data,
            "signatures": dict(study.signatures),
            "verdicts": [verdict.to_dict() for verdict in judged],
            **({"deceptions": [vars(one) for one in deceptions(study, *pair)]} if pair else {}),
        },
    )


def edits_found(names: Sequence[str], lang: str) -> Findings:
    """What edits do to texts of a language."""
    about = {name: get(name).about_in(lang) for name in names}
    return Findings(
        tables=[
            Table(
                "edits",
                message("gaming.edits", "Which edits are there?"),
                [_column("edit"), _column("what it does", key="about")],
                list(about.items()),
            )
        ],
        notes=[*_broken()],
        data=about,
    )


def setting(study: Study) -> Message:
    """How the study was made."""
    return message(
        "gaming.setting",
        "{segments}, {trials}, seed {seed}, strengths {drawn}; segments edited: {edited}",
        segments=_counted(study.size, "segment"),
        trials=_counted(study.trials, "trial"),
        seed=study.seed,
        drawn=message("gaming.nested", "nested") if study.nested else message("gaming.independent", "independent"),
        edited=", ".join(map(str, study.edited_segments)),
    )


def _curves(study: Study, components: bool) -> Table:
    return Table(
        "curves",
        message("gaming.curves", "How does each score move as more outputs are edited?"),
        [
            *(_column("metric"), _column("system"), _column("edit")),
            *(Column(f"{strength:g} %", "number", 4) for strength in study.strengths),
            _column("sd at the last", "number", 4, "sd"),
        ],
        list(_curve_rows(study, components)),
    )


def _curve_rows(study: Study, components: bool) -> Iterator[Row]:
    for label in study.metrics:
        for system, by_edit in study.curves.items():
            for edit, curves in by_edit.items():
                curve = curves[label]
                for part in [None, *(curve.components if components else ())]:
                    spreads = curve.spreads(part)
                    name = label if part is None else f"{label}.{part}"
                    yield [name, system, edit, *(spread.mean for spread in spreads), spreads[-1].sd]


def _rules(study: Study, judged: list[Verdict]) -> Table:
    """One row an edit, one column a metric: with how many systems the metric keeps the rule."""
    tallies = table(judged)
    metrics = judged_metrics(study)
    return Table(
        "rules",
        message("gaming.rules", "Which rules does each metric keep?"),
        [
            *(_column("edit"), _column("rule")),
            *(Column(label, title=plain(metric.title)) for label, metric in metrics.items()),
        ],
        [[edit, RULES[rule_of(edit)], *(_tally(tallies[label][edit]) for label in metrics)] for edit in study.edits],
        legend=[
            message(
                "gaming.rules.legend",
                "With how many systems does the metric keep the rule? NO: it breaks it with at least one. "
                "Systems that an edit leaves as they are do not count.",
            )
        ],
    )


def _tally(tally: Tally) -> Message | None:
    if not tally.judged:
        return None
    return message(
        "gaming.tally",
        "{kept} {passed}/{judged}",
        kept=PASSED[tally.passed == tally.judged],
        passed=tally.passed,
        judged=tally.judged,
    )


def _verdicts(judged: Sequence[Verdict]) -> Table:
    return Table(
        "verdicts",
        message("gaming.verdicts", "What does an edit of all outputs do to the score of a system?"),
        [
            *(_column(name) for name in ("metric", "edit", "system", "rule")),
            _column("as it is", "number", 4, "unedited"),
            *(_column(name, "number", 4) for name in ("edited", "gain")),
            _column("changed %", "number", 0, "changed"),
            _column("gain each", "number", 4, "gain-each"),
            _column("passed"),
        ],
        [
            [
                *(one.metric, one.edit, one.system, RULES[one.rule], one.unedited, one.edited.mean, one.gain),
                *(100 * one.changed, one.gain_per_segment, PASSED[one.passed]),
            ]
            for one in judged
        ],
    )


def _deceptions(study: Study, pair: Pair) -> Table:
    tried = deceptions(study, *pair)
    chosen = {**{each.metric: each for each in tried}, **cheapest(tried)}
    none = message("gaming.none-lifts", "none lifts it")
    return Table(
        "deceptions",
        message(
            "gaming.deceptions",
            "How cheaply can the order of {first} and {second} be flipped?",
            first=pair[0],
            second=pair[1],
        ),
        [
            *(_column(name) for name in ("metric", "edit", "lifts", "above")),
            _column("gap", "number", 4, "gap"),
            _column("segments", "count"),
            _column("share %", "number", 1, "share"),
        ],
        [
            [
                *(one.metric, none if one.share is None else one.edit, one.worse, one.better, one.gap, one.segments),
                None if one.share is None else 100 * one.share,
            ]
            for one in chosen.values()
        ],
    )


def _sentence(study: Study, label: str, judged: Sequence[Verdict]) -> Message:
    """What the verdicts say of a metric, with its worst failure."""
    own = [verdict for verdict in judged if verdict.metric == label and verdict.passed is not None]
    metric = study.metrics[label]
    if not own:
        return message("gaming.unmoved", "{metric}: the edits changed nothing that it scores.", metric=metric.title)
    said = message(
        "gaming.keeps",
        "{metric} keeps the rules in {kept} of {tests} (edit and system).",
        metric=metric.title,
        kept=sum(verdict.passed is True for verdict in own),
        tests=_counted(len(own), "test"),
    )
    liked = [v for v in own if not v.passed and v.rule in ("no better", "worse", "bottom") and v.gain > 0]
    if not liked:
        return said
    worst = max(liked, key=lambda verdict: verdict.gain)
    return message(
        "gaming.likes",
        "{said} It likes “{edit}” best: with all outputs of {system} edited, the score goes from {before} to {after} "
        "({better}).",
        said=said,
        edit=worst.edit,
        system=worst.system,
        before=_number(metric, worst.unedited),
        after=_number(metric, worst.edited.mean),
        better=BETTER[metric.facts.direction],
    )


def _notes(study: Study, pair: Pair | None) -> Iterator[Note]:
    """What the numbers alone do not say."""
    for name, why in study.left_out.items():
        yield _aside(message("gaming.left-out", "the edit {edit} is left out: {why}", edit=name, why=why))
    yield from _broken()
    for strength, count in zip(study.strengths, study.edited_segments, strict=True):
        if strength and not count:
            said = "{strength:g} % of {size} segments is less than one: nothing was edited there"
            yield _aside(message("gaming.nothing-edited", said, strength=strength, size=study.size))
    for system in study.systems:
        for label in study.metrics:
            if missing := study.unscored(system, label):
                said = "{metric} left {missing} of {size} segments of {system} unscored"
                counts = {"missing": missing, "size": study.size}
                yield _aside(message("gaming.unscored", said, metric=label, system=system, **counts))
    if undirected := [label for label in study.metrics if label not in judged_metrics(study)]:
        said = "without a better end, no rule applies to {metrics}"
        yield _aside(message("gaming.undirected", said, metrics=", ".join(undirected)))
    for label, why in undecided(study, *pair).items() if pair else ():
        yield _aside(message("gaming.no-flip", "nothing to flip for {metric}: {why}", metric=label, why=why))
    for caution in dict.fromkeys(metric.facts.caution for metric in study.metrics.values() if metric.facts.caution):
        yield Note(plain(caution), "caution", aside=True)


def _broken() -> Iterator[Note]:
    return (_aside(plain(fault)) for fault in broken())


def _aside(said: Message) -> Note:
    return Note(said, aside=True)


def _number(metric: Metric, value: float) -> Message:
    return Message("", f"{{value:.{metric.facts.decimals}f}}", {"value": value})


def _counted(count: int, thing: str) -> Message:
    things = thing + "s" * (count != 1)
    return message(f"gaming.{things}", f"{{count}} {things}", count=count)
