"""Each change to rdflib's grammar is needed and works; where a new rdflib or pyparsing differs, it is said here."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pyparsing
import pytest
import rdflib
from rdflib.plugins.sparql import parser as rdflib_grammar
from rdflib.plugins.sparql.parserutils import Comp

from triad import sparql
from triad.sparql.grammar import QUERY

VERSIONS = f"rdflib {rdflib.__version__} with pyparsing {pyparsing.__version__}"


def by_rdflib(query: str) -> Any:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)  # Python's own, whatever other tests' libraries left
    try:
        return rdflib_grammar.Query.parse_string(query, parse_all=True)[1]
    finally:
        sys.setrecursionlimit(limit)


FAULTS = {
    "hundreds of patterns": "SELECT * {" + "?s ?p ?o . " * 500 + "}",
    "a negative decimal": "SELECT * { ?s ?p -1.5 }",
    "a variable right behind a path": "SELECT * { ?s <p>?o }",
    "a column without a name": "SELECT COUNT(*) { }",
    "a column without a name in brackets": "SELECT (COUNT(*)) { }",
}


@pytest.mark.parametrize("query", FAULTS.values(), ids=FAULTS.keys())
def test_rdflib_does_not_read_what_the_changed_grammar_reads(query: str) -> None:
    sparql.parse(query)
    try:
        by_rdflib(query)
    except (pyparsing.ParseException, TypeError, RecursionError):
        return
    pytest.fail(f"{VERSIONS} reads this: the change in triad/sparql/grammar.py may not be needed any more")


def test_rdflib_forgets_the_iri_of_an_inverse_path_in_a_negated_property_set() -> None:
    query = "SELECT * { ?s !(^<http://example.org/p>) ?o }"
    assert "example.org/p" in sparql.write(sparql.parse(query))
    assert "example.org/p" not in str(by_rdflib(query)), f"{VERSIONS} does not: the change may not be needed any more"


def test_rdflib_seeks_the_text_of_a_service() -> None:
    query = "SELECT * { SERVICE <http://example.org/> { } }"
    [service] = sparql.nodes(sparql.parse(query), "Service")
    assert "service_string" not in service
    assert "service_string" in str(by_rdflib(query)), f"{VERSIONS} does not: the change may not be needed any more"


def test_the_parts_that_are_changed_are_built_as_they_were() -> None:
    built = {
        "Aggregate": pyparsing.MatchFirst,
        "Expression": pyparsing.Forward,
        "INTEGER_NEGATIVE": pyparsing.And,
        "DECIMAL_NEGATIVE": pyparsing.And,
        "DOUBLE_NEGATIVE": pyparsing.And,
        "IRIREF": pyparsing.Combine,
        "PN_LOCAL": pyparsing.Regex,
        "PN_PREFIX": pyparsing.Regex,
        "Path": pyparsing.Forward,
        "PathAlternative": Comp,
        "PathMod": pyparsing.MatchFirst,
        "PathOneInPropertySet": pyparsing.MatchFirst,
        "PrefixedName": Comp,
        "Query": pyparsing.And,
        "ServiceGraphPattern": Comp,
        "TriplesBlock": pyparsing.Forward,
        "TriplesSameSubjectPath": pyparsing.MatchFirst,
        "VARNAME": pyparsing.Regex,
        "Var": pyparsing.MatchFirst,
        "iri": pyparsing.MatchFirst,
    }
    found = {name: type(getattr(rdflib_grammar, name, None)) for name in built}
    assert found == built, f"{VERSIONS} has other parts: adapt triad/sparql/grammar.py"


def test_the_grammar_makes_the_nodes_that_are_known() -> None:
    parts: Any = QUERY.visit_all()  # type: ignore[no-untyped-call]  # pyparsing has no types for it
    made = {part.name for part in parts if isinstance(part, Comp)}
    assert made == set(NODES.split()), f"{VERSIONS} makes other nodes: see whether triad/sparql reads and writes them"


NODES = """
    AdditiveExpression Aggregate_Avg Aggregate_Count Aggregate_GroupConcat Aggregate_Max Aggregate_Min
    Aggregate_Sample Aggregate_Sum AskQuery Base Bind Builtin_ABS Builtin_BNODE Builtin_BOUND Builtin_CEIL
    Builtin_COALESCE Builtin_CONCAT Builtin_CONTAINS Builtin_DATATYPE Builtin_DAY Builtin_ENCODE_FOR_URI
    Builtin_EXISTS Builtin_FLOOR Builtin_HOURS Builtin_IF Builtin_IRI Builtin_LANG Builtin_LANGMATCHES
    Builtin_LCASE Builtin_MD5 Builtin_MINUTES Builtin_MONTH Builtin_NOTEXISTS Builtin_NOW Builtin_RAND
    Builtin_REGEX Builtin_REPLACE Builtin_ROUND Builtin_SECONDS Builtin_SHA1 Builtin_SHA256 Builtin_SHA384
    Builtin_SHA512 Builtin_STR Builtin_STRAFTER Builtin_STRBEFORE Builtin_STRDT Builtin_STRENDS Builtin_STRLANG
    Builtin_STRLEN Builtin_STRSTARTS Builtin_STRUUID Builtin_SUBSTR Builtin_TIMEZONE Builtin_TZ Builtin_UCASE
    Builtin_URI Builtin_UUID Builtin_YEAR Builtin_isBLANK Builtin_isIRI Builtin_isLITERAL Builtin_isNUMERIC
    Builtin_isURI Builtin_sameTerm ConditionalAndExpression ConditionalOrExpression ConstructQuery DatasetClause
    DescribeQuery DistinctPath FakeGroupGraphPatten Filter Function GraphGraphPattern GroupAs GroupClause
    GroupGraphPatternSub GroupOrUnionGraphPattern HavingClause InlineData LimitOffsetClauses MinusGraphPattern
    MultiplicativeExpression OptionalGraphPattern OrderClause OrderCondition PathAlternative PathElt
    PathEltOrInverse PathNegatedPropertySet PathSequence PrefixDecl RelationalExpression SelectQuery Service
    SubSelect TriplesBlock UnaryMinus UnaryNot UnaryPlus ValuesClause literal pname vars
