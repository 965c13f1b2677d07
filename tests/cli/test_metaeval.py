"""`plainly metaeval`: the study's numbers in every format, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.cli.parser import build_parser
from plainly.demo import demo_corpus
from plainly.inference import Resampling
from plainly.metaeval import joined, read_judgements, study
from plainly.scoring.evaluator import prepare

QUICK = ("--resamples", "50", "--quiet")
ASKED = ("metaeval", "--demo", "--ratings", "r.csv", *QUICK)
HEADER = "segment,system,rater,dimension,value\n"


@pytest.fixture(autouse=True)
def ratings() -> None:
    """Three raters of twenty outputs of three systems each: they like short outputs, of some systems more."""
    rows = []
    corpus = demo_corpus("en")
    for place, (system, outputs) in enumerate(list(corpus.outputs.items())[:3]):
        for segment in range(20):
            for rater in range(3):
                words = len(str(outputs[segment]).split())
                rows.append(
                    f"{segment},{system},r{rater},simplicity,{50 - words + 3 * place + (segment * rater) % 5}\n"
                )
                rows.append(f"{segment},{system},r{rater},meaning,{words + (segment + rater) % 7}\n")
    Path("r.csv").write_text(HEADER + "".join(rows))


def test_json_is_the_study(plainly: Any) -> None:
    asked = (*ASKED, "--metrics", "sari,fkgl,words", "--by", "system", "--format", "json")
    content = plainly(*asked).json
    corpus = demo_corpus("en")
    found = study(
        joined(read_judgements(["r.csv"]), corpus, name="r"),
        prepare(["sari", "fkgl", "words"], "en", {}),
        granularities=("segment",),
        by=("system",),
        control=prepare(["words"], "en", {}),
        resampling=Resampling(resamples=50),
    )
    assert content == found.to_dict()
    assert len(content["tables"]) == 2 * (1 + 3)


def test_the_table_has_the_ceiling_and_the_notes_below(plainly: Any) -> None:
    printed = plainly(*ASKED, "--metrics", "sari,fkgl,words", "--dimension", "simplicity").printed
    verdict, blank, *lines = printed.splitlines()
    assert (verdict.startswith("r, simplicity: "), blank) == (True, "")
    assert lines[0].split() == [
        *("metric", "better", "n", "r", "rho", "tau-b", "r", "less", "words", "behind"),
        *("p", "Williams", "p", "permuted", "mark"),
    ]
    rows = {line.split()[0]: line for line in lines[2:5]}
    assert rows["words"].endswith("no direction")
    assert rows["fkgl"].split()[1] == "lower"
    assert sum(" best" in line or " least bad" in line for line in rows.values()) == 1
    assert lines[6].startswith("ceiling: two raters 0.")
    assert lines[6].endswith("3 raters, 60 outputs")
    assert "agree" in verdict
    assert "nobody rated" in printed
    assert "fkgl|lang:en|" in printed
    assert "95% intervals, 50 resamples of segments, seed 12345" in printed


def test_csv_says_which_table_a_row_belongs_to(plainly: Any) -> None:
    printed = plainly(*ASKED, "--metrics", "sari,fkgl", "--by", "system", "--format", "csv").printed
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert len(rows) == 2 * 2 * 4
    assert rows[0]["data set"] == "r"
    assert rows[0]["dimension"] == "simplicity"
    assert rows[2]["field"] == "system"
    assert float(rows[0]["r low"]) <= float(rows[0]["r"]) <= float(rows[0]["r high"])


def test_pairs_and_ceiling(plainly: Any) -> None:
    one = (*ASKED, "--metrics", "fkgl", "--dimension", "meaning")
    printed = plainly(*one, "--table", "pairs", "--format", "csv").printed
    (row,) = csv.DictReader(io.StringIO(printed))
    assert int(row["pairs"]) == 60 * 59 // 2
    assert {"tau WMT 10", "tau WMT 13", "tau WMT 14", "tau-c", "accuracy"} <= row.keys()
    assert int(row["source pairs"]) < int(row["pairs"])  # of outputs of the same source
    assert -1 <= float(row["source tau 14"]) <= 1
    grouped = csv.DictReader(
        io.StringIO(plainly(*one, "--table", "pairs", "--by", "system", "--format", "csv").printed)
    )
    assert [each["source pairs"] != "" for each in grouped] == [True, False, False, False]
    (row,) = csv.DictReader(io.StringIO(plainly(*one, "--table", "ceiling", "--format", "csv").printed))
    assert row["raters"] == "3"
    assert float(row["two raters"]) > 0.9  # they differ by 2 of 7 points at most, in outputs of very different length
    assert "two raters" in plainly(*one, "--table", "ceiling", "--format", "markdown").printed


def test_systems(plainly: Any) -> None:
    printed = plainly(*ASKED, "--metrics", "sari,fkgl", "--dimension", "simplicity", "--systems").printed
    assert "r, simplicity over systems: " in printed
    assert "only 3 systems" in printed
    assert "resamples of segments and systems" in printed


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_other_forms(plainly: Any, form: str) -> None:
    printed = plainly(*ASKED, "--metrics", "fkgl", "--format", form).printed
    title = "Which metric agrees with people? simplicity: 60 outputs of 20 segments"
    assert {"markdown": "## ", "latex": r"\caption{"}[form] + title in printed
    assert printed.lower().count("ceiling: ") == 2


def test_a_file_by_its_ending(plainly: Any) -> None:
    assert plainly(*ASKED, "--metrics", "fkgl", "-o", "out.csv").printed == ""
    assert Path("out.csv").read_text().startswith("data set,dimension,granularity,")


def test_reference_sets_from_files(plainly: Any) -> None:
    corpus = demo_corpus("en")
    for name, texts in (("first.txt", [group[0] for group in corpus.references]), ("src.txt", corpus.sources)):
        Path(name).write_text("".join(f"{text}\n" for text in texts))
    asked = ("--reference-set", "first=first.txt", "--reference-set", "copy=src.txt")
    printed = plainly(*ASKED, "--metrics", "bleu,fkgl", "--dimension", "meaning", *asked, "--format", "csv").printed
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [(row["metric"], row["references"]) for row in rows] == [
        ("bleu", "first"),
        ("bleu", "copy"),
        ("bleu", "pooled"),
        ("fkgl", ""),
    ]
    Path("short.txt").write_text("a\nb\n")
    refusal = plainly(*ASKED, "--reference-set", "short=short.txt").refusal
    assert refusal == "the references 'short' have 2 lines, but the texts have 60"


def test_controls(plainly: Any) -> None:
    one = (*ASKED, "--metrics", "fkgl", "--dimension", "meaning")
    assert "r less words" in plainly(*one).printed
    assert "r less words and characters" in plainly(*one, "--control", "words,characters").printed
    assert "r less" not in plainly(*one, "--control", "none").printed


def test_z_scores_and_one_column_a_dimension(plainly: Any) -> None:
    systems = list(demo_corpus("en").outputs)[:2]
    rows = [
        f"{segment},{system},{rater},{segment + place + scale * rater},{segment % 3}\n"
        for segment in range(10)
        for place, system in enumerate(systems)
        for rater, scale in ((1, 1), (2, 10))
    ]
    Path("wide.csv").write_text("item,system,rater,fluency,meaning\n" + "".join(rows))
    asked = (
        "metaeval",
        "--demo",
        "--ratings",
        "wide.csv",
        *QUICK,
        "--metrics",
        "fkgl",
        "--scales",
        "fluency,meaning",
    )
    content = plainly(*asked, "--values", "z", "--format", "json").json
    assert content["scale"] == {"fluency": "z", "meaning": "z"}
    assert [table["dimension"] for table in content["tables"]] == ["fluency", "meaning"]


def test_one_rater_and_constant_ratings_are_said(plainly: Any) -> None:
    system = next(iter(demo_corpus("en").outputs))
    Path("r.csv").write_text(HEADER + "".join(f"{i},{system},ann,simplicity,3\n" for i in range(20)))
    printed = plainly(*ASKED, "--metrics", "fkgl").printed
    assert "people judged all outputs the same, so nothing can agree with them" in printed
    assert "ceiling: not known; there is one rater only, so nobody to agree with" in printed
    assert "one rater only; whether others would say the same, nobody knows" in printed


def test_a_published_data_set(plainly: Any, tmp_path: Path) -> None:
    header = "original\tsimplification\tgrammaticality\tmeaning\tsimplicity\toverall\n"
    rows = [
        f"The source {i} .\tThe output {'very ' * i}.\tgood\tok\t{'bad' if i > 5 else 'good'}\tok\n" for i in range(9)
    ]
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "qats.test.tsv").write_text(header + "".join(rows))
    asked = ("metaeval", "--ratings-set", "qats", "--ratings-folder", ".", "--dimension", "simplicity", *QUICK)
    run = plainly(*asked[:-1], "--format", "json")  # of the usual metrics, those that need no references
    assert run.json["name"] == "qats"
    assert [row["metric"] for row in run.json["tables"][0]["rows"]] == ["fkgl"]
    assert "note: sari is left out: it needs references" in run.err
    refusal = plainly(*asked, "--metrics", "sari").refusal
    assert refusal == "sari cannot be computed: it needs references"
    printed = plainly(*asked, "--metrics", "words,fkgl").printed
    assert "ceiling: not known; single ratings are not known, only their means" in printed
    assert "only 9 outputs" in printed


def test_the_list_of_data_sets(plainly: Any) -> None:
    assert "simplicity-da" in plainly("metaeval", "--list").printed
    assert "qats" in plainly("metaeval", "--list", "--format", "json").json


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("", "give --ratings FILE with the texts, or --ratings-set NAME with --ratings-folder FOLDER"),
        ("--ratings-set qats", "--ratings-set qats needs --ratings-folder"),
        ("--ratings-set quats --ratings-folder .", "unknown data set 'quats'; did you mean 'qats'?"),
        ("--ratings-set qats --ratings-folder nowhere", "nowhere is not a folder"),
        ("--ratings-set qats --ratings-folder . --demo", "--ratings-set brings its own texts; leave --demo out"),
        ("--demo --ratings r.csv --ratings-folder .", "--ratings-folder goes with --ratings-set"),
        ("--demo --ratings no.csv", "no.csv: no such file"),
        ("--demo --ratings r.csv --baselines identity", "nobody rated --baselines; leave them out"),
        ("--demo --ratings r.csv --by sytem", "unknown field 'sytem'; did you mean 'system'?"),
        ("--demo --ratings r.csv --dimension simple", "unknown dimension 'simple'; did you mean 'simplicity'?"),
        ("--demo --ratings r.csv --systems --by system", "--by groups outputs; leave --systems out"),
        ("--demo --ratings r.csv --control ,", "--control names no metric; say none to remove nothing"),
        ("--demo --ratings r.csv --reference-set =x", "--reference-set takes NAME or NAME=FILE,FILE, not '=x'"),
        ("--demo --ratings r.csv --reference-set asset", "r has no sets of references with names; give files, as "),
        ("--demo --ratings r.csv --resamples 0", "resamples must be at least 1, not 0"),
        ("--demo --ratings r.csv --threads 0", "--threads must be at least 1"),
        ("--demo --ratings r.csv --metrics ,", "--metrics names no metric"),
        ("--demo --ratings r.csv -o r.csv", "r.csv is an input of this run; choose another file"),
        ("--demo --ratings r.csv --unit document", "ratings are of segments; leave --unit out"),
        (
            "--demo --ratings r.csv --less-is-better meanin",
            "--less-is-better: unknown dimension 'meanin'; did you mean",
        ),
        (
            "--ratings-set qats --ratings-folder . --less-is-better meaning",
            "--less-is-better goes with --ratings; a data set is ",
        ),
        (
            "--ratings-set qats --ratings-folder . --first-segment 0",
            "--first-segment goes with --ratings; a data set is ",
        ),
        ("--all . --columns rater=who -o a.md", "--all reads data sets from its folder; leave --columns out"),
        (
            "--demo --ratings r.csv --columns who=rater",
            "--columns who=rater: who is none of rater, segment, system",
        ),
        (
            "--demo --ratings r.csv --reference-set pooled=r.csv",
            "--reference-set: pooled is the name of all sets toge",
        ),
        ("--demo --ratings r.csv --scatter fkgl", "--scatter goes with a page: name a file that ends in .html"),
        (
            "--demo --ratings r.csv --scatter fkgl -o a.md",
            "--scatter goes with a page: name a file that ends in .html",
        ),
        ("--demo --ratings r.csv --also a.csv --also ./a.csv", "--output and --also name the same file twice: "),
        ("--demo --ratings r.csv --format csv -o a.html", "a.html is the name of a page; leave --format csv out"),
        ("-o a.json train --dimension meaning", "options go after train: plainly metaeval train ... (see "),
        ("--seed 12345 train --dimension meaning", "options go after train: plainly metaeval train ... (see "),
        ("--ratings r.csv train --dimension meaning", "options go after train: plainly metaeval train ... (see "),
        ("--systems train --dimension meaning", "options go after train: plainly metaeval train ... (see "),
        ("--cased train --dimension meaning", "options go after train: plainly metaeval train ... (see "),
    ],
)
def test_what_is_refused(plainly: Any, arguments: str, complaint: str) -> None:
    assert plainly("metaeval", *arguments.split()).refusal.startswith(complaint)


def test_unknown_segments_and_systems_are_named_with_their_line(plainly: Any) -> None:
    system = next(iter(demo_corpus("en").outputs))
    Path("r.csv").write_text(HEADER + f"1,{system},ann,simplicity,3\n60,{system},ann,simplicity,3\n")
    assert plainly(*ASKED).refusal == (
        "r.csv:3: there is no segment 60; the texts have 0 to 59; if the ratings count from 1, say --first-segment 1"
    )
    Path("r.csv").write_text(HEADER + f"0,{system},ann,simplicity,3\n60,{system},ann,simplicity,3\n")
    assert plainly(*ASKED).refusal == "r.csv:3: there is no segment 60; the texts have 0 to 59"  # 1 would not help
    assert plainly(*ASKED, "--first-segment", "1").refusal == (
        "r.csv:2: there is no segment 0; the texts have 1 to 60"
    )
    Path("r.csv").write_text(HEADER + "0,nobody,ann,simplicity,3\n")
    assert plainly(*ASKED).refusal.startswith("r.csv:2: unknown system 'nobody'; ")


def test_dimensions_of_which_less_is_better(plainly: Any) -> None:
    one = (*ASKED, "--metrics", "fkgl", "--dimension", "meaning", "--format", "json")
    (table,) = plainly(*one).json["tables"]
    (turned,) = plainly(*one, "--less-is-better", "meaning").json["tables"]
    assert (table["human_direction"], turned["human_direction"]) == ("higher", "lower")
    (usual,), (row,) = table["rows"], turned["rows"]
    assert usual["agreement"]["pearson"]["value"] == row["agreement"]["pearson"]["value"]  # signs are kept


def test_columns_of_other_names(plainly: Any) -> None:
    text = Path("r.csv").read_text()
    asked = (*ASKED, "--metrics", "fkgl", "--format", "json")
    expected = plainly(*asked).json["tables"]
    Path("r.csv").write_text(text.replace(HEADER, "id,system,WorkerId,aspect,value\n"))
    named = plainly(*asked, "--columns", "segment=id,rater=WorkerId,dimension=aspect").json["tables"]
    assert named == expected
    assert plainly(*asked).refusal == (
        "r.csv: needs rater, segment, system, dimension and value; found id, system, WorkerId, aspect, value; "
        "say --columns rater=WorkerId,segment=id,dimension=aspect"
    )


def test_ids_leave_no_room_for_numbers(plainly: Any) -> None:
    Path("d.jsonl").write_text(
        '{"id": "a", "source": "A hard text.", "references": ["A."], "outputs": {"x": "B."}}\n'
    )
    Path("r.csv").write_text(HEADER + "a,x,ann,simplicity,3\n")
    refusal = plainly("metaeval", "--data", "d.jsonl", "--ratings", "r.csv", "--first-segment", "1").refusal
    assert refusal == "--first-segment is for texts without ids; ratings of these name segments by their ids"


def test_options_before_an_action_that_keeps_them() -> None:
    assert build_parser().parse_args(["studio", "--folder", "here", "user", "list"]).folder == "here"
    with pytest.raises(PlainlyError, match="options go after user: plainly studio user"):
        build_parser().parse_args(["studio", "--port", "8001", "user", "list"])
