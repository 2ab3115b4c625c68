"""A model whose replies are written beforehand, for tests and examples.

>>> model = ScriptedModel(["Robert Noyce"])
>>> model.complete([Message("user", "Who founded Intel?")]).text
'Robert Noyce'
>>> len(model.calls)
1
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from triad.errors import ModelError
from triad.models.model import Completion, Model
from triad.trace import Message, prompt_text, usage_of

Reply = Callable[[Sequence[Message], Mapping[str, Any] | None], str]
"""A function from a conversation and a JSON schema to the model's reply."""


class ScriptedModel(Model):
    """A model that says what it was told to say.

    Args:
        replies: The replies in their order; or a mapping from words of the last user message to the reply, of
            which the first that occurs counts; or a function that is called as `Model.complete` is.
        name: What the model is called.
    """

    calls: list[tuple[Message, ...]]
    """The conversations that the model was sent, in order."""

    def __init__(self, replies: Iterable[str] | Mapping[str, str] | Reply, *, name: str = "scripted") -> None:
        self.name = name
        self.calls = []
        self._reply: Reply
        if callable(replies):
            self._reply = replies
        elif isinstance(replies, Mapping):
            self._reply = _by_words(replies)
        else:
            self._reply = _in_order(replies)

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the reply that the script has for the conversation; raises a `ModelError` if it has none."""
        self.calls.append(tuple(messages))
        text = self._reply(messages, schema)
        return Completion(text, usage_of(messages, text))

    def __repr__(self) -> str:
        return f"ScriptedModel({self.name!r}, {len(self.calls)} calls)"


def _in_order(replies: Iterable[str]) -> Reply:
    left = iter([replies] if isinstance(replies, str) else replies)
    lock = threading.Lock()

    def reply(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
        with lock:
            for text in left:
                return text
        raise ModelError(f"the script has no reply left for the prompt:\n{prompt_text(messages)}")

    return reply


def _by_words(replies: Mapping[str, str]) -> Reply:
    def reply(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
        last = next((message.content for message in reversed(messages) if message.role == "user"), "")
        for words, text in replies.items():
            if words in last:
                return text
        known = ", ".join(map(repr, replies))
        raise ModelError(f"the script has no reply for the prompt (it knows {known}):\n{prompt_text(messages)}")

    return reply
