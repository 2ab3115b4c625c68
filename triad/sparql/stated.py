"""Stated relations: facts that nodes state, so that something can be said of them: since when, according to whom.

RDF has several shapes for it: a node with `rdf:subject`, `rdf:predicate` and `rdf:object`; a node that reifies a triple
term of RDF 1.2; a claim of Wikidata, with a rank. A profile reads all of them as one: a class of facts for each stated
relation, a relation that leads from the subject to the fact, and one from the fact to the object. What else a fact has
are its qualifiers. Before a query runs, `unfolded_facts` puts in their place what the graph has. A fact may also be
written as SPARQL 1.2 does, whatever its shape.

>>> from triad.sparql import parse, write
>>> since = parse("SELECT ?year { << <Ann> <worksFor> <Acme> >> <since> ?year }")
>>> print(write(unfolded_facts(since, {"worksFor": Stated("worksFor", "statement")})))
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
SELECT ?year
WHERE {
  _:b1 rdf:subject <Ann> .
  _:b1 rdf:predicate <worksFor> .
  _:b1 rdf:object <Acme> .
  _:b1 <since> ?year .
}
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count, product
from operator import contains
from typing import Any, Final, Literal as Choice, TypeVar

from triad.rdf import IRI, RDF, RDF_TYPE
from triad.sparql import patterns
from triad.sparql.patterns import ClassPattern, EdgePattern, Part, QueryTerm, Variable, nodes, regrouped, substituted
from triad.sparql.reader import parse

Q = TypeVar("Q")

FACT: Final = "urn:triad:fact:"
"""How the IRIs begin that stand for a class of facts and for its relations, until a query is unfolded."""
_OF, _FROM, _TO = (f"{FACT}{role}:" for role in ("of", "from", "to"))
"""In front of the IRI of a stated relation: the class of its facts, the way to these, and from these to objects."""
BY: Final = "urn:triad:by:"
"""In front of the IRI of a relation to claims: the relation that they state, where the graph has none for it."""
WIKIBASE: Final = "http://wikiba.se/ontology#"

_TYPE, _REIFIES = IRI(RDF_TYPE), IRI(RDF + "reifies")
_NODE, _SUBJECT, _VALUE, _OTHER = map(Variable, ("node", "subject", "value", "other"))
_SHAPES: Final = {
    "statement": "?node rdf:subject ?subject ; rdf:predicate ?relation ; rdf:object ?value",
    "triple": "?node rdf:reifies <<( ?subject ?relation ?value )>>",
    "claim": "?subject ?claim ?node . ?node ?to_value ?value . "
    "FILTER NOT EXISTS { ?node wikibase:rank wikibase:DeprecatedRank }",
}
"""How a node states a fact."""
_BEST: Final = """
    FILTER NOT EXISTS { ?node wikibase:rank wikibase:NormalRank .
        ?subject ?claim ?other . ?other wikibase:rank wikibase:PreferredRank }
