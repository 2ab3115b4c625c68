"""Chats: from a pipe, and in a real terminal, where pexpect types."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pexpect
import pytest
from typer.testing import CliRunner

from triad.cli.program import app
from triad.cli.terminal import COMMANDS
from triad.conversation import Store

pytestmark = pytest.mark.slow(0.1)

TURTLE = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Company rdfs:label "company" . ex:Person rdfs:label "person" . ex:City rdfs:label "city" .
ex:foundedBy rdfs:label "founded by" . ex:birthPlace rdfs:label "birth place" . ex:population rdfs:label "population" .
ex:Intel a ex:Company ; rdfs:label "Intel" ; ex:foundedBy ex:Moore .
ex:Moore a ex:Person ; rdfs:label "Gordon Moore" ; ex:birthPlace ex:C01 .
""" + "".join(
    f'ex:C{number:02} a ex:City ; rdfs:label "Town {number:02}" ; ex:population {number}000 .\n'
    for number in range(1, 41)
)

# Interrupts come while a model is thinking, so this one thinks for long the first time.
SLOW = """
import json, sys, time
from triad.agent import Agent
from triad.cli.terminal import Chat
from triad.models import ScriptedModel

thoughts = iter([60, 0])

def reply(messages, schema):
    print("the model thinks", flush=True)
    time.sleep(next(thoughts))
    sparql = "SELECT ?who { <Intel> <founded_by> ?who }"
    return json.dumps({"triples": [], "answer_type": "select", "sparql": sparql})

Chat(Agent(sys.argv[1], model=ScriptedModel(reply), route="phases")).run()
"""

# The first two questions make the graph busy for hours.
LONG_QUERY = """
import sys
from triad.agent import Agent
from triad.cli.terminal import Chat

agent = Agent(sys.argv[1], model="none")
begin, left = agent.begin, [1, 2]

def slowly(question, on_step=None):
    if left:
        left.pop()
        print("under way", flush=True)
        agent.graph.select("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }")
    return begin(question, on_step)

agent.begin = slowly
Chat(agent).run()
"""


@pytest.fixture
def graph(kept_file: Callable[[str, str], Path]) -> Path:
    return kept_file("towns.ttl", TURTLE)


@pytest.fixture
def chats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "chats.db"
    monkeypatch.setenv("TRIAD_CHATS", str(path))
    return path


# From a pipe ----------------------------------------------------------------------------------------------


@pytest.fixture
def piped(graph: Path, chats: Path) -> Callable[..., tuple[int, str, str]]:
    def run(*lines: str, options: tuple[str, ...] = ()) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, ["chat", "--graph", str(graph), *options], input="\n".join(lines) + "\n")
        return result.exit_code, result.stdout, result.stderr

    return run


Piped = Callable[..., tuple[int, str, str]]


def test_lines_of_a_pipe_are_turns(piped: Piped) -> None:
    code, out, err = piped("Who founded Intel?", "Where was he born?")
    assert code == 0
    founded, born = "Gordon Moore founded Intel.", "Gordon Moore was born in Town 01."
    assert out == f"# Who founded Intel?\n{founded}\n\n# Where was he born?\n{born}\n\n"
    assert "understood as: Where was Gordon Moore born?" in err


@pytest.mark.parametrize("end", ["exit", "Quit", "/exit", "thanks, bye!"])
def test_a_chat_ends_with_a_word(end: str, piped: Piped) -> None:
    code, out, _ = piped("Who founded Intel?", end, "Where was he born?")
    assert code == 0
    assert "I don't know" not in out
    assert "Where was he born?" not in out


@pytest.mark.slow
def test_what_an_answer_invites_is_asked_by_its_number(piped: Piped) -> None:
    code, out, _ = piped("Who founded Intel?", "/next", "1")
    assert code == 0
    assert "1  Where was Gordon Moore born?\n" in out
    assert out.endswith("# 1\nGordon Moore was born in Town 01.\n\n")


@pytest.mark.slow
def test_a_name_of_two_lines_is_understood_in_one(
    chats: Path, kept_file: Callable[[str, str], Path], piped: Piped
) -> None:
    file = kept_file("lines.ttl", TURTLE.replace('"Gordon Moore"', '"Gordon\\nMoore"'))
    _, _, err = piped("Who founded Intel?", "Where was he born?", options=("--graph", str(file)))
    assert "understood as: Where was Gordon Moore born?" in err


