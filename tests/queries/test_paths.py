from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from triad import sparql
from triad.queries.path_text import MalformedPath, mention, named, parse_path, write_path
from triad.queries.paths import NotAPath, ReasoningPath, Restriction, Step, from_graph
from triad.rdf import IRI, RDF_TYPE, Literal, number
from triad.sparql.patterns import Call, Comparison, Logic, Not, Value, Variable
from triad.sparql.query_graph import Order
from triad.sparql.writer import render

X = Variable("x")


def path_of(query: str) -> ReasoningPath:
    return from_graph(sparql.parse(f"PREFIX : <http://e/> {query}").explicit())


def iri(name: str) -> IRI:
    return IRI(f"http://e/{name}")


# From queries ---------------------------------------------------------------------------------------------


def test_the_main_path_leads_from_the_entity_to_the_answer_in_either_direction() -> None:
    path = path_of("SELECT ?place { ?film :director ?d . ?d :birthPlace ?place . ?film :title 'Dune' . ?film a :Film }")
    assert path.topic == Literal("Dune")
    assert path.steps == (Step(iri("title"), forward=False), Step(iri("director")), Step(iri("birthPlace")))
    assert [str(node) for node in path.nodes] == ["?c", "?y", "?x"]
    [film] = path.restrictions
    assert (str(film.node), film.end, film.sort) == ("?c", iri("Film"), "entity")


def test_a_class_is_the_topic_only_where_nothing_else_is_named() -> None:
    assert path_of("SELECT ?x { ?x a :Film ; :director :Lynch }").topic == iri("Lynch")
    assert path_of("SELECT ?x { ?x a :Film }").topic == iri("Film")


def test_conditions_and_the_order_go_to_the_edge_that_binds_their_value() -> None:
    path = path_of(
        "SELECT ?x { ?x :director :Lynch ; :year ?y ; :title ?t FILTER(?y > 1980 && STR(?t) = 'Dune') } "
        "ORDER BY DESC(?y) LIMIT 2 OFFSET 1"
    )
    year, title = path.restrictions
    assert (year.sort, title.sort) == ("numeric", "string")
    assert year.tests == (Comparison(Variable("sk0"), ">", number(1980)),)
    assert year.order == Order(Variable("sk0"), descending=True)
    assert title.tests == (Comparison(Call("STR", (Variable("sk1"),)), "=", Literal("Dune")),)
    assert (path.limit, path.offset) == (2, 1)


def test_what_hangs_on_the_same_node_stays_together() -> None:
    path = path_of("SELECT ?x { :Bern :born ?x . ?x :office ?o . ?o :title :Mayor ; :from ?f FILTER(?f > 2000) }")
    office, mayor, since = path.restrictions
    assert office.end == mayor.node == since.node
    assert [one.sort for one in path.restrictions] == ["entity", "entity", "numeric"]


def test_a_sequence_of_relations_and_a_blank_node_are_steps() -> None:
    assert path_of("SELECT ?x { :Dune :director/:birthPlace ?x }") == path_of(
        "SELECT ?x { :Dune :director [ :birthPlace ?x ] }"
    )


