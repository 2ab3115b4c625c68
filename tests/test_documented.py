"""Whatever is documented is run: the examples of docstrings, and those of README, CONTRIBUTING and docs.

Commands that need a network, a key or a program of somebody else's are checked for names of files, options and extras.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import pkgutil
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

import mypy.api
import pytest
import typer
import yaml
from typer.core import TyperGroup
from typer.testing import CliRunner

import triad
from tests.models.openai_server import Server
from triad.cli import app
from triad.configs import load_config
from triad.embedding.fastembed import FastEmbedder
from triad.indexing.recipe import load_recipe
from triad.prompts import load_prompt
from triad.retrieval.tables.edits import load_edits
from triad.search.elastic import ElasticIndex
from triad.server.settings import load_settings

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BOOKS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <http://schema.org/> .
:Momo a schema:Book ; rdfs:label "Momo" ; :author :Ende .
:Ende rdfs:label "Michael Ende" . :author rdfs:label "author" . schema:Book rdfs:label "book" .
"""
READ = {"triples": [], "answer_type": "select", "sparql": "SELECT ?x { <Momo> <author> ?x }"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that examples run in: it has the graph that they speak of, and the configs that are shipped."""
    (tmp_path / "books.ttl").write_text(BOOKS, encoding="utf-8")
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Docstrings -----------------------------------------------------------------------------------------------


def _modules() -> Iterator[str]:
    yield "triad"
    for module in pkgutil.walk_packages(triad.__path__, "triad."):
        path = Path(triad.__file__).parents[1] / module.name.replace(".", "/")
        source = path / "__init__.py" if module.ispkg else path.with_suffix(".py")
        if ">>> " in source.read_text(encoding="utf-8"):
            yield module.name


@pytest.mark.parametrize("name", list(_modules()))
def test_examples_of_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_only_examples_that_need_a_server_or_a_download_are_not_run() -> None:
    skipped = {
        name: example.source
        for name in _modules()
        for test in doctest.DocTestFinder().find(importlib.import_module(name))
        for example in test.examples
        if doctest.SKIP in example.options
    }
    assert set(skipped) == {"triad.search.elastic.index", "triad.embedding.fastembed"}
    for source in skipped.values():
        [call, *_] = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
        tree = [node for node in ast.walk(call) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        kind = {"ElasticIndex": ElasticIndex, "FastEmbedder": FastEmbedder}[ast.unparse(tree[0].func)]
        signature(kind).bind(*map(ast.literal_eval, tree[0].args))


# Pages ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """A block of code on a page."""

    page: str
    line: int
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def _blocks(*kinds: str) -> list[Block]:
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8") if page.exists() else ""
        for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, match.start()) + 1
            found.append(Block(page.name, line, match[1], match[2]))
    return [block for block in found if not kinds or block.kind in kinds]


def _commands(block: Block) -> Iterator[list[str]]:
    """Yield the commands of a block that shows a terminal, pipes and lists taken apart."""
    for line in re.sub(r"\\\n", " ", block.text).splitlines():
        if line.startswith("$ "):
            parts = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars="|&;")
            parts.whitespace_split, parts.commenters = True, "#"
            command: list[str] = []
            for part in [*parts, ";"]:
                if set(part) <= set("|&;"):
                    if command:
                        yield command
                    command = []
                else:
                    command.append(part)


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    assert {block.kind for block in _blocks()} <= {"console", "python", "yaml", "turtle", "mermaid", "jinja", "text"}


@pytest.mark.parametrize(
    ("block", "command"),
    [
        pytest.param(block, each, id=f"{block} {' '.join(each)}")
        for block in _blocks("console")
        for each in _commands(block)
    ],
)
def test_every_command_names_what_there_is(block: Block, command: list[str]) -> None:
    program, *given = command
    if program == "triad":
        parsed(given)
    elif program == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        assert given[0] in targets
    elif program == "pip" or given[:2] == ["-m", "pip"]:
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
            "optional-dependencies"
        ]
        for wanted in re.findall(r"\[([\w,-]+)\]", " ".join(given)):
            assert set(wanted.split(",")) <= set(extras)
    elif Path(program).name == "python" and given[0].endswith(".py"):
        source = (ROOT / given[0]).read_text(encoding="utf-8")
        for option in given[1:]:
            if option.startswith("--"):
                name = option.removeprefix("--").partition("=")[0]
                assert f"--{name}" in source or re.search(rf"\b{name.replace('-', '_')}: Annotated", source)
    else:
        known = {
            "curl",
            "export",
            "isql-vt",
            "dask",
            "git",
            "cd",
            "pytest",
            "ruff",
            "mypy",
            "pre-commit",
            "cp",
            ".ci/run",
        }
        assert Path(program).name in known or program in known, f"{program!r} is not checked"


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda page: page.name)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    named = [
        name
        for name in re.findall(r"`([\w./-]+)`|\]\(([\w./-]+)\)", text)
        for name in name
        if "/" in name[1:] and "XX" not in name and not name.startswith("/")  # which is a path of the server
    ]
    assert named
    places = (ROOT, ROOT / "triad", page.parent)
    assert not [name for name in named if not any((place / name).exists() for place in places)]


def parsed(arguments: list[str]) -> None:
    """Parse arguments as the command line does, and run nothing."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    with group.make_context("triad", list(arguments)) as context:
        rest = [*context._protected_args, *context.args]
        name, command, rest = group.resolve_command(context, rest)
        assert command is not None
        command.make_context(name, rest, parent=context).close()


def test_the_check_of_commands_finds_a_wrong_option() -> None:
    with pytest.raises(Exception, match="--modle"):
        parsed(["ask", "Who?", "--modle", "none"])


@pytest.mark.parametrize("block", _blocks("yaml"), ids=str)
def test_every_yaml_block_can_be_loaded(block: Block, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_DATA", str(folder))
    name = re.match(r"# (\w+)/(\S+)", block.text)
    path = folder / "own" / (name[2] if name else "config.yaml")
    path.parent.mkdir()
    path.write_text(block.text, encoding="utf-8")
    if name and name[1] == "index":
        load_recipe(path)
    elif name and name[1] == "tables":
        load_edits(path)
    elif name and name[1] == "serve":
        load_settings(str(path))
    else:
        load_config(path)


@pytest.mark.parametrize("block", _blocks("jinja"), ids=str)
def test_every_prompt_can_be_loaded(block: Block, folder: Path) -> None:
    path = folder / "own.prompt"
    path.write_text(block.text, encoding="utf-8")
    assert load_prompt(path).examples


@pytest.mark.parametrize("block", _blocks("python"), ids=str)
def test_every_python_block_runs_and_gives_what_it_says(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    for _ in range(9):
        server.reply(json.dumps(READ))
    lines = block.text.splitlines()
    names: dict[str, Any] = {"triad": triad}
    try:
        for statement in ast.parse(block.text).body:
            source = ast.unparse(statement)
            if not isinstance(statement, ast.Expr):
                exec(source, names)
                continue
            value = eval(source, names)
            said = re.search(r"  # ('(?:[^'\\]|\\.)*'|\d[\d.]*)", lines[(statement.end_lineno or 1) - 1])
            assert said is None or value == ast.literal_eval(said[1])
    finally:
        for made in names.values():
            if isinstance(made, triad.Agent):
                made.close()
        server.close()


@pytest.mark.slow
def test_the_python_of_the_pages_is_well_typed(tmp_path: Path) -> None:
    for page in PAGES:
        if blocks := re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            (tmp_path / f"{page.stem.replace('-', '_')}_page.py").write_text("\n".join(blocks), encoding="utf-8")
    # An example says what is there, not what guards against its absence.
    said, _, code = mypy.api.run([str(tmp_path), "--no-strict-optional", "--config-file", str(ROOT / "pyproject.toml")])
    assert not (code and re.search(r"error: (?!Function is missing)", said)), said


# What a terminal shows ------------------------------------------------------------------------------------


def shown(*arguments: str, exits: int = 0) -> str:
    """Run the command line, and return what it prints."""
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == exits, result.output
    return result.stdout


def _plain(text: str) -> list[str]:
    """The lines of an output, without times."""
    return [re.sub(r"[\d.]+ s\b", "… s", " ".join(line.split())) for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("block", [block for block in _blocks("console") if "\nsource: " in block.text], ids=str)
def test_an_answer_is_shown_as_the_page_says(block: Block) -> None:
    [[_, *arguments]] = _commands(block)
    assert _plain(shown(*arguments)) == _plain(block.text.partition("\n")[2])


@pytest.mark.parametrize("block", [block for block in _blocks("console") if "\nI don't know: " in block.text], ids=str)
def test_an_unknown_is_shown_as_the_page_says(block: Block) -> None:
    [[_, *arguments]] = _commands(block)
    assert _plain(shown(*arguments, exits=2)) == _plain(block.text.partition("\n")[2])


@pytest.mark.parametrize("block", [block for block in _blocks("console") if "triad describe" in block.text], ids=str)
def test_a_graph_is_described_as_the_page_says(block: Block) -> None:
    [[_, *arguments]] = _commands(block)
    lines = iter(_plain(shown(*arguments)))
    for wanted in _plain(block.text.partition("\n")[2]):
        assert wanted == "…" or any(line.endswith(wanted) for line in lines), wanted


@pytest.mark.parametrize("block", [block for block in _blocks("console") if "\n> " in block.text], ids=str)
def test_a_conversation_goes_as_the_page_says(block: Block, demo_agent: triad.Agent) -> None:
    conversation = triad.Conversation(demo_agent)
    for turn in re.split(r"^> ", block.text, flags=re.MULTILINE)[1:]:
        question, *wanted = turn.splitlines()
        answered = conversation.ask(question)
        if wanted[0].startswith("understood as: "):
            assert answered.standalone == wanted.pop(0).removeprefix("understood as: ")
        assert answered.reply.splitlines() == wanted


@pytest.mark.slow
def test_the_runs_of_the_readme_can_be_made_one_after_the_other() -> None:
    block = next(block for block in _blocks("console") if "$ triad run demo" in block.text)
    offline = [given for program, *given in _commands(block) if program == "triad" and "qald9" not in given]
    made = 0
    for arguments in offline:
        if arguments[:2] == ["run", "demo"] or arguments[0] in ("compare", "report"):
            shown(*arguments)
            made += 1
    assert made >= 7
    assert Path("both.html").is_file()
    assert yaml.safe_load(Path("answers.json").read_text(encoding="utf-8"))
