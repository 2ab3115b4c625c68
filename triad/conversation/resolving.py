"""Understanding a question in context without a model: by words that point back.

Pronouns, possessives and demonstratives are replaced by the names of what they stand for, what is only a part of a
question ("and of Italy?") completes the question before, and a noun that the graph knows as a relation or a class of
what was spoken of ("the director", "the first film") is put with its name. Where two interpretations are equally good,
both are returned, so that the user can be asked.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triad.conversation.cues import drops_subject
from triad.conversation.mentions import Name, RelationWords, names_class, names_in
from triad.conversation.pointers import Place, Pointers, beginnings, key_of
from triad.conversation.referents import CLEAR, YEAR, Referent, class_names, fitting, pair, referents, time_of
from triad.conversation.turns import CHOICES, Interpretation, Turn
from triad.language.acts import without_joining
from triad.language.cues import asks, asks_behind, definites
from triad.language.mentions import guessed_name
from triad.language.normalize import bare, fold
from triad.language.operators import singles_out
from triad.language.pack import Pack
from triad.language.quantities import place_in
from triad.language.tokens import Sentence
from triad.phases.context import Context
from triad.questions import Candidate

_NOUN: Final = 0.85  # how well a noun must name a relation: "film released", as in "the film released", is not one
_RECENT: Final = 2  # things spoken of last whose relations "the director" may be


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
    """Say how a question is to be understood after some turns."""
    found = referents(turns, pack)
    given = turns[-1].answer if turns else None
    if not (found or (given and given.values)):
        return Understood((Interpretation("", text),), certain=not turns)
    understood = _Resolver(context, pack, turns, found).understand(text)
    known_language = context.question.language.lower().startswith(pack.language)
    return understood if known_language else replace(understood, certain=False)


def _as(label: str, question: str, known: Mapping[str, Candidate], *, certain: bool = False) -> Understood:
    """Return a question as the only way to understand a part of one."""
    return Understood((Interpretation(label, question, known),), dependent=True, certain=certain)


class _Resolver:
    """Tries the ways to understand a text in context; each returns None where the text is not of its form."""

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
        self.of = pack.references.data.of.replace("{x}", "{name}")

    def understand(self, text: str) -> Understood:
        if found := self.at_that_time(text) or self.of_topic(text):
            return found
        alone = without_joining(text, self.pack)
        if asks_behind(alone, self.pack) and (found := self.without_subject(alone)):
            return found
        matches = (form.fullmatch(bare(text)) for form in self.pack.references.ellipsis)
        if part := next((match["x"].strip() for match in matches if match), ""):
            timed = self.pack.references.data.in_time.format(time=part)
            part = timed if YEAR.fullmatch(part) and timed in text else part
            for way in (self.completed, self.pointed, self.at_another_time, self.asked_for, self.exchanged):
                if found := way(part):
                    return found
            text = part[:1].upper() + part[1:] + ("?" if text.rstrip().endswith("?") else "")
        names = names_in(self.context, text, self.pack)
        sure = [name for name in names if name.sure]
        if places := list(self.pointers.places(text, sure)):
            return self.filled(text, places, names)
        if found := self.asked_again(text):
            return found
        if not sure and (found := self.definite(text) or self.without_subject(text)):
            return found
        articles = [match.start() for match in self.pack.references.definite.finditer(text)]
        holds = all(any(name.end > at for name in sure) for at in articles)
        named = bool(sure) or any(len(name.text.split()) > 1 for name in names)
        return Understood((Interpretation("", text),), certain=named and holds and not part)

    def at_that_time(self, text: str) -> Understood | None:
        """Understand "who was born then?"."""
        time, then = time_of(self.turns), self.pack.references.then.search(text)
        if not time or not then:
            return None
        said = self.pack.references.data.in_time.format(time=time)
        return replace(self.understand(f"{text[: then.start()]}{said}{text[then.end() :]}"), dependent=True)

    def of_topic(self, text: str) -> Understood | None:
        """Understand "and the second one, what is its capital": what is said first is what the rest points back to."""
        head, comma, rest = without_joining(text, self.pack).partition(",")
        if not comma or not head.strip():
            return None
        names, words = names_in(self.context, head, self.pack), self.pack.references.without_article(head).split()
        if len(names) == 1 and self.pack.is_idle(head.replace(names[0].text, "")):
            topic = Referent(names[0].thing.label, (names[0].thing,))
        elif words and (picked := self.picked(words)) and self.pack.is_idle(" ".join(words[picked[1] :])):
            topic = picked[0]
        else:
            return None
        resolver = _Resolver(self.context, self.pack, self.turns, [replace(topic, listed=False)])
        places = list(resolver.pointers.places(rest.strip(), []))
        return resolver.filled(rest.strip(), places, ()) if places else None

    # Places that point back

    def filled(self, text: str, places: Sequence[Place], names: Sequence[Name] = ()) -> Understood:
        """Put names in the places that point back."""
        chosen: dict[tuple[object, ...], list[Referent]] = {}
        rest: dict[tuple[object, ...], list[Referent]] = {}
        certain = True
        for place in places:
            if (key := key_of(place)) in chosen:
                continue
            if place.meant:
                chosen[key] = [place.meant]
                continue
            of_class = self.pointers.of_class(place.owned) if key[1] else []
            if not (fits := fitting(self.context, self.pack, of_class or self.found, place.features, text)):
                return Understood((Interpretation("", text),))
            used = {items[0] for items in chosen.values()}
            fits = [one for one in fits if one not in used] or fits
            certain = certain and len(fits) == 1 and not of_class
            chosen[key] = _close(fits)
            rest[key] = fits[len(chosen[key]) :]
        known = {name.text: name.thing for name in names}

        def interpretations(chosen: Mapping[tuple[object, ...], Sequence[Referent]]) -> Iterator[Interpretation]:
            for combination in itertools.islice(itertools.product(*chosen.values()), CHOICES):
                meant = dict(zip(chosen, combination, strict=True))
                label = ", ".join(one.name for one in combination)
                yield _put(text, [(place, meant[key_of(place)]) for place in places], label, known)

        others = interpretations(rest) if len(rest) == len(chosen) == 1 else ()
        return Understood(tuple(interpretations(chosen)), tuple(others), dependent=True, certain=certain)

    # Parts of questions

    def completed(self, part: str) -> Understood | None:
        """Understand "and of Italy?": the question before with an entity of the same kind in place of its own."""
        if len(names := names_in(self.context, part, self.pack)) != 1 or not self.last.things:
            return None
        new = names[0]
        earlier = set(fold(self.last.standalone).split())
        rest = bare(part[: new.start] + " " + part[new.end :]).split()
        if not all(self.pack.is_idle(word) or fold(word) in earlier for word in rest) or self.asks(rest, earlier):
            return None
        types = class_names(self.context, new.thing)
        kinds = {name: class_names(self.context, one) for name, one in self.last.things.items()}
        shared = {name: len(types & those) if types and those else 0.5 for name, those in kinds.items()}
        alike = sorted((name for name in shared if shared[name]), key=lambda name: -shared[name])
        return self.with_another(alike, new.text, new.thing, certain=self.plain)

    def pointed(self, part: str) -> Understood | None:
        """Understand "and the second one?" and "and her?", in place of the entity of the question before."""
        places = self.pointers.places(part, [])
        alone = [one for one in places if self.pack.is_idle(part[: one.start] + part[one.end :])]
        found = [one.meant for one in alone if one.meant]
        if alone and not found and {"man", "woman"}.intersection(alone[0].features):  # and his?
            others = [one for one in self.found if one.things[0] not in self.last.things.values()]
            found = fitting(self.context, self.pack, others, alone[0].features, part)
        if not found:
            words = self.pack.references.without_article(part).split()
            picked = self.picked(words) if words else None
            rest = words[picked[1] :] if picked else []
            found = [picked[0]] if picked and self.pack.is_idle(" ".join(rest)) and not self.asks(rest, set()) else []
        new = found[0].things[0] if found else None
        return self.with_another(self.last.things, new.label, new) if new else None

    def at_another_time(self, part: str) -> Understood | None:
        """Understand "and in 1990?": the question before with another year in place of the only one that it has."""
        [*new], [*old] = YEAR.findall(part), YEAR.findall(self.last.standalone)
        idle = self.pack.is_idle(YEAR.sub("", part)) and not asks(Sentence(part, self.pack))
        if len(new) != 1 or len(set(old)) != 1 or not idle:
            return None
        question = self.last.standalone
        before = question[: question.index(old[0])].split()[-1:]
        if bare(part) != new[0] and before and self.pack.is_idle(before[0]):  # before 2000, in place of after 2010
            question = question.replace(f"{before[0]} {old[0]}", bare(part))
        return _as(new[0], question.replace(old[0], new[0]), self.last.things)

    def asked_for(self, part: str) -> Understood | None:
        """Understand "and the population?": a noun that is no name, and may be a relation of what was spoken of."""
        words = self.pack.references.without_article(part).split()
        relation = " ".join(words)
        if not words or any(self.pack.is_idle(word) for word in words):
            return None
        if any(name.sure for name in names_in(self.context, part, self.pack)):
            return None
        if self.is_unknown_name(relation) and not self.is_relation(relation):
            return None
        form = self.pack.references.data.asks_for
        if not (fits := fitting(self.context, self.pack, self.found, ("thing", "man"), relation)):
            return None
        meant: list[Interpretation] = []
        for one in _close(fits):
            thing, each = one.things[0], one.things if one.is_list else ()
            question = form.format(relation=bare(relation), x=thing.label)
            meant.append(Interpretation(one.name, question, {thing.label: thing}, each))
        return Understood(tuple(meant), dependent=True)

    def exchanged(self, part: str) -> Understood | None:
        """Understand "and Wakanda?": a name that the graph does not have, in place of the only entity just named."""
        if names_in(self.context, part, self.pack) or not (self.plain and self.is_unknown_name(part)):
            return None
        return self.with_another(self.last.things, part, None)

    def with_another(
        self, names: Iterable[str], other: str, thing: Candidate | None, *, certain: bool = False
    ) -> Understood | None:
        """Return the question before with another name in place of the first of some that it says."""
        question = self.last.standalone
        said = names_in(self.context, question, self.pack)
        for name in names:
            old = self.last.things[name]
            for form in (*(one.text for one in said if one.thing.iri == old.iri), name, old.label):
                if match := re.search(re.escape(form) + "s?" * other.endswith("s"), question, re.IGNORECASE):
                    others = {key: one for key, one in self.last.things.items() if key != name}
                    known = {**others, other: thing} if thing else {}
                    changed = question[: match.start()] + other + question[match.end() :]
                    return _as(other, changed, known, certain=certain)
        return None

    def asked_again(self, text: str) -> Understood | None:
        """Understand "when?": the question before, asking for something else."""
        if fold(bare(text)) not in self.pack.references.asks:
            return None
        question = " ".join([bare(text), *self.last.standalone.split(" ", 1)[1:]])
        again = Interpretation("", question[:1].upper() + question[1:], self.last.things, self.last.each)
        return Understood((again,), dependent=True)

    def without_subject(self, text: str) -> Understood | None:
        """Understand a question that leaves its subject out, as Spanish does, and "in which hall?"."""
        if not (asks_behind(text, self.pack) or drops_subject(self.context, self.pack, text)):
            return None
        end = text.rindex(bare(text)) + len(bare(text))
        return self.filled(text[:end] + " \0" + text[end:], [Place(end + 1, end + 2, ("thing", "man", "place"))])

    # Nouns

    def definite(self, text: str) -> Understood | None:
        """Understand "the tournament" and "the first film", if they are about what was spoken of."""
        for match in reversed(definites(text, self.pack)):
            words = match["noun"].split()
            words = words[: next((at for at, word in enumerate(words) if at and self.pack.is_idle(word)), len(words))]
            phrase = " ".join(words)
            rest = text[match.start("noun") + len(phrase) :].strip()
            idle = len(words) == 1 and self.pack.is_idle(phrase)
            if singles_out(phrase, self.pack) or idle or rest.startswith(self.of.replace("{name}", "")):
                continue
            if place := self.noun(text, match, words):
                return self.filled(text, [place])
        return None

    def noun(self, text: str, match: re.Match[str], words: Sequence[str]) -> Place | None:
        """Return what a noun with an article stands for: one of a list, a thing of that class, a relation."""
        start = match.start("noun")
        ordinal = any(place_in(word, self.pack) for word in words)
        if ordinal and (picked := self.picked(words)):
            one, length = picked
            end = start + len(" ".join(words[:length]))
            rest = text[end:].split()
            if length == 1 and rest and self.pack.is_idle(rest[0]):  # the second one
                end = text.index(rest[0], end) + len(rest[0])
            return Place(match.start(), end, (), meant=one)
        phrases = beginnings(words)
        for phrase in phrases:
            if not ordinal and self.pointers.of_class(phrase):
                return Place(match.start(), start + len(phrase), ("thing", "man"), owned=phrase)
            if self.is_relation(phrase):
                return Place(start, start + len(phrase), ("thing", "man", "group"), f"{phrase} {self.of}")
        if ordinal:
            return Place(start, start + len(phrases[0]), ("thing", "man", "group"), f"{phrases[0]} {self.of}")
        if names_class(self.context, text, self.pack):
            return None
        end = start + len(phrases[-1])
        if self.pack.is_idle(text[: match.start()] + " " + bare(text[end:])):  # who is the mayor
            return Place(start, end, ("thing", "group"), f"{phrases[-1]} {self.of}")
        return Place(match.start(), end, ("thing",))

    def picked(self, words: Sequence[str]) -> tuple[Referent, int] | None:
        """Return the entity of the last list that "the second" or "the second film" is, and how many words say so."""
        place = place_in(words[0], self.pack)
        two = tuple(thing for one in self.pair for thing in one.things)
        lists = [*(one for one in self.found if one.is_list), *([Referent("", two)] if two else [])]
        listed = next((one for one in lists if place is not None and place <= len(one.things)), None)
        if listed is None or place is None:
            return None
        said = len(words) > 1 and not self.pack.is_idle(words[1])
        of_class = said and bool(self.pointers.of_class(words[1], [listed]))
        if said and not of_class:
            return None
        thing = listed.things[place - 1 if place > 0 else place]
        return replace(listed, name=thing.label, things=(thing,)), 1 + of_class

    # What words are

    def asks(self, words: Sequence[str], earlier: set[str]) -> bool:
        """Return whether words ask for something else than the question before: and Kafka, where was he born."""
        forms = (self.pack.forms["which"], self.pack.forms["count"], self.pack.expected)
        asking = {*self.pack.references.asks, *(fold(word) for form in forms for word in form.starts)}
        return any(fold(word) in asking and fold(word) not in earlier for word in words)

    def is_unknown_name(self, text: str) -> bool:
        """Return whether a text is a name by its capitals, and nothing else."""
        if self.pack.data.capital_nouns:
            return False
        name = guessed_name(text, self.pack)
        return name is not None and self.pack.is_idle(text.replace(name, ""))

    def is_relation(self, phrase: str) -> bool:
        """Return whether a phrase is the name of a relation of what was spoken of last."""
        words = RelationWords(phrase, self.context.question.language, self.context.glossary)
        recent = (one.things[0].iri for one in self.found[:_RECENT] if one.things[0].iri)
        hops = (hop for iri in recent for hop in self.context.schema.card(iri))
        return any(words.fits(hop.label, hop.relation) >= _NOUN for hop in hops)


def _close(fits: Sequence[Referent]) -> list[Referent]:
    """Return the best of some referents, and those that are about as good."""
    return [one for one in fits if one.score > fits[0].score - CLEAR][:CHOICES]


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
    return Interpretation(label, " ".join("".join([*parts, text[at:]]).split()), things, each)
