"""The language of filters: what it says of rows, and what never reaches Polars."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from plainly.base.errors import PlainlyError
from plainly.filtering.expressions import DEEPEST, check, conditions, verdicts

from ..cases import each

polars = pytest.importorskip("polars", reason="polars is not installed")

ROWS = {
    "sari": [10.0, 40.0, 30.0, None, 50.0],
    "ratio": [0.5, 1.2, 0.0, 0.9, None],
    "year": [1999, 2005, None, 2020, 0],
    "source": ["The cat.", "It's a “dog”.", "ÉTÉ\nà Paris", None, "C:\\temp 100%"],
    "text": ["a", "b", "c", "d", "e"],
}
UNKNOWN = None


def judged(text: str) -> list[list[bool | None]]:
    """What each condition of the expression says of each row."""
    frame = polars.DataFrame(ROWS)
    found = conditions([text], named)
    for condition in found:
        check(condition, frame.clear())
    said = {1: True, 0: False, -1: UNKNOWN}
    return [[said[code] for code in verdicts(condition, frame).tolist()] for condition in found]


def named(name: str) -> str:
    if name in ROWS:
        return name
    raise PlainlyError(f"unknown {name}")


@each(
    "text, expected",  # worked out by hand from ROWS; a comparison with nothing is unknown, as in SQL
    [
        ("sari > 30", [False, True, False, UNKNOWN, True]),
        ("sari >= 30", [False, True, True, UNKNOWN, True]),
        ("ratio < 1.2", [True, False, True, True, UNKNOWN]),
        ("ratio = 1.2", [False, True, False, False, UNKNOWN]),
        ("ratio == 1.2", [False, True, False, False, UNKNOWN]),
        ("not sari > 30", [True, False, True, UNKNOWN, False]),
        ("sari is null", [False, False, False, True, False]),
        ("sari is not null", [True, True, True, False, True]),
        ("sari between 30 and 40", [False, True, True, UNKNOWN, False]),
        ("sari > 45 or ratio > 0.4", [True, True, False, True, True]),  # true or unknown is true
        ("sari in (10, 40)", [True, True, False, UNKNOWN, False]),
        ("text in ('a', 'e')", [True, False, False, False, True]),
        ("year > 2000", [False, True, UNKNOWN, True, False]),
        ("source like '%cat%'", [True, False, False, UNKNOWN, False]),
        ("source like '%''s%'", [False, True, False, UNKNOWN, False]),
        ("source ilike 'été%'", [False, False, True, UNKNOWN, False]),
        (r"source like 'C:\%'", [False, False, False, UNKNOWN, True]),
        ("source like '%“dog”%'", [False, True, False, UNKNOWN, False]),
        (r"regexp_like(source, '\d{3}')", [False, False, False, UNKNOWN, True]),
        ("length(source) = 8", [True, False, False, UNKNOWN, False]),
        ("coalesce(sari, 100) > 45", [False, False, False, True, True]),
        ("case when sari > 30 then true else ratio > 0.4 end", [True, True, False, True, True]),
        ("cast(ratio as int) = 0", [True, False, True, True, UNKNOWN]),
        ("try_cast(source as double) is null", [True, True, True, True, True]),
        ("sari / ratio > 25", [False, True, UNKNOWN, UNKNOWN, UNKNOWN]),  # nothing is divided by 0
        ("sari / -ratio < 0", [True, True, UNKNOWN, UNKNOWN, UNKNOWN]),
        ("sari % (ratio * 0) = 0", [UNKNOWN] * 5),
        ("ratio / abs(ratio) > 0", [True, True, UNKNOWN, True, UNKNOWN]),
        ("SARI IS NULL".replace("SARI", "sari"), [False, False, False, True, False]),
        ("true", [True] * 5),
        ("null", [UNKNOWN] * 5),
    ],
)
def test_what_a_condition_says(text: str, expected: list[bool | None]) -> None:
    assert judged(text) == [expected]


@each(
    "text, parts",
    [
        ("sari > 1 and ratio < 2", ["sari > 1", "ratio < 2"]),
        ("sari > 1 AND ratio < 2 and year = 3", ["sari > 1", "ratio < 2", "year = 3"]),
        ("(sari > 1 and (ratio < 2))", ["sari > 1", "ratio < 2"]),
        ("(sari > 1 or ratio < 2) and year > 0", ["sari > 1 or ratio < 2", "year > 0"]),
        ("sari > 1 and ratio < 2 or year > 0", ["sari > 1 and ratio < 2 or year > 0"]),
        ("sari between 1 and 2 and ratio < 2", ["sari between 1 and 2", "ratio < 2"]),
        ("not (sari > 1 and ratio < 2)", ["not (sari > 1 and ratio < 2)"]),
        ("(sari > 1) = (ratio > 1)", ["(sari > 1) = (ratio > 1)"]),
        (
            "case when sari > 1 and ratio > 1 then true end and year > 1",
            ["case when sari > 1 and ratio > 1 then true end", "year > 1"],
        ),
        ("text = 'a and b' and sari > 1", ["text = 'a and b'", "sari > 1"]),
        ("sari > 1 and sari > 1", ["sari > 1"]),
        (" and ".join(f"sari > {i}" for i in range(10)), [f"sari > {i}" for i in range(10)]),
    ],
)
def test_conditions_are_what_the_topmost_ands_join(text: str, parts: list[str]) -> None:
    assert [condition.text for condition in conditions([text], named)] == parts


@each(
    "text",  # Polars says the same of all of them as of the condition at their beginning
    [
        "ratio < 5 text",
        "ratio < 5 'x'",
        'ratio < 5 "text"',
        "ratio < 5 then",
        "ratio < 5 else",
        "ratio < 5 case",
        "ratio < 5 not",
        "ratio < 5 not null",
        "ratio < 5 as text",
        "ratio < 5 as and",
        "sari in (1, 2) true",
        "(ratio < 5 text)",
        "ratio < 5 (sari)",
        "coalesce(ratio < 5 text, true)",
        "case when ratio < 5 then true end text",
        "case when ratio < 5 text then true end",
        "case when (ratio < 5 then true) end",
        "cast(ratio < 5 as boolean) text",
        "(ratio < 5 as boolean)",
        '"sari"(ratio) > 1',
    ],
)
def test_nothing_follows_a_condition_unread(text: str) -> None:
    with pytest.raises(PlainlyError, match=r"no operator stands between|has no meaning here"):
        conditions([text], named)


@pytest.mark.parametrize(
    "text",
    [
        "sari not in (1, 2)",
        "(source not like 'a%') = true",
        "source not ilike 'a' or sari not between 1 and 2",
        "sari is not null or (ratio < 1) is not true",
        "case when (sari) > 1 then case when ratio > 1 then false else true end end",
        "try_cast(case when sari > 1 then '1' else '2' end as int) > -(1)",
        "not (abs(-sari) > 1) or not true",
    ],
)
def test_what_has_its_operators_is_read(text: str) -> None:
    assert len(judged(text)) == 1


def test_a_condition_knows_its_columns() -> None:
    (condition,) = conditions(["(sari + \"ratio\") / 2 > 1 or text = 'year'"], named)
    assert condition.columns == ("sari", "ratio", "text")


HOSTILE = [
    "exists (select * from read_csv('secret.csv'))",
    "sari in (select x from read_csv('secret.csv'))",
    "(select 1) = 1",
    "read_csv('secret.csv')",
    "sari > 1; drop table pairs",
    "sari > 1 -- and the rest",
    "sari > 1 /* and the rest */",
    "'\\' or exists (select * from read_csv('secret.csv')) or ' = '",
    "source = E'\\''",
    "source = $$x$$",
    "sari > avg(sari)",
    "count(*) > 1",
    "row_number() over () > 1",
    "lag(sari) over () > 1",
    "first(sari) > 1",
    "COLUMNS('.*') > 1",
    "* > 1",
    "pairs.sari > 1",
    "sari[0] > 1",
    "sari::int > 1",
    "sari > :x",
    "sari > ?",
    "sari > @x",
    "now() > 1",
    "sari > interval '1 day'",
    "unnest(sari) > 1",
    "repeat(source, 1000000000) = 'x'",
    "sari > 1e400",
    "sari > 123456789012345678901234567890",
    "sari > 0x10",
    "sari > 1__import__('os')",
    "__import__('os').system('true')",
    "sari > \x00",
    "sari > 1 \N{ZERO WIDTH SPACE}",
    "sari ＞ 1",
    "'open",
    '"open',
    '""',
    "((((((sari > 1)",
    "sari > 1)",
    "",
    "  \n",
    "and",
    "sari > 1 and",
    "or or or",
    "not",
    "between and and",
    "case",
    "end",
    "case when then end",
    "sari >",
    "> 1",
    "sari 1",
    "sari / ",
    "/ sari",
    "sari in ()",
    "cast(sari as)",
    "cast(sari as json)",
    "sari as x",
    "sari",
    "sari + 1",
    "'text'",
    "1",
    "source > 1",
    "sari > 'x'",
    "sari and ratio",
    "regexp_like(source, '(')",
    "regexp_like(source, '(a{1000}){1000}')",
    "length(source, source, source) > 1",
    "unknown_name > 1",
]


@pytest.mark.parametrize("text", HOSTILE, ids=[text[:30].encode("unicode_escape").decode() for text in HOSTILE])
def test_what_is_not_of_the_language_is_one_clear_error(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secret.csv").write_text("x\n1\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PlainlyError) as error:
        judged(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 600


@pytest.mark.parametrize(
    "make",
    [
        lambda n: "(" * n + "sari > 1" + ")" * n,
        lambda n: "not " * n + "sari > 1",
        lambda n: "1 + " * n + "sari > 1",
        lambda n: " or ".join(["sari > 1"] * n),
        lambda n: "abs(" * n + "sari" + ")" * n + " > 1",
        lambda n: "case when sari > 1 then " * n + "true" + " end" * n,
        lambda n: "'" * n,
        lambda n: "- " * n + "sari > 1",
    ],
    ids=["brackets", "not", "plus", "or", "calls", "case", "quotes", "minus"],
)
@pytest.mark.parametrize("size", [DEEPEST // 5, DEEPEST, 5_000, 100_000])
def test_long_and_deep_expressions_end(make: Callable[[int], str], size: int) -> None:
    try:
        judged(make(size))
    except PlainlyError as error:
        assert len(str(error)) < 600  # noqa: PT017 - some of them are right, and say something


def test_regular_expressions_take_linear_time() -> None:
    (condition,) = conditions(["regexp_like(source, '^(a+)+$')"], lambda name: name)
    frame = polars.DataFrame({"source": ["a" * 100_000 + "!"]})
    assert verdicts(condition, frame).tolist() == [0]  # in Python's `re`, this takes longer than the universe has


def test_long_lists_are_welcome() -> None:
    (condition,) = conditions([f"year in ({', '.join(map(str, range(1990, 11_990)))})"], named)
    assert verdicts(condition, polars.DataFrame(ROWS)).tolist() == [1, 1, -1, 1, 0]


def test_quoted_names_may_be_any_text() -> None:
    name = 'a "strange" näme; --'
    (condition,) = conditions(['"a ""strange"" näme; --" > 1'], lambda found: found)
    assert condition.columns == (name,)
    assert verdicts(condition, polars.DataFrame({name: [1, 2]})).tolist() == [0, 1]


def test_thresholds_are_doubles_as_scores_are() -> None:
    """0.1 + 0.2 is more than the double 0.3, as everywhere in Python."""
    values = np.array([0.3, 0.1 + 0.2, np.nextafter(0.3, 0)])
    (condition,) = conditions(["x <= 0.3"], lambda name: name)
    assert verdicts(condition, polars.DataFrame({"x": values})).tolist() == [int(v <= 0.3) for v in values]
