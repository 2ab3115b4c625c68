"""Tries: one template through the four phases, and the form of the Triad paper, which tries up to T of them.

The ladder takes one try for its rung ``template`` and another one, told what was wrong, for its rung ``repair``.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from triad import sparql
from triad.answers import Answer, Reason, Unknown
from triad.errors import BudgetExceeded, ReplyError
from triad.lexical.choice import result_key
from triad.lexical.meanings import Rival, assumed, offered
from triad.log import logger
from triad.models.wrappers import Budget, BudgetedModel
from triad.phases import answering, construction, linking, parsing
from triad.phases.attempts import Absence, Attempt, BuiltQuery
from triad.phases.context import Context
from triad.phases.diagnosis import diagnose
from triad.phases.linking import Links
from triad.queries.template import Template
from triad.questions import AnswerType
from triad.routing.doubt import in_english


def one_try(context: Context, feedback: str = "", before: Collection[str] = ()) -> Attempt | Absence | None:
    """Answer by one template, and those of other readings; None where the generalist has no other one than before.

    Feedback says what was wrong with the templates before, whose words are known.
    """
    parsed = parsing.parse(context.at("parsing"), feedback)
    if isinstance(parsed, Absence):
        return parsed
    answer_type, (template, *other), missing = parsed
    if template.words() in before:
        return None
    links, executed = _executed(context, template)
    others = _others(context, other, executed)
    attempt = Attempt(template, answer_type, links, tuple(executed), tuple(others))
    if chosen := construction.choose(context.at("construction"), [*executed, *others]):
        if missing:
            note = context.pack.replies["not_in_graph"].format(missing=missing)
            chosen = replace(chosen, notes=(*chosen.notes, note))
        return replace(attempt, answer=answering.answer(context.at("answering"), chosen, answer_type))
    return attempt


def _others(context: Context, templates: Sequence[Template], found: Sequence[BuiltQuery]) -> list[BuiltQuery]:
    """Return the queries of other readings; where the first one found something, those that take no call to link."""
    if any(query.result is not None and not query.result.is_empty for query in found):
        models = {role: BudgetedModel(model, Budget(calls=0)) for role, model in context.models.items()}
        context = replace(context, models=models)
    queries: list[BuiltQuery] = []
    for template in templates:
        with suppress(BudgetExceeded):
            queries += _executed(context, template)[1]
    return queries


def drafted_rivals(context: Context, answer: Answer, attempt: Attempt) -> Iterator[Rival]:
    """Yield what the templates of an attempt found besides its answer; what that is not right by is shared among them.

    One that has just another term is as likely as the answer: it is what the model itself says may be meant.
    """
    tree, key = sparql.parse(answer.query or ""), result_key(answer.result)
    first = next(filter(construction.finds, attempt.queries), None)
    found = [one for one in (first, *attempt.readings) if one and construction.finds(one)]
    others = [(one.tree, one.result) for one in found if one.result is not None and result_key(one.result) != key]
    for other, result in others:
        likely = answer.confidence if assumed(context, tree, other) else (1 - answer.confidence) / len(others)
        yield Rival(other, result, likely)


def _executed(context: Context, template: Template) -> tuple[Links, list[BuiltQuery]]:
    late = context.late
    links = linking.link(context.at("linking"), template)
    if context.late > late and not all(links.values()):  # what is not found may be among what was not read
        context.renew_time()
        links = linking.link(context.at("linking"), template)
    found = [slot for slot, options in links.items() if options]
    construct, known = context.at("construction"), template.of_known(found)
    of_known = {slot: links[slot] for slot in links if slot in known.slots or slot in known.classes.values()}
    queries = construction.construct(construct, known, of_known if known is not template else links)
    lost = (one.text for slot, one in template.slots.items() if slot not in known.slots and slot not in found)
    notes = tuple(context.pack.replies["no_name"].format(name=text) for text in lost)
    executed = construction.execute(construct, known, queries)
    return links, [replace(one, notes=(*one.notes, *notes)) for one in executed]


def diagnosed(context: Context, attempt: Attempt) -> Attempt:
    """Return an attempt with what is wrong with it: doubts of its answer, or why its template finds nothing."""
    if attempt.answer is None:
        why = diagnose(context.at("construction"), attempt.template, attempt.links, attempt.queries)
    else:
        doubts = in_english(attempt.answer.doubts) or "it is in doubt"
        why = f"{attempt.template.words()}\nWhat speaks against its answer: {doubts}."
    return replace(attempt, diagnosis=why)


def empty_answer(context: Context, attempt: Attempt) -> Answer | None:
    """Return the answer without a value of an attempt whose queries ran and found nothing; None if none ran."""
    if ran := construction.first_empty([*attempt.queries, *attempt.readings]):
        return answering.answer(context.at("answering"), ran, attempt.answer_type)
    return None


def in_tries(context: Context) -> Answer:
    """Answer in the form of the Triad paper: at most T templates, then the model's own knowledge.

    Raises:
        AnswerError: No answer was reached, the model's reply failed its checks, or a limit was reached.
        ServiceError: The model, the graph or the index failed.
    """
    feedback, templates = "", set[str]()
    answer_type: AnswerType = "select"
    empty: Answer | None = None
    unusable: ReplyError | None = None
    tries = context.roles.advisor.tries
    for number in range(1, tries + 1):
        context = replace(context, attempt=number)
        try:
            if (attempt := one_try(context, feedback, templates)) is None:
                break  # the generalist has no other idea
            if isinstance(attempt, Absence):
                at, kind = context.at("answering"), attempt.answer_type
                known = answering.answer_from_knowledge(at, kind) if attempt.general else None
                if known is None:
                    raise lacking(context, attempt).error()
                return known
            if answer := attempt.answer:
                at, tree = context.at("answering"), sparql.parse(answer.query or "")
                return replace(answer, readings=offered(at, answer, tree, drafted_rivals(at, answer, attempt)))
            templates.add(attempt.template.words())
            answer_type = attempt.answer_type
            empty = empty or empty_answer(context, attempt)
            if number < tries:
                feedback = diagnosed(context, attempt).diagnosis
        except ReplyError as error:
            logger.info("try {}: {}", number, error)
            unusable = error
            break
    try:
        known = answering.answer_from_knowledge(context.at("answering"), answer_type)
    except ReplyError as error:
        known, unusable = None, unusable or error
    if found := known or empty:
        return found
    if unusable is not None:
        raise unusable
    why = " ".join(feedback.split()) or "no query could be made"
    raise Unknown(context.question, (Reason("empty", context.question.text, why.rstrip(".")),)).error()


def lacking(context: Context, absence: Absence) -> Unknown:
    """Return why a question that asks for what the graph lacks has no answer, in the question's language."""
    reason = context.pack.replies["not_in_graph"].format(missing=absence.missing)
    return Unknown(context.question, (Reason("relation", absence.missing, reason),))