@pytest.mark.parametrize(
    ("query", "what"),
    [
        ("ASK { :a :b :c }", "yes/no"),
        ("SELECT (COUNT(?x) AS ?n) { ?x :a :b }", "aggregate"),
        ("SELECT ?x ?y { ?x :a :b ; :c ?y }", "2 columns"),
        ("SELECT (STR(?x) AS ?n) { ?x :a :b }", "computed column"),
        ("SELECT ?x { ?x :a :b FILTER NOT EXISTS { ?x :c ?d } }", "negation"),
        ("SELECT ?x { ?x :a :b MINUS { ?x :c :d } }", "negation"),
        ("SELECT ?x { ?x :a :b FILTER(EXISTS { ?x :c ?d } || ?x != :e) }", "patterns of its own"),
        ("SELECT ?x { { ?x :a :b } UNION { ?x :c :d } }", "union"),
        ("SELECT ?x { ?x :a :b OPTIONAL { ?x :c ?d } }", "optional"),
        ("SELECT ?x { ?x :a ?y VALUES ?y { :b :c } }", "list of values"),
        ("SELECT ?x { ?x :a :b BIND(1 AS ?y) }", "computed value"),
        ("SELECT ?x { GRAPH :g { ?x :a :b } }", "named graph"),
        ("SELECT ?x { ?x :a|:c :b }", "alternative"),
        ("SELECT ?x { ?x :a+ :b }", "repeated"),
        ("SELECT ?x { ?x ?p :b }", "relation that is a variable"),
        ("SELECT ?x { ?x :a ?y }", "names nothing"),
        ("SELECT ?x { ?x :a ?y . ?z :c :b }", "leads to its answer"),
        ("SELECT ?x { ?x :a :b . ?y :c :d }", "not connected"),
        ("SELECT ?x { ?x :a :b ; :c ?y ; :d ?z } ORDER BY ?y ?z", "several"),
        ("SELECT ?x { ?x :a :b FILTER(1 < 2) }", "not on the path"),
        ("SELECT ?x { { SELECT ?x { ?x :a :b } LIMIT 1 } }", "query within"),
        ("SELECT ?x { SERVICE :s { ?x :a :b } }", "another endpoint"),
        ("SELECT ?x FROM :g { ?x :a :b }", "names no graph"),
        ("SELECT ?x FROM NAMED :g { ?x :a :b }", "names no graph"),
        ("SELECT ?x { ?x a/rdfs:subClassOf* :b }", "repeated|choice of classes"),
    ],
)
def test_what_a_path_cannot_express_is_said(query: str, what: str) -> None:
    with pytest.raises(NotAPath, match=what):
        path_of(query)


WRITTEN = {
    "SELECT ?place { ?film :director ?d . ?d :birthPlace ?place . ?film :title 'Dune' . ?film a :Film }": """Main Path:
 "Dune" -[R[title]]-> ?c
 ?c -[director]-> ?y
 ?y -[birthPlace]-> ?x
Entity Restrictions:
 ?c -[type]-> Film""",
    "SELECT ?x { ?x :director :Lynch ; :year ?y ; :title ?t FILTER(?y > 1980 && STR(?t) = 'Dune') } "
    "ORDER BY DESC(?y) LIMIT 2 OFFSET 1": """Main Path:
 Lynch -[R[director]]-> ?x
Numeric Restrictions:
 ?x -[year]-> ?sk0
  FILTER (?sk0 > 1980)
  ORDER BY DESC(?sk0)
  LIMIT 2
  OFFSET 1
String Restrictions:
 ?x -[title]-> ?sk1
  FILTER (STR(?sk1) = "Dune")""",
    "SELECT ?x { :Bern :born ?x . ?x :office ?o . ?o :title :Mayor ; :from ?f FILTER(?f > 2000) }": """Main Path:
 Bern -[born]-> ?x
Entity Restrictions:
 ?x -[office]-> ?sk0
 ?sk0 -[title]-> Mayor
Numeric Restrictions:
 ?sk0 -[from]-> ?sk1
  FILTER (?sk1 > 2000)""",
    "SELECT ?x { ?a :p :A . ?a :q ?b . ?b :r ?c . ?c :s ?d . ?d :t ?e . ?e :u ?x } LIMIT 3 OFFSET 2": """Main Path:
 A -[R[p]]-> ?n2
 ?n2 -[q]-> ?n1
 ?n1 -[r]-> ?k
 ?k -[s]-> ?c
 ?c -[t]-> ?y
 ?y -[u]-> ?x
  LIMIT 3
  OFFSET 2""",
    "SELECT ?x { :A :p ?x . ?x :q ?v ; :r ?w FILTER(?v != ?w) FILTER(?x != :B) } ORDER BY ?w": """Main Path:
 A -[p]-> ?x
Entity Restrictions:
 ?x -[q]-> ?sk0
  FILTER (?x != <B>)
Numeric Restrictions:
 ?x -[r]-> ?sk1
  FILTER (?sk0 != ?sk1)
  ORDER BY ASC(?sk1)""",
    "SELECT ?x { :A :p ?x . ?x :name 'Ann'@en ; :age 30 ; :friend :B . ?s :knows ?x }": """Main Path:
 A -[p]-> ?x
Entity Restrictions:
 ?x -[friend]-> B
 ?x -[R[knows]]-> ?sk0
Numeric Restrictions:
 ?x -[age]-> "30"^^<http://www.w3.org/2001/XMLSchema#integer>
String Restrictions:
 ?x -[name]-> "Ann"@en""",
    "SELECT ?x { ?x a :Film FILTER(?x != :Dune && ?x != :M) FILTER(?x IN (:A, :M)) } ORDER BY ?x": """Main Path:
 Film -[R[type]]-> ?x
Numeric Restrictions:
  FILTER (?x != <Dune>)
  FILTER (?x != <M>)
  FILTER (?x IN (<A>, <M>))
  ORDER BY ASC(?x)""",
}


