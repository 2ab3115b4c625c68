"""Templates are parsed and filled as trees: nothing that a model writes in them is lost, split or mixed up."""

# ruff: noqa: E501  (a query is one line)
from __future__ import annotations

import re
from typing import Any

import pyoxigraph
import pytest

from triad import sparql
from triad.errors import QuerySyntaxError
from triad.kg.guard import check
from triad.language.normalize import fold
from triad.queries.template import LEFT_OUT, Template, filled, inverse, written
from triad.questions import Mention
from triad.rdf import IRI, Literal

EX = "http://example.org/"


def filled_in(template: Template) -> str:
    """Fill each slot with an IRI made of its words, classes with rdf:type, literals with themselves."""
    terms: dict[Any, Any] = {
        slot: IRI(EX + fold(mention.text).replace(" ", "_")) for slot, mention in template.slots.items()
    }
    terms |= template.literals
    terms |= dict.fromkeys(template.classes.values(), IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"))
    return sparql.write(template.fill(terms), {"": EX, "rdfs": sparql.PREFIXES["rdfs"], "xsd": sparql.PREFIXES["xsd"]})


def body(query: str) -> str:
    """Return a query on one line, without its prefixes."""
    return " ".join(line.strip() for line in query.splitlines() if not line.startswith("PREFIX"))


def mentions(text: str) -> list[str]:
    return [f"{mention.kind} {mention.text}" for mention in Template(text).slots.values()]


FILLED = {
    "one pattern": ("SELECT ?x { ?x <director> <Kubrick> }", "SELECT ?x WHERE { ?x :director :kubrick . }"),
    "semicolons": (
        "SELECT ?x { ?x <director> <Kubrick> ; <year> ?y ; . }",
        "SELECT ?x WHERE { ?x :director :kubrick . ?x :year ?y . }",
    ),
    "commas": ("SELECT ?x { ?x <actor> <A>, <B> }", "SELECT ?x WHERE { ?x :actor :a . ?x :actor :b . }"),
    "a": ("SELECT ?x { ?x a <Film> ; a <Comedy> }", "SELECT ?x WHERE { ?x a :film . ?x a :comedy . }"),
    "rdf:type": ("SELECT ?x { ?x rdf:type <Film> }", "SELECT ?x WHERE { ?x a :film . }"),
    "is a": ("SELECT ?x { ?x <is_a> <Film> }", "SELECT ?x WHERE { ?x a :film . }"),
    "a over subclasses": ("SELECT ?x { ?x a/rdfs:subClassOf* <Film> }", "SELECT ?x WHERE { ?x a :film . }"),
    "type of a variable": ("SELECT ?t { <Dune> a ?t }", "SELECT ?t WHERE { :dune a ?t . }"),
    "statement about a statement": (
        "SELECT ?x { << <Dune> <made_by> ?x >> <since> 1984 }",
        "SELECT ?x WHERE { _:b1 <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( :dune :made_by ?x )>> . _:b1 :since 1984 . }",
    ),
    "string": ('SELECT ?x { ?x <name> "Momo" }', 'SELECT ?x WHERE { ?x :name "Momo" . }'),
    "string with language": ('SELECT ?x { ?x <name> "Momo"@de }', 'SELECT ?x WHERE { ?x :name "Momo"@de . }'),
    "strings equal up to case": ('SELECT ?x { ?x <name> "IT", "It" }', 'SELECT ?x WHERE { ?x :name "IT" . ?x :name "It" . }'),
    "strings equal up to language": (
        'SELECT ?x { ?x <name> "Rom"@de, "Rom"@pl, "Rom"@de }',
        'SELECT ?x WHERE { ?x :name "Rom"@de . ?x :name "Rom"@pl . ?x :name "Rom"@de . }',
    ),
    "typed literal": (
        'SELECT ?x { ?x <published> "1973-09-01"^^xsd:date }',
        'SELECT ?x WHERE { ?x :published "1973-09-01"^^xsd:date . }',
    ),
    "numbers": ("SELECT ?x { ?x <pages> 304 ; <price> -9.99 }", "SELECT ?x WHERE { ?x :pages 304 . ?x :price -9.99 . }"),
    "boolean": ("SELECT ?x { ?x <good> true }", "SELECT ?x WHERE { ?x :good true . }"),
    "label as literal": (
        'SELECT ?x { ?x rdfs:label "Momo"@en }',
        'SELECT ?x WHERE { ?x :label "Momo"@en . }',
    ),
    "comparisons without spaces": (
        "SELECT ?x { ?x <p> ?a ; <q> ?b FILTER(?a<5&&?b>3) }",
        "SELECT ?x WHERE { ?x :p ?a . ?x :q ?b . FILTER ((?a < 5) && (?b > 3)) }",
    ),
    "comparisons that look like a mention": (
        "SELECT ?x { ?x <p> ?a ; <q> ?b FILTER(?a <5 && ?b> 3) }",
        "SELECT ?x WHERE { ?x :p ?a . ?x :q ?b . FILTER ((?a < 5) && (?b > 3)) }",
    ),
    "comparisons of variables": (
        "SELECT ?x { ?x <p> ?a ; <q> ?b FILTER(?a <?b || ?b> ?a) }",
        "SELECT ?x WHERE { ?x :p ?a . ?x :q ?b . FILTER ((?a < ?b) || (?b > ?a)) }",
    ),
    "comparison of strings": (
        'SELECT ?x { ?x <p> ?a FILTER(STR(?a) <"M") ?x <q> ?b FILTER(?b> "a") }',
        'SELECT ?x WHERE { ?x :p ?a . FILTER (STR(?a) < "M") ?x :q ?b . FILTER (?b > "a") }',
    ),
    "regex": (
        'SELECT ?x { ?x <name> ?n FILTER REGEX(?n, "^<Dune>", "i") }',
        'SELECT ?x WHERE { ?x :name ?n . FILTER (REGEX(?n, "^<Dune>", "i")) }',
    ),
    "year": (
        "SELECT ?x { ?x <release date> ?d FILTER(YEAR(?d) = 1968) }",
        "SELECT ?x WHERE { ?x :release_date ?d . FILTER (YEAR(?d) = 1968) }",
    ),
    "in mentions": (
        "SELECT ?x { ?x <director> ?d FILTER(?d IN (<Kubrick>, <Ridley Scott>)) }",
        "SELECT ?x WHERE { ?x :director ?d . FILTER (?d IN (:kubrick, :ridley_scott)) }",
    ),
    "not a mention": (
        "SELECT ?x { ?x <director> ?d FILTER(?d != <Kubrick>) }",
        "SELECT ?x WHERE { ?x :director ?d . FILTER (?d != :kubrick) }",
    ),
    "optional": (
        "SELECT ?x ?y { ?x <director> <Kubrick> OPTIONAL { ?x <year> ?y } }",
        "SELECT ?x ?y WHERE { ?x :director :kubrick . OPTIONAL { ?x :year ?y . } }",
    ),
    "union": (
        "SELECT ?x { { ?x <director> <Kubrick> } UNION { ?x <writer> <Kubrick> } }",
        "SELECT ?x WHERE { { ?x :director :kubrick . } UNION { ?x :writer :kubrick . } }",
    ),
    "minus": (
        "SELECT ?x { ?x a <Film> MINUS { ?x <director> <Kubrick> } }",
        "SELECT ?x WHERE { ?x a :film . MINUS { ?x :director :kubrick . } }",
    ),
    "not exists": (
        "SELECT ?x { ?x a <Film> FILTER NOT EXISTS { ?x <director> <Kubrick> } }",
        "SELECT ?x WHERE { ?x a :film . FILTER (NOT EXISTS { ?x :director :kubrick . }) }",
    ),
    "group and having": (
        "SELECT ?d { ?x <director> ?d } GROUP BY ?d HAVING (COUNT(?x) > 3)",
        "SELECT ?d WHERE { ?x :director ?d . } GROUP BY ?d HAVING (COUNT(?x) > 3)",
    ),
    "order, limit and offset": (
        "SELECT ?x { ?x <height> ?h } ORDER BY DESC(?h) LIMIT 1 OFFSET 1",
        "SELECT ?x WHERE { ?x :height ?h . } ORDER BY DESC(?h) LIMIT 1 OFFSET 1",
    ),
    "count": (
        "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x <director> <Kubrick> . }",
        "SELECT (COUNT(DISTINCT ?x) AS ?n) WHERE { ?x :director :kubrick . }",
    ),
    "sum and average": (
        "SELECT (SUM(?g) AS ?s) (AVG(?g) AS ?a) { ?x <gross> ?g }",
        "SELECT (SUM(?g) AS ?s) (AVG(?g) AS ?a) WHERE { ?x :gross ?g . }",
    ),
    "sub-select": (
        "SELECT ?y { { SELECT ?x { ?x <height> ?h } ORDER BY DESC(?h) LIMIT 1 } ?x <country> ?y }",
        "SELECT ?y WHERE { { SELECT ?x WHERE { ?x :height ?h . } ORDER BY DESC(?h) LIMIT 1 } ?x :country ?y . }",
    ),
    "values of mentions": (
        "SELECT ?x { VALUES ?d { <Kubrick> <Ridley Scott> } ?x <director> ?d }",
        "SELECT ?x WHERE { VALUES ?d { :kubrick :ridley_scott } ?x :director ?d . }",
    ),
    "bind of a mention": (
        "SELECT ?x { BIND(<Kubrick> AS ?d) ?x <director> ?d }",
        "SELECT ?x WHERE { BIND (:kubrick AS ?d) ?x :director ?d . }",
    ),
    "path of a sequence": (
        "SELECT ?c { <Kubrick> <birth place>/<country> ?c }",
        "SELECT ?c WHERE { :kubrick :birth_place _:step1 . _:step1 :country ?c . }",
    ),
    "path beside a variable of that name": (
        "SELECT ?step1 { <Kubrick> <birth place>/<country> ?step1 }",
        "SELECT ?step1 WHERE { :kubrick :birth_place _:step2 . _:step2 :country ?step1 . }",
    ),
    "path of an inverse": ("SELECT ?x { <Kubrick> ^<director> ?x }", "SELECT ?x WHERE { ?x :director :kubrick . }"),
    "path of an alternative": (
        "SELECT ?x { ?x <director>|<writer> <Kubrick> }",
        "SELECT ?x WHERE { ?x :director | :writer :kubrick . }",
    ),
    "path with star": ("SELECT ?x { ?x <part of>* <Earth> }", "SELECT ?x WHERE { ?x :part_of* :earth . }"),
    "path of paths": (
        "SELECT ?x { ?x (<a>/^<b>)|<c>+ <Earth> }",
        "SELECT ?x WHERE { ?x (:a / (^:b)) | (:c+) :earth . }",
    ),
    "ask without where": ("ASK { <Kubrick> <spouse> ?x }", "ASK WHERE { :kubrick :spouse ?x . }"),
    "keywords in odd case": ("Select ?x Where { ?x <director> <Kubrick> } Limit 3", "SELECT ?x WHERE { ?x :director :kubrick . } LIMIT 3"),
    "a mention twice": (
        "SELECT ?x { ?x <director> <Kubrick> ; <writer> <Kubrick> }",
        "SELECT ?x WHERE { ?x :director :kubrick . ?x :writer :kubrick . }",
    ),
    "a repeated triple": (
        "SELECT ?x { ?x <director> <Kubrick> . ?x <director> <Kubrick> }",
        "SELECT ?x WHERE { ?x :director :kubrick . ?x :director :kubrick . }",
    ),
    "variable predicate": ("SELECT ?p { <Kubrick> ?p <Dune> }", "SELECT ?p WHERE { :kubrick ?p :dune . }"),
    "blank node": ("SELECT ?x { ?x <spouse> [ <born in> <Bonn> ] }", "SELECT ?x WHERE { ?x :spouse _:b1 . _:b1 :born_in :bonn . }"),
    "empty blank node": ("SELECT ?x { ?x <spouse> [] }", "SELECT ?x WHERE { ?x :spouse _:b1 . }"),
    "a mention in a string": (
        'SELECT ?x { ?x <says> "<Kubrick> <Stanley Kubrick>" ; <of> <Kubrick> }',
        'SELECT ?x WHERE { ?x :says "<Kubrick> <Stanley Kubrick>" . ?x :of :kubrick . }',
    ),
    "a mention within another": (
        "SELECT ?x { <Dune> <part of> <Dune Messiah> . <Dune> <part> ?x }",
        "SELECT ?x WHERE { :dune :part_of :dune_messiah . :dune :part ?x . }",
    ),
    "a mention in a comment": (
        "SELECT ?x { # <Stanley Kubrick's 'film>\n ?x <of> <Stanley Kubrick> }",
        "SELECT ?x WHERE { ?x :of :stanley_kubrick . }",
    ),
    "no space anywhere": ("ASK{<Kubrick><spouse>?x}", "ASK WHERE { :kubrick :spouse ?x . }"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), FILLED.values(), ids=FILLED.keys())
def test_a_filled_template_is_standard_sparql(text: str, expected: str) -> None:
    query = filled_in(Template(text))
    assert body(query) == expected
    pyoxigraph.Store().query(check(query))


NAMES = {
    "<Stanley_Kubrick>": "Stanley Kubrick",
    "<Stanley Kubrick>": "Stanley Kubrick",
    "<Łódź>": "Łódź",
    "<東京 タワー>": "東京 タワー",
    "<Schindler's List>": "Schindler's List",
    "<Schindler's_List>": "Schindler's List",
    "<'Allo 'Allo!>": "'Allo 'Allo!",
    '<"Weird Al" Yankovic>': "Weird Al Yankovic",
    "<(500) Days of Summer>": "(500) Days of Summer",
    "<Momo_(novel)>": "Momo (novel)",
    "<Paris, Texas>": "Paris, Texas",
    "<Dune:_Part_Two>": "Dune: Part Two",
    "<Dune: Part Two>": "Dune: Part Two",
    "<2001:_A_Space_Odyssey>": "2001: A Space Odyssey",
    "<Who_Wants_to_Be_a_Millionaire?>": "Who Wants to Be a Millionaire?",
    "<Who Wants to Be a Millionaire?>": "Who Wants to Be a Millionaire?",
    "<Simon & Garfunkel>": "Simon & Garfunkel",
    "<AT&T Inc.>": "AT&T Inc.",
    "<Ke$ha Sebert>": "Ke$ha Sebert",
    "<C++>": "C++",
    "<#MeToo movement>": "#MeToo movement",
    "<M*A*S*H>": "M*A*S*H",
    "<.hack//Sign the series>": ".hack//Sign the series",
    "<AC/DC>": "AC/DC",
    "<100%_Wolf>": "100% Wolf",
    "<Jean-Luc Godard>": "Jean-Luc Godard",
    "<http://dbpedia.org/resource/Stanley_Kubrick>": "Stanley Kubrick",
    "<http://www.wikidata.org/entity/Q2001>": "Q2001",
    "<https://schema.example/Stanley_Kubrick>": "Stanley Kubrick",
    "<urn:films/Stanley_Kubrick>": "Stanley Kubrick",
    "dbr:Stanley_Kubrick": "Stanley Kubrick",
    "<dbr:Stanley_Kubrick>": "Stanley Kubrick",
    "yago:Stanley_Kubrick": "Stanley Kubrick",
}


@pytest.mark.parametrize(("written_as", "text"), NAMES.items(), ids=NAMES.keys())
def test_a_mention_is_its_words_however_it_is_written(written_as: str, text: str) -> None:
    template = Template(f"SELECT ?x {{ ?x <p> {written_as} . {written_as} <q> ?y FILTER(?x != {written_as}) }}")
    assert [mention for mention in template.slots.values() if mention.kind == "entity"] == [Mention(text, "entity")]
    assert len(template.patterns) == 2
    pyoxigraph.Store().query(filled_in(template))


@pytest.mark.parametrize(
    ("written_as", "text"),
    [
        ("<birth place>", "birth place"),
        ("<birth_place>", "birth place"),
        ("<birthPlace>", "birth place"),
        ("<dbo:birthPlace>", "birth place"),
        ("dbo:birthPlace", "birth place"),
        ("<http://dbpedia.org/ontology/birthPlace>", "birth place"),
        ("<award received>", "award received"),
        ("<IMDb_ID>", "IMDb ID"),
    ],
)
def test_a_relation_is_its_words_however_it_is_written(written_as: str, text: str) -> None:
    assert mentions(f"SELECT ?x {{ ?x {written_as} ?y }}") == [f"relation {text}"]


def test_two_mentions_with_apostrophes_on_a_line_do_not_hide_what_is_between() -> None:
    text = "SELECT ?x { ?x <actor in> <Schindler's List> . ?x <actor in> <Ocean's Eleven> ; <name> 'It' }"
    names = mentions(text)
    assert "entity Schindler's List" in names
    assert "entity Ocean's Eleven" in names
    assert "literal It" in names


def test_mentions_equal_up_to_case_are_one_slot() -> None:
    template = Template("SELECT ?x { ?x <of> <Dune> . ?x <by> <dune> . ?x <at> <DUNE> }")
    assert [mention.text for mention in template.slots.values() if mention.kind == "entity"] == ["Dune"]


def test_a_relation_has_a_slot_for_each_pattern() -> None:
    template = Template("SELECT ?x { <Dune> <director> ?x . <Alien> <director> ?x }")
    slots = [slot for slot, mention in template.slots.items() if mention == Mention("director", "relation")]
    assert len(slots) == 2
    assert [pattern.relation for pattern in template.patterns] == slots


def test_slots_are_in_the_order_of_the_text() -> None:
    assert mentions('SELECT ?x { <A> <p> <B> . ?x a <C> . ?x <q> "D" FILTER(?x != <E>) }') == [
        "entity A", "relation p", "entity B", "class C", "relation q", "literal D", "entity E",
    ]  # fmt: skip


def test_patterns_name_their_ends_and_their_words() -> None:
    template = Template(
        'SELECT ?x { ?x a <Film> ; <director> <Stanley_Kubrick> ; <title> "Dune" ; <year> 1984 ; ?p [] }'
    )
    assert [(p.subject, p.relation, p.object, p.text) for p in template.patterns] == [
        ("?x", None, "slot:class/film", "?x a <Film>"),
        ("?x", "slot:relation/director/2", "slot:entity/stanley_kubrick", "?x <director> <Stanley_Kubrick>"),
        ("?x", "slot:relation/title/3", "slot:literal/dune", '?x <title> "Dune"'),
        ("?x", "slot:relation/year/4", '"1984"^^<http://www.w3.org/2001/XMLSchema#integer>', "?x <year> 1984"),
    ]
    assert template.classes == {"slot:class/film": "slot:type/1"}
    assert template.literals == {"slot:literal/dune": Literal("Dune")}


def test_patterns_of_a_path_go_from_end_to_end() -> None:
    template = Template("SELECT ?x { ?x ^<a>|(<b>/<c>) <Earth> . ?x <d>/^<e> <Mars> }")
    ends = [(template.slots[p.relation or ""].text, p.subject, p.object) for p in template.patterns]
    assert ends == [
        ("a", "slot:entity/earth", "?x"),
        ("b", "?x", "?step1"),
        ("c", "?step1", "slot:entity/earth"),
        ("d", "?x", "?step2"),
        ("e", "slot:entity/mars", "?step2"),
    ]
    assert [p.text for p in template.patterns[:2]] == ["?x ^<a> <Earth>", "?x <b> / <c> <Earth>"]
    assert len(template.alternatives) == 1
    assert [len(part) for part in template.alternatives[0]] == [1, 2]


@pytest.mark.parametrize(
    "part",
    [
        "OPTIONAL { ?x <b> ?y }",
        "{ ?x <b> ?y } UNION { ?x <b> ?z }",
        "MINUS { ?x <b> ?y }",
        "FILTER NOT EXISTS { ?x <b> ?y }",
        "FILTER(EXISTS { ?x <b> ?y } || ?x != 3)",
    ],
)
def test_what_need_not_match_is_told_from_what_must(part: str) -> None:
    template = Template(f"SELECT ?x {{ ?x <a> ?w . {part} {{ ?x <c> ?v }} }}")
    required = [(template.slots[one.relation or ""].text, one.required) for one in template.patterns]
    assert dict(required) == {"a": True, "b": False, "c": True}


@pytest.mark.parametrize(("path", "directed"), [("<a>|<b>", False), ("^<a>|<b>", True), ("<a>", False)])
def test_a_path_against_some_relation_says_the_directions_of_all(path: str, directed: bool) -> None:
    template = Template(f"SELECT ?x {{ ?x <c> ?y . ?x {path} <Earth> }}")
    assert {one.directed for one in template.patterns[1:]} == {directed}
    assert not template.patterns[0].directed


def test_a_part_of_a_choice_of_paths_can_be_left_out_and_none_stands_twice() -> None:
    template = Template("SELECT ?x { <Earth> <a>|<b>|<c> ?x }")
    first, second, third = (part[0] for part in template.alternatives[0])
    terms = {"slot:entity/earth": IRI("urn:earth"), first: IRI("urn:a"), third: IRI("urn:a")}
    query = sparql.write(template.fill({**terms, second: LEFT_OUT}), {})
    assert " ".join(query.split()) == "SELECT ?x WHERE { <urn:earth> <urn:a> ?x . }"


def test_a_class_in_two_patterns_is_one_slot() -> None:
    template = Template("SELECT ?x { ?x a <Film> . ?y a <film> }")
    assert list(template.classes) == ["slot:class/film"]
    assert len(template.patterns) == 2


def test_standard_vocabulary_is_no_mention() -> None:
    assert (
        mentions("SELECT ?l { ?x rdfs:label ?l ; skos:altLabel ?m ; owl:sameAs ?y FILTER(DATATYPE(?l) = xsd:date) }")
        == []
    )


def test_functions_graphs_and_services_are_no_mentions() -> None:
    text = "SELECT ?x FROM <http://g> { SERVICE <http://s> { ?x <p> ?d } FILTER(xsd:date(?d) > <f>(1)) }"
    assert mentions(text) == ["relation p"]
    assert "FROM <http://g>" in Template(text).words()


def test_a_path_adds_no_column_to_all_columns() -> None:
    store = pyoxigraph.Store()
    store.load(
        b"<http://example.org/kubrick> <http://example.org/born_in> _:x . _:x <http://example.org/country> 1 .",
        format=pyoxigraph.RdfFormat.TURTLE,
    )
    found = store.query(filled_in(Template("SELECT * { <Kubrick> <born in>/<country> ?c }")))
    assert isinstance(found, pyoxigraph.QuerySolutions)
    assert [variable.value for variable in found.variables] == ["c"]
    assert [row["c"] for row in found] == [pyoxigraph.Literal(1)]


def test_a_relation_may_be_filled_against_its_direction_and_a_type_with_subclasses() -> None:
    template = Template("SELECT ?x { ?x a <Film> ; <directed>* <Kubrick> . ?x <made by> <Kubrick> }")
    fill: dict[Any, Any] = {slot: IRI(EX + "k") for slot in template.slots}
    for pattern in template.patterns:
        fill[pattern.relation or template.classes[pattern.object]] = (
            inverse(EX + "r") if pattern.relation else (EX + "k", EX + "l")
        )
    query = sparql.write(template.fill(fill), {"": EX})
    assert "VALUES ?kind1 { :k :l }\n  ?x a ?kind1 ." in query
    assert "?x (^:r)* :k ." in query
    assert ":k :r ?x ." in query
    pyoxigraph.Store().query(query)


def test_parts_of_a_template_can_be_filled_and_told() -> None:
    template = Template("SELECT ?x { ?x <p> <A> . OPTIONAL { ?x <q>/<r> <B> } FILTER(?x > 3) } LIMIT 2")
    terms: dict[Any, Any] = {slot: IRI(EX + mention.text.lower()) for slot, mention in template.slots.items()}
    first, second, third = template.tree.where
    probe = sparql.write(filled(sparql.QueryGraph.whether(first, third), terms), {"": EX})
    assert body(probe) == "ASK WHERE { ?x :p :a . FILTER (?x > 3) }"
    assert template.words(second) == "OPTIONAL { ?x <q> ?step1 . ?step1 <r> <B> . }"


def test_a_template_in_words_is_a_template_again() -> None:
    text = 'SELECT ?x { ?x a <Film> ; <made by> <Schindler\'s List> ; <name> "IT"@en, "It" ; <p>|^<q> <A & B> }'
    words = Template(text).words()
    assert "?x <made_by> <Schindler's_List> ." in words
    assert Template(words).words() == words
    assert sorted(mentions(words)) == sorted(mentions(text))


def test_filling_leaves_the_template_as_it_is() -> None:
    template = Template("SELECT ?x { ?x <p> <A> }")
    before = template.words()
    filled_in(template)
    assert template.words() == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("```sparql\nSELECT ?x { ?x <p> <A> }\n```", "line 1, column 1, at '' >>> '```sparql'", id="code fence"),
        pytest.param("SELECT ?x { ?x <p> <A> }\nThis finds it.", "line 2, column 1, at '' >>> 'This finds", id="prose behind"),
        pytest.param("Sure! SELECT ?x { ?x <p> <A> }", "at '' >>> 'Sure!", id="prose before"),
        pytest.param("SELECT ?x { ?x <p> <A> ", "not a SPARQL query", id="brace not closed"),
        pytest.param("SELECT ?x { ?x <p> }", "not a SPARQL query", id="half a pattern"),
        pytest.param("SELECT ?x { <> <p> ?x }", "a mention without words", id="empty mention"),
        pytest.param("SELECT ?x { <_> <p> ?x }", "a mention without words", id="mention of nothing"),
        pytest.param("SELECT ?x { ?x ex:p <A> }", "the prefix 'ex:' is not declared", id="unknown prefix"),
        pytest.param("SELECT ?x { ?x <p> <A\nB> }", "not a SPARQL query", id="mention over lines"),
        pytest.param("", "empty", id="nothing"),
        pytest.param("<" * 300_000 + "a b>", "at most 10,000", id="too long"),
    ],
)  # fmt: skip
def test_what_is_no_template_is_said_why(text: str, message: str) -> None:
    with pytest.raises(QuerySyntaxError, match=re.escape(message)):
        Template(text)


