"""SPARQL queries as trees: parsed, walked, changed and written again.

rdflib's parser reads a query; this module hands on its tree with prefixed names resolved, and writes it back as
text. A query is checked and changed as a tree and only then becomes text again, so what was checked is what
runs: comments, escapes and odd spacing do not survive.

>>> tree = parse("SELECT ?film { ?film <director> <Stanley_Kubrick> }")
>>> sorted(str(term) for term in terms(tree) if isinstance(term, URIRef))
['Stanley_Kubrick', 'director']
>>> print(write(substitute(tree, {URIRef("director"): URIRef("http://dbpedia.org/ontology/director")})))
PREFIX dbo: <http://dbpedia.org/ontology/>
SELECT ?film
WHERE {
  ?film dbo:director <Stanley_Kubrick> .
}
"""

from __future__ import annotations

import copy
import itertools
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urljoin

import rdflib
from pyparsing import (
    And,
    Forward,
    Keyword,
    Literal,
    MatchFirst,
    OneOrMore,
    Optional,
    ParseBaseException,
    ParserElement,
    ParseResults,
    Regex,
    Suppress,
    TokenConverter,
    ZeroOrMore,
)
from rdflib.plugins.sparql import parser as grammar
from rdflib.plugins.sparql.parserutils import Comp, CompValue, Param, ParamList, ParamValue
from rdflib.term import BNode, URIRef, Variable
from rdflib.term import Literal as RDFLiteral

from triad.errors import QuerySyntaxError

__all__ = [
    "FORMS",
    "MAX_DEPTH",
    "MAX_LENGTH",
    "MAX_WORDS",
    "OPAQUE",
    "PREFIXES",
    "Node",
    "check_size",
    "mask",
    "node",
    "nodes",
    "parse",
    "patterns",
    "simple",
    "substitute",
    "terms",
    "unescape",
    "write",
    "write_pattern",
]

Node = CompValue
"""A node of the tree: it has a ``name``, and its parts are dictionary items and attributes."""

MAX_LENGTH: Final = 10_000
"""Characters that a query may have."""
MAX_WORDS: Final = 4_000
"""Words and signs that a query may have; the parser takes up to a third of a millisecond for each."""
MAX_DEPTH: Final = 32
"""Brackets of any kind that may be open at once; the parser is recursive."""

FORMS: Final = {
    "SelectQuery": "SELECT",
    "AskQuery": "ASK",
    "ConstructQuery": "CONSTRUCT",
    "DescribeQuery": "DESCRIBE",
}
"""The query forms by the name of the root node."""

PREFIXES: Final[Mapping[str, str]] = {
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
    "dbr": "http://dbpedia.org/resource/",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "geo": "http://www.w3.org/2003/01/geo/wgs84_pos#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "http://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "yago": "http://yago-knowledge.org/resource/",
}
"""Prefixes that queries are written with, and that a query may use without declaring them."""

