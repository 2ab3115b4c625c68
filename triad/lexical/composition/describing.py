"""Description questions: what is, who is, tell me about, describe.

They are answered by what the graph says of the thing in a text: by a well-known property, or by one that is called a
description. A thing without a text is described by some facts, or by its classes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from triad.kg.ontology import DESCRIPTIONS
from triad.language.normalize import fold, local_name
from triad.language.pack import Pack
from triad.lexical.composition.elements import Column, Constraint, Span, Thing
from triad.lexical.composition.partial_query import PartialQuery, made
from triad.lexical.composition.schema_graph import NO_CLASS, SchemaGraph
from triad.lexical.composition.tagging import Tagging
from triad.lexical.composition.wording import Wording
from triad.rdf import IRI, RDF, Literal
from triad.sparql.patterns import Call, Comparison as Comparing, EdgePattern, Expression, Logic, Values, Variable
from triad.sparql.query_graph import QueryGraph

_FACTS: Final = 12  # relations by which a thing is described
_SEVERAL: Final = 10  # values from which on a relation is no short fact
_TYPE: Final = RDF + "type"


@dataclass(frozen=True)
class _Facts(PartialQuery):
    """What a thing has by some relations, a fact a row."""

    facts: tuple[str, ...] = ()  # IRIs of the relations

    def query(self) -> QueryGraph:
        """Return the query."""
        relation, value = Variable("v08"), Variable("v09")
        some = Values.of(relation, *map(IRI, self.facts))
        own = [part for part in super().query().where if isinstance(part, Values)]
        facts = QueryGraph.of(relation, some, *own, EdgePattern(self.root.term, relation, value))
        return facts.showing(relation, value)


def descriptions(tagging: Tagging, wording: Wording) -> Iterator[PartialQuery]:
    """Yield the queries for a question that asks for the description of a thing, its kind or its name; else none."""
    analysis, schema, sentence = wording.analysis, wording.schema, wording.sentence
    opening = sentence.form("which", 0) or 0
    match [one for one in tagging.spans if one.kind != "name"]:
        case [Span("class", start=start, iri=kind), Span("thing") as span] if start == opening > 2:
            said = frozenset((*range(opening), start, *span.positions))  # "what kind of case is it"
            if {*span.classes} - {kind} and not (analysis.content(said) or tagging.bounds or tagging.operators):
                thing = Thing(0, span.classes[0], terms=span.terms, at=span.start, said=said)
                yield PartialQuery((thing,), columns=(Column(0, _TYPE, said=said),))
    things = [span for span in tagging.spans if span.kind == "thing"]
    if len(things) != 1 or tagging.bounds:
        return
    names = (at for at, word in enumerate(analysis.words) if wording.names.asks_for_names(word.text))
    named = frozenset(at for at in names if not analysis.words[at].empty)
    asked = named or frozenset(at for start, end in sentence.all("describe") for at in range(start, end))
    bare = things == list(tagging.spans) and sum(map(len, (one.positions for one in things))) == len(analysis.words)
    bare &= not analysis.text.endswith("?")
    span = things[0]
    if not (asked or bare) or not named.isdisjoint(span.positions):
        return
    said = asked | frozenset(span.positions)
    free = set(range(len(analysis.words))) - said
    beside = free if not named else ()  # in, by, about
    relates = [sentence.compare("during", at) or sentence.form("agent", at) for at in beside]
    relates += [end for at in beside for end, _ in sentence.pack.ways.at(sentence.stems, at)]
    if analysis.content(said) or any(relates) or said == asked:
        return  # who is in a band is not who it is, nor is what a film is about
    cls = span.classes[0] if span.classes else NO_CLASS
    thing = Thing(0, cls, terms=span.terms, at=span.start, said=said)
    if named:
        if label := schema.name_of(cls):
            yield PartialQuery((thing,), columns=(Column(0, label, said=said),))
        return
    relations = describing_relations(schema, wording.pack, cls)
    for rank, relation in enumerate(relations):
        columns = (Column(0, relation, said=said),)
        strained = rank / len(relations)
        if schema.relations[relation].languages:
            spoken = Constraint(0, relation, choices=(partial(_in_language, analysis.language),), said=said)
            yield PartialQuery((thing,), (spoken,), columns=columns, notes={"strained": strained})
            strained += 0.5 / len(relations)
        yield PartialQuery((thing,), columns=columns, notes={"strained": strained})
    columns = (Column(0, _TYPE, said=said),)
    known = [one.relation for one in profile.outgoing] if (profile := schema.classes.get(cls)) else []
    told = [one for one in known if one in schema.relations.keys() - schema.names - set(DESCRIPTIONS)]
    told = [one for one in told if not wording.values_of(NO_CLASS, one)]
    facts = [one for one in told if 0 < schema.relations[one].most_per_subject <= _SEVERAL][:_FACTS]
    if facts and all(sentence.form("copula", at) is None for at in asked):
        yield made(_Facts, PartialQuery((thing,), columns=columns), facts=tuple(facts))
    else:
        yield PartialQuery((thing,), columns=columns, notes={"strained": 1.0})


def describing_relations(schema: SchemaGraph, pack: Pack, cls: str) -> list[str]:
    """Return the relations that hold texts about the things of a class: the well-known ones first."""
    known = [iri for iri in DESCRIPTIONS if iri in schema.relations]
    called = pack.names_of("descriptions")
    texts = (one for iri, one in schema.relations.items() if iri not in known and schema.value_kind(iri) == "text")
    names = ((one.iri, (local_name(one.iri), *(label.value for label in one.labels))) for one in texts)
    own = [iri for iri, said in names if not called.isdisjoint(map(fold, said))]
    return [iri for iri in (*known, *own) if iri not in schema.names and schema.has(cls, iri)]


def _in_language(language: str, value: Variable) -> Expression:
    """Return the condition that a text is in a language, or in none."""
    tag = Call("LANG", (value,))
    return Logic((Call("LANGMATCHES", (tag, Literal(language))), Comparing(tag, "=", Literal(""))), "||")
