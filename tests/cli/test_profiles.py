"""Every command obeys a profile in full, or refuses it in one line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import plainly as library
from plainly.base.errors import PlainlyError
from plainly.cli.parser import build_parser, every_command
from plainly.scoring import get_profile
from plainly.scoring.profile import profile_names

from ..cases import each

OURS = """
title = "ours"
lang = "en"
metrics = ["bleu", "sari:star", "compression-ratio"]
others = ["chrf", "sentence-length"]
counts = ["sentence-length"]

[settings]
tokenizer = "none"
lowercase = false

[own.sari]
empty_operation = "skip"

[own.compression-ratio]
tokenizer = "13a"
"""
BLEU, SARI, RATIO = (
    "bleu|lang:en|tok:none|case:mixed|refs:R|smooth:exp|plainly:0.1.0",
    "sari|lang:en|tok:none|case:mixed|refs:R|variant:star|empty:skip|plainly:0.1.0",
    "compression-ratio|lang:en|tok:13a|case:mixed|plainly:0.1.0",
)
"""What signatures say of its metrics; R is the number of references."""


@pytest.fixture
def ours() -> None:
    """A profile of our own, and what the commands read."""
    Path("ours.toml").write_text(OURS, "utf-8")
    with Path("refs.jsonl").open("w", encoding="utf-8") as out:
        for i, word in enumerate(("huge", "vast", "big")):
            source = f"The {word} edifice collapsed .".split()
            for origin, target in (("a", source), ("b", ["It", "fell", "."])):
                groups = [] if origin == "a" else [{"source": [3], "target": [1], "label": "synonym"}]
                record = {"id": str(i), "origin": origin, "source": source, "target": target, "groups": groups}
                out.write(json.dumps(record) + "\n")
    Path("mine.txt").write_text("It fell .\n" * 3, "utf-8")
    rows = ["segment,system,rater,dimension,value"]
    for segment in range(20):
        rows += [f"{segment},splitter,r{rater},simplicity,{(segment * rater) % 7}" for rater in range(3)]
    Path("r.csv").write_text("\n".join(rows) + "\n", "utf-8")
    pairs = {"source": ["One two ."] * 3, "output": ["One ."] * 3, "references": ["One ."] * 3}
    lines = [json.dumps(dict(zip(pairs, values, strict=True))) for values in zip(*pairs.values(), strict=True)]
    Path("pairs.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


DRAWN = ("--resamples", 20)
COMMANDS: Mapping[str, tuple[str, Sequence[object]]] = {
    "score": ("3", ("--demo", *DRAWN)),
    "compare": ("3", ("--demo", *DRAWN)),
    "report": ("3", ("--demo", *DRAWN, "-o", "-")),
    "gaming": ("3", ("--demo", "--trials", 1, "--edits", "lower-case")),
    "metaeval": ("3", ("--demo", "--ratings", "r.csv", *DRAWN)),
    "operations correlate": ("1", ("--annotations", "refs.jsonl", *DRAWN)),
    "operations subset": (
        "1-2|weight:segments",
        ("--annotations", "refs.jsonl", "--system", "m=mine.txt", "--subset", "synonym", "--metrics", "sari", *DRAWN),
    ),
    "statistics score": ("3", ("kept", *DRAWN)),
    "filter": ("", ()),
}
"""Every command that takes a profile: how many references there are in the texts of these arguments."""


def test_every_command_takes_it_or_does_not_know_it() -> None:
    every = {command.prog: command for command in every_command(build_parser())}
    taking = {name for name, command in every.items() if "--profile" in command._option_string_actions}
    choosing = {name for name, command in every.items() if "--metrics" in command._option_string_actions}
    assert taking == {f"plainly {name}" for name in COMMANDS}
    assert choosing <= taking


@pytest.mark.slow
@pytest.mark.usefixtures("ours")
def test_every_command_obeys_it_in_full(plainly: Any) -> None:
    assert plainly("score", "--demo", "--profile", "ours.toml", "--write-statistics", "kept").status == 0
    for name, (references, arguments) in COMMANDS.items():
        if name == "filter":  # it prints no signatures: see below
            continue
        printed = plainly(*name.split(), *arguments, "--profile", "ours.toml").printed
        for signature in (SARI,) if "--metrics" in arguments else (BLEU, SARI, RATIO):
            assert signature.replace("refs:R", f"refs:{references}") in printed, name
        if name == "statistics score":
            continue
        refusal = plainly(*name.split(), *arguments, "--profile", "ours.toml", "--tokenizer", "13a").refusal
        assert refusal == "the profile ours says tokenizer none, but you say 13a: say one of them"


LABELS = ("sari", "sari:star")


@pytest.mark.usefixtures("ours")
def test_filter_keeps_by_the_scores_of_the_profile(plainly: Any) -> None:
    pair = {"source": "One two .", "output": "one .", "references": ["One ."]}
    Path("pairs.jsonl").write_text(json.dumps(pair) + "\n", "utf-8")
    given = ("filter", "--data", "pairs.jsonl", "--with-scores", "--keep")
    scores = []
    for more in ([], ["--profile", "ours.toml"]):
        assert plainly(*given, "sari >= 0", *more, "-o", "kept.jsonl").status == 0
        scores.append(json.loads(Path("kept.jsonl").read_text("utf-8"))["sari"])
        texts = ([pair["source"]], [pair["output"]], [pair["references"]])
        asked = {"profile": "ours.toml"} if more else {}
        assert (
            scores[-1]
            == library.evaluate(*texts, metrics="sari", **asked).segment_scores("output", LABELS[bool(more)])[0]
        )
    assert scores[0] != scores[1]
    assert plainly(*given, "fkgl < 8", "--profile", "ours.toml", "-o", "x.jsonl").refusal.startswith(
        "unknown metric of the profile ours 'fkgl'"
    )
    assert plainly(*given, "sari < 8", "--profile", "esse", "-o", "x.jsonl").refusal.startswith("unknown profile")


@each(
    "arguments, said",
    [
        (["--tokenizer", "13a"], "the profile ours says tokenizer none, but you say 13a: say one of them"),
        (["--lowercase"], "the profile ours says lowercase no, but you say yes: say one of them"),
        (
            ["--empty-operation", "zero"],
            "the profile ours says empty_operation skip, but you say zero: say one of them",
        ),
        (["--lang", "de"], "the profile ours is for language 'en'; these texts are in 'de'"),
        (
            ["--metrics", "fkgl"],
            "unknown metric of the profile ours 'fkgl'; known: bleu, chrf, compression-ratio, "
            "sari:star, sentence-length",
        ),
        (["--metrics", "sari:paper"], "unknown metric of the profile ours 'sari:paper'; did you mean 'sari:star'?"),
        (["--metrics", "all"], "unknown metric of the profile ours 'all'"),
        (["--list"], "--list has all metrics; leave --profile out"),
        (["--explain-sari"], "--explain-sari goes through all settings; leave --profile out"),
    ],
)
@pytest.mark.usefixtures("ours")
def test_what_contradicts_it_is_refused(plainly: Any, arguments: list[str], said: str) -> None:
    assert said in plainly("score", "--demo", "--profile", "ours.toml", *arguments).refusal


@pytest.mark.usefixtures("ours")
def test_what_it_leaves_open_can_be_said(plainly: Any) -> None:
    asked = ("score", "--demo", "--profile", "ours.toml", "--no-intervals", "--format", "json")
    same = plainly(*asked, "--tokenizer", "none", "--metrics", "sari").json
    assert list(same["systems"]["splitter"]) == ["sari:star"]
    more = plainly(*asked, "--metrics", "chrf,bleu", "--set", "chrf.word_order=2").json["systems"]["splitter"]
    assert "word_order:2" in more["chrf"]["signature"]
    assert more["bleu"]["signature"] == BLEU.replace("R", "3")


@pytest.mark.usefixtures("ours")
def test_other_commands_refuse_what_it_has_nothing_for(plainly: Any) -> None:
    gaming = ("gaming", "--demo", "--profile")
    assert plainly(*gaming, "easse", "--post-hoc").refusal.startswith(
        "the profile easse has no counts for --post-hoc"
    )
    counted = plainly(*gaming, "ours.toml", "--post-hoc", "--format", "csv").printed
    assert {row["metric"] for row in csv.DictReader(io.StringIO(counted))} == {"sentence-length"}
    assert plainly(*gaming, "easse", "--list").refusal == "--list has all edits; leave --profile out"
    assert plainly("metaeval", "--list", "--profile", "easse").refusal.startswith("--list has all data sets")
    assert "unknown option '--profile'" in plainly("ranking", "rate", "--profile", "easse").refusal


@pytest.mark.slow
@pytest.mark.usefixtures("ours")
def test_statistics_must_have_been_measured_so(plainly: Any) -> None:
    for folder, *asked in (("kept", "--profile", "ours.toml"), ("usual", "--metrics", "bleu,sari")):
        assert plainly("score", "--demo", "--no-intervals", *asked, "--write-statistics", folder).status == 0
    profiled = ("--profile", "ours.toml", *DRAWN)
    assert (
        BLEU.replace("R", "3") in plainly("compare", "--statistics", "kept", *profiled, "--metrics", "bleu").printed
    )
    wrong = plainly("statistics", "score", "usual", *profiled).refusal
    assert wrong == "the profile ours says tokenizer none, but bleu was measured with 13a"
    assert (
        "unknown metric 'sari:star'"
        in plainly("compare", "--statistics", "usual", *profiled, "--metrics", "sari").refusal
    )
    assert plainly("compare", "--statistics", "kept", "--profile", "easse-de").refusal.startswith(
        "the profile easse-de is for language 'de'"
    )


@pytest.mark.usefixtures("ours")
def test_a_study_file_names_one(plainly: Any) -> None:
    study = Path("study.toml")
    study.write_text('profile = "ours.toml"\n[test_set]\ndemo = true\n', "utf-8")
    assert BLEU.replace("R", "3") in plainly("run", "study.toml").printed
    study.write_text('profile = "ours.toml"\n[test_set]\ndemo = true\n[metrics]\ntokenizer = "13a"\n', "utf-8")
    assert plainly("run", "study.toml").refusal == (
        "study.toml:4: the profile ours says tokenizer none, but you say 13a: say one of them"
    )
    study.write_text('profile = "easse-multi"\n[test_set]\ndemo = true\n', "utf-8")
    assert plainly("run", "study.toml").refusal.startswith("study.toml:1: the profile easse-multi says no language")
    study.write_text('[test_set]\ndemo = true\nprofile = "easse"\n', "utf-8")
    assert "unknown key of [test_set] 'profile'" in plainly("run", "study.toml").refusal
    study.write_text('profile = "esse"\n[test_set]\ndemo = true\n', "utf-8")
    assert plainly("run", "study.toml").refusal == "study.toml:1: unknown profile 'esse'; did you mean 'easse'?"


@each(
    "old, new, said",
    [
        ('title = "ours"', "", "the profile: title is missing"),
        ('lang = "en"', "", "it says neither lang nor any_language"),
        ('lang = "en"', 'lang = "xx"', "unknown language 'xx'"),
        ('["bleu", "sari:star", "compression-ratio"]', "[]", "it names no metric"),
        ('["bleu", "sari:star", "compression-ratio"]', '"bleu"', "the profile: metrics must be a list of texts"),
        ('"bleu", "sari:star"', '"blue", "sari:star"', "unknown metric 'blue'; did you mean 'bleu'?"),
        ("sari:star", "sari:stars", "unknown variant of sari 'stars'; did you mean 'star'?"),
        ('tokenizer = "none"', 'tokeniser = "none"', "unknown key of [settings] 'tokeniser'; did you mean"),
        ('tokenizer = "none"', 'tokenizer = "nine"', "unknown tokenizer 'nine'; did you mean 'none'?"),
        ("lowercase = false", 'lowercase = "no"', "[settings] lowercase must be of type bool"),
        ('"compression-ratio"]', '"chrf"]\n[own.chrf]\nword_order = true', "word_order must be of type int"),
        ("[own.sari]", "[own.ter]", "unknown metric in [own] 'ter'"),
        ("[own.sari]", "[sari]", "unknown key 'sari'"),
        ('counts = ["sentence-length"]', 'counts = ["ter"]', "counts: ter is not among its metrics"),
        ('title = "ours"', "title = ", "Invalid value"),
    ],
)
def test_faults_of_a_profile_are_said(plainly: Any, old: str, new: str, said: str) -> None:
    assert old in OURS
    Path("ours.toml").write_text(OURS.replace(old, new), "utf-8")
    refusal = plainly("score", "--demo", "--profile", "ours.toml").refusal
    assert refusal.startswith("ours.toml: ")
    assert said in refusal


def test_names_are_found(plainly: Any) -> None:
    Path("ours.tml").write_text(OURS, "utf-8")
    refusal = plainly("score", "--demo", "--profile", "ours.tml").refusal
    assert refusal == "ours.tml: a file that holds a profile must end in .toml"
    assert plainly("score", "--demo", "--profile", "esse").refusal == "unknown profile 'esse'; did you mean 'easse'?"
    assert (
        plainly("score", "--demo", "--profile", "no.toml").refusal == "cannot read no.toml: No such file or directory"
    )
    listed = plainly("doctor", "--table", "profiles", "--format", "csv").printed
    rows = {row["profile"]: row for row in csv.DictReader(io.StringIO(listed))}
    assert list(rows) == profile_names()
    assert rows["easse-de"]["sets"].startswith("tokenizer spacy, lowercase no, ")
    assert rows["easse-multi"]["language"] == "any: say --lang"
    completed = plainly("completion", "bash").printed
    assert f"in --profile) words='{' '.join(profile_names())}'" in completed


def test_python_takes_one() -> None:
    texts = (["Das ist der Satz."], {"a": ["Das ist ein Satz."]}, [["Das ist ein Satz."]])
    found = library.evaluate(*texts, profile="easse-de")
    assert found["a"]["sari"].signature.startswith("sari|lang:de|tok:spacy|case:mixed|")
    assert library.compare(*texts, profile=get_profile("easse-de"), metrics="bleu", resamples=20)["a"]["bleu"].score
    with pytest.raises(PlainlyError, match="says tokenizer spacy, but you say 13a"):
        library.evaluate(*texts, profile="easse-de", tokenizer="13a")
    with pytest.raises(PlainlyError, match="these texts are in 'en'"):
        library.evaluate(*texts, profile="easse-de", lang="en")
    with pytest.raises(PlainlyError, match="a profile has the settings of metrics"):
        library.evaluate(*texts, profile="easse-de", metrics=list(found.metrics.values()))


def test_a_formula_without_the_language_is_left_out(plainly: Any) -> None:
    for name, text in {"src": "De kat sliep.\n", "out": "De kat sliep.\n"}.items():
        Path(name).write_text(text, "utf-8")
    files = ("--sources", "src", "--references", "out", "--system", "a=out")
    done = plainly("score", *files, "--lang", "pt", "--profile", "easse-multi", "--no-intervals")
    assert "note: fre:textstat-0.7.5 is left out: textstat has no such formula for language 'pt'" in done.err
    assert "sari|lang:pt|tok:spacy|case:mixed|refs:1|" in done.printed


# Which metric a column of Table 9 is.
COLUMNS = {"BLEU": "bleu", "SARI": "sari", "FRE": "fre:textstat-0.7.5", "CR": "compression-ratio"}


@pytest.fixture(scope="module")
def deplain_web(shared: Path) -> Callable[[str], dict[str, Any]]:
    """The scores of all published systems on DEplain-web under a profile, by the command."""

    def scored(*arguments: str) -> dict[str, Any]:
        from plainly.cli import main

        path = Path("scores.json")
        given = [
            "--test-set",
            "deplain-web-test",
            "--against",
            "published",
            "--baselines",
            "identity,first-reference",
        ]
        assert main(["score", *given, *arguments, "--no-intervals", "--quiet", "-o", str(path)]) == 0
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))["systems"]
        return found

    return scored


def system_of(file: str) -> str:
    """What the catalogue calls the outputs of a file."""
    return {"_identity": "identity", "_reference": "first-reference"}.get(
        file, file.removeprefix("easse-multi:").partition(".txt")[0]
    )


@pytest.mark.slow
def test_easse_de_prints_the_numbers_of_table_9(
    shared: Path, deplain_web: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    more = "sari,bleu,fre,compression-ratio,wstf1,wstf2,wstf3,wstf4,levenshtein-similarity,exact-copies"
    found = deplain_web("--profile", "easse-de", "--metrics", more)
    # shared/oracle/easse_de.json: `paper_table_row` is Table 9 of the EASSE-DE paper as it is printed, all other
    # numbers were computed with the functions of EASSE-DE.
    oracle = json.loads((shared / "oracle" / "easse_de.json").read_text("utf-8"))["datasets"]["DEplain-web"]
    printed = 0
    for file, expected in oracle["systems"].items():
        if file == "_truncate":
            continue
        ours = found[system_of(file)]
        for column, label in COLUMNS.items():
            text = (expected.get("paper_table_row") or {}).get(column)
            if text is not None:
                printed += 1
                digits = len(text.partition(".")[2])
                assert f"{ours[label]['score']['value']:.{digits}f}" == text, (file, column)
        settings = expected["settings"]["spacy-de|lc=False"]
        for label, value in (
            *(("bleu", settings["BLEU"]), ("sari", settings["SARI"])),
            *((f"wstf{n}:textstat-0.7.5", settings["textstat_0.7.3"][f"WSTF{n}"]) for n in (1, 2, 3, 4)),
            *(
                (name.replace("_", "-"), expected["features"][name])
                for name in ("levenshtein_similarity", "exact_copies", "compression_ratio")
            ),
        ):
            assert ours[label]["score"]["value"] == pytest.approx(value, abs=1e-6), (file, label)
    assert printed == 4 * 12


@pytest.mark.slow
def test_easse_reads_german_as_it_reads_english(
    shared: Path, deplain_web: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAINLY_DATA", str(shared / "data"))
    found = deplain_web("--profile", "easse")
    oracle = json.loads((shared / "oracle" / "easse_de.json").read_text("utf-8"))["datasets"]["DEplain-web"]
    for file, expected in oracle["systems"].items():
        if file not in ("_reference", "_truncate"):
            ours, theirs = found[system_of(file)], expected["settings"]["13a|lc=True"]
            assert list(ours) == ["sari", "bleu"]  # FKGL is for English
            assert ours["bleu"]["score"]["value"] == pytest.approx(theirs["BLEU"], abs=1e-6)
            assert ours["sari"]["score"]["value"] == pytest.approx(theirs["SARI"], abs=1e-6)
