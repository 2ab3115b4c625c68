"""What the words of a question became: for each phrase the part of the query that it stands for, to be read by people.

Names are told by what they were taken for, operators by what the query does where the contract asks for them. It is
told of the query itself, whichever way the question was read.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from triad.answers import WordKind, WordUse
from triad.kg.schema import Schema
from triad.language.analysis import Analysis, load_pack
from triad.language.glossary import Glossary
from triad.language.mentions import runs
from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.lexical.asked_units import asked_units
from triad.lexical.candidates import CandidateQuery
from triad.lexical.contract import Contract, Cue, CueKind
from triad.lexical.mention_detection import LinkedMention
from triad.queries.in_words import FUNCTIONS, SIGNS, QueryNames
from triad.rdf import IRI, Literal, kind_of
from triad.search.base import CLOSE
from triad.sparql import patterns
from triad.sparql.patterns import Aggregate, Arithmetic, Comparison, EdgePattern, NegatedPart, Values, Variable, nodes
from triad.sparql.query_graph import Order, QueryGraph
from triad.text import one_line

WordRange = tuple[int, int]
"""Positions of the first word and after the last one."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words, and what they became."""

    positions: frozenset[int]
    kind: WordKind
    became: str = ""


def left_out(
    analysis: Analysis, candidate: CandidateQuery | None, without: frozenset[int] = frozenset()
) -> list[WordRange]:
    """Return the runs of content words that a candidate query does not account for."""
    covered = without | (candidate.node.covered | candidate.positions if candidate else frozenset())
    covered = covered.union(*(_spoken(analysis, one) for one in candidate.node.mentions) if candidate else ())
    left = analysis.content(covered | analysis.used)
    return list(runs(at in left for at in range(len(analysis.words))))


def _spoken(analysis: Analysis, mention: LinkedMention) -> frozenset[int]:
    """Return the words for a thing: those of its name that stand before those by which it was found, too."""
    name, start = fold(mention.candidate.label).split(), mention.start
    while start and analysis.words[start - 1].folded in name:
        start -= 1
    return mention.positions.union(range(start, mention.start))


def ignored_words(analysis: Analysis, candidate: CandidateQuery) -> tuple[str, ...]:
    """Return the words of a question that nothing in a candidate query accounts for, neighbours together."""
    return tuple(dict.fromkeys(analysis.said(*span) for span in _ignored(analysis, candidate)))


def _ignored(analysis: Analysis, candidate: CandidateQuery) -> list[WordRange]:
    return sorted({*left_out(analysis, candidate), *((cue.start, cue.end) for cue in candidate.broken)})


def word_uses(
    analysis: Analysis, candidate: CandidateQuery, schema: Schema, glossary: Glossary | None = None
) -> tuple[WordUse, ...]:
    """Return what the words of a question became in a candidate query, in their order."""
    ignored = _ignored(analysis, candidate)
    gone = frozenset(at for span in ignored for at in range(*span))
    told = _Query(candidate, schema, load_pack(analysis.language), glossary or Glossary())
    phrases: list[_Phrase] = []
    for one in chain(told.operators(analysis), told.names(analysis)):
        if not one.positions <= gone:
            _join(phrases, one)
    known = analysis.used.union(gone, *(one.positions for one in phrases))
    for at in analysis.content(known) if phrases else ():  # which only further tell what others became
        near = min(phrases, key=lambda one: (min(abs(place - at) for place in one.positions), one.kind != "operator"))
        phrases[phrases.index(near)] = _Phrase(near.positions | {at}, near.kind, near.became)
    phrases += [_Phrase(frozenset(range(*span)), "left_out") for span in ignored]
    phrases.sort(key=lambda one: min(one.positions))
    apart = ((one, runs(at in one.positions for at in range(len(analysis.words)))) for one in phrases)
    said = ((one, " … ".join(analysis.said(*span) for span in spans)) for one, spans in apart)
    return tuple(dict.fromkeys(WordUse(words, one.kind, one_line(one.became)) for one, words in said))


def _join(phrases: list[_Phrase], one: _Phrase) -> None:
    """Add what words became; what is told with the words beside it, or of the same words, is told once."""
    for at, other in enumerate(phrases):
        beside = min(one.positions) <= max(other.positions) + 1 and min(other.positions) <= max(one.positions) + 1
        if other.became.endswith(one.became) and (beside or one.positions <= other.positions):
            phrases[at] = _Phrase(other.positions | one.positions, other.kind, other.became)
            return
        if other.positions == one.positions and "instead" not in (one.kind, other.kind):
            phrases[at] = _Phrase(one.positions, other.kind, f"{other.became}, {one.became}")
            return
    phrases.append(one)


