"""Facts: what a thing or the things of a class have, by the names of relations, for a line of the vocabulary.

Relations that have the same name in one place are one fact: the name is all that a template says, and it stands for all
of them.
"""

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from triad.kg.schema import DOCUMENTATION, Direction, Hop
from triad.language.normalize import fold
from triad.phases.context import Context
from triad.phases.grounding.relevance import ASKED, Relevance
from triad.rdf import DATED, IRI, NUMERIC, RDF_LANG_STRING, XSD, BlankNode, Literal

_NAME: Final = 120  # characters of a name shown: names are copied, so that only texts that are none are cut
_FEW: Final = 3  # values of a relation up to which all are shown
_SAMPLE: Final = 30  # characters of a value shown
_PAGES: Final = re.compile(r"wiki_?page", re.IGNORECASE)  # links between the pages of a wiki are no facts


@dataclass(frozen=True, slots=True)
class Fact:
    """Relations of one name that lead from a place in one direction, the most frequent first."""

    hops: tuple[Hop, ...]
    relevance: float
    """How likely the question asks for it."""

    @property
    def label(self) -> str:
        """Its name."""
        return clipped(self.hops[0].label)

    @property
    def direction(self) -> Direction:
        """Whether it leads from the place or to it."""
        return self.hops[0].direction

    @property
    def is_asked(self) -> bool:
        """True if the question asks for it."""
        return self.relevance >= ASKED

    @property
    def count(self) -> int:
        """How many triples there are."""
        return sum(hop.count for hop in self.hops)

    @property
    def coverage(self) -> float:
        """The share of the things there that have it."""
        return max(hop.coverage for hop in self.hops)

    @property
    def things(self) -> tuple[Hop, ...]:
        """Its relations that lead to things."""
        return tuple(hop for hop in self.hops if not isinstance(hop.sample, Literal))

    @property
    def classes(self) -> tuple[str, ...]:
        """IRIs of the classes at the other end, the most frequent first."""
        return tuple(dict.fromkeys(iri for hop in self.hops for iri in hop.classes))


def find_facts(
    context: Context,
    relevance: Relevance,
    hops: Iterable[Hop],
    classes: Set[str] = frozenset(),
    *,
    with_labels: bool = False,
) -> list[Fact]:
    """Return the facts of a schema card: those that the question asks for, those with its classes, the frequent ones.

    With labels, there is to be a relation that holds the names of things, in any case.
    """
    named: dict[tuple[str, Direction], list[Hop]] = {}
    known = list(hops)
    labels = set(context.schema.label_properties)
    named_otherwise = any(hop.relation in labels and not hop.relation.startswith(DOCUMENTATION) for hop in known)
    for hop in known:
        is_name = with_labels and not named_otherwise and hop.relation in labels
        if is_name or _tells(context, relevance, hop):
            named.setdefault((fold(hop.label), hop.direction), []).append(hop)
    ordered = (tuple(sorted(same, key=lambda hop: -hop.count)) for same in named.values())
    of_value = relevance.of_value
    facts = [Fact(same, max(of_value(hop.label, hop.relation, hop.sample) for hop in same)) for same in ordered]

    def rank(fact: Fact) -> tuple[float, bool, int]:
        named = bool(classes) and not classes.isdisjoint(fact.classes)
        return (-fact.relevance if fact.is_asked else 0.0, not named, -fact.count)

    return sorted(facts, key=rank)


def _tells(context: Context, relevance: Relevance, hop: Hop) -> bool:
    """Return whether a relation is a fact: documentation is none, labels are where names are asked for."""
    if _PAGES.search(hop.relation) or context.glossary.structures(hop.relation):
        return False
    if not hop.relation.startswith(DOCUMENTATION):
        return True
    return hop.relation in context.schema.label_properties and relevance.of(hop.label, hop.relation) >= ASKED


def details(context: Context, facts: Iterable[Fact]) -> list[str]:
    """Return what is to be said of facts: where they lead, a sample, how many have them."""
    shown = list(facts)
    names = context.schema.labels(iri for fact in shown for iri in fact.classes)
    hops = (hop for fact in shown for hop in fact.hops)
    notes = context.schema.descriptions(one.relation for one in hops if getattr(one.sample, "datatype", "") in NUMERIC)
    return list(dict.fromkeys(_detail(context, fact, names, notes) for fact in shown))


def short(context: Context, fact: Fact) -> str:
    """Return the name of a fact, with its direction, an arrow after it where it leads to things, and a few texts."""
    if fact.direction == "in":
        return f"<- {fact.label}"
    if fact.things:
        return f"{fact.label} ->"
    return f"{fact.label} = {texts}" if (texts := _all_texts(context, fact)) else fact.label


def _all_texts(context: Context, fact: Fact) -> str:
    """Return all texts that a fact leads to, if there are two or three short ones: codes, sexes, states."""
    profile = context.profile
    known = [profile.relation_profile(hop.relation) for hop in fact.hops] if profile else []
    if len(known) != 1 or known[0] is None or not known[0].lists_all_values or not 1 < len(known[0].values) <= _FEW:
        return ""
    terms = [one.term for one in known[0].values]
    texts = [_written(one) for one in terms if isinstance(one, Literal) and one.datatype not in (*NUMERIC, *DATED)]
    written = "/".join(texts)
    return written if len(texts) == len(known[0].values) and len(written) <= _SAMPLE else ""


def _detail(context: Context, fact: Fact, names: Mapping[str, str], notes: Mapping[str, str]) -> str:
    by_name = {fold(names[iri]): clipped(names[iri]) for iri in reversed(fact.classes)}  # whatever their letters
    ends = "/".join(list(by_name.values())[::-1][:2])
    if fact.direction == "in":
        return f"<- {fact.label}" + (f" of {ends}" if ends else "")
    share = f", on {max(1, round(100 * fact.coverage))} %" if fact.coverage < 0.98 else ""
    texts = [hop.sample for hop in fact.hops if isinstance(hop.sample, Literal)]
    if fact.things:
        hop = fact.things[0]
        sample = (
            f"a thing such as {quote(hop.sample_label)}" if isinstance(hop.sample, IRI) and hop.sample_label else ""
        )
        part = "a part without a name" if isinstance(hop.sample, BlankNode) else "a thing"
        return f"{fact.label} -> {ends or sample or part}{' or a text' if texts else ''}{share}"
    note = next((f" ({clipped(notes[hop.relation], 60)})" for hop in fact.hops if notes.get(hop.relation)), "")
    return f"{fact.label} = {_all_texts(context, fact) or _written(texts[0])}{note}{share}"


def _written(literal: Literal) -> str:
    """Return a sample value: a number bare, a text in quotes, anything else with its datatype."""
    if literal.datatype in NUMERIC:
        return clipped(literal.value, _SAMPLE)
    if literal.datatype in (XSD + "string", RDF_LANG_STRING):
        return quote(literal.value, _SAMPLE)
    return f"{clipped(literal.value, _SAMPLE)} ({literal.datatype.replace('#', '/').rpartition('/')[2]})"


@lru_cache(maxsize=8_192)  # the labels of a graph's relations and classes occur in every question
def clipped(text: str, length: int = _NAME) -> str:
    """Return a label on one line, without the brackets that mark mentions; of a long one the first words."""
    if len(words := " ".join(re.sub(r"[<>]", " ", text).split())) <= length:
        return words
    return (words[:length].rpartition(" ")[0] or words[: length - 1]) + "…"


def quote(text: str, length: int = _NAME) -> str:
    """Return a text in quotes, on one line."""
    return '"' + clipped(text, length).replace('"', "'") + '"'
