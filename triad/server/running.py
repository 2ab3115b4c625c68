"""Running the server: one process or several, until it is told to end, and with other settings when it is told so.

Several processes share one socket (`triad.server.supervising`). A single process exchanges its graphs itself.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import os
import signal
import socket
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from triad.errors import ConfigError, TriadError
from triad.log import logger
from triad.server.app import create_app, exchange
from triad.server.metrics import FOLDER
from triad.server.settings import Settings, load_settings
from triad.server.supervising import VARIABLE, Supervisor, app_of
from triad.text import unsaid
from triad.worker.pool import PROCESSES

if TYPE_CHECKING:
    from loguru import Record

_HEADER_SECONDS: Final = 10.0
_BACKLOG: Final = 2_048
_LEAVING: Final = 0.0005
"""Seconds, for each connection that a process has, for which it leaves a new one to other processes."""
_MANY: Final = 4  # connections from which on a process waits no longer
_SENDING_SECONDS: Final = 30.0
_LEAST: Final = 65_536  # bytes that a client takes of its answer in each of these spans


def serve(
    source: str | Mapping[str, Any],
    host: str = "127.0.0.1",
    port: int = 8000,
    workers: int = 1,
    changes: Mapping[str, Any] | None = None,
    *,
    is_open: bool | None = None,
    proxies: str = "",
) -> None:
    """Serve until the process is told to end.

    Args:
        source: A config or settings, by name or path; or the keys of settings.
        host: The address to listen at.
        port: The port; 0 takes a free one.
        workers: How many processes answer.
        changes: Keys that replace those of the settings.
        is_open: Whether one may ask without a key; by default on this machine only.
        proxies: Addresses or networks of proxies, parted by commas, whose word on the client's address is taken: it is
            the last one that they tell which is not theirs.

    Raises:
        ConfigError: The address cannot be had, the settings cannot be used, or one process finds that no graph can.
    """
    local = _is_local(host)
    settled = dict(changes or {}) | ({} if is_open is None else {"open": is_open})
    defaults = {"open": local, "learn": local, "session_days": 365 if local else 30}
    task = {"source": source, "changes": settled, "defaults": defaults, "workers": workers, "supervisor": os.getpid()}
    settings = _settings(task)
    _check_proxies(proxies)
    with _bound(host, port, workers) as bound:
        url = f"http://{f'[{host}]' if ':' in host else host}:{bound.getsockname()[1]}"
        sys.stdout.write(url + "\n")  # for whoever starts it as a program
        sys.stdout.flush()
        logger.info("serving {} at {}", ", ".join(settings.graphs), url)
        if not settings.open:
            logger.info("a key is needed to ask: 'triad keys add NAME' makes one")
        os.environ |= {VARIABLE: json.dumps(task), PROCESSES: str(workers)}
        config = uvicorn.Config(
            "triad.server.running:worker",
            factory=True,
            workers=workers,
            http="triad.server.running:_Protocol",  # so that a process imports it as it keeps it
            ws="none",
            loop="asyncio",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=True,
            backlog=_BACKLOG,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=max(1, round(settings.grace)),
            timeout_worker_healthcheck=30,
            proxy_headers=bool(proxies),
            forwarded_allow_ips=proxies or None,
        )
        if workers > 1:
            with tempfile.TemporaryDirectory(prefix="triad-metrics-") as folder:
                os.environ[FOLDER] = folder
                Supervisor(config, [bound], task, partial(_settings, task)).run()
        else:
            server = _Server(config, task)
            server.run(sockets=[bound])
            if server.fault:
                raise server.fault


def worker() -> FastAPI:
    """Return the app of a worker process."""
    task = json.loads(os.environ[VARIABLE])
    if task["workers"] > 1:
        threading.Thread(target=_end_with, args=(task["supervisor"],), daemon=True).start()
    _log_as_json()
    try:
        settings = _settings(task)
    except TriadError as error:
        logger.error("this process cannot begin: {}", error)
        raise SystemExit(1) from error
    return create_app(settings, logs=True)


def _settings(task: Mapping[str, Any]) -> Settings:
    found = load_settings(task["source"], task["changes"], task["defaults"])
    for name in found.graphs:
        found.config(name)  # so that one that cannot be used is told now, and not by the first question
    return found


def _check_proxies(proxies: str) -> None:
    """Refuse what is no network, and networks that have everybody in them: these could tell any address."""
    for one in filter(None, proxies.split(",")):
        with suppress(ValueError):
            if ipaddress.ip_network(one.strip()).prefixlen:
                continue
        raise ConfigError(f"proxies are named by addresses or networks, such as 203.0.113.0/24, not by {one.strip()!r}")


def _is_local(host: str) -> bool:
    with suppress(ValueError):
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    return False


def _bound(host: str, port: int, workers: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = found[0]
        kind = _Listening if os.name == "posix" else socket.socket
        # asyncio sends at once only what it knows to be TCP; else each answer on a kept connection waits 40 ms.
        made = kind(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
    except (OSError, UnicodeError) as error:
        raise ConfigError(f"the server cannot listen at {host!r}, port {port}: {error}") from error
    made.set_inheritable(True)
    if isinstance(made, _Listening):
        made.shared = workers > 1
    return made


class _Listening(socket.socket):
    """A socket whose connections leave the process some descriptors, and that several processes may share evenly.

    asyncio takes all connections that wait, so that clients of one moment would all be with the process that wakes up
    first, and stay there; and where no descriptor is left, it tries and logs that once for each that may wait. Here it
    gets one at a time, and the more a process has, the longer it leaves the next one to the others.
    """

    shared = False
    _took = False

    def accept(self) -> tuple[socket.socket, Any]:
        """Take a connection that no other process wants."""
        if self._took:
            self._took = False
            raise BlockingIOError
        if self.shared:
            time.sleep(_LEAVING * min(_Protocol.open, _MANY))
        try:
            taken = super().accept()
        except OSError as error:
            self._took = not isinstance(error, BlockingIOError)
            raise
        self._took = True
        if _Protocol.open >= _most():
            taken[0].close()
            raise BlockingIOError
        return taken

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process as a descriptor."""
        from multiprocessing.reduction import DupFd

        return _shared, (DupFd(self.fileno()), self.family, self.type, self.proto)


