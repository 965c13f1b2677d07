"""Python pickles as plain data, without running anything that they say.

A pickle is a program. Here its opcodes are walked one by one, and build lists, dicts, texts, numbers and None. Arrays
of numpy and tables of pandas become plain lists and columns: for each of their classes a function of ours stands in.
Any other name is refused before it is looked up, and Python's unpickler is never called.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, prod
from pathlib import Path
from typing import Any

import numpy as np

from plainly.base.errors import Place, PlainlyError
from plainly.base.records import Record
from plainly.corpus.readers.files import shown

MOST_BYTES = 500_000_000
MOST_CELLS = 20_000_000
"""Of a table: a small pickle can name the same long row many times, and of all copies that it makes of lists."""
MOST_BITS = 1024
"""Of a whole number, about those of the largest float."""
KEY, VALUE = "key", "value"
"""Columns of what has no names of its own: the keys of a dict, and single values."""


class Refused(Exception):
    """What a pickle says is no plain data; the message says what."""


def pickled_table(path: str | Path) -> list[Record]:
    """The rows of a table in a pickle: a list of rows, a dict of rows by key, a dict of columns, or a data frame."""
    place = Place(str(path))
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise PlainlyError(f"is longer than {MOST_BYTES // 10**6} MB", place=place)
        data = Path(path).read_bytes()
    except OSError as error:
        raise PlainlyError(f"cannot read {path}: {error.strerror}") from error
    try:
        return _rows(plain(data))
    except Refused as fault:
        raise PlainlyError(str(fault), place=place) from None


def plain(data: bytes) -> Any:
    """The plain data that a pickle holds."""
    machine = _Machine()
    try:
        for opcode, argument, _ in pickletools.genops(data):
            machine.step(opcode.name, argument)
        return machine.stack[-1]
    except Refused:
        raise
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, MemoryError) as error:
        raise Refused("is no pickle of plain data, or is cut off") from error


@dataclass
class _Array:
    """Stands in for an array of numpy; its cells are in `values` once its state is known."""

    values: list[Any] = field(default_factory=list)

    def build(self, state: Any) -> None:
        _, shape, kind, by_columns, cells = state
        by_columns = by_columns and not isinstance(cells, list)  # lists of objects are always by rows
        self.values = _shaped(_decoded(cells, kind, prod(shape)), shape, by_columns)


@dataclass
class _Kind:
    """Stands in for a type of numpy, such as f8."""

    code: str
    order: str = "="

    def build(self, state: Any) -> None:
        if any(part is not None for part in state[2:5]):
            raise Refused("holds an array of several columns, which is not read")
        self.order = {"|": "=", "=": "="}.get(state[1], state[1])


@dataclass
class _Block:
    values: Any
    places: Any


@dataclass
class _Frame:
    """Stands in for a data frame: its columns by their names, and its index where that is more than row numbers."""

    columns: dict[Any, list[Any]] = field(default_factory=dict)

    def build(self, state: Any) -> None:
        blocks, axes = state["_mgr"]
        names, index = map(_cells, axes)
        there: dict[Any, list[Any]] = {}
        for block in blocks:
            places = block.places.values if isinstance(block.places, _Array) else range(*block.places)
            cells = _cells(block.values)
            if len(places) != len(cells):
                raise Refused("holds a data frame with more or fewer columns than it says")
            there |= dict(zip(places, cells, strict=True))
        numbered = index == [*range(len(index))]
        columns = [*([] if numbered else [(KEY, index)]), *((name, there[i]) for i, name in enumerate(names))]
        self.columns = {str(_key(name)): _cells(column) for name, column in columns}
        if len(self.columns) < len(columns) or any(len(column) != len(index) for _, column in columns):
            raise Refused("holds a data frame whose columns have the same name, or are not as long as its index")


def _kind(code: Any, *_: Any) -> _Kind:
    if not isinstance(code, str):
        raise Refused("holds an array of a type that has no name")
    return _Kind(code)


def _scalar(kind: _Kind, cell: Any) -> Any:
    return cell if kind.code.startswith("O") else _decoded(cell, kind, 1)[0]


def _from_buffer(cells: Any, kind: _Kind, shape: Any, order: str) -> _Array:
    return _Array(_shaped(_decoded(cells, kind, prod(shape)), shape, order == "F"))


def _index(_: Any, state: Mapping[str, Any]) -> list[Any]:
    if "start" in state:
        long = range(state["start"], state["stop"], state["step"])
        return [*long] if len(long) <= MOST_CELLS else []
    return _cells(state["data"])


def _of(iterable: Any = ()) -> list[Any]:
    return list(_cells(iterable))


def _dict(*given: Any) -> dict[Any, Any]:
    """Of a dict with a default, the default is left out; items follow by opcodes of their own, or as pairs."""
    found: dict[Any, Any] = {}
    for pairs in given:
        if isinstance(pairs, list):
            for key, value in pairs:
                found[_key(key)] = value
    return found


NUMPY = ("numpy.core.multiarray", "numpy._core.multiarray")
STAND_INS: Mapping[str, Callable[..., Any]] = {
    **dict.fromkeys((f"{module}._reconstruct" for module in NUMPY), lambda *_: _Array()),
    **dict.fromkeys((f"{module}.scalar" for module in NUMPY), _scalar),
    **dict.fromkeys(("numpy.core.numeric._frombuffer", "numpy._core.numeric._frombuffer"), _from_buffer),
    "numpy.dtype": _kind,
    "numpy.ndarray": _Array,
    **dict.fromkeys(("pandas.core.frame.DataFrame", "pandas.DataFrame"), lambda *_: _Frame()),
    "pandas.core.internals.managers.BlockManager": lambda blocks, axes: (blocks, axes),
    "pandas._libs.internals._unpickle_block": lambda values, places, *_: _Block(values, places),
    "pandas.core.indexes.base._new_Index": _index,
    **dict.fromkeys(
        (
            *("pandas.core.indexes.base.Index", "pandas.core.indexes.range.RangeIndex"),
            *("pandas.core.indexes.numeric.Int64Index", "pandas.core.indexes.numeric.Float64Index"),
            *("pandas.Index", "pandas.RangeIndex"),
        ),
        lambda *_: [],
    ),
    "builtins.slice": lambda *bounds: bounds,
    **dict.fromkeys(("builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset"), _of),
    **dict.fromkeys(("builtins.dict", "collections.OrderedDict", "collections.defaultdict"), _dict),
    "_codecs.encode": lambda text, *_: text.encode("latin-1"),
}
"""What stands in for each name that a pickle may say; nothing else may be said."""

VALUES = {
    *("INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT", "STRING", "BINSTRING"),
    *("SHORT_BINSTRING", "UNICODE", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "SHORT_BINBYTES", "BINBYTES"),
    *("BINBYTES8", "BYTEARRAY8"),
}
CONSTANTS: Mapping[str, Callable[[], Any]] = {
    "NONE": lambda: None,
    "NEWTRUE": lambda: True,
    "NEWFALSE": lambda: False,
    **dict.fromkeys(("EMPTY_LIST", "EMPTY_TUPLE", "EMPTY_SET"), list),
    "EMPTY_DICT": dict,
}
SIZES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
NOTHING = {"PROTO", "FRAME", "STOP"}


@dataclass(repr=False)
class _Machine:
    """The stack of a pickle. Tuples and sets are lists here, so keys are single values and nothing is ever deep."""

    stack: list[Any] = field(default_factory=list)
    marks: list[list[Any]] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)
    cells: int = 0
    """Of all that stand-ins have made."""

    def step(self, name: str, argument: Any) -> None:
        if name in VALUES:
            if isinstance(argument, int) and argument.bit_length() > MOST_BITS:
                raise Refused("holds a number with more digits than anybody can read")
            self.stack.append(argument)
        elif name in CONSTANTS:
            self.stack.append(CONSTANTS[name]())
        elif name in SIZES:
            size = SIZES[name]
            items = self.stack[-size:]
            del self.stack[-size:]
            self.stack.append(items)
        elif name not in NOTHING:
            if not (do := getattr(self, f"_{name.lower()}", None)):
                raise Refused(f"has the opcode {name}, which plain data do not need")
            do(argument)

    def _mark(self, _: Any) -> None:
        self.marks.append(self.stack)
        self.stack = []

    def _marked(self) -> list[Any]:
        items, self.stack = self.stack, self.marks.pop()
        return items

    def _pop(self, _: Any) -> None:
        self.stack.pop()

    def _pop_mark(self, _: Any) -> None:
        self._marked()

    def _dup(self, _: Any) -> None:
        self.stack.append(self.stack[-1])

    def _memoize(self, _: Any) -> None:
        self.memo[len(self.memo)] = self.stack[-1]

    def _put(self, place: int) -> None:
        self.memo[place] = self.stack[-1]

    def _get(self, place: int) -> None:
        self.stack.append(self.memo[place])

    _binput = _long_binput = _put
    _binget = _long_binget = _get

    def _list(self, _: Any) -> None:
        items = self._marked()
        self.stack.append(items)

    _tuple = _frozenset = _list

    def _dict(self, _: Any) -> None:
        items = self._marked()
        self.stack.append({})
        self._set(items)

    def _append(self, _: Any) -> None:
        item = self.stack.pop()
        self._extend([item])

    def _appends(self, _: Any) -> None:
        self._extend(self._marked())

    _additems = _appends

    def _extend(self, items: list[Any]) -> None:
        if not isinstance(self.stack[-1], list):
            raise Refused("adds to something that is no list")
        self.stack[-1].extend(items)

    def _setitem(self, _: Any) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self._set([key, value])

    def _setitems(self, _: Any) -> None:
        self._set(self._marked())

    def _set(self, items: list[Any]) -> None:
        if not isinstance(self.stack[-1], dict):
            raise Refused("sets an item of something that is no dict")
        for key, value in zip(items[::2], items[1::2], strict=True):
            self.stack[-1][_key(key)] = value

    def _global(self, argument: str) -> None:
        self.stack.append(_named(*argument.split(" ", 1)))

    def _stack_global(self, _: Any) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        self.stack.append(_named(module, name))

    def _reduce(self, _: Any) -> None:
        given, stand_in = self.stack.pop(), self.stack.pop()
        self._made(_called(stand_in, given))

    _newobj = _reduce

    def _newobj_ex(self, _: Any) -> None:
        named, given, stand_in = self.stack.pop(), self.stack.pop(), self.stack.pop()
        if named:
            raise Refused("makes an object with named arguments")
        self._made(_called(stand_in, given))

    def _made(self, made: Any) -> None:
        self._count(made)
        self.stack.append(made)

    def _count(self, made: Any) -> None:
        held = made.values if isinstance(made, _Array) else made
        self.cells += len(held) if isinstance(held, (list, dict)) else 0
        if self.cells > MOST_CELLS:
            raise Refused(f"makes lists of more than {MOST_CELLS:,} cells")

    def _build(self, _: Any) -> None:
        state, made = self.stack.pop(), self.stack[-1]
        if not isinstance(made, (_Array, _Kind, _Frame)):
            raise Refused("sets the state of something that has none")
        made.build(state)
        self._count(made)


@dataclass(frozen=True)
class _Name:
    """A name that a pickle may say."""

    name: str


def _named(module: Any, name: Any) -> _Name:
    if not isinstance(module, str) or not isinstance(name, str):
        raise Refused("asks for a name that is no text")
    whole = f"{module}.{name}".replace("__builtin__.", "builtins.", 1)
    if whole not in STAND_INS:
        raise Refused(f"asks for {shown(whole)}; only built-in containers and arrays of numpy and pandas are read")
    return _Name(whole)


def _called(stand_in: Any, given: Any) -> Any:
    if not isinstance(stand_in, _Name) or not isinstance(given, list):
        raise Refused("calls something that has no name")
    return STAND_INS[stand_in.name](*given)


def _key(key: Any) -> Any:
    if not isinstance(key, (str, int, float, type(None))):
        raise Refused("has a key of a dict that is no text and no number")
    return key


def _decoded(cells: Any, kind: Any, count: int) -> list[Any]:
    """The cells of an array, which are a list or bytes; as many as its shape says."""
    if not isinstance(kind, _Kind) or count > MOST_CELLS:
        raise Refused("holds an array that is too long, or has no type")
    if isinstance(cells, (bytes, bytearray, str)):
        if kind.code[:1] not in "biufUS":
            raise Refused(f"holds an array of the type {shown(kind.code)}, which is not read")
        raw = cells.encode("latin-1") if isinstance(cells, str) else cells
        found: list[Any] = np.frombuffer(raw, np.dtype(kind.code).newbyteorder(kind.order)).tolist()  # type: ignore[arg-type]
    else:
        found = _cells(cells)
    if len(found) != count:
        raise Refused("holds an array with more or fewer cells than its shape says")
    return found


def _shaped(cells: list[Any], shape: Sequence[int], by_columns: Any) -> list[Any]:
    if len(shape) == 1:
        return cells
    rows, columns = shape
    if rows > MOST_CELLS:
        raise Refused("holds an array that is too long")
    if by_columns:
        return [cells[row::rows] for row in range(rows)]
    return [cells[row * columns : (row + 1) * columns] for row in range(rows)]


def _cells(values: Any) -> list[Any]:
    found = values.values if isinstance(values, _Array) else values
    if not isinstance(found, list):
        raise Refused("has something in the place of a list")
    return found


def _rows(content: Any) -> list[Record]:
    rows = list(_named_rows(content))
    if not rows:
        raise Refused("holds no rows")
    if sum(map(len, rows)) > MOST_CELLS:
        raise Refused(f"holds more than {MOST_CELLS:,} cells")
    return [{str(name): _cell(value) for name, value in row.items()} for row in rows]


def _named_rows(content: Any) -> Iterator[Mapping[Any, Any]]:
    """Lists whose keys are all texts are columns; whatever else a dict holds are rows."""
    columns = content.columns if isinstance(content, _Frame) else content
    if not isinstance(columns, dict):
        yield from map(_row, _cells(columns))
    elif columns and all(isinstance(key, str) and _is_cells(value) for key, value in columns.items()):
        cells = [_cells(values) for values in columns.values()]
        if len({len(column) for column in cells}) > 1:
            raise Refused("holds columns that are not equally long")
        yield from (dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True))
    else:
        yield from ({KEY: key, **_row(value)} for key, value in columns.items())


def _is_cells(value: Any) -> bool:
    return isinstance(value, (list, _Array))


def _row(value: Any) -> Mapping[Any, Any]:
    """Names of columns: those of a dict, the places in a list, or one alone."""
    if isinstance(value, dict):
        return value
    if _is_cells(value):
        return dict(enumerate(_cells(value), 1))
    return {VALUE: value}


def _cell(value: Any) -> Any:
    if isinstance(value, float) and not isfinite(value):
        return None
    if not isinstance(value, (str, int, float, type(None))):
        raise Refused("holds cells that are no texts and no numbers")
    return value
