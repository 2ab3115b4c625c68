"""Understanding a question in context with a model: classified and rephrased in one call, or in one call each.

The model sees the last turns within a budget of tokens, each answer cut to L items, and a numbered list of the entities
in them. It gives the numbers of the entities in its question, which are then linked to their known IRIs. A reply is
checked by assertions, as in Chatty-KG: it is one well-formed question, it adds nothing that the turns do not contain,
and it names only known entities, by their names.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final
from typing import Literal as Choice

from pydantic import BaseModel

from triad.conversation.referents import Referent, class_labels, referents
from triad.conversation.resolving import Understood
from triad.conversation.turns import Interpretation, Turn
from triad.errors import ConfigError
from triad.language.detection import detect
from triad.language.normalize import CAPITALS, fold
from triad.language.pack_schema import FOLLOW_UPS, FollowUpKind
from triad.phases.context import Context
from triad.prompts import QUOTE_LENGTH

__all__ = ["ANSWERS", "rephrase", "translate"]

ANSWERS: Final = 100
"""L: items of an answer that later turns see at most."""

_ENTITIES: Final = 20  # entities shown
_NAME: Final = 100  # characters of a name that is shown
_LONGEST: Final = 500  # characters of a question
_FEW: Final = 3  # turns whose entities are shown

Kind = Choice["alone", "dependent", FollowUpKind]


class _Rephrased(BaseModel):
    kind: Kind
    question: str
    things: list[int] = []


class _Classified(BaseModel):
    kind: Kind


class _Rewritten(BaseModel):
    question: str
    things: list[int] = []


class _Translated(BaseModel):
    question: str


def rephrase(context: Context, text: str, turns: Sequence[Turn], tokens: int) -> tuple[Kind, Understood]:
    """Classify a question and rephrase it so that it stands alone.

    Args:
        context: What the question is answered with.
        text: The question.
        turns: The turns before it.
        tokens: Tokens that the shown part of them may take.

    Raises:
        AnswerError: The model's reply failed its checks, or a limit was reached.
        ModelError: The model failed.
        ConfigError: The generalist's card has no prompt for this.
    """
    card = context.roles.generalist
    together = card.calls == "together"
    for subtask in ("rephrasing",) if together else ("context_classification", "context_rephrasing"):
        if subtask not in card.prompts:
            raise ConfigError(
                f"the generalist's card has no prompt for {subtask!r}, which a conversation needs; the shipped card has"
            )
    single = (one for one in referents(turns[-_FEW:]) if not one.is_list and len(one.name) <= _NAME)
    found = list(itertools.islice(single, _ENTITIES))
    things = [{"name": one.name, "kind": ", ".join(class_labels(context, one.things[0])[:2])} for one in found]
    shown = _shown(turns, tokens)
    inputs: dict[str, Any] = {"question": text, "turns": shown, "things": things}
    check = _Check(text, turns, found)
    if together:
        reply = context.call(
            "generalist",
            "rephrasing",
            inputs,
            _Rephrased,
            lambda reply: check(reply.kind, reply.question, reply.things),
        )
        kind, question, named = reply.kind, reply.question, reply.things
    else:
        seen = {"question": text, "turns": shown}
        kind = context.call("generalist", "context_classification", seen, _Classified).kind
        question, named = text, []
        if kind == "dependent":
            rewritten = context.call(
                "generalist",
                "context_rephrasing",
                inputs,
                _Rewritten,
                lambda reply: check("dependent", reply.question, reply.things),
            )
            question, named = rewritten.question, rewritten.things
    if kind != "dependent":
        return kind, Understood((Interpretation("", text),), certain=True)
    known = {found[number - 1].name: found[number - 1].things[0] for number in named}
    return kind, Understood((Interpretation("", " ".join(question.split()), known),), dependent=True, certain=True)


def translate(context: Context, text: str, language: str) -> str:
    """Return a question in another language.

    Raises:
        AnswerError: The model's reply failed its checks, or a limit was reached.
        ModelError: The model failed.
    """
    numbers = _numbers(text)

    def fault(reply: _Translated) -> str | None:
        if found := _malformed(reply.question):
            return found
        if missing := numbers - _numbers(reply.question):
            return f"'question' must have the number {min(missing)}"
        if len(reply.question) > 3 * len(text) + 60:
            return "'question' must be the translated question and nothing else"
        if detect(reply.question, language) != language:
            return f"'question' must be in the language {language!r}"
        return None

    inputs = {"question": text, "language": language}
    return context.call("generalist", "translation", inputs, _Translated, fault).question.strip()


def _numbers(text: str) -> set[int]:
    """Return the whole numbers in a text, in whatever digits."""
    return {int(number) for number in re.findall(r"\d{1,18}", text)}


def _size(text: str) -> int:
    """Return about how long a text is, in quarters of tokens: scripts other than Latin take more of them."""
    return len(text.encode())


def _shown(turns: Sequence[Turn], tokens: int) -> list[dict[str, str]]:
    """Return the last turns as the prompt shows them, as many as fit into the budget; the last one is always shown."""
    room = tokens * 4
    shown: list[dict[str, str]] = []
    for turn in reversed(turns):
        answer = _answer(turn, room)
        size = _size(turn.standalone[:QUOTE_LENGTH]) + _size(answer)
        if shown and size > room:
            break
        room -= size
        shown.append({"question": turn.standalone, "answer": answer})
    return shown[::-1]


def _answer(turn: Turn, room: int) -> str:
    if turn.answer is None or not (values := turn.answer.values):
        return turn.reply
    shown: list[str] = []
    for value in values[:ANSWERS]:
        room -= _size(f"{value.label}; ")
        if shown and room < 0:
            break
        shown.append(value.label)
    more = len(values) - len(shown)
    return "; ".join(shown) + (f" and {more:,} more" if more else "")


# Assertions -----------------------------------------------------------------------------------------------

_NAMES: Final = re.compile(rf"(?<=\S )(?:[{CAPITALS}][\w’'-]*|\d[\w.,:-]*)|[\"“«]([^\"”»]+)[\"”»]")
_NOUNS: Final = ("de", "lb")  # languages in which every noun has a capital
_INFLECTED: Final = ("ro", "ru")  # languages in which names have endings


class _Check:
    """Says what is wrong with a rephrased question, or None."""

    def __init__(self, text: str, turns: Sequence[Turn], found: Sequence[Referent]) -> None:
        self._found = found
        self._values = {fold(value.label) for turn in turns[-1:] if turn.answer for value in turn.answer.values}
        self._known_words = set(_words([text, *(one.name for one in found)]))
        self._inflected = bool(turns) and turns[-1].language[:2] in _INFLECTED
        self._capitals = turns[-1].language[:2] in _NOUNS if turns else False
        for turn in turns:
            values = turn.answer.values[:ANSWERS] if turn.answer else ()
            self._known_words |= set(_words([turn.question, turn.standalone, *(value.label for value in values)]))

    def __call__(self, kind: str, question: str, things: Iterable[int]) -> str | None:
        if kind in FOLLOW_UPS or kind == "alone":
            return None
        return (
            _malformed(question)
            or self._is_answer(question)
            or self._ungrounded(question)
            or self._unknown(question, things)
        )

    def _is_answer(self, question: str) -> str | None:
        return "'question' must be a question, and not its answer" if fold(question) in self._values else None

    def _ungrounded(self, question: str) -> str | None:
        for match in _NAMES.finditer(question):
            name = re.sub(r"['’]s?$", "", match[1] or match[0])
            number = name[0].isdigit()
            if (number or match[1] or not self._capitals) and not all(map(self._is_known, fold(name).split())):
                return f"'question' speaks of {name!r}, which neither the question nor the turns before do"
        return None

    def _is_known(self, word: str) -> bool:
        """Tell whether the turns contain a word; in Russian and Romanian, another ending counts as the same word."""
        if {word, word.removesuffix("s")} & self._known_words:
            return True
        stem = word[: max(4, len(word) - 2)]
        return self._inflected and any(
            known.startswith(stem) and abs(len(known) - len(word)) < 3 for known in self._known_words
        )

    def _unknown(self, question: str, things: Iterable[int]) -> str | None:
        for number in things:
            if not 1 <= number <= len(self._found):
                return f"'things' has {number}, but there are {len(self._found)} things"
            name = self._found[number - 1].name
            if fold(name) not in fold(question):
                return f"'things' has {number}, so 'question' must have the name {name!r}"
        return None


def _malformed(question: str) -> str | None:
    plain = question.strip()
    if not plain:
        return "'question' is empty"
    if len(plain) > _LONGEST:
        return f"'question' has {len(plain)} characters; at most {_LONGEST} are allowed"
    if "\n" in plain or len(re.findall(r"\?(?=\s+\S)", re.sub(r"[\"“«'‘].*?[\"”»'’]", "", plain))) > 0:
        return "'question' must be one question on one line"
    return None


def _words(texts: Iterable[str]) -> Iterable[str]:
    for text in texts:
        for word in fold(text).split():
            yield word
            yield word.removesuffix("s")
