"""Text of queries read as trees.

The size of a text is checked first, and all that follows takes time in proportion to it.
"""

import ast
import itertools
import re
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from triad import rdf, resources
from triad.errors import QuerySyntaxError
from triad.rdf import IN_IRI
from triad.sparql import patterns, query_graph
from triad.sparql.patterns import fields
from triad.sparql.query_graph import QueryGraph

MAX_LENGTH: Final = 10_000
"""Characters that a query may have."""
_MAX_WORDS: Final = 4_000
"""Words and signs that a query may have; the parser takes up to a third of a millisecond for each."""
_MAX_DEPTH: Final = 32  # brackets of any kind that may be open at once; the parser is recursive
_MAX_NESTING: Final = 150  # parts within parts, as operators in a row are; what reads a tree is recursive

# A string that is not closed goes on to the end; looking for its end from each quote anew would take long.
_STRING = (
    r'"""(?>(?:[^"\\]|\\.?|"(?!""))*)(?:"""|\Z)'
    r"|'''(?>(?:[^'\\]|\\.?|'(?!''))*)(?:'''|\Z)"
    r'|"(?>(?:[^"\\\n]|\\.?)*)(?:"|(?=\n)|\Z)'
    r"|'(?>(?:[^'\\\n]|\\.?)*)(?:'|(?=\n)|\Z)"
)
OPAQUE: Final = re.compile(_STRING + rf"|<(?:{IN_IRI}|\\[uU])*>" + r"|(?<!\\)\#[^\n]*", re.DOTALL)
"""Text in which brackets and keywords mean nothing: strings, IRIs, comments."""
_WORD = re.compile(r"\w+|[^\w\s]")
_BRACKET = re.compile(r"[(){}\[\]]")
_CODE_POINT = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)", re.DOTALL)


def parse(text: str, prefixes: Mapping[str, str] | None = None) -> QueryGraph:
    """Return the query that a text says.

    It need not declare the prefixes that are given. Prefixed names and names relative to a BASE become IRIs;
    projections such as ``COUNT(?x)``, which Virtuoso accepts without brackets and name, are put into standard form, and
    so are casts such as ``xsd:int(?x)``.

    Raises:
        QuerySyntaxError: The text is not a SPARQL query, or too long or too deeply nested to be read.
    """
    check_size(text)
    text = OPAQUE.sub(lambda match: " " * len(match[0]) if match[0][0] == "#" else match[0], unescape(text))  # comments
    steps = (1 if sign in "({[" else -1 for sign in _BRACKET.findall(mask(text)))
    if (depth := max(itertools.accumulate(steps), default=0)) > _MAX_DEPTH:
        raise QuerySyntaxError(f"the query has brackets {depth} deep; at most {_MAX_DEPTH} are accepted: simplify it")
    from triad.sparql.parser import read, read_again  # a question without a model reads no query

    graph = read_again(text) if prefixes is None else read(text, prefixes)
    level: list[Any] = [graph]
    for _ in range(_MAX_NESTING):
        inner = (one if type(one) is tuple else fields(one) for one in level if not isinstance(one, str | int | None))
        level = list(itertools.chain.from_iterable(inner))
    if level:
        raise QuerySyntaxError("the query has too many operators in a row, or is nested too deeply: simplify it")
    return graph


def parse_once(text: str) -> QueryGraph:
    """Return the query that a text says, as `parse` does, and keep it in the cache: to load the parser takes long.

    It is kept as its `repr`, of which only calls of the classes of queries are read, and constants.
    """
    parser = [one.stat() for one in map(Path(__file__).with_name, ("parser.py", "sparql.lark", "query_graph.py"))]
    key = text, [(one.st_size, one.st_mtime_ns) for one in parser]
    kept = resources.kept("queries", key, lambda: repr(parse(text)).encode())
    try:
        return _value(ast.parse(kept[:].decode(), mode="eval").body)  # type: ignore[no-any-return]
    except (ValueError, TypeError, KeyError, SyntaxError):
        return parse(text)


def _value(node: Any) -> Any:
    match node:
        case ast.Call(ast.Name(name), [], keywords):
            return _classes()[name](**{str(one.arg): _value(one.value) for one in keywords})
        case ast.Tuple(parts):
            return tuple(map(_value, parts))
    return ast.literal_eval(node)


@cache
def _classes() -> Mapping[str, Callable[..., Any]]:
    named = (pair for part in (rdf, patterns, query_graph) for pair in vars(part).items())
    return {name: one for name, one in named if is_dataclass(one)}  # type: ignore[misc]


def check_size(text: str) -> None:
    """Raise a `QuerySyntaxError` if a query is too long for `parse`."""
    if len(text) > MAX_LENGTH:
        raise QuerySyntaxError(
            f"the query has {len(text):,} characters; at most {MAX_LENGTH:,} are accepted: shorten it"
        )
    if (words := len(_WORD.findall(text))) > _MAX_WORDS:
        raise QuerySyntaxError(f"the query has {words:,} words and signs; at most {_MAX_WORDS:,} are accepted")


def unescape(text: str) -> str:
    r"""Put characters in place of escapes such as ``\u00e9``.

    Raises:
        QuerySyntaxError: An escape is of no character, or the text has half a character.
    """

    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else match[0]

    try:
        text = _CODE_POINT.sub(character, text)
        text.encode()
    except (ValueError, OverflowError) as error:
        raise QuerySyntaxError(f"the query has a character that Unicode does not have: {error}") from error
    return text


def mask(text: str) -> str:
    """Blank out comments, and strings and IRIs but for their first character, so that positions stay."""
    return OPAQUE.sub(lambda match: match[0][0].strip("#").ljust(len(match[0])), text)
