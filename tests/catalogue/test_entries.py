"""Every entry of the catalogue is complete, and an entry that is not is refused with words that say why."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.catalogue import info, names
from plainly.corpus.catalogue.changes import CHANGES
from plainly.corpus.catalogue.entries import CHECKED, File, parse
from plainly.text.languages import LANGUAGES

from ..cases import each

SETS = Path(str(files("plainly.corpus.catalogue") / "sets"))
NAMES = names()
EXPECTED = [
    "abgb-test",
    "abgb-test-legacy",
    "apa-lha-a2-test",
    "apa-lha-b1-test",
    "arts160",
    "arts300",
    "arts3000",
    "arts94",
    "asset-test",
    "asset-valid",
    "assetann",
    "assetann-gold",
    "assetann-subsets",
    "bisect-test",
    "bisect-valid",
    "c-score-answers",
    "deplain-apa-test",
    "deplain-web-test",
    "geolino-test",
    "geolino-valid",
    "hsplit-test",
    "newsela-fkgl",
    "pwkp-test",
    "pwkp-valid",
    "qats-test",
    "qats-train",
    "simple-german-corpus-test",
    "textcomplexityde-test",
    "turkcorpus-test",
    "turkcorpus-test-legacy",
    "wikilarge-test",
]
each_set = pytest.mark.parametrize("name", NAMES)


def test_the_catalogue_has_these_sets() -> None:
    assert EXPECTED == NAMES


@each_set
def test_facts_are_complete(name: str) -> None:
    entry = info(name)  # reading it checks that nothing is missing, unknown, empty or of the wrong type
    assert entry.name == name
    assert entry.language in LANGUAGES
    assert not entry.title.endswith(".")
    assert entry.about.endswith(".")
    assert entry.licence.terms.endswith(".")
    assert all(note.endswith(".") for note in entry.notes)


@each_set
def test_citations_are_bibtex(name: str) -> None:
    text = info(name).citation
    assert text.count("{") == text.count("}")
    for entry in re.split(r"\n(?=@)", text.strip()):
        assert re.match(r"@(inproceedings|article|misc)\{[a-z0-9-]+,\n", entry)
        assert {"title", "author", "year", "url"} <= set(re.findall(r"^  (\w+) = \{", entry, re.MULTILINE))


@each_set
def test_addresses_are_files_at_a_fixed_commit(name: str) -> None:
    pinned = re.compile(r"https://raw\.githubusercontent\.com/[\w.-]+/[\w.-]+/[0-9a-f]{40}/[\w./+-]+")
    addresses = [address for file in info(name).files for part in file.parts for address in part.addresses]
    assert [address for address in addresses if not pinned.fullmatch(address)] == []


def test_sets_that_forbid_commercial_use_are_flagged() -> None:
    flagged = {name for name in NAMES if info(name).licence.non_commercial}
    assert flagged == {
        *("asset-test", "asset-valid", "assetann", "assetann-gold", "assetann-subsets"),
        *("deplain-web-test", "deplain-apa-test"),
    }
    for name in NAMES:
        licence = info(name).licence
        assert ("NC" in licence.name or "not commercial" in licence.terms) == (name in flagged)


NEEDED = {"answers": {"answers", "experiment"}, "judgements": {"judgements"}}
"""The roles of the files of what is not public, where it is no test set."""


def test_texts_that_are_not_public_say_who_to_ask_and_have_no_address() -> None:
    restricted = {name for name in NAMES if info(name).restricted}
    assert restricted == {
        *("apa-lha-a2-test", "apa-lha-b1-test", "arts160", "c-score-answers", "deplain-apa-test", "newsela-fkgl")
    }
    for name in restricted:
        entry = info(name)
        assert entry.restricted
        assert entry.restricted.ask
        assert entry.licence.name == "restricted"
        roles = NEEDED.get(entry.kind, {"source", "reference"})
        assert {file.role for file in entry.required} == roles
        assert not any(file.parts or file.sha256 for file in entry.files)


def test_a_file_of_two_sets_has_the_same_facts_in_both() -> None:
    seen: dict[str, File] = {}
    for name in NAMES:
        for file in info(name).files:
            assert seen.setdefault(file.name, file) == file


@each_set
def test_what_was_not_checked_says_so(name: str) -> None:
    for file in info(name).files:
        for part in file.parts:
            assert part.checked in CHECKED
            if not part.sha256:
                assert part.checked in ("sample", "no")
            if not file.change:
                assert (part.bytes, part.sha256) == (file.bytes, file.sha256)


def test_every_change_is_used_and_explained() -> None:
    used = {file.change for name in NAMES for file in info(name).files} - {""}
    assert used == set(CHANGES)
    assert all(change.__doc__ for change in CHANGES.values())


def test_an_unknown_set() -> None:
    with pytest.raises(UnknownName, match="unknown test set 'aset-test'; did you mean 'asset-test'"):
        info("aset-test")


def test_names_with_paths_are_only_unknown() -> None:
    with pytest.raises(UnknownName):
        info("../../etc/passwd")


RESTRICTED = (SETS / "newsela-fkgl.toml").read_text("utf-8")
GOOD = (SETS / "pwkp-test.toml").read_text("utf-8")
QATS = (SETS / "qats-test.toml").read_text("utf-8")


@each(
    "text, old, new, words",
    [
        (GOOD, "title = ", "titel = ", "entry: unknown key 'titel'"),
        (GOOD, 'domain = "Wikipedia"\n', "", "entry: domain is missing"),
        (GOOD, 'domain = "Wikipedia"', 'domain = ""', "entry: domain is empty"),
        (GOOD, "segments = 100", 'segments = "100"', "entry: segments must be of type int"),
        (GOOD, "segments = 100", "segments = true", "entry: segments must be of type int"),
        (GOOD, "segments = 100", "segments = 0", "segments must be positive"),
        (GOOD, "references = 1", "references = 2", "references must be the number of reference files"),
        (GOOD, 'name = "pwkp-test"', 'name = "../pwkp"', "'../pwkp' is no name for a test set"),
        (GOOD, "@inproceedings{zhu", "inproceedings{zhu", "the citation must be BibTeX"),
        (GOOD, "notes = [", "notes = [1,", "entry: notes must hold texts"),
        (GOOD, "[licence]\n", "[license]\n", "licence is missing"),
        (GOOD, "non_commercial = false\n", "", "licence: non_commercial is missing"),
        (GOOD, "non_commercial = false", "non_commercial = 0", "licence: non_commercial must be of type bool"),
        (GOOD, '"pwkp/pwkp.test.orig"', '"../pwkp.test.orig"', "file 1: '../pwkp.test.orig' is no name for a file"),
        (GOOD, '"pwkp/pwkp.test.orig"', '"/pwkp.test.orig"', "file 1: '/pwkp.test.orig' is no name for a file"),
        (GOOD, '"pwkp/pwkp.test.orig"', '"a/../../b"', "file 1: 'a/../../b' is no name for a file"),
        (GOOD, '"pwkp/pwkp.test.orig"', "'a\\b'", r"file 1: 'a\\b' is no name for a file"),
        (GOOD, '"pwkp/pwkp.test.orig"', '".hidden"', "file 1: '.hidden' is no name for a file"),
        (GOOD, '"pwkp/pwkp.test.orig"', '"pwkp/pwkp.test.simp"', "the names of files and of systems must differ"),
        (GOOD, 'role = "source"', 'role = "sauce"', "file 1: unknown role 'sauce'"),
        (GOOD, 'role = "reference"', 'role = "source"', "references must be the number of reference files"),
        (GOOD, 'role = "source"', 'role = "system"', "file 1: a system, and nothing else, names its system"),
        (GOOD, "bytes = 15612", "bytes = -1", "file 1: bytes are needed"),
        (GOOD, "sha256 = ", "sha1 = ", "file 1: unknown key 'sha1'"),
        (GOOD, 'sha256 = "1', 'sha256 = "x', "is no SHA-256"),
        (GOOD, 'checked = "length"', 'checked = "yes"', "file 1: checked must be one of text, length, sample, no"),
        (GOOD, "https://raw", "http://raw", "is not an https address"),
        (GOOD, "https://raw", "file://raw", "is not an https address"),
        (GOOD, 'checked = "length"', 'checked = "length"\nchange = "none"', "has parts"),
        (GOOD, 'checked = "length"', 'checked = "length"\nrecords = 9', "records and columns belong together"),
        (
            GOOD,
            'checked = "length"',
            'checked = "length"\nrecords = 9\ncolumns = ["id"]',
            "file 1: a file with an address is not made by hand",
        ),
        (QATS, 'change = "qats test"\n', "", "file 1: a file with a change, and no other, has parts"),
        (QATS, 'change = "qats test"', 'change = "rot13"', "file 1: unknown change 'rot13'"),
        (QATS, "documents =", 'empty_reference = "guess"\ndocuments =', "unknown rule 'guess' for empty references"),
        (GOOD, "name =", "name", "x.toml: "),
        (GOOD, "segments = 100", 'segments = 100\nkind = "opinions"', "unknown kind 'opinions'"),
        (RESTRICTED, "[restricted]", "[closed]", "file 1: bytes and sha256 are needed"),
        (RESTRICTED, 'ask = "Newsela"\n', "", "restricted: ask is missing"),
        (
            RESTRICTED,
            '"newsela-fkgl/Complex"',
            '"newsela-fkgl/Complex"\nbytes = 5',
            "file 1: bytes and sha256 are needed",
        ),
        (
            GOOD,
            "[licence]",
            '[restricted]\nask = "nobody"\n[licence]',
            "file 1: restricted texts have no public address",
        ),
    ],
)
def test_a_faulty_entry_is_refused(text: str, old: str, new: str, words: str) -> None:
    assert old in text
    parse(text, "x.toml")
    with pytest.raises(PlainlyError) as caught:
        parse(text.replace(old, new, 1), "x.toml")
    assert str(caught.value).startswith("x.toml: ")
    assert words in str(caught.value)


def test_an_entry_without_files() -> None:
    with pytest.raises(PlainlyError, match="files are missing"):
        parse(GOOD.partition("[[files]]")[0], "x.toml")
