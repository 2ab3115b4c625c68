"""``triad passages``: the passages that were made of a graph and of documents, searched and shown."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triad.cli.options import AsJson, examples
from triad.errors import ConfigError
from triad.naming import among

if TYPE_CHECKING:
    from triad.retrieval.search import Passage

app = typer.Typer()
passages = typer.Typer(
    name="passages",
    help="The passages that 'triad index --passages' made of a graph and of documents: searched and shown.",
    no_args_is_help=True,
)
app.add_typer(passages)

Source = Annotated[
    str, typer.Option("--graph", "-g", help="The folder of 'triad index', or elasticsearch:http://HOST:9200/INDEX.")
]


@passages.command(
    epilog=examples(
        "triad passages search --graph books 'a girl who listens'",
        "triad passages search --graph books --source documents --since 2024 'new editions'",
    )
)
def search(
    text: Annotated[str, typer.Argument(help="A question, or words.")],
    graph: Source,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Passages that are given at most.")] = 5,
    embedder: Annotated[str | None, typer.Option("--embedder", help="What the index was built with, if any.")] = None,
    classes: Annotated[list[str] | None, typer.Option("--class", help="IRI of a class of the thing.")] = None,
    languages: Annotated[list[str] | None, typer.Option("--language", help="A language, as a tag.")] = None,
    sources: Annotated[list[str] | None, typer.Option("--source", help="passages (of the graph) or documents.")] = None,
    since: Annotated[str | None, typer.Option("--since", help="The first date, as in 2024-05.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="The last date.")] = None,
    as_json: AsJson = False,
) -> None:
    """Find the passages nearest to a text."""
    from triad.cli import display
    from triad.retrieval.search import Filters, open_passages

    known = ("passages", "documents")
    for source in sources or ():
        if source not in known:
            raise ConfigError(f"unknown source {source!r}; known: {among(known, source)}")
    filters = Filters(
        classes=frozenset(classes or ()),
        languages=frozenset(languages or ()),
        sources=frozenset(source for source in known if source in (sources or ())),  # type: ignore[misc]
        since=since,
        until=until,
    )
    hits = open_passages(graph, embedder).search(text, limit, filters)
    found = [{"score": hit.score, "ranks": hit.ranks, **_plain(hit.passage)} for hit in hits]
    if found or as_json:
        display.give(found, as_json, "\n".join(f"{hit.score:.4f}  {_told(hit.passage)}\n" for hit in hits))


@passages.command(
    epilog=examples(
        "triad passages show --graph books http://example.org/Momo",
        "triad passages show --graph books 'guide.md 1'",
    )
)
def show(
    name: Annotated[str, typer.Argument(help="The id of a passage, or the IRI of a thing.")],
    graph: Source,
    as_json: AsJson = False,
) -> None:
    """Print a passage with its facts, or all those of a thing."""
    from triad.cli import display
    from triad.retrieval.search import Filters, open_passages

    index = open_passages(graph)
    found = index.get([name]) or index.get(_numbered(index, name))
    if not found:
        about = index.search(name, 3, Filters())
        like = f"; such as {about[0].passage.id!r}" if about else ""
        raise ConfigError(f"there is no passage {name!r}{like}")
    facts = [[triple.n3() for sentence in one.sentences for triple in sentence.triples] for one in found]
    texts = ["\n".join([_told(one), *lines]) + "\n" for one, lines in zip(found, facts, strict=True)]
    display.give(list(map(_plain, found)), as_json, "\n".join(texts))


def _numbered(index: Any, name: str) -> list[str]:
    """Return the ids of the parts of a thing or of a document."""
    ids: list[str] = []
    while index.get([f"{name} {len(ids) + 1}"]):
        ids.append(f"{name} {len(ids) + 1}")
    return ids


def _told(passage: Passage) -> str:
    about = ", ".join(filter(None, [passage.id, passage.date or ""]))
    return f"{passage.title}  [{about}]\n{passage.text}"


def _plain(passage: Passage) -> dict[str, Any]:
    sentences = [
        {"text": sentence.text, "triples": [triple.n3() for triple in sentence.triples]}
        for sentence in passage.sentences
    ]
    return {**asdict(passage), "sentences": sentences}
