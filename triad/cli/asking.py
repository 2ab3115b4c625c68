"""``triad ask`` and ``triad chat``: one question, each line of standard input, or several in their context."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triad.cli.faults import FAILURE, tell
from triad.cli.options import Changes, ConfigName, Form, OutputForm, command, with_changes
from triad.errors import AnswerError, ConfigError, TriadError
from triad.resources import write
from triad.text import clean, one_line

if TYPE_CHECKING:
    from rich.console import Console

    from triad.agent import Agent
    from triad.asked import Asked, Found
    from triad.citations import Attribution
    from triad.trace import Step

app = typer.Typer()


def _print_schema(wanted: bool) -> None:
    if wanted:
        from triad.asked import schema_text

        typer.echo(schema_text(), nl=False)
        raise typer.Exit


@command(
    app,
    'triad ask "Which rivers flow through Austria?"',
    'triad ask "Who wrote Momo?" --graph books.ttl',
    'triad ask "Who wrote Momo?" --graph books.ttl --model openai:gpt-4.1-mini',
    'triad ask "Who wrote Momo?" --graph "data/*.ttl" --format csv > answer.csv',
    "triad ask - --format json < questions.txt > answers.jsonl",
)
@with_changes
def ask(
    *,
    question: Annotated[str, typer.Argument(help="The question, or - for one question a line of standard input.")],
    config: ConfigName = None,
    changes: Changes,
    sentence: Annotated[
        bool, typer.Option("--sentence", help="Answer in a sentence; of a model, it costs a call.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Tell how the answer came about.")] = False,
    attribute: Annotated[
        bool,
        typer.Option(
            "--attribute", help="Tell which evidence an answer with citations rests on, which costs some calls."
        ),
    ] = False,
    trace: Annotated[
        bool, typer.Option("--trace", help="Show each step as it happens; JSON has the whole trace then.")
    ] = False,
    form: OutputForm = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="The same as --format csv.")] = False,
    as_tsv: Annotated[bool, typer.Option("--tsv", help="The same as --format tsv.")] = False,
    save_trace: Annotated[
        Path | None, typer.Option("--save-trace", help="Keep answer and trace in a file for 'triad show'.")
    ] = None,
    schema: Annotated[
        bool, typer.Option("--schema", callback=_print_schema, is_eager=True, help="Print the schema of the JSON.")
    ] = False,
) -> None:
    """Ask a question.

    Without --config and --graph, the demo graph is asked. Without a model, in the config or by --model, the question's
    words are matched with the graph's names, and its query is found by walking the graph: this needs no key.

    An answer whose confidence is below --min-confidence is shown as a guess, with the reasons and with what else the
    question may mean. Exits with 0 for an answer, 2 for none or only a guess, 1 for a failure or a mistyped option,
    130 for Ctrl-C; of several questions a failure counts most, then one without an answer.
    """
    from rich.text import Text

    from triad.answers import to_json
    from triad.asked import Asked
    from triad.cli import delimited, display
    from triad.cli.graphs import STDIN, input_lines
    from triad.cli.progress import open_agent

    form, several = _form(form, {"json": as_json, "csv": as_csv, "tsv": as_tsv}), question == "-"
    if form in delimited.LINES and (explain or attribute or sentence):
        raise ConfigError(f"{form} gives values alone; --explain, --attribute and --sentence go with text")
    if several and STDIN in (changes.graph or ()):
        raise ConfigError("standard input holds the questions or the graph, not both")
    if several and attribute:
        raise ConfigError("--attribute is for one question; ask it by itself")
    if several and save_trace:
        raise ConfigError("--save-trace keeps one answer; --format json --trace gives every trace")
    out, log = display.data_console(), display.log_console()
    asked: Asked | None = None

    def give(question: str, found: Found, attribution: Attribution | None = None) -> Asked:
        asked = Asked.of(question, found, attribution)
        if isinstance(found, TriadError):
            tell(found)
        if form == "json":
            given = asked if trace else replace(asked, trace=None)
            display.show_json(out, to_json(given, indent=None if several else 2))
        elif form == "text":
            if several:
                display.show_text(out, f"# {clean(question)}")
            _show(out, found, attribution, explain=explain, sentence=sentence, several=several)
        elif several:
            display.show_text(out, delimited.LINES[form]([delimited.batch_row(asked)]))
        elif asked.answer:
            display.show_text(out, delimited.answer_lines(asked.answer, form))
        elif asked.unknown:
            display.show_unknown(log, asked.unknown)
        return asked

    def found_for(agent: Agent, text: str) -> Found:
        with log.status(Text("reading the question")) as status:

            def on_step(step: Step) -> None:
                status.update(Text(f"{step.phase}: {step.action} done"))
                if trace:
                    display.show_step(log, step)

            try:
                return agent.ask(text, sentence=sentence, on_step=on_step)
            except AnswerError as error:
                return error.unknown or error
            except TriadError as error:
                return error

    try:
        with open_agent(changes.of(config), log) as agent:
            if several:
                if form in delimited.LINES:
                    display.show_text(out, delimited.LINES[form](delimited.header(form, delimited.BATCH)))
                codes = {0}
                for line in input_lines():
                    codes.add(give(line, found_for(agent, line)).code)
                    out.file.flush()
                raise typer.Exit(FAILURE if FAILURE in codes else max(codes))
            found = found_for(agent, question)
            asked = give(question, found, _attribution(agent, found) if attribute else None)
    except TriadError as error:
        if several or asked:
            raise
        asked = give(question, error)
    if save_trace:
        write(save_trace, to_json(asked, indent=2) + "\n")
    if asked.code:
        raise typer.Exit(asked.code)


def _form(form: Form | None, flags: Mapping[Form, bool]) -> Form:
    """Return the form that is named, or that of the flag that is set."""
    named = dict.fromkeys([*([form] if form else []), *(name for name, is_set in flags.items() if is_set)])
    if len(named) > 1:
        raise ConfigError(f"name one format, not {' and '.join(named)}")
    return next(iter(named), "text")


def _show(
    out: Console, found: Found, attribution: Attribution | None, *, explain: bool, sentence: bool, several: bool
) -> None:
    from triad.answers import Answer
    from triad.cli import display

    if isinstance(found, TriadError):
        if several:
            display.show_text(out, f"failed: {one_line(str(found))}")
    elif explain:
        display.show_text(out, found.explain())
    elif isinstance(found, Answer):
        display.show_answer(out, found, sentence=sentence)
    else:
        display.show_unknown(out, found)
    if attribution:
        display.show_attribution(out, attribution)
    if several:
        display.show_text(out, "")


def _attribution(agent: Agent, answer: Found) -> Attribution | None:
    """Return what an answer rests on, and say before how much that takes; None where nothing is cited."""
    from triad.answers import Answer
    from triad.log import logger
    from triad.retrieval.attribution import attribute, attribution_plan

    if not isinstance(answer, Answer):
        return None
    if not answer.citations:
        logger.warning("the answer cites no evidence, so there is nothing that it could be attributed to")
        return None
    plan = attribution_plan(answer, agent.vectors)
    logger.info("the attribution takes {} calls of the model, about {:,} tokens", plan.calls, plan.tokens)
    return attribute(agent, answer)


@command(
    app,
    "triad chat",
    "triad chat --graph books.ttl --model openai:gpt-4.1-mini",
    'triad chat --resume "Who wrote Momo?"',
    "triad chat < questions.txt",
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
    /help lists the commands, Alt-Enter begins another line, Ctrl-C stops a turn. Ctrl-D, "exit" and a good-bye end it.
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
