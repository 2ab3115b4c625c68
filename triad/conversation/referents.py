"""What a pronoun may point back to, and how well each entity fits.

The entities of the last turns are ranked by three measures: whether they are of the kind that the pronoun stands for
(the graph's types and relations tell), how recently and how prominently they were spoken of, and whether they have
relations that the question's words name.
"""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triad.conversation.mentions import PARTLY, RelationWords
from triad.conversation.turns import CHOICES, Turn, given_in
from triad.kg.schema import Hop
from triad.language.lexical_database import is_known
from triad.language.normalize import fold, local_name
from triad.language.pack import NameKind, Pack
from triad.language.relatedness import is_kind_of
from triad.language.tokens import Sentence
from triad.language.turn_schema import Feature
from triad.lexical.voice import done_by
from triad.phases.context import Context
from triad.questions import Candidate
from triad.rdf import DATED, Literal

CLEAR: Final = 0.08
"""The lead in score at which the best referent is taken without asking the user."""

_TURNS: Final = 5  # turns that are looked back on
_RELATED, _SALIENT, _CONTINUED, _GIVEN = 0.4, 0.3, 0.15, 0.04
"""What is added to how well an entity fits a pronoun (0 to 1): for a relation that the words name, for being spoken of
in the last turn (half of it a turn before), in both, and as the only answer. Their order is what they are chosen by: an
entity of a turn before wins over the last one only by such a relation."""
_USUAL: Final = 0.5  # the share of a class's instances with a relation from which on one that lacks it is meant, too
_CALLED, _UNTOLD, _SINGLE, _LATER, _INVERSE = 0.8, 0.6, 0.1, 0.15, 0.7
"""How well an entity fits whose class has a noun for persons, and one whose kind is not told; what is taken from one of
a list, and of a pronoun's later meaning; the share of a relation that leads to the entity. No deduction outweighs the
last turn."""
YEAR: Final = re.compile(r"(?<![\d.,-])[12]\d{3}(?![\d.,-]*\d)")
"""A year in a question."""


@dataclass(frozen=True, slots=True)
class Referent:
    """An entity, or a list of entities, that earlier turns spoke of."""

    name: str
    things: tuple[Candidate, ...]
    """The entity; of a list all of its entities."""
    age: int = 0
    """How many turns ago it was spoken of last."""
    continued: bool = False
    """True if the turn before that one spoke of it, too."""
    given: bool = False
    """True if it is the only entity that a question was answered with."""
    listed: bool = False
    """True for one entity of a list, or a value beside it, which was not spoken of by itself."""
    score: float = 0.0
    called: Feature | None = None
    """What a turn called it that has such a pronoun: he, or she; a place where it answered a question for one."""
    missing: bool = False
    """True for first and last name of somebody of whom the last turn was told that nothing is called so."""

    @property
    def is_list(self) -> bool:
        """True for a list of entities."""
        return len(self.things) > 1


def referents(turns: Sequence[Turn], pack: Pack | None = None) -> list[Referent]:
    """Return what the last turns spoke of, the latest first: what a question named, then what its answer gave.

    With a pack, also whether its words called them he or she.
    """
    found: dict[tuple[str, ...], Referent] = {}
    backwards = [*itertools.islice(reversed(turns), _TURNS), None]
    for age, (turn, before) in enumerate(itertools.pairwise(backwards)):
        assert turn is not None
        earlier = {one.iri for one in before.things.values()} if before else set()
        for name, thing in turn.things.items():
            key = (thing.iri or fold(name),)
            told = [one.words for one in turn.unknown.reasons if " " in name] if turn.unknown and not age else []
            found.setdefault(key, Referent(name, (thing,), age, thing.iri in earlier, missing=name in told))
        for at, values in enumerate(given_in(turn)):
            name = values[0].label if len(values) == 1 else ", ".join(value.label for value in values[:3])
            single = Referent(name, tuple(values), age, given=len(values) == 1, listed=at > 0)
            found.setdefault(tuple(value.iri for value in values), single)
            if 1 < len(values) <= CHOICES:
                for value in values:
                    found.setdefault((value.iri,), Referent(value.label, (value,), age, listed=True))
    called = _called(turns, pack) if pack else {}
    return [one if one.is_list else replace(one, called=called.get(one.things[0].iri)) for one in found.values()]


