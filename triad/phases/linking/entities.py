"""Linking of entities, classes and literals: candidates come from the label index, and the model may choose."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import BaseModel

from triad.language.normalize import fold, local_name
from triad.language.similarity import Wording
from triad.phases.context import Context
from triad.phases.homonyms import facts_of, find_sources, fitting, split
from triad.queries.template import LEFT_OUT, Template
from triad.questions import Candidate, Kind
from triad.rdf import IRI, RDF_TYPE, Literal
from triad.search.base import CLOSE, Lookup

RANKS: Final = 0.05
"""Deduction for each place further down in a list of choices."""


@dataclass(frozen=True, slots=True)
class LinkOption:
    """A link that may fill a slot."""

    candidate: Candidate
    filler: Any
    """The term, the path or the classes that take the slot's place."""
    score: float
    ends: Mapping[str, frozenset[str]] | None = None
    """For a relation: by slot of an end, the IRIs that have it. None: no particular IRI is known to have it."""
    stands_in: bool = False
    """True if it is only for where others of its name find nothing."""


OMITTED: Final = LinkOption(Candidate("", "relation", ""), LEFT_OUT, 1.0)
"""The option of a relation of a choice of paths which the graph does not have there, where it has another one."""

Links = dict[str, tuple[LinkOption, ...]]
"""For each slot of a template its options, the best first; none means that nothing was found."""


class _Choice(BaseModel):
    item: int
    candidates: list[int]


class _Choices(BaseModel):
    choices: list[_Choice]


def choose(
    context: Context, subtask: str, name: str, items: Mapping[str, Mapping[str, Any]], most: int
) -> dict[str, list[int]]:
    """Have the decision-maker choose among numbered candidates; return for each slot the places of those it picked.

    Of each slot, items have the words and the ``candidates``; at most so many of these may be picked.
    """

    def fault(reply: _Choices) -> str | None:
        named = [choice.item for choice in reply.choices]
        if sorted(named) != list(range(1, len(items) + 1)):
            return f"'choices' must have each item from 1 to {len(items)} once, got items {named}"
        for choice, item in zip(sorted(reply.choices, key=lambda one: one.item), items.values(), strict=True):
            size = len(item["candidates"])
            if wrong := [number for number in choice.candidates if not 1 <= number <= size]:
                return f"item {choice.item} has candidates 1 to {size}, got {wrong[0]}"
        return None

    inputs = {"question": context.question.text, name: list(items.values()), "limit": most}
    reply = context.call("decision_maker", subtask, inputs, _Choices, fault)
    picked = {choice.item: dict.fromkeys(choice.candidates) for choice in reply.choices}
    return {slot: [number - 1 for number in picked[at]][:most] for at, slot in enumerate(items, 1)}


_LOOKED_UP: Final[dict[Kind, tuple[Kind, ...]]] = {
    "entity": ("entity", "literal", "class"),
    "class": ("class",),
    "literal": ("literal", "entity"),
}
"""For each kind of mention, the kinds of entries that it may be linked to."""

_UNSURE: Final = 0.6  # the literal is not known to the graph


