"""Forms that are ready to use: what papers asked their participants, in the languages of the interface.

`c-score`: Temnikova and Maneva (2013), Table 1: age, gender, profession, domain background, native language, level of
the language of the texts. Columns have the names that `plainly replicate temnikova-maneva-2013` reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plainly.base.errors import UnknownName
from plainly.studio.kinds.dashboards import Say
from plainly.studio.texts import say

FORMS: Mapping[str, tuple[dict[str, Any], ...]] = {
    "c-score": (
        {"id": "age", "kind": "number", "least": 16, "most": 120},
        {"id": "gender", "kind": "choice", "options": ("female", "male", "other", "unsaid")},
        {"id": "profession", "kind": "text", "required": False},
        {"id": "domain_background", "kind": "yes-no"},
        {"id": "native_language", "kind": "text"},
        {"id": "level", "kind": "choice", "options": ("beginner", "intermediate", "advanced", "native")},
    ),
}
"""Fields by the name of their form. Labels are the interface texts `forms.NAME.FIELD`; options have a name more."""
PARTS = ("form", "after")
"""Of a welcome, where the name of a form may stand."""


def ready_form(name: str, words: Say) -> list[dict[str, Any]]:
    """The fields of a form in the words of a language."""
    if name not in FORMS:
        raise UnknownName("form", name, FORMS)
    return [
        {
            **field,
            "label": words(f"forms.{name}.{field['id']}"),
            "options": [words(f"forms.{name}.{field['id']}.{option}") for option in field.get("options", ())],
        }
        for field in FORMS[name]
    ]


def with_forms(welcome: Any, interface: str) -> Any:
    """The welcome with the fields of the forms that it names, as in `form: c-score`."""
    if not isinstance(welcome, Mapping):
        return welcome
    named = {part: welcome[part] for part in PARTS if isinstance(welcome.get(part), str) and welcome[part]}
    return {**welcome, **{part: ready_form(name, say(interface)) for part, name in named.items()}}