@pytest.mark.parametrize("query", WRITTEN)
def test_a_query_is_written_as_a_path_and_read_back(query: str) -> None:
    path = path_of(query)
    in_words = named(path, lambda iri, _: "type" if iri == IRI(RDF_TYPE) else iri.value.removeprefix("http://e/"))
    assert write_path(in_words) == WRITTEN[query]
    assert parse_path(WRITTEN[query]) == in_words
    assert parse_path(write_path(path)) == path
    assert path_of(render(path.graph())) == path


@pytest.mark.parametrize(
    ("condition", "negates"),
    [("?y != 3", True), ("?y > 3", False), ("!(?y > 3)", True), ("?y NOT IN (3)", True), ("?y IN (3)", False)],
)
def test_a_negated_condition_on_a_value_is_told(condition: str, negates: bool) -> None:
    [kept] = path_of(f"SELECT ?x {{ ?x :a :b ; :c ?y FILTER({condition}) }}").restrictions
    assert kept.negates is negates


def test_what_a_path_names_is_told_once_and_without_its_relations() -> None:
    path = path_of("SELECT ?x { :A :p ?x . ?x a :B ; :q ?v ; :p :A FILTER(?v != :C) }")
    assert path.named() == (iri("A"), iri("B"), iri("C"))
    assert path.relations() == (iri("p"), IRI(RDF_TYPE), iri("q"), iri("p"))
    assert [step.turned for step in path.steps] == [Step(iri("p"), forward=False)]
    assert (path.answer, path.order) == (X, None)


def test_without_a_restriction_what_hangs_on_it_goes_too() -> None:
    path = path_of("SELECT ?x { ?x :a :b ; :office ?o ; :c :d . ?o :title :Mayor . ?o :from ?f FILTER(?f > 2000) }")
    office = path.restrictions[0]
    assert [one.end for one in path.without(office).restrictions] == [iri("d")]
    mayor, since = path.restrictions[2:]
    assert [one.end for one in path.without(mayor, since).restrictions] == [iri("d")]


# Both ways ------------------------------------------------------------------------------------------------

names = st.sampled_from([iri(name) for name in "abcdef"])
steps = st.builds(Step, names, st.booleans())
literals = st.sampled_from([number(3), number(2.5), Literal("Bern"), Literal('a "b"', language="de")])


def conditions_on(value: Variable) -> st.SearchStrategy[Value]:
    compared: st.SearchStrategy[Value] = st.builds(
        Comparison, st.just(value), st.sampled_from(["=", "<", ">=", "!="]), literals
    )
    contains = st.builds(lambda text: Call("CONTAINS", (Call("STR", (value,)), text)), literals)
    either = st.builds(lambda one, other: Logic((one, other), "||"), compared, contains)
    return st.one_of(compared, contains, either, st.builds(Not, contains))


@st.composite
def paths(draw: st.DrawFn) -> ReasoningPath:
    main: Sequence[Step] = draw(st.lists(steps, min_size=1, max_size=5))
    open_ends = list(ReasoningPath(IRI("http://e/topic"), tuple(main)).nodes)
    restrictions: list[Restriction] = []
    for at in range(draw(st.integers(0, 4))):
        node = draw(st.sampled_from(open_ends))
        if draw(st.booleans()):
            restrictions.append(Restriction(node, draw(steps), draw(st.one_of(names, literals))))
        else:
            value = Variable(f"v{at}")
            tests = tuple(draw(st.lists(conditions_on(value), max_size=2)))
            restrictions.append(Restriction(node, Step(draw(names)), value, tests))
            open_ends.append(value)
    if restrictions and isinstance(last := restrictions[-1].end, Variable) and draw(st.booleans()):
        order = Order(last, draw(st.booleans()))
        restrictions[-1] = Restriction(
            restrictions[-1].node, restrictions[-1].step, last, restrictions[-1].tests, order
        )
    limit = draw(st.one_of(st.none(), st.integers(1, 9)))
    return ReasoningPath(IRI("http://e/topic"), tuple(main), tuple(restrictions), limit, draw(st.integers(0, 2)))


