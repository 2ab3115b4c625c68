"""Breaches: words of a question that a query of the search takes for something else than they say.

The very name of something, taken for that of something else; films that are asked for, where cinemas are given; who is
said to do what to whom, the other way round. A query with such words is a guess.
"""

from collections import Counter
from collections.abc import Iterator

from triad.language.analysis import Analysis
from triad.language.pack import load_pack
from triad.language.tokens import Sentence
from triad.lexical.asked_units import absolute_shares
from triad.lexical.candidates import CandidateQuery
from triad.lexical.composition import schema_names
from triad.lexical.composition.strays import begun
from triad.lexical.contract import Cue
from triad.lexical.mention_detection import LinkedQuestion
from triad.lexical.narrowing import narrowing
from triad.lexical.voice import is_deed, is_turned
from triad.lexical.word_uses import left_out
from triad.rdf import IRI, Literal, ResultSet
from triad.search.base import CLOSE
from triad.sparql.patterns import Aggregate, nodes


def breaches(asked: LinkedQuestion, candidate: CandidateQuery, result: ResultSet) -> Iterator[Cue]:
    """Yield the words that a query takes for something else than they say.

    Raises:
        GraphError: The graph failed.
    """
    analysis = asked.analysis
    close = [one for one in asked.mentions if one.candidate.score >= CLOSE]
    exact, covered = {(one.start, one.end) for one in close}, candidate.node.covered | candidate.positions
    poor = (one for one in candidate.node.mentions if one.candidate.score < CLOSE)
    taken = [one for one in poor if (one.start, one.end) in exact]  # very names, taken for those of something else
    if candidate.answer_type == "boolean":  # it would say the same of anything
        taken += [one for one in close if not one.inside and covered.isdisjoint(one.positions)]
    yield from (Cue("kind", one.start, one.end) for one in taken)
    yield from _owners(candidate, analysis)
    yield from _turned(asked, candidate)
    yield from _unmeasured(candidate, analysis, result)
    yield from _astray(asked, candidate, result)
    if analysis.both:
        given = {term.value for row in result.rows for term in row if isinstance(term, IRI)}  # others are asked for
        again = (one for one in candidate.node.mentions if one.candidate.iri in given)
        yield from (Cue("kind", one.start, one.end) for one in again)
    if asked.context.profile is not None:
        yield from absolute_shares(candidate.graph, analysis, asked.context.profile, load_pack(analysis.language))
    steps = Counter(edge.relation for edge in candidate.node.edges)
    shared = candidate.answer_type != "boolean" or all(number > 1 for number in steps.values())
    named = any(one.candidate.score >= CLOSE for one in candidate.node.mentions)
    if analysis.same and not (named and shared):  # each has the same as itself; what leads to another one is not shared
        yield Cue("kind", 0, 1)


def narrows(asked: LinkedQuestion, candidate: CandidateQuery) -> bool:
    """Return whether words that a candidate leaves out say which things are meant.

    What the classes of its things are called is no such word: "the chemical symbol" of a chemical element.
    """
    analysis = asked.analysis
    pack = load_pack(analysis.language)
    types = {iri for one in candidate.node.mentions for iri in one.candidate.types}
    called = {stem for label in asked.context.schema.labels(types).values() for stem in pack.stem_list(label)}
    left = (at for span in left_out(analysis, candidate) for at in range(*span))
    return any(narrowing(analysis, [at for at in left if analysis.words[at].stem not in called], pack))


def _unmeasured(candidate: CandidateQuery, analysis: Analysis, result: ResultSet) -> Iterator[Cue]:
    """Yield the words of "how heavy", "how many players" where a query gives numbers that no word asks for."""
    if any(edge.match.positions for edge in candidate.node.edges[-1:]):
        return
    sentence = Sentence(analysis.text, load_pack(analysis.language))
    for _, end in sentence.all("how"):
        at = sentence.skip_empty(end, 2)
        if at not in candidate.node.covered and sentence.pack.plain.longest(sentence.stems, at):
            yield Cue("kind", at, at + 1)
    number = result.rows and isinstance(result.rows[0][0], Literal)
    if analysis.answer_type == "count" and analysis.asked and number and not any(nodes(candidate.graph, Aggregate)):
        yield Cue("kind", min(analysis.asked), max(analysis.asked) + 1)


def _owners(candidate: CandidateQuery, analysis: Analysis) -> Iterator[Cue]:
    """Yield the noun that is asked for where a query gives what has one: the clubs of captains."""
    for one in candidate.node.edges[-1:]:
        asked = one.match.fit >= CLOSE and one.match.positions and one.match.positions <= analysis.asked
        if asked and not one.forward and one.label.split()[-1] not in load_pack(analysis.language).empty:  # capital of
            yield Cue("kind", min(one.match.positions), max(one.match.positions) + 1)


def _turned(asked: LinkedQuestion, candidate: CandidateQuery) -> Iterator[Cue]:
    """Yield names beside verbs that a query takes the other way round."""
    analysis, profile, edges = asked.analysis, asked.context.profile, candidate.node.edges
    for one in edges:
        named, verb = edges[0].mention, max(one.match.positions, default=-1)
        known = profile.relation_profile(one.relation) if profile else None
        either = any(end.subject == end.object for end in known.ends) if known else False
        start, end = (named.start, named.end) if named else (0, 0)
        if one is not edges[0]:  # what is between it and the name stands behind the verb
            start, end = (verb + 1, len(analysis.words)) if either and -1 < verb < start else (0, 0)
        if end and is_turned(analysis, one.label, start, end, one.forward, either=either):
            yield Cue("kind", start, end)


def _astray(asked: LinkedQuestion, candidate: CandidateQuery, result: ResultSet) -> Iterator[Cue]:
    """Yield the very names of classes that are asked for where a query gives other things: films, for cinemas."""
    analysis, profile, schema = asked.analysis, asked.context.profile, asked.context.schema
    names = schema_names(profile, analysis.language) if profile else None
    if names is None:
        return
    steps = (edge.match for edge in candidate.node.edges if edge.match.fit >= CLOSE)
    last = [edge.relation for edge in candidate.node.edges[-1:] if edge.relation in names.schema.relations]
    who = analysis.expected and analysis.expected <= {"person", "organisation"}
    if who and any(map(names.schema.has_figures, last)):
        yield Cue("kind", 0, 1)  # an address lives nowhere
    yield from begun(last, analysis, names)
    spoken = frozenset[int]().union(*(one.positions for one in steps if one.positions <= analysis.asked))
    said = [one for one in asked.classes if one.candidate.score >= CLOSE and one.positions <= analysis.asked - spoken]
    unsaid = not (said or any(one.forward for one in candidate.node.edges[-1:]))
    first = result.rows[0][0] if (said or unsaid) and result.rows else None
    types = schema.types(first.value) if isinstance(first, IRI) else ()
    deed = analysis.expected - {"number"} and any(is_deed(analysis, one) for one in schema.labels(types).values())
    if unsaid and (deed or any(map(names.are_facts, types))):
        yield Cue("kind", 0, 1)  # who launched it, and not the launch; agents, and not what they agreed on
    if said and types and {kind for one in said for kind in schema.kinds(one.candidate.iri)}.isdisjoint(types):
        yield Cue("kind", said[0].start, said[0].end)
