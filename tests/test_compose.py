"""The compose file and the Dockerfile, as far as they can be checked without Docker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return content


@pytest.mark.slow(0.5)
def test_the_compose_file_keeps_to_the_specification() -> None:
    pytest.importorskip("check_jsonschema", reason="check-jsonschema brings the schema of the Compose specification")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", "compose.yaml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_triad_waits_for_servers_that_say_when_they_are_ready(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, needed in services["triad"]["depends_on"].items():
        assert needed == {"condition": "service_healthy"}
        assert services[name]["healthcheck"]["test"]


def test_servers_keep_their_data_and_listen_to_this_machine_only(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        named = [volume.split(":")[0] for volume in service["volumes"] if not volume.startswith(("$", ".", "/"))]
        assert named, f"{name} has no volume"
        assert set(named) <= set(compose["volumes"])
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ()))


def test_images_have_a_version(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        assert "build" in service or service["image"].rpartition(":")[2][0].isdigit()


def test_the_image_is_built_from_files_that_are_there_and_not_ignored() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [name for line in lines if line.startswith("COPY") for name in line.split()[1:-1]]
    assert copied
    for name in copied:
        assert (ROOT / name).exists()
        assert f"!{name}" in ignored
