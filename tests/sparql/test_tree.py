from __future__ import annotations

from triad import sparql
from triad.sparql.term import Literal as LeafLiteral
from triad.sparql.term import URIRef, Variable


def test_terms_patterns_and_nodes_are_found_wherever_they_are() -> None:
    tree = sparql.parse(
        "SELECT (COUNT(?x) AS ?n) { ?x <p>|<q> 5 OPTIONAL { ?x <r> 'a' FILTER NOT EXISTS { ?x (<s>) ?y } } }"
    )
    assert {"p", "q", "r", "s"} == {str(term) for term in sparql.terms(tree) if isinstance(term, URIRef)}
    found = list(sparql.patterns(tree))
    assert [value for _, _, value in found] == [LeafLiteral(5), LeafLiteral("a"), Variable("y")]
    assert found[2][1] == URIRef("s")
    assert sum(1 for _ in sparql.nodes(tree, "Builtin_NOTEXISTS")) == 1


def test_a_term_is_replaced_everywhere_and_the_tree_is_left_alone() -> None:
    tree = sparql.parse("SELECT * { <a> <p> <a>, '<a>' FILTER(?x IN (<a>, <aa>)) }")
    before = sparql.write(tree)
    after = sparql.write(sparql.node(sparql.substitute(tree, {URIRef("a"): URIRef("z")})))
    assert after == before.replace("<a> <p> <a>", "<z> <p> <z>").replace('<a> <p> "', '<z> <p> "').replace(
        "(<a>,", "(<z>,"
    )
    assert sparql.write(tree) == before
