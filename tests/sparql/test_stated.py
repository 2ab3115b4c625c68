"""Facts are asked for in one way, whichever shape the graph has for them."""

from __future__ import annotations

import pytest

from triad import sparql
from triad.sparql.patterns import EdgePattern
from triad.sparql.stated import FACT, Stated, facts_in, said_by, unfolded_facts

WORKS = "http://example.org/worksFor"
P = f"""PREFIX : <http://example.org/> PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX p: <http://www.wikidata.org/prop/> PREFIX ps: <http://www.wikidata.org/prop/statement/>
PREFIX wikibase: <http://wikiba.se/ontology#> PREFIX f: <{FACT}>
"""
STATEMENT = Stated(WORKS, "statement")
TERM = Stated(WORKS, "triple", asserted=True)
CLAIM = Stated(
    WORKS, "claim", claim="http://www.wikidata.org/prop/P1", value="http://www.wikidata.org/prop/statement/P1"
)
FROM, TO, OF = (f"<{FACT}{role}:{WORKS}>" for role in ("from", "to", "of"))


def unfolded(where: str, one: Stated) -> str:
    return sparql.render(unfolded_facts(sparql.parse(f"{P} SELECT ?x {{ {where} }}"), {WORKS: one}))


def plain(where: str) -> str:
    return sparql.render(sparql.parse(f"{P} SELECT ?x {{ {where} }}"))


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (STATEMENT, "_:b1 rdf:subject :anna . _:b1 rdf:predicate :worksFor . _:b1 rdf:object :acme . _:b1 :since ?x ."),
        (TERM, "_:b1 rdf:reifies <<( :anna :worksFor :acme )>> . _:b1 :since ?x ."),
        (
            CLAIM,
            ":anna p:P1 _:b1 . _:b1 ps:P1 :acme . FILTER NOT EXISTS { _:b1 wikibase:rank wikibase:DeprecatedRank } "
            "_:b1 :since ?x .",
        ),
    ],
    ids=["statement", "triple", "claim"],
)
def test_a_fact_that_is_written_as_sparql_1_2_does_is_asked_for_as_the_graph_has_it(one: Stated, expected: str) -> None:
    assert unfolded("<< :anna :worksFor :acme >> :since ?x .", one) == plain(expected)


def test_ways_to_a_fact_and_on_from_it_and_its_class_are_one_pattern() -> None:
    asked = f":anna {FROM} ?f . ?f {TO} :acme ; a {OF} ; :since ?x ."
    assert unfolded(asked, TERM) == plain("?f rdf:reifies <<( :anna :worksFor :acme )>> . ?f :since ?x .")


def test_two_halves_are_one_fact_and_so_is_the_relation_beside_one() -> None:
    halves = f":anna {FROM} ?f . ?f :since ?x . ?f2 {TO} :acme . ?f2 :since ?x ."
    beside = f":anna :worksFor :acme . :anna {FROM} ?f . ?f :since ?x ."
    assert unfolded(halves, TERM) == plain("?f2 rdf:reifies <<( :anna :worksFor :acme )>> . ?f2 :since ?x .")
    assert unfolded(beside, TERM) == plain("?f rdf:reifies <<( :anna :worksFor :acme )>> . ?f :since ?x .")


def test_facts_that_differ_stay_two() -> None:
    asked = f"?x {FROM} ?f . ?f {TO} :acme . ?x {FROM} ?g . ?g {TO} :bolt ."
    expected = "?f rdf:reifies <<( ?x :worksFor :acme )>> . ?g rdf:reifies <<( ?x :worksFor :bolt )>> ."
    assert unfolded(asked, TERM) == plain(expected)


def test_a_relation_by_itself_is_asked_for_as_it_is_where_the_graph_has_it() -> None:
    asked = "?x :worksFor :acme ."
    assert unfolded(asked, TERM) == plain(asked)
    assert unfolded(asked, STATEMENT) == plain(
        "?fact rdf:subject ?x . ?fact rdf:predicate :worksFor . ?fact rdf:object :acme ."
    )


def test_of_claims_alone_the_preferred_ones_hold_and_no_deprecated_one() -> None:
    assert unfolded("?x :worksFor :acme .", CLAIM) == plain(
        "?x p:P1 ?fact . ?fact ps:P1 :acme . FILTER NOT EXISTS { ?fact wikibase:rank wikibase:DeprecatedRank } "
        "FILTER NOT EXISTS { ?fact wikibase:rank wikibase:NormalRank . ?x p:P1 ?fact1 . "
        "?fact1 wikibase:rank wikibase:PreferredRank }"
    )


def test_what_speaks_of_no_fact_is_left_as_it_is() -> None:
    query = sparql.parse("SELECT ?x { ?x <http://example.org/of> ?y }")
    assert unfolded_facts(query, {WORKS: STATEMENT}) is query
    assert unfolded_facts(query, {}) is query


@pytest.mark.parametrize("one", [STATEMENT, TERM, CLAIM], ids=["statement", "triple", "claim"])
def test_the_facts_of_patterns_are_found_again(one: Stated) -> None:
    query = unfolded_facts(sparql.parse(f"{P} SELECT ?x {{ << :anna :worksFor ?x ~ ?f >> :since 2019 }}"), {WORKS: one})
    [(known, node, fact)] = facts_in([edge for edge in query.where if isinstance(edge, EdgePattern)], [one])
    assert known is one
    assert sparql.write_part(fact) == "<http://example.org/anna> <http://example.org/worksFor> ?x"
    assert str(node) == "?f"


def test_what_stands_for_a_part_of_a_fact_is_called_as_its_relation() -> None:
    assert said_by(f"{FACT}to:{WORKS}") == said_by(f"urn:triad:by:{WORKS}") == said_by(WORKS) == WORKS
