"""The grammar that queries are parsed by: a copy of rdflib's, mended and made faster.

rdflib's grammar is good but for a few faults, and slow. Each change below says why it is made; all else is rdflib's.
The changes reach into objects that rdflib and pyparsing keep to themselves, so ``pyproject.toml`` bounds the versions
of both, and ``tests/sparql/test_grammar.py`` tells which change a new version breaks, or makes needless.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urljoin

from pyparsing import (
    And,
    CaselessKeyword,
    Forward,
    Keyword,
    Literal,
    MatchFirst,
    OneOrMore,
    Optional,
    ParseBaseException,
    ParseException,
    ParserElement,
    ParseResults,
    Regex,
    Suppress,
    TokenConverter,
    ZeroOrMore,
)
from rdflib.plugins.sparql import parser as rdflib_grammar
from rdflib.plugins.sparql.parserutils import Comp, CompValue, Param, ParamList, ParamValue
from rdflib.term import BNode as RDFBNode
from rdflib.term import Literal as RDFLiteral
from rdflib.term import URIRef as RDFURIRef
from rdflib.term import Variable as RDFVariable

from triad.errors import QuerySyntaxError
from triad.rdf import IN_IRI
from triad.sparql.term import BNode, URIRef, Variable
from triad.sparql.term import Literal as Leaf
from triad.sparql.tree import PREFIXES, Node, node

__all__ = ["QUERY", "read"]


class _Copy:
    """A copy of rdflib's grammar of queries; ``self["Path"]`` is the copy of what rdflib calls ``Path``."""

    def __init__(self) -> None:
        # pyparsing tells by its identity that an optional part is not there.
        nothing = Optional("").defaultValue
        self._copies: dict[int, Any] = {id(nothing): nothing}
        self.query: Any = self["Query"]

    def __getitem__(self, name: str) -> Any:
        return self._copied(getattr(rdflib_grammar, name))

    def _copied(self, value: Any) -> Any:
        """Return a copy of a part with all parts below it; what is no part is shared, but for lists and sets.

        `copy.deepcopy` would take twenty times as long, which is a third of what a command needs to start.
        """
        if isinstance(value, list):
            return [*map(self._copied, value)]
        if isinstance(value, set):
            return set(value)
        if not isinstance(value, ParserElement):
            return value
        if id(value) not in self._copies:
            made = self._copies[id(value)] = object.__new__(type(value))
            made.__dict__.update({name: self._copied(one) for name, one in vars(value).items()})
        return self._copies[id(value)]

    def node(self, name: str) -> Any:
        """Return the part that makes the nodes of a name."""
        return next(part for part in self.parts() if isinstance(part, Comp) and part.name == name)

    def parts(self) -> Iterator[Any]:
        yield from self.query.visit_all()


def _mend(grammar: _Copy) -> None:
    """Take out the faults of rdflib's grammar."""
    # For a node of its own name rdflib seeks the text of each SERVICE in the whole query: in quadratic time, and
    # without end where one is in another.
    grammar.node("ServiceGraphPattern").set_name("Service")
    # rdflib calls itself for each further triple, which ends at some eighty.
    triples = ParamList("triples", grammar["TriplesSameSubjectPath"])
    block = grammar["TriplesBlock"]
    block <<= triples + ZeroOrMore(Suppress(".") + Optional(triples))
    # rdflib takes no negative decimals, and writes other negative numbers in a form of its own.
    for kind in ("INTEGER_NEGATIVE", "DECIMAL_NEGATIVE", "DOUBLE_NEGATIVE"):
        grammar[kind].set_parse_action(lambda found: RDFLiteral(f"-{found[0]}", datatype=found[0].datatype))
    # rdflib takes the ? of a variable right behind a path for a part of the path.
    grammar["PathMod"].exprs[:] = [Regex(r"[*+]|\?(?!\w)").leave_whitespace()]
    # rdflib forgets the IRI of an inverse path in a negated property set.
    one = grammar["PathOneInPropertySet"]
    one.exprs[-1] = Comp("PathEltOrInverse", Suppress("^") + Param("part", grammar["iri"] | grammar["A"]))


