"""``triad chat``: several questions, each in the context of those before."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from triad.cli.options import Changes, ConfigName, examples, with_changes
from triad.errors import ConfigError

app = typer.Typer()


@app.command(
    epilog=examples(
        "triad chat",
        "triad chat --graph books.ttl --model openai:gpt-4.1-mini",
        'triad chat --resume "Who wrote Momo?"',
        "triad chat < questions.txt",
    )
)
@with_changes
def chat(
    *,
    config: ConfigName = None,
    changes: Changes,
    resume: Annotated[
        str | None, typer.Option("--resume", help="Go on with a conversation, by id or title; /list shows them.")
    ] = None,
    sentence: Annotated[
        bool, typer.Option("--sentence", help="Have a model write the replies, which costs a call a turn.")
    ] = False,
    store: Annotated[
        Path | None, typer.Option("--store", help="The file of conversations; by default the user's, or TRIAD_CHATS.")
    ] = None,
    forget: Annotated[bool, typer.Option("--forget", help="Keep nothing of the conversation.")] = False,
) -> None:
    """Ask several questions, each in the context of those before.

    "When was it founded?", "and of Italy?", "only those in Germany", "sort by population" and "why?" are understood.
    /help lists the commands, Alt-Enter begins another line, Ctrl-C stops a turn, Ctrl-D ends the chat.
    """
    from triad.cli import display
    from triad.cli.graphs import STDIN
    from triad.cli.progress import open_agent
    from triad.cli.terminal import Chat
    from triad.conversation.store import Store, default_path

    if forget and (resume or store):
        raise ConfigError("--forget keeps no conversation, so that --resume and --store have no use with it")
    if STDIN in (changes.graph or ()):
        raise ConfigError("a chat reads its questions from standard input, so that it cannot hold the graph")
    settled = changes.of(config)
    path = store or default_path()
    with ExitStack() as opened:
        kept = None if forget else opened.enter_context(Store(path))
        agent = opened.enter_context(open_agent(settled, display.log_console()))
        history = None if forget else path.with_suffix(".history")
        well = Chat(agent, kept, resume=resume, sentence=sentence, history=history).run()
    if not well and not sys.stdin.isatty():
        raise typer.Exit(1)
