"""Exports and the dashboard: the command line reads the files and finds the same numbers."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plainly.cli import main
from plainly.ranking import read_judgements, read_texts
from plainly.ranking.formats import COLUMNS
from plainly.ranking.pair_files import read_pairs
from plainly.studio.kinds.ranking.kind import Ranking
from plainly.studio.kinds.ranking.results import RESAMPLES
from plainly.studio.texts import say

Make = Callable[..., Any]
KIND = Path(__file__).parents[3] / "src" / "plainly" / "studio" / "kinds" / "ranking"


@pytest.fixture
def judged(make: Make, crowd: Callable[..., Any]) -> Any:
    people = crowd(make(12, matches=6, ties=True, skip=True))
    for number in range(4):
        people.judge(fields={"level": "good" if number % 2 else "beginner", "rater": "=1+1"})
    people.judge(choice="skip")
    return people


@pytest.fixture
def exported(kind: Ranking, judged: Any, tmp_path: Path) -> Path:
    folder = tmp_path / "export"
    folder.mkdir()
    for file in kind.exports(judged.campaign, [], judged.given):
        (folder / file.name).write_bytes(file.content.encode("utf-8"))
    return folder


TITLES = {
    "texts": "Which texts are easy to read, which are hard, and how sure are we?",
    "raters": "How far does each rater agree with the yardstick?",
}


def grid(summary: Any, name: str) -> Any:
    return next(table for table in summary.tables if table.title == TITLES[name])


def headline(summary: Any, label: str) -> Any:
    return next(one.number for one in summary.headlines if one.label == say("en")(f"ranking.{label}"))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["ranking", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_command_line_finds_the_same_ranking(
    kind: Ranking, judged: Any, exported: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = kind.summary(judged.campaign, [], judged.given, say("en"))
    files = [
        "--judgements",
        str(exported / "judgements.csv"),
        "--texts",
        str(exported / "texts.jsonl"),
        "--resamples",
        str(RESAMPLES),
    ]
    found = run(capsys, "rate", *files)
    assert found["signature"] == summary.signatures[0]
    expected = [tuple(row[name] for name in ("text", "rating", "rank", "score", "matches")) for row in found["texts"]]
    assert [row[:5] for row in grid(summary, "texts").rows] == expected
    agreement = run(capsys, "agreement", *files)
    assert agreement["signature"] == summary.signatures[1]
    alpha = agreement["groups"][0]["alpha"]
    shown = headline(summary, "alpha")
    assert (shown.value, shown.low, shown.high) == (alpha["value"], alpha["low"], alpha["high"])
    kappas = [(row["rater"], row["kappa"]) for row in agreement["raters"]]
    assert [(row[0], row[4]) for row in grid(summary, "raters").rows] == kappas
    by_level = run(capsys, "agreement", *files, "--by", "level")
    assert [group["value"] for group in by_level["groups"]] == ["", "beginner", "good"]


def test_exports_are_the_files_of_the_ranking_room(judged: Any, exported: Path) -> None:
    judgements = read_judgements(exported / "judgements.csv")
    decided = [each for each in judged.given if each.answer["choice"] != "skip"]
    assert judgements.direction == "easier"
    assert [
        (item.first, item.second, item.winner, item.rater, item.seconds, item.match) for item in judgements.items
    ] == [
        (
            each.task["first"],
            each.task["second"],
            each.task[each.answer["choice"]],
            each.person.code,
            each.seconds,
            each.task["match"],
        )
        for each in decided
    ]
    assert [text.id for text in read_texts(exported / "texts.jsonl")] == [f"t{number}" for number in range(12)]
    assert len(read_pairs(exported / "pairs.csv")) == 36
    skipped = list(csv.DictReader(io.StringIO((exported / "skipped.csv").read_text())))
    assert len(skipped) == 36
    assert {row["rater"] for row in skipped} == {"P005"}


def test_no_cell_is_a_formula(exported: Path) -> None:
    for path in exported.glob("*.csv"):
        for row in csv.reader(io.StringIO(path.read_text())):
            assert not [cell for cell in row if re.match(r"[=+@\t\r]|-(?![0-9])", cell)]
    assert "form_rater" in (exported / "judgements.csv").read_text().splitlines()[0]


def test_before_the_first_answer(kind: Ranking, make: Make, strict_say: Any, tmp_path: Path) -> None:
    campaign = make(6)
    files = {file.name: file.content for file in kind.exports(campaign, [], [])}
    assert files["judgements.csv"] == ",".join(COLUMNS) + "\n"
    assert set(files) == {"judgements.csv", "texts.jsonl", "pairs.csv"}
    summary = kind.summary(campaign, [], [], strict_say)
    assert summary.headlines[0].number.value == 0
    assert summary.message == (strict_say("ranking.note.none"),)
    assert kind.report(campaign, [], [], "2026-03-01") is None


@pytest.mark.parametrize("question", ["easier", "harder"])
def test_summary_in_every_language(kind: Ranking, make: Make, crowd: Any, strict_say: Any, question: str) -> None:
    people = crowd(make(12, matches=6, question=question))
    for _ in range(3):
        people.judge(slope=2)
    people.judge(choice="first", seconds=0.5)
    summary = kind.summary(people.campaign, [], people.given, strict_say)
    assert [picture.name for picture in summary.pictures] == ["ranking", "raters"]
    assert set(summary.suspicious) == {"P004"}
    assert set(summary.suspicious["P004"]) >= {strict_say("ranking.flag.hasty"), strict_say("ranking.flag.one-sided")}
    json.dumps([table.rows for table in summary.tables], allow_nan=False)
    json.dumps([picture.spec for picture in summary.pictures], allow_nan=False)
    asked = {"en": "What is still uncertain?", "de": "Was ist noch unsicher?"}[strict_say.lang]
    uncertain = next(table for table in summary.tables if table.title == asked)
    assert len(uncertain.rows) > 0
    assert all(row[-1] > 0 for row in uncertain.rows)
    hard, easy = ("t0", "t11") if question == "easier" else ("t11", "t0")
    assert summary.message[0] == strict_say("ranking.message.ends", hard=hard, easy=easy)


def test_judgements_that_do_not_tell_texts_apart(
    make: Make, kind: Ranking, crowd: Any, strict_say: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everybody contradicts somebody: the note of the command line is here, too, and nothing looks like an order."""
    people = crowd(make(6, matches=5))
    for choice in ("first", "second") * 4:
        people.judge(choice=choice)
    given = [replace(one, task=people.given[place % 15].task) for place, one in enumerate(people.given)]
    summary = kind.summary(people.campaign, [], given, strict_say)
    for file in kind.exports(people.campaign, [], given):
        (tmp_path / file.name).write_text(file.content, encoding="utf-8")
    found = run(capsys, "rate", "--judgements", str(tmp_path / "judgements.csv"), "--resamples", str(RESAMPLES))
    if strict_say.lang == "en":
        assert list(summary.notes)[-len(found["notes"]) - 1 : -1] == found["notes"]
    assert any(note.startswith("the judgements do not tell the texts apart") for note in found["notes"])
    assert summary.message == (strict_say("ranking.message.alike"),)
    uncertain = {"What is still uncertain?", "Was ist noch unsicher?"}
    assert not uncertain & {table.title for table in summary.tables}  # no number of judgements is known to be enough
    assert {row[2]["value"] for row in summary.tables[0].rows} == {None}
    assert not re.search("[-−]0[.,]00", summary.pictures[0].words)


