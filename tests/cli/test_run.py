"""A study file gives what the other commands give, measures only what is new, and refuses what it does not know."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ..cases import each

SYSTEMS = ["careful-writer", "splitter"]
INPUTS = """
[test_set]
sources = "src.txt"
references = "ref.*"

[systems]
careful-writer = "careful-writer.txt"
splitter = "splitter.txt"
"""


def write(text: str) -> None:
    Path("study.toml").write_text(text, "utf-8")


def measured(err: str) -> int:
    """How many rows a run says that it measured."""
    found = re.search(r"^measured (\d+) row", err, re.MULTILINE)
    return int(found[1]) if found else 0


@pytest.fixture
def texts(demo_files: list[str]) -> list[str]:
    """The demo set in files, and the options that say the same as `INPUTS`."""
    return [*demo_files, *(item for name in SYSTEMS for item in ("--system", f"{name}.txt"))]


@pytest.mark.slow
def test_it_prints_what_compare_prints(plainly: Any, texts: list[str]) -> None:
    write(
        INPUTS.replace('"splitter.txt"', '"seed*.txt"')
        + "[metrics]\nnames = ['SARI', 'bleu', 'chrf']\nlowercase = false\n[metrics.chrf]\nword_order = 2\n"
        + "[comparison]\nbaseline = 'careful-writer'\nby = ['length']\nresamples = 300\nseed = 7\n"
        + "test = 'bootstrap-plain'\nconfidence = 0.9\ninterval = 'bca'\ntables = ['pairs', 'runs']\n"
    )
    options = [*texts[:-2], "--system", "splitter=seed*.txt", "--metrics", "sari,bleu,chrf", "--cased"]
    options += ["--set", "chrf.word_order=2", "--baseline", "careful-writer", "--by", "length", "--resamples", "300"]
    options += ["--seed", "7", "--test", "bootstrap-plain", "--confidence", "0.9", "--interval", "bca"]
    for form in ("json", "table", "latex"):
        ours = plainly("run", "study.toml", "--format", form).printed
        if form == "json":
            assert ours == plainly("compare", *options, "--format", form).printed
        for table in ("pairs", "runs"):
            theirs = plainly("compare", *options, "--format", form, "--table", table).printed
            assert form == "json" or set(theirs.splitlines()) <= set(ours.splitlines())


@pytest.mark.slow
def test_it_writes_what_the_other_commands_write(plainly: Any, texts: list[str]) -> None:
    pytest.importorskip("vl_convert")
    write(
        INPUTS
        + "[metrics]\nnames = ['sari', 'fkgl']\n[report]\nfile = 'out/page.html'\nfigures = 'out/figures'\n"
        + "".join(
            f"[[exports]]\nfile = 'out/{file}'\ntable = '{table}'\n"
            for table, file in (("systems", "s.tex"), ("pairs", "p.csv"), ("scores", "s.md"), ("scores", "s.json"))
        )
        + "[[exports]]\nfile = 'out/each.csv'\ntable = 'segments'\n"
    )
    run = plainly("run")
    assert run.status == 0, run.err
    named = set(re.findall(r"^out/\S+", run.out, re.MULTILINE))
    assert named == {
        f"out/{name}" for name in ("s.tex", "p.csv", "s.md", "s.json", "each.csv", "page.html", "figures")
    }
    options = [*texts, "--metrics", "sari,fkgl", "--quiet"]
    beside = [*options, "--baselines", "identity"]
    for file, command in {
        "s.tex": ["compare", *options],
        "p.csv": ["compare", *options, "--table", "pairs"],
        "s.md": ["score", *beside],
        "s.json": ["score", *beside],
        "each.csv": ["score", *beside, "--per-segment"],
        "page.html": ["report", *options, "--figures", "theirs/figures"],
    }.items():
        Path("theirs").mkdir(exist_ok=True)
        ending = ["--format", {"tex": "latex", "md": "markdown"}.get(file.partition(".")[2], file.partition(".")[2])]
        more = [] if file == "page.html" else ending
        assert plainly(*command, *more, "-o", f"theirs/{file}").status == 0
        assert Path("out", file).read_bytes() == Path("theirs", file).read_bytes(), file
    ours = {path.name: path.read_bytes() for path in Path("out/figures").glob("*.svg")}
    assert ours == {path.name: path.read_bytes() for path in Path("theirs/figures").glob("*.svg")}


def test_only_what_is_new_is_measured(plainly: Any, texts: list[str]) -> None:
    metrics = "[metrics]\nnames = ['sari']\n"
    write(INPUTS + metrics)
    assert (
        plainly("run", "--dry-run", "--format", "json").json["new"] == 180
    )  # 60 segments; copies of the source, too
    first = plainly("run")
    assert measured(first.err) == 180
    again = plainly("run")
    assert (again.out, measured(again.err)) == (first.out, 0)
    write(INPUTS + "new = 'substituter.txt'\n" + metrics)
    plan = plainly("run", "--dry-run", "--format", "json").json
    assert (plan["new"], plan["kept"]) == (60, 180)
    assert [one["system"] for one in plan["measured"] if one["new"]] == ["new"]
    assert measured(plainly("run").err) == 60
    write(INPUTS + "new = 'substituter.txt'\n" + metrics.replace("'sari'", "'sari', 'bleu'"))
    assert measured(plainly("run").err) == 240
    write(INPUTS + metrics.replace("sari", "sari:star"))
    assert measured(plainly("run").err) == 180  # another signature
    Path("elsewhere").mkdir()
    for name in ("src.txt", "ref.0", "ref.1", "ref.2", "careful-writer.txt", "splitter.txt"):
        Path(name).rename(Path("elsewhere", name))
    write(re.sub(r'"(\S+)"', r'"elsewhere/\1"', INPUTS.replace("careful-writer =", "renamed =")) + metrics)
    assert measured(plainly("run").err) == 0  # by content, whatever files and systems are called
    lines = Path("elsewhere/splitter.txt").read_text("utf-8").splitlines(keepends=True)
    Path("elsewhere/splitter.txt").write_text("".join(["Another text.\n", *lines[1:]]), "utf-8")
    assert measured(plainly("run").err) == 60  # the piece that the line is in


def test_a_dry_run_leaves_nothing_behind(plainly: Any, texts: list[str]) -> None:
    write(INPUTS + "[[exports]]\nfile = 'tables/x.csv'\n")
    before = sorted(Path().rglob("*"))
    assert "tables/x.csv" in plainly("run", "--dry-run").printed
    assert sorted(Path().rglob("*")) == before


def test_several_test_sets_in_one_study(plainly: Any, texts: list[str]) -> None:
    Path("outputs/en").mkdir(parents=True)
    Path("splitter.txt").rename("outputs/en/ours.txt")
    write(
        "[test_sets.en]\nsources = 'src.txt'\nreferences = 'ref.*'\n"
        "[test_sets.en.systems]\nsplitter = 'outputs/{test_set}/ours.txt'\ncareful-writer = 'careful-writer.txt'\n"
        "[test_sets.de]\ndemo = true\nlang = 'de'\n[metrics]\nnames = ['sari']\n"
        "[[exports]]\nfile = '{test_set}.csv'\n[[exports]]\nfile = 'all.csv'\n"
    )
    found = plainly("run", "--format", "json").json
    english = plainly("run", "--format", "csv").printed
    Path("splitter.txt").write_bytes(Path("outputs/en/ours.txt").read_bytes())
    theirs = ["--metrics", "sari", "--format", "json"]
    systems = ["--system", "splitter.txt", "--system", "careful-writer.txt"]
    alone = plainly("compare", *texts[:8], *systems, *theirs).json
    assert found["test_sets"]["en"] == {key: value for key, value in alone.items() if key != "plainly"}
    german = plainly("compare", "--demo", "--lang", "de", *theirs).json
    assert found["test_sets"]["de"] == {key: value for key, value in german.items() if key != "plainly"}
    lines = {name: Path(f"{name}.csv").read_text("utf-8").splitlines() for name in ("en", "de", "all")}
    assert lines["all"][0] == f"test set,{lines['en'][0]}"
    assert lines["all"][1:] == [f"{name},{line}" for name in ("en", "de") for line in lines[name][1:]]
    assert english.splitlines() == lines["all"]


def test_gates(plainly: Any, texts: list[str]) -> None:
    gates = "[gates]\nfail_under = { SARI = 40 }\nfail_over = { fkgl = 5 }\nfail_if_worse = true\n"
    write(INPUTS + "[comparison]\nbaseline = 'careful-writer'\n" + gates)
    run = plainly("run", "--quiet")
    assert run.status == 1
    failed = [line for line in run.err.splitlines() if line.startswith("failed: ")]
    assert failed[:2] == [
        "failed: sari of splitter is 21.3; fail_under sari=40",
        "failed: fkgl of splitter is 11.75; fail_over fkgl=5",
    ]
    assert failed[2].startswith("failed: splitter is worse than careful-writer by 26.01 sari (p = 0.00")
    write(INPUTS + "[gates]\nfail_under = { sari = 20 }\n")
    assert plainly("run").status == 0


FAULTS: Mapping[str, tuple[str, str]] = {
    "[metrics]\nname = ['sari']": ("study.toml:10: ", "unknown key of [metrics] 'name'; did you mean 'names'?"),
    "[comparision]": ("study.toml:9: ", "unknown key 'comparision'; did you mean 'comparison'?"),
    "[metrics]\nnames = ['sair']": ("study.toml:10: ", "unknown metric 'sair'; did you mean 'sari'?"),
    "[metrics.chrf]\nword_oder = 1": ("study.toml:10: ", "did you mean 'word_order'?"),
    "[metrics.chfr]\nword_order = 1": ("study.toml:9: ", "did you mean 'chrf'?"),
    "[metrics]\nlowercase = 'no'": ("study.toml:9: ", "lowercase must be True or False"),
    "[comparison]\nbaseline = 'spliter'": ("study.toml:10: ", "did you mean 'splitter'?"),
    "[comparison]\nseed = 'x'": ("study.toml:10: ", "seed must be a whole number from 0 on"),
    "[comparison]\ntest = 'bootstrp'": ("study.toml:10: ", "did you mean 'bootstrap'?"),
    "[comparison]\nby = ['genre']": ("study.toml:10: ", "unknown slice 'genre'"),
    "[comparison]\nconfidence = 2": ("study.toml:9: ", "between 0 and 1"),
    "[[exports]]\nfile = 'a.csv'\n[[exports]]\nfile = 'a.csv'\ntable = 'pairs'": ("study.toml:12: ", "written twice"),
    "[[exports]]\nfile = 'src.txt'": ("study.toml:10: ", "src.txt is an input of this study"),
    "[[exports]]\nfile = 'a.xlsx'": ("study.toml:10: ", "unknown ending of a file 'xlsx'"),
    "[[exports]]\nfile = 'a.csv'\ntable = 'paris'": ("study.toml:11: ", "did you mean 'pairs'?"),
    "[[exports]]\nfile = 'a.tex'\ntable = 'segments'": ("study.toml:10: ", "written as .csv, .json, .jsonl"),
    "[gates]\nfail_under = { fkgl = 3 }": (
        "study.toml:10: ",
        "fkgl is better when it is lower; say fail_over = { fkgl = 3 }",
    ),
    "[gates]\nfail_if_worse = true": ("study.toml:10: ", "say baseline in [comparison]"),
    "gates = ": ("study.toml:9: ", "Invalid value"),
    "more = 'seed*.tx'": ("study.toml:9: ", "no file fits seed*.tx"),
    "more = 'no.txt'": ("study.toml:9: ", "no file no.txt"),
    "more = 3": ("study.toml:9: ", 'must be a text or a list of texts, as more = ["..."]'),
}


@each("section", FAULTS)
def test_what_is_wrong_is_said_with_its_line(section: str, plainly: Any, texts: list[str]) -> None:
    place, complaint = FAULTS[section]
    write(INPUTS + section + "\n")
    before = sorted(Path().rglob("*"))
    said = plainly("run").refusal
    assert said.startswith(place), said
    assert complaint in said
    assert sorted(Path().rglob("*")) == before


def test_faults_of_texts_are_worded_for_the_study_file(plainly: Any, texts: list[str]) -> None:
    lines = Path("ref.1").read_text("utf-8").splitlines(keepends=True)
    Path("ref.1").write_text("".join([lines[0], "\n", *lines[2:]]), "utf-8")
    write(INPUTS)
    said = plainly("run").refusal
    assert said.startswith("ref.1:2: empty reference; say empty_reference = ")
    assert "--" not in said
    write(INPUTS.replace("[systems]", "empty_reference = 'missing'\n[systems]"))
    assert plainly("run").status == 0


def test_tables_with_columns_of_other_names(plainly: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `--columns` says, `columns` says in a study file; releases with known headers are read without."""
    monkeypatch.chdir(tmp_path)
    Path("wide.csv").write_text("was,r1,r2,a,b\nIt ceased.,It stopped.,It ended.,It stopped.,It ceased.\n", "utf-8")
    study = '[metrics]\nnames = ["sari"]\n[test_set]\ndata = "wide.csv"\n'
    write(study)
    assert "neither source nor reference nor output; found: was, r1, r2, a, b" in plainly("run").refusal
    options = ["--data", "wide.csv", "--columns", "source=was,references=r1+r2,mine=a,b=b", "--metrics", "sari"]
    theirs = plainly("compare", *options, "--format", "json").printed
    for references in ('"r1+r2"', '["r1", "r2"]'):
        write(study + f'columns = {{ source = "was", references = {references}, mine = "a", b = "b" }}\n')
        assert plainly("run", "--format", "json").printed == theirs
    write(study + '[test_set.columns]\nsource = "wsa"\n')
    assert "there is no column 'wsa'" in plainly("run").refusal
    write(study + "[test_set.columns]\nsource = 1\n")
    assert plainly("run").refusal.startswith("study.toml:6: source must be a text or a list of texts")
    write('[test_set]\ncolumns = { source = "was" }\nsources = "wide.csv"\n')
    assert plainly("run").refusal.startswith("study.toml:2: columns says what data calls things; say data")
    Path("known.jsonl").write_text(
        '{"original": "It ceased.", "simplifications": ["It ended."], "p": "It stopped."}\n'
    )
    write('[metrics]\nnames = ["sari"]\n[test_set]\ndata = "known.jsonl"\ncolumns = { output = "p" }\n')
    run = plainly("run")
    assert run.status == 0, run.err
    assert "known.jsonl is read as ASSET or TurkCorpus, as at Hugging Face" in run.err


