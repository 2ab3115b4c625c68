"""The dialects of SPARQL servers: how one is told from answers, and how its full-text search is asked.

SPARQL does not define full-text search, so every server has its own syntax for it: its dialect. Most servers name
themselves in a header of each answer. Others are recognised by their service description, which a server gives to a
request without a query, or by a command that no other server has. The dialect of any other server is ``plain``. The
list is data, `dialects.yaml`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from string import Template
from typing import Final

from triad.rdf import IRI, Literal
from triad.resources import read
from triad.strict import Strict, load_yaml, validate

_LIST: Final = Path(__file__).with_suffix(".yaml")
_QLEVER_STATISTICS: Final = ("name-index", "num-triples")
"""Keys of QLever's answer to its command ``stats``; other servers answer that the query is missing."""


class Dialect(Strict):
    """A dialect, as the list has it."""

    headers: str = ""
    description: str = ""
    pattern: str
    joint: str = " "
    word: str = "%s"

    def __call__(self, words: Sequence[str], properties: Sequence[str], limit: int) -> str:
        """Return the pattern for some words; they have letters and digits only, so that they need no escapes."""
        text = self.joint.join(self.word % word for word in words)
        named = f"VALUES ?property {{ {' '.join(IRI(name).n3() for name in properties)} }} ?iri ?property ?label ."
        filled = partial(Template(self.pattern).substitute, named=named, search=Literal(text).n3(), text=text)
        each = properties if "$property" in self.pattern else properties[:1]
        return " UNION ".join(filled(property=IRI(name).n3(), limit=limit) for name in each)


DIALECTS: Final[Mapping[str, Dialect]] = {
    name: validate(Dialect, one, f"{_LIST}: {name}") for name, one in load_yaml(read(_LIST), str(_LIST)).items()
}
"""The dialects that are known."""


def from_headers(headers: Mapping[str, str]) -> str | None:
    """Return the dialect that the headers of an answer identify, if any."""
    text = "\n".join(f"{name}: {value}" for name, value in headers.items())
    known = ((name, one.headers) for name, one in DIALECTS.items() if one.headers)
    return next((name for name, pattern in known if re.search(pattern, text, re.MULTILINE | re.IGNORECASE)), None)


def detect(headers: Mapping[str, str], peek: Callable[[Mapping[str, str]], str]) -> str:
    """Return the dialect of a server.

    ``peek`` sends a request with parameters and returns the answer, or an empty text if it fails.
    """
    if found := from_headers(headers):
        return found
    description = peek({})
    for name, one in DIALECTS.items():
        if one.description and one.description in description:
            return name
    statistics = peek({"cmd": "stats"})
    return "qlever" if all(f'"{key}"' in statistics for key in _QLEVER_STATISTICS) else "plain"
