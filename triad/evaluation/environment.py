"""What a run was made with: revision, packages, model, graph, index, prompts."""

import hashlib
import json
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from triad import resources
from triad.agent import Agent
from triad.configs import NO_MODEL
from triad.kg import INDEX_MARKER
from triad.kg.base import KnowledgeGraph
from triad.roles import ROLES, Roles
from triad.search.base import LabelIndex


def describe(agent: Agent, seed: int) -> dict[str, Any]:
    """Return what a session of a run is made with."""
    return {
        "started": now(),
        "ended": None,
        "stopped": None,
        "git": _git(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": dict(_packages()),
        "models": {role: agent.models[role].name if agent.models else NO_MODEL for role in ROLES},
        "graph": _port(agent.graph),
        "index": _port(agent.index),
        "embedder": agent.embedder and {"name": agent.embedder.name, "fingerprint": agent.embedder.fingerprint},
        "prompts": prompt_fingerprints(agent.roles),
        "weights": agent.weights and digest(agent.weights.read_bytes()),
        "examples": agent.examples and {"pairs": len(agent.examples), "fingerprint": agent.examples.fingerprint},
        "seed": seed,
    }


def now() -> str:
    """Return the time in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def prompt_fingerprints(roles: Roles) -> dict[str, str]:
    """Return for each prompt that the roles use a text that changes when the prompt does."""
    names = {name for role in ROLES for name in roles.card(role).prompts.values()}
    return {name: digest(resources.read(resources.find("prompts", name)).encode()) for name in sorted(names)}


def _port(port: KnowledgeGraph | LabelIndex) -> dict[str, str | None]:
    folder = Path(getattr(port, "folder", port.name))
    for marker in (folder / INDEX_MARKER, folder.parent / INDEX_MARKER):
        if marker.is_file():  # its fingerprint is of the content, and the same on every machine
            return {"name": port.name, "fingerprint": json.loads(resources.read(marker)).get("fingerprint")}
    return {"name": port.name, "fingerprint": getattr(port, "fingerprint", None)}


def _git() -> dict[str, Any] | None:
    """Return the revision of the checkout that the program runs from; None if it is installed."""
    root = resources.bundled_root()
    if not (root / ".git").exists():
        return None

    command = ["git", "-C", str(root), "status", "--porcelain=v2", "--branch", "--no-ahead-behind"]
    try:
        lines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.splitlines()
    except (OSError, subprocess.SubprocessError):
        return None
    return {"revision": lines[0].removeprefix("# branch.oid "), "dirty": not lines[-1].startswith("# ")}


@cache  # reading what some hundred packages say of themselves takes as long as a short run
def _packages() -> list[tuple[str, str]]:
    return sorted((said["Name"], said["Version"]) for said in (one.metadata for one in distributions()))


def digest(content: bytes) -> str:
    """Return a short text that changes when the content does."""
    return hashlib.sha256(content).hexdigest()[:16]
