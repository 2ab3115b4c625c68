from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.models.openai_server import Server
from triad.embedding import open_embedder
from triad.errors import ConfigError, ResourceNotFound
from triad.models import Model, ReplayModel, ScriptedModel, open_model
from triad.models.openai import OpenAIModel


def address(model: Model) -> str:
    """The address of a model that is asked at one."""
    assert isinstance(model, OpenAIModel)
    return model.address


def test_a_model_of_openai_is_opened_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    model = open_model("openai:gpt-4.1-mini", temperature=None)
    assert isinstance(model, OpenAIModel)
    assert (model.name, address(model)) == ("gpt-4.1-mini", "https://api.openai.com/v1")


def test_a_model_of_another_server_is_opened_by_its_address() -> None:
    model = open_model("openai:@cf/qwen:7b@http://[::1]:8000/v1")
    assert (model.name, address(model)) == ("@cf/qwen:7b", "http://[::1]:8000/v1")


def test_the_environment_names_the_server_where_the_model_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1")
    assert address(open_model("openai:m")) == "http://localhost:8000/v1"
    assert address(open_model("openai:m@http://other/v1")) == "http://other/v1"


def test_ollama_is_on_this_machine_and_is_not_sent_the_key_of_openai(
    monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-openai")
    assert address(open_model("ollama:llama3.1:8b")) == "http://localhost:11434/v1"
    model = open_model("ollama:llama3.1:8b", base_url=server.url)
    model.complete([])
    model.close()
    assert model.name == "llama3.1:8b"
    assert server.headers[0]["Authorization"] == "Bearer no-key"


def test_a_recording_is_opened_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(json.dumps({"prompt": "", "content": "x"}))
    model = open_model(f"replay:{path}", name="gpt-4.1")
    assert isinstance(model, ReplayModel)
    assert model.name == "gpt-4.1"


def test_an_open_model_is_returned() -> None:
    model = ScriptedModel([])
    assert open_model(model) is model


@pytest.mark.parametrize("source", ["", "gpt-4.1", "openai:", "ollama: ", "replay:", "claude:x"])
def test_a_string_that_opens_no_model_is_answered_with_those_that_do(source: Any) -> None:
    with pytest.raises(ConfigError, match=r"'openai:NAME', 'openai:NAME@ADDRESS'.*'ollama:NAME'.*or 'records:PATH'"):
        open_model(source)


@pytest.mark.parametrize(
    "named", ["m@localhost:8000/v1", "m@ftp://me:pw@host/v1", "m@gpubox", "m@v1@host:8000", "m@https:/host/v1", "m@"]
)
def test_an_address_without_a_scheme_is_refused_and_not_sent_to_openai(
    monkeypatch: pytest.MonkeyPatch, named: Any
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    for open_one in (open_model, open_embedder):
        with pytest.raises(ConfigError, match="is not an address; one looks like") as caught:
            open_one(f"openai:{named}")
        assert "pw" not in str(caught.value)


def test_a_name_may_have_an_at_sign_where_the_address_is_an_option() -> None:
    model = open_model("openai:claude@20240229", base_url="http://localhost/v1")
    assert (model.name, address(model)) == ("claude@20240229", "http://localhost/v1")
    assert open_model("openai:@cf/qwen", base_url="http://localhost/v1").name == "@cf/qwen"


def test_an_unknown_option_is_answered_with_the_known() -> None:
    with pytest.raises(ConfigError, match=r"OpenAIModel has no option 'temprature'; it takes .*'temperature'"):
        open_model("ollama:m", temprature=0)


def test_an_open_model_takes_no_options() -> None:
    with pytest.raises(ConfigError, match=r"open already"):
        open_model(ScriptedModel([]), temperature=0)


def test_a_recording_that_does_not_exist_is_named() -> None:
    with pytest.raises(ResourceNotFound, match=r"no recording 'nowhere.jsonl'"):
        open_model("replay:nowhere.jsonl")


@pytest.mark.slow(0.3)
def test_importing_the_models_loads_no_client() -> None:
    heavy = "{'openai', 'diskcache', 'json_repair', 'yaml'}"
    code = f"import sys, triad.models; print({heavy} & set(sys.modules))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "set()"


def test_no_kind_of_model_is_announced_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        open_model("huggingface:gpt2")
    kinds = set(re.findall(r"'(\w+):", str(caught.value))) - {"huggingface"}
    assert kinds == {"litellm", "openai", "ollama", "replay", "records"}
    (tmp_path / "r.jsonl").touch()
    file = tmp_path / "r.jsonl"
    for source in ("openai:m@http://localhost:1/v1", "ollama:m", f"replay:{file}", f"records:{file}"):
        open_model(source).close()
