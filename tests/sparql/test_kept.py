from __future__ import annotations

from pathlib import Path

import pytest

from triad import resources, sparql
from triad.errors import QuerySyntaxError
from triad.sparql.reader import parse_once


@pytest.mark.parametrize(
    "text",
    [
        'SELECT (?a > 1 && ?b = "x"@en || !(?c IN (1, 2)) AS ?made) { }',
        "SELECT ?it { ?it <p>/^<q>* ?y . OPTIONAL { ?y ?z -3.5 } MINUS { ?y a <C> } FILTER(EXISTS { ?y ?y _:b }) }",
        "SELECT ?x (SUM(DISTINCT ?n) AS ?sum) { { ?x <p> ?n } UNION { GRAPH ?g { ?x <q> ?n } } VALUES ?x { <a> UNDEF } "
        '} GROUP BY ?x HAVING (COUNT(?n) > 1) ORDER BY DESC(STRLEN("\\"é\\n")) LIMIT 3 OFFSET 1',
        "ASK { ?it <p> true }",
    ],
)
def test_a_kept_query_is_what_the_parser_reads(text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    read = sparql.parse(text)
    assert parse_once(text) == read
    monkeypatch.setattr("triad.sparql.reader.parse", lambda _: pytest.fail("it was kept"))
    assert parse_once(text) == read


def test_what_cannot_be_read_of_the_cache_is_parsed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    for damaged in (b"", b"QueryGraph(", b"open('x')", b"Path('x')", b"QueryGraph(columns=__import__('os'))"):
        monkeypatch.setattr(resources, "kept", lambda *_, damaged=damaged: damaged)
        assert parse_once("ASK { ?x ?y 1 }") == sparql.parse("ASK { ?x ?y 1 }")


def test_a_text_that_is_no_query_is_not_kept() -> None:
    for _ in range(2):
        with pytest.raises(QuerySyntaxError):
            parse_once("SELECT nothing")
