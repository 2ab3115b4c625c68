"""A query template taken apart: which terms are mentions, and which patterns they stand in.

The generalist writes SPARQL with mentions, ``<Stanley_Kubrick>``, in place of IRIs. Here the query is parsed, its
property paths are split into single patterns where they can be, and each mention becomes a slot. An entity has
one slot throughout the query; a relation has one for each pattern it stands in, for the same words can mean
different relations of different entities. Filling the slots gives a query.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Final, Self, TypeVar
from urllib.parse import unquote

from triad import sparql
from triad.errors import QuerySyntaxError
from triad.language.normalize import fold, local_name
from triad.questions import Kind, Mention
from triad.rdf import IRI, NOT_IN_IRI, NUMERIC, RDF_TYPE, RDFS, SKOS, STANDARD, XSD, BlankNode, Literal
from triad.sparql import QueryGraph, patterns
from triad.sparql.patterns import Call, EdgePattern, Part, Path, QueryTerm, TripleTerm, Union, Variable, rewritten
from triad.sparql.query_graph import Order

P = TypeVar("P", bound=Part)

LEFT_OUT: Final = IRI("slot:left-out")
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
_LABELS: Final = tuple(map(IRI, (RDFS + "label", SKOS + "prefLabel", SKOS + "altLabel")))
_TYPE: Final = IRI(RDF_TYPE)
_SUBCLASSES: Final = Path((IRI(RDFS + "subClassOf"),), "*")
_KEPT: Final = (
    (Call, "function"),
    (patterns.Service, "endpoint"),
    (QueryGraph, "sources"),
    (QueryGraph, "named_sources"),
)
"""What has IRIs that stand for nothing in the graph."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A triple pattern of a template. An end is a slot, a variable such as ``?city``, or other SPARQL text."""

    subject: str
    relation: str | None
    """The relation's slot; None for a predicate that is no mention."""
    object: str
    text: str
    """The pattern in the words of the template."""
    edge: EdgePattern = field(compare=False, repr=False)
    """The pattern with its slots; of a relation in a path, the edge with the whole path."""
    required: bool = True
    """False inside OPTIONAL, UNION, MINUS and filters, where a solution need not match it."""
    directed: bool = False
    """True within a path that goes along some relation against its direction, and so says the directions of all."""


