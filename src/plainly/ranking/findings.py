"""What judgements of pairs tell, as every face prints it: ratings of texts, methods, numbers of raters, agreement."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from plainly.findings import Column, Findings, Message, Note, Table, joined, message
from plainly.findings.kappa_words import BOUNDS, IN_WORDS, in_words
from plainly.findings.shape import Kind
from plainly.ranking.alphas import GroupAlpha
from plainly.ranking.fewer_raters import FewerRaters
from plainly.ranking.heldout import HeldOut, MethodComparison
from plainly.ranking.judgements import Contest, Direction, ends, quality
from plainly.ranking.raters import Agreement, RaterRow
from plainly.ranking.ratings import Ranking
from plainly.ranking.uncertain import uncertain, usual_goal

SNIPPET = 60
DIGITS = 3
"""Of agreement."""
"""Characters of a text that are shown beside its rating."""
DRAWN = {
    "posterior": "draws of what the method believes",
    "orders": "random orders of the judgements",
    "bootstrap-judgements": "resamples of the judgements",
    "bootstrap-raters": "resamples of the raters",
}


def rating_findings(
    ranking: Ranking, texts: Mapping[str, str] | None = None, *, ordered: bool = True, letters: int = SNIPPET
) -> Findings:
    """Ratings and ranks of all texts, with their wording where it is known, of so many letters at most.

    Without `ordered`, ranks have their intervals only: where the judgements tell nothing, their order is an accident.
    """
    return Findings(
        tables=(_rated(ranking, texts or {}, ordered, letters),),
        verdict=tuple(_position(ranking)),
        notes=[Note(one) for one in ranking.notes],
        signatures=(ranking.signature,),
        data=ranking.data,
    )


def method_findings(found: MethodComparison) -> Findings:
    """How well methods foretell judgements of new pairs."""
    return Findings(
        tables=(_methods(found),),
        verdict=[_ahead(row, found.rows[0]) for row in found.rows[1:]],
        signatures=(found.signature,),
        data=found.data,
    )


def fewer_findings(found: FewerRaters) -> Findings:
    """How well so many raters rank."""
    return Findings(tables=(_fewer(found),), signatures=(found.signature,), data=found.data)


def agreement_findings(
    found: Agreement, texts: Mapping[str, str] | None = None, *, letters: int = SNIPPET
) -> Findings:
    """Raters beside the yardstick, their habits, alpha by group, scores, and the most disputed pairs.

    The wording of disputed texts is shown where it is known, of so many letters at most.
    """
    return Findings(
        tables=(
            *(_raters(found), _habits(found), _groups(found)),
            *([_scores(found)] if found.scores else []),
            *([_contested(found, texts or {}, letters)] if found.pairs else []),
            *([_votes(found)] if any(pair.groups for pair in found.pairs) else []),
        ),
        notes=[Note(one) for one in found.notes],
        signatures=(found.signature,),
        data=found.data,
    )


def end_of(direction: Direction, place: int) -> Message:
    """Which texts are at the lower end of a ranking (0) or the upper one (1), as an adjective."""
    name = ends(direction)[place]
    if of := quality(direction):
        most = name.partition(" ")[0]
        return message(f"ranking.end.{most}", f"{most} {{quality}}", quality=of)
    return message(f"ranking.end.{name}", name)


def uncertain_table(ranking: Ranking, most: int) -> Table:
    """The texts whose places are known least, and about how many judgements would settle them."""
    return Table(
        "uncertain",
        message("ranking.uncertain", "What is still uncertain?"),
        [
            *(column("text"), column("rank", "estimate", _rank_digits(ranking))),
            *(column("matches", "count"), column("further", "count")),
        ],
        [[row.text, row.rank, row.matches, row.further] for row in uncertain(ranking)[:most]],
        legend=[
            message(
                "ranking.further",
                "texts with the widest intervals of rank; further: about how many more judgements would narrow an "
                "interval so far that it spans {goal} of the ranks",
                goal=usual_goal(len(ranking.rows)),
            )
        ],
    )


def _rated(ranking: Ranking, texts: Mapping[str, str], ordered: bool, letters: int) -> Table:
    rows = ranking.by_rank()
    places = 3 if ranking.method == "bradley-terry" else 1
    return Table(
        "texts",
        _texts_question(ranking.direction),
        [
            column("text"),
            column("rating", "estimate", places),
            column("rank", "estimate", _rank_digits(ranking)),
            column("score", "number", 4),
            column("matches", "count"),
            *([column("wording")] if texts else []),
        ],
        [
            [
                *(row.text, row.rating, row.rank if ordered else replace(row.rank, value=math.nan)),
                *(row.score if ordered else None, row.matches),
                *([snippet(texts.get(row.text, ""), letters)] if texts else []),
            ]
            for row in rows
        ],
        legend=tuple(_about_ranks(ranking)),
    )


def _texts_question(direction: Direction) -> Message:
    if of := quality(direction):
        return message(
            "ranking.texts-of", "Which texts are most {quality}, which least, and how sure are we?", quality=of
        )
    return message("ranking.texts", "Which texts are easy to read, which are hard, and how sure are we?")


def _about_winning(direction: Direction) -> Message:
    said = "rank 1 is the {end} text: winning means to be {direction}"
    key = "ranking.first-rank-of" if quality(direction) else "ranking.first-rank"
    return message(key, said, end=end_of(direction, 0), direction=_named(direction))


def _named(direction: Direction) -> Message:
    """What winning means, in words."""
    if of := quality(direction):
        word = direction.partition(" ")[0]
        return message(f"ranking.direction.{word}", f"{word} {{quality}}", quality=of)
    return message(f"ranking.direction.{direction}", direction)


def snippet(text: str, letters: int) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= letters else line[: letters - 1] + "…"


def _rank_digits(ranking: Ranking) -> int:
    """Shared ranks may lie between two whole ones."""
    return 0 if all(row.rank.value.is_integer() for row in ranking.rows) else 1


def _about_ranks(ranking: Ranking) -> Iterator[Message]:
    yield _about_winning(ranking.direction)
    settings = ranking.settings
    if settings["interval"] != "none":
        yield message(
            "ranking.drawn",
            "in brackets: {confidence:.0%} of {resamples} {drawn}, seed {seed}",
            confidence=settings["confidence"],
            resamples=settings["resamples"],
            drawn=message(f"ranking.drawn.{settings['interval']}", DRAWN[settings["interval"]]),
            seed=settings["seed"],
        )


def _position(ranking: Ranking) -> Iterator[Message]:
    if at := ranking.position:
        yield message(
            "ranking.position",
            "to be shown first helps by {value:.3f} logits [{low:.3f}, {high:.3f}]",
            value=at.value,
            low=at.low,
            high=at.high,
        )


def _methods(found: MethodComparison) -> Table:
    one = found.rows[0]
    return Table(
        "methods",
        message("ranking.methods", "Which method foretells judgements of new pairs best?"),
        [
            column("method"),
            column("accuracy", "estimate", 3, "higher"),
            column("log-loss", "estimate", 3, "lower"),
            column("calibrated-log-loss", "estimate", 3, "lower"),
        ],
        [[row.method, row.accuracy, row.log_loss, row.calibrated_log_loss] for row in found.rows],
        legend=[
            message(
                "ranking.folded",
                "{judgements} judgements of {pairs} pairs in {folds} folds, {repeats} times; "
                "in brackets: {confidence:.0%} intervals, bootstrap over pairs, {resamples} resamples",
                judgements=one.judgements,
                pairs=one.pairs,
                folds=one.folds,
                repeats=one.repeats,
                confidence=found.resampling.confidence,
                resamples=found.resampling.resamples,
            )
        ],
    )


def _ahead(row: HeldOut, base: HeldOut) -> Message:
    differences = [
        message(
            f"ranking.ahead.{name}",
            f"{name.replace('_', '-')} {{value:+.3f}} [{{low:+.3f}}, {{high:+.3f}}]",
            value=at.value,
            low=at.low,
            high=at.high,
        )
        for name, at in row.ahead.items()
    ]
    return message(
        "ranking.ahead", "{method} minus {base}: {all}", method=row.method, base=base.method, all=joined(differences)
    )


def _fewer(found: FewerRaters) -> Table:
    other = "the yardstick" if found.outside else "the raters left out"
    return Table(
        "raters",
        message("ranking.fewer", "How well do fewer raters rank?"),
        [
            column("raters", "count"),
            column("judgements", "number", 0),
            *(column("method"), column("draws", "count")),
            Column("spearman", "estimate", 3, better="higher"),
        ],
        [[row.raters, row.judgements, row.way, row.draws, row.spearman] for row in found.rows],
        legend=[
            message(
                "ranking.fewer-drawn",
                "spearman: mean over draws, of ratings by the drawn raters and by {other}; "
                "in brackets: {confidence:.0%} of the draws",
                other=message("ranking.fewer-" + ("outside" if found.outside else "inside"), other),
                confidence=found.confidence,
            )
        ],
    )


def _raters(found: Agreement) -> Table:
    return Table(
        "raters",
        message("ranking.raters", "How far does each rater agree with the yardstick?"),
        [
            *(column("rater"), column("judgements", "count"), column("compared", "count")),
            column("share", "estimate", DIGITS),
            Column("kappa", "estimate", DIGITS),
            IN_WORDS,
            *(Column(name, "estimate", DIGITS) for name in ("spearman", "kendall")),
        ],
        [
            [
                *(row.rater, row.judgements, row.compared, row.share, row.kappa, in_words(row.kappa)),
                *(row.spearman, row.kendall),
            ]
            for row in found.raters
        ],
        legend=[_resampled(found), BOUNDS],
    )


def _habits(found: Agreement) -> Table:
    timed = any(math.isfinite(row.habits.seconds_per_word) for row in found.raters)
    return Table(
        "habits",
        message("ranking.habits", "Whose judgements should one look at?"),
        [
            column("rater"),
            column("median seconds", "number", 1),
            *([column("seconds a word", "number", 3)] if timed else []),
            column("first wins", "number", 3),
            *(column("repeated", "count"), column("of these as before", "count")),
            column("flags", "flags"),
        ],
        [_habit_row(row, timed) for row in found.raters],
    )


def _habit_row(row: RaterRow, timed: bool) -> Sequence[str | float | Message]:
    own = row.habits
    return [
        *(row.rater, own.median_seconds),
        *([own.seconds_per_word] if timed else []),
        *(own.first_share, own.repeated, own.consistent),
        joined(message(f"ranking.flag.{flag.replace(' ', '-')}", flag) for flag in row.flags),
    ]


def _groups(found: Agreement) -> Table:
    return Table(
        "groups",
        message("ranking.groups", "How far do raters agree with each other? Krippendorff's alpha"),
        [
            *(
                column("column"),
                column("group"),
                column("raters", "count"),
                column("matches", "count"),
                column("judgements", "count"),
            ),
            Column("alpha", "estimate", DIGITS),
            IN_WORDS,
        ],
        [
            [*_group(group), group.raters, group.matches, group.judgements, group.alpha, in_words(group.alpha)]
            for group in found.groups
        ],
        legend=[_resampled(found), BOUNDS],
    )


def _scores(found: Agreement) -> Table:
    return Table(
        "scores",
        message("ranking.scores", "How far do scores of single texts agree with the yardstick?"),
        [
            *(column("scores"), column("texts", "count"), column("compared", "count")),
            column("share", "estimate", DIGITS),
            *(Column("kappa", "estimate", DIGITS), IN_WORDS),
            *(Column(name, "estimate", DIGITS) for name in ("spearman", "kendall")),
        ],
        [
            [
                *(row.name, row.texts, row.compared, row.share, row.kappa, in_words(row.kappa)),
                *(row.spearman, row.kendall),
            ]
            for row in found.scores
        ],
        legend=[
            message("ranking.scored", "a match is won by the higher score; spearman and kendall: of scores"),
            *(_resampled(found), BOUNDS),
        ],
    )


def _contested(found: Agreement, texts: Mapping[str, str], letters: int) -> Table:
    counts = [column(name, "count") for name in ("for text", "for other", "ties")]
    worded = [column("wording"), column("other wording")] if texts else []
    return Table(
        "contested",
        message("ranking.contested", "About which pairs do raters disagree?"),
        [column("text"), column("other"), *counts, *worded],
        [
            [
                *_counted(one.votes),
                *(snippet(texts.get(name, ""), letters) for name in _both(one.votes) if texts),
            ]
            for one in found.pairs
        ],
        legend=[_about_votes(found)],
    )


def _votes(found: Agreement) -> Table:
    counts = [column(name, "count") for name in ("for text", "for other", "ties")]
    return Table(
        "votes",
        message("ranking.votes", "How did each group vote on these pairs?"),
        [column("column"), column("group"), column("text"), column("other"), *counts],
        [[group.column, group.value, *_counted(group.votes)] for one in found.pairs for group in one.groups],
        legend=[_about_votes(found)],
    )


def _both(contest: Contest) -> tuple[str, str]:
    return contest.first, contest.second


def _counted(contest: Contest) -> Sequence[str | int]:
    return [*_both(contest), contest.for_first, contest.for_second, contest.ties]


def _about_votes(found: Agreement) -> Message:
    return message(
        "ranking.voted",
        "a vote for a text: it is {direction}",
        direction=_named(found.direction),
    )


def _group(group: GroupAlpha) -> tuple[str | Message, str]:
    return (group.column, group.value) if group.column else (message("ranking.all", "all"), "")


def _resampled(found: Agreement) -> Message:
    return message(
        "ranking.resampled",
        "in brackets: {confidence:.0%} intervals, {resamples} resamples of matches; spearman and kendall: of texts",
        confidence=found.resampling.confidence,
        resamples=found.resampling.resamples,
    )


def column(name: str, kind: Kind = "text", digits: int = 2, better: Literal["", "higher", "lower"] = "") -> Column:
    """A column of this room: its name stands above it, in the reader's language."""
    return Column(name, kind, digits, message(f"ranking.column.{name.replace(' ', '-')}", name), better)
