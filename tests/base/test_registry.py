"""A choice by name: own things, those of other packages, and what is said where there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.registry import Registry

SIZES: Registry[float] = Registry(
    "size",
    {"small": 1.0, "pi": "math:pi", "lazy": "no_such_module:SIZE"},
    "plainly.sizes_of_a_test",
    "a number",
    lambda found: isinstance(found, float),
)


def test_own_things_are_imported_when_they_are_asked_for() -> None:
    assert SIZES.names() == ["small", "pi", "lazy"] == list(SIZES)
    assert SIZES["small"] == 1.0
    assert SIZES["pi"] == pytest.approx(3.14159, abs=1e-5)
    assert "lazy" in SIZES
    with pytest.raises(ModuleNotFoundError):
        SIZES["lazy"]


def test_an_unknown_name_is_an_error_with_the_nearest_one() -> None:
    assert "smal" not in SIZES
    with pytest.raises(UnknownName, match=r"^unknown size 'smal'; did you mean 'small'\?$"):
        SIZES["smal"]


def test_other_packages_bring_more(package: Callable[..., Path]) -> None:
    package(SIZES.group, {"tau": "sizes_elsewhere:TAU", "huge": "sizes_elsewhere:HUGE"}, sizes_elsewhere="TAU = 6.28")
    assert SIZES.names() == ["small", "pi", "lazy", "huge", "tau"]  # huge is listed: nothing was loaded
    assert "sizes_elsewhere" not in sys.modules
    assert SIZES["tau"] == 6.28
    assert SIZES.usable() == ["small", "pi", "lazy", "tau"]
    (fault,) = SIZES.faults()
    assert fault.startswith("size 'huge' (sizes_elsewhere:HUGE) cannot be loaded: AttributeError: ")
    with pytest.raises(PlainlyError, match="size 'huge'"):
        SIZES["huge"]


def test_a_thing_of_another_shape(package: Callable[..., Path]) -> None:
    package(SIZES.group, {"dumps": "json:dumps"})
    with pytest.raises(PlainlyError, match=r"^size 'dumps' \(json:dumps\) is not a number$"):
        SIZES["dumps"]


def test_a_name_that_is_taken(package: Callable[..., Path]) -> None:
    package(SIZES.group, {"pi": "math:e"})
    with pytest.raises(PlainlyError, match=r"^size 'pi' is registered twice; the second is math:e$"):
        SIZES.names()
    assert SIZES.faults() == ["size 'pi' is registered twice; the second is math:e"]
    assert SIZES.usable() == ["small", "pi", "lazy"]
