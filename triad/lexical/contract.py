"""The contract between a question and its query: each word that asks for an operator finds it in the query.

"The longest", "before 1950", "in total", "highest first", "with their length" are cues. Each names what a query must
have to do what it asks: an order with a limit, a condition on a value, an aggregate, a second column. A query without
it answers another question: it may be shown as a guess that says which words it leaves out, and is no answer. Words
that are part of the name of what the query uses ask for nothing: the relation "largest city", the film "1917".
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal as Choice

from triad.kg.profile import UNTRUE
from triad.language.analysis import Analysis, second_clause
from triad.language.lexical_database import is_often, lemmas
from triad.language.normalize import plural
from triad.language.operators import Operator, find_bounds, find_operators
from triad.language.pack import Expected, Moment, Pack
from triad.language.quantities import parts_of_dates
from triad.language.recurring import names_time
from triad.language.tokens import Sentence
from triad.rdf import IRI, RDF_TYPE, SPANS, XSD, Literal, ResultSet, kind_of, number
from triad.sparql import patterns
from triad.sparql.patterns import Aggregate, Call, EdgePattern, Exists, NegatedPart, QueryTerm, Values, Variable, terms
from triad.sparql.query_graph import QueryGraph

_YEAR: Final = re.compile(r"(?<![0-9])(?:1[0-9]{3}|20[0-9]{2})(?![0-9])")
_DATED: Final = re.compile(r"[-+0-9TWZ:.]+")  # a date as XML Schema writes it, or `triad.language.recurring`
_ENDS: Final = ("MAX", "MIN")
_PARTS: Final[dict[Moment, re.Pattern[str]]] = {
    "time": re.compile(r"(?:^|T)[0-9]{1,2}:[0-9]{2}"),
    "day": re.compile(r"-[0-9]{2}-[0-9]{2}|W"),
    "month": re.compile(r"-[0-9]{2}"),
    "year": _YEAR,
    "weekday": re.compile("W"),
}
"""What dates have in them that give a part."""

CueKind = Choice[
    "superlative",
    "order",
    "aggregate",
    "bound",
    "than",
    "each",
    "every",
    "negation",
    "either",
    "both",
    "beside",
    "kind",
]
"""What words ask of a query: to choose the greatest, to sort, to sum up or average, to hold values against a number or
a date, to hold them against those of something else, a row for each, to hold of all or of nothing else, to leave out,
to meet one of two conditions or both, a further column, a kind of answer."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that ask for an operator."""

    kind: CueKind
    start: int
    """Position of the first word."""
    end: int
    """Position after the last one."""
    function: str = ""
    """The aggregate that is asked for, ``COUNT`` also of each, and where nothing is to be of a kind; a limit's sign;
    the end at which a superlative stands."""
    counts: bool = False
    """Whether a count will do for a total (of films), or the number 1 for a superlative: the first floor is floor 1."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What the words of a question ask of its query."""

    cues: tuple[Cue, ...]
    """The words that ask for operators."""
    stems: tuple[str, ...]
    """The stems of all words of the question."""
    function_words: frozenset[str]
    """Those of its function words."""
    pack: Pack
    """The pack of its language."""
    expected: frozenset[Expected] = frozenset()
    """What its question word asks for."""
    moment: Moment | None = None
    """The part of a date that it asks for."""
    question_words: tuple[Cue, ...] = ()
    counts: bool = False
    """Whether it asks for one number: how many there are, not of each."""
    of_one: frozenset[int] = frozenset()
    """The positions of what asks for one value: *total* before population, and not before scores."""

    @classmethod
    def of(cls, analysis: Analysis, pack: Pack, *, choice: bool = False) -> Contract:
        """Return what a question asks of its query.

        One that chooses does so between things that were spoken of, as it does where it names them.
        """
        operators = find_operators(analysis.text, pack, choice=choice or analysis.either)
        limits = []
        for bound in find_bounds(analysis.text, pack, boolean=analysis.answer_type == "boolean"):
            # What has at least one of something has it, and no limit says so.
            sign = next((each.operator for each in bound if each.operator != "=" and each.value != 1), "")
            limits.append(Cue("bound", bound[0].start, max(each.end for each in bound), sign))
        limited = {at for one in limits for at in range(one.start, one.end)}
        cues = [*limits, *(one for one in _of_operators(operators, analysis, pack) if one.start not in limited)]
        parts = parts_of_dates(Sentence(analysis.text, pack))
        cues += [Cue("kind", at, whole.end) for at, part, whole in parts if "/" not in part]  # early 2024
        cues += [Cue("than", one.start, one.end, one.operator) for one in analysis.comparisons if one.than is not None]
        cues += [one for one in _of_all(analysis, pack) if one.start not in limited]
        keys = [pack.key(word.text) for word in analysis.words]
        for one, other in itertools.pairwise(operators):  # the sum *and the number* of orders
            joined = any(pack.compare["and"].longest(keys, at) for at in range(one.end, other.start))
            if joined and (one.kind, other.kind) == ("aggregate", "count"):
                cues.append(Cue("aggregate", other.start, other.end, "COUNT"))
        cues += [Cue("negation", at, end, "COUNT") for at, end, _ in pack.lacking.all(keys)]
        if analysis.answer_type != "boolean" and (clause := second_clause(analysis, pack)) is not None:
            cues.append(Cue("beside", clause[0], clause[1] + 1))
        stems = tuple(word.stem for word in analysis.words)
        counts = analysis.answer_type == "count" and not any(one.kind in ("each", "beside") for one in cues)
        asking = ((at, pack.expected.end(keys, at) or pack.forms["how"].end(keys, at)) for at in range(len(keys)))
        words = next(((Cue("kind", at, end),) for at, end in asking if end), ())
        moment = next((part for one in words for _, part in pack.moments.at(keys, one.start)), None)
        empty = frozenset(word.stem for word in analysis.words if word.empty)
        last = analysis.words[max(analysis.asked)].folded if analysis.asked else ""
        several = analysis.language == "en" and any(last == plural(one) for one in lemmas(last))
        of_one = frozenset[int]() if several else analysis.asked
        return cls(tuple(cues), stems, empty, pack, analysis.expected, moment, words, counts, of_one)

    def broken(self, graph: QueryGraph, names: Iterable[str], result: ResultSet | None = None) -> tuple[Cue, ...]:
        """Return the cues that a query with the names of what it uses does not honour, by what it found if it ran."""
        names = tuple(names)
        alone = result is None or not (self.counts and len(result.rows) > 1 and len(result.rows[0]) == 1)
        fits = result is None or (alone and _is_of_kind(result, self.expected, self.pack, self.moment))
        again = result is not None and self._says_again(graph, names, result)
        asked = self.question_words or ((Cue("kind", 0, 1),) if again else ())
        return (*(() if fits and not again else asked), *self._broken(graph, names, result))

    def _says_again(self, graph: QueryGraph, names: Iterable[str], result: ResultSet) -> bool:
        """Return whether a query gives values that the question itself says: the year, of what opened in 2009."""
        if len(graph.columns) != 1 or not isinstance(graph.columns[0], Variable) or not result.rows:
            return False
        chosen = any(cue.kind == "either" for cue in self.cues)
        values = [row[0] for row in result.rows]
        bounds = {stem for cue in self.cues if cue.kind == "bound" for stem in self.stems[cue.start : cue.end]}
        bounds = bounds.difference(*map(self.pack.stem_list, names))
        said = (isinstance(one, Literal) and kind_of(one) != "text" and one.value in bounds for one in values)
        return not chosen and all(said)

    def _broken(self, graph: QueryGraph, names: Iterable[str], result: ResultSet | None) -> tuple[Cue, ...]:
        if not self.cues:
            return ()
        does = _Operators(graph)
        bounds = [cue for cue in self.cues if cue.kind == "bound"]
        nots = [cue for cue in self.cues if cue.kind == "negation"]
        within = {at for cue in nots for at in range(cue.start + 1, cue.end + 1)}
        negations = len({cue.start for cue in nots} - within)  # "do no not have" says one, and "still alive"
        ends = {cue.function for cue in self.cues if cue.kind == "superlative"}
        rivals = [cue.function for cue in self.cues if cue.kind == "than"]
        too_few = {
            "superlative": ends.issuperset(_ENDS) and len(does.functions.intersection(_ENDS)) == 1,
            "than": len(rivals) > does.compared + (does.alike if "=" in rivals else 0),
            "bound": len(bounds) > does.bounds or sum(bool(cue.function) for cue in bounds) > does.limits,
            "negation": negations > does.negations and not does.offers,
        }
        asked = [cue for cue in self.cues if too_few.get(cue.kind) or not _HONOURS[cue.kind](does, cue)]
        if not asked:
            return ()
        called = [frozenset(self.pack.stem_list(name)) for name in names]
        parts = frozenset().union(*called)
        one = self.of_one if result is not None and len(result.rows) > 1 else ()
        named = [cue for cue in asked if self._is_named(cue, called, parts)]
        return tuple(cue for cue in asked if cue not in named or (cue.kind == "aggregate" and cue.start in one))

    def _is_named(self, cue: Cue, called: Sequence[frozenset[str]], parts: frozenset[str]) -> bool:
        """Return whether words that ask for an operator are part of names, or all that is one: Monday, on Monday."""
        said = frozenset(self.stems[cue.start : cue.end])
        if cue.kind == "bound" and (years := set(filter(_YEAR.fullmatch, said))) and years <= parts:
            return True  # in 2022, of the season 2022
        beside = {self.stems[at] for at in (cue.start - 1, cue.end) if -1 < at < len(self.stems)}
        if cue.kind == "either" and any(beside <= name for name in called):
            return True  # authors or tutors, of the class "authors and tutors"
        counts = cue.kind == "than" or not said.isdisjoint(self.pack.number_words)
        whole = not counts and any(name < said and said - name <= self.function_words for name in called if name)
        return whole or said <= parts