def test_a_mention_has_no_character_that_an_iri_cannot_have() -> None:
    assert written('a "b" <c>|d') == IRI("a_b_c_d")


# Defects of the original code -----------------------------------------------------------------------------


def test_a_pattern_before_a_closing_brace_is_not_lost() -> None:  # B1
    template = Template("SELECT ?x {?x <director> <Stanley Kubrick>}")
    assert [pattern.text for pattern in template.patterns] == ["?x <director> <Stanley_Kubrick>"]


def test_an_unfilled_template_does_not_pass_as_a_query_of_the_graph() -> None:  # B1
    query = sparql.write(Template("SELECT ?x { ?x <director> <Kubrick> }").fill({}))
    assert "slot:" in query


def test_no_predicate_of_a_property_list_is_lost() -> None:  # B2
    template = Template("SELECT ?x { ?x <director> <A> ; <writer> <B>, <C> ; <year> ?y . }")
    assert [pattern.text for pattern in template.patterns] == [
        "?x <director> <A>", "?x <writer> <B>", "?x <writer> <C>", "?x <year> ?y",
    ]  # fmt: skip


def test_a_literal_does_not_swallow_its_neighbours() -> None:  # B3
    template = Template('SELECT ?a { ?x <born in> "Berlin" . ?x <age> ?a }')
    assert [pattern.text for pattern in template.patterns] == ['?x <born_in> "Berlin"', "?x <age> ?a"]


