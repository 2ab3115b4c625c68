"""What a model sees of a graph: lines with numbers for all that has an IRI."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.phases.films import EX, Script, World, world
from triad.questions import Candidate
from triad.routing.exploration import GraphTools

__all__ = ["world"]


def tools(world: World, *shown: tuple[str, str, str]) -> GraphTools:
    """Return the tools to which some things were shown, each by its local name, its kind and its label."""
    made = GraphTools(world.context(Script(), "Which films did Stanley Kubrick direct?"))
    for name, kind, label in shown:
        made.show(Candidate(EX + name, kind, label))  # type: ignore[arg-type]
    return made


SHINING, LYNCH = ("Shining", "entity", "The Shining"), ("Lynch", "entity", "David Lynch")
DUNE, FILM = ("DuneFilm", "entity", "Dune"), ("Film", "class", "film")
PERSON, DIRECTOR = ("Person", "class", "person"), ("director", "relation", "director")


@pytest.mark.parametrize(
    ("name", "kind", "label", "types", "line"),
    [
        ("Shining", "entity", "The Shining", ("Film",), '<1> "The Shining", a film'),
        ("Shining", "entity", "The Shining", ("Film", "Short", "Novel"), '<1> "The Shining", a film and short film'),
        ("Nowhere", "entity", 'Nowhere <2>\n"', (), '<1> "Nowhere <2>\\n\\"", a thing'),
        ("Film", "class", "film", (), '<1> "film", a class'),
        ("director", "relation", "director", (), '<1> "director", a relation'),
        ("genre", "literal", "horror", (), '"horror", a text, value of <1> genre'),
    ],
)
def test_what_is_shown_has_a_number_a_name_and_a_kind(
    world: World, name: str, kind: Any, label: str, types: tuple[str, ...], line: str
) -> None:
    made = tools(world)
    candidate = Candidate(EX + name, kind, label, types=tuple(EX + one for one in types))
    assert [made.show(candidate), made.show(candidate)] == [line, line]


def test_a_thing_is_described_by_its_relations_those_that_are_like_the_question_first(world: World) -> None:
    made = tools(world, SHINING)
    first, *others = made.describe(1)
    assert first == '<2> director -> person, such as "Stanley Kubrick"'
    assert sorted(re.sub(r"<\d+> ", "", line) for line in others) == [
        'based on -> novel, such as "The Shining (novel)"',
        'genre = "horror"@en',
        'release date = "1980-05-23"',
    ]
    assert {one.kind for one in made.seen.values()} == {"entity", "relation"}


def test_what_leads_to_a_thing_is_described_too(world: World) -> None:
    told = [re.sub(r"<\d+> ", "", line) for line in tools(world, ("Kubrick", "entity", "Stanley Kubrick")).describe(1)]
    assert told[0] == "<- director of film"
    assert 'death place -> city, such as "Childwickbury"' in told


def test_the_values_of_a_relation_are_shown_and_can_be_asked_by(world: World) -> None:
    made = tools(world, DIRECTOR)
    assert sorted(made.values(1)) == ['<2> "Stanley Kubrick"', '<3> "David Lynch"']
    query, _ = made.query("SELECT ?f { ?f <1> <3> }")
    assert query is not None
    assert [(label, one.kind) for label, one in query.links.items()] == [
        ("director", "relation"),
        ("David Lynch", "entity"),
    ]


@pytest.mark.parametrize(
    ("one", "other", "line"),
    [
        (DUNE, LYNCH, "<1> <3> director <2>"),
        (LYNCH, DUNE, "<2> <3> director <1>"),
        (DUNE, PERSON, "<1> <3> director <2>"),
        (FILM, PERSON, "<1> <3> director <2>"),
        (PERSON, FILM, "<2> <3> director <1>"),
        (LYNCH, FILM, "nothing"),
        (DUNE, SHINING, "nothing"),
    ],
)
def test_the_relations_between_two_are_shown_in_either_direction(
    world: World, one: tuple[str, str, str], other: tuple[str, str, str], line: str
) -> None:
    assert tools(world, one, other).relations(1, 2) == [line]


def test_the_rows_of_a_query_are_lines_and_what_has_no_value_a_dash(world: World) -> None:
    made = tools(world, DUNE, LYNCH, DIRECTOR, FILM)
    query, lines = made.query("SELECT ?x ?y ?z { ?x <3> ?y OPTIONAL { ?y a <4> ; <3> ?z } } ORDER BY ?x LIMIT 2")
    assert lines == ["2 rows", '<5> "The Alphabet", <2> "David Lynch", -', '<1> "Dune", <2> "David Lynch", -']
    assert query is not None
    assert {(label, one.kind) for label, one in query.links.items()} == {("director", "relation"), ("film", "class")}
    assert (made.query("ASK { <1> <3> <2> }")[1], made.query("ASK { <2> <3> <1> }")[1]) == (["yes"], ["no"])


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Dune", ['<1> "Dune", a film', '<2> "Dune", a novel']),
        ("Dune (novel)", ['<1> "Dune", a novel', '<2> "Dune", a film']),
        ("director", ['<1> "director", a relation']),
        ("short film", ['<1> "short film", a class']),
        ("xyzzy", ["nothing has such a name"]),
        ("", ["'text' is empty"]),
    ],
)
def test_things_classes_and_relations_are_found_by_their_names(world: World, text: str, lines: list[str]) -> None:
    assert tools(world).find(text)[: len(lines)] == lines


@pytest.mark.parametrize("name", ["0", "3", "123456", "http://example.org/director"])
def test_a_query_has_the_numbers_that_were_shown_and_nothing_else(world: World, name: str) -> None:
    query, [line] = tools(world, DUNE, DIRECTOR).query(f"SELECT ?x {{ ?x <{name}> ?y }}")
    assert query is None
    assert line == f'failed: "<{name}> is not a number that was shown; use find or describe first"'
