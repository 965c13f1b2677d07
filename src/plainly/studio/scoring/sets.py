"""What can be scored here without asking the network: test sets on this machine, and metrics that run."""

from __future__ import annotations

from functools import cache
from typing import Any

from plainly.base.errors import PlainlyError, UnknownName
from plainly.corpus.catalogue import info, names, store
from plainly.demo import DEMO_LANGUAGES
from plainly.metrics import GROUPS, metric_class, standing_for_all
from plainly.plugins import info as plugin_info
from plainly.plugins import names as plugin_names
from plainly.plugins.session import known_identity
from plainly.text.languages import LANGUAGES, get_language

DEMO = "demo-"


def demo_language(name: str) -> str:
    """The language of a demo set, `demo-en` or `demo-de`."""
    lang = name.removeprefix(DEMO)
    if lang not in DEMO_LANGUAGES:
        raise UnknownName("test set", name, [f"{DEMO}{known}" for known in DEMO_LANGUAGES])
    return lang


def language_of_set(name: str) -> str:
    """The language of a test set of the catalogue, or of a demo set."""
    return demo_language(name) if name.startswith(DEMO) else info(name).language


def known_sets() -> list[dict[str, Any]]:
    """The demo sets and those of the catalogue that have something to score against; `here`: without the network."""
    found = [
        {"name": f"{DEMO}{lang}", "title": LANGUAGES[lang].name, "lang": lang, "here": True, "published": 0}
        for lang in DEMO_LANGUAGES
    ]
    for name in names("test set"):
        entry = info(name)
        if not entry.having("table"):
            needed = [*entry.having("source"), *entry.having("reference"), *entry.having("metadata")]
            published = [file for file in entry.systems.values() if store.place(file).is_file()]
            here = all(store.place(file).is_file() for file in needed or entry.systems.values())
            found.append(
                {
                    "name": name,
                    "title": entry.title,
                    "lang": entry.language,
                    "here": here,
                    "published": len(published) if len(published) == len(entry.systems) else 0,
                }
            )
    return found


@cache
def metrics_for(lang: str) -> list[dict[str, Any]]:
    """The metrics that run here for a language, those that are usual for it first; groups go by one name."""
    language = get_language(lang)
    grouped = {name for members in GROUPS.values() for name in members}
    single = [name for name in standing_for_all() if name not in grouped]
    runs = [name for name in single if metric_class(name).missing(language.code) is None]
    runs += [name for name in plugin_names() if _installed(name)]
    usual = [name for name in language.metrics if name in runs]
    shown = [_shown(name, name in usual) for name in [*usual, *(name for name in runs if name not in usual)]]
    for group, members in GROUPS.items():
        able = [name for name in members if metric_class(name).missing(language.code) is None]
        if able:
            facts = {"needs": [], "usual": False, "count": len(able)}
            shown.append({"name": group, "title": group.capitalize(), "about": "", **facts})
    return shown


def facts_of(label: str) -> dict[str, Any]:
    """What a face needs to know of a metric, by its label; a metric that has gone since is shown by its label."""
    name, _, variant = label.partition(":")
    try:
        facts = metric_class(name).facts
    except PlainlyError:
        return {"title": label, "direction": "none", "decimals": 2, "caution": ""}
    title = f"{facts.title} ({variant})" if variant else facts.title
    return {"title": title, "direction": facts.direction, "decimals": facts.decimals, "caution": facts.caution}


def _installed(name: str) -> bool:
    try:
        return known_identity(plugin_info(name)) is not None
    except PlainlyError:  # an entry of the user that cannot be read
        return False


def _shown(name: str, usual: bool) -> dict[str, Any]:
    facts = metric_class(name).facts
    needs = sorted(facts.needs & {"source", "references"})
    return {"name": name, "title": facts.title, "about": facts.about, "needs": needs, "usual": usual, "count": 1}