def test_skipped_pairs_are_no_answers(kind: Ranking) -> None:
    assert [kind.counts({}, {"choice": choice}) for choice in ("first", "tie", "skip")] == [True, True, False]


def test_the_chart_of_the_ranking_tells_the_wording(judged: Any, kind: Ranking) -> None:
    picture = kind.summary(judged.campaign, [], judged.given, say("en")).pictures[0]
    told = json.dumps(picture.spec)
    assert '{"field": "wording"}' in told
    assert all(row["wording"] for row in picture.spec["data"]["values"])


def test_pictures_can_be_drawn(judged: Any, kind: Ranking) -> None:
    vl_convert = pytest.importorskip("vl_convert", reason="vl-convert-python is not installed")
    for picture in kind.summary(judged.campaign, [], judged.given, say("en")).pictures:
        assert vl_convert.vegalite_to_svg(json.dumps(picture.spec)).startswith("<svg")
        assert picture.words


def test_one_participant_and_texts_that_nobody_judged(make: Make, kind: Ranking, crowd: Any, strict_say: Any) -> None:
    people = crowd(make(12, pairs_file="first,second\nt0,t1\nt2,t3\nt1,t4\n"))
    people.judge()
    summary = kind.summary(people.campaign, [], people.given, strict_say)
    assert any(re.search("2 (parts|Gruppen)", note) for note in summary.notes)
    assert strict_say("ranking.note.unjudged", count=7, all=12) in summary.notes
    alpha = summary.headlines[2]
    assert math.isnan(alpha.number.value)
    assert alpha.note == strict_say("ranking.alpha.none")
    assert "Which is easier?" in (kind.report(people.campaign, [], people.given, "2026-03-01") or "")


