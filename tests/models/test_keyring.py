"""Keys and the default model are kept once: keys in the system's keyring, everything else in a small file."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pytest
from typer.testing import CliRunner

from tests.models.openai_server import Server
from triad.cli.options import Changes
from triad.cli.program import app
from triad.configs import needs_key
from triad.errors import ConfigError
from triad.locks import lock_of, locked
from triad.models import open_model
from triad.models.keyring import delete_key, key_of, load_preferences, provider_of, set_key
from triad.trace import Message

RUN = CliRunner()


class InMemory(keyring.backend.KeyringBackend):
    """A keyring as a desktop has it."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Locked(InMemory):
    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked("the collection is locked")


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIAD_SETTINGS", str(tmp_path / "settings"))
    return tmp_path / "settings"


@pytest.fixture
def desktop() -> Iterator[InMemory]:
    before, ours = keyring.get_keyring(), InMemory()
    keyring.set_keyring(ours)
    yield ours
    keyring.set_keyring(before)


def test_a_key_that_is_kept_is_sent_and_stands_in_no_file(desktop: InMemory, server: Server, settings: Path) -> None:
    set_key(server.url.partition("//")[2].partition("/")[0], "sk-kept-in-the-ring")
    with open_model(f"openai:m@{server.url}") as model:
        model.complete([Message("user", "Who?")])
    assert server.headers[0]["Authorization"] == "Bearer sk-kept-in-the-ring"
    assert all("sk-kept" not in path.read_text() for path in settings.iterdir())


def test_the_environment_goes_before_the_keyring(
    desktop: InMemory, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_key(server.url.partition("//")[2].partition("/")[0], "sk-kept")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-environment")
    with open_model(f"openai:m@{server.url}") as model:
        model.complete([Message("user", "Who?")])
    assert server.headers[0]["Authorization"] == "Bearer sk-environment"


@pytest.mark.parametrize("name", ["https://LLM.example.org:8000/v1", "LLM.example.org:8000"])
def test_a_server_may_be_named_by_its_address(desktop: InMemory, name: str) -> None:
    set_key(name, "sk-kept")
    assert key_of(provider_of("https://llm.example.org:8000/v1")) == "sk-kept"
    delete_key(name)
    assert not desktop.kept
    with pytest.raises(ConfigError, match=r"'https://\[' is not an address"):
        set_key("https://[", "sk-kept")


def test_openai_needs_no_variable_where_its_key_is_kept(desktop: InMemory) -> None:
    assert needs_key("openai:gpt-4.1-mini")
    set_key("openai", "sk-kept-in-the-ring")
    assert not needs_key("openai:gpt-4.1-mini")
    open_model("openai:gpt-4.1-mini").close()


def test_a_key_is_kept_until_it_is_removed(desktop: InMemory) -> None:
    said = RUN.invoke(app, ["models", "keys", "set", "openai"], input="sk-typed\n")
    assert said.exit_code == 0
    assert "sk-typed" not in said.output
    assert RUN.invoke(app, ["models", "keys", "list"]).stdout == "openai\n"
    assert key_of("openai") == "sk-typed"
    assert RUN.invoke(app, ["models", "keys", "remove", "openai"]).exit_code == 0
    assert key_of("openai") == ""
    assert not desktop.kept
    with pytest.raises(ConfigError, match="no key is kept for 'openai'"):
        delete_key("openai")


@pytest.mark.slow(0.1)
def test_keys_that_two_processes_keep_at_once_are_both_kept(desktop: InMemory, settings: Path) -> None:
    settings.mkdir()
    path = settings / "models.yaml"
    with ThreadPoolExecutor(1) as pool:
        with locked(lock_of(path), "it"):
            kept = pool.submit(set_key, "openai", "sk-one")
            time.sleep(0.2)  # it waits by now
            path.write_text("keys: [anthropic]\n", encoding="utf-8")
        kept.result()
    assert load_preferences().keys == ("anthropic", "openai")


def test_settings_that_lie_elsewhere_stay_there(desktop: InMemory, settings: Path, tmp_path: Path) -> None:
    settings.mkdir()
    path, elsewhere = settings / "models.yaml", tmp_path / "elsewhere.yaml"
    path.symlink_to(elsewhere)
    set_key("openai", "sk-one")
    assert path.is_symlink()
    assert "openai" in elsewhere.read_text(encoding="utf-8")


@pytest.mark.parametrize("typed", ["\n", "sk-ключ\n"])
def test_what_is_no_key_is_not_kept(desktop: InMemory, typed: str) -> None:
    assert RUN.invoke(app, ["models", "keys", "set", "openai"], input=typed).exit_code == 1
    assert not desktop.kept


def test_a_system_without_a_keyring_says_what_works_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    before = keyring.get_keyring()
    monkeypatch.setattr(keyring.core, "_keyring_backend", keyring.backends.fail.Keyring())  # type: ignore[no-untyped-call]
    with pytest.raises(ConfigError, match=r"has no keyring.*OPENAI_API_KEY"):
        set_key("openai", "sk-typed")
    keyring.set_keyring(before)
    assert not load_preferences().keys


def test_a_locked_keyring_is_a_told_failure(desktop: InMemory) -> None:
    set_key("openai", "sk-typed")
    keyring.set_keyring(Locked())
    with pytest.raises(ConfigError, match="the collection is locked"):
        open_model("openai:gpt-4.1-mini")


def test_without_the_package_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert key_of("openai") == ""  # nothing is kept, so that none is needed
    with pytest.raises(ConfigError, match=r"triad-kgqa\[keyring\]"):
        set_key("openai", "sk-typed")


def test_the_default_model_is_used_where_nothing_names_one(tmp_path: Path) -> None:
    books = str(tmp_path / "books.ttl")
    Path(books).write_text("", encoding="utf-8")
    assert RUN.invoke(app, ["models", "default"]).stdout == "none\n"
    assert RUN.invoke(app, ["models", "default", "ollama:llama3.1"]).exit_code == 0
    plain = tmp_path / "plain.yaml"
    plain.write_text("graph: books.ttl\n", encoding="utf-8")
    assert Changes().of(None).model == "ollama:llama3.1"
    assert Changes(graph=[books]).of(None).model == "ollama:llama3.1"
    assert Changes().of(str(plain)).model == "ollama:llama3.1"
    assert Changes().of("demo").model == "none"
    assert Changes(model="none").of(None).model == "none"
    assert RUN.invoke(app, ["models", "default", "none"]).exit_code == 0
    assert Changes(graph=[books]).of(None).model is None


def test_a_recording_that_is_the_default_is_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "calls.jsonl").touch()
    monkeypatch.chdir(tmp_path)
    assert RUN.invoke(app, ["models", "default", "replay:calls.jsonl"]).exit_code == 0
    assert load_preferences().default == f"replay:{tmp_path}/calls.jsonl"


