from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.models.openai_server import Connect, Server
from triad.models.openai import OpenAIModel


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture
def connect(server: Server) -> Iterator[Connect]:
    models: list[OpenAIModel] = []

    def connect(name: str = "gpt-4.1-mini", **options: Any) -> OpenAIModel:
        given: dict[str, Any] = {"base_url": server.url, "retries": 0, "timeout": 60} | options
        model = OpenAIModel(name, **given)
        models.append(model)
        return model

    yield connect
    for model in models:
        model.close()
