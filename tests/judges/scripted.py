"""A scripted judge: a real HTTP server on the loopback that speaks the protocol, and misbehaves when told to.

A script gets the body of a request and its number (from 0 on) and says what to do: a text is the content of a
well-formed reply, a `Fault` is something else.
"""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Fault:
    """A reply that is not the expected one; `raw` are the bytes of its body."""

    status: int = 200
    raw: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    """Close the connection in the middle of the reply."""
    hold: bool = False
    """Answer nothing until the server is let go."""


Script = Callable[[dict[str, Any], int], "str | Fault"]


class ScriptedJudge:
    """The server, and what it has seen."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        """When requests came, by `now`."""
        self.now: Callable[[], float] = lambda: 0.0
        self.answered: Counter[str] = Counter()
        """How often a well-formed reply was sent to the end, by the whole request: what one pays for."""
        self.busy = 0
        self.busiest = 0
        self.lock = threading.Lock()
        self.go = threading.Event()
        """Set to let held requests go."""
        self.holding = threading.Event()
        """Set when a request is held."""
        self.usage: dict[str, Any] | None = {"prompt_tokens": 100, "completion_tokens": 1}
        judge = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                judge._serve(self)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    @property
    def calls(self) -> int:
        return len(self.bodies)

    def close(self) -> None:
        self.go.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        with self.lock:
            number = len(self.bodies)
            self.bodies.append(body)
            self.headers.append(dict(handler.headers.items()))
            self.times.append(self.now())
            self.busy += 1
            self.busiest = max(self.busiest, self.busy)
        try:
            said = self.script(body, number) if handler.path == "/v1/chat/completions" else Fault(404)
            self._send(handler, body, said)
        except (BrokenPipeError, ConnectionResetError):
            pass  # whoever asked has gone
        finally:
            with self.lock:
                self.busy -= 1

    def _send(self, handler: BaseHTTPRequestHandler, body: dict[str, Any], said: str | Fault) -> None:
        fault = Fault(raw=self.reply(said)) if isinstance(said, str) else said
        if fault.hold:
            self.holding.set()
            self.go.wait(30)
            handler.close_connection = True
            return
        handler.send_response(fault.status)
        for name, value in fault.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(fault.raw)))
        handler.end_headers()
        if fault.cut:
            handler.wfile.write(fault.raw[: len(fault.raw) // 2])
            handler.wfile.flush()
            handler.connection.shutdown(socket.SHUT_RDWR)
            handler.close_connection = True
            return
        if isinstance(said, str):
            with self.lock:  # before it is sent: whoever reads it may ask at once
                self.answered[json.dumps(body, sort_keys=True)] += 1
        handler.wfile.write(fault.raw)

    def reply(self, text: str | None) -> bytes:
        """A well-formed reply with that text."""
        message = {"role": "assistant", "content": text}
        content: dict[str, Any] = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        if self.usage is not None:
            content["usage"] = self.usage
        return json.dumps(content).encode()


def user_text(body: dict[str, Any]) -> str:
    """What the user says in a request."""
    return str(body["messages"][-1]["content"])
