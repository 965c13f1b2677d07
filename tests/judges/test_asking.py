"""Asking a judge that misbehaves: every fault is survived, counted and said, and nothing is paid for twice."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from scripted import Fault, ScriptedJudge, user_text

from plainly.base.errors import MissingResource, PlainlyError
from plainly.judges import Answer, Endpoint, Limits, Prices, Question, Store, ask, estimate
from plainly.judges.answers import choice
from plainly.judges.client import LARGEST, Clock, JudgeUnavailable, Patience

Serve = Callable[..., ScriptedJudge]
Named = Callable[..., Endpoint]
SECRET = "sk-test-0123456789-abcdef"


def asked(*texts: str) -> list[Question]:
    return [Question("", text, "A or B!", 8, choice("AB")) for text in texts]


def values(items: tuple[Answer, ...]) -> list[Any]:
    return [item.value for item in items]


def once(fault: Fault) -> Callable[[dict[str, Any], int], str | Fault]:
    """The first request meets the fault, all others are answered."""
    return lambda body, number: fault if number == 0 else "A"


class Time:
    """A clock that stands still, but for those who sleep."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.clock = Clock(lambda: self.seconds, self.today, self.sleep)

    def today(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=self.seconds)

    async def sleep(self, seconds: float) -> None:
        self.seconds += seconds
        await asyncio.sleep(0)


def hurried(judge: ScriptedJudge) -> Clock:
    """Time is up for a request as soon as the judge holds it; all others have all the time they need."""

    async def wait_for(reply: Any, _: float) -> Any:
        asked = asyncio.ensure_future(reply)
        while not (asked.done() or judge.holding.is_set()):
            await asyncio.sleep(0.001)
        if asked.done():
            return await asked
        judge.holding.clear()
        asked.cancel()
        raise asyncio.TimeoutError

    return Clock(wait_for=wait_for)


def test_answers_come_in_the_order_of_the_questions(serve: Serve, endpoint: Named, store: Store) -> None:
    last = threading.Event()

    def script(body: dict[str, Any], number: int) -> str:
        if number == 0:
            assert last.wait(30)  # the first answer is the last to come
        elif number == 3:
            last.set()
        return user_text(body)

    judge = serve(script)
    found = ask(asked("A", "B", "A.", '"b"'), endpoint(judge), store, Limits(concurrency=4))
    assert values(found.items) == ["A", "B", "A", "B"]
    assert (found.spent.calls, found.spent.read, found.spent.written) == (4, 400, 4)
    assert found.stopped is None


def test_what_is_sent(serve: Serve, store: Store) -> None:
    judge = serve(lambda body, number: "A")
    given = Endpoint(judge.url + "/", "m", settings={"temperature": None, "top_p": 0.5, "grammar": 'root ::= "A"'})
    ask([Question("Be fair.", "Which?", "", 8, choice("AB"))], given, store)
    assert judge.bodies == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": "Be fair."}, {"role": "user", "content": "Which?"}],
            "max_tokens": 8,
            "top_p": 0.5,
            "grammar": 'root ::= "A"',
        }
    ]
    assert "Authorization" not in judge.headers[0]


