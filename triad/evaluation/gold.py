"""The gold answers of a run: those of the data set, and those of gold queries, which are run once for its folder."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from triad import sparql
from triad.answers import from_json, to_json
from triad.configs import Config
from triad.datasets import Item
from triad.errors import DataError, GraphError, QuerySyntaxError
from triad.evaluation.folder import RunFolder, complete_lines
from triad.kg.base import KnowledgeGraph
from triad.kg.guard import Policy, check
from triad.kg.schema import Schema
from triad.log import logger
from triad.queries.path_names import PathNames
from triad.queries.path_text import MalformedPath
from triad.rdf import ResultSet
from triad.search.base import LabelIndex
from triad.sparql.writer import render


def gold_answers(config: Config, items: Sequence[Item], graph: KnowledgeGraph, run: RunFolder) -> dict[str, ResultSet]:
    """Return gold answers by id; gold queries without stored answers are run, once for the folder.

    Raises:
        DataError: What the folder keeps of them cannot be read, or a query failed and the config is strict.
    """
    gold = {str(item.question.id): item.gold for item in items if item.gold is not None}
    queries = {str(item.question.id): item.gold_query for item in items if item.gold is None and item.gold_query}
    known: dict[str, _Gold] = {}
    for number, line in enumerate(complete_lines(run.gold), 1):
        try:
            one = from_json(_Gold, line)
        except ValueError as error:
            raise DataError(f"{str(run.gold)!r}, line {number}: not a gold answer: {error}") from error
        known[one.id] = one
    kept = {(id_, one.query) for id_, one in known.items() if one.result is not None}  # what failed is tried again
    if missing := [(id_, query) for id_, query in queries.items() if (id_, query) not in kept]:
        logger.info("{} gold queries are run, whose answers the data set does not store", len(missing))
        with ThreadPoolExecutor(config.run.workers) as pool:
            for one in pool.map(lambda pair: _run(graph, *pair), missing):
                known[one.id] = one
        run.write(run.gold.name, "".join(to_json(one) + "\n" for one in known.values()))
    strict = config.dataset is not None and config.dataset.strict
    for one in (known[id_] for id_ in queries if id_ in known):
        if one.result is not None:
            gold[one.id] = one.result
            if one.result.truncated:
                logger.warning(
                    "the gold query of the question {!r} has more rows than the {:,} that are read of the graph, and "
                    "its score is by these; graph_options: {{row_limit: …}} reads more",
                    one.id,
                    graph.row_limit,
                )
        elif strict:
            raise DataError(f"the gold query of the question {one.id!r} failed: {one.error}")
        else:
            logger.warning("no score for the question {!r}: its gold query failed: {}", one.id, one.error)
    return gold


def with_queries(items: Sequence[Item], schema: Schema, index: LabelIndex) -> tuple[Item, ...]:
    """Return items with the gold queries that their reasoning paths stand for in a graph."""
    names = PathNames(schema, index)

    def with_query(item: Item) -> Item:
        if item.path is None or item.gold_query is not None:
            return item
        try:
            return replace(item, gold_query=render(names.query(item.path)))
        except (MalformedPath, QuerySyntaxError) as error:
            logger.warning("the gold path of the question {!r} cannot be used: {}", item.question.id, error)
            return item

    return tuple(map(with_query, items))


@dataclass(frozen=True, slots=True)
class _Gold:
    """What a gold query returned: a line of ``gold.jsonl``."""

    id: str
    query: str
    result: ResultSet | None = None
    error: str | None = None


def _run(graph: KnowledgeGraph, id_: str, query: str) -> _Gold:
    try:
        return _Gold(id_, query, gold_of(query, graph))
    except GraphError as error:
        return _Gold(id_, query, error=str(error))


def gold_of(query: str, graph: KnowledgeGraph) -> ResultSet:
    """Return what a gold query gives; raises a `GraphError` if it fails."""
    tree = sparql.parse(query)
    safe = check(tree, Policy(row_limit=graph.row_limit))
    return ResultSet(boolean=graph.ask(safe)) if tree.ask else graph.select(safe)