def test_the_keyword_a_does_not_swallow_its_neighbours() -> None:  # B3
    template = Template("SELECT ?d { ?x a <Film> . ?x <director> ?d }")
    assert [pattern.text for pattern in template.patterns] == ["?x a <Film>", "?x <director> ?d"]


def test_an_ask_without_where_is_not_lost() -> None:  # B4
    template = Template("ASK { <Dune> <director> <Kubrick> }")
    assert (template.form, len(template.patterns)) == ("ASK", 1)


def test_a_repeated_triple_is_not_replaced_twice() -> None:  # B5
    query = filled_in(Template("SELECT ?x { { ?x <p> <A> } UNION { ?x <p> <A> . ?x <p> <AA> } }"))
    assert (query.count("?x :p :a ."), query.count("?x :p :aa .")) == (2, 1)


def test_the_words_of_a_mention_have_no_brackets() -> None:  # B6
    for mention in Template("SELECT ?x { ?x <directed by> <Stanley Kubrick> ; a <Film> }").slots.values():
        assert not set("<>_") & set(mention.text)


def test_a_count_that_only_virtuoso_takes_is_not_passed_on() -> None:  # B7
    query = filled_in(Template("SELECT DISTINCT COUNT(?x) WHERE { ?x <director> <Kubrick> }"))
    assert "SELECT DISTINCT (COUNT(?x) AS ?count)" in query
    pyoxigraph.Store().query(query)


