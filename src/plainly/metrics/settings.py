"""A setting of a metric: a field that says all that is to be known of it, for every face and every signature.

    tokenizer: str = setting("13a", choices=TOKENIZERS, short="tok", help="how texts are cut into words")

The value is a field of the metric. What stands beside it is read by the command line, by signatures (its short name,
what a difference means) and by the docs.
What a signature says beyond the settings, a metric declares as `Signed` in `also_signed`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cache
from inspect import get_annotations
from types import MappingProxyType
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.base.signature import OTHERWISE, Signed
from plainly.text.tokenizers import TOKENIZERS, get_tokenizer

_KEY = "setting"


@dataclass(frozen=True)
class Setting:
    """What is known of a setting."""

    name: str
    default: Any
    kind: type  # what a value that comes as text is made into
    help: str
    choices: tuple[str, ...] | None
    called: str  # what an unknown choice is an unknown ... of
    libraries: Callable[[Any], Mapping[str, str]]  # the versions of libraries that a value brings along
    words: Mapping[Any, str]  # how signatures say its values
    signature: Signed | None  # None: it does not move the score, or the metric says it in other words
    shown: bool
    option: str  # its name on the command line, without dashes; most have none
    opposite: tuple[str, str] | None  # of a switch: the name that turns it off, and its help
    metavar: str | None
    decided: str
    resource: bool  # it chooses a model that may not be here: no use of it is no mistake where the metric is left out

    def check(self, metric: str, value: Any) -> None:
        """Refuse a value that the setting cannot have."""
        if self.kind is bool and not isinstance(value, bool):
            raise PlainlyError(f"{self.name} must be True or False, not {value!r}")
        late = bool(self.decided) and value == self.default
        if self.choices is not None and not late and value not in self.choices:
            raise UnknownName(self.called or f"{self.name} of {metric}", str(value), self.choices)

    def of(self, metric: Any) -> Any:
        """The value that a metric has."""
        return getattr(metric, self.name)

    def said(self, value: Any) -> str:
        """The value as signatures have it."""
        return self.words[value] if self.words else str(value)

    def read(self, text: str) -> Any:
        """The value that a text stands for."""
        try:
            return _READERS.get(self.kind, self.kind)(text)
        except (ValueError, KeyError):
            wanted = _WANTED.get(self.kind, self.kind.__name__)
            raise PlainlyError(f"{self.name} must be {wanted}, not {text!r}") from None

    @property
    def usual(self) -> str:
        """The default in words; some are decided late."""
        return self.decided or repr(self.default)


_READERS: Mapping[type, Callable[[str], Any]] = {
    bool: {"yes": True, "true": True, "no": False, "false": False}.__getitem__,
    tuple: lambda text: tuple(part.strip() for part in text.split(",") if part.strip()),
}
_WANTED = {bool: "yes or no", int: "a whole number", float: "a number"}


def setting(
    default: Any,
    *,
    help: str,
    about: str = "",
    choices: Iterable[str] | None = None,
    kind: type | None = None,
    called: str = "",
    short: str = "",
    differs: str = OTHERWISE,
    unsaid: str | None = None,
    words: Mapping[Any, str] = MappingProxyType({}),
    libraries: Callable[[Any], Mapping[str, str]] = lambda _: {},
    signed: bool = True,
    shown: bool = True,
    option: str = "",
    opposite: tuple[str, str] | None = None,
    metavar: str | None = None,
    decided: str = "",
    resource: bool = False,
) -> Any:
    """A field of a metric that is a setting.

    `help` says in a few words what it sets; `about` says more of it, for the table of signatures in the docs.
    `choices` are all values that it may have. `kind` is the type of a value, where the default does not tell.
    `short`, `differs`, `unsaid` and `words` are for signatures: its short name, what a difference means, the value
    that short ones leave out, how they say its values. `libraries` gives the versions that a value brings along.
    One that moves no score is not `signed`. One that is not `shown` cannot be set by a face: it holds texts, or a
    face has other words for it. `decided` says in words what the default is, where it is decided late.
    A `resource` is a setting of a model that may not be on this machine.
    `option`, `opposite` and `metavar` are for metrics of plainly: the command line has an option
    of that name (and its opposite), and need not be told of which metric the setting is.
    """
    said = Signed(about or help, differs, short, unsaid) if signed else None
    described = Setting(
        name="",
        default=default,
        kind=kind or (str if default is None else type(default)),
        help=help,
        choices=None if choices is None else tuple(choices),
        called=called,
        words=words,
        libraries=libraries,
        signature=said,
        shown=shown,
        option=option,
        opposite=opposite,
        metavar=metavar,
        decided=decided,
        resource=resource,
    )
    return field(default=default, metadata={_KEY: described})


def tokenizer_setting(default: str = "13a") -> Any:
    """The tokeniser of a metric."""
    return setting(
        default,
        choices=TOKENIZERS,
        called="tokenizer",
        short="tok",
        help="how texts are cut into words",
        about="the [tokeniser](bleu.md#tokenisers)",
        differs="other tokens: on published systems SARI moves by up to 0.7, FKGL by about 2",
        libraries=lambda name: get_tokenizer(name).versions(),
        option="tokenizer",
    )


def lowercase_setting(default: bool = True) -> Any:
    """Whether a metric lower-cases texts first."""
    return setting(
        default,
        short="case",
        help="lower-case first (default of sari and bleu)",
        about="`lower`: lower-cased first; `mixed`: not",
        differs="upper and lower case told apart or not: on published systems SARI moves by up to 1.5",
        words={True: "lower", False: "mixed"},
        option="lowercase",
        opposite=("cased", "keep upper and lower case apart"),
    )


def variant_setting(variants: Mapping[str, str]) -> Any:
    """Which of its formulas a metric takes; the first is the default."""
    return setting(
        next(iter(variants)),
        choices=variants,
        help="which formula; said as METRIC:VARIANT",
        about="the variant of the metric",
        differs="another formula under the same name: can move SARI by 10 points and turn rankings round",
        shown=False,
    )


def parser_setting() -> Any:
    """Which parser reads the texts. What signatures say of it is `PARSER`: the one that was found."""
    return setting(
        "",
        help="the name of a parser, as an installed pipeline of spaCy",
        signed=False,
        option="parser",
        metavar="NAME",
        decided="the one of the language",
    )


def lang_setting(default: str = "en") -> Any:
    """The language of the texts."""
    return setting(
        default,
        help="the language",
        differs="another language: other tokens, syllables and formulas",
        shown=False,
    )


# What several metrics say in their signatures beyond their settings.
SENTENCES = Signed("who splits sentences: `builtin`, `textstat` or `punkt-nltk`")
SYLLABLES = Signed(
    "who counts the syllables: `plainly`, `easse`, `osman`, or a dictionary of pyphen such as `pyphen-de_DE`"
)
PARSER = Signed("which parser read the texts, its version, and the first digits of the SHA-256 of its files")
RANKS = Signed("where word ranks come from")
MODEL = Signed(
    "[the model that read the texts](bertscore.md#models), or the judge",
    "another model: its values lie in another range, and cannot be compared at all",
)
REVISION = Signed("the first digits of the SHA-256 of the model's weights", "other weights of the model")


def check_declarations(metric: type) -> None:
    """Refuse a class that has a field without a description, be it new or a new default of an inherited one."""
    inherited = {one.name for one in fields(metric)}
    own = vars(metric)
    annotations = {name: kind for name, kind in get_annotations(metric).items() if "ClassVar" not in str(kind)}
    for name in [*annotations, *(name for name in own if name in inherited and name not in annotations)]:
        value = own.get(name, MISSING)
        if name in annotations and isinstance(value, Field) and _KEY in value.metadata:
            continue
        if name in inherited:
            raise PlainlyError(
                f"{metric.__qualname__}.{name} is a new default for a setting, but loses its description: "
                f"say {name}: TYPE = setting(DEFAULT, help=...)"
            )
        raise PlainlyError(
            f"{metric.__qualname__}.{name} is a field, so a setting: describe it by setting(DEFAULT, help=...), "
            "or make it a ClassVar"
        )


@cache
def settings_of(metric: type) -> Mapping[str, Setting]:
    """The settings of a metric, by name."""
    for part in metric.__mro__:
        raw = [name for name, value in vars(part).items() if isinstance(value, Field)]
        if raw:
            raise PlainlyError(
                f"{part.__qualname__} has settings ({', '.join(raw)}), so it must be a dataclass: "
                "put @dataclass(frozen=True, kw_only=True) above it"
            )
    return MappingProxyType({spec.name: _named(spec) for spec in fields(metric)})


def _named(spec: Field[Any]) -> Setting:
    described: Setting = spec.metadata[_KEY]
    return Setting(**{**vars(described), "name": spec.name})


@cache
def signature_fields(metric: type) -> Mapping[str, Signed]:
    """What a signature of the metric may say, by long names: its settings, and what it declares beside them."""
    found = {name: one.signature for name, one in settings_of(metric).items() if one.signature is not None}
    for part in reversed(metric.__mro__):
        found |= vars(part).get("also_signed", {})
    return MappingProxyType(found)
