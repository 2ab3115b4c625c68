"""Questions that a graph surely answers: about its classes, and those that an answer invites.

They are made of the schema by templates of the language's pack (`triad.language.asking`). For each of them the answer
is known, as the query is known that it was made with; only those are given that the solver answers so, and with
confidence. What is asked about a class is what its instances have, how many there are, and which have most of a measure
or a certain value. An answer invites to ask what else the things have that were asked about, what the things have that
it names, and what compares them with others of their class.
"""

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from triad import sparql
from triad.answers import MIN_CONFIDENCE, SURE, Answer
from triad.caching import cached_property
from triad.deadline import Deadline
from triad.errors import AnswerError, QuerySyntaxError, ServiceError
from triad.kg.cards import Hop
from triad.kg.guard import check
from triad.kg.profile import GraphProfile
from triad.kg.profiled import kind_of as kind_of_iri
from triad.kg.schema import DOCUMENTATION, Schema
from triad.language.normalize import fold
from triad.log import logger
from triad.queries.questions import Questions
from triad.questions import Question
from triad.rdf import IRI, NUMERIC, RDF_TYPE, BlankNode, Term, is_number, writable
from triad.text import quoted

T = TypeVar("T")

_NONE: Final = object()
_CLASSES: Final = 8  # classes that questions are made of
_TRIED: Final = 60  # questions
_TRIED_NEXT: Final = 12  # of those that an answer invites
_LISTED: Final = 10  # values of an answer
_THINGS: Final = 2  # things of a question, and of its answer, that more is asked about


@dataclass(frozen=True, slots=True)
class SureQuestion:
    """A question that the graph surely answers."""

    question: str
    answer: str
    """The answer in a line."""
    confidence: float


@dataclass(frozen=True, slots=True)
class _Made:
    """A question that was made, and its answer."""

    text: str
    expected: frozenset[object]


@dataclass(frozen=True, slots=True)
class _About:
    """What a question and its answer are about."""

    things: tuple[str, ...]  # IRIs of the things that the question names
    values: tuple[str, ...]  # IRIs of some of the things that are the answer
    classes: tuple[str, ...]  # IRIs of the classes of these, and of those that the question names
    relations: frozenset[str]  # IRIs of the relations that it asks for
    count: int  # how many things are the answer


