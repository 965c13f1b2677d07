"""How the house stands: ideas with more than one home, counted in the source: `python -m benchmarks.house`.

    python -m benchmarks.house [--root PATH] [--json FILE] [--places COUNT ...] [--no-walks]

`--root` is another checkout, so that before and after are counted by the same script. Nothing of plainly is imported
here: sources are parsed, and what must run (the walks) runs with the interpreter of that checkout. The counts:

format branches   comparisons of a variable called format or form with a text or a constant, in cli
estimates         dataclasses with numbers `low` and `high` and a number beside them, or called an interval; and those
                  that are called an estimate or a figure. One is right: inference.Estimate
side by side      dataclasses with a field `ci` or `interval` beside a number: not wrong, but printed by hand
assemblers        dicts of dicts built in one expression that calls a maker of results (`result`, `Result`)
option names      texts below the faces (not docstrings) that name an option, as --lang. Arguments of other programs
                  (members of a list, or after the name of the program) and variables of CSS are left out
silent else       `f(x) if name == "text" else g(x)`: two ways of doing something, chosen by a name, where whatever is
                  not the first runs as the second; also if and elif over texts with an else that does not refuse.
                  Not meant: arms that are values, formats (counted above), languages and platforms
import cycles     circles of modules, also by imports inside functions, those for types alone aside: how many, and how
                  many modules take part; and circles of packages, among the parts of every package
private names     names with a leading underscore that one room takes from another
walks             files that run during a score, a report and a judgement: see house_walks.py
lines             of code by room, without blanks, comments and docstrings
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import re
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

FACES = {"cli", "compat", "studio", "report"}
FORMATS = {"format", "form"}
WALKS = ("score", "report", "judgement")
NOT_CHOICES = {"lang", "language", "platform", "dialect", *FORMATS}
PROGRAMS = re.compile(r"\b(pip|dask|squeue|sbatch|python)\b")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
CSS = re.compile(r"var\(--|[{;\n]\s*--[a-z-]+\s*:")
MAKERS = {"result", "Result"}
BLANK_TOKENS = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
GRAPH = """
import json, sys, grimp
graph = grimp.build_graph(sys.argv[1], cache_dir=None, exclude_type_checking_imports=True)
print(json.dumps({name: sorted(graph.find_modules_directly_imported_by(name)) for name in graph.modules}))
"""

Graph = Mapping[str, Iterable[str]]


@dataclass(frozen=True)
class Place:
    """Where something was counted, and what stands there."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Module:
    """A source file; `file` is its path from the package down."""

    file: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def room(self) -> str:
        return self.file.partition("/")[0].removesuffix(".py")

    def place(self, node: ast.AST) -> Place:
        return Place(self.file, getattr(node, "lineno", 0), " ".join(ast.unparse(node).split())[:120])


@dataclass(frozen=True)
class House:
    """All counts of a checkout."""

    places: dict[str, list[Place]]
    cycles: dict[str, list[list[str]]]
    walks: dict[str, list[str]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)

    def rows(self) -> Iterator[tuple[str, int]]:
        for name, places in self.places.items():
            yield name, len(places)
        for name, circles in self.cycles.items():
            yield name, len(circles)
        yield "modules in import cycles", sum(map(len, self.cycles["import cycles of modules"]))
        for name, files in self.walks.items():
            yield f"files of a {name}", len(files)
        for room, lines in sorted(self.lines.items()):
            yield f"lines of {room}", lines
        yield "lines of all", sum(self.lines.values())

    def listed(self) -> Iterator[tuple[str, list[str]]]:
        """What was counted, in lines."""
        for name, places in self.places.items():
            yield name, [str(place) for place in places]
        for name, circles in self.cycles.items():
            yield name, [" ".join(circle) for circle in circles]
        yield from self.walks.items()

    def to_dict(self) -> dict[str, object]:
        return {"counts": dict(self.rows()), "places": dict(self.listed())}


def count(root: Path, package: str = "plainly", walks: Iterable[str] = WALKS) -> House:
    """The counts of a checkout, whose package is below `src`."""
    modules = read(root / "src" / package)
    imports = _imports(root, package)
    return House(
        places={
            "format branches": [place for module in modules for place in format_branches(module)],
            "types of estimates": [place for module in modules for place in estimates(module)],
            "numbers and intervals side by side": [place for module in modules for place in side_by_side(module)],
            "assemblers of results": [place for module in modules for place in assemblers(module)],
            "option names below the faces": [place for module in modules for place in option_names(module)],
            "silent else over names": [place for module in modules for place in silent_elses(module)],
            "private names across rooms": [place for module in modules for place in private_names(module, package)],
        },
        cycles={
            "import cycles of modules": circles(imports),
            "import cycles of packages": [circle for graph in _parts(imports) for circle in circles(graph)],
        },
        walks={name: _walk(root, name) for name in walks},
        lines=dict(sum((Counter({module.room: code_lines(module)}) for module in modules), Counter())),
    )