class _Query(QueryNames):
    """Tells in words what a candidate query does."""

    def __init__(self, candidate: CandidateQuery, schema: Schema, pack: Pack, glossary: Glossary) -> None:
        super().__init__(candidate.graph, schema.labels, pack, glossary.defined, (one.iri for one in candidate.named))
        self.candidate = candidate

    # Names

    def names(self, analysis: Analysis) -> Iterator[_Phrase]:
        """Yield what the names of things, classes, relations and values became."""
        node = self.candidate.node
        said = {edge.relation for edge in node.edges if edge.match.positions}
        for mention in node.mentions:
            found, spoken = mention.candidate, _spoken(analysis, mention)
            name = found.matched or found.label
            relation = found.iri if found.kind == "literal" else self._relation_to(IRI(found.iri), said)
            kind: WordKind = "name" if found.score >= CLOSE else "instead"
            if kind == "instead" or not relation or relation in said:
                yield _Phrase(spoken, kind, name)
            else:
                yield _Phrase(_with_preposition(spoken, analysis), kind, self._value(relation, name))
        for one in self.candidate.named:
            shared = analysis.said(one.start, one.end) if one.part else ""  # words in names of some of a class
            text = shared if one.kind == "class" else one.text
            kind = "value" if text else "class"
            yield _Phrase(frozenset(one.positions), kind, self._value(one.defined or one.iri, text))
        kinds = node.kinds.positions or (self.candidate.positions if self.candidate.form == "ask" else frozenset())
        if not self.candidate.named and kinds:
            classes = ", ".join(dict.fromkeys(self.labels[one] for one in self.classes.values()))
            yield _Phrase(kinds, "class", classes or " ".join(analysis.words[at].text for at in sorted(kinds)))
        for edge in node.edges:
            if edge.match.positions:
                yield _Phrase(edge.match.positions, "relation", self.meanings.get(edge.relation, edge.label))

    def _value(self, relation: str, text: str) -> str:
        return ": ".join(filter(None, (self.labels.get(relation), text)))

    def _relation_to(self, thing: IRI, said: Iterable[str]) -> str:
        """Return the one relation to a thing that no words name; empty if there is none, or several."""
        ends = {thing, *{part.variables[0] for part in nodes(self.graph, Values) if (thing,) in part.rows}}
        compared = set(patterns.terms((*nodes(self.graph, Comparison, Order, Aggregate),)))
        near = ((relation, {edge.subject, edge.object}) for relation, edge in self.edges)
        implied = {relation for relation, both in near if ends & both and not compared & both}.difference(said)
        return implied.pop() if len(implied) == 1 else ""

    # Operators

    def operators(self, analysis: Analysis) -> Iterator[_Phrase]:
        """Yield what the words became that ask for operators, and that the query honours."""
        contract = Contract.of(analysis, self.pack)
        cues = [one for one in contract.cues if one not in self.candidate.broken]
        if analysis.answer_type == "count":
            cues += [Cue("aggregate", one.start, one.end, "COUNT") for one in contract.question_words]
        value = next(iter(self.graph.columns), None)
        per = next((f" / {one.right.value}" for one in nodes(value, Arithmetic) if isinstance(one.right, Literal)), "")
        for start, end, _ in asked_units(analysis, (), self.pack) if self.name(value) else ():
            yield _Phrase(frozenset(range(start, end)), "operator", f"{self.name(value)}{per}")
        for kind in dict.fromkeys(one.kind for one in cues):
            own = [one for one in cues if one.kind == kind]
            found = list(dict.fromkeys(filter(None, self._does(kind, own))))
            for at, cue in enumerate(own):
                if became := found[at] if len(found) == len(own) else ", ".join(found):
                    yield _Phrase(frozenset(range(cue.start, cue.end)), "operator", became)

    def _does(self, kind: CueKind, cues: Sequence[Cue]) -> Iterator[str]:
        """Yield what the query does of a kind, in words."""
        match kind:
            case "superlative":
                for key in nodes(self.graph, Order):
                    yield self.say("used_greatest" if key.descending else "used_least", key.key)
                for one in nodes(self.graph, Aggregate):
                    if one.function in ("MAX", "MIN"):
                        yield self.say("used_greatest" if one.function == "MAX" else "used_least", one.of)
            case "order":
                yield from (self.say("used_sorted", key.key) for key in self.graph.order[-1:])
            case "aggregate":
                yield from (self._aggregate(cue.function) for cue in cues)
            case "bound" | "than":
                for test in nodes(self.graph, Comparison):
                    sides = (test.left, test.right)
                    fixed = [one for one in sides if isinstance(one, Literal) and kind_of(one) != "text"]
                    if kind == "bound" and fixed:
                        yield f"{self.name(test.left)} {SIGNS.get(test.sign, test.sign)} {fixed[0].value}".strip()
                    elif kind == "than" and not any(isinstance(one, Literal) for one in sides):
                        yield f"{self.name(test.left)} {SIGNS.get(test.sign, test.sign)} …".strip()
                for apart in nodes(self.graph, Arithmetic) if kind == "than" else ():
                    if isinstance(apart.left, Variable):
                        yield f"{self.name(apart.left)} − …"
            case "each":
                yield from (self.say("used_each", key) for one in nodes(self.graph, QueryGraph) for key in one.groups)
            case "beside":
                yield from (self.say("used_column", one) for one in self.graph.variables[1:])
            case "negation":
                yield from (self._lacking() if cue.function else self.replies["used_not"] for cue in cues)

    def _lacking(self) -> str:
        absent = nodes(tuple(nodes(self.graph, NegatedPart)), EdgePattern)
        names = dict.fromkeys(self.labels[one.relation.value] for one in absent if isinstance(one.relation, IRI))
        return f"{self.replies['used_number'].format(what=', '.join(names))} = 0"

    def _aggregate(self, function: str) -> str:
        made = [one.of for one in nodes(self.graph, Aggregate) if one.function in (function, "COUNT")]
        return self.say(FUNCTIONS[function], made[0]) if made else self.name(next(iter(self.graph.variables), None))


def _with_preposition(positions: Iterable[int], analysis: Analysis) -> frozenset[int]:
    """Return words with the function words right before them, which say how they belong to the rest."""
    start = min(positions)
    while start and analysis.words[start - 1].empty and start - 1 not in analysis.used:
        start -= 1
    return frozenset(range(start, max(positions) + 1))
