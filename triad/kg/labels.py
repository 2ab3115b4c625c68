"""The label properties of a graph: given ones, well-known ones, or ones of the graph's own.

Indexing, search and display read labels in the same way. By default they are the well-known properties and, for
entities without any of these, a ``name`` or ``title`` of the graph's own: a property whose IRI ends in such a word, and
that most entities of a class have. Such properties are found in a sample, either while triples are indexed or by two
bounded queries, and the result of indexing is kept with the index. A property that is called as the class is such a
name, too, but of instances of that class only: the course of a Course, as tables have it that are named by their main
column, or the customerDetails of a Customer.

>>> found = own_properties([SampledEntity(("http://x.org/Airport",), False, {"http://x.org/airportName": "Schiphol"})])
>>> Labels(own=found).all[-1]
'http://x.org/airportName'
"""

import re
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from triad.admission import questions
from triad.errors import ConfigError, GraphError
from triad.kg.base import KnowledgeGraph
from triad.log import logger
from triad.rdf import BUILT_IN, IRI, RDF_TYPE, XSD, Literal, ResultSet, writable
from triad.resources import queries, read
from triad.strict import load_yaml

VOCABULARY: Final = load_yaml(read(Path(__file__).with_name("vocabulary.yaml")), "vocabulary.yaml")
"""Well-known properties and units, by what they say."""
WELL_KNOWN: Final = tuple[str, ...](VOCABULARY["labels"])
"""Properties that hold labels in many graphs, the preferred one first."""
ALIASES: Final = tuple[str, ...](VOCABULARY["aliases"])
"""Properties that hold other names."""
PREFIXES: Final[Mapping[str, list[str]]] = VOCABULARY["prefixes"]
"""Namespaces by the prefixes that label properties may be named with."""

NAMES: Final = ("label", "name", "title")
"""What other properties that hold names are called, or how they end."""

_ENDING: Final = re.compile(rf"({'|'.join(NAMES)})$", re.IGNORECASE)
_DETAILS: Final = re.compile(r"(?<=\w)[_-]?details?$")
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_TELLING: Final = 0.8  # least share of different values of a property that is called otherwise: shortName of an airport
_SHORT: Final = 100  # characters of a name by a property that is called as the class
_TYPED: Final = 50_000
"""Statements of an entity's class that are read to find classes: to read all would take minutes on some servers."""
_CLASSES: Final = 30  # classes whose instances are looked at
_INSTANCES: Final = 30  # instances of each that are looked at
_written: Final = queries(
    __file__, typed=_TYPED, classes=_CLASSES, instances=_INSTANCES, names=_CLASSES * _INSTANCES * 10, type=RDF_TYPE
)


@dataclass(frozen=True, slots=True)
class Labels:
    """The properties that hold the labels of a graph."""

    named: tuple[str, ...] = WELL_KNOWN
    """Those that are preferred, the best first."""
    own: tuple[str, ...] = ()
    """The properties that hold the labels of entities without any of the preferred ones."""

    @property
    def all(self) -> tuple[str, ...]:
        """All of them, the best first."""
        return (*self.named, *self.own)

    def as_json(self) -> dict[str, list[str]]:
        """Return the properties in the form that `from_json` reads."""
        return {"named": list(self.named), "own": list(self.own)}

    @classmethod
    def from_json(cls, data: Any) -> Self | None:
        """Read the output of `as_json`; None for anything else."""
        try:
            return cls(tuple(map(str, data["named"])), tuple(map(str, data["own"])))
        except (KeyError, TypeError):
            return None


def expanded(names: Iterable[str]) -> tuple[str, ...]:
    """Return label properties as IRIs.

    >>> expanded(["rdfs:label", "http://example.org/called"])
    ('http://www.w3.org/2000/01/rdf-schema#label', 'http://example.org/called')

    Raises:
        ConfigError: One is neither an IRI nor begins with a known prefix.
    """
    found: list[str] = []
    for name in names:
        prefix, colon, local = name.strip("<>").partition(":")
        if prefix in PREFIXES and colon:
            found += [namespace + local for namespace in PREFIXES[prefix]]
        elif colon and (prefix == "urn" or local.startswith("//")) and writable(name.strip("<>")):
            found.append(name.strip("<>"))
        else:
            raise ConfigError(
                f"the label property {name!r} is neither an IRI nor a name with a known prefix; "
                f"known: {', '.join(PREFIXES)}, as in rdfs:label"
            )
    return tuple(dict.fromkeys(found))


def may_be_label(iri: str) -> bool:
    """Return whether a property is called a name, a title or a label."""
    return bool(_ENDING.search(iri))


def called_after(iri: str, classes: Iterable[str]) -> bool:
    """Return whether a property is called as one of some classes.

    >>> called_after("http://x.org/course", ["http://x.org/Course"])
    True
    """
    own = last_part(iri)
    return any(last_part(class_) == own for class_ in classes)


def last_part(iri: str) -> str:
    """Return what stands behind the last separator of an IRI, in small letters: customer, of customerDetails, too."""
    return _DETAILS.sub("", re.split(r"[/#:]", iri)[-1].casefold())


@dataclass(frozen=True, slots=True)
class SampledEntity:
    """The names and classes of one entity of a sample."""

    classes: tuple[str, ...] = ()
    labelled: bool = False
    """Whether it has a label by one of the preferred properties."""
    names: Mapping[str, str] = field(default_factory=dict)
    """A text of each of its other properties that may hold a label."""
    iri: str = ""

    @property
    def has_name(self) -> bool:
        """Whether its IRI ends in several words, as names do (``lena_vogt``), and has no digit in them."""
        end = re.split(r"[/#:]", self.iri)[-1]
        return len(_WORD.findall(end)) > 1 and not re.search(r"\d", end)


