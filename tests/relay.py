"""A line to a server that a test cuts and mends, as if the server were gone and came back at its address."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from typing import Self

from tests.ports import free_port


class Relay:
    """Passes what comes to a port of this machine on to another port, and back, until it is cut.

    Args:
        target: The port of the server.
    """

    def __init__(self, target: int) -> None:
        self._target = target
        self._ends: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self.port = free_port()
        self.mend()

    @property
    def connections(self) -> int:
        """How many connections there are."""
        return len(self._ends) // 2

    def mend(self) -> None:
        """Listen, at the same port as before."""
        self._listening = socket.create_server(("127.0.0.1", self.port))
        self._start(self._accept, self._listening)

    def cut(self) -> None:
        """Close all connections, and take no new ones."""
        for one in (self._listening, *self._ends.copy()):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)  # which wakes the thread that waits for it
        for thread in self._threads:
            thread.join()
        self._threads.clear()
        self._listening.close()

    def _start(self, work: Callable[[socket.socket], None], end: socket.socket) -> None:
        thread = threading.Thread(target=work, args=(end,))
        self._threads.append(thread)
        thread.start()

    def _accept(self, listening: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listening.accept()
                self._start(self._serve, client)

    def _serve(self, client: socket.socket) -> None:
        with client, contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self._target)) as server:
            self._ends |= {client, server}
            back = threading.Thread(target=_pass_on, args=(server, client))
            back.start()
            _pass_on(client, server)
            back.join()
            self._ends -= {client, server}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes, until either side ends."""
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    for one in (source, target):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
