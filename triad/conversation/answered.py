"""Answering a question that stands alone, as a turn of a conversation."""

from dataclasses import dataclass, field, replace
from typing import Any, Final

from triad.agent import Agent
from triad.answers import LEAST_GUESS, Answer, Unknown
from triad.conversation import operations, replies
from triad.conversation.mentions import known_in, names_in
from triad.conversation.turns import Interpretation, Turn
from triad.errors import AnswerError, ReplyError
from triad.language.mentions import guessed_name
from triad.language.normalize import bare, fold
from triad.language.pack import Pack
from triad.phases.answering import in_a_line
from triad.phases.context import Context
from triad.questions import Candidate, Question
from triad.routing.confirmed import answer_by
from triad.search.wrapped import KnownFirst

_LONGEST: Final = 400  # characters of a question together with its follow-ups
_IN_VAIN: Final = 2  # questions that a model is asked in vain before a turn gives up


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A question as it came in, and the context in which it is answered."""

    text: str
    language: str
    pack: Pack
    context: Context
    in_vain: dict[tuple[str, ...], Answer | AnswerError] = field(default_factory=dict)
    """What came of the questions that the model found nothing for, by them and what their names stand for."""

    def turn(self, standalone: str, reply: str, **more: Any) -> Turn:
        """Return the turn for a reply."""
        return Turn(self.text, standalone, language=self.language, reply=reply, **more)

    def social(self, reply: str) -> Turn:
        """Return the turn for what asks nothing."""
        return self.turn(self.text, self.pack.replies[reply], kind="social")

    def again(self, turn: Turn, reply: str, **more: Any) -> Turn:
        """Return the turn that says something of the answer of an earlier one."""
        kept = {"answer": turn.answer, "unknown": turn.unknown, "things": turn.things}
        return self.turn(turn.standalone, reply, dependent=True, **kept, **more)

    def after(self, last: Turn, text: str) -> str:
        """Return the question together with the one that it goes on from, its middle left out if it is too long."""
        whole = f"{bare(last.standalone)} – {text or self.text}"
        return whole if len(whole) <= _LONGEST else f"{whole[: _LONGEST // 2]} … {whole[-_LONGEST // 2 :]}"

    def with_answer(self, last: Turn, text: str, answer: Answer) -> Turn:
        """Return the turn for an answer that was made from the last one."""
        standalone = self.after(last, text)
        answer = replace(answer, question=Question(standalone, self.language))
        reply = replies.in_a_sentence(self.pack, self.text, answer) if answer.values else self.pack.replies["none"]
        return self.turn(standalone, reply, kind="follow_up", dependent=True, answer=answer, about=last.about)


class Answers:
    """Answers the questions of a conversation, in sentences by a model where that is wanted."""

    def __init__(self, agent: Agent, *, sentence: bool) -> None:
        self.agent = agent
        self._sentence = sentence

    def turn(
        self, request: TurnRequest, meant: Interpretation, *, dependent: bool, options: tuple[Interpretation, ...] = ()
    ) -> Turn:
        """Return the turn for a question that stands alone.

        Raises:
            AnswerError: A limit was reached.
            ServiceError: The model, the graph or the index failed.
        """
        known = known_in(meant.question, meant.known)
        question, pack = meant.question, request.pack
        more: dict[str, Any] = {"dependent": dependent, "options": options}
        try:
            answer = self._answer(request, meant, known)
        except AnswerError as error:
            if type(error) not in (AnswerError, ReplyError):
                raise  # that a limit was reached does not answer the question
            more["unknown"] = error.unknown
            if (guess := _worth_showing(error.unknown, request.context.min_confidence)) is None:
                more["things"] = self._things(request, question, known, None)
                return request.turn(question, replies.unknown(pack, error.unknown), error=str(error), **more)
            answer = guess
        if meant.each and (all_of_them := operations.for_each(request.context, answer, meant.each)):
            answer, more["each"] = replace(all_of_them, question=answer.question), meant.each
        if "unknown" in more:
            reply = replies.guessed(pack, question, answer, more["unknown"])
        elif self._sentence and answer.text != in_a_line(answer):
            reply = answer.text
        else:
            reply = replies.in_a_sentence(pack, question, answer)
        things = self._things(request, question, known, answer)
        return request.turn(question, reply, answer=answer, things=things, **more)

    def _answer(self, request: TurnRequest, interpretation: Interpretation, known: dict[str, Candidate]) -> Answer:
        """Answer a question, a model none twice, after two in vain none any more; by its query, if that is chosen."""
        if interpretation.query is not None:
            context = replace(request.context, question=Question(interpretation.question, request.language))
            return answer_by(context, interpretation.query)
        if interpretation.within is not None or not request.context.models:
            return self._found(request, interpretation, known)
        key = (interpretation.question, *sorted(one.iri for one in known.values()))
        if (outcome := request.in_vain.get(key)) is None and len(request.in_vain) >= _IN_VAIN:
            outcome = next(iter(request.in_vain.values()))
        if outcome is None:
            try:
                outcome = self._found(request, interpretation, known)
            except AnswerError as error:
                outcome = error
            if isinstance(outcome, AnswerError) or not outcome.values:
                request.in_vain[key] = outcome
        if isinstance(outcome, AnswerError):
            raise outcome
        return outcome

    def _found(self, request: TurnRequest, interpretation: Interpretation, known: dict[str, Candidate]) -> Answer:
        """Answer a question with names that stand for what is known."""
        named = {fold(name): (thing,) for name, thing in known.items() if thing.iri}
        context = replace(
            request.context,
            question=Question(interpretation.question, request.language),
            index=KnownFirst(request.context.index, lambda text: named.get(fold(text), ())),
            within=interpretation.within,
            models=request.context.models if interpretation.within is None else {},
        )
        return self.agent.answer(context, sentence=self._sentence and interpretation.within is None)

    def _things(
        self, request: TurnRequest, question: str, known: dict[str, Candidate], answer: Answer | None
    ) -> dict[str, Candidate]:
        """Return what the names in a question stand for, as far as it is known, in the order of the question."""
        things = dict(known)
        if answer is not None:
            linked = [(name, one) for name, one in answer.links.items() if one.kind == "entity"]
            # A mention may be only a part of the name that the question has.
            named = {one.label if fold(one.label) in fold(question) else name: one for name, one in linked}
            things = {**named, **things}
        if not things or (answer is not None and answer.method == "lexical"):
            names = names_in(request.context, question, request.pack)
            folded_names = " ".join(map(fold, things))
            new = {name.text: name.thing for name in names if fold(name.text) not in folded_names}
            iris = {one.iri for one in things.values()}
            things |= {name: one for name, one in new.items() if one.iri not in iris}
            if not any(name.sure for name in names) and (guess := guessed_name(question, request.pack)):
                things = {guess: Candidate("", "entity", guess), **things}
        folded = fold(question)
        ordered = sorted(things.items(), key=lambda pair: folded.find(fold(pair[0])) % (len(folded) + 1))
        return dict(reversed({one.iri or name: (name, one) for name, one in reversed(ordered)}.values()))


def _worth_showing(unknown: Unknown | None, least: float) -> Answer | None:
    """Return the guess if it helps: all words were understood, and it is not far below what an answer needs."""
    if unknown is None or unknown.guess is None or any(reason.kind != "doubt" for reason in unknown.reasons):
        return None
    return unknown.guess if unknown.guess.confidence >= min(LEAST_GUESS, least) else None
