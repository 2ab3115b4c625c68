"""A conversation as a file: JSON, which keeps everything, Markdown, which reads well, or a notebook, which goes on."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from triad.answers import Answer, to_json
from triad.conversation.store import Stored
from triad.conversation.turns import Turn
from triad.errors import need_extra
from triad.text import clean, escaped, fenced, table

_ROWS = 50  # rows of a table


def as_json(stored: Stored, turns: Sequence[Turn]) -> str:
    """Return a conversation as JSON text: what is known of it, and its turns as `Turn` has them."""
    content = {**asdict(stored), "turns": [json.loads(to_json(turn)) for turn in turns]}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def as_markdown(stored: Stored, turns: Sequence[Turn]) -> str:
    """Return a conversation as Markdown: questions, replies, values and queries."""
    lines = [f"# {escaped(stored.title)}", "", f"Graph: {escaped(stored.graph)}. Begun {stored.created[:16]}Z.", ""]
    shown_query = None
    for turn in turns:
        lines += [f"## {escaped(turn.question)}", ""]
        if turn.kind == "question" and turn.standalone != turn.question:
            lines += [f"*Understood as: {escaped(turn.standalone)}*", ""]
        if turn.answer and turn.reply == turn.answer.query:
            lines += [fenced(turn.reply, "sparql"), ""]
        else:
            lines += [*(escaped(line) + "  " for line in turn.reply.splitlines()), ""]
        if turn.answer is None or turn.answer.query == shown_query:
            continue
        shown_query = turn.answer.query
        lines += _table(turn.answer)
        if shown_query:
            lines += [fenced(shown_query, "sparql"), ""]
    return "\n".join(lines).rstrip() + "\n"


def as_notebook(stored: Stored, turns: Sequence[Turn]) -> str:
    """Return a conversation as a Jupyter notebook: each question as a cell that asks it, with what it gave.

    Raises:
        ConfigError: nbformat is not installed.
    """
    need_extra("notebook", "a notebook takes", "nbformat")
    import nbformat

    v4: Any = nbformat.v4
    opening = (
        "import triad\n\n"
        f"conversation = triad.Conversation(triad.Agent({stored.graph!r}))  # and model=, if there was one"
    )
    cells = [
        v4.new_markdown_cell(f"# {escaped(stored.title)}\n\nBegun {stored.created[:16]}Z."),
        v4.new_code_cell(opening),
    ]
    for number, turn in enumerate(turns, 1):
        shown = {"text/plain": clean(turn.reply), "text/html": turn._repr_html_()}
        output = v4.new_output("execute_result", data=shown, execution_count=number)
        cells.append(v4.new_code_cell(f"conversation.ask({turn.question!r})", execution_count=number, outputs=[output]))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"  # else it would be another one each time
    return f"{v4.writes(v4.new_notebook(cells=cells))}\n"


def _table(answer: Answer) -> list[str]:
    if len(answer.rows) < 2:
        return []
    rows = [[value.shown if value else "" for value in row] for row in answer.rows[:_ROWS]]
    more = len(answer.rows) - len(rows)
    return [*table(answer.headers, rows, escaped), *([f"\n… and {more:,} more"] if more else []), ""]
