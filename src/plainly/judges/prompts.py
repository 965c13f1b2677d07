"""Prompts are data: one TOML file each, with a version that stands in every signature.

A prompt that changes in any way gets a new version, since the answers change with it. Another package registers a
`Prompt` by an entry point in the group `plainly.prompts`; `read_prompt` makes one of a file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files as resources
from pathlib import Path
from string import Template

from plainly.base.declarations import Fault, insist, made, read
from plainly.base.errors import Place, PlainlyError, nearest
from plainly.base.registry import Registry
from plainly.judges.answers import Parse, bare

FENCE = '"'


KINDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "pairwise": (frozenset({"first", "second"}), frozenset()),
    "score": (frozenset({"text"}), frozenset()),
    "rank-all": (frozenset({"texts"}), frozenset({"count"})),
    "assessment": (frozenset({"output", "lines"}), frozenset({"aspects", "material", "source", "references"})),
}
"""What each kind of prompt must have places for, and what it may have places for."""
LETTERS = ("A", "B")
HIGHEST = 999.0
"""Of a scale."""


@dataclass(frozen=True)
class Prompt:
    """What is said to a judge, with places for the texts: $first, $second, ..."""

    name: str
    version: int
    user: str
    again: str
    """Added where the reply was not an answer."""
    tokens: int
    """The longest reply, for each thing that is asked for."""
    system: str = ""
    parts: Mapping[str, str] | None = None
    """Pieces that are put in as they are needed: of an assessment, what is rated, and what it means."""
    winner: str = "easier"
    """What it means to be chosen, to come first, or to have the higher number: easier, harder, more formal, ..."""
    answers: tuple[str, ...] = LETTERS
    """Of pairs: the answers that choose the first text, and the second."""
    scale: tuple[float, ...] = (0, 100)
    """Of ratings: the lowest number and the highest."""
    bare: bool = False
    """Texts stand in their places as they are, without our marks around them."""
    reader: Mapping[str, str] | None = None
    """How a reader is described, as in reader.toml; None: in our words."""

    def __post_init__(self) -> None:
        if fault := next(_faults(self), None):
            raise PlainlyError(f"prompt {self.name}: {fault}")

    @property
    def signature(self) -> str:
        """Its name and version; a prompt that is not plainly's also has a digest of all that it says."""
        short = f"{self.name}-{self.version}"
        if self == OWN.get(self.name):
            return short
        tables = [sorted(table.items()) if table else None for table in (self.parts, self.reader)]
        scale = [float(end) for end in self.scale]
        said = [self.system, self.user, self.again, self.tokens, self.winner, self.answers, scale, self.bare, *tables]
        return f"{short}-{sha256(json.dumps(said).encode()).hexdigest()[:12]}"

    @property
    def places(self) -> frozenset[str]:
        """What it has places for."""
        return _places(self.user)

    @property
    def kind(self) -> str:
        """What it asks about, which is what it has places for: `pairwise`, `score`, `rank-all` or `assessment`."""
        return next(name for name, (needed, _) in KINDS.items() if needed <= self.places)


@dataclass(frozen=True)
class Profile:
    """For whom a text shall be simple. What is not given is not said."""

    topic: str = ""
    """The reader is an expert on it."""
    level: str = ""
    """How well the reader knows the language: B1, native speaker, ..."""
    age: int | None = None
    description: str = ""
    """Who the reader is, in words of your own: a native speaker who reads a newspaper every day, ..."""

    def __post_init__(self) -> None:
        for name in ("topic", "level", "description"):
            value = getattr(self, name)
            if len(value) > 200 or not value.isprintable():
                raise PlainlyError(f"the reader's {name} must be a short text on one line")
        if self.age is not None and not 3 <= self.age <= 120:
            raise PlainlyError(f"the reader's age must be from 3 to 120, not {self.age}")

    def __bool__(self) -> bool:
        return bool(self.topic or self.level or self.age is not None or self.description)

    def __str__(self) -> str:
        age = "" if self.age is None else str(self.age)
        parts = {"expert on": self.topic, "level": self.level, "age": age}
        named = [f"{name} {value}" for name, value in parts.items() if value]
        return ", ".join([*([self.description] if self.description else []), *named])

    def text(self, words: Mapping[str, str] | None = None) -> str:
        """What the judge is told of the reader; `words` are those of the prompt, if it has its own."""
        if not self:
            return ""
        said = words or _reader()
        facts = {"description": self.description, "topic": self.topic, "level": self.level, "age": self.age}
        given = {name: str(value) for name, value in facts.items() if value not in ("", None)}
        return " ".join([said["opening"], *(Template(said[name]).substitute({name: given[name]}) for name in given)])

    def signed(self, words: Mapping[str, str] | None = None) -> dict[str, str]:
        """What a signature says of the reader; nothing where none is given."""
        whose = "in the words of the prompt" if words else f"reader-{_reader()['version']}"
        return {"reader": f"{str(self).replace('|', '/')} ({whose})"} if self else {}


