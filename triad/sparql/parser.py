"""The parser of queries: SPARQL's grammar, in ``sparql.lark``, and what each of its rules gives.

All threads share the parser; what one query declares and names is kept for the thread that reads it.
"""

import importlib.resources
import itertools
import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urljoin

import lark
from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken
from lark.grammar import Rule
from lark.lexer import PatternRE, PatternStr, TerminalDef

from triad import resources
from triad.errors import QuerySyntaxError
from triad.rdf import IRI, NUMERIC, RDF, RDF_TYPE, XSD, BlankNode, Literal
from triad.sparql import patterns
from triad.sparql.query_graph import Order, QueryGraph
from triad.sparql.writer import PREFIXES
from triad.text import remembered

_FIRST, _REST, _NIL, _REIFIES = (IRI(RDF + name) for name in ("first", "rest", "nil", "reifies"))
_CONTROL: Final = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_SPELT: Final = {name.upper(): name for name in ("isIRI", "isURI", "isBLANK", "isLITERAL", "isNUMERIC", "sameTerm")}
"""Functions that are not written in capital letters."""
_CASTS: Final = {
    XSD + name: IRI(XSD + "integer")
    for name in (
        "byte", "int", "long", "negativeInteger", "nonNegativeInteger", "nonPositiveInteger", "positiveInteger",
        "short", "unsignedByte", "unsignedInt", "unsignedLong", "unsignedShort",
    )
}  # fmt: skip
"""Casts that Virtuoso knows and SPARQL 1.1 does not, and the standard cast of the same meaning."""
_NO_LETTER: Final = re.compile(
    r"[^\x00-\x7f\u00B7\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u037D\u037F-\u1FFF\u200C\u200D\u203F\u2040\u2070-\u218F"
    r"\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF]"
)
_GIVING_TRIPLES: Final = re.compile(r"(CONSTRUCT|DESCRIBE)\b", re.IGNORECASE)
S = TypeVar("S", bound=str)
_READING: Final = threading.local()  # the names of the query that a thread reads
_MOST_ROWS: Final = 10**18
"""What a larger LIMIT or OFFSET is taken for: more rows than there are, and still a number for every engine."""


def read(text: str, prefixes: Mapping[str, str] | None = None) -> QueryGraph:
    """Return a query.

    The text has no comments, and no escapes of code points.

    Raises:
        QuerySyntaxError: It is not SPARQL.
    """
    _READING.names = _QueryNames(text, prefixes or {})
    try:
        graph: Any = _parser().parse(text)
    except UnexpectedInput as error:
        raise QuerySyntaxError(_explained(error, text)) from None
    except ValueError as error:  # of an address that cannot be resolved
        raise QuerySyntaxError(f"the query cannot be read: {error}") from error
    return graph  # type: ignore[no-any-return]  # which the rule `query` gives


read_again: Final = remembered(128, 2_000)(read)  # what checks, scores and shows an answer reads its query


def _explained(error: UnexpectedInput, text: str) -> str:
    at = error.pos_in_stream
    if at is None or at >= len(text) or (isinstance(error, UnexpectedToken) and error.token.type == "$END"):
        return "not a SPARQL query: the text ends too early or is empty"
    if other := _GIVING_TRIPLES.match(text, at):
        return f"{other[0].upper()} queries are not read, for they give triples: it must be a SELECT or an ASK query"
    start = text.rfind("\n", 0, at) + 1
    before, after = text[start:at][-30:], text[at:].partition("\n")[0][:40]
    return f"not a SPARQL query: line {error.line}, column {error.column}, at {before!r} >>> {after!r}"


def _number(text: str) -> Literal:
    """Return a number without needless zeros and without a plus."""
    sign, digits = ("-" if text[0] == "-" else ""), text.lstrip("+-")
    if "e" in digits.lower():
        return Literal(sign + digits, XSD + "double")
    whole, point, rest = digits.partition(".")
    return Literal(sign + (whole.lstrip("0") or "0") + point + rest, XSD + ("decimal" if point else "integer"))


class _Node(NamedTuple):
    """A node of the graph that stands for itself and for edges: a list, or a blank node with its properties."""

    term: Any
    edges: tuple[patterns.EdgePattern, ...]


def _apart(node: Any) -> _Node:
    return node if isinstance(node, _Node) else _Node(node, ())


def _edges(subject: Any, properties: Iterable[tuple[Any, list[Any]]]) -> Iterator[patterns.EdgePattern]:
    for relation, values in properties:
        for given in values:
            given, *notes = given if isinstance(given, list) else [given]
            value, others = _apart(given)
            yield patterns.EdgePattern(subject, relation, value)
            yield from others
            if notes and isinstance(relation, patterns.Path):
                raise QuerySyntaxError("what is found by a property path cannot be annotated: it is no triple")
            for node, said in notes:
                yield _reifying(node, subject, relation, value)
                yield from said


