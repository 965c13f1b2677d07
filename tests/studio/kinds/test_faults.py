"""What readers refuse is told with the names of files that their owner knows, and with fields of the form."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError
from plainly.corpus.readers import Inputs
from plainly.studio.faults import worded
from plainly.studio.kinds import get_kind
from plainly.studio.kinds.options import completed
from plainly.studio.scoring.files import look_through
from plainly.studio.texts import say


def test_an_empty_reference_of_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "0"
    folder.mkdir()
    for name, text in (("source.txt", "a b\nc d\n"), ("reference.txt", "a\n\n")):
        (folder / name).write_text(text)
    inputs = Inputs(sources=str(folder / "source.txt"), references=(str(folder / "reference.txt"),))
    with pytest.raises(PlainlyError) as refused:
        look_through(inputs, tmp_path, 1 << 20)
    assert worded(refused.value, say("en")) == (
        "reference.txt, line 2: empty reference; choose what an empty line in a reference file means"
    )


def test_an_unknown_label_has_no_field(tmp_path: Path) -> None:
    kind = get_kind("operations")
    path = tmp_path / "pairs.jsonl"
    group = '{"source": [0], "target": [0], "label": "odd"}'
    path.write_text(f'{{"id": "1", "source": ["a"], "target": ["b"], "groups": [{group}]}}\n')
    with pytest.raises(PlainlyError, match='alias="odd=LABEL"') as refused:
        kind.read({"pairs": path}, {**completed(kind, {}), "lang": "en"})
    assert "alias" not in worded(refused.value, say("en"))
