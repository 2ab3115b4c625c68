"""Checks of an answer before it is given, by its query and its result beside the question. None costs a model call.

A check gives a `Feature`: a number, mostly from 0 to 1, and the sentence that tells a user of it. Together the numbers
are the features of `triad.routing.doubt`, which knows what each counts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from triad import sparql
from triad.answers import Answer
from triad.caching import cached_property
from triad.language.analysis import Analysis, analyse
from triad.language.normalize import fold
from triad.language.operators import find_operators
from triad.language.pack import load_pack
from triad.language.relatedness import SYNONYM, relatedness
from triad.language.similarity import Wording
from triad.lexical.answer_types import AnswerTypes
from triad.lexical.choice import result_key
from triad.lexical.matching import Matcher
from triad.phases.context import Context
from triad.questions import Query
from triad.rdf import IRI, RDF_TYPE, STANDARD, Literal, ResultSet
from triad.sparql.patterns import Values, Variable
from triad.text import one_line

SAMPLE: Final = 3
"""Rows whose values are looked at: of more, their types would take as many look-ups."""
_KIN: Final = 0.3  # the relatedness from which on a word may mean a relation


@dataclass(frozen=True, slots=True)
class Feature:
    """What a check found."""

    name: str
    value: float
    """0 where there is nothing to say."""
    text: str = ""
    """What it says against the answer, in a sentence without a stop; empty where it says nothing against it."""


class Examined:
    """An answer with its query taken apart, and the question beside it."""

    def __init__(self, context: Context, answer: Answer) -> None:
        self.context = context
        self.answer = answer
        self.pack = context.pack
        self.analysis: Analysis = analyse(context.question.text, self.pack)
        self.tree = sparql.parse(answer.query or "ASK {}")
        self.result: ResultSet = answer.result
        self.matcher = Matcher(self.analysis, self.pack, load_pack("en"), context.glossary)
        self.types = AnswerTypes(context.schema, self.matcher, self.analysis.expected)

    @cached_property
    def triples(self) -> list[tuple[Any, Any, Any]]:
        """The triple patterns of the query."""
        return list(sparql.triples(self.tree))

    @cached_property
    def relations(self) -> list[str]:
        """The IRIs of the relations, each once."""
        found = (str(term) for _, path, _ in self.triples for term in sparql.nodes(path, IRI))
        return [iri for iri in dict.fromkeys(found) if not iri.startswith(STANDARD)]

    @cached_property
    def classes(self) -> list[str]:
        """The IRIs of the classes."""
        ends = [str(end) for _, path, end in self.triples if _is_type(path) and isinstance(end, IRI)]
        kinds = {end for _, path, end in self.triples if _is_type(path) and isinstance(end, Variable)}
        for values in sparql.nodes(self.tree, Values):
            if not kinds.isdisjoint(values.variables):
                ends += map(str, sparql.nodes(values.rows, IRI))
        return list(dict.fromkeys(ends))

    @cached_property
    def entities(self) -> list[str]:
        """The IRIs of the named entities."""
        known = {*self.relations, *self.classes}
        leaves = map(str, sparql.nodes(self.tree, IRI))
        return [iri for iri in dict.fromkeys(leaves) if iri not in known and not iri.startswith(STANDARD)]

    @cached_property
    def names(self) -> dict[str, str]:
        """The labels of all that the query names."""
        return self.context.schema.labels([*self.relations, *self.classes, *self.entities])

    def positions_of(self, name: str) -> frozenset[int]:
        """Return the words of the question that are words of a name, by their stems."""
        stems = set(fold(name).split()) | self.pack.stems(name)
        words = self.analysis.words
        return frozenset(at for at, word in enumerate(words) if word.folded in stems or word.stem in stems)

    @cached_property
    def of_names(self) -> frozenset[int]:
        """The words of the question that are a part of the name of an entity of the query."""
        return frozenset[int]().union(*(self.positions_of(self.names[iri]) for iri in self.entities))

    def is_free(self, start: int, end: int) -> bool:
        """Return whether words are no part of a name."""
        return self.of_names.isdisjoint(range(start, end))


def _is_type(path: Any) -> bool:
    return any(str(term) == RDF_TYPE for term in sparql.terms(path))


# The words ------------------------------------------------------------------------------------------------


def check_words(examined: Examined) -> Iterator[Feature]:
    """Check whether the query accounts for the words of the question, and the words for what the query names."""
    analysis, names = examined.analysis, examined.names
    covered = set(analysis.used)
    for operator in find_operators(analysis.text, examined.pack):
        covered |= set(range(operator.start, operator.end))
    for iri in examined.entities:
        covered |= _named(examined, iri)
    for leaf in sparql.nodes(examined.tree, Literal):
        covered |= examined.positions_of(leaf.value)
    defined = {one.meaning for one in examined.context.glossary.defined.values()}
    for use in examined.answer.words:
        if use.became in defined:
            covered |= examined.positions_of(use.words)
    for iri in examined.relations:
        covered |= examined.matcher.relation(names[iri], iri).positions | examined.positions_of(names[iri])
    for iri in examined.classes:
        covered |= examined.matcher.kind(names[iri]).positions | examined.positions_of(names[iri])
    for name in _type_names(examined) if _left(examined, covered) else ():
        covered |= examined.positions_of(name)
    words = [word for at in _left(examined, covered) if not _is_kin(examined, word := analysis.words[at].text)]
    content = [one for one in analysis.words if not one.empty and not examined.pack.is_idle(one.text)]
    yield Feature("share", len(words) / max(1, len(content)))
    capitals = [] if examined.pack.data.capital_nouns else [word for word in words if word[:1].isupper()]
    text = f"nothing in the query stands for {', '.join(capitals[:2])}"
    yield Feature("uncovered_names", min(1.0, len(capitals) / 2), text)


def _named(examined: Examined, iri: str) -> frozenset[int]:
    """Return the words of the question that name an entity: those that one of its names fits best."""
    links = [(mention, one) for mention, one in examined.answer.links.items() if one.iri == iri]
    said = [mention for mention, one in links if one.exact]  # by an alias, as "UK"
    names = dict.fromkeys([*said, *(one.matched for _, one in links if one.matched), examined.names[iri]])
    best: tuple[float, frozenset[int]] = (0.0, frozenset())
    text = f" {fold(examined.analysis.text)} "
    for name in names:
        positions = examined.positions_of(name)
        words = " ".join(examined.analysis.words[at].text for at in sorted(positions))
        fit = 1.0 if f" {fold(name)} " in text else Wording(name).fit(words) if words else 0.0
        best = max(best, (fit, positions), key=lambda one: one[0])
    return best[1]


def _left(examined: Examined, covered: set[int]) -> list[int]:
    left = ((at, word) for at, word in enumerate(examined.analysis.words) if not word.empty and at not in covered)
    return [at for at, word in left if not examined.pack.is_idle(word.text)]


def _type_names(examined: Examined) -> Iterable[str]:
    """Return what the classes of the named entities and of the first values are called: "the comic Captain America"."""
    schema = examined.context.schema
    values = [value.value for row in examined.result.rows[:SAMPLE] for value in row if isinstance(value, IRI)]
    kinds = dict.fromkeys(kind for iri in (*examined.entities[:SAMPLE], *values) for kind in schema.types(iri))
    return schema.labels(kinds).values()


def _is_kin(examined: Examined, word: str) -> bool:
    """Return whether a word may mean a relation or a class of the query, or a name."""
    named = (examined.names[iri] for iri in (*examined.relations, *examined.classes))
    return any(relatedness(word, name) >= _KIN for name in named) or relatedness(word, "name") >= SYNONYM


# The result -----------------------------------------------------------------------------------------------


def check_result(examined: Examined) -> Iterator[Feature]:
    """Check whether the result can be what the question asks for: its type, and its values."""
    result, analysis = examined.result, examined.analysis
    cells = [term for row in result.rows for term in row]
    if result.boolean is None:
        yield Feature("nulls", cells.count(None) / max(1, len(cells)), "values are missing in the answer")
    yield Feature("no", float(result.boolean is False), "the graph does not say so, and may not know all")
    echoed = {term.value for term in cells if isinstance(term, IRI)} & set(examined.entities)
    yield Feature("echo", float(bool(echoed) and not analysis.either), "the answer has what the question names")
    fits = list(_type_fits(examined))
    yield Feature("fitting", max(fits, default=0.5) - 0.5)
    text = f"the question asks for a {' or '.join(sorted(analysis.expected))}, and the answer is none"
    yield Feature("answer_type", float(bool(fits) and max(fits) == 0), text)


def _type_fits(examined: Examined) -> Iterator[float]:
    if not examined.analysis.expected:
        return
    for name in examined.result.variables:
        for value in examined.result.column(name)[:SAMPLE]:
            classes = examined.context.schema.types(value.value) if isinstance(value, IRI) else ()
            yield examined.types.fits(value, classes)


# The others -----------------------------------------------------------------------------------------------


def check_others(examined: Examined, below: Sequence[Answer], readings: Sequence[Query]) -> Iterator[Feature]:
    """Check how a query came about, and hold its answer against the solver's and those of other readings.

    What the model itself answered before is no second opinion.
    """
    answer, key = examined.answer, result_key(examined.result)
    yield Feature("links", 1 - answer.confidence, "what the question names fits what was taken for it in part only")
    yield Feature("left_out", float(bool(answer.notes)), one_line(answer.notes[0].rstrip(".")) if answer.notes else "")
    said = [one for one in below if one.values and one.method == "lexical"]
    same = [one for one in said if result_key(one.result) == key]
    other = max((one for one in said if one not in same), key=lambda one: one.confidence, default=None)
    yield Feature("agree", max((one.confidence for one in same), default=0.0))
    text = f"the solver, without the model, finds {one_line(other.text)[:80]!r}" if other else ""
    yield Feature("other", other.confidence if other else 0.0, text)
    own, others = ({value.label.casefold() for value in one.values} if one else set[str]() for one in (answer, other))
    yield Feature("shared", len(own & others) / max(1, len(own | others)))
    found = {result_key(one.result) for one in readings if one.result is not None and not one.result.is_empty}
    count = len(found - {key})
    yield Feature("readings", min(1.0, count / 3), f"{count} other readings of the question give other answers")
