"""``triad index``: makes a graph and its label index."""

from __future__ import annotations

import shutil
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triad import resources
from triad.cli.options import AsJson, command
from triad.errors import ConfigError, ResourceNotFound
from triad.resources import found_at

if TYPE_CHECKING:
    from triad.configs import Config
    from triad.indexing.pipeline import IndexReport
    from triad.indexing.recipe import Recipe
    from triad.opening import Setup

app = typer.Typer()


@command(
    app,
    "triad index books.ttl authors.nt.gz --to books",
    "triad index dbpedia --dry-run",
    "triad index dbpedia --to elasticsearch:http://localhost:9200/dbpedia",
    "triad index dbpedia --to elasticsearch:http://localhost:9200/dbpedia --executor dask://localhost:8786",
    "triad index https://example.org/sparql --to example",
    "triad index https://sparql.company.example/query --rate 50 --to company",
    "triad index https://example.org/sparql --profile --to example",
    "triad index books.ttl ontology.ttl --to books --infer",
    "triad index books.ttl --to books --tables",
    "triad index --to books --tables",
    "triad index books.ttl --to books --passages --documents docs",
    "triad index --to books --passages --documents docs",
    "triad index products.yaml --passages",
    "triad index books.ttl --to books --ontology schema.ttl",
    'triad ask "Who wrote Momo?" --graph books',
    name="index",
)
def index_sources(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            help="RDF files, compressed or not, patterns and folders of them, or - for standard input; a recipe, see "
            "'triad list index'; or an endpoint's address."
        ),
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="What to make: a folder, or elasticsearch:http://HOST:9200/INDEX.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would be fetched and how long it would take.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where an earlier run was interrupted.")] = False,
    downloads: Annotated[Path | None, typer.Option("--downloads", help="The folder for downloads.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a folder that was made before.")] = False,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out what is not valid, and count it.")] = False,
    max_errors: Annotated[
        int | None,
        typer.Option(
            "--max-errors",
            min=0,
            help="How many lines that are not valid are left out; by default none of files, else what the recipe says.",
        ),
    ] = None,
    parse_memory: Annotated[
        float | None,
        typer.Option(
            "--parse-memory", min=0, help="GiB that the parser of a file, or --infer, may take; by default 2."
        ),
    ] = None,
    parse_timeout: Annotated[
        float | None,
        typer.Option("--parse-timeout", min=1, help="Seconds in which parser or --infer come further; by default 60."),
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option("--embedder", help="Have Elasticsearch keep vectors, too, such as those of fastembed:NAME."),
    ] = None,
    labels: Annotated[
        list[str] | None,
        typer.Option(
            "--labels",
            help="A property that holds labels, such as schema:name, the best first; by default they are found out.",
        ),
    ] = None,
    infer: Annotated[
        bool | None,
        typer.Option(
            "--infer/--no-infer",
            help="Keep what follows by the axioms among the facts with them; by default as the folder was made before.",
        ),
    ] = None,
    profile: Annotated[
        bool,
        typer.Option(
            "--profile",
            help="Only count anew what the graph is like, for an index that is there; without sources, from its store.",
        ),
    ] = False,
    tables: Annotated[
        bool,
        typer.Option("--tables", help="Make tables of the graph, too; without sources, of the store that is there."),
    ] = False,
    passages: Annotated[
        bool,
        typer.Option(
            "--passages",
            help="Make passages of the graph and of documents, too; without sources, of the store that is there.",
        ),
    ] = False,
    documents: Annotated[
        Path | None, typer.Option("--documents", help="A folder of documents that --passages takes in.")
    ] = None,
    ontology: Annotated[
        list[Path] | None,
        typer.Option(
            "--ontology",
            help="An RDF file that says what classes and relations are called and mean; its triples are no answers.",
        ),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate",
            min=0.01,
            help="Requests a second that an endpoint is asked at most; by default 2, polite to servers of others.",
        ),
    ] = None,
    executor: Annotated[
        str | None,
        typer.Option(
            "--executor",
            help="Have a Dask cluster read the files: dask://HOST:PORT, or dask for processes of this machine.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a graph and its label index, or the index alone. Of RDF files, a recipe or an endpoint."""
    beside = _Beside(
        tables=tables, passages=passages, documents=documents, embedder=embedder, ontology=tuple(ontology or ())
    )
    sources = [path for name in sources for path in _expanded(name)] if sources else None
    if not sources and not profile:
        if not beside:
            raise typer.BadParameter("name RDF files, a recipe or an endpoint's address", param_hint="'SOURCES...'")
        beside.make(to, as_json)
        return
    if sources and beside and (config := _config(sources)):
        beside.make_for(config, to, as_json)
        return
    recipe = _recipe(sources) if sources else None
    if recipe and labels:
        recipe = recipe.with_labels(labels)
    if recipe and rate is not None:
        recipe = recipe.with_rate(rate)
    if recipe and infer is not None:
        recipe = recipe.model_copy(update={"infer": infer})
    if max_errors is None and lenient:
        max_errors = sys.maxsize
    if profile or recipe is None:
        _make_profile(recipe, to, downloads, max_errors, as_json)
        return
    if dry_run:
        from triad.cli import display
        from triad.indexing.layout import downloads_folder
        from triad.indexing.plan import plan

        store = recipe.store and not (to or "").startswith("elasticsearch:")
        made = plan(recipe, downloads or downloads_folder(), store=store)
        display.give(asdict(made), as_json, lambda out: display.show_plan(out, made))
        return
    if to is None:
        raise ConfigError("what is to be made? --to names a folder, or elasticsearch:http://HOST:9200/INDEX")
    if tables or passages:
        _check_store(recipe, to)
    limits = recipe.parse_limits
    if parse_memory is not None:
        limits = replace(limits, memory=int(parse_memory * 2**30))
    if parse_timeout is not None:
        limits = replace(limits, seconds=parse_timeout)
    from triad.cli.display import log_console
    from triad.cli.progress import index_progress
    from triad.indexing.pipeline import run

    with index_progress(log_console()) as progress:
        report = run(
            recipe,
            to,
            downloads=downloads,
            resume=resume,
            overwrite=overwrite,
            max_errors=max_errors,
            progress=progress,
            embedder=None if passages else embedder,
            limits=limits,
            executor=executor,
        )
    _show_report(report, as_json)
    beside.make(to, as_json=False)


def _show_report(report: IndexReport, as_json: bool) -> None:
    from triad.cli import display
    from triad.log import logger

    out = display.data_console()
    if as_json:
        display.show_json(out, asdict(report))
        return
    for skipped in report.skipped_lines:
        logger.warning("left out: {}, line {}: {}", skipped.file, skipped.line, skipped.message)
    rows = [("triples", f"{report.triples:,}"), *((kind, f"{count:,}") for kind, count in report.entries.items())]
    if report.skipped:
        rows.append(("left out", f"{report.skipped:,}"))
    display.show_table(out, ("what", "count"), rows)
    use = f"--graph {report.target}" if report.store else f"--graph … --index {report.target}"
    logger.info('made in {:.1f} s; ask: triad ask "…" {}', report.seconds, use)


def _check_store(recipe: Recipe, to: str) -> None:
    """Refuse to make tables and passages of what has no triples to read, or nowhere but in the folder of a store."""
    if recipe.endpoint:
        raise ConfigError(
            "tables and passages are made of files: an endpoint gives its triples by the page, in no order that "
            "lasts; name a dump of the graph, as in triad index dump.nt.gz --to FOLDER --tables"
        )
    if not recipe.store or to.startswith("elasticsearch:"):
        raise ConfigError(
            "tables and passages are made of a store, which is not made here; --to names a folder, which may be the "
            "graph of a config whose labels are in Elasticsearch"
        )


def _make_profile(
    recipe: Recipe | None, to: str | None, downloads: Path | None, max_errors: int | None, as_json: bool
) -> None:
    from triad.cli import display
    from triad.cli.progress import index_progress
    from triad.indexing.layout import downloads_folder
    from triad.indexing.profiling.refresh import refresh
    from triad.log import logger

    if to is None:
        raise ConfigError("whose profile is to be made? --to names the folder of an index, or elasticsearch:…/INDEX")
    with index_progress(display.log_console()) as progress:
        made = refresh(to, recipe, downloads=downloads or downloads_folder(), max_errors=max_errors, progress=progress)
    counts = {"triples": made.triples, "classes": len(made.classes), "relations": len(made.relations)}
    rows = [(what, f"{count:,}") for what, count in counts.items()]
    found = {"target": to, **counts, "partial": made.partial}
    display.give(found, as_json, lambda out: display.show_table(out, ("what", "count"), rows))
    for note in () if as_json else made.partial:
        logger.warning("{}", note)


def _expanded(name: str) -> list[str]:
    """Return the files that a name stands for; the name of a recipe as it is, though what it made is called so, too."""
    from triad.cli.graphs import expanded
    from triad.kg import INDEX_MARKER

    if _is_recipe(name) and (Path(name) / INDEX_MARKER).is_file():
        return [name]
    return expanded(name) or [name]


def _is_recipe(name: str) -> bool:
    return name in resources.available("index")


def _config(sources: list[str]) -> Config | None:
    """Return the config that is named; None if files, an endpoint or a recipe are."""
    from triad.configs import load_config
    from triad.strict import load_yaml

    [name, *others] = sources
    if others or (Path(name).suffix not in (".yaml", ".yml") and ("/" in name or found_at(name))):
        return None
    try:
        path = resources.find("configs", name)
    except ResourceNotFound:
        return None
    return load_config(name) if {"graph", "base"} & set(load_yaml(resources.read(path), str(path))) else None


def _recipe(sources: list[str]) -> Recipe:
    """Return the recipe that is named, or that files or an endpoint are."""
    from triad.indexing.recipe import load_recipe, recipe_of

    [*_, last] = sources
    is_path = Path(last).suffix or "/" in last or found_at(last)
    named = last.endswith((".yaml", ".yml")) or not is_path or _is_recipe(last)
    if named and len(sources) > 1:
        raise ConfigError(f"the recipe {last!r} is carried out by itself; name nothing else")
    return load_recipe(last) if named else recipe_of(sources)


# Beside the index -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Beside:
    """What is kept beside a graph and its label index: tables, passages of graph and documents, an ontology."""

    tables: bool
    passages: bool
    documents: Path | None
    embedder: str | None
    ontology: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if self.documents and not self.passages:
            raise ConfigError("--documents are for the passages that --passages makes; name both")

    def __bool__(self) -> bool:
        return self.tables or self.passages or bool(self.ontology)

    def make(self, to: str | None, as_json: bool) -> None:
        """Make it of the store in the folder of an index."""
        from triad.opening import Setup

        if to is None:
            if self:
                raise ConfigError("which index is this for? --to names the folder of an index")
            return
        if self.ontology:
            _keep_ontology(Path(to), self.ontology)
        if self.tables:
            _make_tables(to, as_json)
        if self.passages:
            if found_at(to) != "folder":
                raise ConfigError(f"there is no folder {to!r}; 'triad index FILES --to {to}' makes one")
            documents = str(self.documents) if self.documents else None
            _make_passages(Setup(graph=to, documents=documents, embedder=self.embedder), as_json)

    def make_for(self, config: Config, to: str | None, as_json: bool) -> None:
        """Make it of the graph of a config, and where that says."""
        from triad.opening import Setup

        if to or self.documents or self.embedder or self.ontology:
            raise ConfigError("a config names where passages are, documents, embedder and ontology: see its keys")
        setup = Setup.of(config).prepared()
        if self.tables:
            _make_tables(str(setup.graph), as_json)
        if self.passages:
            _make_passages(setup, as_json)


def _keep_ontology(folder: Path, files: tuple[Path, ...]) -> None:
    """Copy the files of an ontology into the folder of an index, in the place of those that it has."""
    from triad.kg import INDEX_MARKER
    from triad.kg.ontology import read_notes
    from triad.locks import replacing
    from triad.log import logger
    from triad.opening import ONTOLOGY

    if not (folder / INDEX_MARKER).is_file():
        raise ConfigError(f"{str(folder)!r} is no folder of 'triad index', where an ontology can be kept")
    found = read_notes(files)
    with replacing(folder / ONTOLOGY, f"the ontology in {str(folder)!r}") as draft:
        for at, file in enumerate(files, start=1):
            shutil.copy(file, draft / f"{at}-{file.name}")
    logger.info("the ontology says something of {:,} terms", len(found))


def _make_tables(to: str, as_json: bool) -> None:
    from triad.cli import display
    from triad.cli.progress import index_progress
    from triad.log import logger
    from triad.retrieval.tables.induction import induce

    with index_progress(display.log_console()) as progress:
        made = induce(to, progress)
    counts = {"triples": made.triples, "tables": len(made.schema.tables), "rows": made.rows}
    if as_json:
        display.show_json(display.data_console(), {"target": to, **counts})
    logger.info("made {tables:,} tables with {rows:,} rows in {:.1f} s", made.seconds, **counts)


def _make_passages(setup: Setup, as_json: bool) -> None:
    from triad.cli import display
    from triad.cli.progress import index_progress
    from triad.log import logger
    from triad.retrieval.passages.building import make_passages_of

    with index_progress(display.log_console()) as progress:
        made = make_passages_of(setup, progress)
    if as_json:
        display.show_json(display.data_console(), asdict(made))
    logger.info(
        "made {:,} passages, {:,} of the graph and the others of {:,} documents, in {:.1f} s",
        made.passages,
        made.graph,
        made.documents,
        made.seconds,
    )
