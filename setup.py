"""Builds the compiled kernels; everything else stands in pyproject.toml.

The extensions are optional: where no C compiler is found the package still installs and runs on the
plain-Python twins in `plainly/_kernels/plain` (slower; a warning says so).
"""

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KERNELS = Path("src/plainly/_kernels/compiled")

extensions = [
    Extension(
        f"plainly._kernels.compiled.{source.stem}",
        [str(source)],
        extra_compile_args=["-O3"],
    )
    for source in sorted(KERNELS.glob("*.pyx"))
]

modules = cythonize(extensions, language_level=3)
for module in modules:
    module.optional = True  # set here: cythonize makes new objects that do not keep it
setup(ext_modules=modules)