def _of_operators(operators: Sequence[Operator], analysis: Analysis, pack: Pack) -> Iterator[Cue]:
    counted = [range(one.start, one.end) for one in operators if one.kind == "count"]
    for one in operators:
        match one.kind:
            case "superlative":
                noun = one.end < len(analysis.words) and not analysis.words[one.end].empty
                first = noun and pack.ordinals.get(analysis.words[one.start].folded) == 1
                end = "" if one.counted else ("MIN", "MAX")[one.descending]
                yield Cue("superlative", one.start, one.end, end, counts=first)
            case "order" | "sort":
                yield Cue("order", one.start, one.end)
            case "aggregate":
                within = any(one.start in words and one.end - 1 in words for words in counted)
                yield Cue("aggregate", one.start, one.end, one.function, counts=within)
            case "each":
                yield Cue("each", one.start, one.end, "COUNT" if counted else "")
            case "beside":
                yield Cue("beside", one.start, one.end)
            case "not":
                yield Cue("negation", one.start, one.end)
            case "or" | "both":
                yield Cue("either" if one.kind == "or" else "both", one.start, one.end)


def _of_all(analysis: Analysis, pack: Pack) -> Iterator[Cue]:
    """Yield the words that say that something holds of all things, or of nothing else: whether all are, who has all."""
    keys = [pack.key(word.text) for word in analysis.words]
    asks = analysis.answer_type == "boolean"
    for at, end, _ in pack.forms["every"].all(keys) if analysis.order is None else ():
        before = analysis.words[at - 1] if at and not analysis.words[at - 1].empty else None
        has = before and analysis.language == "en" and is_often(before.folded, "v")
        told = any(not word.empty for word in analysis.words[: at - 1]) or pack.expected.longest(keys, 0) is not None
        has = has and told  # and not "please fetch all"
        if (before or at <= 1) if asks else (has and pack.forms["each"].longest(keys, at) is None):
            yield Cue("every", at, end)  # and not "of all"
    yield from (Cue("every", at, end) for at, end, _ in pack.forms["everything"].all(keys) if asks)
    which = 1 in analysis.asked or bool(analysis.expected - {"number", "date"})  # and not the average in all banks
    for at, end, _ in pack.forms["throughout"].all(keys) if which and analysis.order is None else ():
        if end < len(keys) and not analysis.words[end].empty:
            yield Cue("every", at, end)
    for at, end, _ in pack.forms["only"].all(keys):
        if at and pack.forms["ask"].longest(keys, at - 1) is None:
            yield Cue("every", at, end)


