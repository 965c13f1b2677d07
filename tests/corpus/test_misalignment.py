"""Outputs beside the wrong sources are warned about; outputs as they should be are not."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest

from plainly import evaluate
from plainly.base.errors import PlainlyError
from plainly.corpus import Corpus
from plainly.corpus.misalignment import LOOKED_AT
from plainly.corpus.text_checks import TextChecks
from plainly.demo import demo_corpus

from ..real import SHARED

OUTPUTS = "data/system_outputs/asset_turkcorpus"


def shifted(texts: Sequence[str | None]) -> list[str | None]:
    return [*texts[1:], texts[0]]


def doubled(texts: Sequence[str | None]) -> list[str | None]:
    half = len(texts) // 2
    return [*texts[:half], texts[half], *texts[half:-1]]


def in_order(texts: Sequence[str | None]) -> list[str | None]:
    return sorted(texts, key=str)


def warned(corpus: Corpus) -> list[str]:
    checks = TextChecks()
    checks.add(corpus)
    return [str(note.message) for note in checks.notes() if note.kind == "warning"]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_demo_as_it_is(lang: str) -> None:
    assert warned(demo_corpus(lang)) == []


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("moved", [shifted, doubled, in_order])
def test_the_demo_with_lines_moved(moved: Callable[[Sequence[str | None]], list[str | None]], lang: str) -> None:
    corpus = demo_corpus(lang)
    outputs = {system: moved(texts) for system, texts in corpus.outputs.items()}
    found = [
        line for line in warned(corpus.with_outputs(outputs)) if "were lines shifted, doubled or sorted?" in line
    ]
    assert [line.split(" outputs of ")[1].split()[0] for line in found] == list(outputs)


def test_chinese_has_no_blanks_between_words() -> None:
    sources = [f"第{i}个城市的{name}非常古老。" for i, name in enumerate("桥塔河山门墙寺井街院")]
    corpus = Corpus(sources, [[] for _ in sources], {"mine": sources, "moved": sources[1:] + sources[:1]}, lang="zh")
    assert ["moved" in line for line in warned(corpus)] == [True]


def test_outputs_that_share_no_word_with_any_source_are_no_misfits() -> None:
    corpus = demo_corpus("en")
    assert warned(corpus.with_outputs({"translated": demo_corpus("de").outputs["identity"]})) == []


def test_what_is_wrong_is_said_with_an_example() -> None:
    """The last output is the first source, which is not near."""
    corpus = demo_corpus("en").with_outputs({"mine": shifted(demo_corpus("en").outputs["identity"])})
    assert warned(corpus) == [
        "59 of 60 outputs of mine fit another source better than their own, as output 1 fits source 2: "
        "were lines shifted, doubled or sorted?"
    ]


def test_one_file_given_twice() -> None:
    corpus = demo_corpus("en")
    twice = corpus.with_outputs({**corpus.outputs, "again": corpus.outputs["splitter"]})
    assert warned(twice) == ["splitter and again have the same outputs: is one file given twice?"]


def test_sources_given_as_references() -> None:
    corpus = demo_corpus("en")
    same = [[source, *group] for source, group in zip(corpus.sources, corpus.references, strict=True)]
    found = warned(Corpus(corpus.sources, same, {}))  # type: ignore[arg-type]
    assert found == ["reference 1 is the source itself in 60 of 60 segments: were sources given as references?"]


def test_many_references_of_which_some_are_the_source() -> None:
    """Eight people, each of whom left every fifth sentence as it was: no file holds sources."""
    corpus = demo_corpus("en")
    groups = [
        [source if (i + place) % 5 == 0 else f"{source} {place}" for place in range(8)]
        for i, source in enumerate(corpus.sources)
    ]
    assert sum(source in group for source, group in zip(corpus.sources, groups, strict=True)) == 60
    assert warned(Corpus(corpus.sources, groups, {})) == []


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("moved", [shifted, doubled, in_order])
def test_references_with_lines_moved(moved: Callable[[Sequence[str | None]], list[str | None]], lang: str) -> None:
    """One file of three was moved; that one is named, also where the test set comes in pieces."""
    corpus = demo_corpus(lang)
    columns: list[Sequence[str | None]] = [[group[place] for group in corpus.references] for place in range(3)]
    columns[1] = moved(columns[1])
    groups = [[str(text) for text in group] for group in zip(*columns, strict=True)]
    for pieces in (1, 3):
        checks = TextChecks()
        for _ in checks.watch(Corpus(corpus.sources, groups, {}).chunks(60 // pieces)):
            pass
        (line,) = [str(note.message) for note in checks.notes() if note.kind == "warning"]
        assert " texts of reference 2 fit another source better than their own, as text " in line
        assert line.endswith(": were lines shifted, doubled or sorted?")


def test_checks_survive_json() -> None:
    corpus = demo_corpus("en")
    checks = TextChecks()
    checks.add(corpus)
    again = TextChecks.from_dict(json.loads(json.dumps(asdict(checks))))
    assert again == checks
    again.merge(checks)
    assert again.references == [120, 120, 120]


def test_one_file_of_references_given_twice() -> None:
    corpus = demo_corpus("en")
    twice = [[*group, group[0]] for group in corpus.references]
    for chunks in (1, 4):
        checks = TextChecks()
        for _ in checks.watch(Corpus(corpus.sources, twice, {}).chunks(60 // chunks)):  # type: ignore[arg-type]
            pass
        said = [note.message for note in checks.notes()]
        assert list(map(str, said)) == ["references 1 and 4 are the same in all segments: is one file given twice?"]
        assert said[0].text("de").endswith("Wurde eine Datei zweimal angegeben?")


def test_a_system_that_bears_the_name_of_a_baseline() -> None:
    corpus = demo_corpus("en")
    named = corpus.with_outputs({"identity": corpus.outputs["careful-writer"]})
    (line,) = warned(named)
    assert "taken for the copy of the source, but 60 of its outputs are not" in line


def test_empty_outputs() -> None:
    corpus = demo_corpus("en")
    texts = corpus.outputs["splitter"]
    lacking = corpus.with_outputs({"few": ["", *texts[1:]], "many": [*texts[:50], *[" "] * 10]})
    assert warned(lacking) == ["10 of 60 outputs of many are empty"]


def test_a_copy_that_is_none_cannot_be_compared() -> None:
    """Else a verdict would say of copying what is true of that system."""
    corpus = demo_corpus("en")
    named = corpus.with_outputs({"identity": corpus.outputs["careful-writer"], "mine": corpus.outputs["splitter"]})
    scores = evaluate(named.sources, dict(named.outputs), named.references, metrics=["sari"])
    with pytest.raises(PlainlyError, match="give it another name"):
        scores.compare()


def test_pieces_find_what_the_whole_finds() -> None:
    corpus = demo_corpus("en")
    corpus = corpus.with_outputs({name: shifted(texts) for name, texts in corpus.outputs.items()})
    whole, together = TextChecks(), TextChecks()
    whole.add(corpus)
    for chunk in corpus.chunks(20):
        later = TextChecks()
        later.add(chunk)
        together.merge(later)
    assert set(whole.fits) == set(together.fits)
    assert all(fit.misplaced for fit in together.fits.values())
    assert together.same == whole.same == []


def test_a_late_part_of_a_run_is_not_held_against_its_sources() -> None:
    """A run in parts looks at the segments that a run in one go looks at, not at so many of each part."""
    corpus = demo_corpus("en")
    corpus = corpus.with_outputs({"mine": shifted(corpus.outputs["splitter"])})
    for before, found in ((LOOKED_AT - 1, ["mine"]), (LOOKED_AT, [])):
        checks = TextChecks(before=before)
        checks.add(corpus)
        assert list(checks.fits) == found
        assert checks.segments == 60


def test_a_notebook_hears_it() -> None:
    corpus = demo_corpus("en")
    scores = evaluate(corpus.sources, shifted(corpus.outputs["splitter"]), corpus.references, metrics=["sari"])  # type: ignore[arg-type]
    assert "were lines shifted" in str(scores.notes[-1].message)


def _lines(name: str) -> list[str | None]:
    return list((SHARED / name).read_text("utf-8").splitlines())


@pytest.mark.parametrize("test_set", ["data/asset/asset.test.orig", "data/turkcorpus/turkcorpus.test.orig"])
@pytest.mark.usefixtures("shared")
def test_published_outputs_as_they_are_and_shifted(test_set: str) -> None:
    sources = _lines(test_set)
    published = sorted((SHARED / OUTPUTS).glob("*.txt"))
    assert len(published) == 16
    outputs = {path.stem: _lines(f"{OUTPUTS}/{path.name}") for path in published}
    nothing: list[list[str]] = [[] for _ in sources]
    assert warned(Corpus(sources, nothing, outputs)) == []
    moved = {system: shifted(texts) for system, texts in outputs.items()}
    assert len(warned(Corpus(sources, nothing, moved))) == 16


SETS = {
    "asset/asset.test": 10,
    "asset/asset.valid": 10,
    "turkcorpus/turkcorpus.test": 8,
    "hsplit/hsplit.test.tok": 4,
    "pwkp/pwkp.test": 1,
    "pwkp/pwkp.valid": 1,
    "german/abgb/abgb.test": 2,
    "german/bisect/bisect.test": 1,
    "german/deplain_web/deplain_web.test": 1,
    "german/geolino/geolino.test": 1,
    "german/geolino/geolino.valid": 1,
    "german/textcomplexityde/textcomplexityde.test": 1,
}


@pytest.mark.parametrize(("name", "count"), SETS.items())
def test_published_references_as_they_are_and_shifted(name: str, count: int, shared: Path) -> None:
    path = f"data/{name}"
    if not (shared / f"{path}.orig").exists():
        pytest.skip(f"{name} is not here: run `make data`")
    sources = _lines(f"{path}.orig")
    files = [f"{path}.simp"] if (shared / f"{path}.simp").exists() else [f"{path}.simp.{i}" for i in range(count)]
    columns = [_lines(file) for file in files]
    assert len(columns) == count

    def said(given: Sequence[Sequence[str | None]]) -> list[str]:
        return warned(Corpus(sources, [list(map(str, group)) for group in zip(*given, strict=True)], {}))

    assert said(columns) == []
    assert len(said([shifted(column) for column in columns])) == count