FAULTS = {
    "busy": Fault(429, b'{"error": {"message": "slow down"}}', {"Retry-After": "0"}),
    "broken": Fault(500, b"<html>oops</html>"),
    "overloaded": Fault(503),
    "cut": Fault(200, b'{"choices": [{"message": {"content": "A"}}]}', cut=True),
    "nonsense": Fault(200, b"\xff\xfe\x00 nonsense"),
    "wrong JSON": Fault(200, b'{"choice": "A"}'),
    "a list": Fault(200, b"[1, 2]"),
    "empty choices": Fault(200, b'{"choices": []}'),
    "no text": Fault(200, b'{"choices": [{"message": {"content": 7}}]}'),
    "deep": Fault(200, b"[" * 100_000),
    "huge": Fault(200, b"x" * (LARGEST + 1)),
    "empty": Fault(200, b""),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_passing_fault_is_tried_again(
    name: str, serve: Serve, endpoint: Named, store: Store, quick: Limits
) -> None:
    judge = serve(once(FAULTS[name]))
    found = ask(asked("Which?"), endpoint(judge), store, quick)
    assert values(found.items) == ["A"]
    assert judge.calls == found.spent.calls == 2
    assert judge.bodies[0] == judge.bodies[1]


@pytest.mark.parametrize("name", FAULTS)
def test_a_lasting_fault_leaves_one_question_unscored(
    name: str, serve: Serve, endpoint: Named, store: Store, quick: Limits
) -> None:
    judge = serve(lambda body, number: FAULTS[name] if user_text(body) == "bad" else "B")
    found = ask(asked("good", "bad", "fine"), endpoint(judge), store, quick)
    assert values(found.items) == ["B", None, "B"]
    assert judge.calls == 2 + 3  # three tries for the bad one
    assert found.items[1].problem
    assert found.items[1].problem.isprintable()


def test_a_slow_judge_runs_out_of_time(serve: Serve, endpoint: Named, store: Store) -> None:
    judge = serve(once(Fault(hold=True)))
    limits = Limits(patience=Patience(tries=2, first_wait=0.01))
    assert values(ask(asked("Which?"), endpoint(judge), store, limits, clock=hurried(judge)).items) == ["A"]
    assert judge.calls == 2


def test_nobody_waits_longer_than_told(serve: Serve, endpoint: Named, store: Store) -> None:
    judge = serve(lambda body, number: Fault(hold=True))
    with pytest.raises(JudgeUnavailable, match=r"no reply within 0\.01 seconds"):
        ask(asked("Which?"), endpoint(judge), store, Limits(patience=Patience(tries=1, seconds=0.01)))


@pytest.mark.parametrize(
    ("fault", "calls_paid"),
    [
        (Fault(hold=True), 1),  # it may have written all the same
        (Fault(200, b'{"choices": []}', cut=True), 1),
        (Fault(200, b"nonsense"), 1),
        (Fault(429), 0),
        (Fault(500), 0),
    ],
)
def test_what_may_have_been_charged_counts(
    fault: Fault, calls_paid: int, serve: Serve, endpoint: Named, store: Store
) -> None:
    judge = serve(once(fault))
    limits = Limits(patience=Patience(tries=2, first_wait=0.01), prices=Prices(0, 1e6))
    found = ask(asked("Which?"), endpoint(judge), store, limits, clock=hurried(judge))
    assert found.spent.calls == 2
    assert found.spent.cost == 1 + 8 * calls_paid  # one token was written, and perhaps the eight that were allowed


def test_a_judge_says_how_long_to_wait(serve: Serve, endpoint: Named, store: Store, quick: Limits) -> None:
    judge, time = serve(once(Fault(429, headers={"Retry-After": "100"}))), Time()
    judge.now = time.clock.now
    ask(asked("one", "two"), endpoint(judge), store, replace(quick, concurrency=2), clock=time.clock)
    # The second question leaves before the fault of the first is heard, or waits as well; one is asked twice.
    assert len(judge.times) == 3
    assert judge.times[0] == 0
    assert judge.times[1] == 0 or 100 <= judge.times[1] < 101
    assert 100 <= judge.times[2] < 101  # the waits of our own are far shorter


def test_a_judge_says_until_when_to_wait(serve: Serve, endpoint: Named, store: Store, quick: Limits) -> None:
    time = Time()
    until = time.today() + timedelta(seconds=100)
    judge = serve(once(Fault(503, headers={"Retry-After": format_datetime(until, usegmt=True)})))
    judge.now = time.clock.now
    ask(asked("one"), endpoint(judge), store, quick, clock=time.clock)
    assert judge.times[0] == 0
    assert 100 <= judge.times[1] < 101


def test_a_wait_that_is_too_long_ends_the_run(serve: Serve, endpoint: Named, store: Store, quick: Limits) -> None:
    judge = serve(lambda body, number: Fault(429, headers={"Retry-After": "86400"}))
    with pytest.raises(JudgeUnavailable, match="wants us to wait 86400 seconds"):
        ask(asked("one"), endpoint(judge), store, quick)
    assert judge.calls == 1


@pytest.mark.parametrize("status", [401, 402, 403, 404, 307])
def test_a_refusal_ends_the_run_at_once(
    status: int, serve: Serve, endpoint: Named, store: Store, quick: Limits
) -> None:
    judge = serve(lambda body, number: Fault(status, b'{"error": {"message": "no\\u001b[31m\\nentry"}}'))
    with pytest.raises(JudgeUnavailable, match=rf"status {status}: no \[31m entry"):
        ask(asked(*"abcdefgh"), endpoint(judge), store, quick)
    assert judge.calls == 1


def test_a_question_that_is_refused_is_unscored(serve: Serve, endpoint: Named, store: Store, quick: Limits) -> None:
    judge = serve(lambda body, number: Fault(400, b"too long") if user_text(body) == "long" else "A")
    found = ask(asked("long", "short"), endpoint(judge), store, quick)
    assert values(found.items) == [None, "A"]
    assert found.items[0].problem == "status 400: too long"
    assert judge.calls == 2  # there is no point in trying again


def test_a_judge_that_refuses_everything_is_not_asked_for_ever(
    serve: Serve, endpoint: Named, store: Store, quick: Limits
) -> None:
    judge = serve(lambda body, number: Fault(400, b"unknown field"))
    with pytest.raises(JudgeUnavailable, match="5 questions in a row had no reply; the last: status 400: unknown"):
        ask(asked(*map(str, range(50))), endpoint(judge), store, quick)
    assert judge.calls == 5
    with pytest.raises(JudgeUnavailable, match=r"no question was answered by .*: status 400"):
        ask(asked("one"), endpoint(judge), store, quick)


def test_nobody_is_there(store: Store, quick: Limits) -> None:
    with pytest.raises(JudgeUnavailable, match="the connection failed"):
        ask(asked("one"), Endpoint("http://127.0.0.1:9/v1", "m"), store, quick)


def test_a_reply_outside_the_offer_is_asked_again_with_a_reminder(
    serve: Serve, endpoint: Named, store: Store, quick: Limits
) -> None:
    judge = serve(lambda body, number: "B" if "A or B!" in user_text(body) else "Both are lovely.")
    found = ask(asked("Which?"), endpoint(judge), store, quick)
    assert found.items[0].value == "B"
    assert found.items[0].replies == ("Both are lovely.", "B")
    assert user_text(judge.bodies[1]) == "Which?\n\nA or B!"


def test_a_reply_outside_the_offer_for_good_is_unscored(
    serve: Serve, endpoint: Named, store: Store, quick: Limits
) -> None:
    judge = serve(lambda body, number: "C")
    found = ask(asked("Which?"), endpoint(judge), store, quick)
    assert found.items[0].value is None
    assert found.items[0].problem == "the reply was outside of what was offered, 3 times"
    again = ask(asked("Which?"), endpoint(judge), store, quick)
    assert (again.items[0].value, again.spent.calls, judge.calls) == (None, 0, 3)  # its replies are kept too


def test_no_content_is_no_answer(serve: Serve, endpoint: Named, store: Store, quick: Limits) -> None:
    judge = serve(lambda body, number: Fault(200, b'{"choices": [{"message": {"content": null}}]}'))
    assert values(ask(asked("Which?"), endpoint(judge), store, quick).items) == [None]


def test_no_more_questions_at_a_time_than_allowed(serve: Serve, endpoint: Named, store: Store) -> None:
    together = threading.Barrier(3, timeout=30)
    judge = serve(lambda body, number: "A" if together.wait() >= 0 else "")
    ask(asked(*map(str, range(30))), endpoint(judge), store, Limits(concurrency=3))
    assert judge.calls == 30
    assert judge.busiest == 3


def test_the_same_question_is_asked_once(serve: Serve, endpoint: Named, store: Store) -> None:
    judge = serve(lambda body, number: "A")
    found = ask(asked("one", "two", "one", "one"), endpoint(judge), store, Limits(concurrency=4))
    assert values(found.items) == ["A"] * 4
    assert judge.calls == 2
    repeated = [replace(item, repeat=repeat) for item in asked("one") for repeat in range(3)]
    ask(repeated, endpoint(judge), store)
    assert judge.calls == 4  # the first of the three was known


def test_what_was_answered_is_not_asked_again(serve: Serve, endpoint: Named, tmp_path: Path) -> None:
    judge = serve(lambda body, number: "A")
    for _ in range(2):
        with Store(tmp_path / "kept.jsonl") as kept:
            assert values(ask(asked("one", "two"), endpoint(judge), kept).items) == ["A", "A"]
    assert judge.calls == 2
    with Store(tmp_path / "kept.jsonl") as kept:
        ask(asked("one"), endpoint(judge, settings={"temperature": 1}), kept)  # another setting, another question
    assert judge.calls == 3


def test_a_budget_of_one_call(serve: Serve, endpoint: Named, store: Store) -> None:
    judge = serve(lambda body, number: "A")
    found = ask(asked("1", "2"), endpoint(judge), store, Limits(most_calls=1))
    assert (judge.calls, found.stopped) == (1, "the budget of 1 call is used up")


def test_a_budget_of_calls(serve: Serve, endpoint: Named, store: Store) -> None:
    judge = serve(lambda body, number: "A")
    found = ask(asked(*map(str, range(20))), endpoint(judge), store, Limits(concurrency=4, most_calls=7))
    assert judge.calls == found.spent.calls == 7
    assert found.stopped == "the budget of 7 calls is used up"
    assert values(found.items).count("A") == 7
    assert {item.problem for item in found.items if item.value is None} == {found.stopped}
    rest = ask(asked(*map(str, range(20))), endpoint(judge), store, Limits(most_calls=100))
    assert (rest.stopped, judge.calls) == (None, 20)


def test_tries_count_as_calls(serve: Serve, endpoint: Named, store: Store, quick: Limits) -> None:
    judge = serve(lambda body, number: Fault(500))
    found = ask(asked("one"), endpoint(judge), store, replace(quick, most_calls=2))
    assert (judge.calls, found.stopped) == (2, "the budget of 2 calls is used up")


def test_a_budget_of_money_is_never_passed(serve: Serve, endpoint: Named, store: Store) -> None:
    # A call costs 100 * 10 / 1e6 + 1 * 1000 / 1e6 = 0.002, by what the server says it used. Before it is sent, it may
    # cost (1 + 8) * 10 / 1e6 + 8 * 1000 / 1e6 = 0.00809: a token for the text, 8 for its frame, 8 for the reply.
    # So the k-th call is sent while 0.002 (k - 1) + 0.00809 <= 0.02, that is k <= 6.955.
    judge = serve(lambda body, number: "A")
    prices = Prices(10, 1000)
    limits = Limits(concurrency=1, prices=prices, most_cost=0.02)
    found = ask(asked(*"abcdefghijklmnop"), endpoint(judge), store, limits)
    assert judge.calls == 6
    assert found.spent.cost == pytest.approx(0.012)
    assert found.stopped == "the budget of 0.02 is used up: 0.0120 spent, and the next call may cost 0.0081"


def test_money_under_way_is_counted(serve: Serve, endpoint: Named, store: Store) -> None:
    second = threading.Event()

    def script(body: dict[str, Any], number: int) -> str:
        if number == 0:
            assert second.wait(30)
        second.set()
        return "A"

    judge = serve(script)
    limits = Limits(concurrency=10, prices=Prices(10, 1000), most_cost=0.02)
    found = ask(asked(*"abcdefghij"), endpoint(judge), store, limits)
    assert judge.busiest == 2  # 2 * 0.00809 fit into 0.02, a third one does not
    assert found.spent.cost <= 0.02


def test_tokens_that_the_server_does_not_count_are_guessed(serve: Serve, endpoint: Named, store: Store) -> None:
    judge = serve(lambda body, number: "A")
    odd = [None, {"prompt_tokens": -5, "completion_tokens": 10**12}, {"prompt_tokens": True}, {"x": 1}, [], "many"]
    for number, judge.usage in enumerate(odd):
        found = ask(asked(f"sixteen letter {number}"), endpoint(judge), store)
        assert (found.spent.read, found.spent.written) == (6 + 8, 1)  # 16 bytes at 3 a token, and the frame


def test_the_estimate_before_the_start(serve: Serve, endpoint: Named, store: Store) -> None:
    judge = serve(lambda body, number: "A")
    ask(asked("a"), endpoint(judge), store)
    found = estimate(asked("a", "bcd", "efgh", "bcd"), endpoint(judge), store, Prices(10, 1000))
    assert (found.questions, found.kept, found.calls) == (4, 1, 2)
    assert (found.read, found.written) == (1 + 8 + 2 + 8, 16)
    assert found.cost == pytest.approx(19 * 10 / 1e6 + 16 * 1000 / 1e6)
    assert estimate(asked("b"), endpoint(judge), store, Prices()).cost is None
    assert judge.calls == 1


def test_a_budget_in_money_needs_prices(serve: Serve, endpoint: Named, store: Store) -> None:
    judge = serve(lambda body, number: "A")
    with pytest.raises(PlainlyError, match="needs the prices"):
        ask(asked("a"), endpoint(judge), store, Limits(most_cost=1))


def test_asking_from_within_a_loop(serve: Serve, endpoint: Named, store: Store) -> None:
    judge = serve(lambda body, number: "A")

    async def notebook() -> Any:
        return ask(asked("a"), endpoint(judge), store)

    assert values(asyncio.run(notebook()).items) == ["A"]


def test_progress_is_told(serve: Serve, endpoint: Named, store: Store) -> None:
    judge = serve(lambda body, number: "A")
    heard: list[tuple[int, int]] = []
    ask(asked("a", "b", "c"), endpoint(judge), store, Limits(), lambda done, total, _: heard.append((done, total)))
    assert heard == [(1, 3), (2, 3), (3, 3)]


def test_the_key_goes_to_the_server_and_nowhere_else(
    serve: Serve,
    endpoint: Named,
    store: Store,
    quick: Limits,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A server that repeats the key everywhere, in replies and in errors."""
    monkeypatch.setenv("TEST_KEY", SECRET)
    caplog.set_level(0)
    echo = f"your key is {SECRET}"
    script = {
        "answer": f"{echo} A",
        "wrong": Fault(200, echo.encode()),
        "refused": Fault(400, json.dumps({"error": {"message": echo}}).encode()),
    }
    judge = serve(lambda body, number: script.get(user_text(body).partition("\n")[0], "A"))
    given = endpoint(judge, key_variable="TEST_KEY")
    found = ask(asked("answer", "wrong", "fine", "refused"), given, store, quick)
    assert values(found.items) == [None, None, "A", None]
    assert all(headers["Authorization"] == f"Bearer {SECRET}" for headers in judge.headers)
    judge.script = lambda body, number: Fault(401, f"bad key {SECRET}".encode())
    with pytest.raises(JudgeUnavailable) as refusal:
        ask(asked("more"), given, store, quick)
    assert "bad key [key]" in str(refusal.value)
    shown = [
        repr(given),
        repr(given.key),
        repr(found),
        caplog.text,
        str(refusal.value),
        store.path.read_text("utf-8"),
    ]
    assert "[key]" in store.path.read_text("utf-8")
    assert not [text for text in shown if SECRET in text]


@pytest.mark.parametrize("value", ["", "  ", "two words", "naïve", "line\nbreak"])
def test_what_cannot_be_a_key(value: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", value)
    with pytest.raises(PlainlyError, match="TEST_KEY") as error:
        ask(asked("a"), Endpoint("http://127.0.0.1:9/v1", "m", "TEST_KEY"), store)
    assert not value.strip() or value not in str(error.value)
    assert isinstance(error.value, MissingResource) == (not value.strip())


def test_a_key_in_place_of_a_variable_is_not_repeated() -> None:
    with pytest.raises(PlainlyError, match="give its name, never the key itself") as error:
        Endpoint("http://localhost/v1", "m", SECRET)
    assert SECRET not in str(error.value)


@pytest.mark.parametrize(
    ("url", "full"),
    [
        ("https://api.example.com/v1", "https://api.example.com/v1/chat/completions"),
        ("http://localhost:8000/v1/", "http://localhost:8000/v1/chat/completions"),
        ("http://[::1]:80/v1/chat/completions", "http://[::1]:80/v1/chat/completions"),
    ],
)
def test_addresses(url: str, full: str) -> None:
    assert Endpoint(url, "m").url == full


@pytest.mark.parametrize(
    "url", ["", "localhost:8000", "ftp://x/v1", "file:///etc/passwd", "http://", "http://x:99999/", "http://a b/"]
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(PlainlyError, match="a judge's URL is like"):
        Endpoint(url, "m")


@pytest.mark.parametrize(
    "url", [f"https://user:{SECRET}@x/v1", f"https://x/v1?key={SECRET}", f"https://x/v1#{SECRET}"]
)
def test_a_secret_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(PlainlyError, match="it is stored and shown") as error:
        Endpoint(url, "m")
    assert SECRET not in str(error.value)


def test_settings_that_are_ours() -> None:
    with pytest.raises(PlainlyError, match="'messages' is no setting"):
        Endpoint("http://x/v1", "m", settings={"messages": []})


@pytest.mark.parametrize(
    "name", ["api_key", "apikey", "API-Key", "token", "hf_token", "secret", "Authorization", "password", "x_password"]
)
def test_settings_hold_no_secret(name: str) -> None:
    with pytest.raises(PlainlyError, match="may hold no secret, since settings are stored and shown") as refused:
        Endpoint("http://x/v1", "m", settings={name: SECRET})
    assert SECRET not in str(refused.value)


def test_tokens_that_are_counted_are_no_secret() -> None:
    counted = {"max_tokens": None, "max_completion_tokens": 2000, "stop_token_ids": [1], "thinking_token_budget": 9}
    assert Endpoint("http://x/v1", "m", settings=counted).settings == counted


@pytest.mark.parametrize(("url", "open_"), [("http://example.com/v1", True), ("http://127.0.0.1/v1", False)])
def test_a_key_in_the_open(url: str, open_: bool) -> None:
    assert Endpoint(url, "m", "TEST_KEY").in_the_open == open_
    assert not Endpoint(url, "m").in_the_open
