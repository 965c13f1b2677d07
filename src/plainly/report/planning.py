"""What a ranking costs and what it is worth: simulated studies as one HTML page."""

from __future__ import annotations

from plainly.ranking.simulation import Simulation
from plainly.report import specs
from plainly.report.assets import rendered
from plainly.report.charts import Chart, Panel, Value
from plainly.report.words import number, plural


def planning_page(
    simulation: Simulation, seconds: float, date: str, title: str = "How many judgements does a ranking need?"
) -> str:
    """The page, which needs no other file and no network."""
    chart = planning_chart(simulation, seconds)
    setting = simulation.setting
    votes = "every vote counts" if setting.combination == "votes" else "of several votes the majority counts"
    method = (
        f"{plural(setting.texts, 'text')}, rated by {setting.method} from {setting.pairing} pairs; {votes}; "
        f"{setting.error} error; {seconds:g} s a judgement; {plural(setting.runs, 'run')}, seed {setting.seed}."
    )
    return rendered(
        "planning.html",
        [chart],
        title=title,
        date=date,
        chart=chart,
        method=method,
    )


def planning_chart(simulation: Simulation, seconds: float) -> Chart:
    """Rho over the number of pairs, one line a crowd, and the minutes that each of its raters works."""
    rows: list[list[Value]] = []
    told = []
    for crowd in simulation.crowds:
        points = simulation.curve(crowd.name)
        for point in points:
            minutes = point.pairs * seconds / 60
            rho = point.rho
            rows.append([crowd.name, point.pairs, rho.value, rho.low, rho.high, point.sd, minutes])
        first, last = points[0], points[-1]
        told.append(
            f"{crowd.name}: {number(first.rho.value, 2)} after {plural(first.pairs, 'pair')}, "
            f"{number(last.rho.value, 2)} after {last.pairs}"
        )
    names = [crowd.name for crowd in simulation.crowds]
    answer = "; ".join(told) + "."
    question = "How close does a ranking come to the truth, and what does it cost?"
    alt = f"Rank correlation with the truth by pairs judged. {answer}"
    return Chart(
        "planning",
        question,
        answer,
        f"Lines are means of {plural(simulation.setting.runs, 'run')}, bands hold 95 % of them. The dashed line is "
        "the time of each rater, on the right axis.",
        ("raters", "pairs", "rho", "low", "high", "sd", "minutes"),
        rows,
        [Panel("rank correlation", alt, specs.growth(names))],
        dict(zip(names, specs.line_styles(len(names)), strict=True)),
    )
