"""Ports for what a test starts at a port that it names, or ends and starts again at the same one.

A port that the system chooses may be that of any connection as soon as it is closed. These lie below those that the
system chooses, and each process that runs tests has its own.
"""

from __future__ import annotations

import itertools
import os
import socket
from typing import Final

_FIRST: Final = 20_000 + os.getpid() % 60 * 200
_PORTS: Final = itertools.cycle(range(_FIRST, _FIRST + 100))


def free_port() -> int:
    """Return a port that nobody has, nor the one a hundred above it, where some servers have another door."""
    return next(port for port in _PORTS if _is_free(port) and _is_free(port + 100))


def _is_free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
