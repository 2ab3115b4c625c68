"""What every executor shares: budget, agents, the asking of questions and turns, what comes of it, and threads.

The questions are pulled one by one, and an outcome is handed on as soon as there is one. So no more than the questions
under way are held in memory, and a run that stops has nothing to take back.
"""

import copy
import queue
import threading
import time
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from triad.agent import Agent
from triad.answers import Answer, Unknown
from triad.configs import Config
from triad.conversation import Conversation
from triad.datasets import Item
from triad.errors import AnswerError, BudgetExceeded, TriadError
from triad.evaluation.folder import Key, RunFailure
from triad.evaluation.plan import load_items
from triad.log import logger
from triad.models import Model
from triad.models.wrappers import Budget, BudgetedModel
from triad.opening import open_models
from triad.questions import Question
from triad.sections import RunBudget
from triad.trace import Trace, Usage

J = TypeVar("J")


class RunStopped(AnswerError):
    """The budget of the whole run is used up; no `BudgetExceeded`, which a question may survive without its model."""


class SharedBudget(Budget):
    """What is left of a run's budget, after what earlier sessions of the run spent."""

    def __init__(self, limits: RunBudget, spent: Usage = Usage()) -> None:
        super().__init__(**limits.model_dump())
        self._spent = spent

    def begin(self) -> None:
        """Ask to make a call, or raise `RunStopped`; `end` must follow."""
        try:
            super().begin()
        except BudgetExceeded as error:
            raise RunStopped(str(error)) from error

    def reached(self) -> str | None:
        """Return which limit is reached, or None."""
        try:
            self.begin()
        except RunStopped as stopped:
            return str(stopped)
        self.end(Usage())
        return None

    def add(self, usage: Usage) -> None:
        """Count calls that were made on other machines."""
        with self._lock:
            self._under_way += 1
        self.end(usage)


@dataclass(frozen=True, slots=True)
class Job:
    """A question to ask, and which of its repetitions it is."""

    item: Item
    repetition: int = 1

    @property
    def key(self) -> Key:
        """What tells it from all others of the run."""
        return str(self.item.question.id), self.repetition


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a question: an answer, or a failure and how far it got."""

    answer: Answer | None = None
    failure: RunFailure | None = None
    trace: Trace | None = None
    seconds: float = 0.0
    unknown: Unknown | None = None
    """Why the question has no answer, if nothing failed."""

    @property
    def declined(self) -> bool:
        """True if the question has no answer, though nothing failed."""
        return self.failure is not None and self.failure.type == AnswerError.__name__

    @property
    def stopped(self) -> bool:
        """True if the run's budget kept the question from being answered."""
        return self.failure is not None and self.failure.type == RunStopped.__name__


class Agents:
    """The agent of each repetition: one for all, or, where the model takes a seed, one for each with its own seed.

    All calls count towards the budget.
    """

    def __init__(self, config: Config, budget: Budget | None = None) -> None:
        self._config = config
        self._budget = budget
        self.first = Agent.from_config(config)
        self.first.models = self._limited(self.first)
        if self.first.examples and config.dataset and config.run.leak_guard:
            items = load_items(config).items
            self.first.examples = self.first.examples.guarding((one.question.text, one.gold_query) for one in items)
        self._others: dict[int, Agent] = {}
        self._lock = threading.Lock()

    def __getitem__(self, repetition: int) -> Agent:
        seed = self._config.model_options.seed
        if seed is None or repetition == 1 or not self.first.models:
            return self.first
        with self._lock:
            if repetition not in self._others:
                options = self._config.model_options.model_copy(update={"seed": seed + repetition - 1})
                agent = copy.copy(self.first)
                agent.models = open_models(self._config.model_copy(update={"model_options": options}), agent.roles)
                agent.models = self._limited(agent)
                self._others[repetition] = agent
            return self._others[repetition]

    def _limited(self, agent: Agent) -> dict[str, Model]:
        budget = self._budget or Budget()
        return {role: BudgetedModel(model, budget) for role, model in agent.models.items()}

    def close(self) -> None:
        """Close all agents."""
        for agent in self._others.values():
            for model in agent.models.values():
                model.close()
        self.first.close()


def ask(agent: Agent, question: Question) -> Outcome:
    """Ask a question; whatever goes wrong is part of the outcome."""

    def answered() -> Outcome:
        answer = agent.ask(question)
        return Outcome(answer, None, answer.trace)

    return attempt(question.id or question.text, answered)


def attempt(name: str, ask: Callable[[], Outcome]) -> Outcome:
    """Return what asking comes to, with its time; an error makes it a failure."""
    started = time.perf_counter()
    try:
        outcome = ask()
    except TriadError as error:
        trace, unknown = (error.trace, error.unknown) if isinstance(error, AnswerError) else (None, None)
        outcome = Outcome(None, RunFailure(type(error).__name__, str(error)), trace, unknown=unknown)
    except Exception as error:  # a bug that one question brings to light must not end a run of thousands
        logger.opt(exception=error).error("question {!r} failed", name)
        outcome = Outcome(None, RunFailure(type(error).__name__, str(error)))
    return replace(outcome, seconds=time.perf_counter() - started)


def on_threads(ask: Callable[[J], Outcome], jobs: Iterable[J], workers: int) -> Generator[tuple[J, Outcome]]:
    """Do jobs on so many threads, and yield each with its outcome when it is done.

    The threads are daemons: a program that is interrupted does not wait for the calls under way. They rest while as
    many outcomes as there are threads wait to be taken.
    """
    todo = iter(jobs)
    lock = threading.Lock()
    room = threading.Semaphore(2 * workers)
    closing = threading.Event()
    outcomes: queue.SimpleQueue[tuple[J, Outcome] | None] = queue.SimpleQueue()

    def work() -> None:
        try:
            while room.acquire() and not closing.is_set():
                with lock:
                    job = next(todo)
                outcomes.put((job, ask(job)))
        except StopIteration:
            pass
        finally:
            outcomes.put(None)

    threads = [threading.Thread(target=work, name=f"question-{number}", daemon=True) for number in range(workers)]
    for thread in threads:
        thread.start()
    try:
        for _ in threads:
            while (outcome := outcomes.get()) is not None:
                yield outcome
                room.release()
    finally:
        closing.set()
        room.release(workers)  # for those that rest


@dataclass(slots=True)
class _Dialogue:
    """A dialogue under way."""

    conversation: Conversation
    outcomes: list[Outcome] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


class Dialogues:
    """The conversations of a run: one for each dialogue and repetition, in which turns are asked in order.

    A turn that is wanted before those ahead of it has them asked first, and what came of them waits until it is wanted.
    So a run can be resumed in the middle of a dialogue, and several threads can share one.
    """

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
                outcome = _said(dialogue.conversation, text)
                if outcome.stopped:
                    return outcome
                dialogue.outcomes.append(outcome)
            return dialogue.outcomes[len(item.history)]


def _said(conversation: Conversation, text: str) -> Outcome:
    def answered() -> Outcome:
        turn = conversation.ask(text)
        if turn.unknown:
            return Outcome(None, RunFailure(AnswerError.__name__, str(turn.unknown)), turn.trace, unknown=turn.unknown)
        failure = RunFailure(AnswerError.__name__, turn.error) if turn.answer is None and turn.error else None
        return Outcome(turn.answer, failure, turn.trace)

    return attempt(text, answered)
