"""The studio: collect human judgements in the browser, and see results while they come in.

store     what is kept: tables, transactions, migrations, backups
kinds     one folder a kind of campaign: what it reads, shows, accepts, exports and computes (by asking a study)
security  passwords, secrets, limits
api       JSON for everything that the pages do
pages     the same data as HTML
"""

from importlib.util import find_spec

from plainly.base.errors import MissingResource

_NEEDED = ("alembic", "argon2", "fastapi", "jinja2", "python_multipart", "sqlalchemy", "uvicorn", "vl_convert")
if missing := [name for name in _NEEDED if find_spec(name) is None]:
    raise MissingResource(f"the studio needs {', '.join(missing)}: pip install 'plainly[studio]'")
