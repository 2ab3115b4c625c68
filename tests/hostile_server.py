"""A server that sends whatever bytes it is told to, as slowly as it is told to, and never ends by itself."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections.abc import Callable, Iterable

Script = Callable[[bytes], Iterable[bytes]]
"""Returns what to send, part by part, for the head of a request."""

OK = b"HTTP/1.1 200 OK\r\n"


class HostileServer:
    """Sends the parts of a script, with a pause before each, over every connection; keeps what it was sent."""

    def __init__(self, script: Script, pause: float = 0.0) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self._script = script
        self._pause = pause
        self._closing = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def close(self) -> None:
        self._closing.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            self._threads.append(threading.Thread(target=self._serve, args=(connection,)))
            self._threads[-1].start()

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(0.05)
        with connection, contextlib.suppress(ConnectionError):
            while not self._closing.is_set():
                request = self._read(connection)
                if not request:
                    return
                self.requests.append(request)
                for part in self._script(request):
                    if self._closing.wait(self._pause) or not self._send(connection, part):
                        return

    def _read(self, connection: socket.socket) -> bytes:
        """Return the next request, head and body; nothing if there is none."""
        request = b""
        while not self._closing.is_set():
            with contextlib.suppress(TimeoutError):
                received = connection.recv(1 << 16)
                if not received:
                    return b""
                request += received
            head, end, body = request.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
            if end and len(body) >= (int(length[1]) if length else 0):
                return request
        return b""

    def _send(self, connection: socket.socket, part: bytes) -> bool:
        while part and not self._closing.is_set():
            with contextlib.suppress(TimeoutError):
                part = part[connection.send(part) :]
        return not part
