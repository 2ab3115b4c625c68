"""Diagnoses: why a template found nothing, for another try, as probes of the graph tell it.

A probe counts what matches a part of the query alone, or all but that part. What the others leave its variables to
stand for shows what a condition should have said.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triad import sparql
from triad.errors import GraphError
from triad.kg.guard import check
from triad.language.similarity import Wording
from triad.phases.construction import finds
from triad.phases.context import Context
from triad.phases.homonyms import find_sources
from triad.phases.linking import Links
from triad.prompts import quoted, quoted_text
from triad.queries.template import Template, filled
from triad.questions import Query
from triad.rdf import IRI, Literal, Term, compact, count_of
from triad.search.base import Lookup
from triad.sparql import QueryGraph, patterns
from triad.sparql.patterns import Aggregate, Call, Computed, EdgePattern, Filter, GraphPart, Part, Union, Variable
from triad.sparql.query_graph import in_scope
from triad.text import one_line

PROBE_SECONDS: Final = 2.0
"""Seconds that a query may take that only tells of another one: it is not waited for."""
_NEAR: Final = 12  # names that are offered
_COUNTED: Final = 100  # matches up to which they are counted
_TEXT: Final = 40  # characters of a value that is shown


def diagnose(context: Context, template: Template, links: Links, queries: Sequence[Query]) -> str:
    """Return feedback for a retry: mentions not found, parts that leave nothing, relations that exist."""
    diagnosis = _Diagnosis(context, template, links)
    findings = [diagnosis.unlinked(slot) for slot, options in links.items() if not options and slot in template.slots]
    findings += [f"The query failed: {query.error}" for query in queries[:1] if query.error]
    if any(finds(query) for query in queries):
        findings.append("What it found does not answer the question.")
    if not findings and queries:
        findings += diagnosis.unmatched()
    return f"{template.words()}\n" + "\n".join(dict.fromkeys(findings or ["It found nothing."]))


def diagnose_query(context: Context, query: QueryGraph, prefixes: Mapping[str, str]) -> Iterator[str]:
    """Yield why a query with IRIs found nothing, in prefixed names: the parts that leave nothing, and what is there."""
    yield from _Diagnosis(context, Template(query), {}, prefixes).unmatched()


@dataclass(frozen=True, slots=True)
class CountedPart:
    """A part of a query that must be met, and how much matches it: 100 matches are 100 or more."""

    part: str
    alone: int | None
    """How much matches it alone; None where that cannot be told."""
    without: int | None
    """How much matches all the others."""
    values: str
    """Such values as its variables have there."""


def count_parts(context: Context, query: QueryGraph, prefixes: Mapping[str, str]) -> Iterator[CountedPart]:
    """Yield the parts of a query with what matches them."""
    one = _Diagnosis(context, Template(query), {}, prefixes)
    for part in _parts(query.where):
        alone = one.found((part,))[0] if isinstance(part, EdgePattern | Union) else None
        count, values = one.left_by(part)
        such = (f"{name} = {one.shown(name, value)}" for name, value in values.items())
        yield CountedPart(one_line(one.words(part)), alone, count, ", ".join(such))


@dataclass(frozen=True, slots=True)
class _Diagnosis:
    context: Context
    template: Template
    links: Links
    prefixes: Mapping[str, str] | None = None
    """Those of the names that terms are told by; None where these are labels and mentions."""

    def unlinked(self, slot: str) -> str:
        mention = self.template.slots[slot]
        if slot in self.template.sources and (sources := find_sources(self.context)):
            return f"No named graph is called {mention.text!r}. There are: {_named(sources)}"
        if mention.kind != "relation":
            [near] = self.context.search([Lookup(mention.text, limit=_NEAR // 2)])
            kind = "class" if mention.kind == "class" else "thing"
            names = _named(f"{item.label} ({item.kind})" for item in near)
            return f"No {kind} is called {mention.text!r}. Near names: {names}"
        pattern = next(pattern for pattern in self.template.patterns if pattern.relation == slot)
        late = self.context.late
        self._around(pattern.edge)
        among = "" if self.context.late == late else " among those that were read"
        return f"No relation fits in {pattern.text}{among}."

    def unmatched(self) -> Iterator[str]:
        """Yield the parts of the best candidate that have no match alone, or else what there is without each."""
        where = self.template.tree.where
        parts = list(_parts(where))
        alone = [part for part in parts if isinstance(part, EdgePattern | Union) and self.found((part,))[0] == 0]
        for one in alone:
            if isinstance(one, Union):
                yield f"None of these alternatives has a match: {self.words(one)}"
            else:
                yield f"The pattern {self.words(one)} has no match.{self._text(one)}{self._around(one)}"
        if total := None if alone or not parts else self.found(where)[0]:
            yield "Its patterns and filters have matches; what is made of them leaves nothing."
        elif total == 0:
            yield "Its parts have no match together."
            for part in parts:
                count, values = self.left_by(part)
                if count:
                    shown = "".join(f", {self.told(name, value)}" for name, value in values.items())
                    around = self._around(part) if isinstance(part, EdgePattern) else ""
                    yield f"Without {self.words(part)}: {counted(count)}{shown}.{around}"

    def left_by(self, part: Part) -> tuple[int | None, dict[Variable, Term]]:
        """Return how much matches all parts but one, and what its variables stand for then."""
        rest = sparql.rewritten(self.template.tree.where, lambda one: () if one is part else one)
        variables = dict.fromkeys(sparql.nodes(part, Variable))
        count, values = self.found(rest, [one for one in variables if one in in_scope(rest)])
        if count and isinstance(part, Filter):
            texts = [one.value for one in sparql.nodes(part, Literal)]
            values |= {name: same for name in values if texts and (same := self._same(rest, name, texts))}
        return count, values

    def words(self, part: Part) -> str:
        return self.template.words(part) if self.prefixes is None else sparql.write_part(part, self.prefixes)

    def told(self, name: Variable, value: Term) -> str:
        return f"{name} such as {self.shown(name, value)}"

    def shown(self, name: Variable, value: Term) -> str:
        if isinstance(value, IRI) and self.prefixes is not None:
            return compact(value.value, self.prefixes)
        if not isinstance(value, Literal):
            return quoted(self.context.schema.label(value), _TEXT)
        how = f" (a text with a language: compare STR({name}))" if value.language else ""
        return f"{quoted_text(value, _TEXT)}{how}"

    def found(self, where: tuple[Part, ...], shown: Sequence[Variable] = ()) -> tuple[int | None, dict[Variable, Term]]:
        """Return how many matches parts have, None if it is not known, and a value for each of some variables."""
        columns = [Computed(Aggregate("SAMPLE", one), one.any_value) for one in shown]
        columns.append(Computed(Aggregate("COUNT"), self.template.tree.free("matches")))
        terms = {slot: options[0].filler for slot, options in self.links.items() if options}
        tree = filled(QueryGraph(tuple(columns), (QueryGraph(where=where, limit=_COUNTED),)), terms)
        tree = self.context.glossary.unfolded(tree)
        try:
            rows = self.context.execute(check(tree, self.context.policy), ask=False, timeout=PROBE_SECONDS).rows
            if len(rows) != 1:
                raise GraphError("the graph gave no row, or several, for a count")
            [(*values, count)] = rows
            known = {name: value for name, value in zip(shown, values, strict=True) if value is not None}
            return (count_of(count) if count else None), known
        except GraphError:
            return None, {}

    def _same(self, where: tuple[Part, ...], name: Variable, texts: Iterable[str]) -> Term | None:
        """Return what a variable stands for that is one of some texts but for its language, type or letters."""
        lower = tuple(Literal(text.lower()) for text in texts)
        same = Filter(patterns.OneOf(Call("LCASE", (Call("STR", (name,)),)), lower))
        return self.found((*where, same), [name])[1].get(name)

    def _text(self, edge: EdgePattern) -> str:
        """Return what a pattern has in place of its text: the same one with a language or type, or another one."""
        text = self.template.literals.get(str(edge.object), edge.object)
        if not isinstance(text, Literal):
            return ""
        name = self.template.tree.free("text")
        there = (replace(edge, object=name),)
        value = self._same(there, name, [text.value]) or self.found(there, [name])[1].get(name)
        return f" There is {self.told(name, value)}." if value else ""

    def _around(self, edge: EdgePattern) -> str:
        """Return the relations of an end of a pattern, those first whose names are like what the template says."""
        said = (self.template.slots.get(str(one)) for one in (*sparql.terms(edge.relation), edge.object))
        words = Wording(next((mention.text for mention in said if mention), ""))
        for end in (edge.subject, edge.object):
            for iri, name in self._entities(end):
                late = self.context.late
                card = self.context.schema.card(iri)
                hops = sorted(card, key=lambda hop: (-words.similarity(hop.label, hop.relation), -hop.count))
                named = (
                    (hop, hop.label if self.prefixes is None else compact(hop.relation, self.prefixes)) for hop in hops
                )
                labels = dict.fromkeys(("<- " if hop.direction == "in" else "") + name for hop, name in named)
                others = ", and no others" if self.context.late == late else ", and others that were not read"
                left = f" ({_NEAR} of {len(labels)})" if len(labels) > _NEAR else others
                return f" Relations of {name}: {_named(labels)}{left}"
        return ""

    def _entities(self, end: object) -> Iterator[tuple[str, str]]:
        """Yield the entity that an end of a pattern stands for, with its name."""
        if self.prefixes is not None and isinstance(end, IRI):
            yield end.value, compact(end.value, self.prefixes)
        for option in self.links.get(str(end), ())[:1]:
            if option.candidate.kind == "entity":
                yield option.candidate.iri, repr(option.candidate.label)


def _parts(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts that must all be met."""
    for part in parts:
        match part:
            case GraphPart(_, inner) | Union((inner,)) | QueryGraph(_, inner):
                yield from _parts(inner)
            case EdgePattern() | Union() | Filter() | patterns.NegatedPart() | patterns.Values():
                yield part


def counted(count: int | None) -> str:
    """Return how much was counted, in words."""
    return "" if count is None else f"{count}{' or more' if count == _COUNTED else ''}"


def _named(names: Iterable[str]) -> str:
    return ", ".join(itertools.islice(dict.fromkeys(names), _NEAR)) or "none"
