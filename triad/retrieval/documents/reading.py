"""Files of documents as sections: Markdown, HTML, plain text and PDF, each read by a library that knows it.

A document tells its title, date and language in its front matter or its head, else in its text.
"""

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from triad.errors import ConfigError, DataError
from triad.language.detection import detect
from triad.language.pack import load_pack
from triad.language.text_quantities import dates
from triad.strict import parse_yaml
from triad.text import clean

_FRONT: Final = re.compile(r"\A---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_TITLE: Final = 120  # characters of a first line that is taken for the title
_KEYS: Final = {
    "title": ("title",),
    "date": ("date", "updated", "modified_time", "modified", "lastmod", "published_time", "published", "created"),
    "language": ("language", "lang", "locale"),
}
"""What front matter and heads call what they tell."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under a heading."""

    headings: tuple[str, ...]
    """The heading with those above it, the highest first."""
    blocks: tuple[str, ...]
    """Paragraphs, list items and rows of tables, each on one line."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document that was read."""

    title: str
    sections: tuple[Section, ...]
    date: str
    """As ISO 8601; that of the file where the document tells none."""
    language: str


_Content = tuple[tuple[Section, ...], Mapping[str, str]]
"""What a format tells: sections, and ``title``, ``date`` and ``language`` as far as front matter or head tell them."""


def read_document(path: Path) -> Document:
    """Read a document.

    Raises:
        DataError: The file cannot be read, is not what its name says, or has no text.
        ConfigError: The extra is not installed.
    """
    try:
        told, about = _READERS[path.suffix.lower()](path.read_bytes())
        changed = datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
    except ImportError as error:
        raise ConfigError("documents need an extra: pip install 'triad-kgqa[retrieval]'") from error
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {str(path)!r}: {error}") from error
    if not (sections := tuple(section for section in told if section.blocks)):
        raise DataError(f"there is no text in {str(path)!r}")
    text = "\n".join(block for section in sections for block in section.blocks)
    language = about.get("language", "").replace("_", "-") or detect(text[:2_000])
    heading = next((section.headings[0] for section in told if section.headings), "")
    title = about.get("title", "") or heading or path.stem.replace("_", " ").replace("-", " ")
    # characters at the beginning of a text in which its date is looked for
    when = about.get("date", "") or _dated(text[:600], language) or changed.isoformat()
    return Document(_line(title)[:_TITLE], sections, when, language.partition("-")[0].lower())


def _dated(text: str, language: str) -> str:
    """Return the first day or month with a year that a text names; empty if it names none."""
    found = dates(text, [load_pack(language.partition("-")[0].lower())])
    return next((one.iso for one in found if "-" in one.iso[1:]), "")


# The formats ----------------------------------------------------------------------------------------------


def _markdown(data: bytes) -> _Content:
    from markdown_it import MarkdownIt

    text = _decoded(data)
    front = _FRONT.match(text)
    page = MarkdownIt("commonmark").enable("table").render(text[front.end() :] if front else text)
    try:
        known = parse_yaml(front[1]) if front else None
    except ValueError:
        known = None
    return _html(page.encode())[0], _about(known) if isinstance(known, dict) else {}


def _about(data: Mapping[Any, Any]) -> dict[str, str]:
    known = {str(key).lower(): value for key, value in data.items() if value is not None}
    values = {name: [_value(known[key], name) for key in keys if key in known] for name, keys in _KEYS.items()}
    return {name: text for name, found in values.items() if (text := next(filter(None, found), ""))}


def _value(value: object, name: str) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()[:10]
    text = _line(str(value))
    if name == "date":
        found = _DAY.match(text)
        return found[0] if found else _dated(text, "en") or (text if re.fullmatch(r"\d{4}(-\d\d)?", text) else "")
    return text if name == "title" or re.fullmatch(r"[a-zA-Z]{2,3}([-_][^\W_]+)*", text) else ""


_BLOCKS: Final = frozenset(
    "address article aside blockquote body caption dd div dl dt fieldset figcaption figure footer form header hr li "
    "main nav ol p pre section summary table tbody thead tfoot tr ul h1 h2 h3 h4 h5 h6 br".split()
)
_BLOCK: Final = "\x1e"
_HEADING: Final = "\x1d"
"""What stands between blocks, and before the level of a heading, once a page is a text: few pages have them."""
_UNSEEN: Final = ("script", "style", "noscript", "template", "svg", "head")


def _html(data: bytes) -> _Content:
    from bs4 import BeautifulSoup
    from bs4.element import Tag

    soup = BeautifulSoup(data, "html.parser")
    metas: dict[str, Any] = {}
    for meta in soup.find_all("meta", content=True):
        name = str(meta.get("name") or meta.get("property") or "").lower()
        metas[name.rpartition(":")[2].rpartition(".")[2]] = meta["content"]
    if soup.title and soup.title.string:
        metas["title"] = soup.title.string
    if isinstance(soup.html, Tag) and soup.html.get("lang"):
        metas["language"] = soup.html["lang"]
    for unseen in soup.find_all(_UNSEEN):
        unseen.decompose()
    for image in soup.find_all("img", alt=True):
        image.replace_with(str(image["alt"]))
    for cell in soup.find_all(("td", "th")):
        cell.append(" | ")
    for block in soup.find_all(_BLOCKS):
        if re.fullmatch("h[1-6]", block.name):
            block.insert(0, _HEADING + block.name[1])
        block.insert_before(_BLOCK)
        block.insert_after(_BLOCK)
    gathering = _Gathering()
    for text in soup.get_text().split(_BLOCK):
        if re.match(f"{_HEADING}[1-6]", text):
            gathering.head(int(text[1]), text[2:])
        else:
            gathering.add(text)
    return gathering.sections(), _about(metas)


def _plain(data: bytes) -> _Content:
    gathering = _Gathering()
    for block in re.split(r"\n\s*\n", _decoded(data).replace("\r\n", "\n")):
        gathering.add(block)
    first = gathering.blocks[0] if gathering.blocks else ""
    title = first if len(first) <= _TITLE and len(gathering.blocks) > 1 and not first.endswith((".", ":")) else ""
    return gathering.sections(), {"title": title}


def _pdf(data: bytes) -> _Content:
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise ValueError("it is locked with a password")
        gathering = _Gathering()
        for number, page in enumerate(reader.pages, 1):
            gathering.head(1, f"page {number}")
            for block in re.split(r"\n\s*\n", page.extract_text()):
                gathering.add(block)
        info: Mapping[str, Any] = reader.metadata or {}
        made = re.match(r"D:(\d{4})(\d\d)(\d\d)", str(info.get("/ModDate") or info.get("/CreationDate") or ""))
        sections = gathering.sections()
        first = next((block for section in sections for block in section.blocks), "")[:_TITLE]
        title = str(info.get("/Title") or "").strip() or first
        return sections, {"title": title, "date": "-".join(made.groups()) if made else ""}
    # Of a file that breaks the format, pypdf lets errors of its own code through besides those that it names.
    except (PyPdfError, KeyError, IndexError, AttributeError, TypeError, RecursionError, NotImplementedError) as error:
        raise ValueError(f"it is no PDF that can be read: {error}") from error


def _decoded(data: bytes) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"its text is not in UTF-8: {error}") from error
    if "\0" in text:
        raise ValueError("it is not a text")
    return text


class _Gathering:
    """Sections as they are read, heading by heading."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self._path: list[tuple[int, str]] = []
        self._done: list[Section] = []

    def head(self, level: int, text: str) -> None:
        self._close()
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        if line := _line(text):
            self._path.append((level, line[:_TITLE]))

    def add(self, text: str) -> None:
        if line := _line(text).strip("| "):
            self.blocks.append(line)

    def _close(self) -> None:
        if self.blocks or self._path:
            self._done.append(Section(tuple(text for _, text in self._path), tuple(self.blocks)))
        self.blocks = []

    def sections(self) -> tuple[Section, ...]:
        self._close()
        return tuple(self._done)


def _line(text: str) -> str:
    return " ".join(clean(text).split())


_READERS: Final[Mapping[str, Callable[[bytes], _Content]]] = {
    ".md": _markdown,
    ".markdown": _markdown,
    ".html": _html,
    ".htm": _html,
    ".xhtml": _html,
    ".txt": _plain,
    ".text": _plain,
    ".pdf": _pdf,
}
SUFFIXES: Final = tuple(_READERS)
"""The endings of files that are read."""
