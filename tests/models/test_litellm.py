"""Models through LiteLLM: what is asked of it, and what its replies and errors become.

LiteLLM is large, and no part of what tests install: a double stands in for it, except where it is installed.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

from tests.models.openai_server import Server
from triad.errors import ConfigError, ModelError
from triad.models import litellm as adapter, open_model
from triad.text import unsaid
from triad.trace import Message

ASKED = [Message("system", "Answer."), Message("user", "Who founded Intel?")]
SCHEMA = {"type": "object"}


class Library:
    """What the adapter uses of LiteLLM."""

    exceptions = SimpleNamespace(
        ContextWindowExceededError=type("ContextWindowExceededError", (Exception,), {}),
        AuthenticationError=type("AuthenticationError", (Exception,), {}),
    )

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.reply: Any = _reply("Noyce")
        self.strict = True

    def completion(self, **request: Any) -> Any:
        self.requests.append(request)
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply

    def completion_cost(self, completion_response: Any, model: str) -> float:
        return 0.25

    def cost_per_token(self, model: str, prompt_tokens: int) -> tuple[float, float]:
        return 0.5, 0.0

    def supports_response_schema(self, model: str) -> bool:
        return self.strict

    def get_supported_openai_params(self, model: str) -> list[str]:
        return ["response_format"] if model != "plain/m" else []


def _reply(text: str | None, ended: str = "stop") -> Any:
    choice = SimpleNamespace(message=SimpleNamespace(content=text), finish_reason=ended)
    return SimpleNamespace(choices=[choice], usage=SimpleNamespace(prompt_tokens=7, completion_tokens=2))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    library = Library()
    monkeypatch.setattr(adapter, "_library", lambda: library)
    monkeypatch.setattr(adapter, "need_extra", lambda *_: None)
    return library


def test_a_reply_has_its_tokens_and_its_price(library: Library) -> None:
    completion = open_model("litellm:anthropic/claude", retries=2, timeout=9).complete(ASKED)
    assert completion.text == "Noyce"
    assert (completion.usage.input_tokens, completion.usage.output_tokens, completion.usage.money) == (7, 2, 0.25)
    [request] = library.requests
    assert request["messages"][1] == {"role": "user", "content": "Who founded Intel?"}
    assert (request["model"], request["num_retries"], request["timeout"]) == ("anthropic/claude", 2, 9)


@pytest.mark.parametrize(
    ("priced", "money"), [("other", 0.25), ("anthropic/claude", 7e-6), ("anthropic/claude-2026-01-01", 0.25)]
)
def test_a_config_prices_the_models_that_it_names(library: Library, priced: str, money: float) -> None:
    model = open_model("litellm:anthropic/claude", prices={priced: {"input": 1, "output": 0}})
    assert model.complete(ASKED).usage.money == money


def test_the_environment_goes_before_a_key_that_is_kept(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "key_of", lambda provider: f"sk-kept-for-{provider}")
    open_model("litellm:anthropic/claude").complete(ASKED)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-environment")
    open_model("litellm:anthropic/claude").complete(ASKED)
    assert [request["api_key"] for request in library.requests] == ["sk-kept-for-anthropic", "sk-environment"]


@pytest.mark.parametrize(
    ("name", "strict", "form"), [("a/m", True, "json_schema"), ("a/m", False, "json_object"), ("plain/m", False, None)]
)
def test_the_form_of_a_reply_is_asked_for_as_strictly_as_the_model_takes_it(
    library: Library, name: str, strict: bool, form: str | None
) -> None:
    library.strict = strict
    open_model(f"litellm:{name}").complete(ASKED, SCHEMA)
    assert library.requests[0].get("response_format", {}).get("type") == form


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (_reply(""), "empty reply"),
        (_reply(None), "empty reply"),
        (SimpleNamespace(choices=[]), "empty reply"),
        (_reply("No", "length"), "cut the reply"),
        (Library.exceptions.ContextWindowExceededError("8192"), "larger context"),
        (Library.exceptions.AuthenticationError("bad sk-secret-key"), "triad models keys set anthropic"),
        (RuntimeError("the provider is down"), "the provider is down"),
    ],
)
def test_what_goes_wrong_is_said_with_the_model_and_without_the_key(library: Library, reply: Any, said: str) -> None:
    library.reply = reply
    model = open_model("litellm:anthropic/claude", api_key="sk-secret-key")
    with pytest.raises(ModelError, match=said) as raised:
        model.complete(ASKED)
    assert (raised.value.usage is not None) == isinstance(reply, SimpleNamespace)  # a reply of no use costs, too
    assert "'anthropic/claude'" in str(raised.value)
    assert "sk-secret" not in str(raised.value)
    assert not isinstance(reply, Exception) or str(reply).replace("sk-secret-key", "***") not in unsaid(
        str(raised.value)
    )


@pytest.mark.parametrize(("status", "begun"), [(408, 3), (503, 3), (429, 0), (None, 0)])
def test_a_request_without_a_reply_costs_its_prompt(library: Library, status: int | None, begun: int) -> None:
    library.reply = type("Failure", (Exception,), {"status_code": status})("no")
    model = open_model("litellm:anthropic/claude", retries=2)
    with pytest.raises(ModelError) as raised:
        model.complete(ASKED)
    assert raised.value.begun == begun
    usage = model.begun(ASKED, 3)
    assert (usage.calls, usage.input_tokens, usage.money) == (3, 33, 0.5)


def test_a_name_without_a_provider_is_refused(library: Library) -> None:
    with pytest.raises(ConfigError, match="'anthropic/claude'"):
        open_model("litellm:claude")


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triad.errors.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"triad-kgqa\[litellm\]"):
        open_model("litellm:anthropic/claude")


@pytest.mark.skipif(find_spec("litellm") is None, reason="LiteLLM is not installed: pip install litellm")
@pytest.mark.filterwarnings("ignore")
def test_the_library_itself_reaches_a_server_and_tells_its_faults(server: Server) -> None:
    server.reply('{"ok": true}')
    with open_model("litellm:openai/gpt-4.1-mini", base_url=server.url, api_key="sk-some-key", retries=0) as one:
        completion = one.complete(ASKED, SCHEMA)
        assert completion.text == '{"ok": true}'
        assert completion.usage.money > 0
        assert server.requests[0]["response_format"]["type"] == "json_schema"
        server.fail(401, "wrong key sk-some-key")
        with pytest.raises(ModelError, match="key is wrong or missing") as raised:
            one.complete(ASKED)
        assert "sk-some" not in str(raised.value)
    assert "litellm" in sys.modules
