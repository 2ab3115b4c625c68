"""Text of queries read as trees.

The size of a text is checked first, and all that follows takes time in proportion to it.
"""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urljoin

from pyparsing import ParseBaseException, ParseResults
from rdflib.term import BNode, URIRef, Variable
from rdflib.term import Literal as RDFLiteral

from triad.errors import QuerySyntaxError
from triad.rdf import IN_IRI
from triad.sparql.grammar import QUERY
from triad.sparql.tree import PREFIXES, Node, node, nodes, substitute, terms

__all__ = ["MAX_DEPTH", "MAX_LENGTH", "MAX_WORDS", "OPAQUE", "check_size", "mask", "parse", "unescape"]

MAX_LENGTH: Final = 10_000
"""Characters that a query may have."""
MAX_WORDS: Final = 4_000
"""Words and signs that a query may have; the parser takes up to a third of a millisecond for each."""
MAX_DEPTH: Final = 32
"""Brackets of any kind that may be open at once; the parser is recursive."""

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
# A string that is not closed goes on to the end; looking for its end from each quote anew would take long.
_STRING = (
    r'"""(?>(?:[^"\\]|\\.?|"(?!""))*)(?:"""|\Z)'
    r"|'''(?>(?:[^'\\]|\\.?|'(?!''))*)(?:'''|\Z)"
    r'|"(?>(?:[^"\\\n]|\\.?)*)(?:"|(?=\n)|\Z)'
    r"|'(?>(?:[^'\\\n]|\\.?)*)(?:'|(?=\n)|\Z)"
)
OPAQUE: Final = re.compile(_STRING + f"|<{IN_IRI}*>" + r"|(?<!\\)\#[^\n]*", re.DOTALL)
"""Text in which brackets and keywords mean nothing: strings, IRIs, comments."""
_STRINGS = re.compile(OPAQUE.pattern.replace(_STRING, f"({_STRING})"), re.DOTALL)
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
_BRACKET = re.compile(r"[(){}\[\]]")
_CODE_POINT = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)", re.DOTALL)


def parse(text: str) -> Node:
    """Parse a query into a tree.

    Prefixed names and names relative to a BASE become IRIs; projections such as ``COUNT(?x)``, which Virtuoso
    accepts without brackets and name, are put into standard form, and so are casts such as ``xsd:int(?x)``.

    Raises:
        QuerySyntaxError: The text is not a SPARQL query, or too long or too deeply nested to be read.
    """
    check_size(text)
    text = _without_comments(unescape(text))
    if (depth := _depth(mask(text))) > MAX_DEPTH:
        raise QuerySyntaxError(f"the query has brackets {depth} deep; at most {MAX_DEPTH} are accepted: simplify it")
    try:
        with _PARSING:
            prologue, query = QUERY.parse_string(text, parse_all=True)
        tree = node(_clean(query, *_namespaces(prologue)))
    except ParseBaseException as error:
        raise QuerySyntaxError(_explain(error)) from error
    except RecursionError as error:
        raise QuerySyntaxError("the query is too deeply nested: simplify it") from error
    except (ValueError, TypeError, IndexError, AttributeError) as error:
        raise QuerySyntaxError(f"the query cannot be read: {type(error).__name__}: {error}") from error
    selects = []
    for part in nodes(tree, "TriplesBlock", "SelectQuery", "SubSelect"):
        if part.name == "TriplesBlock":
            _check_triples(part)
        else:
            selects.append(part)
    _name_aggregates(tree, selects)
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


def mask(text: str) -> str:
    """Blank out comments, and strings and IRIs but for their first character, so that positions stay."""
    return OPAQUE.sub(lambda match: match[0][0].strip("#").ljust(len(match[0])), text)


def _without_comments(text: str) -> str:
    """Blank out comments, so that positions stay."""
    return OPAQUE.sub(lambda match: " " * len(match[0]) if match[0][0] == "#" else match[0], text)


def _depth(masked: str) -> int:
    """Return how many brackets are open at once, at most."""
    return max(itertools.accumulate(1 if sign in "({[" else -1 for sign in _BRACKET.findall(masked)), default=0)


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
    if isinstance(value, Node):
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
        clean = Node(value.name)
        for name, part in value.items():
            clean[name] = _clean(part, prefixes, base)
        if clean.name == "Function":
            clean["iri"] = _CASTS.get(clean.iri, clean.iri)
        return clean
    if isinstance(value, ParseResults | list):
        return [_clean(part, prefixes, base) for part in value]
    return URIRef(_resolved(value, base)) if isinstance(value, URIRef) else value


def _check_triples(block: Node) -> None:
    if any(len(flat) % 3 for flat in block.triples or []):
        raise QuerySyntaxError("the query has a triple pattern that is not complete")


def _name_aggregates(tree: Node, selects: list[Node]) -> None:
    """Name the columns that are aggregates and have no name; no other columns may be without."""
    columns = (column for select in selects for column in select.projection or [])
    nameless = [column for column in columns if column.var is None and column.evar is None]
    if not nameless:
        return
    taken = {str(term) for term in terms(tree) if isinstance(term, Variable)}
    names: dict[str, Iterator[str]] = {}
    for column in nameless:
        expression = column.expr
        if not isinstance(expression, Node) or not expression.name.startswith("Aggregate_"):
            raise QuerySyntaxError("the query has a column without a name: write (... AS ?name)")
        function = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", expression.name.removeprefix("Aggregate_")).lower()
        column["evar"] = Variable(next(names.setdefault(function, _free_names(function, taken))))


def _free_names(word: str, taken: set[str]) -> Iterator[str]:
    names = itertools.chain([word, f"{word}_"], (f"{word}_{number}" for number in itertools.count(2)))
    return (name for name in names if name not in taken)


def _name_blank_nodes(tree: Node) -> Node:
    """Give names that are the same each time to blank nodes that have none."""
    found = [*terms(tree)]
    nameless = dict.fromkeys(term for term in found if isinstance(term, BNode) and _NAMELESS.match(term))
    if not nameless:
        return tree
    names = {str(term) for term in found if isinstance(term, BNode | Variable)}
    free = (BNode(f"b{number}") for number in itertools.count(1) if f"b{number}" not in names)
    return node(substitute(tree, dict(zip(nameless, free, strict=False))))
