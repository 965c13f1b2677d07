"""`plainly doctor`: what can run here, and what each missing thing needs."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import PackageNotFoundError, version

from plainly._kernels import COMPILED
from plainly.corpus import Corpus
from plainly.errors import MissingResource
from plainly.metrics import configure, metric_class, names
from plainly.tables import render
from plainly.text.languages import get_language
from plainly.text.sentences import punkt_sentences
from plainly.version import __version__


def run(options: argparse.Namespace) -> None:
    language = get_language(options.lang)
    parts = [_python(), _kernels(), *_packages(), _punkt()]
    metrics = _metrics(options.lang)
    if options.format == "json":
        content = {
            "plainly": __version__,
            "language": options.lang,
            "parts": [dict(zip(("part", "state", "needed for", "to mend"), row, strict=True)) for row in parts],
            "metrics": [dict(zip(("metric", "state", "to mend"), row, strict=True)) for row in metrics],
        }
        print(json.dumps(content, ensure_ascii=False, indent=2))
        return
    print(render(["part", "state", "needed for", "to mend"], parts, options.format), end="")
    print()
    print(render([f"metric ({language.name})", "state", "to mend"], metrics, options.format), end="")


Row = list[str | float | int | None]


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
    ("pyarrow", "reading Parquet", "pip install pyarrow"),
    ("nltk", "variants fkgl:easse and sentence-splits:easse", "pip install nltk"),
    ("vl-convert-python", "plainly report", "pip install vl-convert-python"),
    ("jinja2", "plainly report", "pip install jinja2"),
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


def _punkt() -> Row:
    state, mend = _try(lambda: punkt_sentences("One. Two."))
    return ["NLTK Punkt data", state, "variants fkgl:easse and sentence-splits:easse", mend]


def _metrics(lang: str) -> list[Row]:
    """Every metric and variant, tried on one small segment."""
    corpus = Corpus(["One two three."], [["One two."]], {"try": ["One two."]}, lang=lang)
    rows: list[Row] = []
    for name in names():
        state, mend = _try(partial(metric_class, name))
        if mend:  # a metric of another package that cannot be loaded
            rows.append([name, state, mend])
            continue
        metric = metric_class(name)
        for variant in metric.variants or [""]:
            label = f"{name}:{variant}" if variant and variant != next(iter(metric.variants)) else name
            rows.append([label, *_try(partial(_measure, label, corpus))])
    return rows


def _measure(label: str, corpus: Corpus) -> None:
    configure(label, {"lang": corpus.lang}).measure(corpus, "try")


def _try(action: Callable[[], object]) -> tuple[str, str]:
    try:
        action()
    except MissingResource as error:
        return "missing", str(error)
    except (ValueError, ImportError) as error:
        return "not available", str(error)
    return "ok", ""