def _called(turns: Iterable[Turn], pack: Pack) -> dict[str, Feature]:
    """Return what turns that are about one thing call it: he, or she; or that it was where something is."""
    forms = [*pack.references.pronouns, *pack.references.possessives]
    called: dict[str, Feature] = {}
    for turn in turns:
        where = any(kind == "place" for *_, kind in pack.expected.all(Sentence(turn.standalone, pack).folded))
        called |= {values[0].iri: "place" for values in given_in(turn) if where and len(values) == 1}
        said = {feature for form, features in forms if form.search(turn.question) for feature in features}
        about = {one.iri for one in turn.things.values()}
        if turn.dependent and len(about) == 1 and len(genders := said & {"man", "woman"}) == 1:
            called[about.pop()] = genders.pop()
    return called


def pair(turns: Sequence[Turn]) -> list[Referent]:
    """Return the two entities that "the two", "the former" and "the latter" stand for; or none.

    They are the two that one turn named or was answered with, or the last two that were spoken of one by one: what a
    question was answered with, else what it was about.
    """
    single: dict[str, Candidate] = {}
    for turn in itertools.islice(reversed(turns), _TURNS):
        spoken_of = [*given_in(turn), list({one.iri or one.label: one for one in turn.things.values()}.values())]
        if two := next((things for things in spoken_of if len(things) == 2), None):
            return [Referent(one.label, (one,)) for one in two]
        for thing in next((things for things in spoken_of if len(things) == 1), ()):
            single.setdefault(thing.iri or thing.label, thing)
        if len(single) == 2:
            return [Referent(one.label, (one,)) for one in reversed(single.values())]
    return []


def time_of(turns: Sequence[Turn]) -> str | None:
    """Return the year that "then" is: that of the last answer that was a date, or the last that a question named."""
    for turn in itertools.islice(reversed(turns), _TURNS):
        [*values] = turn.answer.values if turn.answer else ()
        if len(values) == 1 and isinstance(values[0].term, Literal) and values[0].term.datatype in DATED:
            return values[0].label.lstrip("-").partition("-")[0]
        if years := YEAR.findall(turn.standalone):
            return str(years[-1])
    return None


def fitting(
    context: Context, pack: Pack, found: Iterable[Referent], features: Sequence[Feature], question: str
) -> list[Referent]:
    """Return the referents that may be meant, the best first, with their scores.

    Where none is of the kind, those that have a relation that the words name may be meant.
    """
    kinds = _Kinds(context, pack)
    words = RelationWords(question, context.question.language, context.glossary)
    scored = []
    for one in found:
        placed = enumerate(features)
        fit = max((kinds.fit(one, feature) * (1 - _LATER * place) for place, feature in placed), default=_UNTOLD)
        score = fit + _SALIENT * 0.5**one.age + _CONTINUED * one.continued + _GIVEN * one.given - _SINGLE * one.listed
        related = kinds.related(one, words)
        scored.append((fit, related, replace(one, score=round(score + _RELATED * related, 4))))
    fits = [one for fit, _, one in scored if fit > 0]
    fits = fits or [one for _, related, one in scored if related and not one.is_list]
    return sorted(fits, key=lambda one: -one.score)


def _may_be_person(noun: str) -> bool:
    """Return whether an English noun is one for persons, or for who does something and is no thing: a driver."""
    thing = any(is_kind_of(noun, kind) for kind in ("artifact", "device", "vehicle"))
    person = any(is_kind_of(noun, kind) for kind in ("person", "adult", "professional"))  # who is far from "person"
    return person or (bool(done_by(noun)) and not thing)


