"""One thing of a graph: what it is called, what it is, and what the graph says of it."""

import re
from collections.abc import Mapping
from itertools import groupby
from typing import Final

from triad.agent import Agent
from triad.deadline import Deadline
from triad.errors import QuerySyntaxError, QueryTimeout
from triad.kg.guard import check
from triad.kg.lookups import LookupTime, QuestionGraph
from triad.kg.schema import DOCUMENTATION, Direction
from triad.language.normalize import local_name
from triad.language.written import point_of
from triad.rdf import IRI, RDF_TYPE, Term, is_number
from triad.server.views import ValueView, View, named

_RELATIONS: Final = 40
_VALUES: Final = 10
_FACTS: Final = 500  # facts in each direction that are looked at
IMAGES: Final = ("depiction", "thumbnail", "image", "logo", "photo", "picture", "P18")
"""How relations to pictures are called in well-known vocabularies."""
_DEGREES: Final = ("lat", "latitude"), ("long", "lng", "lon", "longitude")
_WEB: Final = re.compile(r"https?://\S+", re.IGNORECASE)


class TypeView(View):
    """A class of a thing."""

    iri: str
    label: str


class Coordinates(View):
    """Where a thing is, in degrees."""

    latitude: float
    longitude: float


class RelationView(View):
    """What a thing has by one relation, or what has it."""

    iri: str
    label: str
    direction: Direction
    count: int
    values: list[ValueView]


class ThingView(View):
    """A thing of the graph."""

    iri: str
    label: str
    description: str
    types: list[TypeView]
    image: str | None
    """The address of a picture."""
    coordinates: Coordinates | None
    relations: list[RelationView]


def look_up(agent: Agent, deadline: Deadline, iri: str) -> ThingView | None:
    """Return what a graph has on a thing, as far as that is found in time; None if it has nothing.

    Raises:
        GraphError: The graph failed.
    """

    def found(where: str) -> list[dict[str, Term]]:
        # In a process that can be ended, as a thing may have millions of links; to sort them all would take long.
        try:
            rows = agent.graph.select(check(f"SELECT ?p ?v {{ {where} }} LIMIT {_FACTS}"), timeout=deadline.left)
        except QueryTimeout:
            return []  # what else is known is told
        return sorted((row for row in rows if isinstance(row.get("p"), IRI)), key=lambda row: str(row["p"]))

    schema = agent.schema.over(QuestionGraph(agent.graph, LookupTime(deadline.left)))
    try:
        out, into = found(f"<{iri}> ?p ?v"), found(f"?v ?p <{iri}> FILTER(isIRI(?v) && ?p != <{RDF_TYPE}>)")
    except QuerySyntaxError:  # it is no IRI, or a relative one
        return None
    if not (out or into) and not schema.graph.lookup(f"ASK {{ ?s ?p <{iri}> FILTER(isIRI(?s)) }}").boolean:
        return None
    types = schema.types(iri)
    terms = [term.value for row in [*out, *into] for term in row.values() if isinstance(term, IRI)]
    labels = schema.labels(dict.fromkeys([iri, *types, *terms]))
    facts = [(str(row["p"]), row["v"]) for row in out]
    pictures = (term.value for name in IMAGES for relation, term in facts if local_name(relation) == name)
    image = next(filter(_WEB.fullmatch, pictures), None)
    told = [row for row in out if row["v"].value != image]
    return ThingView(
        iri=iri,
        label=labels[iri],
        description=schema.descriptions([iri]).get(iri, ""),
        types=[TypeView(iri=one, label=labels[one]) for one in types],
        image=image,
        coordinates=_coordinates(facts),
        relations=[*_relations(agent, told, "out", labels), *_relations(agent, into, "in", labels)],
    )


def _relations(
    agent: Agent, found: list[dict[str, Term]], direction: Direction, labels: Mapping[str, str]
) -> list[RelationView]:
    views = []
    for relation, rows in groupby(found, key=lambda row: str(row["p"])):
        if relation == RDF_TYPE or relation.startswith(DOCUMENTATION):
            continue
        values = [row["v"] for row in rows]
        shown = [ValueView.model_validate(named(term, labels, agent.language)) for term in values[:_VALUES]]
        views.append(
            RelationView(iri=relation, label=labels[relation], direction=direction, count=len(values), values=shown)
        )
    return views[:_RELATIONS]


def _coordinates(facts: list[tuple[str, Term]]) -> Coordinates | None:
    numbers = {local_name(relation): term.value.strip() for relation, term in facts if is_number(term)}
    latitude, longitude = (next((numbers[one] for one in names if one in numbers), "") for names in _DEGREES)
    texts = [f"POINT({longitude} {latitude})", *(term.value for _, term in facts)]
    found = next(filter(None, map(point_of, texts)), None)
    return Coordinates(latitude=found[0], longitude=found[1]) if found else None
