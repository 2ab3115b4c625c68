"""``triad words``: what the words of a config's glossary stand for, of how much it holds, and a further one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from triad.cli.options import AsJson, Changes, ConfigName, examples, with_changes
from triad.errors import ConfigError

if TYPE_CHECKING:
    from triad.agent import Agent

app = typer.Typer()

_SHOWN = 3  # things that are named


@app.command(
    epilog=examples(
        "triad words --config cities.yaml",
        "triad words 'large city' 'population > 300000' --of City --config cities.yaml",
        "triad words density 'population / area' --config cities.yaml --add",
    )
)
@with_changes
def words(
    *,
    word: Annotated[str | None, typer.Argument(help="A word to be tried; without it, all are listed.")] = None,
    meaning: Annotated[
        str | None, typer.Argument(help="What it stands for: an IRI, a formula, a pattern, or with --of a condition.")
    ] = None,
    of: Annotated[str | None, typer.Option("--of", help="The class whose things are meant.")] = None,
    add: Annotated[bool, typer.Option("--add", help="Add the word to the file of the config.")] = False,
    config: ConfigName = None,
    changes: Changes,
    as_json: AsJson = False,
) -> None:
    """List what the words of a glossary stand for and of how much it holds, or try a word, and add it."""
    from triad.cli import display
    from triad.cli.progress import open_agent

    if (word is None) != (meaning is None):
        raise ConfigError("a word and what it stands for go together, such as 'large city' 'population > 300000'")
    opened = changes.of(config).without_model()
    tried: dict[str, Any] = {}
    if word is not None:
        tried = {word: {"of": of, "where": meaning} if of else meaning}
        opened = opened.model_copy(update={"words": {**opened.words, **tried}})
    with open_agent(opened, display.log_console()) as agent:
        found = [one for one in _told(agent) if not tried or one["word"] in tried]
    if add and tried:
        _add(config, tried)
    header = ("word", "stands for", "holds of", "such as", "owner")
    display.give(
        found,
        as_json,
        lambda out: display.show_table(out, header, [[str(cell) for cell in one.values()] for one in found]),
    )


def _told(agent: Agent) -> list[dict[str, Any]]:
    """Return for each word what it stands for, of how many things that holds, some of them, and who owns it."""
    from triad.kg.guard import Policy, check
    from triad.rdf import count_of

    told = []
    for word, iris in agent.glossary.words.items():
        one = agent.glossary.defined.get(iris[0])
        row: dict[str, Any] = {"word": word, "stands for": ", ".join(iris), "holds of": "", "such as": "", "owner": ""}
        if one is not None:
            query = agent.glossary.holding(one)
            [[count]] = agent.graph.select(check(query.counted(), Policy())).rows
            some = agent.graph.select(check(query.first(_SHOWN), Policy())).column("it")
            row |= {"stands for": one.meaning, "holds of": count_of(count) if count else 0}
            row |= {"such as": ", ".join(map(agent.schema.label, some)), "owner": one.owner}
        told.append(row)
    return told


def _add(config: str | None, tried: dict[str, Any]) -> None:
    """Add words to the file of a config, whose other lines stay as they are."""
    import json

    from triad import resources
    from triad.strict import load_yaml

    if config is None:
        raise ConfigError("--add needs --config, the file to which a word is added")
    path = resources.find("configs", config)
    text = path.read_text(encoding="utf-8")
    [(word, meant)] = tried.items()
    before = load_yaml(text, str(path))
    line = f"  {json.dumps(word, ensure_ascii=False)}: {json.dumps(meant, ensure_ascii=False)}\n"
    lines = text.splitlines(keepends=True)
    at = next((at for at, one in enumerate(lines) if one.split("#")[0].rstrip() == "words:"), None)
    if at is not None:
        lines.insert(at + 1, line)
    else:
        lines += ["" if text.endswith("\n") else "\n", "words:\n", line]
    made = "".join(lines)
    if load_yaml(made, str(path)) != {**before, "words": {**(before.get("words") or {}), word: meant}}:
        raise ConfigError(f"{str(path)!r}: the word cannot be added; add it by hand: {line.strip()}")
    path.write_text(made, encoding="utf-8")
