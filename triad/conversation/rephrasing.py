"""Understanding a question in context with a model: classified and rephrased in one call.

The model sees the state of the dialogue in words, within a budget of tokens, and a numbered list of the entities in it:
not the transcript, but what it has come to. The question under discussion has all conditions that are in force, since a
follow-up is put after the question that it goes on from. What is said last comes first where room is short.
It gives the numbers of the entities in its question, which are then linked to their known IRIs. A reply is checked by
assertions, as in Chatty-KG: it is one well-formed question, it adds nothing that the turns do not contain, it names
only known entities, by their names, and a question about the last answer keeps the conditions that made it.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Literal as Choice

from pydantic import BaseModel

from triad.conversation.dialogue import Dialogue, alike
from triad.conversation.mentions import known_in
from triad.conversation.referents import Referent, class_labels, referents
from triad.conversation.resolving import Understood
from triad.conversation.sets import points_to_set
from triad.conversation.turns import Interpretation, Turn, named_answers
from triad.errors import ConfigError
from triad.language.detection import detect
from triad.language.normalize import CAPITALS, fold
from triad.language.pack import Pack, load_pack
from triad.language.turn_schema import FollowUpKind
from triad.phases.context import Context
from triad.questions import Candidate
from triad.rdf import Value

ANSWERS: Final = 20
"""L: items of the last answer that a model sees at most."""

_SETS, _FIRST, _THINGS, _FEW = 4, 3, 12, 3
"""Earlier answers, items of each, things, and turns whose things are shown: about what 600 tokens have room for."""
_NAME, _SHARE, _AROUND, _BYTES = 100, 3, 16, 4
"""Bytes of a name that is shown, parts of the room of which a long text takes one, bytes that a prompt puts around each
item, and bytes of a token: scripts other than Latin take more tokens for as many letters."""

_LONGEST: Final = 500  # characters of a question

Kind = Choice["alone", "dependent", FollowUpKind]


class _Rephrased(BaseModel):
    kind: Kind
    question: str
    things: list[int] = []


def rephrase(context: Context, text: str, dialogue: Dialogue, tokens: int) -> tuple[Kind, Understood]:
    """Classify a question and rephrase it so that it stands alone, by so many tokens of the dialogue before it.

    Raises:
        AnswerError: The model's reply failed its checks, or a limit was reached.
        ModelError: The model failed.
        ConfigError: The generalist's card has no prompt for this.
    """
    if "rephrasing" not in context.roles.generalist.prompts:
        raise ConfigError(
            "the generalist's card has no prompt for 'rephrasing', which a conversation needs; the shipped card has"
        )
    state, found = _state(context, dialogue, tokens)
    check = _Check(context, text, dialogue, found)
    reply = context.call("generalist", "rephrasing", {"question": text, **state}, _Rephrased, check)
    if reply.kind != "dependent":
        return reply.kind, Understood((Interpretation("", text),), certain=True)
    named = (*_said(context, reply.question, found), *(found[at - 1] for at in reply.things))
    whole = Interpretation("", " ".join(reply.question.split()), {one.name: one.things[0] for one in named})
    return reply.kind, Understood((whole,), dependent=True, certain=True)


def _said(context: Context, question: str, found: Iterable[Referent]) -> Iterator[Referent]:
    """Yield the things that a question has the whole name of, in any case; a name of idle words as it is written."""
    pack = load_pack(context.question.language)
    for one in found:
        is_plain = all(map(pack.is_idle, fold(one.name).split()))
        if known_in(question, {one.name: one.things[0]}) and (one.name in question or not is_plain):
            yield one


# The state of a dialogue in words ------------------------------------------------------------------------


def _state(context: Context, dialogue: Dialogue, tokens: int) -> tuple[dict[str, Any], tuple[Referent, ...]]:
    """Return the state of a dialogue that has a last turn, in words, and the things that were spoken of.

    In words are the question under discussion (``discussed``), its ``answer``, the question that the last turn took the
    place of (``corrected``, mostly empty), the earlier answers with several entities (``sets``, the latest first), and
    the names and kinds of the ``things``, in their order.
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
        if (size := sum(_size(part) for part in parts) + _AROUND) > self._left:
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
    return room.cut(_first(values, max(1, sum(1 for size in sizes if size <= room.share))))


def _first(values: Sequence[Value], size: int) -> str:
    more = len(values) - size
    return "; ".join(value.label for value in values[:size]) + (f" and {more:,} more" if more > 0 else "")


def _sets(context: Context, dialogue: Dialogue) -> Iterator[dict[str, Any]]:
    """Yield the answers before the last one that questions may be about, the latest first."""
    for turn in [turn for turn in dialogue.lists if turn is not dialogue.last][:_SETS]:
        for values in named_answers(turn)[:1]:
            kind = _kind(context, Candidate(str(values[0].term), "entity", values[0].label), 1) or "things"
            yield {"kind": kind, "count": len(values), "first": _first(values, _FIRST), "question": turn.standalone}


