"""``triad ask``: answers a question, or each line of standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triad.cli.faults import FAILURE, UNKNOWN, tell
from triad.cli.options import AsJson, Changes, ConfigName, examples, with_changes
from triad.errors import AnswerError, ConfigError, TriadError
from triad.resources import write

if TYPE_CHECKING:
    from triad.agent import Agent
    from triad.answers import Answer, Unknown
    from triad.retrieval.attribution import Attribution
    from triad.trace import Step, Trace

app = typer.Typer()


@app.command(
    epilog=examples(
        'triad ask "Which rivers flow through Austria?"',
        'triad ask "Who wrote Momo?" --graph books.ttl',
        'triad ask "Who wrote Momo?" --graph books.ttl --model openai:gpt-4.1-mini',
        "triad ask - --json < questions.txt > answers.jsonl",
    )
)
@with_changes
def ask(
    *,
    question: Annotated[str, typer.Argument(help="The question, or - for one question a line of standard input.")],
    config: ConfigName = None,
    changes: Changes,
    sentence: Annotated[
        bool, typer.Option("--sentence", help="Answer in a sentence, which costs a call of a model.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Tell how the answer came about.")] = False,
    attribute: Annotated[
        bool,
        typer.Option(
            "--attribute", help="Tell which evidence an answer with citations rests on, which costs some calls."
        ),
    ] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show each step as it happens.")] = False,
    as_json: AsJson = False,
    save_trace: Annotated[
        Path | None, typer.Option("--save-trace", help="Keep answer and trace in a file for 'triad show'.")
    ] = None,
) -> None:
    """Ask a question.

    Without --config and --graph, the demo graph is asked. Without a model, in the config or by --model, the question's
    words are matched with the graph's names, and its query is found by walking the graph: this needs no key.

    An answer whose confidence is below --min-confidence is shown as a guess, with the reasons and with what else the
    question may mean. Exits with 0 for an answer, with 2 if there is none or only a guess, and with 1 for a failure.
    """
    from triad.answers import Answer, to_json
    from triad.cli import display
    from triad.cli.opening import open_agent

    if question == "-" and attribute:
        raise ConfigError("--attribute is for one question; ask it by itself")
    if question == "-" and save_trace:
        raise ConfigError("--save-trace keeps one answer; for questions from standard input, --json gives every trace")
    settled = changes.of(config)
    out, log = display.data_console(), display.log_console()

    def answer(text: str) -> Answer:
        with log.status("reading the question") as status:

            def on_step(step: Step) -> None:
                status.update(f"{step.phase}: {step.action} done")
                if trace:
                    display.show_step(log, step)

            return agent.ask(text, sentence=sentence, on_step=on_step)

    def give(found: Answer | Unknown) -> None:
        if explain:
            display.show_text(out, found.explain())
        elif isinstance(found, Answer):
            display.show_answer(out, found, sentence=sentence)
        else:
            display.show_unknown(out, found)

    with open_agent(settled, log) as agent:
        if question == "-":
            _ask_lines(answer, give, as_json)
            return
        try:
            found = _answer_or_unknown(answer, question)
        except AnswerError as error:
            if save_trace and error.trace:
                _save(save_trace, error.trace)
            raise
        attribution = _attribution(agent, found) if attribute and isinstance(found, Answer) else None
        if as_json and attribution:
            both = f'{{"answer": {found.to_json()}, "attribution": {to_json(attribution)}}}'
            display.show_text(out, json.dumps(json.loads(both), indent=2, ensure_ascii=False))
        elif as_json:
            display.show_text(out, found.to_json(indent=2))
        else:
            give(found)
            if attribution:
                display.show_attribution(out, attribution)
        if save_trace:
            _save(save_trace, found)
    if code := _exit_code(found):
        raise typer.Exit(code)


def _attribution(agent: Agent, answer: Answer) -> Attribution | None:
    """Return what an answer rests on, and say before how much that takes; None if it cites nothing."""
    from loguru import logger

    from triad.retrieval.attribution import attribute, attribution_plan

    if not answer.citations:
        logger.warning("the answer cites no evidence, so there is nothing that it could be attributed to")
        return None
    plan = attribution_plan(answer, agent.vectors)
    logger.info("the attribution takes {} calls of the model, about {:,} tokens", plan.calls, plan.tokens)
    return attribute(agent, answer)


def _ask_lines(answer: Callable[[str], Answer], give: Callable[[Answer | Unknown], None], as_json: bool) -> None:
    """Answer each line of standard input; one that fails does not keep the others from being answered."""
    codes = {0}
    for line in filter(None, map(str.strip, sys.stdin)):
        try:
            found = _answer_or_unknown(answer, line)
        except TriadError as error:
            codes.add(FAILURE)
            tell(error)
            if as_json:
                typer.echo(json.dumps(_failure(line, error), ensure_ascii=False))
            continue
        codes.add(_exit_code(found))
        if as_json:
            typer.echo(found.to_json())
        else:
            typer.echo(f"# {line}")
            give(found)
            typer.echo()
    if code := FAILURE if FAILURE in codes else max(codes):
        raise typer.Exit(code)


def _answer_or_unknown(answer: Callable[[str], Answer], question: str) -> Answer | Unknown:
    """Return an answer, or why there is none; a failure is raised."""
    try:
        return answer(question)
    except AnswerError as error:
        if error.unknown is None:
            raise
        return error.unknown


def _exit_code(found: Answer | Unknown) -> int:
    from triad.answers import Answer

    return 0 if isinstance(found, Answer) and found.values else UNKNOWN


def _failure(question: str, error: TriadError) -> dict[str, Any]:
    """Return a failure as JSON has it."""
    from triad.answers import to_json

    failure: dict[str, Any] = {"question": {"text": question}, "error": str(error)}
    if isinstance(error, AnswerError) and error.trace:
        failure["trace"] = json.loads(to_json(error.trace))
    return failure


def _save(path: Path, value: Answer | Trace | Unknown) -> None:
    from triad.answers import to_json

    write(path, to_json(value, indent=2) + "\n")
