from __future__ import annotations

from collections.abc import Iterator

import pytest

from triad.agent import Agent
from triad.deadline import Deadline
from triad.server.things import Coordinates, look_up

LATITUDE, LONGITUDE = (f"<http://www.w3.org/2003/01/geo/wgs84_pos#{name}>" for name in ("lat", "long"))


PLACES = {
    f'{LATITUDE} "abc"^^xsd:double ; {LONGITUDE} 7.4': None,
    f'{LATITUDE} "46,9"^^xsd:double, "46.9"^^xsd:double ; {LONGITUDE} "NaN"^^xsd:double': None,
    f"{LATITUDE} 46.9 ; {LONGITUDE} 7.4": (46.9, 7.4),
    f"{LATITUDE} 0.0 ; {LONGITUDE} 0": (0, 0),
    'e:at "POINT(1.2.3 4.5)"': None,
    'e:at "Point (7.4 46.9)"': (46.9, 7.4),
}
"""What is said of places, and where they are."""


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """An agent of a graph with all places, a city each."""
    file = tmp_path_factory.mktemp("things") / "graph.ttl"
    cities = "".join(f"e:c{at} a e:City ; {facts} .\n" for at, facts in enumerate(PLACES))
    prefixes = "@prefix e: <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> ."
    file.write_text(f"{prefixes}\n{cities}", encoding="utf-8")
    with Agent(file, model="none") as agent:
        yield agent


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(("at", "expected"), list(enumerate(PLACES.values())), ids=list(PLACES))
def test_coordinates_that_are_no_numbers_are_none(agent: Agent, at: int, expected: tuple[float, float] | None) -> None:
    thing = look_up(agent, Deadline(60), f"http://e/c{at}")
    assert thing is not None
    assert thing.coordinates == (expected and Coordinates(latitude=expected[0], longitude=expected[1]))
