"""EASSE's command line, `evaluate` and `report`, as `python -m plainly.compat.easse`."""

from __future__ import annotations

import argparse
import io
import sys
import warnings
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, NoReturn

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.version import __version__
from plainly.compat.easse import bertscore, bleu, compression, fkgl, samsa, sari
from plainly.compat.easse import quality_estimation as estimation
from plainly.compat.easse import report as reports
from plainly.compat.easse._inputs import BadInput, as_corpus
from plainly.compat.easse.annotation.word_level import WordOperationAnnotator
from plainly.compat.easse.unavailable import stand_in
from plainly.compat.easse.utils.constants import DEFAULT_METRICS, VALID_METRICS, VALID_TEST_SETS
from plainly.compat.easse.utils.helpers import read_lines
from plainly.compat.easse.utils.resources import get_orig_sents, get_refs_sents

Path = str | PathLike[str]
PROGRAM = "plainly.compat.easse"
TOKENIZERS = ("13a", "intl", "moses", "penn", "none")


def evaluate_system_output(
    test_set: str,
    sys_sents_path: Path | None = None,
    orig_sents_path: Path | None = None,
    refs_sents_paths: str | Sequence[Path] | None = None,
    tokenizer: str = "13a",
    lowercase: bool = True,
    metrics: Sequence[str] = DEFAULT_METRICS,
    analysis: bool = False,
    quality_estimation: bool = False,
) -> dict[str, Any]:
    """The scores of one system, unrounded; without `sys_sents_path` its lines come from standard input."""
    for name in metrics:
        if name not in VALID_METRICS:
            raise UnknownMetric("metric", name, VALID_METRICS)
    orig_sents, refs_sents = get_orig_and_refs_sents(test_set, orig_sents_path, refs_sents_paths)
    sys_sents = get_sys_sents(test_set, sys_sents_path)
    if len(sys_sents) != len(orig_sents):
        raise BadInput(
            f"{sys_sents_path or 'standard input'} has {len(sys_sents)} lines, "
            f"but {orig_sents_path} has {len(orig_sents)}"
        )
    corpus = as_corpus(orig_sents, sys_sents, refs_sents)
    scores: dict[str, Any] = {}
    if "bleu" in metrics:
        scores["bleu"] = bleu.corpus_value(corpus, lowercase, tokenizer)
    if "sent_bleu" in metrics:
        scores["sent_bleu"] = bleu.sentence_mean(corpus, lowercase, tokenizer)
    if "sari" in metrics:
        scores["sari"] = sum(sari.operation_scores(corpus, lowercase, tokenizer)) / 3
    if "sari_legacy" in metrics:
        scores["sari_legacy"] = sum(sari.operation_scores(corpus, lowercase, tokenizer, legacy=True)) / 3
    if "sari_by_operation" in metrics:
        add, keep, delete = sari.operation_scores(corpus, lowercase, tokenizer)
        scores |= {"sari_add": add, "sari_keep": keep, "sari_del": delete}
    if "samsa" in metrics:
        stand_in("the metric samsa", samsa.WHY)()
    if "fkgl" in metrics:
        scores["fkgl"] = fkgl.corpus_value(corpus, tokenizer)
    if "f1_token" in metrics:
        scores["f1_token"] = compression.corpus_value(corpus, lowercase, tokenizer)
    if "bertscore" in metrics:
        stand_in("the metric bertscore", bertscore.WHY)()
    if analysis:
        annotator = WordOperationAnnotator(tokenizer=tokenizer, lowercase=lowercase)
        scores["word_level_analysis"] = annotator.analyse_operations(orig_sents, sys_sents, refs_sents, as_str=True)
    if quality_estimation:
        scores["quality_estimation"] = estimation.corpus_values(corpus, lowercase, tokenizer)
    return scores


def report(
    test_set: str,
    sys_sents_path: Path | None = None,
    orig_sents_path: Path | None = None,
    refs_sents_paths: str | Sequence[Path] | None = None,
    report_path: Path = "easse_report.html",
    tokenizer: str = "13a",
    lowercase: bool = True,
    metrics: Sequence[str] = DEFAULT_METRICS,
) -> NoReturn:
    """EASSE: writes a report. Here: an error that names `plainly report`."""
    stand_in("report", reports.WHY)()


def multiple_systems_report(
    test_set: str,
    sys_sents_paths: Sequence[Path],
    orig_sents_path: Path | None = None,
    refs_sents_paths: str | Sequence[Path] | None = None,
    report_path: Path = "easse_report.html",
    tokenizer: str = "13a",
    lowercase: bool = True,
    metrics: Sequence[str] = DEFAULT_METRICS,
    system_names: Sequence[str] | None = None,
) -> NoReturn:
    """EASSE: writes a report on several systems. Here: an error that names `plainly report`."""
    stand_in("multiple_systems_report", reports.WHY)()


