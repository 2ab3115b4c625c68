"""SPARQL queries as trees: parsed, walked, changed and written again.

rdflib's parser reads a query; this package hands on its tree with prefixed names resolved, and writes it back as
text. A query is checked and changed as a tree and only then becomes text again, so what was checked is what
runs: comments, escapes and odd spacing do not survive.

>>> from triad.sparql.term import URIRef
>>> tree = parse("SELECT ?film { ?film <director> <Stanley_Kubrick> }")
>>> sorted(str(term) for term in terms(tree) if isinstance(term, URIRef))
['Stanley_Kubrick', 'director']
>>> print(write(substitute(tree, {URIRef("director"): URIRef("http://dbpedia.org/ontology/director")})))
PREFIX dbo: <http://dbpedia.org/ontology/>
SELECT ?film
WHERE {
  ?film dbo:director <Stanley_Kubrick> .
}
"""

from triad.sparql.reader import MAX_DEPTH, MAX_LENGTH, MAX_WORDS, OPAQUE, check_size, mask, parse, unescape
from triad.sparql.tree import FORMS, PREFIXES, Node, node, nodes, patterns, simple, substitute, terms, without
from triad.sparql.writer import write, write_pattern

__all__ = [
    "FORMS",
    "MAX_DEPTH",
    "MAX_LENGTH",
    "MAX_WORDS",
    "OPAQUE",
    "PREFIXES",
    "Node",
    "check_size",
    "mask",
    "node",
    "nodes",
    "parse",
    "patterns",
    "simple",
    "substitute",
    "terms",
    "unescape",
    "without",
    "write",
    "write_pattern",
]
