"""Understanding a question in context without a model: by words that point back.

Pronouns, possessives and demonstratives are replaced by the names of what they stand for, what is only a part of a
question ("and of Italy?") completes the question before, and a noun that the graph knows as a relation or a class of
what was spoken of ("the director", "the first film") is put with its name. Where two interpretations are equally good,
both are returned, so that the user can be asked.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triad.conversation.cues import drops_subject
from triad.conversation.mentions import Name, names_class, names_in
from triad.conversation.pointers import Place, Pointers, key_of
from triad.conversation.referents import CLEAR, Referent, class_names, fitting, pair, referents, time_of
from triad.conversation.relation_matching import RelationWords
from triad.conversation.turns import Interpretation, Turn
from triad.language.acts import without_joining
from triad.language.mentions import guessed_name
from triad.language.normalize import bare, fold
from triad.language.pack import Pack
from triad.language.quantities import place_in
from triad.language.superlatives import singles_out
from triad.phases.context import Context
from triad.questions import Candidate

__all__ = ["Understood", "resolve"]

_RELATION: Final = 0.85  # how well a noun must fit a relation's name to be taken for it
_YEAR: Final = re.compile(r"(?<![\d.,-])[12]\d{3}(?![\d.,-]*\d)")
_OPTIONS: Final = 5  # interpretations to choose from


@dataclass(frozen=True, slots=True)
class Understood:
    """How a question is understood."""

    interpretations: tuple[Interpretation, ...]
    """The best interpretation; several, where they are equally good."""
    others: tuple[Interpretation, ...] = ()
    """Further interpretations, in case the best one is not what the user meant."""
    dependent: bool = False
    certain: bool = False
    """True if the words are unambiguous, so that no model has to be asked."""


def resolve(context: Context, pack: Pack, text: str, turns: Sequence[Turn]) -> Understood:
    """Say how a question is to be understood after some turns.

    Raises:
        SearchError: The label index failed.
        GraphError: The graph failed.
    """
    found = referents(turns)
    known_language = context.question.language.lower().startswith(pack.language)
    if not found:
        return Understood((Interpretation("", text),), certain=not turns)
    resolver = _Resolver(context, pack, turns, found)
    understood = resolver.understand(text)
    return understood if known_language else replace(understood, certain=False)


class _Resolver:
    def __init__(self, context: Context, pack: Pack, turns: Sequence[Turn], found: list[Referent]) -> None:
        self.context = context
        self.pack = pack
        self.found = found
        self.turns = turns
        asked = [turn for turn in turns if turn.kind == "question"] or [turns[-1]]
        self.last = next((turn for turn in reversed(asked) if turn.things), asked[-1])
        self.plain = self.last is turns[-1] and len(self.last.things) == 1
        self.pair = pair(turns)
        self.pointers = Pointers(context, pack, turns, found, self.pair)
        self.time = time_of(turns)

    def understand(self, text: str) -> Understood:
        if self.time and (then := self.pack.references.then.search(text)):
            understood = self.understand(
                f"{text[: then.start()]}{self.pack.references.data.in_time.format(time=self.time)}{text[then.end() :]}"
            )
            return replace(understood, dependent=True)
        if of_topic := self.of_topic(text):
            return of_topic
        part = ""
        for form in self.pack.references.ellipsis:
            if match := form.fullmatch(bare(text)):
                part = match["x"].strip()
                if interpretation := self.completed(part):
                    return Understood((interpretation,), dependent=True, certain=self.plain)
                if interpretation := self.pointed(part) or self.at_another_time(part):
                    return Understood((interpretation,), dependent=True)
                if relation := self.relation(part):
                    return self.asked_for(relation)
                if interpretation := self.exchanged(part):
                    return Understood((interpretation,), dependent=True)
                text = part[:1].upper() + part[1:] + ("?" if text.rstrip().endswith("?") else "")
                break
        names = names_in(self.context, text, self.pack)
        sure = [name for name in names if name.sure]
        if places := list(self.pointers.places(text, sure)):
            return self.filled(text, places, names)
        if fold(bare(text)) in self.pack.references.asks:
            return self.asked_again(text)
        if (noun := self.definite(text, sure)) is not None:
            return noun
        if not sure and drops_subject(self.context, self.pack, text):
            return self.filled_in(text)
        articles = [match.start() for match in self.pack.references.definite.finditer(text)]
        plain = all(any(name.end > at for name in sure) for at in articles)
        named = bool(sure) or any(len(name.text.split()) > 1 for name in names)
        return Understood((Interpretation("", text),), certain=named and plain and not part)

    # Places that point back

    def filled(self, text: str, places: Sequence[Place], names: Sequence[Name]) -> Understood:
        """Put names in the places that point back."""
        chosen: dict[tuple[object, ...], list[Referent]] = {}
        rest: dict[tuple[object, ...], list[Referent]] = {}
        certain = True
        for place in places:
            key = key_of(place)
            if key in chosen:
                continue
            if place.meant:
                chosen[key] = [place.meant]
                continue
            of_class = self.pointers.of_class(place.owned) if key[1] else []
            fits = fitting(self.context, self.pack, of_class or self.found, place.features, text)
            used = {items[0] for items in chosen.values()}
            fits = [one for one in fits if one not in used] or fits
            if not fits:
                return Understood((Interpretation("", text),), dependent=True)
            certain = certain and len(fits) == 1 and not of_class
            chosen[key] = [one for one in fits if one.score > fits[0].score - CLEAR][:_OPTIONS]
            rest[key] = fits[len(chosen[key]) :]
        known = {name.text: name.thing for name in names}

        def interpretations(chosen: Mapping[tuple[object, ...], Sequence[Referent]]) -> Iterator[Interpretation]:
            for combination in itertools.islice(itertools.product(*chosen.values()), _OPTIONS):
                meant = dict(zip(chosen, combination, strict=True))
                label = ", ".join(one.name for one in combination)
                yield _put(text, [(place, meant[key_of(place)]) for place in places], label, known)

        others = interpretations(rest) if len(rest) == len(chosen) == 1 else ()
        return Understood(tuple(interpretations(chosen)), tuple(others), dependent=True, certain=certain)

    # Parts of questions

    def completed(self, part: str) -> Interpretation | None:
        """Return the question before with an entity of the same kind in place of the one that it names."""
        names = names_in(self.context, part, self.pack)
        if len(names) != 1 or not self.last.things:
            return None
        new = names[0]
        earlier = set(fold(self.last.standalone).split())
        rest = bare(part[: new.start] + " " + part[new.end :]).split()
        if not all(self.pack.is_idle(word) or fold(word) in earlier for word in rest) or self.asks(rest, earlier):
            return None
        types = class_names(self.context, self.pack, new.thing)
        kinds = {name: class_names(self.context, self.pack, one) for name, one in self.last.things.items()}
        shared = {name: len(types & those) if types and those else 0.5 for name, those in kinds.items()}
        for name in sorted((name for name in shared if shared[name]), key=lambda name: -shared[name]):
            if whole := self.with_another(name, new.text):
                others = {key: other for key, other in self.last.things.items() if key != name}
                return Interpretation(new.text, whole, {**others, new.text: new.thing})
        return None

    def of_topic(self, text: str) -> Understood | None:
        """Understand "and the second one, what is its capital": what is said first is what the rest points back to."""
        head, comma, rest = without_joining(text, self.pack).partition(",")
        if not comma or not head.strip():
            return None
        names = names_in(self.context, head, self.pack)
        words = head.split()
        words = words[fold(words[0]) in map(fold, self.pack.references.data.definite) :]
        if len(names) == 1 and self.pack.is_idle(head.replace(names[0].text, "")):
            topic = Referent(names[0].thing.label, (names[0].thing,))
        elif words and (picked := self.picked(words)) and self.pack.is_idle(" ".join(words[picked[1] :])):
            topic = picked[0]
        else:
            return None
        resolver = _Resolver(self.context, self.pack, self.turns, [replace(topic, listed=False)])
        places = list(resolver.pointers.places(rest.strip(), []))
        return resolver.filled(rest.strip(), places, ()) if places else None

    def at_another_time(self, part: str) -> Interpretation | None:
        """Return the question before with another year in place of the only one that it has."""
        [*new], [*old] = _YEAR.findall(part), _YEAR.findall(self.last.standalone)
        if len(new) != 1 or len(set(old)) != 1 or not self.pack.is_idle(_YEAR.sub("", part)):
            return None
        return Interpretation(new[0], self.last.standalone.replace(old[0], new[0]), self.last.things)

    def asks(self, words: Sequence[str], earlier: set[str]) -> bool:
        """Tell whether words ask for something else than the question before: and Kafka, where was he born."""
        forms = (self.pack.forms["which"], self.pack.forms["count"], self.pack.expected)
        asking = {*self.pack.references.asks, *(fold(word) for form in forms for word in form.starts)}
        return any(fold(word) in asking and fold(word) not in earlier for word in words)

    def pointed(self, part: str) -> Interpretation | None:
        """Return the question before with what "the second one", "her" or a part of a name stands for."""
        places = list(self.pointers.places(part, []))
        found = [one.meant for one in places if one.meant and self.pack.is_idle(part[: one.start] + part[one.end :])]
        if not found:
            words = part.split()
            words = words[fold(words[0]) in map(fold, self.pack.references.data.definite) :]
            size = next((at for at, word in enumerate(words) if at and self.pack.is_idle(word)), len(words))
            picked = self.picked(words[:size]) if words else None
            rest = words[picked[1] :] if picked else []
            alone = self.pack.is_idle(" ".join(rest)) and not self.asks(rest, set())
            found = [picked[0]] if picked and alone else []
        if not found or not self.last.things:
            return None
        new = found[0].things[0]
        for name in self.last.things:
            if whole := self.with_another(name, new.label):
                others = {key: one for key, one in self.last.things.items() if key != name}
                return Interpretation(new.label, whole, {**others, new.label: new})
        return None

    def with_another(self, name: str, other: str) -> str | None:
        """Return the question before with another name in place of one; None if it does not say that one."""
        question, thing = self.last.standalone, self.last.things[name]
        named = (one.text for one in names_in(self.context, question, self.pack) if one.thing.iri == thing.iri)
        for form in (*named, name, thing.label):
            if match := re.search(re.escape(form), question, re.IGNORECASE):
                return question[: match.start()] + other + question[match.end() :]
        return None

    def relation(self, part: str) -> str | None:
        """Return the noun that a part of a question is, without its article; None if it is more, or is a name."""
        words = part.split()
        if fold(words[0]) in map(fold, self.pack.references.data.definite):
            words = words[1:]
        noun = bool(words) and not any(self.pack.is_idle(word) for word in words)
        if not noun or any(name.sure for name in names_in(self.context, part, self.pack)):
            return None
        relation = " ".join(words)
        return None if self.is_unknown_name(relation) and not self.is_relation(relation) else relation

    def is_unknown_name(self, text: str) -> bool:
        if self.pack.data.capital_nouns:
            return False
        name = guessed_name(text, self.pack)
        return name is not None and self.pack.is_idle(text.replace(name, ""))

    def exchanged(self, part: str) -> Interpretation | None:
        """Return the question before with a name that the graph does not have in place of the one entity it names."""
        known = names_in(self.context, part, self.pack)
        if known or len(self.last.things) != 1 or not self.is_unknown_name(part):
            return None
        [old] = self.last.things
        question = self.with_another(old, part)
        return Interpretation(part, question) if question else None

    def asked_for(self, relation: str) -> Understood:
        """Understand "and the population?"."""
        fits = fitting(self.context, self.pack, self.found, ("thing", "man"), relation)
        close = [one for one in fits if one.score > fits[0].score - CLEAR][:_OPTIONS]
        form = self.pack.references.data.asks_for
        return Understood(
            tuple(
                Interpretation(
                    one.name,
                    form.format(relation=bare(relation), x=one.things[0].label),
                    {one.things[0].label: one.things[0]},
                    one.things if one.is_list else (),
                )
                for one in close
            ),
            dependent=True,
        )

    def asked_again(self, text: str) -> Understood:
        """Understand "when?": the question before, asking for something else."""
        rest = self.last.standalone.split(" ", 1)[1:]
        question = " ".join([bare(text), *rest])
        interpretation = Interpretation("", question[:1].upper() + question[1:], self.last.things, self.last.each)
        return Understood((interpretation,), dependent=True)

    def filled_in(self, text: str) -> Understood:
        """Understand a question that leaves its subject out, as Spanish does."""
        end = text.rindex(bare(text)) + len(bare(text))
        return self.filled(text[:end] + " \0" + text[end:], [Place(end + 1, end + 2, ("thing", "man", "place"))], ())

    # Nouns

    def definite(self, text: str, names: Sequence[Name]) -> Understood | None:
        """Understand "the tournament" and "the first film", if they are about what was spoken of."""
        if names:
            return None
        of = self.pack.references.data.of.replace("{x}", "").strip()
        for match in reversed(list(self.pack.references.definite.finditer(text))):
            parts = match["noun"].split()
            size = next((at for at, part in enumerate(parts) if at and self.pack.is_idle(part)), len(parts))
            phrases = [" ".join(parts[:length]) for length in range(size, 0, -1)]
            if singles_out(phrases[0], self.pack) or (self.pack.is_idle(parts[0]) and size == 1):
                continue
            if text[match.start("noun") + len(phrases[0]) :].strip().startswith(of + " "):
                continue
            ordinal = any(place_in(part, self.pack) for part in parts[:size])
            if ordinal and (picked := self.picked(parts[:size])):
                one, length = picked
                place = Place(match.start(), match.start("noun") + len(" ".join(parts[:length])), (), meant=one)
                rest = text[place.end :].split()
                if length == 1 and rest and self.pack.is_idle(rest[0]):  # the second one
                    place = replace(place, end=place.end + text[place.end :].index(rest[0]) + len(rest[0]))
                return self.filled(text, [place], ())
            for phrase in phrases:
                start, end = match.start("noun"), match.start("noun") + len(phrase)
                if not ordinal and self.pointers.of_class(phrase):
                    return self.filled(text, [Place(match.start(), end, ("thing", "man"), owned=phrase)], ())
                if self.is_relation(phrase):
                    form = phrase + " " + self.pack.references.data.of.replace("{x}", "{name}")
                    return self.filled(text, [Place(start, end, ("thing", "man", "group"), form)], ())
            if ordinal:
                end = match.start("noun") + len(phrases[0])
                form = phrases[0] + " " + self.pack.references.data.of.replace("{x}", "{name}")
                return self.filled(text, [Place(match.start("noun"), end, ("thing", "man", "group"), form)], ())
            if not names_class(self.context, text, self.pack):
                start, end = match.start("noun"), match.start("noun") + len(phrases[-1])
                if self.pack.is_idle(text[: match.start()] + " " + bare(text[end:])):  # who is the mayor
                    form = phrases[-1] + " " + self.pack.references.data.of.replace("{x}", "{name}")
                    return self.filled(text, [Place(start, end, ("thing", "group"), form)], ())
                return self.filled(text, [Place(match.start(), end, ("thing",))], ())
        return None

    def picked(self, words: Sequence[str]) -> tuple[Referent, int] | None:
        """Return the entity of the last list that "the second" or "the second film" is, and how many words say so."""
        place = place_in(words[0], self.pack)
        two = tuple(thing for one in self.pair for thing in one.things)
        lists = [*(one for one in self.found if one.is_list), *([Referent("", two)] if two else [])]
        listed = next((one for one in lists if place is not None and place <= len(one.things)), None)
        if listed is None or place is None:
            return None
        of_class = len(words) > 1 and bool(self.pointers.of_class(words[1], [listed]))
        if len(words) > 1 and not of_class:
            return None
        thing = listed.things[place - 1 if place > 0 else place]
        return replace(listed, name=thing.label, things=(thing,)), 1 + of_class

    def is_relation(self, phrase: str) -> bool:
        words = RelationWords(phrase, self.context.question.language, self.context.glossary)
        cards = (
            hop for one in self.found[:2] for hop in self.context.schema.card(one.things[0].iri) if one.things[0].iri
        )
        return any(words.fits(hop.label, hop.relation) >= _RELATION for hop in cards)


def _put(
    text: str, places: Sequence[tuple[Place, Referent]], label: str, known: dict[str, Candidate]
) -> Interpretation:
    """Return the interpretation with a name in each place."""
    parts, at = [], 0
    things: dict[str, Candidate] = dict(known)
    each: tuple[Candidate, ...] = ()
    for place, referent in places:
        thing = referent.things[0]
        name = referent.name if not referent.is_list else thing.label
        things[name] = thing
        each = referent.things if referent.is_list else each
        ends_so = place.owned and place.form != "{name}" and fold(name).endswith(" " + fold(place.owned))
        parts += [text[at : place.start], name if ends_so else place.form.replace("{name}", name)]
        at = place.end
    question = " ".join("".join([*parts, text[at:]]).split())
    return Interpretation(label, question, things, each)
