"""Models around models: the base of those that cache, limit or record another, and those that limit it.

A `Budget` is kept apart from the models it limits, so that several can share it:

    budget = Budget(calls=100, money=0.50)
    cheap, strong = BudgetedModel(cheap, budget), BudgetedModel(strong, budget)

No call starts once a limit is reached, and none goes on for longer than there is time. The number of calls is exact;
tokens and money are known only when a call has ended, so the calls under way at that moment may exceed them.
"""

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from typing import Any

from triad.admission import questions
from triad.cancelling import Cancellation, cancellable, under_way
from triad.deadline import Deadline, Pace
from triad.errors import BudgetExceeded, ConfigError, ModelError
from triad.models.model import Completion, Model
from triad.trace import Message, Usage


class Wrapper(Model):
    """A model that passes its calls on to another and goes by the other's name; it raises as the other does."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.name = model.name

    @property
    def fingerprint(self) -> str:
        """What tells the replies of the model inside from a namesake's: its server and settings, if it has any."""
        return str(getattr(self.model, "fingerprint", ""))

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the reply of the model inside."""
        [completion] = self._pass_on(lambda: [self.model.complete(messages, schema)])
        return completion

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        """Return replies of the model inside, by one call."""
        return self._pass_on(lambda: self.model.complete_many(messages, count))

    def _pass_on(self, call: Callable[[], list[Completion]]) -> list[Completion]:
        """Call the model inside, with what this one does before and after a call."""
        return call()

    def begun(self, messages: Sequence[Message], requests: int = 1) -> Usage:
        """Return what requests to the model inside cost at least."""
        return self.model.begun(messages, requests)

    def close(self) -> None:
        """Close the model inside."""
        self.model.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r})"


class Budget:
    """Limits on model calls, and what has been spent of them. Safe to use from several threads.

    Args:
        calls: How many calls may be made; those that fail count, replies from the response cache do not.
        input_tokens: How many tokens may be sent.
        output_tokens: How many tokens may be received.
        tokens: How many tokens may be sent and received in all.
        money: How many US dollars may be spent.
        seconds: How long calls may be made, from now on.

    Raises:
        ConfigError: A limit is negative.
    """

    def __init__(
        self,
        calls: int | None = None,
        input_tokens: int | None = None,
        output_tokens: int | None = None,
        tokens: int | None = None,
        money: float | None = None,
        seconds: float | None = None,
    ) -> None:
        units = ("calls", "input tokens", "output tokens", "tokens", "dollars")
        limits = zip(units, (calls, input_tokens, output_tokens, tokens, money), strict=True)
        self.limits = {unit: limit for unit, limit in limits if limit is not None}
        self.time = Deadline(math.inf if seconds is None else seconds)
        """The time that is left for calls."""
        for unit, limit in (*self.limits.items(), ("seconds", self.time.seconds)):
            if limit < 0:
                raise ConfigError(f"a budget of {limit!r} {unit} makes no sense: a limit is 0 or more")
        self._lock = threading.Lock()
        self._spent = Usage()
        self._under_way = 0

    @property
    def spent(self) -> Usage:
        """What the calls that have ended cost. Of a cached reply only the number counts: it cost nothing."""
        with self._lock:
            return self._spent

    def begin(self) -> None:
        """Ask to make a call; `end` must follow.

        Raises:
            BudgetExceeded: A limit is reached.
        """
        if self.time.expired:
            raise BudgetExceeded(f"the budget of {self.time.seconds:g} seconds is used up")
        with self._lock:
            used = {
                "calls": self._spent.calls + self._under_way,
                "input tokens": self._spent.input_tokens,
                "output tokens": self._spent.output_tokens,
                "tokens": self._spent.input_tokens + self._spent.output_tokens,
                "dollars": self._spent.money,
            }
            for unit, limit in self.limits.items():
                if used[unit] >= limit:
                    raise BudgetExceeded(f"the budget of {limit:g} {unit} is used up: {used[unit]:g} {unit} used")
            self._under_way += 1

    def end(self, usage: Usage) -> None:
        """Report what a call cost that `begin` allowed."""
        with self._lock:
            self._under_way -= 1
            self._spent += usage if usage.calls else Usage(cached=usage.cached)


class BudgetedModel(Wrapper):
    """A model that stops when a budget, which others may share, is used up: then its calls raise `BudgetExceeded`."""

    def __init__(self, model: Model, budget: Budget) -> None:
        super().__init__(model)
        self.budget = budget

    def _pass_on(self, call: Callable[[], list[Completion]]) -> list[Completion]:
        self.budget.begin()
        usage = Usage(calls=1)
        try:
            with questions.waiting():
                completions = _within(self.budget, call)
            usage = Usage.total(one.usage for one in completions)
        except ModelError as error:
            usage = error.usage or usage
            raise
        finally:
            self.budget.end(usage)
        return completions


def _within(budget: Budget, call: Callable[[], list[Completion]]) -> list[Completion]:
    """Make a call in another thread, and end it when a budget's time is up, whatever it waits for."""
    if math.isinf(budget.time.seconds):
        return call()
    done: Future[list[Completion]] = Future()
    cancellation = Cancellation()

    def work() -> None:
        try:
            with cancellable(cancellation):
                done.set_result(call())
        except BaseException as error:
            done.set_exception(error)

    # What is known of the question goes along; a program that ends does not wait for the call.
    threading.Thread(target=copy_context().run, args=(work,), name="model", daemon=True).start()
    try:
        with under_way(cancellation.cancel):
            return done.result(budget.time.left)
    except TimeoutError:
        if not done.done():
            cancellation.cancel()
            try:
                budget.begin()  # which raises, for no time is left
            except BudgetExceeded as late:
                late.begun = 1
                raise
        raise


class RateLimitedModel(Wrapper):
    """A model that waits before it calls another, so as not to start more calls a minute than are allowed.

    Raises:
        ConfigError: The limit is not positive.
    """

    def __init__(self, model: Model, *, per_minute: float, pace: Pace | None = None) -> None:
        super().__init__(model)
        if per_minute <= 0:
            raise ConfigError(f"per_minute is {per_minute!r}, but must be positive")
        self._pace = pace or Pace(per_minute / 60)

    def _pass_on(self, call: Callable[[], list[Completion]]) -> list[Completion]:
        self._pace.wait()
        return call()
