"""Language models as judges: any server that speaks the protocol of OpenAI's chat completions."""

from __future__ import annotations

from plainly.judges.asking import Answer, Answers, Limits, ask, estimate
from plainly.judges.costs import Budget, Forecast, Prices, Spending
from plainly.judges.endpoint import Endpoint
from plainly.judges.prompts import (
    NOBODY,
    PROMPTS,
    Profile,
    Prompt,
    Question,
    get_prompt,
    numbered,
    question,
    read_prompt,
)
from plainly.judges.store import Store, usual_store

__all__ = [
    "NOBODY",
    "PROMPTS",
    "Answer",
    "Answers",
    "Budget",
    "Endpoint",
    "Forecast",
    "Limits",
    "Prices",
    "Profile",
    "Prompt",
    "Question",
    "Spending",
    "Store",
    "ask",
    "estimate",
    "get_prompt",
    "numbered",
    "question",
    "read_prompt",
    "usual_store",
]
