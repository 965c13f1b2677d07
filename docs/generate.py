"""Writes what the docs say from the code itself.

    python docs/generate.py              rewrites docs/metrics.md, docs/cli.md, docs/api.md, docs/errata.md,
                                         docs/annotation-guide.md, the tables of docs/languages.md, docs/output.md,
                                         docs/speed.md and docs/bertscore.md, and the options of metrics
                                         (cli/metric_options.json)
    python docs/generate.py --examples   also what the examples on README and docs pages print, and the pictures

A test fails when a page is stale.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import isinf
from pathlib import Path

import numpy as np
from api import api_page
from examples import ROOT, Session
from pictures import why_not_fkgl
from speed_page import PICTURES, gpu_table, speed_tables

from plainly.base.signature import Signed
from plainly.cli.parser import build_parser
from plainly.cli.vocabulary import MEANINGS
from plainly.metrics import Metric, Setting, metric_class, settings_of, signature_fields
from plainly.metrics.external import External
from plainly.metrics.registry import BUILT_IN
from plainly.operations import assetann
from plainly.operations.guide import Entry, Example, guide, marked
from plainly.operations.typology import ERROR
from plainly.replication import load
from plainly.replication import names as papers
from plainly.text.identification import identifiable
from plainly.text.languages import LANGUAGES, Language, get_language
from plainly.text.tokenizers import TOKENIZERS, get_tokenizer

DOCS = ROOT / "docs"
OPTIONS = ROOT / "src" / "plainly" / "cli" / "metric_options.json"
os.environ["HF_HUB_CACHE"] = os.devnull  # the pages must not depend on the models that this machine happens to have

# Which page explains the metrics of a module.
PAGES = {
    "sari": "sari.md",
    "bleu": "bleu.md",
    "chrf": "bleu.md",
    "ter": "bleu.md",
    "f1_token": "bleu.md",
    "bertscore": "bertscore.md",
    "meaning": "bertscore.md",
    "judge": "judges.md",
    "by_language": "readability.md",
    "english": "readability.md",
    "one_language": "readability.md",
    "arabic": "readability.md",
    "lengths": "readability.md",
    "off_language": "readability.md",
    "d_sari": "documents.md",
    "aligned": "documents.md",
    "features": "features.md",
    "metric": "linguistic-features.md",  # of the folder `linguistic`
    "samsa": "samsa.md",
    "tanprasert_kauchak": "papers/tanprasert-kauchak-2021.md",
    "stodden": "papers/stodden-2024.md",
    "plainly.simplicity.metric": "simplicity.md",
    "plainly.metaeval.quality.metric": "quality.md",
}


OF_STUDIES = ("plainly-quality", "simplicity")  # metrics of plainly that a study registers


def generated() -> dict[Path, str]:
    """The generated pages: file -> text."""
    return {
        DOCS / "metrics.md": metrics_page(),
        DOCS / "api.md": api_page(),
        DOCS / "cli.md": cli_page(),
        DOCS / "errata.md": errata_page(),
        DOCS / "annotation-guide.md": guide_page(),
        DOCS / "languages.md": with_tables("languages.md", _languages_table()),
        DOCS / "output.md": with_tables("output.md", signature_table()),
        DOCS / "speed.md": with_tables("speed.md", *speed_tables()),
        DOCS / "bertscore.md": with_tables("bertscore.md", gpu_table()),
        OPTIONS: options_table(),
    }


MADE = ("api.md", "metrics.md", "cli.md", "errata.md", "annotation-guide.md")


def hand_written() -> list[Path]:
    """The pages that people write."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
    return [page for page in pages if page.name not in MADE and page.exists()]


def metrics_page(names: Iterable[str] = (*BUILT_IN, *OF_STUDIES)) -> str:
    return "".join(_metrics_page({name: metric_class(name) for name in names}))


def cli_page() -> str:
    return "".join(_cli_page())


def with_tables(name: str, *tables: str) -> str:
    """A page that people write, with tables between its pairs of comments, in order."""
    comment, end = "<!-- generated: python docs/generate.py -->\n", "<!-- end -->"
    head, *parts = (DOCS / name).read_text("utf-8").split(comment)
    tails = [part.partition(end)[2] for part in parts]
    return head + "".join(f"{comment}{table}{end}{tail}" for table, tail in zip(tables, tails, strict=True))


def _languages_table() -> str:
    known = identifiable()
    return _table(
        ["code", "language", "tokeniser", "sentences", "syllables", "word ranks", "function words", "identified"],
        (
            [
                f"`{code}`",
                language.name + (", right to left" if language.direction == "rtl" else ""),
                language.tokenizer,
                _sentence_rules(language),
                language.syllable_source,
                language.frequency_list or "",
                "yes" if language.stop_words else "",
                "yes" if code in known else "",
            ]
            for code, language in LANGUAGES.items()
        ),
    )