def own_properties(entities: Iterable[SampledEntity]) -> tuple[str, ...]:
    """Return the properties that hold the labels of entities without any other label, the best first.

    For each class, that is at most one: of those that most of its unlabelled instances have, and that tell them
    apart, the one called just ``name``, else the one called after the class, else the one that tells apart best. Where
    most IRIs have names in them, titles are none: ``jobTitle``.
    """
    unlabelled: Counter[str] = Counter()
    named: Counter[str] = Counter()
    texts: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for entity in entities:
        if entity.labelled:
            continue
        for class_ in entity.classes or ("",):
            unlabelled[class_] += 1
            named[class_] += entity.has_name
            for iri, text in entity.names.items():
                if may_be_label(iri) or (len(text) <= _SHORT and called_after(iri, [class_])):
                    texts[class_][iri].append(text)
    best: dict[str, str] = {}
    for class_, found in texts.items():
        most = [iri for iri, values in found.items() if 2 * len(values) > unlabelled[class_]]
        strange = [iri for iri in most if _strangeness(iri, class_)[0] == 2]
        if 2 * named[class_] > unlabelled[class_]:
            most = [iri for iri in most if iri not in strange or _words(iri)[-1] != NAMES[-1]]
        least = dict.fromkeys(most, 0.5) | dict.fromkeys(strange, _TELLING)
        if telling := [iri for iri in most if len(set(found[iri])) > least[iri] * len(found[iri])]:
            best[class_] = min(telling, key=lambda iri: (*_strangeness(iri, class_), -len(set(found[iri])), iri))
    largest = sorted(best, key=lambda class_: (-unlabelled[class_], class_))
    order = list(dict.fromkeys(best[class_] for class_ in largest))
    for _ in order:  # what is the best of a class comes before what its instances have besides, as far as that can be
        for class_, iri in sorted(best.items()):
            others = [order.index(other) for other in texts[class_] if other in order and other != iri]
            if others and min(others) < (at := order.index(iri)):
                order.insert(min(others), order.pop(at))
    return tuple(order)


def _strangeness(iri: str, class_: str) -> tuple[int, int]:
    """Return how little a property is called like the name of a class: 0 for ``name``, 1 for ``airportName``."""
    words = _words(iri)
    own = set(words[:-1]) <= set(_words(class_)) and words[-1:] not in (["detail"], ["details"])
    return (0 if len(words) <= 1 else 1 if own else 2), len(words)


def _words(iri: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(re.split(r"[/#:]", iri)[-1])]


class LabelFinder:
    """The label properties of a graph, found when they are first asked for."""

    def __init__(self, graph: KnowledgeGraph, known: Labels | None = None) -> None:
        self._graph = graph
        self._known = known
        self._lock = threading.Lock()

    @property
    def known(self) -> Labels:
        """The properties as far as they are known without asking the graph."""
        return self._known or Labels()

    @property
    def is_done(self) -> bool:
        """True if the graph does not have to be asked any more."""
        return self._known is not None

    def learn(self, names: Sequence[str]) -> None:
        """Take what indexing found, the preferred ones first, unless the properties are known already."""
        with self._lock:
            if self._known is None and names:
                named = WELL_KNOWN if tuple(names[: len(WELL_KNOWN)]) == WELL_KNOWN else tuple(names)
                self._known = Labels(named, tuple(names[len(named) :]))

    @property
    def labels(self) -> Labels:
        """The properties."""
        with questions.waiting(), self._lock:
            if self._known is None:
                self._known = Labels(own=self._own())
            return self._known

    def _own(self) -> tuple[str, ...]:
        try:
            found = find_own(self._graph.lookup)
        except GraphError as error:
            logger.debug("label properties of {!r} cannot be looked for: {}", self._graph.name, error)
            return ()
        if found:
            logger.debug("labels of {!r} are looked up in {}, too", self._graph.name, ", ".join(found))
        return found


def find_own(lookup: Callable[[str], ResultSet]) -> tuple[str, ...]:
    """Return the label properties of a graph's own, from a sample of instances of some of its classes.

    There are two queries, and both are bounded.

    Raises:
        GraphError: A query failed.
    """
    of_vocabulary = " && ".join(f'!STRSTARTS(STR(?class), "{space}")' for space in BUILT_IN)
    found = lookup(_written("classes", others=of_vocabulary)).column("class")
    classes = [term.value for term in found if isinstance(term, IRI) and writable(term.value)]
    parts = [_written("instances", **{"class": class_}) for class_ in sorted(classes)]
    if not parts:
        return ()
    known = ", ".join(f"<{iri}>" for iri in WELL_KNOWN)
    called = "|".join(sorted({name for class_ in classes if (name := last_part(class_)).isidentifier()}))
    endings = f"{_ENDING.pattern}|[/#:]({called})([_-]?details?)?$" if called else _ENDING.pattern
    rows = lookup(_written("names", things=" UNION ".join(parts), known=known, endings=endings))
    classes_of: defaultdict[str, dict[str, None]] = defaultdict(dict)
    texts: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for row in rows:
        thing = str(row["thing"])
        classes_of[thing][str(row["class"])] = None
        if isinstance(text := row.get("text"), Literal) and (text.language or text.datatype == XSD + "string"):
            texts[thing][str(row["property"])] = text.value
    return own_properties(
        SampledEntity(
            tuple(classes),
            any(iri in texts[thing] for iri in WELL_KNOWN),
            {iri: text for iri, text in texts[thing].items() if iri not in ALIASES and writable(iri)},
            thing,
        )
        for thing, classes in classes_of.items()
    )
