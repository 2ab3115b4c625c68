"""A label index without a build: names are looked up in the graph itself, by keyword SPARQL.

It suits graphs on another party's server, which cannot be indexed. One query finds the resources whose names equal the
text or contain its words, another one reads their kinds, labels and classes. Most servers have a full-text index with a
syntax of its own, the server's dialect; "plain" needs none, and is slow on large graphs. Names with typos are not
found.

The dialects of Virtuoso and Fuseki are tested on these servers. Those of Blazegraph, GraphDB and QLever are written
after their documentation and tested against replies in its form.
"""

import re
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from triad.admission import questions
from triad.errors import ConfigError, GraphError, SearchError
from triad.kg.base import KnowledgeGraph
from triad.kg.dialects import DIALECTS, Dialect
from triad.kg.labels import ALIASES, LabelFinder, Labels
from triad.language.normalize import local_name, other_numbers
from triad.log import logger
from triad.naming import among
from triad.questions import Candidate
from triad.rdf import BUILT_IN, DECLARED_KINDS, IRI, RDF, RDF_TYPE, RDFS, Literal, Term, count_of, writable
from triad.resources import queries
from triad.search.base import Entry, LabelIndex, Lookup
from triad.search.rank import rank

_DESCRIPTION = RDFS + "comment"

_POOL = 100  # names that each part of a query may find, at least
_SHORTLIST = 20  # the least number of resources whose kinds and classes are read
_written: Final = queries(__file__, shortlist=_SHORTLIST, rdf=RDF, rdfs=RDFS)

_WORD = re.compile(r"[^\W_]+")

AUTO: Final = "auto"
"""The option for the graph's own dialect, if its full-text index is in use."""


