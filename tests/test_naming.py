"""Names that nothing has: which one was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from triad.agent import Agent
from triad.configs import load_config, make_config
from triad.datasets import load_dataset
from triad.errors import ConfigError
from triad.kg import open_graph
from triad.models import open_model
from triad.naming import among, meant
from triad.resources import copy, find
from triad.roles import load_roles


def test_the_nearest_name_is_asked_for_and_all_are_listed() -> None:
    assert among(["first", "second"], "frist") == "first, second; did you mean 'first'?"
    assert among(["first", "second"], "zzz") == "first, second"
    assert among([], "zzz") == "none"


def test_case_and_dashes_count_for_nothing() -> None:
    assert meant("-Grph", ["--graph"]) == "did you mean '--graph'?"


def test_a_long_list_is_cut_and_the_nearest_name_is_still_found() -> None:
    names = [f"name{number}" for number in range(100)]
    said = among(names, "name-99")
    assert said.endswith(", name59, …; did you mean 'name99' or 'name9'?")


@pytest.mark.parametrize(
    ("call", "question"),
    [
        (lambda: find("configs", "dmeo"), "'demo'"),
        (lambda: find("prompts", "parse_qestion"), "'parse_question'"),
        (lambda: find("index", "dbpdia"), "'dbpedia'"),
        (lambda: copy("roles", "advisr"), "'advisor'"),
        (lambda: load_config("demo", {"modle": "x"}), "'model'"),
        (lambda: load_config("demo", {"run.executr": "x"}), "'executor'"),
        (lambda: load_config("demo", {"run.executor": "treads"}), "'threads'"),
        (lambda: load_config("demo", {"on_model_failure": "lexcal"}), "'lexical'"),
        (lambda: make_config({}, {"graph": "x.ttl", "route.rungs": ["solvr"]}, "options"), "'solver'"),
        (lambda: load_roles({"advisr": {"tries": 1}}), "'advisor'"),
        (lambda: open_model("opnai:gpt-4.1-mini"), "'openai'"),
        (lambda: open_model("litelm:anthropic/x"), "'litellm'"),
        (lambda: open_model("ollama:x", temprature=1), "'temperature'"),
        (lambda: open_model("ollama:x", json_mode="shema"), "'schema'"),
        (lambda: open_graph("http://localhost:1/", timeot=3), "'timeout'"),
        (lambda: open_graph("http://localhost:1/", dialect="virtuso"), "'virtuoso'"),
        (lambda: load_dataset(Path(__file__), format="qlad"), "'qald'"),
    ],
)  # fmt: skip
def test_a_misspelt_name_gets_the_one_that_was_meant(call: object, question: str) -> None:
    with pytest.raises(ConfigError, match=f"; did you mean {question}"):
        call()  # type: ignore[operator]


def test_a_misspelt_argument_of_the_agent_gets_the_one_that_was_meant() -> None:
    with pytest.raises(ConfigError, match="; did you mean 'lexical'"):
        Agent(graph="x.ttl", on_model_failure="lexcal")  # type: ignore[arg-type]
