"""Names: what the classes and relations of a graph are called, found by the stems of their words."""

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Final, Literal as Choice

from triad.caching import cached_property
from triad.language.analysis import Analysis
from triad.language.asking import Asking
from triad.language.lexical_database import is_plural, kinds, lemmas
from triad.language.normalize import fold, local_name, plural
from triad.language.pack import Pack
from triad.language.relatedness import is_kind_of, relatedness
from triad.language.vocabulary import ASSOCIATED
from triad.lexical.asked_units import measured_in
from triad.lexical.composition.schema_graph import Link, SchemaGraph
from triad.lexical.voice import is_done, is_turned
from triad.rdf import NUMERIC, XSD, Literal
from triad.sparql.stated import FACT

_NUMBERED: Final = re.compile(r"(?<=[a-z]{3})(?=\d)")  # where the number begins: of line1
_HAVING: Final = frozenset(("has", "have", "had"))
_ACTS: Final = "action", "activity", "event"
_MOVES: Final = {"from": "leave", "to": "arrive"}
_WHOLE: Final = NUMERIC - {XSD + "decimal", XSD + "double", XSD + "float"}
_KIN: Final = 0.6  # from which relatedness to "person" on a word means persons: people does, and work, with 0.48, not


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of a class or a relation."""

    kind: Choice["class", "relation"]
    iri: str
    text: str
    stems: tuple[str, ...]


class Names:
    """The names of a graph's classes and relations, by their stems in some languages."""

    def __init__(self, schema: SchemaGraph, packs: Sequence[Pack]) -> None:
        self.schema = schema
        self.packs = tuple(packs)
        self._naming = {pack.stem(word) for pack in packs for word in pack.data.sorting.by_name if " " not in word}
        self.all: list[_Name] = []
        called = schema.called_by_steps({"of", *packs[-1].data.naming.prepositions})
        for iri, class_profile in schema.classes.items():
            if not iri.startswith(FACT):
                self._add("class", iri, class_profile.labels, called.get(iri, ()))
        for iri, relation_profile in schema.relations.items():
            if iri not in schema.formulas and not iri.startswith(FACT) and not self._is_mere_name(iri):
                self._add("relation", iri, relation_profile.labels, (*self._measures(iri), *self._in_values(iri)))
        self.by_stem: defaultdict[str, list[int]] = defaultdict(list)
        self._of: defaultdict[str, list[_Name]] = defaultdict(list)
        for at, name in enumerate(self.all):
            self._of[name.iri].append(name)
            for stem in set(name.stems):
                self.by_stem[stem].append(at)
        for iri, one in schema.formulas.items():  # which are called by all of their words, or not at all
            self._of[iri].append(_Name("relation", iri, one.word, tuple(packs[0].stem_list(one.word))))
        self.asking = Asking(packs[-1].language)
        self._agents = frozenset(fold(word) for one in packs for word in one.data.forms.agent)
        self.is_place = cache(self._is_place)
        """Tells whether the things of a class are places, by what it or a class above it is called."""
        self.is_within = cache(self._is_within)
        """Tells whether a step leads to the place where things are: the country of a city, the state of a county."""
        self.time = frozenset(packs[-1].stems("date year day time"))
        """Stems of words that say only that something is a time."""
        terms = {(name.kind, name.iri) for name in self.all}
        occurrences = {stem: {self.all[at].iri for at in found} for stem, found in self.by_stem.items()}
        words = (word for name in self.all for word in fold(name.text).split())
        self.words = {word: packs[-1].stem(word) for word in words if word.isalpha()}
        """The words of all names, with their English stems."""
        self._rarity = {stem: 1.0 + math.log(max(1, len(terms)) / len(iris)) for stem, iris in occurrences.items()}

    def _measures(self, iri: str) -> Iterator[str]:
        """Yield what the numbers of a relation measure that is called by a unit."""
        texts = [local_name(iri), *(one.value for one in self.schema.relations[iri].labels)]
        for pack in self.packs if self.schema.value_kind(iri) == "number" else ():
            yield from chain.from_iterable(measured_in(text, pack) for text in texts)

    def _in_values(self, iri: str) -> Iterator[str]:
        """Yield the words that all of several values have, and others: a hall, which is Hall A or Hall B."""
        values = [fold(one).split() for one in self.schema.listed.get(iri, ()) if "@" not in one]  # no addresses
        for word in values[0] if len(values) > 1 else ():
            shared = word.isalpha() and all(word in one[:-1] for one in values)
            if shared and word not in self.packs[-1].empty:
                yield word

    def _is_mere_name(self, iri: str) -> bool:
        """Return whether a relation holds the names of things and says no more of them: it is asked for by "name"."""
        *whose, name = local_name(iri).lower().split()
        classes = {end.subject for end in self.schema.relations[iri].ends}
        called = {stem for one in self.all if one.iri in classes for stem in one.stems}
        mere = self.packs[-1].is_by_name(name) and called.issuperset(map(self.packs[-1].stem, whose))
        return iri in self.schema.names and mere  # the name of a team is that, but not the first name of a person

    def _add(
        self, kind: Choice["class", "relation"], iri: str, labels: Iterable[Literal], nouns: Iterable[str] = ()
    ) -> None:
        """Add what a term is called: by its labels, by other names of the ontology, by its IRI and by some nouns."""
        note, languages = self.schema.profile.notes.get(iri), {"", *(pack.language for pack in self.packs)}
        known = (*labels, *(note.others if note else ()))
        texts = [one.value for one in known if (one.language or "").split("-")[0] in languages]
        seen: set[tuple[str, ...]] = set()
        texts += [own := local_name(iri), _NUMBERED.sub(" ", own), *nouns]
        acts = (one.rpartition(" ") for one in texts if kind == "class")
        texts += [what for what, _, head in acts if what and head.lower() in _ACTS]  # a donate action is a donation
        for text in dict.fromkeys(texts):
            bare = text.split("(")[0].strip() or text
            for pack in self.packs:
                stems = tuple(pack.stem_list(bare))
                pairs = zip(stems, fold(bare).split(), strict=False)
                stems = tuple(stem for stem, word in pairs if word not in pack.empty) or stems
                joined = (pack.stem(fold(bare).replace(" ", "")),)  # a class room is a classroom
                parts = (not kinds(bare) and pack.parts(bare)) or joined  # a Wachleiter is a Leiter
                for said in (stems, joined, parts):
                    if said and said not in seen:
                        seen.add(said)
                        self.all.append(_Name(kind, iri, bare, said))

    def asks_for_names(self, word: str) -> bool:
        """Return whether a word, inflected or not, asks for the names of things."""
        pack = self.packs[0]
        return pack.is_by_name(word) or pack.stem(word) in self._naming

    def classes_called(self, stem: str) -> list[str]:
        """Return the classes that are called by one word, which is given by its stem."""
        found = (self.all[index] for index in self.by_stem.get(stem, ()))
        return [name.iri for name in found if name.kind == "class" and name.stems == (stem,)]

    def named_by(self, cls: str, *, among_others: bool = False, known: Collection[str] = ()) -> Link | None:
        """Return the step to the persons whose names things without names have: from a role to who plays it.

        They lead to nothing else that has a name, or to others, too (``among_others``). Those of ``known`` classes are
        named: the chair of a committee is no committee.
        """
        own = self.schema.classes.get(cls)
        steps = self.schema.links(cls) if own is not None and not own.named else ()
        single = (one for one in steps if one.forward and self.schema.relations[one.relation].functional)
        ends = [one for one in single if (end := self.schema.classes.get(one.target)) is not None and end.named]
        persons = [one for one in ends if one.target not in known and self.is_person(one.target)]
        return persons[0] if len(persons) == 1 and (among_others or len(ends) == 1) else None

    def of(self, iri: str) -> Sequence[_Name]:
        """Return the names of a class or a relation."""
        return self._of.get(iri, ())

    def stems_of(self, iri: str) -> frozenset[str]:
        """Return the stems of all words that a class or a relation is called by."""
        return frozenset(stem for name in self.of(iri) for stem in name.stems)

    def is_amount(self, stem: str) -> bool:
        """Return whether a number is called by a word, whatever its name says besides: monthly rent."""
        found = (self.all[index] for index in self.by_stem.get(stem, ()))
        heads = (one for one in found if one.stems[-1:] == (stem,) and " of " not in fold(one.text))
        return any(one.kind == "relation" and self.schema.value_kind(one.iri) == "number" for one in heads)

    @cached_property
    def tallies(self) -> Mapping[str, str]:
        """For each class of things without names that is called as numbers of theirs are, the relation of these.

        Landings have landings; a number of a room, by which it is told from others, is none of rooms.
        """
        relations = ((iri, one) for iri, one in self.schema.relations.items() if self.is_several(iri) or not one.is_key)
        numbers = [iri for iri, _ in relations if self.schema.value_kind(iri) == "number"]
        nameless = (cls for cls in self.schema.classes if not self.have_names(cls))
        pairs = ((cls, iri) for cls in nameless for iri in numbers if self.schema.has(cls, iri))
        return {cls: iri for cls, iri in pairs if self.stems_of(cls) == self.stems_of(iri) != set()}

    @cached_property
    def counted(self) -> frozenset[str]:
        """The relations whose numbers say how many there are, which may be none: fatalities, or a stock, from 0 on."""
        every = self.schema.relations.values()
        from_none = {one.iri: one for one in every if any(bounds.least.number == 0 for bounds in one.ranges)}
        whole = (iri for iri, one in from_none.items() if one.datatypes and _WHOLE.issuperset(one.datatypes))
        lacked = [set(self.packs[-1].stem_list(name)) for name in self.packs[-1].data.forms.lacking]
        stocks = (iri for iri in from_none if any(map(self.stems_of(iri).issuperset, lacked)))
        return frozenset((*stocks, *filter(self._is_counted, whole)))

    def _is_counted(self, iri: str) -> bool:
        """Return whether a relation is called a number of something, or several that are no units, or those done to."""
        numbers = [pack.stems(phrase) for pack in self.packs for phrase in pack.data.compare.number_of]
        if any(one.stems[0] in said < {*one.stems} for one in self.of(iri) for said in numbers):
            return True  # Anzahl Verletzte
        pack, nouns = self.packs[-1], (noun for noun in self.heads(iri) if not noun.endswith("ing"))
        return any(any(base != noun for base in lemmas(noun)) and pack.stem(noun) not in pack.units for noun in nouns)

    def heads(self, iri: str) -> list[str]:
        """Return the head nouns of all that a class or a relation is called: the last words, but *visita* guiada."""
        pack, called = self.packs[0], (words for name in self.of(iri) if (words := fold(name.text).split()))
        return [one[0 if not pack.data.head_last and pack.vocabulary.is_noun(one[0]) else -1] for one in called]

    def is_several(self, iri: str) -> bool:
        """Return whether a class or a relation is called by a plural of English: goals, hours worked."""
        return any(map(is_plural, (word for name in self.of(iri) for word in fold(name.text).split())))

    def nouns_of(self, relation: str) -> frozenset[str]:
        """Return the nouns, in both numbers, by which a relation is called what it leads to: its captain, captains."""
        forms = (self.asking.form(name.text) for name in self.of(relation))
        nouns = (fold(form.word.split()[-1]) for form in forms if form and form.kind == "noun")
        return frozenset(word for noun in nouns for word in (noun, plural(noun)))

    def are_of_subject(self, relation: str, end: int, analysis: Analysis, *, asked: bool = False) -> bool:
        """Return whether words that end somewhere turn a relation: *students*, by "student of"; "is not supervised".

        Who is asked for, and is supervised, or whose student somebody is, is what the relation leads to.
        """
        words = [word.folded for word in analysis.words]
        if self.is_converse(relation, end, analysis):
            return True
        if analysis.language != "en" or (end > 1 and self.packs[0].expected.longest([words[end - 2]], 0)):
            return False
        texts, alike = [name.text for name in self.of(relation)], self._is_alike(relation)
        passive = self._is_passive(words, end - 1, end)
        done = (self._does(text, alike) if passive else is_done(analysis, end - 1, text, alike) for text in texts)
        if not asked and any(done):
            return True
        if not self.is_of(relation):
            return False
        before = words[: end - 1]
        has = asked and not _HAVING.isdisjoint(before)  # who has students
        near = (one.text for one in analysis.words[end - 2 : end])
        owned = self._is_of(end, words) or not self.packs[0].endings.isdisjoint(near)
        is_one = not owned and not self.packs[0].be.isdisjoint(before)  # which composers were students
        return not has and not is_one and analysis.words[end - 1].stem in self.stems_of(relation)

    def is_converse(self, relation: str, end: int, analysis: Analysis) -> bool:
        """Return whether words that end somewhere call those whose relation it is: children, by who is their father."""
        stems, called = [word.stem for word in analysis.words], [{*name.stems} for name in self.of(relation)]
        ways = (way for at in range(end) for stop, way in self.packs[0].ways.at(stems, at) if stop == end)
        return any(measure in called for way in ways if way.turned for measure in way.measures)

    def is_turned(self, relation: str, start: int, end: int, analysis: Analysis, *, subject: bool) -> bool:
        """Return whether a relation is followed from a thing that is named somewhere against what the words say."""
        alike, words = self._is_alike(relation), [word.folded for word in analysis.words]
        if subject and self._is_asked_whose(relation, end, words):
            return True
        within, of = self.packs[0].compare["during"], {pack.data.references.of.split()[0] for pack in self.packs}
        inside = (at for at in range(max(1, start - 2), start) if words[at] not in of)
        in_it = subject and any(within.end(words[:start], at) for at in inside)
        if in_it and any(fold(name.text).split()[-1] in of for name in self.of(relation)):
            return True  # who is *in* a unit is no unit *of* it
        known = ((name.text, self.asking.form(name.text)) for name in self.of(relation))
        nouns = ((text, bool(form and form.kind == "noun")) for text, form in known)  # repaired ship, not "wrote book"
        verbs = (text for text, noun in nouns if not (noun and kinds(fold(text).split()[0]) == {"v"}))
        return any(is_turned(analysis, text, start, end, subject, either=alike) for text in verbs)

    def _is_asked_whose(self, relation: str, end: int, words: Sequence[str]) -> bool:
        """Return whether those are asked for that have what is named: whose mentor is Ann, who has Ann as mentor."""
        nouns = self.nouns_of(relation)
        as_noun = words[end : end + 1] == ["as"] and not _HAVING.isdisjoint(words[:end])
        near = words[end : end + 3] if as_noun else words[1:2] if words[0] == "whose" else ()  # as a, as their mentor
        return not nouns.isdisjoint(near)

    def is_reversed(self, relation: str, start: int, end: int, analysis: Analysis) -> bool:
        """Return whether words say a relation the other way round than its name: "trains" for "trained by"."""
        words = [word.folded for word in analysis.words]
        texts, alike = [fold(name.text) for name in self.of(relation)], self._is_alike(relation)
        passive = any(self._is_participle(text) or is_done(analysis, end - 1, text, alike) for text in texts)
        if self.is_itself(relation, start, analysis) or self._is_passive(words, start, end):
            return not passive
        if end > 1 and self.packs[0].expected.longest([words[end - 2]], 0):  # whose student somebody is
            return any(self._is_of(1, [*text.split()[-2:], ""]) for text in texts)
        # "Student of" is said of the student, and "their students" of who has them.
        of = self._is_of(end - 1, words) or self._is_of(end, words)
        return passive or of is not self.are_of_subject(relation, end, analysis)

    def _is_of(self, at: int, words: Sequence[str]) -> bool:
        """Return whether a word is "of", and says of what: not in "who was Ann a student of"."""
        return at + 1 < len(words) and words[at] in self.packs[0].data.references.of.split()

    def is_of(self, relation: str) -> bool:
        """Return whether a relation is called what its subjects are of its objects: part of."""
        of = self.packs[0].data.references.of.split()[0]
        return any(fold(name.text).split()[-1:] == [of] for name in self.of(relation))

    def is_itself(self, relation: str, start: int, analysis: Analysis) -> bool:
        """Return whether words say what was done as the relation is called: based on."""
        called = (fold(name.text) for name in self.of(relation) if self._is_participle(name.text))
        said = [word.folded for word in analysis.words[start:]]
        return any(said[: len(words)] == words for words in map(str.split, called))

    def _is_passive(self, words: Sequence[str], start: int, end: int) -> bool:
        """Return whether words say what is done to something: is not supervised, supervised by."""
        agent = not self._agents.isdisjoint(words[start : end + 1])
        return agent or self.asking.in_passive(words[max(0, end - 3) : end])

    def is_verb(self, relation: str) -> bool:
        """Return whether a relation is called after a verb, active or not: teaches, heard by."""
        forms = (self.asking.form(name.text) for name in self.of(relation))
        return any(form is not None and form.kind in ("verb", "participle") for form in forms)

    def _is_alike(self, relation: str) -> bool:
        """Return whether a relation may have things of one kind at both ends."""
        return any(one.subject == one.object for one in self.schema.relations[relation].ends)

    def _does(self, text: str, alike: bool) -> bool:
        """Return whether a relation is called after what its subject does: supervises; cites, between things alike."""
        form, words = self.asking.form(text), fold(text).split()
        verb = form is not None and form.kind == "verb"
        return verb or (alike and "v" in kinds(" ".join(words[:1])) and not self._is_participle(text))

    def _is_participle(self, text: str) -> bool:
        """Return whether a relation is called after what was done to its subject: founded by, based on."""
        form, words = self.asking.form(text), fold(text).split()
        bound = form is not None and form.kind == "participle" and len(words) > 1
        return bound or not self._agents.isdisjoint(words[-1:])

    def is_person(self, cls: str) -> bool:
        """Return whether the things of a class are persons or groups of them, by what the class is called."""
        return any(map(self.means_people, self.heads(cls)))

    @cached_property
    def persons(self) -> Sequence[str]:
        """The classes of persons or groups of them."""
        return list(filter(self.is_person, self.schema.classes))

    def have_names(self, *classes: str) -> bool:
        """Return whether the things of classes have names of their own, or of their IRIs where nothing has labels."""
        known = [self.schema.classes.get(one) for one in classes]
        return all(one is not None and (one.named > 0 or not (one.blank or self.schema.labelled)) for one in known)

    def are_facts(self, cls: str) -> bool:
        """Return whether the things of a class have no names though others have: rentals are asked for by that word."""
        classes = self.schema.classes
        return cls in classes and not self.have_names(cls) and any(map(self.have_names, classes))

    def means_people(self, word: str, *, rarely: bool = False) -> bool:
        """Return whether a word is one for persons or groups of them; ``rarely``, also if it is one at times: chair."""
        pack, kinds = self.packs[0], self.packs[0].english.data.kinds  # the lexical database knows English
        words = [word, *(one.english for one in pack.vocabulary.meanings([word], 0) if one.weight != ASSOCIATED)]
        if not {*kinds.people, *kinds.groups}.isdisjoint(words):
            return True
        person, group = kinds.people[0], kinds.groups[0]
        near = any(relatedness(one, person) >= _KIN for one in words)
        return near or any(is_kind_of(one, person, rarely=rarely) or is_kind_of(one, group) for one in words)

    def _is_place(self, cls: str) -> bool:
        called, places = self.packs[0].names_of("places"), self.packs[-1].data.kinds.places
        heads = (fold(name.text) for one in self.schema.above(cls) for name in self.of(one))
        return any(head in called or any(is_kind_of(head, place) for place in places) for head in heads)

    def _is_within(self, link: Link) -> bool:
        """Return whether a step leads to the place where things are.

        Many are at one place, and each at one or at few. From things that are no places, and to a place of the same
        kind, only what is called as "located" and "within" are leads to where they are: what a place borders is not.
        """
        known, alike = self.schema.relations[link.relation], self.schema.meet(link.source, link.target)
        inside, around = (known.subjects, known.objects) if link.forward else (known.objects, known.subjects)
        many = inside >= around and not known.exclusive and self.is_place(link.target)
        placed = self.is_place(link.source) and not alike
        means, english = self._meant("located") | self._meant("within"), self.packs[-1]
        return many and (placed or any(english.stems(name.text) in means for name in self.of(link.relation)))

    def is_other_end(self, relation: str, at: int, analysis: Analysis) -> bool:
        """Return whether the word at a position, *from* or *to*, tells of another relation of the same things.

        That one is called as where something leaves or arrives, by the word, and the relation is not.
        """
        words = [word.folded for word in analysis.words[at : at + 1]]
        said = next((one for name, one in _MOVES.items() if self.packs[0].compare[name].end(words, 0)), None)
        known = self.schema.relations.get(relation)
        if known is None or said is None or analysis.language != "en" or self._is_end(relation, said):
            return False
        ends = {(one.subject, one.object) for one in known.ends}
        others = (iri for iri, one in self.schema.relations.items() if ends & {(e.subject, e.object) for e in one.ends})
        return any(self._is_end(one, said) for one in others)

    def _is_end(self, relation: str, move: str) -> bool:
        called = map(self.packs[-1].stems, (name.text for name in self.of(relation)))
        return any(mean <= stems for stems in called for mean in self._meant(move))

    def _meant(self, word: str) -> set[frozenset[str]]:
        """Return what relations are called that an English word asks for, as stems."""
        english = self.packs[-1]
        return {mean for _, way in english.ways.at(english.stem_list(word), 0) for mean in way.measures}

    def event_of(self, date: str) -> frozenset[str]:
        """Return the stems of the event that a relation dates, such as a death; none if it is no date of anything."""
        called = self.of(date) if self.schema.value_kind(date) == "date" else ()
        return min((frozenset(name.stems) - self.time for name in called), key=len, default=frozenset())

    def year_of(self, relation: str, cls: str) -> str | None:
        """Return the relation of all things of a class that gives only the years of what a relation dates.

        It is called the same but for the words for dates and years: founding date, founding year.
        """
        schema, time = self.schema, self.time
        if schema.value_kind(relation) != "date" or cls not in schema.classes:
            return None
        said = {frozenset(name.stems) - time for name in self.of(relation)} - {frozenset()}
        for other, known in schema.relations.items():
            years = set(known.datatypes) == {XSD + "gYear"} and known.functional
            alike = years and any(frozenset(name.stems) - time in said for name in self.of(other))
            if alike and schema.count(cls, other) >= schema.instances(cls) > schema.count(cls, relation):
                return other
        return None

    def dated(self, relation: str, cls: str) -> tuple[str, str] | None:
        """Return the relation for dates and the one for their years of which a relation is one."""
        pairs = ((one, self.year_of(one, cls)) for one in self.schema.relations)
        return next(((date, year) for date, year in pairs if year and relation in (date, year)), None)

    def weight(self, stems: Iterable[str]) -> float:
        """Return how much some words of a name say: rare words say more."""
        return math.fsum(self._rarity.get(stem, 1.0) for stem in stems)  # the same in any order
