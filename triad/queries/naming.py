"""Names of variables: a column is called what its values are, by the labels of the graph.

The values of a relation are called as it is, things of a class as that is: ``?director``, ``?film``. Variables that a
query already names otherwise than by ``x``, ``answer`` or a number keep their names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final

from triad import sparql
from triad.language.normalize import fold, local_name
from triad.sparql.term import TYPE, URIRef, Variable

__all__ = ["variable_names"]

_NAMELESS: Final = re.compile(r"(?:answer|result|uri|var|[a-z])[0-9]*\Z")
_LONGEST: Final = 40  # characters of a name; longer ones do not fit above a column

Labels = Callable[[Iterable[str]], Mapping[str, str]]
"""Returns the labels of classes and relations by their IRIs."""


def variable_names(
    tree: sparql.Node, labels: Labels, class_of: Callable[[str], str | None] = lambda _: None
) -> dict[str, str]:
    """Return new names for the variables of a query that have no telling ones: ASCII identifiers, each once.

    Args:
        tree: The query.
        labels: Names classes and relations.
        class_of: Returns the class of a relation's subjects, where it is known.

    >>> tree = sparql.parse("SELECT ?x { ?x <directed_by> ?y ; <length> ?runtime } ORDER BY ?runtime LIMIT 1")
    >>> variable_names(tree, lambda iris: {iri: iri.replace("_", " ") for iri in iris}, lambda _: "Film")
    {'x': 'film', 'y': 'directed_by'}
    """
    shown = [one.evar if one.var is None else one.var for one in tree.projection or []]
    every = dict.fromkeys([*shown, *(one for one in sparql.terms(tree) if isinstance(one, Variable))])
    nameless = [one for one in every if _NAMELESS.match(one)]
    if not nameless:
        return {}
    meanings: dict[Variable, str] = {}
    for variable, iri in _meanings(tree, class_of):
        meanings.setdefault(variable, iri)
    said = labels(dict.fromkeys(meanings[one] for one in nameless if one in meanings))
    computed = {
        one.evar: (one.expr.name.removeprefix("Aggregate_").lower(), one.expr.vars)
        for one in sparql.nodes(tree, "vars")
        if isinstance(one.expr, sparql.Node) and one.expr.name.startswith("Aggregate_")
    }
    roles = _roles(tree)
    names = {str(one): str(one) for one in every if one not in nameless}

    def named(variable: Variable) -> str:
        if variable in meanings:
            iri = meanings[variable]
            return _identifier(said.get(iri, "")) or _identifier(local_name(iri)) or "value"
        function, of = computed.get(variable, ("", None))
        inner = (named(of) if of in nameless else str(of)) if isinstance(of, Variable) and of != variable else ""
        return f"{function}_{inner}".strip("_") or roles.get(variable, "value")

    for one in nameless:
        names[str(one)] = _free(named(one), set(names.values()))
    return {str(one): names[str(one)] for one in nameless}


def _meanings(tree: sparql.Node, class_of: Callable[[str], str | None]) -> Iterator[tuple[Variable, str]]:
    """Yield the class or the relation that says what a variable stands for, what says most first."""
    listed = {
        one.var[0]: one.value[0]
        for one in sparql.nodes(tree, "InlineData")
        if one.value and len(one.var) == 1 and isinstance(one.value[0], URIRef)
    }
    patterns = [(subject, list(_steps(predicate)), value) for subject, predicate, value in sparql.patterns(tree)]
    for subject, steps, value in patterns:
        cls = listed.get(value, value)
        if isinstance(subject, Variable) and steps[:1] == [(TYPE, True)] and isinstance(cls, URIRef):
            yield subject, str(cls)
    ends = [(subject, relation, not forward) for subject, [(relation, forward), *_], _ in patterns if relation != TYPE]
    ends += [(value, *steps[-1]) for _, steps, value in patterns if steps[-1][0] != TYPE]
    for term, relation, is_value in ends:
        if isinstance(term, Variable) and isinstance(relation, URIRef) and is_value:
            yield term, str(relation)
    for term, relation, is_value in ends:
        if isinstance(term, Variable) and not is_value and (found := class_of(str(relation))):
            yield term, found


def _steps(path: Any) -> Iterator[tuple[Any, bool]]:
    """Yield the relations of a path, or the variable in its place, and whether each goes from subject to value."""
    if not isinstance(path, sparql.Node):
        yield path, True
    elif path.name == "PathEltOrInverse":
        yield from ((relation, not forward) for relation, forward in reversed(list(_steps(path.part))))
    else:
        for part in path.part if isinstance(path.part, list) else [path.part]:
            yield from _steps(part)


def _roles(tree: sparql.Node) -> dict[Variable, str]:
    """Return what variables are called by their places in patterns, of which no label tells more."""
    roles: dict[Variable, str] = {}
    for subject, predicate, value in sparql.patterns(tree):
        roles |= {predicate: "relation"} if isinstance(predicate, Variable) else {}
        roles |= {value: "kind"} if predicate == TYPE and isinstance(value, Variable) else {}
        (_, forward), *_ = steps = list(_steps(predicate))
        things = ((subject, forward), (value, not steps[-1][1]))
        roles |= {term: "thing" for term, is_thing in things if is_thing and isinstance(term, Variable)}
    return roles | {one.term: "graph" for one in sparql.nodes(tree, "GraphGraphPattern")}


def _identifier(name: str) -> str:
    """Return a name as an identifier; nothing if it cannot be one.

    >>> _identifier("Länge (km)"), _identifier("founded by"), _identifier("население")
    ('lange', 'founded_by', '')
    """
    words = re.findall("[a-z0-9]+", fold(re.sub(r"\([^)]*\)", " ", name)))
    made = ""
    for word in words:
        if made and len(made) + len(word) >= _LONGEST:
            break
        made = f"{made}_{word}" if made else word
    return made if made[:1].isalpha() and made.isascii() else ""


def _free(name: str, taken: set[str]) -> str:
    """Return a name with a number behind it if it is taken."""
    return next(one for at in count(1) if (one := f"{name}{at}" if at > 1 else name) not in taken)
