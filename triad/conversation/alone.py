"""Answering a question that stands alone, or was put so: what its names may stand for is tried, or asked back.

Where interpretations give different answers, the one that is clearly likelier is taken, and else the user decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from triad.answers import CLEAR_LEAD
from triad.conversation import operations, replies
from triad.conversation.answered import TurnRequest
from triad.conversation.dialogue import Dialogue, Utterance
from triad.conversation.mentions import names_in
from triad.conversation.options import homonyms, meant, named_apart
from triad.conversation.resolving import Understood
from triad.conversation.turns import CHOICES, Interpretation, Turn, closeness, is_sure
from triad.conversation.wording import exchanged_superlative
from triad.language.cues import second_question
from triad.language.normalize import bare, fold


def alone(said: Utterance) -> Iterator[Turn]:
    """Yield the turns for a question that stands alone."""
    yield _distinguished(said, Interpretation("", said.text), dependent=False)
    yield from _two_questions(said)


def resolved(said: Utterance, understood: Understood | None = None) -> Iterator[Turn]:
    """Yield the turns for a question as it was understood in context, by default by its own words."""
    understood = understood or said.understood
    if not understood.dependent:
        yield from alone(said)
        return
    yield from _two_questions(said)
    if len(understood.interpretations) == 1:
        [only] = understood.interpretations
        yield _distinguished(said, only, dependent=True, others=understood.others)
    else:
        yield _likeliest(said, understood.interpretations, dependent=True, others=understood.others)


def joined(request: TurnRequest, text: str, turns: Sequence[Turn]) -> Turn | None:
    """Return the turn that has the answers of several ones, one after the other; None if they cannot be joined."""
    found = [(turn, turn.answer) for turn in turns if turn.answer]
    whole = found[0][1] if found else None
    for _, answer in found[1:]:
        whole = operations.united(request.context, whole, answer) if whole else None
    things = {name: thing for turn, _ in found for name, thing in turn.things.items()}
    return replace(request.with_answer(found[0][0], text, whole), things=things) if whole else None


def _distinguished(
    said: Utterance, whole: Interpretation, *, dependent: bool, others: tuple[Interpretation, ...] = ()
) -> Turn:
    """Answer a question; if a name stands for several things, each of them is tried.

    With a model, the user is asked without trying them, unless the question tells which is meant.
    """
    context, pack = said.context, said.pack
    spoken_of = {one.iri for turn in said.dialogue.turns for one in turn.things.values()}
    known = {fold(name) for name in whole.known}
    for name in names_in(context, whole.question, pack):
        if fold(name.text) in known:
            continue
        things = homonyms(context, name.text)
        if len(things) < 2 or any(one.iri in spoken_of for one in things):
            continue
        if context.models:
            things = meant(context, pack, whole.question, name.text, things)
            if len(things) == 1:
                whole = replace(whole, known={**whole.known, name.text: things[0]})
            if len(things) == 1 or not said.ask_back:
                continue
        turn = _likeliest(said, named_apart(context, whole, name.text, things), dependent=dependent)
        if turn.kind == "clarification" or is_sure(turn):
            return turn
    return said.answers.turn(said.request, whole, dependent=dependent, options=others)


def _two_questions(said: Utterance) -> Iterator[Turn]:
    """Yield the turn for two questions at once: "when was he born and where", "how much is it and who makes it"."""
    # A model writes one query for both.
    two = None if said.context.models else second_question(said.text, said.pack)
    if two is None or any(second_question(text, said.pack) for text in two):
        return
    if (one := next(filter(is_sure, resolved(said.saying(two[0]))), None)) is None or one.answer is None:
        return
    dialogue = Dialogue([*said.dialogue.turns, replace(one, kind="question")])
    then = replace(said, text=two[1], dialogue=dialogue, ask_back=False)
    other = next(filter(is_sure, chain(exchanged_superlative(then), resolved(then))), None)
    if other is None or other.answer is None:
        return
    if answer := operations.beside(said.context, one.answer, other.answer):
        yield replace(
            one,
            standalone=f"{bare(one.standalone)} {said.pack.data.compare.and_[0]} {other.standalone}",
            answer=replace(answer, question=one.answer.question),
            reply=f"{one.reply} {other.reply}",
            things={**other.things, **one.things},
        )


def _likeliest(
    said: Utterance, options: Sequence[Interpretation], *, dependent: bool, others: tuple[Interpretation, ...] = ()
) -> Turn:
    """Try several interpretations; ask back only if they give different answers and none is clearly likelier.

    A model is not asked several times to save a question to the user: whether answers differ is told without it.
    """
    by_words, models = said.without_models(), said.context.models
    if models and not said.ask_back:
        return said.answers.turn(said.request, options[0], dependent=dependent, options=(*options[1:], *others))
    tried = [(one, said.answers.turn(by_words.request, one, dependent=dependent)) for one in options[:CHOICES]]
    found = [(one, turn) for one, turn in tried if is_sure(turn)]
    if models and len(found) == len(tried) and len({turn.answer.result for _, turn in found if turn.answer}) == 1:
        return said.answers.turn(said.request, options[0], dependent=dependent, options=(*options[1:], *others))
    if models:
        return _asked_back(said, options)
    if not found:
        return max((turn for _, turn in tried), key=closeness)
    different: dict[object, tuple[Interpretation, Turn]] = {}
    for one, turn in found:
        different.setdefault(turn.answer.result if turn.answer else None, (one, turn))
    ranked = sorted(different.values(), key=lambda pair: -closeness(pair[1])[1])
    ahead = len(ranked) == 1 or closeness(ranked[0][1])[1] - closeness(ranked[1][1])[1] > CLEAR_LEAD
    if not ahead and said.ask_back:
        return _asked_back(said, [one for one, _ in different.values()])
    best, turn = ranked[0] if ahead else found[0]
    return replace(turn, options=(*(one for one, _ in found if one != best), *others))


def _asked_back(said: Utterance, options: Sequence[Interpretation]) -> Turn:
    reply = replies.ask_back(said.pack, [one.label for one in options])
    return said.request.turn(said.request.text, reply, kind="clarification", dependent=True, options=tuple(options))
