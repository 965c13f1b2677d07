"""What a page is made of: its template, its stylesheet, its scripts, the chart library, and data as safe JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from plainly.base.errors import MissingResource, PlainlyError
from plainly.base.files import user_folder, write_bytes
from plainly.base.packages import package_folder
from plainly.base.version import __version__

if TYPE_CHECKING:
    import jinja2

    from plainly.report.charts import Chart

FOLDER = "PLAINLY_CHARTS"  # names another folder for the chart library

# In this order: a script may import from those before it.
SCRIPTS = (
    "dom.js",
    "download.js",
    "tables.js",
    "pictures.js",
    "charts.js",
    "words.js",
    "query.js",
    "aligned.js",
    "cards.js",
    "browser.js",
    "sections.js",
    "main.js",
)

_IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def rendered(template: str, drawn: Sequence[Chart] | None = None, /, **values: Any) -> str:
    """A page that needs no other file and no network; where it may have charts, with what draws them."""
    drawing: dict[str, str] = {}
    if drawn is not None:
        data = script_json([chart.data() for chart in drawn])
        drawing = {"chart_data": data, "scripts": scripts(), "library": chart_library()}
    return (
        environment().get_template(template).render(version=__version__, stylesheet=stylesheet(), **drawing, **values)
    )


def environment() -> jinja2.Environment:
    """Where templates are found; what they show is escaped."""
    try:
        import jinja2
    except ImportError as error:
        raise MissingResource("the report needs jinja2; run: pip install 'plainly[report]'") from error
    home = str(files("plainly.report") / "templates")
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(home),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def stylesheet() -> str:
    return _static("plainly.css")


def scripts() -> str:
    """The scripts as one module. They are modules of their own in the source; one file has no paths to import by."""
    parts = (_EXPORT.sub("", _IMPORT.sub("", _static(name))) for name in SCRIPTS)
    return "\n".join(parts)


@cache
def chart_library() -> str:
    """Vega-Lite and what it needs as one script, from the package; nothing is loaded from elsewhere.

    To make it takes longer than all the rest of a page, so it is kept in the cache folder of this machine's user.
    """
    if package_folder("vl_convert") is None:
        raise MissingResource("the report needs vl-convert-python; run: pip install 'plainly[report]'")
    kept = user_folder(FOLDER, "charts") / f"vega-{version('vl-convert-python')}.js"
    with suppress(OSError, UnicodeDecodeError):
        return kept.read_text("utf-8")
    library = _bundled()
    with suppress(OSError, PlainlyError):  # where it cannot be kept, it is made every time
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(str(kept), library.encode())
    return library


def _bundled() -> str:
    import vl_convert

    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def script_json(data: Any) -> str:
    """Compact JSON that cannot end the script element it stands in, whatever the texts say."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _static(name: str) -> str:
    return (files("plainly.report") / "static" / name).read_text("utf-8")
