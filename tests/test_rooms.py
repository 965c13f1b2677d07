"""The rooms of the house: no module imports one that imports it, not even in a roundabout way."""

from __future__ import annotations

from pathlib import Path

import grimp

from plainly.cli.parser import COMMANDS

ROOT = Path(__file__).parents[1]


def test_no_import_cycles() -> None:
    graph = grimp.build_graph("plainly", exclude_type_checking_imports=True, cache_dir=None)
    left = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    # What imports nothing that is left is in no cycle; take such modules away until there are none.
    while free := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: imported for module, imported in left.items() if module not in free}
    assert sorted(left) == []


def test_no_command_is_left_out_of_the_contract_that_keeps_them_apart() -> None:
    """Modules of `plainly.cli` that hold a command: `run`, or actions below them."""
    rules = (ROOT / "pyproject.toml").read_text("utf-8")
    contract = rules[rules.index("No command imports another") :]
    homes = {path.stem for path in (ROOT / "src/plainly/cli").glob("*.py") if "\ndef run(" in path.read_text("utf-8")}
    homes |= {path.parent.name for path in (ROOT / "src/plainly/cli").glob("*/parser.py")}
    assert len(homes) == len(COMMANDS)
    assert [home for home in sorted(homes) if f'"plainly.cli.{home}",' not in contract] == []