@pytest.mark.slow
def test_lines_that_are_no_text_or_much_too_long_do_not_end_the_chat(graph: Path, chats: Path) -> None:
    lines = b"Who founded Intel?\n\xff\xfe \xe9\n" + b"x" * 100_000 + b"\nWho founded Intel?\n"
    done = CliRunner().invoke(app, ["chat", "--graph", str(graph)], input=lines)
    assert done.exit_code == 1
    assert done.stdout.count("Gordon Moore founded Intel.") == 2
    assert "at most 2,000 are read" in done.stderr


@pytest.mark.slow
def test_a_question_asked_of_a_list_says_so(piped: Piped) -> None:
    _, out, _ = piped("Which cities are there?", "the first three", "What are their populations?")
    told = out.strip().splitlines()[-1]
    assert [part.split(": ")[0][:4] for part in told.replace(" and ", ", ").split(", ")] == ["Town"] * 3
    assert told.count("000") == 3


def test_a_long_answer_is_a_table_alone(piped: Piped) -> None:
    _, out, err = piped("Which cities are there?", "/table")
    first, whole = out.split("\n\n")[:2]
    assert first.count("Town") == 30
    assert whole.count("Town") == 40
    assert "and 10 more: /more shows the next, /table all" in err


def test_a_long_answer_is_shown_piece_by_piece(piped: Piped) -> None:
    code, out, err = piped("Which cities are there?", "/more", "/more")
    assert out.split("\n\n")[1].count("Town") == 10
    assert "all values of the last answer were shown" in err
    assert code == 1


def test_a_name_taken_for_another_is_told(piped: Piped) -> None:
    _, _, err = piped("Who founded Intle?")
    assert "read so: Intel for 'Intle'" in err


@pytest.mark.slow
def test_a_chat_is_exported_as_a_notebook_that_asks_it_again(piped: Piped, tmp_path: Path) -> None:
    file = tmp_path / "chat.ipynb"
    code, _, _ = piped("Who founded Intel?", "Where was he born?", f"/export {file}")
    assert code == 0
    notebook: Any = nbformat.reads(file.read_text(), 4)  # type: ignore[no-untyped-call]
    nbformat.validate(notebook)
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    assert sources[1:] == ["conversation.ask('Who founded Intel?')", "conversation.ask('Where was he born?')"]
    assert notebook.cells[3].outputs[0].data["text/plain"] == "Gordon Moore was born in Town 01."
    names: dict[str, Any] = {}
    for source in sources:
        exec(source, names)
    assert [turn.reply for turn in names["conversation"].turns] == [
        "Gordon Moore founded Intel.",
        "Gordon Moore was born in Town 01.",
    ]
    names["conversation"].agent.close()


