"""A conversation as others take it: as one text, by which recordings are found, or as a request, and its tokens."""

import math
from collections.abc import Sequence

from triad.text import writable
from triad.trace import Message, Usage


def prompt_text(messages: Sequence[Message]) -> str:
    """Return a conversation as a text for people: each message under its role, a blank line in between.

    >>> print(prompt_text([Message("system", "Be brief."), Message("user", "Who founded Intel?")]))
    [system]
    Be brief.
    <BLANKLINE>
    [user]
    Who founded Intel?
    """
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages)


def request_messages(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Return a conversation as servers take it."""
    return [{"role": message.role, "content": writable(message.content)} for message in messages]


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has: one for each four characters, the rule of thumb for English."""
    return math.ceil(len(text) / 4)


def usage_of(messages: Sequence[Message], reply: str, sent: int | None = None, received: int | None = None) -> Usage:
    """Return what a call costs by the tokens that its server counted; what it did not count is estimated."""
    return Usage(1, 0, sent or estimate_tokens(prompt_text(messages)), received or estimate_tokens(reply))
