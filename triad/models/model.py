"""The port to a language model: messages in, text out.

One method, so that anything can be a model: a server, a recording, a script, or a wrapper around a model that
caches, counts or slows it down.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from triad.closing import Closing
from triad.models.prices import Price, price
from triad.trace import Message, Usage, usage_of


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model replied."""

    text: str
    usage: Usage = Usage(calls=1)


class Model(Closing, ABC):
    """A language model. Safe to use from several threads."""

    name: str
    """The model's name, as price lists and traces write it."""
    _prices: Mapping[str, Price] | None = None

    @abstractmethod
    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the model's reply to a conversation.

        Args:
            messages: The conversation, oldest message first.
            schema: A JSON schema that the reply should satisfy. A server that cannot enforce it is asked for
                plain JSON; the caller checks the reply in any case.

        Raises:
            ModelError: The server refused, failed or timed out, retries included.
            BudgetExceeded: A limit forbids the call.
        """

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        """Return up to so many replies to a conversation, the likeliest first; a model that gives only one gives one.

        The first has the usage of all. Raises as `complete` does.
        """
        return [self.complete(messages)]

    def begun(self, messages: Sequence[Message], requests: int = 1) -> Usage:
        """Return what requests cost at least that began and had no end: their prompts were read."""
        usage = Usage(requests, 0, requests * usage_of(messages, "").input_tokens)
        return replace(usage, money=price(self.name, usage, self._prices))