class _Kinds:
    """What the graph says of entities that helps to resolve pronouns: person, gender, classes, relations."""

    def __init__(self, context: Context, pack: Pack) -> None:
        self.context = context
        self.pack = pack

    def fit(self, referent: Referent, feature: Feature) -> float:
        """Return how well a referent fits what a pronoun stands for; 0 excludes it."""
        thing = referent.things[0]
        if referent.is_list:
            return 1.0 if feature == "group" or (feature == "place" and self._is_a(thing, "places")) else 0.0
        if referent.missing and feature in ("man", "woman"):
            return 1.0
        if feature in ("man", "woman"):
            person, gender = self.is_person(thing), self.gender(thing) or referent.called
            if person is False:
                return 0.0
            asked_for = CLEAR * (referent.given and gender == feature)  # the mother, where her daughter is she, too
            called = _CALLED if any(map(_may_be_person, _heads(self.context, thing))) else _UNTOLD
            return (1.0 if person else called) - 0.5 * (gender not in (None, feature)) + asked_for
        if feature == "group":
            return 0.9 if self._is_a(thing, "groups") else 0.6
        if feature == "place":
            placed = referent.called == "place" or self._is_a(thing, "places")
            return 1.0 if placed else 0.3 if _types(self.context, thing) else _UNTOLD
        person = self.is_person(thing)
        return 0.0 if person else 1.0 if person is False else 0.9

    def is_person(self, thing: Candidate) -> bool | None:
        """Return whether an entity is a person; None if the graph does not tell, as with printers and beekeepers.

        A dog that has a birth date is none, but may be called he.
        """
        if self._is_a(thing, "people"):
            return True
        heads = _heads(self.context, thing)
        may_be = not heads or any(map(_may_be_person, heads))
        if {fold(hop.label) for hop in self._card(thing) if hop.direction == "out"} & self.pack.names_of("of_people"):
            return may_be or not all(map(is_known, heads)) or None
        return None if may_be else False

    def gender(self, thing: Candidate) -> Feature | None:
        """Return the gender that the graph tells of a person."""
        pack = self.pack
        names, men, women = pack.names_of("gender"), pack.names_of("men"), pack.names_of("women")
        hops = (hop for hop in self._card(thing) if hop.direction == "out" and fold(hop.label) in names)
        told = {fold(hop.sample_label) for hop in hops}
        return "man" if told & men else "woman" if told & women else None

    def related(self, referent: Referent, words: RelationWords) -> float:
        """Return how well a relation that an entity has, or most of its class, fits the question, from 0 to 1."""
        if referent.missing:
            return 1.0
        hops = (hop for thing in referent.things[:1] for hop in self._card(thing))
        fits = [(1.0 if hop.direction == "out" else _INVERSE) * words.names(hop.label, hop.relation) for hop in hops]
        profile, types = self.context.profile, _types(self.context, referent.things[0])
        known = [profile.class_profile(one) for one in types] if profile else []
        uses = [use.relation for one in known if one for use in one.outgoing if use.share >= _USUAL]
        fits += [words.names(label, iri) for iri, label in self.context.schema.labels(uses).items()]
        return max((fit for fit in fits if fit >= PARTLY), default=0.0)

    def _card(self, thing: Candidate) -> tuple[Hop, ...]:
        return self.context.schema.card(thing.iri) if thing.iri else ()

    def _is_a(self, thing: Candidate, key: NameKind) -> bool:
        return bool(class_names(self.context, thing) & self.pack.names_of(key))


def _types(context: Context, thing: Candidate) -> tuple[str, ...]:
    return thing.types or (context.schema.types(thing.iri) if thing.iri else ())


def class_labels(context: Context, thing: Candidate) -> list[str]:
    """Return the labels of an entity's classes, as a prompt shows them."""
    return list(dict.fromkeys(context.schema.labels(_types(context, thing)).values()))


def class_names(context: Context, thing: Candidate) -> set[str]:
    """Return the folded names of an entity's classes and of the classes above them."""
    types = _types(context, thing)
    classes = dict.fromkeys([*types, *(above for iri in types for above in context.schema.superclasses(iri))])
    labels = context.schema.labels(classes)
    return {fold(name) for iri in classes for name in (labels[iri], local_name(iri))}


def nouns_for(context: Context, thing: Candidate) -> set[str]:
    """Return what an entity may be called by its classes: a wind park is a park, too."""
    return class_names(context, thing) | _heads(context, thing)


def _heads(context: Context, thing: Candidate) -> set[str]:
    return {name.split()[-1] for name in class_names(context, thing) if name}