# The parser adapts itself to its parse actions at their first calls, which threads would disturb.
_PARSING: Final = threading.Lock()
_XSD = PREFIXES["xsd"]
# Casts that Virtuoso knows and SPARQL 1.1 does not, and the standard cast of the same meaning.
_CASTS = {
    URIRef(_XSD + name): URIRef(_XSD + "integer")
    for name in (
        "byte", "int", "long", "negativeInteger", "nonNegativeInteger", "nonPositiveInteger", "positiveInteger",
        "short", "unsignedByte", "unsignedInt", "unsignedLong", "unsignedShort",
    )
}  # fmt: skip
_AGGREGATE = re.compile(r"(?<![\w?$:])(?:COUNT|SUM|MIN|MAX|AVG|SAMPLE|GROUP_CONCAT)\s*\(", re.IGNORECASE)
_SELECT = re.compile(r"(?<![\w?$:])SELECT\b", re.IGNORECASE)
_ALIAS = re.compile(r"\s*AS\s*([?$]\w+)", re.IGNORECASE)
# A string that is not closed goes on to the end; looking for its end from each quote anew would take long.
_STRING = (
    r'"""(?>(?:[^"\\]|\\.?|"(?!""))*)(?:"""|\Z)'
    r"|'''(?>(?:[^'\\]|\\.?|'(?!''))*)(?:'''|\Z)"
    r'|"(?>(?:[^"\\\n]|\\.?)*)(?:"|(?=\n)|\Z)'
    r"|'(?>(?:[^'\\\n]|\\.?)*)(?:'|(?=\n)|\Z)"
)
OPAQUE: Final = re.compile(_STRING + r'|<[^<>"{}|^`\\\x00-\x20]*>|(?<!\\)\#[^\n]*', re.DOTALL)
"""Text in which brackets and keywords mean nothing: strings, IRIs, comments."""
_STRINGS = re.compile(OPAQUE.pattern.replace(_STRING, f"({_STRING})"), re.DOTALL)
_BEGINNING = re.compile(r"[^ \n\t\r]")
_BEYOND_ASCII: Final = "\x80"
"""Stands for all characters that no keyword and no sign of SPARQL begins with."""
# Blank nodes that rdflib named.
_NAMELESS = re.compile(r"N[0-9a-f]{32}\Z")
_CHAINS = (
    "ConditionalOrExpression",
    "ConditionalAndExpression",
    "RelationalExpression",
    "AdditiveExpression",
    "MultiplicativeExpression",
)
_WORD = re.compile(r"\w+|[^\w\s]")
_CODE_POINT = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)", re.DOTALL)


# Reading --------------------------------------------------------------------------------------------------


_PREFIXED_NAME = Regex(rf"({grammar.PN_PREFIX.pattern})?:(?P<local>{grammar.PN_LOCAL.pattern})?", re.VERBOSE)
_PREFIXED_NAME.add_parse_action(
    lambda found: [
        ParamValue(key, name, isList=False)
        for key, name in zip(("prefix", "localname"), found[0].split(":", 1), strict=True)
        if name
    ]
)
_IRI = Regex(r'<[^<>"{}|^`\\\x00-\x20]*>').leave_whitespace().add_parse_action(lambda found: found[0][1:-1])
_PATH_GOES_ON = Regex(r"\s*[/|]|[*+]|\?(?!\w)").leave_whitespace()
_VARIABLE = Regex(rf"[?$]{grammar.VARNAME.pattern}").add_parse_action(lambda found: found[0][1:])


def _mended() -> Any:
    """Return a copy of rdflib's grammar without the faults that its parser has."""
    # pyparsing tells by its identity that an optional part is not there.
    nothing = Optional("").defaultValue
    parts: dict[int, Any] = {id(nothing): nothing}
    query = copy.deepcopy(grammar.Query, parts)
    # For a node of its own name rdflib seeks the text of each SERVICE in the whole query: in quadratic time, and
    # without end where one is in another.
    parts[id(grammar.ServiceGraphPattern)].set_name("Service")
    # rdflib calls itself for each further triple, which ends at some eighty.
    triples = ParamList("triples", parts[id(grammar.TriplesSameSubjectPath)])
    parts[id(grammar.TriplesBlock)] <<= triples + ZeroOrMore(Suppress(".") + Optional(triples))
    # rdflib takes no negative decimals.
    for number in (grammar.INTEGER_NEGATIVE, grammar.DECIMAL_NEGATIVE, grammar.DOUBLE_NEGATIVE):
        parts[id(number)].set_parse_action(lambda found: RDFLiteral(f"-{found[0]}", datatype=found[0].datatype))
    # rdflib takes the ? of a variable right behind a path for a part of the path.
    parts[id(grammar.PathMod)].exprs[:] = [Regex(r"[*+]|\?(?!\w)").leave_whitespace()]
    # rdflib forgets the IRI of an inverse path in a negated property set.
    one = parts[id(grammar.PathOneInPropertySet)]
    one.exprs[-1] = Comp(
        "PathEltOrInverse", Suppress("^") + Param("part", parts[id(grammar.iri)] | parts[id(grammar.A)])
    )
    # Most paths are one relation; the grammar makes three nodes of it, of use for real paths only.
    relation = parts[id(grammar.iri)] | parts[id(grammar.A)]
    parts[id(grammar.Path)] <<= relation + ~_PATH_GOES_ON | parts[id(grammar.PathAlternative)]
    # A name is read at once, not sign by sign.
    parts[id(grammar.PrefixedName)].expr.exprs[:] = [_PREFIXED_NAME]
    parts[id(grammar.IRIREF)].expr = _IRI
    parts[id(grammar.Var)].exprs[:] = [_VARIABLE]
    # Half of the time that parsing takes goes into comments, looked for before each attempt at each part, and half of
    # the rest into alternatives that cannot begin as the text goes on.
    for part in list(parts.values()):
        kind = type(part)
        if issubclass(kind, ParserElement):
            part.ignoreExprs = []
        if kind is MatchFirst:
            part.__class__, part.by_first = _Choice, {}
    return query


