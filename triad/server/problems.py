"""Problems: every error of the server as RFC 9457 has it, with a sentence for people and nothing that is secret.

What `triad.errors` raises on purpose is told as it is: its messages name no keys. Of any other error only the number of
the request is told, under which the log has it.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException

from triad import errors
from triad.log import logger
from triad.resources import read
from triad.strict import load_yaml
from triad.text import unsaid, without_secrets

_MEDIA_TYPE: Final = "application/problem+json"
_LONGEST: Final = 2_000  # characters of a sentence
_QUOTED: Final = r"""(?P<quote>['"])[^'"]*https?://[^'"]*(?P=quote)"""
_SUBJECT: Final = re.compile(rf"(?P<before>^|: ){_QUOTED}(?= [a-z])")
_ADDRESS: Final = re.compile(rf"(?P<before> (?:at|by|from|in|of|to))? {_QUOTED}")
_BARE: Final = re.compile(r"(?<= at )https?://[^\s'\"]*[^\s'\",.:;)]")

_KNOWN: Final = load_yaml(read(Path(__file__).with_name("problems.yaml")), "problems.yaml")
TITLES: Final[dict[str, tuple[int, str]]] = {name: tuple(known) for name, known in _KNOWN["titles"].items()}
"""Each problem's status and title, by its name."""
_BY_STATUS: Final = {status: name for name, (status, _) in reversed(TITLES.items()) if status < 500 or status == 503}
"""The problem of a status that something else than this package answers with."""
_ALWAYS: Final = (
    "bad-request", "not-authorised", "forbidden", "slow", "too-large", "unprocessable", "too-many-requests", "busy",
)  # fmt: skip
"""Problems that every path may answer with."""
_OF_ERRORS: Final = [(getattr(errors, error), name) for error, name in _KNOWN["errors"].items()]


class RequestFault(BaseModel):
    """What is wrong with one part of a request."""

    where: str
    what: str


class ProblemBody(BaseModel):
    """A problem, as RFC 9457 has it."""

    type: str = Field(examples=["https://triad-kgqa.github.io/problems/not-found"])
    title: str
    status: int
    detail: str
    instance: str = Field(description="The id of the request, under which the log of the server has it.")
    name: str = Field(examples=["not-found"])
    errors: list[RequestFault] | None = None


class Problem(Exception):
    """An answer that is a problem, one of `TITLES`, with a sentence for people, and when to try again."""

    def __init__(
        self, name: str, detail: str, *, wait: float | None = None, faults: Sequence[RequestFault] = ()
    ) -> None:
        super().__init__(detail)
        self.name = name
        self.detail = detail
        self.status = TITLES[name][0]
        self.wait = wait
        self.faults = list(faults)

    @property
    def headers(self) -> dict[str, str]:
        """The headers that come with it."""
        if self.status == 401:
            return {"WWW-Authenticate": "Bearer"}
        return {} if self.wait is None else {"Retry-After": str(max(1, round(self.wait + 0.5)))}

    def body(self, instance: str) -> dict[str, Any]:
        """Return it as JSON, with the id of the request."""
        body: dict[str, Any] = {
            "type": f"https://triad-kgqa.github.io/problems/{self.name}",
            "title": TITLES[self.name][1],
            "status": self.status,
            "detail": without_secrets(self.detail)[:_LONGEST],
            "instance": instance,
            "name": self.name,
        }
        if self.faults:
            body["errors"] = [one.model_dump() for one in self.faults]
        return body


def of(error: BaseException) -> Problem:
    """Return the problem that an error is to those who ask."""
    if isinstance(error, Problem):
        return error
    for kind, name in _OF_ERRORS:
        if isinstance(error, kind):
            if TITLES[name][0] not in (502, 504):
                return Problem(name, unsaid(str(error)))
            logger.warning("{}: {}", name, unsaid(str(error)))
            return Problem(name, discreet(str(error)))
    logger.opt(exception=error).error("a request failed")
    return Problem("internal", "The log of the server says what happened, under the id of this request.")


def discreet(text: str) -> str:
    """Return what an error says without where the servers are that this one asks, and what they said."""
    text = _SUBJECT.sub(r"\g<before>the server", _BARE.sub("its address", unsaid(text)))
    return _ADDRESS.sub(lambda found: f"{found['before']} its address" if found["before"] else "", text)


def told(problem: Problem, request_id: str, *, openai: bool = False) -> JSONResponse:
    """Return a problem as an answer, which may have what clients of OpenAI look for, too."""
    body = for_openai(problem, request_id) if openai else problem.body(request_id)
    return JSONResponse(body, status_code=problem.status, headers=problem.headers, media_type=_MEDIA_TYPE)


def for_openai(problem: Problem, request_id: str) -> dict[str, Any]:
    """Return the body of a problem that has what clients of OpenAI look for, too."""
    body = problem.body(request_id)
    kind = "invalid_request_error" if problem.status < 500 else "server_error"
    return {**body, "error": {"message": body["detail"], "type": kind, "param": None, "code": problem.name}}


def documented(*names: str) -> dict[int | str, dict[str, Any]]:
    """Return the problems of a path for its OpenAPI documentation, besides those that all have."""
    found: dict[int | str, dict[str, Any]] = {}
    for name in dict.fromkeys((*names, *_ALWAYS)):
        status, title = TITLES[name]
        said = f"{found[status]['description']}; or: {title}" if status in found else title
        found[status] = {"description": said, "content": {_MEDIA_TYPE: {"schema": _SCHEMA}}}
    return found


_PLACE: Final = "#/components/schemas/{model}"
_SCHEMA: Final = {"$ref": _PLACE.format(model="ProblemBody")}


def install(app: FastAPI) -> None:
    """Have an app tell its errors as problems; those that nobody foresaw go on to `triad.server.wrapping`."""

    def answered(request: Request, problem: Problem) -> JSONResponse:
        request_id = str(request.scope.get("state", {}).get("request_id", ""))
        return told(problem, request_id, openai=request.url.path.startswith("/v1/"))

    async def ours(request: Request, error: Exception) -> JSONResponse:
        return answered(request, of(error))

    async def of_http(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, HTTPException)
        name = _BY_STATUS.get(error.status_code, "bad-request" if error.status_code < 500 else "internal")
        answer = answered(request, Problem(name, str(error.detail)))
        answer.headers.update(error.headers or {})
        return answer

    async def of_validation(request: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RequestValidationError)
        errors = error.errors()[:20]
        faults = [RequestFault(where=".".join(map(str, one["loc"])), what=str(one["msg"])[:_LONGEST]) for one in errors]
        said = "; ".join(f"{one.where}: {one.what}" for one in faults)
        return answered(request, Problem("unprocessable", said, faults=faults))

    described = app.openapi

    def with_problems() -> dict[str, Any]:
        found = described()
        _, schemas = models_json_schema([(ProblemBody, "serialization")], ref_template=_PLACE)
        found["components"]["schemas"] |= schemas["$defs"]
        return found

    app.openapi = with_problems  # type: ignore[method-assign]  # as FastAPI has it done
    app.add_exception_handler(Problem, ours)
    app.add_exception_handler(errors.TriadError, ours)
    app.add_exception_handler(HTTPException, of_http)
    app.add_exception_handler(RequestValidationError, of_validation)
