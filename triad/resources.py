"""Finds what users edit by name: a role, a prompt, an indexing recipe, a run config; and a graph to try.

A name such as ``generalist`` is looked up in the folders of ``TRIAD_PATH``, then in the user's own folder, and then
among the files that Triad ships; what has a slash or a suffix is a path.
"""

import hashlib
import mmap
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from string import Template
from typing import Final, Literal as Choice

import platformdirs

from triad.errors import ConfigError, ResourceNotFound
from triad.naming import among

SUFFIXES: Final = {"roles": ".yaml", "prompts": ".prompt", "index": ".yaml", "configs": ".yaml", "graph": ".ttl"}
"""The kinds of resources, which are the names of their folders, and the suffix of their files."""

_HEAD: Final = mmap.ALLOCATIONGRANULARITY
"""Bytes before what a kept file holds, which are its length: what is mapped into memory begins at a multiple of it."""


def found_at(path: str | Path) -> Choice["file", "folder", ""]:
    """Return what is at a path; nothing is where no path can lead: it is too long, or has characters that none has."""
    try:
        place = Path(path)
        return "folder" if place.is_dir() else "file" if place.exists() else ""
    except OSError:
        return ""


def from_home(path: str | Path) -> Path:
    """Return a path with ``~`` filled in; as it is where the user that it names is not known."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


@cache
def bundled_root() -> Path:
    """Return the folder of the files that Triad ships: inside the package, or a checkout's root."""
    package = Path(__file__).resolve().parent
    bundled = package / "_bundled"
    return bundled if bundled.is_dir() else package.parent


def cache_folder() -> Path:
    """Return the folder for what can be made again: ``TRIAD_CACHE``, or the system's place for caches."""
    return _named("TRIAD_CACHE") or Path(platformdirs.user_cache_dir("triad", appauthor=False))


def private(file: Path) -> None:
    """Have a file that its owner alone can read, made with its folder where there is none, or raise an `OSError`."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not file.exists():
        file.touch(mode=0o600)
    for end in ("", "-wal", "-shm"):  # what SQLite has beside a database
        _narrow(file.with_name(file.name + end))


def private_folder(folder: Path) -> None:
    """Have a folder that its owner alone can read; it is made where there is none, or raises an `OSError`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _narrow(folder)


def _narrow(path: Path) -> None:
    """Have nobody else read what an earlier version made for all, unless it is somebody else's."""
    with suppress(OSError):
        if (mode := path.stat().st_mode) & 0o077:
            path.chmod(mode & 0o700)


def settings_folder() -> Path:
    """Return the folder for what a user has set and made: ``TRIAD_SETTINGS``, or the system's place for settings."""
    return _named("TRIAD_SETTINGS") or Path(platformdirs.user_config_dir("triad", appauthor=False))


def data_folder() -> Path:
    """Return the folder of published data sets: ``TRIAD_DATA``, or one in the system's place for a user's data."""
    return _named("TRIAD_DATA") or Path(platformdirs.user_data_dir("triad", appauthor=False)) / "data"


def _named(variable: str) -> Path | None:
    folder = os.environ.get(variable)
    return Path(folder).expanduser() if folder else None


def how_to_get(path: Path) -> str:
    """Return the end of a message that a file is missing: how to get it, where it is one of the published data sets."""
    if not path.absolute().is_relative_to(data_folder().absolute()):
        return ""
    return "; 'triad data list' tells which published sets 'triad data get' fetches, TRIAD_DATA names another folder"


def _roots() -> list[Path]:
    named = [Path(root).expanduser() for root in os.environ.get("TRIAD_PATH", "").split(os.pathsep) if root]
    return [*named, settings_folder()]


def _folders(kind: str) -> list[Path]:
    return [root / kind for root in [*_roots(), bundled_root()]]


def available(kind: str) -> dict[str, Path]:
    """Return all resources of a kind by name; where a name occurs twice, the one that `find` finds."""
    suffix = SUFFIXES[kind]
    found: dict[str, Path] = {}
    for folder in _folders(kind):
        for path in sorted(folder.glob("*" + suffix)):
            found.setdefault(path.name.removesuffix(suffix), path)
    return found


def statements(module: str, suffix: str = ".sql", **values: object) -> dict[str, str]:
    """Return the queries beside a module by the names above them, as in ``-- name: edges``, with ``${values}``."""
    text = re.sub(r"\$\{(\w+)\}", lambda found: str(values[found[1]]), read(Path(module).with_suffix(suffix)))
    _, *parts = re.split(r"^(?:--|#) name: (.+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def queries(module: str, **values: object) -> Callable[..., str]:
    """Return what writes the SPARQL beside a module, on one line: a function of a query's name and its ``$values``."""
    known = {name: Template(" ".join(text.split())) for name, text in statements(module, ".rq", **values).items()}
    return lambda name, /, **given: known[name].substitute(given)


def find(kind: str, name: str | Path) -> Path:
    """Return the path of a resource.

    The kind is that of a folder in `SUFFIXES`; what has a slash or a suffix is a path.

    Raises:
        ResourceNotFound: There is none; the message lists the known names.
    """
    text = os.fspath(name)
    if "/" in text or os.sep in text or Path(text).suffix:
        path = from_home(text)
        if found_at(path) == "file":
            return path
        raise ResourceNotFound(f"no file {text!r} (looked in {os.fspath(path.absolute().parent)!r})")
    for folder in _folders(kind):
        if found_at(path := folder / f"{text}{SUFFIXES[kind]}") == "file":
            return path
    known = among(available(kind), text)
    raise ResourceNotFound(
        f"nothing in {kind!r} has the name {text!r}; known: {known}{'' if known.endswith('?') else '.'} "
        f"A path to a file works too, and so does a folder in TRIAD_PATH."
    )


def read(path: Path) -> str:
    """Return the text of a resource; a `ConfigError` if it cannot be read or is not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ResourceNotFound(f"there is no file {os.fspath(path)!r}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read {os.fspath(path)!r}: {error}") from error


def write(path: Path, text: str) -> None:
    """Write a text file; a `ConfigError` if it cannot be written."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {os.fspath(path)!r}: {error}") from error


