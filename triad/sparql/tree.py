"""Trees of queries: walked and changed.

A tree is made of nodes, lists and terms. A node has a name, such as ``TriplesBlock``, and parts by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from triad.rdf import DCTERMS, FOAF, OWL, RDF, RDFS, SCHEMA, SKOS, XSD
from triad.sparql.term import Identifier

__all__ = ["FORMS", "PREFIXES", "Node", "node", "nodes", "patterns", "simple", "substitute", "terms", "without"]


class Node(dict[str, Any]):
    """A node of the tree: it has a ``name``, and its parts are dictionary items and attributes.

    A part that it does not have is None as an attribute.
    """

    __slots__ = ("name",)
    name: str

    def __init__(self, name: str, **parts: Any) -> None:
        super().__init__(parts)
        self.name = name

    def __getattr__(self, part: str) -> Any:
        if part.startswith("__"):  # which Python looks for
            raise AttributeError(part)
        return self.get(part)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.name, dict(self))

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={part!r}' for name, part in self.items())})"


def _made(name: str, parts: dict[str, Any]) -> Node:
    return Node(name, **parts)


FORMS: Final = {
    "SelectQuery": "SELECT",
    "AskQuery": "ASK",
    "ConstructQuery": "CONSTRUCT",
    "DescribeQuery": "DESCRIBE",
}
"""The query forms by the name of the root node."""

PREFIXES: Final[Mapping[str, str]] = {
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
    "dbr": "http://dbpedia.org/resource/",
    "dcterms": DCTERMS,
    "foaf": FOAF,
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "owl": OWL,
    "rdf": RDF,
    "rdfs": RDFS,
    "schema": SCHEMA,
    "skos": SKOS,
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "xsd": XSD,
    "yago": "http://yago-knowledge.org/resource/",
}
"""Prefixes that queries are written with, and that a query may use without declaring them."""


def node(value: Any) -> Node:
    """Return the value, which must be a node of a tree."""
    if not isinstance(value, Node):
        raise TypeError(f"not a node: {value!r}")
    return value


def nodes(tree: Any, *names: str) -> Iterator[Node]:
    """Yield the nodes of a tree, parents first; only those of the given names, if any are given."""
    for part in _parts(tree):
        if isinstance(part, Node) and (not names or part.name in names):
            yield part


def terms(tree: Any) -> Iterator[Identifier]:
    """Yield the terms of a tree in the order of the text: IRIs, literals, variables, blank nodes."""
    for part in _parts(tree):
        if isinstance(part, Identifier):
            yield part


def _parts(tree: Any) -> Iterator[Any]:
    """Yield a tree and all its parts, parents first."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, Node):
            waiting.extend(reversed(part.values()))
        elif isinstance(part, list):
            waiting.extend(reversed(part))


def patterns(tree: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the triple patterns of a tree; a predicate is a term, or a node where it is a longer path."""
    for block in nodes(tree, "TriplesBlock"):
        for flat in block.triples or []:
            for at in range(0, len(flat), 3):
                subject, predicate, value = flat[at : at + 3]
                yield subject, simple(predicate), value


def simple(path: Any) -> Any:
    """Return the term of a property path that has only one, else the path."""
    while isinstance(path, Node) and not path.mod and path.name in ("PathAlternative", "PathSequence", "PathElt"):
        part = path.part
        if isinstance(part, list):
            if len(part) != 1:
                return path
            part = part[0]
        path = part
    return path


def substitute(tree: Any, replacement: Mapping[Any, Any] | Callable[[Any], Any]) -> Any:
    """Return a copy of a tree with terms replaced: by a mapping, or by a function of a term."""
    replace = replacement if callable(replacement) else lambda term: replacement.get(term, term)
    if isinstance(tree, Node):
        copy = Node(tree.name)
        for name, part in tree.items():
            copy[name] = substitute(part, replace)
        return copy
    if isinstance(tree, list):
        return [substitute(part, replace) for part in tree]
    if isinstance(tree, Identifier):
        return replace(tree)
    return tree


def without(tree: Any, dropped: Any) -> Any:
    """Return a copy of a tree without one of its nodes, which is told by identity and stands in a list or is a part."""
    if isinstance(tree, Node):
        copy = Node(tree.name)
        for name, part in tree.items():
            if part is not dropped:
                copy[name] = without(part, dropped)
        return copy
    if isinstance(tree, list):
        return [without(part, dropped) for part in tree if part is not dropped]
    return tree
