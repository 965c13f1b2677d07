"""What users install: the wheel, built as it is published, in an empty environment, through the command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import pytest

import plainly
from plainly.cli import main

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "plainly"
KERNELS = sorted(path.stem for path in (PACKAGE / "_kernels" / "compiled").glob("*.pyx"))
# Nothing from this environment: neither its packages nor its settings.
CLEAN = {
    name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PLAINLY", "VIRTUAL_ENV"))
}


@dataclass(frozen=True)
class Built:
    wheel: Path
    sdist: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A wheel built from a source archive built from a copy of the tree without anything compiled."""
    tree = tmp_path_factory.mktemp("tree")
    junk = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.so", "*.pyd", "*.c")
    shutil.copytree(ROOT / "src", tree / "src", ignore=junk)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "LICENSE.models.md", "MANIFEST.in"):
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, tree)
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", "dist", cwd=tree)
    (wheel,) = (tree / "dist").glob("*.whl")
    (sdist,) = (tree / "dist").glob("*.tar.gz")
    return Built(wheel, sdist)


def run(*command: object, cwd: Path) -> str:
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=CLEAN, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_in_tree() -> set[str]:
    """Modules and data, but nothing that is compiled or to be compiled."""
    return {
        path.relative_to(ROOT / "src").as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in (".pyx", ".c", ".so", ".pyd", ".pyc")
    }


def test_the_wheel_holds_all_that_is_needed(built: Built) -> None:
    names = set(zipfile.ZipFile(built.wheel).namelist())
    assert KERNELS
    for kernel in KERNELS:
        assert any(f"plainly/_kernels/compiled/{kernel}{suffix}" in names for suffix in EXTENSION_SUFFIXES)
    assert files_in_tree() <= names
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    assert "any" not in built.wheel.stem.split("-")[-1]  # a wheel with kernels fits one kind of machine


def test_the_wheel_holds_nothing_else(built: Built) -> None:
    names = zipfile.ZipFile(built.wheel).namelist()
    assert {name.partition("/")[0] for name in names} == {"plainly", f"plainly-{plainly.__version__}.dist-info"}
    assert not [name for name in names if name.endswith((".c", ".o", ".pyc"))]
    assert not [name for name in names if "/tests/" in name or Path(name).name.startswith(("test_", "conftest"))]


def test_the_source_archive_can_be_compiled(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"setup.py", "pyproject.toml", "README.md", "LICENSE"} <= names
    assert {f"src/plainly/_kernels/compiled/{kernel}.pyx" for kernel in KERNELS} <= names
    assert not [name for name in names if name.endswith(".c")]  # made anew by the Cython of the day


def test_the_wheel_works_in_an_empty_environment(
    built: Built, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=folder)
    bin_ = tmp_path / "venv" / "bin"
    run(bin_ / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", built.wheel, cwd=folder)

    home = run(bin_ / "python", "-c", "import plainly; print(plainly.__file__)", cwd=folder).strip()
    assert Path(home).is_relative_to(tmp_path / "venv")
    assert run(bin_ / "plainly", "--version", cwd=folder) == f"plainly {plainly.__version__}\n"

    # "all" also needs what is imported only when used; it comes with the wheel, except for the extras.
    for more in ([], ["--metrics", "all"]):
        arguments = ["score", "--demo", "--format", "json", *more]
        installed = json.loads(run(bin_ / "plainly", *arguments, cwd=folder))
        assert main(arguments) == 0
        here = json.loads(capsys.readouterr().out)
        for system, results in here["systems"].items():  # with the extras, more metrics can run here
            there = installed["systems"][system]
            assert not more or {"sari", "chrf", "ter", "fre", "dale-chall", "off-language"} <= set(there)
            here["systems"][system] = {label: results[label] for label in there}
        same(installed, here)

    doctor = json.loads(run(bin_ / "plainly", "doctor", "--format", "json", cwd=folder))
    states = {row["part"]: row["state"] for row in doctor["parts"]}
    assert states["compiled kernels"] == "ok"
    assert states["pyarrow"] == "missing"
    assert not list(folder.iterdir())


def same(a: Any, b: Any) -> None:
    """Equal but for the last digits, in which two versions of numpy may differ, and the versions of libraries."""
    if isinstance(b, dict):
        assert list(a) == list(b)
        for key in b:
            if key != "long_signature":
                same(a[key], b[key])
    elif isinstance(b, float):
        assert a == pytest.approx(b, rel=1e-12)
    else:
        assert a == b
