"""What a program needs to write queries: the schema of a graph, shapes of classes, and why a query finds nothing.

It is told in lines, which cost a language model little to read, and in names with the graph's prefixes.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from triad.agent import Agent
from triad.deadline import Deadline
from triad.handwritten import begun, prefixes_of
from triad.kg.guard import check
from triad.kg.lookups import LookupTime, QuestionGraph
from triad.language.glossary import whole_iri
from triad.phases.diagnosis import diagnose_query
from triad.rdf import BUILT_IN, IRI, Term, compact
from triad.server.views import View
from triad.text import one_line, shortened

_LINES: Final = 300  # classes and relations
_FACTS: Final = 100  # of one instance


class Told(View):
    """What is told of a graph, a thing a line."""

    lines: list[str]


def schema_of(agent: Agent, _: Deadline) -> Told:
    """Tell the prefixes, classes and relations of a graph, those with most instances and triples."""
    prefixes, profile = prefixes_of(agent), agent.profile
    lines = [f"prefix {prefix}: <{space}>" for prefix, space in prefixes.items()]
    if profile is None:
        for found in agent.describe(questions=0).classes:
            lines.append(f"class {compact(found.iri, prefixes)} ({found.label}): {found.instances} instances")
        return Told(lines=lines)
    for one in [one for one in profile.classes if one.instances and not one.iri.startswith(BUILT_IN)][:_LINES]:
        above = f", below {_listed(one.superclasses, prefixes)}" if one.superclasses else ""
        lines.append(f"class {_named(agent, one.iri, prefixes)}: {one.instances} instances{above}")
    for relation in profile.relations[:_LINES]:
        ends = (f"{_listed([end.subject], prefixes)} → {_listed([end.object], prefixes)}" for end in relation.ends[:3])
        told = "; ".join(ends)
        lines.append(f"relation {_named(agent, relation.iri, prefixes)}: {relation.triples} triples, {told}")
    return Told(lines=lines)


def shape_of(agent: Agent, deadline: Deadline, class_: str, samples: int) -> Told:
    """Tell what the instances of a class have, and what leads to them (^), with some of the instances."""
    prefixes = prefixes_of(agent)
    iri = whole_iri(class_, prefixes, "class")
    schema = agent.schema.over(QuestionGraph(agent.graph, LookupTime(deadline.left)))
    notes = agent.profile.notes if agent.profile else {}
    lines = [_named(agent, iri, prefixes)]
    for hop in sorted(schema.class_card(iri), key=lambda hop: (hop.direction == "in", -hop.coverage)):
        way = "^" if hop.direction == "in" else ""
        ends = f", to {_listed(hop.classes, prefixes)}" if hop.classes else ""
        values = notes[hop.relation].values if hop.relation in notes else ()
        such = f"one of {', '.join(values)}" if values else f"such as {_value(hop.sample, prefixes)}"
        lines.append(f"{way}{_named(agent, hop.relation, prefixes)}: {hop.coverage:.0%} have it{ends}, {such}")
    pattern = schema.instance_pattern("?x", iri)
    found = agent.graph.select(check(f"SELECT DISTINCT ?x {{ {pattern} FILTER(isIRI(?x)) }} LIMIT {samples or 1}"))
    for thing in found.column("x")[:samples]:
        held = agent.graph.select(check(f"SELECT ?p ?v {{ {thing.n3()} ?p ?v }} LIMIT {_FACTS}"), timeout=deadline.left)
        facts = (f"{compact(str(row['p']), prefixes)} {_value(row['v'], prefixes)}" for row in held)
        lines.append(f"{compact(str(thing), prefixes)} {'; '.join(facts)}")
    return Told(lines=lines)


def diagnosis_of(agent: Agent, deadline: Deadline, query: str) -> Told:
    """Tell what a query finds; where that is nothing, which parts find nothing, and what there is without each."""
    context, safe, tree = begun(agent, query)
    result = context.execute(safe, ask=tree.ask, timeout=deadline.left)
    if rows := len(result) or int(result.boolean or 0):
        return Told(lines=[f"It finds something: {rows} rows."])
    return Told(lines=["It finds nothing.", *diagnose_query(context, tree, prefixes_of(agent))])


def _named(agent: Agent, iri: str, prefixes: Mapping[str, str]) -> str:
    return f"{compact(iri, prefixes)} ({agent.schema.label(IRI(iri))})"


def _listed(iris: Iterable[str], prefixes: Mapping[str, str]) -> str:
    return ", ".join(compact(iri, prefixes) if iri else "anything" for iri in iris)


def _value(term: Term, prefixes: Mapping[str, str]) -> str:
    return compact(term.value, prefixes) if isinstance(term, IRI) else shortened(one_line(term.n3()))
