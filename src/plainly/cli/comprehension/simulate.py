"""`plainly comprehension simulate`: how many participants does a difference need?"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.files import check_writable, refuse_overwriting, writing
from plainly.base.messages import plural
from plainly.base.records import write_csv
from plainly.cli.options import insist_ending
from plainly.cli.printing import ProgressLine, note, print_findings
from plainly.comprehension.checks import refuse_errors
from plainly.comprehension.experiment import MOST_ANSWERS, Experiment, read_experiment
from plainly.comprehension.formats import write_records
from plainly.comprehension.planning_findings import curve_findings, search_findings
from plainly.comprehension.power import Study, curve, search
from plainly.comprehension.simulation import Effects, made_up_experiment, simulated
from plainly.findings import Findings

SPREADS = ("ability", "ease", "speed", "length", "noise")
MOST_PASSAGES = 100
MOST_QUESTIONS = 100


def run(options: argparse.Namespace) -> None:
    _check_files(options)
    experiment = _experiment(options)
    effects = _effects(options)
    if options.records is not None:
        _write_records(experiment, effects, options)
        return
    for name in ("truth", "dropouts"):
        if getattr(options, name) is not None:
            raise PlainlyError(f"--{name} goes with --records")
    check_writable(options.output)
    study = Study(experiment, effects, options.runs, options.alpha, options.seed)
    line = ProgressLine(options.quiet)
    try:
        found = _curve(study, options, line) if options.participants else _search(study, options, line)
    finally:
        line.end()
    print_findings(options, found)


def _check_files(options: argparse.Namespace) -> None:
    """What can be said of them before anything is read."""
    for option, endings in (("output", ()), ("records", ("csv", "jsonl")), ("truth", ("csv",))):
        path = getattr(options, option)
        refuse_overwriting(path, [options.experiment])
        if endings:
            insist_ending(path, f"--{option}", endings)
    records, truth = options.records, options.truth
    if records is not None and truth is not None and _same_file(records, truth):
        raise PlainlyError(f"--records and --truth are the same file, {truth}; choose two")


def _same_file(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve() or (
        Path(one).is_file() and Path(other).is_file() and Path(one).samefile(other)
    )


def _write_records(experiment: Experiment, effects: Effects, options: argparse.Namespace) -> None:
    participants = _numbers(options.participants or "103", "--participants", 100_000)
    if len(participants) > 1:
        raise PlainlyError("--records takes one number of --participants")
    if options.output is not None or options.power is not None:
        raise PlainlyError("--records names the file of the answers; leave -o and --power out")
    made = simulated(experiment, participants[0], effects, options.seed)
    records = None if options.records == "-" else options.records
    if options.truth is None:
        write_records(made.answers, records)
    else:
        rows = [[None if value != value else value for value in asdict(item).values()] for item in made.truth]
        with writing(options.truth) as out:  # neither file is there if the other cannot be written
            write_csv(["passage", "version", "question", "correct", "seconds"], rows, out)
            write_records(made.answers, records)
    if not options.quiet:
        late = sum(answer.answer is None for answer in made.answers)
        cut = f"; {late} of them cut off at the limit, without an answer" if late else ""
        note(f"{plural(len(made.answers), 'simulated answer')} of {plural(participants[0], 'participant')}{cut}")


def _curve(study: Study, options: argparse.Namespace, line: ProgressLine) -> Findings:
    if options.power is not None:
        raise PlainlyError("give --participants, to see the power, or --power, to find participants; not both")
    numbers = _numbers(options.participants, "--participants", 4096)
    return curve_findings(
        curve(study, numbers, lambda count: line.show(f"simulating {plural(count, 'participant')}"))
    )


def _search(study: Study, options: argparse.Namespace, line: ProgressLine) -> Findings:
    target = 0.8 if options.power is None else options.power
    return search_findings(search(study, target, lambda number: line.show(f"trying {plural(number, 'participant')}")))


def _experiment(options: argparse.Namespace) -> Experiment:
    made_up = {name: getattr(options, name) for name in ("passages", "questions", "answers")}
    if options.experiment is not None:
        for name, value in made_up.items():
            if value is not None:
                raise PlainlyError(f"--{name} is for a made-up experiment; leave it out, or --experiment")
        experiment = read_experiment(options.experiment)
        refuse_errors(experiment, options.experiment)
        return experiment
    passages = 4 if options.passages is None else options.passages
    if not 2 <= passages <= MOST_PASSAGES or passages % 2:
        raise PlainlyError(f"--passages must be an even number from 2 to {MOST_PASSAGES}, not {passages}")
    questions = _numbers(options.questions or "4,5", "--questions", MOST_QUESTIONS)
    answers = _numbers(options.answers or "4", "--answers", MOST_ANSWERS)
    if min(answers) < 2:
        raise PlainlyError("--answers: a question has at least 2")
    return made_up_experiment(passages, tuple(questions), tuple(answers))


def _effects(options: argparse.Namespace) -> Effects:
    spreads: dict[str, float] = {}
    for given in options.spread:
        name, _, value = given.partition("=")
        if name not in SPREADS:
            raise UnknownName("spread", name, SPREADS)
        try:
            spreads[f"{name}_sd"] = float(value)
        except ValueError:
            raise PlainlyError(f"--spread takes NAME=NUMBER, as ability=1.2, not {given!r}") from None
    return Effects(
        correct=options.correct / 100,
        difference=options.difference / 100,
        seconds=options.seconds,
        faster=options.faster / 100,
        guessing=None if options.lucky is None else options.lucky / 100,
        unfinished=(options.dropouts or 0) / 100,
        **spreads,
    )


def _numbers(text: str, option: str, most: int) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() and len(part) < 10 and 1 <= int(part) <= most for part in parts):
        raise PlainlyError(f"{option} takes whole numbers from 1 to {most}, as 4,5, not {text!r}")
    return [int(part) for part in parts]
