"""The lexical solver: answers without a language model.

A question is read in two ways. Over the schema of a graph that is small enough, it is read as a tree:
`triad.lexical.composition`. And the graph is searched from what the question names. What is likelier right is answered:
`triad.lexical.choice`.

The search is in the line of QAnswer (Diefenbach et al., "Towards a Question Answering System over the Semantic Web",
2020): detect the mentions of the question, search the graph from there along relations that its words may mean, analyse
the form of the answer, and rank the candidate queries. Its knowledge of languages is data: `triad.language.pack`.
"""

import math
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from triad.answers import CLEAR_LEAD, Answer, Unknown, WordUse
from triad.errors import GraphError, QueryRejected, QuerySyntaxError, QueryTimeout
from triad.kg.guard import check
from triad.kg.lookups import LookupTime
from triad.language.analysis import Analysis
from triad.language.asking import Asking
from triad.language.normalize import fold
from triad.language.pack import load_pack
from triad.language.spelling import corrections
from triad.lexical import choice, superlative_checks, unknown
from triad.lexical.breaches import breaches, narrows
from triad.lexical.candidates import CandidateQuery, candidate_queries
from triad.lexical.choice import TRIAL, TRIED, Option, Ran, decided, found_at, question_evidence, searched_evidence
from triad.lexical.composition import Readings, as_candidate, find_readings, is_unanswered, schema_names, tied
from triad.lexical.contract import Contract, gives_time, has_idle_parts
from triad.lexical.graph_search import Walk
from triad.lexical.matching import Matcher
from triad.lexical.meanings import OFFERED, Rival, are_namesakes, offered
from triad.lexical.mention_detection import LinkedMention, LinkedQuestion
from triad.lexical.ranking import confidence, rank
from triad.lexical.superlative_checks import asks_for_greatest, compared_things, may_compete, ranking_of, without_thing
from triad.lexical.unknown import explain_unknown, not_compared, reasons_among, says_why, unknown_reasons
from triad.lexical.weights import STEEP, Weights, load_weights
from triad.lexical.word_uses import ignored_words, word_uses
from triad.phases import answering
from triad.phases.attempts import BuiltQuery
from triad.phases.context import Context
from triad.questions import Candidate
from triad.rdf import IRI, ResultSet
from triad.search.base import Lookup
from triad.sparql.patterns import ClassPattern, EdgePattern, Filter, Values, nodes, plain, substituted, terms
from triad.sparql.query_graph import QueryGraph
from triad.sparql.stated import said_by

_COMPARED: Final = 2  # named things that a question may say to be the greatest; each takes a question of its own
_PATIENCE: Final = 6.0  # seconds of a search after which no more candidates are found or tried
_NAMES: Final = ("entity", "literal")  # what a word may name that is no word of the language


def solve(context: Context) -> Answer:
    """Answer a question from its words alone.

    Raises:
        AnswerError: Nothing that the question names was found, nothing connects it, or the best answer has too little
            confidence; ``unknown`` says why, and what the best answer is.
        GraphError: The graph failed, or ran none of the queries.
        SearchError: The label index failed.
    """
    weights = load_weights(context.weights)
    text, respelt = _respelt(context)
    asked = LinkedQuestion.of(context, text, weights)
    analysis, why = asked.analysis, asked.asks_why
    if asks_for_greatest(analysis, asked.mentions):
        return _checked(asked)
    if why and context.profile and not reasons_among(context, (one.iri for one in context.profile.relations)):
        raise unknown_reasons(context, analysis).error()
    found, others = _decided(asked)
    option, likely = next(iter(found), (None, 0.0))
    if option is None:
        raise (unknown_reasons(context, analysis) if why else explain_unknown(context, analysis, others)).error()
    if lacking := _lacking(context, analysis, option):
        raise not_compared(context, analysis, lacking).error()
    answer = replace(
        _answered(context, analysis, option, likely),
        words=(*respelt, *word_uses(analysis, option.candidate, context.schema, context.glossary)),
    )
    tree = _plain(context, option.candidate.graph)
    answer = replace(answer, readings=offered(context, answer, tree, _rivals(context, answer, found)))
    if answer.confidence < context.min_confidence:
        raise explain_unknown(context, analysis, option.others, guess=answer).error()
    return answer