def _is_of_kind(result: ResultSet, expected: frozenset[Expected], pack: Pack, moment: Moment | None) -> bool:
    """Return whether the first row of a result has what a question word asks for, as far as values tell."""
    if not result.rows or not expected:
        return True
    values = [term for term in result.rows[0] if term is not None]
    if expected == {"place"}:
        return any(not isinstance(one, Literal) or kind_of(one) != "date" for one in values)
    if expected <= {"person", "organisation"}:
        told = (one for one in values if not (isinstance(one, Literal) and one.datatype == XSD + "boolean"))
        return not values or any(not isinstance(one, Literal) or kind_of(one) == "text" for one in told)
    if not expected <= {"number", "date"}:
        return True
    if "date" in expected:
        return gives_time(result, pack, moment)
    return any(isinstance(one, Literal) and (kind_of(one) == "number" or one.datatype in SPANS) for one in values)


def gives_time(result: ResultSet, pack: Pack, moment: Moment | None = None) -> bool:
    """Return whether a value of the first row of a result is a time, or has a year in it, and a part if one is told."""
    values = [term.value for term in result.rows[0] if term is not None] if result.rows else []
    times = [one if _YEAR.search(one) else names_time(one, pack) for one in values]
    return any(one and (not moment or not _DATED.fullmatch(one) or _PARTS[moment].search(one)) for one in times)


