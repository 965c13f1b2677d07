"""A prompt of one's own: what is wrong with a file, what its signature says, and where its question arrives."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scripted import ScriptedJudge, user_text

from plainly import metrics
from plainly.base.errors import PlainlyError
from plainly.cli import main
from plainly.corpus import Corpus
from plainly.judges import Endpoint, Limits, Profile, Prompt, Store, ask, get_prompt, read_prompt
from plainly.ranking import rate, read_judgements
from plainly.ranking.findings import rating_findings
from plainly.ranking.judging import Pair, Plan, judged

from ..cases import each

DOCS = Path(__file__).parent.parent.parent / "docs"
Serve = Callable[..., ScriptedJudge]
TEXTS = {"note": "hey, come over", "summons": "You are hereby summoned.", "card": "Please join us."}
PAIRS = (Pair("note", "summons"), Pair("summons", "card"), Pair("card", "note"))
FORMAL = {TEXTS["note"]: 0, TEXTS["card"]: 1, TEXTS["summons"]: 2}


@pytest.fixture
def documented(tmp_path: Path) -> dict[str, Path]:
    """The files that docs/judges.md shows, by the name of the prompt."""
    found = {}
    for block in re.findall(
        r"^```toml\n(.*?)^```$", (DOCS / "judges.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    ):
        name = re.findall('^name = "(.*)"$', block, re.MULTILINE)[0]
        found[name] = tmp_path / f"{name}.toml"
        found[name].write_text(block, "utf-8")
    return found


def shown(body: dict[str, Any]) -> list[str]:
    return re.findall(r'^"""\n(.*?)\n"""$', user_text(body), re.MULTILINE | re.DOTALL)


def more_formal(body: dict[str, Any], number: int) -> str:
    one, two = (FORMAL[text] for text in shown(body))
    return "One" if one > two else "two."


def test_the_prompt_of_the_docs_makes_a_ranking_by_formality(
    serve: Serve, documented: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """From the file to the signature of the ranking, by the two commands of the page."""
    judge = serve(more_formal)
    lines = [json.dumps({"id": name, "text": text}) for name, text in TEXTS.items()]
    Path("texts.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    Path("pairs.csv").write_text("first,second\n" + "".join(f"{p.first},{p.second}\n" for p in PAIRS), "utf-8")
    files = ["--texts", "texts.jsonl", "--pairs", "pairs.csv", "-o", "formality.csv", "--store", "replies.jsonl"]
    asking = ["ranking", "judge", *files, "--prompt", "formality.toml", "--url", judge.url, "--model", "m"]
    assert main([*asking, "--format", "json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    digest = read_prompt(documented["formality"]).signature
    assert re.fullmatch("formality-1-[0-9a-f]{12}", digest)
    assert f"|prompt:{digest}|" in summary["signature"]
    assert "|winner:more formal|" in summary["signature"]
    assert (summary["judgements"], summary["ties"], summary["flips"]) == (3, 0, 0)
    assert {row["question"] for row in csv.DictReader(Path("formality.csv").read_text("utf-8").splitlines())} == {
        "more formal"
    }
    assert judge.bodies[0]["messages"][0]["content"].startswith("You are an editor of official letters.")

    assert main(["ranking", "rate", "--judgements", "formality.csv"]) == 0
    printed = capsys.readouterr().out
    assert "rank 1 is the least formal text: winning means to be more formal" in printed
    assert "bradley-terry|winner:more formal|" in printed
    assert [row.text for row in rate(read_judgements("formality.csv")).by_rank()] == ["note", "card", "summons"]
    german = rating_findings(rate(read_judgements("formality.csv"))).tables[0]
    assert german.legend[0].text("de") == (
        "Rang 1 hat der Text, der am wenigsten „formal“ ist: Es gewinnt der Text, der mehr „formal“ ist"
    )
    assert german.question.text("de").startswith("Welche Texte sind am meisten „formal“, welche am wenigsten")

    assert main([*asking, "--quiet"]) == 0  # nothing is asked twice
    assert judge.calls == 6
    assert digest in capsys.readouterr().out
    path = documented["formality"]
    path.write_text(path.read_text("utf-8").replace("Look at the words", "Mind the words"), "utf-8")
    assert main([*asking, "--quiet"]) == 0  # another prompt is asked anew
    assert judge.calls == 12
    assert digest not in capsys.readouterr().out


def test_formality_is_no_ease(serve: Serve, capsys: pytest.CaptureFixture[str]) -> None:
    Path("formal.csv").write_text("first,second,winner,question\na,b,a,more formal\n", "utf-8")
    Path("mixed.csv").write_text("first,second,winner,question\na,b,a,more formal\na,b,a,easier\n", "utf-8")
    Path("texts.jsonl").write_text('{"id": "a", "text": "A."}\n{"id": "b", "text": "B."}\n', "utf-8")
    assert main(["ranking", "rate", "--judgements", "mixed.csv"]) == 2
    said = capsys.readouterr().err
    assert said == "plainly: mixed.csv:3: which text is easier does not tell which one is more formal: these are " + (
        "different questions\n"
    )
    learn = ["simplicity", "train", "--judgements", "formal.csv", "--texts", "texts.jsonl", "-o", "m.json"]
    assert main(learn) == 2
    assert "which text is more formal does not tell which one is easier" in capsys.readouterr().err


def run(plan: Plan, judge: ScriptedJudge, store: Store, quick: Limits) -> Any:
    endpoint = Endpoint(judge.url, "scripted")
    return judged(plan, endpoint, ask(plan.questions(), endpoint, store, quick))


def test_a_scale_on_which_one_is_hard(serve: Serve, documented: dict[str, Path], store: Store, quick: Limits) -> None:
    """The judge finds the note .125 hard and the summons .75: the score is the share of the scale."""
    marks = {TEXTS["note"]: "0.125", TEXTS["summons"]: "0.75", TEXTS["card"]: "1.5"}
    plan = Plan(TEXTS, PAIRS[:1], "score", prompt=get_prompt(str(documented["effort"])))
    judge = serve(lambda body, number: marks[shown(body)[0]])
    result = run(plan, judge, store, quick)
    assert result.scores == {"note": 0.125, "summons": 0.75}
    assert result.judgements.direction == "harder"
    assert [item.winner for item in result.judgements.items] == ["summons"]
    everything = run(replace(plan, pairs=()), judge, store, quick)
    assert [item.what for item in everything.unscored] == ["card"]  # 1.5 is outside of the scale


def test_german_prompts_ask_in_german(serve: Serve, store: Store, quick: Limits) -> None:
    judge = serve(lambda body, number: "B")
    reader = Profile("Recht", "B1", 40, "eine Person, die täglich Zeitung liest")
    plan = Plan(TEXTS, PAIRS[:1], "pairwise", reader, prompt=get_prompt("pairwise-de"))
    result = run(plan, judge, store, quick)
    assert (result.judgements.direction, result.judgements.items[0].winner) == ("easier", "summons")
    assert judge.bodies[0]["messages"][0]["content"].startswith(
        "Urteile, wie die folgende Person es täte. Die Person: eine Person, die täglich Zeitung liest. "
        "Sie kennt sich auf diesem Gebiet sehr gut aus: Recht. "
    )
    assert user_text(judge.bodies[0]).startswith("Hier sind zwei Texte.")
    assert (
        "|prompt:pairwise-de-1|reader:eine Person, die täglich Zeitung liest, expert on Recht, level B1, age 40 ("
        in (result.signature)
    )
    for strategy, name in (("score", "score-de"), ("rank-all", "rank-all-de")):
        (question, *_) = Plan(TEXTS, (), strategy, prompt=get_prompt(name)).questions()
        assert "leicht" in question.user
        assert "$" not in question.user + question.again


def test_a_persona_is_told_and_signed(serve: Serve, store: Store, quick: Limits) -> None:
    """A reader of newspapers, as the experts of Engelmann et al. (2024) are, in our words."""
    judge = serve(lambda body, number: "A")
    reader = Profile(topic="medicine", description="an adult and a native speaker who reads an ordinary newspaper")
    result = run(Plan(TEXTS, PAIRS[:1], "pairwise", reader), judge, store, quick)
    system = judge.bodies[0]["messages"][0]["content"]
    assert "The reader: an adult and a native speaker who reads an ordinary newspaper." in system
    assert "an expert on this topic: medicine." in system
    assert "reader:an adult and a native speaker who reads an ordinary newspaper, expert on medicine (reader-2)" in (
        result.signature
    )


def test_texts_stand_bare_if_the_prompt_says_so(serve: Serve, store: Store, quick: Limits) -> None:
    judge = serve(lambda body, number: "A")
    prompt = Prompt("plain", 1, "A '''$first''' or B '''$second'''? $$5 for it.", "A or B", 8, bare=True)
    run(Plan(TEXTS, PAIRS[:1], "pairwise", prompt=prompt), judge, store, quick)
    assert user_text(judge.bodies[0]) == "A '''hey, come over''' or B '''You are hereby summoned.'''? $5 for it."
    listed = Prompt("list", 1, "$texts", "again", 8, bare=True)
    (question,) = Plan(TEXTS, (), "rank-all", prompt=listed).questions()
    assert question.user.startswith("Text 1:\n")
    assert '"""' not in question.user


