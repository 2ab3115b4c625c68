"""Linking of relations: candidates come from the schema cards of what the ends of a pattern are linked to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triad.grouping import grouped
from triad.kg.schema import Card, Hop
from triad.language.normalize import fold
from triad.language.similarity import Wording
from triad.phases.context import Context
from triad.phases.linking.entities import OMITTED, RANKS, LinkOption, Links, choose
from triad.queries.template import Pattern, Template, inverse
from triad.questions import Candidate
from triad.rdf import IRI, Literal
from triad.search.base import CLOSE, Lookup
from triad.sparql.patterns import Path

_AGAINST_TEMPLATE: Final = 0.85  # the relation holds in the other direction than the template says
_ONE_END: Final = 0.7  # the relation is known of one end of the pattern only


@dataclass(slots=True)
class _RelationCandidate:
    """A relation that a pattern may have, gathered from the schema cards of its ends."""

    relation: str
    forward: bool  # true if it holds in the direction that the template says
    label: str
    sample: str
    count: int
    named: float  # how well its names fit the words of the template
    fit: float  # the same after deductions for evidence against it in the graph
    ends: dict[str, set[str]]
    literal: bool = False  # true if its values are literals
    stands_in: bool = False  # true if another one of its name comes first
    others: tuple[str, ...] = ()  # IRIs of further relations of the same name, which are queried as alternatives


class Relations:
    """Links the relations of a template, from the linked ends outwards."""

    def __init__(self, context: Context, template: Template, links: Links) -> None:
        self.context = context
        self.template = template
        self.links = links
        self.card = context.roles.decision_maker
        self.reached: dict[str, str] = {}
        """For each variable that is reached, patterns of SPARQL that bind it."""
        self.samples: dict[str, list[str]] = {}
        """For each variable whose sample was taken, IRIs that it is bound to."""
        self.class_of: dict[str, list[str]] = {}
        """For each variable with a class, the IRIs that the class may have."""
        for pattern in template.patterns:
            if pattern.object in template.classes:
                iris = [option.candidate.iri for option in links[pattern.object]]
                self.class_of.setdefault(pattern.subject, []).extend(iris)

    def link(self) -> Links:
        """Return the options of each relation slot."""
        waiting = [pattern for pattern in self.template.patterns if pattern.relation]
        candidates: dict[str, list[_RelationCandidate]] = {}
        with self.context.look_around("relations one hop from what is linked") as outcome:
            while waiting:
                pattern = min(waiting, key=lambda pattern: (self._distance(pattern), waiting.index(pattern)))
                waiting.remove(pattern)
                assert pattern.relation
                candidates[pattern.relation] = self._candidates_of(pattern)
                self._reach(pattern, candidates[pattern.relation])
            shown = (item.relation for items in candidates.values() for item in items[: self.card.candidates])
            outcome["candidates"] = tuple(dict.fromkeys(shown))
        return self._decide(candidates)

    # Candidates

    def _distance(self, pattern: Pattern) -> int:
        return min(map(self._end_distance, (pattern.subject, pattern.object)))

    def _end_distance(self, end: str) -> int:
        if any(option.candidate.iri for option in self.links.get(end, ())):
            return 0
        return 1 if self.class_of.get(end) else 2 if end in self.reached else 3

    def _candidates_of(self, pattern: Pattern) -> list[_RelationCandidate]:
        assert pattern.relation
        mention = self.template.slots[pattern.relation].text
        if (formula := self.context.definition(mention)) and formula.value is not None:
            return [_RelationCandidate(formula.iri, True, formula.word, "", 0, 1.0, 1.0, {}, literal=True)]
        sides = [self._side(pattern.subject, True), self._side(pattern.object, False)]
        words, meant = Wording(mention), self.context.meaning(mention)
        if pattern.relation in self.template.naming:
            meant = self.context.schema.label_properties
        merged: dict[tuple[str, bool], _RelationCandidate] = {}
        for side in sides:
            for hop, forward, end, iri in side:
                if (key := (hop.relation, forward)) not in merged:
                    called = (hop.label, *self.context.glossary.phrases(hop.relation))
                    likeness = max(words.similarity(name, hop.relation) for name in called)
                    fit = 1.0 if hop.relation in meant else likeness
                    sample = hop.sample_label
                    merged[key] = _RelationCandidate(hop.relation, forward, hop.label, sample, hop.count, fit, fit, {})
                    merged[key].literal = hop.direction == "out" and isinstance(hop.sample, Literal)
                elif len(merged[key].ends) < 2:
                    merged[key].count = max(merged[key].count, hop.count)
                merged[key].ends.setdefault(end, set()).add(iri)
        both = all(sides)
        self._keep_directions(pattern, merged)
        for candidate in merged.values():
            candidate.fit *= (1 if candidate.forward else _AGAINST_TEMPLATE) * (
                _ONE_END if both and len(candidate.ends) < 2 else 1
            )
        if pattern.relation in self.template.naming:
            if not any(candidate.named >= CLOSE for candidate in merged.values()):
                iri = self.template.naming[pattern.relation]
                return [_RelationCandidate(iri, True, mention, "", 0, 1.0, 1.0, {}, literal=True)]
        elif self._distance(pattern) > 0 and not any(candidate.named >= CLOSE for candidate in merged.values()):
            # A sample of a class or a variable need not show a relation that few of them have.
            [found] = self.context.search([Lookup(mention, ("relation",), self.card.candidates)])
            for item in [item for item in found if not merged or item.score >= CLOSE]:
                likely = min(1.0, item.score + 0.03)
                named = _RelationCandidate(item.iri, True, item.label, "", item.popularity, item.score, likely, {})
                merged[item.iri, True] = named
        return sorted(merged.values(), key=lambda item: (-item.fit, -item.count, item.relation))

    def _keep_directions(self, pattern: Pattern, merged: dict[tuple[str, bool], _RelationCandidate]) -> None:
        """Do not turn relations that the template names, where things of the same class have them as it says.

        That this one thing has none is then an answer.
        """
        for item in [item for item in merged.values() if item.named >= CLOSE and not item.forward]:
            if pattern.directed or self._may_hold(pattern, item.relation):
                del merged[item.relation, False]
                merged.setdefault((item.relation, True), replace(item, forward=True))

    def _may_hold(self, pattern: Pattern, relation: str) -> bool:
        schema = self.context.schema
        return any(
            hop.relation == relation and (hop.direction == "out") == is_subject
            for end, is_subject in ((pattern.subject, True), (pattern.object, False))
            for option in self.links.get(end, ())
            if option.candidate.kind == "entity"
            for iri in option.candidate.types[:3]
            for hop in schema.class_card(iri, brief=True)
        )

    def _side(self, end: str, is_subject: bool) -> list[tuple[Hop, bool, str, str]]:
        """Return the hops from one end of a pattern: each with its direction in the pattern, the end, its IRI."""
        schema, glossary = self.context.schema, self.context.glossary
        hops: list[tuple[Hop, bool, str, str]] = []
        cards: list[tuple[Card, str]] = []
        for option in self.links.get(end, ()):
            if (candidate := option.candidate).kind == "literal":
                if candidate.iri and not is_subject:
                    label = schema.labels([candidate.iri])[candidate.iri]
                    value = Literal(candidate.label)
                    hop = Hop(candidate.iri, label, "in", candidate.popularity, value, candidate.label)
                    hops.append((hop, True, end, candidate.iri))
                continue
            cards.append((schema.card(candidate.iri), candidate.iri))
            cards += [(self._stated(cls), candidate.iri) for cls in candidate.types[:3] if glossary.stated]
        if end not in self.links and end in self.class_of:
            cards = [(schema.class_card(iri), iri) for iri in self.class_of[end]]
        elif end not in self.links and end in self.reached:
            cards = [(schema.joint_card(self._sample(end)), "")]
        known = ((hop, iri) for card, iri in cards for hop in card if not glossary.structures(hop.relation))
        return hops + [(hop, (hop.direction == "out") == is_subject, end, iri) for hop, iri in known]

    def _stated(self, cls: str) -> Card:
        """Return the relations of things of a class that are no triples: nodes state their facts."""
        stated = self.context.glossary.stated
        card = self.context.schema.class_card(cls, brief=True)
        return tuple(hop for hop in card if hop.relation in stated and not stated[hop.relation].asserted)

    def _sample(self, variable: str) -> list[str]:
        if variable not in self.samples:
            self.samples[variable] = self.context.schema.bindings(variable[1:], self.reached[variable])
        return self.samples[variable]

    def _reach(self, pattern: Pattern, candidates: list[_RelationCandidate]) -> None:
        """Note how the variables of a pattern are bound, for patterns further out."""
        for near, far in ((pattern.subject, pattern.object), (pattern.object, pattern.subject)):
            if not far.startswith("?") or far in self.reached or self._end_distance(far) < 2 or not candidates:
                continue
            sure = [candidate for candidate in candidates if candidate.fit >= CLOSE]
            # Branches of branches would grow with the power of the distance, so they start from a sample.
            if near in self.reached and not sure:
                where = f"VALUES {near} {{ {' '.join(f'<{iri}>' for iri in self._sample(near))} }}"
            else:
                where = self._bound(near) or ""
            if not where:
                continue
            branches = []
            for candidate in (sure or candidates)[: 1 if sure else 5]:
                start, end = (near, far) if (near == pattern.subject) == candidate.forward else (far, near)
                start, end = (self._variable(name) for name in (start, end))
                branches.append(f"{{ {where} {start} <{candidate.relation}> {end} }}")
            self.reached[far] = " UNION ".join(branches)

    def _bound(self, end: str) -> str | None:
        if options := [option for option in self.links.get(end, ()) if option.candidate.iri]:
            forms = " ".join(option.filler.n3() for option in options)
            return f"VALUES {self._variable(end)} {{ {forms} }}"
        if self.class_of.get(end):
            return self.context.schema.instance_pattern(end, self.class_of[end][0]) + " ."
        return f"{self.reached[end]} ." if end in self.reached else None

    def _variable(self, end: str) -> str:
        return end if end.startswith("?") else f"?end{list(self.template.slots).index(end)}"

    # Choice

    def _decide(self, candidates: Mapping[str, list[_RelationCandidate]]) -> Links:
        links: Links = {}
        undecided: dict[str, list[_RelationCandidate]] = {}
        left = self._not_omitted(candidates)
        for slot, items in left.items():
            if (sure := _sure(items)) or len(items) <= 1:
                links[slot] = tuple(map(_option, _alternatives(sure or items)[: self.card.relations]))
            elif self.card.uri_selection == "match":
                links[slot] = tuple(map(_option, items[: self.card.relations]))
            else:
                undecided[slot] = items
        links |= {slot: (OMITTED,) for slot in candidates if slot not in left}
        return links | (self._choose(undecided) if undecided else {})

    def _not_omitted(self, candidates: Mapping[str, list[_RelationCandidate]]) -> dict[str, list[_RelationCandidate]]:
        """Return the candidates without the relations of a choice of paths that are not needed.

        Where a part of `<a>|<b>` fits, those that fit worse, or against their direction only, are left out. Where none
        does, one of those between the same ends stands for all, so that there is one choice at most.
        """
        left = dict(candidates)
        patterns = {pattern.relation: pattern for pattern in self.template.patterns}
        for parts in self.template.alternatives:
            fits = [min((_fitting(candidates[slot]) for slot in part), default=0) for part in parts]
            if any(fits):
                for part, fit in zip(parts, fits, strict=True):
                    if fit < max(fits):
                        for slot in part:
                            left.pop(slot, None)
                continue
            of_ends: dict[tuple[str, str], str] = {}
            for slot in (part[0] for part in parts if len(part) == 1 and part[0] in left):
                first = of_ends.setdefault((patterns[slot].subject, patterns[slot].object), slot)
                if first != slot:
                    best = {(one.relation, one.forward): one for one in (*left.pop(slot), *left[first])}
                    left[first] = sorted(best.values(), key=lambda one: (-one.fit, -one.count, one.relation))
        return left

    def _choose(self, undecided: Mapping[str, list[_RelationCandidate]]) -> Links:
        patterns = {pattern.relation: pattern for pattern in self.template.patterns}
        called = {slot: (((fold(one.label), one.forward), one) for one in items) for slot, items in undecided.items()}
        # Between those of one name and direction nobody can choose by name.
        offered = {slot: list(grouped(items).values())[: self.card.candidates] for slot, items in called.items()}
        items = {
            slot: {
                "text": patterns[slot].text,
                "relation": self.template.slots[slot].text,
                "candidates": [
                    {"label": one.label, "forward": one.forward, "sample": one.sample, "count": one.count}
                    for one, *_ in groups
                ],
            }
            for slot, groups in offered.items()
        }
        chosen = choose(self.context, "relation_selection", "patterns", items, self.card.relations)
        links: Links = {}
        for slot, places in chosen.items():
            picked = [offered[slot][place] for place in places]
            for rank, group in enumerate(picked):
                for candidate in group:
                    candidate.fit = 1.0 - RANKS * rank
            links[slot] = tuple(_option(one) for group in picked for one in _alternatives(group))
        return links


def _sure(candidates: Sequence[_RelationCandidate]) -> list[_RelationCandidate]:
    """Return the candidates that are called as the template says, without those that fit worse than the best."""
    sure = [item for item in candidates if item.named >= CLOSE]
    return [item for item in sure if item.fit > sure[0].fit - RANKS]


def _fitting(candidates: Sequence[_RelationCandidate]) -> int:
    """Return how well a relation of a template fits: 0 for not by name, 1 for against its direction only, 2."""
    sure = _sure(candidates)
    return 0 if not sure else 2 if any(item.forward for item in sure) else 1


def _alternatives(candidates: Sequence[_RelationCandidate]) -> list[_RelationCandidate]:
    """Return relations of one name, those that lead to things as alternatives of each other.

    Texts and numbers of the same name mostly say the same once more, so that they are only for where there is no thing,
    or no value of the one before.
    """
    kept: list[_RelationCandidate] = []
    for candidate in candidates:
        same = next((one for one in kept if one.forward == candidate.forward), None)
        if same and not (same.literal or candidate.literal):
            same.others = (*same.others, candidate.relation)
            same.count += candidate.count
            for end, iris in candidate.ends.items():
                same.ends.setdefault(end, set()).update(iris)
        else:
            candidate.stands_in = same is not None
            kept.append(candidate)
    return kept


def _option(item: _RelationCandidate) -> LinkOption:
    score, exact = round(item.fit, 4), item.fit >= CLOSE
    found = Candidate(item.relation, "relation", item.label, popularity=item.count, score=score, exact=exact)
    ends = {end: frozenset(iris) for end, iris in item.ends.items()} or None
    parts = tuple(IRI(iri) if item.forward else inverse(iri) for iri in (item.relation, *item.others))
    return LinkOption(found, parts[0] if len(parts) == 1 else Path(parts, "|"), item.fit, ends, item.stands_in)
