"""What one process writes, no other writes to: a lock beside it, which the system frees when the process ends."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from triad.errors import ConfigError
from triad.resources import not_a_link, refuse_links


def lock_of(path: Path) -> Path:
    """Return the lock of what a path names; it lies beside it.

    >>> lock_of(Path("books")).name
    'books.lock'
    """
    return path.with_name(f"{path.name}.lock")


@contextlib.contextmanager
def locked(path: Path, what: str, *, wait: bool = False) -> Iterator[None]:
    """Hold a lock, which no other process and no other thread can hold at the same time.

    The file is made, and removed in the end; after ``kill -9`` it stays, and is free. With ``wait`` it is waited for;
    ``what`` says in an error what is locked.

    Raises:
        ConfigError: Another process holds it, or it cannot be made.
    """
    import filelock  # which takes a while to import, and who only reads locks nothing

    lock = filelock.FileLock(path)
    refuse_links(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        open(path, "ab", opener=not_a_link).close()  # where it cannot be made, the lock would wait for it
        lock.acquire(blocking=wait)
        with open(path, "w", encoding="ascii", opener=not_a_link) as file:
            file.write(str(os.getpid()))
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


@contextlib.contextmanager
def replacing(folder: Path, what: str, *, keep: bool = False) -> Iterator[Path]:
    """Give a draft of a folder, which takes the folder's place in the end; where that fails, the folder stays.

    With ``keep``, the draft begins with what the folder has; else it is empty. ``what`` says in an error what that is.

    Raises:
        ConfigError: Another process writes there, or nothing can be written.
    """
    draft = folder.with_name(f"{folder.name}.draft")
    with locked(lock_of(draft), what):
        try:
            shutil.rmtree(draft, ignore_errors=True)
            if keep:
                shutil.copytree(folder, draft)
            else:
                draft.mkdir(parents=True)
            yield draft
            shutil.rmtree(folder, ignore_errors=True)
            draft.rename(folder)
        except OSError as error:
            raise ConfigError(f"cannot write {what}: {error}") from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)


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