NOBODY = Profile()
"""No reader in particular."""


@dataclass(frozen=True)
class Question:
    """One thing to ask: the messages, and how to find the answer in the reply."""

    system: str
    user: str
    again: str
    tokens: int
    parse: Parse = field(compare=False)
    repeat: int = 0
    """The same question may be asked several times on purpose."""

    def messages(self, attempt: int) -> list[dict[str, str]]:
        """What is sent; after a reply that was no answer, with a reminder of what an answer is."""
        content = self.user if attempt == 0 else f"{self.user}\n\n{self.again}"
        opening = [{"role": "system", "content": self.system}] if self.system else []
        return [*opening, {"role": "user", "content": content}]


def question(
    prompt: Prompt,
    texts: Mapping[str, str],
    parse: Parse,
    *,
    reader: Profile = NOBODY,
    words: Mapping[str, str] | None = None,
    items: int = 1,
    repeat: int = 0,
) -> Question:
    """The prompt with the texts in their places, each between fences, and `words` of our own as they are."""
    filled = {name: placed(prompt, text) for name, text in texts.items()} | dict(words or {})
    user = Template(prompt.user).substitute(filled)
    again = Template(prompt.again).substitute(filled)
    system = " ".join(filter(None, (reader.text(prompt.reader), prompt.system.strip())))
    return Question(system, user.strip(), again.strip(), prompt.tokens * items, parse, repeat)


def placed(prompt: Prompt, text: str) -> str:
    """The text as it stands in a place of this prompt."""
    return text if prompt.bare else fenced(text)


def fenced(text: str) -> str:
    """The text between two lines of quotation marks, longer than any row of them in the text.

    So no text can end its own quotation and speak to the judge as if it were the prompt.
    """
    longest = max(map(len, re.findall(f"{FENCE}+", text)), default=0)
    fence = FENCE * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def numbered(prompt: Prompt, texts: Sequence[str]) -> str:
    """All texts as a list, numbered from 1 on, as it stands in a place of this prompt."""
    return "\n\n".join(f"Text {number}:\n{placed(prompt, text)}" for number, text in enumerate(texts, 1))


def read_prompt(path: Path | str) -> Prompt:
    """The prompt that a TOML file holds, under the name of the file."""
    path = Path(path)
    try:
        table = read(path.read_text("utf-8"))
        insist(table.get("name") == path.stem, f"the name must be that of the file, {path.stem!r}")
        return made(Prompt, table, "prompt")
    except OSError as error:
        raise PlainlyError(error.strerror or "it cannot be read", place=Place(str(path))) from None
    except UnicodeDecodeError:
        raise PlainlyError("this is no text in UTF-8", place=Place(str(path))) from None
    except (Fault, PlainlyError) as error:
        raise PlainlyError(str(error), place=Place(str(path))) from None


def get_prompt(name: str) -> Prompt:
    """The prompt of that name, or of the file where the name ends in .toml."""
    return read_prompt(name) if name.endswith(".toml") else PROMPTS[name]


def _places(text: str) -> frozenset[str]:
    found = Template.pattern.finditer(text)
    return frozenset(name for place in found if (name := place["named"] or place["braced"]))


def _faults(prompt: Prompt) -> Iterator[str]:
    """What is wrong with a prompt, the first thing first."""
    if not prompt.name.isprintable() or "|" in prompt.name:
        yield "its name must be printable, without |"
    if not 1 <= prompt.tokens <= 100_000:
        yield f"tokens must be from 1 to 100000, not {prompt.tokens}"
    for field_name in ("user", "again"):
        if any(place["invalid"] is not None for place in Template.pattern.finditer(getattr(prompt, field_name))):
            yield f"{field_name} has a $ that begins no place; write $$ for the sign itself"
    yield from _faults_of_places(prompt)
    yield from _faults_of_answers(prompt)
    for name, table in (("parts", prompt.parts), ("reader", prompt.reader)):
        if table is not None and not (isinstance(table, Mapping) and all(isinstance(v, str) for v in table.values())):
            yield f"{name} must be a table of texts"
    if prompt.reader is not None:
        yield from _faults_of_reader(prompt.reader)
    if prompt.kind == "assessment":
        if not prompt.parts:
            yield "it has no parts: what is rated, as [parts] with a line such as fluency = 'does it read naturally?'"
        elif odd := next((name for name in prompt.parts if not re.fullmatch("[a-z][a-z0-9-]*", name)), None):
            yield f"the part {odd!r} must have a name of small letters, digits and hyphens"


