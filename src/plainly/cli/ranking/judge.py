"""`plainly ranking judge`: let a language model decide which text of a pair is easier, or another question."""

from __future__ import annotations

import argparse
from pathlib import Path

from plainly.base.errors import PlainlyError
from plainly.base.files import check_writable, refuse_overwriting, writing
from plainly.base.records import write_csv
from plainly.cli.printing import ProgressLine, note
from plainly.findings import printed
from plainly.findings.printing import printable
from plainly.judges import (
    Endpoint,
    Forecast,
    Limits,
    Prices,
    Profile,
    Question,
    Spending,
    Store,
    ask,
    estimate,
    get_prompt,
    usual_store,
)
from plainly.judges.client import Patience
from plainly.judges.endpoint import parse_settings
from plainly.ranking import read_texts, write_judgements
from plainly.ranking.judging import STRATEGIES, Judged, Plan, judged
from plainly.ranking.judging_findings import forecast_findings, judging_findings
from plainly.ranking.pair_files import read_pairs

MANY_CALLS = 1000
MUCH_MONEY = 1.0
SHOWN = 3  # examples of what has no answer


def run(options: argparse.Namespace) -> None:
    endpoint = Endpoint(options.url, options.model, options.key_variable, parse_settings(options.setting))
    limits = _limits(options)
    plan = Plan(
        {text.id: text.text for text in read_texts(options.texts)},
        tuple(read_pairs(options.pairs) if options.pairs else ()),
        options.strategy,
        Profile(options.reader_topic or "", options.reader_level or "", options.reader_age, options.reader or ""),
        options.repeats,
        options.seed,
        get_prompt(options.prompt) if options.prompt else None,
    )
    _check_asked(options, plan)
    for output in (options.output, options.scores):
        refuse_overwriting(output, [options.texts, options.pairs, options.store])
        check_writable(output)
    questions = plan.questions()
    path = Path(options.store or usual_store())
    if options.dry_run:
        foreseen = _foreseen(questions, endpoint, path, limits.prices)
        print(printed(forecast_findings(foreseen), options.format), end="")
        return
    with Store(path) as store:
        expected = estimate(questions, endpoint, store, limits.prices)
        if endpoint.key or limits.prices:  # else it costs nothing
            _confirm(expected, options)
        if not options.quiet:
            note(_in_words(expected))
            if endpoint.in_the_open:
                note("caution: the key travels unencrypted, since the URL begins with http:")
        line = ProgressLine(options.quiet)
        try:
            answers = ask(questions, endpoint, store, limits, lambda *state: line.show(_progress(*state)))
        except BaseException:
            line.end()
            if len(store) and not options.quiet:
                note(f"the replies so far are kept in {store.path}; the same command goes on from there")
            raise
        line.end()
    result = judged(plan, endpoint, answers, options.rater)
    if result.judgements is not None and options.output:
        write_judgements(result.judgements, options.output)
    if result.scores and options.scores:
        rows = [[text, score] for text, score in result.scores.items()]
        with writing(options.scores) as out:
            write_csv(["id", "score"], rows, out)
    said = judging_findings(plan, result, priced=options.price_in is not None)
    print(printed(said, options.format), end="")
    if not options.quiet:
        _notes(result)
    if result.judgements is None and not result.scores:
        raise PlainlyError(f"nothing could be judged: {result.unscored[0].why if result.unscored else 'no answer'}")


def _foreseen(questions: list[Question], endpoint: Endpoint, path: Path, prices: Prices) -> Forecast:
    """What a run would take; looking makes no store where there is none."""
    if not path.exists():
        return estimate(questions, endpoint, (), prices)
    with Store(path) as store:
        return estimate(questions, endpoint, store, prices)


def _check_asked(options: argparse.Namespace, plan: Plan) -> None:
    rating = plan.asked.rates is not None
    if options.scores and not rating:
        able = " or ".join(name for name, strategy in STRATEGIES.items() if strategy.rates)
        raise PlainlyError(f"--scores goes with --strategy {able}; {plan.strategy} gives no scores")
    if options.output and not plan.pairs:
        raise PlainlyError("judgements are of pairs: give --pairs, or --scores FILE instead of --output")
    if not (options.output or options.scores or options.dry_run):
        raise PlainlyError("give --output FILE for the judgements" + (", or --scores FILE" if rating else ""))


def _limits(options: argparse.Namespace) -> Limits:
    if (options.price_in is None) != (options.price_out is None):
        raise PlainlyError("--price-in and --price-out go together")
    return Limits(
        options.concurrency,
        options.attempts,
        Patience(options.tries, options.timeout),
        Prices(options.price_in or 0.0, options.price_out or 0.0),
        options.max_calls,
        options.max_cost,
    )


def _confirm(expected: Forecast, options: argparse.Namespace) -> None:
    """Much money or many calls need a yes, or a budget."""
    much = expected.calls > MANY_CALLS or (expected.cost or 0.0) > MUCH_MONEY
    if much and not (options.yes or options.max_calls is not None or options.max_cost is not None):
        raise PlainlyError(f"{_in_words(expected)}; say --yes, or set --max-calls or --max-cost")


def _in_words(expected: Forecast) -> str:
    kept = (
        f" ({expected.kept:,} more {'has' if expected.kept == 1 else 'have'} a reply already)"
        if expected.kept
        else ""
    )
    cost = "" if expected.cost is None else f", at most {expected.cost:.4f} in money"
    tokens = f"about {expected.read:,} tokens read, up to {expected.written:,} written"
    calls = "1 call" if expected.calls == 1 else f"{expected.calls:,} calls"
    return f"{calls}{kept}: {tokens}{cost}"


def _progress(done: int, total: int, spent: Spending) -> str:
    cost = f", {spent.cost:.4f} spent" if spent.cost else ""
    return f"{done:,} of {total:,} questions, {spent.calls:,} calls{cost}"


def _notes(result: Judged) -> None:
    if result.answers.stopped:
        note(f"note: {result.answers.stopped}; the same command with more goes on from here")
    for item in result.unscored[:SHOWN]:
        note(f"note: {printable(item.what)}: unscored: {item.why}")
    if len(result.unscored) > SHOWN:
        more = len(result.unscored) - SHOWN
        note(f"note: {more:,} more {'is' if more == 1 else 'are'} unscored (--format json lists all)")
    if result.sides and not result.sides.compared:
        note("note: a model may favour a side; --strategy both-orders tells how often the side decides")
