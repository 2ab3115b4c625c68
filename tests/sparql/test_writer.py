"""Queries read and written again mean the same, and nothing but `QuerySyntaxError` comes out of reading."""

# ruff: noqa: E501  (a query is one line)

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import rdflib
import yaml
from hypothesis import given, settings, strategies as st

from triad import sparql
from triad.errors import QuerySyntaxError
from triad.rdf import IRI, RDF_LANG_STRING, BlankNode, Literal
from triad.sparql.patterns import EdgePattern, Variable

GRAPH = """
@prefix : <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:momo a :Book ; rdfs:label "Momo"@de, "Momo"@en ; :author :ende ; :pages 304 ; :price 9.99 ;
  :published "1973-09-01"^^xsd:date ; :tags (:time :grey) .
:story a :Book ; rdfs:label "The Neverending Story"@en, "Die unendliche Geschichte"@de ; :author :ende ; :pages 448 .
:dune a :Book ; rdfs:label "Dune" ; :author :herbert ; :pages 412 ; :next :messiah ; :note "C:\\\\dir \\"x\\" \\n#1" .
:messiah a :Book ; rdfs:label "Dune Messiah" ; :author :herbert ; :pages 256 ; :next :children ; :price -1.5 .
:children a :Novel ; rdfs:label "Children of Dune" ; :author :herbert ; :pages 444 ; :good true ; :weight 1.5e0 .
:ende a :Person ; rdfs:label "Michael Ende" ; :born :garmisch ; :spouse [ rdfs:label "Ingeborg" ; :born :bonn ] .
:herbert a :Person ; rdfs:label "Frank Herbert", "Frank Patrick Herbert Jr." ; :knows :ende .
:łódź rdfs:label "Łódź 🏙" .
:Novel rdfs:subClassOf :Book .
"""
P = "PREFIX : <http://example.org/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\n"


@pytest.fixture(scope="module")
def store() -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    store.load(GRAPH.encode(), format=pyoxigraph.RdfFormat.TURTLE)
    store.load(
        b"<http://example.org/a> <http://example.org/pages> 1 .",
        format=pyoxigraph.RdfFormat.TURTLE,
        to_graph=pyoxigraph.NamedNode("http://example.org/named"),
    )
    return store


def results(store: pyoxigraph.Store, query: str) -> Any:
    found = store.query(query)
    if isinstance(found, pyoxigraph.QueryBoolean):
        return bool(found)
    if isinstance(found, pyoxigraph.QueryTriples):
        return Counter(tuple(map(shown, (t.subject, t.predicate, t.object))) for t in found)
    names = [variable.value for variable in found.variables]
    return names, Counter(tuple(shown(value) for value in row) for row in found)


def shown(term: Any) -> str:
    # Blank nodes made by a query have new names each time.
    return "_:" if isinstance(term, pyoxigraph.BlankNode) else str(term)


