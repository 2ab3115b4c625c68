"""What a program needs in order to write queries of its own.

That is the schema of a graph, what the instances of a class have, some of them, and why a query finds nothing. IRIs are
names with the graph's prefixes, where they can be.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import Field

from triad import sparql
from triad.agent import Agent
from triad.deadline import Deadline
from triad.kg.guard import check
from triad.kg.lookups import LookupTime, QuestionGraph
from triad.kg.schema import Schema
from triad.language.glossary import whole_iri
from triad.phases.diagnosis import diagnose_query
from triad.questions import Question
from triad.rdf import BUILT_IN, IRI, RDF_TYPE, Literal, Term, compact
from triad.server.problems import Problem
from triad.server.views import View

_CLASSES: Final = 100
_RELATIONS: Final = 200
_VALUES: Final = 5  # values of a relation of one instance
_TEXT: Final = 100  # characters of a value


class ClassLine(View):
    """A class."""

    iri: str
    label: str
    instances: int
    above: list[str] = Field(description="The classes right above it.")


class RelationLine(View):
    """A relation."""

    iri: str
    label: str
    triples: int
    subjects: list[str] = Field(description="Classes of its subjects, the most frequent first.")
    objects: list[str] = Field(description="Classes of its objects, or datatypes.")


class SchemaView(View):
    """The classes and relations of a graph."""

    prefixes: dict[str, str]
    classes: list[ClassLine]
    relations: list[RelationLine] = Field(description="Empty where the graph has no profile: shape tells them.")
    left_out: int = Field(description="How many others there are.")


class PropertyView(View):
    """What instances of a class have."""

    path: str = Field(description="A relation; with ^ in front it leads to the instances.")
    label: str
    share: float = Field(description="The share of the instances that have it.")
    classes: list[str] = Field(description="Classes at its other end.")
    sample: str
    values: list[str] = Field(description="The values that the ontology allows, where it lists them.")
    description: str


class ShapeView(View):
    """The shape of a class, as its instances have it."""

    iri: str
    label: str
    properties: list[PropertyView]


class SampleView(View):
    """An instance of a class."""

    iri: str
    label: str
    values: dict[str, list[str]]


class SamplesView(View):
    """Some instances of a class."""

    samples: list[SampleView]


class DiagnosisView(View):
    """What a query finds, or which of its parts finds nothing."""

    rows: int
    findings: list[str]


def prefixes_of(agent: Agent) -> dict[str, str]:
    """Return the prefixes that queries over a graph need not declare."""
    return {**sparql.PREFIXES, **agent.graph.prefixes, **(agent.profile.prefixes if agent.profile else {})}


def declared(agent: Agent, query: str) -> str:
    """Return a query with the graph's prefixes declared; those that it declares itself come later and hold."""
    return " ".join(f"PREFIX {prefix}: <{space}>" for prefix, space in prefixes_of(agent).items()) + " " + query


def schema_of(agent: Agent, _: Deadline) -> SchemaView:
    """Return the classes and relations of a graph, those with most instances and triples."""
    prefixes, profile = prefixes_of(agent), agent.profile

    def short(*iris: str) -> list[str]:
        return [compact(iri, prefixes) for iri in iris if iri]

    described = agent.describe(questions=0).classes if profile is None else ()
    classes = [one for one in profile.classes if one.instances and not one.iri.startswith(BUILT_IN)] if profile else []
    relations = profile.relations if profile else ()
    names = agent.schema.labels(
        [*(one.iri for one in classes[:_CLASSES]), *(one.iri for one in relations[:_RELATIONS])]
    )
    lines = [
        *((one.iri, one.label, one.instances, ()) for one in described),
        *((one.iri, names[one.iri], one.instances, one.superclasses) for one in classes[:_CLASSES]),
    ]
    return SchemaView(
        prefixes=prefixes,
        classes=[
            ClassLine(iri=short(iri)[0], label=label, instances=count, above=short(*above))
            for iri, label, count, above in lines
        ],
        relations=[
            RelationLine(
                iri=short(one.iri)[0],
                label=names[one.iri],
                triples=one.triples,
                subjects=short(*dict.fromkeys(end.subject for end in one.ends)),
                objects=short(*dict.fromkeys(end.object for end in one.ends)),
            )
            for one in relations[:_RELATIONS]
        ],
        left_out=max(0, len(classes) - _CLASSES) + max(0, len(relations) - _RELATIONS),
    )


