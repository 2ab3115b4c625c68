"""Operations on the last answer: another order, a column, fewer rows, another name in its query, a comparison.

Each makes a new query of the last one's; where the words do not fit anything that the entities have, the turn says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from triad.answers import Answer
from triad.conversation import operations, replies
from triad.conversation.mentions import names_in
from triad.conversation.referents import class_names, pair
from triad.conversation.resolving import resolve
from triad.conversation.turns import Interpretation, Turn, named_answers
from triad.conversation.ways import Ways, is_sure
from triad.errors import AnswerError
from triad.language.follow_ups import FollowUp
from triad.language.normalize import bare
from triad.language.tokens import Sentence
from triad.questions import AnswerSet, Candidate

__all__ = ["OperationWays", "things_in"]


class OperationWays(Ways):
    """The ways to understand a turn as an operation on the last answer."""

    def limited(self, text: str, question: str, within: AnswerSet) -> Turn:
        """Answer a question that is limited to the entities of an earlier answer."""
        found = (
            turn.answer for turn in reversed(self.dialogue.turns) if turn.answer and turn.answer.query == within.query
        )
        sure = next((answer.confidence for answer in found), 1.0)
        last = self.dialogue.last
        assert last is not None
        turn = self.answers.turn(self.asked, Interpretation("", question, within=within), dependent=True)
        narrows = last.answer is not None and last.answer.query == within.query
        # Columns and order of the last answer stay where only some of its entities are left.
        if narrows and is_sure(turn) and (kept := self._with_columns(last, turn)):
            turn = replace(turn, answer=kept, reply=replies.in_a_sentence(self.pack, text, kept))
        if turn.answer is not None:
            # It is right only if the answer whose entities it is about is right, too.
            answer = replace(turn.answer, confidence=round(turn.answer.confidence * sure, 4))
            reply = turn.reply if turn.error or turn.unknown else replies.in_a_sentence(self.pack, text, answer)
            turn = replace(turn, answer=answer, reply=reply)
        standalone = self.asked.after(last, text)
        return replace(turn, kind="follow_up", standalone=standalone, about=within)

    def _with_columns(self, last: Turn, turn: Turn) -> Answer | None:
        if last.answer is None or turn.answer is None:
            return None
        kept = operations.narrowed_to(self.context, last.answer, turn.answer)
        return replace(kept, question=turn.answer.question) if kept else None

    def operated(self, text: str, follow_up: FollowUp) -> Iterator[Turn]:
        """Yield the turn for an operation on the query of the last answer."""
        if self.dialogue.last:
            yield from self._operated(text, follow_up, self._meant(follow_up, self.dialogue.last))

    def _operated(self, text: str, follow_up: FollowUp, last: Turn) -> Iterator[Turn]:
        if last.answer is None:
            reply = self.pack.replies["no_answer"]
            yield self.asked.turn(self.asked.text, reply, kind="follow_up", dependent=True, error=reply)
            return
        without = self.dialogue.last.answer.values if self.dialogue.last and self.dialogue.last.answer else ()
        try:
            answer = operations.apply(
                self.context, self.pack, last.answer, follow_up, without if follow_up == FollowUp("except") else ()
            )
        except AnswerError as error:
            yield self.asked.turn(
                last.standalone,
                str(error),
                kind="follow_up",
                dependent=True,
                answer=last.answer,
                things=last.things,
                error=str(error),
            )
            return
        yield self.asked.with_answer(last, text, answer)

    def _meant(self, follow_up: FollowUp, last: Turn) -> Turn:
        """Return the turn whose answer an operation is about: the list that a thing or a count comes from."""
        several = follow_up.kind in ("sort", "only", "except", "column", "first")
        if not several or (len(things_in(last)) > 1 and follow_up != FollowUp("except")):
            return last
        if last.answer and (counted := operations.counted(self.context, last.answer)):
            last = replace(last, answer=counted)
            same = (turn for turn in self.dialogue.lists if things_in(turn) == things_in(last))
            return next(same, last)
        things = things_in(last)
        if not named_answers(last):
            things = {one.iri for one in last.things.values() if one.iri} or things  # how long is the Rhine
        for turn in self.dialogue.lists:
            if turn is not last and (not things or things < things_in(turn)):
                return turn
        named = [one for one in last.things.values() if one.iri]
        if len(named) < 2 and follow_up.of_order(self.pack):
            named = [thing for one in pair(self.dialogue.turns) for thing in one.things if thing.iri]
        return replace(last, answer=operations.listed(self.context, named)) if len(named) > 1 else last

    def _exchanged(self, text: str) -> Iterator[Turn]:
        """Yield the turn for the last answer's query with another entity in place of one: "and Chile?".

        By words alone, a question that stands by itself is better read again with the other name.
        """
        last = self.dialogue.last
        if last is None or last.answer is None or not (last.dependent or self.context.models):
            return
        part = next(
            (match["x"] for form in self.pack.references.ellipsis if (match := form.fullmatch(bare(text)))), text
        )
        names = names_in(self.context, part, self.pack)
        if self._asks(Sentence(part, self.pack)):
            return
        if len(names) != 1 or not self.pack.is_idle(part[: names[0].start] + " " + part[names[0].end :]):
            return
        new = names[0].thing
        kinds = class_names(self.context, self.pack, new)
        for old in operations.entities_in(last.answer):
            thing = Candidate(old, "entity", self.context.schema.labels([old])[old])
            its_kinds = class_names(self.context, self.pack, thing)
            if old == new.iri or (kinds != its_kinds and not kinds & its_kinds):
                continue
            answer = operations.swapped(self.context, last.answer, thing, new)
            if answer and (answer.values or answer.boolean is not None):
                turn = self.asked.with_answer(last, text, answer)
                others = {name: one for name, one in last.things.items() if one.iri != old}
                yield replace(turn, things={names[0].text: new, **others})
                return

    def _swapped(self, name: str) -> Iterator[Turn]:
        """Yield the turns for the last question with another name in place of one."""
        if self.context.models:
            yield from self._exchanged(name)
        understood = resolve(self.context, self.pack, f"{self.pack.data.compare.and_[0]} {name}?", self.dialogue.turns)
        if understood.dependent:
            for one in understood.interpretations[:1]:
                yield self.answers.turn(self.asked, one, dependent=True)

    def _asks(self, sentence: Sentence) -> bool:
        forms = ("which", "count", "number", "boolean", "how", "ask")
        return any(sentence.form(name, 0) is not None for name in forms) or bool(
            self.pack.expected.longest(sentence.folded, 0)
        )

    def _compared(self, text: str) -> Iterator[Turn] | None:
        """Return the turns for a question that holds the last answer against another: "is that more than Peru?"."""
        # A further comparison is of what was compared before: "and is it less than Chile?".
        turns = reversed(self.dialogue.turns)
        last = next((turn for turn in turns if turn.answer is None or turn.answer.boolean is None), None)
        if last is None or last.answer is None or len([*last.answer.values]) != 1 or named_answers(last):
            return None
        for form in self._forms("held"):
            if match := form.fullmatch(bare(text)):
                return self._held(last, last.answer, match["more"], match["x"])
        return None

    def _held(self, last: Turn, held: Answer, more: str, name: str) -> Iterator[Turn]:
        keys = self.pack.keys(more)
        stems = self.pack.stem_list(more)
        less = any(self.pack.compare["less"].longest(keys, at) for at in range(len(keys)))
        degree = next((found[1] for at in range(len(stems)) if (found := self.pack.more.longest(stems, at))), None)
        sign = "<" if less or (degree is not None and not degree.descending) else ">"
        for other in self._swapped(name):
            if other.answer and (answer := operations.held(self.context, held, sign, other.answer)):
                yield replace(self.asked.with_answer(last, self.asked.text, answer), things=last.things)

    def _forms(self, name: str) -> list[re.Pattern[str]]:
        return [re.compile(form, re.IGNORECASE) for form in getattr(self.pack.data.conversation, name)]


def things_in(turn: Turn) -> set[str]:
    """Return the entities of a turn's answer, or its values where there are none."""
    answer = turn.answer
    things = operations.things_of(answer)[1] if answer else ()
    return set(things) or {value.label for value in (answer.values if answer else ())}
