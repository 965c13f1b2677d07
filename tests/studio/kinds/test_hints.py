"""Messages on the web name no options of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus.readers import Inputs
from plainly.studio.hints import for_the_web
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.options import completed
from plainly.studio.scoring.files import look_through


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("a.txt:3: empty reference; say --empty-reference missing (none) or keep (empty)",
         "a.txt:3: empty reference; choose what an empty line in a reference file means"),
        ("r.csv:2: lang is 'de', but the run is in 'en'; say --lang de",
         "r.csv:2: lang is 'de', but the run is in 'en'; choose the language of the texts"),
        ("pair 1: unknown label 'x' (--alias x=LABEL reads it as another)", "pair 1: unknown label 'x'"),
        ("two parts; judge pairs across them, or say --disconnected to rate each part", "two parts"),
        ("a.csv:2: 'x--y' is odd -- really; mend it", "a.csv:2: 'x--y' is odd -- really; mend it"),
    ],
)  # fmt: skip
def test_options_become_fields_or_go(message: str, said: str) -> None:
    assert for_the_web(message) == said


def test_an_empty_reference_of_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "0"
    folder.mkdir()
    for name, text in (("source.txt", "a b\nc d\n"), ("reference.txt", "a\n\n")):
        (folder / name).write_text(text)
    inputs = Inputs(sources=str(folder / "source.txt"), references=(str(folder / "reference.txt"),))
    with pytest.raises(PlainlyError) as refused:
        look_through(inputs, tmp_path, 1 << 20)
    assert str(refused.value) == (
        "reference.txt:2: empty reference; choose what an empty line in a reference file means"
    )


def test_an_unknown_label_is_told_with_its_option_by_the_reader_alone(tmp_path: Path) -> None:
    kind = get_kind("operations")
    path = tmp_path / "pairs.jsonl"
    group = '{"source": [0], "target": [0], "label": "odd"}'
    path.write_text(f'{{"id": "1", "source": ["a"], "target": ["b"], "groups": [{group}]}}\n')
    with pytest.raises(PlainlyError, match="--alias") as refused:
        kind.read({"pairs": path}, {**completed(kind, {}), "lang": "en"})
    assert "--" not in for_the_web(str(refused.value))
