"""`plainly doctor`: what can run here, and what each missing thing needs."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import TypeVar

from plainly._kernels import COMPILED
from plainly.base.errors import MissingResource, PlainlyError
from plainly.cli.printing import print_findings
from plainly.corpus import Corpus
from plainly.findings import Column, Findings, Table, message
from plainly.metrics import configure, metric_class, names
from plainly.models.encoders import available
from plainly.models.parsers import missing_parser, parser_for
from plainly.scoring.profile import get_profile, profile_names
from plainly.text.frequency import look_for_ranks, word_ranks
from plainly.text.identification import identifiable, identify
from plainly.text.languages import Language, get_language
from plainly.text.languages.language import DIRECTIONS
from plainly.text.sentences import look_for_punkt, punkt_sentences
from plainly.text.tokenizers import TOKENIZERS, get_tokenizer


def run(options: argparse.Namespace) -> None:
    language = get_language(options.lang or "en")
    tables = {
        "parts": (
            ["part", "state", "needed for", "to mend"],
            [_python(), _kernels(), *_packages(), _punkt(options.really), *_models()],
        ),
        "language_parts": (["part", "state", "what it is", "to mend"], _language(language, options.really)),
        "metrics": (["metric", "state", "to mend"], _metrics(language, options.really)),
        "profiles": (["profile", "language", "sets", "metrics", "besides", "what it is"], _profiles()),
    }
    questions = {
        "parts": message("cli.parts", "What is there on this machine?"),
        "language_parts": message("cli.language-parts", "What is there for {language}?", language=language.name),
        "metrics": message("cli.runnable", "Which metrics can score {language}?", language=language.name),
        "profiles": message("cli.profiles", "Which profiles are there, and what do they set?"),
    }
    content = {
        name: [dict(zip(headers, row, strict=True)) for row in rows] for name, (headers, rows) in tables.items()
    }
    found = Findings(
        [Table(name, questions[name], [*map(Column, headers)], rows) for name, (headers, rows) in tables.items()],
        data={"language": language.code, **content},
    )
    print_findings(options, found, [options.table] if options.table else ())


Row = list[str]
T = TypeVar("T")


def _python() -> Row:
    return ["Python", platform.python_version(), "everything", ""]


def _kernels() -> Row:
    if os.environ.get("PLAINLY_KERNELS") == "plain":
        return ["compiled kernels", "not used", "speed", "PLAINLY_KERNELS=plain chooses the slow twins; unset it"]
    if COMPILED:
        return ["compiled kernels", "ok", "speed", ""]
    return [
        "compiled kernels",
        "missing",
        "speed",
        "install a C compiler, then install plainly again",
    ]


_OPTIONAL = [
    ("numpy", "everything", "pip install numpy"),
    ("sacrebleu", "chrf, ter, tokenizer intl", "pip install sacrebleu"),
    ("sacremoses", "tokenizers moses and penn", "pip install sacremoses"),
    ("wordfreq", "lexical-complexity, dale-chall", "pip install wordfreq"),
    ("pyphen", "syllables of languages other than English", "pip install pyphen"),
    ("py3langid", "finding outputs in another language", "pip install py3langid"),
    ("spacy", "tokenizer spacy, parsers", "pip install 'plainly[languages]'"),
    ("plainly-assetann", "taggers learned and encoder", "pip install plainly-assetann"),
    ("stanza", "tokenizer stanza", "pip install stanza"),
    ("pyarrow", "reading Parquet", "pip install pyarrow"),
    ("polars", "plainly filter", "pip install 'plainly[filter]'"),
    ("nltk", "variants fkgl:easse and sentence-splits:easse", "pip install nltk"),
    ("vl-convert-python", "plainly report", "pip install vl-convert-python"),
    ("jinja2", "plainly report", "pip install jinja2"),
    ("httpx2", "judge, plainly ranking judge", "pip install 'plainly[judges]'"),
    ("textstat", "variant dale-chall:textstat", "pip install textstat==0.7.8"),
]


def _packages() -> list[Row]:
    rows: list[Row] = []
    for package, purpose, command in _OPTIONAL:
        try:
            rows.append([package, version(package), purpose, ""])
        except PackageNotFoundError:
            rows.append([package, "missing", purpose, command])
    return rows


def _punkt(really: bool) -> Row:
    state, mend = _try(partial(punkt_sentences, "One. Two.") if really else look_for_punkt)
    return ["NLTK Punkt data", state, "variants fkgl:easse and sentence-splits:easse", mend]


def _models() -> list[Row]:
    return [[part.part, part.state, part.needed_for, part.mend] for part in available()]


def _language(language: Language, really: bool) -> list[Row]:
    """What plainly has for the language, each part looked for, or really tried."""
    code = language.code
    spaces = "blanks between words" if language.spaces else "no blanks between words"
    parser = parser_for(code)
    tries: list[tuple[str, str, Callable[[], object]]] = [
        ("writing", f"{DIRECTIONS[language.direction]}, {spaces}", lambda: None),
        *(
            (
                f"tokenizer {tokenizer.name}",
                tokenizer.about + ("; the default" if tokenizer.name == language.tokenizer else ""),
                partial(tokenizer.tokens, "A word.", lang=code) if really else partial(tokenizer.look, code),
            )
            for tokenizer in map(get_tokenizer, TOKENIZERS)
        ),
        ("sentences", language.sentence_source, lambda: language.count_sentences("One.")),
        ("syllables", language.syllable_source, lambda: _there(language.count_syllables, "syllable counter")("one")),
        (
            "word ranks",
            f"wordfreq {language.frequency_list or ''}".strip(),
            lambda: (word_ranks if really else look_for_ranks)(_there(language.frequency_list, "list of word ranks")),
        ),
        (
            "function words",
            f"{len(language.stop_words)} words",
            lambda: _there(language.stop_words, "list of function words"),
        ),
        (
            "identification",
            "finds outputs in another language",
            lambda: identify(["A word."], [code]) if really else _look_for_identifier(code),
        ),
        (
            "parser",
            f"{parser.name}: {', '.join(sorted(parser.provides))}" if parser else "",
            lambda: _insist_on_parser(code),
        ),
        (
            "readability",
            ", ".join(language.readability),
            lambda: _there(language.readability, "formula that was made for it"),
        ),
    ]
    rows: list[Row] = []
    for part, what, action in tries:
        state, mend = _try(action)
        rows.append([part, state, what, mend])
    return rows


def _there(value: T | None, what: str) -> T:
    if not value:
        raise PlainlyError(f"the entry of this language has no {what}")
    return value


def _insist_on_parser(code: str) -> None:
    if missing := missing_parser(code):
        raise MissingResource(missing)


def _look_for_identifier(code: str) -> None:
    if code not in identifiable():
        identify(["A word."], [code])  # says why not


def _metrics(language: Language, really: bool) -> list[Row]:
    """Every metric and variant: whether all that it needs is there, or really tried on one small segment."""
    corpus = Corpus(["One two three."], [["One two."]], {"try": ["One two."]}, lang=language.code)
    rows: list[Row] = []
    for name in names():
        state, mend = _try(partial(metric_class, name))
        if mend:  # a metric of another package that cannot be loaded
            rows.append([name, state, mend])
            continue
        metric = metric_class(name)
        for variant in metric.variants or [""]:
            label = f"{name}:{variant}" if variant and variant != next(iter(metric.variants)) else name
            rows.append([label, *_try(partial(_measure if really else _look, label, corpus, language.tokenizer))])
    return rows


def _profiles() -> list[Row]:
    """What each profile sets."""
    rows = []
    for profile in map(get_profile, profile_names()):
        every = ", others too" if profile.any_language else ""
        lang = profile.lang + every if profile.lang else "any: say --lang"
        rows.append(
            [profile.name, lang, profile.said, ", ".join(profile.metrics), ", ".join(profile.others), profile.title]
        )
    return rows


def _measure(label: str, corpus: Corpus, tokenizer: str) -> None:
    configure(label, {"lang": corpus.lang, "tokenizer": tokenizer}).measure(corpus, "try")


def _look(label: str, corpus: Corpus, tokenizer: str) -> None:
    """What measuring would say is missing: a parser, a model, the package that computes the score."""
    metric = configure(label, {"lang": corpus.lang, "tokenizer": tokenizer})
    if why := metric.missing(corpus.lang, {"variant": label.partition(":")[2]}):
        raise MissingResource(why)
    if "nltk" in metric.versions():
        look_for_punkt()


def _try(action: Callable[[], object]) -> tuple[str, str]:
    try:
        action()
    except MissingResource as error:
        return "missing", str(error)
    except PackageNotFoundError as error:
        return "missing", f"pip install {error.name}"
    except (ValueError, ImportError) as error:
        return "not available", str(error)
    return "ok", ""
