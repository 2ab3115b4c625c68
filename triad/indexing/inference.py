"""What follows from a graph by the axioms that stand among its facts, made ready for whoever asks.

Clingo, an engine of answer set programming, applies the rules of ``inference.lp`` until nothing new follows. It is
given numbers in place of terms, and of the facts those alone that an axiom may touch. What follows stands in a named
graph of its own, so that it can be told from what was said.

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
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Final

import pyoxigraph
from pyoxigraph import RdfFormat

from triad.errors import ConfigError
from triad.indexing.triples import Triples
from triad.kg.parsing import Statements
from triad.rdf import BUILT_IN, INFERRED, OWL, RDF, RDF_TYPE, RDFS, Literal
from triad.resources import read, statements

_PROTON: Final = "http://proton.semanticweb.org/protonsys#"
_AXIOMS: Final = (
    *(RDF + name for name in ("first", "rest")),
    *(RDFS + name for name in ("subClassOf", "subPropertyOf", "domain", "range")),
    *(OWL + name for name in ("equivalentClass", "equivalentProperty", "inverseOf", "propertyChainAxiom", "sameAs")),
    *(_PROTON + name for name in ("transitiveOver", "conclusion", "premise1", "premise2", "premise3", "premise4")),
)
_OWN: Final = f"^({'|'.join(map(re.escape, BUILT_IN))})"
_SQL: Final = statements(__file__, type=RDF_TYPE, owl=OWL, own=_OWN, axioms=", ".join(f"'{iri}'" for iri in _AXIOMS))
_BATCH: Final = 20_000
_NUMBERS: Final = len("inferred(")


def check_engine() -> None:
    """Raise a `ConfigError` if the extra ``infer`` is not installed, before hours are spent."""
    if find_spec("clingo") is None:
        raise ConfigError("to infer takes clingo: pip install 'triad-kgqa[infer]'")


def follows(triples: Triples) -> Iterator[Statements]:
    """Yield the facts that follow from those that were taken, in the named graph `INFERRED`.

    Raises:
        ConfigError: The extra ``infer`` is not installed.
    """
    check_engine()
    import clingo

    database = triples.database
    database.execute(_SQL["prepared"])
    [[type_]] = database.execute("SELECT id FROM numbered WHERE value = ? AND tag IS NULL", [RDF_TYPE]).fetchall()
    engine = clingo.Control(["--warn=none", "-c", f"type={type_}"])
    engine.add("base", [], read(Path(__file__).with_suffix(".lp")))
    with triples.file("given.lp") as path:
        database.execute(f"COPY ({_SQL['program']}) TO '{path}' (FORMAT csv, HEADER false, QUOTE '', DELIMITER '\t')")
        engine.load(str(path))
    engine.ground([("base", [])])
    with triples.file("inferred.csv") as path:
        with path.open("w", encoding="ascii") as file:
            atoms = engine.symbolic_atoms.by_signature("inferred", 3)
            file.writelines(f"{str(atom.symbol)[_NUMBERS:-1]}\n" for atom in atoms)
        database.execute(_SQL["inferred"], [str(path)])
    del engine  # its memory is wanted for what comes
    for start in count(0, _BATCH):
        rows = database.execute("FROM inferred LIMIT ? OFFSET ?", [_BATCH, start]).fetchall()
        if not rows:
            break
        lines = "".join(f"{_named(s)} {_named(p)} {_object(o, tag)} <{INFERRED}> .\n" for s, p, o, tag in rows)
        yield Statements(b"", list(pyoxigraph.parse(lines, RdfFormat.N_QUADS, lenient=True)))
    database.execute("DROP TABLE inferred; DROP TABLE numbered; DROP TABLE given; DROP TABLE axiom")


def _named(value: str) -> str:
    return value if value.startswith("_:") else f"<{value}>"


def _object(value: str, tag: str | None) -> str:
    if tag is None:
        return _named(value)
    return Literal(value, language=tag[1:]).n3() if tag.startswith("@") else Literal(value, tag).n3()