class EndpointIndex(LabelIndex):
    """Looks names up in a knowledge graph by SPARQL; there is nothing to build."""

    def __init__(
        self,
        graph: KnowledgeGraph,
        dialect: str = AUTO,
        *,
        label_properties: Sequence[str] | None = None,
        languages: Sequence[str] = ("en",),
        finder: LabelFinder | None = None,
    ) -> None:
        """Use a graph as an index of its own names.

        Args:
            graph: The graph; it stays open when the index is closed.
            dialect: The dialect of the graph's full-text search, one of `triad.kg.dialects`; ``auto`` detects it on
                first use.
            label_properties: IRIs of the properties whose values are names, the preferred one first; by default
                those of the finder, and alternative labels.
            languages: Languages of the names, the preferred one first; names without language count too.
            finder: Which properties hold labels; by default the well-known ones.

        Raises:
            ConfigError: There is no such dialect.
        """
        if dialect not in (AUTO, *DIALECTS):
            known = among((AUTO, *DIALECTS), dialect)
            raise ConfigError(f"there is no dialect {dialect!r} of keyword SPARQL; known are {known}")
        self.name = "endpoint" if dialect == AUTO else f"endpoint:{dialect}"
        self._graph = graph
        self._full_text = DIALECTS.get(dialect)
        self._lock = threading.Lock()
        self._named = tuple(label_properties or ())
        self._finder = finder or LabelFinder(graph, Labels())
        self._languages = (*languages, "")
        self._spoken = ", ".join(Literal(language).n3() for language in self._languages)

    @property
    def _properties(self) -> tuple[str, ...]:
        return self._named or (*self._finder.labels.all, *ALIASES)

    def add(self, entries: Iterable[Entry]) -> int:
        """Refuse: the names are those of the graph."""
        raise SearchError(f"the index {self.name!r} takes no entries: it looks names up in {self._graph.name!r}")

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates, the best first."""
        try:
            found = self._find(lookups)
            entries = self._describe(sorted({iri for iris in found for iri in iris}))
        except GraphError as error:
            raise SearchError(f"the lookup in {self._graph.name!r} failed: {error}") from error
        pairs = zip(lookups, found, strict=True)
        items = ((one, [entries[iri] for iri in iris]) for one, iris in pairs)
        own = ((one, [each for each in of if not one.kinds or each.kind in one.kinds]) for one, of in items)
        return [rank(lookup.text, among, lookup.limit) for lookup, among in own]

    def _find(self, lookups: Sequence[Lookup]) -> list[list[str]]:
        """Return for each lookup the IRIs of resources with a name that may fit."""
        parts = [
            _written("part", at=at, pattern=pattern, limit=limit)
            for at, lookup in enumerate(lookups)
            for limit in [max(_POOL, lookup.limit)]
            # Virtuoso stops reading at a NUL, which no name has.
            for pattern in self._patterns(lookup.text.replace("\0", "").strip(), limit, lookup.exact)
        ]
        names: list[defaultdict[str, list[str]]] = [defaultdict(list) for _ in lookups]
        if parts:
            for row in self._graph.lookup(f"SELECT ?at ?iri ?label WHERE {{ {' UNION '.join(parts)} }}"):
                iri, at = str(row["iri"]), count_of(row["at"])
                if at < len(names) and writable(iri):
                    names[at][iri].append(str(row["label"]))
        found = []
        for lookup, of_lookup in zip(lookups, names, strict=True):
            entries = (Entry(iri, "entity", label, tuple(others)) for iri, (label, *others) in of_lookup.items())
            found.append([best.iri for best in rank(lookup.text, entries, max(_SHORTLIST, lookup.limit))])
        return found

    def _patterns(self, text: str, limit: int, exact: bool) -> Iterable[str]:
        """Return patterns that bind ``?iri`` and ``?label``: one for equal names, one for shared words if wanted."""
        if not text:
            return
        forms = dict.fromkeys(
            form
            for name in (text, text.replace("_", " "), *sorted(other_numbers(text.replace("_", " ").lower())))
            for form in (name, name.lower(), name[:1].upper() + name[1:], name.title())
        )
        labels = " ".join(
            Literal(form, language=language or None).n3() for form in forms for language in self._languages
        )
        yield f"VALUES ?label {{ {labels} }} {_one_of(self._properties)} ?iri ?property ?label ."
        if not exact and (words := _WORD.findall(text.lower())):
            yield f"{self._search_syntax()(words, self._properties, limit)} FILTER(LANG(?label) IN ({self._spoken}))"

    def _search_syntax(self) -> Dialect:
        with questions.waiting(), self._lock:
            if self._full_text is None:
                dialect = self._graph.dialect
                if dialect != "plain" and not self._knows_names(DIALECTS[dialect]):
                    logger.warning(
                        "the full-text search of {!r} ({}) does not find the names that are there; without an index, "
                        "lookups are slow",
                        self._graph.name,
                        dialect,
                    )
                    dialect = "plain"
                self._full_text = DIALECTS[dialect]
            return self._full_text

    def _knows_names(self, full_text: Dialect) -> bool:
        """Return whether a full-text search finds a name that the graph has; servers may lack the index."""
        names = " UNION ".join(_written("names", property=IRI(name).n3()) for name in self._properties)
        for label in self._graph.lookup(f"SELECT ?label WHERE {{ {names} }}").column("label"):
            if (words := _WORD.findall(str(label).lower())) and str(label).isascii():
                try:
                    found = self._graph.lookup(
                        f"SELECT ?label WHERE {{ {full_text(words, self._properties, _POOL)} }} LIMIT 1"
                    )
                except GraphError:
                    return False
                return len(found) > 0
        return True

    def _describe(self, iris: Sequence[str]) -> dict[str, Entry]:
        """Return the kinds, labels and classes of resources."""
        if not iris:
            return {}
        things = f"VALUES ?iri {{ {' '.join(IRI(iri).n3() for iri in iris)} }}"
        # A resource that is used as a relation or a class is one, whether or not it is declared.
        properties, type_ = _one_of((*self._properties, _DESCRIPTION)), _one_of((RDF_TYPE,))
        query = _written("described", things=things, properties=properties, spoken=self._spoken, type=type_)
        facts: dict[str, defaultdict[str, list[Term]]] = {iri: defaultdict(list) for iri in iris}
        for row in self._graph.lookup(query):
            if (iri := str(row["iri"])) in facts:
                facts[iri][str(row["property"])].append(row["value"])
        return {iri: self._entry(iri, of_iri) for iri, of_iri in facts.items()}

    def _entry(self, iri: str, facts: Mapping[str, Sequence[Term]]) -> Entry:
        names = [name for property_ in self._properties for name in self._preferred(facts.get(property_, ()))]
        label, *aliases = dict.fromkeys(names or [local_name(iri)])
        types = sorted({str(type_) for type_ in facts.get(RDF_TYPE, ())})
        kinds = {DECLARED_KINDS[type_] for type_ in types if type_ in DECLARED_KINDS}
        return Entry(
            iri=iri,
            kind="relation" if "relation" in kinds else "class" if "class" in kinds else "entity",
            label=label,
            aliases=tuple(aliases),
            description=next(iter(self._preferred(facts.get(_DESCRIPTION, ()))), ""),
            types=tuple(type_ for type_ in types if not type_.startswith(BUILT_IN)),
        )

    def _preferred(self, texts: Sequence[Term]) -> list[str]:
        """Return texts in the order of their languages."""
        literals = [text for text in texts if isinstance(text, Literal) and (text.language or "") in self._languages]
        literals.sort(key=lambda text: (self._languages.index(text.language or ""), text.value))
        return [text.value for text in literals]


def _one_of(properties: Sequence[str]) -> str:
    return f"VALUES ?property {{ {' '.join(IRI(name).n3() for name in properties)} }}"
