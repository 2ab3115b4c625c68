"""Phase 2, URI linking: the terms of the graph that each mention of a template may stand for.

Entities, classes and literals come from the label index. Relations come from the schema cards of the terms that a
pattern's ends are linked to, so that only relations that exist there are candidates. The model is asked only where
names do not decide; it sees numbered candidates and answers with numbers, all mentions in one call, all relations in
another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import BaseModel

from triad import sparql
from triad.kg.schema import Hop
from triad.language.normalize import fold
from triad.language.similarity import Wording
from triad.phases.context import Context
from triad.queries.patterns import to_rdflib
from triad.queries.template import Kinds, Pattern, Template, inverse
from triad.questions import Candidate, Kind
from triad.rdf import IRI, RDF_TYPE, Literal
from triad.search.base import CLOSE, Lookup

__all__ = ["Links", "Option", "link"]

LOOKED_UP: Final[dict[Kind, tuple[Kind, ...]]] = {
    "entity": ("entity", "literal", "class"),
    "class": ("class",),
    "literal": ("literal", "entity"),
}
"""For each kind of mention, the kinds of entries that it may be linked to."""

_AGAINST_TEMPLATE: Final = 0.85  # the relation holds in the other direction than the template says
_TYPES: Final = 3  # classes of a thing that are asked whether a relation may hold
_ONE_END: Final = 0.7  # the relation is known of one end of the pattern only
_UNSURE: Final = 0.6  # the literal is not known to the graph
_RANKS: Final = 0.05  # deduction for each place further down in a list of choices
_FACTS: Final = 3  # facts that tell apart what else looks the same
_UNDECIDED: Final = 5  # relations whose values stand for a variable while the relation is not chosen yet


@dataclass(frozen=True, slots=True)
class Option:
    """A link that may fill a slot."""

    candidate: Candidate
    filler: Any
    """The term or path that takes the slot's place."""
    score: float
    ends: Mapping[str, frozenset[str]] | None = None
    """For a relation: by slot of an end, the IRIs that have it. None: no particular IRI is known to have it."""
    stands_in: bool = False
    """True if it is only for where others of its name find nothing."""


Links = dict[str, tuple[Option, ...]]
"""For each slot of a template its options, the best first; none means that nothing was found."""


def link(context: Context, template: Template) -> Links:
    """Return what each slot of a template may be filled with.

    Raises:
        SearchError: The label index failed.
        GraphError: The graph failed.
        AnswerError: The model's reply failed its checks, or a limit was reached.
    """
    links = _link_names(context, template)
    return links | _Relations(context, template, links).link()


# Entities, classes, literals ------------------------------------------------------------------------------


class _Choice(BaseModel):
    item: int
    candidates: list[int]


class _Choices(BaseModel):
    choices: list[_Choice]


def _link_names(context: Context, template: Template) -> Links:
    card = context.roles.decision_maker
    slots = [slot for slot, mention in template.slots.items() if mention.kind != "relation"]
    if not slots:
        return {}
    lookups = [
        Lookup(template.slots[slot].text, LOOKED_UP[template.slots[slot].kind], card.candidates) for slot in slots
    ]
    found = dict(zip(slots, context.search(lookups), strict=True))
    chosen: dict[str, list[Candidate]] = {}
    undecided: dict[str, list[Candidate]] = {}
    for slot, candidates in found.items():
        close = [candidate for candidate in candidates if candidate.score >= CLOSE]
        if len(close) > 1 and template.slots[slot].kind == "entity":
            close = _fitting(context, template, slot, close)
        elif len(close) > 1 and template.slots[slot].kind == "class":
            # Of classes of one name the one that is written just so, else the one with most members.
            close = sorted(close, key=lambda one: (one.label != template.slots[slot].text, -one.popularity))[:1]
        if template.slots[slot].kind == "literal":
            chosen[slot] = close[: card.entities * 2]
        elif card.uri_selection == "match":
            chosen[slot] = candidates[: card.entities]
        elif len(candidates) <= 1 or (close and len({candidate.kind for candidate in close}) == len(close)):
            # One exact match of each kind (entity, class, literal): the patterns around it decide.
            chosen[slot] = close or candidates
        elif card.uri_selection == "results" and 0 < len(close) <= card.entities:
            chosen[slot] = close  # no more than may be kept: what they lead to decides
        else:
            undecided[slot] = close if len(close) > 1 else candidates
    if undecided:
        chosen |= _choose_names(context, template, undecided)
    links: Links = {}
    for slot in slots:
        options = [_name_option(context, template, slot, *pair) for pair in enumerate(chosen[slot])]
        if slot in template.literals:
            written = template.literals[slot]
            options.append(Option(_literal_candidate(written), to_rdflib(written), _UNSURE))
        links[slot] = tuple(options)
        if slot in template.classes:
            paths = [_type_filler(context, option.candidate.iri) for option in options]
            links[template.classes[slot]] = tuple(
                Option(option.candidate, path, 1.0, {slot: frozenset([option.candidate.iri])})
                for option, path in zip(options, paths, strict=True)
            )
    return links


