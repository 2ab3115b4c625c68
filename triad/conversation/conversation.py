"""A conversation: questions in the context of those before them.

>>> from triad.agent import Agent
>>> conversation = Conversation(Agent.from_config("demo"))
>>> conversation.ask("Who founded Intel?").reply
'Gordon Moore and Robert Noyce.'
>>> conversation.ask("When was it founded?").standalone
'When was Intel founded?'
"""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from loguru import logger

from triad.agent import Agent
from triad.answers import Answer, Unknown
from triad.conversation import operations, replies
from triad.conversation.entity_memory import RememberedIndex
from triad.conversation.mentions import known_in, names_in
from triad.conversation.referents import pair
from triad.conversation.rephrasing import rephrase, translate
from triad.conversation.resolving import Understood, resolve
from triad.conversation.store import Store
from triad.conversation.turns import Interpretation, Turn
from triad.errors import AnswerError, BudgetExceeded, ConfigError, ModelError, ReplyError, TriadError
from triad.language.detection import detect
from triad.language.follow_ups import FollowUp, recognise
from triad.language.mentions import guessed_name
from triad.language.normalize import fold
from triad.language.numbers import number_in, place_in
from triad.language.pack import Pack, load_pack
from triad.language.pack_schema import FOLLOW_UPS
from triad.phases.context import Context
from triad.questions import Candidate, Question
from triad.trace import Step

__all__ = ["Conversation"]

_LOOKED_BACK: Final = 8  # turns that are searched for the list that an entity comes from
_MOST: Final = 2_000  # characters of a question
_LONGEST: Final = 400  # characters of a question together with its follow-ups
_UNDERSTANDING: Final = ("rephrasing", "context_classification", "context_rephrasing", "translation")


