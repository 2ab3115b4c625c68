"""``triad show``: how a saved answer came about, or what a config comes to."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triad.cli.options import AsJson, examples
from triad.errors import ConfigError, DataError

if TYPE_CHECKING:
    from triad.answers import Answer, Unknown

app = typer.Typer()


@app.command(
    epilog=examples(
        "triad show answer.json",
        "triad show answer.json --step 2",
        "triad show answer.json --markdown > answer.md",
        "triad show qald9-servers",
    )
)
def show(
    trace: Annotated[
        str,
        typer.Argument(
            help="What 'triad ask --save-trace' or --json gave; - is standard input. Or a config, by name or path."
        ),
    ],
    step: Annotated[int | None, typer.Option("--step", help="Show this step's whole prompt and reply.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write Markdown.")] = False,
    as_json: AsJson = False,
) -> None:
    """Tell how a saved answer came about, or all that a config comes to, base and defaults included."""
    from triad import resources
    from triad.answers import to_json
    from triad.cli import display

    out = display.data_console()
    named = trace in resources.available("configs") and not Path(trace).is_file()
    if named or trace.endswith((".yaml", ".yml")):
        _show_config(trace, as_json)
        return
    answer = _read_answer(trace)
    steps = answer.trace.steps if answer.trace else ()
    if step is not None and not 1 <= step <= len(steps):
        raise ConfigError(f"{trace!r} has no step {step}; it has {f'steps 1 to {len(steps)}' if steps else 'none'}")
    if as_json:
        display.show_text(out, to_json(answer if step is None else steps[step - 1], indent=2))
    elif step is not None:
        display.show_step_whole(out, steps[step - 1], markdown=markdown)
    else:
        display.show_text(out, answer.explain(markdown=markdown))
        if steps and not markdown:
            display.show_text(out, "")
            display.show_steps(out, steps)


def _show_config(path: str, as_json: bool) -> None:
    import yaml

    from triad.cli import display
    from triad.configs import load_config

    keys = load_config(path).resolved()
    text = json.dumps(keys, indent=2) if as_json else yaml.safe_dump(keys, sort_keys=False, allow_unicode=True)
    display.show_text(display.data_console(), text.removesuffix("\n"))


def _read_answer(source: str) -> Answer | Unknown:
    from triad import resources
    from triad.answers import Answer, Unknown, from_json
    from triad.trace import Trace

    text = sys.stdin.read() if source == "-" else resources.read(Path(source))
    try:
        keys = json.loads(text)
        if "steps" in keys:
            trace = from_json(Trace, text)
            return Answer(trace.question, trace=trace)
        return from_json(Unknown, text) if "reasons" in keys else from_json(Answer, text)
    except (ValueError, TypeError) as error:
        raise DataError(f"{source!r} is not an answer of 'triad ask --save-trace' or --json") from error
