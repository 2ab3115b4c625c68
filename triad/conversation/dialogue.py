"""The state of a dialogue: the turns that still hold, what they gave, and what can be gone back to.

Nothing is kept beside the turns: the state is read from them, so that a conversation that is loaded from a store goes
on as it was. A turn that was taken back or corrected holds no more, and neither does what was said before a new start.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Self

from triad.conversation.turns import Turn, named_answers
from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.quantities import place_in
from triad.language.tokens import begin_alike
from triad.rdf import count_of

_FAMILY: Final = 4  # letters that words of one family have in common at the beginning
_SUFFIX: Final = 3  # letters that one of them may have besides


class Dialogue:
    """What a conversation has come to by its turns, the oldest first."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        held: list[Turn] = []
        corrected: Turn | None = None
        for turn in turns:
            if turn.kind == "start_over":
                held.clear()
            back = held.pop() if held and (turn.kind == "undo" or turn.corrects) else None
            if turn.kind in ("question", "follow_up"):
                corrected = back
                # What it takes the place of is gone, and must not be taken back once more.
                held.append(replace(turn, corrects=False) if turn.corrects else turn)
        self.turns: list[Turn] = held
        """The turns that hold, those that ask back or say nothing left out."""
        self.corrected = corrected
        """The turn that the last one took the place of."""
        self.asked_back = turns[-1] if turns and turns[-1].kind in ("clarification", "complaint") else None
        """The last turn, if it asks something of the user."""

    @property
    def last(self) -> Turn | None:
        """The last turn that holds."""
        return self.turns[-1] if self.turns else None

    @property
    def lists(self) -> list[Turn]:
        """The turns whose answers have or count several entities, the latest first."""
        return [turn for turn in reversed(self.turns) if is_list(turn)]

    def without_last(self) -> Self:
        """Return the dialogue before the last turn that holds."""
        return type(self)(self.turns[:-1])

    def earlier(self, what: str, pack: Pack) -> Turn | None:
        """Return the turn before the last one that some words describe: "the films", "the first question"."""
        words = [word for word in fold(what).split() if not pack.is_idle(word)]
        ranked = []
        for at, turn in enumerate(self.turns[:-1]):
            said = set(fold(f"{turn.question} {turn.standalone}").split())
            if hits := sum(any(alike(word, other, pack) for other in said) for word in words):
                listed = any(len(values) > 1 for values in named_answers(turn))
                ranked.append((hits, listed, at, turn))
        if ranked:
            return max(ranked, key=lambda one: one[:3])[3]
        places = [place for word in fold(what).split() if (place := place_in(word, pack))]
        if places and abs(places[0]) <= len(self.turns):
            return self.turns[places[0] - 1 if places[0] > 0 else places[0]]
        return self.turns[-2] if len(self.turns) > 1 and pack.is_idle(what) else None


def alike(word: str, other: str, pack: Pack) -> bool:
    """Return whether two words are forms of one, or of one family: german, Germany."""
    if pack.stem(word) == pack.stem(other):
        return True
    shared = begin_alike(word, other)
    return shared >= _FAMILY and shared >= max(len(word), len(other)) - _SUFFIX


def is_list(turn: Turn) -> bool:
    """Return whether the answer of a turn has or counts several things."""
    counted = turn.answer.values if turn.answer and turn.answer.answer_type == "count" else ()
    return any(count_of(value.term) > 1 for value in counted) or any(len(values) > 1 for values in named_answers(turn))