def _reifying(node: Any, *triple: Any) -> patterns.EdgePattern:
    term: Any = patterns.TripleTerm(*triple)
    return patterns.EdgePattern(node, _REIFIES, term)


def _split(parts: list[Any]) -> tuple[list[str], list[Any]]:
    words = [one.upper() for one in parts if isinstance(one, Token)]
    return words, [one for one in parts if not isinstance(one, Token)]


def _rows(digits: str) -> int:
    significant = digits.lstrip("0") or "0"
    return int(significant) if len(significant) < len(str(_MOST_ROWS)) else _MOST_ROWS


def _made(make: Callable[..., Any]) -> Any:
    """Return a rule that makes something of its parts, one by one."""
    return lambda self, parts: make(*parts)


def _clause(field: str, make: Callable[..., Any] = lambda *parts: parts) -> Any:
    """Return a rule that says a field of a query."""
    return _made(lambda *parts: {field: make(*parts)})


def _path(sign: Any) -> Any:
    return _made(lambda *relations: patterns.Path(relations, sign))


class _Rules(Transformer[Any, Any]):
    """What each rule of the grammar gives, made of what its parts gave; keywords and signs are parts, too."""

    where = _clause("where", lambda group: group)
    group_by = _clause("groups")
    having = _clause("having")
    order_by = _clause("order")
    limit = _clause("limit", _rows)
    offset = _clause("offset", _rows)
    values_clause = _clause("values", lambda values: values)
    optional = _made(patterns.OptionalPart)
    minus = _made(lambda group: patterns.NegatedPart(group, minus=True))
    graph = _made(patterns.GraphPart)
    bind = _made(patterns.Bind)
    alternatives = _path("|")
    sequence = _path("/")
    inverse = _path("^")
    negated = _path("!")
    repeated = _made(lambda relation, sign: patterns.Path((relation,), str(sign)))  # type: ignore[arg-type]  # one of the signs
    grouping = _made(lambda value, *name: patterns.Computed(value, *name) if name else value)
    exists = _made(lambda *parts: patterns.Exists(parts[-1], negated=len(parts) > 1))
    reifier = _made(lambda *node: _Node(node[0] if node else _READING.names.blank(), ()))
    var = _made(lambda name: patterns.Variable(_checked(name)[1:]))
    type = _made(lambda: IRI(RDF_TYPE))
    expression = _made(lambda *parts: patterns.Logic(parts, "||"))
    all = _made(lambda *parts: patterns.Logic(parts, "&&"))
    comparison = _made(lambda left, sign, right: patterns.Comparison(left, str(sign), right))
    property = _made(lambda relation, *values: (relation, values))
    number = _made(lambda *parts: _number("".join(parts)))
    boolean = _made(lambda word: Literal(word.lower(), XSD + "boolean"))
    nil = _made(lambda: _NIL)
    annotation = _made(lambda properties: properties)
    triple_term: Any = _made(patterns.TripleTerm)
    named = variables = row = properties = _made(lambda *parts: [*parts])

    # Queries: each clause gives the fields that it says

    def query(self, parts: list[Any]) -> QueryGraph:
        graph: QueryGraph = parts[1]
        return replace(graph, **parts[2]) if len(parts) > 2 else graph

    def base(self, parts: list[Any]) -> None:
        _READING.names.base = _READING.names.absolute(parts[0][1:-1])

    def prefix(self, parts: list[Any]) -> None:
        prefix, _, local = parts[0].partition(":")
        if local:
            raise QuerySyntaxError(f"a prefix ends with its colon: {str(parts[0])!r}")
        _READING.names.declare(prefix, parts[1][1:-1])

    def select_query(self, parts: list[Any]) -> QueryGraph:
        return QueryGraph(**{name: value for clause in parts for name, value in clause.items()})

    def ask_query(self, parts: list[Any]) -> QueryGraph:
        return self.select_query([*parts, {"ask": True}])

    def select(self, parts: list[Any]) -> dict[str, Any]:
        words, columns = _split(parts)
        return {"columns": tuple(columns), **{word.lower(): True for word in words}}

    def column(self, parts: list[Any]) -> patterns.Computed:
        expression, *name = parts
        if not name and not isinstance(expression, patterns.Aggregate):
            raise QuerySyntaxError("the query has a column without a name: write (... AS ?name)")
        return patterns.Computed(expression, name[0] if name else _READING.names.of_column(expression.function))

    def dataset(self, parts: list[Any]) -> dict[str, Any]:
        named = tuple(one[1] for one in parts if isinstance(one, list))
        return {"sources": tuple(one for one in parts if not isinstance(one, list)), "named_sources": named}

    def order(self, parts: list[Any]) -> Order:
        return Order(parts[-1], parts[0] is not parts[-1] and parts[0].upper() == "DESC")

    # Patterns

    def group(self, parts: list[Any]) -> tuple[patterns.Part, ...]:
        return tuple(itertools.chain(*(part if isinstance(part, tuple) else (part,) for part in parts)))

    def union(self, parts: list[Any]) -> patterns.Part:
        match parts:
            case [(QueryGraph() as query,)]:
                return query
        return patterns.Union(tuple(parts))

    def service(self, parts: list[Any]) -> patterns.Part:
        words, others = _split(parts)
        return patterns.Service(others[0], others[1], silent=bool(words))

    def filter(self, parts: list[Any]) -> patterns.Part:
        match parts:
            case [patterns.Exists(group, True)]:
                return patterns.NegatedPart(group)
        return patterns.Filter(parts[0])

    def values(self, parts: list[Any]) -> patterns.Values:
        first, *rows = parts
        if isinstance(first, patterns.Variable):
            first, rows = (first,), [(row,) for row in rows]
        if any(len(row) != len(first) for row in rows):
            raise QuerySyntaxError("a row of VALUES has not as many values as there are variables")
        values = (tuple(None if isinstance(one, Token) else one for one in row) for row in rows)
        return patterns.Values(tuple(first), tuple(values))

    def triples(self, parts: list[Any]) -> tuple[patterns.EdgePattern, ...]:
        subject, edges = _apart(parts[0])
        return (*edges, *_edges(subject, parts[1] if len(parts) > 1 else ()))

    def collection(self, parts: list[Any]) -> _Node:
        nodes = [_READING.names.blank() for _ in parts]
        items = [*map(_apart, parts)]
        links: list[patterns.EdgePattern] = []
        for node, item, following in zip(nodes, items, [*nodes[1:], _NIL], strict=True):
            links += [patterns.EdgePattern(node, _FIRST, item.term), patterns.EdgePattern(node, _REST, following)]
        return _Node(nodes[0], (*links, *itertools.chain(*(item.edges for item in items))))

    def blank_properties(self, parts: list[Any]) -> _Node:
        node = _READING.names.blank()
        return _Node(node, tuple(_edges(node, parts[0])))

    def annotated(self, parts: list[Any]) -> list[Any]:
        found: list[_Node] = []
        for one in parts[1:]:
            if isinstance(one, _Node):
                found.append(one)
            else:  # said of the reifier right before it, or of one without a name
                node = found.pop().term if found and not found[-1].edges else _READING.names.blank()
                found.append(_Node(node, tuple(_edges(node, one))))
        return [parts[0], *found]

    def reified(self, parts: list[Any]) -> _Node:
        (subject, before), (value, after) = _apart(parts[0]), _apart(parts[2])
        node = parts[3].term if len(parts) > 3 else _READING.names.blank()
        return _Node(node, (*before, *after, _reifying(node, subject, parts[1], value)))

    # Expressions

    def one_of(self, parts: list[Any]) -> patterns.OneOf:
        words, (value, *options) = _split(parts)
        return patterns.OneOf(value, tuple(options), negated="NOT" in words)

    def sum(self, parts: list[Any]) -> patterns.Arithmetic:
        found = parts[0]
        for sign, value in zip(parts[1::2], parts[2::2], strict=True):
            found = patterns.Arithmetic(found, str(sign), value)
        return found  # type: ignore[no-any-return]  # there is a sign, for else the rule gives its part

    product = sum

    def unary(self, parts: list[Any]) -> patterns.Not | patterns.Signed | Literal:
        sign, value = parts
        if sign == "!":
            return patterns.Not(value)
        if isinstance(value, Literal) and value.datatype in NUMERIC and value.value[0] not in "+-":
            return replace(value, value=("-" if sign == "-" else "") + value.value)
        return patterns.Signed(str(sign), value)

    def function(self, parts: list[Any]) -> patterns.Call:
        words, (iri, *arguments) = _split(parts)
        return patterns.Call(_CASTS.get(iri.value, iri), tuple(arguments), distinct=bool(words))

    def call(self, parts: list[Any]) -> patterns.Call:
        name = parts[0].upper()
        return patterns.Call(_SPELT.get(name, name), tuple(parts[1:]))

    def aggregate(self, parts: list[Any]) -> patterns.Aggregate:
        (function, *words), others = _split(parts)
        of, separator = (*others, None, None)[:2]
        return patterns.Aggregate(function, of, "DISTINCT" in words, separator)

    # Terms

    def iri(self, parts: list[Any]) -> IRI:
        text = parts[0]
        return IRI(_READING.names.absolute(text[1:-1]) if text[0] == "<" else _READING.names.prefixed(_checked(text)))

    def literal(self, parts: list[Any]) -> Literal:
        match parts:
            case [text, IRI(datatype)]:
                return Literal(text, datatype)
            case [text, language]:
                return Literal(text, language=language[1:])
        return Literal(parts[0])

    def string(self, parts: list[Any]) -> str:
        token = parts[0]
        text = token[3:-3] if token.type == "LONG_STRING" else token[1:-1]
        return re.sub(r"\\(.)", lambda found: _CONTROL.get(found[1], found[1]), text)

    def blank(self, parts: list[Any]) -> BlankNode:
        return BlankNode(_checked(parts[0])[2:]) if parts[0][0] == "_" else _READING.names.blank()


