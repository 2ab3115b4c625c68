from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from triad.errors import ConfigError, QueryTimeout
from triad.indexing.build import build
from triad.kg.base import KnowledgeGraph
from triad.kg.labels import LabelFinder, Labels, SampledEntity, expanded, find_own, own_properties
from triad.kg.local import LocalGraph
from triad.kg.profile import read_profile
from triad.kg.schema import Schema
from triad.rdf import DCTERMS, RDFS, SCHEMA, ResultSet
from triad.search import open_index

EX = "http://example.org/"
AIRPORT, CITY, PERSON = EX + "Airport", EX + "City", EX + "Person"


def things(class_: str, *names: dict[str, str], labelled: bool = False) -> list[SampledEntity]:
    return [SampledEntity((class_,), labelled, {EX + key: text for key, text in one.items()}) for one in names]


def test_a_property_that_most_unlabelled_instances_of_a_class_have_is_a_label() -> None:
    airports = things(AIRPORT, {"airportName": "Schiphol"}, {"airportName": "Orly"}, {})
    assert own_properties(airports) == (EX + "airportName",)


def test_a_property_that_few_instances_have_is_no_label() -> None:
    assert own_properties(things(AIRPORT, {"shortName": "AMS"}, {}, {})) == ()


def test_things_that_have_a_label_need_no_other() -> None:
    assert own_properties(things(AIRPORT, {"shortName": "AMS"}, {"shortName": "ORY"}, labelled=True)) == ()


def test_a_property_that_does_not_tell_instances_apart_is_no_label() -> None:
    airports = things(AIRPORT, *({"cityName": "Paris"} for _ in range(4)))
    assert own_properties(airports) == ()


@pytest.mark.parametrize(
    ("names", "best"),
    [
        ({"name": "Orly", "airportName": "Paris-Orly", "shortName": "ORY"}, "name"),
        ({"shortName": "ORY", "airportName": "Paris-Orly"}, "airportName"),
    ],
)
def test_the_plainest_name_is_preferred(names: dict[str, str], best: str) -> None:
    assert own_properties(things(AIRPORT, names)) == (EX + best,)


@pytest.mark.parametrize(("iris", "labels"), [(("ada_lem", "bo_ek"), ()), (("p1", "p2"), (EX + "jobTitle",))])
def test_things_whose_iris_have_names_are_not_called_by_their_titles(
    iris: Sequence[str], labels: tuple[str, ...]
) -> None:
    titles = ("Chief brewer", "Driver")
    people = [
        SampledEntity((PERSON,), False, {EX + "jobTitle": title}, EX + iri)
        for iri, title in zip(iris, titles, strict=True)
    ]
    assert own_properties(people) == labels


def test_things_whose_iris_have_names_may_have_others() -> None:
    animals = (("panthera_leo", "lion"), ("canis_lupus", "wolf"))
    found = [SampledEntity((EX + "Animal",), False, {EX + "common_name": name}, EX + iri) for iri, name in animals]
    assert own_properties(found) == (EX + "common_name",)


def test_what_many_things_share_is_not_their_name() -> None:
    teams = ("North", "North", "South", "East", "West", "Sales")
    assert own_properties(things(PERSON, *({"teamName": team} for team in teams[1:]))) == (EX + "teamName",)
    assert own_properties(things(PERSON, *({"teamName": team} for team in (*teams, "East")))) == ()


def test_the_best_name_of_a_class_comes_before_others_that_its_instances_have() -> None:
    airports = things(AIRPORT, {"airportName": "Orly", "cityName": "Paris"})
    cities = things(CITY, *({"cityName": name} for name in ("Paris", "Lyon", "Nice")))
    assert own_properties([*airports, *cities]) == (EX + "airportName", EX + "cityName")


COURSES = f"""
@prefix : <{EX}> . @prefix rdfs: <{RDFS}> .
:1 a :Course ; :course "Music" ; :starts "5 May" .
:2 a :Course ; :course "History" ; :starts "6 May" .
:3 a :Student ; :course "Music" ; :credits 4 .
:4 a :Student ; :course "History" ; :credits 7 .
:5 a :Comment ; :comment "{"A long text. " * 20}" .
"""


@pytest.mark.slow(0.2)
def test_a_property_that_is_called_as_the_class_holds_the_names_of_its_instances(tmp_path: Path) -> None:
    file = tmp_path / "courses.ttl"
    file.write_text(COURSES)
    graph = LocalGraph.load(file)
    assert find_own(graph.lookup) == (EX + "course",)
    names = Schema(graph, finder=LabelFinder(graph)).labels([EX + "1", EX + "3", EX + "5"])
    assert names == {EX + "1": "Music", EX + "3": "3", EX + "5": "5"}