def _respelt(context: Context) -> tuple[str, list[WordUse]]:
    """Return the text of a question with words that name nothing spelt rightly, and what changed."""
    question, pack = context.question, load_pack(context.question.language)
    names = schema_names(context.profile, pack.language) if context.profile else None
    schema = names.words if names else {}
    words = corrections(question.text, pack, schema)
    sure = {word for word, said in words.items() if {*schema, *pack.form_words}.issuperset(said.lower().split())}
    named = context.at("linking").search([Lookup(word, _NAMES) for word in words]) if words else []
    meant = {
        word: said
        for (word, said), found in zip(words.items(), named, strict=True)
        if not any(word not in sure or fold(word) in fold(one.matched or one.label).split() for one in found)
    }
    text = re.sub(r"\w+", lambda word: meant.get(word[0], word[0]), question.text)
    return text, [WordUse(word, "instead", said) for word, said in meant.items()]


def _decided(asked: LinkedQuestion) -> tuple[list[tuple[Option, float]], Sequence[CandidateQuery]]:
    """Return the best query of each way, the likelier first, with how likely it is right, and what the search tried."""
    context, readings = asked.context, schema_readings(asked)
    if asked.asks_why:
        kept = tuple(one for one in readings.ranked if says_why(context, one.partial.relations))
        readings = replace(readings, ranked=kept)
    known = question_evidence(readings.strange, context.profile.things) if context.profile and readings.tried else {}
    composed = _composed(asked, readings)
    tried: list[CandidateQuery] = []

    def searched() -> Option | None:
        # What is asked of an earlier answer is read over the schema only.
        if context.within is not None or (found := search(asked)) is None:
            return None
        tried.extend(found.others)
        evidence = {**found.evidence, **choice.behind_best(found.result, readings.ranked)}
        unanswered = list(filter(is_unanswered, readings.ranked))
        steps = {step for one in unanswered for step in _steps(one.graph)}
        turned = asked.analysis.language == "en" and any(  # of which the directions are known
            (term, relation, not out) in steps for term, relation, out in _steps(found.candidate.graph)
        )
        strays = unanswered and (turned or evidence["missed"] or evidence["unnamed"])
        return replace(found, evidence=evidence | ({"broken": 1.0} if strays else {}))

    return decided(composed, searched, known, asked.weights, context.least), tried


def _steps(graph: QueryGraph) -> Iterator[tuple[object, object, bool]]:
    """Yield the steps from named things, and whether these are the subjects."""
    for edge in nodes(graph, EdgePattern):
        ends = ((edge.subject, True), (edge.object, False))
        yield from ((term, edge.relation, out) for term, out in ends if isinstance(term, IRI))


def schema_readings(asked: LinkedQuestion) -> Readings:
    """Return the ways to read a question over the schema; none where the graph has no profile, or too large a one."""
    at, profile, weights = asked.context.at("construction"), asked.context.profile, asked.weights.composition
    return find_readings(at, profile, asked.analysis, asked.mentions, asked.classes, weights) if profile else Readings()


def _rivals(context: Context, answer: Answer, found: Sequence[tuple[Option, float]]) -> Iterator[Rival]:
    """Yield what else a question may mean: by another measure, by the other way, and by other candidates of its own.

    What the answer is not right by is shared among these, as their scores tell. Few of them are run for that, and none
    where a model is asked besides.
    """
    (option, likely), *others = found
    best, runs = option.candidate, 0 if context.least else OFFERED
    for extreme in option.partial.extremes if option.partial else ():
        for relation in extreme.alike[:runs]:
            graph = substituted(best.graph, {IRI(extreme.relation): IRI(relation)})
            with suppress(GraphError):
                result, _, other_tree = _execute(context, graph, patience=TRIAL)
                yield Rival(other_tree, result, answer.confidence)
    yield from (Rival(_plain(context, one.candidate.graph), one.result, its) for one, its in others)
    rest = [one for one in option.others if one is not best]
    odds = [math.exp(max(-STEEP, min(0.0, one.score - best.score))) for one in rest]
    for one, odd in zip(rest, odds, strict=True):
        its, other_tree = (1 - likely) * odd / sum(odds), _plain(context, one.graph)
        if are_namesakes(one, best):
            its = answer.confidence
        if one.result is None and answer.confidence - its <= CLEAR_LEAD and runs:
            runs -= 1
            with suppress(GraphError):
                one.result = _execute(context, one.graph, patience=TRIAL)[0]
        if one.result is not None:
            yield Rival(other_tree, one.result, its)