def test_the_metric_takes_a_prompt(serve: Serve, documented: dict[str, Path]) -> None:
    """On a scale from 1 to 5, a 4 is 75 of 100 and a 2 is 25."""
    judge = serve(lambda body, number: "appeal: 4\npoliteness: 2")
    path = str(documented["appeal"])
    named = {"judge_url": judge.url, "judge_model": "m", "judge_prompt": path}
    metric = metrics.get("judge", **named)
    rows = metric.measure(Corpus(["S."], (), {"it": ["O."]}), "it")
    assert metric.columns == ("segments", "appeal", "politeness")
    assert rows.tolist() == [[1, 75, 25]]
    assert metric.score(rows.sum(axis=0)).value == 50
    assert "appeal: would such readers want to read on?" in user_text(judge.bodies[0])
    assert "S." not in user_text(judge.bodies[0])
    assert re.fullmatch("appeal-1-[0-9a-f]{12}", metric.settings()["prompt"])
    metric.close()
    with pytest.raises(PlainlyError, match="unknown aspect of judge 'fluency'; known: appeal, politeness"):
        metrics.get("judge", **named, judge_aspects="fluency")
    with pytest.raises(PlainlyError, match="prompt appeal has no place for references"):
        metrics.get("judge", **named, judge_references=True)
    with pytest.raises(PlainlyError, match="prompt pairwise has no places for"):
        metrics.get("judge", judge_prompt="pairwise")
    with pytest.raises(PlainlyError, match="prompt appeal is for the metric judge; both-orders needs a place for"):
        Plan(TEXTS, PAIRS, prompt=get_prompt(path))