"""
"""Which of several claims about a subject are answers where none is qualified."""
_STANDS_FOR: Final = re.compile(f"{BY}|{FACT}(?:of|from|to):")


@dataclass(frozen=True, slots=True)
class Stated:
    """A relation whose facts are stated by nodes."""

    relation: str
    """IRI of the relation, with which the fact is asked for by itself."""
    shape: Choice["statement", "triple", "claim"]
    """How a node states it: by three relations, by a triple term, or as Wikidata does."""
    facts: int = 0
    """Nodes that state it."""
    asserted: bool = False
    """Whether the graph has the relation as triples, too; if so, these are asked for where no qualifier is."""
    qualifiers: Mapping[str, int] = field(default_factory=dict)
    """How many triples with each other relation its nodes have, the most frequent first."""
    claim: str = ""
    """IRI of the relation from a subject to its claim."""
    value: str = ""
    """IRI of the relation from a claim to the object."""

    @property
    def fact_class(self) -> str:
        """IRI of the class of its facts."""
        return _OF + self.relation

    @property
    def structure(self) -> tuple[str, ...]:
        """IRIs of the relations by which the graph states it."""
        return tuple(str(one.relation) for one in nodes(self.patterns(_NODE, _SUBJECT, _VALUE), EdgePattern))

    def patterns(
        self, node: QueryTerm, subject: QueryTerm, value: QueryTerm, other: Variable | None = None
    ) -> tuple[Part, ...]:
        """Return what the graph has in place of a fact; with a variable for others, of claims only the best ones."""
        shape = _parsed(_SHAPES[self.shape] + (_BEST if other and self.shape == "claim" else ""))
        own = {"relation": IRI(self.relation), "claim": IRI(self.claim), "to_value": IRI(self.value)}
        given: dict[Variable, QueryTerm] = {Variable(name): iri for name, iri in own.items()}
        given |= {_NODE: node, _SUBJECT: subject, _VALUE: value, _OTHER: other or _OTHER}
        return substituted(shape, given)


@cache
def _parsed(shape: str) -> tuple[Part, ...]:
    return parse(f"PREFIX rdf: <{RDF}> PREFIX wikibase: <{WIKIBASE}> SELECT * {{ {shape} }}").where


def said_by(iri: str) -> str:
    """Return the relation of the graph that people mean by an IRI that stands for a part of a stated relation."""
    return _STANDS_FOR.sub("", iri, count=1)


def facts_in(edges: Sequence[EdgePattern], stated: Iterable[Stated]) -> Iterator[tuple[Stated, QueryTerm, EdgePattern]]:
    """Yield the facts that patterns of a graph speak of: what tells of them, their nodes, and what they say."""
    known, ends = set(edges), dict.fromkeys(patterns.terms(tuple(edges)))
    spoken = {str(term) for term in ends}
    for one in stated:
        stating = dict.fromkeys(edge.subject for edge in edges) if spoken & {one.relation, one.claim} else {}
        for node, subject, value in product(stating, ends, ends):
            shape = one.patterns(node, subject, value)
            if known.issuperset(part for part in shape if isinstance(part, EdgePattern)):
                yield one, node, EdgePattern(subject, IRI(said_by(one.relation)), value)


def unfolded_facts(query: Q, stated: Mapping[str, Stated]) -> Q:
    """Return a query with what the graph has in place of stated relations.

    What a group of patterns says of two facts of one relation, of which one has no subject or no object and the other
    does not differ, it says of one fact; and so it does where the relation stands beside a fact with one of its ends.
    """
    if not stated or not any(_piece(one, stated) for one in nodes(query, EdgePattern, ClassPattern)):
        return query
    taken = set(patterns.terms(query))
    fresh = (name for at in count() if (name := Variable(f"fact{at or ''}")) not in taken)
    same: dict[Any, QueryTerm] = {}

    def note(parts: tuple[Any, ...]) -> tuple[Any, ...]:
        for facts in _facts(parts, stated).values():
            for node, ends in facts.items():
                others = [one for one, known in facts.items() if one not in (node, *same) and _agree(ends, known)]
                if len(others) == 1 and not all(ends) and not isinstance(node, IRI):
                    same[node] = others[0]
        return parts

    regrouped(query, note)
    made: Q = regrouped(substituted(query, same) if same else query, lambda parts: _written(parts, stated, fresh))
    return made


_Said = tuple[dict[QueryTerm, None], dict[QueryTerm, None]]  # the subjects and the objects that are said of a fact


def _agree(one: _Said, other: _Said) -> bool:
    return all(a == b or not (a and b) for a, b in zip(one, other, strict=True))


def _piece(part: Any, stated: Mapping[str, Stated]) -> tuple[str, Any, Any, Any] | None:
    """Return what a pattern says of a fact: its relation, its node, its subject and its object; None if it is of none.

    The node is None where the relation stands by itself.
    """
    found: tuple[str, Any, Any, Any]
    match part:
        case ClassPattern(_, (IRI(iri),), node) if iri.startswith(_OF):
            found = iri.removeprefix(_OF), node, None, None
        case EdgePattern(node, relation, IRI(iri)) if relation == _TYPE and iri.startswith(_OF):
            found = iri.removeprefix(_OF), node, None, None
        case EdgePattern(node, relation, patterns.TripleTerm(subject, IRI(iri), value)) if relation == _REIFIES:
            found = iri, node, subject, value
        case EdgePattern(subject, IRI(iri), node) if iri.startswith(_FROM):
            found = iri.removeprefix(_FROM), node, subject, None
        case EdgePattern(node, IRI(iri), value) if iri.startswith(_TO):
            found = iri.removeprefix(_TO), node, None, value
        case EdgePattern(subject, IRI(iri), value):
            found = iri, None, subject, value
        case _:
            return None
    return found if found[0] in stated else None


def _facts(parts: Iterable[Any], stated: Mapping[str, Stated]) -> dict[str, dict[Any, _Said]]:
    """Return, for each relation, the nodes of its facts with what is said of their ends."""
    known: dict[str, dict[Any, _Said]] = {}
    pieces = [piece for part in parts if (piece := _piece(part, stated))]
    for relation, node, *said in pieces:
        if node is not None:
            ends = known.setdefault(relation, {}).setdefault(node, ({}, {}))
            for end, term in zip(ends, said, strict=True):
                end |= {} if term is None else {term: None}
    for relation, node, subject, value in pieces:
        for subjects, objects in known.get(relation, {}).values() if node is None else ():
            if subject in subjects and not objects:
                objects[value] = None
            elif value in objects and not subjects:
                subjects[subject] = None
    return known


def _written(parts: tuple[Any, ...], stated: Mapping[str, Stated], fresh: Iterator[Variable]) -> tuple[Any, ...]:
    """Return a group of patterns with what the graph has in place of facts."""
    known, done = _facts(parts, stated), set[tuple[str, QueryTerm]]()
    found: list[Part] = []
    for part in parts:
        relation, node, *ends = _piece(part, stated) or ("", None)
        facts = known.get(relation, {})
        if node is not None and (relation, node) not in done:
            done.add((relation, node))
            for start, end in product(facts[node][0] or [next(fresh)], facts[node][1] or [next(fresh)]):
                found += stated[relation].patterns(node, start, end)
        elif not relation:
            found.append(part)
        elif node is not None or any(all(map(contains, one, ends)) for one in facts.values()):
            continue  # a fact that is written says it
        elif stated[relation].asserted:
            found.append(part)
        else:
            found += stated[relation].patterns(next(fresh), ends[0], ends[1], next(fresh))
    return tuple(dict.fromkeys(found))
