"""The guard lets reading pass and nothing else, and what it gives is what runs."""

# ruff: noqa: E501  (a query is one line)
from __future__ import annotations

import re
from typing import Any

import pyoxigraph
import pytest
from hypothesis import given, settings, strategies as st

from triad import sparql
from triad.errors import QueryRejected, QuerySyntaxError
from triad.kg.guard import Policy, check
from triad.sparql.patterns import Service

UPDATES = {
    "insert data": "INSERT DATA { <a:a> <a:b> 1 }",
    "insert data in odd case": "InSeRt\tdAtA{<a:a> <a:b> 1}",
    "insert data over lines": "INSERT\n\n\nDATA\n{ <a:a> <a:b> 1 }",
    "insert data after a comment": "# SELECT * { }\nINSERT DATA { <a:a> <a:b> 1 }",
    "insert data with a comment within": "INSERT # x\n DATA { <a:a> <a:b> 1 }",
    "insert data after a prologue": "PREFIX e: <http://e/> BASE <http://e/> INSERT DATA { e:a e:b 1 }",
    "insert data behind escapes": "\\u0049NSERT DATA { <a:a> <a:b> 1 }",
    "insert data behind long escapes": "I\\U0000004ESERT D\\u0041TA { <a:a> <a:b> 1 }",
    "insert data into a graph": "INSERT DATA { GRAPH <a:g> { <a:a> <a:b> 1 } }",
    "delete data": "DELETE DATA { <a:a> <a:b> 1 }",
    "delete where": "DELETE WHERE { ?s ?p ?o }",
    "delete and insert": "DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }",
    "delete without a space": "DELETE{?s ?p ?o}WHERE{?s ?p ?o}",
    "insert where": "INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }",
    "with": "WITH <a:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "using": "DELETE { ?s ?p ?o } USING <a:g> WHERE { ?s ?p ?o }",
    "load": "LOAD <http://evil.example/x.ttl>",
    "load silent": "LOAD SILENT <http://evil.example/x.ttl> INTO GRAPH <a:g>",
    "load by a prefix": "PREFIX e: <http://evil.example/> LOAD e:x",
    "clear": "CLEAR ALL",
    "clear default": "clear silent default",
    "clear graph": "CLEAR GRAPH <a:g>",
    "drop": "DROP ALL",
    "drop named": "DROP NAMED",
    "drop named silent": "DROP SILENT NAMED",
    "create": "CREATE GRAPH <a:g>",
    "create silent": "CREATE SILENT GRAPH <a:g>",
    "add": "ADD <a:g> TO <a:h>",
    "add default": "ADD DEFAULT TO <a:h>",
    "move": "MOVE GRAPH <a:g> TO DEFAULT",
    "copy": "COPY <a:g> TO <a:h>",
    "several statements": "DROP ALL ; INSERT DATA { <a:a> <a:b> 1 }",
    "a query and then an update": "SELECT * { ?s ?p ?o } ; DROP ALL",
    "a query closed early": "SELECT * { ?s ?p ?o } DELETE WHERE { ?s ?p ?o }",
    "an update within a query": "SELECT * { INSERT DATA { <a:a> <a:b> 1 } }",
    "an update within a sub-select": "SELECT * { { SELECT * { ?s ?p ?o } } DELETE { ?s ?p ?o } }",
}
SERVICE = "SERVICE <http://evil.example/sparql> { ?s ?p ?o }"
FORBIDDEN = {
    "service": f"SELECT * {{ {SERVICE} }}",
    "service silent": "SELECT * { SERVICE SILENT <http://evil.example/> { ?s ?p ?o } }",
    "service in odd case": "SELECT * { sErViCe<http://evil.example/>{} }",
    "service behind an escape": "SELECT * { \\u0053ERVICE <http://evil.example/> { } }",
    "service by a prefix": "PREFIX e: <http://evil.example/> SELECT * { SERVICE e:x { } }",
    "service by a base": "BASE <http://evil.example/> SELECT * { SERVICE <x> { } }",
    "service in a service": "SELECT * { SERVICE <http://evil.example/> { SERVICE <http://evil.example/2> { } } }",
    "service of a variable": "SELECT * { BIND(<http://evil.example/> AS ?e) SERVICE ?e { ?s ?p ?o } }",
    "service in an ask": f"ASK {{ {SERVICE} }}",
    "service in an optional": f"SELECT * {{ ?s ?p ?o OPTIONAL {{ {SERVICE} }} }}",
    "service in a union": f"SELECT * {{ {{ ?s ?p ?o }} UNION {{ {SERVICE} }} }}",
    "service in a minus": f"SELECT * {{ ?s ?p ?o MINUS {{ {SERVICE} }} }}",
    "service in a graph": f"SELECT * {{ GRAPH ?g {{ {SERVICE} }} }}",
    "service in a sub-select of a sub-select": f"SELECT * {{ {{ SELECT * {{ {{ SELECT * {{ {SERVICE} }} }} }} }} }}",
    "service in exists": f"SELECT * {{ ?s ?p ?o FILTER EXISTS {{ {SERVICE} }} }}",
    "service in not exists": f"SELECT * {{ ?s ?p ?o FILTER NOT EXISTS {{ {SERVICE} }} }}",
    "service in a projection": f"SELECT (IF(EXISTS {{ {SERVICE} }}, 1, 2) AS ?x) {{ }}",
    "service in a bind": f"SELECT * {{ BIND(EXISTS {{ {SERVICE} }} AS ?x) }}",
    "service in a having": f"SELECT ?s {{ ?s ?p ?o }} GROUP BY ?s HAVING (EXISTS {{ {SERVICE} }})",
    "service in a group by": f"SELECT * {{ ?s ?p ?o }} GROUP BY (EXISTS {{ {SERVICE} }} AS ?x)",
    "service in an order by": f"SELECT * {{ ?s ?p ?o }} ORDER BY (EXISTS {{ {SERVICE} }})",
    "service in an aggregate": f"SELECT (COUNT(EXISTS {{ {SERVICE} }}) AS ?n) {{ ?s ?p ?o }}",
    "service in a list": f"SELECT * {{ ?s ?p ?o FILTER(?o IN (1, EXISTS {{ {SERVICE} }})) }}",
    "from": "SELECT * FROM <http://evil.example/x.ttl> { ?s ?p ?o }",
    "from a file": "SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }",
    "from named": "SELECT * FROM NAMED <http://evil.example/x.ttl> { GRAPH ?g { ?s ?p ?o } }",
    "from by a prefix": "PREFIX f: <file:///etc/> ASK FROM f:passwd { ?s ?p ?o }",
    "the function of a Java class": "SELECT * { FILTER(<java:java.lang.Runtime.exec>('ls')) }",
    "a Java class as predicate": "SELECT * { ?s <java:com.example.Evil> ?o }",
    "a Java class in odd case": "SELECT * { ?s <JaVa:com.example.Evil> ?o }",
    "a Java class by a prefix": "PREFIX j: <java:> SELECT * { ?s j:Evil ?o }",
    "a Java class by an escape": "SELECT * { ?s <\\u006Aava:Evil> ?o }",
    "a Virtuoso built-in": "SELECT (<bif:sys_stat>('x') AS ?v) { }",
    "a Virtuoso built-in as predicate": "SELECT * { ?s <bif:contains> 'x' }",
    "an SQL function": "SELECT * { FILTER(<sql:exec>('DROP TABLE x')) }",
    "a Jena function": "PREFIX afn: <http://jena.apache.org/ARQ/function#> SELECT * { FILTER(afn:localname(?s) = 'x') ?s ?p ?o }",
    "an unknown function": "SELECT * { FILTER(<http://example.org/f>(1)) }",
    "a function of a mention": "SELECT * { FILTER(<f>(1)) }",
    "a function in a group by": "SELECT * { ?s ?p ?o } GROUP BY <http://example.org/f>(?s)",
    "a function in an order by": "SELECT * { ?s ?p ?o } ORDER BY <http://example.org/f>(?s)",
    "a function in a projection": "SELECT (<http://example.org/f>(?s) AS ?x) { ?s ?p ?o }",
    "a function in a sub-select": "SELECT * { { SELECT (1 + <http://example.org/f>(?s) AS ?x) { ?s ?p ?o } } }",
    "a function that looks standard": "SELECT * { FILTER(<http://www.w3.org.evil.example/2001/XMLSchema#int>(1)) }",
    "construct": "CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }",
    "construct where": "CONSTRUCT WHERE { ?s ?p ?o }",
    "describe": "DESCRIBE <http://example.org/a>",
}  # fmt: skip
UNREADABLE = {
    "a Virtuoso pragma": 'DEFINE input:default-graph-uri <http://evil.example/> SELECT * { ?s ?p ?o }',
    "a pragma that fetches": 'define get:soft "replace" SELECT * FROM <http://evil.example/> { ?s ?p ?o }',
    "a built-in of no prefix": "SELECT * { ?s bif:contains 'x' }",
    "EXPLAIN": "EXPLAIN SELECT * { ?s ?p ?o }",
    "SQL": "SELECT * FROM users; --",
    "an unknown keyword": "SELECT * { ?s ?p ?o } SLEEP 10",
    "two queries": "SELECT * { ?s ?p ?o } SELECT * { ?s ?p ?o }",
    "prose": "Here is your query: SELECT * { ?s ?p ?o }",
    "negative limit": "SELECT * { ?s ?p ?o } LIMIT -1",
    "limit of no integer": "SELECT * { ?s ?p ?o } LIMIT 1e9",
    "limit of a variable": "SELECT * { ?s ?p ?o } LIMIT ?n",
    "brackets nested deeply": "SELECT * { FILTER(" + "(" * 5_000 + "1" + ")" * 5_000,
    "brackets nested somewhat deeply": "SELECT * { FILTER(" + "(" * 31 + "1" + ")" * 32 + " }",
    "braces nested deeply": "SELECT * " + "{" * 4_000 + "}" * 4_000,
    "paths nested deeply": "SELECT * { ?s " + "(" * 4_000 + "<p>" + ")" * 4_000 + " ?o }",
    "lists nested deeply": "SELECT * { ?s ?p " + "[ ?p " * 1_500 + "1" + "]" * 1_500 + " }",
    "nots nested deeply": "SELECT * { FILTER(" + "!" * 9_000 + "true) }",
    "brackets nested behind escapes": "SELECT * { FILTER(" + "\\u0028" * 900 + "1",
    "brackets nested behind a comparison": "SELECT * { FILTER(?a<" + "(" * 900 + "?b>1) }",
    "brackets nested behind a hash": "PREFIX e: <http://e/> SELECT * { ?s e:a\\#b " + "(" * 900 + "1 }",
    "sub-selects nested deeply": "SELECT * { { " * 40 + "}}" * 40,
    "1 MB of text": "SELECT * { ?s ?p ?o } #" + "x" * 1_000_000,
    "1 MB of an unclosed string": 'SELECT * { ?s ?p """' + '"\\' * 500_000,
    "1 MB of updates": "DROP ALL ; " * 100_000,
    "100,000 unions": "SELECT * { {} " + "UNION {} " * 100_000 + "}",
    "a prefix that makes 10,000 characters millions": f"PREFIX e: <http://e/{'x' * 5_000}> SELECT * {{ " + "?s ?p e:. " * 400 + "}",
    "giant values": "SELECT * { VALUES ?x { " + "1 " * 50_000 + "} }",
    "prefixes without an end": ("PREFIX" + " " * 8 + "<") * 600 + "!",
    "null byte": "SELECT * { ?s ?p ?o }\x00",
    "null byte in a name": "SELECT * { ?s\x00x ?p ?o }",
    "null byte in an IRI": "SELECT * { ?s <http://e/\x00> ?o }",
    "null byte by an escape in an IRI": "SELECT * { ?s <http://e/\\u0000> ?o }",
    "lone surrogate": "SELECT * { ?s ?p '\ud800' }",
    "lone surrogate by an escape": "SELECT * { ?s ?p '\\uDFFF' }",
    "character that is none": "SELECT * { ?s ?p '\\U00110000' }",
    "RTL override in a name": "SELECT * { ?s\u202ex ?p ?o }",
    "unterminated string": "SELECT * { ?s ?p 'DROP ALL }",
    "unterminated long string": "SELECT * { ?s ?p '''DROP ALL }",
    "unterminated IRI": "SELECT * { ?s <http://e/ ?o }",
    "IRI with a space": "SELECT * { ?s <http://e/ DROP it> ?o }",
    "string closed by an escaped quote": "SELECT * { ?s ?p '\\u0027 } ; DROP' }",
    "aggregates without a name that are hundreds": "SELECT " + "COUNT(*)" * 980 + "{}",
    "SELECT over and over": "SELECT COUNT(?x) " * 580,
    "half a query of a variable called as an update is": "SELECT ?delete { ?s ?p }",
    "nothing": "",
    "only quotes": "'" * 9_999,
    "only opening angle brackets": "<" * 9_999,
    "quotes and backslashes": '"""\n\\' * 2_000,
}  # fmt: skip
HARMLESS = {
    "an update in a string": "SELECT * { ?s ?p 'DROP ALL' }",
    "an update in a long string": 'SELECT * { ?s ?p """x" } ; DELETE WHERE { ?s ?p ?o } #""" }',
    "an update in a comment": "SELECT * { ?s ?p ?o # } ; DELETE WHERE { ?s ?p ?o }\n}",
    "an update in a comment behind a carriage return": "SELECT * { ?s ?p ?o # x\r DROP ALL\n}",
    "an update as a film": "SELECT * { ?s ?p <INSERT_DATA> }",
    "an update as a name": "PREFIX e: <http://e/> SELECT * { ?s e:DROP e:INSERT ; e:SERVICE ?o }",
    "an update as a prefix": "PREFIX insert: <http://e/> SELECT * { ?s insert:data ?o }",
    "an update as a variable": "SELECT ?insert ?delete { ?insert ?with ?delete }",
    "an update as a language": "SELECT * { ?s ?p 'x'@delete }",
    "a service in a string": "SELECT * { ?s ?p 'SERVICE <http://evil.example/> { }' }",
    "a service in an IRI": "SELECT * { ?s <http://e/service> ?o }",
    "a Java class in a string": "SELECT * { ?s ?p 'java:Evil' }",
    "Java without a scheme": "SELECT * { ?s ?p <Java> , <javascript> }",
    "a filter after an update's word": "SELECT * { ?s ?p ?load FILTER(?load < 5 && ?add > 3) }",
    "all triples": "SELECT * { ?s ?p ?o }",
    "huge cross product": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }",
    "cross product of a path": "SELECT * { ?a (!<http://e/p>|^!<http://e/p>)* ?b }",
    "giant limit": "SELECT * { ?s ?p ?o } LIMIT " + "9" * 5_000,
    "huge limit": "SELECT * { ?s ?p ?o } LIMIT 99999999999999999999",
    "limit with zeros in front": "SELECT * { ?s ?p ?o } LIMIT 000000000000000000000000005",
    "limit in a sub-select only": "SELECT * { { SELECT * { ?s ?p ?o } LIMIT 3 } ?a ?b ?c }",
    "limit zero": "SELECT * { ?s ?p ?o } LIMIT 0",
    "huge offset": "SELECT * { ?s ?p ?o } OFFSET 4294967296",
    "offset before limit": "SELECT * { ?s ?p ?o } OFFSET 5 LIMIT 999999",
    "standard functions": "PREFIX fn: <http://www.w3.org/2005/xpath-functions#> SELECT (xsd:date(?o) AS ?d) { ?s ?p ?o FILTER(fn:abs(?o) > 1) }",
    "GeoSPARQL": "SELECT * { ?s ?p ?o FILTER(<http://www.opengis.net/def/function/geosparql/sfWithin>(?o, ?p)) }",
    "a named graph of the store": "SELECT * { GRAPH <http://e/g> { ?s ?p ?o } }",
    "any named graph of the store": "SELECT ?g { GRAPH ?g { ?s ?p ?o } FILTER(?g != <http://e/g>) }",
    "RTL override in a string": "SELECT * { ?s ?p '\u202eLLA PORD' }",
    "null byte in a string": "SELECT * { ?s ?p 'a\x00b' }",
    "a quote by an escape": "SELECT * { ?s ?p \"\\u0027 } ; DROP ALL #\" }",
    "some brackets": "SELECT * { FILTER(" + "(" * 10 + "1" + ")" * 11 + " }",
    "many unions": "SELECT * { {} " + "UNION {} " * 200 + "}",
    "many values": "SELECT * { VALUES ?x { " + "1 " * 2_000 + "} }",
}  # fmt: skip


