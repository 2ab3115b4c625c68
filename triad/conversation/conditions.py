"""Conditions on the things of an answer, from a few words: "in Germany", "born after 1950", "the novels".

What the words name is looked up, and the graph says how it is connected to the things: by a relation, over one thing
in between, as their class, or as a value that they have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from triad.answers import Answer
from triad.conversation.naming import names_in
from triad.conversation.relation_matching import Said
from triad.errors import QueryTimeout
from triad.kg.schema import DOCUMENTATION, Hop
from triad.language.dialogue import Words
from triad.language.normalize import fold
from triad.phases.context import Context
from triad.questions import Candidate
from triad.rdf import DATED, IRI, NUMERIC, RDF_TYPE, XSD, Literal, ResultSet, count_of, writable
from triad.search.base import CLOSE, Lookup

__all__ = ["Condition", "condition"]

_SAMPLE: Final = 100  # things of the answer by which a relation is found
_RELATION: Final = 0.7  # how well a relation must fit the words


@dataclass(frozen=True, slots=True)
class Condition:
    """Patterns of SPARQL that hold for what is to be kept."""

    patterns: str
    links: Mapping[str, Candidate] = field(default_factory=dict)
    """What the words were taken for."""


def condition(context: Context, words: Words, last: Answer, what: str) -> Condition | None:
    """Return the condition that some words are on the things of an answer; None if nothing in the graph fits.

    Raises:
        GraphError: The graph failed.
        SearchError: The label index failed.
    """
    finder = _Finder(context, words, last, what)
    if finder.column is None:
        return None
    return finder.compared() or finder.connected() or finder.of_class() or finder.valued()


class _Finder:
    def __init__(self, context: Context, words: Words, last: Answer, what: str) -> None:
        self.context = context
        self.words = words
        self.what = " ".join(what.split())
        self.column: str | None = None
        self.iris: list[str] = []
        for name in last.variables:
            iris = [one.value for one in last.result.column(name) if isinstance(one, IRI) and writable(one.value)]
            if iris:
                self.column, self.iris = name, list(dict.fromkeys(iris))[:_SAMPLE]
                break
        self._query = last.query or ""
        self.values = " ".join(f"<{iri}>" for iri in self.iris)

    def free(self, name: str) -> str:
        """Return the name of a variable that the query does not have yet."""
        while f"?{name}" in self._query:
            name += "_"
        return name

    def compared(self) -> Condition | None:
        """Understand "after 1950" and "with more than 1 million inhabitants"."""
        for form, sign, dated in self.words.comparisons:
            if not (match := form.search(self.what)):
                continue
            number = self._number(match["number"]) * (self.words.number(match["unit"] or "") or 1)
            wording = self.what[: match.start()] + " " + self.what[match.end() :]
            hops = [hop for hop in self.context.schema.joint_card(self.iris) if hop.direction == "out"]
            if dated and 1 <= number < 3000 and (hop := self._best(hops, wording, DATED)):
                year = f"<{XSD}integer>(SUBSTR(STR(?{self.free('compared')}), 1, 4))"
                return self._pattern(hop, f"FILTER({year} {sign} {number:g})")
            if hop := self._best(hops, wording, NUMERIC):
                return self._pattern(hop, f"FILTER(?{self.free('compared')} {sign} {number:f})")
        return None

    def _number(self, text: str) -> float:
        plain = text.rstrip(".,")
        groups = plain.replace(".", ",").split(",")
        if len(groups) > 1 and all(len(group) == 3 for group in groups[1:]):
            return float("".join(groups))  # a thousands separator, whichever
        return float(plain.replace(",", ".")) if plain.count(",") + plain.count(".") <= 1 else 0.0

    def _best(self, hops: list[Hop], wording: str, kinds: frozenset[str]) -> Hop | None:
        fits = [hop for hop in hops if isinstance(hop.sample, Literal) and hop.sample.datatype in kinds]
        words = " ".join(word for word in fold(wording).split() if word not in self.words.small)
        if not words:
            return fits[0] if len(fits) == 1 else None
        said = Said(words, self.words.language)
        ranked = sorted(fits, key=lambda hop: -said.fits(hop.label, hop.relation))
        if ranked and said.fits(ranked[0].label, ranked[0].relation) >= _RELATION:
            return ranked[0]
        return ranked[0] if len(ranked) == 1 else None

    def _pattern(self, hop: Hop, test: str) -> Condition:
        link = Candidate(hop.relation, "relation", hop.label)
        return Condition(f"?{self.column} <{hop.relation}> ?{self.free('compared')} {test}", {hop.label: link})

    def connected(self) -> Condition | None:
        """Understand "in Germany", "directed by Kubrick"."""
        names = names_in(self.context, self.what, self.words)
        for name in sorted(names, key=lambda name: name.start - name.end):
            rest = fold(self.what[: name.start] + " " + self.what[name.end :])
            wording = " ".join(word for word in rest.split() if word not in self.words.small)
            if found := self._one_hop(name.thing.iri, wording) or self._two_hops(name.thing.iri):
                return Condition(found, {name.text: name.thing})
        return None

    def _one_hop(self, iri: str, wording: str) -> str | None:
        rows = self.context.graph.lookup(
            f"SELECT ?p ?d (COUNT(DISTINCT ?x) AS ?n) {{ VALUES ?x {{ {self.values} }} "
            f"{{ ?x ?p <{iri}> BIND(1 AS ?d) }} UNION {{ <{iri}> ?p ?x BIND(2 AS ?d) }} }} GROUP BY ?p ?d LIMIT 100"
        )
        found = [(str(row["p"]), str(row["d"]) == "1", count_of(row["n"])) for row in rows if "p" in row]
        found = [one for one in found if writable(one[0]) and not one[0].startswith(DOCUMENTATION)]
        if not found:
            return None
        labels = self.context.schema.labels(iri for iri, _, _ in found)
        said = Said(wording, self.words.language)
        fits = [said.fits(labels[relation], relation) if wording else 0.0 for relation, _, _ in found]
        _, (relation, forward, _) = max(
            zip(fits, found, strict=True), key=lambda pair: (pair[0] >= _RELATION and pair[0], pair[1][2], pair[1][0])
        )
        return f"?{self.column} <{relation}> <{iri}> ." if forward else f"<{iri}> <{relation}> ?{self.column} ."

    def _two_hops(self, iri: str) -> str | None:
        try:
            rows = self._between(iri)
        except QueryTimeout:
            return None  # too much lies in between to look for it
        between = self.free("between")
        for row in rows:
            first, second = str(row.get("p", "")), str(row.get("q", ""))
            if first and second and RDF_TYPE not in (first, second) and writable(first) and writable(second):
                return f"?{self.column} <{first}> ?{between} . ?{between} <{second}> <{iri}> ."
        return None

    def _between(self, iri: str) -> ResultSet:
        return self.context.graph.lookup(
            f"SELECT ?p ?q (COUNT(DISTINCT ?x) AS ?n) {{ VALUES ?x {{ {self.values} }} ?x ?p ?m . ?m ?q <{iri}> }} "
            "GROUP BY ?p ?q ORDER BY DESC(?n) ?p ?q LIMIT 20"
        )

    def of_class(self) -> Condition | None:
        """Understand "the novels"."""
        plain = " ".join(word for word in self.what.split() if not self.words.is_small(word))
        [found] = self.context.search([Lookup(plain, ("class",), 3)])
        for one in found:
            if one.score >= CLOSE:
                kinds = " ".join(f"<{iri}>" for iri in self.context.schema.kinds(one.iri))
                kind = self.free("kind")
                return Condition(f"VALUES ?{kind} {{ {kinds} }} ?{self.column} a ?{kind} .", {plain: one})
        return None

    def valued(self) -> Condition | None:
        """Understand "the horror ones": a text that is a value of the things."""
        plain = " ".join(word for word in self.what.split() if not self.words.is_small(word))
        [found] = self.context.search([Lookup(plain, ("literal",), 3)])
        for one in found:
            forms = self.context.schema.literal_forms(one.iri, one.label) if one.score >= CLOSE else []
            if forms:
                values = " ".join(form.n3() for form in forms)
                valued = self.free("valued")
                return Condition(
                    f"VALUES ?{valued} {{ {values} }} ?{self.column} <{one.iri}> ?{valued} .", {plain: one}
                )
        return None
