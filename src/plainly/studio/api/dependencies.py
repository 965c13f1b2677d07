"""What every address may ask for by its type: the settings and the database of the studio that runs.

They are coroutines so that FastAPI needs no thread to find what is at hand.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from plainly.studio.settings import Settings
from plainly.studio.store.database import Database


async def _database(request: Request) -> Database:
    found: Database = request.app.state.database
    return found


async def _settings(request: Request) -> Settings:
    found: Settings = request.app.state.settings
    return found


TheDatabase = Annotated[Database, Depends(_database)]
TheSettings = Annotated[Settings, Depends(_settings)]
