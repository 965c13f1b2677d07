"""Schemathesis reads the OpenAPI description and sends what fits it and what does not: nothing may be our fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from .conftest import Prey

pytest.importorskip("schemathesis", reason="schemathesis is not installed")

import requests
import schemathesis
from schemathesis import GenerationMode

EVERYTHING_IS_FINE = list(HealthCheck)
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


def known(prey: Prey) -> dict[str, Any]:
    """Parameters in addresses that lead somewhere."""
    return {
        "campaign_id": prey.campaign,
        "run_id": prey.run,
        "token": prey.curious,
        "task": prey.tasks[0],
        "number": 2,
        "user_id": 2,
        "name": "texts.jsonl",
    }


def attack(app: Any, server: str, prey: Callable[[], Prey], examples: int) -> int:
    """How many requests were made; fails at the first 5xx."""
    schema = schemathesis.openapi.from_dict(app.openapi())
    return sum(
        _attack_one(operation.ok(), mode, server, prey(), examples)
        for operation in schema.get_all_operations()
        for mode in MODES
    )


def _attack_one(operation: Any, mode: GenerationMode, server: str, prey: Prey, examples: int) -> int:
    sent = 0
    headers = {"X-CSRF-Token": prey.owner.csrf}
    cookies = {"plainly_studio": prey.owner.cookie}

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=EVERYTHING_IS_FINE,
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode), real=st.booleans())
    def send(case: Any, real: bool) -> None:
        nonlocal sent
        if real:
            case.path_parameters.update(
                {key: value for key, value in known(prey).items() if key in case.path_parameters}
            )
        reply = case.call(base_url=server, session=session, headers=headers, cookies=cookies)
        sent += 1
        assert reply.status_code < 500, (reply.status_code, reply.text, case.as_curl_command())

    with requests.Session() as session:
        try:
            send()
        except Unsatisfiable:  # nothing in it can be wrong
            assert mode is GenerationMode.NEGATIVE
    return sent


@pytest.mark.slow
def test_no_request_to_any_address_is_our_fault(app: Any, server: str, prey: Callable[[], Prey]) -> None:
    assert attack(app, server, prey, 25) > 1500
