"""Every time on a page of owners is in the reader's time zone, and says which."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx
import pytest


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(("zone", "name"), [("Asia/Tokyo", "GMT.9"), ("America/New_York", "E[SD]T"), ("UTC", "UTC")])
def test_times_are_in_the_zone_of_the_reader_and_named(
    owner: httpx.Client, make: Callable[..., Any], look: Callable[..., Any], server: str, zone: str, name: str
) -> None:
    campaign = make()["id"]
    page = look(f"{server}/login", timezone_id=zone, locale="en-GB")
    page.context.add_cookies([{"name": key, "value": value, "url": server} for key, value in owner.cookies.items()])
    for path in ("/", "/users", f"/campaigns/{campaign}/settings"):
        page.goto(f"{server}{path}")
        page.locator("time", has_text=re.compile(name)).first.wait_for()
        for time in page.locator("time").all():
            expected = page.evaluate(
                "time => new Date(time).toLocaleTimeString('en', {hour: '2-digit', minute: '2-digit'})",
                time.get_attribute("datetime"),
            )
            assert expected in time.text_content()
            assert re.search(name, time.text_content())
    page.goto(f"{server}/campaigns/{campaign}")
    page.locator("#live", has_text=re.compile(name)).wait_for()


def test_without_scripts_times_are_utc_and_say_so(owner: httpx.Client, make: Callable[..., Any]) -> None:
    make()
    assert " UTC</time>" in owner.get("/").text