@pytest.mark.slow
@given(paths())
def test_a_path_survives_sparql(path: ReasoningPath) -> None:
    read = from_graph(path.graph())
    again = from_graph(sparql.parse(render(read.graph())).explicit())
    assert again == read


@pytest.mark.slow
@given(paths())
def test_a_path_survives_text(path: ReasoningPath) -> None:
    read = from_graph(path.graph())
    assert parse_path(write_path(read)) == read
    in_words = named(read, lambda iri, _: f"name of {iri.value[-1]}")
    assert parse_path(write_path(in_words)) == in_words


# Text -----------------------------------------------------------------------------------------------------

PAPER = """Main Path:
 Lou Seal -[R[sports , sports team , team mascot]]-> ?c
 ?c -[sports , sports team , championships]-> ?x
Entity Restrictions:
 ?x -[common , topic , notable types]-> College/University
Numeric Restrictions:
 ?x -[time , event , start date]-> ?sk0
  ORDER BY DESC(?sk0)
  LIMIT 1
String Restrictions:
 ?c -[location , location , name]-> ?sk1
  FILTER (str(?sk1) = "State")
"""


def test_the_form_of_the_paper_is_read() -> None:
    path = parse_path(PAPER)
    assert path.topic == mention("Lou Seal")
    assert [(step.relation, step.forward) for step in path.steps] == [
        (mention("sports , sports team , team mascot"), False),
        (mention("sports , sports team , championships"), True),
    ]
    kind, date, name = path.restrictions
    assert (kind.sort, kind.end) == ("entity", mention("College/University"))
    assert (date.sort, date.order, path.limit) == ("numeric", Order(Variable("sk0"), descending=True), 1)
    assert (name.sort, name.node) == ("string", path.nodes[0])


def test_the_form_of_the_paper_is_written() -> None:
    written = write_path(parse_path(PAPER))
    assert written == PAPER.replace("?c", "?y").replace("str(", "STR(").rstrip("\n")


def test_a_name_that_could_not_be_read_back_stays_an_iri() -> None:
    path = ReasoningPath(IRI("http://e/a"), (Step(IRI("http://e/b")),))
    for name in ('"quoted"', "?x", "a -[b]-> c", "two\nlines", ""):
        written = write_path(named(path, lambda iri, relation, name=name: "b" if relation else name))  # type: ignore[misc]
        assert written == "Main Path:\n <http://e/a> -[b]-> ?x"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "starts at something"),
        ("Momo was written by Michael Ende.", "begins with the line"),
        ("Main Path:\n Momo wrote ?x", "no part of a path"),
        ("Main Path:\n ?y -[a]-> ?x", "starts at something"),
        ("Main Path:\n Momo -[a]-> Ende", "leads to a variable"),
        ("Main Path:\n Momo -[a]-> ?y\n Bern -[b]-> ?x", "starts at Bern and not at"),
        ("Main Path:\n Momo -[a]-> ?x\nEntity Restrictions:\n ?z -[b]-> Bern", "not connected"),
        ("Main Path:\n Momo -[a]-> ?x\n  FILTER (?x >", "no part of a path"),
        ("Main Path:\n Momo -[a]-> ?x\n  FILTER (?x > )", "cannot be read"),
        ("Main Path:\n Momo -[a]-> ?x\n  FILTER (true) } { ?x ?y ?z)", "cannot be read|no patterns"),
        ("Main Path:\n" + " Momo -[a]-> ?x\n" * 2_000, "10,000 characters"),
    ],
)
def test_what_is_no_path_is_said(text: str, what: str) -> None:
    with pytest.raises(MalformedPath, match=what):
        parse_path(text)
