"""The kind `ratings`: files, pages, checks, answers, exports, and a summary that is the command line's."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.ratings import analyse, read_ratings
from plainly.studio.kinds.base import Campaign, Json
from plainly.studio.kinds.ratings import scales
from plainly.studio.kinds.ratings.pages import nonsense
from plainly.studio.texts import say

from .conftest import SOURCES, answers, lines

Make = Callable[..., Campaign]
CHECKS = (
    "id,source,output,fluency,meaning\nk1,A dog barks.,dog A barks the the.,1..2,\nk2,A dog barks.,A dog barks.,,5\n"
)


# --- Files ----------------------------------------------------------------------------------------------------------


def test_wide_long_and_nested_say_the_same(make: Make) -> None:
    wide = "id,source,cut,plain,reference\n"
    long = "id,source,system,output,role\n"
    for number, source in enumerate(SOURCES, 1):
        cut, plain, good = f"{' '.join(source.split()[:5])}.", f"Simple text {number}.", f"Good text {number}."
        wide += f"s{number},{source},{cut},{plain},{good}\n"
        for system, text, role in (("cut", cut, ""), ("plain", plain, "output"), ("reference", good, "reference")):
            long += f"s{number},{source},{system},{text},{role}\n"
    nested = make()
    assert make(wide, name="w.csv").items == make(long, name="l.csv").items == nested.items
    assert [output["role"] for output in nested.items[0].content["outputs"]] == ["output", "output", "reference"]


def test_what_the_owner_sees(kind: Any, options: Callable[..., Json], tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    path.write_text(f"id,source,lang,a,b\n1,One two three four five.,en,{'x' * 200},\n2,Two.,en,c,d\n")
    material = kind.read({"outputs": path}, options(assignment="shared", load=1))
    assert material.columns == ("id", "source", "a", "b")
    assert material.rows[1] == ("2", "Two.", "c", "d")
    assert len(material.rows[0][2]) == 120
    assert material.lang == "en"
    assert material.notes == (
        "sources: 2, outputs: 3, systems: 2, references: 0",
        "empty outputs, which are left out: 1",
        "each participant: 1 output and 1 attention check, on 2 pages",
        "6 participants are needed for 3 raters of each source",
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,source,a\n1,,x\n", r"o.csv:2: source is empty"),
        ("id,source,a\n1,s,\n", r"o.csv:2: 1 has no output to rate"),
        ("id,source,a\n1,s,x\n1,s,y\n", r"o.csv:3: id 1 is there twice, first at o.csv:2"),
        ("id,source,system,output\n1,s,x,t\n1,other,y,t\n", r"o.csv:3: 1 has another source at o.csv:2"),
        ("id,source,system,output\n1,s,x,t\n1,s,x,u\n", r"o.csv:3: the output of x for 1 is there twice"),
        ("id,source,system,output\n1,s,x,\n", r"o.csv:2: x is empty"),
        ("id,source,system\n1,s,x\n", r"o.csv:2: output is missing; one row an output has"),
        ("id,source,system,output,role\n1,s,x,t,check\n", r"o.csv:2: role must be output or reference, not check"),
        (
            "id,source,system,output,role\n1,s,x,t,\n2,s,x,t,reference\n",
            r"o.csv:3: x is an output here and a reference elsewhere",
        ),
        ("id,source,check-copy\n1,s,x\n", r"o.csv:2: a system cannot be called check-copy"),
        ("id,source,=cmd()\n1,s,x\n", r"o.csv:2: a spreadsheet would take =cmd\(\) for a formula"),
        ("id,source,a\n@1,s,x\n", r"o.csv:2: a spreadsheet would take @1 for a formula"),
        ("id,source,a\n,s,x\n", r"o.csv:2: id must be one line"),
        ("source,a\ns,x\n", r"o.csv: needs id and source; found source, a"),
        ("id,source,a\n", r"o.csv: there are no outputs to rate"),
        (f"id,source,a\n1,s,{'x' * 20_001}\n", r"o.csv:2: a has more than 20,000 characters"),
        ("id,source,a\n" + "".join(f"{n},s,x\n" for n in range(2001)), r"2001 pages are too many"),
    ],
)
def test_outputs_that_are_refused(make: Make, content: str, message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        make(content, name="o.csv")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,source,output,fluency\nk,s,o,9\n", r"checks.csv:2: fluency must lie within 1..5, not 9"),
        ("id,source,output,fluency\nk,s,o,low\n", r"checks.csv:2: fluency must be a number or a range"),
        ("id,source,output,fluency\nk,s,o,\n", r"checks.csv:2: a check needs an expected value"),
        ("id,source,output,fluency\ns1,s,o,1\n", r"checks.csv:2: id s1 is there twice, or names a source"),
        ("id,source,output,fluency\nk,s,,1\n", r"checks.csv:2: output is empty"),
    ],
)
def test_checks_that_are_refused(make: Make, content: str, message: str) -> None:
    with pytest.raises(PlainlyError, match=message):
        make(check_file=content)


def test_scales_in_lines() -> None:
    found = scales.read_scales(["fluency", "", " fun | Is it fun? | dull | great fun "])
    assert scales.as_settings(found) == [
        {"name": "fluency", "question": "", "low": "", "high": ""},
        {"name": "fun", "question": "Is it fun?", "low": "dull", "high": "great fun"},
    ]
    assert scales.read_scales("a\nb | B?") == scales.read_scales(["a", "b | B?"])
    for wrong, message in (
        ([], "1 to 12 scales, not 0"),
        (["a"] * 2, "a is there twice"),
        (["a|b|c|d|e"], "name | question | low end"),
        (["|q"], "needs a name"),
        (["=a"], "formula"),
        (["a|" + "q" * 301], "300 characters at most"),
        ([f"s{n}" for n in range(13)], "not 13"),
    ):
        with pytest.raises(PlainlyError, match=message.replace("|", r"\|")):
            scales.read_scales(wrong)


# --- Pages ----------------------------------------------------------------------------------------------------------


def test_one_output_a_page_in_rounds(kind: Any, make: Make) -> None:
    campaign = make(checks=0)
    tasks = kind.tasks(campaign, 1, [])
    assert len(tasks) == 18
    assert Counter((task["item"], task["outputs"][0]["system"]) for task in tasks).most_common(1)[0][1] == 1
    for start in (0, 6, 12):  # each round has every source once
        assert len({task["item"] for task in tasks[start : start + 6]}) == 6
    assert tasks == kind.tasks(campaign, 1, [])
    assert tasks != kind.tasks(campaign, 2, [])


def test_together(kind: Any, make: Make) -> None:
    campaign = make(layout="together")
    tasks = kind.tasks(campaign, 1, [])
    assert sorted(task["item"] for task in tasks) == [f"s{n}" for n in range(1, 7)]
    checks = [output for task in tasks for output in task["outputs"] if output["role"] == "check"]
    assert len(checks) == 2  # a tenth of 18, rounded up, on pages of their sources
    orders = {tuple(o["system"] for o in task["outputs"] if o["role"] != "check") for task in tasks}
    assert len(orders) > 1


def test_shared_out(kind: Any, make: Make) -> None:
    campaign = make(assignment="shared", raters=2, load=4)
    plans: list[list[Json]] = []
    for number in range(1, 5):
        plans.append(kind.tasks(campaign, number, plans))
    sources = [{task["item"] for task in plan} for plan in plans]
    assert [len(names) for names in sources] == [4, 4, 4, 0]
    assert set(Counter(name for names in sources for name in names).values()) == {2}
    for plan in plans[:3]:  # all outputs of a source by the same person
        outputs = Counter(task["item"] for task in plan if task["outputs"][0]["role"] != "check")
        assert set(outputs.values()) == {3}
    assert kind.tasks(campaign, 0, plans), "a preview shows pages, whatever was given out"


def test_made_checks_have_right_answers(kind: Any, make: Make) -> None:
    campaign = make(checks=0.5)
    tasks = kind.tasks(campaign, 1, [])
    found = [(task["item"], output) for task in tasks for output in task["outputs"] if output["role"] == "check"]
    assert Counter(output["system"] for _, output in found) == {"check-copy": 5, "check-nonsense": 4}
    for name, output in found:
        source = campaign.by_name[name].content["source"]
        if output["system"] == "check-copy":
            assert (output["text"], output["expected"]) == (source, {"meaning": "4..5"})
        else:
            assert sorted(output["text"].split()) == sorted(source.split())
            assert output["text"] != source
            assert output["expected"] == {"fluency": "1..2"}
    assert tasks[0]["outputs"][0]["role"] != "check", "the first page teaches what the task is"


def test_no_check_that_nobody_could_pass(kind: Any, make: Make) -> None:
    hidden = make(source=False, scales=["meaning"])
    assert all(output["role"] != "check" for task in kind.tasks(hidden, 1, []) for output in task["outputs"])
    assert make(scales=["fun"], copy_scale="").settings["nonsense_scale"] == "fluency"
    with pytest.raises(PlainlyError, match="there is no scale fluencey for attention checks"):
        make(nonsense_scale="fluencey")
    draw = np.random.default_rng(1)
    assert nonsense("Too short.", draw) == ""
    assert nonsense("a a a a a a a", draw) == ""
    mixed = nonsense("昨日友人と映画を見に行きました", draw)
    assert mixed != "昨日友人と映画を見に行きました"
    assert sorted(mixed) == sorted("昨日友人と映画を見に行きました")


@pytest.mark.parametrize(
    ("whole", "low", "high"),
    [((1, 5), "1..2", "4..5"), ((1, 7), "1..3", "5..7"), ((1, 2), "1", "2"), ((0, 100), "0..40", "60..100")],
)
def test_ends_of_scales(whole: tuple[int, int], low: str, high: str) -> None:
    assert str(scales.low_end(scales.Range(*whole))) == low
    assert str(scales.high_end(scales.Range(*whole))) == high


def test_checks_of_a_file(kind: Any, make: Make) -> None:
    campaign = make(check_file=CHECKS)
    tasks = kind.tasks(campaign, 3, [])
    own = [task for task in tasks if task["item"] in ("k1", "k2")]
    assert sorted(task["outputs"][0]["expected"].popitem() for task in own) == [("fluency", "1..2"), ("meaning", "5")]
    assert tasks[0] not in own


def test_nothing_gives_an_answer_away(kind: Any, make: Make) -> None:
    campaign = make(check_file=CHECKS, layout="together")
    for task in kind.tasks(campaign, 1, []):
        shown = kind.shown(campaign, task)
        assert set(shown) == {"source", "outputs"}
        assert all(isinstance(text, str) for text in shown["outputs"])
    assert kind.shown(make(source=False), kind.tasks(campaign, 1, [])[0])["source"] is None
    assert "expected" not in json.dumps(kind.public(campaign))
    assert kind.public(make(answers="slider"))["highest"] == 100


# --- Answers --------------------------------------------------------------------------------------------------------


def test_answers_that_are_kept_and_refused(kind: Any, make: Make) -> None:
    campaign = make(scales=["a", "b"])
    task = kind.tasks(campaign, 1, [])[0]
    fine = {"ratings": [{"b": 5, "a": None}]}
    assert kind.checked(campaign, task, fine) == {"ratings": [{"a": None, "b": 5}]}
    for wrong in (
        None,
        [],
        {},
        {"ratings": []},
        {"ratings": [{"a": 1}]},
        {"ratings": [{"a": 1, "b": 2, "c": 3}]},
        {"ratings": [{"a": 1, "b": 6}]},
        {"ratings": [{"a": 1, "b": 0}]},
        {"ratings": [{"a": 1, "b": 2.0}]},
        {"ratings": [{"a": 1, "b": True}]},
        {"ratings": [{"a": 1, "b": "2"}]},
        {"ratings": [{"a": 1, "b": float("nan")}]},
        {"ratings": [[1, 2]]},
        {"ratings": [{"a": 1, "b": 2}] * 2},
        {"ratings": [{"a": 1, "b": 2}], "more": 1},
    ):
        with pytest.raises(PlainlyError):
            kind.checked(campaign, task, wrong)
    with pytest.raises(PlainlyError, match="a value is needed"):
        kind.checked(make(scales=["a", "b"], unsure=False), task, fine)
    assert kind.checked(make(scales=["a"], answers="slider"), task, {"ratings": [{"a": 0}]})


# --- Exports and summary --------------------------------------------------------------------------------------------


def honest(number: int, output: Json, scale: str) -> int | None:
    """The reference is best, then `plain`; checks are answered rightly; the third participant is careless."""
    if number == 3:
        return 5
    if output["role"] == "check":
        return 1 if "nonsense" in output["system"] else 5
    if scale == "simplicity" and output["system"] == "cut" and number == 2:
        return None
    return {"cut": 2, "plain": 3, "reference": 5}[output["system"]] - (number == 2)


def test_the_command_line_reads_the_export(kind: Any, make: Make, tmp_path: Path, capsys: Any) -> None:
    campaign = make()
    given = answers(kind, campaign, 3, honest)
    people = [each.person for each in given]
    files = {file.name: file.content for file in kind.exports(campaign, people, given)}
    assert set(files) == {"ratings.csv", "ratings.jsonl", "outputs.jsonl"}
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    assert main(["ratings", "score", str(tmp_path / "ratings.csv"), "--format", "json"]) == 0
    content = json.loads(capsys.readouterr().out)
    found = analyse(read_ratings(tmp_path / "ratings.jsonl"))
    assert {"plainly": content["plainly"], **found.to_dict()} == content
    summary = kind.summary(campaign, people, given, say("en"))
    assert summary.signatures == (content["signature"],)
    means = {(row[0], row[1]): row[7]["value"] for row in summary.tables[0].rows}
    assert means == {(row["scale"], row["system"]): row["mean"]["value"] for row in content["systems"]}
    # cut: 2, 1 and 5 of every source; plain: 3, 2 and 5; the reference 5, 4 and 5.
    assert means["fluency", "cut"] == pytest.approx(8 / 3)
    assert means["fluency", "plain"] == pytest.approx(10 / 3)
    assert means["fluency", "reference"] == pytest.approx(14 / 3)
    assert means["simplicity", "cut"] == pytest.approx(7 / 2)
    assert [headline.number.value for headline in summary.headlines[:2]] == [3 * 18 * 3 - 6, 1]
    alphas = {row["scale"]: row["alpha"]["value"] for row in content["agreement"]}
    assert [headline.number.value for headline in summary.headlines[2:]] == list(alphas.values())
    assert summary.suspicious.keys() == {"P003"}
    assert "failed 1 of 2 attention checks" in summary.suspicious["P003"]
    again = make(files["outputs.jsonl"])
    assert again.items == campaign.items


def test_the_report_has_all_tables_of_the_command_line(kind: Any, make: Make, tmp_path: Path, capsys: Any) -> None:
    campaign = make()
    given = answers(kind, campaign, 3, honest)
    [file] = [one for one in kind.exports(campaign, [], given) if one.name == "ratings.csv"]
    (tmp_path / "ratings.csv").write_text(file.content, encoding="utf-8")
    page = kind.report(replace(campaign, name="Is <this> plain?"), [], given, "2026-03-01")
    tables = ["systems", "pairs", "agreement", "raters", "contested"]
    for name in tables:
        call = ["ratings", "score", str(tmp_path / "ratings.csv"), "--table", name, "--format", "html"]
        assert main(call) == 0
        assert re.findall(r"(?s)<table>.*</table>", capsys.readouterr().out)[0] in page, name
    assert page.count("<table>") == len(tables)
    assert "<h1>Is &lt;this&gt; plain?</h1>\n<p>2026-03-01</p>" in page
    assert kind.report(campaign, [], [], "2026-03-01") is None


def test_an_export_says_who_raters_are(kind: Any, make: Make) -> None:
    campaign = make()
    (given, *_) = answers(kind, campaign, 1, honest)
    given = replace(given, person=replace(given.person, fields={"audience": "adults", "role": "teacher"}))
    (file,) = [file for file in kind.exports(campaign, [given.person], [given]) if file.name == "ratings.csv"]
    rows = list(csv.DictReader(io.StringIO(file.content)))
    assert {row["audience"] for row in rows} == {"adults"}
    assert {row["form_role"] for row in rows} == {"teacher"}, "role is a column of ratings itself"


def test_the_dashboard_says_the_main_thing_and_shows_whole_scales(kind: Any, make: Make) -> None:
    campaign = make()
    given = answers(kind, campaign, 3, honest)
    summary = kind.summary(campaign, [], given, say("de"))
    assert summary.message[0].startswith("Bisher höchste Mittelwerte: plain bei Sprachfluss (Mittelwert 3,33)")
    assert "Keiner der 3 Unterschiede" in summary.message[1]  # two systems on three scales
    assert summary.tables[0].rows[0][0] == "Sprachfluss"
    for picture in summary.pictures:
        for layer in picture.spec["layer"]:
            assert layer["encoding"]["x"]["scale"]["domain"] == [1, 5]


def test_equals_are_no_best_and_nothing_is_sure_without_a_test(kind: Any, make: Make) -> None:
    campaign = make(checks=0)
    alike = answers(kind, campaign, 3, lambda number, output, scale: 4)
    first, second = kind.summary(campaign, [], alike, say("en")).message
    assert first.startswith("Highest means so far: cut, plain alike in fluency (mean 4.00 each); ")
    assert second.startswith("Nothing is sure yet: ")
    alone = [one for one in alike if one.person.code == "P001"][:2]
    assert "Nothing is sure yet" in kind.summary(campaign, [], alone, say("en")).message[-1]


def test_failed_checks_are_said_beside_the_means(kind: Any, make: Make) -> None:
    campaign = make(checks=0.5)

    def careless(number: int, output: Json, scale: str) -> int:
        return 3  # neither high nor low: every check is failed

    everybody = kind.summary(campaign, [], answers(kind, campaign, 3, careless), say("en"))
    assert everybody.message[-1].startswith("Careful: everybody failed attention checks")
    given = [one for one in answers(kind, campaign, 3, careless) if one.person.code == "P003"]
    mixed = kind.summary(campaign, [], [*answers(kind, campaign, 2, honest), *given], say("en"))
    assert mixed.message[-1] == "Careful: 1 of 3 people failed attention checks (P003)."


def test_nobody_reads_so_fast_even_if_all_raters_do(kind: Any, make: Make, tmp_path: Path, capsys: Any) -> None:
    """Pages of about 60 words in 0.4 seconds; no rater is quicker than the others."""
    long = [{"id": f"s{i}", "source": f"{i} " + "word " * 29, "outputs": {"x": "text " * 30}} for i in range(6)]
    campaign = make("".join(json.dumps(row) + "\n" for row in long), checks=0)
    given = answers(kind, campaign, 3, lambda number, output, scale: 1 + number, seconds=0.4)
    found = kind.summary(campaign, [], given, say("en")).suspicious
    assert found.keys() == {"P001", "P002", "P003"}
    assert all("answers faster than anybody can read the texts" in own for own in found.values())
    calm = kind.summary(campaign, [], [replace(one, seconds=4.1) for one in given], say("en")).suspicious
    assert not any(
        "faster" in odd for own in calm.values() for odd in own
    )  # 60 words at 15 words a second: 4 seconds
    for file in kind.exports(campaign, [], given):
        (tmp_path / file.name).write_text(file.content, encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "ratings.csv").read_text())))
    assert {row["words"] for row in rows} == {"60"}
    assert main(["ratings", "score", str(tmp_path / "ratings.csv"), "--table", "raters"]) == 0
    assert capsys.readouterr().out.count("unread") == 3


def test_all_wrong_rows_are_named(kind: Any, make: Make) -> None:
    with pytest.raises(PlainlyError) as refused:
        make(lines(1) + "{}\n".replace("{}", '{"id": "", "source": "x"}') + '{"id": "z"}\n')
    assert ".jsonl:2: " in str(refused.value)
    assert ".jsonl:3: " in str(refused.value)


def test_checks_come_back_as_they_were(kind: Any, make: Make) -> None:
    campaign = make(check_file=CHECKS)
    files = {file.name: file.content for file in kind.exports(campaign, [], [])}
    assert [json.loads(line) for line in files["checks.jsonl"].splitlines()] == [
        {"id": "k1", "source": "A dog barks.", "output": "dog A barks the the.", "fluency": "1..2"},
        {"id": "k2", "source": "A dog barks.", "output": "A dog barks.", "meaning": "5"},
    ]


def test_nothing_yet(kind: Any, make: Make) -> None:
    campaign = make()
    files = {file.name: file.content for file in kind.exports(campaign, [], [])}
    assert files["ratings.csv"].count("\n") == 1
    assert files["ratings.jsonl"] == ""
    assert kind.summary(campaign, [], [], say("de")).message == ("Es gibt noch keine Bewertungen.",)


def test_a_single_participant(kind: Any, make: Make) -> None:
    campaign = make(lines(1))
    given = answers(kind, campaign, 1, lambda number, output, scale: 3)
    summary = kind.summary(campaign, [given[0].person], given, say("de"))
    json.dumps([table.rows for table in summary.tables], allow_nan=False)
    json.dumps([picture.spec for picture in summary.pictures], allow_nan=False)
    assert math.isnan(summary.headlines[-1].number.value)
    assert len(summary.pictures) == 3