def _checked(name: S) -> S:
    """Return a name, which has no characters beyond ASCII but letters and what may stand among them."""
    if not name.isascii() and (found := _NO_LETTER.search(name)):
        raise QuerySyntaxError(f"not a SPARQL query: {found[0]!r} is no letter, and may not stand in {name!r}")
    return name


def _grammar() -> str:
    return importlib.resources.files("triad.sparql").joinpath("sparql.lark").read_text(encoding="utf-8")


@cache
def _parser() -> Lark:
    def tables() -> bytes:
        made = Lark(_grammar(), parser="lalr", start="query", maybe_placeholders=False, edit_terminals=_end_at_words)
        data, memo = made.memo_serialize([TerminalDef, Rule])
        return json.dumps([{**data, "options": {**data["options"], "edit_terminals": None}}, memo]).encode()

    # They take a fifth of a second to make. Lark would keep them as a pickle, which runs what somebody has put there.
    kept = resources.kept("parser", (lark.__version__, _grammar()), tables)
    data, memo = json.loads(kept[:], object_hook=lambda row: {int(k) if k.isdigit() else k: row[k] for k in row})
    data["options"]["transformer"] = _Rules()
    return Lark.load({"data": data, "memo": memo})


def _end_at_words(terminal: TerminalDef) -> None:
    """Let a keyword end where the word ends, and be written in any case; only ``a`` is written in no other."""
    pattern = terminal.pattern
    if isinstance(pattern, PatternStr) and pattern.value[0].isalpha():
        terminal.pattern = PatternRE(rf"{pattern.value}(?!\w)", () if pattern.value == "a" else ("i",))