class _Choice(MatchFirst):
    """Alternatives of which those are tried that may begin with the character that comes next."""

    by_first: dict[str, MatchFirst]
    """For each character the alternatives in question; filled when it is first met, for the grammar settles in use."""

    def parseImpl(self, instring: str, loc: int, do_actions: bool = True) -> Any:  # noqa: N802 - pyparsing's name
        begun = _BEGINNING.search(instring, loc)
        first = begun[0] if begun else ""
        key = first if first.isascii() else _BEYOND_ASCII
        if key not in self.by_first:
            self.by_first[key] = MatchFirst([part for part in self.exprs if _may_begin(part, key)])
        able = self.by_first[key]
        # Where none is able, the place of the error is the character, not the white space in front of it.
        return able.parseImpl(instring, loc if able.exprs or not begun else begun.start(), do_actions)


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


_GRAMMAR = _mended()


def parse(text: str) -> Node:
    """Parse a query into a tree.

    Prefixed names and names relative to a BASE become IRIs; projections such as ``COUNT(?x)``, which Virtuoso
    accepts without brackets and name, are put into standard form, and so are casts such as ``xsd:int(?x)``.

    Raises:
        QuerySyntaxError: The text is not a SPARQL query, or too long or too deeply nested to be read.
    """
    check_size(text)
    text = _without_comments(unescape(text))
    masked = mask(text)
    if (depth := _depth(masked)) > MAX_DEPTH:
        raise QuerySyntaxError(f"the query has brackets {depth} deep; at most {MAX_DEPTH} are accepted: simplify it")
    text = _name_aggregates(text, masked)
    try:
        with _PARSING:
            prologue, query = _GRAMMAR.parse_string(text, parse_all=True)
        tree = node(_clean(query, *_namespaces(prologue)))
    except ParseBaseException as error:
        raise QuerySyntaxError(_explain(error)) from error
    except RecursionError as error:
        raise QuerySyntaxError("the query is too deeply nested: simplify it") from error
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        raise QuerySyntaxError(f"the query cannot be read: {type(error).__name__}: {error}") from error
    _check_triples(tree)
    return _name_blank_nodes(tree)


def check_size(text: str) -> None:
    """Check that a query is not too long for `parse`.

    Raises:
        QuerySyntaxError: It is.
    """
    if len(text) > MAX_LENGTH:
        raise QuerySyntaxError(
            f"the query has {len(text):,} characters; at most {MAX_LENGTH:,} are accepted: shorten it"
        )
    if (words := len(_WORD.findall(text))) > MAX_WORDS:
        raise QuerySyntaxError(f"the query has {words:,} words and signs; at most {MAX_WORDS:,} are accepted")


