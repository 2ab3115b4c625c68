"""A conversation: questions in the context of those before them.

>>> from triad.agent import Agent
>>> conversation = Conversation(Agent.from_config("demo"))
>>> conversation.ask("Who founded Intel?").reply
'Gordon Moore and Robert Noyce founded Intel.'
>>> conversation.ask("When was it founded?").standalone
'When was Intel founded?'
"""

import itertools
import re
import time
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from triad.admission import questions
from triad.agent import Agent
from triad.cancelling import in_thread
from triad.conversation import last_answer, replies
from triad.conversation.alone import joined
from triad.conversation.answered import Answers, TurnRequest
from triad.conversation.cues import leans
from triad.conversation.dialogue import Dialogue, Utterance
from triad.conversation.options import chosen
from triad.conversation.store import Store
from triad.conversation.turns import Interpretation, Turn, is_sure, things_in
from triad.conversation.understanding import attempts, by_model, closest
from triad.errors import ConfigError
from triad.language.acts import Act, greeting_language, read_act
from triad.language.cues import asks
from triad.language.detection import detect
from triad.language.follow_ups import FollowUp, recognise
from triad.language.normalize import bare, fold
from triad.language.pack import load_pack
from triad.language.tokens import Sentence
from triad.lexical.unknown import help_with
from triad.log import logger
from triad.questions import Question, check_length
from triad.text import writable
from triad.trace import Step

