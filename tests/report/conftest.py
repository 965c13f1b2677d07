"""Pages to look at, and a real browser to look at them with: Debian's chromium, without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("jinja2", reason="the report needs jinja2")
pytest.importorskip("vl_convert", reason="the report needs vl-convert-python")

import plainly.demo
from plainly.cli import main
from plainly.corpus import Corpus
from plainly.demo import demo_inputs
from plainly.report import BACKGROUND, build
from plainly.scoring import Evaluation, evaluate

WRITTEN = ("careful-writer", "hasty-model")

# Whatever a system may write: markup, quotes, right-to-left text, emoji, control characters, formulas.
HOSTILE = [
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 2</script>",
    "<!-- <script> --> \" ' ` & &lt; &amp;",
    '<img src=x onerror="window.hacked = 3">',
    "مرحبا بالعالم 123 — \u202eabc\u202c",
    "👩‍👩‍👧 naïve 🇩🇪 \u200b\u00ad\u2028 line \x07 bell",
    "{{ 7 * 7 }} ${window.hacked = 4} {% raw %}",
    '=cmd|"/c calc"!A1, "quoted", line',
]


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the demo test set and its two written systems, as the command writes it."""
    path = tmp_path_factory.mktemp("report") / "demo.html"
    files = demo_inputs("en")
    arguments = ["--sources", str(files.sources)]
    for reference in files.references:
        arguments += ["--references", str(reference)]
    for name in WRITTEN:
        arguments += ["--system", f"{name}={files.systems[name]}"]
    assert main(["report", *arguments, "--quiet", "--title", "The demo", "-o", str(path)]) == 0
    return path


@pytest.fixture
def demo_corpus() -> Corpus:
    """The same as a corpus."""
    corpus = plainly.demo.demo_corpus("en")
    return corpus.with_outputs({name: corpus.outputs[name] for name in WRITTEN})


def _evaluated(
    corpus: Corpus, baselines: tuple[str, ...] = (), metrics: tuple[str, ...] = ("sari", "bleu")
) -> Evaluation:
    return evaluate(
        corpus.sources,
        corpus.outputs,
        corpus.references,
        metrics=[*metrics, *BACKGROUND],
        baselines=baselines,
        lang=corpus.lang,
        intervals=None,
    )


def _page_of(corpus: Corpus, baselines: tuple[str, ...] = (), **settings: Any) -> str:
    evaluation = _evaluated(corpus, baselines)
    return build(evaluation, corpus, evaluation.compare(resamples=200), **settings)


@pytest.fixture(scope="session")
def evaluated() -> Callable[..., Evaluation]:
    """Scores a corpus by all that a report needs."""
    return _evaluated


@pytest.fixture(scope="session")
def page_of() -> Callable[..., str]:
    """Makes the report of a corpus."""
    return _page_of


@pytest.fixture(scope="session")
def hostile_texts() -> list[str]:
    return HOSTILE


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report in which every text that users bring tries to break the page."""
    sources = [f"Source {i}: {text}" for i, text in enumerate(HOSTILE)]
    outputs = {
        "</script><b>evil": HOSTILE,
        "nice": [*HOSTILE[1:], ""],
        '=SUM(A1),"x"': [None, *sources[1:]],
    }
    metadata = [{"</title>": value, "domain": 'a"b' if i % 2 else "<i>c</i>"} for i, value in enumerate(HOSTILE)]
    documents = ["<u>one</u>", "two"] * 4
    corpus = Corpus(sources, [[text, "plain words"] for text in HOSTILE], outputs, HOSTILE, documents, metadata)
    path = tmp_path_factory.mktemp("report") / "hostile.html"
    path.write_text(_page_of(corpus, title="</title><script>window.hacked = 5</script>"), "utf-8")
    return path


@pytest.fixture
def look(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a file, waits for the last chart, and fails on any request or message that should not be."""
    with _looking(browser) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def look_once(browser: Any) -> Iterator[Callable[..., Any]]:
    """The same, for pages that the tests of a module share and leave as they are."""
    with _looking(browser) as open_page:
        yield open_page


@contextmanager
def _looking(browser: Any) -> Iterator[Callable[..., Any]]:
    contexts: list[Any] = []
    faults: list[str] = []

    def note_request(request: Any) -> None:
        if not request.url.startswith(("file:", "blob:", "data:")):
            faults.append(f"asked the network for {request.url}")

    def note_message(message: Any) -> None:
        if message.type in ("error", "warning"):
            faults.append(f"console: {message.text}")

    def open_page(path: Path, ready: bool = True, unfold: bool = True, **settings: Any) -> Any:
        context = browser.new_context(offline=True, **{"viewport": {"width": 1200, "height": 800}, **settings})
        contexts.append(context)
        page = context.new_page()
        page.on("request", note_request)
        page.on("console", note_message)
        page.on("pageerror", lambda error: faults.append(f"script: {error}"))
        page.goto(path.as_uri())
        if unfold and settings.get("java_script_enabled", True):
            page.evaluate("document.querySelectorAll('details.section').forEach(part => { part.open = true; })")
        if ready:
            page.wait_for_selector("html[data-ready]", timeout=60_000, state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert faults == []
