from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.phases.films import EX, Script, World, steps
from triad.answers import MIN_CONFIDENCE, Answer
from triad.phases.attempts import Attempt
from triad.phases.construction import construct, execute
from triad.phases.context import Context
from triad.phases.linking import LinkOption, Links, link
from triad.queries.path_text import mention
from triad.queries.template import Template
from triad.questions import AnswerType, Candidate
from triad.rdf import IRI, Value
from triad.repair.plans import plans_of
from triad.repair.repairing import repair
from triad.repair.search import LookupBudget


def failed(context: Context, sparql: str, kind: AnswerType = "select", **links: Sequence[str]) -> Attempt:
    """An attempt whose things are linked by their names, and whose relations by hand or not at all."""
    template = Template(sparql)
    linked: Links = {}
    for slot, named in template.slots.items():
        if named.kind == "relation":
            linked[slot] = tuple(
                LinkOption(Candidate(EX + iri, "relation", iri), IRI(EX + iri), 0.8)
                for iri in links.get(named.text.replace(" ", "_"), ())
            )
    things = Template(sparql)
    known = link(replace(context, roles=_matching(context)), things)
    linked |= {slot: options for slot, options in known.items() if "/relation/" not in f"/{slot.split(':')[1]}"}
    return Attempt(template, kind, linked)


def _matching(context: Context) -> Any:
    card = context.roles.decision_maker.model_copy(update={"uri_selection": "match"})
    return replace(context.roles, decision_maker=card)


def values(answer: Answer | None) -> list[str]:
    assert answer is not None
    return sorted(str(value.term).removeprefix(EX) for value in answer.values)


def repaired(world: World, question: str, sparql: str, script: Script | None = None, **given: Any) -> Answer | None:
    context = world.context(script, question)
    return repair(context, failed(context, sparql, **given))


# Steps ----------------------------------------------------------------------------------------------------


def test_a_relation_that_the_graph_calls_otherwise_is_found(world: World) -> None:
    answer = repaired(world, "Who is the filmmaker of The Shining?", "SELECT ?d { <The_Shining> <filmmaker> ?d }")
    assert values(answer) == ["Kubrick"]
    assert answer is not None
    assert "director" in str(answer.query)
    assert answer.substituted[0].words == "filmmaker"
    assert answer.substituted[0].became == "director"


def test_a_step_may_go_against_the_direction_of_the_template(world: World) -> None:
    assert values(repaired(world, "Films by Lynch?", "SELECT ?f { <David_Lynch> <director> ?f }")) == [
        "Alphabet",
        "DuneFilm",
    ]


def test_each_step_of_a_longer_path_is_found(world: World) -> None:
    answer = repaired(
        world,
        "Where was the filmmaker of The Shining born?",
        "SELECT ?c { <The_Shining> <filmmaker> ?d . ?d <place of birth> ?c }",
    )
    assert values(answer) == ["NewYork"]


def test_the_number_of_answers_is_counted_anew(world: World) -> None:
    answer = repaired(
        world,
        "How many films did the filmmaker David Lynch make?",
        "SELECT (COUNT(DISTINCT ?f) AS ?n) { ?f <filmmaker> <David_Lynch> }",
        kind="count",
    )
    assert values(answer) == ["2"]


def test_no_call_is_made_where_the_path_is_clear(world: World) -> None:
    script = Script()
    repaired(world, "Who is the filmmaker of The Shining?", "SELECT ?d { <The_Shining> <filmmaker> ?d }", script)
    assert script.asked == []


def test_what_relations_were_linked_to_counts(world: World) -> None:
    context = world.context(None, "What about The Shining?")
    attempt = failed(context, "SELECT ?d { <The_Shining> <xyzzy> ?d }", xyzzy=["basedOn"])
    assert values(repair(context, attempt)) == ["ShiningNovel"]


def test_the_model_says_the_steps_where_the_template_leads_nowhere(world: World) -> None:
    script = Script(step_planning={"steps": ["director", "birth place"]})
    answer = repaired(
        world,
        "Where does the maker of The Shining come from?",
        "SELECT ?c { <The_Shining> <xyzzy> ?x . ?x <plugh> ?c }",
        script,
    )
    assert script.asked == ["step_planning"]
    assert values(answer) == ["NewYork"]


def test_the_model_chooses_where_paths_with_other_results_are_as_good(world: World) -> None:
    script = Script(path_selection={"path": 2})
    asked = "What is the place of Stanley Kubrick?"
    first = repaired(world, asked, "SELECT ?p { <Stanley_Kubrick> <place> ?p }", Script(path_selection={"path": 1}))
    second = repaired(world, asked, "SELECT ?p { <Stanley_Kubrick> <place> ?p }", script)
    assert {*values(first), *values(second)} == {"NewYork", "Childwickbury"}
    assert script.asked == ["path_selection"]
    assert '"Stanley Kubrick → birth place"' in script.prompts["path_selection"][0]
    none = Script(path_selection={"path": 0})
    assert repaired(world, asked, "SELECT ?p { <Stanley_Kubrick> <place> ?p }", none) is None


# Restrictions ---------------------------------------------------------------------------------------------


def test_a_restriction_to_an_entity_finds_its_relation(world: World) -> None:
    answer = repaired(
        world,
        "Which films by Stanley Kubrick are adapted from The Shining (novel)?",
        "SELECT ?f { ?f <filmmaker> <Stanley_Kubrick> ; <adapted from> <The_Shining_(novel)> }",
    )
    assert values(answer) == ["Shining"]
    assert answer is not None
    assert not answer.ignored


