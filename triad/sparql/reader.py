"""Text of queries read as trees.

The size of a text is checked first, and all that follows takes time in proportion to it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final

from triad.errors import QuerySyntaxError
from triad.rdf import IN_IRI, XSD
from triad.sparql.term import BNode, URIRef, Variable
from triad.sparql.tree import Node, node, nodes, substitute, terms

__all__ = ["MAX_DEPTH", "MAX_LENGTH", "MAX_WORDS", "OPAQUE", "check_size", "mask", "parse", "unescape"]

MAX_LENGTH: Final = 10_000
"""Characters that a query may have."""
MAX_WORDS: Final = 4_000
"""Words and signs that a query may have; the parser takes up to a third of a millisecond for each."""
MAX_DEPTH: Final = 32
"""Brackets of any kind that may be open at once; the parser is recursive."""

# Casts that Virtuoso knows and SPARQL 1.1 does not, and the standard cast of the same meaning.
_CASTS = {
    URIRef(XSD + name): URIRef(XSD + "integer")
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
    from triad.sparql import grammar  # which takes longer to import than most questions to answer

    tree = grammar.read(text)
    selects = []
    for part in nodes(tree, "TriplesBlock", "SelectQuery", "SubSelect", "Function"):
        if part.name == "TriplesBlock":
            _check_triples(part)
        elif part.name == "Function":
            part["iri"] = _CASTS.get(part.iri, part.iri)
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
