"""EASSE's test sets by name, from plainly's catalogue of test sets (`plainly data`)."""

from __future__ import annotations

import warnings

from plainly.base.errors import MissingResource, UnknownName
from plainly.compat.easse.unavailable import stand_ins
from plainly.compat.easse.utils.constants import USE_CUSTOM, VALID_TEST_SETS
from plainly.corpus import Corpus, catalogue

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


def get_orig_sents(test_set: str) -> list[str]:
    """The sources of a test set."""
    return [text or "" for text in _load(test_set).sources]


def get_refs_sents(test_set: str) -> list[list[str]]:
    """The references of a test set, one list for each reference."""
    return [list(column) for column in zip(*_load(test_set).references, strict=True)]


def maybe_map_deprecated_test_set_to_new_test_set(test_set: str) -> str:
    """The present name of a test set; an old name is answered with a warning."""
    if test_set not in _DEPRECATED:
        return test_set
    new = _DEPRECATED[test_set]
    warnings.warn(f"the test set {test_set!r} is now called {new!r}", stacklevel=3)
    return new


def _load(test_set: str) -> Corpus:
    test_set = maybe_map_deprecated_test_set_to_new_test_set(test_set)
    if test_set not in VALID_TEST_SETS:
        raise UnknownName("test set", test_set, VALID_TEST_SETS)
    name = test_set.replace("_", "-")
    if name not in catalogue.names():
        raise MissingResource(f"the test set {test_set!r} is not in plainly's catalogue; {USE_CUSTOM}")
    return catalogue.load(name)