def unescape(text: str) -> str:
    r"""Put characters in place of escapes such as ``\u00e9``, and take off those that a string does not need.

    Raises:
        QuerySyntaxError: An escape is of no character, or the text has half a character.
    """

    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else match[0]

    def plain(match: re.Match[str]) -> str:
        if not match[1]:
            return match[0]
        other = "'" if match[1][0] == '"' else '"'
        return re.sub(r"\\(.)", lambda escape: other if escape[1] == other else escape[0], match[0], flags=re.DOTALL)

    try:
        text = _CODE_POINT.sub(character, text)
        text.encode()
    except (ValueError, OverflowError) as error:
        raise QuerySyntaxError(f"the query has a character that Unicode does not have: {error}") from error
    return _STRINGS.sub(plain, text)


def node(value: Any) -> Node:
    """Return the value, which must be a node of a tree."""
    if not isinstance(value, CompValue):
        raise TypeError(f"not a node: {value!r}")
    return value


def mask(text: str) -> str:
    """Blank out comments, and strings and IRIs but for their first character, so that positions stay."""
    return OPAQUE.sub(lambda match: match[0][0].strip("#").ljust(len(match[0])), text)


def _without_comments(text: str) -> str:
    """Blank out comments, so that positions stay."""
    return OPAQUE.sub(lambda match: " " * len(match[0]) if match[0][0] == "#" else match[0], text)


def _depth(masked: str) -> int:
    deepest = depth = 0
    for char in masked:
        if char in "({[":
            depth += 1
            deepest = max(deepest, depth)
        elif char in ")}]":
            depth -= 1
    return deepest


def _name_aggregates(text: str, masked: str) -> str:
    """Put brackets and a name to the bare aggregates of each SELECT clause."""
    edits: list[tuple[int, int, str]] = []
    for select in _SELECT.finditer(masked):
        end = masked.find("{", select.end())
        at = select.end()
        while 0 <= at < end and (call := _AGGREGATE.search(masked, at, end)):
            close = _closing(masked, call.end() - 1, end)
            if close < 0:
                break
            at = close + 1
            depth = masked.count("(", select.end(), call.start()) - masked.count(")", select.end(), call.start())
            name = f"?{call[0].rstrip('( ').lower()}"
            while re.search(re.escape(name) + r"\b", text) or any(name in edit[2] for edit in edits):
                name += "_"
            if depth == 0:
                if alias := _ALIAS.match(masked, at, end):
                    name, at = alias[1], alias.end()
                edits.append((call.start(), at, f"({text[call.start() : close + 1]} AS {name})"))
            elif depth == 1 and masked[: call.start()].rstrip().endswith("(") and masked[at:].lstrip().startswith(")"):
                edits.append((at, at, f" AS {name}"))
    for start, stop, replacement in reversed(edits):
        text = text[:start] + replacement + text[stop:]
    return text


def _closing(masked: str, start: int, end: int) -> int:
    depth = 0
    for at in range(start, end):
        depth += (masked[at] == "(") - (masked[at] == ")")
        if depth == 0:
            return at
    return -1


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
    """Resolve names, make lists plain, leave out nodes that only hold another, put casts into standard form."""
    if isinstance(value, CompValue):
        if value.name == "pname":
            prefix, local = value.prefix or "", value.localname or ""
            if prefix not in prefixes:
                known = ", ".join(sorted(name for name in prefixes if name))
                raise QuerySyntaxError(f"the prefix {prefix + ':'!r} is not declared; known without: {known}")
            return URIRef(prefixes[prefix] + re.sub(r"\\(.)", r"\1", local))
        if value.name == "literal":
            datatype = _clean(value.datatype, prefixes, base) if value.datatype else None
            return RDFLiteral(value.string, lang=value.lang, datatype=datatype, normalize=False)
        if value.name in _CHAINS and not value.other and not value.op:
            return _clean(value.expr, prefixes, base)
        clean = CompValue(value.name)
        for name, part in value.items():
            clean[name] = _clean(part, prefixes, base)
        if clean.name == "Function":
            clean["iri"] = _CASTS.get(clean.iri, clean.iri)
        return clean
    if isinstance(value, ParseResults | list):
        return [_clean(part, prefixes, base) for part in value]
    return URIRef(_resolved(value, base)) if isinstance(value, URIRef) else value


