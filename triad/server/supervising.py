"""The processes of a server: begun, begun anew where one died, and exchanged on SIGHUP.

They are exchanged one by one, each once all graphs can be asked of the one in its place that can be asked of any.
"""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from socket import socket
from typing import Any, Final

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.supervisors import Multiprocess, multiprocess

from triad.errors import TriadError
from triad.garbage import kept
from triad.log import logger

VARIABLE: Final = "TRIAD_SERVE"
"""Where processes find what to serve."""


def app_of(config: uvicorn.Config) -> Any:
    """Return the app of a config, which is loaded, without what takes the word of proxies."""
    loaded = config.loaded_app
    return loaded.app if isinstance(loaded, ProxyHeadersMiddleware) else loaded


class _Successor(uvicorn.Server):
    """A server that comes up at once, or, in place of another one, once all can be asked of it that can be of that."""

    async def startup(self, sockets: list[socket] | None = None) -> None:
        asked = json.loads(os.environ[VARIABLE]).get("asked")
        if asked is None or await app_of(self.config).state.asking.graphs.succeed(asked):
            await super().startup(sockets)
        else:
            self.should_exit = True


class _Worker(multiprocess.Process):
    """A process that tells its supervisor whether it is up, and which graphs it can be asked."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        with kept():
            import_module("triad.server.running")
        self.__dict__ |= state

    def target(self, sockets: list[socket] | None = None) -> None:
        self._server = _Successor(self.config)
        super().target(sockets)

    def pong(self) -> None:
        self.child_conn.recv()
        graphs = app_of(self.config).state.asking.graphs if self.config.loaded else ()
        self.child_conn.send((self.server.started, [one.name for one in graphs if one.fault is None]))

    def told(self) -> tuple[bool, list[str]]:
        """Return what it tells; that it is not up where it tells nothing."""
        with suppress(OSError, EOFError):
            self.parent_conn.send(b"ping")
            if self.parent_conn.poll(1.0):
                up, asked = self.parent_conn.recv()
                return up, asked
        return False, []


class Supervisor(Multiprocess):
    """Several processes, which are exchanged on SIGHUP if the settings can be used."""

    def __init__(
        self, config: uvicorn.Config, sockets: list[socket], task: Mapping[str, Any], read: Callable[[], object]
    ) -> None:
        super().__init__(config, sockets)
        multiprocess.Process = _Worker  # type: ignore[misc]  # also in place of one that died
        self._task = task
        self._read = read
        self._old: list[multiprocess.Process] = []  # those that are to be exchanged
        self._new: _Worker | None = None  # for the place of the first one

    def handle_hup(self) -> None:
        """Begin to exchange the processes, each once all can be asked of the one in its place that it can be asked."""
        try:
            self._read()
        except TriadError as error:
            logger.error("the settings stay as they were: {}", error)
        else:
            self._leave()
            self._old = [*self.processes]

    def keep_subprocess_alive(self) -> None:
        """Begin anew the processes that died, and take a step of the exchange."""
        super().keep_subprocess_alive()
        self._old = [one for one in self._old if one in self.processes]  # in place of one that died is a new one
        if not self._old:
            self._leave()
        elif self._new is None:
            self._new = self._successor()
        elif not self._new.process.is_alive():
            logger.error("the settings stay as they were: what can be asked now cannot be opened with them")
            self._leave()
        elif self._new.told()[0]:
            old = self._old.pop(0)
            self.processes[self.processes.index(old)], self._new = self._new, None
            old.terminate()
            old.join()
            if not self._old:
                logger.info("the settings were read anew")

    def _successor(self) -> _Worker:
        asked = {name for one in self.processes if isinstance(one, _Worker) for name in one.told()[1]}
        os.environ[VARIABLE] = json.dumps({**self._task, "asked": sorted(asked)})
        made = _Worker(self.config, self.sockets)
        made.start()
        os.environ[VARIABLE] = json.dumps(self._task)
        return made

    def _leave(self) -> None:
        """Have all processes stay that are there."""
        if self._new:
            self._new.kill()
            self._new.join()
        self._old, self._new = [], None

    def terminate_all(self) -> None:
        """Tell all to end."""
        self._leave()
        super().terminate_all()
