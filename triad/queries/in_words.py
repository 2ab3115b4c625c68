"""A query in words: what it asks for, the facts that it needs, then what it does besides.

A relation has what the query names before or behind it: "Dune: director", "director: Lynch".
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, Final

from triad import sparql
from triad.language.definitions import Defined
from triad.language.pack import Pack
from triad.queries.naming import Labels, steps_of
from triad.rdf import IRI, RDF_TYPE, Literal
from triad.sparql import patterns
from triad.sparql.patterns import Aggregate, Bind, Comparison, Computed, EdgePattern, QueryTerm, Variable, nodes, terms
from triad.sparql.query_graph import QueryGraph

SIGNS: Final = {">=": "≥", "<=": "≤", "!=": "≠"}
"""Signs of comparisons that people write otherwise."""
FUNCTIONS: Final = {"AVG": "used_average", "SUM": "used_sum", "COUNT": "used_number"}
"""The replies that say in words what aggregates do."""


def in_words(tree: QueryGraph, labels: Labels, pack: Pack) -> str:
    """Return in words what a query asks for; nothing if it names nothing that can be told."""
    told = Told(tree, labels, pack)
    rows = tree.counted_rows or tree
    column = next(iter(() if tree.ask else rows.columns or rows.variables), None)
    function = next((one.function for one in nodes(tree.columns[:1], Aggregate)), "")
    reply = "reading_count" if function == "COUNT" else FUNCTIONS.get(function)
    asked = told.name(column)
    facts = [told.said(edge) for edge in told.left if edge.object not in told.measures]
    parts = [told.replies[reply].format(what=asked) if reply and asked else asked]
    parts = [] if any(one.endswith(f": {parts[0]}") for one in facts) else parts
    parts += [told.labels[iri] for term, iri in told.classes.items() if term not in terms(column)]
    parts += [one for one in facts if one != asked]
    parts += [told.say("used_greatest" if falls else "used_least", key) for falls, key in told.keys]
    for test in nodes(tree, Comparison):
        if isinstance(test.right, Literal) and (name := told.name(test.left)):
            parts.append(f"{name} {SIGNS.get(test.sign, test.sign)} {test.right.value}")
    parts += [f"{told.replies['used_not']}: {told.relation(one)}" for one in told.lacking]
    return "; ".join(dict.fromkeys(filter(None, parts)))


class QueryNames:
    """What the values of a query are called: by the relation that leads to them, or by their class."""

    def __init__(
        self, tree: QueryGraph, labels: Labels, pack: Pack, known: Mapping[str, Defined], others: Iterable[str] = ()
    ) -> None:
        self.graph, self.pack, self.replies = tree, pack, pack.replies
        edges = nodes(tree, EdgePattern)
        self.edges = [(one.relation.value, one) for one in edges if isinstance(one.relation, IRI)]
        self.classes = {one.instance: one.classes[0].value for one in nodes(tree, patterns.ClassPattern)}
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


class Told(QueryNames):
    """A query's parts: what is told of it, and in which words."""

    def __init__(self, tree: QueryGraph, labels: Labels, pack: Pack) -> None:
        super().__init__(tree, labels, pack, {}, others=[one.value for one in nodes(sparql.plain(tree), IRI)])
        listed = (one for one in nodes(tree, patterns.Values) if len(one.variables) == 1)
        self.options: dict[QueryTerm, Any] = {one.variables[0]: one.rows for one in listed}
        lacking = {id(edge) for one in nodes(tree, patterns.NegatedPart) for edge in nodes(one, EdgePattern)}
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

    def relation(self, edge: EdgePattern) -> str:
        """Return what the relation of an edge is called."""
        return ", ".join(self.labels.get(str(one), "") for one, _ in steps_of(edge.relation))

    def said(self, edge: EdgePattern) -> str:
        """Return a relation with the things that the query names at its ends."""
        ends = [self._thing(edge.subject), self._thing(edge.object)]
        if not any(forward for _, forward in steps_of(edge.relation)):
            ends.reverse()
        return ": ".join(filter(None, (ends[0], self.relation(edge), ends[1])))

    def _thing(self, term: QueryTerm) -> str:
        if term in self.options:
            return ", ".join(self._thing(one) for [one] in self.options[term] if one is not None)
        return self.labels.get(term.value, term.value) if isinstance(term, IRI | Literal) else ""
