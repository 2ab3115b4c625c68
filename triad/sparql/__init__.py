"""SPARQL queries as values: read, walked, changed and written again.

A query is a `QueryGraph`, whichever way it was made: by the solver, by a follow-up, from a template, or of a text,
which is read once. It is checked and changed as a value and only then written, so what was checked is what runs:
comments, escapes and odd spacing do not survive.

>>> query = parse("SELECT ?film { ?film <director> <Stanley_Kubrick> }")
>>> sorted(map(str, nodes(query, IRI)))
['Stanley_Kubrick', 'director']
>>> print(write(substituted(query, {IRI("director"): IRI("http://dbpedia.org/ontology/director")})))
PREFIX dbo: <http://dbpedia.org/ontology/>
SELECT ?film
WHERE {
  ?film dbo:director <Stanley_Kubrick> .
}
"""

from triad.rdf import IRI
from triad.sparql.patterns import nodes, plain, rewritten, substituted, terms, triples
from triad.sparql.query_graph import QueryGraph
from triad.sparql.reader import MAX_LENGTH, OPAQUE, check_size, mask, parse, unescape
from triad.sparql.writer import PREFIXES, render, write, write_part

__all__ = [
    "IRI", "MAX_LENGTH", "OPAQUE", "PREFIXES", "QueryGraph", "check_size", "mask", "nodes", "parse", "plain", "render",
    "rewritten", "substituted", "terms", "triples", "unescape", "write", "write_part",
]  # fmt: skip
