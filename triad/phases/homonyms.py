"""Names that tell apart, and that a template can copy: of things of one name, and of named graphs.

Homonyms are called such as "Dune (Film)". What stands in the brackets is a class that only one of them has, else a
fact; for readers, a year comes before facts. Templates that have it are understood: of the things of the name, those
are meant that the brackets fit. Things that have no names are called by what they have: "Biology, 7B, Monday", and
"lesson 17 (Biology, 7B, Monday)" where their IRIs have their kind and a number; a machine SB01 is called so. A named
graph is called by its label, else by the last part of its IRI; `y2022` is called by its year alone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from triad.kg.schema import DOCUMENTATION
from triad.language.normalize import fold, local_name
from triad.phases.context import Context
from triad.questions import Candidate
from triad.rdf import RDF_TYPE, BlankNode, Literal, kind_of, writable

_ALIKE: Final = 24  # things that are looked at for what tells them apart
_PARTS: Final = 5  # values that stand for a thing without a name
_UNWRITABLE: Final = re.compile(r"""[<>()"{}|^`\\\n]""")
_QUALIFIED: Final = re.compile(r"(?P<name>.*\S) \((?P<by>[^()]+)\)")
_CODE: Final = re.compile(r"[A-Z]{1,4} ?\d{1,6}[A-Z]?")  # by which people call a machine, or find an appointment


def distinct_names(context: Context, things: Iterable[Candidate], *, years: bool = False) -> dict[str, str]:
    """Return a name for each thing, by its IRI, that has one name with others and something that tells it apart."""
    groups: dict[str, dict[str, Candidate]] = {}
    for thing in things:
        groups.setdefault(fold(thing.label), {})[thing.iri] = thing
    found: dict[str, str] = {}
    for group in groups.values():
        for marks_of in (_classes, *([_years] if years else []), _facts):
            if len(group) == 1 or group.keys() <= found.keys():
                break
            marks = {iri: marks_of(context, thing) for iri, thing in group.items()}
            shared = Counter(mark for own in marks.values() for mark in {fold(mark) for mark in own})
            for iri, own in marks.items():
                if mark := next((mark for mark in own if shared[fold(mark)] == 1), ""):
                    found.setdefault(iri, f"{group[iri].label} ({mark})")
    return found


def names_apart(context: Context, names: Mapping[str, str]) -> dict[str, str]:
    """Return what those of some things are called, by IRI, that have one name."""
    shared = Counter(map(fold, names.values()))
    alike = [iri for iri, name in names.items() if shared[fold(name)] > 1][:_ALIKE]
    things = (Candidate(iri, "entity", names[iri], types=context.schema.types(iri)) for iri in alike)
    return distinct_names(context, things, years=True)


def told(context: Context, names: Mapping[str, str]) -> dict[str, str]:
    """Return what things without names are called, by IRI: the values that they have, behind "order 17" of an order."""
    kinds = {one.iri for one in (context.profile.classes if context.profile else ()) if one.statement}
    nameless = [iri for iri, name in names.items() if name == local_name(iri)]
    numbered = {iri for iri in nameless if not any(map(str.isalpha, names[iri]))}  # 17, of order/17
    nameless = [iri for iri in nameless if kinds or iri in numbered][:_ALIKE]
    context.schema.prepare(nameless)
    found: dict[str, str] = {}
    for iri in nameless:
        if iri in numbered or kinds.intersection(context.schema.types(iri)):
            hops = (hop for hop in context.schema.card(iri) if hop.direction == "out" and hop.relation != RDF_TYPE)
            named = (hop for hop in hops if not isinstance(hop.sample, BlankNode))
            things_first = sorted(named, key=lambda hop: isinstance(hop.sample, Literal))
            parts = ", ".join(hop.sample_label for hop in things_first[:_PARTS])
            words = set(re.findall(r"[^\W\d_]+", fold(names[iri])))
            classes = [fold(name) for name in context.schema.labels(context.schema.types(iri)).values()]
            of_class = words and any(words <= set(name.split()) for name in classes)
            if (code := _CODE.fullmatch(names[iri])) and not any(one[:1] == fold(code[0])[0] for one in classes):
                continue  # SB01, which is a turbine; T01 may be any
            found[iri] = f"{names[iri]} ({parts})" if of_class or code else parts
    return found


