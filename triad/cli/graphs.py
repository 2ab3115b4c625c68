"""What a user names as a graph: a file, a pattern of files, a folder, an address, standard input; and that as text."""

import glob
import hashlib
import io
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from triad import resources
from triad.errors import ConfigError, DataError, ResourceNotFound
from triad.naming import among, meant
from triad.text import shortened

STDIN: Final = "-"
"""The name of standard input."""

_HEAD: Final = 1 << 16  # bytes of standard input that tell its format
_CHUNK: Final = 1 << 20
_MAGIC: Final = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz", b"\x28\xb5\x2f\xfd": ".zst"}
_NODE: Final = r"(?:<[^>]*>|_:\S+)"
_STATEMENT: Final = re.compile(
    rf'{_NODE}\s+<[^>]*>\s+(?:{_NODE}|"(?:\\.|[^"\\])*"(?:@[\w-]+|\^\^<[^>]*>)?)\s*({_NODE})?\s*\.\s*(?:#.*)?'
)
_NAMED_GRAPH: Final = re.compile(r"(?im)^\s*(?:graph\s+)?(?:<[^>]*>|[\w.-]*:[\w.-]*)?\s*\{")


def graph_paths(names: list[str], form: str | None = None) -> list[str]:
    """Return the files, the folder or the address that open a graph, files with their whole paths.

    Without a form, which is the end of a file's name, that of standard input is told from the content.

    Raises:
        ConfigError: There is nothing of a name.
    """
    return [path for name in names for path in expanded(name, form) or [_missing(name)]]


def expanded(name: str, form: str | None = None) -> list[str]:
    """Return the files that a pattern, a folder of files or standard input is; nothing if there is nothing of the name.

    What opens a graph as it is stays so: a file, a folder of ``triad index``, an address.
    """
    from triad.kg import INDEX_MARKER
    from triad.kg.stores import is_store

    if name == STDIN:
        return [str(_from_standard_input(form))]
    if "://" in name:
        return [name]
    path = resources.from_home(name)
    if (place := resources.found_at(path)) == "file":
        return [str(path.absolute())]
    if place == "folder":
        if (path / INDEX_MARKER).exists() or is_store(path):
            return [str(path.absolute())]
        return [str(one.absolute()) for one in _files_of(path)]
    if glob.has_magic(name):
        found = [one for one in sorted(glob.glob(str(path), recursive=True)) if Path(one).is_file()]  # noqa: PTH207 (of any folder)
        if not found:
            raise ResourceNotFound(f"no file fits the pattern {name!r} (looked in {str(Path().absolute())!r})")
        return [str(Path(one).absolute()) for one in found]
    return []


def served(source: str) -> str | dict[str, Any]:
    """Return the settings of a server of a graph alone; what is no graph, a config or settings, as it is.

    Raises:
        ConfigError: It looks like a graph, and there is none.
    """
    is_graph = "://" in source or glob.has_magic(source) or _is_folder(source) or _is_rdf(source)
    if not is_graph or source in resources.available("configs"):
        return source
    from triad.kg.files import COMPRESSION_SUFFIXES, RDF_SUFFIXES

    paths = graph_paths([source])
    keys = {"graph": paths, "graph_options": {"name": source}} if len(paths) > 1 else {"graph": paths[0]}
    named = Path(urlsplit(source).hostname or "") if "://" in source else Path(source).absolute()
    while named.suffix.lower() in (*RDF_SUFFIXES, *COMPRESSION_SUFFIXES, ".zip"):
        named = named.with_suffix("")
    return {"graphs": {re.sub(r"[^\w.-]+", "-", named.name).strip("-_.") or "graph": {"config": keys}}}


def _is_rdf(path: str | Path) -> bool:
    from triad.kg.files import rdf_format

    with suppress(DataError, OSError, ValueError):
        return bool(rdf_format(path))
    return False


def _is_folder(name: str | Path) -> bool:
    return resources.found_at(resources.from_home(name)) == "folder"


