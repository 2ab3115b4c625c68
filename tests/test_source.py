"""What holds of every module, shown by reading its source."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.source import PACKAGE, SOURCES, calls, trees
from triad import resources

pytestmark = pytest.mark.slow(0.1)

ROOT = resources.bundled_root()
SHIPPED = [path for kind in resources.SUFFIXES for path in sorted((ROOT / kind).rglob("*")) if path.is_file()]
_PRIVATE = re.compile(r"\b(10\.\d+|192\.168|172\.(1[6-9]|2\d|3[01]))\.\d+\.\d+\b")
_SECRET = re.compile(r"\bsk-[\w-]{16,}|api_key\s*[:=]\s*['\"]?\w{16,}|password\s*[:=]\s*['\"]\w+", re.IGNORECASE)


@pytest.mark.skipif(not shutil.which("ruff", path=str(Path(sys.executable).parent)), reason="ruff is not installed")
def test_no_name_is_read_that_was_never_set() -> None:
    ruff = Path(sys.executable).parent / "ruff"
    command = [str(ruff), "check", "--isolated", "--no-cache", "--select", "F821,F822,F823", str(PACKAGE)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


def test_no_shipped_file_has_a_private_address_a_proxy_or_a_secret() -> None:
    assert SHIPPED
    for path in [*SHIPPED, *SOURCES]:
        text = path.read_text(encoding="utf-8")
        assert not _PRIVATE.search(text), path
        assert not _SECRET.search(text), path
        if path.suffix == ".yaml":
            assert "proxy" not in text.lower(), path


def test_nothing_asks_at_the_terminal_while_an_index_is_made() -> None:
    assert not list(calls("input", "getpass.getpass"))


def test_no_graph_is_treated_in_a_way_of_its_own() -> None:
    for path, text in SOURCES.items():
        if path.parent.name == "phases" or path.name == "agent.py":
            assert not re.search("dbpedia|wikidata|yago", text, re.IGNORECASE), path


def test_no_function_has_a_default_that_calls_share() -> None:
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                for default in [*node.args.defaults, *node.args.kw_defaults]:
                    assert not isinstance(default, (ast.List, ast.Dict, ast.Set)), f"{path}:{node.lineno}"


def test_no_text_is_run_as_a_program() -> None:
    assert not list(calls("eval", "exec", "compile", "__import__", "os.system", "os.popen", "yaml.unsafe_load"))
    # They read what another process or a moment of Triad's wrote.
    own = {"worker/program.py", "worker/pool.py"}
    assert {path.relative_to(PACKAGE).as_posix() for path, _ in calls("pickle.loads", "pickle.load")} <= own
    for path, call in calls("subprocess.run", "subprocess.Popen"):
        assert "shell" not in {keyword.arg for keyword in call.keywords}, path


def test_nothing_but_the_command_line_ends_the_program() -> None:
    ends = list(calls("exit", "quit", "sys.exit", "os._exit"))
    assert not [ast.unparse(call) for path, call in ends if path.name not in ("program.py", "processes.py")]
    assert not [ast.unparse(call) for _, call in ends if ast.unparse(call).endswith("exit(0)")]


def test_gold_is_not_fetched_from_a_server_while_scores_are_made() -> None:
    for path, tree in trees().items():
        if path.parent.name == "evaluation" and path.name in ("metrics.py", "report.py"):
            modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
            assert not {name for name in modules if name and name.startswith(("triad.kg", "triad.search"))}


def test_no_file_is_named_by_the_time() -> None:
    for path, call in calls():
        if ast.unparse(call.func).endswith(("strftime", "datetime.now", "isoformat")):
            line = ast.unparse(call)
            assert "Path(" not in line
            assert "open(" not in line, path


def test_no_module_asks_for_the_current_folder() -> None:
    assert not list(calls("os.getcwd", "Path.cwd", "os.chdir"))


def test_no_module_is_longer_than_one_reads_at_once() -> None:
    assert {path.name for path in SOURCES if len(path.read_text(encoding="utf-8").splitlines()) > 420} == set()
