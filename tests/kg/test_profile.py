from __future__ import annotations

import contextlib
import gzip
import random
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import BlankNode, DefaultGraph, NamedNode, Quad, RdfFormat

from triad.errors import DataError
from triad.indexing.profiling import figures
from triad.indexing.profiling.counting import count_profile
from triad.indexing.profiling.figures import closure
from triad.indexing.triples import Triples
from triad.kg import profile as kept
from triad.kg.profile import PROFILE_FILE, ClassProfile, GraphProfile, RelationProfile, read_profile, write_profile
from triad.rdf import IRI, RDF_LANG_STRING, RDF_TYPE, XSD, Literal

pytestmark = pytest.mark.slow(0.2)

RDFS = "http://www.w3.org/2000/01/rdf-schema#"
EX = "http://x.org/"

BOOKS = """
@prefix : <http://x.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Novel a owl:Class ; rdfs:subClassOf :Book ; rdfs:label "novel"@en , "Roman"@de .
:author a owl:ObjectProperty ; rdfs:label "written by"@en .
:momo a :Novel ; rdfs:label "Momo"@de , "Momo"@en ; :author :ende ; :pages 304 ;
    :published "1973"^^xsd:gYear ; :genre "fantasy" .
:jim a :Novel ; rdfs:label "Jim Button"@en ; :author :ende ; :pages 260 ; :published "1960-08-09"^^xsd:date .
:atlas a :Book ; rdfs:label "Atlas" ; :pages 512 ; :weightKg 2.5 ; :genre "atlas" , "fantasy" .
:ende a :Writer ; rdfs:label "Michael Ende" ; :knows :dahl .
:dahl rdfs:label "Roald Dahl" .
"""


def profile(text: str, format_: RdfFormat = RdfFormat.TURTLE, labels: list[str] | None = None) -> GraphProfile:
    with Triples() as triples:
        triples.take(pyoxigraph.parse(text, format_))
        return count_profile(triples, labels=labels, fingerprint="f")


def class_of(made: GraphProfile, name: str) -> ClassProfile:
    found = made.class_profile(EX + name)
    assert found is not None
    return found


def relation_of(made: GraphProfile, name: str) -> RelationProfile:
    found = made.relation_profile(EX + name)
    assert found is not None
    return found


def test_things_are_counted_without_the_terms_that_describe_them() -> None:
    made = profile(BOOKS)
    assert (made.triples, made.things, made.unclassed, made.named, made.blank) == (28, 5, 1, 5, 0)
    assert made.graphs == {"": 28}
    assert not made.partial


def test_a_class_has_the_instances_of_those_below_it() -> None:
    made = profile(BOOKS)
    book, novel = class_of(made, "Book"), class_of(made, "Novel")
    assert (book.instances, book.direct, novel.instances, novel.direct) == (3, 1, 2, 2)
    assert (book.subclasses, novel.superclasses) == ((EX + "Novel",), (EX + "Book",))
    assert set(novel.labels) == {Literal("novel", RDF_LANG_STRING, "en"), Literal("Roman", RDF_LANG_STRING, "de")}
    assert (book.named, book.name_relation, book.statement) == (3, RDFS + "label", False)


def test_the_relations_of_a_class_tell_how_many_of_its_instances_have_them() -> None:
    made = profile(BOOKS)
    uses = {use.relation.removeprefix(EX): use for use in class_of(made, "Book").outgoing}
    assert set(uses) == {"author", "pages", "published", "genre", "weightKg"}
    assert (uses["author"].triples, uses["author"].things, uses["author"].share) == (2, 2, 0.6667)
    assert (uses["genre"].triples, uses["genre"].things, uses["genre"].most) == (3, 2, 2)
    (written,) = class_of(made, "Writer").incoming
    assert (written.relation, written.triples, written.things, written.most) == (EX + "author", 2, 1, 2)


def test_a_relation_between_things() -> None:
    author = relation_of(profile(BOOKS), "author")
    assert (author.triples, author.subjects, author.objects, author.kind) == (2, 2, 1, "entities")
    assert author.functional
    assert author.most_per_object == 2
    assert [(end.subject, end.object, end.triples) for end in author.ends] == [(EX + "Novel", EX + "Writer", 2)]
    assert author.labels == (Literal("written by", RDF_LANG_STRING, "en"),)
    (value,) = author.values
    assert (value.term, value.count, value.labels) == (IRI(EX + "ende"), 2, (Literal("Michael Ende"),))