def refuse_links(*paths: Path) -> None:
    """Raise a `ConfigError` where a path is a link: whoever made its folder may have it lead to any file."""
    for path in paths:
        if path.is_symlink():
            raise ConfigError(
                f"{os.fspath(path)!r} is a link to {os.fspath(path.readlink())!r}, and what is written there must not "
                "end up elsewhere; remove it, or put what it leads to in its place"
            )


def not_a_link(path: str, flags: int) -> int:
    """Open a file that is no link: the ``opener`` of what is written to in a folder that others may have made."""
    refuse_links(Path(path))
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


@contextmanager
def drafted(path: Path, *, named: bool = False) -> Iterator[Path]:
    """Give a draft of a file, which takes its place when all is written; a `ConfigError` if it cannot be.

    Its name is its own: no other process writes there, and nobody can have laid a link there that leads elsewhere.
    Where the user has ``named`` the file, its links are followed, who may read it stays, and a pipe or a device is
    written to as it is.
    """
    try:
        if named and path.exists() and not path.is_file():
            yield path
            return
        target = path.resolve() if named else path
        draft = target.with_name(f".{target.name}.{os.urandom(8).hex()}.draft")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            before = target.stat() if named and target.exists() else None
            if before:
                draft.touch(0o600)
            yield draft
            if before:
                kept = before.st_mode & 0o7777
                try:
                    os.chown(draft, before.st_uid, before.st_gid)
                except PermissionError:
                    kept &= ~0o070  # its group is another one
                draft.chmod(kept)
            draft.replace(target)
        finally:
            with suppress(OSError):
                draft.unlink()
    except OSError as error:
        raise ConfigError(f"cannot write {os.fspath(path)!r}: {error}") from error


def kept(folder: str, key: object, make: Callable[[], bytes]) -> bytes | mmap.mmap:
    """Return what takes long to make: kept in the cache, and mapped into memory, which all processes share.

    Its key says what it is made of, and how: the `repr` tells the file. Where nothing can be kept, it is made each
    time.
    """
    path = cache_folder() / folder / hashlib.sha256(repr(key).encode()).hexdigest()[:32]
    with suppress(OSError, ValueError):
        return _mapped(path)
    content = make()
    with suppress(OSError, ValueError, ConfigError):
        with drafted(path) as draft:
            private(draft)
            draft.write_bytes(str(len(content)).encode().ljust(_HEAD) + content)
        return _mapped(path)
    return content


def _mapped(path: Path) -> mmap.mmap:
    """Return a kept file mapped into memory; raises `ValueError` if it is not whole."""
    with path.open("rb") as file:
        size = int(file.read(_HEAD))
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ, offset=_HEAD)
    if len(mapped) != size:
        mapped.close()
        raise ValueError("the file is not whole")
    return mapped


def copy(kind: str, name: str, to: Path | None = None, *, replace: bool = False) -> list[Path]:
    """Copy a shipped resource, and the folder of its name where there is one; returns what was made.

    Args:
        kind: ``roles``, ``prompts``, ``index``, ``configs`` or ``graph``.
        name: Its name.
        to: A file or a folder; by default where `find` looks first: the folder of the kind in the first folder of
            ``TRIAD_PATH``, else in the user's own folder. A graph, which is named by its path, is copied into this
            folder.
        replace: Whether to replace what is there.

    Raises:
        ResourceNotFound: Nothing shipped has that name.
        ConfigError: There is something already, or nothing can be written there.
    """
    suffix = SUFFIXES[kind]
    shipped = {path.stem: path for path in sorted((bundled_root() / kind).glob(f"*{suffix}"))}
    if name not in shipped:
        raise ResourceNotFound(f"nothing shipped in {kind!r} has the name {name!r}; known: {among(shipped, name)}")
    source = shipped[name]
    target = to or (Path() if kind == "graph" else _roots()[0] / kind)
    if target.suffix != suffix:
        target /= source.name
    pairs = [(source, target)]
    if (companion := source.with_suffix("")).is_dir():
        pairs.append((companion, target.parent / companion.name))
    for _, path in pairs:
        if path.exists() and not replace:
            raise ConfigError(f"{os.fspath(path)!r} exists; name another place, or replace it with --force")
    for origin, path in pairs:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(origin, path, dirs_exist_ok=True) if origin.is_dir() else shutil.copyfile(origin, path)
        except OSError as error:
            raise ConfigError(f"cannot write {os.fspath(path)!r}: {error}") from error
    return [path for _, path in pairs]
