from __future__ import annotations

import textwrap
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from triad import resources
from triad.answers import MIN_CONFIDENCE
from triad.configs import Config, load_config, make_config, needs_key
from triad.errors import ConfigError, ResourceNotFound
from triad.evaluation.plan import combinations, load_items
from triad.kg.base import KnowledgeGraph
from triad.models import ReplayModel
from triad.models.cache import CachedModel
from triad.models.wrappers import RateLimitedModel
from triad.opening import Setup
from triad.roles import load_roles

SHIPPED = sorted(resources.available("configs"))
ELSEWHERE = {"table_router"}
"""Configs whose data sets are to be had from their authors alone."""
RUN = """\
graph: films.ttl
model: openai:gpt-4.1-mini
roles:
  generalist: {examples: 2}
limits: {calls: 8}
"""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    path = tmp_path / "run.yaml"
    path.write_text(RUN, encoding="utf-8")
    return path


def _graphs(config: Config) -> list[str]:
    assert not isinstance(config.graph, KnowledgeGraph)
    return [config.graph] if isinstance(config.graph, str) else list(config.graph)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_config_loads_and_its_roles_do(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_DATA", "/data")
    config = load_config(name)
    assert config.description
    load_roles(config.roles)
    graphs = _graphs(config)
    for graph in graphs:
        assert graph.startswith(("http://", "https://", "/data/")) or Path(graph).exists(), graph


@pytest.mark.parametrize("name", sorted(set(SHIPPED) - ELSEWHERE))
def test_what_a_shipped_config_names_is_there(name: str, shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_DATA", str(shared_data))
    config = load_config(name)
    graphs = _graphs(config)
    assert all(graph.startswith(("http://", "https://")) or Path(graph).exists() for graph in graphs)
    assert config.dataset is None or config.dataset_path.is_file()
    assert config.answers_path is None or config.answers_path.is_file()


@pytest.mark.parametrize("name", sorted(set(SHIPPED) - ELSEWHERE))
def test_the_questions_of_a_shipped_config_can_be_read(
    name: str, shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIAD_DATA", str(shared_data))
    config = load_config(name)
    runs = [one for _, one in combinations(config)] if config.sweep else [config] if config.dataset else []
    assert bool(runs) != name.startswith("mondial")
    for one in {run.dataset_path: run for run in runs}.values():
        data = load_items(one)
        assert data.items
        assert not data.malformed


def test_every_set_is_there_embedded_and_on_servers(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_DATA", str(shared_data))
    monkeypatch.delenv("TRIAD_VIRTUOSO", raising=False)
    monkeypatch.delenv("TRIAD_ELASTICSEARCH", raising=False)
    for name in ("demo", "ck25", "qald9", "lcquad", "yago", "metaqa", "dialogues", "mondial"):
        embedded, servers = load_config(name), load_config(f"{name}-servers")
        assert servers.resolved()["dataset"] == embedded.resolved()["dataset"]
        assert (servers.limits, servers.run, servers.model) == (embedded.limits, embedded.run, embedded.model)
        assert "example.org" not in str(embedded.graph)
        assert str(servers.graph).startswith("http://localhost:8890/sparql?default-graph-uri=")
        assert str(servers.index).startswith("elasticsearch:http://localhost:9200/triad-")
        if embedded.sweep:
            runs = zip(combinations(embedded), combinations(servers), strict=True)
            assert all(one.dataset == other.dataset for (_, one), (_, other) in runs)
    monkeypatch.setenv("TRIAD_ELASTICSEARCH", "https://search.example.org")
    assert load_config("ck25-servers").index == "elasticsearch:https://search.example.org/triad-ck25"


def test_a_variable_that_is_not_set_is_named(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAPHS", raising=False)
    config = load_config(run, {"graph": "$GRAPHS/kg.nt"})
    with pytest.raises(ConfigError, match=r"'\$GRAPHS/kg.nt', but the environment has no variable 'GRAPHS'"):
        Setup.of(config)


def test_a_password_that_is_not_set_is_named_and_not_sent_as_it_is_written(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PASSWORD", raising=False)
    config = load_config(run, {"graph": "https://ann:${PASSWORD}@example.org/sparql"})
    with pytest.raises(ConfigError, match=r"no variable 'PASSWORD'; set it, or give it a default: \$\{PASSWORD:-…\}"):
        Setup.of(config)


def test_a_variable_of_a_model_is_missed_when_the_model_is_opened(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOST", raising=False)
    config = load_config(run, {"model": "openai:x@${HOST}/v1"})
    Setup.of(config)
    with pytest.raises(ConfigError, match=r"no variable 'HOST'; set it, or give it a default: \$\{HOST:-…\}"):
        config.open_model()


def test_options_may_hold_variables(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"headers": {"Authorization": "Bearer ${TOKEN}"}, "timeout": 5, "default_graphs": ["${GRAPHS:-http://g}"]}
    config = load_config(run, {"graph_options": options, "index_options": {"password": "${TOKEN}"}})
    monkeypatch.setenv("TOKEN", "a/b")
    setup = Setup.of(config)
    assert setup.graph_options == {
        "headers": {"Authorization": "Bearer a/b"},
        "timeout": 5,
        "default_graphs": ["http://g"],
    }
    assert setup.index_options == {"password": "a/b"}
    assert config.resolved()["index_options"] == {"password": "${TOKEN}"}
    monkeypatch.delenv("TOKEN")
    with pytest.raises(ConfigError, match="no variable 'TOKEN'"):
        Setup.of(config)


def test_files_of_options_start_at_the_configs_folder(run: Path) -> None:
    for name in ("ca.pem", "key.txt"):
        (run.parent / name).write_text("x", encoding="utf-8")
    changes = {"index_options": {"ca_file": "ca.pem"}, "model_options": {"api_key_file": "key.txt"}}
    config = load_config(run, changes)
    assert Setup.of(config).index_options == {"ca_file": str(run.parent / "ca.pem")}
    assert config.resolved()["index_options"] == {"ca_file": str(run.parent / "ca.pem")}
    assert config.resolved()["model_options"]["api_key_file"] == str(run.parent / "key.txt")


@pytest.mark.parametrize("path", ["$TRIAD_DATA/kg.nt", "${TRIAD_DATA}/kg.nt"])
def test_the_folder_of_data_sets_has_a_default(run: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_DATA", "/data")
    assert load_config(run, {"graph": path}).graph == "/data/kg.nt"
    monkeypatch.delenv("TRIAD_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", "/home/ann/share")
    assert load_config(run, {"graph": path}).graph == "/home/ann/share/triad/data/kg.nt"


def test_a_resolved_config_holds_from_any_folder(run: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for file in ("films.ttl", "questions.json", "replies.jsonl"):
        (run.parent / file).touch()
    changes = {"dataset.path": "questions.json", "dataset.answers": "answers.json", "model": "replay:replies.jsonl"}
    keys = load_config(run, changes).resolved()
    assert keys["graph"] == str(run.parent / "films.ttl")
    assert keys["dataset"]["path"] == str(run.parent / "questions.json")
    assert keys["dataset"]["answers"] == "answers.json"
    assert keys["model"] == f"replay:{run.parent / 'replies.jsonl'}"
    assert make_config({**keys, "folder": tmp_path / "elsewhere"}).resolved() == keys


def test_without_a_data_set_its_path_is_an_error(run: Path) -> None:
    with pytest.raises(ConfigError, match=r"no data set; give one, such as dataset: \{path"):
        _ = load_config(run).dataset_path


def test_a_language_is_told_from_the_questions_unless_it_is_said(run: Path) -> None:
    assert load_config(run).language is None
    assert load_config(run, {"language": "auto"}).language is None
    assert load_config(run, {"language": "de"}).language == "de"
    assert make_config(load_config(run).resolved()).language is None


def test_there_is_a_demo() -> None:
    assert "demo" in SHIPPED


def test_a_config_says_what_it_says(run: Path) -> None:
    config = load_config(run)
    assert (config.graph, config.model, config.limits.calls) == ("films.ttl", "openai:gpt-4.1-mini", 8)
    assert config.roles == {"generalist": {"examples": 2}}
    assert config.folder == run.parent


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (RUN + "modle: x\n", "unknown key 'modle'; known here: .*model.*roles"),
        (RUN.replace("calls: 8", "cals: 8"), "unknown key 'limits.cals'; known here: calls, input_tokens, money"),
        (RUN.replace("calls: 8", "calls: 0"), "'limits.calls'"),
        (RUN + "model_options: {temprature: 1}\n", "unknown key 'model_options.temprature'.*temperature"),
        ("model: x\n", "the key 'graph' is missing"),
        ("- graph\n", "a mapping of keys and values is expected, got list"),
        ("", "got NoneType"),
        ("graph: [\n", "not YAML"),
        (RUN + "graph_options: 3\n", "'graph_options'"),
        ("graph: !!python/object/apply:os.system [id]\nmodel: x\n", "not YAML"),
    ],
)
def test_a_config_is_read_strictly(run: Path, text: str, fault: str) -> None:
    run.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=fault) as caught:
        load_config(run)
    assert str(run) in str(caught.value)


def test_what_the_reader_fills_in_is_no_known_key(run: Path) -> None:
    run.write_text(RUN + "foldr: x\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="unknown key 'foldr'; known here: base, ") as caught:
        load_config(run)
    assert "folder" not in str(caught.value).partition("known here")[2]


def test_an_unknown_config_is_named_with_the_known_ones() -> None:
    with pytest.raises(ResourceNotFound, match=r"'dmeo'; known: .*demo"):
        load_config("dmeo")


# Bases ----------------------------------------------------------------------------------------------------


@pytest.fixture
def derived(run: Path) -> Path:
    """A config in another folder that starts from the first one."""
    path = run.parent / "more" / "derived.yaml"
    path.parent.mkdir()
    path.write_text("base: ../run.yaml\nlimits: {money: 1}\nlanguage: de\n", encoding="utf-8")
    return path


def test_a_config_says_only_what_differs_from_its_base(derived: Path) -> None:
    config = load_config(derived, {"roles.generalist.calls": "separate"})
    assert (config.graph, config.language) == ("films.ttl", "de")
    assert (config.limits.calls, config.limits.money) == (8, 1)
    assert config.roles == {"generalist": {"examples": 2, "calls": "separate"}}
    assert "base" not in config.resolved()


def test_a_base_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("base: demo\nmodel: ollama:x\n", encoding="utf-8")
    mine, demo = load_config(path), load_config("demo")
    assert (mine.graph, mine.dataset_path) == (demo.graph, demo.dataset_path)


def test_paths_start_at_the_file_that_they_are_written_in(run: Path, derived: Path) -> None:
    for file in ("films.ttl", "a.json", "b.json", "replies.jsonl", "more/films.ttl", "more/answers.json"):
        (run.parent / file).touch()
    run.write_text(
        RUN.replace("openai:gpt-4.1-mini", "replay:replies.jsonl")
        + "dataset: {path: a.json}\nsweep: {dataset.path: [a.json, b.json]}\n",
        encoding="utf-8",
    )
    derived.write_text("base: ../run.yaml\ndataset: {answers: answers.json}\n", encoding="utf-8")
    config = load_config(derived)
    at = str(run.parent)
    assert Path(str(config.graph)).samefile(run.parent / "films.ttl")
    assert Path(str(config.model).removeprefix("replay:")).samefile(run.parent / "replies.jsonl")
    assert config.dataset_path.samefile(run.parent / "a.json")
    assert config.answers_path == derived.parent / "answers.json"
    assert [one.dataset_path.name for _, one in combinations(config)] == ["a.json", "b.json"]
    assert all(at in str(one.dataset_path) for _, one in combinations(config))
    derived.write_text("base: ../run.yaml\ngraph: films.ttl\n", encoding="utf-8")
    assert load_config(derived).graph == str(derived.parent / "films.ttl")


def test_a_place_of_passages_that_is_not_there_yet_starts_at_the_file_that_names_it(run: Path, derived: Path) -> None:
    run.write_text(f"{RUN}passages: found\n", encoding="utf-8")
    assert load_config(run).passages == str(run.parent / "found")
    assert Path(str(load_config(derived).passages)).resolve() == run.parent.resolve() / "found"


def test_null_takes_a_key_of_the_base_away(run: Path, derived: Path) -> None:
    run.write_text(RUN + "index: endpoint\nsweep: {language: [de, en]}\n", encoding="utf-8")
    derived.write_text("base: ../run.yaml\nindex: null\nsweep: null\nlimits: {calls: null}\n", encoding="utf-8")
    config = load_config(derived)
    assert (config.index, config.sweep, config.limits.calls) == (None, (), None)


@pytest.mark.parametrize(
    ("base", "fault"),
    [
        ("dmeo", r"derived.yaml: 'base': nothing in 'configs' has the name 'dmeo'; known: .*demo"),
        ("../gone.yaml", r"derived.yaml: 'base': no file '.*gone.yaml'"),
        ("[demo]", r"derived.yaml: 'base': the name or path of a config is expected, got \['demo'\]"),
        ("derived.yaml", r"derived.yaml: 'base': configs cannot start from each other: .* → .*derived.yaml"),
        ("../back.yaml", r"back.yaml: 'base': .*derived.yaml → .*back.yaml → .*derived.yaml"),
        ("../typo.yaml", r"derived.yaml \(base: .*typo.yaml\): unknown key 'modle'; known here: base, .*model"),
    ],
)
def test_a_base_that_cannot_be_used_is_named(run: Path, derived: Path, base: str, fault: str) -> None:
    (run.parent / "back.yaml").write_text("base: more/derived.yaml\n", encoding="utf-8")
    (run.parent / "typo.yaml").write_text(RUN + "modle: x\n", encoding="utf-8")
    derived.write_text(f"base: {base}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=fault):
        load_config(derived)


def test_a_base_is_for_files(run: Path) -> None:
    with pytest.raises(ConfigError, match="'base' is a key of files"):
        load_config(run, {"base": "demo"})


def test_a_variable_may_have_a_default(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TRIAD_VIRTUOSO", raising=False)
    changes = {"graph": "${TRIAD_VIRTUOSO:-http://localhost:8890/sparql}?x=y"}
    assert load_config(run, changes).graph == "http://localhost:8890/sparql?x=y"
    monkeypatch.setenv("TRIAD_VIRTUOSO", "https://example.org/sparql")
    assert load_config(run, changes).graph == "https://example.org/sparql?x=y"


# Changes --------------------------------------------------------------------------------------------------


def test_changes_replace_keys_and_dots_lead_into_them(run: Path) -> None:
    config = load_config(
        run,
        {
            "model": "ollama:llama3.1",
            "roles.generalist.calls": "separate",
            "roles.advisor.tries": 1,
            "model_options.temperature": 0.5,
            "limits.money": 0.1,
        },
    )
    assert config.model == "ollama:llama3.1"
    assert config.roles == {"generalist": {"examples": 2, "calls": "separate"}, "advisor": {"tries": 1}}
    assert config.model_options.temperature == 0.5
    assert (config.limits.calls, config.limits.money) == (8, 0.1)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"modle": "x"}, "unknown key 'modle'"),
        ({"graph.colour": "x"}, "cannot set 'graph.colour', for 'graph' is 'films.ttl'"),
        ({"limits.calls.x": 1}, "cannot set 'limits.calls.x', for 'calls' is 8"),
        ({"limits.cals": 1}, "unknown key 'limits.cals'"),
        ({"folder": "/etc", "": 1}, "unknown key ''"),
    ],
)
def test_changes_that_cannot_be_made_are_named(run: Path, changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        load_config(run, changes)


def test_changes_do_not_stay(run: Path) -> None:
    load_config(run, {"roles.generalist.examples": 0})
    assert load_config(run).roles == {"generalist": {"examples": 2}}


def test_a_role_that_is_a_name_cannot_be_changed_in_part(run: Path) -> None:
    run.write_text(RUN.replace("{examples: 2}", "generalist"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"cannot set 'roles\.generalist\.examples'"):
        load_config(run, {"roles.generalist.examples": 1})


# Paths ----------------------------------------------------------------------------------------------------


def test_paths_start_at_the_folder_of_the_config(
    run: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: Any
) -> None:
    (run.parent / "films.ttl").touch()
    (run.parent / "labels").mkdir()
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    config = load_config(run, {"index": "labels"})
    assert config.graph == str(run.parent / "films.ttl")
    assert config.index == str(run.parent / "labels")
    assert load_config(run, {"graph": ["films.ttl", "films.ttl"]}).graph == (config.graph,) * 2


@pytest.mark.parametrize(
    "source", ["https://dbpedia.org/sparql", "endpoint:virtuoso", "http://localhost:3030/ds/query"]
)
def test_an_address_stays_an_address(run: Path, source: str) -> None:
    config = load_config(run, {"graph": source, "index": source})
    assert config.graph == source
    assert config.index == source


def test_without_an_index_none_is_named(run: Path) -> None:
    assert load_config(run).index is None


# Models ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["none", None])
def test_without_a_model_questions_are_answered_without_one(run: Path, model: str | None) -> None:
    config = load_config(run, {"model": model})
    assert config.open_model() is None
    assert config.model_names(load_roles(config.roles)) == {}
    assert config.resolved()["model"] == "none"


def test_a_config_need_not_name_a_model(run: Path) -> None:
    run.write_text("graph: films.ttl\n", encoding="utf-8")
    config = load_config(run)
    assert (config.model, config.open_model(), config.on_model_failure) == (None, None, "error")


def test_a_file_called_none_is_no_model(run: Path, derived: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run.write_text(RUN.replace("openai:gpt-4.1-mini", "none"), encoding="utf-8")
    (run.parent / "none").touch()
    monkeypatch.chdir(run.parent)
    assert load_config(derived).open_model() is None
    assert load_config(derived).resolved()["model"] == "none"


def test_roles_have_a_model_all_or_none(run: Path) -> None:
    def names(**models: str) -> dict[str, str]:
        config = load_config(run, {"model": "none", "roles": {role: {"model": name} for role, name in models.items()}})
        return config.model_names(load_roles(config.roles))

    own = {"generalist": "ollama:a", "decision_maker": "ollama:b", "advisor": "ollama:c"}
    assert names(**own) == own
    with pytest.raises(ConfigError, match=r"role 'decision_maker' has no model, but 'generalist' has one of its own"):
        names(generalist="ollama:a")


def test_what_happens_when_the_model_fails_is_one_of_two_things(run: Path) -> None:
    assert load_config(run, {"on_model_failure": "lexical"}).on_model_failure == "lexical"
    with pytest.raises(ConfigError, match=r"'on_model_failure': input should be 'error' or 'lexical', got 'retry'"):
        load_config(run, {"on_model_failure": "retry"})


def test_without_a_key_the_missing_key_is_named_and_what_needs_none(run: Path) -> None:
    with pytest.raises(ConfigError, match=r"set OPENAI_API_KEY.*; without a key, model: none works"):
        load_config(run).open_model()


def test_a_key_is_needed_for_openai_itself_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert needs_key("openai:gpt-4.1-mini")
    assert not needs_key("openai:gpt-4.1-mini@http://localhost/v1")
    assert not needs_key("ollama:llama3.1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost/v1")
    assert not needs_key("openai:gpt-4.1-mini")


def test_a_recording_may_be_the_model(run: Path) -> None:
    (run.parent / "replies.jsonl").touch()
    assert isinstance(load_config(run, {"model": "replay:replies.jsonl"}).open_model(), ReplayModel)


def test_a_cache_and_a_rate_limit_go_around_the_model(run: Path) -> None:
    options = {"model": "ollama:x", "model_options.cache": True, "model_options.calls_per_minute": 60}
    model = load_config(run, options).open_model()
    assert isinstance(model, CachedModel)
    assert isinstance(model.model, RateLimitedModel)
    model.close()


def test_a_price_that_is_none_is_named(run: Path) -> None:
    with pytest.raises(ConfigError, match=r"'prices.mine.input': input should be greater than or equal to 0, got -1"):
        load_config(run, {"prices": {"mine": {"input": -1, "output": 2}}})
    with pytest.raises(ConfigError, match=r"the key 'prices.mine.output' is missing"):
        load_config(run, {"prices": {"mine": {"input": 1}}})


def test_a_config_can_be_made_in_a_program(tmp_path: Path) -> None:
    config = Config(graph="x.ttl", model="ollama:x", folder=tmp_path)
    assert config.graph == "x.ttl"
    assert "folder" not in config.model_dump()


@pytest.mark.parametrize(
    ("embedder", "resolved"),
    [
        ("fastembed:model", "fastembed:{folder}/model"),
        ("fastembed:some/name@model", "fastembed:some/name@{folder}/model"),
        ("fastembed:$MODELS/model", "fastembed:{folder}/model"),
        ("fastembed:sentence-transformers/all-MiniLM-L6-v2", "fastembed:sentence-transformers/all-MiniLM-L6-v2"),
        ("openai:m@http://localhost:1/v1", "openai:m@http://localhost:1/v1"),
    ],
)
def test_the_folder_of_an_embedder_starts_at_the_config(
    run: Path, monkeypatch: pytest.MonkeyPatch, embedder: str, resolved: str
) -> None:
    (run.parent / "model").mkdir()
    monkeypatch.setenv("MODELS", str(run.parent))
    run.write_text(f"{RUN}embedder: {embedder}\n", encoding="utf-8")
    assert load_config(run).resolved()["embedder"] == resolved.format(folder=run.parent)


def test_an_embedder_in_a_folder_of_a_missing_variable_is_said(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MODELS", raising=False)
    run.write_text(f"{RUN}embedder: fastembed:$MODELS/model\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="no variable 'MODELS'"):
        load_config(run).resolved()


def test_an_embedder_is_no_option_of_the_index(run: Path) -> None:
    with pytest.raises(ConfigError, match="'embedder' is a key of its own"):
        load_config(run, {"index_options.embedder": "fastembed:m"})


def test_labels_are_iris_or_have_a_known_prefix() -> None:
    assert make_config({"graph": "g.ttl", "labels": ["schema:name"]}).labels == ("schema:name",)
    with pytest.raises(ConfigError, match=r"'labels'.*'foo:name' is neither an IRI nor a name with a known prefix"):
        make_config({"graph": "g.ttl", "labels": ["foo:name"]})


# Hostile files ----------------------------------------------------------------------------------------------

BOMB = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}]\n" for a, b in pairwise("abcdefghi"))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("graph_options: " + "[" * 50_000, "nested more than 50 deep, in line 2"),
        ("graph_options: " + "{a: " * 900 + "1" + "}" * 900, "nested more than 50 deep"),
        ("graph_options: &a {x: *a}", "the alias 'a' stands within what an alias stands for, in line 2"),
        (f"sweep:\n{textwrap.indent(BOMB, '  ')}", "the alias 'a' stands within what an alias stands for, in line 4"),
        ("sweep:\n  all: [&a x, " + ", ".join(["*a"] * 101) + "]", "the alias 'a' is one of over 100, in line 3"),
        ("graph: h.ttl", "the key 'graph' is there twice, in lines 1 and 2"),
        ("description: 2020-99-99", "not YAML"),
        ("description: !!int ''", "not YAML"),
    ],
)
def test_a_file_that_would_hang_or_crash_its_reader_is_refused(run: Path, text: str, why: str) -> None:
    run.write_text(f"graph: g.ttl\n{text}\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=why):
        load_config(run)


@pytest.mark.parametrize(
    "keys",
    [
        {"model_options": {"timeout": float("nan")}},
        {"model_options": {"timeout": float("inf")}},
        {"model_options": {"timeout": -1}},
        {"model_options": {"temperature": float("nan")}},
        {"model_options": {"retries": -1}},
        {"model_options": {"calls_per_minute": 0}},
        {"lookup_hours": float("inf")},
        {"limits": {"money": float("inf")}},
    ],
)
def test_numbers_that_mean_nothing_are_refused(keys: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="input should be"):
        make_config({"graph": "g.ttl", **keys})


@pytest.mark.parametrize("name", ["a" * 5_000, "a/" * 3_000 + "b", "a\0b", "~nobody-of-that-name/b"])
@pytest.mark.parametrize("suffix", ["", ".ttl", ".yaml"])
def test_a_path_that_no_file_can_have_is_that_of_no_file(run: Path, name: str, suffix: str) -> None:
    source = name + suffix
    config = make_config({"graph": source, "weights": source, "folder": run.parent})
    assert config.resolved()["graph"] == source
    with pytest.raises(ConfigError, match=r"no file|nothing in"):
        load_config(source)
    with pytest.raises(ConfigError, match=r"there is no file|cannot tell the RDF format"):
        Setup.of(config).open()


@pytest.mark.slow(0.2)
def test_a_message_quotes_no_megabyte(run: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(run, {"limits": "x" * 1_000_000, "x" * 1_000_000: 1})
    assert len(str(caught.value)) < 4_000


# The least confidence ---------------------------------------------------------------------------------------


def test_the_least_confidence_is_between_0_and_1(run: Path) -> None:
    assert load_config(run).min_confidence == MIN_CONFIDENCE
    assert load_config(run, {"min_confidence": 0}).min_confidence == 0
    with pytest.raises(ConfigError, match="min_confidence"):
        load_config(run, {"min_confidence": 1.5})


def test_the_shipped_configs_of_data_sets_count_all_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_DATA", "/data")
    configs = {name: load_config(name) for name in resources.available("configs")}
    published = {
        name
        for name, config in configs.items()
        if config.dataset
        and not name.startswith("demo")
        and not (config.dataset.format or "").startswith("nuggets")  # whose questions without an answer are declined
    }
    assert {name for name, config in configs.items() if config.min_confidence == 0} == published
    assert configs["demo"].min_confidence == MIN_CONFIDENCE


# Examples ---------------------------------------------------------------------------------------------------


def test_the_path_of_examples_starts_at_the_configs_folder(run: Path) -> None:
    (run.parent / "pairs.jsonl").touch()
    config = load_config(run, {"examples": "pairs.jsonl"})
    assert config.examples == str(run.parent / "pairs.jsonl")
    assert config.resolved()["examples"] == str(run.parent / "pairs.jsonl")
    assert load_config(run).examples is None
