"""What a query declares, and the names that it does not have yet."""

import itertools
import re
from collections.abc import Iterator, Mapping
from urllib.parse import urljoin

from lark import Token

from triad.errors import QuerySyntaxError
from triad.rdf import BlankNode
from triad.sparql.patterns import Variable
from triad.sparql.writer import PREFIXES


class QueryNames:
    """The prefixes and the base of a query, and new names for what has none in its text."""

    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        self.prefixes = {**PREFIXES, **prefixes}
        self.base = ""
        self._text = text
        self._functions: dict[str, Iterator[str]] = {}
        self._blank: Iterator[str] | None = None

    def declare(self, prefix: str, iri: str) -> None:
        """Note a prefix."""
        self.prefixes[prefix] = self.absolute(iri)

    def absolute(self, iri: str) -> str:
        """Return an IRI as it is, which may be relative to the base."""
        return urljoin(self.base, iri) if self.base else iri

    def prefixed(self, name: Token) -> str:
        """Return the IRI of a name with a prefix; a `QuerySyntaxError` if that is not declared."""
        prefix, _, local = name.partition(":")
        if prefix not in self.prefixes:
            known = ", ".join(sorted(name for name in self.prefixes if name))
            place = f"line {name.line}, column {name.column}"
            raise QuerySyntaxError(f"the prefix {prefix + ':'!r} is not declared: {place}; known without: {known}")
        return self.prefixes[prefix] + (re.sub(r"\\(.)", r"\1", local) if "\\" in local else local)

    def blank(self) -> BlankNode:
        """Return a blank node with a name that the query does not have, and the same each time that it is read."""
        if self._blank is None:
            self._blank = self._free(f"b{number}" for number in itertools.count(1))
        return BlankNode(next(self._blank))

    def of_column(self, function: str) -> Variable:
        """Return a name for a column that is an aggregate and has none."""
        word = function.lower()
        if word not in self._functions:
            numbered = (f"{word}_{number}" for number in itertools.count(2))
            # The number is counted with those that are taken: count, count_, count_3.
            self._functions[word] = self._free(itertools.chain([word, f"{word}_"], numbered))
        return Variable(next(self._functions[word]))

    def _free(self, names: Iterator[str]) -> Iterator[str]:
        taken = set(re.findall(r"(?:[?$]|_:)(\w+)", self._text))
        return (name for name in names if name not in taken)
