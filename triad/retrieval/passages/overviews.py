"""A class in words: how many things it has, which relations they have, and the values that these take.

All of it comes from the graph's profile, so that a question about a class as a whole finds one passage in place of
a thousand.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from triad.kg.profile import ClassProfile, GraphProfile, RelationProfile, Use
from triad.rdf import Literal
from triad.retrieval.cutting import gathered
from triad.retrieval.passages.wording import FactWording, numbered, plain_text
from triad.retrieval.search.base import Passage, Sentence

_NAMED: Final = 8  # values and classes that are listed
_RELATIONS: Final = 60  # relations of a class that are told of

Values = Mapping[str, tuple[str, ...]]
"""What is told of the values of each relation."""


def overviews(wording: FactWording, profile: GraphProfile) -> Iterator[Passage]:
    """Yield the passages about each class that has instances."""
    values = {relation.iri: tuple(_values(wording, relation)) for relation in profile.relations}
    for known in profile.classes:
        if not known.instances:
            continue
        title = wording.class_name(known.iri)
        things = "1 thing" if known.instances == 1 else f"{known.instances:,} things"
        first = Sentence(f"{title} is a class with {things}.")
        parts = gathered(([one] for one in _sentences(wording, profile, values, known)), [first])
        yield from numbered(f"{known.iri} class", f"{title} (class)", parts)


def _sentences(wording: FactWording, profile: GraphProfile, values: Values, known: ClassProfile) -> Iterator[Sentence]:
    for said, iris in (("Every one is also a", known.superclasses), ("Its kinds are", known.subclasses)):
        if iris:
            yield Sentence(f"{said} {_list(wording.class_name(iri) for iri in iris)}.")
    for use in known.outgoing[:_RELATIONS]:
        yield Sentence(_relation(wording, profile, values, known, use))
    for use in known.incoming[:_RELATIONS]:
        ends = [wording.class_name(profile.classes[at].iri) for at in use.ends]
        whose = f" of {_list(ends)}" if ends else ""
        said = f"are the {wording.relation(use.relation)}{whose}"
        yield Sentence(f"{_share(use, known)} of them {said}, {use.triples:,} times in all.")


def _relation(wording: FactWording, profile: GraphProfile, values: Values, known: ClassProfile, use: Use) -> str:
    said = f"{_share(use, known)} of them have {wording.relation(use.relation)}"
    if use.most > 1:
        said += f", up to {use.most:,} each"
    if ends := [wording.class_name(profile.classes[at].iri) for at in use.ends]:
        said += f", which is {_list(ends)}"
    relation = profile.relation_profile(use.relation)
    details = values.get(use.relation, ())
    if relation is None or not details:
        return f"{said}."
    whole = "" if relation.triples == use.triples else "in the whole graph "
    return f"{said}: {whole}{'; '.join(details)}."


def _values(wording: FactWording, relation: RelationProfile) -> Iterator[str]:
    if bounds := wording.amounts.bounds.get(relation.iri):
        yield bounds
    else:
        unit = wording.amounts.units.get(relation.iri, "")
        for bound in relation.ranges:
            yield f"from {bound.least.value} to {bound.greatest.value} {unit}".rstrip()
    counts: Counter[str] = Counter()
    for one in relation.values:
        text = one.term.value if isinstance(one.term, Literal) else wording.name(one.term.value)
        counts[plain_text(text)] += one.count
    shown = [
        f"{text} ({count:,})"
        for text, count in counts.most_common(_NAMED)
        if len(text) <= 60 and (count > 1 or relation.lists_all_values)  # characters of a value that is listed
    ]
    if shown:
        every = relation.lists_all_values and len(shown) == len(counts)
        yield f"{'' if every else 'most often '}{'; '.join(shown)}"


def _share(use: Use, known: ClassProfile) -> str:
    return "All" if use.things == known.instances else f"{use.things:,}"


def _list(names: Iterable[str]) -> str:
    found = list(names)
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return ", ".join(found[:_NAMED]) + more