def has_idle_parts(graph: QueryGraph) -> bool:
    """Return whether a part of a query only tells whether it gives anything, or says again what holds anyway.

    Variables connect parts with what is given, and so do values of one relation of one thing. Named things connect
    nothing: who teaches at a school, and that some lesson there is on Monday. And a way from or to a named thing is not
    gone again beside what is asked for: what a director made, and that the director of it was born before 1970. Of each
    thing there is one. Yes or no is of named things alone: that somebody was born there, and not on some day.
    """
    if any(one.of in graph.groups for one in patterns.nodes(graph.columns, Aggregate)):
        return True
    parts: list[set[object]] = []
    for part in graph.where:
        if isinstance(part, NegatedPart):
            continue  # what is not there connects nothing
        parts.append({*patterns.nodes(part, Variable)})
        if isinstance(part, EdgePattern) and not isinstance(part.subject, Variable):
            parts[-1].add((part.subject, part.relation))
    reached: set[object] = {*patterns.nodes((graph.columns, graph.groups), Variable)}
    while found := [one for one in parts if not one.isdisjoint(reached) and not one <= reached]:
        reached = reached.union(*found)
    if graph.ask:
        edges = [one for one in graph.where if isinstance(one, EdgePattern) and one.relation != IRI(RDF_TYPE)]
        named = {end for one in edges for end in (one.subject, one.object) if isinstance(end, IRI)}
        used = Counter[QueryTerm](patterns.nodes(graph.where, Variable))
        return len(named) > 1 and any(used[end] == 1 for one in edges for end in (one.subject, one.object))
    connected = all(one <= reached or not any(isinstance(term, Variable) for term in one) for one in parts)
    return not connected or _goes_twice(graph)


def _goes_twice(graph: QueryGraph) -> bool:
    """Return whether a way from or to a named thing is gone again, to what is not asked for or from what is."""
    edges, asked = [part for part in graph.where if isinstance(part, EdgePattern)], terms(graph.columns)
    free = {*patterns.nodes(graph.where, Variable)}.difference(asked)
    named = {(one.subject, one.relation) for one in edges if isinstance(one.object, IRI)}
    to = {(one.object, one.relation) for one in edges if isinstance(one.subject, IRI) and one.object in asked}
    again = any(one.object in free and (one.subject, one.relation) in named for one in edges)
    return again or any(one.subject in free and (one.object, one.relation) in to for one in edges)


def says_twice(graph: QueryGraph) -> bool:
    """Return whether a query says of something that it has what it has by another part: a coach, and a coach."""
    edges = [part for part in graph.where if isinstance(part, EdgePattern)]
    used = Counter(term for one in edges for term in (one.subject, one.object))
    used.update(
        terms((graph.columns, graph.groups, *(part for part in graph.where if not isinstance(part, EdgePattern))))
    )
    ways = Counter((one.subject, one.relation) for one in edges)
    idle = (one for one in edges if isinstance(one.object, Variable) and used[one.object] == 1)
    return any(ways[one.subject, one.relation] > 1 for one in idle)


