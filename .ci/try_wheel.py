"""Installs a built wheel into environments of its own, far from the repository, and uses it as a newcomer would.

    python .ci/try_wheel.py dist/triad_kgqa-….whl            # what CI runs
    python .ci/try_wheel.py dist/triad_kgqa-….whl --whole    # every extra installed and imported, on every Python

CI installs it with the server on its own Python; that the other extras, and the server on the other Pythons, have all
that they need is found out without installing it. Pythons that are not on this machine are named, and left out.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from email.parser import Parser
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from packaging.requirements import Requirement

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
FEATURES = {
    "dask": "triad.evaluation.executors.dask, distributed",
    "dense": "triad.embedding.fastembed, fastembed",
    "docs": "mkdocs, mkdocstrings",
    "evaluation": "triad.evaluation.run, triad.lexical.learning, scipy.optimize",
    "infer": "triad.indexing.inference, clingo",
    "keyring": "keyring",
    "litellm": "triad.models.litellm",
    "learn": "triad.lexical.learning, scipy.optimize",
    "notebook": "pandas, nbformat",
    "retrieval": "triad.retrieval.tables.worker, duckdb, usearch, pypdf",
    "server": "triad.server.app",
    "servers": "psycopg, redis",
    "telemetry": "triad.server.telemetry, opentelemetry.sdk.trace",
}
"""What an extra is for, by the modules that need it; an extra that is not here has only to be installed."""


def main() -> None:
    """Try the wheel; the first thing that fails ends it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--whole", action="store_true")
    given = parser.parse_args()
    wheel, whole = given.wheel.resolve(), given.whole
    with ThreadPoolExecutor() as pool:  # most of the time is spent in waiting for packages
        for told in pool.map(lambda version: _tried(version, wheel, whole), PYTHONS):
            print(told)


def _tried(version: str, wheel: Path, whole: bool) -> str:
    current = version == ".".join(map(str, sys.version_info[:2]))
    python = sys.executable if current else _python(version)
    if python is None:
        return f"Python {version} is not on this machine: left out"
    with tempfile.TemporaryDirectory(prefix="triad-wheel-") as folder:
        started = time.monotonic()
        _try(Environment(python, Path(folder)), wheel, current or whole, whole)
        return f"Python {version}: {time.monotonic() - started:.0f} s"


class Environment:
    """A fresh environment, and a folder to work in that has nothing of the repository."""

    def __init__(self, python: str, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        self._bin = folder / "venv" / "bin"
        # Of the user's own it has only what was fetched before.
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        self._variables = {"PATH": os.defpath, "HOME": str(folder)}
        self._variables |= {"PIP_CACHE_DIR": str(cache / "pip"), "UV_CACHE_DIR": str(cache / "uv")}
        self._variables |= {
            name: value for name, value in os.environ.items() if name.upper().startswith(("PIP_", "UV_", "SSL_"))
        }
        self._variables |= {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        # The pip that runs serves all of them: it takes long to make an environment with one of its own.
        subprocess.run([python, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)

    @property
    def python(self) -> str:
        """The path of its Python."""
        return str(self._bin / "python")

    def run(self, program: str, *arguments: str) -> str:
        """Run a program of the environment, and return what it prints."""
        return self._run([str(self._bin / program), *arguments])

    def pip(self, command: str, *arguments: str) -> None:
        """Have uv, or pip where there is none, do something to the environment; what is used is compiled then."""
        program = [sys.executable, "-m", *(("uv", "pip") if find_spec("uv") else ("pip",))]
        self._run([*program, command, "--python", self.python, *arguments, "--quiet"])

    def _run(self, command: list[str]) -> str:
        result = subprocess.run(command, cwd=self.folder, env=self._variables, capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{' '.join(command)} ended with {result.returncode}:\n{result.stdout}{result.stderr}")
        return result.stdout


def _try(environment: Environment, wheel: Path, installed: bool, whole: bool) -> None:
    extras = extras_of(wheel)
    if not installed:
        environment.pip("install", "--dry-run", f"{wheel}[server]")
        return
    environment.pip("install", "--no-compile", str(wheel))
    _first_minute(environment)
    for extra in extras if whole else ["server"]:
        environment.pip("install", "--no-compile", f"{wheel}[{extra}]")
        environment.run("python", "-c", f"import {FEATURES.get(extra, 'triad')}")
    if not whole and (missing := _not_here(wheel, extras)):
        environment.pip("install", "--dry-run", *missing)
    environment.run("triad", "serve", "--help")
    environment.pip("check")


def _first_minute(environment: Environment) -> None:
    """Do what the first page of the documents tells to do."""
    assert "Gordon Moore" in environment.run("triad", "ask", "Who founded Intel?")
    assert environment.run("triad", "copy", "graph", "books") == "books.ttl\n"
    assert "Michael Ende" in environment.run("python", "-m", "triad", "ask", "Who wrote Momo?", "--graph", "books.ttl")
    (environment.folder / "own.ttl").write_text(
        "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':rex rdfs:label "Rex" ; :owner :ann . :ann rdfs:label "Ann" . :owner rdfs:label "owner" .\n',
        encoding="utf-8",
    )
    assert environment.run("triad", "ask", "Who is the owner of Rex?", "--graph", "own.ttl").startswith("Ann\n")
    assert "prompts\tparse_question" in environment.run("triad", "list")
    assert "metaqa\t" in environment.run("triad", "data", "list")
    where = environment.run("python", "-c", "import triad; print(triad.__file__)")
    assert str(environment.folder.parent) in where, f"another copy was tried: {where}"


def extras_of(wheel: Path) -> list[str]:
    """Return the extras of a wheel but ``dev``, which is for its repository."""
    return [extra for extra in _metadata(wheel).get_all("Provides-Extra", []) if extra != "dev"]


def _not_here(wheel: Path, extras: list[str]) -> list[str]:
    """Return what extras ask for that this environment, which `dev` was installed into with all it needs, lacks."""
    missing = []
    for one in map(Requirement, _metadata(wheel).get_all("Requires-Dist", [])):
        wanted = one.marker is not None and any(one.marker.evaluate({"extra": extra}) for extra in extras)
        try:
            here = one.specifier.contains(version(one.name), prereleases=True)
        except PackageNotFoundError:
            here = False
        if wanted and not here:
            missing.append(f"{one.name}{one.specifier}")
    return missing


def _metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(archive.read(name).decode("utf-8"))


def _python(version: str) -> str | None:
    """Return the path of a Python, on the path or among those of pyenv."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
    found = shutil.which(f"python{version}") or next(map(str, reversed(kept)), None)
    # A shim of pyenv is there for any version, and works only for those that are chosen.
    works = found and not subprocess.run([found, "--version"], capture_output=True).returncode
    return found if works else next(map(str, reversed(kept)), None)


if __name__ == "__main__":
    main()