def link_names(context: Context, template: Template) -> Links:
    """Return what the slots of entities, classes and literals may be filled with."""
    card = context.roles.decision_maker
    sources = _link_sources(context, template) | _link_defined(context, template)
    slots = [slot for slot, one in template.slots.items() if one.kind != "relation" and slot not in sources]
    if not slots:
        return sources
    asked = map(template.slots.__getitem__, slots)
    lookups = [Lookup(one.text, _LOOKED_UP[one.kind], card.candidates) for one in asked]
    qualified = {slot: parts for slot in slots if (parts := split(template.slots[slot].text))[0]}
    of_name = [
        Lookup(name, _LOOKED_UP[template.slots[slot].kind], 100, exact=True) for slot, (name, _) in qualified.items()
    ]
    results = context.search([*lookups, *of_name])
    found = dict(zip(slots, results, strict=False))
    for (slot, said), homonyms in zip(qualified.items(), results[len(slots) :], strict=True):
        # "Ohio (river)" is not what is called "Ohio River", unless nothing else is meant.
        called_so = any(list(map(fold, split(one.label))) == list(map(fold, said)) for one in found[slot])
        if not called_so and (meant := fitting(context, homonyms, said[1])):
            found[slot] = meant
    chosen: dict[str, list[Candidate]] = {}
    undecided: dict[str, list[Candidate]] = {}
    for slot, candidates in found.items():
        close = [candidate for candidate in candidates if candidate.score >= CLOSE]
        if len(close) > 1 and template.slots[slot].kind == "entity":
            close = _fitting(context, template, slot, close)
        elif len(close) > 1 and template.slots[slot].kind == "class":
            # Of classes of one name the one that is written just so, else the one with most members.
            close = sorted(close, key=lambda one: (one.label != template.slots[slot].text, -one.popularity))[:1]
        kinds = [candidate.kind for candidate in close]
        if template.slots[slot].kind == "literal":
            chosen[slot] = close[: card.entities * 2]
        elif card.uri_selection == "match":
            chosen[slot] = candidates[: card.entities]
        elif len(candidates) <= 1 or (close and kinds.count("entity") <= 1 and kinds.count("class") <= 1):
            # One exact match of a kind, or values of several relations: the patterns around it decide.
            chosen[slot] = close or candidates
        elif card.uri_selection == "results" and 0 < len(close) <= card.entities:
            chosen[slot] = close  # no more than may be kept: what they lead to decides
        else:
            undecided[slot] = close if len(close) > 1 else candidates
    if undecided:
        chosen |= _choose_names(context, template, undecided)
    links = sources
    for slot in slots:
        options = [_name_option(context, *pair) for pair in enumerate(chosen[slot])]
        if slot in template.literals and (named := _labels(context, template, slot, chosen[slot])):
            options = named
        elif slot in template.literals:
            written = template.literals[slot]
            options.append(LinkOption(Candidate("", "literal", written.value), written, _UNSURE))
        links[slot] = tuple(options)
        if slot in template.classes:
            below = [(option.candidate, tuple(context.schema.kinds(option.candidate.iri))) for option in options]
            links[template.classes[slot]] = tuple(
                LinkOption(candidate, iris if len(iris) > 1 else IRI(RDF_TYPE), 1.0, {slot: frozenset([candidate.iri])})
                for candidate, iris in below
            )
    return links


def _link_defined(context: Context, template: Template) -> Links:
    """Return what classes stand for that are defined: their definition, which things of a class of the graph meet."""
    links: Links = {}
    for slot, predicate in template.classes.items():
        if (one := context.definition(template.slots[slot].text)) is not None and one.value is None:
            found = Candidate(one.cls, "class", one.word)
            links[slot] = (LinkOption(found, IRI(one.iri), 1.0),)
            links[predicate] = (LinkOption(found, IRI(RDF_TYPE), 1.0),)
    return links


def _link_sources(context: Context, template: Template) -> Links:
    """Return the named graphs that mentions stand for which are an end of no pattern."""
    sources = find_sources(context)
    known = {fold(form): iri for name, iri in sources.items() for form in (local_name(iri), name)}
    ends = {end for pattern in template.patterns for end in (pattern.subject, pattern.object)}
    links: Links = {}
    for slot, mention in template.slots.items():
        if not known or mention.kind != "entity" or slot in ends:
            continue
        if iri := known.get(fold(mention.text)):
            links[slot] = (LinkOption(Candidate(iri, "entity", mention.text), IRI(iri), 1.0),)
        elif slot in template.sources:
            links[slot] = ()
    return links


