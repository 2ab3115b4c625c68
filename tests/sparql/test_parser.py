"""The grammar reads what rdflib reads, and means the same by it; where it reads more, it is said here."""

from __future__ import annotations

import json
import logging
import pickle
import sys
import threading
from pathlib import Path
from typing import Any

import lark
import pytest
import yaml
from rdflib.plugins.sparql import algebra, parser as rdflib_parser
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import BNode, Literal

from tests.sparql.test_writer import QUERIES, P
from triad import sparql
from triad.errors import QuerySyntaxError
from triad.sparql.parser import _end_at_words, _grammar, _parser, _Rules
from triad.sparql.patterns import Service

GOLD = ["qald9/questions.json", "lcquad/questions.json", "yago/questions.json", "ck25/questions.yml"]
STANDARD = (
    f"{P}PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n"
)


def by_rdflib(query: str) -> Any:
    """Return what a query means in rdflib's algebra, without what is the same and said in another way."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    try:
        return _meant(algebra.translateQuery(rdflib_parser.parseQuery(query)).algebra)
    finally:
        sys.setrecursionlimit(limit)


def _meant(value: Any) -> Any:
    if isinstance(value, CompValue) and value.name == "OrderCondition":
        return _meant(value.expr), value.order or "ASC"
    if isinstance(value, CompValue) and value.name == "BGP":
        return sorted(map(str, _meant(list(value.triples))))
    if isinstance(value, CompValue):
        return value.name, {name: _meant(part) for name, part in value.items() if name not in ("_vars", "lazy")}
    if isinstance(value, list | tuple | set):
        parts = [_meant(part) for part in value]
        return sorted(parts, key=str) if isinstance(value, set) else parts
    if isinstance(value, BNode):
        return "_:"
    if isinstance(value, Literal) and isinstance(value.value, float):
        return value.value
    if isinstance(value, Literal):
        return str(value), value.language, str(value.datatype or "http://www.w3.org/2001/XMLSchema#string")
    return value if value is None or isinstance(value, dict | bool) else str(value)


MISREAD = {
    "construct where", "construct where nothing", "values of literals", "negative numbers", "group by a call",
    "negated property set with inverse", "negated inverse property", "unary minus", "hashes that begin no comment",
    "local names with escapes",
}  # fmt: skip
"""What rdflib reads otherwise than it is meant, or as the same in other words."""


@pytest.mark.parametrize("name", [name for name in QUERIES if name not in MISREAD])
def test_a_query_means_what_it_means_to_rdflib(name: str) -> None:
    query = STANDARD + QUERIES[name]
    try:
        meant = by_rdflib(query)
    except Exception as error:
        pytest.skip(f"rdflib does not read it: {error}")
    assert by_rdflib(sparql.write(sparql.parse(query))) == meant


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLD)
def test_gold_queries_mean_what_they_mean_to_rdflib(shared_data: Path, name: str) -> None:
    text = (shared_data / name).read_text(encoding="utf-8")
    compared = 0
    for question in (yaml.safe_load(text) if name.endswith("yml") else json.loads(text))["questions"]:
        try:
            meant = by_rdflib(question["query"]["sparql"])
        except Exception:
            continue  # names columns or has prefixes as only some endpoints take them
        assert by_rdflib(sparql.write(sparql.parse(question["query"]["sparql"]))) == meant
        compared += 1
    assert compared > 20


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * {" + "?s ?p ?o . " * 500 + "}",
        "SELECT * { ?s ?p -1.5 }",
        "SELECT * { ?s <p>?o }",
        "SELECT COUNT(*) { }",
        "SELECT (COUNT(*)) { }",
        "SELECT * { FILTER(?a<5&&?b>3) }",
        "SELECT * { FILTER(<a> + ?b > 3) }",
        "SELECT * { ?s <p> +5, - 5 ; <q>+ ?o . . ?o <p> 1 .. }",
    ],
)
def test_more_is_read_than_rdflib_reads_alike(query: str) -> None:
    assert sparql.write(sparql.parse(sparql.write(sparql.parse(query)))) == sparql.write(sparql.parse(query))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("SELECT ?x { ?x }", "column 16"),
        ("SELECT ?x WHERE\n{ ?x a ?y . FILTER ?y }", "line 2, column 20"),
        ("SELECTED ?x { ?x a ?y }", "column 1"),
        ("SELECT ?x { ?x a ?y } LIMIT10", "column 23"),
        ("SELECT ?x { ?x a ?y } LIMIT 1.5", "column 30"),
        ("SELECT ?x { ?x A ?y }", "column 16"),
        ("SELECT ?x { ?x <a b> ?y }", "column 16"),
        ("SELECT ?x { STRLEN(?x) }", "column 13"),
        ("SELECT ?x { ?x a ?y FILTER(STRLEN()) }", "column 35"),
        ("SELECT ?x { ?x a ?y FILTER(IF(1, 2)) }", "column 35"),
        ("SELECT ?x { VALUES ?y { ?z } }", "column 25"),
        ("SELECT ?x { ?x a 'a\nb' }", "column 18"),
        ("INSERT DATA { <a> <b> <c> }", "column 1"),
        ("ASK { } ; DROP ALL", "column 9"),
    ],
)
def test_an_error_says_where_it_is(text: str, place: str) -> None:
    with pytest.raises(QuerySyntaxError, match=f"{place}, at"):
        sparql.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }", "CONSTRUCT queries are not read"),
        ("PREFIX a: <b> describe a:c", "DESCRIBE queries are not read"),
        ("SELECT * { VALUES (?x ?y) { (1) } }", "not as many values"),
        ("PREFIX a:b <c> ASK { }", "ends with its colon"),
        ("SELECT (?x + 1) { }", "column without a name"),
        ("BASE <http://[> ASK { <x> ?p ?o }", "cannot be read"),
    ],
)
def test_what_the_grammar_cannot_say_is_checked_as_well(text: str, message: str) -> None:
    with pytest.raises(QuerySyntaxError, match=message):
        sparql.parse(text)


def test_a_number_that_is_too_large_is_cut() -> None:
    assert sparql.parse("ASK { } LIMIT 00000000000000000000005").limit == 5
    assert sparql.parse("ASK { } OFFSET " + "9" * 5_000).offset == 10**18


@pytest.mark.slow(0.1)
def test_threads_read_at_once_with_prefixes_of_their_own() -> None:
    wrong: list[str] = []

    def read(name: str) -> None:
        for _ in range(100):
            text = sparql.write(sparql.parse(f"PREFIX p: <http://{name}/> SELECT * {{ ?s p:a [ p:b ?o ] }}"), {})
            if text.count(f"<http://{name}/") != 2:
                wrong.append(text)

    threads = [threading.Thread(target=read, args=(f"n{at}",)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_service_in_a_service_is_read() -> None:
    query = sparql.parse("SELECT * {" + "SERVICE <http://a/> {" * 12 + "?s ?p ?o" + "}" * 13)
    assert len(list(sparql.nodes(query, Service))) == 12


@pytest.mark.slow(0.2)
def test_every_rule_gives_something_and_no_choice_is_settled_by_chance(caplog: pytest.LogCaptureFixture) -> None:
    lark.logger.setLevel(logging.DEBUG)
    try:
        made = lark.Lark(_grammar(), parser="lalr", start="query", debug=True, edit_terminals=_end_at_words)
    finally:
        lark.logger.setLevel(logging.CRITICAL)
    assert "conflict" not in caplog.text.lower()
    names = {rule.alias or rule.origin.name for rule in made.rules if not rule.origin.name.startswith("_")}
    assert {name for name in names if not hasattr(_Rules, name)} <= {"primary", "prologue", "relation"}


class _Planted:
    """What touches a file when it is unpickled."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> Any:
        return Path.touch, (self.file,)


