"""The ways to understand a turn, asked in order: what its words say of the last answer, then what they point back to.

Each way is a function of what was said that yields the turns it may come to. The first turn that leaves no doubt is
taken, and else the one that came closest: the graph decides where words do not. A complete question is asked as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from triad.conversation import last_answer, replies
from triad.conversation.alone import alone, resolved, resolved_by_words
from triad.conversation.cues import pointed_at
from triad.conversation.operating import compared, exchanged, operated
from triad.conversation.rephrasing import rephrase
from triad.conversation.resolving import resolve, with_whole_names
from triad.conversation.turns import Attempts, Interpretation, Turn, closeness, is_sure
from triad.conversation.utterance import Utterance
from triad.errors import BudgetExceeded, ModelError, ReplyError
from triad.language.follow_ups import FollowUp, recognise
from triad.language.pack_schema import FollowUpKind
from triad.language.quantities import number_in
from triad.log import logger


def attempts(said: Utterance, tokens: int) -> Iterator[Turn]:
    """Yield the turns that what was said may come to, the most fitting way to understand it first.

    Args:
        said: What was said.
        tokens: Tokens of the state of the dialogue that a model sees at most.
    """
    models, follow_up = bool(said.context.models), recognise(said.text, said.pack)
    if said.dialogue.last is None:
        if follow_up and follow_up.kind not in ("only", "column"):
            yield said.request.turn(said.request.text, said.pack.replies["no_answer"], kind="follow_up")
        else:
            yield from alone(said)
        return
    if follow_up and (told := _told(said, follow_up)):
        yield told
        return
    if models and said.answers.agent.sources:
        # What texts and tables tell is not in the words of the graph, by which a question is understood alone.
        yield from by_model(said, tokens)
        return
    if said.cue is None and not models:
        yield from _as_it_stands(said)
        return
    for way in WAYS if said.cue else ():
        settled = yield from way(said)
        if settled and not models:
            return
    understood = resolve(said.context.at("parsing"), said.pack, said.text, said.dialogue.turns)
    if models and not (understood.certain and (said.cue or not understood.dependent)):
        yield from by_model(said, tokens)
        return
    pointing = "" if understood.dependent or models else pointed_at(said.context, said.pack, said.text)
    if pointing:
        yield said.request.points_nowhere(pointing)
    else:
        yield from resolved(said, understood)


def _as_it_stands(said: Utterance) -> Iterator[Turn]:
    """Yield the turns for a question without a cue; where the graph has nothing, with parts of names as whole."""
    answered = False
    for turn in alone(said):
        answered = answered or turn.answer is not None
        yield turn
    if not answered and (understood := with_whole_names(said.context, said.pack, said.text, said.dialogue.turns)):
        yield from resolved(said, understood)


WAYS: Final[tuple[Callable[[Utterance], Attempts], ...]] = (
    compared,
    last_answer.added_to,
    exchanged,
    last_answer.choosing_of_two,
    last_answer.measured,
    last_answer.others,
    last_answer.of_list,
    last_answer.operation,
    last_answer.part_of_question,
)
"""The ways to understand what leans on the last answer, in the order in which they are tried."""


def by_model(said: Utterance, tokens: int) -> Iterator[Turn]:
    """Yield the turn for what the model says that a question means; by the words alone, where it fails."""
    try:
        kind, understood = rephrase(said.context.at("parsing"), said.text, said.dialogue, tokens)
    except (ReplyError, BudgetExceeded, ModelError) as error:
        said.answers.raise_failures(error)
        logger.info("{!r} is understood without the model: {}", said.text, error)
        yield from resolved_by_words(said)
        return
    follow_up = None if kind == "alone" or kind == "dependent" else _named(said, kind)
    if follow_up is None:
        yield from resolved(said, understood)
    elif told := _told(said, follow_up):
        yield told
    else:
        yield operated(said, follow_up)
        whole = Interpretation("", said.request.after(said.last, said.text), said.last.things)
        yield said.answers.turn(said.request, whole, dependent=True)


def closest(turns: Iterable[Turn]) -> Turn | None:
    """Return the first turn that leaves no doubt; else the one that came closest, None if there is none."""
    best: Turn | None = None
    for turn in turns:
        if is_sure(turn):
            return turn
        logger.debug("{!r}, as {!r}, is not sure: {}", turn.question, turn.standalone, turn.reply)
        if best is None or closeness(turn) > closeness(best):
            best = turn
    return best


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
        numbers = [number for word in said.text.split() if (number := number_in(word, said.pack))]
        return FollowUp("first", int(numbers[0])) if numbers else None
    if kind == "only":
        return FollowUp("only", what=said.text)
    return plain if (plain := FollowUp(kind)).of_one else None