WHOLE = {
    "name": '"mine"',
    "version": "1",
    "tokens": "8",
    "user": '"A: $first B: $second"',
    "again": '"A or B"',
}
SCORING = {"user": '"$text"', "again": '"0 to 1"'}
RATING = {"user": '"$output $lines"', "again": '"$lines"'}
PERSON = {name: f"${name}" for name in ("description", "topic", "level", "age")}
READER = '{opening = "As:", description = "$description", topic = "$topic", level = "$level", age = "$age"}'
FAULTS: list[tuple[dict[str, str], str]] = [
    ({"user": '"A: $frist B: $second"'}, "nothing is known that belongs in $frist; did you mean $first?"),
    (
        {"user": '"A or B?"'},
        "user has no place for a text: it needs $first and $second, or $text, or $texts, or $lines",
    ),
    ({"user": '"A: $first B"'}, "user has no place for $second, but one for $first"),
    ({"user": '"A: $first B: $second $text"'}, "user has places of prompts of different kinds, pairwise and score"),
    (
        {"user": '"A: $first B: $second $count"'},
        "user has a place for $count, which a prompt with $first and $second",
    ),
    ({"again": '"A or B of $text"'}, "again has a place for $text, which a prompt with $first and $second cannot"),
    ({"system": '"You read $first."'}, "system has a place for $first; texts stand in user"),
    ({"user": '"A $first B $second for 5$"'}, "user has a $ that begins no place; write $$ for the sign itself"),
    ({"answers": '["A"]'}, "answers must be two different texts"),
    ({"answers": '["A", "a."]'}, "answers must be two different texts"),
    ({"answers": '["A", 2]'}, "answers must hold texts"),
    ({"answers": '["A", "Y"]'}, "the answer 'Y' is nowhere in user or again: a judge cannot know of it"),
    (
        {**SCORING, "answers": '["Yes", "No"]'},
        "answers are of prompts with $first and $second, and this one has $text",
    ),
    ({"scale": "[0, 5]"}, "a scale is of prompts that ask for numbers, and this one has $first and $second"),
    ({**SCORING, "scale": "[5, 1]"}, "scale must be two numbers from 0 to 999, the lower one first"),
    ({**SCORING, "scale": "[0, true]"}, "scale must be two numbers"),
    ({**SCORING, "scale": "7"}, "scale must be"),
    (RATING, "it has no parts: what is rated, as [parts] with a line such as"),
    ({**RATING, "parts": '{"My part" = "x"}'}, "the part 'My part' must have a name of small letters"),
    ({"parts": "{a = 1}"}, "parts must be a table of texts"),
    ({"tokens": "0"}, "tokens must be from 1 to 100000, not 0"),
    ({"tokens": '"8"'}, "prompt: tokens must be of type int"),
    ({"winer": '"harder"'}, "prompt: unknown key 'winer'"),
    ({"again": ""}, "prompt: again is missing"),
    ({"bare": "1"}, "prompt: bare must be of type bool"),
    ({"reader": '{opening = "As:"}'}, "reader needs description"),
    ({"reader": READER.replace("$topic", "this")}, "reader.topic must have the place $topic, and no other"),
    ({"reader": READER.replace("}", ', lvel = "x"}')}, "reader has no lvel; did you mean level?"),
    ({"version": "one"}, "Invalid value (at line 2, column 11)"),
]


