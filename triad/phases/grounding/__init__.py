"""Grounding: the vocabulary of the graph for a question, so that the generalist writes templates that fit the graph.

What the question names is found in the label index. Things, classes and what asked-for relations lead to become lines
of text. Of the relations that the question seems to ask for, a line tells where they lead, with a sample value; of the
others it has the names, and says how many there are where it leaves some out. The lines hold labels only, no IRIs, and
stop at a budget of tokens.
"""

from collections.abc import Iterable, Iterator, Set
from typing import Final, Literal as Choice

from triad.grouping import grouped
from triad.kg.schema import Card, Hop
from triad.language.analysis import analyse
from triad.language.normalize import fold, other_numbers
from triad.phases.context import Context
from triad.phases.grounding import ends
from triad.phases.grounding.ends import between, is_below, is_empty, special_ends, with_kinds, with_special_ends
from triad.phases.grounding.facts import Fact, clipped, details, find_facts, quote, short
from triad.phases.grounding.lines import NAMES, NOT_READ, Line, defined, meanings, named_graphs, told, within
from triad.phases.grounding.question_names import Named, QuestionNames, find_names
from triad.phases.grounding.relevance import ASKED, Relevance
from triad.phases.homonyms import distinct_names
from triad.questions import Candidate
from triad.rdf import BUILT_IN, IRI, BlankNode
from triad.sparql.stated import FACT

_CLASSES: Final = 7  # classes shown
_SHOWN: Final = 4  # classes shown up to which there may be some of whose names the question has only a part
_DETAILED: Final = 8  # relations of a line that are shown in full
_BESIDE: Final = 4  # relations of a class that is not named that are shown in full
_TAKEN: Final = 5  # things whose relations are shown
_DOUBTFUL: Final = 0.3  # the prior below which only what is asked for is shown of a thing
_FOLLOWED: Final = 3  # asked-for relations whose values' relations are shown
_RELATIONS: Final = 400  # relations of a graph up to which all are compared with the question
_PARTS: Final = 5  # relations to things without a class of which it is shown what these have
_SHORT: Final = 3  # words of the name of a class that tells what kind of thing something is
_RARE: Final = 0.02  # the share of a class that is not named up to which a relation is shown by name alone
_GENERAL: Final = 40  # relations above which a class that is not named is too general for more than what is asked for
_SMALL: Final = 30  # classes of a graph up to which those are shown that other relations lead to, too
_JOINED: Final = 5  # named classes between which ways are looked for

_Follow = Choice["none", "asked", "all"]
"""Which relations of a class lead to further classes: none, those that are asked for, all."""


def vocabulary(context: Context, tokens: int) -> list[str]:
    """Return lines, within a budget of tokens, about the entities and classes that the question may mean."""
    if not tokens:
        return []
    analysis, late = analyse(context.question.text, context.pack), context.late
    names = find_names(context, analysis)
    meant = defined(context, analysis)
    holders = {one.iri: Candidate(one.cls, "class", context.schema.label(IRI(one.cls))) for one in meant}
    names = names.with_classes(holders.values())
    with context.look_around("schema cards for the question"):
        found = _Grounding(context, names, Relevance(analysis, names.taken, context.glossary)).lines()
    texts = [*within(found, tokens), *(told(one, holders[one.iri].label) for one in meant)]
    if context.late > late and not any(text.endswith(NOT_READ) for text in texts):
        texts.append(f"Other things and classes: {NOT_READ}")
    return texts