QUERIES = {
    "star": "SELECT * { ?x a :Book }",
    "semicolons and commas": "SELECT ?x { ?x a :Book ; ; :author :ende, ?y ; :pages ?n ; . }",
    "no space anywhere": "SELECT?x{?x a :Book.?x:author ?y}",
    "distinct": "SELECT DISTINCT ?a { ?x :author ?a }",
    "reduced": "SELECT REDUCED ?a { ?x :author ?a . ?x :pages 448 }",
    "dollar variables": "SELECT $x { $x :author ?a . ?a :born $b }",
    "unicode names": "SELECT ?größe { :łódź rdfs:label ?größe }",
    "keywords in odd case": "sElEcT ?x wHeRe { ?x :pages ?n . fIlTeR(?n > 300) oPtIoNaL { ?x :next ?y } } oRdEr bY ?n lImIt 3",
    "comments in odd places": "SELECT # { }\n?x#c\nWHERE{# DROP ALL\n?x :pages #<a\n 448 . # last\n}#end",
    "hashes that begin no comment": "SELECT * { { ?x :a\\#b ?y } UNION { ?x rdfs:label '# }' } UNION { ?x <http://example.org/#c> ?y } }",
    "sub-select": "SELECT ?x ?n { { SELECT (MAX(?p) AS ?n) { ?y :pages ?p } } ?x :pages ?n }",
    "sub-select only": "SELECT ?x { SELECT ?x { ?x a :Book } ORDER BY ?x LIMIT 2 }",
    "sub-select of a sub-select": "SELECT ?x { { SELECT ?x { { SELECT ?x { ?x a :Book } LIMIT 3 } } LIMIT 2 } } ",
    "union": "SELECT ?x { { ?x a :Person } UNION { ?x :pages 304 } UNION { ?x :good true } }",
    "nested groups": "SELECT ?x { { { ?x a :Person } } { } }",
    "empty group": "SELECT * { }",
    "optional": "SELECT ?x ?y { ?x a :Book OPTIONAL { ?x :next ?y . OPTIONAL { ?y :next ?z } } }",
    "minus": "SELECT ?x { ?x :author ?a MINUS { ?x :author :ende } }",
    "filter exists": "SELECT ?x { ?x a :Book FILTER EXISTS { ?x :next ?y } }",
    "filter not exists": "SELECT ?x { ?x a :Book FILTER NOT EXISTS { ?x :next ?y . ?y :next ?z } }",
    "exists in an expression": "SELECT ?x { ?x a :Book FILTER(!EXISTS { ?x :next ?y } && ?x != :momo) }",
    "bind": "SELECT ?x ?d { ?x :pages ?n BIND(?n * 2 AS ?d) BIND(STR(?x) AS ?s) }",
    "values of one variable": "SELECT ?x ?n { VALUES ?x { :momo :dune } ?x :pages ?n }",
    "values of two variables": "SELECT * { VALUES (?x ?n) { (:momo 304) (:dune UNDEF) } ?x :pages ?n }",
    "values at the end": "SELECT ?x ?n { ?x :pages ?n } VALUES ?n { 304 UNDEF }",
    "values of nothing": "SELECT * { VALUES () { () () } }",
    "values of literals": 'SELECT * { VALUES ?v { "a" "b"@en-GB 1 -2.5 1e3 true "d"^^<http://example.org/t> } }',
    "path of a sequence": "SELECT ?x { ?x :author/:born :garmisch }",
    "path of an inverse": "SELECT ?x { :ende ^:author ?x }",
    "path of an alternative": "SELECT ?x ?y { ?x (:next|:knows) ?y }",
    "path with star": "SELECT ?y { :dune :next* ?y }",
    "path with plus": "SELECT ?y { :dune :next+ ?y }",
    "path with question mark": "SELECT ?y { :dune :next? ?y }",
    "path before a variable without a space": "SELECT ?y{:dune :next?y}",
    "path of paths": "SELECT ?x ?y { ?x (^:author/:next?)|(:knows/(:born|:spouse)) ?y }",
    "path repeated as a whole": "SELECT ?y { :dune (:next/:next)* ?y }",
    "path of an inverse sequence": "SELECT ?y { :garmisch ^(:author/:born) ?y }",
    "path of a repeated inverse": "SELECT ?y { :children (^:next)+ ?y }",
    "path over types": "SELECT ?x { ?x a/rdfs:subClassOf* :Book }",
    "negated property": "SELECT ?y { :dune !a ?y }",
    "negated property set": "SELECT ?y { :dune !(a|rdfs:label|:pages) ?y }",
    "negated property set with inverse": "SELECT ?y { :ende !(^:author|^:knows|a|rdfs:label) ?y }",
    "negated inverse property": "SELECT ?y { :ende !^:author ?y }",
    "negated property repeated": "SELECT ?y { :dune (!(a|rdfs:label))+ ?y }",
    "path and list": "SELECT ?x { ?x :tags/rdf:rest*/rdf:first :grey }",
    "all aggregates": "SELECT (COUNT(*) AS ?c) (SUM(?n) AS ?s) (MIN(?n) AS ?l) (MAX(?n) AS ?h) (AVG(?n) AS ?a) { ?x :pages ?n }",
    "count of distinct": "SELECT (COUNT(DISTINCT ?a) AS ?n) { ?x :author ?a }",
    "count of distinct rows": "SELECT (COUNT(DISTINCT *) AS ?n) { ?x :author ?a }",
    "sample": "SELECT (SAMPLE(?n) AS ?s) { :momo :pages ?n }",
    "group concat": "SELECT (GROUP_CONCAT(?l) AS ?s) { :dune rdfs:label ?l }",
    "group concat with separator": 'SELECT (GROUP_CONCAT(DISTINCT ?t; separator="; ") AS ?s) { :dune a ?t }',
    "group concat with an empty separator": 'SELECT (GROUP_CONCAT(?t ; SEPARATOR = "") AS ?s) { VALUES ?t { "a" "b" } }',
    "group by": "SELECT ?a (COUNT(?x) AS ?n) { ?x :author ?a } GROUP BY ?a",
    "group by an expression": "SELECT ?b (COUNT(?x) AS ?n) { ?x :pages ?p } GROUP BY (?p > 300 AS ?b)",
    "group by a call": "SELECT (COUNT(?x) AS ?n) { ?x rdfs:label ?l } GROUP BY LANG(?l) (STRLEN(?l) > 5)",
    "having": "SELECT ?a { ?x :author ?a ; :pages ?p } GROUP BY ?a HAVING (COUNT(?x) > 2) (SUM(?p) > 1)",
    "having a call": "SELECT ?a { ?x :author ?a } GROUP BY ?a HAVING(COUNT(?x) > 2) ORDER BY ?a",
    "a variable before an aggregate named alike": "SELECT ?count (SUM(?p) AS ?s) { ?x :author ?count ; :pages ?p } GROUP BY ?count",
    "expression over aggregates": "SELECT ?a ((SUM(?p) / COUNT(?x)) AS ?m) { ?x :author ?a ; :pages ?p } GROUP BY ?a",
    "order by several keys": "SELECT ?x ?a { ?x :author ?a ; :pages ?n } ORDER BY DESC(?a) ASC(?n) STR(?x) (?n + 1) LIMIT 3",
    "order by a count": "SELECT ?a { ?x :author ?a } GROUP BY ?a ORDER BY DESC(COUNT(?x)) LIMIT 1",
    "limit and offset": "SELECT ?x { ?x :pages ?n } ORDER BY ?n LIMIT 2 OFFSET 1",
    "offset before limit": "SELECT ?x { ?x :pages ?n } ORDER BY ?n OFFSET 1 LIMIT 2",
    "offset alone": "SELECT ?x { ?x :pages ?n } ORDER BY ?n OFFSET 3",
    "limit zero": "SELECT ?x { ?x :pages ?n } LIMIT 0",
    "in": "SELECT ?x { ?x :pages ?n FILTER(?n IN (304, 400 + 12)) }",
    "in one": "SELECT ?x { ?x :author ?a FILTER(?a IN (:ende)) }",
    "in none": "SELECT ?x { ?x :pages ?n FILTER(?n IN ()) }",
    "in the empty list": "SELECT ?x { ?y rdf:rest ?x FILTER(?x IN (rdf:nil)) }",
    "not in": "SELECT ?x { ?x :pages ?n FILTER(?n NOT IN (304, 412)) }",
    "the empty list": "SELECT ?x { ?x rdf:rest () }",
    "the empty list in a filter": "SELECT ?x { ?y rdf:rest ?x FILTER(?x = rdf:nil) }",
    "if and coalesce": 'SELECT (IF(?n > 400, "long", "short") AS ?l) (COALESCE(?z, ?p, 0) AS ?v) { ?x :pages ?n OPTIONAL { ?x :price ?p } }',
    "coalesce and concat of nothing": "SELECT (CONCAT() AS ?c) { }",
    "precedence": "SELECT (1 + 2 * 3 - 4 / 2 AS ?a) ((1 + 2) * (3 - 4) / 2 AS ?b) (10 - 3 - 2 AS ?c) (16 / 4 / 2 AS ?d) { }",
    "precedence of brackets on the right": "SELECT (10 - (3 - 2) AS ?c) (16 / (4 / 2) AS ?d) (2 * (3 + 4) AS ?e) { }",
    "precedence of logic": "SELECT ?x { ?x :pages ?n FILTER(?n > 440 || ?n < 400 && ?n > 260 || !(?n != 412)) }",
    "unary minus": "SELECT (-?n AS ?a) (- -5 AS ?b) (-(1 + 2) AS ?c) (2 - -3 AS ?d) (+4 AS ?e) { :momo :pages ?n }",
    "negative numbers": "SELECT ?x { ?x :price -1.5 }",
    "minus behind a bracket": "SELECT (STRLEN(STR(?x)) -1 AS ?a) ((?n * 2) -1.5 AS ?b) { ?x :pages ?n FILTER(<http://www.w3.org/2001/XMLSchema#integer>(?n) -1 > 5) }",
    "minus without spaces": "SELECT (?n-1 AS ?a) (?n -1 AS ?b) (3-1 AS ?c) { :momo :pages ?n }",
    "numbers": "SELECT (1 AS ?a) (1.5 AS ?b) (.5 AS ?c) (1e6 AS ?d) (007 AS ?e) (1.0E-3 AS ?f) (-0.0 AS ?g) { }",
    "typed and bare numbers": 'SELECT ("1"^^xsd:boolean AS ?a) ("true"^^xsd:integer AS ?b) ("007"^^xsd:integer AS ?c) ("٣"^^xsd:integer AS ?d) { }',
    "comparisons without spaces": "SELECT ?x{?x :pages ?a FILTER(?a<413&&?a>256||?a>=448&&?a<=448||?a!=?a)}",
    "string functions": 'SELECT (CONCAT("a", UCASE("b"), LCASE("C"), SUBSTR("defg", 2, 2), SUBSTR("xyz", 3)) AS ?a) (STRLEN("é🏙") AS ?b) (REPLACE("aXa", "x", "y", "i") AS ?c) (STRBEFORE("a-b", "-") AS ?d) (STRAFTER("a-b", "-") AS ?e) (ENCODE_FOR_URI("a b") AS ?f) { FILTER(CONTAINS("abc", "b") && STRSTARTS("abc", "a") && STRENDS("abc", "c")) }',
    "regex": 'SELECT ?x { ?x rdfs:label ?l FILTER REGEX(?l, "^dune") }',
    "regex with flags": 'SELECT ?x { ?x rdfs:label ?l FILTER REGEX(STR(?l), "^dune\\\\b", "i") }',
    "dates": 'SELECT ?x { ?x :published ?d FILTER(YEAR(?d) = 1973 && MONTH(?d) = 9 && DAY(?d) = 1 && ?d < "1974-01-01"^^xsd:date) }',
    "times": 'SELECT (HOURS(?t) AS ?h) (MINUTES(?t) AS ?m) (SECONDS(?t) AS ?s) (TZ(?t) AS ?z) (TIMEZONE(?t) AS ?o) { BIND("2011-01-10T14:45:13.8-05:00"^^xsd:dateTime AS ?t) }',
    "numeric functions": "SELECT (ABS(-1) AS ?a) (CEIL(1.2) AS ?b) (FLOOR(1.8) AS ?c) (ROUND(1.5) AS ?d) { }",
    "hashes": 'SELECT (MD5("a") AS ?a) (SHA1("a") AS ?b) (SHA256("a") AS ?c) (SHA384("a") AS ?d) (SHA512("a") AS ?e) { }',
    "functions without argument": "SELECT ?x { ?x :pages 304 FILTER(RAND() < 2 && ISIRI(UUID()) && STRLEN(STRUUID()) > 1 && BOUND(?x) && YEAR(NOW()) > 2000) }",
    "term functions": 'SELECT (STRLANG("a", "en") AS ?a) (STRDT("1", xsd:integer) AS ?b) (IRI("http://x.org/") AS ?c) (URI("http://y.org/") AS ?d) (DATATYPE(1) AS ?e) { ?x rdfs:label ?l FILTER(isLITERAL(?l) && !isBLANK(?x) && isURI(?x) && isNUMERIC(1) && sameTerm(?x, :momo) && LANGMATCHES(LANG(?l), "*")) }',
    "blank node function": "SELECT ?x { ?x :pages 304 FILTER(isBlank(BNODE()) && isBlank(BNODE(STR(?x)))) }",
    "casts": 'SELECT (xsd:integer("5") + xsd:decimal("1.5") AS ?a) (xsd:string(?n) AS ?b) (xsd:date("2000-01-01") AS ?d) { :momo :pages ?n }',
    "language tags": 'SELECT ?x { ?x rdfs:label "Momo"@de FILTER(LANG("a"@en-us) = "en-us") }',
    "typed literals": 'SELECT ?x { ?x :published "1973-09-01"^^<http://www.w3.org/2001/XMLSchema#date> }',
    "typed strings": 'SELECT ?x { ?x rdfs:label "Dune"^^xsd:string }',
    "booleans": "SELECT ?x { ?x :good true }",
    "doubles": "SELECT ?x { ?x :weight ?w FILTER(?w = 1.5e0) }",
    "escapes in strings": 'SELECT ?x { ?x :note "C:\\\\dir \\"x\\" \\n#1" }',
    "escapes of the other quote": "SELECT (\"O\\'Brien\" AS ?a) ('\\\"x\\\"' AS ?b) (\"\\\\'\" AS ?c) { }",
    "control characters": 'SELECT ("a\\tb\\rc\\bd\\fe" AS ?s) { }',
    "long strings": "SELECT (\"\"\"a \"quoted\" 'b'\nc\"\"\" AS ?s) ('''d ''e\\'''' AS ?t) { }",
    "code points": 'SELECT ?x { ?x rdfs:label "\\u0141\\u00F3d\\u017A \\U0001F3D9" }',
    "code points before digits": 'SELECT ("d\\u00E9cade" AS ?s) { }',
    "code points in IRIs": "SELECT ?l { <http://example.org/\\u0142\\u00F3d\\u017A> rdfs:label ?l }",
    "no code point after a backslash": 'SELECT ("\\\\u0041" AS ?s) { }',
    "brackets and keywords in strings": 'SELECT ("SELECT COUNT(?x) { ((( #" AS ?s) { }',
    "blank node": "SELECT ?x { ?x :spouse [] }",
    "labelled blank node": "SELECT ?x { ?x :spouse _:s . _:s :born ?b }",
    "blank node property list": 'SELECT ?x { ?x :spouse [ rdfs:label "Ingeborg" ; :born :bonn, [] ] }',
    "nested blank nodes as subject": "SELECT ?x { [ :spouse [ :born ?x ] ] :born :garmisch . }",
    "blank node alone": "SELECT ?x { [ :spouse [ :born ?x ] ] . }",
    "blank nodes beside labelled ones": "SELECT ?x { ?x :spouse [ :born _:b1 ] . _:b1 ^:born ?b2 }",
    "collection": "SELECT ?x { ?x :tags (:time ?t) }",
    "collection as subject": "SELECT ?x { (:time :grey) ^:tags ?x }",
    "nested collection": "SELECT ?x { ?x :tags (:time [ ] (1 2)) }",
    "local names with escapes": "PREFIX e: <http://example.org/> SELECT ?p { e:\\~x\\,y ?p e:a%20b, e:1.2:3 }",
    "local names with dots": "SELECT ?x { ?x a :Book. ?x :author :ende. }",
    "the empty prefix alone": "PREFIX m: <http://example.org/momo> SELECT ?p { m: :pages ?p }",
    "base": "BASE <http://example.org/x/> PREFIX e: <../> SELECT ?p { <../momo> e:pages ?p . <../momo> <http://example.org/author> ?a }",
    "graph": "SELECT ?x { GRAPH :named { ?x :pages ?n } }",
    "graph variable": "SELECT ?g { GRAPH ?g { ?x :pages ?n } }",
    "from": "SELECT ?x FROM :named WHERE { ?x :pages ?n }",
    "from named": "SELECT ?x FROM NAMED :named { GRAPH ?g { ?x :pages ?n } }",
    "ask": "ASK { :momo :pages 304 }",
    "ask with where": "ASK WHERE { :momo :pages 305 }",
    "ask with modifiers": "ASK { ?x :author ?a } ORDER BY ?a LIMIT 1",
}  # fmt: skip


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES.keys())
def test_a_query_means_the_same_when_written(query: str, store: pyoxigraph.Store) -> None:
    declared = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"
    declared += "PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>\n"
    original = P + declared + query
    written = sparql.write(sparql.parse(P + query))
    assert results(store, written) == results(store, original)
    assert sparql.write(sparql.parse(written)) == written