def _kind(context: Context, thing: Candidate, most: int = 2) -> str:
    return ", ".join(class_labels(context, thing)[:most])


# Assertions -----------------------------------------------------------------------------------------------

_NAMES: Final = re.compile(rf"(?<=\S )(?:[{CAPITALS}][\w’'-]*|\d[\w.,:-]*)|[\"“«]([^\"”»]+)[\"”»]")
_NOUNS: Final = ("de", "lb")  # languages in which every noun has a capital
_INFLECTED: Final = ("ro", "ru")  # languages in which names have endings


class _Check:
    """Says what is wrong with a rephrased question, or None."""

    def __init__(self, context: Context, text: str, dialogue: Dialogue, found: Sequence[Referent]) -> None:
        last = dialogue.turns[-1]
        self._pack = load_pack(context.question.language)
        self._found = found
        self._values = {fold(value.label) for value in (last.answer.values if last.answer else ())}
        self._inflected = last.language[:2] in _INFLECTED
        self._languages = context.question.language, last.language
        self._in_force = _in_force(self._pack, text, dialogue)
        said = [text, *(one.name for one in found), last.reply, last.answer.text if last.answer else ""]
        for turn in dialogue.turns:
            values = turn.answer.values[:ANSWERS] if turn.answer else ()
            said += [turn.question, turn.standalone, *(value.label for value in values)]
        words = {word for one in said for word in fold(one).split()}
        self._known_words = words | {word.removesuffix("s") for word in words}

    def __call__(self, reply: _Rephrased) -> str | None:
        question = reply.question
        if reply.kind != "dependent":
            return None
        return (
            _malformed(question)
            or ("'question' must be a question, and not its answer" if fold(question) in self._values else None)
            or self._ungrounded(question)
            or self._unknown(question, reply.things)
            or self._lost(question)
        )

    def _lost(self, question: str) -> str | None:
        """Say which condition of the last answer a question about it lost, unless it names the answer's things."""
        folded = fold(question)
        if any(value in folded for value in self._values):
            return None
        kept = {*folded.split(), *_written(question)}
        for condition in self._in_force:
            words = fold(condition).split()
            if not all(any(word == other or alike(word, other, self._pack) for other in kept) for word in words):
                return f"'question' is about the last answer, so it must keep the condition {condition!r}"
        return None

    def _ungrounded(self, question: str) -> str | None:
        asked, last = self._languages
        capitals = not {detect(question, asked), last[:2]}.isdisjoint(_NOUNS)
        for match in _NAMES.finditer(question):
            name = re.sub(r"['’]s?$", "", match[1] or match[0])
            number = name[0].isdigit()
            if (number or match[1] or not capitals) and not all(map(self._is_known, fold(name).split())):
                return f"'question' speaks of {name!r}, which neither the question nor the turns before do"
        return None

    def _is_known(self, word: str) -> bool:
        """Return whether the turns contain a word; in Russian and Romanian, another ending counts as the same word."""
        if {word, word.removesuffix("s")} & self._known_words:
            return True
        stem = word[: max(4, len(word) - 2)]
        as_long = (known for known in self._known_words if abs(len(known) - len(word)) < 3)
        return self._inflected and any(known.startswith(stem) for known in as_long)

    def _unknown(self, question: str, things: Iterable[int]) -> str | None:
        for number in things:
            if not 1 <= number <= len(self._found):
                return f"'things' has {number}, but there are {len(self._found)} things"
            name = self._found[number - 1].name
            if fold(name) not in fold(question):
                return f"'things' has {number}, so 'question' must have the name {name!r}"
        return None


def _in_force(pack: Pack, text: str, dialogue: Dialogue) -> list[str]:
    """Return the names and numbers that the question under discussion has, if a text asks of its answer's things."""
    if (last := dialogue.last) is None or last not in dialogue.lists or not points_to_set(text, pack):
        return []
    # A new number may take the place of one in force.
    numbers = [] if _written(text) else sorted(_written(last.standalone))
    return [*(name for name in last.things if fold(name) in fold(last.standalone)), *numbers]


def _written(text: str) -> set[str]:
    """Return the digits of the numbers in a text, without the marks between them."""
    return {re.sub(r"\D", "", number) for number in re.findall(r"\d+(?:[.,\u00a0\u202f]\d+)*", text)}


def _malformed(question: str) -> str | None:
    if not (plain := question.strip()):
        return "'question' is empty"
    if len(plain) > _LONGEST:
        return f"'question' has {len(plain)} characters; at most {_LONGEST} are allowed"
    if "\n" in plain or len(re.findall(r"\?(?=\s+\S)", re.sub(r"[\"“«'‘].*?[\"”»'’]", "", plain))) > 0:
        return "'question' must be one question on one line"
    return None
