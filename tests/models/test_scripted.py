from __future__ import annotations

import itertools
from typing import Any

import pytest

from triad.errors import ModelError
from triad.models import ScriptedModel
from triad.trace import Message

ASK = (Message("system", "Be brief."), Message("user", "Who founded Intel?"))


def test_replies_come_in_their_order() -> None:
    model = ScriptedModel(["a", "b"])
    assert [model.complete(ASK).text, model.complete(ASK).text] == ["a", "b"]


def test_replies_may_be_without_end() -> None:
    model = ScriptedModel(itertools.repeat("a"))
    assert [model.complete(ASK).text for _ in range(3)] == ["a"] * 3


def test_a_single_text_is_one_reply() -> None:
    assert ScriptedModel("abc").complete(ASK).text == "abc"


def test_a_reply_may_depend_on_the_conversation_and_the_schema() -> None:
    model = ScriptedModel(lambda messages, schema: f"{len(messages)} {schema}")
    assert model.complete(ASK, {"type": "object"}).text == "2 {'type': 'object'}"


def test_a_reply_may_be_found_by_words_of_the_last_user_message() -> None:
    model = ScriptedModel({"brief": "no", "Intel": "Robert Noyce", "Who": "nobody"})
    assert model.complete(ASK).text == "Robert Noyce"


def test_calls_are_kept() -> None:
    model = ScriptedModel(["a"])
    model.complete(list(ASK))
    assert model.calls == [ASK]


@pytest.mark.parametrize(
    ("replies", "words"), [([], "no reply left"), ({"AMD": "x"}, r"no reply for the prompt \(it knows 'AMD'\)")]
)
def test_a_script_that_has_no_reply_shows_the_prompt(replies: Any, words: str) -> None:
    with pytest.raises(ModelError, match=rf"{words}[\s\S]*\[user\]\nWho founded Intel\?"):
        ScriptedModel(replies).complete(ASK)
