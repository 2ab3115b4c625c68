"""Definitions: words that stand for a condition on the things of a class, or for a value that is worked out.

A definition is a view of the graph: in a query its word is a class or a relation like any other, with an IRI that the
graph does not have, and before the query runs the patterns that define it take the place of this one.

>>> from triad import sparql
>>> it, number = Variable("it"), Variable("population")
>>> large = (EdgePattern(it, IRI("ex:population"), number), *sparql.parse("ASK { FILTER(?population > 9) }").where)
>>> city = Defined("large city", "City with population > 9", "ex:City", ("ex:City",), large)
>>> query = sparql.parse(f"SELECT ?x {{ ?x a <{city.iri}> }}")
>>> print(sparql.write(unfolded(query, {city.iri: city}), {}))
SELECT ?x
WHERE {
  ?x a <ex:City> .
  ?x <ex:population> ?population .
  FILTER (?population > 9)
}
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain, count
from typing import Annotated, Any, Final, Literal as Choice, TypeVar

from pydantic import Discriminator, Tag

from triad.rdf import IRI, RDF_TYPE, Literal
from triad.sparql import patterns
from triad.sparql.patterns import Bind, ClassPattern, EdgePattern, Filter, Part, QueryTerm, Variable, nodes, rewritten
from triad.sparql.query_graph import QueryGraph
from triad.strict import UNSAID, Strict

IT: Final = Variable("it")
"""Stands for the thing that a definition is about."""

_NAMESPACE: Final = "urn:triad:defined:"

Q = TypeVar("Q")


class Definition(Strict):
    """What a word stands for that the graph has no term for: a condition or a value."""

    of: str = ""
    """The class whose things are meant: by its name, its IRI or a word that is defined itself."""
    where: str = ""
    """The condition that they meet: an expression over the names of their relations, such as ``population > 150000``;
    a pattern of SPARQL about ``?it`` with names in angle brackets; or a SELECT query for them."""
    formula: str = ""
    """A value of theirs, worked out from others by an expression over names, such as ``loss / premium``. A way over
    several relations is written ``<loss payment>/<amount>``, with ``^`` before one that is gone backwards."""
    starts: str = ""
    """The month and the day on which a year begins that is no calendar year, such as ``10-01``. The value is the number
    of the year in which it ends; ``formula`` names the date where things have several."""
    description: str = ""
    """What it means, in words, in place of condition or formula."""
    unit: str = ""
    """The unit of a formula's values."""
    owner: str = ""
    """Who is asked about it."""


_KINDS: Final = {str: "text", list: "names", tuple: "names", dict: UNSAID, Definition: UNSAID}
_EXPECTED: Final = (
    "one or more IRIs are expected, a condition, a formula, or a mapping with 'of' and 'where', 'formula' or 'starts'"
)

Meaning = Annotated[
    Annotated[str, Tag("text")] | Annotated[tuple[str, ...], Tag("names")] | Annotated[Definition, Tag(UNSAID)],
    Discriminator(lambda it: _KINDS.get(type(it)), custom_error_type="meaning", custom_error_message=_EXPECTED),
]
"""What a word stands for: IRIs, a definition, or a text that is one by itself."""


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition in the terms of a graph."""

    word: str
    """The word or phrase."""
    meaning: str
    """What it stands for, in words."""
    cls: str
    """IRI of the class whose things are meant; of a formula that names none, the one whose things have all it needs."""
    kinds: tuple[str, ...]
    """The class, and those below it that its things may be of."""
    parts: tuple[Part, ...]
    """What holds of ``IT``."""
    value: patterns.Value | None = None
    """The value of a formula; None for a condition."""
    owner: str = ""
    """Who is asked about it."""
    unit: str = ""
    """The unit of the value."""

    @property
    def iri(self) -> str:
        """The class or the relation that stands for it in a query until it is unfolded."""
        return iri_of(self.word)

    @property
    def kind(self) -> Choice["class", "relation"]:
        """What it is in a query."""
        return "class" if self.value is None else "relation"

    def patterns(self, thing: QueryTerm, value: QueryTerm | None, taken: set[str]) -> tuple[Part, ...]:
        """Return what holds of a thing, with a formula's value; its variables get names that are not taken."""
        parts: tuple[Part, ...] = self.parts
        if self.value is not None and value is not None:
            made = value if isinstance(value, Variable) else Variable("value")
            parts = (*parts, Bind(self.value, made))
            if isinstance(value, IRI | Literal):
                parts = (*parts, Filter(patterns.Comparison(made, "=", value)))
        names: dict[Any, QueryTerm] = {IT: thing}
        if isinstance(thing, IRI) and next(nodes(parts, QueryGraph), None):  # no term stands where a query has a column
            parts, names = (patterns.Values.of(IT, thing), *parts), {}
        for term in nodes(parts, Variable):
            if term not in names and term != value:
                numbered = chain([term.name], (f"{term.name}{at}" for at in count(2)))
                names[term] = Variable(next(name for name in numbered if name not in taken))
                taken.add(names[term].name)  # type: ignore[union-attr]  # a variable
        return patterns.substituted(parts, names)


def iri_of(word: str) -> str:
    """Return the IRI of a class or a relation that stands for a defined word."""
    return _NAMESPACE + "_".join(word.split())


def is_defined(iri: str) -> bool:
    """Return whether an IRI stands for a defined word."""
    return iri.startswith(_NAMESPACE)


def unfolded(query: Q, known: Mapping[str, Defined]) -> Q:
    """Return a query, or parts of one, with what defines them in place of defined classes and relations."""
    if not known:
        return query
    taken = {term.name for term in nodes(query, Variable)}
    uses = Counter(term for one in nodes(query, EdgePattern, ClassPattern) for term in patterns.terms(one))

    def inner(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        return rewritten(parts, change)

    def change(part: Any) -> Any:
        match part:
            case ClassPattern(_, (IRI(iri),), thing) if iri in known:
                return inner(known[iri].patterns(thing, None, taken))
            case EdgePattern(thing, IRI(relation), IRI(iri)) if relation == RDF_TYPE and iri in known:
                one = known[iri]
                kind = ClassPattern.of(thing, one.kinds, lambda: Variable(f"kind{len(taken)}"))
                return (*kind.plain(), *inner(one.patterns(thing, None, taken)))
            case EdgePattern(thing, IRI(iri), value) if iri in known:
                parts = inner(known[iri].patterns(thing, value, taken))
                if isinstance(value, Variable) and uses[value] > 1:  # BIND takes no variable that others bind
                    return QueryGraph(tuple(one for one in (thing, value) if isinstance(one, Variable)), parts)
                return parts
        return part

    return rewritten(query, change)


def used(query: Any, known: Mapping[str, Defined]) -> tuple[Defined, ...]:
    """Return the definitions that a query uses, and those that they build on."""
    found: dict[str, Defined] = {}
    waiting = [query]
    while waiting and known:
        for term in nodes(waiting.pop(), IRI):
            if term.value in known and term.value not in found:
                one = found[term.value] = known[term.value]
                waiting.append((*one.parts, one.value) if one.value is not None else one.parts)
    return tuple(found.values())
