"""Understanding a turn: its readings, by all ways side by side, of which the one that is likeliest right is given.

A way is a function of what was said that yields the turns it may come to; `triad.conversation.choice` tells how likely
each is right. A complete question is asked as it stands, and what needs no query is told.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final

from triad.conversation import last_answer, replies
from triad.conversation.alone import alone, resolved
from triad.conversation.choice import Reading, likeliest
from triad.conversation.cues import lacks_subject, points_by_noun
from triad.conversation.dialogue import Utterance
from triad.conversation.rephrasing import rephrase
from triad.conversation.sets import points_to_set
from triad.conversation.turns import Interpretation, Turn, closeness, is_sure
from triad.conversation.wording import added_part, exchanged_part, exchanged_superlative, negated, quoted
from triad.errors import BudgetExceeded, ModelError, QuerySyntaxError, ReplyError
from triad.language.cues import asks, joins, set_pointers
from triad.language.follow_ups import FollowUp, recognise
from triad.language.quantities import number_in
from triad.language.turn_schema import FollowUpKind
from triad.log import logger
from triad.route import Route


def _pointing_back(said: Utterance) -> Iterator[Turn]:
    """Understand words that stand for what was spoken of, and parts of questions, by what takes their place."""
    several, answer = points_to_set(said.text, said.pack), said.discussed.answer
    of_counted = several and answer is not None and answer.answer_type == "count"
    if said.understood.dependent and not of_counted and not any(True for _ in set_pointers(said.text, said.pack)):
        # What is asked of each of a list is asked of the set of them, and of the first only it was not asked.
        listed = any(one.each for one in said.understood.interpretations)
        there = any("place" in of and form.search(said.text) for form, of in said.pack.references.pronouns)
        turns = resolved(said) if there or not (listed and said.listed) else ()
        yield from (turn for turn in turns if turn.each or turn.kind == "clarification" or not listed)


_WAYS: Final[Mapping[str, Callable[[Utterance], Iterator[Turn]]]] = {
    "compared": last_answer.compared,
    "measured": last_answer.measured,
    "amount": last_answer.amount,
    "added": last_answer.added_to,
    "superlative": exchanged_superlative,
    "negated": negated,
    "exchanged": last_answer.exchanged,
    "others": last_answer.others,
    "among": last_answer.among,
    "operated": last_answer.operation,
    "part": last_answer.part_of_question,
    "resolved": _pointing_back,
    "exchanged part": exchanged_part,
    "added part": added_part,
    "quoted": quoted,
    # no question by itself is worded like a whole follow-up
    "alone": lambda said: iter(()) if said.follow_up and said.follow_up.is_whole else alone(said),
}
"""The ways to understand a turn, those that take the most of its words first."""
_OUTRIGHT: Final = ("compared", "measured", "added", "amount", "superlative", "negated", "others")
"""Those whose words leave no other: is it more than, which has more, those too, how much, the lowest, not, else."""


def attempts(said: Utterance, tokens: int) -> Iterator[Turn]:
    """Yield the turns that words may come to, the likeliest first; a model sees so many tokens of the dialogue."""
    models, follow_up = bool(said.context.models), recognise(said.text, said.pack)
    if said.dialogue.last is None:
        if follow_up and follow_up.kind not in ("only", "column"):
            yield said.request.turn(said.request.text, said.pack.replies["no_answer"], kind="follow_up")
        else:
            yield from alone(said)
        return
    if follow_up and (told := _told(said, follow_up)):
        yield told
    elif models and said.answers.agent.sources:
        # What texts and tables tell is not in the words of the graph, by which a question is understood alone.
        yield from by_model(said, tokens)
    elif models:
        yield from _beside_model(said, tokens)
    elif not said.leans:
        yield from alone(said)
    elif whole := by_itself(said):
        yield whole
    else:
        yield likeliest(said, list(readings(said)))


def by_itself(said: Utterance) -> Turn | None:
    """Return the turn for a question that no word says to lean on others, if it is sure by itself."""
    leaning = said.follow_up or joins(said.text, said.pack) or said.pointed_at or said.counted
    leaning = leaning or lacks_subject(said.text, said.pack)
    definite = points_by_noun(said.context, said.pack, said.text, said.dialogue.turns)
    if leaning or definite or not asks(said.sentence):
        return None
    for turn in filter(is_sure, alone(said)):
        # words name what the answer is about
        if turn.answer and any(one.kind in ("name", "class", "value") for one in turn.answer.words):
            return turn
    return None


def readings(said: Utterance) -> Iterator[Reading]:
    """Yield what was said as each way understands it; by what its words say outright, where that gives something."""
    outright = [one for way in _OUTRIGHT for one in _readings(said, way)]
    yield from outright
    if not any(one.gives for one in outright):
        yield from (one for way in _WAYS if way not in _OUTRIGHT for one in _readings(said, way))


def _readings(said: Utterance, way: str) -> Iterator[Reading]:
    """Yield what was said as one way understands it, as far as that can be written as a query."""
    with suppress(QuerySyntaxError):
        yield from (Reading(way, turn) for turn in _WAYS[way](said))


def _beside_model(said: Utterance, tokens: int) -> Iterator[Turn]:
    """Yield the turn by the words alone where they are as sure as a model is; else the one for what the model says."""
    dependent = said.understood.dependent
    certain = said.understood.certain and (said.leans or not dependent)
    if said.leans:
        by_words = said.without_models()
        found = list(readings(by_words))
        turn = likeliest(by_words, found)
        if turn.answer and not turn.error and turn.answer.confidence >= Route().sure:
            whole = Interpretation("", turn.standalone, turn.things)
            yield turn if turn.kind == "follow_up" else said.answers.turn(said.request, whole, dependent=turn.dependent)
            return
        way = "resolved" if dependent else "alone"
        given = Reading(way, turn).gives
        # What the words point to is in doubt where another reading would be given.
        agreed = turn.unknown or given is None or any((one.way, one.gives) == (way, given) for one in found)
        certain = certain and bool(agreed)
    if certain:
        yield from resolved(said)
    else:
        yield from by_model(said, tokens)


def by_model(said: Utterance, tokens: int) -> Iterator[Turn]:
    """Yield the turn for what the model says that a question means; by the words alone, where it fails."""
    try:
        kind, understood = rephrase(said.context.at("parsing"), said.text, said.dialogue, tokens)
    except (ReplyError, BudgetExceeded, ModelError) as error:
        if said.answers.agent.on_model_failure == "error" and not isinstance(error, ReplyError):
            raise  # the agent must not go on without a model
        logger.info("{!r} is understood without the model: {}", said.text, error)
        yield from resolved(said)
        return
    if kind == "alone" or kind == "dependent" or (follow_up := _named(said, kind)) is None:
        yield from resolved(said, understood)
    elif told := _told(said, follow_up):
        yield told
    else:
        yield last_answer.operated(said, follow_up)
        whole = Interpretation("", said.request.after(said.discussed, said.text), said.discussed.things)
        yield said.answers.turn(said.request, whole, dependent=True)


def closest(turns: Iterable[Turn]) -> Turn | None:
    """Return the first turn that leaves no doubt; else the one that came closest, None if there is none."""
    seen: list[Turn] = []
    for turn in turns:
        seen.append(turn)
        if is_sure(turn):
            return turn
    return max(seen, key=closeness, default=None)


def _told(said: Utterance, follow_up: FollowUp) -> Turn | None:
    """Return the turn for a follow-up that needs no new query: why, and show the query."""
    last = said.last
    if follow_up.kind == "why":
        reply = replies.explained(said.context, said.pack, last)
    elif follow_up.kind == "query":
        reply = (last.answer and last.answer.query) or said.pack.replies["no_query"]
    else:
        return None
    return said.request.again(last, reply, kind="follow_up")


def _named(said: Utterance, kind: FollowUpKind) -> FollowUp | None:
    """Return the follow-up of the kind that the model names; None where its words do not say enough."""
    if follow_up := recognise(said.text, said.pack):
        return follow_up
    if kind == "first":
        numbers = [number for word in said.text.split() if (number := number_in(word, said.pack) or 0) > 0]
        return FollowUp("first", int(numbers[0])) if numbers else None
    if kind == "only":
        return FollowUp("only", what=said.text)
    return plain if (plain := FollowUp(kind)).of_one else None