@pytest.mark.slow
@pytest.mark.parametrize("name", ["qald9/questions.json", "lcquad/questions.json", "yago/questions.json", "ck25/questions.yml"])  # fmt: skip
def test_gold_queries_are_written_stably_and_as_the_standard_wants(shared_data: Path, name: str) -> None:
    text = (shared_data / name).read_text(encoding="utf-8")
    questions = (yaml.safe_load(text) if name.endswith("yml") else json.loads(text))["questions"]
    store = pyoxigraph.Store()
    for question in questions:
        written = sparql.write(sparql.parse(question["query"]["sparql"]))
        assert sparql.write(sparql.parse(written)) == written
        store.query(written)
    assert len(questions) > 20


@pytest.mark.parametrize("iri", ["a b", "a>", "a\nb", 'a"', "a{", "a\\u003e", "a`", "a^", "a|", "a\x00"])
def test_an_iri_that_would_end_early_is_not_written(iri: str) -> None:
    tree = sparql.substituted(sparql.parse("SELECT * { <a> ?p ?o }"), {IRI("a"): IRI(iri)})
    with pytest.raises(QuerySyntaxError, match="cannot be written"):
        sparql.write(tree)


@pytest.mark.parametrize(
    "end", ["a b", "a>", "a\nb", 'a"', "a{", "a\\u003e", "a`", "a^", "a|", "a\x00", "é > . ?x ?y ?z"]
)
def test_what_would_end_a_term_early_is_written_otherwise(end: str) -> None:
    for term in (IRI(end), Literal('"', end), Literal('"', RDF_LANG_STRING, end), BlankNode(end)):
        query = f"SELECT * {{ ?s <http://e/p> {term.n3()} . }}"
        [edge] = sparql.nodes(sparql.parse(query), EdgePattern)
        assert type(edge.object) is type(term)
        pyoxigraph.Store().query(query, base_iri="http://e/")


