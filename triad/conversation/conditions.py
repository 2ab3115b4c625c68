"""Conditions on the entities of an answer, from a few words: "in Germany", "born after 1950", "the novels".

What the words name is looked up, and the graph says how it is connected to the entities: by a relation, over one entity
in between, as their class, or as a value that they have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from triad.answers import Answer
from triad.conversation.mentions import FITTING, RelationWords, names_in
from triad.conversation.turns import LISTED, things_of
from triad.kg.cards import in_time
from triad.kg.schema import DOCUMENTATION, Hop
from triad.language.comparisons import Comparison, find_comparisons
from triad.language.normalize import fold
from triad.language.pack import Measures, Pack
from triad.language.tokens import Sentence
from triad.lexical.composition.measuring import TURNED
from triad.phases.context import Context
from triad.queries.comparisons import held_against_date, held_against_number
from triad.questions import Candidate
from triad.rdf import DATED, IRI, NUMERIC, RDF_TYPE, XSD, Literal, count_of, writable
from triad.search.base import CLOSE, Lookup
from triad.sparql.patterns import ClassPattern, EdgePattern, Expression, Filter, Logic, Part, Values, Variable
from triad.sparql.query_graph import QueryGraph

_YEARS = 1000, 2100  # the numbers that may be years


@dataclass(frozen=True, slots=True)
class Condition:
    """Patterns that the kept entities match."""

    parts: tuple[Part, ...]
    links: Mapping[str, Candidate] = field(default_factory=dict)
    """What the words were understood as."""
    fit: float = 1.0
    """How well the words fit the relation."""


def condition(context: Context, pack: Pack, last: Answer, graph: QueryGraph, what: str) -> Condition | None:
    """Return the condition that some words are on the entities of an answer; None if nothing in the graph fits."""
    name, iris = things_of(last)
    listed = [iri for iri in iris if writable(iri)][:LISTED]
    if name is None or not listed:
        return None
    finder = _Finder(context, pack, " ".join(what.split()), graph, Variable(name), listed)
    sentence = Sentence(finder.what, pack)
    if any(True for _ in sentence.all("negated")):
        return None  # is asked as a question of them
    if found := find_comparisons(sentence, boolean=False):
        return finder.compared(sentence, found)
    return finder.connected() or finder.of_class() or finder.valued()


def relations_of(context: Context, iris: Sequence[str]) -> list[Hop]:
    """Return the relations that entities have, with the formulas of a glossary that are of their class."""
    found = [hop for hop in context.schema.joint_card(iris) if hop.direction == "out"]
    formulas = [one for one in context.glossary.defined.values() if one.value is not None]
    types = set(context.schema.types(iris[0])) if formulas and iris else set()
    some = Literal("1", XSD + "decimal")
    return found + [Hop(one.iri, one.word, "out", 1, some, "1") for one in formulas if types & set(one.kinds)]


@dataclass(frozen=True)
class _Finder:
    context: Context
    pack: Pack
    what: str
    graph: QueryGraph
    things: Variable
    iris: list[str]

    @property
    def values(self) -> str:
        """The entities, for a query."""
        return " ".join(f"<{iri}>" for iri in self.iris)

    def compared(self, sentence: Sentence, found: Sequence[Comparison]) -> Condition | None:
        """Understand "after 1950", "between 1950 and 1960" and "with more than 1.5 million inhabitants"."""
        same = [one for one in found if one.start == found[0].start and (one.date or one.value is not None)]
        if not same:
            return None
        first, last = sentence.words[same[0].start], sentence.words[same[0].end - 1]
        wording = f"{self.what[: first.start]} {self.what[last.end :]}"
        hops = relations_of(self.context, self.iris)
        value = self.graph.free("compared")
        if same[0].date and (best := self._best(hops, wording, DATED)):
            sample = best[0].sample
            assert isinstance(sample, Literal)
            tests = [held_against_date(value, one.operator, one.date or "", sample) for one in same]
            return self._compared(*best, value, tests)
        # a year may be a number, another date is none
        given = [(one.operator, one.date if one.date and one.date.isdecimal() else one.value) for one in same]
        numbers = [(sign, float(number)) for sign, number in given if number is not None]
        if not numbers or (best := self._best(hops, wording, NUMERIC, same[0].measures)) is None:
            return None
        ages = {self.pack.english.stem("age"), self.pack.stem("age")}
        by_date = any(ages & set(one) for one in same[0].measures[1:])  # what is old has an early date, and a high age
        if by_date and ages & set(self.pack.stem_list(best[0].label)):
            numbers = [(TURNED[sign], number) for sign, number in numbers]
        elif by_date and not all(_YEARS[0] <= number <= _YEARS[1] for _, number in numbers):
            return None  # years hold no ages
        return self._compared(*best, value, [held_against_number(value, sign, number) for sign, number in numbers])

    def _best(
        self, hops: list[Hop], wording: str, kinds: frozenset[str], measures: Measures = ()
    ) -> tuple[Hop, float] | None:
        """Return the relation to values of some kinds that fits the words best, or the only one, and how well."""
        fits = [hop for hop in hops if isinstance(hop.sample, Literal) and hop.sample.datatype in kinds]
        words = " ".join(word for word in fold(wording).split() if word not in self.pack.idle)
        relation_words = RelationWords(words or self.what, self.pack.language, self.context.glossary)
        held = {hop: relation_words.holds(hop.label, hop.relation, measures) for hop in fits}
        named = {hop: relation_words.fits(hop.label, hop.relation) if words else 0.0 for hop in fits}
        scores = {hop: max(held[hop], named[hop]) for hop in fits}
        best = max(fits, key=scores.__getitem__, default=None)
        if best is None or (scores[best] < FITTING and (words or len(fits) > 1)):
            return None
        return best, max(scores[best], FITTING)

    def _compared(self, hop: Hop, fit: float, value: Variable, tests: Sequence[Expression]) -> Condition:
        link = Candidate(hop.relation, "relation", hop.label)
        test = Filter(Logic(tuple(tests)) if len(tests) > 1 else tests[0])
        return Condition((EdgePattern(self.things, IRI(hop.relation), value), test), {hop.label: link}, fit)

    def connected(self) -> Condition | None:
        """Understand "in Germany", "directed by Kubrick"."""
        names = names_in(self.context, self.what, self.pack)
        for name in sorted(names, key=lambda name: name.start - name.end):
            rest = fold(self.what[: name.start] + " " + self.what[name.end :])
            wording = " ".join(word for word in rest.split() if word not in self.pack.idle)
            if found := self._one_hop(name.thing.iri, wording) or self._two_hops(name.thing.iri):
                return Condition(found, {name.text: name.thing})
        return None

    def _one_hop(self, iri: str, wording: str) -> tuple[Part, ...] | None:
        rows = self.context.graph.lookup(
            f"SELECT ?p ?d (COUNT(DISTINCT ?x) AS ?n) {{ VALUES ?x {{ {self.values} }} "
            f"{{ ?x ?p <{iri}> BIND(1 AS ?d) }} UNION {{ <{iri}> ?p ?x BIND(2 AS ?d) }} }} GROUP BY ?p ?d LIMIT 100"
        )
        found = [(str(row["p"]), str(row["d"]) == "1", count_of(row["n"])) for row in rows if "p" in row]
        found = [one for one in found if writable(one[0]) and not one[0].startswith(DOCUMENTATION)]
        if not found:
            return None
        labels = self.context.schema.labels(iri for iri, _, _ in found)
        relation_words = RelationWords(wording, self.pack.language, self.context.glossary)
        fits = [relation_words.fits(labels[relation], relation) if wording else 0.0 for relation, _, _ in found]
        fitted = zip(fits, found, strict=True)
        _, (relation, forward, _) = max(fitted, key=lambda one: (one[0] >= FITTING and one[0], one[1][2], one[1][0]))
        subject, value = (self.things, IRI(iri)) if forward else (IRI(iri), self.things)
        return (EdgePattern(subject, IRI(relation), value),)

    def _two_hops(self, iri: str) -> tuple[Part, ...] | None:
        query = (
            f"SELECT ?p ?q (COUNT(DISTINCT ?x) AS ?n) {{ VALUES ?x {{ {self.values} }} ?x ?p ?m . ?m ?q <{iri}> }} "
            "GROUP BY ?p ?q ORDER BY DESC(?n) ?p ?q LIMIT 20"
        )
        between = self.graph.free("between")
        for row in in_time(self.context.graph, query) or ():  # unless too much lies in between to look for it
            first, second = str(row.get("p", "")), str(row.get("q", ""))
            if first and second and RDF_TYPE not in (first, second) and writable(first) and writable(second):
                return (EdgePattern(self.things, IRI(first), between), EdgePattern(between, IRI(second), IRI(iri)))
        return None

    def of_class(self) -> Condition | None:
        """Understand "the novels", and "the short ones" where a class is called short novels."""
        plain = " ".join(word for word in self.what.split() if not self.pack.is_idle(word))
        if (defined := self.context.definition(plain)) and defined.value is None:
            return Condition((ClassPattern(None, (IRI(defined.iri),), self.things),))
        called = self.context.schema.labels(self.context.schema.types(self.iris[0])).values()
        wholes = dict.fromkeys((plain, *(f"{plain} {word}" for label in called for word in label.split()[-1:])))
        for one in chain.from_iterable(self.context.search([Lookup(one, ("class",), 3) for one in wholes])):
            if one.score >= CLOSE:
                kinds = self.context.schema.kinds(one.iri)
                return Condition((ClassPattern.of(self.things, kinds, lambda: self.graph.free("kind")),), {plain: one})
        return None

    def valued(self) -> Condition | None:
        """Understand "the horror ones": a text that is a value of the entities."""
        plain = " ".join(word for word in self.what.split() if not self.pack.is_idle(word))
        [found] = self.context.search([Lookup(plain, ("literal",), 3)])
        for one in found:
            forms = self.context.schema.literal_forms(one.iri, one.label) if one.score >= CLOSE else []
            if forms:
                valued = self.graph.free("valued")
                edge = EdgePattern(self.things, IRI(one.iri), valued)
                return Condition((Values.of(valued, *forms), edge), {plain: one})
        return None
