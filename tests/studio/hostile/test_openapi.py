"""Schemathesis reads the OpenAPI description and sends what fits it and what does not: nothing may be our fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from .conftest import HIDDEN, Prey

pytest.importorskip("schemathesis", reason="schemathesis is not installed")

import requests
import schemathesis
from schemathesis import GenerationMode

EVERYTHING_IS_FINE = list(HealthCheck)
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


def known(prey: Prey, campaign: str) -> dict[str, Any]:
    """Parameters in addresses that lead somewhere."""
    return {
        "campaign_id": campaign,
        "run_id": prey.run,
        "token": prey.curious,
        "task": prey.tasks[0],
        "number": 2 if campaign == prey.campaign else 1,
        "user_id": 2,
        "token_id": 1,
        "place": 0,
        "slug": prey.slug,
        "name": "texts.jsonl",
    }


def attack(app: Any, server: str, prey: Callable[[], Prey], examples: int, who: str) -> int:
    """How many requests were made; fails at the first 5xx, and at the first look at a hidden campaign."""
    schema = schemathesis.openapi.from_dict(app.openapi())
    return sum(
        _attack_one(operation.ok(), mode, server, prey(), examples, who)
        for operation in schema.get_all_operations()
        for mode in MODES
    )


def _attack_one(operation: Any, mode: GenerationMode, server: str, prey: Prey, examples: int, who: str) -> int:
    sent = 0
    if who == "owner":
        headers = {"X-CSRF-Token": prey.owner.csrf}
        cookies = {"plainly_studio": prey.owner.cookie}
    else:
        headers, cookies = {"Authorization": f"Bearer {prey.tokens[who]}"}, {}

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=EVERYTHING_IS_FINE,
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode), real=st.booleans(), hidden=st.booleans())
    def send(case: Any, real: bool, hidden: bool) -> None:
        nonlocal sent
        if real:
            there = known(prey, prey.hidden if hidden else prey.campaign)
            case.path_parameters.update({key: value for key, value in there.items() if key in case.path_parameters})
        case.headers.pop("Authorization", None)
        reply = case.call(base_url=server, session=session, headers=headers, cookies=cookies)
        sent += 1
        assert reply.status_code < 500, (reply.status_code, reply.text, case.as_curl_command())
        if who == "limited":
            assert HIDDEN.encode() not in reply.content, case.as_curl_command()
            if f"/campaigns/{prey.hidden}" in case.formatted_path:
                assert reply.status_code in (400, 404, 405, 422), (reply.status_code, case.as_curl_command())
        if who in ("limited", "reader") and case.method.upper() not in ("GET", "HEAD", "OPTIONS"):
            own = "/api/p/" in case.path or "/api/j/" in case.path or case.path in ("/api/login", "/api/setup")
            assert own or reply.status_code >= 400, case.as_curl_command()

    with requests.Session() as session:
        try:
            send()
        except Unsatisfiable:  # nothing in it can be wrong
            assert mode is GenerationMode.NEGATIVE
    return sent


@pytest.mark.slow
@pytest.mark.parametrize("who", ["owner", "writer", "reader", "limited"])
def test_no_request_to_any_address_is_our_fault(app: Any, server: str, prey: Callable[[], Prey], who: str) -> None:
    assert attack(app, server, prey, 25, who) > 1500
