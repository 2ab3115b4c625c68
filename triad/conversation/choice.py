"""The choice among the readings of a turn: a softmax, learned from dialogues, tells how likely each of them is right.

Each way to understand a turn proposes readings, which stand side by side. What is known of a reading is its way, by
what the turn leans on those before it, how sure its answer is alone, and how what it gives goes with what was asked and
with what was given before. Readings that give the same count together, and one more is that none is right. The
probability becomes the confidence: it tells whether an answer is given, only a guess, or not known.
"""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from triad.answers import LEAST_GUESS, Unknown
from triad.conversation import replies
from triad.conversation.dialogue import Utterance, is_list
from triad.conversation.turns import Turn, things_in
from triad.lexical.unknown import low_confidence
from triad.lexical.weights import weighted

WEIGHTS: Final = Path(__file__).with_name("weights.json")
"""The file of the weights, which ``benchmarks/learn_turns.py`` writes."""
_WEIGHTS: Final[Mapping[str, float]] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
NONE: Final = {"none": 1.0}
"""What is known of the reading that none of the others is right."""
_BY_NAME: Final = ("resolved", "alone")  # the ways that are about what has a name, and not about the last answer
_SUREST: Final = 4.0  # the logarithm of the odds from which on an answer is as sure as can be
_MANY: Final = 6  # words from which on there are many


@dataclass(frozen=True, slots=True)
class Reading:
    """What a turn may come to, by a way to understand it."""

    way: str
    turn: Turn

    @property
    def gives(self) -> object:
        """What it gives, for comparison; None for nothing."""
        if self.turn.kind == "clarification":
            return self.turn.reply
        answer = None if self.turn.error else self.turn.answer
        return (answer.boolean, frozenset(answer.rows)) if answer else None


def giving(readings: Iterable[Reading]) -> list[Reading]:
    """Return the readings that give something, of each way one that gives the same."""
    once: dict[tuple[str, object], Reading] = {}
    for one in readings:
        if one.gives is not None:
            once.setdefault((one.way, one.gives), one)
    return list(once.values())


def likeliest(said: Utterance, readings: Sequence[Reading]) -> Turn:
    """Return the turn that is likeliest right, as sure as that is; one without an answer where none is likely."""
    found = giving(readings)
    odds = [math.exp(weighted(_WEIGHTS, one)) for one in (NONE, *(features(said, one) for one in found))]
    likely: defaultdict[object, float] = defaultdict(float)
    for one, odd in zip(found, odds[1:], strict=True):
        likely[one.gives] += odd / sum(odds)
    best = max(found, key=lambda one: likely[one.gives], default=None)
    # What goes on from before a follow-up in vain is a guess: that one may be meant.
    most = 1.0 if said.discussed is said.last or (best and best.way in _BY_NAME) else LEAST_GUESS
    turn = _given(said, best.turn, min(likely[best.gives], most)) if best else readings[-1].turn
    if not turn.error:
        return turn
    if failed := [one.turn for one in readings if one.way != "alone" and one.gives is None]:
        return failed[0]
    if not said.pointed_at:
        return turn
    reply = said.pack.replies["points_nowhere"].format(what=said.pointed_at)
    return said.request.turn(said.request.text, reply, dependent=True, error=reply)


def _given(said: Utterance, turn: Turn, sure: float) -> Turn:
    """Return a turn as sure as given: with its answer, with a guess, or with none where even that is too unlikely."""
    before, least = said.discussed.answer, said.context.min_confidence
    if turn.answer is None:
        return turn
    if turn.kind == "follow_up" and before:
        # What is asked of some of its things is right only if both answers are; what is made of a guess is a guess.
        sure = min(sure, before.confidence if turn.about == said.discussed.about else turn.answer.confidence)
    answer = replace(turn.answer, confidence=round(sure, 4))
    doubt = (low_confidence(said.context, answer),)
    unknown = turn.unknown or Unknown(answer.question, doubt, answer, answer.words, answer.readings)
    text = said.text if turn.kind == "follow_up" else turn.standalone
    if sure < min(LEAST_GUESS, least):
        unknown = replace(unknown, guess=answer).shown()
        kept = {"dependent": turn.dependent, "things": turn.things, "unknown": unknown, "error": str(unknown)}
        return said.request.turn(turn.standalone, replies.unknown(said.pack, unknown), **kept)
    if sure < least:
        return replace(turn, answer=answer, unknown=unknown, reply=replies.guessed(said.pack, text, answer, unknown))
    reply = replies.in_a_sentence(said.pack, text, answer) if answer.values else said.pack.replies["none"]
    return replace(turn, answer=answer, unknown=None, reply=reply)


def features(said: Utterance, reading: Reading) -> dict[str, float]:
    """Return what is known of a reading that gives something."""
    turn, way, last = reading.turn, reading.way, said.discussed
    if turn.answer is None:
        return {way: 1.0, "asks back": 1.0}
    answer, old, new = turn.answer, things_in(last), things_in(turn)
    before = last.answer.confidence if last.answer else 0.0
    leans = turn.kind == "follow_up"
    sure = _log_odds(answer.confidence / max(before, answer.confidence) if leans else answer.confidence)
    found = {
        way: 1.0,
        "sure": sure,
        f"sure {way}": sure,
        "sure before": _log_odds(before),
        f"words {way}": min(sum(map(said.sentence.content, range(len(said.sentence)))), _MANY),
        f"points {way}": bool(said.pointed_at),
        f"list before {way}": is_list(last),
        "fewer": bool(new) and new < old,
        "many": len(answer.rows) > 1,
        "columns": len(answer.variables) > 1,
    }
    return {name: float(value) for name, value in found.items() if value}


def _log_odds(confidence: float) -> float:
    return min(max(math.log(max(confidence, 1e-9) / max(1 - confidence, 1e-9)), -_SUREST), _SUREST)
