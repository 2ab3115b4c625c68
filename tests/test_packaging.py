"""The metadata ask for the packages that are imported, and all that goes out with a release agrees with them."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import licences
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.source import SOURCES, is_type_checking, trees
from triad.datasets.published import published_sets

ROOT = Path(__file__).parents[1]


def project() -> dict[str, Any]:
    data: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return data


def required() -> list[Requirement]:
    return [Requirement(text) for text in project()["dependencies"]]


def imported() -> set[str]:
    """The distributions that the package imports."""
    modules: set[str] = set()
    for tree in trees().values():
        checked = {id(node) for test in ast.walk(tree) if is_type_checking(test) for node in ast.walk(test)}
        for node in ast.walk(tree):
            if id(node) in checked:
                continue
            if isinstance(node, ast.Import):
                modules |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                modules.add(node.module.split(".")[0])
    owners = importlib.metadata.packages_distributions()
    foreign = modules - set(sys.stdlib_module_names) - {"triad"}
    return {canonicalize_name(owners[module][0]) if module in owners else module for module in foreign}


def test_installed_packages_are_those_that_the_metadata_ask_for() -> None:
    for requirement in required():
        try:
            version = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            continue  # of a part that is not installed here
        assert requirement.specifier.contains(version, prereleases=True), requirement


def test_no_package_is_pinned_to_a_single_version() -> None:
    assert not [str(requirement) for requirement in required() if "==" in str(requirement.specifier)]


@pytest.mark.slow(1.9)
def test_no_package_is_imported_that_the_metadata_do_not_ask_for() -> None:
    asked_for = {canonicalize_name(requirement.name) for requirement in required()}
    # Each is asked for by a package that we ask for, or by an extra.
    extras = project()["optional-dependencies"]
    optional = {canonicalize_name(Requirement(text).name) for name in extras if name != "dev" for text in extras[name]}
    come_along = {
        "certifi": "httpx",
        "distributed": "dask",
        "elastic-transport": "elasticsearch",
        "httpcore": "httpx",
        "markupsafe": "jinja2",
        "opentelemetry-api": "opentelemetry-sdk",
        "pydantic-core": "pydantic",
        "rdflib": "sparqlwrapper",
        "rich": "typer",
    }
    assert {come_along.get(name, name) for name in imported()} - asked_for - optional == set()


def test_no_heavy_package_is_asked_for() -> None:
    asked_for = {canonicalize_name(requirement.name) for requirement in required()}
    assert not asked_for & {"transformers", "torch", "tensorflow", "spacy"}


def test_a_plain_installation_asks_for_few_packages() -> None:
    assert len(required()) <= 24


def run_python(code: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], text=True, cwd=cwd, capture_output=True, check=False, timeout=60
    )


ASKED = """
import sys
import triad
from triad.cli import main
sys.argv = ["triad", *{arguments}]
try:
    main()
finally:
    measuring = ("triad.evaluation", "triad.datasets", "triad.lexical.learning", "scipy", "loky")
    print([name for name in sys.modules if name.startswith(measuring)], file=sys.stderr)
"""


@pytest.mark.slow
def test_what_measures_is_loaded_only_by_who_measures() -> None:
    result = run_python(ASKED.format(arguments=["ask", "Who founded Intel?"]))
    assert "Gordon Moore" in result.stdout
    assert result.stderr.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_the_server_needs_none_of_what_measures() -> None:
    missing = "import sys; sys.modules |= dict.fromkeys(['loky', 'numpy', 'scipy'])"
    result = run_python(f"{missing}; import triad.server.app; print('ready')")
    assert result.stdout == "ready\n", result.stderr


MEASURED = """
import sys
from triad.cli import main
sys.modules["scipy"] = None
for command in {commands}:
    sys.argv[1:] = command.split()
    try:
        main()
    except SystemExit as ended:
        print(command, bool(ended.code))