@pytest.mark.parametrize("prefixes", [{"x": "http://e/> ASK { } #"}, {"x: <http://e/> ASK { } #": "http://e/p"}])
def test_a_prefix_that_would_end_early_is_not_used(prefixes: dict[str, str]) -> None:
    iri = f"{next(iter(prefixes.values()))}a"
    tree = sparql.substituted(sparql.parse("ASK { <x> ?p ?o }"), {IRI("x"): IRI(iri)})
    if ">" in iri:
        with pytest.raises(QuerySyntaxError):
            sparql.write(tree, prefixes)
    else:
        assert "PREFIX" not in sparql.write(tree, prefixes)


@pytest.mark.parametrize("name", ["", "x } DROP", "x.y", "x?", "x\n"])
def test_a_variable_that_would_end_early_is_not_written(name: str) -> None:
    tree = sparql.parse("SELECT ?x { ?x <http://example.org/p> 1 }")
    with pytest.raises(QuerySyntaxError, match="cannot be written"):
        sparql.write(sparql.substituted(tree, lambda term: Variable(name) if isinstance(term, Variable) else term))


@pytest.mark.parametrize(
    ("iri", "written"),
    [
        ("http://dbpedia.org/resource/Momo", "dbr:Momo"),
        ("http://dbpedia.org/resource/Momo_(novel)", "<http://dbpedia.org/resource/Momo_(novel)>"),
        ("http://dbpedia.org/resource/A/B", "<http://dbpedia.org/resource/A/B>"),
        ("http://dbpedia.org/resource/", "<http://dbpedia.org/resource/>"),
        ("http://dbpedia.org/resource/Jr.", "<http://dbpedia.org/resource/Jr.>"),
        ("http://dbpedia.org/resource/Łódź", "<http://dbpedia.org/resource/Łódź>"),
        ("http://www.wikidata.org/entity/Q42", "wd:Q42"),
        ("http://www.wikidata.org/entity/Q42\n", None),
    ],
)
def test_an_iri_is_written_with_a_prefix_only_where_it_reads_back(iri: str, written: str | None) -> None:
    tree = sparql.substituted(sparql.parse("ASK { <x> ?p ?o }"), {IRI("x"): IRI(iri)})
    if written is None:
        with pytest.raises(QuerySyntaxError):
            sparql.write(tree)
        return
    assert f"{written} ?p ?o" in sparql.write(tree)
    assert IRI(iri) in list(sparql.terms(sparql.parse(sparql.write(tree))))


