"""A conversation: questions in the context of those before them.

>>> from triad.agent import Agent
>>> conversation = Conversation(Agent.from_config("demo"))
>>> conversation.ask("Who founded Intel?").reply
'Gordon Moore and Robert Noyce.'
>>> conversation.ask("When was it founded?").standalone
'When was Intel founded?'
"""

from __future__ import annotations

import itertools
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from triad.agent import Agent
from triad.cancelling import in_thread
from triad.conversation import replies, ways
from triad.conversation.answer_ways import AnswerWays
from triad.conversation.answered import Answers, Asked
from triad.conversation.corrections import Corrections
from triad.conversation.cues import cue_of, pointed_at
from triad.conversation.dialogue import Dialogue
from triad.conversation.options import chosen
from triad.conversation.rephrasing import rephrase
from triad.conversation.resolving import resolve
from triad.conversation.store import Store
from triad.conversation.turns import Interpretation, Turn
from triad.errors import BudgetExceeded, ConfigError, ModelError, ReplyError
from triad.language.acts import Act, greeting_language, read_act
from triad.language.cues import asks
from triad.language.detection import detect
from triad.language.follow_ups import FollowUp, recognise
from triad.language.normalize import bare
from triad.language.pack import Pack, load_pack
from triad.language.pack_schema import FOLLOW_UPS
from triad.language.quantities import number_in
from triad.language.tokens import Sentence
from triad.log import logger
from triad.questions import Question, check_length
from triad.text import writable
from triad.trace import Step

__all__ = ["Conversation"]

_MOST: Final = 2_000  # characters of a question
_UNDERSTANDING: Final = ("rephrasing", "context_classification", "context_rephrasing", "translation")


