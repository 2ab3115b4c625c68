"""The question that a query answers, as a person would ask it.

`triad.language.asking` has words for what a thing has and what has a value, how many these or the instances of a class
are, and which has most of a measure. A thing may be named by what leads to it: the director of Titanic, the longest
river. For other queries there is no question.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from triad.kg.profile import GraphProfile
from triad.kg.schema import Schema
from triad.language.asking import Asking, Kind
from triad.language.normalize import fold, local_name
from triad.language.pack import load_pack
from triad.language.written import PLACE
from triad.queries.in_words import Told
from triad.rdf import IRI, XSD, Literal, Term, kind_of, writable
from triad.sparql.patterns import Bind, Comparison, EdgePattern, NegatedPart, OptionalPart, Union, nodes
from triad.sparql.query_graph import QueryGraph

_LONGEST: Final = 80  # characters of a text that is an answer
_BESIDES: Final = (Bind, NegatedPart, OptionalPart, Union)
_NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


class Questions:
    """Words the questions of queries over a graph, in a language."""

    def __init__(self, schema: Schema, profile: GraphProfile | None, language: str) -> None:
        self._schema, self._profile = schema, profile
        self.asking, self._pack = Asking(language), load_pack(language)

    def of(self, tree: QueryGraph, values: Sequence[Term], names: Mapping[str, str] = _NO_NAMES) -> str | None:
        """Return the question that a query answers with some values; None if there are no words for it.

        Args:
            tree: The query.
            values: What it found.
            names: What things are called, by IRI, where their labels do not tell them apart.
        """
        rows = tree.counted_rows or tree
        counts, columns = rows is not tree, rows.columns or rows.variables
        others = any(True for kind in _BESIDES for _ in nodes(tree, kind))
        if tree.ask or others or len(columns) != 1 or not values:
            return None
        told, column = Told(tree, self._schema.labels, self._pack), columns[0]
        bounds = any(isinstance(one.right, Literal) for one in nodes(tree, Comparison))
        measured = [one for one in told.left if one.object in told.measures]
        left = [one for one in told.left if one not in measured]
        classes = [*dict.fromkeys(told.classes.values())]
        cls = self._schema.label(IRI(classes[0])) if classes else ""
        highest = [falls for falls, _ in told.keys] == [True]
        of_one = highest and len(classes) == 1 and len({one.relation for one in measured}) == 1
        if bounds or tree.groups or ((told.keys or measured) and (counts or not of_one)):
            return None

        def called(term: object) -> str | None:
            if isinstance(term, IRI):
                return self._name(term.value, names)
            if any(term == one.subject for one in measured):
                return self.asking.most(cls, told.relation(measured[0]), named=True)
            edge = taken(lambda one: one.object == term)
            known = self._profile.relation_profile(str(edge.relation)) if edge and self._profile else None
            thing = called(edge.subject) if edge and (len(values) == 1 or known is None or known.functional) else None
            return self.asking.named(told.relation(edge), thing) if edge and thing else None

        def taken(fits: Any) -> EdgePattern | None:
            found = next(filter(fits, left), None)
            left.remove(found) if found else None
            return found

        text = None
        if any(column == one.subject for one in measured):
            text = self.asking.most(cls, told.relation(measured[0]))
        elif counts and not left and classes:
            text = self.asking.count(cls)
        elif not counts and (edge := taken(lambda one: one.object == column)):
            text = self._of_value(told.relation(edge), called(edge.subject), edge.subject, values)
        elif edge := taken(lambda one: one.subject == column and isinstance(one.object, IRI | Literal)):
            text = self._having(edge, told.relation(edge), classes, names, count=counts)
        return None if left else text

    def _of_value(self, relation: str, name: str | None, thing: object, values: Sequence[Term]) -> str | None:
        classes = [cls] if isinstance(values[0], IRI) and (cls := self.class_of(values[0].value)) else []
        kind = self._kind(values[0], classes)
        if name is None or kind is None or all(fold(str(value)) in fold(name) for value in values):
            return None
        owner = self._names_of(self.class_of(thing.value)) if isinstance(thing, IRI) else []
        in_place = self.asking.kind(owner) == kind == "places" and fold(relation) in map(fold, self._names_of(*classes))
        return self.asking.value(relation, name, kind, several=len(values) > 1, in_place=in_place)

    def _having(
        self, edge: EdgePattern, relation: str, classes: Sequence[str], names: Mapping[str, str], *, count: bool
    ) -> str | None:
        known = self._profile.relation_profile(str(edge.relation)) if self._profile else None
        kinds = {*classes[:1]} or {end.subject for end in (known.ends if known else ())}
        cls, value = next(iter(kinds)) if len(kinds) == 1 else "", edge.object
        name = self._name(value.value, names) if isinstance(value, IRI) else self.asking.thing(str(value))
        alike = isinstance(value, IRI) and cls in self._schema.types(value.value)
        label = self._schema.label(IRI(cls)) if cls else "thing"  # of several classes, or of none
        return self.asking.having(label, relation, name, alike=alike, count=count) if name and kinds else None

    def _name(self, iri: str, names: Mapping[str, str]) -> str | None:
        return self.asking.thing(names.get(iri) or self._schema.label(IRI(iri)), self._names_of(self.class_of(iri)))

    def _names_of(self, *classes: str | None) -> list[str]:
        """Return the names of classes and of those right above them."""
        every = [name for iri in classes if iri for name in (iri, *self._schema.superclasses(iri))]
        return [*self._schema.labels(every).values()]

    def class_of(self, iri: str) -> str | None:
        """Return the class of a thing that says most."""
        types = [one for one in self._schema.types(iri) if writable(one)]
        above = {one for name in types for one in self._schema.superclasses(name)}
        lowest = [one for one in types if one not in above] or types
        found = {one: self._profile.class_profile(one) if self._profile else None for one in lowest}
        return min(lowest, key=lambda one: (profile.instances if (profile := found[one]) else 0, one), default=None)

    def _kind(self, value: Term, classes: Sequence[str]) -> Kind | None:
        """Return what kind of thing a value is, of some classes; None where nobody would ask for it."""
        if isinstance(value, IRI):
            known = classes or (writable(value.value) and self._schema.label(value) != local_name(value.value))
            return self.asking.kind(self._names_of(*classes)) if known else None
        if not isinstance(value, Literal) or value.datatype in (f"{XSD}boolean", PLACE) or "://" in value.value:
            return None
        kinds: dict[str, Kind] = {"number": "numbers", "date": "dates", "text": "texts"}
        return kinds[kind_of(value)] if len(value.value) <= _LONGEST else None
