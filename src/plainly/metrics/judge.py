"""A language model rates each output from 0 to 100: is it fluent, does it keep the meaning, is it simple?

    score = mean over the aspects of (sum of the ratings / number of outputs that have them)

Another prompt may ask about other aspects, on another scale; its ratings are stretched to 0 to 100.

Nothing is sent anywhere unless a URL and a model are named. Replies are kept, so that no output is paid for twice.
A server that fails, or a budget that is used up, does not end the run: the metric has failed, others are reported.
See docs/judges.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from threading import Lock
from typing import Any, ClassVar

import numpy as np

from plainly.base.errors import MissingResource, PlainlyError, UnknownName
from plainly.base.signature import Signed
from plainly.corpus import Corpus
from plainly.judges import Answers, Endpoint, Limits, Prompt, Question, Store, ask, get_prompt, question, usual_store
from plainly.judges.answers import ratings
from plainly.judges.client import JudgeUnavailable
from plainly.judges.endpoint import parse_settings
from plainly.judges.prompts import placed
from plainly.metrics.base import NO_SETTINGS, SCORED, Array, Facts, Metric, Score, ratio, scored, with_scored
from plainly.metrics.settings import MODEL, setting

PROMPT = "assessment"
UNNAMED = "it needs a judge: name its judge_url and judge_model"

Text = tuple[str, str, tuple[str, ...]]  # source, output, references


@dataclass(frozen=True, kw_only=True)
class Judge(Metric):
    """`judge_settings` are sent with every question, each NAME=VALUE; `judge_calls` are the most that are made."""

    name = "judge"
    facts = Facts(
        title="Judge",
        about="a language model rates fluency, meaning and simplicity of each output: their mean",
        direction="higher",
        range=(0.0, 100.0),
        needs=frozenset({"source"}),
        paper="after Kocmi and Federmann 2023, Large Language Models Are State-of-the-Art Evaluators of "
        "Translation Quality, EAMT",
        caution="ratings of different models or prompts cannot be compared; a model may favour its own style",
    )

    counts_calls = True
    also_signed: ClassVar = {  # none of the settings is signed: signatures say in other words how a judge was asked
        "model": MODEL,
        "temperature": Signed("how freely a [judge](judges.md) chose its words"),
        "prompt": Signed(
            "how a [judge](judges.md) was asked",
            "another prompt, or another version of it: the judge was asked something else",
        ),
        "aspects": Signed("what a judge rated", "other aspects were rated: the mean is of other things"),
        "shown": Signed("which texts a judge saw", "the judge saw other texts beside the output"),
    }

    judge_url: str | None = setting(
        None,
        help="the address of the server, as a rule with /v1",
        signed=False,
    )
    judge_model: str | None = setting(None, help="the name of the model there", signed=False)
    judge_key_variable: str | None = setting(
        None,
        help="the environment variable with the key",
        signed=False,
    )
    judge_prompt: str = setting(PROMPT, help="a prompt of your own: file.toml (default: assessment)", signed=False)
    judge_aspects: str = setting(
        "",
        help="fluency, meaning, simplicity, or those of the prompt (all)",
        signed=False,
    )
    judge_references: bool = setting(False, help="show it the references too", signed=False)
    judge_settings: tuple[str, ...] = setting(
        (),
        help="sent with every question, as temperature=0.7 (default: 0)",
        signed=False,
    )
    judge_calls: int = setting(1000, help="the most calls made (default: 1000)", signed=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        prompt = get_prompt(self.judge_prompt)
        if prompt.kind != PROMPT:
            raise PlainlyError(f"judge: prompt {prompt.name} has no places for $output and $lines")
        if self.judge_references and not prompt.places & {"material", "references"}:
            raise PlainlyError(f"judge: prompt {prompt.name} has no place for references: $references or $material")
        object.__setattr__(self, "_prompt", prompt)  # not a setting, so not a field; a file may change
        for aspect in self.aspects:
            if aspect not in self._parts:
                raise UnknownName("aspect of judge", aspect, list(self._parts))
        if not self.aspects or len(set(self.aspects)) < len(self.aspects):
            raise PlainlyError(f"judge: each aspect is named once, not {self.judge_aspects!r}")
        if self.judge_calls < 0:
            raise PlainlyError(f"judge_calls must be a number from 0 on, not {self.judge_calls}")
        object.__setattr__(self, "judge_settings", tuple(self.judge_settings))
        object.__setattr__(self, "_session", _Session())  # not a setting, so not a field
        if self.judge_url and self.judge_model:
            assert self.endpoint.url  # what is wrong with it is said before any work

    @classmethod
    def missing(cls, lang: str, settings: Mapping[str, Any] = NO_SETTINGS) -> str | None:
        if not (settings.get("judge_url") and settings.get("judge_model")):
            return UNNAMED
        if find_spec("httpx2") is None:
            return "it needs httpx2: pip install 'plainly[judges]'"
        return super().missing(lang, settings)

    @property
    def aspects(self) -> tuple[str, ...]:
        named = self.judge_aspects or ",".join(self._parts)
        return tuple(name.strip() for name in named.split(",") if name.strip())

    @property
    def _words(self) -> Prompt:
        prompt: Prompt = self.__dict__["_prompt"]
        return prompt

    @property
    def _parts(self) -> Mapping[str, str]:
        return self._words.parts or {}

    @property
    def endpoint(self) -> Endpoint:
        if not (self.judge_url and self.judge_model):
            raise MissingResource(f"judge cannot be computed: {UNNAMED}")
        settings = parse_settings(self.judge_settings)
        return Endpoint(self.judge_url, self.judge_model, self.judge_key_variable, settings)

    @property
    def columns(self) -> tuple[str, ...]:
        return (SCORED, *self.aspects)

    def settings(self) -> dict[str, str]:
        named = self.judge_url and self.judge_model
        return {
            **super().settings(),
            **(self.endpoint.signed() if named else {"model": "none"}),
            "prompt": self._words.signature,
            "aspects": "+".join(self.aspects),
            "shown": "source+references" if self.judge_references else "source",
        }

    def measure(self, corpus: Corpus, system: str) -> Array:
        present = scored(corpus, system, self.facts.needs)
        known = corpus.prepared(("judge", self), lambda: self._ratings(corpus))
        rows = np.zeros((len(corpus), len(self.aspects)))
        low, high = self._words.scale
        for i, text in enumerate(self._texts(corpus, system)):
            rated = known.get(text) if text is not None else None
            if rated is None:
                present[i] = False
            else:
                rows[i] = [100 * (rated[aspect] - low) / (high - low) for aspect in self.aspects]
        return with_scored(present, rows)

    def score(self, totals: Array) -> Score:
        parts = {name: ratio(totals[..., i], totals[..., 0]) for i, name in enumerate(self.aspects, 1)}
        mean: Array = np.mean(list(parts.values()), axis=0)
        return Score(mean, parts)

    @property
    def failure(self) -> str | None:
        return self._asked.failure

    @property
    def remarks(self) -> list[str]:
        if self.failure is not None:
            return [f"judge failed and has no scores: {self.failure}"]
        asked = self._asked.questions
        return [f"judge: {count} of {asked} outputs unscored: {why}" for why, count in self._asked.problems.items()]

    def close(self) -> None:
        self._asked.close()

    @property
    def _asked(self) -> _Session:
        session: _Session = self.__dict__["_session"]
        return session

    def _ratings(self, corpus: Corpus) -> dict[Text, Mapping[str, float] | None]:
        """The ratings of all systems' outputs, each distinct one asked for once."""
        texts = list(dict.fromkeys(text for system in corpus.outputs for text in self._texts(corpus, system) if text))
        found = self._asked.ask([self._question(text) for text in texts], self.endpoint, self.judge_calls)
        return {} if found is None else {text: answer.value for text, answer in zip(texts, found.items, strict=True)}

    def _texts(self, corpus: Corpus, system: str) -> list[Text | None]:
        present = scored(corpus, system, self.facts.needs)
        return [
            (source or "", output or "", tuple(group) if self.judge_references else ()) if there else None
            for source, output, group, there in zip(
                corpus.sources, corpus.output(system), corpus.references, present, strict=True
            )
        ]

    def _question(self, text: Text) -> Question:
        source, output, references = text
        prompt = self._words
        material = [f"Original text:\n{placed(prompt, source)}\n"]
        material += [f"Simplified by a person:\n{placed(prompt, reference)}\n" for reference in references]
        words = {
            "aspects": "\n".join(f"{aspect}: {self._parts[aspect]}" for aspect in self.aspects),
            "lines": "\n".join(f"{aspect}: N" for aspect in self.aspects),
            "material": "\n".join(material),
            "references": "\n\n".join(placed(prompt, reference) for reference in references),
        }
        parse = ratings(self.aspects, *prompt.scale)
        texts = {"output": output, "source": source}
        return question(prompt, texts, parse, words=words, items=len(self.aspects))


class _Session:
    """What was asked so far in a run. Pieces of a corpus are measured in threads, but asked one after the other."""

    def __init__(self) -> None:
        self.failure: str | None = None
        self.questions = 0
        self.problems: Counter[str] = Counter()
        self._calls = 0
        self._store: Store | None = None
        self._lock = Lock()

    def ask(self, questions: list[Question], endpoint: Endpoint, most: int) -> Answers | None:
        """The answers; None where the judge has failed, now or before."""
        with self._lock:
            if self.failure is not None:
                return None
            if self._store is None:
                self._store = Store(usual_store())
            try:
                found = ask(questions, endpoint, self._store, Limits(most_calls=most - self._calls))
            except JudgeUnavailable as error:
                self.failure = str(error)
                return None
            self._calls += found.spent.calls
            if found.stopped:
                calls = "1 call is" if most == 1 else f"{most:,} calls are"
                self.failure = f"{calls} used up; allow more judge_calls. The replies so far are kept"
                return None
            self.questions += len(questions)
            self.problems.update(answer.problem for answer in found.items if answer.value is None)
            return found

    def close(self) -> None:
        with self._lock:
            if self._store is not None:
                self._store.close()
                self._store = None