def test_text_around_a_template_is_an_error_and_no_crash() -> None:  # B8
    with pytest.raises(QuerySyntaxError):
        Template("The SPARQL is: SELECT ?x { ?x <p> <A> }. Done.")


@pytest.mark.parametrize("keyword", ["ask", "Ask", "ASK", "aSk"])
def test_the_form_does_not_depend_on_case(keyword: str) -> None:  # B9, E3
    assert Template(f"{keyword} {{ <A> <p> <B> }}").form == "ASK"


def test_what_is_checked_is_what_runs() -> None:  # E1
    safe = check(filled_in(Template("SELECT ?x { ?x <p> <A> }")))
    assert check(safe) == safe


def test_a_prefix_is_not_expanded_within_another_name() -> None:  # E2
    text = "PREFIX a: <http://a.example/> SELECT * { ?s a:a a:aunt ; <http://b.example/a:a> 'a:a' }"
    written_out = sparql.write(sparql.parse(text))
    assert "?s <http://a.example/a> <http://a.example/aunt> ." in written_out
    assert '?s <http://b.example/a:a> "a:a" .' in written_out


def test_an_error_is_no_empty_answer() -> None:  # E4
    with pytest.raises(QuerySyntaxError):
        check("SELECT ?x { ?x <p> }")


