"""The words that edits put in or take out, language by language.

`ARTICLES` and `STOPS` stand in for "the" and "." of the original study. A language without an article has another
short and very frequent word. `NEGATIONS` holds the words that deny, each with what is left of it. They are the common
ones: negation by endings, as in Turkish or Japanese, is out of reach of a list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from plainly.base.errors import PlainlyError

T = TypeVar("T")

ARTICLES: Mapping[str, str] = {
    "ar": "في",
    "ca": "el",
    "cs": "a",
    "da": "det",
    "de": "die",
    "el": "το",
    "en": "the",
    "es": "el",
    "fi": "ja",
    "fr": "le",
    "hi": "के",
    "hu": "a",
    "id": "yang",
    "it": "il",
    "ja": "の",
    "nb": "det",
    "nl": "de",
    "pl": "i",
    "pt": "o",
    "ro": "un",
    "ru": "и",
    "sv": "det",
    "tr": "bir",
    "uk": "і",
    "vi": "là",
    "zh": "的",
}
STOPS: Mapping[str, str] = {lang: {"hi": "।", "ja": "。", "zh": "。"}.get(lang, ".") for lang in ARTICLES}

_ENGLISH_VERBS = ("do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "would", "could", "should")


def _table(pairs: str) -> dict[str, str]:
    """Words that vanish, and pairs word=rest; an underscore stands for a blank."""
    split = (pair.partition("=") for pair in pairs.split())
    return {word: rest.replace("_", " ") for word, _, rest in split}


# A key that ends in an apostrophe is a prefix: n'est -> est.
NEGATIONS: Mapping[str, Mapping[str, str]] = {
    "ar": _table("لا لم لن ليس ليست غير بدون"),
    "ca": _table("no mai res=quelcom ningú=algú sense=amb tampoc=també ni=i"),
    "cs": _table(
        "ne nikdy nic=něco nikdo=někdo bez=s není=je nejsou=jsou nebyl=byl nebyla=byla nebylo=bylo nebyli=byli "
        "nemá=má nemají=mají nemůže=může nemohou=mohou"
    ),
    "da": _table("ikke ej aldrig ingen=en intet=et ingenting=noget uden=med"),
    "de": _table(
        "nicht nie niemals kein=ein keine=eine keinen=einen keinem=einem keiner=einer keines=eines nichts=etwas "
        "niemand=jemand ohne=mit"
    ),
    "el": _table("δεν δε μην μη όχι ποτέ τίποτα=κάτι κανείς=κάποιος χωρίς=με"),
    "en": _table(
        "not n't no never nor=or neither=either nothing=something nobody=somebody none=some without=with "
        "cannot=can can't=can won't=will shan't=shall " + " ".join(f"{verb}n't={verb}" for verb in _ENGLISH_VERBS)
    ),
    "es": _table(
        "no nunca jamás nada=algo nadie=alguien ningún=algún ninguno=alguno ninguna=alguna sin=con "
        "tampoco=también ni=y"
    ),
    "fi": _table("ei en et emme ette eivät eikä=ja ilman"),
    "fr": _table("ne n' pas jamais rien=quelque_chose aucun=un aucune=une sans=avec ni=et non"),
    "hi": _table("नहीं न ना मत बिना"),
    "hu": _table("nem ne sem soha nincs=van nincsenek=vannak semmi=valami senki=valaki"),
    "id": _table("tidak bukan tak jangan belum=sudah tanpa=dengan"),
    "it": _table("non mai niente=qualcosa nulla=qualcosa nessuno=qualcuno nessun=un nessuna=una senza=con né=e"),
    "nb": _table("ikke aldri ingen=en intet=et ingenting=noe uten=med"),
    "nl": _table("niet nooit geen=een niemand=iemand niets=iets zonder=met"),
    "pl": _table("nie nigdy nic=coś nikt=ktoś żaden=jakiś żadna=jakaś bez=z ani=i"),
    "pt": _table("não nunca jamais nada=algo ninguém=alguém nenhum=algum nenhuma=alguma sem=com nem=e"),
    "ro": _table("nu niciodată nimic=ceva nimeni=cineva niciun=un nicio=o fără=cu nici=și"),
    "ru": _table("не нет ни никогда ничего=что-то никто=кто-то нельзя=можно без=с"),
    "sv": _table("inte ej icke aldrig ingen=en inget=ett inga ingenting=något"),
    "tr": _table("değil asla yok=var hiç"),
    "uk": _table("не ні ані ніколи нічого=щось ніхто=хтось немає=є без=з"),
    "vi": _table("không chưa chẳng đừng"),
    "zh": _table("不 没 未 無 无"),
}


def of_language(table: Mapping[str, T], lang: str, what: str) -> T:
    """The entry of a language; where there is none, an error that names the languages that have one."""
    if lang not in table:
        raise PlainlyError(f"there is no {what} for language {lang!r} (only for: {', '.join(sorted(table))})")
    return table[lang]