def _sentence_rules(language: Language) -> str:
    if not language.sentence_source:
        return ""
    rules = language.sentences
    parts = {"abbreviations": rules.abbreviations, "ordinals": rules.after_ordinals}
    return ", ".join(["marks", *(part for part, words in parts.items() if words)])


def signature_table(names: Iterable[str] = (*BUILT_IN, *OF_STUDIES)) -> str:
    """What signatures say: the fields that metrics declare, and the libraries whose versions they name."""
    metrics = [metric_class(name) for name in names]
    known: dict[str, Signed] = {}
    for metric in [*metrics, External]:
        known |= {name: one for name, one in signature_fields(metric).items() if name not in known}
    version = known.pop("plainly")
    rows = [[f"`{one.short or name}`", f"`{name}`", one.about] for name, one in known.items()]
    rows.append(["", _codes(_libraries(metrics)), "the version of a library that takes part"])
    rows.append(["`plainly`", "`plainly`", version.about])
    return _table(["short", "long", "meaning"], rows)


def _libraries(metrics: Iterable[type[Metric]]) -> list[str]:
    chosen = [metric(**given) for metric in metrics for given in _variants(metric)]
    models = ("tokenizers", "torch", "transformers")  # which of them runs a model depends on the model
    return sorted(
        {
            *models,
            *(name for one in (*chosen, *(get_tokenizer(name) for name in TOKENIZERS)) for name in one.versions()),
        }
    )


def _variants(metric: type[Metric]) -> list[dict[str, str]]:
    return [{"variant": variant} for variant in metric.variants] or [{}]


def options_table() -> str:
    """The options of settings, as the command line adds them: a table, so that --help imports no metric."""
    return json.dumps(list(_setting_options()), ensure_ascii=False, indent=2) + "\n"


def _setting_options() -> Iterator[tuple[str, dict[str, object]]]:
    owners: dict[str, list[str]] = {}
    described: dict[str, Setting] = {}
    for metric in (*BUILT_IN, *OF_STUDIES):
        for name, one in settings_of(metric_class(metric)).items():
            if one.option:
                owners.setdefault(name, []).append(metric)
                described.setdefault(name, one)
    for name, one in described.items():
        of = f"{', '.join(owners[name])}: " if len(owners[name]) <= 3 else ""
        arguments: dict[str, object] = {"dest": name, "help": f"{of}{_setting_help(one)}"}
        if one.metavar:
            arguments["metavar"] = one.metavar
        if one.kind is bool:
            arguments |= {"action": "store_true", "default": None}
        elif one.kind is tuple:
            arguments |= {"action": "append"}
            arguments["help"] = f"{arguments['help']}; may be repeated"
        elif one.kind is not str:
            arguments["type"] = one.kind.__name__
        yield f"--{one.option}", arguments
        if one.opposite:
            off, why = one.opposite
            yield f"--{off}", {"dest": name, "help": why, "action": "store_false", "default": None}


def _setting_help(one: Setting) -> str:
    text = one.help
    if one.choices:
        *most, last = [f"{choice} (default)" if choice == one.default else choice for choice in one.choices]
        text += f": {', '.join(most)} or {last}"
    return f"{text} (default: {one.decided})" if one.decided else text


def _metrics_page(metrics: dict[str, type[Metric]]) -> Iterator[str]:
    yield "# All metrics\n\n"
    yield "This page is generated from the code: `python docs/generate.py`.\n"
    yield "`plainly score --list` prints the same facts.\n\n"
    yield "A metric that needs references leaves out segments that have none. It says how many.\n"
    yield f"Without `--metrics`, plainly computes {_codes(get_language('en').metrics)} for English. "
    yield "Other languages have [defaults of their own](languages.md).\n\n"
    yield _table(
        ["metric", "what it is", "better", "range", "needs", "languages"],
        (
            [
                f"[`{name}`](#{name})",
                metric.facts.about,
                metric.facts.direction,
                _range(metric),
                ", ".join(sorted(metric.facts.needs - {"language"})) or "outputs only",
                ", ".join(sorted(metric.languages)) if metric.languages else "any",
            ]
            for name, metric in metrics.items()
        ),
    )
    for name, metric in metrics.items():
        yield from _metric_section(name, metric)


