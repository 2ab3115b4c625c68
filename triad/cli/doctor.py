"""``triad doctor``: whether all that a config names can be used."""

from dataclasses import asdict

import typer

from triad.cli.options import AsJson, Changes, ConfigName, command, with_changes
from triad.errors import ConfigError

app = typer.Typer()


@command(app, "triad doctor", "triad doctor --graph https://dbpedia.org/sparql --model openai:gpt-4.1-mini")
@with_changes
def doctor(*, config: ConfigName = None, changes: Changes, as_json: AsJson = False) -> None:
    """Check graph, index, model, roles and prompts.

    What is wrong is told with how to mend it. The check of a model makes one tiny call; without a model there is none.
    Exits with 0 only if all is well.
    """
    from triad.cli import display
    from triad.doctor import Finding, examine

    try:
        found = examine(changes.of(config))
    except ConfigError as error:
        found = iter([Finding("config", False, str(error), "see 'triad list configs', and 'triad doctor --help'")])
    findings = list(found if as_json else display.show_findings(found))
    if as_json:
        display.show_json(display.data_console(), [asdict(finding) for finding in findings])
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)