def test_without_prefixes_every_iri_is_written_in_full() -> None:
    assert sparql.write(sparql.parse("ASK { dbr:Momo ?p ?o }"), {}).startswith("ASK\nWHERE {\n  <http://dbpedia.org")


# Properties -----------------------------------------------------------------------------------------------


def typed(value: Any) -> Literal:
    literal = rdflib.Literal(value)
    return Literal(str(literal), str(literal.datatype))


WORDS = st.sampled_from(
    "SELECT ASK CONSTRUCT WHERE { } ( ) [ ] . ; , ?x ?y * a <p> dbo:q 5 -1.5 'a' \"b\"@en OPTIONAL UNION MINUS FILTER "
    "EXISTS NOT IN BIND AS VALUES UNDEF COUNT SUM DISTINCT GROUP BY HAVING ORDER LIMIT OFFSET ^ | / + ! = < > && || "
    'SERVICE GRAPH FROM # \\u0028 """ \' \\ _:b true BASE PREFIX : IF( REGEX( \n'.split(" ")
)
TERMS = st.one_of(
    st.sampled_from([Variable("x"), Variable("y"), IRI("http://example.org/a"), BlankNode("b")]),
    st.text(max_size=8).filter(lambda text: text.isprintable() or "\n" in text).map(Literal),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5).map(Literal),
    st.integers().map(typed),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9).map(typed),
    st.floats(allow_nan=False, allow_infinity=False).map(typed),
    st.booleans().map(typed),
    st.dates().map(typed),
)


