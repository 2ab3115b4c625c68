"""What OpenAPI says of the server holds: Schemathesis finds no failure and no answer that is not documented."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import requests
from hypothesis import HealthCheck, given, settings

from tests.server.site import PAGE, Site
from triad.server.app import create_app
from triad.server.settings import Settings

DOCUMENT = create_app(Settings.model_validate({"graphs": {"demo": "demo"}, "state": "sqlite://"})).openapi()
OPERATIONS = [
    (path, method.upper()) for path, methods in sorted(DOCUMENT["paths"].items()) for method in sorted(methods)
]
KEPT = ("/api/v1/conversations", "/api/v1/turns", "/api/v1/board")
"""The paths of what is kept of a question, which is asked for them."""


@pytest.fixture(scope="module")
def schema() -> Any:
    import schemathesis  # half a second, which not all processes that collect tests need wait

    return schemathesis.openapi.from_dict(DOCUMENT)


@pytest.fixture(scope="module")
def checks() -> list[Any]:
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    of_answers = (checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance)
    return [not_a_server_error, *of_answers]


@pytest.fixture(scope="module")
def connections() -> Iterator[requests.Session]:
    """What requests are sent with: one that they share is set up once."""
    with requests.Session() as session:
        yield session


@pytest.mark.slow
@pytest.mark.parametrize(("path", "method"), OPERATIONS, ids=[" ".join(one) for one in OPERATIONS])
def test_no_request_has_an_answer_that_is_not_documented(
    site: Site,
    visitor: httpx.Client,
    schema: Any,
    checks: list[Any],
    connections: requests.Session,
    path: str,
    method: str,
) -> None:
    operation = schema[path][method]
    ids = {}
    if path.startswith(KEPT):
        turn = visitor.post("/api/v1/ask", json={"question": "Who founded Intel?", "conversation": "new"}).json()
        ids = dict(zip(KEPT, (turn["conversation"], turn["id"], turn["id"]), strict=True))

    @given(case=operation.as_strategy())
    @settings(max_examples=12, suppress_health_check=list(HealthCheck))
    def ask(case: Any) -> None:
        for beginning, known in ids.items():
            if path.startswith(f"{beginning}/{{id}}"):
                case.path_parameters["id"] = known  # others are not found, which tells little
        headers = {**(case.headers or {}), **PAGE}
        headers.pop("Authorization", None)
        case.headers, case.cookies = headers, dict(visitor.cookies)
        connections.cookies.clear()
        response = case.call(base_url=site.url, timeout=60, session=connections)
        case.validate_response(response, checks=checks)

    ask()
    site.app.state.limiter._own.storage.reset()


@pytest.mark.slow
def test_every_path_has_a_summary_and_says_what_goes_wrong(site: Site) -> None:
    document = httpx.get(f"{site.url}/api/v1/openapi.json").json()
    assert document["components"]["securitySchemes"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {path}"
            assert operation.get("description"), where
            assert {"401", "403", "429"} <= set(operation["responses"]), where
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert "application/problem+json" in answer["content"], (where, status)


def test_every_schema_that_is_named_is_there() -> None:
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(DOCUMENT)))
    assert "ProblemBody" in named
    assert named <= DOCUMENT["components"]["schemas"].keys()
