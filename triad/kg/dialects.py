"""The dialects of SPARQL servers: how one is told from answers, and how its full-text search is asked.

SPARQL does not define full-text search, so every server has its own syntax for it: its dialect. Those that are known
name themselves in a header of each answer. The dialect of any other server is ``plain``. The list is data,
`dialects.yaml`.
"""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from string import Template
from typing import Final

from triad.rdf import IRI, Literal
from triad.resources import read
from triad.strict import Strict, load_yaml, validate

_LIST: Final = Path(__file__).with_suffix(".yaml")


class Dialect(Strict):
    """A dialect, as the list has it."""

    headers: str = ""
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


def from_headers(headers: Mapping[str, str]) -> str:
    """Return the dialect of the server that has given an answer with some headers."""
    text = "\n".join(f"{name}: {value}" for name, value in headers.items())
    known = ((name, one.headers) for name, one in DIALECTS.items() if one.headers)
    return next((name for name, pattern in known if re.search(pattern, text, re.MULTILINE | re.IGNORECASE)), "plain")