def test_a_relation_to_things_without_a_class() -> None:
    knows = relation_of(profile(BOOKS), "knows")
    assert [(end.subject, end.object, end.literal) for end in knows.ends] == [(EX + "Writer", "", False)]


def test_relations_to_literals_tell_bounds_and_values() -> None:
    made = profile(BOOKS)
    pages, genre = relation_of(made, "pages"), relation_of(made, "genre")
    (bounds,) = pages.ranges
    assert (bounds.kind, bounds.count, bounds.least.value, bounds.greatest.value) == ("number", 3, "260", "512")
    assert pages.datatypes == {XSD + "integer": 3}
    assert pages.kind == "literals"
    assert [(value.term.value, value.count) for value in genre.values] == [("fantasy", 2), ("atlas", 1)]
    assert genre.lists_all_values
    assert not genre.functional


@pytest.mark.parametrize(
    ("number", "long"),
    [
        ("9000000000000000000", False),
        ("-9223372036854775809", True),
        ("1" * 60, True),
        ("0.123456789012345678", False),
        ("0.1234567890123456789", True),
        ("0.5" + "0" * 60, False),
        ("1e300", False),
        ('"9223372036854775809"', True),
    ],
)
def test_numbers_that_engines_do_not_hold_are_told(number: str, long: bool) -> None:
    made = profile(f"@prefix : <{EX}> . :a :size 1, {number} .")
    (bounds,) = relation_of(made, "size").ranges
    assert (bounds.long, bounds.count) == (long, 2)


def test_dates_of_different_precision_are_compared() -> None:
    (bounds,) = relation_of(profile(BOOKS), "published").ranges
    assert (bounds.kind, bounds.least.value, bounds.greatest.value) == ("date", "1960-08-09", "1973")


def test_names_are_counted_by_relation_and_language() -> None:
    made = profile(BOOKS)
    assert [(name.iri, name.things, name.share) for name in made.names] == [(RDFS + "label", 5, 1.0)]
    assert made.languages == {"en": 4, "": 3, "de": 2}


@pytest.mark.parametrize(
    ("facts", "units"),
    [
        (":weightKg 5 .", ("kg",)),
        (':span 5 . :span rdfs:label "span (m)" .', ("m",)),
        (":height '5'^^<http://dbpedia.org/datatype/centimetre> .", ("centimetre",)),
        (":prepMinutes 5 .", ("minutes",)),
        (":birthYear 1990 .", ()),
        (':price 5 . :price rdfs:label "price per kg" .', ()),
        (":heightCm 'tall' .", ()),
    ],
)
def test_units_are_those_that_datatypes_and_names_tell(facts: str, units: tuple[str, ...]) -> None:
    made = profile(f"@prefix : <{EX}> . @prefix rdfs: <{RDFS}> . :a {facts}")
    (relation,) = (found for found in made.relations if found.iri.startswith(EX))
    assert relation.units == units


def test_the_graphs_own_name_relation_is_found_per_class() -> None:
    made = profile(f"""@prefix : <{EX}> . @prefix rdfs: <{RDFS}> .
        :a a :Package ; :name "a" . :b a :Package ; :name "b" ; rdfs:label "B" . :c a :Cook ; rdfs:label "C" .""")
    assert class_of(made, "Package").name_relation == EX + "name"
    assert class_of(made, "Cook").name_relation == RDFS + "label"
    assert [(name.iri, name.things) for name in made.names] == [(RDFS + "label", 2), (EX + "name", 2)]


def test_relations_that_are_known_to_hold_names_are_the_only_ones() -> None:
    text = f'@prefix : <{EX}> . :a a :Package ; :name "a" ; :title_ "A" . :b a :Package ; :name "b" .'
    made = profile(text, labels=[EX + "title_"])
    assert (made.named, made.names[0].iri, class_of(made, "Package").name_relation) == (1, EX + "title_", EX + "title_")


def test_a_graph_without_names_has_none() -> None:
    made = profile(f"@prefix : <{EX}> . :ann a :Person ; :knows :bob ; :likes :tea . :bob a :Person .")
    assert (made.named, made.names, made.languages) == (0, (), {})
    person = class_of(made, "Person")
    assert (person.name_relation, person.named, person.statement) == (None, 0, False)


