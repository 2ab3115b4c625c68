"""Whatever is documented is run: the examples of docstrings, and those of README, CONTRIBUTING and docs.

Commands that need a network, a key or a program of somebody else's are checked for names of files, options and extras.
"""

from __future__ import annotations

import ast
import doctest
import gzip
import importlib
import json
import os
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import typer
from typer.core import TyperGroup
from typer.testing import CliRunner

import triad
from tests.models.openai_server import Server, completion
from tests.source import trees
from triad.cli.program import app
from triad.configs import load_config
from triad.embedding.fastembed import FastEmbedder
from triad.indexing.recipe import load_recipe
from triad.prompts import load_prompt
from triad.resources import write
from triad.search.elastic.index import ElasticIndex
from triad.server.settings import load_settings

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
NEEDS = {
    "an address": r"https?://",
    "a model of this machine": r"ollama:|fastembed:",
    "a published set": r"\b(qald9|table\d|table_router|ck25|dbpedia|^data get)",
    "a folder without that file": r"^copy graph books",
    "somebody who types, or a client": r"^(chat|serve|mcp)\b",
}
"""What commands need that are not run here, only parsed, with a pattern that tells them."""
REPLIES = {
    "four countries": "SELECT ?r { ?r a <River> ; <country> ?c } GROUP BY ?r HAVING (COUNT(?c) > 4)",
    "": "SELECT ?x { <Momo> <author> ?x }",
}
"""What the model of the examples replies, a template for each question that has these words."""
MOMO = "SELECT ?who { <https://example.org/books/Momo> <https://example.org/books/author> ?who }"
PAIRS = json.dumps({"question": "Who wrote Momo?", "sparql": MOMO})

AUTHORS = gzip.compress(b"<http://example.org/Ende> <http://example.org/born> <http://example.org/Bavaria> .\n")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("examples") / "place"