class Template:
    """A query template whose mentions are slots."""

    def __init__(self, query: str | QueryGraph) -> None:
        """Take a template apart; a query graph has no mentions, and is a template without slots.

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
        self.tree = query if isinstance(query, QueryGraph) else sparql.parse(_join_words(query))
        if isinstance(query, str):
            taken = {name for term in sparql.terms(self.tree) if (name := _name(term))}
            self._steps = (BlankNode(f"step{at}") for at in count(1) if f"step{at}" not in taken)
            self.tree = self._rebuild(self.tree)
        self.form = self.tree.form
        self.computed = tuple(one.variable.name for one in self.tree.columns if isinstance(one, patterns.Computed))
        """Names of the variables that are projected as the value of an expression."""

    def fill(self, terms: Mapping[str, Any], without: Iterable[str] = ()) -> QueryGraph:
        """Return the query that has for each slot the given term or path in its place.

        A class with its subclasses is a tuple of their IRIs. Some classes may be left out: what states those slots.
        """
        dropped = frozenset(map(IRI, without))

        def stated(part: Any) -> Any:
            return () if isinstance(part, EdgePattern) and part.object in dropped else part

        return filled(rewritten(self.tree, stated), terms)

    def of_known(self, found: Collection[str]) -> Self:
        """Return the template without the groups of unions that have slots for which nothing was found.

        It is the same one where such slots stand elsewhere, too, or in all groups.
        """
        lost = frozenset(IRI(slot) for slot in self.slots if slot not in found)

        def known(part: Any) -> Any:
            groups = part.groups if isinstance(part, Union) else ()
            kept = tuple(group for group in groups if lost.isdisjoint(sparql.terms(group)))
            return Union(kept) if kept else part

        tree = rewritten(self.tree, known) if lost else self.tree
        if not lost or not lost.isdisjoint(sparql.terms(tree)):
            return self
        made, left = copy(self), set(map(str, sparql.terms(tree)))
        made.tree = tree
        made.slots = {slot: mention for slot, mention in self.slots.items() if slot in left}
        made.classes = {slot: relation for slot, relation in self.classes.items() if slot in left}
        gone = self.slots.keys() - made.slots
        made.patterns = [one for one in self.patterns if gone.isdisjoint((one.subject, one.relation, one.object))]
        return made

    @property
    def spare_classes(self) -> tuple[str, ...]:
        """The slots of classes that are stated only of variables that other patterns bind, too."""
        bound = {end for pattern in self.patterns if pattern.relation for end in (pattern.subject, pattern.object)}
        needed = {one.object for one in self.patterns if one.object in self.classes and one.subject not in bound}
        return tuple(slot for slot in self.classes if slot not in needed)

    @property
    def sources(self) -> frozenset[str]:
        """The slots of the named graphs that patterns are matched in."""
        return frozenset(str(one.graph) for one in sparql.nodes(self.tree, patterns.GraphPart) if _is_slot(one.graph))

    def words(self, part: Part | None = None) -> str:
        """Return the template, or a part of it on one line, as text, each mention in angle brackets."""
        mentions: dict[str, Any] = {slot: written(mention.text) for slot, mention in self.slots.items()}
        mentions |= self.literals | dict.fromkeys(self.classes.values(), _TYPE)
        mentions |= {slot: IRI(iri) for slot, iri in self.naming.items()}
        if part is not None:
            return sparql.write_part(filled(patterns.substituted(part, _in_words), mentions))
        return sparql.write(self.fill(mentions))

    # Taking apart

    def _rebuild(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(one for part in value for one in self._rebuilt(part))
        if isinstance(value, IRI):
            return self._entity(value)
        if isinstance(value, Variable) or not isinstance(value, Part | patterns.Expression | patterns.Computed | Order):
            return value
        kind = type(value)
        several = isinstance(value, Union) and len(value.groups) > 1
        optional = several or isinstance(value, patterns.OptionalPart | patterns.NegatedPart | patterns.Filter)
        required, self._required = self._required, self._required and not optional
        parts = ((name, getattr(value, name)) for name in kind.__match_args__)  # type: ignore[union-attr]  # of a dataclass
        made = kind(*(part if (kind, name) in _KEPT else self._rebuild(part) for name, part in parts))
        self._required = required
        return made

    def _rebuilt(self, part: Any) -> Iterator[Any]:
        """Yield what stands in place of a part of a list: for an edge, the single patterns that it stands for."""
        if isinstance(part, EdgePattern):
            yield from (self._pattern(*one) for one in self._split(part.subject, part.relation, part.object))
        else:
            yield self._rebuild(part)

    def _split(self, subject: Any, path: Any, value: Any) -> Iterator[tuple[Any, Any, Any]]:
        """Yield the single patterns that a sequence or an inverse path stands for."""
        if isinstance(path, Path) and path.sign in ("/", "^") and not (_is_type(path) and _is_mention(value)):
            for one in self._parts(subject, path, value):
                yield from self._split(*one)
        else:
            yield subject, path, value

    def _parts(self, subject: Any, path: Path, value: Any) -> Iterable[tuple[Any, Any, Any]]:
        """Return the parts of a path with their ends; a blank node between two, for it must not be in the result."""
        if path.sign == "^":
            return [(value, path.relations[0], subject)]
        if path.sign != "/":
            return [(subject, part, value) for part in path.relations]
        ends = [subject, *(next(self._steps) for _ in path.relations[1:]), value]
        return zip(ends, path.relations, ends[1:], strict=False)

    def _pattern(self, subject: Any, path: Any, value: Any) -> EdgePattern:
        if isinstance(value, TripleTerm):
            said = self._pattern(value.subject, value.relation, value.object)
            return EdgePattern(self._entity(subject), path, TripleTerm(said.subject, said.relation, said.object))  # type: ignore[arg-type]
        subject, text = self._entity(subject), _line(subject, path, value)
        if _is_type(path) and _is_mention(value):
            slot = self._slot("class", _text(value))
            predicate = self.classes.setdefault(slot, f"{_SLOT}type/{next(self._names)}")
            edge = EdgePattern(subject, IRI(predicate), IRI(slot))
            self.patterns.append(Pattern(_key(subject), None, slot, text, edge, self._required))
            return edge
        literal = value if isinstance(value, Literal) and value.datatype == XSD + "string" else None
        if _is_mention(path) or (literal and path in _LABELS):
            slot = self._relation(path)
            if path in _LABELS:
                self.naming[slot] = path.value
            value = self._literal(literal) if literal else self._entity(value)
            return self._add(subject, slot, value, text)
        value = self._entity(value)
        first = len(self.patterns)
        relation = self._path(path, subject, value, text)
        edge = EdgePattern(subject, relation, value)
        directed = any(one.sign == "^" for one in sparql.nodes(relation, Path))
        self.patterns[first:] = [replace(one, edge=edge, directed=directed) for one in self.patterns[first:]]
        return edge

    def _add(self, subject: Any, slot: str, value: Any, text: str) -> EdgePattern:
        edge = EdgePattern(subject, IRI(slot), value)
        self.patterns.append(Pattern(_key(subject), slot, _key(value), text, edge, self._required))
        return edge

    def _path(self, path: Any, subject: Any, value: Any, text: str) -> Any:
        """Give a slot to each relation of a path that goes from a subject to a value."""
        if isinstance(path, Path):
            parts, slots = list[Any](), list[tuple[str, ...]]()
            for start, part, end in self._parts(subject, path, value):
                first = len(self.patterns)
                # A relation that is one of several has a text of its own, which tells it from the others.
                own = _line(self._said(start), part, self._said(end)) if path.sign == "|" else text
                parts.append(self._path(part, start, end, own))
                slots.append(tuple(one.relation for one in self.patterns[first:] if one.relation))
            if path.sign == "|":
                self.alternatives.append(tuple(slots))
            return Path(tuple(parts), path.sign)
        return self._add(subject, self._relation(path), value, text).relation if _is_mention(path) else path

    def _said(self, term: Any) -> Any:
        """Return what a template had where an end of a pattern is a slot now."""
        if str(term) in self.literals:
            return self.literals[str(term)]
        return written(self.slots[str(term)].text) if str(term) in self.slots else term

    def _relation(self, term: IRI) -> str:
        text = _text(term)
        if text[:1].islower() and text.isalnum():
            text = local_name(text)  # written as properties are: birthPlace
        return self._slot("relation", text, str(next(self._names)))

    def _entity(self, term: Any) -> Any:
        return IRI(self._slot("entity", _text(term))) if _is_mention(term) else term

    def _literal(self, literal: Literal) -> IRI:
        for slot, known in self.literals.items():
            if known == literal:
                return IRI(slot)
        slot = self._slot("literal", literal.value)
        if slot in self.literals:  # by a text of another case or language
            slot = self._slot("literal", literal.value, str(next(self._names)))
        self.literals[slot] = literal
        return IRI(slot)

    def _slot(self, kind: Kind, text: str, suffix: str = "") -> str:
        if not text and kind != "literal":
            raise QuerySyntaxError("the query has a mention without words: <>")
        mention = Mention(text, kind)
        slot = f"{_SLOT}{kind}/{fold(mention.text).replace(' ', '_')}{suffix and '/' + suffix}"
        self.slots.setdefault(slot, mention)
        return slot


def inverse(iri: str) -> Path:
    """Return the path that goes along a relation against its direction."""
    return Path((IRI(iri),), "^")


def filled(graph: P, terms: Mapping[str, Any]) -> P:
    """Return a query of a template's parts, or one of them, with the given term, path or classes for each slot."""
    kinds = {IRI(slot): filler for slot, filler in terms.items() if isinstance(filler, tuple)}
    plain = {IRI(slot): filler for slot, filler in terms.items() if not isinstance(filler, tuple)}
    made = patterns.substituted(graph, plain)
    taken = {_name(term) for term in sparql.terms(made)}
    names = (Variable(name) for number in count(1) if (name := f"kind{number}") not in taken)

    def change(part: Any) -> Any:
        match part:
            case EdgePattern(subject, Path((IRI() as relation,), "^"), value):
                return EdgePattern(value, relation, subject)
            case TripleTerm(subject, Path((IRI() as relation,), "^"), value):
                return TripleTerm(value, relation, subject)
            case patterns.Comparison(Call(IRI(kind), (Variable() as variable,)), "=", value) if kind in NUMERIC:
                # By its text: a float of 2.7 is no double of 2.7.
                return patterns.Comparison(Call(IRI(kind), (Call("STR", (variable,)),)), "=", value)
        if isinstance(part, EdgePattern) and part.relation in kinds:
            return patterns.ClassPattern.of(part.subject, kinds[part.relation], lambda: next(names)).plain()
        return _chosen(part)

    return rewritten(made, change)