def shape_of(agent: Agent, deadline: Deadline, class_: str) -> ShapeView:
    """Return what the instances of a class have, and what leads to them, with what the ontology says of it."""
    prefixes, schema = prefixes_of(agent), _within(agent, deadline)
    iri = _class(class_, prefixes)
    hops = [hop for hop in schema.class_card(iri) if hop.relation != RDF_TYPE]
    if not hops:
        raise Problem("not-found", "That class has no instances that have anything.")
    texts = schema.descriptions(hop.relation for hop in hops)
    notes = agent.profile.notes if agent.profile else {}
    return ShapeView(
        iri=compact(iri, prefixes),
        label=schema.label(IRI(iri)),
        properties=[
            PropertyView(
                path=("^" if hop.direction == "in" else "") + compact(hop.relation, prefixes),
                label=hop.label,
                share=round(hop.coverage, 3),
                classes=[compact(one, prefixes) for one in hop.classes],
                sample=_short(hop.sample, prefixes),
                values=list(notes[hop.relation].values) if hop.relation in notes else [],
                description=texts.get(hop.relation, ""),
            )
            for hop in sorted(hops, key=lambda hop: (hop.direction == "in", -hop.coverage))
        ],
    )


def samples_of(agent: Agent, deadline: Deadline, class_: str, count: int) -> SamplesView:
    """Return some instances of a class with what they have."""
    prefixes, schema = prefixes_of(agent), _within(agent, deadline)
    pattern = schema.instance_pattern("?x", _class(class_, prefixes))
    things = agent.graph.select(
        check(f"SELECT DISTINCT ?x {{ {pattern} FILTER(isIRI(?x)) }} LIMIT {count}"), timeout=deadline.left
    )
    samples = []
    for thing in things.column("x"):
        values: dict[str, list[str]] = {}
        rows = agent.graph.select(check(f"SELECT ?p ?v {{ {thing.n3()} ?p ?v }} LIMIT 200"), timeout=deadline.left)
        for row in rows:
            held = values.setdefault(compact(str(row["p"]), prefixes), [])
            if len(held) < _VALUES:
                held.append(_short(row["v"], prefixes))
        samples.append(SampleView(iri=compact(str(thing), prefixes), label=schema.label(thing), values=values))
    return SamplesView(samples=samples)


def diagnosis_of(agent: Agent, deadline: Deadline, query: str) -> DiagnosisView:
    """Tell what a query finds; where that is nothing, which parts find nothing, and what there is without each."""
    prefixes = prefixes_of(agent)
    safe = check(declared(agent, query))
    assert safe.graph is not None
    if safe.graph.ask:
        rows = int(agent.graph.ask(safe, timeout=deadline.left))
    else:
        rows = len(agent.graph.select(safe, timeout=deadline.left))
    if rows:
        return DiagnosisView(rows=rows, findings=[])
    context = agent.begin(Question(query, agent.language))
    return DiagnosisView(rows=0, findings=[*diagnose_query(context, safe.graph, prefixes)])


def _within(agent: Agent, deadline: Deadline) -> Schema:
    return agent.schema.over(QuestionGraph(agent.graph, LookupTime(deadline.left)))


def _class(name: str, prefixes: Mapping[str, str]) -> str:
    return whole_iri(name.removeprefix("<").removesuffix(">"), prefixes, "a class")


def _short(term: Term, prefixes: Mapping[str, str]) -> str:
    if isinstance(term, IRI):
        return compact(term.value, prefixes)
    text = term.value if len(term.value) <= _TEXT else term.value[:_TEXT] + "…"
    if not isinstance(term, Literal):
        return "[]"
    return (
        text if term.language or term.datatype.endswith("#string") else f"{text} ({compact(term.datatype, prefixes)})"
    )