@pytest.mark.slow(0.2)
@pytest.mark.parametrize("name", ["courseDetails", "course_details", "course-detail"])
def test_so_does_one_that_holds_the_details_of_the_class(name: str, tmp_path: Path) -> None:
    file = tmp_path / "courses.ttl"
    file.write_text(COURSES.replace(":course ", f":{name} "))
    graph = LocalGraph.load(file)
    assert find_own(graph.lookup) == (EX + name,)
    build(file, tmp_path / "built")
    with open_index(tmp_path / "built") as index:
        assert [(one.iri, one.label) for one in index.search("History", kind="entity")] == [(EX + "2", "History")]
    names = Schema(graph, finder=LabelFinder(graph)).labels([EX + "1", EX + "3"])
    assert names == {EX + "1": "Music", EX + "3": "3"}


def test_details_are_a_name_only_where_they_tell_things_apart_and_nothing_else_does() -> None:
    named = {"name": "Orly", "airportDetails": "in the south"}
    assert own_properties(things(AIRPORT, named)) == (EX + "name",)
    seats = ("open", "open", "closed", "open")
    assert own_properties(things(AIRPORT, *({"airportDetails": said} for said in seats))) == ()


@pytest.mark.slow(0.3)
def test_it_does_so_in_the_index_and_in_the_profile_too(tmp_path: Path) -> None:
    file = tmp_path / "courses.ttl"
    file.write_text(COURSES)
    build(file, tmp_path / "built")
    with open_index(tmp_path / "built") as index:
        found = index.search("Music", kind="entity")
        assert [(one.iri, one.label) for one in found] == [(EX + "1", "Music")]
        assert index.labels == Labels(own=(EX + "course",))
    profile = read_profile(tmp_path / "built")
    assert profile is not None
    course, student = profile.class_profile(EX + "Course"), profile.class_profile(EX + "Student")
    assert course is not None
    assert student is not None
    assert (course.name_relation, student.name_relation) == (EX + "course", None)
    assert [use.relation for use in student.outgoing] == [EX + "course", EX + "credits"]
    assert (course.named, student.named) == (2, 0)
    assert [(one.iri, one.things) for one in profile.names] == [(EX + "course", 2)]


@pytest.fixture
def graph(tmp_path: Path) -> KnowledgeGraph:
    file = tmp_path / "graph.ttl"
    file.write_text(
        f"""
        @prefix : <{EX}> . @prefix rdfs: <{RDFS}> .
        :a1 a :Airport ; :airportName "Schiphol" ; :city :c1 ; :runways 6 .
        :a2 a :Airport ; :airportName "Orly" ; :city :c2 .
        :c1 a :City ; rdfs:label "Amsterdam"@en ; :shortName "A" .
        :c2 a :City ; rdfs:label "Paris"@en ; :shortName "P" .
        :Airport rdfs:label "airport"@en .
        """,
        encoding="utf-8",
    )
    return LocalGraph.load(file)


@pytest.mark.slow(0.1)
def test_the_own_label_properties_of_a_graph_are_found_by_two_bounded_queries(graph: KnowledgeGraph) -> None:
    asked: list[str] = []

    def lookup(query: str) -> ResultSet:
        asked.append(query)
        return graph.lookup(query)

    assert find_own(lookup) == (EX + "airportName",)
    assert len(asked) == 2
    assert all("LIMIT" in query for query in asked)


def test_what_is_shown_has_its_own_label(graph: KnowledgeGraph) -> None:
    schema = Schema(graph, finder=LabelFinder(graph))
    assert schema.labels([EX + "c1", EX + "a1", EX + "city"]) == {
        EX + "c1": "Amsterdam",
        EX + "a1": "Schiphol",
        EX + "city": "city",
    }
    assert schema.label_properties[-1] == EX + "airportName"


def test_a_graph_is_not_looked_at_where_all_things_have_labels(
    graph: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = Schema(graph, finder=LabelFinder(graph))
    monkeypatch.setattr("triad.kg.labels.find_own", lambda _: pytest.fail("the graph was looked at"))
    assert schema.labels([EX + "c1"]) == {EX + "c1": "Amsterdam"}


def test_named_properties_are_the_only_ones(graph: KnowledgeGraph) -> None:
    schema = Schema(graph, finder=LabelFinder(graph, Labels((EX + "shortName",))))
    assert schema.labels([EX + "c1", EX + "a1"]) == {EX + "c1": "A", EX + "a1": "a1"}


@pytest.mark.slow(0.1)
def test_a_graph_that_is_too_slow_has_the_well_known_labels(
    graph: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(_: object) -> tuple[str, ...]:
        raise QueryTimeout("slow")

    monkeypatch.setattr("triad.kg.labels.find_own", slow)
    assert LabelFinder(graph).labels == Labels()


def test_names_with_prefixes_are_expanded() -> None:
    assert expanded(["schema:name", "<http://example.org/called>", "dcterms:title", "urn:x:name"]) == (
        SCHEMA + "name",
        "https://schema.org/name",
        EX + "called",
        DCTERMS + "title",
        "urn:x:name",
    )


@pytest.mark.parametrize("name", ["name", "foo:name", "foo:urnish", "http:name", "http://example.org/a b"])
def test_what_is_no_property_is_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="known: dc, dcterms"):
        expanded([name])
