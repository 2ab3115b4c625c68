"""A conversation as a file that is read by people."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.conversation.talks import DUNE, KUBRICK, SHINING, turn
from triad.conversation import Stored, Turn
from triad.conversation.store import as_json, as_markdown, as_notebook

STORED = Stored("ab12", "Films *and* more", "films.ttl", 2, "2026-01-02T03:04:05+00:00", "2026-01-02T03:05:05+00:00")
QUERY = "SELECT ?x { ?x ?y ?z }"


def test_markdown_has_all_that_was_said() -> None:
    one = turn("Which films are there?", answers=(SHINING, DUNE), reply="The Shining and Dune.\nThat is all.")
    assert one.answer is not None
    listed = replace(one, answer=replace(one.answer, query=QUERY))
    back = turn("Where was he born?", KUBRICK, standalone="Where was Stanley Kubrick born?", reply="I don't know.")
    shown = replace(listed, question="show the query", kind="follow_up", reply=QUERY)
    assert as_markdown(STORED, [listed, shown, replace(back, answer=None)]) == (
        "# Films \\*and\\* more\n\n"
        "Graph: films.ttl. Begun 2026-01-02T03:04Z.\n\n"
        "## Which films are there?\n\n"
        "The Shining and Dune.  \nThat is all.  \n\n"
        "| x |\n| --- |\n| The Shining |\n| Dune |\n\n"
        f"```sparql\n{QUERY}\n```\n\n"
        "## show the query\n\n"
        f"```sparql\n{QUERY}\n```\n\n"
        "## Where was he born?\n\n"
        "*Understood as: Where was Stanley Kubrick born?*\n\n"
        "I don't know.\n"
    )


def test_a_long_table_is_cut_and_one_value_needs_none() -> None:
    long = turn("Which?", answers=tuple(replace(DUNE, iri=f"{DUNE.iri}{at}", label=f"D{at}") for at in range(1060)))
    assert long.answer is not None
    text = as_markdown(STORED, [replace(long, answer=replace(long.answer, query=QUERY))])
    assert "| D49 |\n\n… and 1,010 more\n" in text
    assert "| D50 |" not in text
    one = replace(long, answer=replace(long.answer, query=QUERY, rows=long.answer.rows[:1]))
    assert "| --- |" not in as_markdown(STORED, [one])
    assert as_markdown(STORED, [Turn("hi", "hi", reply="Hello!")]).endswith("## hi\n\nHello!\n")


def test_a_notebook_asks_each_question_again_and_shows_what_it_gave() -> None:
    turns = [turn("Which films are there?", answers=(SHINING, DUNE), reply="The Shining and Dune."), Turn("hi", "hi")]
    text = as_notebook(STORED, turns)
    assert text == as_notebook(STORED, turns)
    title, opening, films, hi = json.loads(text)["cells"]
    assert "".join(title["source"]) == "# Films \\*and\\* more\n\nBegun 2026-01-02T03:04Z."
    assert "conversation = triad.Conversation(triad.Agent('films.ttl'))" in "".join(opening["source"])
    assert ["".join(one["source"]) for one in (films, hi)] == [
        "conversation.ask('Which films are there?')",
        "conversation.ask('hi')",
    ]
    [shown] = films["outputs"]
    assert (films["execution_count"], hi["execution_count"], shown["execution_count"]) == (1, 2, 1)
    assert shown["output_type"] == "execute_result"
    assert "".join(shown["data"]["text/plain"]) == "The Shining and Dune."
    assert "Dune" in "".join(shown["data"]["text/html"])
    assert [one["cell_type"] for one in (title, opening, films, hi)] == ["markdown", "code", "code", "code"]


def test_json_has_all_that_is_kept() -> None:
    kept = json.loads(as_json(STORED, [Turn("hi", "hi", reply="Grüß dich!")]))
    assert (kept["id"], kept["title"], kept["graph"]) == ("ab12", "Films *and* more", "films.ttl")
    assert [(one["question"], one["reply"]) for one in kept["turns"]] == [("hi", "Grüß dich!")]
    assert "Grüß" in as_json(STORED, [Turn("hi", "hi", reply="Grüß dich!")])
