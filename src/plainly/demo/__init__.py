"""A small test set in English and German, and what six systems made of it: four toys and two written by hand."""

from __future__ import annotations

from pathlib import Path

from plainly.base.errors import UnknownName
from plainly.corpus import Corpus
from plainly.corpus.readers import Inputs, read_corpus

__all__ = ["DEMO_LANGUAGES", "demo_corpus", "demo_inputs", "demo_outputs"]

DEMO_LANGUAGES = ("de", "en")
"""Languages that have a demo set."""
_HERE = Path(__file__).parent


def demo_corpus(lang: str) -> Corpus:
    """The demo set of a language: 60 sources, three references each, and the outputs of all demo systems."""
    return read_corpus(demo_inputs(lang))


def demo_outputs(lang: str) -> dict[str, list[str]]:
    """System -> its 60 outputs: those of the toy systems, written by `python -m plainly.demo`, and two by hand."""
    return {name: _lines(Path(path)) for name, path in demo_inputs(lang).systems.items()}


def demo_inputs(lang: str = "en") -> Inputs:
    """The files of the demo set of a language."""
    folder = _folder(lang)
    return Inputs(
        sources=str(folder / "sources.txt"),
        references=tuple(str(path) for path in sorted(folder.glob("references.*.txt"))),
        systems={path.stem: str(path) for path in sorted((folder / "outputs").glob("*.txt"))},
        lang=lang,
    )


def _folder(lang: str) -> Path:
    if lang not in DEMO_LANGUAGES:
        raise UnknownName("language with a demo set", lang, DEMO_LANGUAGES)
    return _HERE / lang


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
