"""Words that point back: pronouns, possessives, "this film", "the former", a part of a name, "that" alone.

Each is found as a place of the question, with what it may stand for; `triad.conversation.resolving` puts names there.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from triad.conversation.mentions import Name, names_in
from triad.conversation.referents import Referent, nouns_for
from triad.conversation.turns import LISTED, Turn
from triad.language.analysis import analyse
from triad.language.cues import standing_alone
from triad.language.mentions import parts_of_names
from triad.language.normalize import fold, other_numbers
from triad.language.pack import Pack
from triad.language.tokens import Sentence
from triad.language.turn_schema import Feature
from triad.phases.context import Context
from triad.questions import Candidate
from triad.rdf import IRI


@dataclass(frozen=True, slots=True)
class Place:
    """Words that point back."""

    start: int
    end: int
    features: tuple[Feature, ...]
    form: str = "{name}"
    """What takes their place."""
    owned: str = ""
    meant: Referent | None = None
    """What they stand for, where the words tell."""


@dataclass(frozen=True)
class Pointers:
    """Finds the words of a question that point back to earlier turns."""

    context: Context
    pack: Pack
    turns: Sequence[Turn]
    """The turns before."""
    found: Sequence[Referent]
    """What they spoke of."""
    pair: Sequence[Referent]
    """The two things that "the former" and "the latter" are, if there are two."""

    def places(self, text: str, names: Sequence[Name]) -> Iterator[Place]:
        """Yield the places that point back to earlier turns, and not to a name in the same question."""
        taken = [(name.start, name.end) for name in names]
        taken += [match.span() for match in self.pack.references.expletive.finditer(text)]
        first = min((name.end for name in names), default=len(text) + 1)
        places: list[Place] = []
        for place in self._pointing(text):
            start, end = place.start, place.end
            if start < first and not any(start < other and before < end for before, other in taken):
                taken.append((start, end))
                places.append(place)
        before: Place | None = None
        for place in sorted(places, key=lambda place: place.start):
            # "Does he know his teacher?" needs one name only.
            if before is None or before.features != place.features or {*".?!"} & {*text[before.end : place.start]}:
                yield place
            before = place

    def _pointing(self, text: str) -> Iterator[Place]:
        owned = self.pack.references.data.owned.replace("{owner}", "{name}")
        for form, features in self.pack.references.possessives:
            for match in form.finditer(text):
                if not self.pack.is_idle(match["owned"]) or self.pack.is_by_name(match["owned"]):
                    full = owned.replace("{owned}", match["owned"])
                    full = full.replace("{rest}", match.groupdict().get("rest") or "")
                    yield Place(*match.span(), features, full, match["owned"])
        for match in self.pack.references.demonstrative.finditer(text):
            if value := self._value(match["noun"]):
                asked = self._asked_by(match["noun"])
                named = "{name}" if value.things[0].iri else f"{asked} {{name}}"  # with type Subsidiary
                yield Place(match.start(), match.start("noun") + len(asked), (), named, meant=value)
            elif noun := next(filter(self.of_class, beginnings(match["noun"].split())), None):
                end = match.start("noun") + len(noun)
                yield Place(match.start(), end, ("thing", "man", "group"), owned=noun)
        for form, place in self.pack.references.pairs if self.pair else ():
            for match in form.finditer(text):
                yield Place(*match.span(), (), meant=self.pair[place - 1 if place > 0 else place])
        yield from self.parts_of_names(text)
        for start, end in standing_alone(text, self.pack):
            yield Place(start, end, ("thing", "group", "man"))
        for form, features in self.pack.references.pronouns:
            for match in form.finditer(text):
                if not self.pack.is_name(text, *match.span()):
                    yield Place(*match.span(), features, self._form(text, match, features))

    def parts_of_names(self, text: str) -> Iterator[Place]:
        """Yield the places of words that are a part of a name that was spoken of: Kubrick, of Stanley Kubrick."""
        single = {one.things[0].label: one for one in self.found if not one.is_list}
        for one in self.found:
            for thing in one.things[:LISTED] if one.is_list else ():
                single.setdefault(thing.label, replace(one, name=thing.label, things=(thing,)))
        exact = [(one.start, one.end) for one in names_in(self.context, text, self.pack, whole=True)]
        analysis, sentence = analyse(text, self.pack), Sentence(text, self.pack)
        asked = min(analysis.asked, default=-1) in [sentence.form(name, 0) for name in ("which", "count")]
        head = analysis.words[max(analysis.asked)].end if asked else -1  # which pen, after the North Pen
        for start, end, name in parts_of_names(text, single, self.pack):
            noun = end == head or text[start:end] in nouns_for(self.context, single[name].things[0])
            if not noun and not any(start < after and before < end for before, after in exact):
                yield Place(start, end, (), meant=single[name])

    def _form(self, text: str, match: re.Match[str], features: Sequence[Feature]) -> str:
        """Return the text that replaces a pronoun: the name, with any suffix written together with the pronoun."""
        before = text[: match.start()].split()[-1:]
        if tuple(features) == ("place",) and not (before and self.pack.is_idle(before[0])):
            return self.pack.references.data.in_place
        form = " {name}" if match[0].startswith(("-", "\u200c")) else "{name}"
        return f"{form} {rest}" if (rest := match.groupdict().get("rest")) else form

    def _value(self, noun: str) -> Referent | None:
        """Return the only value of the last answer, if the last question asked for it by that noun: "that license"."""
        answer = self.turns[-1].answer
        values = answer.values if answer and answer.answer_type != "count" else ()
        if len(values) != 1 or not self._asked_by(noun):
            return None
        [one] = values
        iri = one.term.value if isinstance(one.term, IRI) else ""
        return Referent(one.label, (Candidate(iri, "entity", one.label),))

    def _asked_by(self, noun: str) -> str:
        """Return the first words of a noun that the last question has, too."""
        words, stems = noun.split(), self.pack.stems(self.turns[-1].standalone)
        return " ".join(itertools.takewhile(lambda word: self.pack.stem(word) in stems, words))

    def of_class(self, noun: str, found: Sequence[Referent] | None = None) -> list[Referent]:
        """Return what was spoken of that is of a class with that name."""
        wanted = {fold(noun), *other_numbers(fold(noun))}
        spoken_of = self.found if found is None else found
        pairs = ((one, nouns_for(self.context, thing)) for one in spoken_of for thing in one.things[:1])
        return [one for one, nouns in pairs if wanted & nouns]


def beginnings(words: Sequence[str]) -> list[str]:
    """Return all words as a phrase, then all but the last, and so on."""
    return [" ".join(words[:length]) for length in range(len(words), 0, -1)]


def key_of(place: Place) -> tuple[object, ...]:
    """Return what two places have in common that stand for the same."""
    return (place.features, place.owned if place.form == "{name}" else "", place.meant)
