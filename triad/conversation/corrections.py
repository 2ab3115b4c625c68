"""Corrections: "no, I meant the film", "not him, the other one", "the river, not the city".

What was said before is answered again, with another thing of the same name, another name or another relation in place
of what was not meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from triad.conversation.answered import Answers, Asked
from triad.conversation.dialogue import Dialogue
from triad.conversation.mentions import names_in
from triad.conversation.options import chosen, described, homonyms
from triad.conversation.referents import pair
from triad.conversation.resolving import resolve
from triad.conversation.turns import Interpretation, Turn
from triad.language.normalize import fold
from triad.questions import Candidate

__all__ = ["Corrections"]


class Corrections:
    """The ways to correct the last turn.

    Args:
        asked: What was said.
        answers: Answers questions.
        dialogue: The dialogue, whose last turn is corrected.
    """

    def __init__(self, asked: Asked, answers: Answers, dialogue: Dialogue) -> None:
        assert dialogue.last is not None
        self.asked = asked
        self.context = asked.context
        self.pack = asked.pack
        self.answers = answers
        self.dialogue = dialogue
        self.last = dialogue.last

    def attempts(self, what: str, instead_of: str, other: bool) -> Iterator[Turn]:
        """Yield the turns that may be meant.

        Args:
            what: What is meant, as far as it is said.
            instead_of: What is not meant, as far as it is said.
            other: Whether just another one is meant.
        """
        named = bool(what) and bool(names_in(self.context, what, self.pack))
        if named:
            yield from self._instead(what)
        options = self.last.options
        if options and (option := self._option(what, options)):
            left = tuple(one for one in options if one != option)
            yield self.answers.turn(self.asked, option, dependent=True, options=left)
        if other:
            yield from self._other_of_pair()
        if what:
            yield from self._of_same_name(what)
            if not named:
                yield from self._instead(what)

    def about(self, what: str) -> Iterator[Dialogue]:
        """Yield the dialogues in which the thing that is meant was spoken of last."""
        for name, thing in self._same_names(what):
            things = {key: one for key, one in self.last.things.items() if key != name}
            yield self._after({**things, name: thing})
        if named := {name.text: name.thing for name in names_in(self.context, what, self.pack)}:
            yield self._after(named)

    def _after(self, things: dict[str, Candidate]) -> Dialogue:
        return Dialogue([*self.dialogue.turns[:-1], replace(self.last, things=things, answer=None)])

    def _option(self, what: str, options: tuple[Interpretation, ...]) -> Interpretation | None:
        return chosen(self.context, self.pack, what, options) if what else options[0]

    def _same_names(self, what: str) -> Iterator[tuple[str, Candidate]]:
        """Yield the things that have the name of something in the last turn and fit the words, with the name."""
        linked = self.last.answer.links.items() if self.last.answer else ()
        things = {**{name: one for name, one in linked if one.kind == "entity"}, **self.last.things}
        for name, thing in things.items():
            others = [one for one in homonyms(self.context, thing.label or name, every=True) if one.iri != thing.iri]
            if not others:
                continue
            labels = described(self.context, [thing, *others])[1:]
            options = [Interpretation(label, "", {name: one}) for label, one in zip(labels, others, strict=True)]
            if option := chosen(self.context, self.pack, what, options):
                yield name, option.known[name]

    def _of_same_name(self, what: str) -> Iterator[Turn]:
        for name, thing in self._same_names(what):
            known = {**self.last.things, name: thing}
            yield self.answers.turn(self.asked, Interpretation("", self.last.standalone, known), dependent=True)

    def _instead(self, what: str) -> Iterator[Turn]:
        """Yield the turns for the last question with another name or another relation."""
        text = f"{self.pack.data.compare.and_[0]} {what}?"
        understood = resolve(self.context, self.pack, text, self.dialogue.turns)
        if understood.dependent:
            for one in understood.interpretations[:1]:
                yield self.answers.turn(self.asked, one, dependent=True)

    def _other_of_pair(self) -> Iterator[Turn]:
        named = {one.iri: name for name, one in self.last.things.items()}
        two = [one.things[0] for one in pair(self.dialogue.turns)]
        for old, new in zip(two, reversed(two), strict=True):
            if old.iri in named and fold(old.label) in fold(self.last.standalone):
                question = self.last.standalone.replace(old.label, new.label)
                yield self.answers.turn(self.asked, Interpretation("", question, {new.label: new}), dependent=True)
                return