def _extend(grammar: _Copy) -> None:
    """Accept columns such as ``COUNT(?x)`` and ``(COUNT(?x))``, which are not standard but common."""
    name = Optional(CaselessKeyword("AS") + Param("evar", grammar["Var"]))
    grammar.node("vars").expr = (
        Param("var", grammar["Var"])
        | Suppress("(") + Param("expr", grammar["Expression"]) + name + Suppress(")")
        | Param("expr", grammar["Aggregate"]) + name
    )


def _quicken(grammar: _Copy) -> None:
    """Make parsing faster, without a change to what is parsed."""
    # Most paths are one relation; the grammar makes three nodes of it, of use for real paths only.
    relation = grammar["iri"] | grammar["A"]
    goes_on = Regex(r"\s*[/|]|[*+]|\?(?!\w)").leave_whitespace()
    path = grammar["Path"]
    path <<= relation + ~goes_on | grammar["PathAlternative"]
    # A name is read at once, not sign by sign.
    grammar["PrefixedName"].expr.exprs[:] = [_PREFIXED_NAME]
    grammar["IRIREF"].expr = _IRI
    grammar["Var"].exprs[:] = [_VARIABLE]
    # Half of the time that parsing takes goes into comments, looked for before each attempt at each part, and half of
    # the rest into alternatives that cannot begin as the text goes on.
    for part in [*grammar.parts()]:
        kind = type(part)
        part.ignoreExprs = []
        if kind is MatchFirst:
            part.__class__, part.by_first = _Choice, {}


_PREFIXED_NAME: Final = Regex(
    rf"({rdflib_grammar.PN_PREFIX.pattern})?:(?P<local>{rdflib_grammar.PN_LOCAL.pattern})?", re.VERBOSE
).add_parse_action(
    lambda found: [
        ParamValue(key, name, isList=False)
        for key, name in zip(("prefix", "localname"), found[0].split(":", 1), strict=True)
        if name
    ]
)
_IRI: Final = Regex(f"<{IN_IRI}*>").leave_whitespace().add_parse_action(lambda found: found[0][1:-1])
_VARIABLE: Final = Regex(rf"[?$]{rdflib_grammar.VARNAME.pattern}").add_parse_action(lambda found: found[0][1:])
_BEGINNING: Final = re.compile(r"[^ \n\t\r]")
_BEYOND_ASCII: Final = "\x80"
"""Stands for all characters that no keyword and no sign of SPARQL begins with."""


class _Choice(MatchFirst):
    """Alternatives of which those are tried that may begin with the character that comes next.

    pyparsing's own keeps the error of the alternative that came furthest, whose traceback holds the frames of all who
    called the parser, with all that these hold, until garbage is collected.
    """

    by_first: dict[str, list[ParserElement]]
    """For each character the alternatives in question; filled when it is first met, for the grammar settles in use."""

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Any:  # noqa: N802 - pyparsing's name
        begun = _BEGINNING.search(instring, loc)
        first = begun[0] if begun else ""
        key = first if first.isascii() else _BEYOND_ASCII
        if key not in self.by_first:
            self.by_first[key] = [part for part in self.exprs if _may_begin(part, key)]
        # Where none is able, the place of the error is the character, not the white space in front of it.
        furthest = begun.start() if begun else loc
        for part in self.by_first[key]:
            try:
                return part._parse(instring, loc, do_actions)
            except ParseException as error:
                furthest = max(furthest, error.loc)
        raise ParseException(instring, furthest, self.errmsg or "", self)


def _may_begin(part: ParserElement, first: str) -> bool:
    """Tell whether what a part of the grammar matches may begin with a character, white space aside."""
    firsts = _firsts(part, {})
    return firsts is None or first in firsts or not part.skipWhitespace


def _firsts(part: ParserElement, known: dict[int, set[str] | None]) -> set[str] | None:
    """Return the characters that the matches of a part may begin with; None if any, or if a match may be empty."""
    if id(part) not in known:
        known[id(part)] = None  # of a part that begins with itself
        known[id(part)] = _found_firsts(part, known)
    return known[id(part)]


