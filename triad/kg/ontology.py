"""What an ontology says of its classes and relations in words: names, descriptions, units, SHACL shapes.

It stands in the graph itself, or in files beside it, whose triples are no answers. Either way it is read from triples:
what a shape says is said of the relation of its path, or of the class that it targets.

>>> from triad.rdf import IRI, Literal
>>> shape, revenue = "_:b0", "http://example.org/revenue"
>>> notes = notes_of([(shape, SHACL + "path", IRI(revenue)), (shape, SHACL + "name", Literal("net sales"))])
>>> [name.value for name in notes[revenue].labels]
['net sales']
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final, Self

from triad.kg.labels import ALIASES, VOCABULARY, WELL_KNOWN
from triad.language.normalize import local_name
from triad.language.pack import load_pack
from triad.questions import Kind
from triad.rdf import DECLARED_KINDS, IRI, RDF, RDF_TYPE, SHACL, SKOS, XSD, Literal, ResultSet, Term, writable
from triad.resources import queries

DESCRIPTIONS: Final = tuple[str, ...](VOCABULARY["descriptions"])
"""Well-known properties that describe a thing in a text, the shortest texts first."""

_SHAPE_TEXTS: Final = (SHACL + "description", SHACL + "agentInstruction")
_LABELS: Final = (*WELL_KNOWN, SHACL + "name")
_OTHERS: Final = (*ALIASES, SKOS + "hiddenLabel")
_UNITS: Final = tuple[str, ...](VOCABULARY["units"])
NOTES: Final = (*_OTHERS, *DESCRIPTIONS, *_UNITS)
"""Properties of a term that say what its labels do not."""
_PATH, _IN, _ORDER = SHACL + "path", SHACL + "in", SHACL + "order"
_TARGET: Final = SHACL + "targetClass"
SHAPES: Final = (_PATH, _TARGET, _IN, _ORDER, SHACL + "name", *_SHAPE_TEXTS)
"""Properties of shapes."""
LIST: Final = (RDF + "first", RDF + "rest")
_written: Final = queries(__file__, shacl=SHACL, rdf=RDF, shaped=20_000)  # triples of shapes that are asked for

_READ: Final = 2_000_000  # triples of an ontology's files that are read
_BYTES: Final = 2**30

_DECLARING: Final[Mapping[str, Kind]] = VOCABULARY["declaring"]
_TOLD_UNIT: Final = re.compile(r" in ((?:square |cubic )?\w{3,})(?: \([^()]*\))?\.?$")
_BRACKET: Final = re.compile(r"\((?:in )?([^()\d]{1,20}\d?)\)\s*$")  # a unit at the end of a label: capacity (MW)
_LENGTH: Final = 300  # characters of a description that are kept
_QUDT: Final = "http://qudt.org/vocab/"
_PREFIX: Final = re.compile(r"(Nano|Micro|Milli|Centi|Hecto|Kilo|Mega|Giga|Tera)(?=[A-Z])")
_CODES: Final[Mapping[str, str]] = VOCABULARY["codes"]  # units by the codes that QUDT has for them

Statement = tuple[str, str, Term]
"""A triple; a blank node as a subject is ``_:`` and its name."""


@dataclass(frozen=True, slots=True)
class Notes:
    """What an ontology says of a class or a relation."""

    kind: Kind | None = None
    """What it is, as far as it is declared."""
    labels: tuple[Literal, ...] = ()
    others: tuple[Literal, ...] = ()
    """Other names: what people call it, too."""
    descriptions: tuple[Literal, ...] = ()
    """Texts that say what is meant, those by the preferred property first."""
    units: tuple[str, ...] = ()
    """Units that its numbers are in."""
    values: tuple[str, ...] = ()
    """The values that it may have, where these are listed."""
    order: float | None = None
    """Its place among the relations of a class."""

    @property
    def names(self) -> tuple[str, ...]:
        """All names."""
        return tuple(dict.fromkeys(name.value for name in (*self.labels, *self.others)))

    def __or__(self, other: Self) -> Self:
        """Return what two sources say of the same; what only one can tell, the first one does."""
        own: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        for name, mine in own.items():
            more = getattr(other, name)
            if name in ("labels", "others", "descriptions"):
                own[name] = tuple(dict.fromkeys((*mine, *more)))
            elif mine is None or mine == ():
                own[name] = more
        return type(self)(**own)


def merged(one: Mapping[str, Notes], other: Mapping[str, Notes]) -> dict[str, Notes]:
    """Return what two sources say of all their terms."""
    return {iri: one.get(iri, Notes()) | other.get(iri, Notes()) for iri in {**one, **other}}


def notes_of(statements: Iterable[Statement], hints: Sequence[str] = ()) -> dict[str, Notes]:
    """Return what triples say of terms; ``hints`` are further properties that describe, and come first."""
    said: defaultdict[str, defaultdict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, value in statements:
        said[subject][predicate].append(value)
    found: dict[str, Notes] = {}
    for subject in sorted(said, key=lambda one: (one.startswith("_:"), one)):
        of = said[subject]
        is_shape = SHACL + "NodeShape" in map(str, of.get(RDF_TYPE, ()))
        kind: Kind | None = "relation" if _PATH in of else "class" if _TARGET in of or is_shape else _declared(of)
        about = [one.value for one in (*of.get(_PATH, ()), *of.get(_TARGET, ())) if isinstance(one, IRI)]
        if not about and _PATH not in of:
            about = [subject]
        note = Notes(
            kind,
            _texts(of, _LABELS),
            _texts(of, _OTHERS),
            _texts(of, (*hints, *DESCRIPTIONS, *_SHAPE_TEXTS)),
            tuple(dict.fromkeys(_unit(one) for name in _UNITS for one in of.get(name, ()))) or _told_unit(of),
            tuple(_listed(of.get(_IN, ()), said)),
            next((one.number for one in of.get(_ORDER, ()) if isinstance(one, Literal)), None),
        )
        for iri in about:
            if note != Notes() and not iri.startswith("_:"):
                found[iri] = found.get(iri, Notes()) | note
    return found


def ask_notes(
    ask: Callable[[str], ResultSet | None], terms: Iterable[str], hints: Sequence[str] = (), batch: int = 100
) -> dict[str, Notes]:
    """Return what a graph and its shapes say of terms, by some queries; what it does not tell is left out."""
    statements: list[Statement] = []
    # Names of blank nodes hold within one result; some servers do not follow lists.
    for what in ("shapes and lists", "shapes"):
        if (rows := ask(_written(what, shapes=_iris(SHAPES)))) is not None:
            statements += _statements(rows)
            break
    return notes_of([*statements, *ask_terms(ask, terms, (*hints, *NOTES), batch)], hints)


def ask_terms(
    ask: Callable[[str], ResultSet | None], terms: Iterable[str], properties: Iterable[str], batch: int
) -> Iterator[Statement]:
    """Yield what a graph says of terms by some properties, as far as it tells."""
    wanted, names = sorted(filter(writable, terms)), _iris(properties)
    for at in range(0, len(wanted), batch):
        some = " ".join(f"<{iri}>" for iri in wanted[at : at + batch])
        yield from _statements(ask(_written("terms", terms=some, properties=names)) or ResultSet(()))


def _statements(rows: ResultSet) -> Iterator[Statement]:
    return ((str(row["s"]), str(row["p"]), row["o"]) for row in rows)


def _iris(names: Iterable[str]) -> str:
    return ", ".join(IRI(name).n3() for name in names)


def _declared(of: Mapping[str, Sequence[Term]]) -> Kind | None:
    kinds: list[Kind] = [DECLARED_KINDS[str(one)] for one in of.get(RDF_TYPE, ()) if str(one) in DECLARED_KINDS]
    return next(iter(kinds + [kind for name, kind in _DECLARING.items() if name in of]), None)


def _texts(of: Mapping[str, Sequence[Term]], properties: Iterable[str]) -> tuple[Literal, ...]:
    """Return the texts by some properties, those by the preferred one first, in an order that does not change."""
    texts = (one for name in properties for one in sorted(of.get(name, ()), key=lambda one: one.value))
    said = (one for one in texts if isinstance(one, Literal) and one.value.strip())
    found = (Literal(one.value[:_LENGTH], one.datatype, one.language) for one in said)
    return tuple(dict.fromkeys(found))


def _unit(term: Term) -> str:
    """Return the English name of a unit.

    >>> _unit(IRI("http://qudt.org/vocab/unit/MegaW-HR"))
    'megawatt hour'
    """
    if not isinstance(term, IRI):
        return term.value
    if not term.value.startswith(_QUDT):
        return local_name(term.value)
    code = term.value.rpartition("/")[2].removeprefix("CCY_")
    prefix = _PREFIX.match(code)
    rest = code.removeprefix(prefix[0]) if prefix else code
    return f"{prefix[0].lower() if prefix else ''}{_CODES[rest]}" if rest in _CODES else code


def _told_unit(of: Mapping[str, Sequence[Term]]) -> tuple[str, ...]:
    """Return the unit that an English description ends with: "Length in kilometres (km)."."""
    ends = (_TOLD_UNIT.search(one.value) for one in _texts(of, DESCRIPTIONS))
    told = (end[1] for end in ends if end)
    return tuple(unit for unit in told if _is_unit(" ".join(load_pack("en").stem_list(unit)), unit))[:1]


def units_of(iri: str, labels: Iterable[Literal], datatypes: Iterable[str]) -> tuple[str, ...]:
    """Return the units that a relation's numbers are in: as datatypes of their own, else as its name says."""
    own = [local_name(datatype) for datatype in datatypes if not datatype.startswith((XSD, RDF))]
    if own:
        return tuple(sorted(own))
    for name in (*(label.value for label in labels), local_name(iri)):
        if bracket := _BRACKET.search(name):
            return (bracket[1].strip(),)
        words = name.split()
        _, told, unit = name.rpartition(" in ")
        ends = [unit] if told else [" ".join(words[at:]) for at in range(1, len(words))]
        longest = next((one for one in ends if _is_unit(" ".join(load_pack("en").stem_list(one)), one)), None)
        if longest and words[-len(longest.split()) - 1].lower() not in ("per", "a", "of"):
            return (longest,)
    return ()


