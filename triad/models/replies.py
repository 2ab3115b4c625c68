"""A model's reply as a value: find the JSON in it, mend it, check it.

Models wrap JSON in prose and code fences, forget a bracket, add a comma. `parse_reply` puts up with all of that
and with nothing else: what comes out satisfies its type, and what does not raises a `ReplyError` whose message
can be shown to the model for another try. `json_schema` describes the same type to a server that enforces it.
"""

import json
import re
import reprlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, RootModel, ValidationError

from triad.errors import ReplyError
from triad.text import shortened

MAX_LENGTH = 200_000
"""Characters that a reply may have."""
_MAX_MESSAGE = 300  # characters that an error message may have
_MAX_REPAIR_LENGTH = 10_000
"""Characters that are repaired at most: some texts take a time that grows with the square of their length."""
_MAX_REPAIRS = 4  # how many places that look like broken JSON are tried

_OPENING = re.compile(r"[{\[]")
_REASONING = re.compile(r"<think>.*?(</think>|\Z)", re.DOTALL)
_FENCE = re.compile(r"```[\w-]*\s*\n(.*?)(```|\Z)", re.DOTALL)

M = TypeVar("M", bound=BaseModel)


def parse_reply(text: str, type_: type[M]) -> M:
    """Return the value that a model's reply holds.

    >>> class Choice(BaseModel):
    ...     numbers: list[int]
    >>> parse_reply("These fit: {'numbers': [1, 2,]}", Choice)
    Choice(numbers=[1, 2])

    Args:
        text: The reply: a JSON object, or array, with whatever stands around it.
        type_: What it should be. Keys that the type does not have are ignored.

    Raises:
        ReplyError: The reply holds no such value. The message tells the model what is wrong with it.
    """
    if len(text) > MAX_LENGTH:
        raise ReplyError(f"the reply is too long: {len(text)} characters, where {MAX_LENGTH} are allowed")
    text = _REASONING.sub("", text).strip()
    if not text:
        raise ReplyError("the reply is empty; answer with JSON")
    problem = ""
    for value in _values(text):
        if _is_foreign(value, type_):
            problem = problem or f"the reply has none of the fields {', '.join(map(repr, type_.model_fields))}"
            continue
        try:
            return type_.model_validate(value)
        except ValidationError as error:
            problem = problem or _describe(error)
            if isinstance(value, dict) and value:
                # This was meant, so what follows, perhaps a part of it, was not.
                raise ReplyError(shortened(_describe(error), _MAX_MESSAGE)) from error
    raise ReplyError(shortened(problem or f"the reply is not JSON: {shortened(text, 80)!r}", _MAX_MESSAGE))


def _values(text: str) -> Iterator[Any]:
    """Give what may be meant as JSON: the values in code fences, then those in the text, in order."""
    repairs = 0
    for body in [*(match[1] for match in _FENCE.finditer(text)), text]:
        start = 0
        while opening := _OPENING.search(body, start):
            start = opening.start()
            try:
                value, start = json.JSONDecoder().raw_decode(body, start)
            except (ValueError, RecursionError):
                if repairs == _MAX_REPAIRS or len(body) - start > _MAX_REPAIR_LENGTH:
                    break
                value, start, repairs = _repair(body[start:]), start + 1, repairs + 1
            if isinstance(value, (dict, list)):
                yield value


def _repair(text: str) -> Any:
    import json_repair  # which takes a while to import, and most replies are JSON

    try:
        # Where nothing is left of a text, an empty value would be an invention.
        return json_repair.loads(text, skip_json_loads=True) or None
    except (ValueError, RecursionError, AssertionError):  # json_repair asserts what some texts belie
        return None


def _is_foreign(value: Any, type_: type[BaseModel]) -> bool:
    """Return whether an object has other keys only: it was not meant, even if all fields are optional."""
    if issubclass(type_, RootModel) or not isinstance(value, dict) or not value:
        return False
    names = set(type_.model_fields) | {field.alias for field in type_.model_fields.values()}
    return not names & value.keys()


def _describe(error: ValidationError) -> str:
    problems = []
    for detail in error.errors(include_url=False, include_context=False)[:3]:
        place = ".".join(map(str, detail["loc"]))
        given = "" if detail["type"] == "missing" else f", not {reprlib.repr(detail['input'])}"
        problems.append(f"field {place!r}: {detail['msg']}{given}" if place else f"the reply: {detail['msg']}{given}")
    return "; ".join(problems)


# The schema -----------------------------------------------------------------------------------------------

KEPT = {
    *("$ref", "const", "description", "enum", "maxItems", "minItems", "pattern", "type"),
    *("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"),
}
"""Keywords that strict mode takes as they are; `parse_reply` sees to the others, such as lengths of texts."""
FORMATS = {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"}
FORBIDDEN = {"allOf", "not", "patternProperties", "prefixItems"}
"""Keywords whose loss would change the schema's meaning."""


@lru_cache(maxsize=64)
def json_schema(type_: type[BaseModel]) -> Mapping[str, Any]:
    """Return the JSON schema of a type, in the subset that OpenAI's strict mode accepts.

    All objects are closed, and all of their properties required; what may be left out should be nullable.

    >>> class Choice(BaseModel):
    ...     numbers: list[int] = []
    >>> json_schema(Choice)["properties"], json_schema(Choice)["required"]
    ({'numbers': {'items': {'type': 'integer'}, 'type': 'array'}}, ['numbers'])

    Raises:
        TypeError: Strict mode has no form for the type: it is not an object, or it holds a mapping or a tuple
            of fixed length.
    """
    whole = type_.model_json_schema()
    schema = _strict(whole, whole.get("$defs", {}), type_.__name__)
    if "properties" not in schema:
        raise TypeError(f"{type_.__name__} is not an object with fields, which a strict schema must be")
    return schema


def response_format(schema: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return how a server is asked for JSON: for what a schema allows, or for any object."""
    if schema is None:
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": dict(schema)}}


def _strict(schema: Mapping[str, Any], definitions: Mapping[str, Any], name: str) -> dict[str, Any]:
    if "$ref" in schema and len(schema) > 1:
        # A reference must stand alone, so what it points to is put in its place.
        target = definitions[schema["$ref"].rpartition("/")[2]]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    if "oneOf" in schema:
        schema = {**schema, "anyOf": schema["oneOf"]}
    if isinstance(schema.get("additionalProperties"), (dict, bool)) and "properties" not in schema:
        raise TypeError(f"{name} holds a mapping, which a strict schema cannot have; use a list of pairs")
    if unknown := FORBIDDEN & schema.keys():
        raise TypeError(f"{name} needs the keyword {min(unknown)!r}, which a strict schema cannot have")
    strict: dict[str, Any] = {}
    for keyword, value in schema.items():
        if keyword in ("properties", "$defs"):
            strict[keyword] = {key: _strict(inner, definitions, name) for key, inner in value.items()}
        elif keyword == "items":
            strict[keyword] = _strict(value, definitions, name)
        elif keyword == "anyOf":
            strict[keyword] = [_strict(inner, definitions, name) for inner in value]
        elif keyword in KEPT or (keyword == "format" and value in FORMATS):
            strict[keyword] = value
    if schema.get("type") == "object":
        strict |= {
            "properties": strict.get("properties", {}),
            "required": list(strict.get("properties", {})),
            "additionalProperties": False,
        }
    return strict
