"""What users define, in the terms of a graph: names in conditions and formulas are those of its classes and relations.

What does not fit the graph is an error that says where it stands and which names would do. A definition may use others,
but not itself.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from triad import sparql
from triad.caching import cached_property
from triad.errors import ConfigError, QuerySyntaxError
from triad.kg.base import KnowledgeGraph
from triad.kg.profile import GraphProfile
from triad.kg.profiled import ProfiledSchema
from triad.language.definitions import IT, Defined, Definition, is_defined
from triad.language.normalize import fold, local_name
from triad.naming import among
from triad.rdf import DATED, IRI, RDF_TYPE, XSD, Literal, compact, kind_of
from triad.sparql import patterns
from triad.sparql.patterns import Call, Comparison, Computed, EdgePattern, OneOf, Part, Value, Variable, substituted
from triad.sparql.query_graph import QueryGraph
from triad.sparql.reader import parse_once

_FORMULA: Final = re.compile(r"\s[-+*/]\s|\(|>/\^?<")
_WORD: Final = r"(?!(?:and|or|not|true|false|in)\b)[^\W\d][\w:]*"
_SAID: Final = re.compile(
    r"""(?P<text>"[^"]*"|'[^']*')|(?P<way>\^?<[^<>"]*>(?:/\^?<[^<>"]*>)*)|(?P<date>\d{4}-\d\d-\d\d)|\?\w+"""
    rf"""|(?P<sign>and|or|not)\b|(?:true|false|in)\b|(?P<name>{_WORD}(?:(?:\ +|-){_WORD})*)(?P<call>\s*\()?""",
    re.IGNORECASE,
)  # a text, a way of names in brackets, a date, a variable, what joins conditions, a name or a function
_STEP: Final = re.compile(r"(\^?)<([^<>]*)>")
_SIGNS: Final = {"and": "&&", "or": "||", "not": "!"}
_NAME: Final = "urn:name:"
_TEXT: Final = XSD + "string"


def read(text: str) -> Definition | None:
    """Return the definition that a text is by itself, a condition or a formula; None for what names a term."""
    if "?it" in text or text.lstrip().upper().startswith("SELECT"):
        return Definition(where=text)
    return Definition(formula=text) if _FORMULA.search(text) else None


def defined(
    given: Mapping[str, Definition], profile: GraphProfile | None, prefixes: Mapping[str, str], language: str = "en"
) -> dict[str, Defined]:
    """Return definitions in the terms of a graph, by their IRIs.

    Names of all languages are known; those of one language are shown.

    Raises:
        ConfigError: One does not fit the graph, is no SPARQL, or is defined by itself.
    """
    maker = _Maker(given, profile or GraphProfile(), prefixes, language)
    return {one.iri: one for one in map(maker.made, given)}


@dataclass
class _Maker:
    definitions: Mapping[str, Definition]
    profile: GraphProfile
    prefixes: Mapping[str, str]
    language: str

    def __post_init__(self) -> None:
        self._made: dict[str, Defined] = {}
        self._open: list[str] = []
        self._schema = ProfiledSchema(self.profile)

    def made(self, word: str) -> Defined:
        """Return what a word is defined as."""
        if word in self._open:
            circle = " → ".join(map(repr, (*self._open[self._open.index(word) :], word)))
            raise ConfigError(f"'words': {circle}: a definition cannot build on itself")
        if word not in self._made:
            self._open.append(word)
            self._made[word] = self._read(word, self.definitions[word])
            self._open.pop()
        return self._made[word]

    def _read(self, word: str, one: Definition) -> Defined:
        base = of = self._class(word, one.of) if one.of else ""
        if one.starts:
            one = self._year(word, self._cls(of), one)
        if not (one.where or one.formula):
            raise self._fault(word, "a definition has a condition, 'where', or a 'formula'")
        parts: tuple[Part, ...] = ()
        if is_defined(of):
            parts, base = (patterns.ClassPattern(None, (IRI(of),), IT),), self._cls(of)
        if one.where:
            base, further = self._condition(word, base, one.where)
            parts += further
        value: Value | None = None
        if one.formula:
            [expression], edges = self._expression(word, "formula", base, one.formula)
            parts, value = (*parts, *edges), expression
            base = base or self._holder(word, edges)
        if not base:
            raise self._fault(word, "of which class? Say it, as in 'of: City' or '?it a <City>'")
        kinds = self._schema.kinds(base) or (base,)
        said = " ".join((_STEP.sub(r"\1\2", one.formula) or f"{self._name(of or base)} with {one.where}").split())
        unit = f" ({one.unit})" if one.unit else ""
        return Defined(word, (one.description or said) + unit, base, tuple(kinds), parts, value, one.owner, one.unit)

    def _year(self, word: str, base: str, one: Definition) -> Definition:
        """Return the definition of a year that begins on some day: a formula of a date."""
        if not re.fullmatch(r"(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])", one.starts):
            raise self._fault(word, f"'starts': a month and a day are expected, such as 10-01, got {one.starts!r}")
        date, said = one.formula, _STEP.sub(r"\1\2", one.formula)
        if not date:
            own = {use.relation for one in self.profile.classes if base in ("", one.iri) for use in one.outgoing}
            dates = [one.iri for one in self.profile.relations if one.datatypes.keys() & DATED and one.iri in own]
            if len(dates) != 1:
                names = ", ".join(map(self._name, dates)) or "none"
                raise self._fault(word, f"'starts': of which date? Say it, as in 'formula: date'; there are {names}")
            date, said = f"<{dates[0]}>", self._name(dates[0])
        formula = f"xsd:integer(SUBSTR(STR({date}), 1, 4))"
        if one.starts != "01-01":
            formula += f' + IF(SUBSTR(STR({date}), 6, 5) >= "{one.starts}", 1, 0)'
        said = one.description or f"year of {said}, from {one.starts} on, by the number of the year in which it ends"
        return one.model_copy(update={"formula": formula, "description": said})

    # Conditions and formulas

    def _condition(self, word: str, base: str, text: str) -> tuple[str, tuple[Part, ...]]:
        """Return the class and the patterns of a condition."""
        query = text.lstrip().upper().startswith("SELECT")
        if not query and "?it" not in text:
            [test], edges = self._expression(word, "where", base, text)
            return base, (*edges, patterns.Filter(test))
        named = _SAID.sub(lambda said: _STEP.sub(_bracketed, said[0]) if said["way"] else said[0], text)
        tree = self._parsed(word, "where", named if query else f"SELECT ?it {{ {named} }}")
        typed = (one for one in sparql.nodes(tree, EdgePattern) if one.relation == IRI(RDF_TYPE))
        kinds = {one.object: IRI(self._class(word, one.object.value)) for one in typed if isinstance(one.object, IRI)}
        base = base or next((one.value for one in kinds.values()), "")
        column = tree.variables[0] if len(tree.variables) == 1 else IT
        own = {one.relation for one in sparql.nodes(tree, EdgePattern) if one.subject == column}
        others = {term for term in sparql.nodes(tree, IRI) if term.value.startswith(_NAME)} - kinds.keys()
        names = {one: IRI(self._relation(word, "where", base if one in own else "", one.value)) for one in others}
        tree = substituted(tree, {**names, **kinds})
        if tree.ask or column not in tree.variables:
            raise self._fault(word, "its query has one column, the things that are meant")
        tree = substituted(tree, {column: IT})
        return base, tree.where if tree.is_open else (tree.nested(),)

    def _expression(self, word: str, place: str, base: str, text: str) -> tuple[list[Value], tuple[Part, ...]]:
        """Return an expression over names, and the patterns that lead to their values."""
        ways: dict[Variable, tuple[EdgePattern, ...]] = {}

        def named(said: re.Match[str]) -> str:
            if said["date"]:
                return f'"{said["date"]}"^^<{XSD}date>'
            if said["way"]:
                return variable(*((name, bool(back)) for back, name in _STEP.findall(said["way"])))
            if said["sign"]:
                return _SIGNS[said["sign"].lower()]
            return variable((said["name"], False)) if said["name"] and not said["call"] else said[0]

        def variable(*steps: tuple[str, bool]) -> str:
            at, way, names = IT, list[EdgePattern](), list[str]()
            for name, back in steps:
                relation = self._relation(word, place, "" if way or back else base, name)
                names.append(re.sub(r"\W+", "_", fold(local_name(relation))) or "value")
                end = Variable("_".join(names))
                way.append(EdgePattern(end, IRI(relation), at) if back else EdgePattern(at, IRI(relation), end))
                at = end
            ways[at] = tuple(way)
            return f"?{at.name}"

        column = self._parsed(word, place, f"SELECT ({_SAID.sub(named, text)} AS ?made) {{ }}").columns[0]
        assert isinstance(column, Computed)
        sums: list[Part] = []

        def change(part: Any) -> Any:
            match part:
                case patterns.Aggregate():
                    inside = [one for one in dict.fromkeys(sparql.nodes(part, Variable)) if one in ways]
                    total = Variable("_".join([part.function.lower(), *(one.name for one in inside)]))
                    led = tuple(edge for one in inside for edge in ways.pop(one))
                    sums.append(QueryGraph((IT, Computed(part, total)), led, groups=(IT,)))
                    return total
                case Comparison(Variable() as left, sign, Literal() as right) if right.datatype == _TEXT:
                    return Comparison(Call("STR", (left,)), sign, right)
                case OneOf(Variable() as left, options) if {getattr(one, "datatype", "") for one in options} == {_TEXT}:
                    return OneOf(Call("STR", (left,)), options, part.negated)
            return part

        made = patterns.rewritten((column.expression,), change)
        return list(made), (*(edge for way in ways.values() for edge in way), *sums)

    def _parsed(self, word: str, place: str, text: str) -> QueryGraph:
        try:
            used = (f"PREFIX {name}: <{iri}> " for name, iri in self.prefixes.items() if f"{name}:" in text)
            return parse_once("".join(used) + text)
        except QuerySyntaxError as error:
            raise self._fault(word, f"{place!r} cannot be read: {error}") from error

    # Names

    def _class(self, word: str, name: str) -> str:
        """Return the IRI of the class that a name stands for, which may be a defined one."""
        name = _plain(name)
        if (other := self._other(word, name)) is not None:
            if other.value is not None:
                raise self._fault(word, f"'of': {name!r} is a formula, and no class")
            return other.iri
        return self._one(word, "of", name, "class", [one.iri for one in self.profile.classes])

    def _relation(self, word: str, place: str, base: str, name: str) -> str:
        """Return the IRI of the relation that a name stands for, of those that things of a class have."""
        name = _plain(name)
        if (other := self._other(word, name)) is not None and other.value is not None:
            return other.iri
        known = self.profile.class_profile(self._cls(base)) if base else None
        own = {use.relation for use in (*known.outgoing, *known.naming)} if known else set()
        found = [iri for iri in self._labels if iri in own] if known else [one.iri for one in self.profile.relations]
        return self._one(word, place, name, f"relation of {self._name(base)}" if known else "relation", found)

    def _other(self, word: str, name: str) -> Defined | None:
        other = next((one for one in self.definitions if fold(one) == fold(name)), None)
        names_term = other == word and any(fold(name) in map(fold, labels) for labels in self._labels.values())
        return None if other is None or names_term else self.made(other)

    def _one(self, word: str, place: str, name: str, what: str, iris: Sequence[str]) -> str:
        """Return the one IRI of some that has a name."""
        prefix, colon, local = name.partition(":")
        if colon:
            whole = self.prefixes[prefix] + local if prefix in self.prefixes else name
            if whole in iris or not self.profile.classes:
                return whole
        found = [iri for iri in iris if fold(name) in {fold(label) for label in self._labels[iri]}]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(f"<{iri}>" for iri in found)
            raise self._fault(word, f"{place!r}: {name!r} names several: {several}; write one of these")
        if not self.profile.classes:
            raise self._fault(word, f"{place!r}: without a profile of the graph {name!r} has to be an IRI")
        known = dict.fromkeys(self._name(iri) for iri in iris)
        raise self._fault(word, f"{place!r}: {name!r} is no {what}; there are {among(known, name)}")

    def _holder(self, word: str, parts: Iterable[Part]) -> str:
        """Return the smallest class whose things have all relations of a formula."""
        edges = (one for one in sparql.nodes(tuple(parts), EdgePattern) if one.subject == IT)
        needed = {one.relation.value for one in edges if isinstance(one.relation, IRI)}
        plain = {iri for iri in needed if not is_defined(iri)}
        others = {self._cls(iri) for iri in needed - plain}
        uses = ((one, {use.relation for use in one.outgoing}) for one in self.profile.classes)
        able = [one for one, own in uses if plain <= own and others <= {one.iri, *one.superclasses}]
        if not able:
            listed = ", ".join(repr(self._name(iri)) for iri in sorted(needed))
            raise self._fault(word, f"'formula': no class has all of {listed}")
        own = {one.iri for one in able if one.direct}
        return min(able, key=lambda one: (len(own - {*(self._schema.kinds(one.iri) or ())}), one.instances)).iri

    @cached_property
    def _labels(self) -> Mapping[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        known = [(one.iri, one.labels) for one in self.profile.classes]
        known += [(one.iri, one.labels) for one in self.profile.relations]
        for iri, labels in (*known, *((one.iri, ()) for one in self.profile.names)):
            shown = sorted(labels, key=lambda label: label.language != self.language)
            found[iri] += [*(label.value for label in shown), local_name(iri), compact(iri, self.prefixes)]
        return found

    def _name(self, iri: str) -> str:
        if is_defined(iri):
            return local_name(iri)
        return next(iter(self._labels.get(iri, ())), local_name(iri))

    def _cls(self, iri: str) -> str:
        """Return the class of the graph that a class is, or is defined of."""
        known = next((one for one in self._made.values() if one.iri == iri), None)
        return known.cls if known else iri

    @staticmethod
    def _fault(word: str, detail: str) -> ConfigError:
        return ConfigError(f"'words': {word!r}: {detail}")


def _bracketed(step: re.Match[str]) -> str:
    name = step[2] if ":" in step[2] else _NAME + "_".join(step[2].split())
    return f"{step[1]}<{name}>"


def _plain(name: str) -> str:
    return " ".join(name.removeprefix(_NAME).replace("_", " ").split()) if name.startswith(_NAME) else name.strip("<> ")


def has_terms(graph: KnowledgeGraph, one: Defined, others: Collection[str]) -> bool:
    """Tell whether a graph has the names and the texts of a definition; IRIs of others that it builds on are none."""
    said = (one.parts, one.value)
    names = {term.value for term in sparql.nodes(said, IRI) if term.value not in others}
    literals = sparql.nodes(said, Literal)
    texts = [term for term in literals if kind_of(term) == "text" or not term.datatype.startswith(XSD)]
    return all(occurs(graph, name) for name in names) and all(_has_text(graph, text) for text in texts)


def occurs(graph: KnowledgeGraph, iri: str) -> bool:
    """Tell whether a graph has an IRI."""
    query = f"ASK {{ {{ <{iri}> ?p ?o }} UNION {{ ?s <{iri}> ?o }} UNION {{ ?s ?p <{iri}> }} }}"
    return bool(graph.lookup(query).boolean)


def _has_text(graph: KnowledgeGraph, text: Literal) -> bool:
    forms = " ".join(Literal(text.value, language=language).n3() for language in (text.language, None, "en"))
    return bool(graph.lookup(f"ASK {{ VALUES ?o {{ {forms} }} ?s ?p ?o }}").boolean)