def _lacking(context: Context, analysis: Analysis, option: Option) -> list[LinkedMention]:
    """Return the named things without a value by which a query compares them; a comparison with them has no winner."""
    named = [one for one in option.candidate.node.mentions if one.candidate.kind == "entity"]
    graph = option.candidate.graph
    if not analysis.comparisons and not analysis.order:
        return []
    if graph.ask and option.result.boolean is False:
        compared = [part for part in graph.where if isinstance(part, Filter)]
        rest = replace(graph, where=tuple(part for part in graph.where if not isinstance(part, Filter)))
        return named if compared and not _execute(context, rest)[0].boolean else []
    ranking = ranking_of(option) if analysis.either and analysis.order else None
    if ranking is None:
        return []
    chosen_from = {term for part in ranking.where if isinstance(part, Values) for row in part.rows for term in row}
    valued = {row[0] for row in _execute(context, ranking)[0].rows}
    return [one for one in named if (iri := IRI(one.candidate.iri)) in chosen_from and iri not in valued]


def _checked(question: LinkedQuestion) -> Answer:
    """Answer whether a thing is the greatest, by the ranking that the rest of the question asks for."""
    context, analysis = question.context, question.analysis
    pack = load_pack(analysis.language)
    things = compared_things(analysis, question.mentions)
    for text in list(dict.fromkeys(without_thing(analysis, one, pack) for one in things))[:_COMPARED]:
        part = replace(context, question=replace(context.question, text=text))
        asked = LinkedQuestion.of(part, text, question.weights)
        likeliest, _ = _decided(asked)
        if not likeliest:
            continue
        option, likely = likeliest[0]
        found, ranking = option.candidate, ranking_of(option)
        for thing in things:
            whether = superlative_checks.is_given(found, thing)
            if without_thing(analysis, thing, pack) != text or whether is None:
                continue
            ran = _execute(context, whether)
            if not ran[0].boolean and ranking and not _execute(context, may_compete(ranking, thing))[0].boolean:
                continue
            node = replace(found.node, mentions=(*found.node.mentions, thing))
            candidate = replace(found, graph=whether, answer_type="boolean", node=node)
            checked = Option(candidate=candidate, result=ran[0], evidence=option.evidence, others=[candidate], ran=ran)
            answer = _answered(context, asked.analysis, checked, likely)
            answer = replace(answer, words=word_uses(asked.analysis, found, context.schema, context.glossary))
            if answer.confidence >= context.min_confidence:
                return answer
            raise Unknown(context.question, (unknown.low_confidence(context, answer),), answer, answer.words).error()
    raise not_compared(context, analysis, things).error()


def _composed(asked: LinkedQuestion, readings: Readings) -> Option | None:
    """Return the best reading over the schema that found something."""
    if (place := found_at(readings.ranked)) is None:
        return None
    evidence = choice.composed_evidence(readings.ranked, place, asked.weights.composition)
    tried = readings.ranked[place : place + TRIED]
    others = [as_candidate(one, asked.analysis, asked.context, asked.mentions) for one in tried]
    best = readings.ranked[place]
    return Option(
        candidate=others[0], result=best.result, evidence=evidence, others=others, tied=tied(best), partial=best.partial
    )


def search(asked: LinkedQuestion) -> Option | None:
    """Search the graph from what the question names; return the best candidate that found something.

    Raises:
        GraphError: The graph failed, or ran none of the queries.
    """
    started = time.monotonic()
    context, analysis = asked.context, asked.analysis
    ranked = [one for one in _candidates(asked) if not has_idle_parts(one.graph)]
    if asked.asks_why:
        ranked = [one for one in ranked if says_why(context, (edge.relation for edge in one.node.edges))]
    best: Option | None = None
    failures: list[GraphError] = []
    empty = not ranked
    contract = Contract.of(analysis, load_pack(analysis.language))
    for place, candidate in enumerate(ranked[:TRIED]):
        relations = {one.relation for one in candidate.node.edges}
        if best and relations != {one.relation for one in best.candidate.node.edges}:
            continue  # what does not do what is asked gives way to the same relations only, gone the other way
        patience = max(TRIAL, _PATIENCE - (time.monotonic() - started))
        try:
            ran = _execute(context, candidate.graph, patience=patience)
        except GraphError as error:
            if not isinstance(error, (QueryTimeout, QuerySyntaxError, QueryRejected)):
                raise  # a graph that was away for a moment answers the next candidate, which is another one
            failures.append(error)  # the next candidate may be cheaper
            if time.monotonic() - started > _PATIENCE:
                break
            continue
        if not ran[0].is_empty:
            candidate.features["narrowing"] = float(narrows(asked, candidate))
            broken = contract.broken(candidate.graph, candidate.names, ran[0])
            candidate.broken = (*broken, *breaches(asked, candidate, ran[0]))
            missed = [word for words in ignored_words(analysis, candidate) for word in words.split()]
            timely = gives_time(ran[0], contract.pack) if analysis.expected == {"date"} else None
            evidence = searched_evidence(ranked, place, confidence(ranked[place:], asked.weights), missed, timely)
            option = Option(candidate=candidate, result=ran[0], evidence=evidence, others=ranked[place:], ran=ran)
            if not candidate.broken:
                return option
            best = best or option
        empty = True
    if failures and not empty:
        raise failures[0]
    return best