def get_sys_sents(test_set: str, sys_sents_path: Path | None = None) -> list[str]:
    """The sentences of a system, from a file or from standard input, one a line."""
    if sys_sents_path is not None:
        return read_lines(sys_sents_path)
    try:
        text = sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError:
        raise PlainlyError("standard input is not UTF-8 text; convert it first") from None
    # As from a file. EASSE would also end a line at U+0085 and U+2028, which shifts all later lines.
    return [line.strip() for line in io.StringIO(text, newline=None)]


def get_orig_and_refs_sents(
    test_set: str,
    orig_sents_path: Path | None = None,
    refs_sents_paths: str | Sequence[Path] | None = None,
) -> tuple[list[str], list[list[str]]]:
    """The sources and the references of a test set; of `custom`, from the files given."""
    if test_set != "custom":
        return get_orig_sents(test_set), get_refs_sents(test_set)
    if not orig_sents_path or not refs_sents_paths:
        raise BadInput("the test set 'custom' needs --orig_sents_path and --refs_sents_paths")
    if isinstance(refs_sents_paths, str):
        refs_sents_paths = refs_sents_paths.split(",")
    orig_sents = read_lines(orig_sents_path)
    refs_sents = []
    for path in refs_sents_paths:
        refs_sents.append(read_lines(path))
        if len(refs_sents[-1]) != len(orig_sents):
            raise BadInput(f"{path} has {len(refs_sents[-1])} lines, but {orig_sents_path} has {len(orig_sents)}")
    return orig_sents, refs_sents


def cli(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; 0 on success, 2 on bad input with one line on standard error."""
    parser = _parser()
    options = parser.parse_args(arguments)
    with warnings.catch_warnings():
        warnings.showwarning = _show_warning  # type: ignore[assignment]
        try:
            options.run(options)
        except PlainlyError as error:
            parser.error(str(error))
        except OSError as error:
            parser.error(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    return 0


def _evaluate(options: argparse.Namespace) -> None:
    arguments = {name: value for name, value in vars(options).items() if name != "run"}
    print(_rounded(evaluate_system_output(**arguments | {"metrics": options.metrics.split(",")})))


def _report(options: argparse.Namespace) -> None:
    report(options.test_set)


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    return round(value, 3) if isinstance(value, float) else value


def _show_warning(message: Warning | str, *_: Any) -> None:
    print(f"{PROGRAM}: warning: {message}", file=sys.stderr)


class UnknownMetric(UnknownName, BadInput):
    """A metric name that EASSE does not have."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{PROGRAM}: {' '.join(message.split())}\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=f"python -m {PROGRAM}",
        description="EASSE's command line over plainly's metrics.",
        epilog="example: python -m plainly.compat.easse evaluate -t custom --orig_sents_path sources.txt "
        "--refs_sents_paths references.0.txt,references.1.txt -i output.txt -q",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version", action="version", version=f"{PROGRAM}, version {__version__} (interface of EASSE 0.2.4)"
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    evaluate = commands.add_parser("evaluate", help="score a system", allow_abbrev=False)
    _add_common_options(evaluate)
    evaluate.add_argument(
        "-a",
        "--analysis",
        action="store_true",
        help="word operations (not available yet: needs a word aligner)",
    )
    evaluate.add_argument("-q", "--quality_estimation", action="store_true", help="features that need no reference")
    evaluate.add_argument("-i", "--sys_sents_path", metavar="FILE", help="the system's output; default: stdin")
    evaluate.set_defaults(run=_evaluate)
    page = commands.add_parser("report", help="not made here; use `plainly report`", allow_abbrev=False)
    _add_common_options(page)
    page.add_argument("-i", "--sys_sents_path", metavar="FILES", help="one system's output, or several with commas")
    page.add_argument("-p", "--report_path", metavar="FILE", default="easse_report.html")
    page.set_defaults(run=_report)
    return parser


def _add_common_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-m",
        "--metrics",
        default=",".join(DEFAULT_METRICS),
        help=f"with commas; of: {', '.join(VALID_METRICS)} (default: %(default)s)",
    )
    parser.add_argument("-tok", "--tokenizer", choices=TOKENIZERS, default="13a", help="default: %(default)s")
    parser.add_argument(
        "-lc",
        "--lowercase",
        dest="lowercase",
        action="store_true",
        default=True,
        help="lower-case all texts (default)",
    )
    parser.add_argument(
        "--no-lc", "--no-lowercase", dest="lowercase", action="store_false", help="leave the case as it is"
    )
    parser.add_argument("--refs_sents_paths", metavar="FILES", help="references of `custom`, with commas")
    parser.add_argument("--orig_sents_path", metavar="FILE", help="sources of `custom`")
    parser.add_argument(
        "-t",
        "--test_set",
        required=True,
        choices=VALID_TEST_SETS,
        metavar="NAME",
        help="`custom`; the other names of EASSE are known, but their texts are not there yet",
    )
