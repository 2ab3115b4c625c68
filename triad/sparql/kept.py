"""Queries that are read at each start, such as those of a config's definitions: kept as what they were read as.

To load the parser takes longer than most questions. A kept query is its `repr`, of which only calls of the classes of
queries are read, and constants.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from triad import rdf, resources
from triad.sparql import patterns, query_graph
from triad.sparql.query_graph import QueryGraph
from triad.sparql.reader import parse


def parse_once(text: str) -> QueryGraph:
    """Return the query that a text says, as `triad.sparql.parse` does, and keep it in the cache."""
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
