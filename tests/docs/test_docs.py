"""README and docs hold what they say: examples run, generated pages are current, nothing is left out."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import metadata
from pathlib import Path

import pytest

import plainly
from plainly.cli.parser import COMMANDS, build_parser, every_command
from plainly.corpus.corpus import BASELINES
from plainly.metrics import metric_class
from plainly.metrics.registry import BUILT_IN
from plainly.metrics.sari import EMPTY_RULES
from plainly.text.languages import LANGUAGES
from plainly.text.tokenizers import TOKENIZERS

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))

import api  # noqa: E402
import examples  # noqa: E402
import generate  # noqa: E402

from ..cases import each  # noqa: E402

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
GENERATED = {path.relative_to(ROOT).as_posix(): text for path, text in generate.generated().items()}
LENGTHY = {
    *("bertscore.md", "comprehension.md", "comprehension-experiments.md", "filter.md", "fkgl.md", "report.md"),
    *("linguistic-features.md", "operations-metrics.md", "samsa.md", "statistics.md"),
    *("annotate-operations.md", "rank-texts.md", "reading-experiment.md", "score-and-compare.md", "which-metric.md"),
}
"""Pages whose examples take more than a second."""
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)


def hand_written() -> str:
    """What people wrote, without the generated pages."""
    return "\n".join(page.read_text("utf-8") for page in generate.hand_written())


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow if page.name in LENGTHY else (), id=page.name) for page in PAGES],
)
def test_examples_print_what_the_page_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PLAINLY_PLUGINS", str(tmp_path / "plugins"))
    wrong = examples.Session().check(page.read_text("utf-8"))
    advice = "\n\nIf the page is stale, run: python docs/generate.py --examples"
    assert not wrong, "\n".join(map(str, wrong)) + advice


@pytest.mark.parametrize("name", GENERATED)
def test_generated_pages_are_current(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == GENERATED[name], "stale; run: python docs/generate.py"


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text("utf-8"))):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.is_file(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(path), f"{page.name} links to {target}"


@each("name", BUILT_IN)
def test_every_metric_and_variant_is_explained(name: str) -> None:
    metric = metric_class(name)
    page = (DOCS / generate.PAGES[metric.__module__.rpartition(".")[2]]).read_text("utf-8")
    assert f"`{name}`" in page
    for variant in metric.variants:
        assert f"`{variant}`" in page, f"variant {variant} of {name}"


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("bleu.md", TOKENIZERS),
        ("data.md", BASELINES),
        ("languages.md", LANGUAGES),
        ("sari.md", EMPTY_RULES),
        ("install.md", metadata("plainly").get_all("Provides-Extra")),
    ],
)
def test_every_name_is_on_its_page(page: str, names: list[str]) -> None:
    text = (DOCS / page).read_text("utf-8")
    assert [name for name in names if f"`{name}`" not in text] == []


def test_every_option_is_explained_by_hand_too() -> None:
    options = set(re.findall(r"`(--[a-z-]+)", GENERATED["docs/cli.md"])) - {"--help", "--version"}
    assert {option for option in options if option not in hand_written()} == set()


OF_OTHERS = {
    **dict.fromkeys(("--nworkers", "--nthreads", "--constraint"), "dask and Slurm"),
    **dict.fromkeys(("--no-deps", "--root", "--order", "--dashboard", "--form"), "pip, and benchmarks of ours"),
    **dict.fromkeys(("--env-file", "--detach", "--build", "--upgrade"), "docker compose, and pip"),
    "--api-key": "vLLM",
}
"""Options on our pages that plainly does not have, and whose they are. The page on EASSE has those of EASSE."""
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z](?![\w-])")
CALL = re.compile(r"\bplainly((?: [a-z-]+)+) [^`\n|;&#]*")
PARSERS = {parser.prog: parser for parser in every_command(build_parser())}
PRESENT = [page for page in generate.hand_written() if page.name not in ("easse.md", "CHANGELOG.md")]


def unknown_options(text: str) -> set[str]:
    """Options that no command has; and in a call, those that its own command does not have."""
    known = {option for parser in PARSERS.values() for option in parser._option_string_actions}
    unknown = set(OPTION.findall(text)) - known - set(OF_OTHERS)
    for call in CALL.finditer(text.replace("\\\n", " ")):
        name = "plainly"
        for word in call[1].split():
            if f"{name} {word}" not in PARSERS:
                break
            name = f"{name} {word}"
        if name != "plainly":
            own = PARSERS[name]._option_string_actions
            unknown |= {f"{name} {option}" for option in OPTION.findall(call[0]) if option not in own}
    return unknown


@each("page", PRESENT)
def test_pages_name_options_that_there_are(page: Path) -> None:
    assert unknown_options(page.read_text("utf-8")) == set()


def test_an_option_that_is_not_there_is_seen() -> None:
    text = "`--sources` and `--sorces`: `plainly compare --sources x \\\n  --fail-under sari=1 | grep --color`"
    assert unknown_options(text) == {"--sorces", "--color", "plainly compare --fail-under"}


def test_the_readme_names_every_command() -> None:
    status = (ROOT / "README.md").read_text("utf-8").partition("The commands are")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"`(?:plainly )?([a-z-]+)`", status)) == sorted(COMMANDS)


def test_every_field_of_a_signature_is_explained() -> None:
    page = (DOCS / "output.md").read_text("utf-8")
    metrics = [
        metric_class(name)(**({"variant": variant} if variant else {}))
        for name in BUILT_IN
        for variant in metric_class(name).variants or [None]
    ]
    signatures = [metric.signature("1-2", long=long) for metric in metrics for long in (False, True)]
    fields = {part.partition(":")[0] for signature in signatures for part in signature.split("|")[1:]}
    assert {field for field in fields if f"`{field}`" not in page} == set()


def test_every_public_name_is_described() -> None:
    assert api.undocumented() == []


def test_every_face_is_on_the_page_of_the_interface() -> None:
    """A room that names what is public is a face; what serves the command line and the studio is none."""
    home = ROOT / "src" / "plainly"
    rooms = {
        f"plainly.{path.parent.name}" for path in home.glob("*/__init__.py") if "__all__" in path.read_text("utf-8")
    }
    assert sorted(rooms - set(api.FACES)) == ["plainly._kernels"]


def test_examples_import_from_faces_alone() -> None:
    imported = [
        (page.name, module, name.strip())
        for page in generate.hand_written()
        for block in examples.blocks(page.read_text("utf-8"))
        for module, names in re.findall(r"^(?:>>> )?from (plainly[\w.]*) import ([^#\n]+)", block.code, re.MULTILINE)
        for name in names.split(",")
        if not module.startswith("plainly.compat")  # it has the names of another tool
    ]
    deep = [one for one in imported if one[1:] not in api.public() and f"{one[1]}.{one[2]}" not in api.FACES]
    assert imported
    assert deep == []


def test_architecture_names_every_folder_and_no_other() -> None:
    home = ROOT / "src" / "plainly"
    folders = {
        f"{path.relative_to(home).as_posix()}/"
        for path in [*home.glob("*/"), *home.glob("*/*/")]
        if path.is_dir() and path.name != "__pycache__"
    }
    named = re.findall(r"^\| `([\w/]+/)` \|", (DOCS / "architecture.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(folders)


def test_metric_of_the_python_page_registers_through_an_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plainly.metrics import registry

    page = (DOCS / "python.md").read_text("utf-8")
    code = next(block.code for block in examples.blocks(page) if "class LongWords" in block.code)
    entry = next(block.code for block in examples.blocks(page) if block.language == "toml")
    package = tmp_path / "my_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "metrics.py").write_text(code, "utf-8")
    info = tmp_path / "my_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n", "utf-8")
    points = entry.replace('[project.entry-points."plainly.metrics"]', "[plainly.metrics]").replace('"', "")
    (info / "entry_points.txt").write_text(points, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    try:
        assert "long-words" in plainly.metrics.names()
        scores = plainly.evaluate(None, ["A long explanation."], metrics=["long-words"], longest=4)
        assert scores["output"]["long-words"].score == pytest.approx(1 / 3)
        assert len([line for line in code.splitlines() if line.strip()]) <= 32
    finally:
        registry.metric_class.cache_clear()


# What data.md says is refused: the files to write, the options, and the beginning of the message there.
REFUSED = {
    "no such file": ({}, "--system x.txt", "x.txt: no such file"),
    "empty file": ({"x.txt": b""}, "--system x.txt", "x.txt is empty"),
    "uneven": (
        {"x.txt": b"a\nb\n", "y.txt": b"a\nb\nc\n"},
        "--sources y.txt --system x.txt",
        "x.txt: line 3 is missing: it has 2 lines, but y.txt has 3",
    ),
    "transposed": (
        {"s.txt": b"a\nb\n", "x.txt": b"a\nb\nc\n", "y.txt": b"a\nb\nc\n"},
        "--sources s.txt --references x.txt --references y.txt --system s.txt",
        "the references look transposed",
    ),
    "empty source": ({"x.txt": b"a\nb\n\n"}, "--sources x.txt --system x.txt", "x.txt:3: empty source"),
    "empty reference": (
        {"s.txt": b"a\nb\nc\n", "x.txt": b"a\nb\n\n"},
        "--sources s.txt --references x.txt --system s.txt",
        "x.txt:3: empty reference; say --empty-reference missing",
    ),
    "Latin-1": ({"x.txt": b"caf\xe9\n"}, "--system x.txt", "x.txt:1: not UTF-8: byte 0xe9 at offset 3;"),
    "NUL": ({"x.txt": b"abcd\0e\n"}, "--system x.txt", "x.txt:1: a NUL byte at offset 4; is it a text file?"),
    "long line": (
        {"x.txt": b"a" * 1_000_001},
        "--system x.txt",
        "x.txt:1: longer than 1,000,000 characters;",
    ),
    "broken gzip": ({"x.gz": b"\x1f\x8b\x08xxxxxxxxxx"}, "--system x.gz", "x.gz: broken gzip file:"),
    "standard input twice": (
        {},
        "--sources - --system mine=-",
        "standard input (-) can be read only once,",
    ),
    "system twice": (
        {"x.txt": b"a\n"},
        "--system mine=x.txt --system mine=x.txt",
        "x.txt is given twice for 'mine'",
    ),
    "bad JSON": (
        {"x.jsonl": b'{"output": "a"}\n{"a" "b"}\n'},
        "--data x.jsonl",
        "x.jsonl:2: bad JSON at column ",
    ),
    "wrong type": (
        {"x.jsonl": b'{"output": "a"}\n{"source": 1, "output": "a"}\n'},
        "--data x.jsonl",
        "x.jsonl:2: source must be text, not a number",
    ),
    "misspelt name": (
        {"x.jsonl": b'{"Sources": "a", "output": "a"}\n'},
        "--data x.jsonl",
        "x.jsonl:1: unknown name 'Sources'; did you mean 'source'?",
    ),
    "ids in part": (
        {"x.jsonl": b'{"id": 1, "output": "a"}\n{"output": "a"}\n'},
        "--data x.jsonl",
        "x.jsonl:2: no id, but the records before it have one",
    ),
    "late system": (
        {"x.jsonl": b'{"outputs": {"a": "a"}}\n' * 2048 + b'{"outputs": {"late": "a"}}\n'},
        "--data x.jsonl",
        "system 'late' is new here;",
    ),
    "language": (
        {"x.jsonl": b'{"lang": "de", "output": "a"}\n'},
        "--data x.jsonl",
        "x.jsonl:1: lang is 'de', but the run is in 'en'; say --lang de",
    ),
    "cells": (
        {"x.csv": b"source,output,id\na,b,c\na,b\n"},
        "--data x.csv",
        "x.csv:3: 2 cells, but the header has 3",
    ),
    "quote": ({"x.csv": b'source,output\na,b\na,"b\n'}, "--data x.csv", "x.csv:3: a quote is left open"),
    "half a character": (
        {"x.jsonl": b'{"source": "\\ud83d", "output": "a"}\n'},
        "--data x.jsonl",
        "x.jsonl:1: source has half a character, \\ud83d;",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_the_data_page_says_is_refused(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files, options, message = REFUSED[case]
    assert message in (DOCS / "data.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        Path(name).write_bytes(content)
    status = examples.main(["score", "--metrics", "sentence-length", *options.split()])
    printed = capsys.readouterr()
    assert (status, printed.out) == (2, "")
    assert message in printed.err
    assert printed.err.count("\n") == 1


@each_page
def test_pages_are_in_plain_language(page: Path) -> None:
    paragraphs = prose(page.read_text("utf-8"))
    scores = plainly.evaluate(None, {page.name: paragraphs}, metrics=["sentence-length"])
    assert scores[page.name]["sentence-length"].score <= 20


def test_the_interface_is_in_plain_language() -> None:
    cells = re.findall(r"^\| .* \| (.*) \|$", GENERATED["docs/cli.md"], re.MULTILINE)
    facts = [metric_class(name).facts for name in BUILT_IN]
    texts = [*cells, *(fact.about for fact in facts), *(fact.caution for fact in facts)]
    scores = plainly.evaluate(None, {"interface": texts}, metrics=["sentence-length"])
    assert scores["interface"]["sentence-length"].score <= 20


def test_changelog_says_which_numbers_changed() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"## [{plainly.__version__}]" in text
    assert "### Numbers changed" in text


@pytest.mark.slow
def test_site_builds_and_needs_no_network(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    html = "\n".join(page.read_text("utf-8") for page in tmp_path.rglob("*.html"))
    assert re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"?(?:https?:)?//[^\">\s]*", html) == []


def without_code(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def prose(text: str) -> list[str]:
    """The paragraphs and list items of a page, without code, tables, headings and the targets of links."""
    text = re.sub(r"^(?:\|.*|#.*)$", "", without_code(text), flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    paragraphs = re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text)
    cleaned = (re.sub(r"^(?:[-*]|\d+\.) |[*_`\[\]]", "", part.strip()) for part in paragraphs)
    return [" ".join(part.split()) for part in cleaned if part]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as Markdown renderers make them."""
    headings = re.findall(r"^#+ (.*)$", without_code(page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}
