"""A scripted model: an Anthropic Messages API on loopback that says what a test tells it to."""

from __future__ import annotations

import copy
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self

Block = dict[str, Any]
"""One content block of an answer: what `text` and `tool_use` make."""

Script = list[list[Block]]
"""The answers of the model, in order: a list of content blocks for each request."""

Request = dict[str, Any]
"""The body of one request to the model."""

OUT_OF_SCRIPT = "Nothing more to say."
"""What the model answers when the script is at its end, and whenever it is asked beside the conversation."""

_NOT_WORDS = ("id", "tool_use_id", "type")


def text(words: str) -> Block:
    """Make the block with which the model says *words*."""
    return {"type": "text", "text": words}


def tool_use(name: str, /, **given: object) -> Block:
    """Make the block with which the model calls the tool *name*; its id is filled in when it is sent."""
    return {"type": "tool_use", "id": "", "name": name, "input": given}


def words_of(request: Request) -> str:
    """Give all text that *request* puts before the model, tool descriptions aside."""
    return "\n".join([*_strings(request.get("system")), *_strings(request.get("messages"))])


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name not in _NOT_WORDS:
                yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


class MessagesServer(AbstractContextManager["MessagesServer"]):
    """Answers from a script, and remembers what it was asked.

    Only requests that offer tools are turns of the agent: those are recorded, and those use up the script. What
    a host asks beside (a title, a token count) is answered politely and forgotten.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._script: Script = []
        self._requests: list[Request] = []
        self._answers = 0
        self._http = _HttpServer(("127.0.0.1", 0), _MessagesHandler)
        self._http.model = self
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where the host finds its model."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def failures(self) -> list[str]:
        """What went wrong while answering; a test that finds something here cannot trust the rest."""
        return self._http.failures

    def play(self, script: Script) -> None:
        """Answer the next requests from *script*, and forget the requests before."""
        with self._lock:
            self._script = copy.deepcopy(script)
            self._requests = []

    def requests(self) -> list[Request]:
        """Give the agent's requests since the script was set, oldest first."""
        with self._lock:
            return list(self._requests)

    def unsaid(self) -> Script:
        """Give the part of the script that no request has called for."""
        with self._lock:
            return list(self._script)

    def answer(self, request: Request) -> dict[str, Any]:
        """Give the message with which the model answers *request*."""
        with self._lock:
            self._answers += 1
            number = self._answers
            blocks = [text(OUT_OF_SCRIPT)]
            if request.get("tools"):
                self._requests.append(request)
                if self._script:
                    blocks = self._script.pop(0)
        for place, block in enumerate(blocks):
            if block["type"] == "tool_use":
                block["id"] = f"toolu_{number}_{place}"
        return {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", "scripted"),
            "content": blocks,
            "stop_reason": "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 5},
        }


def stream(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Cut *message* into the events with which the API streams it."""
    opening = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
    yield {"type": "message_start", "message": opening}
    for place, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            empty = {**block, "input": {}}
        yield {"type": "content_block_start", "index": place, "content_block": empty}
        yield {"type": "content_block_delta", "index": place, "delta": delta}
        yield {"type": "content_block_stop", "index": place}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": message["usage"]["output_tokens"]}}
    yield {"type": "message_stop"}


class _HttpServer(ThreadingHTTPServer):
    model: MessagesServer

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.failures: list[str] = []
        super().__init__(address, handler)

    def handle_error(self, *_: object) -> None:
        # The base class prints a traceback. A host that hangs up is its own affair; a mistake of ours is not.
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            self.failures.append(repr(error))


class _MessagesHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout: ClassVar[int] = 30
    server: _HttpServer

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the base class names it
        """Stay silent: the output belongs to the tests."""

    def do_HEAD(self) -> None:
        self._send(b"")

    def do_GET(self) -> None:
        self._send(b'{"data": [], "has_more": false}')

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = self.path.partition("?")[0]
        if path.endswith("/count_tokens"):
            self._send(b'{"input_tokens": 10}')
        elif not path.endswith("/v1/messages"):
            self._send(b"{}")
        else:
            request = json.loads(body)
            message = self.server.model.answer(request)
            if request.get("stream"):
                self._send_events(stream(message))
            else:
                self._send(json.dumps(message).encode())

    def _send(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send_events(self, events: Iterator[dict[str, Any]]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        self.close_connection = True
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
