"""Meanings: what else a question may mean, each with what it gives, where none is clearly the best.

A reading whose query has just one term in place of another is told by these: it is what the answer assumes, such as the
relation by which the greatest is taken, or which of several things of one name is meant.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from triad import sparql
from triad.answers import CLEAR_LEAD, Answer, Reading
from triad.errors import GraphError
from triad.language.normalize import fold
from triad.lexical.candidates import CandidateQuery
from triad.lexical.choice import result_key
from triad.phases import answering
from triad.phases.context import Context
from triad.phases.homonyms import names_apart
from triad.queries.questions import Questions
from triad.rdf import IRI, ResultSet, Term
from triad.sparql import QueryGraph
from triad.sparql.patterns import Variable
from triad.text import one_line

OFFERED: Final = 3
"""How many readings beside the answer, and names like some words, are offered at most."""


@dataclass(frozen=True, slots=True)
class Rival:
    """A query that a question may mean in place of the one that answered it."""

    tree: QueryGraph
    result: ResultSet
    """What it found."""
    likely: float
    """How likely it is meant, as the confidence of the answer says of its own."""


def offered(context: Context, answer: Answer, tree: QueryGraph, rivals: Iterable[Rival]) -> tuple[Reading, ...]:
    """Return what a question may mean as well as what a query answered, the likeliest first, each answer once."""
    with suppress(GraphError):  # an answer is of use without them
        if near := _near(answer, rivals):
            with context.look_around("what else may be meant, in words"):
                return tuple(_told(context, answer, tree, near))
    return ()


def _near(answer: Answer, rivals: Iterable[Rival]) -> list[Rival]:
    """Return the queries that give something else and are not clearly less likely, the likeliest first."""
    found: dict[object, Rival] = {}
    for one in sorted(rivals, key=lambda rival: -rival.likely):
        if not one.result.is_empty and answer.confidence - one.likely <= CLEAR_LEAD:
            found.setdefault(result_key(one.result), one)
    found.pop(result_key(answer.result), None)
    return [*found.values()]


def _told(context: Context, answer: Answer, tree: QueryGraph, rivals: Sequence[Rival]) -> Iterator[Reading]:
    """Yield queries as questions with their answers; those are left out that nobody would ask in a sentence."""
    names = _names(context, [tree, *(one.tree for one in rivals)])
    asking = Questions(context.schema, context.profile, context.question.language)
    prefixes = {**sparql.PREFIXES, **context.graph.prefixes}
    texts, answers = {fold(context.question.text)}, {answer.text}
    for one in rivals:
        values = [row[0] for row in one.result.rows if row[0] is not None]
        text = one_line(asking.of(one.tree, values, names) or "")
        line = answering.in_short(context, one.tree, one.result)
        if not text or fold(text) in texts or line in answers or len(answers) > OFFERED:
            continue
        texts.add(fold(text))
        answers.add(line)
        taken = ", ".join(names.get(term.value, term.value) for term in assumed(context, tree, one.tree))
        yield Reading(text, line, sparql.write(one.tree, prefixes), one_line(taken))


def assumed(context: Context, tree: QueryGraph, other: QueryGraph) -> tuple[Term, ...]:
    """Return the term, or the things of one name, that another query has others for; none if they differ in more."""
    gone, new = _only(tree, other), _only(other, tree)
    if len(gone) == len(new) == 1:
        return gone if sparql.substituted(_unnamed(tree), {gone[0]: new[0]}) == _unnamed(other) else ()
    iris = [one.value for one in (*gone, *new) if isinstance(one, IRI)]
    if not (gone and new and len(iris) == len(gone) + len(new)):
        return ()
    return gone if len(set(map(fold, context.schema.labels(iris).values()))) == 1 else ()


def _only(tree: QueryGraph, other: QueryGraph) -> tuple[Term, ...]:
    """Return the terms that a query has and another one has not."""
    others = set(sparql.terms(other))
    return tuple(dict.fromkeys(t for t in sparql.terms(tree) if not isinstance(t, Variable) and t not in others))


def _unnamed(tree: QueryGraph) -> QueryGraph:
    """Return a query with numbers for names of variables, in the order of the text."""
    names = dict.fromkeys(sparql.nodes(tree, Variable))
    return sparql.substituted(tree, {one: Variable(f"v{at}") for at, one in enumerate(names)})


def _names(context: Context, trees: Iterable[QueryGraph]) -> Mapping[str, str]:
    """Return the names of all that queries name, with what tells things of one name apart."""
    terms = (term for tree in trees for term in sparql.terms(sparql.plain(tree)))
    names = context.schema.labels(term.value for term in terms if isinstance(term, IRI))
    return {**names, **names_apart(context, names)}


def are_namesakes(one: CandidateQuery, other: CandidateQuery) -> bool:
    """Return whether two candidates say the same of other things of the same names."""
    things = [{(fold(each.candidate.label), each.candidate.iri) for each in it.node.mentions} for it in (one, other)]
    names = [sorted(name for name, _ in named) for named in things]
    relations = [[edge.relation for edge in it.node.edges] for it in (one, other)]
    return things[0] != things[1] and names[0] == names[1] and relations[0] == relations[1]
