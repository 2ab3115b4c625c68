"""Names in reasoning paths: from the IRIs of a graph to its names, and from names back by index and graph.

Relations are written as words. Freebase's, whose IRIs are dotted, have a comma in place of each dot, as in the paper:
``sports , sports team , team mascot``.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from triad.kg.schema import Schema
from triad.language.normalize import fold
from triad.queries.path_text import MalformedPath, mentioned, named, parse_path, write_path
from triad.queries.paths import ReasoningPath
from triad.questions import Candidate
from triad.rdf import IRI, RDF_TYPE, writable
from triad.search.base import CLOSE, LabelIndex, Lookup
from triad.sparql.patterns import QueryTerm
from triad.sparql.query_graph import QueryGraph
from triad.sparql.writer import render

__all__ = ["PathNames", "Resolved", "unresolved"]

_DOTTED: Final = re.compile(r"\w+(?:\.\w+)+\Z")
_TYPE: Final = "type"
_KEPT: Final = 3  # things that a name which none has exactly may mean
_TRIED: Final = 20  # readings of a text that the graph is asked for
_NOT_FOUND: Final = 0.5  # what a name counts that nothing has


def unresolved(path: ReasoningPath) -> tuple[str, ...]:
    """Return the names in a path that are still to be found."""
    found = (mentioned(iri) for iri in (*path.relations(), *path.named()))
    return tuple(dict.fromkeys(words for words in found if words is not None))


class Resolved(NamedTuple):
    """A path whose names were found, as far as they were."""

    path: ReasoningPath
    score: float
    """How well the names fit, from 0 to 1."""


class PathNames:
    """Names of one graph's entities, classes and relations, for paths.

    Args:
        schema: Labels of the graph.
        index: The label index.
    """

    def __init__(self, schema: Schema, index: LabelIndex) -> None:
        self._schema = schema
        self._index = index

    # To names

    def write(self, path: ReasoningPath) -> str:
        """Return a path as text with names; what has a name that leads elsewhere is written as its IRI."""
        iris = [(iri, True) for iri in path.relations()] + [(iri, False) for iri in path.named()]
        names = {key: self.name(*key) for key in dict.fromkeys(iris)}
        found = self._find({(words, relation) for (_, relation), words in names.items()})

        def name(iri: IRI, relation: bool) -> str | None:
            words = names.get((iri, relation), "")
            return words if [one.iri for one in found.get((words, relation), ())][:1] == [iri.value] else None

        return write_path(named(path, name))

    def name(self, iri: IRI, relation: bool) -> str:
        """Return the name of a thing, or the words of a relation."""
        if relation and iri.value == RDF_TYPE:
            return _TYPE
        if relation and (dotted := _dotted(iri.value)):
            return " , ".join(part.replace("_", " ") for part in dotted.split("."))
        return self._schema.label(iri)

    # From names

    def read(self, text: str) -> list[Resolved]:
        """Return the paths that a text may mean, the best first; what is not found stays a placeholder.

        Raises:
            MalformedPath: The text is no reasoning path.
            SearchError: The index failed.
            GraphError: The graph failed.
        """
        return list(self.resolve(parse_path(text)))

    def query(self, text: str) -> QueryGraph:
        """Return the query of a text: of what its names may mean the first that has a match, else the best by names.

        Raises:
            MalformedPath: The text is no reasoning path, or a name in it is not found.
            SearchError: The index failed.
            GraphError: The graph failed.
        """
        read = self.read(text)
        found = [one.path for one in read if not unresolved(one.path)]
        if not found:
            missing = ", ".join(map(repr, unresolved(read[0].path)))
            raise MalformedPath(f"nothing in the graph is called {missing}")
        for path in found[:_TRIED]:
            query = replace(path.graph().asked(), limit=None)
            if self._schema.graph.lookup(render(query)).boolean:
                return path.graph()
        return found[0].graph()

    def resolve(self, path: ReasoningPath) -> Iterator[Resolved]:
        """Yield the paths that a path with placeholders may mean, the best first."""
        wanted = {(words, True) for iri in path.relations() if (words := mentioned(iri)) is not None}
        wanted |= {(words, False) for iri in path.named() if (words := mentioned(iri)) is not None}
        found = self._find(wanted)
        near = [iri.value for iri in path.named() if mentioned(iri) is None]
        near += [one.iri for key, options in found.items() if not key[1] for one in options]
        for (words, relation), options in found.items():
            if relation and not any(one.exact for one in options):
                options[:0] = self._by_namespace(words, near)
        keys = list(found)
        choices: list[Sequence[Candidate | None]] = [found[key] or [None] for key in keys]
        for picked in _best_first(choices):
            score = math.prod(map(_score, picked)) ** (1 / max(1, len(picked)))
            yield Resolved(_replaced(path, dict(zip(keys, picked, strict=True))), round(float(score), 4))

    def _find(self, wanted: set[tuple[str, bool]]) -> dict[tuple[str, bool], list[Candidate]]:
        """Return what names may stand for: exact names where there are any, the best of the others elsewhere."""
        keys = sorted(wanted)
        lookups = [
            Lookup(_spoken(words), ("relation",) if relation else ("entity", "class"), 10) for words, relation in keys
        ]
        found: dict[tuple[str, bool], list[Candidate]] = {}
        for (words, relation), items in zip(keys, self._index.search_many(lookups), strict=True):
            if relation and fold(words) == _TYPE:
                found[words, relation] = [Candidate(RDF_TYPE, "relation", _TYPE, score=1.0, exact=True)]
                continue
            usable = [item for item in items if writable(item.iri)]
            if relation and "," in words:
                usable = [item for item in usable if self.name(IRI(item.iri), True) == words] or usable
            exact = [item for item in usable if item.score >= CLOSE]
            found[words, relation] = exact or usable[:_KEPT]
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


def _dotted(iri: str) -> str | None:
    local = re.split(r"[/#]", iri)[-1]
    return local if _DOTTED.match(local) else None


def _spoken(words: str) -> str:
    return " ".join(words.replace(",", " ").split())


def _replaced(path: ReasoningPath, chosen: Mapping[tuple[str, bool], Candidate | None]) -> ReasoningPath:
    def found(iri: IRI, relation: bool) -> IRI:
        words = mentioned(iri)
        option = None if words is None else chosen.get((words, relation))
        return IRI(option.iri) if option else iri

    def term(one: QueryTerm) -> QueryTerm:
        return found(one, False) if isinstance(one, IRI) else one

    return path.mapped(lambda iri: found(iri, True), term)


def _score(option: Candidate | None) -> float:
    return _NOT_FOUND if option is None else option.score


def _best_first(choices: Sequence[Sequence[Candidate | None]]) -> Iterator[tuple[Candidate | None, ...]]:
    """Yield one option of each choice, the highest product of scores first, up to a bound."""

    def cost(places: tuple[int, ...]) -> float:
        return -float(math.prod(_score(choice[place]) for choice, place in zip(choices, places, strict=True)))

    start = (0,) * len(choices)
    queue, seen = [(cost(start), start)], {start}
    for _ in range(200):  # those behind fit hardly
        if not queue:
            return
        _, places = heapq.heappop(queue)
        yield tuple(choice[place] for choice, place in zip(choices, places, strict=True))
        for at, choice in enumerate(choices):
            following = (*places[:at], places[at] + 1, *places[at + 1 :])
            if following[at] < len(choice) and following not in seen:
                seen.add(following)
                heapq.heappush(queue, (cost(following), following))
