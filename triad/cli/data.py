"""``triad data``: published data sets, fetched into the folder that configs read."""

from pathlib import Path
from typing import Annotated

import typer

from triad.cli.options import AsJson, command
from triad.resources import data_folder

app = typer.Typer()
data = typer.Typer(
    name="data", help="Published data sets, which there are, and how to fetch them.", no_args_is_help=True
)
app.add_typer(data)


@data.command("list")
def list_sets(as_json: AsJson = False) -> None:
    """List the sets that can be fetched, and those that are there. With licence and size."""
    from triad.cli import display
    from triad.datasets.fetching import is_there
    from triad.datasets.published import published_sets
    from triad.log import logger

    folder = data_folder()
    listed, rows = [], []
    for name, one in published_sets().items():
        listed.append({"name": name, "there": is_there(one, folder), **one.model_dump(mode="json")})
        by_hand = any(download.by_hand for download in one.downloads)
        state = "there" if is_there(one, folder) else "by hand" if by_hand else ""
        size = "not known" if one.size is None else f"{one.size / 1e6:,.1f} MB"
        rows.append((name, one.description, one.licence, size, ", ".join(one.configs), state))
    header = ("name", "description", "licence", "size", "configs", "state")
    display.give(listed, as_json, lambda out: display.show_table(out, header, rows))
    if not as_json:
        logger.info("the data folder is {}; TRIAD_DATA names another", folder)


@command(data, "triad data get ck25", "triad data get metaqa --from ~/Downloads")
def get(
    names: Annotated[list[str], typer.Argument(help="The names of sets, as 'triad data list' gives them.")],
    taken_from: Annotated[
        Path | None,
        typer.Option("--from", help="A folder with files that were fetched by hand, under their publisher's names."),
    ] = None,
    downloads: Annotated[Path | None, typer.Option("--downloads", help="The folder for downloads.")] = None,
    force: Annotated[
        bool, typer.Option("--force", "-f", help="Make the files anew, and replace what is there.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Fetch data sets into the data folder. TRIAD_DATA names it; what was begun is gone on with."""
    from triad.cli import display
    from triad.cli.progress import index_progress
    from triad.datasets.fetching import get_set
    from triad.datasets.published import published_set
    from triad.indexing.layout import downloads_folder
    from triad.log import logger

    wanted = {name: published_set(name) for name in names}
    made: list[str] = []
    fetched = downloads or downloads_folder()
    for name, one in wanted.items():
        logger.info("{}: {}; licence: {}; {}", name, one.description, one.licence, one.home)
        with index_progress(display.log_console()) as progress:
            paths = get_set(
                name, one, data_folder(), downloads=fetched, taken_from=taken_from, replace=force, tell=progress
            )
        if not paths:
            logger.info("{} is there", name)
        made += map(str, paths)
        if one.needs:
            logger.info("a run needs, too: {}", one.needs)
        elif one.configs:
            logger.info("it is read by {}", ", ".join(f"--config {config}" for config in one.configs))
    if as_json or made:
        display.give(made, as_json, "\n".join(made))