def _metric_section(name: str, metric: type[Metric]) -> Iterator[str]:
    page = PAGES.get(metric.__module__) or PAGES.get(metric.__module__.rpartition(".")[2])
    usual = metric()
    pages = [page, "fkgl.md"] if name == "fkgl" else [page] if page else []
    rows = [["explained in", ", ".join(f"[{page}]({page})" for page in pages)]] if pages else []
    rows += [
        ["settings", ", ".join(map(_setting, settings_of(metric).values()))],
        ["components", _components(usual) or "none"],
        ["source", metric.facts.paper or "plainly"],
    ]
    if metric.facts.caution:
        rows.append(["caution", metric.facts.caution])
    yield f"\n## {name}\n\n"
    yield _table([metric.facts.title, metric.facts.about], rows)
    yield f"\n`{usual.signature('1')}`\n"
    if metric.variants:
        yield "\n"
        yield _table(
            ["variant", "what it is"],
            (
                [f"`{name}:{variant}`" + (" (default)" if not i else ""), about]
                for i, (variant, about) in enumerate(metric.variants.items())
            ),
        )


def _setting(one: Setting) -> str:
    """A setting with its default; some are decided late, which is said in words."""
    return f"`{one.name}` ({one.decided})" if one.decided else f"`{one.name}={one.default!r}`"


def _components(metric: Metric) -> str:
    """The names of the parts of a score; numbered ones in a row as "from to"."""
    names = metric.score(np.zeros(len(metric.columns))).components
    parts = []
    for _, group in groupby(names, lambda name: name.rstrip("0123456789")):
        first, *rest = group
        parts.append(f"`{first}` to `{rest[-1]}`" if rest else f"`{first}`")
    return ", ".join(parts)


def _range(metric: type[Metric]) -> str:
    low, high = metric.facts.range
    if isinf(low) and isinf(high):
        return "any number"
    if isinf(low):
        return f"up to {high:g}"
    return f"{low:g} or more" if isinf(high) else f"{low:g} to {high:g}"


def _cli_page() -> Iterator[str]:
    parser = build_parser()
    yield "# Commands\n\n"
    yield "This page is generated from the code: `python docs/generate.py`.\n"
    yield "`plainly COMMAND --help-all` prints the same.\n\n"
    yield "Every command ends with status 0 when all went well.\n"
    yield "Bad input gives status 2 and one line that says what is wrong and where.\n"
    yield "A fault in plainly itself gives status 1; set `PLAINLY_DEBUG=1` to see where it is.\n"
    yield "\n`plainly COMMAND --help` has the usual options, `--help-all` has all of them, by group.\n"
    yield from _options(parser)
    yield from _vocabulary(parser)
    yield from _commands(parser, "plainly", 2)


def errata_page() -> str:
    return "".join(_errata_page())


def _errata_page() -> Iterator[str]:
    yield "# Errata\n\n"
    yield "Published numbers and claims that do not hold, each with its proof and the command that shows it.\n\n"
    yield "This page is generated from the [recipes](replicate.md) of the papers: `python docs/generate.py`.\n"
    yield "The tests run the commands. We are grateful to the authors: only who publishes data can be checked.\n"
    for recipe in map(load, papers()):
        if recipe.errata:
            yield f"\n## {recipe.name}\n\n[{recipe.citation}](papers/{recipe.name}.md)\n"
        for erratum in recipe.errata:
            yield f"\n### {erratum.where}: {erratum.name}\n\n"
            yield f"The paper: {erratum.claim}\n\nWe find: {erratum.finding}\n"
            yield f"\n```sh\n{erratum.command}\n```\n"
            if erratum.printed:
                yield "\nIt needs no data: printed numbers alone show it.\n"


GUIDE = """# The annotation guide

Which [label](operations.md#labels) does a change get? Annotators can only agree if they follow the same rules.
The rules are those of Cardon et al. (2022, appendix A), in our words. The examples are ours.

Words in <b>bold</b> are selected, and have the label behind them. ✓ shows what to do, ✗ what not to do.
An example marks what its rule is about: other changes in it need labels, too.

The [studio](studio.md#operations) shows this guide while people annotate, in English and German.
This page is generated from it: `python docs/generate.py`.

The published ASSETann does not keep every rule. It marks negations on both sides, with the words beside them.
"""


def guide_page() -> str:
    return "".join(_guide_page())


def _guide_page() -> Iterator[str]:
    found, labels = guide(), assetann().labels
    yield f"{GUIDE}\n## Rules for all labels\n"
    for rule in found.rules:
        yield f"\n### {rule.title}\n\n{_entry(rule)}"
    for shape, title in OF_SHAPES.items():
        yield f"\n## {title}\n"
        for name, entry in found.labels.items():
            if labels[name].shapes[0] == shape and name != ERROR:
                yield f"\n### {labels[name].title} (`{name}`)\n\n{_entry(entry)}"
    yield f"\n## The whole pair\n\n### {labels[ERROR].title} (`{ERROR}`)\n\n{_entry(found.labels[ERROR])}"