def _name_blank_nodes(tree: Node) -> Node:
    """Give names that are the same each time to blank nodes that have none."""
    names = {str(term) for term in terms(tree) if isinstance(term, BNode | Variable)}
    free = (f"b{number}" for number in itertools.count(1) if f"b{number}" not in names)
    named: dict[Any, Any] = {}
    for term in terms(tree):
        if isinstance(term, BNode) and _NAMELESS.match(term) and term not in named:
            named[term] = BNode(next(free))
    return node(substitute(tree, named)) if named else tree


def _check_triples(tree: Any) -> None:
    for block in nodes(tree, "TriplesBlock"):
        if any(len(flat) % 3 for flat in block.triples or []):
            raise QuerySyntaxError("the query has a triple pattern that is not complete")


# Walking and changing -------------------------------------------------------------------------------------


def nodes(tree: Any, *names: str) -> Iterator[Node]:
    """Yield the nodes of a tree, parents first; only those of the given names, if any are given."""
    for part in _parts(tree):
        if isinstance(part, CompValue) and (not names or part.name in names):
            yield part


def terms(tree: Any) -> Iterator[rdflib.term.Identifier]:
    """Yield the terms of a tree in the order of the text: IRIs, literals, variables, blank nodes."""
    for part in _parts(tree):
        if isinstance(part, rdflib.term.Identifier):
            yield part


def _parts(tree: Any) -> Iterator[Any]:
    """Yield a tree and all its parts, parents first."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, CompValue):
            # A plain dictionary's, for those of a node look each value up anew, in case an expression has to be run.
            waiting.extend(reversed(dict.values(part)))
        elif isinstance(part, list):
            waiting.extend(reversed(part))


def patterns(tree: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the triple patterns of a tree; a predicate is a term, or a node where it is a longer path."""
    for block in nodes(tree, "TriplesBlock"):
        for flat in block.triples or []:
            for at in range(0, len(flat), 3):
                subject, predicate, value = flat[at : at + 3]
                yield subject, simple(predicate), value


def simple(path: Any) -> Any:
    """Return the term of a property path that has only one, else the path."""
    while isinstance(path, CompValue) and not path.mod and path.name in ("PathAlternative", "PathSequence", "PathElt"):
        part = path.part
        if isinstance(part, list):
            if len(part) != 1:
                return path
            part = part[0]
        path = part
    return path


def substitute(tree: Any, replacement: Mapping[Any, Any] | Callable[[Any], Any]) -> Any:
    """Return a copy of a tree with terms replaced: by a mapping, or by a function of a term."""
    replace = replacement if callable(replacement) else lambda term: replacement.get(term, term)
    if isinstance(tree, CompValue):
        copy = CompValue(tree.name)
        for name, part in dict.items(tree):
            copy[name] = substitute(part, replace)
        return copy
    if isinstance(tree, list):
        return [substitute(part, replace) for part in tree]
    if isinstance(tree, rdflib.term.Identifier):
        return replace(tree)
    return tree


# Writing --------------------------------------------------------------------------------------------------


def write(tree: Node, prefixes: Mapping[str, str] = PREFIXES) -> str:
    """Write a tree as SPARQL, a pattern a line, with the prefixes that it uses.

    Raises:
        QuerySyntaxError: An IRI or a part of the tree cannot be written.
    """
    writer = _Writer(prefixes)
    body = writer.query(tree)
    used = [f"PREFIX {prefix}: <{prefixes[prefix]}>" for prefix in sorted(writer.used)]
    return "\n".join([*used, body])


def write_pattern(subject: Any, predicate: Any, value: Any) -> str:
    """Write a triple pattern, without its dot."""
    return _Writer(PREFIXES).triple(subject, predicate, value).removesuffix(" .")