def _answered(context: Context, analysis: Analysis, option: Option, sureness: float) -> Answer:
    """Return the answer of an option."""
    candidate, tried = option.candidate, option.candidate.result
    whole = tried is not None and not tried.truncated and len(tried) <= context.policy.row_limit
    result, text, tree = option.ran or _execute(context, candidate.graph, tried if whole else None)
    named = [mention.candidate for mention in candidate.node.mentions]
    links = {one.matched or one.label: one for one in named}
    for edge in candidate.node.edges:
        links[edge.label] = Candidate(said_by(edge.relation), "relation", edge.label, score=edge.match.fit)
    built = BuiltQuery(text, links, round(sureness, 4), result, tree=tree)
    answer = replace(answering.answer(context.at("answering"), built, candidate.answer_type), method="lexical")
    replies = load_pack(context.question.language).replies
    notes = [replies["tied"].format(count=option.tied)] if option.tied else []
    notes += [replies["gaps"].format(**gap) for gap in _gaps(context, option)]
    notes += [one.text for one in unknown.missing_units(context, analysis, candidate.graph)]
    return replace(answer, notes=(*answer.notes, *notes))


def _gaps(context: Context, option: Option) -> Iterator[dict[str, object]]:
    """Yield how many things of a class have no value by which a query compares or limits them, and of how many."""
    graph, things = option.candidate.graph, option.partial.things if option.partial else ()
    keys = {one for part in graph.where if isinstance(part, Filter) for one in terms(part)} | set(terms(graph.order))
    kinds: dict[object, str] = {thing.variable: thing.cls for thing in things if len(thing.terms) != 1}
    kinds |= {part.instance: part.classes[0].value for part in graph.where if isinstance(part, ClassPattern)}
    for part in graph.where:
        if not (isinstance(part, EdgePattern) and part.object in keys and isinstance(part.relation, IRI)):
            continue
        others = (one for one in graph.where if isinstance(one, EdgePattern | Values) and one != part)
        if part.subject not in terms(graph.columns) or any(part.subject in terms(one) for one in others):
            continue  # it is not all things of the class that are compared
        known = context.profile.class_profile(kinds.get(part.subject, "")) if context.profile else None
        use = next((one for one in known.outgoing if one.relation == part.relation.value), None) if known else None
        its = context.profile.relation_profile(part.relation.value) if context.profile else None
        strays = its.strays if use and its and (use.triples, use.most) == (its.triples, 1) else 0
        if known and use and (lacking := known.instances - use.things + strays):
            label = context.schema.labels([use.relation])[use.relation]
            form = Asking(context.question.language).form(label)
            label = form.word if form and form.kind == "noun" else label
            yield {"count": lacking, "total": known.instances, "relation": label}


def candidates(context: Context, weights: Weights) -> list[CandidateQuery]:
    """Return the queries that may answer a question, the best first.

    Raises:
        GraphError: The graph failed, or was too slow to tell anything.
        SearchError: The label index failed.
    """
    return _candidates(LinkedQuestion.of(context, context.question.text, weights))


def _candidates(asked: LinkedQuestion) -> list[CandidateQuery]:
    analysis, mentions, classes = asked.analysis, asked.mentions, asked.classes
    pack = load_pack(analysis.language)
    lookups = LookupTime(_PATIENCE)
    deadline = time.monotonic() + lookups.seconds
    context = asked.context.waiting(lookups)
    walk = Walk(context.at("linking"), analysis, Matcher(analysis, pack, load_pack("en"), context.glossary), deadline)
    with walk.context.look_around("paths from what the question names"):
        begun = walk.nodes(mentions, classes)
        found = rank(walk, candidate_queries(walk, begun, mentions, classes), asked.weights)
        if lookups.slow and not found:
            raise lookups.slow[0]
    return found


def _plain(context: Context, graph: QueryGraph) -> QueryGraph:
    """Return a query as it is run."""
    return plain(context.glossary.unfolded(graph).normalised())


def _execute(context: Context, graph: QueryGraph, known: ResultSet | None = None, patience: float = math.inf) -> Ran:
    """Run a query, unless all that it finds is known; return that, with its guarded text and its tree."""
    tree = _plain(context, graph)
    text, timeout = check(tree, context.policy), min(patience, context.graph.timeout)
    result = context.at("construction").execute(text, ask=graph.ask, timeout=timeout) if known is None else known
    return result, text, tree