OF_SHAPES = {"both": "Words replaced or moved", "target": "New words", "source": "Words that are gone"}


def _entry(entry: Entry) -> str:
    points = "".join(f"- {point}\n" for point in entry.points)
    head = "Examples:" if entry.examples else ""  # two lists in a row would be one
    examples = "".join(f"- {_example(example)}\n" for example in entry.examples)
    return "\n".join(f"{part.rstrip()}\n" for part in (entry.text, points, head, examples) if part)


def _example(example: Example) -> str:
    before, after = (
        "".join(f"<b>{words}</b><sup>{label}</sup>" if label else words for words, label in marked(text))
        for text in (example.source, example.target)
    )
    sign = "✗" if example.wrong else "✓"
    return f"{sign} {before} → {after}" + (f"<br>{example.why}" if example.why else "")


def _vocabulary(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The names that several commands have."""
    owners: dict[str, list[str]] = {}
    for path, command in _leaves(parser, "plainly"):
        for action in command._actions:
            if action.option_strings and action.option_strings[-1] in MEANINGS:
                owners.setdefault(action.option_strings[-1], []).append(path.removeprefix("plainly "))
    yield "\n## One vocabulary\n\n"
    yield "An option of one name means the same in every command. These are the names that several commands have.\n"
    yield "A command may add details of its own, below.\n\n"
    rows = ([f"`{name}`", _escaped(about), _commands_named(owners[name])] for name, about in MEANINGS.items())
    yield _table(["option", "what it means everywhere", "where"], rows)


def _commands_named(commands: Sequence[str]) -> str:
    return ", ".join(commands) if len(commands) <= 4 else f"{len(commands)} commands"


def _leaves(parser: argparse.ArgumentParser, path: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    yield path, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield from _leaves(command, f"{path} {name}")


def _commands(parser: argparse.ArgumentParser, path: str, depth: int) -> Iterator[str]:
    """A section for each command of the parser, and below it one for each of its own commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield f"\n{'#' * depth} {path} {name}\n\n"
                yield f"{command.description}\n"
                yield from _options(command)
                example = (command.epilog or "").partition("\n")[2]
                if example:
                    yield f"\nExample:\n\n```text\n{_dedented(example)}\n```\n"
                yield from _commands(command, f"{path} {name}", depth + 1)


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for group in parser._action_groups:
        actions = [a for a in group._group_actions if not isinstance(a, argparse._SubParsersAction)]
        if actions:
            about = f" ({group.description})" if group.description else ""
            yield f"\n{(group.title or '').capitalize()}{about}:\n\n"
            yield _table(["argument", "what it does"], ([_form(a), _help(a)] for a in actions))


def _form(action: argparse.Action) -> str:
    """How an option is written: `--data FILE`."""
    value = "" if action.nargs == 0 else str(action.metavar or action.dest.upper())
    if action.nargs == "*":
        value = f"[{value} ...]"
    return ", ".join(f"`{f'{option} {value}'.strip()}`" for option in action.option_strings or [""])


def _help(action: argparse.Action) -> str:
    text = action.help or ""
    if action.choices is not None:
        text += f"; one of {_codes(map(str, action.choices))}"
    if isinstance(action.default, str) and action.default != argparse.SUPPRESS and "default" not in text:
        text += f" (default: {action.default})"
    return _escaped(text)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _dedented(text: str) -> str:
    return "\n".join(line.removeprefix("  ") for line in text.split("\n"))


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headers, ["---"] * len(headers), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def refresh_examples() -> None:
    """Rewrite what the examples of all pages print."""
    os.environ["COLUMNS"] = "80"
    for page in hand_written():
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            os.environ["PLAINLY_PLUGINS"] = str(Path(folder) / "plugins")
            before = page.read_text("utf-8")
            after = Session().refresh(before)
            os.chdir(ROOT)
        if after != before:
            page.write_text(after, "utf-8")
            print(f"refreshed {page.relative_to(ROOT)}")


if __name__ == "__main__":
    if OPTIONS.read_text("utf-8") != options_table():
        OPTIONS.write_text(options_table(), "utf-8")
        os.execv(sys.executable, [sys.executable, *sys.argv])  # the page of commands is made with the new options
    for path, text in generated().items():
        path.write_text(text, "utf-8")
    if "--examples" in sys.argv[1:]:
        refresh_examples()
        for name, picture in {"why-not-fkgl": why_not_fkgl, **PICTURES}.items():
            (DOCS / "pictures" / f"{name}.svg").write_text(picture(), "utf-8")
