"""Tasks, answers (hostile ones too), exports that the command line reads, and the owner's summary."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.operations import load_typology, read_jsonl, read_yawat
from plainly.studio.kinds.base import Campaign, Given, Json, Kind, Material, Person
from plainly.studio.pictures import draw
from plainly.studio.texts import say

Work = tuple[list[Person], list[Given]]


def texts(count: int) -> list[tuple[str, str, str]]:
    return [(str(number), "a b", "a c") for number in range(count)]


# --- Tasks ----------------------------------------------------------------------------------------------------------


def test_everybody_gets_all_pairs_in_the_order_of_the_file(kind: Kind, campaign: Campaign) -> None:
    assert kind.tasks(campaign, 2, [[]]) == [{"pair": name} for name in "abcd"]


def test_shared_out_pairs_are_all_done_and_some_by_everybody(
    kind: Kind, read: Callable[..., Material], write: Callable[..., Path], tools: SimpleNamespace
) -> None:
    found = read({"pairs": write("pairs.csv", texts(50))}, sharing="shared", people=4, overlap=20)
    campaign = tools.campaign_of(found)
    everyone: list[list[Json]] = []
    for number in range(1, 5):
        everyone.append(kind.tasks(campaign, number, everyone))
    counts = Counter(task["pair"] for tasks in everyone for task in tasks)
    assert Counter(counts.values()) == {4: 10, 1: 40}, "10 of 50 for all, the other 40 once each"
    assert {len(tasks) for tasks in everyone} == {20}
    redone = kind.tasks(campaign, 5, [everyone[0], [], *everyone[2:]])  # the second one was deleted
    assert redone == everyone[1]


def test_random_order_is_one_for_each_and_the_same_each_time(
    kind: Kind, read: Callable[..., Material], write: Callable[..., Path], tools: SimpleNamespace
) -> None:
    campaign = tools.campaign_of(read({"pairs": write("pairs.csv", texts(50))}, order="random"))
    first, second = (kind.tasks(campaign, number, []) for number in (1, 2))
    assert first != second
    assert first == kind.tasks(campaign, 1, [])
    assert sorted(task["pair"] for task in first) == sorted(task["pair"] for task in second)


# --- Answers --------------------------------------------------------------------------------------------------------


def test_an_answer_is_kept_with_its_groups_in_order(kind: Kind, campaign: Campaign, tools: SimpleNamespace) -> None:
    group = tools.group
    raw = tools.answer(group([], [3], "split"), group([4], [4], "synonym"), group([1], [1], "synonym"))
    kept = kind.checked(campaign, {"pair": "a"}, raw)
    assert [one["label"] for one in kept["groups"]] == ["synonym", "synonym", "split"]
    assert kind.done(kept)
    assert not kind.done(kind.checked(campaign, {"pair": "a"}, tools.answer(done=False)))


def usual(**changes: Any) -> dict[str, Any]:
    return {"groups": [], "erroneous": False, "done": True, "seconds": 1} | changes


def one(source: Any, target: Any, label: Any, **more: Any) -> dict[str, Any]:
    return usual(groups=[{"source": source, "target": target, "label": label, **more}])


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (None, "must be an object"),
        ([], "must be an object"),
        ({}, "lacks done"),
        (usual(more=1), "no 'more'"),
        (usual(groups=None), "groups must be a list"),
        (usual(groups=[{}] * 100), "no more groups than there are words"),
        (usual(groups=["x"]), "a group must be an object"),
        (usual(erroneous=1), "erroneous must be"),
        (usual(done="yes"), "done must be"),
        (usual(seconds=-1), "seconds"),
        (usual(seconds=float("nan")), "seconds"),
        (usual(seconds=10**400), "seconds"),
        (usual(seconds="1"), "seconds"),
        (usual(seconds=True), "seconds"),
        (one([1], [1], 5), "label of a group must be text"),
        (one([1], [1], "nonsense"), "unknown label"),
        (one([1], [1], "err"), "marked as a whole"),
        (one([1], [1], "syn"), "unknown label"),
        (one([1.5], [1], "synonym"), "whole numbers"),
        (one([True], [1], "synonym"), "whole numbers"),
        (one({"0": 1}, [1], "synonym"), "whole numbers"),
        (one([10**5000], [1], "synonym"), "whole numbers"),
        (one([99], [1], "synonym"), "out of range"),
        (one([-1], [1], "synonym"), "out of range"),
        (one([1, 1], [1], "synonym"), "sorted and different"),
        (one([], [], "synonym"), "has no token"),
        (one([1], [], "synonym"), "can only stand on both sides"),
        (one([1], [], "inmod"), "can only stand in the target alone"),
        (one([], [1], "delmod"), "can only stand in the source alone"),
        (one([1], [1], "delmod"), "can only stand in the source alone"),
        (one([1], [1], "synonym", confidence=1), "no 'confidence'"),
        (
            usual(
                groups=[
                    {"source": [1], "target": [1], "label": "synonym"},
                    {"source": [1], "target": [], "label": "delmod"},
                ]
            ),
            "in two groups",
        ),
    ],
)
def test_answers_that_cannot_be_are_refused(kind: Kind, campaign: Campaign, answer: Any, complaint: str) -> None:
    with pytest.raises(PlainlyError, match=complaint):
        kind.checked(campaign, {"pair": "a"}, answer)


def test_without_the_flag_among_the_labels_no_pair_is_faulty(
    kind: Kind, read: Callable[..., Material], write: Callable[..., Path], tools: SimpleNamespace
) -> None:
    label = (
        "{name: kurz, title: K, shapes: [both], computational: replace, linguistic: lexical, yawat: k, "
        "definition: D, example_source: a, example_target: b}"
    )
    own = write("own.yaml", f"name: ours\nlang: de\nlabels:\n  - {label}\n")
    campaign = tools.campaign_of(read({"pairs": write("pairs.csv"), "typology": own}))
    assert kind.public(campaign)["flag"] is None
    assert kind.guide(campaign, "en") == {}, "our guide is of our labels"
    assert not kind.shown(campaign, {"pair": "a"})["flaggable"]
    with pytest.raises(PlainlyError, match="cannot be marked as faulty"):
        kind.checked(campaign, {"pair": "a"}, tools.answer(erroneous=True))
    kept = kind.checked(campaign, {"pair": "a"}, tools.answer(tools.group([1], [1], "kurz")))
    files = {file.name: file.content for file in kind.exports(campaign, [], [])}
    path = write("again.yaml", files["typology.yaml"])
    assert load_typology(path).get("kurz").definition == "D"
    assert kept["groups"]


def test_the_page_gets_what_it_shows(kind: Kind, campaign: Campaign) -> None:
    public = kind.public(campaign)
    assert len(public["labels"]) == 26
    assert public["flag"]["name"] == "err"
    shown = kind.shown(campaign, {"pair": "a"})
    assert shown["source"][:2] == ["The", "feline"]
    assert shown["draft"] == {"groups": [], "erroneous": False, "done": False, "seconds": 0}
    json.dumps([public, shown], allow_nan=False)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_guide_has_words_and_an_example_for_every_label(kind: Kind, campaign: Campaign, lang: str) -> None:
    spoken = say(lang)
    public, guide = kind.public(campaign), kind.guide(campaign, lang)
    json.dumps(guide, allow_nan=False)
    for label in [*public["labels"], public["flag"]]:
        assert spoken(f"operations.label.{label['name']}") != f"operations.label.{label['name']}"
        entry = guide["labels"][label["name"]]
        assert entry["text"]
        assert any(not example["wrong"] for example in entry["examples"])
    assert all(rule["title"] and rule["text"] for rule in guide["rules"])


# --- Exports --------------------------------------------------------------------------------------------------------


@pytest.fixture
def exported(kind: Kind, campaign: Campaign, work: Work, tmp_path: Path) -> Path:
    folder = tmp_path / "exported"
    folder.mkdir()
    for file in kind.exports(campaign, *work):
        (folder / file.name).write_text(file.content, "utf-8", newline="")
    return folder


def test_exports_are_read_back_exactly(exported: Path, work: Work) -> None:
    names = sorted(path.name for path in exported.iterdir())
    assert names == ["P001.aln", "P001.crp", "P002.aln", "P002.crp", "annotations.jsonl", "work.csv"]
    pairs = read_jsonl(exported / "annotations.jsonl")
    done = [one for one in work[1] if one.answer["done"]]
    assert len(pairs) == len(done) == 7
    for pair, given in zip(pairs, done, strict=True):
        assert pair.annotator == given.person.code
        assert [vars(group) | {"confidence": None} for group in pair.operations] == [
            {"source": tuple(g["source"]), "target": tuple(g["target"]), "label": g["label"], "confidence": None}
            for g in given.answer["groups"]
        ]
        assert pair.erroneous == given.answer["erroneous"]
    for code in ("P001", "P002"):
        yawat = read_yawat(exported / f"{code}.aln", crp=exported / f"{code}.crp", annotator=code)
        assert yawat == [pair for pair in pairs if pair.annotator == code]


def test_work_is_listed_with_times_and_without_formulas(
    kind: Kind, read: Callable[..., Material], write: Callable[..., Path], tools: SimpleNamespace
) -> None:
    campaign = tools.campaign_of(read({"pairs": write("pairs.csv", [("=1+1", "a", "b")])}))
    who = tools.person(1)
    given = tools.given(kind, campaign, who, {"=1+1": tools.answer(seconds=12.3456)})
    content = next(file.content for file in kind.exports(campaign, [who], given) if file.name == "work.csv")
    (row,) = csv.DictReader(io.StringIO(content))
    assert row["id"] == "'=1+1"
    assert (row["annotator"], row["done"], row["seconds"], row["groups"]) == ("P001", "true", "12.346", "0")


def test_several_simplifications_of_a_source_get_yawat_files_of_their_own(
    kind: Kind, read: Callable[..., Material], write: Callable[..., Path], tools: SimpleNamespace
) -> None:
    rows = [{"id": "1", "source": "a b", "target": "a", "origin": origin} for origin in ("sys a", "../b")]
    campaign = tools.campaign_of(read({"pairs": write("pairs.jsonl", rows)}))
    who = tools.person(1)
    gone = tools.answer(tools.group([1], [], "delmod"))
    given = tools.given(kind, campaign, who, dict.fromkeys(("1 (sys a)", "1 (../b)"), gone))
    names = [file.name for file in kind.exports(campaign, [who], given)]
    assert names[2:] == ["P001-1-sys-a.aln", "P001-1-sys-a.crp", "P001-2-b.aln", "P001-2-b.crp"]


def test_nothing_answered_is_fine(kind: Kind, campaign: Campaign) -> None:
    files = {file.name: file.content for file in kind.exports(campaign, [], [])}
    assert files["annotations.jsonl"] == ""
    found = kind.summary(campaign, [], [], say("en"))
    assert [headline.number.value for headline in found.headlines[:2]] == [0, 0]
    assert all(math.isnan(headline.number.value) for headline in found.headlines[2:])
    assert not found.pictures


# --- The summary ----------------------------------------------------------------------------------------------------


def test_agreement_is_that_of_the_command_line_on_the_export(
    kind: Kind, campaign: Campaign, work: Work, exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["operations", "agreement", "--annotations", str(exported / "annotations.jsonl"), "--format", "json"]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    found = kind.summary(campaign, *work, say("en"))
    numbers = {headline.label: headline.number for headline in found.headlines}
    for side, word in (("source", "source"), ("target", "simplification")):
        row = next(row for row in told["overall"] if (row["variant"], row["side"]) == ("labels", side))
        for name, key in (("kappa of Davies and Fleiss", "davies_fleiss"), ("Krippendorff’s alpha", "alpha")):
            number = numbers[f"Agreement, {word}: {name}"]
            assert {**number.to_dict(), "n": number.n} == row[key]
    kappas = next(table for table in found.tables if "Cohen" in table.title)
    theirs = [row["kappa"]["value"] for row in told["kappas"] if row["variant"] == "labels"]
    assert [row[4]["value"] for row in kappas.rows if row[2] == "all labels"] == theirs


def test_frequencies_are_those_of_the_command_line_on_the_export(
    kind: Kind, campaign: Campaign, work: Work, exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["operations", "stats", "--annotations", str(exported / "annotations.jsonl"), "--format", "json"]
    assert main([*arguments, "--quiet"]) == 0
    told = {row["name"]: row for row in json.loads(capsys.readouterr().out)["labels"]}
    table = next(t for t in kind.summary(campaign, *work, say("en")).tables if t.title.startswith("How common"))
    assert len(table.rows) == sum(row["pairs"]["count"] > 0 for row in told.values())
    named = {say("en")(f"operations.label.{name}"): row for name, row in told.items()}
    for label, groups, pairs, percent in table.rows:
        row = named[label]
        assert (groups, pairs) == (row["groups"]["count"], row["pairs"]["count"])
        assert percent == row["pairs"]["percent"]


def test_the_report_has_all_tables_of_the_command_line(
    kind: Kind, campaign: Campaign, work: Work, exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = kind.report(campaign, *work, "2026-03-01")
    assert page is not None
    for action in ("stats", "agreement"):
        call = ["operations", action, "--annotations", str(exported / "annotations.jsonl"), "--format", "html"]
        assert main(call) == 0
        tables = re.findall(r"(?s)<table>.*?</table>", capsys.readouterr().out)
        assert tables
        assert [table for table in tables if table not in page] == []
    assert kind.report(campaign, [], [], "2026-03-01") is None


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_summary_is_told_in_the_readers_language(kind: Kind, campaign: Campaign, work: Work, lang: str) -> None:
    found = kind.summary(campaign, *work, say(lang))
    words = [word for headline in found.headlines for word in (headline.label, headline.note)]
    words += [word for table in found.tables for word in (table.title, table.note, *table.columns)]
    words += [word for picture in found.pictures for word in (picture.title, picture.words)]
    for word in words:
        assert "operations." not in word
        assert not re.search(r"\{\w+\}", word), word
    for table in found.tables:
        assert {len(row) for row in table.rows} == {len(table.columns)}, table.title
    assert [picture.name for picture in found.pictures] == [
        "labels",
        "agreement-source",
        "agreement-target",
        "matrix",
    ]
    json.dumps([picture.spec for picture in found.pictures], allow_nan=False)


def test_the_owner_is_told_of_faulty_pairs_with_other_labels(kind: Kind, campaign: Campaign, tools: Any) -> None:
    both = tools.answer(tools.group([1], [1], "synonym"), erroneous=True)
    given = tools.given(kind, campaign, tools.person(1), {"a": both, "d": tools.answer(erroneous=True)})
    notes = kind.summary(campaign, [tools.person(1)], given, say("en")).notes
    assert "faulty pairs that have other labels too: 1; the flag stands alone; see pair a (P001)" in notes


def test_pictures_can_be_drawn(kind: Kind, campaign: Campaign, work: Work) -> None:
    pytest.importorskip("vl_convert", reason="vl-convert-python is not installed")
    for picture in kind.summary(campaign, *work, say("en")).pictures:
        (width,) = re.findall(r'<svg[^>]* width="([\d.]+)"', draw(picture.spec, 340))
        assert float(width) > 300, picture.name


def test_the_most_contested_pair_comes_first(kind: Kind, campaign: Campaign, work: Work) -> None:
    table = next(t for t in kind.summary(campaign, *work, say("en")).tables if "disagree most" in t.title)
    # a: words 1 and 4 of the source and of the target; 4 of 8 + 8. b: source 0, 4, 7 and target 0; 4 of 11 + 6.
    # c: target 2; 1 of 6 + 6.
    shares = {"a": 4 / 16, "b": 4 / 17, "c": 1 / 12}
    assert [row[0] for row in table.rows] == ["a", "b", "c"]
    assert [row[2] for row in table.rows] == pytest.approx([100 * shares[row[0]] for row in table.rows])


def test_odd_annotators_are_pointed_at(
    kind: Kind, read: Callable[..., Material], write: Callable[..., Path], tools: SimpleNamespace
) -> None:
    draft = [{"source": [1], "target": [1], "label": "synonym"}]
    rows = [{"id": str(i), "source": ["a", "b"], "target": ["a", "c"], "groups": draft} for i in range(12)]
    campaign = tools.campaign_of(read({"pairs": write("pairs.jsonl", rows)}, start="file"))
    group, answer = tools.group, tools.answer
    careful = {
        str(i): answer(group([1], [1], "hyperonym" if i % 2 else "hyponym"), seconds=30 + i) for i in range(12)
    }
    kept = {str(i): answer(group([1], [1], "synonym"), seconds=25) for i in range(12)}
    hasty = {name: one | {"seconds": 0.3} for name, one in careful.items()}
    idle = {str(i): answer(seconds=28) for i in range(12)}
    people = [tools.person(number, 12) for number in range(1, 5)]
    given = [
        one
        for who, answers in zip(people, (careful, kept, hasty, idle), strict=True)
        for one in tools.given(kind, campaign, who, answers)
    ]
    found = kind.summary(campaign, people, given, say("en")).suspicious
    assert set(found) == {"P002", "P003", "P004"}
    assert any("Hardly ever changes the draft: 12 of 12" in reason for reason in found["P002"])
    assert any("only one label: Synonym, 100 % of 12" in reason for reason in found["P002"])
    assert len(found["P003"]) == 1
    assert "0.3 seconds" in found["P003"][0]
    assert found["P004"] == ("Marks nothing, although texts differ in 12 pairs.",)


def test_participants_are_not_told_which_system_wrote_a_pair(kind: Kind, read: Any, write: Any, tools: Any) -> None:
    rows = [{"id": "1", "system": "secretive-7b", "source": "a b", "simplification": "a c"}]
    material = read({"pairs": write("pairs.jsonl", rows)})
    assert material.items[0].name == "1 (secretive-7b)"
    campaign = Campaign("c", "operations", "Who?", "en", 1, material.settings, material.items)
    [task] = kind.tasks(campaign, 1, [])
    assert "secretive" in json.dumps(task)
    assert "secretive" not in json.dumps([kind.shown(campaign, task), kind.public(campaign)])
