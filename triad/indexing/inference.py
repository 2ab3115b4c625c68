"""What follows from a graph by the axioms that stand among its facts, made ready for whoever asks.

Clingo, an engine of answer set programming, applies the rules of ``inference.lp`` until nothing new follows, in a
process with limits. It is given numbers in place of terms, and of the facts those alone that an axiom may touch. What
follows stands in a named graph of its own, so that it can be told from what was said; what Wikidata says of classes
by properties of its own does not.

>>> with Triples() as triples:
...     triples.take(pyoxigraph.parse(b'''
...         PREFIX : <http://x.org/> PREFIX owl: <http://www.w3.org/2002/07/owl#>
...         :has owl:inverseOf :of . :Momo :of :Ende .''', RdfFormat.TURTLE))
...     [quad] = next(follows(triples))
...     str(quad.subject), str(quad.predicate), str(quad.object)
('<http://x.org/Ende>', '<http://x.org/has>', '<http://x.org/Momo>')
"""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pyoxigraph
from pyoxigraph import RdfFormat

from triad.errors import DataError
from triad.indexing import worker
from triad.indexing.triples import Triples
from triad.kg.labels import VOCABULARY
from triad.kg.parsing import DEFAULT_LIMITS, ParseLimits, Statements
from triad.rdf import BUILT_IN, INFERRED, OWL, RDF, RDF_TYPE, RDFS, Literal
from triad.resources import statements
from triad.worker.pool import WorkerEnded, WorkerProcess

_PROTON: Final = "http://proton.semanticweb.org/protonsys#"
AXIOMS: Final = (
    *(RDF + name for name in ("first", "rest")),
    *(RDFS + name for name in ("subClassOf", "subPropertyOf", "domain", "range")),
    *(OWL + name for name in ("equivalentClass", "equivalentProperty", "inverseOf", "propertyChainAxiom", "sameAs")),
    *(_PROTON + name for name in ("transitiveOver", "conclusion", "premise1", "premise2", "premise3", "premise4")),
)
KINDS: Final = (OWL + "SymmetricProperty", OWL + "TransitiveProperty")
_OWN: Final = f"^({'|'.join(map(re.escape, BUILT_IN))})"
_AXIOMS: Final = ", ".join(f"'{iri}'" for iri in AXIOMS)
_CLASSING: Final = ", ".join(f"('{own}', '{usual}')" for own, usual in VOCABULARY["classing"].items())
_SQL: Final = statements(
    __file__, type=RDF_TYPE, owl=OWL, own=_OWN, inferred=INFERRED, axioms=_AXIOMS, classing=_CLASSING
)
_BATCH: Final = 20_000
_EXCESS: Final = "too much follows by the axioms: {}; have a database infer, and index what it gives without --infer"
_TIMED: Final = 100_000
"""Axioms and facts for which the engine has the seconds of a parser; most take it a tenth of that."""


def follows(triples: Triples, limits: ParseLimits = DEFAULT_LIMITS) -> Iterator[Statements]:
    """Yield the facts that follow from those that were taken, in the named graph `INFERRED`.

    Raises:
        DataError: To find them takes more than the limits allow, of which the seconds are for each `_TIMED` facts.
    """
    database = triples.database
    database.execute(_SQL["prepared"])
    [[type_, size]] = database.execute(_SQL["measured"]).fetchall()
    limits = replace(limits, seconds=limits.seconds * max(1, round(size / _TIMED)))
    with triples.file("given.lp") as given, triples.file("inferred.csv") as found:
        database.execute(f"COPY ({_SQL['program']}) TO '{given}' (FORMAT csv, HEADER false, QUOTE '', DELIMITER '\t')")
        job = (worker.__file__, Path(__file__).with_suffix(".lp"), given, found, type_, limits.memory, limits.seconds)
        with closing(WorkerProcess(*map(str, job))) as process:
            try:
                process.receive()
            except WorkerEnded as ended:
                raise DataError(_EXCESS.format(limits.told("the engine", ended))) from ended
        database.execute(_SQL["inferred"], [str(found)])
    yield from _batches(triples)
    database.execute("DROP TABLE numbered; DROP TABLE given; DROP TABLE axiom")


def classed(triples: Triples) -> Iterator[Statements]:
    """Yield by properties of RDF what was said of classes by Wikidata's, and delete this from the triples."""
    triples.database.execute(_SQL["classed"])
    yield from _batches(triples)


def _batches(triples: Triples) -> Iterator[Statements]:
    """Yield the statements of the table `inferred`, and drop it."""
    [[size]] = triples.database.execute("SELECT count(*) FROM inferred").fetchall()
    for start in range(0, size, _BATCH):
        found = triples.database.execute(f"SELECT s, p, o, tag, g FROM inferred LIMIT {_BATCH} OFFSET {start}")
        lines = "".join(
            f"{_term(s)} {_term(p)} {_term(o, tag)} {_term(g) if g else ''} .\n" for s, p, o, tag, g in found.fetchall()
        )
        yield Statements(b"", list(pyoxigraph.parse(lines, RdfFormat.N_QUADS, lenient=True)))
    triples.database.execute("DROP TABLE inferred")


def _term(value: str, tag: str | None = None) -> str:
    if tag is None:
        return value if value.startswith("_:") else f"<{value}>"
    return Literal(value, language=tag[1:]).n3() if tag.startswith("@") else Literal(value, tag).n3()