"""


@pytest.mark.slow
def test_the_grammar_is_changed_as_well_when_rdflib_was_used_before() -> None:
    script = (
        "import rdflib; rdflib.Graph().query('SELECT ?s { ?s <a:p>/<a:q> -1 FILTER(?s = 1) }')\n"
        "from triad import sparql\n"
        "for query in sys.argv[1:]: print(sparql.write(sparql.parse(query)))"
    )
    queries = [*FAULTS.values(), "SELECT * { ?s !(^<p>) ?o SERVICE <a:> { } }"]
    run = subprocess.run(
        [sys.executable, "-c", "import sys\n" + script, *queries], capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert run.stdout.splitlines() == [
        line for query in queries for line in sparql.write(sparql.parse(query)).splitlines()
    ]


def test_a_query_may_have_hundreds_of_patterns() -> None:
    tree = sparql.parse("SELECT * {" + "?s ?p ?o . " * 500 + "}")
    assert len(list(sparql.patterns(tree))) == 500


def test_a_service_in_a_service_is_read() -> None:
    tree = sparql.parse("SELECT * {" + "SERVICE <http://a/> {" * 12 + "?s ?p ?o" + "}" * 13)
    assert len(list(sparql.nodes(tree, "Service"))) == 12


def test_many_services_are_read_in_linear_time() -> None:
    tree = sparql.parse("SELECT * {" + "SERVICE <a:> {}" * 400 + "}")
    assert len(list(sparql.nodes(tree, "Service"))) == 400


def test_rdflib_itself_is_left_as_it_is() -> None:
    from rdflib.plugins.sparql.parser import ServiceGraphPattern

    assert ServiceGraphPattern.name == "ServiceGraphPattern"
