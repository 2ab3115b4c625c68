from __future__ import annotations

import pytest

from triad.agent import Agent
from triad.deadline import Deadline
from triad.server.things import Coordinates, look_up

LATITUDE, LONGITUDE = (f"<http://www.w3.org/2003/01/geo/wgs84_pos#{name}>" for name in ("lat", "long"))


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (f'{LATITUDE} "abc"^^xsd:double ; {LONGITUDE} 7.4', None),
        (f'{LATITUDE} "46,9"^^xsd:double, "46.9"^^xsd:double ; {LONGITUDE} "NaN"^^xsd:double', None),
        (f"{LATITUDE} 46.9 ; {LONGITUDE} 7.4", (46.9, 7.4)),
        (f"{LATITUDE} 0.0 ; {LONGITUDE} 0", (0, 0)),
        ('e:at "POINT(1.2.3 4.5)"', None),
        ('e:at "Point (7.4 46.9)"', (46.9, 7.4)),
    ],
)
def test_coordinates_that_are_no_numbers_are_none(
    tmp_path_factory: pytest.TempPathFactory, facts: str, expected: tuple[float, float] | None
) -> None:
    file = tmp_path_factory.mktemp("things") / "graph.ttl"
    file.write_text(
        f"@prefix e: <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\ne:Bern a e:City ; {facts} .",
        encoding="utf-8",
    )
    with Agent(file, model="none") as agent:
        thing = look_up(agent, Deadline(60), "http://e/Bern")
    assert thing is not None
    assert thing.coordinates == (expected and Coordinates(latitude=expected[0], longitude=expected[1]))
