"""What ``triad index`` keeps beside a graph and its label index: tables, passages and an ontology."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from triad.errors import ConfigError
from triad.resources import found_at

if TYPE_CHECKING:
    from triad.configs import Config
    from triad.opening import Setup


@dataclass(frozen=True, slots=True)
class Beside:
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
    import shutil

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
