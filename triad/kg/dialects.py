"""Detection of a SPARQL server's dialect from its answers.

SPARQL does not define full-text search, so every server has its own syntax for it: its dialect. Most servers name
themselves in a header of each answer. Others are recognised by their service description, which a server gives to a
request without a query, or by a command that no other server has. The dialect of any other server is ``plain``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

DIALECTS: Final = ("blazegraph", "fuseki", "graphdb", "plain", "qlever", "virtuoso")
"""The dialects that are known."""

_SERVERS: Final = {
    "virtuoso": re.compile(r"^Server: .*Virtuoso", re.MULTILINE | re.IGNORECASE),
    "graphdb": re.compile(r"^Server: .*GraphDB", re.MULTILINE | re.IGNORECASE),
    "qlever": re.compile(r"^Server: .*QLever", re.MULTILINE | re.IGNORECASE),
    "fuseki": re.compile(r"^(Fuseki-Request-Id:|Server: .*Fuseki)", re.MULTILINE | re.IGNORECASE),
    "blazegraph": re.compile(r"^(X-Served-By: wdqs|Server: .*Blazegraph)", re.MULTILINE | re.IGNORECASE),
}
"""Header values that identify each dialect; ``wdqs`` is the Wikidata Query Service."""

_DESCRIPTIONS: Final = {
    "blazegraph": "http://www.bigdata.com/rdf",
    "graphdb": "http://www.ontotext.com/",
    "virtuoso": "http://www.openlinksw.com/",
}
"""Namespaces that a service description has, by dialect."""

_QLEVER_STATISTICS: Final = ("name-index", "num-triples")
"""Keys of QLever's answer to its command ``stats``; other servers answer that the query is missing."""


def from_headers(headers: Mapping[str, str]) -> str | None:
    """Return the dialect that the headers of an answer identify, if any."""
    text = "\n".join(f"{name}: {value}" for name, value in headers.items())
    return next((dialect for dialect, pattern in _SERVERS.items() if pattern.search(text)), None)


def detect(headers: Mapping[str, str], peek: Callable[[Mapping[str, str]], str]) -> str:
    """Return the dialect of a server.

    ``peek`` sends a request with parameters and returns the answer, or an empty text if it fails.
    """
    if found := from_headers(headers):
        return found
    description = peek({})
    for dialect, namespace in _DESCRIPTIONS.items():
        if namespace in description:
            return dialect
    statistics = peek({"cmd": "stats"})
    return "qlever" if all(f'"{key}"' in statistics for key in _QLEVER_STATISTICS) else "plain"