@dataclass(eq=False)
class Suggestions:
    """Makes questions over a graph, and gives those that ``ask`` answers right and with confidence."""

    _schema: Schema
    _profile: GraphProfile | None
    _ask: Callable[[Question], Answer]
    _language: str
    _own: Sequence[str] = ()
    _time: Deadline = field(default_factory=Deadline)

    @cached_property
    def _questions(self) -> Questions:
        return Questions(self._schema, self._profile, self._language)

    @cached_property
    def own(self) -> tuple[Answer, ...]:
        """The answers to the questions of one's own, as far as they have one."""
        answers = []
        for text in self._own:
            if answer := self._answered(text):
                answers.append(answer)
            else:
                logger.warning("a question is not suggested, for it has no answer: {}", quoted(text))
        return tuple(answers)

    def of_classes(self, classes: Iterable[str], wanted: int, seconds: float) -> Iterator[SureQuestion]:
        """Yield questions of one's own, and then about classes; those first that have none below and most facts."""
        timed = replace(self, _time=Deadline(seconds))
        names = [one for one in classes if writable(one)]
        above = {one for name in names for one in self._schema.superclasses(name)}
        names.sort(key=lambda name: (name in above, -self._facts(name)))
        # Each class begins with another kind of question, so that there are some of each.
        made = _in_turns(timed._of_class(name, at) for at, name in enumerate(names[:_CLASSES]))
        yield from timed._found(self.own if wanted else (), made, wanted, _TRIED)

    def _facts(self, iri: str) -> int:
        """Return how much is said of the instances of a class."""
        known = self._profile.class_profile(iri) if self._profile else None
        return sum(use.things for use in known.outgoing) if known else 0

    def after(self, answer: Answer | str, wanted: int, seconds: float) -> tuple[SureQuestion, ...]:
        """Return questions that an answer or a thing invites; first those of one's own that name one of its things."""
        timed = replace(self, _time=Deadline(seconds))
        if isinstance(answer, Answer):
            about, asked = self._about(answer), fold(answer.question.text)
            known = _set_of(value.term for value in answer.values)
        else:
            about, asked, known = _About((answer,), (), (), frozenset(), 0), "", frozenset()
        if about is None:
            return ()
        others = ((one, self._about(one)) for one in self.own if fold(one.question.text) != asked)
        concerned = {*about.things, *about.values, *about.classes}
        own = [one for one, named in others if named and concerned & {*named.things, *named.classes}]
        made = (one for one in _in_turns(timed._invited(about)) if fold(one.text) != asked and one.expected != known)
        return (*timed._found(own, made, wanted, _TRIED_NEXT),)

    # What an answer is about

    def _about(self, answer: Answer) -> _About | None:
        try:
            tree = sparql.parse(answer.query or "")
        except QuerySyntaxError:
            return None
        stated = [(predicate, value) for _, predicate, value in sparql.triples(tree)]
        relations = {RDF_TYPE, *(str(one) for path, _ in stated for one in sparql.nodes(path, IRI))}
        classes = dict.fromkeys(str(end) for path, end in stated if str(path) == RDF_TYPE and isinstance(end, IRI))
        named = dict.fromkeys(one.value for one in sparql.nodes(tree, IRI))
        graph, profile = self._schema.graph, self._profile
        entities = [one for one in named if one not in relations and one not in classes]
        things = [one for one in entities[:_THINGS] if kind_of_iri(graph, one, profile) == "entity"]
        values = dict.fromkeys(value.term.value for value in answer.values if isinstance(value.term, IRI))
        shown = [one for one in values if writable(one)][:_THINGS]
        of_things = [self._questions.class_of(one) for one in ([*shown, *things] if answer.variables else things)]
        every = dict.fromkeys([*(one for one in of_things if one), *classes])
        return _About(tuple(things), tuple(shown), tuple(every), frozenset(relations), len(values))

    def _invited(self, about: _About) -> Iterator[Iterator[_Made]]:
        for thing in about.things[:1]:
            yield self._of_thing(thing, about.relations)
        if about.count <= _THINGS or not about.things:
            for value in about.values[:1]:
                yield self._of_thing(value, frozenset())
        classes = about.classes[:_THINGS]
        compared = itertools.chain.from_iterable(self._compared(iri, about) for iri in classes)
        yield filter(None, itertools.chain(compared, map(self._count, classes)))

    def _compared(self, iri: str, about: _About) -> Iterator[_Made | None]:
        hops = self._hops(self._schema.class_card(iri, brief=True))
        numbers = [hop for hop in hops if is_number(hop.sample)]
        numbers.sort(key=lambda hop: hop.relation not in about.relations)
        shared = [hop for hop in hops if hop.relation in about.relations]
        return _in_turns([(self._most(iri, hop) for hop in numbers), self._having(iri, shared, about.values)])

    # What is asked

    def _of_class(self, iri: str, first: int) -> Iterator[_Made]:
        hops = self._hops(self._schema.class_card(iri, brief=True))
        numbers = [hop for hop in hops if is_number(hop.sample)]
        others = [hop for hop in hops if hop not in numbers]
        others.sort(key=lambda hop: self._questions.asking.plainness(hop.label))
        known = self._profile.class_profile(iri) if self._profile else None
        things = self._known_things(iri) if known is None or 2 * known.named > known.instances else []
        kinds: list[Iterator[_Made | None]] = [
            (self._value(thing, hop) for thing, hop in zip(things, [*others, *numbers], strict=False)),
            self._over_others(things[::-1], others),
            (self._most(iri, hop) for hop in numbers),
            self._having(iri, others),
            self._having(iri, others[1:], count=True),
            (self._most(iri, *pair) for pair in itertools.product(numbers, others)),
            map(self._count, [iri]),
        ]
        first %= len(kinds) - 1
        return filter(None, _in_turns(kinds[first:-1] + kinds[:first] + kinds[-1:]))

    def _of_thing(self, thing: str, without: Collection[str]) -> Iterator[_Made]:
        """Yield questions for what a thing has, those first that are asked in words of their own."""
        hops = [hop for hop in self._hops(self._schema.card(thing)) if hop.relation not in without]
        hops.sort(key=lambda hop: self._questions.asking.plainness(hop.label))
        return filter(None, (self._value(thing, hop) for hop in hops))

    def _hops(self, card: Iterable[Hop]) -> list[Hop]:
        names = self._schema.label_properties
        hops = [hop for hop in card if hop.direction == "out" and writable(hop.relation) and hop.relation not in names]
        hops = [hop for hop in hops if not hop.relation.startswith(DOCUMENTATION) and hop.relation != RDF_TYPE]
        return sorted(hops, key=lambda hop: -hop.coverage)

    def _known_things(self, iri: str) -> list[str]:
        """Return the things of a class that most is said of; some, if a quarter of the time does not tell which."""
        some = f"SELECT DISTINCT ?x {{ {self._instances(iri)} FILTER(isIRI(?x)) }} LIMIT {_LISTED}"
        found = self._asked(self._schema.best_known(iri, _LISTED), self._time.left / 4) or self._asked(some)
        return [one.value for one in found if isinstance(one, IRI) and writable(one.value)]

    def _value(self, thing: str, *hops: Hop) -> _Made | None:
        """Return the question for what a thing has, or for what that has in turn."""
        path = " . ".join(f"?v{at} <{hop.relation}> ?v{at + 1}" for at, hop in enumerate(hops))
        where = path.replace("?v0 ", f"<{thing}> ")
        return self._made(f"SELECT DISTINCT ?v{len(hops)} {{ {where} }} LIMIT {_LISTED + 1}")

    def _over_others(self, things: Iterable[str], hops: Iterable[Hop]) -> Iterator[_Made | None]:
        """Yield questions for what those have that things are connected with."""
        for thing, hop in zip(things, (hop for hop in hops if hop.classes), strict=False):
            nexts = self._hops(self._schema.class_card(hop.classes[0], brief=True))
            nexts.sort(key=lambda one: self._questions.asking.plainness(one.label))
            if len(self._asked(f"SELECT ?v {{ <{thing}> <{hop.relation}> ?v }} LIMIT 2")) == 1:
                yield next(filter(None, (self._value(thing, hop, one) for one in nexts[:_THINGS])), None)

    def _count(self, iri: str) -> _Made | None:
        return self._made(f"SELECT (COUNT(DISTINCT ?x) AS ?n) {{ {self._instances(iri)} }}")

    def _most(self, iri: str, hop: Hop, *further: Hop) -> _Made | None:
        """Return the question for the one with most of a measure, or for what that one has."""
        has = f"{self._instances(iri)} . ?x <{hop.relation}> ?m"
        most = f"{has} {{ SELECT (MAX(?m) AS ?most) {{ {has} }} }} FILTER(?m = ?most)"
        if len(self._asked(f"SELECT DISTINCT ?x {{ {most} }} LIMIT 2")) != 1:
            return None  # it asks for one
        path = "".join(f"?x <{one.relation}> ?v" for one in further)
        return self._made(f"SELECT DISTINCT {'?v' if further else '?x'} {{ {most} {path} }} LIMIT {_LISTED + 1}")

    def _having(
        self, iri: str, hops: Iterable[Hop], values: Iterable[str] = (), *, count: bool = False
    ) -> Iterator[_Made | None]:
        """Yield questions for the instances of a class that share a value: one of some things, or a frequent one."""
        for hop in hops:
            profile = self._profile.relation_profile(hop.relation) if self._profile else None
            frequent = [one.term for one in profile.values if 1 < one.count <= _LISTED] if profile else []
            for term in [*map(IRI, values)] or frequent[:1]:
                having = f"{{ {self._instances(iri)} . ?x <{hop.relation}> {term.n3()} }}"
                what = "(COUNT(DISTINCT ?x) AS ?n)" if count else "DISTINCT ?x"
                yield self._made(f"SELECT {what} {having} LIMIT {_LISTED + 1}", least=1 if count else 2)

    def _made(self, query: str, *, least: int = 1) -> _Made | None:
        """Return the question that a query answers, if it can be asked and the answer is neither too short nor long."""
        values = self._asked(query)
        if not least <= len(values) <= _LISTED or any(isinstance(one, BlankNode) for one in values):
            return None
        text = self._questions.of(sparql.parse(query).explicit(), values)
        return _Made(text, _set_of(values)) if text else None

    def _asked(self, query: str, seconds: float = math.inf) -> list[Term]:
        """Return the first column that a query gives; nothing if that takes longer, where it can be stopped."""
        graph, left = self._schema.graph, min(seconds, self._time.left)
        try:
            self._time.check("the search for questions")
            # What takes long can be stopped in another process alone, for which those who ask wait, too.
            apart = graph.in_process and seconds < math.inf
            found = graph.select(check(query), timeout=left) if apart else graph.limited(left).lookup(query)
        except ServiceError:
            return []
        return [term for term in found.column(found.variables[0]) if term is not None]

    def _instances(self, iri: str) -> str:
        return self._schema.instance_pattern("?x", iri)

    # What is sure

    def _found(self, own: Sequence[Answer], made: Iterable[_Made], wanted: int, tries: int) -> Iterator[SureQuestion]:
        """Yield one's own questions, then those that are answered right and with confidence, while there is time."""
        yield from map(_sure, own[:wanted])
        wanted -= len(own)
        texts = {fold(one.question.text) for one in own}
        most = len(texts) + tries
        for one in made:
            if wanted <= 0 or len(texts) == most or self._time.expired:
                return
            if fold(one.text) in texts:
                continue
            texts.add(fold(one.text))
            if answer := self._answered(one.text, one.expected):
                wanted -= 1
                yield _sure(answer)

    def _answered(self, text: str, expected: frozenset[object] | None = None) -> Answer | None:
        """Return the answer to a question; where one is expected, only that one, if it is given with confidence."""
        try:
            answer = self._ask(Question(text, self._language))
        except (AnswerError, ServiceError):
            return None
        if expected is None:
            return answer if answer.confidence >= MIN_CONFIDENCE else None
        right = _set_of(value.term for value in answer.values) == expected
        return answer if right and answer.confidence >= SURE else None


def _sure(answer: Answer) -> SureQuestion:
    return SureQuestion(answer.question.text, answer.text, answer.confidence)


def _in_turns(rows: Iterable[Iterable[T]]) -> Iterator[T]:
    """Yield the first of each, then the second of each, and so on."""
    for row in itertools.zip_longest(*rows, fillvalue=_NONE):
        yield from (one for one in row if one is not _NONE)  # type: ignore[misc]


def _set_of(terms: Iterable[Term]) -> frozenset[object]:
    return frozenset(
        round(term.number or 0.0, 6) if is_number(term) and term.datatype in NUMERIC else str(term) for term in terms
    )