def test_two_participants_with_no_text_in_common(make: Make, kind: Ranking, crowd: Any, strict_say: Any) -> None:
    """As in the first minutes of a large study: the dashboard goes on, and says that it knows nothing yet."""
    people = crowd(make(12, pairs_file="first,second\nt0,t1\nt2,t3\n"))
    people.judge()
    people.judge()
    mine = people.given[0]
    theirs = next(one for one in people.given[2:] if one.task["match"] != mine.task["match"])
    apart = [mine, theirs]
    summary = kind.summary(people.campaign, [], apart, strict_say)
    assert len(summary.pictures) > 0
    assert summary.headlines[2].note == strict_say("ranking.alpha.none")
    assert kind.report(people.campaign, [], apart, "2026-03-01") is not None


def test_who_answers_before_reading_is_seen_even_alone(
    make: Make, kind: Ranking, crowd: Any, strict_say: Any
) -> None:
    """The texts have five words each: ten words in half a second are 0.05 seconds a word."""
    people = crowd(make(12, matches=6))
    people.judge(seconds=0.5)
    summary = kind.summary(people.campaign, [], people.given, strict_say)
    assert summary.suspicious == {"P001": (strict_say("ranking.flag.unread"),)}


def test_one_sided_alone(make: Make, kind: Ranking, crowd: Any) -> None:
    people = crowd(make(12, matches=6))
    people.judge(choice="first")
    summary = kind.summary(people.campaign, [], people.given, say("en"))
    assert summary.suspicious == {"P001": ("chooses one side far too often",)}
    position = headline(summary, "position")
    assert position.low > 0


def test_report_is_the_page_of_the_command_line(kind: Ranking, judged: Any, exported: Path, tmp_path: Path) -> None:
    page = kind.report(judged.campaign, [], judged.given, "2026-03-01")
    assert page is not None
    path = tmp_path / "page.html"
    files = ["--judgements", str(exported / "judgements.csv"), "--texts", str(exported / "texts.jsonl")]
    assert main(["ranking", "report", *files, "--title", "Which is easier?", "-o", str(path), "--quiet"]) == 0
    written = path.read_text(encoding="utf-8")
    assert re.sub(r"\d{4}-\d\d-\d\d", "DATE", page) == re.sub(r"\d{4}-\d\d-\d\d", "DATE", written)


def test_every_text_of_the_page_is_there() -> None:
    script = (KIND / "page.js").read_text(encoding="utf-8")
    used = set(re.findall(r'say\("([\w.]+)"\)', script))
    assert used
    ends = {"ranking.ask": ["easier", "harder"], "ranking.choose": ["easier", "harder"]}
    used |= {f"{start}.{end}" for start, values in ends.items() for end in values}
    used |= {f"ranking.keys.{key}" for key in ("sides", "tie", "skip", "undo")}
    used |= {f"ranking.{name}" for name in ("first", "second", "tie", "skip")}
    for lang in ("en", "de"):
        assert {key.partition(".")[2] for key in used} <= set(say(lang).section("ranking"))


def test_every_slot_and_option_has_its_words(kind: Ranking) -> None:
    keys = {f"file.{slot.name}" for slot in kind.files} | {f"file.{slot.name}.help" for slot in kind.files}
    for option in kind.options:
        keys |= {f"option.{option.name}", *(f"option.{option.name}.{choice}" for choice in option.choices)}
    for lang in ("en", "de"):
        assert keys <= set(say(lang).section("ranking")) | set(say(lang).section("gold"))