def _files_of(folder: Path) -> list[Path]:
    from triad.kg.files import RDF_SUFFIXES

    shown = (one for one in sorted(folder.iterdir()) if not one.name.startswith("."))
    if not (found := [one for one in shown if one.is_file() and _is_rdf(one)]):
        raise ConfigError(
            f"the folder {str(folder)!r} has no RDF files, whose names end in {', '.join(RDF_SUFFIXES)}, and is none "
            f"that 'triad index' made; files further below are named by a pattern: {str(folder / '**' / '*.ttl')!r}"
        )
    return found


def _missing(name: str) -> str:
    """Raise a `ResourceNotFound` that says that there is nothing of a name, and what may have been meant."""
    path = resources.from_home(name).absolute()
    with suppress(OSError):  # it is no link
        raise ResourceNotFound(f"{shortened(name)!r} is a link that leads nowhere: to {str(path.readlink())!r}")
    said = f"there is no file or folder {shortened(name)!r} (looked in {str(path.parent)!r})"
    beside = [one.name for one in path.parent.iterdir()] if _is_folder(path.parent) else []
    question = meant(path.name, [*beside, *resources.available("configs")])
    raise ResourceNotFound(f"{said}{question and f'; {question}'}")


# Standard input -------------------------------------------------------------------------------------------


def input_lines() -> Iterator[str]:
    """Yield the lines of standard input that are not empty, without spaces around them."""
    _replace()
    yield from filter(None, map(str.strip, sys.stdin))


def input_text() -> str:
    """Return all of standard input; bytes that are no text stand as question marks, and end no command."""
    _replace()
    return sys.stdin.read()


def _replace() -> None:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


def _from_standard_input(form: str | None) -> Path:
    """Keep standard input as a file in the cache folder, under a name that its content tells; so it is read once."""
    from triad.kg.files import RDF_SUFFIXES

    if form is not None and f".{form.lstrip('.')}" not in RDF_SUFFIXES:
        known = [suffix[1:] for suffix in RDF_SUFFIXES]
        raise ConfigError(f"--graph-format is one of the ends of files' names, not {form!r}: {among(known, form)}")
    folder = resources.cache_folder() / "standard-input"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256()
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".", delete=False) as draft:
            try:
                while chunk := sys.stdin.buffer.read(_CHUNK):
                    digest.update(chunk)
                    draft.write(chunk)
                draft.flush()
                suffix = _suffix(Path(draft.name), form)
                target = folder / f"{digest.hexdigest()[:32]}{suffix}"
                if not target.exists():
                    Path(draft.name).rename(target)
            finally:
                Path(draft.name).unlink(missing_ok=True)
    except OSError as error:
        raise ConfigError(f"cannot keep standard input in {str(folder)!r}: {error}") from error
    return target


def _suffix(path: Path, form: str | None) -> str:
    """Return the end of a file's name that its content and a format call for."""
    from triad.kg.files import DAMAGED, OPENERS

    with path.open("rb") as file:
        start = file.peek(8)
        packed = next((suffix for magic, suffix in _MAGIC.items() if start.startswith(magic)), "")
        try:
            head = io.BufferedReader(OPENERS[packed](file)).read(_HEAD) if packed else file.read(_HEAD)
        except DAMAGED as error:
            raise DataError(f"standard input cannot be read: {error}") from error
    if not head.strip():
        raise DataError("standard input is empty, and was to hold a graph")
    return f".{form.lstrip('.')}{packed}" if form else sniffed(head) + packed


def sniffed(head: bytes) -> str:
    """Return the end of a file's name for the format of RDF that a text begins in.

    >>> sniffed(b"@prefix ex: <http://example.org/> . ex:a ex:b 1 .")
    '.ttl'
    """
    text = head.decode("utf-8", "replace").lstrip("\ufeff")
    lines = [line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#")]
    body = "\n".join(lines)
    if re.match(r"<\?xml|<!--|<!DOCTYPE|<[\w:.-]+(\s+[\w:.-]+\s*=|\s*>)", body):
        return ".rdf"
    if re.match(r'\{\s*["}]|\[\s*\{', body):
        return ".jsonld"
    whole = lines[:-1] if len(head) >= _HEAD else lines
    statements = [_STATEMENT.fullmatch(line) for line in whole]
    if whole and all(statements):
        return ".nq" if any(one and one[1] for one in statements) else ".nt"
    return ".trig" if _NAMED_GRAPH.search(body) else ".ttl"