class _Grounding:
    def __init__(self, context: Context, names: QuestionNames, relevance: Relevance) -> None:
        self.context = context
        self.schema = context.schema
        self.names = names
        self.relevance = relevance
        self.late = context.late
        """Look-ups that took too long before the line that is being made."""
        self.shown: dict[str, None] = {}
        """Names of the classes that have a line."""
        self.alike: dict[object, Line] = {}
        """Lines of classes, by what their things have."""
        profile = context.profile
        self.is_small = profile is not None and len(profile.classes) <= _SMALL
        self.followed: list[Fact] = []
        """Relations of things of which it is shown what they lead to."""
        spoken = sorted((one for one in names.classes if one.words), key=lambda one: -len(one.words))
        self.heard = {one.candidate.iri: one.words for one in spoken}
        """For each class that is named, the words of the question."""
        self.inner: list[str] = []
        """Classes between those that are named."""
        if profile is not None and len(profile.relations) <= _RELATIONS:
            relevance.needed, self.inner = between(profile, list(self.heard)[:_JOINED])

    def lines(self) -> list[Line]:
        things = list(self._things())
        followed = list(self._followed())
        reached = {iri for fact in self.followed for iri in fact.classes}
        lines = [*things, *followed]
        lines += self._lines_of([one.candidate.iri for one in self.names.classes], NAMES[0])
        further = [*self.inner, *self._with_relations([*things, *followed])]
        further += (iri for iri in _ends(things, asked=True) if iri not in reached)
        lines += self._lines_of(further, NAMES[3], "none")
        lines += self._near()
        if self.is_small:
            lines += self._lines_of(_ends(lines), NAMES[2], "all")
        lines += self._parts(lines)
        lines += self._stated(lines)
        lines += self._others()
        facts, shown = [line.facts for line in lines], "\n".join(text for line in lines for text in line.detailed)
        if meant := meanings(self.context, self.relevance.analysis, self.names, facts, shown):
            lines.append(Line(meant))
        if not lines:
            known = [one.iri for one in (self.context.profile.classes if self.context.profile else ())][:_CLASSES]
            lines = [Line("Nothing that the question names was found in the graph"), *self._lines_of(known, NAMES[4])]
        return [*named_graphs(self.context), *lines]

    # Things

    def _things(self) -> Iterator[Line]:
        things = self.names.things
        likely = [(at, one) for at, one in enumerate(things[:_TAKEN]) if _is_thing(one)]
        # Of a doubtful thing little is shown, unless it is the likeliest one.
        shown = {one.candidate.iri: at > 0 and one.prior < _DOUBTFUL for at, one in likely}

        def prepare(brief: bool) -> None:
            self.schema.prepare([iri for iri, doubtful in shown.items() if doubtful == brief], brief=brief)

        self.schema.graph.at_once(prepare, (False, True))
        apart = distinct_names(self.context, (one.candidate for one in things if _is_thing(one)))
        for at, one in enumerate(things):
            label = quote(apart.get(one.candidate.iri, one.candidate.label))
            heard = _heard(one.words, one.candidate.label)
            if one.candidate.kind == "literal":
                is_alone = all(other.words != one.words for other in things if _is_thing(other))
                yield self._with_text(one.candidate, f"{label}{heard}", is_alone)
                continue
            types = one.candidate.types or self.schema.types(one.candidate.iri)
            line = Line(f"{label}{heard}{self._kind(types)}")
            if at < _TAKEN:
                doubtful = shown[one.candidate.iri]
                self._fill(line, self.schema.joint_card([one.candidate.iri], brief=doubtful), set(types))
                if doubtful:
                    line.most = NAMES[5]
            yield line

    def _with_text(self, text: Candidate, head: str, is_alone: bool) -> Line:
        """Return the line of a text, with what the thing has whose value it is, if nothing else is called so."""
        line = Line(f"{head}, a text, value of {clipped(self.schema.labels([text.iri])[text.iri])}")
        if forms := self.schema.literal_forms(text.iri, text.label) if is_alone else []:
            values = " ".join(form.n3() for form in forms)
            owners = self.schema.bindings("owner", f"VALUES ?text {{ {values} }} ?owner <{text.iri}> ?text")
            types = self.schema.types(owners[0]) if owners else ()
            line.head += self._kind(types).replace(",", " of", 1)
            if len(owners) == 1:
                self._fill(line, self.schema.joint_card(owners, brief=True), set(types))
                line.most = NAMES[3]
        return line

    def _kind(self, types: tuple[str, ...]) -> str:
        """Return what kind of thing it is: by a frequent class with a short name, and what is below that."""
        profile = self.context.profile
        sizes = {iri: found.instances for iri in types if profile and (found := profile.class_profile(iri))}
        several = [iri for iri in types if sizes.get(iri, 2) >= 2]
        labels = self.schema.labels(several)
        several.sort(key=lambda iri: (len(labels[iri].split()), -sizes.get(iri, 0)))
        kind = several[0] if several else ""
        while lower := [one for one in several if is_below(profile, one, kind) and len(labels[one].split()) <= _SHORT]:
            kind = lower[0]
        return f", a {clipped(labels[kind])}" if kind else ""

    def _followed(self) -> Iterator[Line]:
        """Yield lines for what asked-for relations of things lead to: the architect of the Eiffel Tower."""
        asked = [
            (one.candidate, fact)
            for one in self.names.things[:_TAKEN]
            if _is_thing(one) and one.prior >= _DOUBTFUL
            for fact in find_facts(self.context, self.relevance, self.schema.card(one.candidate.iri))
            if fact.is_asked and fact.things
        ][:_FOLLOWED]
        self.followed += [fact for _, fact in asked]
        cards = self.schema.graph.at_once(lambda pair: self._card_there(*pair), asked)
        are_read = self._is_read()
        for card, alike in grouped(zip(cards, asked, strict=True)).items():
            names = (
                f"{quote(thing.label)} {'->' if fact.direction == 'out' else '<-'} {fact.label}"
                for thing, fact in alike
            )
            line = Line(f"{', '.join(names)}, the things there")
            back = {fact.things[0].relation for _, fact in alike}
            self._fill(line, tuple(hop for hop in card if hop.relation not in back))
            line.is_read = line.is_read and are_read
            line.most = NAMES[3]
            if line.detailed or not line.is_read:
                yield line

    def _card_there(self, thing: Candidate, fact: Fact) -> Card:
        way = fact.things[0]
        ends = (f"<{thing.iri}>", "?end") if fact.direction == "out" else ("?end", f"<{thing.iri}>")
        pattern = f"{ends[0]} <{way.relation}> {ends[1]}"
        if isinstance(way.sample, BlankNode):
            return self.schema.pattern_card("end", pattern)
        return self.schema.joint_card(self.schema.bindings("end", pattern), brief=True)

    def _fill(
        self, line: Line, card: Card, kinds: Set[str] = frozenset(), *, is_named: bool = True, with_labels: bool = False
    ) -> None:
        """Give a line what is on the schema card of things of some classes, which the question names or not."""
        profile = self.context.profile

        def rank(hop: Hop) -> float:
            return self.relevance.of_value(hop.label, hop.relation, hop.sample)

        card = ends.without_repeated(profile, self.schema, card, rank)
        card = with_special_ends(profile, card, kinds, lambda hop: self.is_small or rank(hop) >= ASKED)
        classes = {one.candidate.iri for one in self.names.classes}
        # Those that are asked for come first.
        facts = find_facts(self.context, self.relevance, card, classes, with_labels=with_labels)
        shown = [fact for fact in facts if fact.is_asked and (is_named or fact.coverage > _RARE)]
        shown = shown[: _DETAILED if is_named else _BESIDE]
        line.facts = facts
        line.detailed = details(self.context, shown)
        line.rest = list(dict.fromkeys(short(self.context, fact) for fact in facts if fact not in shown))
        line.is_read = self._is_read()

    def _is_read(self) -> bool:
        """Return whether no look-up took too long since this was asked last."""
        before, self.late = self.late, self.context.late
        return self.late == before

    def _parts(self, lines: Iterable[Line]) -> list[Line]:
        """Return lines for the parts of things that have no names, or are of no class: amounts, reviews."""
        found: dict[str, Line] = {}
        for line in lines:
            for fact in line.facts:
                part = fact.things[0] if fact.things and fact.direction == "out" and not fact.classes else None
                if part is None or part.relation in found or len(found) >= _PARTS:
                    continue
                is_blank = isinstance(part.sample, BlankNode)
                if is_blank or (fact.is_asked and not self.schema.relation_ends(part.relation)[1]):
                    card = self.schema.pattern_card("part", f"?whole <{part.relation}> ?part")
                    made = Line(f"{fact.label} -> a part{' without a name' if is_blank else ''}, which has")
                    self._fill(made, tuple(hop for hop in card if hop.relation != part.relation))
                    if is_blank or (len(made.facts) <= _DETAILED and any(one.direction == "out" for one in made.facts)):
                        found[part.relation] = made
        return [line for line in found.values() if line.facts or not line.is_read]

    def _stated(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield a line for each relation of whose facts something is said, as it is asked for in SPARQL 1.2."""
        stated = self.context.profile.stated if self.context.profile else ()
        told = {hop.relation for line in lines for fact in line.facts for hop in fact.hops}
        labels = self.schema.labels(one.relation for one in stated)
        shown = [one for one in stated if one.qualifiers and one.relation in told]
        shown.sort(key=lambda one: -self.relevance.of(labels[one.relation], one.relation))
        for one in shown[:_PARTS]:
            name = clipped(labels[one.relation])
            line = Line(f"Each {name} as << ?a <{'_'.join(name.split())}> ?b >>, of which is said")
            self._fill(line, self.schema.class_card(one.fact_class))
            yield line

    # Classes

    def _near(self) -> list[Line]:
        """Return lines of some classes of whose names the question has a part, if few others have one.

        Of a graph that is small, those whose things have the same as others are named beside these.
        """
        near = [one.iri for one in self.names.near]
        free = max(0, _SHOWN - len(self.alike))
        lines = list(self._lines_of(near[:free], NAMES[3]))
        if self.is_small:
            self.schema.prepare(classes=near[free:])
            for iri in near[free:]:
                self._class_line(iri, 0, is_new=False)
        return lines

    def _others(self) -> Iterator[Line]:
        """Yield a line with the names of the other such classes."""
        near = (one.iri for one in self.names.near if not is_empty(self.context.profile, one.iri))
        names = self.schema.labels(near).values()
        if left := dict.fromkeys(clipped(name) for name in names if fold(name) not in self.shown):
            yield Line(f"Other classes: {', '.join(left)}")

    def _lines_of(self, iris: Iterable[str], most: int, follow: _Follow = "asked") -> Iterator[Line]:
        """Yield lines of classes, then of those that their relations lead to."""
        frontier = list(dict.fromkeys(iris))
        while frontier and len(self.alike) < _CLASSES:
            self.schema.prepare(classes=frontier[: _CLASSES - len(self.alike)])
            lines = [line for iri in frontier if (line := self._class_line(iri, most))]
            yield from lines
            frontier = [] if follow == "none" else _ends(lines, asked=follow == "asked")
            most = most if follow == "all" else NAMES[4]

    def _class_line(self, iri: str, most: int, *, is_new: bool = True) -> Line | None:
        """Return the line of a class, if it is a new one, as it may be: things of several classes may have the same."""
        label = self.schema.labels([iri])[iri]
        name = fold(label)
        if (is_new and len(self.alike) >= _CLASSES) or any(form in self.shown for form in (name, *other_numbers(name))):
            return None
        if iri.startswith((*BUILT_IN, FACT)) and iri not in self.heard:
            return None
        classes = [clipped(label) + _heard(self.heard.get(iri, ""), label)]
        line = Line(self._above(iri) + self._told_by(iri), classes=classes, most=most)
        card, kinds = self.schema.class_card(iri), with_kinds(self.context.profile, iri)
        self._fill(line, card, kinds, is_named=iri in self.heard, with_labels=self.is_small)
        is_general = iri not in self.heard and len(line.facts) > _GENERAL
        if is_general:
            line.most = 0
        tells = line.detailed if is_general else line.facts
        if line.is_read and not tells and (iri not in self.heard or is_empty(self.context.profile, iri)):
            return None
        key = (tuple(line.detailed), tuple(line.rest)) if line.facts else iri
        if not is_new and key not in self.alike:
            return None
        self.shown[name] = None
        if (first := self.alike.setdefault(key, line)) is line:
            return line
        first.head = ""
        first.classes += line.classes
        first.most = max(first.most, most)
        return None

    def _above(self, iri: str) -> str:
        """Return which class of those that are named a class is a kind of."""
        above = [one for one in self.schema.superclasses(iri) if one in self.heard]
        return f", a kind of {clipped(self.schema.labels(above)[above[0]])}" if above else ""

    def _told_by(self, iri: str) -> str:
        """Return by which value things without names are told: one of their own that is called after their class."""
        profile, named = self.context.profile, self.schema.labels
        known = profile.class_profile(iri) if profile else None
        if profile is None or known is None or known.named:
            return ""
        of_all = (use.relation for use in known.outgoing if use.things == known.instances)
        keys = (one for iri in of_all if (one := profile.relation_profile(iri)) and one.is_key)
        own, labels = set(fold(named([iri])[iri]).split()), named(one.iri for one in keys)
        told = [label for label in labels.values() if own < set(fold(label).split())]
        return f", told by {clipped(min(told, key=len))}" if told else ""

    def _with_relations(self, things: Iterable[Line]) -> list[str]:
        """Return the classes whose things have asked-for relations that are not shown of things already."""
        shown = {hop.relation for line in things for fact in line.facts if fact.is_asked for hop in fact.hops}
        profile = self.context.profile
        found = {one.iri: self.relevance.of(one.label, one.iri) for one in self.names.relations}
        if profile and len(profile.relations) <= _RELATIONS:
            labels = self.schema.labels(one.iri for one in profile.relations)
            found |= {iri: self.relevance.of(label, iri) for iri, label in labels.items()}
        asked = [iri for iri, value in found.items() if value >= ASKED and iri not in shown]
        asked.sort(key=lambda iri: -found[iri])
        special = {iri: special_ends(profile, iri, "in") if profile else () for iri in asked[:_DETAILED]}
        subjects = (classes or self.schema.relation_ends(iri)[0] for iri, classes in special.items())
        return list(dict.fromkeys(cls for classes in subjects for cls in classes[:1]))[:_FOLLOWED]


def _is_thing(one: Named) -> bool:
    return one.candidate.kind == "entity"


def _heard(words: str, name: str) -> str:
    """Return the words of the question for which a name was found, where they are others."""
    said = fold(words)
    return f" (for {quote(words)})" if said and fold(name) not in (said, *other_numbers(said)) else ""


def _ends(lines: Iterable[Line], *, asked: bool = False) -> list[str]:
    facts = (fact for line in lines for fact in line.facts if fact.is_asked or not asked)
    return list(dict.fromkeys(iri for fact in facts for iri in fact.classes[:1]))