def _chosen(path: Any) -> Any:
    """Return a choice of paths without those that are left out, each once; anything else as it is."""
    if not isinstance(path, Path) or path.sign != "|":
        return path
    kept = [rewritten(part, _chosen) for part in _choices(path) if LEFT_OUT not in sparql.terms(part)]
    first, *others = dict.fromkeys(kept or [LEFT_OUT])
    return Path((first, *others), "|") if others else first


def _choices(path: IRI | Path) -> Iterator[IRI | Path]:
    """Yield the parts of a choice of paths, and those of a choice among them."""
    if isinstance(path, Path) and path.sign == "|":
        for part in path.relations:
            yield from _choices(part)
    else:
        yield path


def _name(term: Any) -> str:
    return term.name if isinstance(term, Variable) else term.value if isinstance(term, BlankNode) else ""


def _join_words(text: str) -> str:
    """Write mentions with underscores in place of characters that an IRI cannot have, such as spaces."""
    if len(text) > sparql.MAX_LENGTH:
        return text
    return _LOOSE.sub(lambda match: f"<{written(match['mention'])}>" if match["mention"] else match[0], text)


def written(text: str) -> IRI:
    """Return a name as a mention, with underscores in place of characters that an IRI cannot have."""
    return IRI(NOT_IN_IRI.sub("_", text))


