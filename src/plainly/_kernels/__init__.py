"""Compiled loops over tokens, each with a plain-Python twin that is its oracle.

`compiled/` holds the Cython sources and `plain/` the twins, file by file. This page picks one of the two:
the compiled kernels, or the twins where no C compiler was found (with a warning), or the twins because the
environment variable PLAINLY_KERNELS=plain asks for them.
"""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING

__all__ = ["COMPILED", "NgramIndex", "Vocabulary", "distinct", "lcs_lengths", "overlaps"]

COMPILED = os.environ.get("PLAINLY_KERNELS") != "plain"

if COMPILED and not TYPE_CHECKING:
    try:
        from plainly._kernels.compiled.ngrams import NgramIndex, distinct, overlaps
        from plainly._kernels.compiled.sequences import lcs_lengths
        from plainly._kernels.compiled.tokens import Vocabulary
    except ImportError:
        COMPILED = False
        warnings.warn(
            "plainly's compiled kernels are missing: scores stay the same but take many times longer; "
            "install a C compiler and reinstall plainly",
            RuntimeWarning,
            stacklevel=2,
        )

if TYPE_CHECKING or not COMPILED:
    from plainly._kernels.plain.ngrams import NgramIndex, distinct, overlaps
    from plainly._kernels.plain.sequences import lcs_lengths
    from plainly._kernels.plain.tokens import Vocabulary
