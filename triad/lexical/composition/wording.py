"""What the words of a question and the names of a graph's terms say of each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from triad.caching import cached_property
from triad.kg.schema import Schema
from triad.language.analysis import Analysis
from triad.language.lexical_database import lemmas
from triad.language.normalize import fold
from triad.language.operators import Operator, find_operators
from triad.language.pack import Degree, Measures
from triad.language.relatedness import is_kind_of, relatedness
from triad.language.tokens import Sentence
from triad.language.units import converted, degree_at
from triad.lexical.composition.elements import Span
from triad.lexical.composition.names import Names
from triad.lexical.composition.schema_graph import NO_CLASS
from triad.lexical.contract import Contract
from triad.lexical.matching import LEAST_FIT
from triad.rdf import IRI

NEAR: Final = 3  # words between an operator and what it applies to


@dataclass(frozen=True, slots=True)
class ExactNames:
    """Which words of a question are the very name of something."""

    things: frozenset[int]
    """Positions of names of things and of values."""
    called: frozenset[int]
    """Positions of words that are in names of things and of values, exactly or nearly."""
    terms: Mapping[str, frozenset[int]]
    """Positions of names of classes and of relations, by the kind of their spans."""

    @classmethod
    def of(cls, analysis: Analysis, spans: Sequence[Span]) -> Self:
        """Return which words of a question are the very names of what its spans stand for."""
        content = frozenset(at for at, word in enumerate(analysis.words) if not word.empty)

        def named(*kinds: str) -> frozenset[int]:
            known = (span for span in spans if span.kind in kinds and not (span.inside or span.kind_by))
            return content & frozenset(at for span in known if span.exact for at in span.positions)

        terms = {kind: named(kind) for kind in ("class", "relation")}
        called = (span for span in spans if span.kind in ("thing", "text") or span.kind_by)
        return cls(named("thing", "text"), frozenset(at for span in called for at in span.positions), terms)


class Wording:
    """A question's words beside the names of a graph, and what it asks of its query."""

    def __init__(self, analysis: Analysis, names: Names, graph: Schema, spans: Sequence[Span], *, choice: bool) -> None:
        self.analysis = analysis
        self.exact = ExactNames.of(analysis, spans)
        self.contract = Contract.of(analysis, names.packs[0], choice=choice)
        self.names = names
        self.pack = names.packs[0]
        self.schema = names.schema
        self.graph = graph
        self.sentence = Sentence(analysis.text, self.pack)
        self.operators = find_operators(analysis.text, self.pack, choice=False)
        self.superlatives = [one for one in self.operators if one.kind == "superlative"]
        self.ages = frozenset({self.pack.english.stem("age"), self.pack.stem("age")})
        """Stems of what ages are called."""
        self._fits: dict[tuple[str, Measures], float] = {}

    def values_of(self, cls: str, relation: str) -> Sequence[str]:
        """Return the relations with the values by which things without a name are told: of a class, of a step.

        These are blank nodes, which are told by their literals, and numbers with a unit that nothing else leads to and
        that have no names: doses, and no machines that are called by their codes.
        """
        schema, known, step = self.schema, self.schema.classes.get(cls), self.schema.relations.get(relation)
        blank = known.blank == known.instances > known.named if known else bool(step and step.links and not step.values)
        single = step is not None and step.triples == step.objects and not any(one.labels for one in step.values)
        single &= relation in schema.amounts or {end.object for end in (step.ends if step else ())} == {NO_CLASS}
        if not (blank or single):
            return ()
        behind = f"?start {IRI(relation).n3()} ?end"
        card = self.graph.pattern_card("end", behind) if step else self.graph.class_card(cls)
        led = {one.relation for one in card if one.direction == "in"}
        told = [one.relation for one in card if one.direction == "out" and one.relation in schema.relations]
        numbers = [one for one in told if schema.value_kind(one) == "number"]
        if single and len(numbers) == 1 and len(told) <= 2 and led <= {relation} and schema.names.isdisjoint(told):
            return sorted(told, key=lambda one: one not in numbers)
        return [one for one in told if blank and schema.is_literal(one) and one not in schema.names]

    def gap(self, start: int, end: int) -> str:
        """Return the text between two positions."""
        words = self.analysis.words
        left = words[start - 1].end if start else 0
        right = words[end].start if end < len(words) else len(self.analysis.text)
        return self.analysis.text[left:right]

    def joined(self, start: int, end: int) -> str:
        """Return ``and`` or ``or`` if only a conjunction or a comma stands between two positions, else nothing."""
        if end < start or end - start > NEAR:
            return ""
        if any(self.sentence.form("either", at) for at in range(start, end)):
            return "or"
        if any(self.sentence.compare("and", at) for at in range(start, end)):
            return "and"
        return "," if "," in self.gap(start, end) and end - start <= 1 else ""

    def calls(self, start: int, end: int) -> bool:
        """Return whether all that stands between two positions says what something is called: "are called"."""
        between, said = range(start, end), self._naming
        return not said.isdisjoint(between) and all(self.analysis.words[at].empty or at in said for at in between)

    @cached_property
    def _naming(self) -> frozenset[int]:
        single = (one for one in self.analysis.senses if one.end - one.start == 1)
        return frozenset(one.start for one in single if any(map(self.names.asks_for_names, one.stems)))

    def in_unit(self, value: float, unit: str | None, relation: str) -> float | None:
        """Return a value in the unit of a relation's numbers; None where theirs is not known, or of something else.

        Where they are in millions, 100 million are 100 of them.
        """
        texts = (*self.schema.relations[relation].units, *(name.text for name in self.names.of(relation)))
        texts += ("year",) if self.is_age(relation) else ()
        told = {self.pack.magnitudes.get(word, 1) for text in texts for word in fold(text).split()}
        scale = max((one for one in told if one <= abs(value)), default=1)
        scaled = value / scale if scale > 1 else None
        found = converted(scaled or value, unit, texts, self.pack) or scaled
        return (
            converted(value, unit, [self.graph.descriptions([relation])[relation]], self.pack)
            if found is None
            else found
        )

    def is_age(self, relation: str) -> bool:
        """Return whether a relation holds ages."""
        return not self.names.stems_of(relation).isdisjoint(self.ages)

    def tells_age(self, relation: str, cls: str, measures: Measures) -> bool:
        """Return whether a relation may say how old things of a class are.

        Of persons and groups it does if it has a name for that: a birthday, not the date when somebody was hired.
        """
        plain = {self.pack.english.stem(one) for one in ("date", "year", "start")}
        telling = (measure for measure in measures if not measure <= plain)
        return not self.names.is_person(cls) or any(one <= self.names.stems_of(relation) for one in telling)

    def beyond(self, operator: Operator) -> tuple[int, Degree | None, bool] | None:
        """Return where a comparative before an operator begins, what it compares and whether the greater is meant.

        "Larger than the average area" asks for no average.
        """
        for at in range(max(0, operator.start - 4), operator.start):
            degree, end, greater = degree_at(self.sentence, at)
            if degree is None:
                over, under = self.sentence.compare("greater", at), self.sentence.compare("smaller", at)
                if over is None and under is None:
                    continue
                greater, end = over is not None, over or under or at
            if all(self.analysis.words[one].empty for one in range(end, operator.start)):
                return at, degree, greater
        return None

    def fit(self, relation: str, measures: Measures) -> float:
        """Return how well a relation fits what a comparison or a superlative measures, from 0 to 1.

        A formula is measured by all of its words: the biggest country is not that of the greatest population density.
        """
        key = (relation, measures)
        if key not in self._fits:
            best = 0.0
            whole = relation in self.schema.formulas
            for name in self.names.of(relation) if not self.is_other_birth(relation, measures) else ():
                stems = frozenset(name.stems)
                for rank, measure in enumerate(measures):
                    if measure == stems if whole else measure and measure <= stems:
                        share = self.names.weight(measure) / self.names.weight(stems)
                        best = max(best, (0.5 + 0.5 * share) * (1 - 0.03 * min(rank, 12)))
                if best < LEAST_FIT and self.analysis.language == "en" and not whole:
                    for rank, measure in enumerate(measures[:4]):
                        if any(map(self.names.classes_called, measure)):
                            continue  # of things there are many or few
                        near = relatedness(" ".join(sorted(measure)), fold(name.text))
                        best = max(best, 0.8 * near * (1 - 0.03 * rank))
            self._fits[key] = best
        return self._fits[key]

    def taken_together(self, relation: str, end: int) -> list[str]:
        """Return the relations that words before a position call, if they call one: parents, father and mother."""
        word, relations = self.analysis.words[end - 1], self.schema.relations
        said = lemmas(word.folded) if self.analysis.language == "en" else self.pack.translations.get(word.stem, ())
        ends = {(one.subject, one.object) for one in relations[relation].ends}
        alike = (iri for iri, known in relations.items() if ends & {(one.subject, one.object) for one in known.ends})
        pairs = ((iri, {(head, one) for head in self.names.heads(iri) for one in said}) for iri in alike)
        called = ((iri, any(is_kind_of(*pair) for pair in known)) for iri, known in pairs)
        found = [iri for iri, kind in called if kind or self.names.is_converse(iri, end, self.analysis)]
        return found if relation in found else [relation]

    @cached_property
    def asked_part(self) -> int:
        """How long that part of a date is which words ask for, and not only as a unit or to say which; 0 if none do.

        A year has four characters, and a month seven: in which year, per month.
        """
        english, stems = self.pack.english, [word.stem for word in self.analysis.words]
        parts = {english.units[english.stem(name)]: size for name, size in (("year", 4), ("month", 7))}
        bounds = (one for one in self.analysis.comparisons if one.than is None)
        limited = {at for one in bounds for at in range(one.start, one.end)}
        said = (self.pack.units[unit] for at, _, unit in self.pack.unit_phrases.apart(stems) if at not in limited)
        return next((parts[one] for one in said if one in parts), 0)

    def is_other_birth(self, relation: str, measures: Measures) -> bool:
        """Return whether a relation holds births, and other dates are measured: the newest is not the youngest."""
        births = {self.pack.english.stem(one) for one in ("birth", "born", "birthday")}
        told = self.is_time(measures) and not any(births & measure for measure in measures)
        return told and not births.isdisjoint(self.names.stems_of(relation))

    def is_time(self, measures: Measures) -> bool:
        """Return whether what is measured are dates: old, new, first."""
        stems = {self.pack.english.stem("date"), self.pack.english.stem("year")}
        return any(not stems.isdisjoint(measure) for measure in measures)
