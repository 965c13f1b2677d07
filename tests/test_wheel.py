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


@pytest.fixture(scope="module")
def assetann(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the weights that are not under Apache-2.0 or MIT."""
    tree = tmp_path_factory.mktemp("assetann") / "tree"
    junk = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist")
    shutil.copytree(ROOT / "packages" / "plainly-assetann", tree, ignore=junk)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist", cwd=tree)
    (wheel,) = (tree / "dist").glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def bin_(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment that holds the wheel and what it needs."""
    home = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", home / "venv", cwd=home)
    found = home / "venv" / "bin"
    run(found / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", built.wheel, cwd=home)
    return found


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


def test_the_wheel_holds_apache_and_mit_alone(built: Built, assetann: Path) -> None:
    """Weights in it are those that LICENSE.models.md lists, under MIT; those of ASSETann are a wheel of their own."""
    archive = zipfile.ZipFile(built.wheel)
    (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    assert "License-Expression: Apache-2.0\n" in archive.read(metadata).decode()
    licences = (ROOT / "LICENSE.models.md").read_text("utf-8")
    mit = {line[len("- `src/") : -1] for line in licences.splitlines() if line.startswith("- `src/")}
    weights = (".npz", ".safetensors", ".npy", ".bin", ".pt", ".onnx")
    found = {name for name in archive.namelist() if name.endswith(weights) or "/weights/" in name}
    assert found == mit == {"plainly/simplicity/weights/full.npz", "plainly/simplicity/weights/lite.json"}

    theirs = zipfile.ZipFile(assetann)
    names = {Path(name).name for name in theirs.namelist()}
    assert {"learned.npz", "learned-parsed.npz", "encoder.safetensors", "LICENSE"} <= names
    (metadata,) = (name for name in theirs.namelist() if name.endswith(".dist-info/METADATA"))
    assert "License-Expression: CC-BY-NC-4.0\n" in theirs.read(metadata).decode()
    assert not names & {Path(name).name for name in found}


def test_the_source_archive_can_be_compiled(built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"setup.py", "pyproject.toml", "README.md", "LICENSE"} <= names
    assert {f"src/plainly/_kernels/compiled/{kernel}.pyx" for kernel in KERNELS} <= names
    assert not [name for name in names if name.endswith(".c")]  # made anew by the Cython of the day


def test_the_wheel_works_in_an_empty_environment(
    bin_: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    home = run(bin_ / "python", "-c", "import plainly; print(plainly.__file__)", cwd=folder).strip()
    assert Path(home).is_relative_to(bin_.parent)
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


def test_the_tagger_without_and_with_the_weights_of_assetann(bin_: Path, assetann: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("The feline slept.\n", encoding="utf-8")
    tag = [bin_ / "plainly", "operations", "tag", "--sources", "text.txt", "--system", "mine=text.txt"]
    assert json.loads(run(*tag, cwd=tmp_path))["annotator"] == "rules"
    refused = subprocess.run([*tag, "--tagger", "learned"], cwd=tmp_path, env=CLEAN, capture_output=True, text=True)
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "pip install plainly-assetann" in refused.stderr
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    run(bin_ / "python", *install, assetann, cwd=tmp_path)
    try:
        assert json.loads(run(*tag, cwd=tmp_path))["annotator"] == "learned"
    finally:
        run(bin_ / "python", "-m", "pip", "uninstall", "--quiet", "--yes", "plainly-assetann", cwd=tmp_path)


def same(a: Any, b: Any) -> None:
    """Equal but for the last digits, in which two versions of numpy may differ, and the versions of libraries."""
    if isinstance(b, dict):
        assert list(a) == list(b)
        for key in b:
            if key != "long_signature":
                same(a[key], b[key])
    elif isinstance(b, list):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            same(one, other)
    elif isinstance(b, float):
        assert a == pytest.approx(b, rel=1e-12)
    else:
        assert a == b
