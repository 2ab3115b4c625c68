"""The ways to understand a turn, each tried on the graph: about the last answer, in place of a name, by itself.

What was said may be a condition on the last answer, a part of a question, or a question. Each way that its words allow
gives a turn, and the first that leaves no doubt is taken: the graph decides where words do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from triad.answers import Answer
from triad.conversation import operations, replies
from triad.conversation.answered import Answers, Asked
from triad.conversation.dialogue import Dialogue
from triad.conversation.mentions import names_in
from triad.conversation.options import homonyms, named_apart
from triad.conversation.referents import class_names, fitting, pair, referents
from triad.conversation.resolving import Understood, points_back, resolve
from triad.conversation.sets import AboutSet, set_of, set_of_pair, without_joining
from triad.conversation.turns import Interpretation, Turn, named_answers
from triad.errors import AnswerError
from triad.language.comparisons import find_comparisons
from triad.language.follow_ups import FollowUp
from triad.language.mentions import guessed_name
from triad.language.normalize import bare, fold
from triad.language.pack import Pack
from triad.language.tokens import Sentence, split
from triad.questions import AnswerSet, Candidate

__all__ = ["Ways", "closeness", "is_sure", "joined"]

_TRIED: Final = 4  # interpretations that are tried to see whether they differ
_CLEAR: Final = 0.75  # the confidence from which on a reading of a condition needs no other to be tried
_AHEAD: Final = 0.25  # the lead in confidence at which the better of two interpretations is taken
_PART: Final = 4  # content words of what is no question by itself
_NEAR: Final = 3  # turns whose things "else" leaves out
_LOOKED_BACK: Final = 8  # turns that are searched for the list that an entity comes from


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

    # By itself

    def alone(self, text: str) -> Iterator[Turn]:
        """Yield the turns for a question that stands alone."""
        yield self._distinguished(Interpretation("", text), dependent=False)
        if two := self._two(text):
            yield from self._both(*two)

    def _distinguished(
        self, whole: Interpretation, *, dependent: bool, others: tuple[Interpretation, ...] = ()
    ) -> Turn:
        """Answer a question; if a name stands for several things, each of them is tried."""
        if self.context.models:
            return self.answers.turn(self.asked, whole, dependent=dependent, options=others)
        spoken_of = {one.iri for turn in self.dialogue.turns for one in turn.things.values()}
        known = {fold(name) for name in whole.known}
        for name in names_in(self.context, whole.question, self.pack):
            if fold(name.text) in known:
                continue
            things = homonyms(self.context, name.text)
            if len(things) > 1 and not any(one.iri in spoken_of for one in things):
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

    def _both(self, first: str, second: str) -> Iterator[Turn]:
        """Yield the turn that answers two questions at once."""
        one = next((turn for turn in self._resolved(first) if is_sure(turn)), None)
        if one is None or one.answer is None:
            return
        then = Ways(self.asked, self.answers, Dialogue([*self.dialogue.turns, replace(one, kind="question")]), False)
        other = next((turn for turn in then._resolved(second) if is_sure(turn)), None)
        if other is None or other.answer is None:
            yield one
            return
        if answer := operations.beside(self.context, one.answer, other.answer):
            reply = f"{one.reply} {other.reply}"
            yield replace(one, answer=replace(answer, question=one.answer.question), reply=reply)

    # In place of a name

    def _resolved(self, text: str) -> Iterator[Turn]:
        yield from self.resolved(text, resolve(self.context.at("parsing"), self.pack, text, self.dialogue.turns))

    def resolved(self, text: str, understood: Understood) -> Iterator[Turn]:
        """Yield the turns for a question whose words that point back are replaced."""
        if not understood.dependent:
            yield from self.alone(text)
            return
        if two := self._two(text):
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

    # About the last answer

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
        if follow_up and (follow_up.kind == "column" or self._is_measured(follow_up)):
            yield from self.operated(text, follow_up)
        if about and not (follow_up and follow_up.kind in ("count", "first", "sort", "except")):
            if questions := about.explicit(text, alone=self._last_is_list):
                self.settled = True
                if last := self.dialogue.last:
                    yield from self._continued(text, last)
                for question in questions:
                    yield self._limited(text, question, about.set)
                if follow_up:
                    yield from self.operated(text, follow_up)
                return
        if besides := self._without_besides(text):
            self.settled = True
            yield from self._besides(text, besides)
            return
        if follow_up is not None:
            if follow_up.kind == "only" and follow_up.falls(self.pack) is not None:
                yield from self.operated(text, follow_up)
            if about and follow_up.kind == "only":
                limited = self._limited(text, about.fragment(follow_up.what), about.set)
                if is_sure(limited) and limited.answer and limited.answer.confidence >= _CLEAR:
                    yield limited
                yield from self.operated(text, follow_up)
                yield limited
            if about and follow_up.kind == "except":
                yield from self._left_out(text, follow_up, about)
            yield from self.operated(text, follow_up)
            self.settled = follow_up.kind == "sort"
            return
        if names_in(self.context, text, self.pack):
            understood = resolve(self.context.at("parsing"), self.pack, text, self.dialogue.turns)
            if understood.dependent:
                yield from self.resolved(text, understood)
        elif not (about and self._last_is_list) and self._is_part(text, about):
            yield from self._of_focus(text)
            return
        if about and self._last_is_list and self._is_part(text, about):
            for question in about.completed(text):
                yield self._limited(text, question, about.set)

    def _of_focus(self, text: str) -> Iterator[Turn]:
        """Yield the turn for a property of the thing that was spoken of last: "calories?"."""
        found = [one for one in referents(self.dialogue.turns) if not one.is_list]
        fits = fitting(self.context, self.pack, found, (), text)
        for one in fits[:1]:
            question = f"{without_joining(text, self.pack)} {self.pack.references.data.of.replace('{x}', one.name)}"
            yield self.answers.turn(self.asked, Interpretation("", question, {one.name: one.things[0]}), dependent=True)

    def _without_besides(self, text: str) -> str | None:
        """Return a text without the words that leave out what was spoken of: "what else"; None if it has none."""
        besides = {self.pack.key(word) for word in self.pack.data.conversation.besides}
        words = split(text, self.pack)
        found = [word for word in words if self.pack.key(word.text) in besides]
        if not found or len(found) == len(words):
            return None
        return " ".join((text[: found[0].start] + text[found[0].end :]).split())

    def _besides(self, text: str, question: str) -> Iterator[Turn]:
        """Yield the turn for a question whose answer leaves out what was spoken of."""
        spoken_of = {one.iri for turn in self.dialogue.turns[-_NEAR:] for one in turn.things.values() if one.iri} | {
            iri for turn in self.dialogue.turns[-_NEAR:] for iri in _things(turn)
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

    def _exchanged(self, text: str) -> Iterator[Turn]:
        """Yield the turn for the last answer's query with another entity in place of one: "and Chile?"."""
        last = self.dialogue.last
        if last is None or last.answer is None or not last.dependent:
            return
        part = next(
            (match["x"] for form in self.pack.references.ellipsis if (match := form.fullmatch(bare(text)))), text
        )
        names = names_in(self.context, part, self.pack)
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

    @property
    def _last_is_list(self) -> bool:
        answered = next((turn for turn in reversed(self.dialogue.turns) if turn.answer), None)
        return bool(self.dialogue.lists) and self.dialogue.lists[0] is answered

    def fragments(self, text: str) -> Iterator[Turn]:
        """Yield the turns for a text that may be a condition on the last answer."""
        about = self._about_list()
        sentence = Sentence(without_joining(text, self.pack), self.pack)
        if about and about.is_condition(text) and not self._asks(sentence) and not points_back(text, self.pack):
            yield self._limited(text, about.fragment(text), about.set)

    def _continued(self, text: str, last: Turn) -> Iterator[Turn]:
        """Yield the turns for "their", which goes on with what the last turn was about rather than with its answer."""
        if last.about is None or not any(
            form.search(text) for form, features in self.pack.references.possessives if "group" in features
        ):
            return
        about = AboutSet(self.context, self.pack, last.about)
        for question in about.explicit(text):
            yield self._limited(text, question, about.set)

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
        yield self._limited(text, question, two)
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

    def _limited(self, text: str, question: str, within: AnswerSet) -> Turn:
        """Answer a question that is limited to the entities of an earlier answer."""
        last = self.dialogue.last
        assert last is not None
        turn = self.answers.turn(self.asked, Interpretation("", question, within=within), dependent=True)
        if is_sure(turn) and turn.answer and last.answer and last.answer.query == within.query:
            # Columns and order of the last answer stay where only some of its entities are left.
            if kept := operations.narrowed_to(self.context, last.answer, turn.answer):
                reply = replies.in_a_sentence(self.pack, text, kept)
                turn = replace(turn, answer=replace(kept, question=turn.answer.question), reply=reply)
        standalone = self.asked.after(last, text)
        return replace(turn, kind="follow_up", standalone=standalone, about=within)

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
        verbs = (*self.pack.forms["copula"].starts, *self.pack.forms["boolean"].starts)
        return len(content) <= _PART and not any(word in verbs for word in sentence.folded)

    def _asks(self, sentence: Sentence) -> bool:
        forms = ("which", "count", "number", "boolean", "how", "ask")
        return any(sentence.form(name, 0) is not None for name in forms) or bool(
            self.pack.expected.longest(sentence.folded, 0)
        )

    def _ordered(self, sentence: Sentence, at: int) -> bool:
        return bool(self.pack.most.longest(sentence.stems, at) or self.pack.more.longest(sentence.stems, at))

    # Operations on the last answer

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
        """Return the turn whose answer an operation is about: the list that a single thing comes from, where needed."""
        several = follow_up.kind in ("sort", "only", "except", "column", "first")
        if not several or (len(_things(last)) > 1 and follow_up != FollowUp("except")):
            return last
        things = _things(last)
        for turn in self.dialogue.lists:
            if turn is not last and (not things or things < _things(turn)):
                return turn
        named = [one for one in last.things.values() if one.iri]
        if len(named) < 2 and follow_up.of_order(self.pack):
            named = [thing for one in pair(self.dialogue.turns) for thing in one.things if thing.iri]
        return replace(last, answer=operations.listed(self.context, named)) if len(named) > 1 else last

    def _left_out(self, text: str, follow_up: FollowUp, about: AboutSet) -> Iterator[Turn]:
        """Yield the turn for the last answer without those of its entities that a phrase describes."""
        last = self.dialogue.last
        if not follow_up.what or last is None or last.answer is None:
            return
        if operations.has_named(self.context, self.pack, last.answer, follow_up.what):
            yield from self.operated(text, follow_up)
            return
        yield self._limited(text, about.fragment(text), about.set)
        described = self._limited(text, about.fragment(follow_up.what), about.set)
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
            elif self._asks(Sentence(what, self.pack)):
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
        before = Ways(self.asked, self.answers, self.dialogue.without_last(), False)
        if before.dialogue.last and (about := before._about_list()):
            yield before._limited(what, about.fragment(what), about.set)

    def _swapped(self, name: str) -> Iterator[Turn]:
        """Yield the turns for the last question with another name in place of one."""
        understood = resolve(self.context, self.pack, f"{self.pack.data.compare.and_[0]} {name}?", self.dialogue.turns)
        if understood.dependent:
            for one in understood.interpretations[:1]:
                yield self.answers.turn(self.asked, one, dependent=True)

    def _compared(self, text: str) -> Iterator[Turn] | None:
        """Return the turns for a question that holds the last answer against another: "is that more than Peru?"."""
        last = self.dialogue.last
        [*values] = last.answer.values if last and last.answer else ()
        if len(values) != 1 or named_answers(last) if last else True:
            return None
        for form in self._forms("held"):
            if match := form.fullmatch(bare(text)):
                return self._held(match["more"], match["x"])
        return None

    def _held(self, more: str, name: str) -> Iterator[Turn]:
        last = self.dialogue.last
        assert last is not None
        assert last.answer is not None
        keys = self.pack.keys(more)
        stems = self.pack.stem_list(more)
        less = any(self.pack.compare["less"].longest(keys, at) for at in range(len(keys)))
        degree = next((found[1] for at in range(len(stems)) if (found := self.pack.more.longest(stems, at))), None)
        sign = "<" if less or (degree is not None and not degree.descending) else ">"
        for other in self._swapped(name):
            if other.answer and (answer := operations.held(self.context, last.answer, sign, other.answer)):
                yield self.asked.with_answer(last, self.asked.text, answer)

    def _forms(self, name: str) -> list[re.Pattern[str]]:
        return [re.compile(form, re.IGNORECASE) for form in getattr(self.pack.data.conversation, name)]


def _things(turn: Turn) -> set[str]:
    """Return the entities of a turn's answer, or its values where there are none."""
    answer = turn.answer
    things = operations.things_of(answer)[1] if answer else ()
    return set(things) or {value.label for value in (answer.values if answer else ())}
