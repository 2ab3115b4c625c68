"""Grounding: the vocabulary of the graph for a question, so that the generalist writes templates that fit the graph.

The question's spans are looked up as names. The entities found, their classes and the classes one relation further
become lines of text: named entities, and a schema card for each class, with its relations, where they lead and a sample
value. The lines hold labels only, no IRIs, and stop at a budget of tokens.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from triad.kg.schema import DOCUMENTATION, Hop
from triad.language.mentions import edged, tokens
from triad.language.normalize import fold, other_numbers
from triad.language.pack import Pack, load_pack
from triad.language.similarity import Wording
from triad.phases.context import Context
from triad.questions import Candidate
from triad.rdf import IRI, NUMERIC, RDF_LANG_STRING, XSD, Literal
from triad.search.base import CLOSE, Lookup
from triad.text import shortened

__all__ = ["vocabulary"]

_SPAN: Final = 5  # words of the longest span that is looked up
_NAMED: Final = 12  # named entities shown
_CLASSES: Final = 12  # classes shown
_RELATIONS: Final = 30  # relations of a card shown
_COMPLETE: Final = 0.98  # the share of a class from which on all instances count as having a relation
_ALIKE: Final = 0.715  # how well a word must fit one of the question to count
_LABEL: Final = 60  # characters of a label shown


def vocabulary(context: Context, tokens: int) -> list[str]:
    """Return lines, within a budget of tokens, about the entities and classes that the question may mean.

    Raises:
        SearchError: The label index failed.
        GraphError: The graph failed.
    """
    if not tokens:
        return []
    text = context.question.text
    pack = load_pack(context.question.language)
    spans = _spans(text, pack)
    lookups = [Lookup(span, ("entity",) if _is_bare(span) else (), 4) for span in spans]
    *found, classes, relations = context.search([*lookups, Lookup(text, ("class",), 6), Lookup(text, ("relation",), 8)])
    named = _longest(zip(spans, found, strict=True))
    fit = _Fit(text, pack)
    with context.look_around("schema cards for the question"):
        lines = [line for span, candidates in named for line in _things(context, fit, span, candidates)][:_NAMED]
        seeds = _seed_classes(context, named, classes, relations)
        lines += _cards(context, fit, seeds)
    return list(_within(lines, tokens))


def _spans(text: str, pack: Pack) -> list[str]:
    """Return the runs of words that may be names, the longest first."""
    found = tokens(text, pack)
    edges = [at for at, token in enumerate(found) if token.is_edge]
    runs = sorted(edged(found, edges, _SPAN), key=lambda run: run[0] - run[1])
    texts = dict.fromkeys(text[found[first].start : found[last].end].replace(", ", " ") for first, last in runs)
    return [span for span in texts if len(span) > 1]


def _is_bare(span: str) -> bool:
    """Tell whether a span is a number, which many texts of a graph contain by chance."""
    return not any(char.isalpha() for char in span)


def _longest(found: Iterable[tuple[str, list[Candidate]]]) -> list[tuple[str, list[Candidate]]]:
    """Keep the candidates of each span, unless a longer span fits better; similar names only for unknown words."""
    kept: list[tuple[str, list[Candidate]]] = []
    unknown: list[tuple[str, list[Candidate]]] = []
    for span, candidates in found:
        close = [candidate for candidate in candidates if candidate.score >= CLOSE]
        if any(candidate.kind in ("relation", "class") for candidate in close):
            # A word that names a relation, such as "ID", seldom means a literal with that text.
            close = [candidate for candidate in close if candidate.kind != "literal"]
        covered = any(_within_words(span, longer) for longer, _ in kept)
        if close and not (covered and all(candidate.kind in ("entity", "literal") for candidate in close)):
            kept.append((span, close[:3]))
        elif not close and candidates and " " not in span:
            unknown.append((span, candidates[:2]))
    known = " ".join(span for span, _ in kept)
    return kept + [
        (span, [item for item in candidates if item.score >= 0.8])
        for span, candidates in unknown
        if not _within_words(span, known)
    ]


def _within_words(span: str, longer: str) -> bool:
    return f" {fold(span)} " in f" {fold(longer)} "


def _things(context: Context, fit: _Fit, span: str, candidates: list[Candidate]) -> Iterator[str]:
    schema = context.schema
    schema.prepare(entities=[candidate.iri for candidate in candidates if candidate.kind == "entity"])
    for candidate in candidates:
        label = _clip(candidate.label)
        heard = "" if fold(span) == fold(label) else f" (for {_quote(span)})"
        if candidate.kind == "entity":
            types = sorted(schema.labels(candidate.types).values())[:2]
            # An entity's own card says more than its class's, so long as it is short.
            hops = [hop for hop in schema.card(candidate.iri) if _tells(hop, span)]
            hops = _ranked(fit, hops)[:12]
            facts = f": {_facts(context, hops)}" if hops else ""
            yield f"{_quote(label)}{heard}, a {' and '.join(types) or 'thing'}{facts}"
        elif candidate.kind == "literal":
            yield f"{_quote(label)}{heard}, a text, value of {_clip(schema.labels([candidate.iri])[candidate.iri])}"
        elif candidate.kind == "relation":
            yield f"{label}{heard}, a relation{_signature(context, candidate.iri)}"
        elif heard and candidate.iri in context.meaning(span):
            yield f"{label}{heard}, a class"


def _signature(context: Context, relation: str) -> str:
    subjects, objects = context.schema.relation_ends(relation)
    names = context.schema.labels([*subjects, *objects])
    start = " or ".join(_clip(names[iri]) for iri in subjects[:2])
    end = " or ".join(_clip(names[iri]) for iri in objects[:2])
    return (f" of {start}" if start else "") + (f" -> {end}" if end else "")


def _seed_classes(
    context: Context, named: list[tuple[str, list[Candidate]]], classes: list[Candidate], relations: list[Candidate]
) -> list[str]:
    """Return the IRIs of the classes that the question most likely means."""
    seeds: dict[str, None] = {}
    candidates = [candidate for _, items in named for candidate in items]
    for candidate in candidates:
        if candidate.kind == "class":
            seeds[candidate.iri] = None
    for candidate in candidates:
        if candidate.kind == "entity":
            seeds |= dict.fromkeys(candidate.types[:2])
        elif candidate.kind in ("relation", "literal"):
            seeds |= dict.fromkeys(context.schema.relation_ends(candidate.iri)[0][:2])
    words = {form for word in fold(context.question.text).split() for form in (word, *other_numbers(word))}
    for candidate in [*classes, *relations]:
        if not words.isdisjoint(fold(candidate.matched).split()):
            if candidate.kind == "class":
                seeds[candidate.iri] = None
            else:
                seeds |= dict.fromkeys(context.schema.relation_ends(candidate.iri)[0][:1])
    return list(seeds)


def _cards(context: Context, fit: _Fit, seeds: list[str]) -> Iterator[str]:
    """Yield a line for each class, then for the classes that their relations lead to."""
    schema = context.schema
    shown: dict[str, None] = {}
    frontier = seeds
    while frontier and len(shown) < _CLASSES:
        reached: dict[str, None] = {}
        schema.prepare(classes=frontier[: _CLASSES - len(shown)])
        for iri in frontier:
            if iri in shown or len(shown) >= _CLASSES:
                continue
            hops = [hop for hop in schema.class_card(iri) if _tells(hop)]
            if not hops:
                continue
            shown[iri] = None
            above = schema.superclasses(iri)
            names = schema.labels([iri, *above])
            kind = f", a kind of {' and '.join(_clip(names[name]) for name in above)}" if above else ""
            yield f"{_clip(names[iri])}, a class{kind}: {_facts(context, _ranked(fit, hops)[:_RELATIONS])}"
            for hop in hops:
                reached |= dict.fromkeys(hop.classes[:1])
        frontier = [iri for iri in reached if iri not in shown]


def _tells(hop: Hop, span: str = "") -> bool:
    """Tell whether a relation is worth a line: labels and documentation are not, nor relations that repeat the name."""
    return not hop.relation.startswith(DOCUMENTATION) and not (span and hop.direction == "in" and hop.count > 1_000)


class _Fit(dict[str, float]):
    """For each word of a label, how well it fits the words of the question; computed when the word first occurs."""

    def __init__(self, question: str, pack: Pack) -> None:
        super().__init__()
        words = fold(question).split()
        self._asked = [Wording(word) for word in words if word not in pack.idle or word in pack.number_words]

    def __missing__(self, word: str) -> float:
        likeness = max((wording.fit_folded(word) for wording in self._asked), default=0.0)
        self[word] = likeness if likeness >= _ALIKE else 0.0
        return self[word]


def _ranked(fit: _Fit, hops: list[Hop]) -> list[Hop]:
    """Order relations: those that share words with the question first, then by count."""
    best = {hop.label: max(map(fit.__getitem__, fold(hop.label).split()), default=0.0) for hop in hops}
    return sorted(hops, key=lambda hop: (-best[hop.label], -hop.count))


def _facts(context: Context, hops: list[Hop]) -> str:
    names = context.schema.labels(iri for hop in hops for iri in hop.classes)
    notes = context.schema.descriptions(hop.relation for hop in hops if _is_number(hop))
    facts: dict[str, None] = {}
    for hop in hops:
        label = _clip(hop.label)
        share = f", on {100 * hop.coverage:.0f} %" if hop.coverage < _COMPLETE else ""
        ends = "/".join(dict.fromkeys(_clip(names[iri]) for iri in hop.classes))
        if hop.direction == "in":
            facts[f"<- {label} of {ends or 'things'}"] = None
        elif isinstance(hop.sample, Literal):
            note = f" ({_clip(notes[hop.relation])})" if notes.get(hop.relation) else ""
            facts[f"{label} = {_sample(hop.sample)}{note}{share}"] = None
        elif isinstance(hop.sample, IRI):
            others = " or things of no class" if ends and hop.partly else ""
            facts[f"{label} -> {ends or 'a thing such as ' + _quote(_clip(hop.sample_label))}{others}{share}"] = None
    return "; ".join(facts)


def _is_number(hop: Hop) -> bool:
    return isinstance(hop.sample, Literal) and hop.sample.datatype in NUMERIC


def _sample(literal: Literal) -> str:
    """Return a sample value: a number bare, a text in quotes, anything else with its datatype."""
    text = _clip(literal.value, 30)
    if literal.datatype in NUMERIC:
        return text
    if literal.datatype in (XSD + "string", RDF_LANG_STRING):
        return _quote(text)
    return f"{text} ({literal.datatype.replace('#', '/').rpartition('/')[2]})"


@lru_cache(maxsize=8_192)  # the labels of a graph's relations and classes occur in every question
def _clip(text: str, length: int = _LABEL) -> str:
    """Return a label on one line, cut to length, without the brackets that mark mentions."""
    return shortened(" ".join(re.sub(r"[<>]", " ", text).split()), length)


def _quote(text: str) -> str:
    return '"' + _clip(text).replace('"', "'") + '"'


def _within(lines: Iterable[str], tokens: int) -> Iterator[str]:
    """Yield the lines that fit into a number of tokens, four characters each; cut the one that does not."""
    room = tokens * 4
    for line in lines:
        if room < 40:
            return
        shown = line if len(line) <= room else line[: line.rfind(";", 0, room)]
        room -= len(shown) + math.ceil(4)
        yield shown