def read(package: Path) -> list[Module]:
    return [
        Module(path.relative_to(package).as_posix(), path.read_text("utf-8"))
        for path in sorted(package.rglob("*.py"))
    ]


def format_branches(module: Module) -> Iterator[Place]:
    """Comparisons of a format with a text, in the commands."""
    if module.room != "cli":
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Compare) and _last_name(node.left) in FORMATS and any(map(_texts, node.comparators)):
            yield module.place(node)
        elif isinstance(node, ast.Match) and _last_name(node.subject) in FORMATS:
            yield module.place(node.subject)


def estimates(module: Module) -> Iterator[Place]:
    """Types of a number with its interval."""
    for node, fields in _dataclasses(module):
        bounds = all("float" in fields.get(name, "") for name in ("low", "high"))
        others = any("float" in kind for name, kind in fields.items() if name not in ("low", "high"))
        named = re.search(r"Estimate|Figure", node.name) and fields.keys() & {"value", "score"}
        if (bounds and (others or "Interval" in node.name)) or named:
            yield Place(module.file, node.lineno, node.name)


def side_by_side(module: Module) -> Iterator[Place]:
    """Types with an interval in a field of its own."""
    for node, fields in _dataclasses(module):
        kinds = [fields[name] for name in ("ci", "interval") if name in fields]
        if any(re.search(r"\bInterval\b|tuple\[float", kind) for kind in kinds) and "float" in fields.values():
            yield Place(module.file, node.lineno, node.name)


def assemblers(module: Module) -> Iterator[Place]:
    """Dicts of dicts of results, made from totals."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.DictComp) and isinstance(node.value, ast.DictComp):
            calls = [inner for inner in ast.walk(node.value.value) if isinstance(inner, ast.Call)]
            if any(_last_name(call.func) in MAKERS for call in calls):
                yield module.place(node)


def option_names(module: Module) -> Iterator[Place]:
    """Texts below the faces that name options of the command line."""
    if module.room in FACES:
        return
    for line, text in _written(module.tree):
        options = [found[0] for found in OPTION.finditer(text) if not PROGRAMS.search(text[: found.start()])]
        if options and not CSS.search(text):
            yield Place(module.file, line, " ".join(options))


def silent_elses(module: Module) -> Iterator[Place]:
    """Two ways of doing something, chosen by one name: any other name runs as the second."""
    ways = _top_names(module.tree)
    chained = {id(node.orelse[0]) for node in ast.walk(module.tree) if isinstance(node, ast.If) and _is_elif(node)}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.IfExp) and _choice(node.test):
            arms = [_way(arm, ways) for arm in (node.body, node.orelse)]
            if all(arms) and arms[0] != arms[1]:
                yield module.place(node)
        elif isinstance(node, ast.If) and id(node) not in chained and _silent_chain(node):
            yield Place(module.file, node.lineno, f"if {ast.unparse(node.test)}: ... else: ...")


def private_names(module: Module, package: str) -> Iterator[Place]:
    """Names with a leading underscore that are taken from another room."""
    strangers: dict[str, str] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] == package:
            parts = (node.module or "").split(".")[1:]
            for name in node.names:
                room = (parts or [name.name])[0]
                if room != module.room and any(map(_private, [*parts[1:], *([name.name] if parts else [])])):
                    yield module.place(node)
                elif room != module.room:
                    strangers[name.asname or name.name] = room
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and _private(node.attr) and _last_name(node.value) in strangers:
            yield module.place(node)


def code_lines(module: Module) -> int:
    """Lines with code: no blanks, comments or docstrings."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type not in BLANK_TOKENS:
            found.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(module.tree):
        if _is_docstring(node):
            found.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))  # type: ignore[attr-defined]
    return len(found)


