"""A query in words: what it asks for, for people to choose among several.

What is asked for is told by the relations that lead to it from what is named, then what the query does besides.
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
FUNCTIONS: Final = {"AVG": "used_average", "SUM": "used_sum", "COUNT": "used_number"}
"""The replies that say in words what aggregates do."""


def in_words(tree: QueryGraph, labels: Labels, pack: Pack) -> str:
    """Return in words what a query asks for; nothing if it names nothing that can be told."""
    told = _Told(tree, labels, pack)
    parts = [*told.asked()]
    parts += [told.say("used_greatest" if falls else "used_least", key) for falls, key in told.keys]
    for test in nodes(tree, Comparison):
        if isinstance(test.right, Literal) and (name := told.name(test.left)):
            parts.append(f"{name} {SIGNS.get(test.sign, test.sign)} {test.right.value}")
    parts += [f"{told.replies['used_not']}: {told.relation(one)}" for one in told.lacking]
    return ", ".join(dict.fromkeys(filter(None, parts)))


def step(label: str, thing: str, pack: Pack, *, forward: bool) -> str:
    """Return what a relation leads to from something, or against it, in words."""
    if not thing:
        return label
    if _is_noun(label, pack):
        return pack.replies["reading" if forward else "reading_back"].format(relation=label, thing=thing)
    return f"{thing}: {label}" if forward else f"{label}: {thing}"


class QueryNames:
    """What the values of a query are called: by the relation that leads to them, or by their class."""

    def __init__(
        self, tree: QueryGraph, labels: Labels, pack: Pack, known: Mapping[str, Defined], others: Iterable[str] = ()
    ) -> None:
        self.graph, self.pack, self.replies = tree, pack, pack.replies
        edges = nodes(tree, EdgePattern)
        self.edges = [(one.relation.value, one) for one in edges if isinstance(one.relation, IRI)]
        self.classes = {one.instance: one.classes[0].value for one in nodes(tree, ClassPattern)}
        self.classes = {at: known[iri].cls if iri in known else iri for at, iri in self.classes.items()}
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


class _Told(QueryNames):
    """Tells a query in words."""

    def __init__(self, tree: QueryGraph, labels: Labels, pack: Pack) -> None:
        named = [one.value for one in terms(sparql.plain(tree)) if isinstance(one, IRI)]
        super().__init__(tree, labels, pack, {}, others=named)
        self.options: dict[QueryTerm, Any] = {
            one.variables[0]: one.rows for one in nodes(tree, Values) if len(one.variables) == 1
        }
        lacking = {id(edge) for one in nodes(tree, NegatedPart) for edge in nodes(one, EdgePattern)}
        self.left, self.lacking = list[EdgePattern](), list[EdgePattern]()
        """The edges that are not told yet, and those that there must not be."""
        for edge in nodes(tree, EdgePattern):
            # Of several classes that are listed, the first is meant, and the others are below it.
            cls, *_ = next(iter(self.options.get(edge.object, [(edge.object,)])))
            if isinstance(cls, IRI) and any(one == IRI(RDF_TYPE) for one, _ in islice(steps_of(edge.relation), 1)):
                self.classes[edge.subject] = cls.value
            else:
                (self.lacking if id(edge) in lacking else self.left).append(edge)
        greatest = [one for one in nodes(tree, Aggregate) if one.function in ("MAX", "MIN")]
        limited = [key for one in nodes(tree, QueryGraph) if one.limit is not None for key in one.order]
        self.keys: list[tuple[bool, Any]] = [(one.descending, one.key) for one in limited]
        self.keys += [(one.function == "MAX", one.of) for one in greatest]
        self.measures = set(terms((*(key for _, key in self.keys), *nodes(tree, Comparison))))

    def asked(self) -> Iterator[str]:
        """Yield what is asked for, its class before it; for a yes/no question all that is said."""
        while self.graph.ask and self.left:
            edge = self.left.pop(0)
            thing = step(self.relation(edge), self._thing(edge.subject), self.pack, forward=True)
            yield " = ".join(filter(None, (thing, self._thing(edge.object))))
        rows = self.graph.counted_rows or self.graph
        column = next(iter(rows.columns or rows.variables), None)
        function = next((one.function for one in nodes(self.graph.columns[:1], Aggregate)), "")
        term = next((one for one in terms(column) if isinstance(one, Variable)), None) if column else None
        told = (self._class_of(term), self._led_to(term)) if term else ()
        found = ", ".join(dict.fromkeys(filter(None, told)))
        reply = "reading_count" if function == "COUNT" else FUNCTIONS.get(function)
        yield self.replies[reply].format(what=found) if reply and found else found

    def relation(self, edge: EdgePattern) -> str:
        """Return what the relation of an edge is called."""
        return ", ".join(self.labels.get(str(one), "") for one, _ in steps_of(edge.relation))

    def _led_to(self, variable: Variable) -> str:
        """Return what leads to the values of a variable."""
        parts = []
        while edge := next((one for one in self.left if self._leads(one, variable)), None):
            self.left.remove(edge)
            forward = variable == edge.object
            other = edge.subject if forward else edge.object
            text, steps = self._thing(other), [*steps_of(edge.relation)]
            if text and isinstance(other, Variable) and (": " in text or not forward):
                text = f"({text})"
            for at, (relation, along) in enumerate(steps if forward else reversed(steps)):
                text = f"({text})" if at and not forward else text
                text = step(self.labels.get(str(relation), ""), text, self.pack, forward=along == forward)
            parts.append(text)
        return self.replies["and"].join(parts)

    def _leads(self, edge: EdgePattern, variable: Variable) -> bool:
        """Return whether an edge leads to a variable, and is not told with an order or a bound."""
        return edge.object == variable or (edge.subject == variable and edge.object not in self.measures)

    def _thing(self, term: QueryTerm) -> str:
        if not isinstance(term, Variable):
            return self.labels.get(term.value, term.value) if isinstance(term, IRI | Literal) else ""
        if term in self.options:
            return ", ".join(self._thing(one) for [one] in self.options[term] if one is not None)
        return self._led_to(term) or self._class_of(term)

    def _class_of(self, term: QueryTerm) -> str:
        return self.labels.get(self.classes.get(term, ""), "")


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