_LOCAL_NAME = re.compile(r"[A-Za-z0-9_](?:[\w\-]*\w)?\Z", re.ASCII)
_NOT_IN_IRI = re.compile(r'[<>"{}|^`\\\x00-\x20]')
_FUNCTION_NAMES = {"NOTEXISTS": "NOT EXISTS", "GroupConcat": "GROUP_CONCAT"}
_SHORT = "FakeGroupGraphPatten"  # rdflib's name for what follows CONSTRUCT WHERE
_NULLARY = ("RAND", "NOW", "UUID", "STRUUID")


class _Writer:
    def __init__(self, prefixes: Mapping[str, str]) -> None:
        # The longest namespace that fits wins.
        self.namespaces = sorted(
            ((namespace, prefix) for prefix, namespace in prefixes.items()), key=lambda pair: -len(pair[0])
        )
        self.used: set[str] = set()

    # Queries

    def query(self, tree: Node) -> str:
        dataset = [
            "FROM " + (self.term(clause.default) if clause.default else f"NAMED {self.term(clause.named)}")
            for clause in tree.datasetClause or []
        ]
        match tree.name:
            case "SelectQuery" | "SubSelect":
                head = " ".join(["SELECT", *filter(None, [tree.modifier]), *self.projection(tree)])
            case "AskQuery":
                head = "ASK"
            case "ConstructQuery":
                template = [
                    self.triple(*flat[i : i + 3]) for flat in tree.template or [] for i in range(0, len(flat), 3)
                ]
                is_short = tree.where is None or tree.where.name == _SHORT
                head = "CONSTRUCT" + ("" if is_short else " {\n" + _indent(template) + "\n}")
            case "DescribeQuery":
                head = "DESCRIBE " + (" ".join(self.term(term) for term in tree.var or []) or "*")
            case name:
                raise QuerySyntaxError(f"a query cannot start with {name!r}")
        where = ["WHERE " + self.braces(tree.where)] if tree.where is not None else []
        if tree.name == "ConstructQuery" and not where:
            where = ["WHERE { }"]
        return "\n".join([head, *dataset, *where, *self.modifiers(tree)])

    def projection(self, tree: Node) -> list[str]:
        if not tree.projection:
            return ["*"]
        return [
            self.term(item.var) if item.var is not None else f"({self.expression(item.expr)} AS {self.term(item.evar)})"
            for item in tree.projection
        ]

    def modifiers(self, tree: Node) -> Iterator[str]:
        if tree.groupby:
            yield "GROUP BY " + " ".join(self.condition(item) for item in tree.groupby.condition)
        if tree.having:
            yield "HAVING " + " ".join(f"({self.expression(item)})" for item in tree.having.condition)
        if tree.orderby:
            yield "ORDER BY " + " ".join(
                f"{item.order or 'ASC'}({self.expression(item.expr)})" for item in tree.orderby.condition
            )
        if tree.limitoffset:
            for name in ("limit", "offset"):
                if name in tree.limitoffset:
                    yield f"{name.upper()} {tree.limitoffset[name]}"
        if tree.valuesClause:
            yield self.values(tree.valuesClause)

    def condition(self, item: Any) -> str:
        if isinstance(item, CompValue) and item.name == "GroupAs":
            alias = f" AS {self.term(item.var)}" if item.var is not None else ""
            return f"({self.expression(item.expr)}{alias})"
        return self.term(item) if isinstance(item, Variable) else f"({self.expression(item)})"

    # Patterns

    def braces(self, tree: Node) -> str:
        lines = [self.query(tree)] if tree.name == "SubSelect" else self.lines(tree.part)
        return "{\n" + _indent(lines) + "\n}" if lines else "{ }"

    def lines(self, parts: list[Node] | None) -> list[str]:
        return [line for part in parts or [] for line in self.pattern(part)]

    def pattern(self, part: Node) -> list[str]:
        match part.name:
            case "TriplesBlock":
                return [self.triple(*flat[i : i + 3]) for flat in part.triples or [] for i in range(0, len(flat), 3)]
            case "GroupOrUnionGraphPattern":
                return [" UNION ".join(self.braces(graph) for graph in part.graph)]
            case "OptionalGraphPattern":
                return ["OPTIONAL " + self.braces(part.graph)]
            case "MinusGraphPattern":
                return ["MINUS " + self.braces(part.graph)]
            case "GraphGraphPattern":
                return [f"GRAPH {self.term(part.term)} {self.braces(part.graph)}"]
            case "Service":
                silent = "SILENT " if part.silent else ""
                return [f"SERVICE {silent}{self.term(part.term)} {self.braces(part.graph)}"]
            case "Filter":
                return [f"FILTER ({self.expression(part.expr)})"]
            case "Bind":
                return [f"BIND ({self.expression(part.expr)} AS {self.term(part.var)})"]
            case "InlineData":
                return [self.values(part)]
            case name:
                raise QuerySyntaxError(f"the pattern {name!r} is not supported")

    def triple(self, subject: Any, predicate: Any, value: Any) -> str:
        if isinstance(predicate, CompValue) and predicate.name == "PathEltOrInverse":
            subject, predicate, value = value, predicate.part, subject
        return f"{self.term(subject)} {self.path(predicate)} {self.term(value)} ."

    def values(self, part: Node) -> str:
        names = part.var or []
        rows = [row if isinstance(row, list) else [row] for row in part.value or []]
        shown = [["UNDEF" if term == "UNDEF" else self.term(term) for term in row] for row in rows]
        if len(names) == 1:
            return f"VALUES {self.term(names[0])} {{ {' '.join(row[0] for row in shown)} }}"
        inner = " ".join(f"({' '.join(row if names else [])})" for row in shown)
        return f"VALUES ({' '.join(self.term(name) for name in names)}) {{ {inner} }}"

    def path(self, path: Any) -> str:
        path = simple(path)
        if not isinstance(path, CompValue):
            return "a" if path == rdflib.RDF.type else self.term(path)
        match path.name:
            case "PathAlternative":
                return " | ".join(self.step(part) for part in path.part)
            case "PathSequence":
                return " / ".join(self.step(part) for part in path.part)
            case "PathElt":
                return self.step(path.part) + (path.mod or "")
            case "PathEltOrInverse":
                return "^" + self.step(path.part)
            case "PathNegatedPropertySet":
                return "!(" + " | ".join(self.path(part) for part in path.part or []) + ")"
            case name:
                raise QuerySyntaxError(f"the property path {name!r} is not supported")

    def step(self, path: Any) -> str:
        path = simple(path)
        text = self.path(path)
        return f"({text})" if isinstance(path, CompValue) and path.name != "PathNegatedPropertySet" else text

    # Expressions

    def expression(self, tree: Any) -> str:
        return _unwrap(self.operand(tree))

    def operand(self, tree: Any) -> str:
        """Write an expression so that it can stand beside any operator."""
        if isinstance(tree, list):
            return "(" + ", ".join(self.expression(item) for item in tree) + ")"
        if not isinstance(tree, CompValue):
            return self.term(tree)
        match tree.name:
            case "ConditionalOrExpression":
                return self.chain(tree, "||")
            case "ConditionalAndExpression":
                return self.chain(tree, "&&")
            case "AdditiveExpression" | "MultiplicativeExpression":
                return self.chain(tree, *(tree.op or []))
            case "RelationalExpression":
                other = "()" if tree.op.endswith("IN") and tree.other == rdflib.RDF.nil else self.operand(tree.other)
                return f"({self.operand(tree.expr)} {tree.op} {other})"
            case "UnaryNot" | "UnaryPlus" | "UnaryMinus":
                sign = {"UnaryNot": "!", "UnaryPlus": "+", "UnaryMinus": "-"}[tree.name]
                return f"({sign} {self.operand(tree.expr)})"
            case "Function":
                arguments = ", ".join(self.expression(item) for item in tree.expr or [])
                return f"{self.term(tree.iri)}({'DISTINCT ' if tree.distinct else ''}{arguments})"
            case name if name.startswith("Aggregate_"):
                return self.aggregate(tree)
            case name if name.startswith("Builtin_"):
                return self.call(tree)
            case name:
                raise QuerySyntaxError(f"the expression {name!r} is not supported")

    def chain(self, tree: Node, *operators: str) -> str:
        others = tree.other
        signs = operators * len(others) if len(operators) == 1 else operators
        tail = (f" {sign} {self.operand(item)}" for sign, item in zip(signs, others, strict=False))
        return f"({self.operand(tree.expr)}{''.join(tail)})"

    def aggregate(self, tree: Node) -> str:
        name = tree.name.removeprefix("Aggregate_")
        inner = "*" if isinstance(tree.vars, str) and tree.vars == "*" else self.expression(tree.vars)
        separator = f" ; SEPARATOR = {self.term(tree.separator)}" if tree.separator is not None else ""
        distinct = "DISTINCT " if tree.distinct else ""
        return f"{_FUNCTION_NAMES.get(name, name.upper())}({distinct}{inner}{separator})"

    def call(self, tree: Node) -> str:
        name = tree.name.removeprefix("Builtin_")
        if name in ("EXISTS", "NOTEXISTS"):
            return f"{_FUNCTION_NAMES.get(name, name)} {self.braces(tree.graph)}"
        if name in _NULLARY:
            return f"{name}()"
        arguments = list(tree.values())
        if name in ("CONCAT", "COALESCE"):
            arguments = arguments[0] if isinstance(arguments[0], list) else []
        return f"{name}({', '.join(self.expression(argument) for argument in arguments)})"

    # Terms

    def term(self, term: Any) -> str:
        if isinstance(term, Variable):
            return f"?{term}"
        if isinstance(term, URIRef):
            return self.iri(str(term))
        if isinstance(term, BNode):
            return f"_:{term}"
        if isinstance(term, RDFLiteral):
            return self.literal(term)
        raise QuerySyntaxError(f"not a term: {term!r}")

    def iri(self, iri: str) -> str:
        for namespace, prefix in self.namespaces:
            if iri.startswith(namespace) and _LOCAL_NAME.match(iri, len(namespace)):
                self.used.add(prefix)
                return f"{prefix}:{iri[len(namespace) :]}"
        if bad := _NOT_IN_IRI.search(iri):
            raise QuerySyntaxError(f"the IRI {iri!r} cannot be written: it has the character {bad[0]!r}")
        return f"<{iri}>"

    def literal(self, literal: RDFLiteral) -> str:
        text = str(literal)
        if literal.datatype in _BARE and _BARE[literal.datatype].fullmatch(text):
            return text
        quoted = '"' + re.sub(r'["\\\n\r\t]', lambda match: _ESCAPES[match[0]], text) + '"'
        if literal.language:
            return f"{quoted}@{literal.language}"
        return f"{quoted}^^{self.iri(str(literal.datatype))}" if literal.datatype else quoted


# Literals that need neither quotes nor datatype, in the one form that reading and writing leaves alone.
_BARE = {
    rdflib.XSD.boolean: re.compile(r"true|false"),
    rdflib.XSD.integer: re.compile(r"0|-?[1-9][0-9]*"),
    rdflib.XSD.decimal: re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+"),
}
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _unwrap(text: str) -> str:
    """Take off brackets around a whole expression; the place it goes to has its own."""
    if text.startswith("(") and _closing(mask(text), 0, len(text)) == len(text) - 1:
        return text[1:-1]
    return text


def _indent(blocks: list[str]) -> str:
    return "\n".join("  " + line for block in blocks for line in block.split("\n"))