def _fitting(context: Context, template: Template, slot: str, candidates: list[Candidate]) -> list[Candidate]:
    """Return the candidates of one name that have the relations of the patterns around; all, if none has."""
    wanted = [
        (Wording(template.slots[pattern.relation].text), "out" if slot == pattern.subject else "in")
        for pattern in template.patterns
        if pattern.relation and slot in (pattern.subject, pattern.object)
    ]

    def fits(candidate: Candidate, *, directed: bool) -> bool:
        if candidate.kind == "literal":
            hops = [(context.schema.labels([candidate.iri])[candidate.iri], candidate.iri, "in")]
        else:
            hops = [(hop.label, hop.relation, hop.direction) for hop in context.schema.card(candidate.iri)]
        return all(
            any((to == direction or not directed) and words.similarity(label, iri) >= CLOSE for label, iri, to in hops)
            for words, direction in wanted
        )

    context.schema.prepare(entities=[candidate.iri for candidate in candidates if candidate.kind == "entity"])
    for directed in (True, False):
        if kept := [candidate for candidate in candidates if fits(candidate, directed=directed)]:
            return kept
    return candidates


def _name_option(context: Context, template: Template, slot: str, rank: int, candidate: Candidate) -> Option:
    score = min(1.0, candidate.score + 0.05) if candidate.score >= CLOSE else candidate.score
    score *= 1 - _RANKS * rank
    if candidate.kind != "literal":
        return Option(candidate, to_rdflib(IRI(candidate.iri)), score)
    forms = context.schema.literal_forms(candidate.iri, candidate.label)
    return Option(candidate, to_rdflib(forms[0] if forms else Literal(candidate.label)), score)


def _type_filler(context: Context, iri: str) -> Any:
    kinds = context.schema.kinds(iri)
    return Kinds(tuple(kinds)) if len(kinds) > 1 else to_rdflib(IRI(RDF_TYPE))


def _literal_candidate(literal: Literal) -> Candidate:
    return Candidate("", "literal", literal.value)


def _choose_names(
    context: Context, template: Template, found: Mapping[str, list[Candidate]]
) -> dict[str, list[Candidate]]:
    card = context.roles.decision_maker
    kinds = context.schema.labels(iri for items in found.values() for item in items for iri in item.types)
    items = [
        {
            "text": template.slots[slot].text,
            "kind": template.slots[slot].kind,
            "patterns": [pattern.text for pattern in template.patterns if slot in (pattern.subject, pattern.object)],
            "candidates": _told_apart(context, candidates, [_shown_name(context, one, kinds) for one in candidates]),
        }
        for slot, candidates in found.items()
    ]
    inputs = {"question": context.question.text, "mentions": items, "limit": card.entities}
    choices = context.call(
        "decision_maker",
        "entity_selection",
        inputs,
        _Choices,
        _check_choices([len(items) for items in found.values()]),
    )
    chosen: dict[str, list[Candidate]] = {slot: [] for slot in found}
    for choice in choices.choices:
        slot = list(found)[choice.item - 1]
        picked = [found[slot][number - 1] for number in dict.fromkeys(choice.candidates)][: card.entities]
        # The model's order counts, not how well the names fit.
        chosen[slot] = [replace(candidate, score=1.0 - _RANKS * rank) for rank, candidate in enumerate(picked)]
    return chosen


def _shown_name(context: Context, candidate: Candidate, kinds: Mapping[str, str]) -> dict[str, str]:
    label = candidate.label
    if candidate.matched and fold(candidate.matched) != fold(label):
        label = f"{label} ({candidate.matched})"
    if candidate.kind == "literal":
        kind = f"text value of {context.schema.labels([candidate.iri])[candidate.iri]}"
    elif candidate.kind == "class":
        kind = "class"
    else:
        kind = ", ".join(kinds[iri] for iri in candidate.types[:3])
    return {"label": label, "kind": kind, "description": candidate.description}


