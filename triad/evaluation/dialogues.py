"""Asks the turns of dialogues, each in the context of the turns before, a dialogue in one conversation.

Turns are asked in order whatever order they are wanted in: one that is wanted before those ahead of it has them asked
first, and what came of them waits until it is wanted. So a run can be resumed in the middle of a dialogue, and
several threads can share one.
"""

import threading
from dataclasses import dataclass, field

from triad.agent import Agent
from triad.conversation import Conversation
from triad.datasets import Item
from triad.errors import AnswerError
from triad.evaluation.executors.base import Outcome, attempt
from triad.evaluation.folder import RunFailure


@dataclass(slots=True)
class _Dialogue:
    """A dialogue under way."""

    conversation: Conversation
    outcomes: list[Outcome] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Dialogues:
    """The conversations of a run: one for each dialogue and repetition."""

    def __init__(self) -> None:
        self._under_way: dict[tuple[str, int], _Dialogue] = {}
        self._lock = threading.Lock()

    def ask(self, agent: Agent, item: Item, repetition: int = 1) -> Outcome:
        """Ask a turn, after those before it that were not asked yet; whatever goes wrong is part of the outcome."""
        assert item.dialogue is not None
        key = item.dialogue, repetition
        with self._lock:
            if key not in self._under_way:
                language = item.question.language or None
                self._under_way[key] = _Dialogue(Conversation(agent, ask_back=False, language=language))
            dialogue = self._under_way[key]
        with dialogue.lock:
            for text in [*item.history, item.question.text][len(dialogue.outcomes) :]:
                outcome = _ask(dialogue.conversation, text)
                if outcome.stopped:
                    return outcome
                dialogue.outcomes.append(outcome)
            return dialogue.outcomes[len(item.history)]


def _ask(conversation: Conversation, text: str) -> Outcome:
    def answered() -> Outcome:
        turn = conversation.ask(text)
        if turn.unknown:
            return Outcome(None, RunFailure(AnswerError.__name__, str(turn.unknown)), turn.trace, unknown=turn.unknown)
        failure = RunFailure(AnswerError.__name__, turn.error) if turn.answer is None and turn.error else None
        return Outcome(turn.answer, failure, turn.trace)

    return attempt(text, answered)