def _shared(descriptor: Any, family: int, kind: int, protocol: int) -> socket.socket:
    made = _Listening(family, kind, protocol, descriptor.detach())
    made.shared = True
    return made


def _most() -> int:
    """Return how many connections a process takes: files, workers and servers that it asks need descriptors, too."""
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return sys.maxsize if most == resource.RLIM_INFINITY else most // 2


def _end_with(supervisor: int) -> None:
    """End this process when its supervisor was killed: nobody would end it, and its port would stay taken."""
    while os.getppid() == supervisor:
        time.sleep(0.5)
    os.kill(os.getpid(), signal.SIGTERM)


class _Server(uvicorn.Server):
    """A server in one process, which takes other settings on SIGHUP, and ends where no graph can be opened."""

    fault: ConfigError | None = None
    """Why it ended by itself."""
    _checking: asyncio.Task[None]

    def __init__(self, config: uvicorn.Config, task: Mapping[str, Any]) -> None:
        super().__init__(config)
        self._task = task
        self._exchanging: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if hasattr(signal, "SIGHUP"):
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._begin_exchange)
        self._checking = asyncio.create_task(self._check())

    async def _check(self) -> None:
        try:
            await app_of(self.config).state.asking.graphs.check()
        except ConfigError as error:
            self.fault, self.should_exit = error, True

    def _begin_exchange(self) -> None:
        if self._exchanging is None or self._exchanging.done():
            self._exchanging = asyncio.create_task(self._exchange())

    async def _exchange(self) -> None:
        try:
            await exchange(app_of(self.config), await asyncio.to_thread(_settings, self._task))
            logger.info("the settings were read anew")
        except TriadError as error:
            logger.error("the settings stay as they were: {}", error)


class _Protocol(H11Protocol):
    """HTTP whose headers come, and whose answers are taken, in time."""

    open = 0
    """How many connections this process has."""
    _waits: asyncio.TimerHandle | None = None
    _sends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        _Protocol.open += 1
        self._waits = self.loop.call_later(_HEADER_SECONDS, transport.close)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        # What comes between requests, be it the body of one that was refused, is to become the next one in time.
        between = self.cycle is None or self.cycle.response_complete  # that of the request before stays
        if not between and self._waits is not None:
            self._waits.cancel()
            self._waits = None
        elif between and self._waits is None:
            self._waits = self.loop.call_later(_HEADER_SECONDS, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        _Protocol.open -= 1
        for timer in filter(None, (self._waits, self._sends)):
            timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._sends is not None:
            self._sends.cancel()

    def _watch(self, before: int | None = None) -> None:
        """See to it that an answer that waits to be taken becomes shorter."""
        size = self.transport.get_write_buffer_size()
        if before is not None and size > before - _LEAST:
            self.transport.abort()
        else:
            self._sends = self.loop.call_later(_SENDING_SECONDS, self._watch, size)


# Logs -----------------------------------------------------------------------------------------------------


class _Forward(logging.Handler):
    """Hands what libraries log to the log of Triad."""

    def emit(self, record: logging.LogRecord) -> None:
        level = record.levelname if record.levelname in ("DEBUG", "WARNING", "ERROR", "CRITICAL") else "DEBUG"
        said = record.getMessage().partition("\n")[0]  # of what cannot be used, libraries show the rest below
        logger.opt(exception=record.exc_info).log(level, "{}: {}", record.name, said)


def _is_ours(record: Record) -> bool:
    """Tell whether a line belongs in the log: how a question was answered does not, for it would have its words."""
    least = "INFO" if (record["name"] or "").startswith(__package__) else "WARNING"
    return record["level"].no >= logger.level(least).no


def _write(message: Any) -> None:
    """Write a line of the log as JSON, with the id of its request, and without the words of anybody who asks."""
    record = message.record
    line = {
        "time": record["time"].astimezone().isoformat(timespec="milliseconds"),
        "level": record["level"].name.lower(),
        "message": unsaid(record["message"]),
        "request": record["extra"].get("request"),
    }
    if record["exception"]:
        line["exception"] = _origin(record["exception"].value)
    sys.stderr.write(json.dumps(line, ensure_ascii=True) + "\n")


def _origin(error: BaseException | None) -> str:
    """Return where an error and its causes arose, and of which kinds they are; what they say may be of a question."""
    if error is None:
        return ""
    inner = getattr(error, "exceptions", None) or [error.__cause__ or error.__context__]
    places = traceback.format_tb(error.__traceback__, -40)  # the innermost ones
    return "".join([*map(_origin, inner), *places, f"{type(error).__name__}\n"])


def _log_as_json() -> None:
    """Log in lines of JSON, what libraries log included."""
    logger.enable("triad")
    logger.remove()
    logger.add(_write, filter=_is_ours, format="{message}", backtrace=False, diagnose=False)
    logging.basicConfig(handlers=[_Forward()], level=logging.INFO, force=True)
    for name in ("httpx", "httpcore", "openai", "alembic", "mcp"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # They tell each try that fails with what was sent; that a model or the index is away, Triad tells in a line.
    logging.getLogger("elastic_transport").setLevel(logging.ERROR)
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)
