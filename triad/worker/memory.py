"""What memory a query may take by default: a share of what the machine, or the container, has."""

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

PROCESSES: Final = "TRIAD_PROCESSES"
"""Names the variable with how many processes serve the same graphs on this machine."""
_MOST: Final = 4 * 2**30
_GROUPS: Final = Path("/sys/fs/cgroup")
_OWN: Final = Path("/proc/self/cgroup")


def share_of_memory(workers: int) -> int:
    """Return how many bytes each of some workers may take, so that all at once take half of the memory at most."""
    return min(_MOST, _memory() // 2 // (workers * int(os.environ.get(PROCESSES, 1))))


def _memory() -> int:
    """Return the bytes that there are; only of Linux, which alone holds workers to a limit, they are known."""
    if sys.platform != "linux":
        return 2**63
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with suppress(OSError):
        for line in _OWN.read_text(encoding="utf-8").splitlines():
            _, kind, path = line.split(":", 2)
            within = _GROUPS / kind / path.lstrip("/")  # of version 1, a folder a kind; version 2 has no kinds
            found += (limit for folder in (within, *within.parents) for limit in _limits(folder))
    return min(found)


def _limits(folder: Path) -> Iterator[int]:
    for name in ("memory.max", "memory.limit_in_bytes"):
        with suppress(OSError, ValueError):  # there is none, or it says "max"
            yield int((folder / name).read_text(encoding="ascii"))
