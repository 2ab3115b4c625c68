"""The state of a dialogue in words, as a model is shown it: not the transcript, but what it has come to.

The question under discussion has all conditions that are in force, since a follow-up is put after the question that it
goes on from. With it stand the answer, the question that a correction took back, the answers that later questions may
be about, and the things that were spoken of. What is said last comes first where room is short.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from triad.conversation.dialogue import Dialogue
from triad.conversation.referents import Referent, class_labels, referents
from triad.conversation.turns import Turn, named_answers
from triad.phases.context import Context
from triad.questions import Candidate
from triad.rdf import Value

__all__ = ["ANSWERS", "state_in_words"]

ANSWERS: Final = 20
"""L: items of the last answer that a model sees at most."""

_SETS, _FIRST, _THINGS, _FEW = 4, 3, 12, 3
"""Earlier answers, items of each, things, and turns whose things are shown: about what 600 tokens have room for."""
_NAME, _SHARE, _AROUND, _BYTES = 100, 3, 16, 4
"""Bytes of a name that is shown, parts of the room of which a long text takes one, bytes that a prompt puts around each
item, and bytes of a token: scripts other than Latin take more tokens for as many letters."""


def state_in_words(context: Context, dialogue: Dialogue, tokens: int) -> tuple[dict[str, Any], tuple[Referent, ...]]:
    """Return the state of a dialogue in words, and the things that were spoken of.

    In words are the question under discussion (``discussed``), its ``answer``, the question that the last turn took the
    place of (``corrected``, mostly empty), the earlier answers with several entities (``sets``, the latest first), and
    the names and kinds of the ``things``, in their order.

    Args:
        context: The graph, for the names of classes.
        dialogue: The dialogue, which has a last turn.
        tokens: Tokens that the state may take.
    """
    assert dialogue.last is not None
    room = _Room(tokens * _BYTES)
    told: dict[str, Any] = {"discussed": room.cut(dialogue.last.standalone), "answer": _answer(dialogue.last, room)}
    told["corrected"] = room.cut(dialogue.corrected.standalone) if dialogue.corrected else ""
    single = [one for one in referents(dialogue.turns[-_FEW:]) if not one.is_list and _size(one.name) <= _NAME]
    named = ((one, {"name": one.name, "kind": _kind(context, one.things[0])}) for one in single[:_THINGS])
    shown = tuple(itertools.takewhile(lambda pair: room.takes(pair[1].values()), named))
    told["sets"] = tuple(itertools.takewhile(lambda one: room.takes(map(str, one.values())), _sets(context, dialogue)))
    told["things"] = tuple(thing for _, thing in shown)
    return told, tuple(one for one, _ in shown)


class _Room:
    """The bytes that are left."""

    def __init__(self, size: int) -> None:
        self._left = size
        self.share = size // _SHARE

    def takes(self, parts: Iterable[str]) -> bool:
        """Return whether an item of several texts still fits, and give it its room if it does."""
        size = sum(_size(part) for part in parts) + _AROUND
        if size > self._left:
            return False
        self._left -= size
        return True

    def cut(self, text: str) -> str:
        """Give a text its room, with the middle left out where it is longer than its share."""
        most = self.share * len(text) // max(1, _size(text))
        if len(text) > most:
            text = f"{text[: most // 2]} … {text[len(text) - most // 2 :]}"
        self._left -= _size(text) + _AROUND
        return text


def _size(text: str) -> int:
    return len(text.encode())


def _answer(turn: Turn, room: _Room) -> str:
    """Return the first items of a turn's answer, or its reply where it has none or is told in sentences."""
    values = turn.answer.values if turn.answer else ()
    if not values or (turn.answer and turn.answer.sentences):
        return room.cut(turn.reply)
    sizes = itertools.accumulate(_size(f"{value.label}; ") for value in values[:ANSWERS])
    fit = sum(1 for size in sizes if size <= room.share)
    return room.cut(_first(values, max(1, fit)))


def _first(values: Sequence[Value], size: int) -> str:
    more = len(values) - size
    return "; ".join(value.label for value in values[:size]) + (f" and {more:,} more" if more > 0 else "")


def _sets(context: Context, dialogue: Dialogue) -> Iterator[dict[str, Any]]:
    """Yield the answers before the last one that questions may be about, the latest first."""
    for turn in [turn for turn in dialogue.lists if turn is not dialogue.last][:_SETS]:
        for values in named_answers(turn)[:1]:
            first = Candidate(str(values[0].term), "entity", values[0].label)
            kind = _kind(context, first, 1) or "things"
            shown = _first(values, _FIRST)
            yield {"kind": kind, "count": len(values), "first": shown, "question": turn.standalone}


def _kind(context: Context, thing: Candidate, most: int = 2) -> str:
    return ", ".join(class_labels(context, thing)[:most])
