"""What several tests need, and the tiers that they come in. Nothing reaches the network, and no test asserts a time.

A test that asks for the browser is `browser`; one that asks for a server in another process is `service`; one that is
both is `slow`, too. Modules say it themselves where no fixture does.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

from .real import FETCHED, NOT_HERE, SHARED

# There are as many workers as cores; each has one thread. Libraries read this when they are imported.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

# A shell ignores Ctrl-C in what it starts in the background, and children would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long a case takes is no fault of the code. `--hypothesis-profile full` is for `make test-slow`.
settings.register_profile("quick", deadline=None, max_examples=20)
settings.register_profile("full", deadline=None, max_examples=100)
settings.load_profile("quick")

CHROMIUM = shutil.which("chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE = 120_000
"""Milliseconds that a page of a busy machine may take."""
STILL = """async () => {
    const frame = () => new Promise(done => requestAnimationFrame(done));
    do {
        await frame();
        await frame();
        await Promise.allSettled(document.getAnimations().map(one => one.finished));
    } while (document.getAnimations().some(one => one.playState === 'running'));
}"""
SERVICES = frozenset({"postgresql", "new_postgresql", "cluster", "make_cluster", "slurm", "bucket", "scene"})
"""Fixtures that start servers in other processes."""
ROOM = 750 * 2**20
"""Bytes that a worker may hold before it lets models go."""
MODELS = ("plainly.models", "plainly.text", "plainly.metrics", "plainly.operations.tagger", "wordfreq")
"""Packages that keep what they load: pipelines, weights, lists of words."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests by what they use, and puts those with a browser last: see `browser`."""
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        if "browser" in names:
            item.add_marker("browser")
        elif "server" in names:  # the studio, over HTTP
            item.add_marker("service")
        if names & SERVICES or parameters.get("database_url") == "postgresql":
            item.add_marker("service")
        if item.get_closest_marker("browser") and item.get_closest_marker("service"):
            item.add_marker("slow")
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


def pytest_collection() -> None:
    """Tests and the modules that they import stay until the end: nobody needs to look for waste there."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with _skipped_without_data():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _skipped_without_data():
        yield


@contextmanager
def _skipped_without_data() -> Iterator[None]:
    """`make data` fetches some of what ../shared has."""
    try:
        yield
    except FileNotFoundError as error:
        if FETCHED not in Path(str(error.filename)).parents:
            raise
        pytest.skip(f"{error.filename}: {NOT_HERE}")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real test sets and peers' numbers."""
    if not SHARED.is_dir():
        pytest.skip(NOT_HERE)
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def _one_parser() -> Iterator[None]:
    """A process runs the command once; tests run it hundreds of times, and build its parser once."""
    from plainly.cli import parser

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parser, "build_parser", functools.cache(parser.build_parser))
        yield


@pytest.fixture(scope="session", autouse=True)
def _tags_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What tests tag is not kept in the cache folder of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAINLY_TAGS", str(tmp_path_factory.mktemp("tags")))
        yield


@pytest.fixture(scope="module", autouse=True)
def _forgotten(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a module keeps for its own tests goes with it: workers stay small."""
    yield
    _forget(request.module)


class _Room:
    """Lets models go after a test that left too many of them: workers stay small."""

    def __init__(self) -> None:
        self._most = ROOM

    def pytest_runtest_logfinish(self) -> None:
        if _held() > self._most:
            for name, module in list(sys.modules.items()):
                if name.startswith(MODELS):
                    _forget(module)
            gc.collect()
            gc.freeze()  # whatever is left stays
            if sys.platform == "linux":
                ctypes.CDLL(None).malloc_trim(0)
            self._most = max(ROOM, _held() + ROOM // 5)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Room())


def _forget(module: ModuleType) -> None:
    for value in list(vars(module).values()):
        if getattr(value, "__module__", None) == module.__name__ and hasattr(value, "cache_clear"):
            value.cache_clear()


def _held() -> int:
    """Bytes of memory that this process holds; 0 where nobody says."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


@pytest.fixture(scope="session")
def punkt(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """NLTK's English sentence model, in a folder that only we can write to (NLTK insists on that)."""
    import nltk

    folder = tmp_path_factory.mktemp("nltk_data")
    shutil.copytree(shared / "data" / "nltk_punkt" / "tokenizers", folder / "tokenizers")
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    nltk.data.path.insert(0, str(folder))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's chromium, one for the run.

    While Playwright drives it, nothing else in the main thread may start an event loop. So all tests that use it come
    last, and do no such thing themselves.
    """
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("chromium is not installed (apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        new_context = opened.new_context

        def patient_context(**settings: Any) -> Any:
            context = new_context(**settings)
            context.set_default_timeout(PATIENCE)
            return context

        opened.new_context = patient_context
        playwright.expect.set_options(timeout=PATIENCE)
        yield opened
        opened.close()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Writes a package outside the tree with entry points of a group, and puts its folder on the path."""

    def write(group: str, points: dict[str, str], **modules: str) -> Path:
        folder = tmp_path / "elsewhere"
        info = folder / "stranger-1.0.dist-info"
        info.mkdir(parents=True, exist_ok=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n", "utf-8")
        lines = [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
        with (info / "entry_points.txt").open("a", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")
        for name, code in modules.items():
            (folder / f"{name}.py").write_text(code, "utf-8")
        monkeypatch.syspath_prepend(folder)
        return folder

    return write


@pytest.fixture
def faults_of() -> Callable[..., list[str]]:
    """faults_of(page, serious): what axe-core finds wrong with a page at rest, all of it or what is serious."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

    def found(page: Any, serious: bool = False) -> list[str]:
        page.wait_for_load_state("networkidle")
        page.evaluate(STILL)  # a colour that fades into another one has the contrast of neither
        return [
            f"{fault['id']}: {fault['help']} ({fault['nodes'][0]['html'][:200]})"
            for fault in axe.Axe().run(page).response["violations"]
            if not serious or fault["impact"] in ("serious", "critical")
        ]

    return found