def circles(graph: Graph) -> list[list[str]]:
    """The strongly connected parts of a graph that are more than one node (Tarjan 1972, without recursion)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for start in sorted(graph):
        work = [(start, iter(sorted(graph[start])))] if start not in index else []
        while work:
            node, targets = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
            onward = next((target for target in targets if target in graph and target not in index), None)
            if onward is not None:
                work.append((onward, iter(sorted(graph[onward]))))
                continue
            work.pop()
            low[node] = min([low[node], *(low[target] for target in graph[node] if target in stack)])
            if low[node] == index[node]:
                circle = stack[stack.index(node) :]
                del stack[stack.index(node) :]
                if len(circle) > 1:
                    found.append(sorted(circle))
    return found


def _imports(root: Path, package: str) -> dict[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", GRAPH, package],
        env={**os.environ, "PYTHONPATH": str(root.absolute() / "src")},
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def _parts(imports: Graph) -> Iterator[dict[str, set[str]]]:
    """For every package: which of its parts imports which other."""
    packages = {name.rpartition(".")[0] for name in imports} - {""}
    for package in sorted(packages):
        inside = f"{package}."
        graph: dict[str, set[str]] = {}
        for name, targets in imports.items():
            if name.startswith(inside):
                own = _part(name, inside)
                others = {_part(target, inside) for target in targets if target.startswith(inside)}
                graph.setdefault(own, set()).update(others - {own})
        yield graph


def _part(name: str, inside: str) -> str:
    return inside + name.removeprefix(inside).split(".")[0]


def _walk(root: Path, name: str) -> list[str]:
    own = root / ".venv" / "bin" / "python"
    done = subprocess.run(
        [str(own if own.exists() else sys.executable), str(Path(__file__).with_name("house_walks.py")), name],
        env={**os.environ, "PYTHONPATH": str(root.absolute() / "src")},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"the walk of a {name} failed:\n{done.stderr}")
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def _dataclasses(module: Module) -> Iterator[tuple[ast.ClassDef, dict[str, str]]]:
    """Dataclasses and named tuples, with the annotations of their fields."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ClassDef):
            marks = [ast.unparse(mark) for mark in (*node.decorator_list, *node.bases)]
            if any("dataclass" in mark or mark.endswith("NamedTuple") for mark in marks):
                yield (
                    node,
                    {
                        line.target.id: ast.unparse(line.annotation)
                        for line in node.body
                        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
                    },
                )


def _last_name(node: ast.expr) -> str:
    """Of `name`, `a.name` and `a["name"]`; nothing of other expressions."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _texts(node: ast.expr) -> bool:
    """A text, several in brackets, or a constant."""
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(map(_texts, node.elts))
    return _last_name(node).isupper() or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_docstring(node: ast.AST) -> bool:
    """A text that stands alone: of a module, a class, a function or a field."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _written(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Texts with their lines, f-strings as wholes; neither docstrings nor members of lists: arguments of programs."""
    if isinstance(node, ast.List) or _is_docstring(node):
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value
    elif isinstance(node, ast.JoinedStr):
        yield (
            node.lineno,
            "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values),
        )
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from _written(part.value)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _written(child)


def _choice(test: ast.expr) -> bool:
    """`name == "text"`, where the name is neither a format, a language nor a platform."""
    return (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and isinstance(test.ops[0], ast.Eq | ast.NotEq)
        and bool(_last_name(test.left))
        and _last_name(test.left) not in NOT_CHOICES
        and isinstance(test.comparators[0], ast.Constant)
        and isinstance(test.comparators[0].value, str)
        and re.fullmatch(r"[a-z0-9][\w-]+", test.comparators[0].value) is not None
    )


def _top_names(tree: ast.Module) -> set[str]:
    """Functions, classes and imports of a module."""
    found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.update((name.asname or name.name).split(".")[0] for name in node.names)
    return {name for name in found if not name.isupper()}


def _way(node: ast.expr, ways: set[str]) -> str:
    """The function that an arm of a choice names or calls; nothing if it is a value."""
    called = node.func if isinstance(node, ast.Call) else node
    while isinstance(called, ast.Attribute):
        if isinstance(called.value, ast.Name) and called.value.id == "self":
            return called.attr if isinstance(node, ast.Call) else ""
        called = called.value
    if isinstance(called, ast.Name) and called.id in ways:
        return ast.unparse(node.func if isinstance(node, ast.Call) else node)
    return ""


def _is_elif(node: ast.If) -> bool:
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)


def _silent_chain(node: ast.If) -> bool:
    """if, elif, ... over texts of one name, with an else that does something: it does not raise."""
    name = ast.unparse(node.test.left) if isinstance(node.test, ast.Compare) else ""
    last = node
    while True:
        if not _choice(last.test) or ast.unparse(last.test.left) != name:  # type: ignore[attr-defined]
            return False
        if not _is_elif(last):
            break
        last = last.orelse[0]  # type: ignore[assignment]
    return bool(last.orelse) and not isinstance(last.orelse[-1], ast.Raise)


def _private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.house")
    parser.add_argument(
        "--root", type=Path, default=Path(__file__).parent.parent, help="a checkout (default: this one)"
    )
    parser.add_argument("--json", metavar="FILE", help="write counts and places there too")
    parser.add_argument("--places", nargs="*", metavar="COUNT", help="list what was counted (default: everything)")
    parser.add_argument("--no-walks", action="store_true", help="count only what need not run")
    options = parser.parse_args()
    house = count(options.root, walks=() if options.no_walks else WALKS)
    width = max(len(name) for name, _ in house.rows())
    for name, number in house.rows():
        print(f"{name:{width}} {number:7,}")
    for name, found in house.listed() if options.places is not None else ():
        if not options.places or any(wanted in name for wanted in options.places):
            print("\n  ".join(["", name, *found]))
    if options.json:
        Path(options.json).write_text(json.dumps(house.to_dict(), indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