def test_commands_work(piped: Piped, tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    code, out, _ = piped(
        "Who founded Intel?", "/query", "/why", "/rename Intel", "/list", f"/export {file}", "/he", "/quit"
    )
    assert code == 0
    assert "SELECT DISTINCT" in out
    assert "Gordon Moore" in out
    assert "\tIntel\t1\t" in out
    assert all(f"/{name}" in out for name in COMMANDS)
    assert json.loads(file.read_text())["title"] == "Intel"


def test_what_cannot_be_done_is_said_and_the_chat_goes_on(piped: Piped) -> None:
    code, out, err = piped("/query", "/nonsense", "/e", "/resume nobody", "/export x.pdf", "Who founded Intel?")
    assert code == 1
    assert "Gordon Moore founded Intel." in out
    assert "there is no answer yet" in err
    assert "no command is '/nonsense'; known: /help" in err
    assert "no conversation has the id or title 'nobody'" in err
    assert "ends in .json, .md or .ipynb, not 'x.pdf'" in err


@pytest.mark.slow
def test_a_chat_is_gone_on_with(piped: Piped, chats: Path) -> None:
    piped("Who founded Intel?")
    _, out, _ = piped("Where was he born?", options=("--resume", "Who founded Intel?"))
    assert "Town 01." in out
    with Store(chats) as store:
        [kept] = store.list()
        assert kept.turns == 2


def test_a_chat_is_deleted(piped: Piped, chats: Path) -> None:
    piped("Who founded Intel?", "/delete", "Who founded Intel?")
    with Store(chats) as store:
        assert [kept.turns for kept in store.list()] == [1]


def test_a_chat_can_be_forgotten(piped: Piped, chats: Path) -> None:
    code, _, err = piped("Who founded Intel?", "/list", options=("--forget",))
    assert code == 1
    assert "not kept in this chat" in err
    assert not chats.exists()


def test_forgetting_and_going_on_exclude_each_other(piped: Piped) -> None:
    code, _, err = piped("Who?", options=("--forget", "--resume", "x"))
    assert code == 1
    assert "--forget keeps no conversation" in err


# In a terminal --------------------------------------------------------------------------------------------


@pytest.fixture
def terminal(chats: Path, tmp_path: Path) -> Iterator[Callable[..., pexpect.spawn[str]]]:
    started: list[pexpect.spawn[str]] = []

    def start(*arguments: str | Path) -> pexpect.spawn[str]:
        environment = {**os.environ, "TRIAD_CHATS": str(chats), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
        command = list(map(str, arguments))
        child = pexpect.spawn(sys.executable, command, env=environment, encoding="utf-8", timeout=180)
        child.setwinsize(40, 120)
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


@pytest.mark.slow
def test_a_chat_in_a_terminal(terminal: Callable[..., pexpect.spawn[str]], graph: Path, chats: Path) -> None:
    chat = terminal("-c", "from triad.cli import main; main()", "chat", "--graph", graph)
    chat.expect("/help lists the commands, Ctrl-D ends")
    chat.sendline("Who founded Intel?")
    chat.expect("Gordon Moore")
    chat.sendline("Where was he born?")
    chat.expect("understood as: Where was Gordon Moore born")
    chat.expect("Town 01")
    chat.send("/qu\t")
    chat.expect("/quit|/query")
    chat.send("\x03")  # Ctrl-C empties the line
    chat.sendline("/query")
    chat.expect("birthPlace")
    chat.send("\x1b[A\x1b[A")  # up, up: the question before the command
    chat.expect("Where was he born")
    chat.send("\x03")
    chat.sendline("Which cities are there?")
    chat.expect("/table all")
    chat.send("Which cities\x1b\r")  # Alt-Enter
    chat.send("are there?\r")
    chat.expect("40 in all")
    chat.send("\x1b[200~Who founded\nIntel?\x1b[201~\r")  # pasted
    chat.expect("Gordon Moore")
    chat.send("\x04")  # Ctrl-D
    chat.expect(pexpect.EOF)
    chat.wait()
    assert chat.exitstatus == 0
    with Store(chats) as store:
        [kept] = store.list()
        assert kept.turns == 5
    assert "Where was he born?" in chats.with_suffix(".history").read_text()


@pytest.mark.slow
def test_ctrl_c_stops_a_turn_and_not_the_chat(terminal: Callable[..., pexpect.spawn[str]], graph: Path) -> None:
    chat = terminal("-c", SLOW, graph)
    chat.expect("Ctrl-D ends")
    chat.sendline("Who founded Intel?")
    chat.expect("understanding the question|parsing: .* done")
    chat.expect("the model thinks")
    chat.send("\x03")
    chat.expect("stopped; the conversation is as it was before")
    chat.sendline("Who founded Intel?")
    chat.expect("Gordon Moore")
    chat.sendline("/steps")
    chat.expect("steps are shown")
    chat.send("\x04")
    chat.expect(pexpect.EOF)


@pytest.mark.slow
def test_ctrl_c_stops_a_query_that_takes_long(terminal: Callable[..., pexpect.spawn[str]], graph: Path) -> None:
    chat = terminal("-c", LONG_QUERY, graph)
    chat.expect("Ctrl-D ends")
    for _ in range(2):
        chat.sendline("Who founded Intel?")
        chat.expect("under way")
        chat.send("\x03")
        chat.expect("stopped; the conversation is as it was before")
    chat.sendline("Who founded Intel?")
    chat.expect("Gordon Moore")
    chat.send("\x04")
    chat.expect(pexpect.EOF)


@pytest.mark.slow
def test_a_pipe_needs_no_line_editor() -> None:
    program = "import sys; from triad.cli.terminal import Chat; sys.exit('prompt_toolkit' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
