"""A query template taken apart: which terms are mentions, and which patterns they stand in.

The generalist writes SPARQL with mentions, ``<Stanley_Kubrick>``, in place of IRIs. Here the query is parsed, its
property paths are split into single patterns where they can be, and each mention becomes a slot. An entity has
one slot throughout the query; a relation has one for each pattern it stands in, for the same words can mean
different relations of different entities. Filling the slots gives a query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final
from urllib.parse import unquote

from triad import sparql
from triad.errors import QuerySyntaxError
from triad.language.normalize import fold, local_name
from triad.queries.building import of_class_or_below
from triad.queries.patterns import is_followed, to_leaf
from triad.questions import Kind, Mention
from triad.rdf import NOT_IN_IRI, RDFS, SKOS, STANDARD, XSD, Literal
from triad.sparql.term import TYPE, BNode, URIRef, Variable
from triad.sparql.term import Literal as LeafLiteral

__all__ = ["LEFT_OUT", "Kinds", "Pattern", "Template", "inverse", "written"]

LEFT_OUT: Final = URIRef("slot:left-out")
"""What takes the place of a relation whose part of a choice of paths is left out: of `<a>|<b>`, `<b>` remains."""

_SLOT: Final = "slot:"
_TYPE_WORDS: Final = {"a", "is a", "type", "rdf type", "instance of"}
# A mention with characters that an IRI cannot have. What looks like a comparison, "?a <b && ?c> d", is not one.
_LOOSE = re.compile(
    rf"(?:{sparql.OPAQUE.pattern})"
    r"""|<(?P<mention>(?=[\w("'.#@¡¿])"""
    r"(?>(?:[^<>{}\n?$=&|]|(?<=\w)[?$]|\?(?!\w)|\$(?![^\W\d])|&(?!&)|\|(?!\|))+)(?<! ))>",
    re.DOTALL,
)
# A prefix within the brackets of a mention.
_PREFIXED = re.compile(rf"(?:{'|'.join(sparql.PREFIXES)}):(?=[^\s_])")
# Relations that hold names in every graph; a pattern of one and a text says what a thing is called.
_LABELS: Final = (URIRef(RDFS + "label"), URIRef(SKOS + "prefLabel"), URIRef(SKOS + "altLabel"))
# Placeholder IRIs for terms that are not in the graph.
_KEPT = {("Function", "iri"), ("Service", "term")}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple pattern of a template. An end is a slot, a variable such as ``?city``, or other SPARQL text."""

    subject: str
    relation: str | None
    """The relation's slot; None for a predicate that is no mention."""
    object: str
    text: str
    """The pattern in the words of the template."""
    triple: tuple[Any, Any, Any] = field(compare=False, repr=False)
    """Its terms as the tree holds them."""
    required: bool = True
    """False inside OPTIONAL, UNION, MINUS and filters, where a solution need not match it."""
    directed: bool = False
    """True within a path that goes along some relation against its direction, and so says the directions of all."""


class Template:
    """A query template whose mentions are slots."""

    def __init__(self, text: str) -> None:
        """Take a template apart.

        Raises:
            QuerySyntaxError: The text is not a SPARQL query.
        """
        self.slots: dict[str, Mention] = {}
        """The mention of each slot, in the order of the text."""
        self.patterns: list[Pattern] = []
        self.classes: dict[str, str] = {}
        """For each slot of a class the slot of the predicate in front of it."""
        self.literals: dict[str, Literal] = {}
        """For each slot of a literal the literal as it was written."""
        self.naming: dict[str, str] = {}
        """For each slot of a relation that says what a thing is called, its IRI as it was written."""
        self.alternatives: list[tuple[tuple[str, ...], ...]] = []
        """For each choice of paths, `<a>|<b>`, the slots of the relations of each part."""
        self._names = count(1)
        self._required = True
        tree = sparql.parse(_join_words(text))
        taken = {str(term) for term in sparql.terms(tree) if isinstance(term, Variable | BNode)}
        self._steps = (BNode(f"step{at}") for at in count(1) if f"step{at}" not in taken)
        self.tree = self._rebuild(tree)
        self.form = sparql.FORMS[self.tree.name]
        columns = self.tree.projection or []
        self.computed = tuple(str(column.evar) for column in columns if column.evar is not None)
        """Names of the variables that are projected as the value of an expression."""

    def fill(self, terms: Mapping[str, Any], without: Iterable[str] = ()) -> sparql.Node:
        """Return the query that has for each slot the given term or path in its place.

        Args:
            terms: The terms and paths by slot.
            without: Slots of classes that are not stated.
        """
        dropped = frozenset(map(URIRef, without))
        return _filled(_unstated(self.tree, dropped) if dropped else self.tree, terms)

    def probe(self, patterns: Iterable[Pattern], terms: Mapping[str, Any]) -> sparql.Node:
        """Return the query that asks whether some patterns, with their slots filled, have a match together."""
        block = sparql.Node("TriplesBlock", triples=[list(pattern.triple) for pattern in patterns])
        where = sparql.Node("GroupGraphPatternSub", part=[block])
        return _filled(sparql.Node("AskQuery", where=where), terms)

    @property
    def spare_classes(self) -> tuple[str, ...]:
        """The slots of classes that are stated only of variables that other patterns bind, too."""
        bound = {end for pattern in self.patterns if pattern.relation for end in (pattern.subject, pattern.object)}
        needed = {one.object for one in self.patterns if one.object in self.classes and one.subject not in bound}
        return tuple(slot for slot in self.classes if slot not in needed)

    @property
    def sources(self) -> frozenset[str]:
        """The slots of the named graphs that patterns are matched in."""
        terms = (group.term for group in sparql.nodes(self.tree, "GraphGraphPattern"))
        return frozenset(str(term) for term in terms if _is_slot(term))

    def words(self) -> str:
        """Return the template as text, each mention in angle brackets."""
        mentions: dict[str, Any] = {slot: written(mention.text) for slot, mention in self.slots.items()}
        mentions |= {slot: to_leaf(literal) for slot, literal in self.literals.items()}
        mentions |= dict.fromkeys(self.classes.values(), TYPE)
        mentions |= {slot: URIRef(iri) for slot, iri in self.naming.items()}
        return sparql.write(self.fill(mentions))

    # Taking apart

    def _rebuild(self, value: Any) -> Any:
        if isinstance(value, sparql.Node):
            copy = sparql.Node(value.name)
            required, self._required = self._required, self._required and not _is_alternative(value)
            for name, part in value.items():
                if value.name in ("TriplesBlock", "ConstructQuery") and name in ("triples", "template"):
                    copy[name] = [[term for triple in self._triples(flat) for term in triple] for flat in part]
                elif (value.name, name) in _KEPT or name == "datasetClause":
                    copy[name] = part
                else:
                    copy[name] = self._rebuild(part)
            self._required = required
            return copy
        if isinstance(value, list):
            return [self._rebuild(part) for part in value]
        return self._entity(value) if isinstance(value, URIRef) else value

    def _triples(self, flat: list[Any]) -> Iterator[tuple[Any, Any, Any]]:
        for at in range(0, len(flat), 3):
            for subject, path, value in self._split(*flat[at : at + 3]):
                yield self._pattern(subject, path, value)

    def _split(self, subject: Any, path: Any, value: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Yield the single patterns that a sequence or an inverse path stands for."""
        path = sparql.simple(path)
        name = path.name if isinstance(path, sparql.Node) else None
        if name == "PathSequence" and not (_is_type(path) and _is_mention(value)):
            for start, part, end in self._walk(subject, path, value):
                yield from self._split(start, part, end)
        elif name == "PathEltOrInverse":
            yield from self._split(value, path.part, subject)
        else:
            yield subject, path, value

    def _walk(self, subject: Any, path: sparql.Node, value: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Yield the steps of a sequence; what is between them is a blank node, for it must not be in the result."""
        ends = [subject, *(next(self._steps) for _ in path.part[1:]), value]
        return zip(ends, path.part, ends[1:], strict=False)

    def _pattern(self, subject: Any, path: Any, value: Any) -> tuple[Any, Any, Any]:
        subject, text = self._entity(subject), _line(subject, path, value)
        if _is_type(path) and _is_mention(value):
            slot = self._slot("class", _text(value))
            predicate = self.classes.setdefault(slot, f"{_SLOT}type/{next(self._names)}")
            triple = (subject, URIRef(predicate), URIRef(slot))
            self.patterns.append(Pattern(_key(subject), None, slot, text, triple, self._required))
            return triple
        literal = _plain(value)
        if _is_mention(path) or (literal and path in _LABELS):
            slot = self._relation(path)
            if path in _LABELS:
                self.naming[slot] = str(path)
            value = self._literal(literal) if literal else self._entity(value)
            return self._add(subject, slot, value, text)
        value = self._entity(value)
        first = len(self.patterns)
        term = self._path(path, subject, value, text)
        if _says_directions(term):
            self.patterns[first:] = [replace(pattern, directed=True) for pattern in self.patterns[first:]]
        return subject, term, value

    def _add(self, subject: Any, slot: str, value: Any, text: str) -> tuple[Any, Any, Any]:
        triple = (subject, URIRef(slot), value)
        self.patterns.append(Pattern(_key(subject), slot, _key(value), text, triple, self._required))
        return triple

    def _path(self, path: Any, subject: Any, value: Any, text: str) -> Any:
        """Give a slot to each relation of a path that goes from a subject to a value."""
        path = sparql.simple(path)
        if isinstance(path, sparql.Node):
            steps = [(subject, part, value) for part in _parts(path)]
            if path.name == "PathSequence":
                steps = list(self._walk(subject, path, value))
            elif path.name == "PathEltOrInverse":
                steps = [(value, path.part, subject)]
            parts, slots = list[Any](), list[tuple[str, ...]]()
            for start, part, end in steps:
                first = len(self.patterns)
                # A relation that is one of several has a text of its own, which tells it from the others.
                own = _line(self._said(start), part, self._said(end)) if path.name == "PathAlternative" else text
                parts.append(self._path(part, start, end, own))
                slots.append(tuple(one.relation for one in self.patterns[first:] if one.relation))
            if path.name == "PathAlternative":
                self.alternatives.append(tuple(slots))
            return sparql.Node(path.name, **{**path, "part": parts if isinstance(path.part, list) else parts[0]})
        if not _is_mention(path):
            return path
        return self._add(subject, self._relation(path), value, text)[1]

    def _said(self, term: Any) -> Any:
        """Return what a template had where an end of a pattern is a slot now."""
        if str(term) in self.literals:
            return to_leaf(self.literals[str(term)])
        return written(self.slots[str(term)].text) if str(term) in self.slots else term

    def _relation(self, term: URIRef) -> str:
        text = _text(term)
        if text[:1].islower() and text.isalnum():
            text = local_name(text)  # written as properties are: birthPlace
        return self._slot("relation", text, str(next(self._names)))

    def _entity(self, term: Any) -> Any:
        return URIRef(self._slot("entity", _text(term))) if _is_mention(term) else term

    def _literal(self, literal: Literal) -> URIRef:
        for slot, known in self.literals.items():
            if known == literal:
                return URIRef(slot)
        slot = self._slot("literal", literal.value)
        if slot in self.literals:  # by a text of another case or language
            slot = self._slot("literal", literal.value, str(next(self._names)))
        self.literals[slot] = literal
        return URIRef(slot)

    def _slot(self, kind: Kind, text: str, suffix: str = "") -> str:
        if not text and kind != "literal":
            raise QuerySyntaxError("the query has a mention without words: <>")
        mention = Mention(text, kind)
        slot = f"{_SLOT}{kind}/{fold(mention.text).replace(' ', '_')}{suffix and '/' + suffix}"
        self.slots.setdefault(slot, mention)
        return slot


def _says_directions(path: Any) -> bool:
    """Tell whether a path goes along a relation against its direction."""
    if not isinstance(path, sparql.Node):
        return False
    return path.name == "PathEltOrInverse" or any(map(_says_directions, _parts(path)))


def inverse(iri: str) -> sparql.Node:
    """Return the path that goes along a relation against its direction."""
    return sparql.Node("PathEltOrInverse", part=URIRef(iri))


@dataclass(frozen=True, slots=True)
class Kinds:
    """The IRIs of a class and its subclasses, which all fill the slot of the class."""

    iris: tuple[str, ...]


def _is_alternative(value: sparql.Node) -> bool:
    """Tell whether solutions need not match the patterns inside."""
    if value.name == "GroupOrUnionGraphPattern":
        return len(value.graph) > 1
    return value.name in ("OptionalGraphPattern", "MinusGraphPattern", "Filter")


def _unstated(tree: sparql.Node, classes: frozenset[URIRef]) -> sparql.Node:
    """Return a copy of a tree without the statements of some classes."""
    copy = sparql.node(sparql.substitute(tree, {}))
    for block in sparql.nodes(copy, "TriplesBlock"):
        block["triples"] = [
            [term for at in range(0, len(flat), 3) if flat[at + 2] not in classes for term in flat[at : at + 3]]
            for flat in block.triples or []
        ]
    return copy


def _filled(tree: sparql.Node, terms: Mapping[str, Any]) -> sparql.Node:
    kinds = {URIRef(slot): filler.iris for slot, filler in terms.items() if isinstance(filler, Kinds)}
    plain = {slot: filler for slot, filler in terms.items() if not isinstance(filler, Kinds)}
    filled = sparql.node(sparql.substitute(tree, lambda leaf: plain.get(str(leaf), leaf) if _is_slot(leaf) else leaf))
    for choice in sparql.nodes(filled, "PathAlternative"):
        kept = [part for part in _choices(choice) if LEFT_OUT not in sparql.terms(part)]
        ends = Variable("start"), Variable("end")
        choice["part"] = list({sparql.write_pattern(ends[0], part, ends[1]): part for part in kept}.values())
    if not kinds:
        return filled
    taken = {str(leaf) for leaf in sparql.terms(filled) if isinstance(leaf, Variable)}
    names = (Variable(name) for number in count(1) if (name := f"kind{number}") not in taken)
    for group in sparql.nodes(filled, "GroupGraphPatternSub"):
        group["part"] = [extra for part in group.part or [] for extra in _with_kinds(part, kinds, names)]
    return filled


def _choices(path: Any) -> Iterator[Any]:
    """Yield the parts of a choice of paths, and those of a choice among them."""
    path = sparql.simple(path)
    if isinstance(path, sparql.Node) and path.name == "PathAlternative" and not path.mod:
        for part in path.part:
            yield from _choices(part)
    else:
        yield path


def _with_kinds(part: Any, kinds: Mapping[URIRef, tuple[str, ...]], names: Iterator[Variable]) -> Iterator[Any]:
    """Yield a part of a group, in which a class with subclasses has become a variable, after the variable's values."""
    if isinstance(part, sparql.Node) and part.name == "TriplesBlock":
        for flat in part.triples or []:
            for at in range(0, len(flat), 3):
                if isinstance(flat[at + 1], URIRef) and flat[at + 1] in kinds:
                    if is_followed(kinds[flat[at + 1]]):
                        flat[at + 1 : at + 3] = [of_class_or_below(), URIRef(kinds[flat[at + 1]][0])]
                        continue
                    name = next(names)
                    yield sparql.Node("InlineData", var=[name], value=[[URIRef(iri)] for iri in kinds[flat[at + 1]]])
                    flat[at + 1 : at + 3] = [TYPE, name]
    yield part


def _join_words(text: str) -> str:
    """Write mentions with underscores in place of characters that an IRI cannot have, such as spaces."""
    if len(text) > sparql.MAX_LENGTH:
        return text
    return _LOOSE.sub(lambda match: f"<{written(match['mention'])}>" if match["mention"] else match[0], text)


def written(text: str) -> URIRef:
    """Return a name as a mention, with underscores in place of characters that an IRI cannot have."""
    return URIRef(NOT_IN_IRI.sub("_", text))


def _is_slot(term: Any) -> bool:
    return isinstance(term, URIRef) and term.startswith(_SLOT)


def _is_mention(term: Any) -> bool:
    return isinstance(term, URIRef) and not _is_slot(term) and not str(term).startswith(STANDARD)


def _is_type(path: Any) -> bool:
    """Tell whether a path leads to a class, directly or over subclasses."""
    if isinstance(path, sparql.Node) and path.name == "PathSequence":
        first, *others = (sparql.simple(part) for part in path.part)
        return _is_type(first) and all(
            isinstance(part, sparql.Node) and part.part == URIRef(RDFS + "subClassOf") and part.mod == "*"
            for part in others
        )
    return path == TYPE or (_is_mention(path) and fold(_text(path)) in _TYPE_WORDS)


def _text(term: URIRef) -> str:
    """Return the words of a mention; for an IRI that the model wrote against its instructions, the local name."""
    if str(term).startswith(("http://", "https://", "urn:")):
        return local_name(term)
    return unquote(_PREFIXED.sub("", term, count=1) if _PREFIXED.match(term) else term).replace("_", " ").strip()


def _plain(value: Any) -> Literal | None:
    if isinstance(value, LeafLiteral) and value.datatype in (None, URIRef(XSD + "string")):
        return Literal(str(value), XSD + "string", value.language)
    return None


def _key(term: Any) -> str:
    if isinstance(term, Variable | BNode):
        return f"?{term}"
    return str(term) if _is_slot(term) else term.n3()


def _parts(path: sparql.Node) -> Iterable[Any]:
    return path.part if isinstance(path.part, list) else [path.part]


def _line(*pattern: Any) -> str:
    return sparql.write_pattern(*(sparql.substitute(part, _in_words) for part in pattern))


def _in_words(term: Any) -> Any:
    if isinstance(term, BNode):
        return Variable(term)
    return written(_text(term)) if _is_mention(term) else term
