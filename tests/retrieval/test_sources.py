"""Tables and passages are opened where the graph's folder has them, and `triad ask` uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from tests.retrieval.evidence_world import TURTLE, World, bikes, reply
from triad.agent import Agent
from triad.cli.program import app
from triad.configs import make_config
from triad.errors import ConfigError, GraphError
from triad.retrieval.tables.schema import SqlColumn, SqlSchema, SqlTable, advice
from triad.route import Retrieval

__all__ = ["bikes"]


def triad(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, ["-q", *map(str, arguments)])
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.slow
def test_what_a_folder_has_is_found_there(tmp_path: Path) -> None:
    file, notes = tmp_path / "bikes.ttl", tmp_path / "notes"
    notes.mkdir()
    file.write_text(TURTLE, encoding="utf-8")
    (notes / "warranty.md").write_text("# Warranty\n\nThe battery is guaranteed for 4 years.\n", encoding="utf-8")
    folder = tmp_path / "bikes"
    triad("index", file, "--to", folder, "--tables", "--passages", "--documents", notes)
    with Agent(folder, model="none") as agent:
        assert agent.sources.branches == ("graph", "sql", "passages")
        [first, *_] = agent.sources.found("how long is the battery guaranteed")
        assert (first.citation.source, first.citation.document) == ("documents", "warranty.md")
    with Agent(folder, model="none", retrieval=Retrieval(branches=("sql",))) as agent:
        assert agent.sources.branches == ("sql",)
        assert agent.sources.found("battery") == ()
    with Agent(file, model="none") as agent:
        assert not agent.sources
    with pytest.raises(ConfigError, match=r"'passages'.*triad index --passages"):
        Agent(file, model="none", retrieval=Retrieval(branches=("passages",)))


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"branches": ["sparql"]}, "retrieval.branches"),
        ({"branches": []}, "at least one branch"),
        ({"rule": "sometimes"}, "retrieval.rule"),
        ({"rounds": 0}, "retrieval.rounds"),
        ({"depth": 3}, "unknown key 'retrieval.depth'; known here: branches, passages, rounds, rows, rule"),
    ],
)
def test_the_keys_of_a_config_are_read_strictly(keys: dict[str, object], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        make_config({"graph": "demo", "retrieval": keys})


def test_branches_stand_in_one_order() -> None:
    assert Retrieval(branches=("passages", "sql")).branches == ("sql", "passages")
    with pytest.raises(ValidationError):
        Retrieval(tokens=10)


@pytest.mark.slow(0.2)
def test_the_command_line_tells_what_an_answer_rests_on(bikes: World, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = ("The battery is guaranteed for 4 years; before it was two.", [1, 2])
    replies = [reply(sentences=[sentence]), reply(missing="Not told."), reply(sentences=[sentence])]
    agent, model = bikes(replies * 2)
    monkeypatch.setattr("triad.cli.progress.open_agent", lambda config, log: agent)
    question = "How long is the battery guaranteed?"
    shown = triad("ask", question, "--attribute")
    assert "[1] documents: Warranty" in shown
    assert "evidence\tshare\tabout" in shown
    assert len(model.calls) == 3
    both = json.loads(triad("ask", question, "--attribute", "--json"))
    assert len(both["answer"]["citations"]) == 2
    assert sum(one["share"] for one in both["attribution"]["shares"]) == pytest.approx(1, abs=0.001)


SCHEMA = SqlSchema(
    (
        SqlTable(
            "Bike",
            "class",
            (SqlColumn("label", "VARCHAR"), SqlColumn("weight_kg", "DOUBLE"), SqlColumn("price_EUR", "DOUBLE")),
        ),
        SqlTable("Battery", "class", (SqlColumn("label", "VARCHAR"), SqlColumn("capacity_Wh", "DOUBLE"))),
    )
)


@pytest.mark.parametrize(
    ("error", "query", "said"),
    [
        (
            'Binder Error: Referenced column "weigth" not found in FROM clause!',
            "SELECT weigth FROM Bike",
            "Bike.weight_kg",
        ),
        ('Table "b" does not have a column named "price"', "SELECT b.price FROM Bike b", "Bike.price_EUR"),
        ("there is no table 'Bikes'; there are: Bike", "SELECT * FROM Bikes", "nearest tables: Bike"),
        ("the query did not finish in 10 seconds", "SELECT 1", "did not finish"),
    ],
)
def test_what_would_work_is_said_with_an_error(error: str, query: str, said: str) -> None:
    told = advice(GraphError(error), SCHEMA, query)
    assert said in told
    assert "Battery.capacity" not in told
