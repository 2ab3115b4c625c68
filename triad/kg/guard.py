"""The guard: what may be asked of a graph by a query that a model or a user wrote.

The guard reads a query as a tree, refuses what is not allowed, sets a LIMIT and writes the query anew. What
it gives is the only type that `KnowledgeGraph.select` and `KnowledgeGraph.ask` accept. It decides by the tree
and not by words, so a film called "Insert Data" is no threat, and a ``SERVICE`` in a sub-select of a
sub-select is one. Of functions, those that an IRI names are judged here; built-in ones are all that the grammar reads.

>>> print(check("select * { ?s ?p 'DROP ALL' }", Policy(row_limit=10)))
SELECT *
WHERE {
  ?s ?p "DROP ALL" .
}
LIMIT 11
>>> check("ASK { SERVICE <http://example.org/> { ?s ?p ?o } }")
Traceback (most recent call last):
    ...
triad.errors.QueryRejected: SERVICE <http://example.org/> is not allowed; allowed services: none

Time, rows and bytes are bounded by the adapters, which stop a query that runs away.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from triad import sparql
from triad.errors import QueryRejected, QuerySyntaxError
from triad.kg.base import ROW_LIMIT, SafeQuery
from triad.rdf import IRI
from triad.sparql.patterns import Call, Service


@dataclass(frozen=True, slots=True)
class Policy:
    """What the guard lets pass."""

    services: tuple[str, ...] = ()
    """Hosts that a ``SERVICE`` clause may name, such as ``query.wikidata.org``; with a port, ``localhost:8890``,
    where it is not that of the scheme."""
    graphs: tuple[str, ...] = ()
    """IRIs of graphs that a ``FROM`` clause may name."""
    functions: tuple[str, ...] = ()
    """Namespaces of functions that may be called, in addition to those of XSD, XPath and GeoSPARQL."""
    row_limit: int = ROW_LIMIT
    """Rows that a result may have. The query asks for one more, so that a cut is noticed."""


_UPDATE: Final = re.compile(
    r"(?<![\w?$:])(INSERT|DELETE|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY|WITH)\b(?=\s*(?:DATA\b|WHERE\b|\{|SILENT\b|GRAPH\b"
    r"|DEFAULT\b|NAMED\b|ALL\b|<|\w*:))",
    re.IGNORECASE,
)
_GIVING_TRIPLES: Final = re.compile(r"\s*+(?:(?:PREFIX\s[^<]*+|BASE\s*+)<\s*+)*+(CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)
_FUNCTIONS: Final = (
    "http://www.w3.org/2001/XMLSchema#",
    "http://www.w3.org/2005/xpath-functions#",
    "http://www.w3.org/2005/xpath-functions/",
    "http://www.opengis.net/def/function/geosparql/",
)
# Schemes by which an engine calls code of its own: Jena's Java classes, Virtuoso's and SQL's built-ins.
_CODE: Final = ("java:", "bif:", "sql:")
_PORTS: Final = {"http": 80, "https": 443}


def check(
    query: str | sparql.QueryGraph, policy: Policy = Policy(), prefixes: Mapping[str, str] | None = None
) -> SafeQuery:
    """Return the query in the form in which it may run; a text need not declare some prefixes.

    Raises:
        QuerySyntaxError: It is not a SPARQL query, or too long or too deeply nested.
        QueryRejected: It is SPARQL, but not allowed.
    """
    graph = _parse(query, prefixes) if isinstance(query, str) else query
    for one in sparql.nodes(graph, sparql.QueryGraph):
        for source in (*one.sources, *one.named_sources):
            if source.value not in policy.graphs:
                raise QueryRejected(f"FROM <{source}> is not allowed; allowed graphs: {_listed(policy.graphs)}")
    for service in sparql.nodes(graph, Service):
        if not isinstance(service.endpoint, IRI) or _host(service.endpoint.value) not in policy.services:
            named = service.endpoint.n3() if isinstance(service.endpoint, IRI) else service.endpoint
            raise QueryRejected(f"SERVICE {named} is not allowed; allowed services: {_listed(policy.services)}")
    for call in sparql.nodes(graph, Call):
        if isinstance(call.function, IRI) and not call.function.value.startswith((*_FUNCTIONS, *policy.functions)):
            raise QueryRejected(f"the function <{call.function}> is not allowed; standard functions are")
    for term in sparql.nodes(graph, IRI):
        if term.value.lower().startswith(_CODE):
            raise QueryRejected(f"the IRI <{term}> is not allowed: it calls code of the server")
    if not graph.ask and (graph.limit is None or graph.limit > policy.row_limit):
        graph = replace(graph, limit=policy.row_limit + 1)
    text = sparql.write(graph)
    sparql.check_size(text)  # which prefixes that are long and used often make grow
    return SafeQuery(text, graph)


def _parse(text: str, prefixes: Mapping[str, str] | None) -> sparql.QueryGraph:
    try:
        return sparql.parse(text, prefixes)
    except QuerySyntaxError as error:
        if len(text) > sparql.MAX_LENGTH:
            raise
        masked = sparql.mask(sparql.unescape(text))
        if update := _UPDATE.search(masked):
            raise QueryRejected(f"{update[1].upper()} is not allowed: queries can only read") from error
        if other := _GIVING_TRIPLES.match(masked):
            raise QueryRejected(f"{other[1].upper()} queries are not allowed here: use SELECT or ASK") from error
        raise


def _host(iri: str) -> str | None:
    """Return the host of a web address, with its port if that is not the scheme's; None if it is anything else."""
    try:
        parts = urlsplit(iri)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or parts.hostname is None or "@" in parts.netloc:
        return None
    return parts.hostname if port in (None, _PORTS[parts.scheme]) else f"{parts.hostname}:{port}"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"