"""


@pytest.mark.slow
def test_who_measures_without_the_extra_is_told_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "Who founded Intel?", "answers": []}\n', encoding="utf-8")
    commands = ["run demo", "report runs/one", "compare runs/one runs/two", "learn q.jsonl"]
    result = run_python(MEASURED.format(commands=commands), cwd=tmp_path)
    assert result.stdout.splitlines() == [f"{command} True" for command in commands]
    told = "triad: to measure takes scipy: pip install 'triad-kgqa[evaluation]'"
    assert result.stderr.splitlines() == [told] * len(commands)


def test_every_extra_is_tried_and_asked_for_by_the_tests() -> None:
    extras = project()["optional-dependencies"].keys() - {"dev"}
    script = (ROOT / ".ci" / "try_wheel.py").read_text(encoding="utf-8")
    assert not [extra for extra in extras if f'"{extra}": "' not in script]


def test_the_version_is_the_same_wherever_it_is_stated() -> None:
    version = project()["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    page = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    assert citation["version"] == page["version"] == lock["version"] == lock["packages"][""]["version"] == version
    newest = re.search(
        r"^## (?!Unreleased)\[?([\d.]+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert newest is None or newest[1] == version
    for path, text in SOURCES.items():
        assert f'"{version}"' not in text, f"{path} states the version; importlib.metadata knows it"


def test_pythons_that_the_metadata_name_are_those_that_are_tried() -> None:
    named = {line.rpartition(" ")[2] for line in project()["classifiers"] if re.search(r"Python :: 3\.\d+$", line)}
    script = (ROOT / ".ci" / "try_wheel.py").read_text(encoding="utf-8")
    [tried] = re.findall(r"^PYTHONS = (\(.*\))$", script, re.MULTILINE)
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    assert named == set(ast.literal_eval(tried)) == set(workflow["jobs"]["quick"]["strategy"]["matrix"]["python"])


def test_a_bill_of_materials_has_versions_and_only_packages_whose_licences_are_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / ".ci"))
    faults = importlib.import_module("sbom").faults
    known = {"name": "typing_extensions", "version": "4.15.0"}
    assert faults({"components": [known]}, ["typing-extensions"]) == []
    assert faults({"components": [known, {"name": "Unknown"}]}, ["typing-extensions"]) == [
        "unknown has no version",
        "LICENSES.md lacks unknown: see benchmarks/licences.py",
    ]


def test_a_release_is_published_by_the_trusted_workflow_alone() -> None:
    release = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    assert release["permissions"] == {"contents": "read"}
    assert release["jobs"]["publish"]["permissions"] == {"id-token": "write"}
    assert "secrets." not in json.dumps(release)


@pytest.mark.slow(0.2)
def test_the_page_of_licences_has_every_package() -> None:
    assert licences.missing_packages() == [], "'make licences' writes it anew"
    text = licences.PAGE.read_text(encoding="utf-8")
    assert "| not installed here |" not in text
    assert "| not stated |" not in text
    for name, one in published_sets().items():
        assert f"| {name} | {one.licence} |" in text, "'make licences' writes it anew"
    for package, licence in licences._of_the_page():
        assert f"| {package} | {licence} |" in text, "'make licences' writes it anew"


def test_the_container_is_made_of_what_there_is() -> None:
    lines = [line for line in (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines() if line[:1] not in "#"]
    sources = [source for line in lines if line.startswith("COPY ") for source in line.split()[1:-1]]
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[0] == "!"}
    assert set(map(os.path.normpath, sources)) == allowed
    assert all((ROOT / source).exists() for source in sources)
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert {name.strip("/") for name in wheel["include"]} <= set(sources)
    extras = {extra for line in lines if line.startswith("ARG EXTRAS=") for extra in line[11:].split(",")}
    assert extras
    assert extras <= project()["optional-dependencies"].keys()
    users = [line for line in lines if line.startswith("USER ")]
    assert users
    assert users[-1].split()[1] not in ("0", "root")
    assert lines.index(users[-1]) < lines.index('ENTRYPOINT ["triad"]')
    [base] = [line.removeprefix("FROM python:") for line in lines if line.startswith("FROM ")]
    assert any(line.endswith(f":: {base.removesuffix('-slim')}") for line in project()["classifiers"])


def test_the_description_for_registries_of_mcp_is_that_of_the_package() -> None:
    described = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    [package] = described["packages"]
    assert {described["version"], package["version"]} == {project()["version"]}
    assert package["identifier"] == project()["name"]
    assert project()["name"] in project()["scripts"]
    assert len(described["description"]) <= 100
    assert f"<!-- mcp-name: {described['name']} -->" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_skill_names_tools_that_there_are() -> None:
    text = (ROOT / "skills" / "triad" / "SKILL.md").read_text(encoding="utf-8")
    head = yaml.safe_load(text.split("---")[1])
    assert head["name"] == "triad"
    assert len(head["description"]) <= 1_024
    tools = (ROOT / "triad" / "server" / "tools.py").read_text(encoding="utf-8")
    for name in ("ask", "schema", "shape", "find_names", "run_query", "diagnose"):
        assert f"`{name}`" in text
        assert f"async def {name}(" in tools