def split(text: str) -> tuple[str, str]:
    """Return a name without its last brackets, and what stands in them; nothing twice if it has none."""
    match = _QUALIFIED.fullmatch(text)
    return (match["name"], match["by"]) if match else ("", "")


def fitting(context: Context, things: Sequence[Candidate], by: str) -> list[Candidate]:
    """Return the things of one name of which it is true what stands in brackets: a class, a fact, or their kind."""
    for marks_of in (_classes, _years, _facts, lambda _, thing: [thing.kind]):
        if found := [thing for thing in things if fold(by) in map(fold, marks_of(context, thing))]:
            return found
    return []


def facts_of(context: Context, thing: Candidate) -> list[str]:
    """Return the relations of a thing, each with a value."""
    if thing.kind != "entity":
        return []
    arrows = {"in": "<- ", "out": ""}
    return [f"{arrows[hop.direction]}{hop.label} {hop.sample_label}" for hop in context.schema.card(thing.iri)]


def _classes(context: Context, thing: Candidate) -> list[str]:
    names = context.schema.labels(thing.types)
    return _short(sorted((names[iri] for iri in thing.types), key=lambda name: (len(name.split()), name)))


def _years(context: Context, thing: Candidate) -> list[str]:
    hops = context.schema.card(thing.iri) if thing.kind == "entity" else ()
    values = [hop.sample for hop in hops if isinstance(hop.sample, Literal) and kind_of(hop.sample) == "date"]
    return sorted(match[1] for value in values if (match := re.match(r"(\d{4})(?!\d)", value.value)))


def _facts(context: Context, thing: Candidate) -> list[str]:
    return _short(fact for fact in facts_of(context, thing) if not fact.startswith("<- "))


def _short(marks: Iterable[str]) -> list[str]:
    """Return what can stand in the brackets of a mention."""
    return [mark for mark in marks if len(mark) <= 40 and not _UNWRITABLE.search(mark)]


_MANY: Final = 12  # named graphs above which they are no parts that people name
_YEAR: Final = re.compile(r"[^\W\d_]+ ?(?P<year>1\d{3}|20\d{2})")


def find_sources(context: Context) -> Mapping[str, str]:
    """Return the IRIs of the named graphs by name; none where there are many, or names do not tell them apart."""
    profile = context.profile
    iris = [iri for iri in (profile.sources if profile else ()) if writable(iri)]
    if not 2 <= len(iris) <= _MANY:
        return {}
    labels = context.schema.labels(iris)
    years = {iri: match["year"] for iri in iris if (match := _YEAR.fullmatch(labels[iri]))}
    if len(set(years.values())) < len(years):
        years = {}
    names = {" ".join(re.sub(r"[<>]", " ", years.get(iri, labels[iri])).split()): iri for iri in iris}
    apart = len({fold(name) for name in names}) == len(iris)
    return names if apart and all(0 < len(name) <= 40 for name in names) else {}


def facts_of_sources(context: Context) -> dict[str, tuple[str, ...]]:
    """Return the names of the relations that stand in each named graph, the most frequent first."""
    profile = context.profile
    assert profile is not None
    found: dict[str, tuple[str, ...]] = {}
    for name, iri in find_sources(context).items():
        held = [one for one in profile.relations if one.graphs.get(iri) and not one.iri.startswith(DOCUMENTATION)]
        held.sort(key=lambda one: (-one.graphs[iri], one.iri))
        labels = context.schema.labels(one.iri for one in held)
        found[name] = tuple(dict.fromkeys(labels[one.iri] for one in held))
    return found
