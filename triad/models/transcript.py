"""A conversation as one text: what recordings are found by, and what token estimates count."""

from __future__ import annotations

import math
from collections.abc import Sequence

from triad.trace import Message, Usage

__all__ = ["estimate_tokens", "estimate_usage", "prompt_text"]


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


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has: one for each four characters, the rule of thumb for English."""
    return math.ceil(len(text) / 4)


def estimate_usage(messages: Sequence[Message], reply: str) -> Usage:
    """Return what a call costs whose tokens nobody counted: one call, estimated tokens, no money."""
    return Usage(
        calls=1,
        input_tokens=estimate_tokens(prompt_text(messages)),
        output_tokens=estimate_tokens(reply),
    )