@each("changed, complaint", FAULTS)
def test_what_is_wrong_with_a_file(tmp_path: Path, changed: dict[str, str], complaint: str) -> None:
    path = tmp_path / "mine.toml"
    lines = [f"{key} = {value}" for key, value in {**WHOLE, **changed}.items() if value]
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(PlainlyError) as error:
        read_prompt(path)
    assert str(error.value).startswith(f"{path}: ")
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_a_winner_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("\n".join(f"{key} = {value}" for key, value in {**WHOLE, "winner": '"best"'}.items()), "utf-8")
    said = r"^prompt mine: winner must be harder, easier, or more or less of something, as 'more formal', not best$"
    with pytest.raises(PlainlyError, match=said):
        Plan(TEXTS, PAIRS, prompt=read_prompt(path))


def test_whatever_differs_is_signed() -> None:
    one = Prompt("mine", 1, "A: $first B: $second", "A or B", 8)
    others = [
        replace(one, user="A: $first B: $second "),
        replace(one, again="A or B!"),
        replace(one, tokens=9),
        replace(one, system="You."),
        replace(one, winner="harder"),
        replace(one, answers=("a", "b")),
        replace(one, bare=True),
        replace(one, reader={"opening": "As:", **PERSON}),
    ]
    signatures = [prompt.signature for prompt in (one, *others)]
    assert len(set(signatures)) == len(signatures)
    assert replace(one).signature == one.signature
    rated = Prompt("mine", 1, "$text", "again", 8)
    assert rated.signature != replace(rated, scale=(0, 1)).signature
    assert replace(rated, scale=(0, 100.0)).signature == rated.signature
