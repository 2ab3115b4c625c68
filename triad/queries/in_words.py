"""A query in words: what it asks for, for people to choose among several.

What is asked for is told by the relations that lead to it from what is named, then what the query does besides.

>>> from triad import sparql
>>> from triad.language.pack import load_pack
>>> tree = sparql.parse("SELECT ?x { <Momo> <author> ?y . ?y <birth_place> ?x }")
>>> in_words(tree, lambda iris: {iri: iri.replace("_", " ") for iri in iris}, load_pack("en"))
'birth place of author of Momo'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from triad import sparql
from triad.language import lexical_database
from triad.language.definitions import Defined
from triad.language.normalize import fold
from triad.language.pack import Pack, load_pack
from triad.queries.naming import Labels, steps_of
from triad.rdf import IRI, RDF_TYPE, Literal
from triad.sparql.patterns import (
    Aggregate,
    Bind,
    ClassPattern,
    Comparison,
    Computed,
    EdgePattern,
    NegatedPart,
    QueryTerm,
    Values,
    Variable,
    nodes,
    terms,
)
from triad.sparql.query_graph import QueryGraph

SIGNS: Final = {">=": "≥", "<=": "≤", "!=": "≠"}
"""Signs of comparisons that people write otherwise."""
FUNCTIONS: Final = {
    "AVG": "used_average",
    "SUM": "used_sum",
    "COUNT": "used_number",
    "MAX": "used_greatest",
    "MIN": "used_least",
}
"""The replies that say in words what aggregates do."""


def in_words(tree: QueryGraph, labels: Labels, pack: Pack) -> str:
    """Return in words what a query asks for; nothing if it names nothing that can be told."""
    return _Told(tree, labels, pack).whole()


def step(label: str, thing: str, pack: Pack, *, forward: bool) -> str:
    """Return what a relation leads to from something, or against it, in words.

    >>> step("author", "Momo", load_pack("en"), forward=True), step("wrote", "Momo", load_pack("en"), forward=False)
    ('author of Momo', 'wrote: Momo')
    """
    if not thing:
        return label
    if _is_noun(label, pack):
        return pack.replies["reading" if forward else "reading_back"].format(relation=label, thing=thing)
    return f"{thing}: {label}" if forward else f"{label}: {thing}"


class QueryNames:
    """What the values of a query are called: by the relation that leads to them, or by their class.

    Args:
        tree: The query.
        labels: Returns the labels of IRIs.
        pack: The words of the language.
        defined: What users define, by IRI.
        others: Further IRIs whose labels are wanted.
    """

    def __init__(
        self,
        tree: QueryGraph,
        labels: Labels,
        pack: Pack,
        defined: Mapping[str, Defined] | None = None,
        others: Iterable[str] = (),
    ) -> None:
        self.graph, self.pack, self.replies = tree, pack, pack.replies
        known = defined or {}
        edges = nodes(tree, EdgePattern)
        self.edges = [(one.relation.value, one) for one in edges if isinstance(one.relation, IRI)]
        self.classes = {at: known[iri].cls if iri in known else iri for at, iri in _classes(tree)}
        self.computed = {one.variable: one.expression for one in nodes(tree, Computed)}
        self.computed |= {one.variable: one.expression for one in nodes(tree, Bind)}
        self.meanings = {iri: one.meaning for iri, one in known.items()}
        iris = sorted({iri for iri, _ in self.edges}.union(self.classes.values(), others))
        self.labels = {**labels(iris), **self.meanings}

    def say(self, reply: str, value: Any) -> str:
        """Return what a query does with a value, in words."""
        return self.replies[reply].format(what=self.name(value)).strip(": ")

    def name(self, value: Any) -> str:
        """Return what the values of an expression are called."""
        if isinstance(value, Variable) and value in self.computed:
            return self.name(self.computed[value])
        if isinstance(value, Aggregate):
            inner = self.name(value.of)
            return self.replies["used_number"].format(what=inner).strip(": ") if value.function == "COUNT" else inner
        for term in terms(value) if value is not None else ():
            found = (relation for relation, edge in self.edges if edge.object == term and isinstance(term, Variable))
            if iri := self.classes.get(term) or next(found, ""):
                return self.labels[iri]
        return ""

    def bounds(self) -> Iterator[str]:
        """Yield the comparisons with numbers, dates and texts."""
        for test in nodes(self.graph, Comparison):
            if isinstance(test.right, Literal) and (name := self.name(test.left)):
                yield f"{name} {SIGNS.get(test.sign, test.sign)} {test.right.value}"


def _classes(tree: QueryGraph) -> Iterator[tuple[QueryTerm, str]]:
    """Yield what is said to be of a class, with its IRI."""
    for one in nodes(tree, ClassPattern):
        yield one.instance, one.classes[0].value
    # Of several that are listed, the first is meant, and the others are below it.
    listed: dict[tuple[QueryTerm, ...], QueryTerm | None] = {
        one.variables: one.rows[0][0] for one in nodes(tree, Values) if one.rows and len(one.variables) == 1
    }
    for edge in nodes(tree, EdgePattern):
        cls = listed.get((edge.object,), edge.object)
        if isinstance(cls, IRI) and _is_type(edge):
            yield edge.subject, cls.value


def _is_type(edge: EdgePattern) -> bool:
    return any(relation == IRI(RDF_TYPE) for relation, _ in islice(steps_of(edge.relation), 1))


class _Told(QueryNames):
    """Tells a query in words."""

    def __init__(self, tree: QueryGraph, labels: Labels, pack: Pack) -> None:
        named = [one.value for one in terms(sparql.plain(tree)) if isinstance(one, IRI)]
        super().__init__(tree, labels, pack, others=named)
        lacking = {id(edge) for one in nodes(tree, NegatedPart) for edge in nodes(one, EdgePattern)}
        every = [one for one in nodes(tree, EdgePattern) if not (one.subject in self.classes and _is_type(one))]
        self.lacking = [one for one in every if id(one) in lacking]
        self.left = [one for one in every if id(one) not in lacking]
        """The edges that are not told yet."""
        self.options = {one.variables[0]: one.rows for one in nodes(tree, Values) if len(one.variables) == 1}
        self.keys: list[tuple[bool, Any]] = [
            (key.descending, key.key) for one in nodes(tree, QueryGraph) for key in one.order if one.limit is not None
        ]
        inner = (one.expression for one in nodes(tree, Computed) if one not in tree.columns)
        values = [one for one in nodes(tuple(inner), Aggregate) if one.function in ("MAX", "MIN")]
        self.keys += [(one.function == "MAX", one.of) for one in values]
        told = (*(key for _, key in self.keys), *nodes(tree, Comparison))
        self.measures = {one for one in terms(told) if isinstance(one, Variable)}

    def whole(self) -> str:
        parts = [*self._asked()]
        parts += [self.say("used_greatest" if falls else "used_least", key) for falls, key in self.keys]
        parts += self.bounds()
        names = [self._name_of_relation(one) for one in self.lacking]
        parts += [f"{self.replies['used_not']}: {', '.join(names)}"] if names else []
        return ", ".join(dict.fromkeys(filter(None, parts)))

    def _asked(self) -> Iterator[str]:
        """Yield what is asked for, its class before it."""
        if self.graph.ask:
            while self.left:
                edge = self.left.pop(0)
                thing = step(self._name_of_relation(edge), self._thing(edge.subject), self.pack, forward=True)
                yield " = ".join(filter(None, (thing, self._thing(edge.object))))
            return
        rows, column = self.graph.counted_rows, next(iter(self.graph.columns or self.graph.variables), None)
        value: Any = column.expression if isinstance(column, Computed) else column
        function = value.function if isinstance(value, Aggregate) else ""
        if rows is not None:
            value, function = next(iter(rows.variables), None), "COUNT"
        term = next((one for one in terms(value) if isinstance(one, Variable)), None) if value is not None else None
        if term is None:
            return
        told = (self._class_of(term), self._led_to(term))
        found = ", ".join(dict.fromkeys(filter(None, told)))
        reply = "reading_count" if function == "COUNT" else FUNCTIONS.get(function)
        yield self.replies[reply].format(what=found) if reply and found else found

    def _led_to(self, variable: Variable) -> str:
        """Return what leads to the values of a variable."""
        parts = []
        for edge in [*self.left]:
            if edge not in self.left or variable not in (edge.subject, edge.object):
                continue
            forward = variable == edge.object
            other = edge.subject if forward else edge.object
            if other in self.measures and not forward:
                continue  # it is told with the order or the bound
            self.left.remove(edge)
            text, steps = self._thing(other), [*steps_of(edge.relation)]
            nested = other not in self.options and text != self._class_of(other)
            if isinstance(other, Variable) and nested and (": " in text or not forward):
                text = f"({text})" if text else ""
            for at, (relation, along) in enumerate(steps if forward else reversed(steps)):
                text = f"({text})" if at and along != forward else text
                text = step(self.labels.get(str(relation), ""), text, self.pack, forward=along == forward)
            parts.append(text)
        return self.replies["and"].join(parts)

    def _thing(self, term: QueryTerm) -> str:
        if isinstance(term, IRI):
            return self.labels.get(term.value, term.value)
        if isinstance(term, Literal):
            return term.value
        if term in self.options:
            return ", ".join(self._thing(one) for [one] in self.options[term] if one is not None)
        if not isinstance(term, Variable):
            return ""
        return self._led_to(term) or self._class_of(term)

    def _class_of(self, term: QueryTerm) -> str:
        return self.labels.get(self.classes.get(term, ""), "")

    def _name_of_relation(self, edge: EdgePattern) -> str:
        return ", ".join(self.labels.get(str(one), "") for one, _ in steps_of(edge.relation))


@lru_cache(maxsize=50_000)
def _is_noun(label: str, pack: Pack) -> bool:
    """Return whether a relation's name can be "of" something: "author" can, "founded by", "is part of" and "wrote" not.

    Names of relations are often English, whatever the language of the question.
    """
    words = [fold(word) for word in label.split()]
    english = load_pack("en")
    if not words or any(end in pack.empty or end in english.empty for end in (words[0], words[-1])):
        return False
    if len(words) > 1 or pack.language != english.language:
        return True
    kinds = lexical_database.kinds(words[0])
    return "n" in kinds or "v" not in kinds
