from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import example, given, strategies as st
from pydantic import BaseModel, ConfigDict, Field, RootModel

from tests.cases import cases
from triad.errors import ReplyError
from triad.models.replies import json_schema, parse_reply


class Triple(BaseModel):
    subject: str
    object: str


class Parsed(BaseModel):
    kind: Literal["select", "count"]
    triples: list[Triple] = []


class Numbers(BaseModel):
    numbers: list[int] = []


class Lines(RootModel[list[str]]):
    pass


@pytest.mark.parametrize(
    "text",
    [
        '{"numbers": [1, 2]}',
        ' \n{"numbers": [1, 2]}\n',
        '```json\n{"numbers": [1, 2]}\n```',
        '```\n{"numbers": [1, 2]}',
        'Sure! Here it is:\n```json\n{"numbers": [1, 2]}\n```\nI hope [this] helps {you}.',
        'These fit: {"numbers": [1, 2]}. All others [see above] do not.',
        'By rule [1] and {"rule": 2}, the choice is {"numbers": [1, 2]}',
        '{"numbers": [1, 2], "why": "they fit"}',
        '{"numbers": ["1", 2.0]}',
        '{"numbers": [1, 2,],}',
        "{'numbers': [1, 2]}",
        "{numbers: [1, 2]}",
        '{"numbers": [1, 2] // these\n}',
        '{"numbers": [1, 2]',
        '{"numbers": [1, 2],\n "why": "they fi',
        '<think>Maybe {"numbers": [3]}?</think>{"numbers": [1, 2]}',
        '\ufeff{"numbers": [1, 2]}',
    ],
)
def test_the_value_is_found_in_whatever_stands_around_it(text: str) -> None:
    assert parse_reply(text, Numbers) == Numbers(numbers=[1, 2])


def test_an_array_can_be_asked_for() -> None:
    assert parse_reply('Names:\n["a", "b"]', Lines).root == ["a", "b"]


def test_nothing_chosen_is_a_value() -> None:
    assert parse_reply("{}", Numbers) == Numbers()


@pytest.mark.parametrize(("text", "message"), cases(__file__, "test_an_error_tells_the_model_what_is_wrong"))
def test_an_error_tells_the_model_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ReplyError) as caught:
        parse_reply(text, Parsed)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        pytest.param(
            'By [1] the choice is {"numbers": ["one"]}, {"numbers": [1]}',
            Numbers,
            "field 'numbers.0'",
            id="the value that was meant has the error",
        ),
        pytest.param(
            '{"numbers": {"numbers": [1]},}', Numbers, "field 'numbers'", id="a part of a broken value is not the whole"
        ),
        pytest.param(
            '{"choices": [1]}', Numbers, "none of the fields 'numbers'", id="other keys are not all keys left out"
        ),
        pytest.param(
            '{"kind": "count", "triples": [{"subject": "Int',
            Parsed,
            r"field 'triples.0.object': Field required",
            id="a cut reply counts only if it is valid",
        ),
    ],
)
def test_a_reply_that_misses_its_form_is_an_error_of_the_right_value(text: str, kind: type[Any], message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        parse_reply(text, kind)


def test_a_reply_has_a_greatest_length() -> None:
    with pytest.raises(ReplyError, match="too long: 200001 characters, where 200000 are allowed"):
        parse_reply("x" * 200_001, Numbers)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 20_000, "{" * 5000, '["' * 50_000, "[" * 900 + "]" * 900])
def test_a_reply_without_bottom_is_an_error(text: str) -> None:
    with pytest.raises(ReplyError):
        parse_reply(text, Numbers)


def test_an_error_is_short() -> None:
    with pytest.raises(ReplyError) as caught:
        parse_reply(json.dumps({"numbers": ["x" * 5000] * 50}), Numbers)
    assert len(str(caught.value)) <= 300


pieces = st.sampled_from(['{"numbers":', "[", "]", "{", "}", ":", ",", '"', "'", "\\", "```json\n", "```", "1", "null"])
texts = st.text() | st.lists(pieces | st.text(max_size=3)).map("".join)


@pytest.mark.slow(2.0)
@example('{"```json0```', Parsed)
@given(texts, st.sampled_from([Parsed, Numbers, Lines]))
def test_any_text_is_a_value_or_a_reply_error(text: str, type_: Any) -> None:
    with suppress(ReplyError):
        assert isinstance(parse_reply(text, type_), type_)


@pytest.mark.slow
@given(st.lists(st.integers()), st.text(), st.text())
def test_a_value_survives_any_prose_around_it_that_holds_no_bracket(numbers: Any, before: str, after: str) -> None:
    prose = [text.translate(dict.fromkeys(map(ord, "[]{}<`"))) for text in (before, after)]
    text = f"{prose[0]}{Numbers(numbers=numbers).model_dump_json()}{prose[1]}"
    assert parse_reply(text, Numbers).numbers == numbers


# The schema


def test_a_strict_schema_closes_objects_and_requires_all_properties() -> None:
    assert json_schema(Parsed) == {
        "$defs": {
            "Triple": {
                "type": "object",
                "properties": {"subject": {"type": "string"}, "object": {"type": "string"}},
                "required": ["subject", "object"],
                "additionalProperties": False,
            }
        },
        "type": "object",
        "properties": {
            "kind": {"enum": ["select", "count"], "type": "string"},
            "triples": {"type": "array", "items": {"$ref": "#/$defs/Triple"}},
        },
        "required": ["kind", "triples"],
        "additionalProperties": False,
    }


class Colour(StrEnum):
    RED = "red"


class Cat(BaseModel):
    is_: Literal["cat"]


class Dog(BaseModel):
    is_: Literal["dog"]


class Rich(BaseModel):
    """Everything at once."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field("x", min_length=1, max_length=9, description="A name.")
    count: int | None = Field(None, ge=0)
    link: Triple = Field(description="A fact.")
    colour: Colour = Colour.RED
    pet: Annotated[Cat | Dog, Field(discriminator="is_")]
    path: tuple[int, ...] = ()
    more: list[Rich] = []


def keywords(schema: Mapping[str, Any]) -> Iterator[str]:
    """All keywords of a schema, names of properties and definitions left out."""
    for keyword, value in schema.items():
        yield keyword
        inner = value.values() if keyword in ("properties", "$defs") else value if keyword == "anyOf" else ()
        for part in [*inner, *([value] if keyword == "items" else [])]:
            yield from keywords(part)


def test_a_strict_schema_has_only_keywords_that_strict_mode_knows() -> None:
    schema = json_schema(Rich)
    assert set(keywords(schema)) == {
        *("$defs", "$ref", "additionalProperties", "anyOf", "const", "description", "enum"),
        *("items", "minimum", "properties", "required", "type"),
    }
    assert schema["properties"]["title"] == {"type": "string", "description": "A name."}
    assert schema["properties"]["count"] == {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]}


def test_a_reference_stands_alone_or_is_replaced_by_what_it_points_to() -> None:
    link = json_schema(Rich)["properties"]["link"]
    assert link["description"] == "A fact."
    assert link["required"] == ["subject", "object"]


class Mapped(BaseModel):
    labels: dict[str, str]


class Pair(BaseModel):
    pair: tuple[int, str]


@pytest.mark.parametrize(
    ("type_", "words"), [(Mapped, "Mapped holds a mapping"), (Pair, "'prefixItems'"), (Lines, "Lines is not an object")]
)
def test_a_type_that_strict_mode_has_no_form_for_is_named(type_: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        json_schema(type_)
