"""The ways to understand a turn, each tried on the graph: about the last answer, in place of a name, by itself.

What was said may be a condition on the last answer, a part of a question, or a question. Each way that its words allow
gives a turn, and the first that leaves no doubt is taken: the graph decides where words do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from triad.answers import Answer
from triad.conversation import operations, replies
from triad.conversation.answered import Answers, Asked
from triad.conversation.dialogue import Dialogue
from triad.conversation.mentions import names_in
from triad.conversation.options import homonyms, meant, named_apart
from triad.conversation.resolving import Understood, resolve
from triad.conversation.turns import Interpretation, Turn
from triad.language.normalize import bare, fold
from triad.language.pack import Pack
from triad.language.tokens import Sentence, split
from triad.questions import Candidate

__all__ = ["Ways", "closeness", "is_sure", "joined"]

_TRIED: Final = 4  # interpretations that are tried to see whether they differ
_AHEAD: Final = 0.25  # the lead in confidence at which the better of two interpretations is taken


def is_sure(turn: Turn) -> bool:
    """Tell whether a turn has an answer that heeds all words, or has no need of one."""
    if turn.kind == "clarification" or (turn.kind == "follow_up" and turn.answer is None and not turn.error):
        return True
    answer = turn.answer
    if answer is None or turn.error or turn.unknown:
        return False
    # A condition that leaves nothing was understood; a question that finds nothing may not have been.
    found = bool(answer.values) or answer.boolean is not None or (turn.kind == "follow_up" and bool(answer.confidence))
    return found and not answer.ignored


def closeness(turn: Turn) -> tuple[bool, float]:
    """Return how close a turn came to an answer, for comparison."""
    answer = turn.answer if not turn.error else None
    found = answer is not None and (bool(answer.values) or answer.boolean is not None)
    return found, answer.confidence if answer and found else 0.0


def joined(asked: Asked, turns: Sequence[Turn]) -> Turn | None:
    """Return the turn that has the answers of several ones, one after the other; None if they cannot be joined."""
    found = [turn for turn in turns if turn.answer]
    if not found:
        return None
    first, *others = found
    answer: Answer | None = first.answer
    for other in others:
        assert answer is not None
        assert other.answer is not None
        answer = operations.united(asked.context, answer, other.answer)
        if answer is None:
            return None
    assert answer is not None
    things: dict[str, Candidate] = {}
    for turn in found:
        things |= turn.things
    return replace(asked.with_answer(first, asked.text, answer), things=things)


class Ways:
    """The ways to understand what was said in a dialogue.

    Args:
        asked: What was asked.
        answers: Answers questions.
        dialogue: What was said before.
        ask_back: Whether the user may be asked which of several interpretations is meant.
    """

    def __init__(self, asked: Asked, answers: Answers, dialogue: Dialogue, ask_back: bool) -> None:
        self.asked = asked
        self.context = asked.context
        self.pack: Pack = asked.pack
        self.answers = answers
        self.dialogue = dialogue
        self.settled = False
        """True once the words say that the last answer is meant, so that no other way is to be tried."""
        self._ask_back = ask_back

    def alone(self, text: str) -> Iterator[Turn]:
        """Yield the turns for a question that stands alone."""
        if two := self._clauses(text):
            yield from self._both(*two)
        yield self._distinguished(Interpretation("", text), dependent=False)
        if two := self._two(text):
            yield from self._both(*two)

    def _distinguished(
        self, whole: Interpretation, *, dependent: bool, others: tuple[Interpretation, ...] = ()
    ) -> Turn:
        """Answer a question; if a name stands for several things, each of them is tried.

        With a model, the user is asked without trying them, unless the question tells which is meant.
        """
        spoken_of = {one.iri for turn in self.dialogue.turns for one in turn.things.values()}
        known = {fold(name) for name in whole.known}
        for name in names_in(self.context, whole.question, self.pack):
            if fold(name.text) in known:
                continue
            things = homonyms(self.context, name.text)
            if len(things) < 2 or any(one.iri in spoken_of for one in things):
                continue
            if self.context.models:
                things = meant(self.context, self.pack, whole.question, name.text, things)
                if len(things) == 1:
                    whole = replace(whole, known={**whole.known, name.text: things[0]})
                if len(things) == 1 or not self._ask_back:
                    continue
            options = named_apart(self.context, whole, name.text, things)
            turn = self._several(options, dependent=dependent)
            if turn.kind == "clarification" or is_sure(turn):
                return turn
        return self.answers.turn(self.asked, whole, dependent=dependent, options=others)

    def _two(self, text: str) -> tuple[str, str] | None:
        """Return the two questions that "when was he born and where?" is: the first, and the words of the second."""
        words = split(text, self.pack)
        keys = [self.pack.key(word.text) for word in words]
        joining = {self.pack.key(one) for one in self.pack.data.compare.and_}
        for at in range(len(words) - 1, 1, -1):
            if keys[at - 1] in joining and fold(bare(text[words[at].start :])) in self.pack.references.asks:
                return text[: words[at - 1].start].rstrip(" ,"), text[words[at].start :]
        return None

    def _clauses(self, text: str) -> tuple[str, str] | None:
        """Return the two questions that "how much is it and who makes it" is, both with words of their own."""
        sentence = Sentence(text, self.pack)
        joining = {self.pack.key(one) for one in self.pack.data.compare.and_}
        for at in range(1, len(sentence) - 1):
            asks = any(sentence.form(name, at + 1) is not None for name in ("which", "count", "how"))
            if sentence.folded[at] in joining and (asks or self.pack.expected.longest(sentence.folded, at + 1)):
                first, second = text[: sentence.words[at].start], text[sentence.words[at].end :]
                return first.rstrip(" ,"), second.strip()
        return None

    def _both(self, first: str, second: str) -> Iterator[Turn]:
        """Yield the turn that answers two questions at once; a model writes one query for both."""
        if self.context.models:
            return
        one = next((turn for turn in self._resolved(first) if is_sure(turn)), None)
        if one is None or one.answer is None:
            return
        then = Ways(self.asked, self.answers, Dialogue([*self.dialogue.turns, replace(one, kind="question")]), False)
        other = next((turn for turn in then._resolved(second) if is_sure(turn)), None)
        if other is None or other.answer is None:
            return
        if answer := operations.beside(self.context, one.answer, other.answer):
            reply = f"{one.reply} {other.reply}"
            both = f"{bare(one.standalone)} {self.pack.data.compare.and_[0]} {other.standalone}"
            things = {**other.things, **one.things}
            yield replace(
                one, standalone=both, answer=replace(answer, question=one.answer.question), reply=reply, things=things
            )

    def _resolved(self, text: str) -> Iterator[Turn]:
        yield from self.resolved(text, resolve(self.context.at("parsing"), self.pack, text, self.dialogue.turns))

    def resolved(self, text: str, understood: Understood) -> Iterator[Turn]:
        """Yield the turns for a question whose words that point back are replaced."""
        if not understood.dependent:
            yield from self.alone(text)
            return
        if two := self._two(text) or self._clauses(text):
            yield from self._both(*two)
        if len(understood.interpretations) == 1:
            [only] = understood.interpretations
            yield self._distinguished(only, dependent=True, others=understood.others)
        else:
            yield self._several(understood.interpretations, dependent=True, others=understood.others)

    def _several(
        self, options: Sequence[Interpretation], *, dependent: bool, others: tuple[Interpretation, ...] = ()
    ) -> Turn:
        """Try several interpretations; ask back only if they give different answers and none is clearly likelier.

        A model is not asked several times to save a question to the user.
        """
        if self.context.models:
            if not self._ask_back:
                return self.answers.turn(self.asked, options[0], dependent=dependent, options=(*options[1:], *others))
            reply = replies.ask_back(self.pack, [one.label for one in options])
            return self.asked.turn(self.asked.text, reply, kind="clarification", dependent=True, options=tuple(options))
        tried = [(one, self.answers.turn(self.asked, one, dependent=dependent)) for one in options[:_TRIED]]
        found = [(one, turn) for one, turn in tried if is_sure(turn)]
        if not found:
            return max((turn for _, turn in tried), key=closeness)
        different: dict[object, tuple[Interpretation, Turn]] = {}
        for one, turn in found:
            different.setdefault(turn.answer.result if turn.answer else None, (one, turn))
        ranked = sorted(different.values(), key=lambda pair: -closeness(pair[1])[1])
        best, turn = ranked[0]
        left = tuple(one for one, _ in found if one != best)
        ahead = len(ranked) == 1 or closeness(turn)[1] - closeness(ranked[1][1])[1] > _AHEAD
        if not ahead and not self._ask_back:
            (best, turn), ahead = found[0], True
            left = tuple(one for one, _ in found[1:])
        if ahead:
            return replace(turn, options=(*left, *others))
        meant = [one for one, _ in found if any(one == other for other, _ in ranked)]
        reply = replies.ask_back(self.pack, [one.label for one in meant])
        return self.asked.turn(self.asked.text, reply, kind="clarification", dependent=True, options=tuple(meant))
