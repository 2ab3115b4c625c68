"""Corrections: "no, I meant the film", "not him, the other one", "the river, not the city".

What was said before is answered again, with another thing of the same name, another name or another relation in place
of what was not meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from triad.conversation.dialogue import Dialogue
from triad.conversation.mentions import names_in
from triad.conversation.operating import instead
from triad.conversation.options import chosen, described, homonyms
from triad.conversation.referents import pair
from triad.conversation.turns import Interpretation, Turn
from triad.conversation.utterance import Utterance
from triad.language.normalize import fold
from triad.questions import Candidate

__all__ = ["about", "corrected"]


def corrected(said: Utterance, *, other: bool) -> Iterator[Turn]:
    """Yield the turns that may be meant in place of the last one.

    Args:
        said: What is meant, as far as it is said.
        other: Whether just another one is meant.
    """
    what, options = said.text, said.last.options
    named = bool(what) and bool(names_in(said.context, what, said.pack))
    if named:
        yield from instead(said, what)
    option = (chosen(said.context, said.pack, what, options) if what else options[0]) if options else None
    if option:
        left = tuple(one for one in options if one != option)
        yield said.answers.turn(said.request, option, dependent=True, options=left)
    if other:
        yield from _other_of_pair(said)
    if what:
        for name, thing in _of_same_name(said):
            known = {**said.last.things, name: thing}
            yield said.answers.turn(said.request, Interpretation("", said.last.standalone, known), dependent=True)
    if what and not named:
        yield from instead(said, what)


def about(said: Utterance) -> Iterator[Dialogue]:
    """Yield the dialogues in which the thing that is meant was spoken of last."""
    found = [
        {**{key: one for key, one in said.last.things.items() if key != name}, name: thing}
        for name, thing in _of_same_name(said)
    ]
    if named := {name.text: name.thing for name in names_in(said.context, said.text, said.pack)}:
        found.append(named)
    for things in found:
        yield Dialogue([*said.dialogue.turns[:-1], replace(said.last, things=things, answer=None)])


def _of_same_name(said: Utterance) -> Iterator[tuple[str, Candidate]]:
    """Yield the things that have the name of something in the last turn and fit the words, with the name."""
    linked = said.last.answer.links.items() if said.last.answer else ()
    things = {**{name: one for name, one in linked if one.kind == "entity"}, **said.last.things}
    for name, thing in things.items():
        others = [one for one in homonyms(said.context, thing.label or name, every=True) if one.iri != thing.iri]
        if not others:
            continue
        labels = described(said.context, [thing, *others])[1:]
        options = [Interpretation(label, "", {name: one}) for label, one in zip(labels, others, strict=True)]
        if option := chosen(said.context, said.pack, said.text, options):
            yield name, option.known[name]


def _other_of_pair(said: Utterance) -> Iterator[Turn]:
    """Yield the turn for the last question about the other one of the two things that were spoken of."""
    named = {one.iri for one in said.last.things.values()}
    two = [one.things[0] for one in pair(said.dialogue.turns)]
    for old, new in zip(two, reversed(two), strict=True):
        if old.iri in named and fold(old.label) in fold(said.last.standalone):
            question = said.last.standalone.replace(old.label, new.label)
            yield said.answers.turn(said.request, Interpretation("", question, {new.label: new}), dependent=True)
            return