def test_facts_of_several_parts_are_statement_nodes() -> None:
    made = profile(f"""@prefix : <{EX}> . @prefix rdfs: <{RDFS}> .
        :arden rdfs:label "Arden" ; :population [ :count 5 ; :year 1991 ] , [ :count 7 ; :year 2001 ] .
        :arden :position :q1-4f2a . :q1-4f2a a :Statement ; :value :club ; :since 2001 .
        :club rdfs:label "Club" . :arden :seal [ :colour "red" ] .""")
    assert class_of(made, "Statement").statement
    assert (made.blank, made.unclassed) == (3, 5)


def test_reified_triples_are_facts_of_their_relation() -> None:
    made = profile(f"""@prefix : <{EX}> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        [] a rdf:Statement ; rdf:subject :ann ; rdf:predicate :plays ; rdf:object :chess ; :since 1999 .""")
    [plays] = made.stated
    assert (plays.relation, plays.shape, plays.facts, plays.asserted) == (EX + "plays", "statement", 1, False)
    assert plays.qualifiers == {EX + "since": 1}
    facts = made.class_profile(plays.fact_class)
    assert facts is not None
    assert (facts.statement, facts.blank, relation_of(made, "plays").triples) == (True, 1, 1)
    assert not made.relation_profile("http://www.w3.org/1999/02/22-rdf-syntax-ns#subject")


def test_lists_are_no_statements() -> None:
    made = profile(f"@prefix : <{EX}> . :ann :likes ( :tea :milk ) .")
    assert made.stated == ()


def test_a_triple_in_two_named_graphs_counts_once() -> None:
    made = profile(
        f"""@prefix : <{EX}> . :g1 {{ :ann a :Person ; :age 5 . }} :g2 {{ :ann :age 5 , 6 . }} :ann :age 7 .""",
        RdfFormat.TRIG,
    )
    assert (made.triples, made.graphs) == (4, {EX + "g1": 2, EX + "g2": 2, "": 1})
    age = relation_of(made, "age")
    assert (age.triples, age.subjects, age.most_per_subject) == (3, 1, 3)


def test_classes_that_are_below_each_other() -> None:
    made = profile(
        f"@prefix : <{EX}> . @prefix r: <{RDFS}> . :A r:subClassOf :B . :B r:subClassOf :A . :a a :A , :B ; :p :a ."
    )
    assert [class_of(made, name).instances for name in "AB"] == [1, 1]
    assert {(end.subject, end.object) for end in relation_of(made, "p").ends} == {
        (EX + one, EX + other) for one in "AB" for other in "AB"
    }


def test_an_empty_graph_has_an_empty_profile() -> None:
    made = profile("")
    assert (made.triples, made.classes, made.relations, made.graphs) == (0, (), (), {})


def test_long_texts_are_told_apart_and_cut() -> None:
    begin = "x" * 300
    made = profile(f'@prefix : <{EX}> . :a :note "{begin}1" . :b :note "{begin}2" . :c :note "{begin}2" .')
    note = relation_of(made, "note")
    assert note.objects == 2
    assert {len(value.term.value) for value in note.values} == {201}


def test_many_values_are_a_few_samples_in_the_profile() -> None:
    facts = "".join(f'<{EX}{at}> <{EX}code> "{at % 60}" . ' for at in range(70))
    code = relation_of(profile(facts), "code")
    assert (code.objects, len(code.values), code.lists_all_values) == (60, 5, False)
    assert {value.count for value in code.values} == {2}


# Compared with a naive computation ----------------------------------------------------------------------------


NODES = st.sampled_from([*(NamedNode(f"{EX}n{at}") for at in range(6)), *(BlankNode(f"b{at}") for at in range(3))])
CLASSES = st.sampled_from([NamedNode(f"{EX}C{at}") for at in range(4)])
RELATIONS = st.sampled_from([NamedNode(f"{EX}r{at}") for at in range(3)])
LITERALS = st.sampled_from(
    [*(pyoxigraph.Literal(at) for at in range(3)), pyoxigraph.Literal("a"), pyoxigraph.Literal("a", language="en")]
)
GRAPHS = st.sampled_from([DefaultGraph(), NamedNode(EX + "g")])
QUADS = st.lists(
    st.builds(Quad, NODES, st.just(NamedNode(RDF_TYPE)), CLASSES, GRAPHS)
    | st.builds(Quad, CLASSES, st.just(NamedNode(RDFS + "subClassOf")), CLASSES, GRAPHS)
    | st.builds(Quad, NODES, st.just(NamedNode(RDFS + "label")), LITERALS, GRAPHS)
    | st.builds(Quad, NODES, RELATIONS, LITERALS, GRAPHS)
    | st.builds(Quad, NODES, RELATIONS, NODES, GRAPHS),
    max_size=40,
)
"""Small graphs that have a bit of everything."""


