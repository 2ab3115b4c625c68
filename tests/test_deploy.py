"""What `compose.yaml` and `deploy/kubernetes.yaml` start, as far as it can be checked without Docker and Kubernetes."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from triad.cli.program import app as cli

pytest.importorskip("triad.server.app", reason="the server is not there: pip install 'triad-kgqa[server]'")

from triad.errors import ConfigError
from triad.kg.local import LocalGraph
from triad.server.app import create_app
from triad.server.running import _check_proxies
from triad.server.settings import Settings, load_settings

ROOT = Path(__file__).parents[1]
MANIFESTS = [*yaml.safe_load_all((ROOT / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8"))]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))


def manifest(kind: str) -> dict[str, Any]:
    [found] = [one for one in MANIFESTS if one["kind"] == kind]
    return dict(found)


@pytest.fixture
def pod() -> dict[str, Any]:
    return dict(manifest("Deployment")["spec"]["template"]["spec"])


@pytest.fixture
def container(pod: dict[str, Any]) -> dict[str, Any]:
    [found] = pod["containers"]
    return dict(found)


def filled(argument: str) -> str:
    """Return an argument of the compose file with the defaults of its variables."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", argument)


@pytest.mark.parametrize("where", ["compose", "kubernetes"])
def test_the_server_is_started_with_options_that_it_has(where: str, container: dict[str, Any]) -> None:
    composed = [filled(one) for one in COMPOSE["services"]["serve"]["command"]]
    given = composed if where == "compose" else container["args"]
    name, *arguments = given
    program: Any = typer.main.get_command(cli)
    command = program.get_command(program.make_context("triad", [], resilient_parsing=True), name)
    read = command.make_context(name, [*arguments]).params
    assert read["host"] == "0.0.0.0"
    assert read["workers"] == 2
    changes = [one.partition("=") for one in read["settings"] or ()]
    assert {key for key, _, _ in changes} <= set(Settings.model_fields)
    if where == "compose":
        load_settings(read["source"], {key: value for key, _, value in changes})


def test_the_settings_of_the_config_map_are_the_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = manifest("ConfigMap")["data"]["serve.yaml"]
    (tmp_path / "serve.yaml").write_text(content, encoding="utf-8")
    monkeypatch.setenv("TRIAD_STATE_URL", "postgresql://ann@db/triad")
    monkeypatch.setenv("TRIAD_COUNTERS_URL", "redis://cache:6379")
    found = load_settings(str(tmp_path / "serve.yaml"))
    assert (found.database, found.counters_address) == ("postgresql://ann@db/triad", "redis://cache:6379")
    [rule] = manifest("Ingress")["spec"]["rules"]
    assert rule["host"] in found.hosts


def test_whose_word_is_taken_on_addresses_must_be_named(container: dict[str, Any]) -> None:
    [network] = [one.partition("=")[2] for one in container["args"] if one.startswith("--proxies=")]
    with pytest.raises(ConfigError, match="proxies are named by addresses or networks"):
        _check_proxies(network)


def test_the_container_has_a_limit_by_which_queries_go() -> None:
    assert filled(COMPOSE["services"]["serve"]["mem_limit"]) == "4g"


def test_queries_cannot_take_more_memory_than_the_pod_has(container: dict[str, Any]) -> None:
    content = yaml.safe_load(manifest("ConfigMap")["data"]["serve.yaml"])
    assert "--workers=2" in container["args"]
    assert container["resources"]["limits"]["memory"] == "4Gi"
    for graph in content["graphs"].values():
        options = graph["config"]["graph_options"]
        workers = options.get("workers", inspect.signature(LocalGraph).parameters["workers"].default)
        assert 2 * (workers * options["memory_limit"] + 0.5 * 2**30) <= 4 * 2**30


def test_every_variable_that_is_set_is_read(container: dict[str, Any]) -> None:
    package = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "triad").rglob("*.py"))
    read_here = package + manifest("ConfigMap")["data"]["serve.yaml"]
    names = {one["name"] for one in container["env"]} | set(COMPOSE["services"]["serve"]["environment"])
    assert len(names) == 5
    # The client of OpenAI's protocol reads these itself, too.
    assert {name for name in names if name not in read_here} <= {"OPENAI_API_KEY", "OPENAI_BASE_URL"}


def test_the_secret_has_the_keys_that_the_head_of_the_file_tells_to_make(container: dict[str, Any]) -> None:
    head = (ROOT / "deploy" / "kubernetes.yaml").read_text(encoding="utf-8").partition("apiVersion")[0]
    keys = {one["valueFrom"]["secretKeyRef"]["key"] for one in container["env"]}
    assert keys == set(re.findall(r"--from-literal=(\w+)=", head))


def test_the_parts_of_the_manifests_name_each_other_rightly(pod: dict[str, Any], container: dict[str, Any]) -> None:
    spec = manifest("Deployment")["spec"]
    labels = spec["template"]["metadata"]["labels"]
    for selector in (
        spec["selector"]["matchLabels"],
        manifest("Service")["spec"]["selector"],
        manifest("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    [served] = manifest("Service")["spec"]["ports"]
    assert served["targetPort"] in ports
    [path] = manifest("Ingress")["spec"]["rules"][0]["http"]["paths"]
    backend = path["backend"]["service"]
    assert (backend["name"], backend["port"]["name"]) == (manifest("Service")["metadata"]["name"], served["name"])
    assert {one["name"] for one in container["volumeMounts"]} == {one["name"] for one in pod["volumes"]}
    annotations = spec["template"]["metadata"]["annotations"]
    assert int(annotations["prometheus.io/port"]) == ports["http"]
    assert pod["terminationGracePeriodSeconds"] > Settings.model_fields["grace"].default


def test_probes_ask_paths_that_the_server_has(container: dict[str, Any]) -> None:
    app = create_app(Settings.model_validate({"graphs": {"demo": "demo"}, "state": "sqlite://"}))
    paths = {str(app.url_path_for(name)) for name in ("healthz", "readyz", "metrics")}
    probes = ("startupProbe", "livenessProbe", "readinessProbe")
    asked = {container[probe]["httpGet"]["path"] for probe in probes}
    asked.add(manifest("Deployment")["spec"]["template"]["metadata"]["annotations"]["prometheus.io/path"])
    assert asked == paths
    assert {container[probe]["httpGet"]["port"] for probe in probes} == {"http"}
    assert "/readyz" in str(COMPOSE["services"]["serve"]["healthcheck"]["test"])


def test_what_cannot_be_written_is_not_where_the_server_writes(container: dict[str, Any]) -> None:
    assert container["securityContext"]["readOnlyRootFilesystem"]
    mounted = {one["mountPath"] for one in container["volumeMounts"] if not one.get("readOnly")}
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    cache = re.search(r"TRIAD_CACHE=(\S+)", dockerfile)
    assert cache
    assert cache[1] in mounted
    assert "/tmp" in mounted  # metrics of several workers
