"""Names of variables: a column is called what its values are, by the labels of the graph.

The values of a relation are called as it is, things of a class as that is: ``?director``, ``?film``; how many there are
as the question calls what it counts: ``?films``; an average ``?average_runtime``. Variables that a query already names
otherwise than by ``x``, ``answer``, ``count`` or a number keep their names.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from typing import Any, Final
from unicodedata import normalize

from triad import sparql
from triad.language.normalize import local_name
from triad.rdf import IRI, RDF_TYPE
from triad.sparql import QueryGraph
from triad.sparql.patterns import Aggregate, Computed, GraphPart, Path, Values, Variable

_TYPE: Final = IRI(RDF_TYPE)
_NAMELESS: Final = re.compile(r"(?:answer|result|uri|var|count|avg|max|min|sum|[a-z])[0-9]*\Z")
_LONGEST: Final = 40  # characters of a name; longer ones do not fit above a column

_NAME: Final = re.compile(
    r"[a-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0300-\u037d\u037f-\u1fff\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd]+"
)
"""What SPARQL allows in the name of a variable, in small letters, but for the underscore."""

Labels = Callable[[Iterable[str]], Mapping[str, str]]
"""Returns the labels of classes and relations by their IRIs."""


def variable_names(
    tree: QueryGraph,
    labels: Labels,
    class_of: Callable[[str, bool], str | None],
    aggregated: Callable[[str, str], str],
    words: Mapping[str, str],
) -> dict[str, str]:
    """Return new names for the variables of a query that have no telling ones: identifiers, each once.

    ``class_of`` returns the class that things have which have a relation, or are its values, where they are called so;
    ``aggregated`` what a function of something is called; ``words`` are those of the formulas that variables are values
    of.

    >>> tree = sparql.parse("SELECT ?x { ?x <directed_by> ?y ; <length> ?runtime } ORDER BY ?runtime LIMIT 1")
    >>> labels = lambda iris: {iri: iri.replace("_", " ") for iri in iris}
    >>> variable_names(tree, labels, lambda _, is_value: None if is_value else "Film", "{} {}".format, {})
    {'x': 'film', 'y': 'directed_by'}
    """
    shown = [one.variable if isinstance(one, Computed) else one for one in tree.columns]
    every = dict.fromkeys([*shown, *sparql.nodes(tree, Variable)])
    if not (nameless := [one for one in every if _NAMELESS.match(one.name)]):
        return {}
    meanings: dict[Variable, str] = {}
    for variable, iri in _meanings(tree, class_of):
        meanings.setdefault(variable, iri)
    said = labels(dict.fromkeys(meanings[one] for one in nameless if one in meanings))
    made = ((one.variable, one.expression) for one in sparql.nodes(tree, Computed))
    computed = {name: (one.function.lower(), one.of) for name, one in made if isinstance(one, Aggregate)}
    roles = _roles(tree)
    names = {one.name: one.name for one in every if one not in nameless}

    def named(variable: Variable) -> str:
        if variable in meanings:
            iri = meanings[variable]
            return identifier(said.get(iri, "")) or identifier(local_name(iri)) or "value"
        if word := identifier(words.get(variable.name, "")):
            return word
        function, of = computed.get(variable, ("", None))
        inner = (named(of) if of in nameless else of.name) if isinstance(of, Variable) and of != variable else ""
        if inner and (whole := identifier(aggregated(function, inner.replace("_", " ")))):
            return whole
        return f"{function}_{inner}".strip("_") or roles.get(variable, "value")

    for one in nameless:
        name, taken = named(one), set(names.values())
        numbered = (f"{name}{at}" if at > 1 else name for at in count(1))
        names[one.name] = next(free for free in numbered if free not in taken)
    return {one.name: names[one.name] for one in nameless}


def _meanings(tree: QueryGraph, class_of: Callable[[str, bool], str | None]) -> Iterator[tuple[Variable, str]]:
    """Yield the class or the relation that says what a variable stands for, what says most first."""
    values = (one for one in sparql.nodes(tree, Values) if one.rows and len(one.variables) == 1)
    listed: dict[Any, Any] = {one.variables[0]: one.rows[0][0] for one in values if isinstance(one.rows[0][0], IRI)}
    patterns = [(subject, list(steps_of(predicate)), value) for subject, predicate, value in sparql.triples(tree)]
    for subject, steps, value in patterns:
        cls = listed.get(value, value)
        if isinstance(subject, Variable) and steps[:1] == [(_TYPE, True)] and isinstance(cls, IRI):
            yield subject, str(cls)
    ends = [(subject, relation, not forward) for subject, [(relation, forward), *_], _ in patterns if relation != _TYPE]
    ends += [(value, *steps[-1]) for _, steps, value in patterns if steps[-1][0] != _TYPE]
    for term, relation, is_value in ends:
        if isinstance(term, Variable) and isinstance(relation, IRI) and is_value:
            yield term, class_of(str(relation), True) or str(relation)
    for term, relation, is_value in ends:
        if isinstance(term, Variable) and not is_value and (found := class_of(str(relation), False)):
            yield term, found


def steps_of(path: Any) -> Iterator[tuple[Any, bool]]:
    """Yield the relations of a path, or the variable in its place, and whether each goes from subject to value."""
    if not isinstance(path, Path):
        yield path, True
        return
    for part in reversed(path.relations) if path.sign == "^" else path.relations:
        found = list(steps_of(part))
        yield from ((one, not forward) for one, forward in reversed(found)) if path.sign == "^" else found


def _roles(tree: QueryGraph) -> dict[Any, str]:
    """Return what variables are called by their places in patterns, of which no label tells more."""
    roles: dict[Any, str] = {}
    for subject, predicate, value in sparql.triples(tree):
        roles |= {predicate: "relation"} | ({value: "kind"} if predicate == _TYPE else {})
        (_, forward), *_ = steps = list(steps_of(predicate))
        roles |= {term: "thing" for term, is_thing in ((subject, forward), (value, not steps[-1][1])) if is_thing}
    return roles | {one.graph: "graph" for one in sparql.nodes(tree, GraphPart)}


def identifier(name: str) -> str:
    """Return a name as that of a variable, in its own script; nothing if it cannot be one.

    >>> identifier("Länge (km)"), identifier("founded by"), identifier("население"), identifier("1st"), identifier("m²")
    ('länge', 'founded_by', 'население', '', 'm')
    """
    words = _NAME.findall(normalize("NFC", re.sub(r"\([^)]*\)", " ", name)).lower())
    made = ""
    for word in words:
        if made and len(made) + len(word) >= _LONGEST:
            break
        made = f"{made}_{word}" if made else word
    made = made.removeprefix("has_")
    return made if made[:1].isalpha() else ""