@pytest.fixture(autouse=True)
def folder(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that examples run in: it has the graph that they speak of, and the configs that are shipped.

    It is the same place with the same times each time, so that what is made of the graph is found in the cache.
    """
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    shutil.copyfile(ROOT / "graph" / "books.ttl", place / "books.ttl")
    (place / "configs").symlink_to(ROOT / "configs")
    (place / "pairs.jsonl").write_text(PAIRS, encoding="utf-8")
    for name in ("authors.nt.gz", "dumps/books.nt.gz", "data/books.nt.gz"):
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(AUTHORS)
    for file in ("books.ttl", "authors.nt.gz"):
        os.utime(place / file, (1, 1))
    monkeypatch.setenv("TRIAD_STATE", str(place / "state.db"))
    monkeypatch.setenv("TRIAD_CHATS", str(place / "chats.db"))
    (place / "docs").mkdir()
    (place / "docs" / "momo.md").write_text("# Momo\n\nMomo is a girl who listens.\n", encoding="utf-8")
    monkeypatch.chdir(place)
    return place


# Docstrings -----------------------------------------------------------------------------------------------


def _modules() -> Iterator[str]:
    yield "triad"
    for module in pkgutil.walk_packages(triad.__path__, "triad."):
        path = Path(triad.__file__).parents[1] / module.name.replace(".", "/")
        source = path / "__init__.py" if module.ispkg else path.with_suffix(".py")
        if ">>> " in source.read_text(encoding="utf-8"):
            yield module.name


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("name", list(_modules()))
def test_examples_of_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.slow(0.1)
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
    not_run: str = ""
    """Why its commands are not run, as the page says in a comment."""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def _blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(page.name, text.count("\n", 0, match.start(2)), match[2], match[3], (match[1] or "").strip())
        for match in re.finditer(
            r"^(?:<!-- not run: (.*?) -->\n\n)?```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
        )
    ]


BLOCKS = [block for page in PAGES for block in _blocks(page)]


def _commands(block: Block) -> Iterator[list[str]]:
    """Yield the commands of a block that shows a terminal, pipes and lists taken apart, without what they read."""
    for line in re.sub(r"\\\n", " ", block.text).splitlines():
        if line.startswith("$ "):
            parts = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars="|&;")
            parts.whitespace_split, parts.commenters = True, "#"
            command: list[str] = []
            rest = iter([*parts, ";"])
            for part in rest:
                if part == "<":
                    next(rest)
                elif set(part) <= set("|&;"):
                    if command:
                        yield command
                    command = []
                else:
                    command.append(part)


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    fences = sum(len(re.findall(r"^ *```", page.read_text(encoding="utf-8"), re.MULTILINE)) for page in PAGES)
    assert fences == 2 * len(BLOCKS)
    assert {block.kind for block in BLOCKS} <= {
        "console",
        "python",
        "yaml",
        "turtle",
        "sparql",
        "mermaid",
        "jinja",
        "text",
        "html",
    }


@pytest.mark.parametrize(
    ("block", "command"),
    [
        pytest.param(block, each, id=f"{block} {' '.join(each)}")
        for block in BLOCKS
        if block.kind == "console"
        for each in _commands(block)
    ],
)
def test_every_command_names_what_there_is(block: Block, command: list[str]) -> None:
    program, *given = command
    if program == "triad":
        parsed(given[: given.index(">")] if ">" in given else given)
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
        if "/" in name[1:]
        and "XX" not in name
        and "NAME" not in name
        and not name.startswith("/")  # which is a path of the server
    ]
    places = (ROOT, ROOT / "triad", page.parent, ROOT / "examples")
    notebooks = [re.sub(r".*notebooks/(\w+)\.md", r"\1.ipynb", name) for name in named]  # each is a page of the site
    assert not [name for name in notebooks if not any((place / name).exists() for place in places)]


def parsed(arguments: list[str]) -> None:
    """Parse arguments as the command line does, and run nothing."""
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    with group.make_context("triad", list(arguments)) as context:
        rest = [*context._protected_args, *context.args]
        name, command, rest = group.resolve_command(context, rest)
        assert command is not None
        command.make_context(name, rest, parent=context).close()


@pytest.mark.slow(1.9)
def test_messages_that_a_page_explains_are_those_of_the_code() -> None:
    said = "\n".join(
        node.value
        for tree in trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    for texts in ("language/packs/en.yaml", "search/elastic/client.yaml"):
        said += (ROOT / "triad" / texts).read_text(encoding="utf-8")
    page = (ROOT / "docs/troubleshooting.md").read_text(encoding="utf-8")
    messages = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    assert len(messages) > 40
    for message in messages:
        for part in message.split("…"):
            assert part.strip() in said, f"{part!r} of {message!r}"


def test_the_check_of_commands_finds_a_wrong_option() -> None:
    with pytest.raises(Exception, match="--modle"):
        parsed(["ask", "Who?", "--modle", "none"])


# Pages, one after the other ---------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page_run_one_after_the_other(
    page: Path, folder: Path, demo_agent: triad.Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIAD_DATA", str(folder))
    with _model(monkeypatch):
        for block in _blocks(page):
            try:
                if block.kind == "python":
                    _run_python(block)
                elif block.kind == "jinja":
                    write(folder / "own.prompt", block.text)
                    assert load_prompt(folder / "own.prompt").examples
                elif block.kind == "sparql":
                    pyoxigraph.Store().update(block.text)
                elif block.kind in ("yaml", "turtle", "text"):
                    _read_file(block, folder)
                elif block.kind == "console" and "\n> " in block.text:
                    _talk(block, demo_agent)
                elif block.kind == "console":
                    _run_commands(block)
            except BaseException as error:
                error.add_note(f"in the block at {block}")
                raise


@contextmanager
def _model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have a server on this machine stand in for OpenAI's."""
    server = Server()

    def replied(body: Any) -> tuple[int, Any]:
        asked = body["messages"][-1]["content"]
        query = next(query for words, query in REPLIES.items() if words in asked)
        return 200, completion(json.dumps({"triples": [], "answer_type": "select", "sparql": query}))

    server.rule = replied
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    try:
        yield
    finally:
        server.close()


def _read_file(block: Block, folder: Path) -> None:
    """Keep a file that a page gives a name, ``# books.ttl`` in its first line, and read every YAML file."""
    name = re.match(r"# (?:(\w+)/)?([\w-]+\.\w+)\n", block.text)
    if block.kind != "yaml":
        if name:
            (folder / name[2]).write_text(block.text, encoding="utf-8")
        return
    kind = name[1] if name else None
    path = folder / (name[2] if name else "own.yaml")
    path.write_text(block.text, encoding="utf-8")
    if kind == "index":
        load_recipe(path)
    elif kind == "serve":
        load_settings(str(path))
    else:
        load_config(path)


def _run_python(block: Block) -> None:
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


@pytest.mark.slow(10)
def test_the_python_of_the_pages_is_well_typed(tmp_path: Path) -> None:
    for page in PAGES:
        if blocks := re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
            (tmp_path / f"{page.stem.replace('-', '_')}_page.py").write_text("\n".join(blocks), encoding="utf-8")
    # What `make check` found of the package is not looked at again, so the options are those of the whole.
    command = [sys.executable, "-m", "mypy", str(tmp_path), "--config-file", str(ROOT / "pyproject.toml")]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    # An example says what is there, not what guards against its absence.
    fault = re.search(r'error: (?!Function is missing|Item "None")', run.stdout)
    assert not (run.returncode and fault), run.stdout + run.stderr


def _talk(block: Block, agent: triad.Agent) -> None:
    conversation = triad.Conversation(agent)
    for turn in re.split(r"^> ", block.text, flags=re.MULTILINE)[1:]:
        question, *wanted = turn.splitlines()
        answered = conversation.ask(question)
        if wanted[0].startswith("understood as: "):
            assert answered.standalone == wanted.pop(0).removeprefix("understood as: ")
        assert answered.reply.splitlines() == wanted


# What a terminal shows ------------------------------------------------------------------------------------


def _run_commands(block: Block) -> None:
    """Run the commands of a block, and compare what they print with what it shows."""
    if block.not_run:
        return
    for part in re.split(r"^(?=\$ )", re.sub(r"\\\n", " ", block.text), flags=re.MULTILINE)[1:]:
        shows = part.partition("\n")[2]
        for command in _commands(Block(block.page, block.line, block.kind, part)):
            if command[0] == "triad" and "curl" not in part and not _cannot_run(command):
                if command[1] == "run" and not {"--limit", "--ids"} & set(command):
                    command += ["--limit", "12"]  # all questions would show no more of it
                given, _, file = " ".join(map(shlex.quote, command[1:])).partition(" '>' ")
                text = shown(*shlex.split(given), exits=2 if "I don't know: " in shows else 0)
                if file:
                    Path(file).write_text(text, encoding="utf-8")
                _compare(_plain(text), _plain(shows))


def _cannot_run(command: list[str]) -> str:
    """Tell why a command is not run here: what it needs; nothing if it needs nothing."""
    words = " ".join(command[1:])
    for reason, pattern in NEEDS.items():
        if re.search(pattern, words):
            return reason
    return ""


def shown(*arguments: str, exits: int = 0) -> str:
    """Run the command line, and return what it prints."""
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == exits, f"{arguments}: {result.output}"
    return result.stdout


def _plain(text: str) -> list[str]:
    """The lines of an output, without times."""
    return [re.sub(r"[\d.]+ s\b", "… s", " ".join(line.split())) for line in text.splitlines() if line.strip()]


def _compare(lines: list[str], wanted: list[str]) -> None:
    """Compare an output with what a page shows of it: ``…`` stands for any lines."""
    if "…" not in wanted:
        assert not wanted or lines == wanted
        return
    rest = iter(lines)
    for line in wanted:
        assert line == "…" or any(other.endswith(line) for other in rest), line


def test_the_comparison_of_outputs_finds_a_wrong_line() -> None:
    _compare(["a", "b", "c"], ["a", "…", "c"])
    with pytest.raises(AssertionError):
        _compare(["a", "b"], ["a", "c"])
    with pytest.raises(AssertionError):
        _compare(["a", "b"], ["a", "…", "c"])
