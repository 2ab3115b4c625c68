"""What one process writes, no other writes to: a lock beside it, which the system frees when the process ends."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from triad.errors import ConfigError

__all__ = ["lock_of", "locked", "remove_abandoned"]


def lock_of(path: Path) -> Path:
    """Return the lock of what a path names; it lies beside it.

    >>> lock_of(Path("books")).name
    'books.lock'
    """
    return path.with_name(f"{path.name}.lock")


@contextlib.contextmanager
def locked(path: Path, what: str, *, wait: bool = False) -> Iterator[None]:
    """Hold a lock, which no other process and no other thread can hold at the same time.

    Args:
        path: The lock's file. It is made, and removed in the end; after ``kill -9`` it stays, and is free.
        what: What is locked, in words for the error.
        wait: Wait until it is free.

    Raises:
        ConfigError: Another process holds it, or it cannot be made.
    """
    import filelock  # which takes a while to import, and who only reads locks nothing

    lock = filelock.FileLock(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=wait)
        path.write_text(str(os.getpid()), encoding="ascii")
    except filelock.Timeout as error:
        raise ConfigError(f"{_holder(path)} is writing to {what}") from error
    except OSError as error:
        lock.release()
        raise ConfigError(f"cannot lock {what}: {error}") from error
    try:
        yield
    finally:
        # While it is held: whoever has opened it meanwhile notices that it is gone, and makes another.
        with contextlib.suppress(OSError):
            path.unlink()
        lock.release()


def remove_abandoned(folder: Path, pattern: str) -> None:
    """Delete the unfinished folders that match a pattern and whose lock nobody holds."""
    for draft in folder.glob(pattern):
        if draft.is_dir():
            with contextlib.suppress(ConfigError), locked(lock_of(draft), repr(str(draft))):
                shutil.rmtree(draft, ignore_errors=True)


def _holder(path: Path) -> str:
    try:
        return f"another process, {int(path.read_text(encoding='ascii'))},"
    except (OSError, ValueError):  # it has only begun
        return "another process"