def _is_slot(term: Any) -> bool:
    return isinstance(term, IRI) and term.value.startswith(_SLOT)


def _is_mention(term: Any) -> bool:
    return isinstance(term, IRI) and not _is_slot(term) and not term.value.startswith(STANDARD)


def _is_type(path: Any) -> bool:
    """Return whether a path leads to a class, directly or over subclasses."""
    if isinstance(path, Path):
        first, *others = path.relations or (None,)
        return path.sign == "/" and _is_type(first) and all(part == _SUBCLASSES for part in others)
    return path == _TYPE or (_is_mention(path) and fold(_text(path)) in _TYPE_WORDS)


def _text(term: IRI) -> str:
    """Return the words of a mention; for an IRI that the model wrote against its instructions, the local name."""
    if term.value.startswith(("http://", "https://", "urn:")):
        return local_name(term.value)
    text = _PREFIXED.sub("", term.value, count=1) if _PREFIXED.match(term.value) else term.value
    return unquote(text).replace("_", " ").strip()


def _key(term: QueryTerm) -> str:
    return f"?{_name(term)}" if isinstance(term, Variable | BlankNode) else str(term) if _is_slot(term) else term.n3()


def _line(subject: QueryTerm, relation: patterns.Relation, value: QueryTerm) -> str:
    return sparql.write_part(patterns.substituted(EdgePattern(subject, relation, value), _in_words))


def _in_words(term: QueryTerm) -> QueryTerm:
    if isinstance(term, BlankNode):
        return Variable(term.value)
    return written(_text(term)) if isinstance(term, IRI) and _is_mention(term) else term
