from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

GRAPH = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Car rdfs:subClassOf :Vehicle . :Bike rdfs:subClassOf :Vehicle . :Truck rdfs:subClassOf :Vehicle .
:c a :Car ; :owner :o ; :maker :m . :b a :Bike ; :owner :o ; :rider :o . :t a :Truck ; :owner :o ; :depot :d .
:o a :Person . :m a :Firm . :d a :Depot .
"""
PROGRAM = """
import sys
from triad.agent import Agent
from triad.lexical.composition.schema_graph import SchemaGraph

with Agent(sys.argv[1], model="none") as agent:
    for link in SchemaGraph(agent.profile).links("http://example.org/Vehicle"):
        print(link.relation.rpartition("/")[2], link.forward)
"""


def test_the_order_of_links_is_the_same_in_each_process_and_the_commonest_come_first(tmp_path: Path) -> None:
    file = tmp_path / "vehicles.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    orders = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, file],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(3)
    }
    [order] = orders
    assert order.splitlines()[0] == "owner True"
