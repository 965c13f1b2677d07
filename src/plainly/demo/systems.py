"""Four toy systems, as examples of how to write one: a function from a text and its language to a text.

identity     the source, unchanged
truncation   the first 80 % of the words
splitter     a few rules cut long sentences; it would rather leave a sentence alone than break its grammar
substituter  a table replaces difficult words, where the other word is more frequent
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from plainly.base.errors import MissingResource, UnknownName
from plainly.corpus.corpus import truncated
from plainly.text.languages import LANGUAGES, get_language


def identity(text: str, lang: str) -> str:
    """The text, unchanged."""
    return text


def truncation(text: str, lang: str) -> str:
    """The first 80 % of the words, and a full stop."""
    return truncated(text)


def splitter(text: str, lang: str) -> str:
    """The text with some of its long sentences cut in two. Every rule of the language runs once, in order."""
    if lang not in RULES:
        raise UnknownName("language of the splitter", lang, RULES)
    for pattern, rewrite in RULES[lang]:
        text = pattern.sub(rewrite, text, count=1)
    return text


def substituter(text: str, lang: str) -> str:
    """The text with difficult words replaced, wherever the easy word is the more frequent one."""
    if not get_language(lang).easy_words:
        able = [code for code, entry in LANGUAGES.items() if entry.easy_words]
        raise UnknownName("language of the substituter", lang, able)
    table = _useful_pairs(lang)

    def easy(match: re.Match[str]) -> str:
        word = match["word"]
        substitute = table.get(word.lower())
        if substitute is None:
            return match[0]
        if match["article"] and (word[0].lower() in "aeiou") != (substitute[0] in "aeiou"):
            return match[0]  # "an adequate" would become "an enough"
        return (match["article"] or "") + _cased_like(word, substitute)

    return _WORD.sub(easy, text)


SYSTEMS: dict[str, Callable[[str, str], str]] = {
    "identity": identity,
    "truncation": truncation,
    "splitter": splitter,
    "substituter": substituter,
}


# ---- the splitter: what it looks for, and what it writes instead

Rewrite = Callable[[re.Match[str]], str]

_EN_FINITE = "(?:is|are|was|were|has|have|had|can|could|will|would|may|might|must|should|does|do|did)"
_EN_PRONOUN = "(?:he|she|it|they|we|you|I|there|this|these|those)"
_EN_DETERMINER = "(?:the|a|an|its|his|her|their|our|your|my|each|all|many|most|some)"
_EN_SUBJECT = rf"(?:{_EN_PRONOUN}|{_EN_DETERMINER})"
_EN_CLAUSE = rf"(?:{_EN_PRONOUN}\b[^,;:()]*|(?:(?!that\b|which\b|who\b)[\w'’-]+ ){{1,6}}{_EN_FINITE}\b[^,;:()]*)"
_EN_OPEN = "(?!If|When|While|Although|Because|Unless|After|Before|Since|As|Once|Whether)"  # a clause hangs on it

_DE_FINITE = (
    "(?:ist|sind|war|waren|hat|haben|hatte|hatten|wird|werden|wurde|wurden|kann|können|konnte|konnten|muss|müssen"
    "|musste|mussten|darf|dürfen|durfte|durften|soll|sollen|sollte|sollten|will|wollen|wollte|wollten)"
)
_DE_PRONOUN = "(?:er|sie|es|wir|ich|man|dies|diese|dieser|dieses|niemand|jeder)"
_DE_DETERMINER = "(?:der|die|das|ein|eine|kein|keine|sein|seine|ihr|ihre|viele|alle)"
_DE_SUBJECT = rf"(?:{_DE_PRONOUN}|{_DE_DETERMINER})"
_DE_OPEN = "(?!Wenn|Weil|Da |Obwohl|Nachdem|Bevor|Sobald|Falls|Sofern|Während|Als|Ob|Dass|Solange|Soweit)"
_DE_HEAD = rf"^{_DE_OPEN}(?:(?!, (?:dass|weil|wenn|ob|obwohl|falls|da)\b).)+?"  # no verb-last clause is open
_DE_ONE = r"(?![^,;:()]*\b[a-zäöüß]+ (?:und|oder)\b)"  # one verb: "die kommt und gehen kann" has two


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _plural(noun: str, finite: str) -> bool:
    """Whether "which" stands for several things: the verb says so, or else the noun before it."""
    if finite in {"are", "were", "have"} or finite in {"is", "was", "has"}:
        return finite in {"are", "were", "have"}
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is"))


def _two(match: re.Match[str]) -> str:
    """ "A; b." as "A. B.", and "A, but b." as "A. But b."."""
    return f"{match['head']}. {_upper(match['tail'])}"


def _example(opening: str) -> Rewrite:
    return lambda match: f"{match['head']}{match['rest']}. {opening} {match['inside']}."


def _opened(opening: str) -> Rewrite:
    """The tail as a sentence of its own, with an opening that says how it hangs together with the head."""
    return lambda match: f"{match['head']}. {opening} {match['tail']}"


def _after(adverb: str) -> Rewrite:
    """ "Although a, b." as "A. However, b."."""
    return lambda match: f"{_upper(match['head'])}. {adverb} {match['tail']}"


_DEMONSTRATIVES = {"who": ("This person", "These people"), "which": ("This", "These")}


def _which_at_the_end(match: re.Match[str]) -> str:
    one, several = _DEMONSTRATIVES[match["pronoun"]]
    subject = several if _plural(match["noun"], match["finite"]) else one
    return f"{match['head']}{match['noun']}. {subject} {match['finite']}{match['tail']}"


def _which_after_the_subject(match: re.Match[str]) -> str:
    several = _plural(match["noun"], match["finite"])
    subject = "They" if several else "It"
    return f"{match['head']}{match['noun']} {match['finite']}{match['clause']}. {subject} {match['rest']}"


def _most_of_which(match: re.Match[str]) -> str:
    return (
        f"{match['head']}. {_upper(match['part'])} of {'them' if match['noun'] == 'whom' else 'these'}{match['tail']}"
    )


def _german_relative_clause(match: re.Match[str]) -> str:
    """The verb comes second, and the demonstrative has the case of the relative pronoun: right in any case."""
    forms = {"der": "Dieser", "die": "Diese", "das": "Dieses", "den": "Diesen", "dem": "Diesem", "denen": "Diesen"}
    return f"{match['head']}. {forms[match['pronoun']]} {match['finite']} {match['clause']}."


def _wobei(match: re.Match[str]) -> str:
    return f"{match['head']}. Dabei {match['finite']} {match['clause']}."


_END = r"(?P<tail>[^,;:()]+\.)$"

RULES: Mapping[str, Sequence[tuple[re.Pattern[str], Rewrite]]] = {
    "en": [
        (re.compile(pattern), rewrite)
        for pattern, rewrite in [
            (rf"^(?P<head>[^;]+); (?P<tail>(?:however, )?{_EN_SUBJECT}\b)", _two),
            (r"^(?P<head>[^()]+) \((?:e\.g\.|for example),? (?P<inside>[^()]+)\)(?P<rest>[^()]*)\.$",
             _example("For example:")),
            (r"^(?P<head>[^()]+) \((?:i\.e\.|that is),? (?P<inside>[^()]+)\)(?P<rest>[^()]*)\.$",
             _example("That is:")),
            (r"^(?P<head>[^()]+) \(see (?P<inside>[^()]+)\)(?P<rest>[^()]*)\.$", _example("See")),
            (rf"^(?P<head>{_EN_OPEN}[^;:()]+), and (?P<tail>{_EN_CLAUSE}[^;:()]*\.)$", _two),
            (rf"^(?P<head>{_EN_OPEN}[^;:()]+), (?P<tail>(?:but|yet) {_EN_CLAUSE}[^;:()]*\.)$", _two),
            (rf"^(?P<head>{_EN_OPEN}[^;:()]+), so (?P<tail>{_EN_CLAUSE}[^;:()]*\.)$", _opened("So")),
            (r"^(?P<head>[^;:()]+), (?P<part>the \w+|most|many|some|all|both|none) of (?P<noun>which|whom)"
             r"(?P<tail>[^,;:()]+\.)$", _most_of_which),
            (rf"^(?P<head>(?:The|This|That|These|Those)? ?(?:(?!of\b|in\b|by\b)[\w'’-]+ ){{0,3}})(?P<noun>[\w'’-]+),"
             rf" which (?P<finite>{_EN_FINITE})(?P<clause> [^,;:()]+), (?P<rest>[^;:()]+\.)$",
             _which_after_the_subject),
            (rf"^(?P<head>(?!During|In|On|At|Of).+ )(?P<noun>[\w'’-]+), (?P<pronoun>which|who) "
             rf"(?P<finite>{_EN_FINITE}){_END}", _which_at_the_end),
            (rf"^(?P<head>.+), (?:since|because|as) (?=(?![0-9])[^,;:()]* {_EN_FINITE}\b){_END}",
             _opened("This is because")),
            (rf"^(?P<head>{_EN_OPEN}.+), unless (?P<tail>[^;:()]+\.)$", _opened("This does not apply if")),
            (rf"^(?P<head>.+), provided that {_END}", _opened("This applies only if")),
            (rf"^(?:Although|Though) (?P<head>(?:[^,;:()]|,(?=[0-9]))+), "
             rf"(?P<tail>(?:{_EN_SUBJECT}\b.*|[^,]+)\.)$", _after("However,")),
            (rf"^Because (?!of\b)(?P<head>(?:[^,;:()]|,(?=[0-9]))+), "
             rf"(?P<tail>(?:{_EN_SUBJECT}\b.*|[^,]+)\.)$", _after("Therefore,")),
        ]
    ],
    "de": [
        (re.compile(pattern), rewrite)
        for pattern, rewrite in [
            (rf"^(?P<head>[^;]+); (?P<tail>{_DE_SUBJECT}\b)", _two),
            (r"^(?P<head>[^()]+) \((?:z\. ?B\.|zum Beispiel) (?P<inside>[^()]+)\)(?P<rest>[^()]*)\.$",
             _example("Zum Beispiel:")),
            (r"^(?P<head>[^()]+) \((?:d\. ?h\.|das heißt) (?P<inside>[^()]+)\)(?P<rest>[^()]*)\.$",
             _example("Das heißt:")),
            (r"^(?P<head>[^()]+) \(siehe (?P<inside>[^()]+)\)(?P<rest>[^()]*)\.$", _example("Siehe")),
            (r"^(?P<head>[^;:()]+), (?P<tail>denn [^;:()]+\.)$", _two),
            (rf"(?P<head>{_DE_HEAD}), und (?P<tail>{_DE_SUBJECT}\b (?:[\w-]+ ){{0,4}}"
             rf"{_DE_FINITE} [^;:()]+\.)$", _two),
            (rf"(?P<head>{_DE_HEAD}), (?P<tail>(?:aber|doch) {_DE_SUBJECT}\b (?:[\w-]+ ){{0,4}}{_DE_FINITE} "
             r"[^;:()]+\.)$", _two),
            (rf"^(?P<head>[^;:()]+), (?P<pronoun>der|die|das|den|dem|denen) {_DE_ONE}(?P<clause>[^,;:()]+) "
             rf"(?P<finite>{_DE_FINITE})\.$", _german_relative_clause),
            (rf"^(?P<head>[^;:()]+), wobei {_DE_ONE}(?P<clause>[^,;:()]+) (?P<finite>{_DE_FINITE})\.$", _wobei),
            (rf"^(?P<head>[^;:()]+), (?:weil|da) (?=[^,;:()]+\w\.$){_END}", _opened("Das liegt daran, dass")),
            (rf"^(?P<head>[^;:()]+), (?:sodass|so dass) {_END}", _opened("Die Folge ist, dass")),
            (rf"^(?P<head>[^;:()]+), (?:sofern|falls) {_END}", _opened("Das gilt nur, wenn")),
        ]
    ],
}  # fmt: skip


# ---- the substituter: whole words, in the form they have in the text

_WORD = re.compile(r"(?P<article>\b[Aa]n? )?(?<![\w'’-])(?P<word>[^\W\d_]+)(?![\w'’-])")


@cache
def _useful_pairs(lang: str) -> Mapping[str, str]:
    """The pairs whose easy word is the more frequent one."""
    try:
        from wordfreq import zipf_frequency
    except ImportError:
        raise MissingResource("The substituter needs wordfreq: pip install wordfreq") from None
    pairs = get_language(lang).easy_words.items()
    return {old: new for old, new in pairs if zipf_frequency(new, lang) > zipf_frequency(old, lang)}


def _cased_like(word: str, substitute: str) -> str:
    if word.isupper() and len(word) > 1:
        return substitute.upper()
    return _upper(substitute) if word[0].isupper() else substitute