@pytest.mark.slow
def test_what_takes_no_model_opens_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    books = tmp_path / "books.ttl"
    books.write_text('<x:a> <http://www.w3.org/2000/01/rdf-schema#label> "one" .', encoding="utf-8")
    (tmp_path / "query.rq").write_text("SELECT ?x WHERE { <x:a> <x:b> ?x }", encoding="utf-8")
    keyless = "graph: books.ttl\nmodel: openai:m\nroles: {advisor: {model: openai:n}}\n"
    (tmp_path / "keyless.yaml").write_text(keyless, encoding="utf-8")
    assert RUN.invoke(app, ["models", "default", "openai:gpt-4.1-mini"]).exit_code == 0
    query = ["show", str(tmp_path / "query.rq"), "--as", "crp"]
    for graph, option in ((books, "--graph"), (tmp_path / "keyless.yaml", "--config")):
        assert RUN.invoke(app, ["describe", str(graph)]).exit_code == 0
        assert "needs a key" not in RUN.invoke(app, [*query, option, str(graph)]).stderr


def test_a_default_that_is_no_model_is_refused_with_what_works() -> None:
    said = RUN.invoke(app, ["models", "default", "gpt-4.1-mini"])
    assert said.exit_code == 1
    assert "openai:NAME" in said.output


def test_a_damaged_file_of_settings_is_named(settings: Path) -> None:
    settings.mkdir()
    (settings / "models.yaml").write_text("defaults: x\n", encoding="utf-8")
    said = RUN.invoke(app, ["models", "default"])
    assert said.exit_code == 1
    assert "models.yaml" in said.output
    assert "unknown key 'defaults'" in said.output


def test_models_of_a_server_are_listed_as_they_are_named(server: Server) -> None:
    said = RUN.invoke(app, ["models", "list", "--server", server.url])
    assert said.stdout.splitlines() == [
        "model\t$/M input\t$/M output\t",
        f"openai:gpt-4.1@{server.url}\t2\t8\t",
        f"openai:gpt-4.1-mini@{server.url}\t0.4\t1.6\t",
    ]


def test_without_a_key_the_price_list_is_listed_and_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triad.models.listing.OLLAMA_URL", "http://127.0.0.1:9/v1")
    said = RUN.invoke(app, ["models", "list"])
    assert "openai:gpt-4.1-mini\t0.4\t1.6\tneeds a key" in said.stdout.splitlines()


def test_a_server_of_ones_own_in_the_place_of_openai_is_listed_whole(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triad.models.listing.OLLAMA_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    server.models = ["qwen3"]
    assert RUN.invoke(app, ["models", "list"]).stdout.splitlines()[1:] == ["openai:qwen3\t\t\t"]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    said = RUN.invoke(app, ["models", "list"])
    assert (said.exit_code, said.stdout) == (1, "")
    assert said.stderr.startswith("triad: the server at http://127.0.0.1:9/v1 cannot be reached")


def test_no_name_that_a_server_gives_steers_a_terminal(server: Server) -> None:
    server.models = ["m\x9b1m\u202e"]
    said = RUN.invoke(app, ["models", "list", "--server", server.url, "--json"])
    assert json.loads(said.stdout)[0]["model"] == f"openai:m\x9b1m\u202e@{server.url}"
    assert not set("\x9b\u202e") & set(said.stdout)


def test_a_model_is_tried_with_one_call(server: Server) -> None:
    server.reply('{"ok": true}')
    tried = RUN.invoke(app, ["models", "test", f"openai:m@{server.url}"])
    assert tried.exit_code == 0
    assert "replies in JSON" in tried.stdout
    server.fail(401, "wrong key")
    assert RUN.invoke(app, ["models", "test", f"openai:m@{server.url}"]).exit_code == 1