@pytest.mark.parametrize("query", UPDATES.values(), ids=UPDATES.keys())
def test_an_update_is_rejected(query: str) -> None:
    with pytest.raises(QueryRejected, match="can only read"):
        check(query, Policy(services=("evil.example",)))


@pytest.mark.parametrize("query", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_what_a_policy_does_not_name_is_rejected(query: str) -> None:
    with pytest.raises(QueryRejected, match="not allowed"):
        check(query)


@pytest.mark.parametrize("query", UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_is_no_query_or_too_much_of_one_is_a_syntax_error(query: str) -> None:
    with pytest.raises(QuerySyntaxError):
        check(query)


@pytest.mark.parametrize("query", HARMLESS.values(), ids=HARMLESS.keys())
def test_a_harmless_query_passes_with_a_limit_and_runs(query: str) -> None:
    safe = check(query, Policy(row_limit=10))
    last = safe.splitlines()[-1] if "OFFSET" not in safe else safe.splitlines()[-2]
    assert last.startswith("LIMIT ")
    assert int(last.removeprefix("LIMIT ")) <= 11
    assert check(safe, Policy(row_limit=10)) == safe
    assert sparql.write(sparql.parse(safe)) == safe
    pyoxigraph.Store().query(safe, base_iri="http://base.example/", custom_functions=_NO_FUNCTIONS)


_NO_FUNCTIONS: dict[pyoxigraph.NamedNode, Any] = {
    pyoxigraph.NamedNode(iri): lambda *_: None
    for iri in ("http://www.w3.org/2005/xpath-functions#abs", "http://www.opengis.net/def/function/geosparql/sfWithin")
}


@pytest.mark.parametrize(
    "address",
    [
        "https://query.wikidata.org/sparql",
        "http://query.wikidata.org/",
        "http://query.wikidata.org",
        "HTTPS://Query.Wikidata.ORG/sparql",
        "https://query.wikidata.org:443/sparql",
        "http://query.wikidata.org:80/sparql",
        "https://query.wikidata.org/sparql?x=@evil.example#evil.example",
        "http://localhost:8890/sparql",
    ],
)
def test_a_service_on_an_allowed_host_passes(address: str) -> None:
    query = f"SELECT * {{ SERVICE <{address}> {{ ?s ?p ?o }} }}"
    assert f"<{address}>" in check(query, Policy(services=("query.wikidata.org", "localhost:8890")))


@pytest.mark.parametrize(
    "address",
    [
        "https://query.wikidata.org.evil.example/",
        "https://evilquery.wikidata.org/",
        "https://wikidata.org/",
        "https://query.wikidata.org./",
        "https://query.wikidata.org:8080/",
        "http://query.wikidata.org:443/",
        "https://query.wikidata.org:99999/",
        "https://query.wikidata.org:x/",
        "https://query.wikidata.org@evil.example/",
        "https://user:word@query.wikidata.org/",
        "https://@query.wikidata.org/",
        "https://evil.example/query.wikidata.org",
        "https://evil.example#@query.wikidata.org/",
        "https://evil.example?@query.wikidata.org/",
        "https://query%2ewikidata%2eorg/",
        "https://query.wikidata.org\u2024evil.example/",
        "https://query.wikidata.org\uff0fevil.example/",
        "https://query.wikid\u0430ta.org/",
        "//query.wikidata.org/",
        "query.wikidata.org",
        "ftp://query.wikidata.org/",
        "file://query.wikidata.org/etc/passwd",
        "http://[::1/",
        "http://[query.wikidata.org]/",
        "http://localhost/",
        "http://localhost:80/",
        "http://127.0.0.1:8890/",
        "http://:8890/",
        "http:///",
        "",
    ],
)
def test_a_service_elsewhere_is_rejected(address: str) -> None:
    query = f"SELECT * {{ SERVICE <{address}> {{ ?s ?p ?o }} }}"
    with pytest.raises(QueryRejected, match=r"allowed services: query\.wikidata\.org, localhost:8890"):
        check(query, Policy(services=("query.wikidata.org", "localhost:8890")))


def test_a_service_within_an_allowed_one_is_checked_too() -> None:
    query = "SELECT * { SERVICE <http://a.example/> { SERVICE <http://evil.example/> { ?s ?p ?o } } }"
    with pytest.raises(QueryRejected, match=r"evil\.example"):
        check(query, Policy(services=("a.example",)))
    assert check(query, Policy(services=("a.example", "evil.example")))


def test_graphs_and_functions_that_a_policy_names_pass() -> None:
    policy = Policy(graphs=("http://e/g",), functions=("http://e/f#",))
    assert "FROM <http://e/g>" in check("SELECT * FROM <http://e/g> { FILTER(<http://e/f#x>(1)) }", policy)
    for query in ("ASK FROM <http://e/g2> { }", "ASK FROM NAMED <http://e/> { }", "ASK { FILTER(<http://e/g#x>()) }"):
        with pytest.raises(QueryRejected):
            check(query, policy)


@pytest.mark.parametrize(
    ("query", "policy", "message"),
    [
        ("ASK FROM <http://e/g> { }", Policy(), "FROM <http://e/g> is not allowed; allowed graphs: none"),
        (FORBIDDEN["service"], Policy(), "SERVICE <http://evil.example/sparql> is not allowed; allowed services: none"),
        ("ASK { SERVICE ?e { } }", Policy(services=("a", "b")), "SERVICE ?e is not allowed; allowed services: a, b"),
    ],
)
def test_what_is_rejected_is_named_with_what_is_allowed(query: str, policy: Policy, message: str) -> None:
    with pytest.raises(QueryRejected, match=f"^{re.escape(message)}$"):
        check(query, policy)


def test_prefixes_that_are_given_need_not_be_declared() -> None:
    declared = check("PREFIX e: <http://e/> SELECT * { ?s e:p ?o }")
    assert check("SELECT * { ?s e:p ?o }", prefixes={"e": "http://e/"}).graph == declared.graph
    with pytest.raises(QuerySyntaxError, match="'e:' is not declared"):
        check("SELECT * { ?s e:p ?o }")


def test_what_passes_has_its_tree_with_it() -> None:
    safe = check("SELECT * { ?s ?p ?o }", Policy(row_limit=10))
    assert safe.graph == sparql.parse(safe)


def test_an_ask_has_no_limit() -> None:
    assert "LIMIT" not in check("ASK { ?s ?p ?o }")


@pytest.mark.parametrize(("limit", "given"), [(9, 9), (10, 10), (11, 11), (12, 11), (10**30, 11)])
def test_a_limit_is_lowered_to_one_more_than_the_cap(limit: int, given: int) -> None:
    assert check(f"SELECT * {{ ?s ?p ?o }} LIMIT {limit}", Policy(row_limit=10)).endswith(f"\nLIMIT {given}")


def test_a_tree_is_checked_as_text_is_and_is_left_alone() -> None:
    tree = sparql.parse("SELECT * { ?s ?p ?o }")
    assert check(tree) == check("SELECT * { ?s ?p ?o }")
    assert "LIMIT" not in sparql.write(tree)
    with pytest.raises(QueryRejected):
        check(sparql.parse(FORBIDDEN["service in exists"]))


def test_the_update_is_named() -> None:
    with pytest.raises(QueryRejected, match=r"^DELETE is not allowed: queries can only read$"):
        check("delete where { ?s ?p ?o }")


PIECES = st.sampled_from(
    [*UPDATES.values(), SERVICE, "SELECT", "*", "ASK", "{", "}", "FROM", "<http://evil.example/>", "<java:x>", "(", ")",
     "'", '"', "#", "\n", "\\u0027", "?s ?p ?o", ";", ".", "FILTER", "EXISTS", "OPTIONAL", "<", ">", "?a<?b", "'''"]
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=200)
@given(st.lists(PIECES, max_size=12).map(" ".join))
def test_whatever_passes_reads_only_from_here(text: str) -> None:
    try:
        safe = check(f"SELECT * {{ {text} }}")
    except (QueryRejected, QuerySyntaxError):
        return
    assert check(safe) == safe
    tree = sparql.parse(safe)
    assert not list(sparql.nodes(tree, Service))
    assert not tree.sources
    with pytest.raises(SyntaxError):
        pyoxigraph.Store().update(safe)
