"""Runs a studio: one process that listens, until it is told to stop."""

from __future__ import annotations

import socket
import sys
import webbrowser
from collections.abc import Callable

import uvicorn

from plainly.base.errors import PlainlyError
from plainly.studio.addresses import named_by_requests
from plainly.studio.app import create_app
from plainly.studio.running import running
from plainly.studio.settings import Settings

GOODBYE = 10
"""Seconds that requests have to come to their end when the server is told to stop."""
SWITCH = 0.0005
"""Seconds until a thread that computes lets another go on. One that holds the only turn to write should not wait."""
LOOPBACK = ("127.0.0.1", "::1")
"""Where a server in front of this one is, if nothing else is said."""
KEEP_ALIVE = 75
"""Seconds that a connection may rest: longer than most decisions take, and than servers in front of this one wait."""


def serve(settings: Settings, say: Callable[[str], None], *, browser: bool = False) -> None:
    """Listen until the process is told to stop; `say` gets what the person at the terminal should know."""
    with _listening(settings) as listener:
        host, port = listener.getsockname()[:2]
        app = create_app(settings)
        here = f"http://{_shown(settings.host, host)}:{port}"
        address = settings.url or here
        server = f", and for the server in front of it at {here}/" if settings.url else ""
        say(f"the studio is at {address}/{server}")
        if named_by_requests(settings):
            say("note: links begin with whatever name a request came to; --url says which name is right")
        if app.state.setup_code:
            say(f"make the first account at {address}/setup?code={app.state.setup_code}")
        say(f"everything is kept in {app.state.database.named}; stop with Ctrl-C")
        if browser:  # without the code: everybody on this machine can see what a browser is told
            webbrowser.open(f"{address}/")
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,  # links are secrets
            server_header=False,
            timeout_graceful_shutdown=GOODBYE,
            timeout_keep_alive=KEEP_ALIVE,
            proxy_headers=settings.https or bool(settings.proxy),  # a server in front of this one says who asks
            forwarded_allow_ips=list(settings.proxy or LOOPBACK),
        )
        sys.setswitchinterval(SWITCH)
        with running(app.state.database.path):
            uvicorn.Server(config).run(sockets=[listener])


def _listening(settings: Settings) -> socket.socket:
    """The socket, before anything else is done: a port that is taken is said at once."""
    listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((settings.host, settings.port))
        listener.listen(2048)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or error
        raise PlainlyError(f"cannot listen on {settings.host}, port {settings.port}: {reason}") from error
    return listener


def _shown(wanted: str, bound: str) -> str:
    """The name of the host as a browser on this machine writes it."""
    if wanted in ("0.0.0.0", "::"):
        return "127.0.0.1"
    return f"[{bound}]" if ":" in bound else wanted