class Conversation:
    """Several turns over one graph. For one thread at a time.

    Args:
        agent: What answers the questions.
        store: Where turns are kept; without one they are forgotten with the conversation.
        id: Which conversation of the store to go on with, by id or title; by default a new one.
        sentence: Whether a model writes the replies, which costs a call a turn; else they are put together from words.
        ask_back: Whether to ask the user which of two equally good interpretations is meant; else the first is taken.
        language: The language of the questions, as a tag; by default it is told from each of them.
        history: Tokens of earlier turns that a model sees at most.

    Raises:
        ConfigError: The store has no such conversation, or a sentence is asked for and the agent has no model.
    """

    def __init__(
        self,
        agent: Agent,
        *,
        store: Store | None = None,
        id: str | None = None,
        sentence: bool = False,
        ask_back: bool = True,
        language: str | None = None,
        history: int = 1_500,
    ) -> None:
        if sentence and not agent.models:
            raise ConfigError("a sentence is written by a model, and the agent has none; leave sentence=True out")
        if id is not None and store is None:
            raise ConfigError(f"to go on with the conversation {id!r}, name the store that it is kept in")
        self.agent = agent
        self.store = store
        self.id = store.find(id).id if store and id else None
        self.turns: list[Turn] = store.turns(self.id) if store and self.id else []
        self.language = language or (self.turns[-1].language if self.turns else agent.language)
        self._detects = language is None
        self._sentence = sentence
        self._ask_back = ask_back
        self._history = history

    def ask(self, text: str, on_step: Callable[[Step], None] | None = None) -> Turn:
        """Answer a question, and keep the turn.

        Args:
            text: The question, a follow-up on the last answer, or a choice among interpretations.
            on_step: A function that is called with each step as it happens.

        Raises:
            ConfigError: The question is empty, or much too long.
            BudgetExceeded: A limit was reached. The conversation is as before.
            ServiceError: The model, the graph or the index failed. The conversation is as before.
        """
        text = _clean(text)
        if not text:
            raise ConfigError("the question is empty")
        if len(text) > _MOST:
            raise ConfigError(f"the question has {len(text):,} characters; at most {_MOST:,} are read")
        started = time.perf_counter()
        language = self._language_of(text)
        asked = _Asked(text, language, load_pack(language), self.agent.begin(Question(text, language), on_step))
        turn = self._turn(asked)
        trace = asked.context.recorder.trace()
        calls = trace.usage_by("action")
        turn = replace(
            turn,
            answer=replace(turn.answer, trace=trace) if turn.answer else None,
            usage=trace.usage,
            understanding=sum(calls[name].calls + calls[name].cached for name in _UNDERSTANDING if name in calls),
            seconds=round(time.perf_counter() - started, 4),
            trace=trace,
        )
        self._keep(turn)
        return turn

    def _language_of(self, text: str) -> str:
        """Return the language of a question: that of the conversation, unless another one is much more likely."""
        if not self._detects:
            return self.language
        return detect(text, self.language) if self.turns else self.agent.language_of(text)

    def _keep(self, turn: Turn) -> None:
        """Keep a turn. A full disk, or a conversation that was deleted elsewhere, must not lose the answer."""
        self.turns.append(turn)
        self.language = turn.language
        if self.store is None:
            return
        try:
            if self.id is None:
                self.id = self.store.create(graph=self.agent.graph.name)
            self.store.append(self.id, turn)
        except ConfigError as error:
            logger.error("this turn is not kept: {}", error)

    # One turn

    def _turn(self, asked: _Asked) -> Turn:
        if chosen := self._chosen(asked):
            interpretation, *others = chosen
            return self._answered(asked, interpretation, dependent=True, options=tuple(others))
        last = self._last_answer()
        follow_up = recognise(asked.text, asked.pack)
        if last is None:
            if follow_up and follow_up.kind != "only":
                return asked.turn(asked.text, asked.pack.replies["no_answer"], kind="follow_up")
            follow_up = None
        understood: Understood | None = None
        if follow_up is None:
            follow_up, understood = self._understood(asked)
        if follow_up is not None and last is not None:
            if turn := self._wished(asked, follow_up, last):
                return turn
            # This follow-up needs a query of its own.
            follow_up, understood = self._understood(asked)
            if follow_up is not None or not understood.dependent:
                understood = Understood(
                    (Interpretation("", f"{last.standalone} {asked.text}", last.things),), dependent=True
                )
        assert understood is not None
        if len(understood.interpretations) > 1 and self._ask_back:
            labels = [interpretation.label for interpretation in understood.interpretations]
            reply = replies.ask_back(asked.pack, labels)
            return asked.turn(
                asked.text, reply, kind="clarification", dependent=True, options=understood.interpretations
            )
        interpretation, *others = (*understood.interpretations, *understood.others)
        return self._answered(asked, interpretation, dependent=understood.dependent, options=tuple(others))

    def _chosen(self, asked: _Asked) -> list[Interpretation]:
        """Return the interpretations that were offered, the chosen one first; none if the text chooses none of them."""
        if not self.turns or not (options := self.turns[-1].options):
            return []
        asked_back = self.turns[-1].kind == "clarification"
        if not asked_back:
            follow_up = recognise(asked.text, asked.pack)
            return list(options) if follow_up == FollowUp("except") else []
        wanted = fold(asked.text)
        named = [one for one in options if wanted == fold(one.label)] or [
            one for one in options if len(wanted.split()) <= 4 and f" {wanted} " in f" {fold(one.label)} "
        ]
        place = place_in(asked.text, asked.pack) if len(asked.text.split()) <= 3 else None
        if len(named) != 1 and place and place <= len(options):
            named = [options[place - 1 if place > 0 else place]]
        return [*named, *(one for one in options if one not in named)] if len(named) == 1 else []

    def _understood(self, asked: _Asked) -> tuple[FollowUp | None, Understood]:
        """Say what a question means in its context: by its words where they leave no doubt, else by the model."""
        earlier = [turn for turn in self.turns if turn.kind != "clarification"]
        by_words = resolve(asked.context.at("parsing"), asked.pack, asked.text, earlier)
        if by_words.certain or not earlier or not self.agent.models:
            return None, by_words
        try:
            kind, understood = rephrase(asked.context.at("parsing"), asked.text, earlier, self._history)
        except (ReplyError, BudgetExceeded, ModelError) as error:
            self._raise_failures(error)
            logger.info("{!r} is understood without the model: {}", asked.text, error)
            return None, by_words
        if kind in FOLLOW_UPS:
            return _wish(asked.pack, kind, asked.text), understood
        return None, understood

    def _wished(self, asked: _Asked, follow_up: FollowUp, last: Turn) -> Turn | None:
        """Return the turn for a follow-up on the last answer; None where it has to be asked as a question."""
        reply = replies.wished(asked.context, asked.pack, last, follow_up)
        standalone = _shortened(f"{last.standalone} ({asked.text})") if last.answer else asked.text
        if reply is not None:
            # The answer is still that of the last question, so that further follow-ups can change it.
            return asked.turn(
                last.standalone,
                reply,
                kind="follow_up",
                dependent=True,
                answer=last.answer,
                unknown=last.unknown,
                things=last.things,
            )
        about = self._about(asked, last, follow_up)
        if about is None:
            return asked.turn(standalone, asked.pack.replies["no_answer"], kind="follow_up", dependent=True)
        without = last.answer.values if last.answer and follow_up == FollowUp("except") else ()
        try:
            answer = operations.apply(asked.context, asked.pack, about, follow_up, without)
        except AnswerError as error:
            if follow_up.kind in ("only", "sort", "except") and self.agent.models:
                return None
            return asked.turn(
                last.standalone,
                str(error),
                kind="follow_up",
                dependent=True,
                answer=last.answer,
                unknown=last.unknown,
                things=last.things,
                error=str(error),
            )
        answer = replace(answer, question=Question(standalone, asked.language))
        reply = replies.in_a_sentence(asked.pack, asked.text, answer) if answer.values else asked.pack.replies["none"]
        return asked.turn(standalone, reply, kind="follow_up", dependent=True, answer=answer, things=last.things)

    def _about(self, asked: _Asked, last: Turn, follow_up: FollowUp) -> Answer | None:
        """Return the answer that a follow-up is about; if it needs several entities, the list that they come from."""
        if follow_up.kind not in ("sort", "only", "except"):
            return last.answer
        things = _values(last.answer)
        if len(things) > 1 and follow_up != FollowUp("except"):
            return last.answer
        for turn in reversed(self.turns[-_LOOKED_BACK:]):
            if things and things < _values(turn.answer):
                return turn.answer
        named = [one for one in last.things.values() if one.iri]
        if len(named) < 2 and follow_up.of_order(asked.pack):
            named = [thing for one in pair(self.turns) for thing in one.things if thing.iri]
        return operations.listed(asked.context, named) if len(named) > 1 else last.answer

    def _answered(
        self,
        asked: _Asked,
        interpretation: Interpretation,
        *,
        dependent: bool,
        options: tuple[Interpretation, ...] = (),
    ) -> Turn:
        """Return the turn for a question that stands alone."""
        known = known_in(interpretation.question, interpretation.known)
        unknown: Unknown | None = None
        try:
            answer = self._answer(asked, interpretation, known)
        except AnswerError as error:
            _raise_limits(error)
            unknown = error.unknown
            if unknown is None or unknown.guess is None:
                things = self._things(asked, interpretation.question, known, None)
                reply = replies.unknown(asked.pack, unknown)
                return asked.turn(
                    interpretation.question,
                    reply,
                    dependent=dependent,
                    error=str(error),
                    unknown=unknown,
                    things=things,
                    options=options,
                )
            answer = unknown.guess
        each: tuple[Candidate, ...] = ()
        if interpretation.each and (all_of_them := operations.for_each(asked.context, answer, interpretation.each)):
            answer, each = replace(all_of_them, question=answer.question), interpretation.each
        written = self._sentence and answer.method == "model"
        if unknown:
            reply = replies.guessed(asked.pack, interpretation.question, answer, unknown)
        elif written:
            reply = answer.text
        else:
            reply = replies.in_a_sentence(asked.pack, interpretation.question, answer)
        things = self._things(asked, interpretation.question, known, answer)
        return asked.turn(
            interpretation.question,
            reply,
            dependent=dependent,
            answer=answer,
            unknown=unknown,
            things=things,
            each=each,
            options=options,
        )

    def _answer(self, asked: _Asked, interpretation: Interpretation, known: dict[str, Candidate]) -> Answer:
        """Answer a question; one in another language than the graph's once more in the graph's, if it finds nothing."""
        context = replace(
            asked.context,
            question=Question(interpretation.question, asked.language),
            index=RememberedIndex(asked.context.index, known) if known else asked.context.index,
        )
        failure: AnswerError | None = None
        answer: Answer | None = None
        try:
            answer = self.agent.answer(context, sentence=self._sentence)
            found = bool(answer.values) and answer.source == "graph"
        except AnswerError as error:
            _raise_limits(error)
            failure, found = error, False
        if not found and self.agent.models and not _same(asked.language, self.agent.language):
            again = self._translated(asked, context)
            if again and (answer is None or (again.values and again.source == "graph")):
                return again
        if answer is None:
            assert failure is not None
            raise failure
        return answer

    def _translated(self, asked: _Asked, context: Context) -> Answer | None:
        """Return the answer to a question put in the graph's language, worded in the user's; None if there is none."""
        question = context.question
        logger.info("{!r} found nothing; it is translated and asked again", question.text)
        try:
            text = translate(context.at("parsing"), question.text, self.agent.language)
            answer = self.agent.answer(replace(context, question=Question(text, self.agent.language)))
        except (AnswerError, ModelError) as error:
            self._raise_failures(error)
            logger.info("the translation of {!r} gave no answer: {}", question.text, error)
            return None
        return replace(answer, question=question, text=replies.in_a_sentence(asked.pack, question.text, answer))

    def _raise_failures(self, error: TriadError) -> None:
        """Raise again that a limit was reached, or that the model failed where the agent must not go on without it."""
        if isinstance(error, (ModelError, BudgetExceeded)) and self.agent.on_model_failure == "error":
            raise error

    def _things(
        self, asked: _Asked, question: str, known: dict[str, Candidate], answer: Answer | None
    ) -> dict[str, Candidate]:
        """Return what the names in a question stand for, as far as it is known, in the order of the question."""
        things = dict(known)
        if answer is not None:
            linked = [(name, one) for name, one in answer.links.items() if one.kind == "entity"]
            # A mention may be only a part of the name that the question has.
            named = {one.label if fold(one.label) in fold(question) else name: one for name, one in linked}
            things = {**named, **things}
        if not things or (answer is not None and answer.method == "lexical"):
            names = names_in(asked.context, question, asked.pack)
            folded_names = " ".join(map(fold, things))
            new = {name.text: name.thing for name in names if fold(name.text) not in folded_names}
            things |= {
                name: one for name, one in new.items() if one.iri not in {other.iri for other in things.values()}
            }
            if not any(name.sure for name in names) and (guess := guessed_name(question, asked.pack)):
                things = {guess: Candidate("", "entity", guess), **things}
        folded = fold(question)
        ordered = sorted(things.items(), key=lambda pair: folded.find(fold(pair[0])) % (len(folded) + 1))
        once = {one.iri or name: (name, one) for name, one in reversed(ordered)}
        return dict(reversed(once.values()))

    def _last_answer(self) -> Turn | None:
        """Return the last turn that a follow-up may be about."""
        turns = [turn for turn in self.turns if turn.kind != "clarification"]
        return turns[-1] if turns else None


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as it came in, and the context in which it is answered."""

    text: str
    language: str
    pack: Pack
    context: Context

    def turn(self, standalone: str, reply: str, **more: Any) -> Turn:
        return Turn(self.text, standalone, language=self.language, reply=reply, **more)


def _clean(text: str) -> str:
    """Return a text on one line, as Unicode composes it, with "?" for what is no character."""
    return " ".join(unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8")).split())


def _shortened(text: str) -> str:
    """Return a text with its middle left out if it is too long, as after many follow-ups."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"


def _values(answer: Answer | None) -> set[str]:
    """Return the entities of an answer, or its values where there are none."""
    things = operations.things_of(answer)[1] if answer else ()
    return set(things) or {value.label for value in (answer.values if answer else ())}


def _wish(pack: Pack, kind: str, text: str) -> FollowUp | None:
    """Return the follow-up of the kind that the model names; None where its words do not say enough."""
    if follow_up := recognise(text, pack):
        return follow_up
    if kind in ("why", "query", "count"):
        return FollowUp(kind)  # type: ignore[arg-type]
    if kind == "first":
        numbers = [number for word in text.split() if (number := number_in(word, pack))]
        return FollowUp("first", int(numbers[0])) if numbers else None
    return FollowUp("only", what=text) if kind == "only" else None


def _raise_limits(error: AnswerError) -> None:
    """Raise again that a limit was reached, for that does not answer the question."""
    if type(error) not in (AnswerError, ReplyError):
        raise error


def _same(one: str, other: str) -> bool:
    return one.partition("-")[0].lower() == other.partition("-")[0].lower()