class _Operators:
    """What a query does with the things that it speaks of."""

    def __init__(self, graph: QueryGraph) -> None:
        self.sorted = bool(graph.order and (graph.groups or not graph.is_aggregated)) and not graph.is_sliced
        self.columns = len(graph.variables)
        self.keyed = self.columns > 1 and not all(isinstance(one, patterns.Computed) for one in graph.columns)
        self.asks = graph.ask
        self.apart = terms(tuple(patterns.nodes(graph, NegatedPart)))  # not Italy, nor what borders it: one
        self.apart += [one.subject for one in patterns.nodes(graph.where, EdgePattern)]  # it is not as tall as itself
        self.chooses = self.grouped = self.offers = self.chosen = self.excludes = self.is_one = False
        self.functions: set[str] = set()
        self.counts = graph.counts is not None  # in total, which sums up nothing
        self.bounds = self.limits = self.negations = self.compared = 0
        self.whole = graph
        self.idle: set[QueryTerm] = set()  # values of one named thing, whose greatest chooses among no things
        for part in patterns.nodes(graph, object):
            self._note(part)
        ends = Counter((one.relation, one.object) for one in patterns.nodes(graph.where, EdgePattern))
        self.alike = sum(of > 1 and isinstance(end, Variable) for (_, end), of in ends.items())  # one of both

    def _note(self, value: object) -> None:
        match value:
            case QueryGraph():
                edges = [part for part in value.where if isinstance(part, EdgePattern)]
                own = {one.object for one in edges}  # of named things alone
                own -= {one.object for one in edges if isinstance(one.subject, Variable)}
                by = [one.key for one in value.order if one.key not in own.difference(value.variables)]
                self.chooses |= value.is_sliced and bool(by)
                self.grouped |= bool(value.groups)
                if value is not self.whole:
                    self.idle |= own
            case Aggregate(function, of) if function not in ("MAX", "MIN") or of not in self.idle:
                self.functions.add(function)
            case NegatedPart() | patterns.Not() | Exists(negated=True):
                self.negations += 1
                self.excludes = True
            case patterns.Comparison():
                self.negations += value.sign == "!=" and value.right not in self.apart
                values = (one.value for one in terms(value) if not isinstance(one, Variable))
                self.bounds += any(letter.isdigit() for one in values for letter in one)
                self.is_one |= value.sign == "=" and value.right == number(1)
                self.limits += value.sign not in ("=", "!=")
                self.compared += not any(isinstance(side, Literal) for side in (value.left, value.right))
            case patterns.Arithmetic(left=Variable() | Call(arguments=(Call("STR"),)), sign="-"):
                self.compared += 1
            case patterns.OneOf():
                self.chosen |= not value.negated
                self.negations += value.negated
                self.bounds += 1
                self.offers = True
            case patterns.Union() | patterns.Logic(sign="||"):
                self.offers = True
            case Values() | patterns.GraphPart() | EdgePattern(object=Literal()):
                self.bounds += 1
                self.offers |= isinstance(value, Values) and len(value.rows) > 1
                self.negations += isinstance(value, EdgePattern) and str(value.object).lower() in UNTRUE
            case Call(function="STRSTARTS" | "SUBSTR"):
                self.bounds += value.function == "STRSTARTS"  # and what a part of a text is compared with counts itself
                self.limits += 1


_HONOURS: Final[dict[CueKind, Callable[[_Operators, Cue], bool]]] = {
    "superlative": lambda does, cue: (
        does.chooses or not does.functions.isdisjoint(_ENDS) or does.sorted or (cue.counts and does.is_one)
    ),
    "order": lambda does, _: does.sorted,
    "aggregate": lambda does, cue: (
        cue.function in does.functions
        or (cue.function, does.counts) == ("SUM", True)
        or (cue.counts and "COUNT" in does.functions)
    ),
    "bound": lambda does, _: does.bounds > 0,
    "than": lambda does, cue: does.compared > 0 or (cue.function == "=" and does.alike > 0),
    "each": lambda does, cue: (
        does.grouped
        or does.keyed
        or not (cue.function or does.functions or does.chooses or (cue.start == 0 and does.columns == 1))
    ),
    "every": lambda does, _: does.excludes,
    "negation": lambda does, _: does.negations > 0,
    "either": lambda does, _: does.offers or does.asks or does.negations > 0,
    "both": lambda does, _: not does.chosen,
    "beside": lambda does, _: does.columns > 1,
    "kind": lambda *_: False,
}
