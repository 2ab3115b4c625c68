"""Names in reasoning paths: from the IRIs of a graph to its names, and from names back by index and graph.

Relations are written as words. Freebase's, whose IRIs are dotted, have a comma in place of each dot, as in the paper:
``sports , sports team , team mascot``.
"""

import heapq
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple, Protocol, TypeVar

from triad.kg.schema import Schema
from triad.language.normalize import fold
from triad.queries.path_text import MalformedPath, mentioned, named, parse_path, write_path
from triad.queries.paths import ReasoningPath
from triad.questions import Candidate
from triad.rdf import IRI, RDF_TYPE, writable
from triad.search.base import CLOSE, LabelIndex, Lookup
from triad.sparql import QueryGraph, render

_DOTTED: Final = re.compile(r"\w+(?:\.\w+)+\Z")
_TYPE: Final = "type"
_KEPT: Final = 3  # things that a name which none has exactly may mean
_TRIED: Final = 20  # readings of a text that the graph is asked for
_COMBINED: Final = 200  # readings of a text; those behind fit hardly
_NOT_FOUND: Final = 0.5  # what a name counts that nothing has

_Name = tuple[str, bool]  # the words of a name, and whether it is that of a relation


class Resolved(NamedTuple):
    """A path whose names were found, as far as they were."""

    path: ReasoningPath
    score: float
    """How well the names fit, from 0 to 1."""


def unresolved(path: ReasoningPath) -> tuple[str, ...]:
    """Return the names in a path that are still to be found."""
    return tuple(dict.fromkeys(words for words, _ in _names(path)))


def _names(path: ReasoningPath) -> list[_Name]:
    iris = [(iri, True) for iri in path.relations()] + [(iri, False) for iri in path.named()]
    return [(words, relation) for iri, relation in iris if (words := mentioned(iri)) is not None]


class PathNames:
    """Names of one graph's entities, classes and relations, for paths."""

    def __init__(self, schema: Schema, index: LabelIndex) -> None:
        self._schema = schema
        self._index = index

    def write(self, path: ReasoningPath) -> str:
        """Return a path as text with names; what has a name that leads elsewhere is written as its IRI."""
        found = self._find(_names(named(path, self.name)))

        def name(iri: IRI, relation: bool) -> str | None:
            words = self.name(iri, relation)
            return words if [one.iri for one in found.get((words, relation), ())][:1] == [iri.value] else None

        return write_path(named(path, name))

    def name(self, iri: IRI, relation: bool) -> str:
        """Return the name of a thing, or the words of a relation."""
        if relation and iri.value == RDF_TYPE:
            return _TYPE
        if relation and _DOTTED.match(local := re.split(r"[/#]", iri.value)[-1]):
            return " , ".join(part.replace("_", " ") for part in local.split("."))
        return self._schema.label(iri)

    def query(self, text: str) -> QueryGraph:
        """Return the query of a text: of what its names may mean the first that has a match, else the best by names.

        Raises:
            MalformedPath: The text is no reasoning path, or a name in it is not found.
            SearchError: The index failed.
            GraphError: The graph failed.
        """
        read = list(self.resolve(parse_path(text)))
        if not (found := [one.path.graph() for one in read if not unresolved(one.path)]):
            missing = ", ".join(map(repr, unresolved(read[0].path)))
            raise MalformedPath(f"nothing in the graph is called {missing}")
        for graph in found[:_TRIED]:
            if self._schema.graph.lookup(render(replace(graph.asked(), limit=None))).boolean:
                return graph
        return found[0]

    def resolve(self, path: ReasoningPath) -> Iterator[Resolved]:
        """Yield the paths that a path with placeholders may mean, the best first; what is not found stays one."""
        found = self._find(_names(path))
        near = [iri.value for iri in path.named() if mentioned(iri) is None]
        near += [one.iri for (_, relation), options in found.items() if not relation for one in options]
        for (words, relation), options in found.items():
            if relation and not any(one.exact for one in options):
                options[:0] = self._by_namespace(words, near)
        nothing = Candidate("", "entity", "", score=_NOT_FOUND)
        for picked in islice(best_first([options or [nothing] for options in found.values()]), _COMBINED):
            chosen = {key: IRI(one.iri) for key, one in zip(found, picked, strict=True) if one is not nothing}
            score = math.prod(one.score for one in picked) ** (1 / max(1, len(picked)))
            yield Resolved(
                path.mapped(lambda iri, relation, chosen=chosen: chosen.get((mentioned(iri), relation), iri)),  # type: ignore[misc]
                round(score, 4),
            )

    def _find(self, wanted: Sequence[_Name]) -> dict[_Name, list[Candidate]]:
        """Return what names may stand for: exact names where there are any, the best of the others elsewhere."""
        keys = sorted(set(wanted))
        said = ((" ".join(words.replace(",", " ").split()), relation) for words, relation in keys)
        lookups = [Lookup(words, ("relation",) if relation else ("entity", "class"), 10) for words, relation in said]
        found: dict[_Name, list[Candidate]] = {}
        for (words, relation), items in zip(keys, self._index.search_many(lookups), strict=True):
            if relation and fold(words) == _TYPE:
                found[words, relation] = [Candidate(RDF_TYPE, "relation", _TYPE, score=1.0, exact=True)]
                continue
            usable = [item for item in items if writable(item.iri)]
            if relation and "," in words:
                usable = [item for item in usable if self.name(IRI(item.iri), True) == words] or usable
            found[words, relation] = [item for item in usable if item.score >= CLOSE] or usable[:_KEPT]
        return found

    def _by_namespace(self, words: str, near: Sequence[str]) -> list[Candidate]:
        """Return the relation with a dotted name, in the namespace of what else is named, if the graph has it."""
        if "," not in words:
            return []
        local = ".".join("_".join(part.split()) for part in words.split(","))
        for namespace in dict.fromkeys(re.split(r"[^/#]*\Z", iri)[0] for iri in near):
            iri = namespace + local
            if writable(iri) and self._schema.graph.lookup(f"SELECT ?s {{ ?s <{iri}> ?o }} LIMIT 1").rows:
                return [Candidate(iri, "relation", words, score=1.0, exact=True)]
        return []


class _Scored(Protocol):
    @property
    def score(self) -> float: ...


S = TypeVar("S", bound=_Scored)


def best_first(choices: Sequence[Sequence[S]]) -> Iterator[tuple[S, ...]]:
    """Yield one option of each choice, all combinations, the highest product of scores first."""

    def cost(places: tuple[int, ...]) -> float:
        return -math.prod(choice[place].score for choice, place in zip(choices, places, strict=True))

    start = (0,) * len(choices)
    queue, seen = [(cost(start), start)], {start}
    while queue:
        _, places = heapq.heappop(queue)
        yield tuple(choice[place] for choice, place in zip(choices, places, strict=True))
        for at, choice in enumerate(choices):
            following = (*places[:at], places[at] + 1, *places[at + 1 :])
            if following[at] < len(choice) and following not in seen:
                seen.add(following)
                heapq.heappush(queue, (cost(following), following))