def naive(quads: list[Quad]) -> dict[str, object]:
    """The figures of a graph, each computed by itself from all triples."""
    triples: set[tuple[Any, str, Any]] = {(quad.subject, quad.predicate.value, quad.object) for quad in quads}
    above = defaultdict(set)
    for subject, relation, value in triples:
        if relation == RDFS + "subClassOf":
            above[subject.value].add(value.value)

    def closed(names: set[str]) -> set[str]:
        while (wider := names | {other for name in names for other in above[name]}) != names:
            names = wider
        return names

    own = defaultdict(set)
    for subject, relation, value in triples:
        if relation == RDF_TYPE:
            own[subject].add(value.value)
    classes = {subject: closed(names) for subject, names in own.items()}
    every = set(own) and {name for names in classes.values() for name in names}
    figures: dict[str, object] = {"triples": len(triples)}
    for name in every:
        members = {subject for subject, names in classes.items() if name in names}
        figures[f"{name} instances"] = len(members)
        figures[f"{name} blank"] = sum(isinstance(member, BlankNode) for member in members)
        for relation in {relation for _, relation, _ in triples} - {RDF_TYPE, RDFS + "label"}:
            having = [subject for subject, other, _ in triples if other == relation and subject in members]
            led = [value for _, other, value in triples if other == relation and value in members]
            if having:
                most = max(map(having.count, having))
                figures[f"{name} {relation}"] = (len(having), len(set(having)), most)
            if led:
                figures[f"{name} ^{relation}"] = (len(led), len(set(led)), max(map(led.count, led)))
    for relation in {relation for _, relation, _ in triples} - {RDF_TYPE}:
        found = [(subject, value) for subject, other, value in triples if other == relation]
        subjects, values = [subject for subject, _ in found], [value for _, value in found]
        links = sum(not isinstance(value, pyoxigraph.Literal) for value in values)
        often = max(map(subjects.count, subjects)), max(map(values.count, values))
        figures[relation] = (len(found), len(set(subjects)), len(set(values)), links, *often)
    return figures


def told(made: GraphProfile) -> dict[str, object]:
    """The same figures from a profile."""
    figures: dict[str, object] = {"triples": made.triples}
    for found in made.classes:
        if found.instances:
            figures[f"{found.iri} instances"] = found.instances
            figures[f"{found.iri} blank"] = found.blank
        for use in found.outgoing:
            figures[f"{found.iri} {use.relation}"] = (use.triples, use.things, use.most)
        for use in found.incoming:
            figures[f"{found.iri} ^{use.relation}"] = (use.triples, use.things, use.most)
    for relation in made.relations:
        most = relation.most_per_subject, relation.most_per_object
        counts = relation.triples, relation.subjects, relation.objects, relation.links
        figures[relation.iri] = (*counts, *most)
    return figures


@pytest.mark.slow
@settings(max_examples=30)
@given(quads=QUADS)
def test_what_the_database_counts_is_what_a_naive_computation_finds(quads: list[Quad]) -> None:
    with Triples() as triples:
        triples.take(quads[:7])
        triples.take(quads[7:])
        assert told(count_profile(triples)) == naive(quads)


@pytest.mark.slow
def test_the_order_of_triples_does_not_matter() -> None:
    quads = list(pyoxigraph.parse(BOOKS, RdfFormat.TURTLE))
    made = []
    for seed in range(3):
        random.Random(seed).shuffle(quads)
        with Triples() as triples:
            triples.take(quads)
            made.append(replace(count_profile(triples), created=""))
    assert made[0] == made[1] == made[2]


# As JSON ------------------------------------------------------------------------------------------------------


def test_a_profile_is_the_same_after_json() -> None:
    made = profile(BOOKS)
    assert GraphProfile.from_json(made.to_json()) == made


def test_a_profile_in_a_folder(tmp_path: Path) -> None:
    assert read_profile(tmp_path) is None
    made = profile(BOOKS)
    write_profile(made, tmp_path)
    assert read_profile(tmp_path) == made
    assert [file.name for file in tmp_path.iterdir()] == [PROFILE_FILE]