def composed(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operator = st.sampled_from(["+", "-", "*", "/"])
    return st.one_of(
        st.builds("({} {} {})".format, inner, operator, inner),
        st.builds("{}{}{}".format, inner, st.sampled_from([" + ", " - ", "*", " / "]), inner),
        st.builds("-({})".format, inner),
        st.builds("IF({} = {}, {}, 2)".format, inner, inner, inner),
    )


EXPRESSIONS = st.recursive(st.sampled_from(["1", "2", "-3", "0.5", "7"]), composed, max_leaves=6)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=25).map(" ".join)))
def test_reading_any_text_gives_a_tree_or_a_syntax_error(text: str) -> None:
    for query in (text, f"SELECT * {{ {text} }}"):
        try:
            written = sparql.write(sparql.parse(query))
        except QuerySyntaxError:
            continue
        assert sparql.write(sparql.parse(written)) == written


@pytest.mark.slow
@settings(max_examples=80)
@given(EXPRESSIONS)
def test_an_expression_has_the_same_value_when_written(expression: str) -> None:
    query = f"SELECT ({expression} AS ?v) {{ }}"
    store = pyoxigraph.Store()
    assert results(store, sparql.write(sparql.parse(query))) == results(store, query)


@pytest.mark.slow
@settings(max_examples=120)
@given(TERMS)
def test_any_term_is_written_so_that_it_reads_back(term: Any) -> None:
    tree = sparql.substituted(sparql.parse("ASK { ?x <p> <slot> }"), {IRI("slot"): term})
    written = sparql.write(tree)
    again = sparql.parse(written)
    assert list(sparql.terms(again))[-1] == term
    assert sparql.write(again) == written
    pyoxigraph.Store().query(written.replace("<p>", "<http://p>"))
