"""Text of strangers, made fit to be shown: in a terminal, on one line, in Markdown; addresses without their secrets."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, wraps
from typing import Any, Final, TypeVar

LENGTH: Final = 200
"""Characters of a label or a literal that are shown: two lines of a terminal."""

_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_UNSEEN_IN_JSON: Final = re.compile(rf"{_UNSEEN.pattern[:-1]}\u2028\u2029]")  # the last two end a line for some
_SPECIAL: Final = re.compile(r"([\\`|*_\[\]<>#])")
_TAG: Final = re.compile(r"(?<!\]\()<")  # where a tag may begin; behind "](" a link's address does
_ADDRESS: Final = re.compile(r"https?://[^\s<>|`\\]+")
_QUOTED: Final = re.compile(r"“[^”]*(?:”|\Z)")

T = TypeVar("T")
SECRET: Final = re.compile(
    r"(^|[-_.]|api|access|app|client|subscription)key$|token|secret|passw|^pw[ds]?$|auth|credential|signature|^sig$",
    re.IGNORECASE,
)
"""What parameters are called that hold a secret."""
_OPTIONS: Final = ("api_key", "headers", "password")
_USER: Final = re.compile(r"(?<=://)[^/?#\s]*@")


def remembered(size: int, longest: int = 300) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """Return a decorator for a function of a text that remembers its latest values, but for those of long texts.

    Whoever asks can make up texts of any length; so many of them would fill the memory of a server.
    """

    def decorated(work: Callable[[str], T]) -> Callable[[str], T]:
        kept = lru_cache(size)(work)
        return wraps(work)(lambda text: kept(text) if len(text) <= longest else work(text))

    return decorated


def clean(text: str) -> str:
    """Return a text without characters that steer a terminal or turn the direction of writing."""
    return _UNSEEN.sub("", text)


def in_json(text: str) -> str:
    r"""Return JSON with escapes in place of the characters that `clean` takes away; it says the same.

    >>> in_json('{"name": "a\u202eb"}')
    '{"name": "a\\u202eb"}'
    """
    return _UNSEEN_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def quoted(text: str) -> str:
    """Return words of others, in quotes that nothing else in an error or a line of a log has.

    What a server said stands so, or a model, or the engine of a database: it may have the words of a question.
    """
    return "“{}”".format(text.replace("“", '"').replace("”", '"')) if text else ""


def unsaid(text: str) -> str:
    """Return a text without the words of others that it quotes.

    >>> unsaid("the query failed (“no Annemarie”); try again")
    'the query failed (“…”); try again'
    """
    return _QUOTED.sub("“…”", text)


def writable(text: str) -> str:
    r"""Return a text that UTF-8 can write: half a surrogate pair, as for a byte that is no text, becomes ``?``.

    >>> writable("Who founded \udcff Intel?")
    'Who founded ? Intel?'
    """
    return text.encode(errors="replace").decode()


def shortened(text: str, length: int = LENGTH) -> str:
    """Return a text, cut to a length in characters; an ellipsis stands for what was cut.

    >>> shortened("Ulysses", 4)
    'Uly…'
    """
    return text if len(text) <= length else text[: length - 1] + "…"


def within(lines: Iterable[str], room: int, apart: int = 1) -> list[str]:
    """Return the first lines, as many as there is room for in characters, with so many between two of them.

    >>> within(["Emma", "Ulysses"], 9)
    ['Emma']
    """
    kept = []
    for line in lines:
        room -= len(line) + apart
        if room < 0:
            break
        kept.append(line)
    return kept


def first(names: Sequence[str], room: int) -> str:
    """Return names with commas, as many as there is room for in characters.

    >>> first(["Emma", "Ulysses"], 9)
    'Emma, …'
    """
    shown = within(names, room)
    return ", ".join([*shown, *(["…"] if len(shown) < len(names) else [])])


def one_line(text: str, length: int = LENGTH) -> str:
    """Return a text on one line, cut to a length that reads well."""
    return shortened(" ".join(clean(text).split()), length)


def escaped(text: str, length: int = LENGTH) -> str:
    """Return a text on one line, cut to a length, with the special characters of Markdown escaped."""
    return _SPECIAL.sub(r"\\\1", one_line(text, length))


def address(iri: str) -> str:
    """Return an IRI in Markdown: a link if it is a web address, else an escaped text."""
    return f"<{iri}>" if _ADDRESS.fullmatch(iri) else escaped(iri)


def cell(value: object) -> str:
    """Return a value as the cell of a Markdown table, where it may hold a link, and no tag."""
    return _TAG.sub(r"\\<", one_line(str(value)).replace("|", "\\|"))


def fenced(text: str, language: str = "") -> str:
    """Return a text as a block of code in Markdown, which nothing in it can end."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{clean(text)}\n{fence}"


def each_text(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value with all texts changed that it is or has, those in mappings and lists included."""
    if isinstance(value, Mapping):
        return {key: each_text(one, change) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [each_text(one, change) for one in value]
    return change(value) if isinstance(value, str) else value


def table(header: Sequence[str], rows: Iterable[Sequence[Any]], written: Callable[[Any], str] = cell) -> list[str]:
    """Return the lines of a Markdown table, with each cell written by a function."""
    lines = [f"| {' | '.join(map(written, cells))} |" for cells in (header, *rows)]
    return [lines[0], "|" + " --- |" * len(header), *lines[1:]]


def without_secrets(address: str) -> str:
    """Return an address as it may be shown: without user and password, and without parameters that look like keys.

    >>> without_secrets("openai:llama@https://ann:pw@example.org/v1?apikey=123&version=2")
    'openai:llama@https://example.org/v1?version=2'
    """
    start, mark, query = _USER.sub("", address).partition("?")
    kept = [part for part in query.split("&") if not SECRET.search(part.partition("=")[0])]
    return f"{start}{mark if any(kept) or not query else ''}{'&'.join(kept)}"


def without_secrets_within(value: Any) -> Any:
    """Return a value whose texts that have addresses are without their secrets."""
    return each_text(value, lambda text: without_secrets(text) if "://" in text else text)


def without_secrets_of(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a config without users and passwords: run folders are shared, and what is shown is, too."""
    kept: dict[str, Any] = without_secrets_within(keys)
    for key in ("graph_options", "index_options"):
        kept[key] = {name: "(not kept)" if name in _OPTIONS else value for name, value in kept[key].items()}
    return kept
