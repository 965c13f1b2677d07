"""How to report a comparison: a paragraph ready to paste into a paper, and BibTeX of all that it cites.

What a metric or a test is cited by stands in `papers.toml`, under the names of metrics and of parts of a comparison.
The paragraph is English, as papers are.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from plainly.base import declarations
from plainly.base.errors import UnknownName
from plainly.base.messages import plural
from plainly.base.signature import Signature
from plainly.base.version import __version__
from plainly.corpus.catalogue import Entry
from plainly.corpus.references import References
from plainly.findings.printers.latex import escaped
from plainly.findings.printing import printable
from plainly.metrics import GROUPS, Metric, signature_fields
from plainly.scoring.comparison import Comparison
from plainly.scoring.evaluation import Evaluation

PLAINLY = f"""@software{{plainly,
  author = {{{{The plainly team}}}},
  title = {{plainly: Measure Text Simplification}},
  version = {{{__version__}}},
}}"""
NOT_FIELDS = ("of", "only", "type")
IN_THE_SIGNATURE = ("lang", "references", "revision")  # the paragraph says them once for all, or not in words
NAMES = {"tokenizer": "tokeniser", "smooth": "smoothing"}
CASES = {"lower": "lower-cased", "mixed": "cased"}
TESTS = {
    "bootstrap": ("paired bootstrap", "paired-bootstrap", "calibration"),
    "bootstrap-plain": ("paired bootstrap", "paired-bootstrap"),
    "randomisation": ("paired randomisation", "randomisation"),
}
"""What a test is called, what it is cited by, and what its calibration is."""
INTERVALS = {"percentile": "percentile bootstrap", "bca": "bias-corrected and accelerated (BCa) bootstrap"}
WIDTH = 100

_ACCENTS = {"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030c": "v ", "\u0327": "c "}
_OTHERS = {"&": r"\&", "ł": r"{\l}"}


@dataclass(frozen=True)
class Paper:
    """What is cited. A key of BibTeX, who and when as a text says it, and the entry."""

    key: str
    said: str
    bibtex: str


@dataclass(frozen=True)
class HowToReport:
    """A paragraph, the same for LaTeX with commands that cite, and the entries that both cite."""

    paragraph: str
    latex: str
    bibtex: str

    def to_dict(self) -> dict[str, str]:
        """As it stands in JSON."""
        return {"paragraph": self.paragraph, "latex": self.latex, "bibtex": self.bibtex}

    def text(self, form: str) -> str:
        """What stands below a table of this form."""
        if form not in FORMS:
            raise UnknownName("form of how to report this", form, FORMS)
        return FORMS[form](self)


def _as_text(how: HowToReport) -> str:
    wrapped = textwrap.fill(how.paragraph, WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"\nHow to report this\n\n{wrapped}\n\n{how.bibtex}"


def _as_markdown(how: HowToReport) -> str:
    return f"\n## How to report this\n\n{how.paragraph}\n\n```bibtex\n{how.bibtex}```\n"


def _as_latex(how: HowToReport) -> str:
    commented = "".join(f"% {line}".rstrip() + "\n" for line in how.bibtex.splitlines())
    return f"\n% How to report this\n{how.latex}\n\n% For the file of references:\n{commented}"


FORMS: Mapping[str, Callable[[HowToReport], str]] = {
    "table": _as_text,
    "markdown": _as_markdown,
    "latex": _as_latex,
}


def how_to_report(comparison: Comparison, test_set: Entry | str | None = None) -> HowToReport:
    """What a paper says of a comparison. `test_set` is an entry of the catalogue, or a name."""
    cited = list(_cited(comparison, test_set))
    return HowToReport(
        paragraph=" ".join(_sentences(comparison, test_set, _Plain())),
        latex=" ".join(_sentences(comparison, test_set, _Latex())),
        bibtex="\n\n".join(dict.fromkeys([*(paper.bibtex for paper in cited), PLAINLY])) + "\n",
    )


def papers_of(metric: Metric) -> list[Paper]:
    """What a metric is cited by; where no entry is known, what the metric itself says of its origin."""
    groups = [group for group, members in GROUPS.items() if metric.name in members]
    found = _papers([metric.name, *groups], metric.lang)
    if found or not _year(metric.facts.paper):
        return found
    said = metric.facts.paper
    entry = _entry(metric.name, "misc", {"title": f"{{{metric.facts.title}}}", "note": said})
    return [Paper(metric.name, _up_to_year(said), entry)]


def known_papers() -> Mapping[str, Mapping[str, str | list[str]]]:
    """The entries of `papers.toml`, by their keys."""
    return _read()


class _Plain:
    """The paragraph as a text: authors and years in words."""

    def text(self, text: str) -> str:
        return printable(text)

    def code(self, text: str) -> str:
        return printable(text)

    def cite(self, papers: Iterable[Paper]) -> str:
        said = "; ".join(paper.said for paper in papers if paper.said)
        return f" ({said})" if said else ""


class _Latex(_Plain):
    """The paragraph for LaTeX, with the commands of natbib."""

    def text(self, text: str) -> str:
        return escaped(printable(text))

    def code(self, text: str) -> str:
        bar = escaped("|")
        return rf"\texttt{{{self.text(text)}}}".replace(bar, rf"{bar}\allowbreak{{}}")

    def cite(self, papers: Iterable[Paper]) -> str:
        keys = ",".join(paper.key for paper in papers)
        return rf" \citep{{{keys}}}" if keys else ""


def _sentences(comparison: Comparison, test_set: Entry | str | None, style: _Plain) -> Iterator[str]:
    evaluation = comparison.evaluation
    yield f"We evaluated {_systems(comparison, style)} on {_test_set(evaluation, test_set, style)}."
    metrics = "; ".join(_metric(evaluation, label, style) for label in evaluation.metrics)
    yield f"Scores were computed with plainly {__version__}{style.cite([_plainly()])}: {metrics}."
    yield from _missing(comparison, style)
    if comparison.units > 1:
        yield _intervals(comparison, style)
    yield from _tests(comparison, style)
    runs = {system: len(names) for system, names in evaluation.runs.items() if len(names) > 1}
    if runs:
        listed = _listed([f"{style.text(system)} ({plural(count, 'run')})" for system, count in runs.items()])
        yield (
            f"The scores of {listed} are means over runs; their intervals take into account that "
            f"both runs and {comparison.settings.resampling.unit}s are samples."
        )


def _systems(comparison: Comparison, style: _Plain) -> str:
    said = plural(len(comparison.ranked), "system")
    if comparison.baselines:
        names = _listed([style.text(name) for name in comparison.baselines])
        said += f" and the {'baseline' if len(comparison.baselines) == 1 else 'baselines'} {names}"
    return said


def _test_set(evaluation: Evaluation, test_set: Entry | str | None, style: _Plain) -> str:
    title = test_set.title if isinstance(test_set, Entry) else test_set
    name = "a test set" if title is None else style.text(title)
    cited = style.cite(_of_test_set(test_set))
    fewest, most, _ = References.widest(evaluation.references.values())
    much = plural(most, "reference") if fewest == most else f"{fewest} to {plural(most, 'reference')}"
    references = f"with {much} each" if most else "without references"
    documents = f" in {plural(len(set(evaluation.documents)), 'document')}" if evaluation.documents else ""
    return f"{name}{cited}: {plural(evaluation.size, 'segment')}{documents} {references}"


def _metric(evaluation: Evaluation, label: str, style: _Plain) -> str:
    metric = evaluation.metrics[label]
    signed = list(dict.fromkeys(results[label].signature for results in evaluation.systems.values()))
    settings = Signature.parse(signed[0], signature_fields(type(metric))).settings
    said = [_setting(name, value) for name, value in settings.items() if name not in IN_THE_SIGNATURE]
    words = "".join(f"{style.text(one)}, " for one in said)
    name = f"{style.text(metric.facts.title)}{style.cite(papers_of(metric))}"
    signatures = " and ".join(map(style.code, signed))
    return f"{name} with {words}{'signature' if len(signed) == 1 else 'signatures'} {signatures}"


def _setting(name: str, value: str) -> str:
    if name == "lowercase":
        return CASES.get(value, value)
    return f"{NAMES.get(name, name.replace('_', ' '))} {value}"


def _missing(comparison: Comparison, style: _Plain) -> Iterator[str]:
    """How many outputs of a system have no score."""
    titles: dict[tuple[str, int], list[str]] = {}
    for system in comparison.ranked:
        for label, standing in comparison[system].items():
            if standing.unscored:
                title = comparison.evaluation.metrics[label].facts.title
                titles.setdefault((system, standing.unscored), []).append(style.text(title))
    for (system, count), names in titles.items():
        much = f"{count} of the {plural(comparison.segments, 'output')} of {style.text(system)}"
        yield f"{much} {'is' if count == 1 else 'are'} missing or could not be scored by {_listed(names)}."
    if any(map(comparison.uneven, comparison.pairs)):
        yield "Pairs of systems are compared on the segments that both have."


def _intervals(comparison: Comparison, style: _Plain) -> str:
    drawn = comparison.settings.resampling
    cited = style.cite(_papers(["bootstrap", drawn.method]))
    what = style.text(f"{drawn.confidence:.0%} intervals")
    return (
        f"We give {what} of the {INTERVALS[drawn.method]}{cited}, from {drawn.resamples} resamples of "
        f"{drawn.unit}s (seed {drawn.seed})."
    )


def _tests(comparison: Comparison, style: _Plain) -> Iterator[str]:
    settings = comparison.settings
    if not _tested(comparison):
        return
    test, part, *calibration = TESTS[settings.method]
    against = f"every system against {style.text(settings.baseline)}" if settings.baseline else "systems in pairs"
    yield (
        f"We tested {against} with a two-sided {test} test{style.cite(_papers([part]))} of {settings.trials} trials."
    )
    if calibration:
        cited = style.cite(_papers(calibration))
        yield f"p-values are calibrated for the number of {settings.resampling.unit}s{cited}."
    yield f"p-values are corrected by Holm's method{style.cite(_papers(['holm']))} {_family(comparison)}."
    yield f"Differences count as significant where the corrected p is below {settings.alpha:g}."
    if any(comparison.letters.values()):
        cited = style.cite(_papers(["letters"]))
        yield f"Systems that share a letter{cited} are not significantly different by that metric."


def _family(comparison: Comparison) -> str:
    """Over which tests p-values are corrected; tests of a baseline are a family of their own."""
    settings = comparison.settings
    of = "of all metrics together" if settings.family == "all" else "of each metric"
    tested: dict[bool, set[int]] = {False: set(), True: set()}
    for pair in comparison.pairs:
        names = {pair.first, pair.second} - {settings.baseline}
        tested[not names.isdisjoint(comparison.baselines)].add(pair.tests)
    systems, baselines = ({*counts} - {0} for counts in tested.values())
    if settings.baseline is not None and not baselines:
        return f"over the {_range(systems, 'test')} {of}"
    words = (
        ("pair", "of systems", "with a baseline")
        if settings.baseline is None
        else ("test", "of systems", "of baselines")
    )
    said = [f"the {_range(systems, words[0])} {words[1]}"] if systems else []
    said += [f"the {_range(baselines, words[0])} {words[2]}"] if baselines else []
    return f"over the tests {of}: {' and, apart from them, '.join(said)}"


def _range(counts: Collection[int], unit: str) -> str:
    """Of families of one size, that; else the smallest and the largest."""
    low, high = min(counts), max(counts)
    return plural(high, unit) if low == high else f"{low} to {plural(high, unit)}"


def _tested(comparison: Comparison) -> bool:
    """Whether any test was possible."""
    return any(pair.tests for pair in comparison.pairs)


def _cited(comparison: Comparison, test_set: Entry | str | None) -> Iterator[Paper]:
    yield from _of_test_set(test_set)
    for metric in comparison.evaluation.metrics.values():
        yield from papers_of(metric)
    if comparison.units > 1:
        yield from _papers(["bootstrap", comparison.settings.resampling.method])
    if _tested(comparison):
        yield from _papers([*TESTS[comparison.settings.method][1:], "holm"])
        if any(comparison.letters.values()):
            yield from _papers(["letters"])


def _of_test_set(test_set: Entry | str | None) -> list[Paper]:
    """The paper of the test set itself: the first entry of its citation; others are of its outputs."""
    if not isinstance(test_set, Entry):
        return []
    entry = re.split(r"\n+(?=@)", test_set.citation.strip())[0]
    return [Paper(entry.partition("{")[2].partition(",")[0], _up_to_year(test_set.paper), entry)]


def _plainly() -> Paper:
    return Paper("plainly", "", PLAINLY)


def _papers(names: Sequence[str], lang: str | None = None) -> list[Paper]:
    """The entries that are cited for any of these names, in the order of the file."""
    return [
        Paper(key, _said(fields), _entry(key, fields["type"], _only_fields(fields)))
        for key, fields in _read().items()
        if not set(names).isdisjoint(fields["of"]) and (lang is None or lang in fields.get("only", [lang]))
    ]


def _said(fields: Mapping[str, str]) -> str:
    """Authors and year as a text says them."""
    names = [author.partition(",")[0].strip("{} ") for author in fields["author"].split(" and ")]
    authors = " and ".join(names) if len(names) < 3 else f"{names[0]} et al."
    return f"{authors} {fields['year']}"


def _entry(key: str, kind: str, fields: Mapping[str, str]) -> str:
    lines = "".join(f"  {name} = {{{_accented(value)}}},\n" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}}}"


def _only_fields(fields: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in fields.items() if name not in NOT_FIELDS}


@cache
def _read() -> dict[str, dict[str, str]]:
    return declarations.read((files("plainly.report") / "papers.toml").read_text("utf-8"))


def _accented(text: str) -> str:
    """Letters beyond ASCII as any BibTeX reads them."""
    return "".join(map(_letter, text))


def _letter(letter: str) -> str:
    if letter in _OTHERS:
        return _OTHERS[letter]
    plain, *marks = list(unicodedata.normalize("NFD", letter))
    if len(marks) == 1 and marks[0] in _ACCENTS:
        return rf"{{\{_ACCENTS[marks[0]]}{plain}}}"
    return letter


def _year(text: str) -> str | None:
    found = re.search(r"\b(19|20)\d\d\b", text)
    return found and found[0]


def _up_to_year(text: str) -> str:
    """Authors and year at the head of a reference: "Xu et al. 2016, Optimizing ..."."""
    found = re.match(r".*?\b(?:19|20)\d\d\b", text)
    return found[0] if found else text


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