@pytest.mark.slow
def test_a_first_study_file(plainly: Any, texts: list[str]) -> None:
    (Path("hasty-model.txt")).write_text("one line\n", "utf-8")  # belongs to something else
    assert plainly("run", "--init").status == 0
    text = Path("study.toml").read_text("utf-8")
    assert 'sources = "src.txt"  # 60 lines' in text
    assert 'references = ["ref.0", "ref.1", "ref.2"]' in text
    assert '"seed1.txt", "seed2.txt", "seed3.txt"]' in text
    assert "hasty-model" not in text
    assert plainly("run", "--init").refusal.startswith("study.toml is there already")
    assert Path("study.toml").read_text("utf-8") == text
    assert plainly("run", "--dry-run").status == 0
    every = re.sub(r"^# (?=\[|[a-z_]+ = )", "", text, flags=re.MULTILINE)  # what it offers can be used
    every = every.replace('"NAME"', '"splitter"').replace("figures = ", "# figures = ")
    Path("study.toml").write_text(every, "utf-8")
    run = plainly("run")
    assert run.status == 1, run.err  # a gate
    assert Path("systems.tex").exists()


def test_a_first_study_file_where_there_is_nothing(plainly: Any) -> None:
    said = "there is no study file study.toml; plainly run --init study.toml writes a first one"
    assert plainly("run").refusal == plainly("run", "--dry-run").refusal == said
    assert plainly("run", "--init", "--lang", "de", "new.toml").status == 0
    assert json.loads(plainly("run", "new.toml", "--format", "json").printed)["systems"]