def _faults_of_places(prompt: Prompt) -> Iterator[str]:
    known = {name for needed, spare in KINDS.values() for name in needed | spare}
    for name in sorted(prompt.places | _places(prompt.again)):
        if name not in known:
            yield f"nothing is known that belongs in ${name}{_meant(name, known, '$')}"
    kinds = [name for name, (needed, _) in KINDS.items() if needed & prompt.places]
    if not kinds:
        places = ", or ".join(_named(needed) for needed, _ in KINDS.values())
        yield f"user has no place for a text: it needs {places}"
    elif len(kinds) > 1:
        yield f"user has places of prompts of different kinds, {' and '.join(kinds)}: {_named(prompt.places)}"
    else:
        needed, spare = KINDS[kinds[0]]
        if missing := needed - prompt.places:
            yield f"user has no place for {_named(missing)}, but one for {_named(needed & prompt.places)}"
        for name in ("user", "again"):
            if stray := _places(getattr(prompt, name)) - needed - spare:
                yield f"{name} has a place for {_named(stray)}, which a prompt with {_named(needed)} cannot fill"
        if stray := _places(prompt.system) & (needed | spare):
            yield f"system has a place for {_named(stray)}; texts stand in user"


def _faults_of_answers(prompt: Prompt) -> Iterator[str]:
    answers, scale = prompt.answers, prompt.scale
    if not (
        isinstance(answers, tuple)
        and len(answers) == 2
        and all(isinstance(answer, str) and bare(answer) for answer in answers)
        and len({bare(answer).casefold() for answer in answers}) == 2
    ):
        yield "answers must be two different texts: what chooses the first text, and what chooses the second"
        return
    if not (
        isinstance(scale, tuple)
        and len(scale) == 2
        and all(isinstance(end, (int, float)) and not isinstance(end, bool) for end in scale)
        and 0 <= scale[0] < scale[1] <= HIGHEST
    ):
        yield f"scale must be two numbers from 0 to {HIGHEST:g}, the lower one first"
        return
    if answers != LETTERS and prompt.kind != "pairwise":
        yield f"answers are of prompts with $first and $second, and this one has {_named(prompt.places)}"
    if tuple(scale) != (0, 100) and prompt.kind not in ("score", "assessment"):
        yield f"a scale is of prompts that ask for numbers, and this one has {_named(prompt.places)}"
    if prompt.kind == "pairwise":
        for answer in answers:
            if not re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", f"{prompt.user}\n{prompt.again}", re.IGNORECASE):
                yield f"the answer {answer!r} is nowhere in user or again: a judge cannot know of it"


def _faults_of_reader(words: Mapping[str, str]) -> Iterator[str]:
    named = ("description", "topic", "level", "age")
    for name in ("opening", *named):
        if name not in words:
            yield f"reader needs {name}"
        elif name in named and _places(words[name]) != {name}:
            yield f"reader.{name} must have the place ${name}, and no other"
    for name in words:
        if name not in ("opening", *named):
            yield f"reader has no {name}{_meant(name, ('opening', *named))}"


def _meant(name: str, known: Iterable[str], mark: str = "") -> str:
    near = nearest(name, known)
    return f"; did you mean {mark}{near}?" if near else ""


def _named(places: Iterable[str]) -> str:
    """As they are written in a prompt."""
    order = [name for needed, spare in KINDS.values() for name in (*sorted(needed), *sorted(spare))]
    return " and ".join(f"${name}" for name in order if name in places)


_FOLDER = Path(str(resources("plainly.judges") / "prompts"))
OWN = {
    name: read_prompt(_FOLDER / f"{name}.toml")
    for name in ("pairwise", "score", "rank-all", "assessment", "pairwise-de", "score-de", "rank-all-de")
}
PROMPTS = Registry(
    "prompt",
    OWN,
    "plainly.prompts",
    "a plainly.judges.Prompt",
    lambda found: isinstance(found, Prompt),
)
"""All prompts that ship, and those of other packages, by name."""


@cache
def _reader() -> dict[str, str]:
    """How a reader is described."""
    return read((_FOLDER / "reader.toml").read_text("utf-8"))