@pytest.mark.slow(1)
def test_what_somebody_has_put_in_place_of_the_tables_is_not_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path / "cache"))
    for number in range(3):
        _parser.cache_clear()
        assert sparql.parse(f"ASK {{ ?s ?p 'planted {number}' }}").ask
        there = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
        assert there
        for path in there:
            path.write_bytes(b"0" * 64 + b"\n" + pickle.dumps(_Planted(tmp_path / "ran")))
    _parser.cache_clear()
    assert not (tmp_path / "ran").exists()


_REIFIED = "?r rdf:reifies <<( ?s :p ?o )>> ."


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("?s :p ?o ~ ?r .", f"?s :p ?o . {_REIFIED}"),
        ("?s :p ?o ~ ?r {| :since ?y |} .", f"?s :p ?o . {_REIFIED} ?r :since ?y ."),
        ("<< ?s :p ?o ~ ?r >> :since ?y .", f"{_REIFIED} ?r :since ?y ."),
        ("<< ?s :p 'a' ~ ?r >>", "?r rdf:reifies <<( ?s :p 'a' )>> ."),
        ("?s :p ?o {| :a 1 |} {| :b 2 |} .", "?s :p ?o {| :a 1 |} . ?s :p ?o {| :b 2 |} ."),
        ("?x :said << ?s :p ?o ~ ?r >> .", f"?x :said ?r . {_REIFIED}"),
        ("<< << ?s :p ?o ~ ?r >> :q ?x ~ ?t >> :y ?z", f"{_REIFIED} ?t rdf:reifies <<( ?r :q ?x )>> . ?t :y ?z ."),
    ],
)
def test_what_sparql_1_2_says_about_triples_is_read_as_edges(text: str, same: str) -> None:
    read, other = (sparql.parse(f"{STANDARD} PREFIX : <http://e/> SELECT * {{ {one} }}") for one in (text, same))
    assert set(read.normalised().where) == set(other.normalised().where)
    assert sparql.parse(sparql.write(read)) == read


def test_what_a_path_finds_cannot_be_annotated() -> None:
    with pytest.raises(QuerySyntaxError, match="a property path cannot be annotated: it is no triple"):
        sparql.parse("SELECT * { ?s <a>/<b> ?o ~ ?r }")