def test_a_class_and_an_order_are_kept(world: World) -> None:
    answer = repaired(
        world,
        "Which film by Stanley Kubrick came out first?",
        "SELECT ?f { ?f a <film> ; <filmmaker> <Stanley_Kubrick> ; <release_date> ?r } ORDER BY ?r LIMIT 1",
    )
    assert values(answer) == ["Odyssey"]


def test_a_text_may_be_a_part_of_the_value_and_that_is_said(world: World) -> None:
    answer = repaired(
        world,
        "Which science films by Stanley Kubrick are there?",
        'SELECT ?f { ?f <filmmaker> <Stanley_Kubrick> ; <genre> ?g FILTER(STR(?g) = "Science") }',
    )
    assert values(answer) == ["Odyssey"]
    assert answer is not None
    assert answer.notes == ("Only as a part of a longer text: genre = Science",)


def test_what_nothing_meets_is_left_out_and_that_is_said(world: World) -> None:
    answer = repaired(
        world,
        "Which films by Stanley Kubrick came out after 2020?",
        "SELECT ?f { ?f <filmmaker> <Stanley_Kubrick> ; <release_date> ?r FILTER(YEAR(?r) > 2020) }",
    )
    assert values(answer) == ["Odyssey", "Shining"]
    assert answer is not None
    assert answer.ignored == ("release date > 2020",)
    assert answer.notes == ("Left out, for nothing meets it: release date > 2020",)
    met = repaired(world, "Films by Kubrick?", "SELECT ?f { ?f <filmmaker> <Stanley_Kubrick> }")
    assert met is not None
    assert answer.confidence < met.confidence


def test_what_is_left_of_a_question_is_a_guess_and_never_a_class_alone(world: World) -> None:
    part = "SELECT ?f {{ ?f a <film> {} ; <release_date> ?r FILTER(YEAR(?r) > 2020) }}"
    left = repaired(world, "Films?", part.format("; <director> <Stanley_Kubrick>"))
    assert left is not None
    assert left.confidence < MIN_CONFIDENCE
    assert repaired(world, "Films?", part.format("")) is None


@pytest.mark.parametrize(
    "sparql",
    [
        "SELECT ?f { ?f <filmmaker> <Stanley_Kubrick> ; <release_date> ?r FILTER(!(YEAR(?r) < 2020)) }",
        "SELECT ?f { ?f <filmmaker> <Stanley_Kubrick> FILTER NOT EXISTS { ?f <genre> ?g } }",
        "SELECT ?f { ?f <filmmaker> <Stanley_Kubrick> ; <xyzzy> ?r } ORDER BY ?r LIMIT 1",
    ],
)
def test_no_negation_and_no_order_is_left_out(world: World, sparql: str) -> None:
    script = Script(step_planning={"steps": ["filmmaker"]})
    assert repaired(world, "Which films by Stanley Kubrick?", sparql, script) is None


# Limits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sparql", ["ASK { <The_Shining> <filmmaker> <David_Lynch> }", "SELECT ?a ?b { ?a <filmmaker> ?b ; <genre> <x> }"]
)
def test_what_a_path_cannot_express_is_not_repaired(world: World, sparql: str) -> None:
    assert repaired(world, "?", sparql, kind="boolean") is None


def test_a_repair_that_finds_what_was_found_before_is_none(world: World) -> None:
    context = world.context(None, "Who directed The Shining?")
    attempt = failed(context, "SELECT ?d { <The_Shining> <director> ?d }")
    before = Answer(context.question, variables=("d",), rows=((Value(IRI(EX + "Kubrick"), "Stanley Kubrick"),),))
    assert repair(context, replace(attempt, answer=before)) is None


def test_queries_of_a_repair_pass_the_guard_and_are_steps(world: World) -> None:
    context = world.context(None, "Who is the filmmaker of The Shining?").on("repair")
    repair(context, failed(context, "SELECT ?d { <The_Shining> <filmmaker> ?d }"))
    taken = [step for step in steps(context, "graph") if step.action == "execute" and step.rung == "repair"]
    assert taken
    assert all("LIMIT" in step.request for step in taken)


def test_a_repair_ends_when_its_time_is_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triad.repair.repairing.LookupBudget", lambda seconds, lookups: LookupBudget(0.0, lookups))
    script = Script(step_planning={"steps": ["filmmaker"]})
    assert repaired(world, "Who?", "SELECT ?d { <The_Shining> <filmmaker> ?d }", script) is None


def test_a_template_becomes_a_plan_with_its_words(world: World) -> None:
    context = world.context(None, "?")
    attempt = failed(context, "SELECT ?f { ?f a <film> ; <made by> <David_Lynch> }")
    [plan, *_] = plans_of(context, attempt)
    assert plan.path.topic == IRI(EX + "Lynch")
    assert plan.path.steps[0].relation == mention("made by")
    assert plan.path.restrictions[0].end == IRI(EX + "Film")
    named: Mapping[str, Candidate] = plan.links
    assert named["David Lynch"].iri == EX + "Lynch"


def test_construct_and_repair_share_templates(world: World) -> None:
    """What rung 1 finds by itself needs no repair: the same template gives the same answer both ways."""
    context = world.context(None, "Who directed The Shining?", phase="construction")
    attempt = failed(context, "SELECT ?d { <The_Shining> <director> ?d }", director=["director"])
    queries = execute(context, attempt.template, construct(context, attempt.template, attempt.links))
    assert queries[0].result is not None
    assert values(repair(context, attempt)) == [str(row[0]).removeprefix(EX) for row in queries[0].result.rows]
