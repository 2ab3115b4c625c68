"""What is said of the last answer: "which of these", "the ones from Leipzig", "their mayors", "what else", "calories?".

Whether the last answer is meant, the words tell: what stands for it, what is only a part of a question, what goes on
from it. Then it is asked of the answer's entities, or operated on its query.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from triad.conversation import operations, replies
from triad.conversation.mentions import names_in
from triad.conversation.operation_ways import OperationWays, things_in
from triad.conversation.pointers import points_back
from triad.conversation.referents import fitting, pair, referents
from triad.conversation.resolving import resolve
from triad.conversation.sets import AboutSet, set_of, set_of_pair
from triad.conversation.turns import Interpretation, Turn
from triad.conversation.ways import is_sure
from triad.language.acts import without_joining
from triad.language.comparisons import find_comparisons
from triad.language.cues import besides
from triad.language.follow_ups import FollowUp
from triad.language.mentions import guessed_name
from triad.language.normalize import bare
from triad.language.quantities import ordinal_at, place_in
from triad.language.tokens import Sentence, split
from triad.questions import AnswerSet

__all__ = ["AnswerWays"]

_CLEAR: Final = 0.75  # the confidence from which on a reading of a condition needs no other to be tried
_PART: Final = 4  # content words of what is no question by itself
_NEAR: Final = 3  # turns whose things "else" leaves out
_LOOKED_BACK: Final = 8  # turns that are searched for the list that an entity comes from


class AnswerWays(OperationWays):
    """The ways to understand what was said as being about the last answer."""

    def about_the_answer(self, text: str, follow_up: FollowUp | None) -> Iterator[Turn]:
        """Yield the turns for what is said of the last answer, as far as the words say that it is meant."""
        if compared := self._compared(text):
            yield from compared
        yield from self._more(text)
        yield from self._exchanged(text)
        if two := self._of_pair():
            if follow_up and follow_up.of_order(self.pack) and self._compares(follow_up.what):
                self.settled = True
                yield from self._of_two(text, two.fragment(follow_up.what), two.set)
                return
            if questions := two.explicit(text, pair=True):
                self.settled = True
                yield from self._of_two(text, questions[0], two.set)
                return
        about = self._about_list()
        follow_up = follow_up or (self._placed(text, about) if about else None)
        if follow_up and (follow_up.kind == "column" or self._is_measured(follow_up)):
            yield from self.operated(text, follow_up)
        # In some languages "the other" is "the second", too.
        others = follow_up is not None and (follow_up.kind == "first" or follow_up == FollowUp("except"))
        if not others and (rest := self._without_besides(text)):
            self.settled = True
            yield from self._besides(text, rest)
            return
        if about and not (follow_up and follow_up.kind in ("count", "first", "sort", "except")):
            questions = about.explicit(text, alone=self._last_is_list)
            yield from self._of_set(text, questions, about)
            if questions and (kept := follow_up or about.kept(text)):
                yield from self.operated(text, kept)
            if questions:
                return
        if follow_up is not None:
            if follow_up.kind == "only" and follow_up.falls(self.pack) is not None:
                yield from self.operated(text, follow_up)
            if about and follow_up.kind == "only":
                limited = self.limited(text, about.fragment(follow_up.what), about.set)
                if is_sure(limited) and limited.answer and limited.answer.confidence >= _CLEAR:
                    yield limited
                yield from self.operated(text, follow_up)
                yield limited
            if about and follow_up.kind == "except":
                yield from self._left_out(text, follow_up, about)
            yield from self.operated(text, follow_up)
            self.settled = follow_up.kind == "sort"
            return
        if not self.context.models:  # a model reads better what is only likely by its words
            yield from self._likely(text, about)
        if about and self._last_is_list and self._is_part(text, about):
            turns = [self.limited(text, question, about.set) for question in about.completed(text)]
            yield from sorted(turns, key=self._leaves_all)

    def _likely(self, text: str, about: AboutSet | None) -> Iterator[Turn]:
        """Yield the turns for a text that may be about what was spoken of: with a name, or a property of the focus."""
        if names_in(self.context, text, self.pack):
            understood = resolve(self.context.at("parsing"), self.pack, text, self.dialogue.turns)
            if understood.dependent:
                yield from self.resolved(text, understood)
        elif not (about and self._last_is_list) and self._is_part(text, about):
            yield from self._of_focus(text)

    def _placed(self, text: str, about: AboutSet) -> FollowUp | None:
        """Return the follow-up that "the second river" is, which has no article in some languages."""
        sentence = Sentence(text, self.pack)
        if self._asks(sentence) or not about.names_class(sentence):
            return None
        words = range(len(sentence))
        ordered = [at for at in words if sentence.folded[at] in self.pack.last or ordinal_at(sentence, at)]
        rest = [at for at in words if sentence.content(at) and at not in ordered]
        place = place_in(text, self.pack)
        return FollowUp("first", number=1, place=place) if place and len(ordered) == len(rest) == 1 else None

    def _of_set(self, text: str, questions: Sequence[str], about: AboutSet) -> Iterator[Turn]:
        """Yield the turns for questions whose words say that they are about an earlier answer."""
        if not questions:
            return
        self.settled = True
        if last := self.dialogue.last:
            yield from self._continued(text, last)
        tried: Iterator[Turn] = (self.limited(text, question, about.set) for question in questions)
        if owned := self._owned(text):
            own = things_in(self.dialogue.lists[0])
            tried, theirs = itertools.tee(tried)
            yield from (turn for turn in theirs if not things_in(turn) <= own)
            yield from self.operated(text, FollowUp("column", what=owned))
        yield from tried

    def _owned(self, text: str) -> str | None:
        """Return what is asked of each of the last answer's entities: their capitals."""
        for form, features in self.pack.references.possessives:
            if "group" in features and (match := form.search(text)) and not self.pack.is_idle(match["owned"]):
                return match["owned"]
        return None

    def _of_focus(self, text: str) -> Iterator[Turn]:
        """Yield the turn for a property of the thing that was spoken of last: "calories?"."""
        found = [one for one in referents(self.dialogue.turns) if not one.is_list]
        fits = fitting(self.context, self.pack, found, (), text)
        for one in fits[:1]:
            question = f"{without_joining(text, self.pack)} {self.pack.references.data.of.replace('{x}', one.name)}"
            yield self.answers.turn(self.asked, Interpretation("", question, {one.name: one.things[0]}), dependent=True)

    def _without_besides(self, text: str) -> str | None:
        """Return a text without the words that leave out what was spoken of: "what else"; None if it has none."""
        sentence = Sentence(text, self.pack)
        found = [sentence.words[at] for at in besides(sentence)]
        rest = without_joining(text, self.pack)
        if found and found[0].start == 0 and rest != bare(text) and not self._asks(Sentence(rest, self.pack)):
            found = found[1:]  # a word for "else" may be that for "and", too
        if not found or len(found) == len(sentence):
            return None
        return " ".join((text[: found[0].start] + text[found[0].end :]).split())

    def _besides(self, text: str, question: str) -> Iterator[Turn]:
        """Yield the turn for a question whose answer leaves out what was spoken of."""
        spoken_of = {one.iri for turn in self.dialogue.turns[-_NEAR:] for one in turn.things.values() if one.iri} | {
            iri for turn in self.dialogue.turns[-_NEAR:] for iri in things_in(turn)
        }
        for turn in self._resolved(question):
            if turn.answer and is_sure(turn):
                answer = operations.without_entities(self.context, turn.answer, spoken_of)
                yield (
                    replace(turn, answer=answer, reply=replies.in_a_sentence(self.pack, text, answer))
                    if answer
                    else turn
                )
                return
            yield turn

    def _leaves_all(self, turn: Turn) -> bool:
        """Tell whether a condition leaves out nothing, and so is none: "any side effects?" asks for these."""
        only = turn.answer is not None and len(turn.answer.variables) == 1
        return only and things_in(turn) == things_in(self.dialogue.lists[0])

    @property
    def _last_is_list(self) -> bool:
        answered = next((turn for turn in reversed(self.dialogue.turns) if turn.answer), None)
        return bool(self.dialogue.lists) and self.dialogue.lists[0] is answered

    def fragments(self, text: str) -> Iterator[Turn]:
        """Yield the turns for a text that may be a condition on the last answer."""
        about = self._about_list()
        sentence = Sentence(without_joining(text, self.pack), self.pack)
        if about and about.is_condition(text) and not self._asks(sentence) and not points_back(text, self.pack):
            yield self.limited(text, about.fragment(text), about.set)

    def _continued(self, text: str, last: Turn) -> Iterator[Turn]:
        """Yield the turns for "their", which goes on with what the last turn was about rather than with its answer."""
        if last.about is None or not any(
            form.search(text) for form, features in self.pack.references.possessives if "group" in features
        ):
            return
        about = AboutSet(self.context, self.pack, last.about)
        for question in about.explicit(text):
            yield self.limited(text, question, about.set)

    def _about_list(self) -> AboutSet | None:
        """Return the last answer that has several entities, if one of the last turns has it."""
        for turn in self.dialogue.lists[:1]:
            if turn.answer and turn in self.dialogue.turns[-_LOOKED_BACK:]:
                found = set_of(self.context, turn.answer)
                return AboutSet(self.context, self.pack, found) if found else None
        return None

    def _of_pair(self) -> AboutSet | None:
        found = set_of_pair(self.context, pair(self.dialogue.turns))
        return AboutSet(self.context, self.pack, found) if found else None

    def _of_two(self, text: str, question: str, two: AnswerSet) -> Iterator[Turn]:
        """Yield the turns for a choice between the last two things: "which of the two is larger"."""
        yield self.limited(text, question, two)
        last = self.dialogue.last
        assert last is not None
        things = [one.things[0] for one in pair(self.dialogue.turns)]
        listed = operations.listed(self.context, things)
        what = self._comparative(text)
        if what:
            with_list = replace(last, answer=listed)
            yield from self._operated(text, FollowUp("only", what=what), with_list)

    def _compares(self, text: str) -> bool:
        """Tell whether a text is a comparative: older, not oldest."""
        stems = self.pack.stem_list(text)
        found = [at for at in range(len(stems)) if self.pack.more.longest(stems, at)]
        return bool(found) and not any(self.pack.most.longest(stems, at) for at in found)

    def _comparative(self, text: str) -> str | None:
        """Return the words by which one of two is chosen."""
        words = split(text, self.pack)
        for start in range(len(words)):
            for end in range(len(words), start, -1):
                part = text[words[start].start : words[end - 1].end]
                if FollowUp("only", what=part).of_order(self.pack):
                    return part
        return None

    def _is_measured(self, follow_up: FollowUp) -> bool:
        """Tell whether it keeps what is more or less than a number or a date; that has one reading only."""
        return follow_up.kind == "only" and bool(find_comparisons(Sentence(follow_up.what, self.pack), boolean=False))

    def _is_part(self, text: str, about: AboutSet | None) -> bool:
        """Tell whether a text is no question by itself: a condition, a property, or which of what was given."""
        sentence = Sentence(without_joining(text, self.pack), self.pack)
        unknown = None if self.pack.data.capital_nouns else guessed_name(bare(text), self.pack)
        if not len(sentence) or unknown or points_back(text, self.pack):
            return False
        if names_in(self.context, text, self.pack):
            return sentence.words[0].empty and not self._asks(sentence)
        content = [at for at in range(len(sentence)) if sentence.content(at)]
        if self._asks(sentence) and all(self._ordered(sentence, at) for at in content):
            return True  # which is the longest
        each = next((at for at in range(len(sentence)) if sentence.form("each", at) is not None), None)
        counted = each is not None and any(at < each for at in content)
        if counted or sentence.form("ask", 0) is not None or (about and about.names_class(sentence)):
            return False
        if self.pack.expected.longest(sentence.folded, 0) and not any(
            sentence.form(name, 0) for name in ("which", "count")
        ):
            return False
        if self._asks_of_what(sentence):
            return True
        verbs = (*self.pack.forms["copula"].starts, *self.pack.forms["boolean"].starts)
        return len(content) <= _PART and not any(word in verbs for word in sentence.folded)

    def _asks_of_what(self, sentence: Sentence) -> bool:
        """Tell whether a question word has no noun after it: "how many were released before 1980"."""
        ends = [end for name in ("count", "which") if (end := sentence.form(name, 0)) is not None]
        return bool(ends) and max(ends) < len(sentence) and sentence.words[max(ends)].empty

    def _ordered(self, sentence: Sentence, at: int) -> bool:
        return bool(self.pack.most.longest(sentence.stems, at) or self.pack.more.longest(sentence.stems, at))

    def _left_out(self, text: str, follow_up: FollowUp, about: AboutSet) -> Iterator[Turn]:
        """Yield the turn for the last answer without those of its entities that a phrase describes."""
        last = self._meant(follow_up, self.dialogue.last) if self.dialogue.last else None
        if not follow_up.what or last is None or last.answer is None:
            return
        if operations.has_named(self.context, self.pack, last.answer, follow_up.what):
            yield from self.operated(text, follow_up)
            return
        yield self.limited(text, about.fragment(text), about.set)
        described = self.limited(text, about.fragment(follow_up.what), about.set)
        if is_sure(described) and described.answer:
            left_out = set(operations.things_of(described.answer)[1])
            if answer := operations.without_entities(self.context, last.answer, left_out):
                yield self.asked.with_answer(last, text, answer)

    def _more(self, text: str) -> Iterator[Turn]:
        """Yield the turn for the last answer together with that for another name: "and those of Austria too"."""
        last = self.dialogue.last
        if last is None or last.answer is None:
            return
        for form in self._forms("too"):
            match = form.fullmatch(bare(text))
            if match is None:
                continue
            if (what := match["x"]) is None:
                other = next((turn for turn in self.dialogue.lists if turn is not last), None)
            elif self._asks(Sentence(what, self.pack)) or points_back(what, self.pack):
                continue
            else:
                other = next((turn for turn in self._others(what) if turn.answer and is_sure(turn)), None)
            if other and other.answer and (answer := operations.united(self.context, last.answer, other.answer)):
                turn = self.asked.with_answer(last, text, answer)
                yield replace(turn, things={**last.things, **other.things})
                return

    def _others(self, what: str) -> Iterator[Turn]:
        """Yield the turns for what is to be added to the last answer: another name, or other ones of the list."""
        yield from self._swapped(what)
        before = AnswerWays(self.asked, self.answers, self.dialogue.without_last(), False)
        if before.dialogue.last and (about := before._about_list()):
            yield before.limited(what, about.fragment(what), about.set)