def _found_firsts(part: ParserElement, known: dict[int, set[str] | None]) -> set[str] | None:
    found: set[str] = set()
    match part:
        case Literal() | Keyword():
            return {part.match[0].lower(), part.match[0].upper()} if part.match else None
        case MatchFirst():
            for one in part.exprs:
                if (firsts := _firsts(one, known)) is None:
                    return None
                found |= firsts
            return found
        case And():
            for one in part.exprs:
                needed = one.expr if isinstance(one, Optional | ZeroOrMore) else one
                if needed is None or (firsts := _firsts(needed, known)) is None:
                    return None
                found |= firsts
                if needed is one:
                    return found
        case Forward() | OneOrMore() | TokenConverter() if part.expr is not None:
            return _firsts(part.expr, known)
    return None


def _made() -> Any:
    grammar = _Copy()
    _mend(grammar)
    _extend(grammar)
    _quicken(grammar)
    return grammar.query


QUERY: Final[ParserElement] = _made()
"""The grammar. Its parts adapt themselves when they are first used, so threads must not use it at once."""
_PARSING: Final = threading.Lock()
_CHAINS = (
    "ConditionalOrExpression",
    "ConditionalAndExpression",
    "RelationalExpression",
    "AdditiveExpression",
    "MultiplicativeExpression",
)


def read(text: str) -> Node:
    """Return the tree of a query.

    Args:
        text: A query without comments, and without escapes but those of strings.

    Raises:
        QuerySyntaxError: It is not SPARQL, or too deeply nested.
    """
    try:
        with _PARSING:
            prologue, query = QUERY.parse_string(text, parse_all=True)
        return node(_clean(query, *_namespaces(prologue)))
    except ParseBaseException as error:
        raise QuerySyntaxError(_explain(error)) from error
    except RecursionError as error:
        raise QuerySyntaxError("the query is too deeply nested: simplify it") from error
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        raise QuerySyntaxError(f"the query cannot be read: {type(error).__name__}: {error}") from error


def _explain(error: ParseBaseException) -> str:
    before, after = error.line[: error.column - 1][-30:], error.line[error.column - 1 :][:40]
    if not error.line.strip():
        return "not a SPARQL query: the text ends too early or is empty"
    return f"not a SPARQL query: line {error.lineno}, column {error.column}, at {before!r} >>> {after!r}"


def _namespaces(prologue: ParseResults) -> tuple[dict[str, str], str]:
    """Return the namespaces of the prefixes and the BASE of a query."""
    prefixes, base = dict(PREFIXES), ""
    for declaration in prologue:
        if declaration.name == "Base":
            base = urljoin(base, declaration.iri)
        else:
            prefixes[declaration.prefix or ""] = _resolved(declaration.iri, base)
    return prefixes, base


def _resolved(iri: str, base: str) -> str:
    return urljoin(base, iri) if base else str(iri)


def _clean(value: Any, prefixes: Mapping[str, str], base: str) -> Any:
    """Resolve names, make lists plain, make nodes and terms Triad's, leave out nodes that only hold another."""
    if isinstance(value, CompValue):
        if value.name == "pname":
            prefix, local = value.prefix or "", value.localname or ""
            if prefix not in prefixes:
                known = ", ".join(sorted(name for name in prefixes if name))
                raise QuerySyntaxError(f"the prefix {prefix + ':'!r} is not declared; known without: {known}")
            return URIRef(prefixes[prefix] + re.sub(r"\\(.)", r"\1", local))
        if value.name == "literal":
            datatype = _clean(value.datatype, prefixes, base) if value.datatype else None
            return Leaf(str(value.string), value.lang, datatype)
        if value.name in _CHAINS and not value.other and not value.op:
            return _clean(value.expr, prefixes, base)
        clean = Node(value.name)
        for name, part in value.items():
            clean[name] = _clean(part, prefixes, base)
        return clean
    if isinstance(value, ParseResults | list):
        return [_clean(part, prefixes, base) for part in value]
    return _leaf(value, base)


def _leaf(value: Any, base: str) -> Any:
    """Return a term of rdflib's as Triad's, and anything else as it is."""
    if isinstance(value, RDFURIRef):
        return URIRef(_resolved(value, base))
    if isinstance(value, RDFVariable):
        return Variable(str(value))
    if isinstance(value, RDFBNode):
        return BNode(str(value))
    return Leaf(str(value), value.language, value.datatype) if isinstance(value, RDFLiteral) else value