def _fitting(context: Context, template: Template, slot: str, candidates: list[Candidate]) -> list[Candidate]:
    """Return the candidates of one name that have the relations of the patterns around; all, if none has.

    Of a choice of paths, a relation of one part is enough.
    """
    choice_of = {one: at for at, parts in enumerate(template.alternatives) for part in parts for one in part}
    wanted: dict[str | int, list[tuple[Wording, str]]] = {}
    for pattern in template.patterns:
        if pattern.relation and slot in (pattern.subject, pattern.object):
            one = (Wording(template.slots[pattern.relation].text), "out" if slot == pattern.subject else "in")
            wanted.setdefault(choice_of.get(pattern.relation, pattern.relation), []).append(one)

    def fits(candidate: Candidate, *, directed: bool) -> bool:
        if candidate.kind == "literal":
            hops = [(context.schema.labels([candidate.iri])[candidate.iri], candidate.iri, "in")]
        else:
            hops = [(hop.label, hop.relation, hop.direction) for hop in context.schema.card(candidate.iri)]
        return all(
            any(
                (to == direction or not directed) and words.similarity(label, iri) >= CLOSE
                for label, iri, to in hops
                for words, direction in choice
            )
            for choice in wanted.values()
        )

    context.schema.prepare(entities=[candidate.iri for candidate in candidates if candidate.kind == "entity"])
    for directed in (True, False):
        if kept := [candidate for candidate in candidates if fits(candidate, directed=directed)]:
            return kept
    return candidates


def _name_option(context: Context, rank: int, candidate: Candidate) -> LinkOption:
    score = min(1.0, candidate.score + 0.05) if candidate.score >= CLOSE else candidate.score
    score *= 1 - RANKS * rank
    if candidate.kind != "literal":
        return LinkOption(candidate, IRI(candidate.iri), score)
    forms = context.schema.literal_forms(candidate.iri, candidate.label)
    return LinkOption(candidate, forms[0] if forms else Literal(candidate.label), score)


def _labels(context: Context, template: Template, slot: str, candidates: Sequence[Candidate]) -> list[LinkOption]:
    """Return the values of a text that stands where the template says what a thing is called, as the graph has them."""
    schema = context.schema
    things = [one for one in candidates if one.kind == "entity" and one.score >= CLOSE]
    relations = [pattern.relation for pattern in template.patterns if pattern.object == slot and pattern.relation]
    naming = dict.fromkeys(schema.label_properties if not template.naming.keys().isdisjoint(relations) else ())
    if relations and not naming:
        wordings = [Wording(template.slots[relation].text) for relation in relations]
        names = schema.labels(schema.label_properties)
        own = (hop for thing in things for hop in schema.card(thing.iri) if hop.direction == "out")
        names |= {hop.relation: hop.label for hop in own if isinstance(hop.sample, Literal)}
        naming |= dict.fromkeys(
            iri for iri, label in names.items() if any(words.similarity(label, iri) >= CLOSE for words in wordings)
        )
    for text in dict.fromkeys([template.literals[slot].value, *(one.label for one in things)]):
        if found := [(iri, form) for iri in naming for form in schema.literal_forms(iri, text)]:
            return [LinkOption(Candidate(iri, "literal", form.value), form, 1.0) for iri, form in found]
    return []


def _choose_names(
    context: Context, template: Template, found: Mapping[str, list[Candidate]]
) -> dict[str, list[Candidate]]:
    kinds = context.schema.labels(iri for items in found.values() for item in items for iri in item.types)
    items = {
        slot: {
            "text": template.slots[slot].text,
            "kind": template.slots[slot].kind,
            "patterns": list(dict.fromkeys(one.text for one in template.patterns if slot in (one.subject, one.object))),
            "candidates": _told_apart(context, candidates, [_shown_name(context, one, kinds) for one in candidates]),
        }
        for slot, candidates in found.items()
    }
    picked = choose(context, "entity_selection", "mentions", items, context.roles.decision_maker.entities)
    # The model's order counts, not how well the names fit.
    ranked = ((slot, enumerate(places)) for slot, places in picked.items())
    return {slot: [replace(found[slot][at], score=1.0 - RANKS * rank) for rank, at in those] for slot, those in ranked}


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
        known = Counter(fact for other in alike for fact in facts_of(context, other))
        own = [fact for fact in facts_of(context, candidates[at]) if known[fact] == 1]
        shown[at] = {**one, "description": "; ".join(own[:3])}
    return shown
