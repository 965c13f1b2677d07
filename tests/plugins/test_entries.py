"""Entries of plug-ins: those that plainly brings, and what is refused."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from plugin_helpers import WELL_BEHAVED, Make

from plainly import metrics, plugins
from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.version import __version__
from plainly.plugins import info, read_entry

BUNDLED = ["comet", "comet-kiwi", "lens", "lens-salsa", "meaningbert", "sle", "sle-gain"]


def test_those_that_plainly_brings() -> None:
    assert plugins.names() == BUNDLED
    for name in BUNDLED:
        entry = info(name)
        assert entry.name == name
        assert plugins.state(entry) == "not installed"
        assert all("==" in requirement for requirement in entry.requirements), "pinned"
        assert entry.model
        program = Path(entry.command[1].replace("{folder}", str(entry.file.parent)))
        ast.parse(program.read_text("utf-8"), feature_version=(3, 9))
        metric = metrics.get(name)
        assert metric.signature("1") == (
            f"{name}|lang:en|{'refs:1|' if 'references' in entry.needs else ''}model:{entry.model}|revision:main|"
            f"plugin:not installed|plainly:{__version__}"
        )
        assert metric.facts.range == entry.range
    assert not set(BUNDLED) & set(metrics.names()), "`all` does not start models that load for minutes"


def test_adapters_import_no_foreign_package_before_they_are_asked() -> None:
    """Their imports are in functions, so that an error in them comes after hello, with words on standard error."""
    for path in (info("lens").file.parent.parent / "adapters").glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        modules = {name.name for node in top if isinstance(node, ast.Import) for name in node.names}
        modules |= {str(node.module) for node in top if isinstance(node, ast.ImportFrom)}
        assert {module.partition(".")[0] for module in modules} <= sys.stdlib_module_names | {"serving"}, path.name


def test_a_folder_of_ones_own(make: Make, folder: Path) -> None:
    mine = make()
    (folder / "entries").mkdir(parents=True)
    shutil.copytree(mine.file.parent, folder / "entries", dirs_exist_ok=True)
    assert plugins.names() == [*BUNDLED, "tally"]
    assert info("tally").file == folder / "entries" / "tally.toml"
    (folder / "entries" / "tally.toml").rename(folder / "entries" / "other.toml")
    with pytest.raises(PlainlyError, match=r"other\.toml holds the plug-in 'tally', not 'other'"):
        info("other")


def test_names_that_are_not_known() -> None:
    with pytest.raises(UnknownName, match=r"unknown plug-in 'lense'; did you mean 'lens'\?"):
        info("lense")
    with pytest.raises(UnknownName, match=r"unknown metric 'meaning-bert'; did you mean 'meaningbert'\?"):
        metrics.get("meaning-bert")


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"name": "Words"}, "'Words' is no name for a plug-in"),
        ({"direction": "up"}, "direction must be one of higher, lower, none"),
        ({"needs": ["output"]}, "needs can hold source and references only"),
        ({"range": [1, 0]}, "range must hold the smaller number first"),
        ({"range": [0]}, "range must hold two numbers"),
        ({"range": ["0", "1"]}, "range must hold two numbers"),
        ({"range": 3}, "range must hold two numbers"),
        ({"command": []}, "command is empty"),
        ({"command": "python"}, r"command must be a list of texts"),
        ({"requirements": ["--index-url=http://example.org"]}, "'--index-url=http://example.org' is no requirement"),
        ({"python": ["3.11.2"]}, "'3.11.2' is no version of Python"),
        ({"model": "a|b"}, r"'a\|b' cannot stand in a signature"),
        ({"batch": 0}, "batch must be positive"),
        ({"batch": True}, "batch must be of type int"),
        ({"batch_seconds": 0}, "seconds must be positive"),
        ({"about": ""}, "about is empty"),
        ({"colour": "red"}, "unknown key 'colour'"),
        ({"file": "x"}, "unknown key 'file'"),
        ({"checks": [{"output": "a"}]}, "check 1: at_least is missing"),
        ({"checks": [{"output": "a", "at_least": 2, "at_most": 1, "origin": "x"}]}, "at_least must not be above"),
        ({"checks": 3}, "checks are missing"),
    ],
)
def test_entries_that_are_refused(facts: dict[str, Any], message: str, make: Make, tmp_path: Path) -> None:
    if isinstance(facts.get("checks"), list):  # tables in a list are written in another way than in JSON
        text = make().file.read_text("utf-8")
        checks = "".join(
            f"[[checks]]\n{''.join(f'{k} = {v!r}' + chr(10) for k, v in c.items())}" for c in facts["checks"]
        )
        path = tmp_path / "tally.toml"
        path.write_text(text + checks, "utf-8")
        with pytest.raises(PlainlyError, match=message):
            read_entry(path)
        return
    with pytest.raises(PlainlyError, match=message) as raised:
        make(**facts)
    assert ".toml: " in str(raised.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PlainlyError, match=r"cannot read .*none\.toml: No such file"):
        read_entry(tmp_path / "none.toml")
    path = tmp_path / "bad.toml"
    path.write_bytes(b"name = \xff")
    with pytest.raises(PlainlyError, match=r"cannot read .*bad\.toml"):
        read_entry(path)
    path.write_bytes(b"name = ")
    with pytest.raises(PlainlyError, match=r"bad\.toml: "):
        read_entry(path)


def test_the_side_of_the_plugin_that_adapters_share(make: Make, tmp_path: Path) -> None:
    """`serving` keeps prints away from the answers, and tries records alone where a batch fails."""
    adapters = info("lens").file.parent.parent / "adapters"
    program = f"""
import sys
sys.path.insert(0, {str(adapters)!r})
from serving import fetched, serve

def load(model, revision):
    print("loading", model)
    folder, commit = fetched(model, revision)
    def score(records):
        print("scoring")
        return [1 / len(record["output"]) for record in records]
    return score, {{"version": "3", "revision": commit}}

serve(load)
"""
    entry = make(program, model=str(tmp_path), needs=[])
    identity = plugins.install(entry, quiet=True)
    assert (identity.version, identity.model, identity.revision) == ("3", str(tmp_path), "local")
    session = plugins.Session(entry)
    assert session.score([{"output": "ab"}, {"output": ""}, {"output": "abcd"}]) == [0.5, None, 0.25]
    assert session.errors == ["'ZeroDivisionError: division by zero'"]
    session.close()


def test_no_network_and_none_of_our_packages(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """While scoring, plug-ins are told to stay offline; they never see the packages of plainly's environment."""
    monkeypatch.setenv("PYTHONPATH", "/ours")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    score = 'sum(["PYTHONPATH" in os.environ, 2 * int(os.environ.get("HF_HUB_OFFLINE", 0))])'
    entry = make(
        WELL_BEHAVED.replace("import json", "import os, json").replace('len(record["output"].split()) or None', score)
    )
    plugins.install(entry, quiet=True)
    session = plugins.Session(entry)
    assert session.score([{"output": "a"}]) == [2.0]
    session.close()
    online = plugins.Session(entry, online=True)
    assert online.score([{"output": "a"}]) == [0.0]
    online.close()


def test_listing_needs_nothing_heavy() -> None:
    program = (
        "import sys; from plainly.cli import main; main(['plugins', 'list']); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.count("not installed") == len(BUNDLED)
    assert not {"torch", "transformers", "lens", "comet"} & set(done.stderr.split())