def test_classes_of_what_other_patterns_bind_can_be_left_out() -> None:
    template = Template("SELECT ?f { ?f a <film> ; <director> ?d . ?g a <genre> }")
    assert [template.slots[slot].text for slot in template.spare_classes] == ["film"]
    terms: dict[str, Any] = {slot: IRI(EX + mention.text) for slot, mention in template.slots.items()}
    terms |= dict.fromkeys(template.classes.values(), IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"))
    assert "film" in sparql.write(template.fill(terms))
    left = sparql.write(template.fill(terms, template.spare_classes))
    assert "film" not in left
    assert "genre" in left


def test_the_classes_below_a_class_are_followed_where_they_are_many() -> None:
    template = Template("SELECT ?x { ?x a <Film> ; <made by> <Kubrick> }")
    fill: dict[Any, Any] = {slot: IRI(EX + "k") for slot in template.slots}
    fill |= {
        template.classes[pattern.object]: tuple(f"{EX}c{at}" for at in range(30))
        for pattern in template.patterns
        if pattern.object in template.classes
    }
    query = sparql.write(template.fill(fill), {"": EX})
    assert "subClassOf>*) :c0 ." in query
    assert "c7" not in query
    pyoxigraph.Store().query(query)


def test_groups_of_a_union_for_whose_slots_nothing_was_found_are_left_out() -> None:
    def known(text: str, *unknown: str) -> Template:
        template = Template(text)
        return template.of_known([slot for slot, one in template.slots.items() if one.text not in unknown])

    union = "SELECT ?x { { ?x a <Film> } UNION { ?x a <Opera> ; <by> <Verdi> } }"
    rest = known(union, "Opera")
    assert [one.text for one in rest.slots.values()] == ["Film"]
    assert [rest.slots[slot].text for slot in rest.classes] == ["Film"]
    assert [pattern.text for pattern in rest.patterns] == ["?x a <Film>"]
    assert "Opera" not in rest.words()
    assert "UNION" in known(union, "Film", "Opera").words()
    assert (
        known("SELECT ?x { { ?x a <Film> } UNION { ?x a <Play> } ?x <by> <Verdi> }", "Verdi").words().count("Verdi")
        == 1
    )


def test_a_value_equals_a_number_by_its_text() -> None:
    """For a float of 2.7 is no double of 2.7, and neither is a text."""
    store = pyoxigraph.Store()
    store.update(
        'INSERT DATA { <urn:a> <urn:band> "2.7"^^<http://www.w3.org/2001/XMLSchema#float> . <urn:b> <urn:band> "2.7" }'
    )
    template = Template("SELECT ?x { ?x <band> ?v FILTER(xsd:double(?v) = 2.7) }")
    query = sparql.render(template.fill({slot: IRI("urn:band") for slot in template.slots} | template.literals))
    found = store.query(query)
    assert isinstance(found, pyoxigraph.QuerySolutions)
    assert sorted(str(row[0]) for row in found) == ["<urn:a>", "<urn:b>"]