def _is_unit(stem: str, words: str) -> bool:
    dimension, _ = load_pack("en").units.get(stem, ("", 0.0))
    # "Year of birth" and "published in year" are points in time; "in years" is how long something takes.
    return bool(dimension) and (dimension != "time" or words.endswith("s"))


def _listed(heads: Iterable[Term], said: Mapping[str, Mapping[str, Sequence[Term]]]) -> Iterator[str]:
    """Yield the members of a list: texts, and the local names of IRIs."""
    seen: set[str] = set()
    for head in heads:
        node = str(head)
        while node in said and node not in seen:
            seen.add(node)
            for member in said[node].get(LIST[0], ()):
                yield local_name(member.value) if isinstance(member, IRI) else member.value
            node = next((str(one) for one in said[node].get(LIST[1], ())), "")


def read_notes(files: Sequence[str | Path], hints: Sequence[str] = ()) -> dict[str, Notes]:
    """Return what the files of an ontology say.

    Raises:
        DataError: A file is missing, of an unknown format or malformed.
    """
    from triad.kg.local import LocalGraph  # with the engine

    wanted = _iris((RDF_TYPE, *_LABELS, *NOTES, *hints, *SHAPES, *LIST, *_DECLARING))
    with LocalGraph.load(files, row_limit=_READ, byte_limit=_BYTES) as graph:
        return notes_of(_statements(graph.lookup(f"SELECT ?s ?p ?o {{ ?s ?p ?o FILTER(?p IN ({wanted})) }}")), hints)
