"""The state of a dialogue, the turns that still hold and what they gave, and what is said in it.

Nothing is kept beside the turns: the state is read from them, so that a conversation that is loaded from a store goes
on as it was. A turn that was taken back or corrected holds no more, and neither does what was said before a new start.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Self

from triad import sparql
from triad.caching import cached_property
from triad.conversation.answered import Answers, TurnRequest
from triad.conversation.cues import leans, pointed_at
from triad.conversation.mentions import Name, names_in
from triad.conversation.referents import class_names
from triad.conversation.resolving import Understood, resolve
from triad.conversation.sets import AboutSet, set_of, sets_of
from triad.conversation.turns import Turn, named_answers
from triad.language.acts import without_joining
from triad.language.cues import asks
from triad.language.follow_ups import FollowUp, recognise
from triad.language.normalize import bare, fold
from triad.language.pack import Pack
from triad.language.quantities import ordinal_at, place_in
from triad.language.tokens import Sentence, begin_alike
from triad.phases.context import Context
from triad.rdf import count_of

_FAMILY: Final = 4  # letters that words of one family have in common at the beginning
_SUFFIX: Final = 3  # letters that one of them may have besides
_SETS: Final = 3  # sets of the last answer that it may be about


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
                ranked.append((hits, any(len(values) > 1 for values in named_answers(turn)), at, turn))
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


# What is said ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Utterance:
    """What was said in a dialogue that has a turn before it."""

    request: TurnRequest
    text: str
    """The words, without those that say nothing."""
    dialogue: Dialogue
    answers: Answers
    ask_back: bool = True
    """Whether the user may be asked which of several interpretations is meant."""

    @property
    def context(self) -> Context:
        """The graph and the index."""
        return self.request.context

    @property
    def pack(self) -> Pack:
        """The words of the language."""
        return self.request.pack

    @property
    def last(self) -> Turn:
        """The last turn that holds."""
        return self.dialogue.turns[-1]

    @property
    def discussed(self) -> Turn:
        """The turn that is gone on from: the last one, or the one before where that was a follow-up in vain."""
        turns = reversed(self.dialogue.turns)
        return next((turn for turn in turns if turn.answer or turn.kind != "follow_up"), self.last)

    @cached_property
    def leans(self) -> bool:
        """True if it leans on the turns before it."""
        return self.counted or leans(self.context, self.pack, self.text, self.dialogue.turns)

    @cached_property
    def understood(self) -> Understood:
        """How its own words are understood, with what they point back to."""
        return resolve(self.context.at("parsing"), self.pack, self.text, self.dialogue.turns)

    @cached_property
    def pointed_at(self) -> str:
        """The first words that stand for something that was spoken of."""
        return pointed_at(self.context, self.pack, self.text)

    @cached_property
    def sentence(self) -> Sentence:
        """Its words, one by one."""
        return Sentence(self.text, self.pack)

    @cached_property
    def counted(self) -> bool:
        """True if it says "the drivers", and nothing more of them, after those that meet a condition were counted."""
        answer = self.discussed.answer
        if answer is None or answer.answer_type != "count" or answer.query is None:
            return False
        limited = len(sparql.parse(answer.query).where) > 1  # all of a class may have been spoken of before
        limited = limited or any(use.kind in ("name", "relation", "value") for use in answer.words)
        return limited and any(one.is_named(self.text, alone=True) for one in self.sets[:1])

    @cached_property
    def part(self) -> str:
        """The words without those that only say that it goes on: "Chile", of "and what about Chile?"."""
        forms = (form.fullmatch(bare(self.text)) for form in self.pack.references.ellipsis)
        return without_joining(next((match["x"] for match in forms if match), self.text), self.pack)

    @cached_property
    def name(self) -> Name | None:
        """The only name in it, if it says nothing besides: the Rhine, of "what about the Rhine?"."""
        names = names_in(self.context, self.part, self.pack)
        alone = len(names) == 1 and self.pack.is_idle(f"{self.part[: names[0].start]} {self.part[names[0].end :]}")
        return names[0] if alone else None

    @cached_property
    def renames(self) -> bool:
        """True if it is only a name, of the kind of something in the last question, whose place it takes."""
        kinds = class_names(self.context, self.name.thing) if self.name else set()
        return any(kinds & class_names(self.context, one) for one in self.discussed.things.values())

    @cached_property
    def listed(self) -> AboutSet | None:
        """The last answer that has several entities."""
        answer = self.dialogue.lists[0].answer if self.dialogue.lists else None
        found = set_of(self.context, answer) if answer else None
        return AboutSet.of(self.context, self.pack, found, answer.confidence) if answer and found else None

    @cached_property
    def sets(self) -> list[AboutSet]:
        """What it may be about: the sets that the last answer leaves to speak of, and the last list."""
        answer = next((turn.answer for turn in reversed(self.dialogue.turns) if turn.answer), None)
        found = islice(sets_of(self.context, answer), _SETS) if answer else ()
        sets = {one: AboutSet.of(self.context, self.pack, one, answer.confidence) for one in found if answer}
        return [*sets.values(), *([self.listed] if self.listed and self.listed.set not in sets else [])]

    @cached_property
    def follow_up(self) -> FollowUp | None:
        """The follow-up on the last answer that its words are."""
        return recognise(self.text, self.pack) or self._placed()

    def _placed(self) -> FollowUp | None:
        """Return the follow-up that "the second river" is, which has no article in some languages."""
        sentence = self.sentence
        if self.listed is None or asks(sentence) or not self.listed.names_class(sentence):
            return None
        words = range(len(sentence))
        ordered = [at for at in words if sentence.folded[at] in self.pack.last or ordinal_at(sentence, at)]
        rest = [at for at in words if sentence.content(at) and at not in ordered]
        place = place_in(self.text, self.pack)
        return FollowUp("first", number=1, place=place) if place and len(ordered) == len(rest) == 1 else None

    def without_models(self) -> Self:
        """Return the same for which no model is asked."""
        return replace(self, request=replace(self.request, context=replace(self.context, models={})))

    def saying(self, text: str) -> Self:
        """Return the same with other words."""
        return replace(self, text=text)

    def matches(self, forms: str) -> Iterator[re.Match[str]]:
        """Yield how the words fit a list of patterns of the pack's conversation."""
        patterns = map(self.pack.templates.pattern, getattr(self.pack.data.conversation, forms))
        yield from filter(None, (form.fullmatch(bare(self.text)) for form in patterns))
