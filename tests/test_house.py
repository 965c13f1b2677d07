"""The counts of benchmarks/house.py on a small package whose answers are known."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))  # the counts are among the benchmarks

from benchmarks.house import WALKS, House, circles, count

FILES = {
    "__init__.py": '"""A package."""\n',
    "cli/__init__.py": "",
    "cli/score.py": '''"""A command."""

from toy.scoring.totals import made
from toy.scoring.walks import _hidden, walk

PAGE = "html"


def run(options):
    """Run it."""
    form = options.format
    if form == "json" or form == PAGE:  # two
        return "{}"
    if options.format in ("csv", "tsv"):  # three
        return "--anything may be named here"
    if options.data_format == "csv":
        return ""
    return made(options) if options.format else walk._steps or _hidden
''',
    "inference/__init__.py": "",
    "inference/numbers.py": '''
from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    value: float
    low: float = 0.0
    high: float = 0.0


@dataclass
class Spread:
    mean: float
    low: float | None
    high: float | None


@dataclass
class Range:
    """Of a scale: no number has it."""

    low: float
    high: float


@dataclass
class Difference:
    value: float
    ci: tuple[float, float]


class Plain:
    value: float
    low: float
    high: float
''',
    "scoring/__init__.py": "",
    "scoring/totals.py": """
from toy.scoring import walks


def result(total):
    return total


def made(totals):
    return {system: {label: result(total) for label, total in sums.items()} for system, sums in totals.items()}


def copied(totals):
    return {system: {label: total for label, total in sums.items()} for system, sums in totals.items()}
""",
    "scoring/walks.py": '''
"""Say --nothing in docstrings."""

from toy.scoring.steps import forwards, backwards

COLOURS = "p { --ink: black; color: var(--ink) }"
INSTALL = "pip install --no-deps toy"


def _hidden(name):
    """Nor here: --never."""
    call = ["sort", "--unique", f"--key={name}"]
    raise ValueError(f"{name}: say --lang {name}, or --unit document", call)


def walk(way, lang):
    step = forwards if way == "forwards" else backwards  # one
    word = "yes" if way == "forwards" else "no"
    other = forwards() if lang == "en" else backwards()
    if way == "forwards":  # two
        step()
    elif way == "backwards":
        step()
    else:
        word = other
    if way == "forwards":
        step()
    elif way == "backwards":
        step()
    else:
        raise ValueError(word)
''',
    "scoring/steps.py": '''
def forwards():
    from toy.scoring.totals import made  # a circle: totals, walks, steps

    # a comment
    return """a text
    of two lines""", made


def backwards():
    """Nothing."""
''',
    "corpus/__init__.py": "",
    "corpus/lines.py": "from toy.text import words\n",
    "text/__init__.py": "",
    "text/words.py": "def letters():\n    import toy.corpus.sizes\n",
    "corpus/sizes.py": "",
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    root = tmp_path_factory.mktemp("house")
    for name, text in FILES.items():
        path = root / "src" / "toy" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return count(root, "toy", walks=())


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("format branches", ["cli/score.py"] * 3),
        ("types of estimates", ["inference/numbers.py"] * 2),
        ("numbers and intervals side by side", ["inference/numbers.py"]),
        ("assemblers of results", ["scoring/totals.py"]),
        ("option names below the faces", ["scoring/walks.py"]),
        ("silent else over names", ["scoring/walks.py"] * 2),
        ("private names across rooms", ["cli/score.py"] * 2),
    ],
)
def test_what_has_more_than_one_home(house: House, name: str, files: list[str]) -> None:
    assert [place.file for place in house.places[name]] == files


def test_all_option_names_of_a_text_are_told(house: House) -> None:
    assert [place.text for place in house.places["option names below the faces"]] == ["--lang --unit"]


def test_cycles_of_modules_and_of_packages(house: House) -> None:
    """Corpus and text import each other, by modules that do not."""
    modules, packages = (house.cycles[f"import cycles of {what}"] for what in ("modules", "packages"))
    circle = ["toy.scoring.steps", "toy.scoring.totals", "toy.scoring.walks"]
    assert modules == [circle]
    assert packages == [["toy.corpus", "toy.text"], circle]


def test_lines_without_blanks_comments_and_docstrings(house: House) -> None:
    assert house.lines["inference"] == 23
    assert house.lines["text"] == 2
    assert house.lines["corpus"] == 1


def test_the_rows_hold_every_count(house: House) -> None:
    rows = dict(house.rows())
    assert rows["format branches"] == 3
    assert rows["modules in import cycles"] == 3
    assert rows["lines of all"] == sum(house.lines.values())


def test_circles() -> None:
    graph = {"a": ["b"], "b": ["c", "e"], "c": ["a"], "d": ["d", "a"], "e": ["f"], "f": ["e", "elsewhere"]}
    assert sorted(circles(graph)) == [["a", "b", "c"], ["e", "f"]]


def test_the_walks_have_names() -> None:
    from benchmarks.house_walks import WALKS as KNOWN

    assert tuple(KNOWN) == WALKS