class _QueryNames:
    """The prefixes and the base of a query, and new names for what has none in its text."""

    def __init__(self, text: str, prefixes: Mapping[str, str]) -> None:
        self.prefixes = {**PREFIXES, **prefixes}
        self.base = ""
        self._text = text
        self._functions: dict[str, Iterator[str]] = {}
        self._blank: Iterator[str] | None = None

    def declare(self, prefix: str, iri: str) -> None:
        """Note a prefix."""
        self.prefixes[prefix] = self.absolute(iri)

    def absolute(self, iri: str) -> str:
        """Return an IRI as it is, which may be relative to the base."""
        return urljoin(self.base, iri) if self.base else iri

    def prefixed(self, name: Token) -> str:
        """Return the IRI of a name with a prefix; a `QuerySyntaxError` if that is not declared."""
        prefix, _, local = name.partition(":")
        if prefix not in self.prefixes:
            known = ", ".join(sorted(name for name in self.prefixes if name))
            place = f"line {name.line}, column {name.column}"
            raise QuerySyntaxError(f"the prefix {prefix + ':'!r} is not declared: {place}; known without: {known}")
        return self.prefixes[prefix] + (re.sub(r"\\(.)", r"\1", local) if "\\" in local else local)

    def blank(self) -> BlankNode:
        """Return a blank node with a name that the query does not have, and the same each time that it is read."""
        if self._blank is None:
            self._blank = self._free(f"b{number}" for number in itertools.count(1))
        return BlankNode(next(self._blank))

    def of_column(self, function: str) -> patterns.Variable:
        """Return a name for a column that is an aggregate and has none."""
        word = function.lower()
        if word not in self._functions:
            numbered = (f"{word}_{number}" for number in itertools.count(2))
            # The number is counted with those that are taken: count, count_, count_3.
            self._functions[word] = self._free(itertools.chain([word, f"{word}_"], numbered))
        return patterns.Variable(next(self._functions[word]))

    def _free(self, names: Iterator[str]) -> Iterator[str]:
        taken = set(re.findall(r"(?:[?$]|_:)(\w+)", self._text))
        return (name for name in names if name not in taken)