def _told_apart(context: Context, candidates: Sequence[Candidate], shown: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return what is shown of candidates; where some look the same, with facts that only one of them has."""
    looks = Counter(map(str, shown))
    for at, one in enumerate(shown):
        if looks[str(one)] == 1 or candidates[at].kind != "entity":
            continue
        alike = [other for other, same in zip(candidates, shown, strict=True) if same["label"] == one["label"]]
        known = Counter(fact for other in alike for fact in _facts(context, other))
        own = [fact for fact in _facts(context, candidates[at]) if known[fact] == 1]
        shown[at] = {**one, "description": "; ".join(own[:_FACTS])}
    return shown


def _facts(context: Context, candidate: Candidate) -> list[str]:
    if candidate.kind != "entity":
        return []
    arrows = {"in": "<- ", "out": ""}
    return [f"{arrows[hop.direction]}{hop.label} {hop.sample_label}" for hop in context.schema.card(candidate.iri)]


def _check_choices(sizes: Sequence[int]) -> Any:
    """Return the check that choices name known items and known candidates, each item once."""

    def check(reply: _Choices) -> str | None:
        named = [choice.item for choice in reply.choices]
        if sorted(named) != list(range(1, len(sizes) + 1)):
            return f"'choices' must have each item from 1 to {len(sizes)} once, got items {named}"
        for choice in reply.choices:
            size = sizes[choice.item - 1]
            if wrong := [number for number in choice.candidates if not 1 <= number <= size]:
                return f"item {choice.item} has candidates 1 to {size}, got {wrong[0]}"
        return None

    return check


# Relations ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _RelationCandidate:
    """A relation that a pattern may have, gathered from the schema cards of its ends."""

    relation: str
    forward: bool
    """True if it holds in the direction that the template says."""
    label: str
    sample: str
    count: int
    named: float
    """How well its names fit the words of the template."""
    fit: float
    """The same after deductions for evidence against it in the graph."""
    ends: dict[str, set[str]]
    literal: bool = False
    """True if its values are literals."""
    stands_in: bool = False
    """True if another one of its name comes first."""
    others: tuple[str, ...] = ()
    """IRIs of further relations of the same name, which are queried as alternatives."""


class _Relations:
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
        return min(self._end_distance(end) for end in (pattern.subject, pattern.object))

    def _end_distance(self, end: str) -> int:
        if any(option.candidate.iri for option in self.links.get(end, ())):
            return 0
        return 1 if self.class_of.get(end) else 2 if end in self.reached else 3

    def _candidates_of(self, pattern: Pattern) -> list[_RelationCandidate]:
        assert pattern.relation
        mention = self.template.slots[pattern.relation].text
        sides = [self._side(pattern.subject, True), self._side(pattern.object, False)]
        words, meant = Wording(mention), self.context.meaning(mention)
        merged: dict[tuple[str, bool], _RelationCandidate] = {}
        for side in sides:
            for hop, forward, end, iri in side:
                key = (hop.relation, forward)
                if key not in merged:
                    fit = 1.0 if hop.relation in meant else words.similarity(hop.label, hop.relation)
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
        if self._distance(pattern) > 0 and not any(candidate.named >= CLOSE for candidate in merged.values()):
            # A sample of a class or a variable need not show a relation that few of them have.
            named = self._named(mention)
            merged |= {key: item for key, item in named.items() if not merged or item.named >= CLOSE}
        return sorted(merged.values(), key=lambda item: (-item.fit, -item.count, item.relation))

    def _keep_directions(self, pattern: Pattern, merged: dict[tuple[str, bool], _RelationCandidate]) -> None:
        """Do not turn relations that the template names, where things of the same class have them as it says.

        That this one thing has none is then an answer.
        """
        named = [item for item in merged.values() if item.named >= CLOSE and not item.forward]
        for item in named:
            if (item.relation, True) in merged:
                if pattern.directed:
                    del merged[item.relation, False]
            elif pattern.directed or self._may_hold(pattern, item.relation):
                del merged[item.relation, False]
                merged[item.relation, True] = replace(item, forward=True)

    def _may_hold(self, pattern: Pattern, relation: str) -> bool:
        """Tell whether things of the class of an end have a relation in the direction of a pattern."""
        schema = self.context.schema
        return any(
            hop.relation == relation and (hop.direction == "out") == is_subject
            for end, is_subject in ((pattern.subject, True), (pattern.object, False))
            for option in self.links.get(end, ())
            if option.candidate.kind == "entity"
            for iri in option.candidate.types[:_TYPES]
            for hop in schema.class_card(iri, brief=True)
        )

    def _side(self, end: str, is_subject: bool) -> list[tuple[Hop, bool, str, str]]:
        """Return the hops from one end of a pattern: each with its direction in the pattern, the end, its IRI."""
        schema = self.context.schema
        hops: list[tuple[Hop, bool, str, str]] = []
        for option in self.links.get(end, ()):
            candidate = option.candidate
            if candidate.kind == "literal":
                if candidate.iri and not is_subject:
                    label = schema.labels([candidate.iri])[candidate.iri]
                    value = Literal(candidate.label)
                    hop = Hop(candidate.iri, label, "in", candidate.popularity, value, candidate.label)
                    hops.append((hop, True, end, candidate.iri))
                continue
            hops += [
                (hop, (hop.direction == "out") == is_subject, end, candidate.iri) for hop in schema.card(candidate.iri)
            ]
        if hops or end in self.links:
            return hops
        if end in self.class_of:
            for iri in self.class_of[end]:
                hops += [(hop, (hop.direction == "out") == is_subject, end, iri) for hop in schema.class_card(iri)]
        elif end in self.reached:
            hops = [
                (hop, (hop.direction == "out") == is_subject, end, "") for hop in schema.joint_card(self._sample(end))
            ]
        return hops

    def _sample(self, variable: str) -> list[str]:
        if variable not in self.samples:
            self.samples[variable] = self.context.schema.bindings(variable[1:], self.reached[variable])
        return self.samples[variable]

    def _named(self, mention: str) -> dict[tuple[str, bool], _RelationCandidate]:
        """Return relations by name alone, for a pattern none of whose ends is known."""
        [found] = self.context.search([Lookup(mention, ("relation",), self.card.candidates)])
        return {
            (item.iri, True): _RelationCandidate(
                item.iri, True, item.label, "", item.popularity, item.score, min(1.0, item.score + 0.03), {}
            )
            for item in found
        }

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
            for candidate in (sure or candidates)[: 1 if sure else _UNDECIDED]:
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
        for slot, items in candidates.items():
            sure = [item for item in items if item.named >= CLOSE]
            sure = [item for item in sure if item.fit > sure[0].fit - _RANKS]
            if sure or len(items) <= 1:
                links[slot] = _relation_options(_alternatives(sure or items)[: self.card.relations])
            elif self.card.uri_selection == "match":
                links[slot] = _relation_options(items[: self.card.relations])
            else:
                undecided[slot] = items[: self.card.candidates]
        return links | (self._choose(undecided) if undecided else {})

    def _choose(self, undecided: Mapping[str, list[_RelationCandidate]]) -> Links:
        patterns = {pattern.relation: pattern for pattern in self.template.patterns}
        items = [
            {
                "text": patterns[slot].text,
                "relation": self.template.slots[slot].text,
                "candidates": [
                    {"label": item.label, "forward": item.forward, "sample": item.sample, "count": item.count}
                    for item in candidates
                ],
            }
            for slot, candidates in undecided.items()
        ]
        inputs = {"question": self.context.question.text, "patterns": items, "limit": self.card.relations}
        sizes = [len(candidates) for candidates in undecided.values()]
        choices = self.context.call("decision_maker", "relation_selection", inputs, _Choices, _check_choices(sizes))
        links: Links = dict.fromkeys(undecided, ())
        for choice in choices.choices:
            slot = list(undecided)[choice.item - 1]
            picked = [undecided[slot][number - 1] for number in dict.fromkeys(choice.candidates)]
            for rank, candidate in enumerate(picked):
                candidate.fit = 1.0 - _RANKS * rank
            links[slot] = _relation_options(picked[: self.card.relations])
        return links


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


def _path(candidate: _RelationCandidate) -> Any:
    """Return what takes the place of a relation: its IRI, or a path of alternatives, against the direction or not."""
    iris = (candidate.relation, *candidate.others)
    parts = [to_rdflib(IRI(iri)) if candidate.forward else inverse(iri) for iri in iris]
    return parts[0] if len(parts) == 1 else sparql.Node("PathAlternative", part=parts)


def _relation_options(candidates: Iterable[_RelationCandidate]) -> tuple[Option, ...]:
    return tuple(
        Option(
            Candidate(
                item.relation,
                "relation",
                item.label,
                popularity=item.count,
                score=round(item.fit, 4),
                exact=item.fit >= CLOSE,
            ),
            _path(item),
            item.fit,
            {end: frozenset(iris) for end, iris in item.ends.items()} or None,
            item.stands_in,
        )
        for item in candidates
    )