_MOST: Final = 2_000  # characters of a question
_SENTENCE: Final = re.compile(r"(?<=[.?!؟।])\s+")


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

    @questions.admitted()
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
        # on one line, as Unicode composes it, with "?" for what is no character
        text = writable(text).encode("utf-8", "replace").decode("utf-8")
        text = " ".join(unicodedata.normalize("NFC", text).split())
        if not text:
            raise ConfigError("the question is empty")
        check_length(text, _MOST)
        started = time.perf_counter()
        language = self._language_of(text)
        context = self.agent.begin(Question(text, language), on_step)
        card = context.roles.advisor
        card = card.model_copy(update={"tries": card.turn_tries, "own_knowledge": card.turn_knowledge})
        context = replace(context, roles=replace(context.roles, advisor=card))
        request = TurnRequest(text, language, load_pack(language), context)
        turn = self._turn(request)
        trace = request.context.recorder.trace()
        calls = trace.usage_by("action")
        turn = replace(
            turn,
            answer=replace(turn.answer, trace=trace) if turn.answer else None,
            usage=trace.usage,
            understanding=calls["rephrasing"].calls + calls["rephrasing"].cached if "rephrasing" in calls else 0,
            seconds=round(time.perf_counter() - started, 4),
            trace=trace,
        )
        self._keep(turn)
        return turn

    async def aask(self, text: str, on_step: Callable[[Step], None] | None = None) -> Turn:
        """Answer a question as `ask` does, without holding up the event loop; see `triad.Agent.aask`."""
        return await in_thread(lambda: self.ask(text, on_step))

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

    def _turn(self, request: TurnRequest) -> Turn:
        """Return the turn for what was said, by what it does."""
        if request.text in self.agent.confirmed:
            return self._answers.turn(request, Interpretation("", request.text), dependent=False)
        dialogue = Dialogue(self.turns)
        act = read_act(request.text, request.pack)
        said = Utterance(request, act.text, dialogue, self._answers, self._ask_back)
        if (options := self.turns[-1].choices if self.turns else ()) and (turn := self._chosen(said, act, options)):
            return turn
        if dialogue.asked_back and dialogue.asked_back.kind == "clarification" and said.dialogue.last and said.leans:
            said = replace(said, ask_back=False)  # what was asked back once is not asked again
        match act.kind:
            case "social":
                return request.social(act.social or "praise")
            case "help":
                return request.turn(request.text, help_with(request.context, request.pack), kind="social")
            case "dismiss":
                return request.social("dismissed")
            case "start_over":
                return request.turn(request.text, request.pack.replies["started_over"], kind="start_over")
            case "undo":
                return _undone(said)
            case "wrong" | "other" | "both" | "meant" if dialogue.last:
                return self._corrected(said, act)
            case "back" if dialogue.last and (turn := self._gone_back(said, act)):
                return turn
        if dialogue.asked_back and not dialogue.asked_back.options and dialogue.last:
            return self._corrected(said, replace(act, kind="meant", what=act.text))
        return self._best(said)

    # Choices, corrections, going back

    def _chosen(self, said: Utterance, act: Act, options: Sequence[Interpretation]) -> Turn | None:
        """Return the turn for the option that is chosen of those that the last turn offers; None if none is."""
        request, pack = said.request, said.pack
        asked_back, complained = (self.turns[-1].kind == kind for kind in ("clarification", "complaint"))
        what = act.what or act.text
        if asked_back and act.kind == "both":
            return joined(request, request.text, [self._answers.turn(request, one, dependent=True) for one in options])
        if not asked_back and not complained:
            follow_up = recognise(request.text, pack)
            if act.kind == "other" or (self.turns[-1].options and follow_up == FollowUp("except")):
                turn = self._answers.turn(request, options[0], dependent=True, options=tuple(options[1:]))
                return replace(turn, corrects=True)
            return self._read_otherwise(said, options)
        if act.kind not in ("question", "meant", "other", "wrong"):
            return None
        option = chosen(said.context, pack, what, options) if what else None
        if option is None or (asks(Sentence(what, pack)) and not leans(said.context, pack, what, self.turns)):
            return None  # a complete question chooses nothing
        left = tuple(one for one in options if one != option)
        return replace(self._answers.turn(request, option, dependent=True, options=left), corrects=complained)

    def _read_otherwise(self, said: Utterance, options: Sequence[Interpretation]) -> Turn | None:
        """Return the turn for a reading that is chosen of those beside the last answer; None if none is.

        It is chosen by its words, by its place where the answer is no list, or by what it is by: "by area instead".
        """
        text, sentence, follow_up = said.request.text, Sentence(said.text, said.pack), recognise(said.text, said.pack)
        read = [one for one in options if one.query is not None]
        placed = text.isdigit() or (follow_up and (follow_up.kind, follow_up.number) == ("first", 1))
        placed = placed and len(things_in(self.turns[-1])) < 2
        named = any(fold(one.label) == fold(text) for one in read)
        meant = named or placed or (sentence.compare("by", 0) and not asks(sentence))
        option = chosen(said.context, said.pack, text if named else said.text, read) if meant else None
        left = tuple(one for one in options if one != option)
        turn = self._answers.turn(said.request, option, dependent=True, options=left) if option else None
        return replace(turn, corrects=True) if turn else None

    def _corrected(self, said: Utterance, act: Act) -> Turn:
        """Return the turn that takes the place of the last one; a question what was meant, if the words do not say."""
        if act.kind in ("meant", "other"):
            turns = last_answer.corrected(said.saying(act.what), other=act.kind == "other")
            abouts = list(last_answer.dialogues_about(said.saying(act.what))) if act.rest else []
            if act.rest:
                rests = (replace(said, text=act.rest, dialogue=about) for about in abouts)
                turns = (turn for rest in rests for turn in attempts(rest, self._history))
            if act.what and self.agent.models and not abouts:
                turns = itertools.chain(turns, by_model(said.saying(said.request.text), self._history))
            elif act.what and not act.rest:
                before = replace(said, text=act.what, dialogue=said.dialogue.without_last())
                turns = itertools.chain(turns, attempts(before, self._history))
            if turn := closest(turns):
                return replace(turn, corrects=turn.kind != "clarification" and not act.rest)
        # In some languages "the other" is "the second", too.
        if act.kind == "both" or (act.kind == "other" and recognise(act.text, said.pack)):
            return self._best(said)
        last = said.last
        understood = said.pack.replies["what_was_wrong"].format(question=bare(last.standalone))
        if last.choices:
            understood = f"{understood}\n{replies.numbered([one.label for one in last.choices])}"
        return said.request.turn(said.request.text, understood, kind="complaint", dependent=True, options=last.choices)

    def _gone_back(self, said: Utterance, act: Act) -> Turn | None:
        """Go back to an earlier turn, and ask something of it if more is said; None if there is no such turn."""
        if (earlier := said.dialogue.earlier(act.what, said.pack)) is None:
            return None
        if act.rest:
            after = Dialogue([*said.dialogue.turns, replace(earlier, corrects=False)])
            return self._best(replace(said, text=act.rest, dialogue=after))
        return said.request.again(earlier, earlier.reply, kind=earlier.kind, each=earlier.each)

    def _best(self, said: Utterance) -> Turn:
        """Return the first turn that leaves no doubt; else the one that came closest.

        Without a model, a last sentence that goes on from those before it is a turn after theirs.
        """
        *before, last = _SENTENCE.split(said.text)
        follow_up = recognise(last, said.pack) if before and not said.context.models else None
        if follow_up and (follow_up.is_whole or follow_up.of_order(said.pack)):
            first = self._best(said.saying(" ".join(before)))
            if first.answer and is_sure(first):
                said = replace(said, text=last, dialogue=Dialogue([*said.dialogue.turns, first]))
        unknown = said.pack.replies["unknown"]
        return closest(attempts(said, self._history)) or said.request.turn(said.request.text, unknown, error=unknown)


def _undone(said: Utterance) -> Turn:
    """Take the last turn back."""
    request, pack = said.request, said.pack
    if said.dialogue.last is None:
        return request.social("nothing_to_undo")
    if (before := said.dialogue.without_last().last) is None:
        return request.turn(request.text, pack.replies["started_over"], kind="undo")
    undone = pack.replies["undone"].format(question=before.standalone)
    return request.again(before, f"{undone}\n{before.reply}", kind="undo")