class Conversation:
    """Several turns over one graph. For one thread at a time.

    Args:
        agent: What answers the questions.
        store: Where turns are kept; without one they are forgotten with the conversation.
        id: Which conversation of the store to go on with, by id or title; by default a new one.
        turns: The turns to go on after, where they are kept elsewhere than in a store.
        sentence: Whether a model writes the replies, which costs a call a turn; else they are put together from words.
        ask_back: Whether to ask the user which of two equally good interpretations is meant; else the first is taken.
        language: The language of the questions, as a tag; by default it is told from each of them.
        history: Tokens of the state of the dialogue that a model sees at most.

    Raises:
        ConfigError: The store has no such conversation, or a sentence is asked for and the agent has no model.
    """

    def __init__(
        self,
        agent: Agent,
        *,
        store: Store | None = None,
        id: str | None = None,
        turns: Sequence[Turn] = (),
        sentence: bool = False,
        ask_back: bool = True,
        language: str | None = None,
        history: int = 600,
    ) -> None:
        if sentence and not agent.models:
            raise ConfigError("a sentence is written by a model, and the agent has none; leave sentence=True out")
        if id is not None and store is None:
            raise ConfigError(f"to go on with the conversation {id!r}, name the store that it is kept in")
        self.agent = agent
        self.store = store
        self.id = store.find(id).id if store and id else None
        self.turns: list[Turn] = store.turns(self.id) if store and self.id else list(turns)
        self.language = language or (self.turns[-1].language if self.turns else agent.language)
        self._detects = language is None
        self._ask_back = ask_back
        self._history = history
        self._answers = Answers(agent, sentence=sentence)

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
        text = _clean(writable(text))
        if not text:
            raise ConfigError("the question is empty")
        check_length(text, _MOST)
        started = time.perf_counter()
        language = self._language_of(text)
        context = self.agent.begin(Question(text, language), on_step)
        card = context.roles.advisor
        card = card.model_copy(update={"tries": card.turn_tries, "own_knowledge": card.turn_knowledge})
        context = replace(context, roles=replace(context.roles, advisor=card))
        asked = Asked(text, language, load_pack(language), context)
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

    async def aask(self, text: str, on_step: Callable[[Step], None] | None = None) -> Turn:
        """Answer a question as `ask` does, without holding up the event loop; see `triad.Agent.aask`."""
        return await in_thread(self.ask, text, on_step)

    def _language_of(self, text: str) -> str:
        """Return the language of a question: that of the conversation, unless another one is much more likely."""
        if not self._detects:
            return self.language
        if self.turns:
            return detect(text, self.language)
        return greeting_language(text, self.agent.language) or self.agent.language_of(text)

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

    def _turn(self, asked: Asked) -> Turn:
        """Return the turn for what was said, by what it does."""
        if asked.text in self.agent.confirmed:
            return self._answers.turn(asked, Interpretation("", asked.text), dependent=False)
        dialogue = Dialogue(self.turns)
        act = read_act(asked.text, asked.pack)
        if (options := self._options()) and (turn := self._chosen(asked, act, options)):
            return turn
        match act.kind:
            case "social":
                return self._said(asked, act.social or "praise")
            case "help":
                return asked.turn(asked.text, replies.help_with(asked.context, asked.pack), kind="social")
            case "dismiss":
                return self._said(asked, "dismissed")
            case "start_over":
                return asked.turn(asked.text, asked.pack.replies["started_over"], kind="start_over")
            case "undo":
                return self._undone(asked, dialogue)
            case "wrong" | "other" | "both" | "meant" if dialogue.last:
                return self._corrected(asked, act, dialogue)
            case "back" if dialogue.last and (turn := self._gone_back(asked, act, dialogue)):
                return turn
        if dialogue.asked_back and not dialogue.asked_back.options and dialogue.last:
            return self._corrected(asked, replace(act, kind="meant", what=act.text), dialogue)
        return self._best(asked, self._attempts(asked, act.text, dialogue))

    def _said(self, asked: Asked, reply: str) -> Turn:
        """Return the turn for what asks nothing."""
        return asked.turn(asked.text, asked.pack.replies[reply], kind="social")

    # Choices, corrections, going back

    def _options(self) -> tuple[Interpretation, ...]:
        """Return what the last turn offers: what it asked back with, or what else it might have meant."""
        return self.turns[-1].options if self.turns else ()

    def _chosen(self, asked: Asked, act: Act, options: Sequence[Interpretation]) -> Turn | None:
        """Return the turn for the option that is chosen; None if none is."""
        asked_back, complained = (self.turns[-1].kind == kind for kind in ("clarification", "complaint"))
        what = act.what or act.text
        if asked_back and act.kind == "both":
            turns = [self._answers.turn(asked, one, dependent=True) for one in options]
            return ways.joined(asked, turns)
        if not asked_back and not complained:
            if act.kind == "other" or recognise(asked.text, asked.pack) == FollowUp("except"):
                turn = self._answers.turn(asked, options[0], dependent=True, options=tuple(options[1:]))
                return replace(turn, corrects=True)
            return None
        if act.kind not in ("question", "meant", "other", "wrong"):
            return None
        option = chosen(asked.context, asked.pack, what, options) if what else None
        if option and asks(Sentence(what, asked.pack)) and not cue_of(asked.context, asked.pack, what, self.turns):
            return None  # a complete question chooses nothing
        if option is None:
            return None
        others = tuple(one for one in options if one != option)
        return replace(self._answers.turn(asked, option, dependent=True, options=others), corrects=complained)

    def _corrected(self, asked: Asked, act: Act, dialogue: Dialogue) -> Turn:
        """Return the turn that takes the place of the last one; a question what was meant, if the words do not say."""
        assert dialogue.last is not None
        if act.kind in ("meant", "other"):
            corrections = Corrections(asked, self._answers, dialogue)
            attempts = corrections.attempts(act.what, act.instead_of, act.kind == "other")
            abouts = list(corrections.about(act.what)) if act.rest else []
            if act.rest:
                attempts = (one for about in abouts for one in self._attempts(asked, act.rest, about))
            if act.what and self.agent.models and not abouts:
                attempts = itertools.chain(attempts, self._by_model(asked, asked.text, dialogue))
            elif act.what and not act.rest:
                attempts = itertools.chain(attempts, self._attempts(asked, act.what, dialogue.without_last()))
            if turn := self._closest(attempts):
                return replace(turn, corrects=turn.kind != "clarification" and not act.rest)
        # In some languages "the other" is "the second", too.
        if act.kind == "both" or (act.kind == "other" and recognise(act.text, asked.pack)):
            return self._best(asked, self._attempts(asked, act.text, dialogue))
        understood = asked.pack.replies["what_was_wrong"].format(question=bare(dialogue.last.standalone))
        options = dialogue.last.options
        if options:
            understood = f"{understood}\n{replies.numbered([one.label for one in options])}"
        return asked.turn(asked.text, understood, kind="complaint", dependent=True, options=options)

    def _undone(self, asked: Asked, dialogue: Dialogue) -> Turn:
        """Take the last turn back."""
        if dialogue.last is None:
            return self._said(asked, "nothing_to_undo")
        before = dialogue.without_last().last
        if before is None:
            return asked.turn(asked.text, asked.pack.replies["started_over"], kind="undo")
        undone = asked.pack.replies["undone"].format(question=before.standalone)
        return asked.turn(
            before.standalone,
            f"{undone}\n{before.reply}",
            kind="undo",
            dependent=True,
            answer=before.answer,
            unknown=before.unknown,
            things=before.things,
        )

    def _gone_back(self, asked: Asked, act: Act, dialogue: Dialogue) -> Turn | None:
        """Go back to an earlier turn, and ask something of it if more is said; None if there is no such turn."""
        earlier = dialogue.earlier(act.what, asked.pack)
        if earlier is None:
            return None
        if act.rest:
            return self._best(asked, self._attempts(asked, act.rest, dialogue.gone_back(earlier)))
        more = {"answer": earlier.answer, "unknown": earlier.unknown, "things": earlier.things, "each": earlier.each}
        return asked.turn(earlier.standalone, earlier.reply, kind=earlier.kind, dependent=True, **more)

    # Questions

    def _attempts(self, asked: Asked, text: str, dialogue: Dialogue) -> Iterator[Turn]:
        """Yield the turns that what was asked may come to, the most fitting way to understand it first."""
        understanding = AnswerWays(asked, self._answers, dialogue, self._ask_back)
        follow_up = recognise(text, asked.pack)
        if dialogue.last is None:
            if follow_up and follow_up.kind not in ("only", "column"):
                yield asked.turn(asked.text, asked.pack.replies["no_answer"], kind="follow_up")
            else:
                yield from understanding.alone(text)
            return
        if follow_up and (reply := replies.wished(asked.context, asked.pack, dialogue.last, follow_up)) is not None:
            yield asked.turn(
                dialogue.last.standalone,
                reply,
                kind="follow_up",
                dependent=True,
                answer=dialogue.last.answer,
                unknown=dialogue.last.unknown,
                things=dialogue.last.things,
            )
            return
        cue = cue_of(asked.context, asked.pack, text, dialogue.turns)
        if cue is None and not self.agent.models:
            yield from understanding.alone(text)
            return
        if self.agent.models and self.agent.sources:
            # What texts and tables tell is not in the words of the graph, by which a question is understood alone.
            yield from self._by_model(asked, text, dialogue)
            return
        if cue is not None:
            yield from understanding.about_the_answer(text, follow_up)
            if understanding.settled and not self.agent.models:
                return
        by_words = resolve(asked.context.at("parsing"), asked.pack, text, dialogue.turns)
        if not by_words.dependent and cue == "pointer" and not self.agent.models:
            yield asked.points_nowhere(pointed_at(asked.context, asked.pack, text))
            yield from understanding.fragments(text)
            return
        if (by_words.certain and (cue or not by_words.dependent)) or not self.agent.models:
            yield from understanding.resolved(text, by_words)
            yield from understanding.fragments(text)
            return
        yield from self._by_model(asked, text, dialogue)

    def _by_model(self, asked: Asked, text: str, dialogue: Dialogue) -> Iterator[Turn]:
        """Yield the turn for what the model says that a question means; by the words alone, where it fails."""
        understanding = AnswerWays(asked, self._answers, dialogue, self._ask_back)
        try:
            kind, understood = rephrase(asked.context.at("parsing"), text, dialogue, self._history)
        except (ReplyError, BudgetExceeded, ModelError) as error:
            self._answers.raise_failures(error)
            logger.info("{!r} is understood without the model: {}", text, error)
            yield from understanding.resolved(
                text, resolve(asked.context.at("parsing"), asked.pack, text, dialogue.turns)
            )
            return
        if kind in FOLLOW_UPS and (follow_up := _wish(asked.pack, kind, text)):
            assert dialogue.last is not None
            if (reply := replies.wished(asked.context, asked.pack, dialogue.last, follow_up)) is not None:
                yield asked.turn(dialogue.last.standalone, reply, kind="follow_up", dependent=True)
                return
            yield from understanding.operated(text, follow_up)
            whole = Interpretation("", asked.after(dialogue.last, text), dialogue.last.things)
            yield self._answers.turn(asked, whole, dependent=True)
            return
        yield from understanding.resolved(text, understood)

    def _best(self, asked: Asked, attempts: Iterable[Turn]) -> Turn:
        """Return the first turn that leaves no doubt; else the one that came closest."""
        if best := self._closest(attempts):
            return best
        unknown = asked.pack.replies["unknown"]
        return asked.turn(asked.text, unknown, error=unknown)

    def _closest(self, attempts: Iterable[Turn]) -> Turn | None:
        best: Turn | None = None
        for turn in attempts:
            if ways.is_sure(turn):
                return turn
            if best is None or ways.closeness(turn) > ways.closeness(best):
                best = turn
        return best


def _clean(text: str) -> str:
    """Return a text on one line, as Unicode composes it, with "?" for what is no character."""
    return " ".join(unicodedata.normalize("NFC", text.encode("utf-8", "replace").decode("utf-8")).split())


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
