"""Prompts are data: one TOML file each, with a version that stands in every signature.

A prompt that changes in any way gets a new version, since the answers change with it. Another package registers a
`Prompt` by an entry point in the group `plainly.prompts`; `read_prompt` makes one of a file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files as resources
from pathlib import Path
from string import Template

from plainly.base.declarations import Fault, insist, made, read
from plainly.base.errors import PlainlyError
from plainly.base.registry import Registry
from plainly.judges.answers import Parse

FENCE = '"'


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
    """Pieces that are put in as they are needed."""

    @property
    def signature(self) -> str:
        """Its name and version; a prompt that is not plainly's also has a checksum of its words."""
        short = f"{self.name}-{self.version}"
        if self == OWN.get(self.name):
            return short
        words = repr((self.system, self.user, self.again, sorted((self.parts or {}).items())))
        return f"{short}-{sha256(words.encode()).hexdigest()[:8]}"

    @property
    def places(self) -> frozenset[str]:
        """What it has places for."""
        found = Template.pattern.finditer(self.user)
        return frozenset(name for place in found if (name := place["named"] or place["braced"]))


@dataclass(frozen=True)
class Profile:
    """For whom a text shall be simple. What is not given is not said."""

    topic: str = ""
    """The reader is an expert on it."""
    level: str = ""
    """How well the reader knows the language: B1, native speaker, ..."""
    age: int | None = None

    def __post_init__(self) -> None:
        for name in ("topic", "level"):
            value = getattr(self, name)
            if len(value) > 200 or not value.isprintable():
                raise PlainlyError(f"the reader's {name} must be a short text on one line")
        if self.age is not None and not 3 <= self.age <= 120:
            raise PlainlyError(f"the reader's age must be from 3 to 120, not {self.age}")

    def __bool__(self) -> bool:
        return bool(self.topic or self.level or self.age is not None)

    def __str__(self) -> str:
        parts = {"expert on": self.topic, "level": self.level, "age": "" if self.age is None else str(self.age)}
        return ", ".join(f"{name} {value}" for name, value in parts.items() if value)

    @property
    def text(self) -> str:
        """What the judge is told of the reader."""
        if not self:
            return ""
        said = _reader()
        parts = [said["opening"]]
        parts += [Template(said["topic"]).substitute(topic=self.topic)] if self.topic else []
        parts += [Template(said["level"]).substitute(level=self.level)] if self.level else []
        parts += [Template(said["age"]).substitute(age=self.age)] if self.age is not None else []
        return " ".join(parts)

    @property
    def signed(self) -> dict[str, str]:
        """What a signature says of the reader; nothing where none is given."""
        return {"reader": f"{str(self).replace('|', '/')} (reader-{_reader()['version']})"} if self else {}


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
    filled = {name: fenced(text) for name, text in texts.items()} | dict(words or {})
    try:
        user = Template(prompt.user).substitute(filled)
        again = Template(prompt.again).substitute(filled)
    except KeyError as error:
        raise PlainlyError(f"prompt {prompt.name}: nothing is given for {error}") from None
    system = " ".join(filter(None, (reader.text, prompt.system.strip())))
    return Question(system, user.strip(), again.strip(), prompt.tokens * items, parse, repeat)


def fenced(text: str) -> str:
    """The text between two lines of quotation marks, longer than any row of them in the text.

    So no text can end its own quotation and speak to the judge as if it were the prompt.
    """
    longest = max(map(len, re.findall(f"{FENCE}+", text)), default=0)
    fence = FENCE * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def numbered(texts: Sequence[str]) -> str:
    """All texts as a list, numbered from 1 on."""
    return "\n\n".join(f"Text {number}:\n{fenced(text)}" for number, text in enumerate(texts, 1))


def read_prompt(path: Path | str) -> Prompt:
    """The prompt that a TOML file holds, under the name of the file."""
    path = Path(path)
    try:
        table = read(path.read_text("utf-8"))
        insist(table.get("name") == path.stem, f"the name must be that of the file, {path.stem!r}")
        return made(Prompt, table, "prompt")
    except OSError as error:
        raise PlainlyError(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, Fault) as error:
        raise PlainlyError(f"{path}: {error}") from None


def get_prompt(name: str) -> Prompt:
    """The prompt of that name, or of the file where the name ends in .toml."""
    return read_prompt(name) if name.endswith(".toml") else PROMPTS[name]


_FOLDER = Path(str(resources("plainly.judges") / "prompts"))
OWN = {name: read_prompt(_FOLDER / f"{name}.toml") for name in ("pairwise", "score", "rank-all", "assessment")}
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