def test_a_profile_is_not_written_through_links(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept", encoding="ascii")
    for name in (PROFILE_FILE, f"{PROFILE_FILE}.draft", f".{PROFILE_FILE}.draft"):
        (tmp_path / name).symlink_to(tmp_path / "file")
    made = profile(BOOKS)
    write_profile(made, tmp_path)
    assert (tmp_path / "file").read_text(encoding="ascii") == "kept"
    assert read_profile(tmp_path) == made


def test_a_profile_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / PROFILE_FILE).write_bytes(b"no gzip")
    with pytest.raises(DataError, match=r"cannot read .*profile\.json\.gz"):
        read_profile(tmp_path)
    with pytest.raises(DataError, match="not a graph profile"):
        GraphProfile.from_json("[]")


def test_a_profile_that_is_damaged_or_unpacks_to_gigabytes_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_profile(profile(BOOKS), tmp_path)
    file = tmp_path / PROFILE_FILE
    packed = file.read_bytes()
    for at in range(len(packed)):
        file.write_bytes(packed[:at] + bytes([packed[at] ^ 0x10]) + packed[at + 1 :])
        with contextlib.suppress(DataError):
            read_profile(tmp_path)
    file.write_bytes(packed[:-9])
    with pytest.raises(DataError, match="its end is missing"):
        read_profile(tmp_path)
    file.write_bytes(gzip.compress(b"[[]" + b",[]" * 5_000_000 + b"]", 1))
    with pytest.raises(DataError, match="it has more than 4,000,000 values"):
        read_profile(tmp_path)
    monkeypatch.setattr(kept, "_LARGEST", 1 << 20)
    file.write_bytes(gzip.compress(b"[" * (1 << 21)))
    with pytest.raises(DataError, match="it has more than 1 MB"):
        read_profile(tmp_path)


def test_of_many_classes_with_many_relations_each_a_profile_has_the_most_frequent_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = profile(BOOKS)
    assert len(class_of(whole, "Novel").outgoing) > 2
    uses = sum(len(one.outgoing) + len(one.incoming) + len(one.naming) for one in whole.classes)
    monkeypatch.setattr(figures, "_ALL_USES", uses)
    assert profile(BOOKS).classes == whole.classes
    monkeypatch.setattr(figures, "_ALL_USES", uses - 6)
    less = profile(BOOKS)
    assert sum(len(one.outgoing) + len(one.incoming) for one in less.classes) <= uses - 6
    for one, before in zip(less.classes, whole.classes, strict=True):
        cut = [use.relation for use in one.outgoing]
        assert cut == [use.relation for use in before.outgoing][: len(cut)]
    assert 0 < len(class_of(less, "Novel").outgoing) < len(class_of(whole, "Novel").outgoing)


def test_a_profile_of_another_version_is_told() -> None:
    with pytest.raises(DataError, match="is of version 99"):
        GraphProfile.from_json(GraphProfile(version=99).to_json())


def test_a_profile_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from triad.indexing.profiling import figures

    monkeypatch.setattr(figures, "_CLASSES", 1)
    monkeypatch.setattr(figures, "_RELATIONS", 2)
    made = profile(BOOKS)
    assert (len(made.classes), len(made.relations)) == (1, 2)
    assert made.partial == (
        "4 of 5 classes are left out, the least used ones.",
        "6 of 8 relations are left out, the least used ones.",
    )


@pytest.mark.slow
def test_relations_and_classes_are_counted_in_each_named_graph() -> None:
    made = profile(
        """
        @prefix : <http://x.org/> .
        :momo a :Novel ; :pages 304 ; :sold 1 . :atlas a :Novel ; :sold 2 , 3 .
        :old { :momo a :Novel ; :sold 1 , 5 . :jim :sold 8 . } :new { :momo :sold 5 . }
        """,
        RdfFormat.TRIG,
    )
    assert relation_of(made, "sold").graphs == {EX + "old": 3, "": 3, EX + "new": 1}
    assert relation_of(made, "pages").graphs == {"": 1}
    assert class_of(made, "Novel").graphs == {"": 2, EX + "old": 1}
    assert profile(BOOKS).relations[0].graphs == {}


def test_of_classes_in_a_row_the_nearest_ones_above_are_counted() -> None:
    above = {f"c{at}": [f"c{at + 1}"] for at in range(3_000)}
    assert closure(above, ["c5"]) == {f"c{at}" for at in range(5, 505)}
