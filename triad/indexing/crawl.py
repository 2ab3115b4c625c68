"""The names of a graph behind an endpoint, asked for politely.

Resources are visited in the order of their IRIs, a page at a time, by the properties that hold names; the facts about
the resources of a page are asked for in small batches. Each page starts after the last resource of the one before, so
that a visit that was interrupted goes on where it was. Resources that have no name are not found.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from typing import Any, Final

import pyoxigraph
from pyoxigraph import NamedNode, Quad

from triad.deadline import Pace
from triad.errors import DataError, GraphError, QueryTimeout
from triad.indexing.entries import LabelProperties
from triad.indexing.recipe import Endpoint
from triad.kg.base import KnowledgeGraph
from triad.kg.endpoint import EndpointGraph
from triad.kg.labels import find_own
from triad.log import logger
from triad.rdf import IRI, Literal, ResultSet, Term, count_of
from triad.resources import queries

_BATCH: Final = 100  # resources that a query is about; servers limit the length of queries, and the rows of results
_PREDICATES: Final = 5_000  # relations among which one that holds names is looked for, if none of the known ones does
_written: Final = queries(__file__, predicates=_PREDICATES)


def open_endpoint(endpoint: Endpoint) -> EndpointGraph:
    """Open an endpoint as its recipe says."""
    headers = {"User-Agent": endpoint.user_agent} if endpoint.user_agent else None
    return EndpointGraph(endpoint.address, headers=headers, timeout=endpoint.timeout, retries=5)


def requests_for(endpoint: Endpoint) -> int:
    """Return how many requests a full page takes."""
    return 1 + math.ceil(endpoint.page / _BATCH) * (3 if endpoint.degrees else 1)


@dataclass
class Page:
    """The facts about the resources of a page."""

    quads: list[Quad] = field(default_factory=list)
    """Names, descriptions and types."""
    degrees: Counter[str] = field(default_factory=Counter)
    """In how many triples each resource is."""
    uses: Counter[str] = field(default_factory=Counter)
    """How many triples of these resources have each relation."""


@dataclass(eq=False)
class Crawl:
    """A crawl of an endpoint, page by page, which goes on where a cursor says; `cursor` holds its position."""

    _graph: KnowledgeGraph
    _endpoint: Endpoint
    _properties: LabelProperties
    start: InitVar[Mapping[str, Any] | None] = None
    pace: InitVar[Pace | None] = None

    def __post_init__(self, start: Mapping[str, Any] | None, pace: Pace | None) -> None:
        self._pace = pace or Pace(self._endpoint.rate)
        begin: Mapping[str, Any] = {"names": None, "at": 0, "after": "", "things": 0}
        self.cursor: dict[str, Any] = {**begin, "degrees": self._endpoint.degrees, **(start or {})}

    def __iter__(self) -> Iterator[Page]:
        """Visit the resources that were not visited yet.

        Raises:
            GraphError: The endpoint failed.
            DataError: It has no names.
        """
        cursor = self.cursor
        if cursor["names"] is None:
            names = [*self._properties.labels, *self._properties.aliases]
            if "labels" not in self._properties.model_fields_set:
                with suppress(GraphError):
                    names += find_own(self._ask)
            cursor["names"] = list(dict.fromkeys(names))
        while True:
            while cursor["at"] < len(cursor["names"]):
                if not (things := self._things(cursor["names"][: cursor["at"] + 1], cursor["after"])):
                    cursor.update(at=cursor["at"] + 1, after="")
                    continue
                if things[-1] == cursor["after"]:
                    raise GraphError(
                        f"{self._graph.name!r} gives the same page again; it does not order by STR(?thing)"
                    )
                page = self._page(things)
                cursor.update(after=things[-1], things=cursor["things"] + len(things))
                yield page
            if cursor["things"] or not (other := self._other_names(cursor["names"])):
                break
            cursor["names"] += other
        if not cursor["things"]:
            raise DataError(
                f"{self._graph.name!r} has no names: nothing there has one of the properties "
                f"{', '.join(map(repr, cursor['names']))}; a recipe can name others under 'names'"
            )

    def _things(self, names: Sequence[str], after: str) -> list[str]:
        """Return the resources of the next page: they have the last of some properties, and none of those before."""
        *earlier, name = (IRI(name).n3() for name in names)
        others = " ".join(f"FILTER NOT EXISTS {{ ?thing {other} ?other }}" for other in earlier)
        start = f"FILTER(STR(?thing) > {Literal(after).n3()})" if after else ""
        result = self._ask(_written("things", name=name, start=start, others=others, page=self._endpoint.page))
        return [str(thing) for thing in result.column("thing")]

    def _other_names(self, known: Sequence[str]) -> list[str]:
        """Return relations that hold names, recognised by their local names."""
        try:
            found = self._ask(_written("names"))
        except QueryTimeout:
            return []
        names = map(str, found.column("name"))
        return sorted(name for name in names if name not in known and self._properties.are_names_by(name))

    def _page(self, things: Sequence[str]) -> Page:
        page, of = Page(), self._properties
        asked = [*self.cursor["names"], *of.descriptions, *of.types, *of.redirects, *of.shared_names]
        properties = " ".join(IRI(name).n3() for name in asked)
        usable = [IRI(thing).n3() for thing in things if _node(thing)]
        for at in range(0, len(usable), _BATCH):
            some = " ".join(usable[at : at + _BATCH])
            facts = self._ask(_written("facts", things=some, properties=properties))
            page.quads += filter(None, (_quad(row["thing"], row["property"], row["value"]) for row in facts))
            if self.cursor["degrees"]:
                self._count(page, some, asked)
        return page

    def _count(self, page: Page, things: str, asked: Sequence[str]) -> None:
        try:
            outgoing = self._ask(_written("outgoing", things=things))
            incoming = self._ask(_written("incoming", things=things))
        except QueryTimeout as error:
            logger.warning("{}; from here on, no degrees are asked for, and nothing is popular", error)
            self.cursor["degrees"] = False
            return
        for row in outgoing:
            count = count_of(row["count"])
            page.degrees[str(row["thing"])] += count
            if str(row["property"]) not in asked:  # other properties are counted where the facts are read
                page.uses[str(row["property"])] += count
        for row in incoming:
            page.degrees[str(row["thing"])] += count_of(row["count"])

    def _ask(self, query: str) -> ResultSet:
        self._pace.wait()
        return self._graph.lookup(query)


def _quad(subject: Term | None, predicate: Term | None, value: Term | None) -> Quad | None:
    thing, property_ = _node(str(subject)), _node(str(predicate))
    if thing is None or property_ is None:
        return None
    if isinstance(value, IRI):
        node = _node(value.value)
        return Quad(thing, property_, node) if node else None
    if isinstance(value, Literal):
        try:
            return Quad(thing, property_, pyoxigraph.Literal(value.value, language=value.language))
        except ValueError:  # no language tag
            return Quad(thing, property_, pyoxigraph.Literal(value.value))
    return None


def _node(iri: str) -> NamedNode | None:
    """Return an IRI as a term; None if it is malformed, for it could end the IRI within a query."""
    try:
        return NamedNode(iri)
    except ValueError:
        return None
