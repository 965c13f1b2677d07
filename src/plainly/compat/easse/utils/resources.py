"""EASSE's test sets by name: the names are known, the texts are not there yet."""

from __future__ import annotations

import warnings
from typing import NoReturn

from plainly.compat.easse.unavailable import stand_ins
from plainly.compat.easse.utils.constants import NO_TEST_SETS, VALID_TEST_SETS
from plainly.errors import MissingResource, UnknownName

_DEPRECATED = {"turk": "turkcorpus_test", "turk_valid": "turkcorpus_valid"}

__getattr__ = stand_ins(
    [
        "download",
        "download_stanford_corenlp",
        "download_ucca_model",
        "get_system_outputs_dir",
        "reporthook",
        "untar",
        "unzip",
        "update_ucca_path",
    ],
    "plainly neither ships nor downloads EASSE's resources",
)


def get_orig_sents(test_set: str) -> NoReturn:
    """EASSE: the sources of a test set. Here: an error that says what to do."""
    _refuse(test_set)


def get_refs_sents(test_set: str) -> NoReturn:
    """EASSE: the references of a test set. Here: an error that says what to do."""
    _refuse(test_set)


def maybe_map_deprecated_test_set_to_new_test_set(test_set: str) -> str:
    """The present name of a test set; an old name is answered with a warning."""
    if test_set not in _DEPRECATED:
        return test_set
    new = _DEPRECATED[test_set]
    warnings.warn(f"the test set {test_set!r} is now called {new!r}", stacklevel=3)
    return new


def _refuse(test_set: str) -> NoReturn:
    test_set = maybe_map_deprecated_test_set_to_new_test_set(test_set)
    if test_set not in VALID_TEST_SETS:
        raise UnknownName("test set", test_set, VALID_TEST_SETS)
    raise MissingResource(f"the test set {test_set!r} is not available: {NO_TEST_SETS}")
