"""Hard limits on what models may cost.

A `Budget` is kept apart from the models it limits, so that several can share it:

    budget = Budget(calls=100, money=0.50)
    cheap, strong = BudgetedModel(cheap, budget), BudgetedModel(strong, budget)

No call starts once a limit is reached. The number of calls is exact; tokens and money are known only when a
call has ended, so the calls under way at that moment may exceed them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from triad.errors import BudgetExceeded, ConfigError, ModelError
from triad.models.model import Completion, Model
from triad.models.wrapper import Wrapper
from triad.trace import Message, Usage

__all__ = ["Budget", "BudgetedModel"]


class Budget:
    """Limits on model calls, and what has been spent of them. Safe to use from several threads.

    Args:
        calls: How many calls may be made; those that fail count, replies from the response cache do not.
        input_tokens: How many tokens may be sent.
        output_tokens: How many tokens may be received.
        tokens: How many tokens may be sent and received in all.
        money: How many US dollars may be spent.

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
    ) -> None:
        limits = {
            "calls": calls,
            "input tokens": input_tokens,
            "output tokens": output_tokens,
            "tokens": tokens,
            "dollars": money,
        }
        self.limits = {unit: limit for unit, limit in limits.items() if limit is not None}
        for unit, limit in self.limits.items():
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

    def __repr__(self) -> str:
        limits = ", ".join(f"{limit:g} {unit}" for unit, limit in self.limits.items())
        return f"Budget({limits or 'no limit'}; spent {self.spent!r})"


class BudgetedModel(Wrapper):
    """A model that stops when a budget is used up: then its calls raise `BudgetExceeded`, and nobody is asked.

    Args:
        model: The model that answers.
        budget: The limits, which other models may share.
    """

    def __init__(self, model: Model, budget: Budget) -> None:
        super().__init__(model)
        self.budget = budget

    def _pass_on(self, messages: Sequence[Message], call: Callable[[], list[Completion]]) -> list[Completion]:
        self.budget.begin()
        usage = Usage(calls=1)
        try:
            completions = call()
            usage = Usage.total(one.usage for one in completions)
        except ModelError as error:
            usage = error.usage or usage
            raise
        finally:
            self.budget.end(usage)
        return completions
