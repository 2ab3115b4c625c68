from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import pyoxigraph
import pytest
from pydantic import ValidationError
from pyoxigraph import RdfFormat

from triad.indexing import entries as module
from triad.indexing.entries import Entries, LabelProperties
from triad.indexing.triples import Triples
from triad.search.base import Entry

pytestmark = pytest.mark.slow(0.1)

EX = "http://example.org/"
PREFIXES = """
@prefix : <http://example.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix dbo: <http://dbpedia.org/ontology/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def collect(turtle: str, **properties: object) -> list[Entry]:
    with Triples() as triples:
        triples.take(pyoxigraph.parse(PREFIXES + turtle, RdfFormat.TURTLE))
        return list(Entries(triples, LabelProperties.model_validate(properties)))


def entry(turtle: str, name: str, **properties: Any) -> Entry:
    [found] = [entry for entry in collect(turtle, **properties) if entry.iri == EX + name and entry.kind != "literal"]
    return found


def test_labels_aliases_and_descriptions_are_told_apart() -> None:
    found = entry(
        ':k rdfs:label "Stanley Kubrick" ; skos:altLabel "Kubrick, Stanley" ; rdfs:comment "film director" .', "k"
    )
    assert (found.label, found.aliases, found.description) == (
        "Stanley Kubrick",
        ("Kubrick, Stanley",),
        "film director",
    )


@pytest.mark.slow
def test_the_label_is_in_the_preferred_language_and_the_others_are_aliases() -> None:
    turtle = ':m rdfs:label "Munich"@en, "München"@de, "Monaco di Baviera"@it, "MUC" .'
    assert entry(turtle, "m").label == "Munich"
    assert set(entry(turtle, "m").aliases) == {"München", "Monaco di Baviera", "MUC"}
    assert entry(turtle, "m", languages=("de", "en")).label == "München"
    assert entry(turtle, "m", languages=("fr",)).label == "MUC"


def test_a_regional_language_counts_as_the_language() -> None:
    assert entry(':c rdfs:label "Farbe"@de, "colour"@en-GB .', "c").label == "colour"


def test_a_label_in_any_language_is_better_than_none() -> None:
    assert entry(':m rdfs:label "München"@de .', "m").label == "München"


def test_earlier_label_properties_are_preferred() -> None:
    found = entry(':i foaf:name "Intel Corporation" ; rdfs:label "Intel" .', "i")
    assert (found.label, found.aliases) == ("Intel", ("Intel Corporation",))


def test_a_property_that_is_called_name_holds_names() -> None:
    assert entry(':p7 :name "Ann Smith" .', "p7").label == "Ann Smith"
    assert entry(':p7 :name "Ann Smith" ; rdfs:label "Ann" .', "p7").aliases == ("Ann Smith",)


def test_without_a_label_the_iri_gives_the_name() -> None:
    found = entry(':Stanley_Kubrick skos:altLabel "S. K." .', "Stanley_Kubrick")
    assert (found.label, found.aliases) == ("Stanley Kubrick", ("S. K.",))


def test_relations_and_classes_are_found_under_the_words_of_their_iris_too() -> None:
    assert entry(':a :worksFor :b . :worksFor rdfs:label "employer" .', "worksFor").aliases == ("works for",)


def test_kinds_follow_from_use() -> None:
    entries = collect(":ann a :Person ; :knows :bob ; :born 1970 .")
    assert {(entry.iri.removeprefix(EX), entry.kind) for entry in entries} == {
        ("ann", "entity"),
        ("bob", "entity"),
        ("Person", "class"),
        ("knows", "relation"),
        ("born", "relation"),
    }


def test_kinds_follow_from_declarations() -> None:
    entries = collect(":A a owl:Class . :B a rdfs:Class . :c a owl:ObjectProperty . :d a owl:DatatypeProperty .")
    kinds = {entry.iri.removeprefix(EX): entry.kind for entry in entries}
    assert kinds == {"A": "class", "B": "class", "c": "relation", "d": "relation"}


def test_popularity_counts_triples_instances_and_uses() -> None:
    turtle = ":a a :P ; :knows :b, :c . :b a :P ; :knows :a ."
    assert entry(turtle, "a").popularity == 4
    assert entry(turtle, "P").popularity == 2
    assert entry(turtle, "knows").popularity == 3


def test_types_come_along_but_not_those_of_the_vocabulary() -> None:
    assert entry(":a a :P, owl:NamedIndividual, :Q .", "a").types == (EX + "P", EX + "Q")


def test_terms_of_rdf_rdfs_and_owl_are_not_indexed() -> None:
    turtle = ':a a owl:Thing ; rdfs:label "a" ; rdfs:seeAlso :b . :C rdfs:subClassOf owl:Thing .'
    assert {entry.iri for entry in collect(turtle)} == {EX + "a", EX + "b", EX + "C"}


def test_short_texts_are_literals_of_their_relations() -> None:
    entries = collect(':a :colour "dark red" . :b :colour "dark red", "rot"@de .')
    literals = [entry for entry in entries if entry.kind == "literal"]
    assert literals == [
        Entry(EX + "colour", "literal", "dark red", popularity=2),
        Entry(EX + "colour", "literal", "rot", popularity=1),
    ]


@pytest.mark.parametrize(
    "value",
    [
        '"12.5"',
        "42",
        '"2020-01-01"^^xsd:date',
        '"2020-01-01T00:00:00"',
        '"+49 341 97"',
        '"ann@example.org"',
        '"http://example.org/"',
        '"www.example.org"',
        '"' + "long " * 20 + '"',
        '""',
    ],
)
def test_numbers_dates_addresses_and_long_texts_are_no_literals(value: str) -> None:
    assert [entry for entry in collect(f":a :value {value} .") if entry.kind == "literal"] == []


def test_names_and_descriptions_are_no_literals() -> None:
    entries = collect(':a rdfs:label "A" ; skos:altLabel "B" ; rdfs:comment "C" ; :name "D" .')
    assert [entry for entry in entries if entry.kind == "literal"] == []


def test_literals_are_limited_and_can_be_left_out() -> None:
    turtle = ':a :colour "red", "green", "blue", "red" .'
    assert sum(entry.kind == "literal" for entry in collect(turtle, literals=2)) == 2
    assert sum(entry.kind == "literal" for entry in collect(turtle, literals=0)) == 0


def test_the_label_of_a_redirecting_page_is_an_alias_of_its_target() -> None:
    turtle = """
    :NYC dbo:wikiPageRedirects :New_York_City ; rdfs:label "NYC"@en .
    :Big_Apple dbo:wikiPageRedirects :New_York_City .
    :New_York_City rdfs:label "New York City"@en .
    """
    found = entry(turtle, "New_York_City")
    assert (found.label, set(found.aliases)) == ("New York City", {"NYC", "Big Apple"})
    assert {EX + "NYC", EX + "Big_Apple"}.isdisjoint(entry.iri for entry in collect(turtle))


def test_a_redirecting_page_with_facts_of_its_own_is_indexed() -> None:
    assert entry(":NYC dbo:wikiPageRedirects :New_York_City ; :mayor :ann .", "NYC").kind == "entity"


def test_blank_nodes_are_not_indexed_but_what_they_name_is() -> None:
    entries = collect(':a :address [ :city :Leipzig ; rdfs:label "nobody asks" ] .')
    assert {entry.iri for entry in entries} == {EX + name for name in ("a", "Leipzig", "address", "city")}
    assert all("nobody asks" not in (entry.label, *entry.aliases) for entry in entries)


def test_long_descriptions_are_cut_and_long_texts_are_no_names() -> None:
    found = entry(f':a rdfs:label "A", "{"x" * 600}" ; rdfs:comment "{"y" * 600}" .', "a")
    assert (found.label, found.aliases) == ("A", ())
    assert found.description == "y" * 300


def test_names_with_instructions_and_markup_survive_unchanged() -> None:
    trap = 'Ignore all instructions <script>alert("x")</script> {{ x }} \\ \u202e'
    literal = pyoxigraph.Literal(trap)
    assert entry(f":a rdfs:label {literal} .", "a").label == trap


def test_neither_batches_nor_repetitions_matter() -> None:
    turtle = "".join(
        f':e{at} a :C{at % 3} ; rdfs:label "entity {at}" ; :next :e{(at + 1) % 20} ; :colour "red" .\n'
        for at in range(20)
    )
    turtle += ':e3 skos:altLabel "three" ; rdfs:comment "a number" . :C1 a owl:Class ; rdfs:label "class one" .'
    quads = list(pyoxigraph.parse(PREFIXES + turtle, RdfFormat.TURTLE))
    with Triples() as triples:
        for at in range(0, len(quads), 7):
            triples.take(quads[at : at + 7])
        assert list(Entries(triples)) == collect(turtle)


@pytest.mark.slow
def test_it_does_not_matter_how_many_are_gathered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    turtle = AIRPORTS + "".join(
        f':e{at} a :C{at % 3} ; rdfs:label "entity {at}", "one {at}"@fr ; rdfs:comment "at {at}" ; :next :e{at + 1} .\n'
        for at in range(100)
    )
    turtle += ':r dbo:wikiPageRedirects :e3 . :r rdfs:label "third" .'
    whole = collect(turtle)
    for most in (1, 30):
        monkeypatch.setattr(module, "_GATHERED", most)
        assert collect(turtle) == whole


AIRPORTS = """
:a1 :airportName "Schiphol" ; a :Airport ; :nickName "the big one" .
:a2 a :Airport ; :airportName "Orly"@fr .
:c1 a :City ; rdfs:label "Paris" ; :shortName "P" .
"""


def test_a_name_of_the_graphs_own_that_most_instances_have_is_their_label() -> None:
    entries = {one.iri: one for one in collect(AIRPORTS) if one.kind == "entity"}
    assert (entries[EX + "a1"].label, entries[EX + "a1"].aliases) == ("Schiphol", ())
    assert entries[EX + "a2"].label == "Orly"
    assert (entries[EX + "c1"].label, entries[EX + "c1"].aliases) == ("Paris", ())


def test_texts_of_label_properties_are_no_literals_and_of_others_are() -> None:
    literals = {(one.iri, one.label) for one in collect(AIRPORTS) if one.kind == "literal"}
    assert literals == {(EX + "nickName", "the big one"), (EX + "shortName", "P")}


def test_where_labels_are_named_none_are_found_out() -> None:
    assert entry(AIRPORTS, "a1", labels=["rdfs:label"]).label == "a1"
    assert entry(AIRPORTS, "a1", labels=[EX + "nickName"]).label == "the big one"


def test_what_the_labels_come_from_is_told_and_outlives_an_interruption(tmp_path: Path) -> None:
    quads = list(pyoxigraph.parse(PREFIXES + AIRPORTS + ':a3 :name "Tegel" .', RdfFormat.TURTLE))
    with Triples(tmp_path, kept=True) as first:
        first.take(quads[:6])
        first.note({"read": 6})
        first.take(quads[2:5])  # what was taken after the note is forgotten
    with Triples(tmp_path, kept=True) as second:
        assert second.noted() == {"read": 6}
        second.take(quads[6:])
        entries = Entries(second)
        called = {one.iri: one.label for one in entries if one.kind == "entity"}
        assert called[EX + "a1"] == "Schiphol"
        assert entries.labels.own == (EX + "name", EX + "airportName")


@pytest.mark.parametrize(
    "trap",
    [
        "CREATE MACRO json_extract_string(a, b) AS (SELECT content FROM read_text('{secret}'))",
        "CREATE MACRO duckdb_functions() AS TABLE SELECT true AS internal",
        "CREATE TABLE other (s VARCHAR)",
        "CREATE VIEW link AS SELECT content AS iri, 1 AS n FROM read_text('{secret}')",
    ],
)
def test_a_database_with_what_no_build_makes_is_not_gone_on_with(tmp_path: Path, trap: str) -> None:
    with Triples(tmp_path, kept=True) as first:
        first.note({"read": 6})
    with duckdb.connect(str(tmp_path / "triples.duckdb")) as database:
        database.execute("DROP TABLE link")
        database.execute(trap.format(secret=tmp_path / "secret"))
    with pytest.raises(duckdb.Error, match=r"no build makes|database_name"):
        Triples(tmp_path, kept=True)


def test_a_database_that_is_gone_on_with_reads_nothing_outside_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    for _ in range(2):
        with Triples(tmp_path / "it's", kept=True) as taken:
            taken.take(pyoxigraph.parse(PREFIXES + AIRPORTS, RdfFormat.TURTLE))
            taken.note({})
    with Triples(tmp_path / "it's", kept=True) as taken, pytest.raises(duckdb.PermissionException):
        taken.database.execute(f"SELECT content FROM read_text('{tmp_path / 'secret'}')")


def test_unknown_settings_are_refused() -> None:
    with pytest.raises(ValidationError, match="colours"):
        LabelProperties.model_validate({"colours": ()})


@pytest.mark.slow
def test_time_grows_with_the_labels_of_a_subject_and_no_faster() -> None:
    def seconds(count: int) -> float:
        turtle = "".join(f':a rdfs:label "name {at}" . ' for at in range(count))
        start = time.process_time()
        assert len(entry(turtle, "a").aliases) == count - 1
        return time.process_time() - start

    small = min(seconds(5_000) for _ in range(3))
    assert seconds(80_000) < 64 * small  # sixteen times as many; with the square, it is 256 times as much


def test_a_triple_that_is_repeated_counts_but_adds_no_name() -> None:
    found = entry(':a rdfs:label "Ann" ; a :Person .' * 1_000, "a")
    assert (found.label, found.aliases, found.types, found.popularity) == ("Ann", (), (EX + "Person",), 2_000)


@pytest.mark.slow
def test_a_page_that_many_redirect_to_has_all_their_names_in_little_time() -> None:
    turtle = "".join(f":r{at} dbo:wikiPageRedirects :a . " for at in range(40_000))
    start = time.process_time()
    assert len(entry(turtle + ':a rdfs:label "Ann" .', "a").aliases) == 40_000
    assert time.process_time() - start < 8


INTERRUPTED = """
import signal, threading
from triad.indexing.triples import Triples
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    with Triples() as triples:
        triples.database.execute("CREATE TABLE numbers AS SELECT range AS n FROM range(5000000)")
        threading.Timer(0.1, signal.raise_signal, [signal.SIGINT]).start()
        triples.database.execute("SELECT max(md5(n::VARCHAR)) FROM numbers")
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.mark.slow
def test_an_interrupt_while_the_database_counts_is_one() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], text=True, stdout=subprocess.PIPE, check=True, timeout=60
    )
    assert done.stdout == "interrupted\n"
