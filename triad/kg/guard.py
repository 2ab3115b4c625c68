"""The guard: what may be asked of a graph by a query that a model or a user wrote.

The guard reads a query as a tree, refuses what is not allowed, sets a LIMIT and writes the query anew. What
it gives is the only type that `KnowledgeGraph.select` and `KnowledgeGraph.ask` accept. It decides by the tree
and not by words, so a film called "Insert Data" is no threat, and a ``SERVICE`` in a sub-select of a
sub-select is one.

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

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from triad import sparql
from triad.errors import QueryRejected, QuerySyntaxError
from triad.kg.base import ROW_LIMIT, SafeQuery
from triad.sparql.term import Literal, URIRef

__all__ = ["Policy", "check"]


@dataclass(frozen=True, slots=True)
class Policy:
    """What the guard lets pass."""

    forms: tuple[str, ...] = ("SELECT", "ASK")
    """Query forms; ``CONSTRUCT`` and ``DESCRIBE`` may be added."""
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
_FUNCTIONS: Final = (
    "http://www.w3.org/2001/XMLSchema#",
    "http://www.w3.org/2005/xpath-functions",
    "http://www.opengis.net/def/function/geosparql/",
)
# Schemes by which an engine calls code of its own: Jena's Java classes, Virtuoso's and SQL's built-ins.
_CODE: Final = ("java:", "bif:", "sql:")
_PORTS: Final = {"http": 80, "https": 443}
_DIGITS: Final = 18  # of a LIMIT; Python refuses to read numbers of thousands


def check(query: str | sparql.Node, policy: Policy = Policy()) -> SafeQuery:
    """Return the query in the form in which it may run.

    Args:
        query: Text, or a tree of `triad.sparql.parse`.
        policy: What is allowed.

    Raises:
        QuerySyntaxError: It is not a SPARQL query, or too long or too deeply nested.
        QueryRejected: It is SPARQL, but not allowed.
    """
    tree = _parse(query) if isinstance(query, str) else query
    form = sparql.FORMS[tree.name]
    if form not in policy.forms:
        raise QueryRejected(f"{form} queries are not allowed here; allowed forms: {', '.join(policy.forms)}")
    for clause in tree.datasetClause or []:
        graph = clause.default or clause.named
        if str(graph) not in policy.graphs:
            raise QueryRejected(f"FROM <{graph}> is not allowed; allowed graphs: {_listed(policy.graphs)}")
    for service in sparql.nodes(tree, "Service"):
        if not isinstance(service.term, URIRef) or _host(service.term) not in policy.services:
            named = f"<{service.term}>" if isinstance(service.term, URIRef) else f"?{service.term}"
            raise QueryRejected(f"SERVICE {named} is not allowed; allowed services: {_listed(policy.services)}")
    for function in sparql.nodes(tree, "Function"):
        if not str(function.iri).startswith((*_FUNCTIONS, *policy.functions)):
            raise QueryRejected(f"the function <{function.iri}> is not allowed; standard functions are")
    for term in sparql.terms(tree):
        if isinstance(term, URIRef) and term.lower().startswith(_CODE):
            raise QueryRejected(f"the IRI <{term}> is not allowed: it calls code of the server")
    text = sparql.write(_limited(tree, policy.row_limit) if form != "ASK" else tree)
    sparql.check_size(text)  # which prefixes that are long and used often make grow
    return SafeQuery(text)


def _parse(text: str) -> sparql.Node:
    try:
        return sparql.parse(text)
    except QuerySyntaxError as error:
        if len(text) <= sparql.MAX_LENGTH and (update := _UPDATE.search(sparql.mask(sparql.unescape(text)))):
            word = update[1].upper()
            raise QueryRejected(f"{word} is not allowed: queries can only read") from error
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


def _limit(clauses: sparql.Node | None) -> int | None:
    """Return the LIMIT among the last clauses of a query, if there is one that a number can hold."""
    digits = str(clauses["limit"]) if clauses is not None and "limit" in clauses else ""
    return int(digits) if 0 < len(digits) < _DIGITS else None


def _limited(tree: sparql.Node, row_limit: int) -> sparql.Node:
    """Return the tree with a LIMIT of at most one more than the cap."""
    clauses = tree.limitoffset
    limit = _limit(clauses)
    if limit is not None and limit <= row_limit:
        return tree
    copy = sparql.Node(tree.name, **tree)
    copy["limitoffset"] = sparql.Node("LimitOffsetClauses", **(clauses or {}))
    copy["limitoffset"]["limit"] = Literal(row_limit + 1)
    return copy


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"
