"""What a setup needs before it can answer, checked one by one.

Each check gives findings: what was looked at, whether it is well, and if not, how to mend it. A check that fails
does not keep the others from being made, and what fails on purpose, a `TriadError`, is a finding and no exception.
"""

import math
import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from pydantic import BaseModel

from triad.configs import NO_MODEL, Config, needs_key
from triad.embedding import Embedder
from triad.errors import DataError, QueryTimeout, ReplyError, SearchError, TriadError
from triad.indexing.profiling.kept import kept_profile, outdated
from triad.kg.base import KnowledgeGraph
from triad.kg.guard import Policy, check
from triad.kg.labels import LabelFinder, Labels
from triad.kg.profiled import kind_of
from triad.kg.schema import Schema
from triad.kg.stores import store_fingerprint
from triad.models import Model, ReplayModel
from triad.models.replies import json_schema, parse_reply
from triad.opening import Setup
from triad.prompts import load_prompt
from triad.questions import Kind
from triad.rdf import IRI, RDF_TYPE
from triad.resources import found_at, from_home
from triad.retrieval.indexed import IndexedGraph
from triad.retrieval.passages.building import why_outdated
from triad.retrieval.sources import passages_of
from triad.retrieval.tables.schema import FOLDER, read_schema
from triad.roles import ROLES, load_roles
from triad.search.base import LabelIndex, Lookup
from triad.trace import Message

SAMPLE: Final = 20
"""Things of the graph whose names are looked up in the index: enough to tell the index of another graph."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found."""

    check: str
    """What was looked at."""
    ok: bool
    detail: str
    """What was seen, or what is wrong."""
    mend: str = ""
    """What to do about it."""


def _timed(call: Callable[[], T]) -> tuple[T, str]:
    """Return what a call gives, and the milliseconds that it took."""
    started = time.perf_counter()
    return call(), f"{(time.perf_counter() - started) * 1_000:,.0f} ms"


def examine(config: Config) -> Iterator[Finding]:
    """Check all that a config names, and yield each finding as soon as it is made."""
    yield from check_roles(config)
    setup = Setup.of(config)
    with ExitStack() as opened:
        embedder, findings = _open_embedder(setup, opened)
        yield from findings
        graph = None
        try:
            setup = setup.prepared()
            graph = opened.enter_context(setup.open_graph())
        except TriadError as error:
            yield _problem("graph", error, "name RDF files, a folder of 'triad index', or an endpoint's address")
        else:
            yield (finding := check_graph(graph))
            if not finding.ok:
                graph = None  # what is looked up in it would fail for the same reason
        if graph is None and setup.index in (None, "endpoint"):
            yield Finding("index", False, "not checked: it comes with the graph", "mend the graph first")
        else:
            try:
                index = opened.enter_context(setup.open_index(graph, embedder, setup.finder(graph) if graph else None))
            except TriadError as error:
                yield _problem("index", error, "build one with 'triad index', or name another with --index")
            else:
                yield from check_index(index, graph)
                if graph is not None:
                    yield check_profile(setup.graph, setup.index_source, graph, index)
                    yield from check_tables(setup.graph)
                    yield from check_words(setup, graph, index)
        if graph is not None:
            yield from check_passages(setup, embedder)
    yield from _check_models(config)


def check_roles(config: Config) -> list[Finding]:
    """Check that the role cards and their prompts can be used."""
    try:
        roles = load_roles(config.roles)
    except TriadError as error:
        return [_problem("roles", error, "see 'triad list roles', and 'triad copy roles NAME' for one to start from")]
    findings = [Finding("roles", True, ", ".join(ROLES))]
    prompts = 0
    for role in ROLES:
        for subtask, name in roles.card(role).prompts.items():
            try:
                load_prompt(name)
                prompts += 1
            except TriadError as error:
                advice = f"see 'triad list prompts'; the card of {role!r} names it for {subtask!r}"
                findings.append(_problem("prompts", error, advice))
    if len(findings) == 1:
        findings.append(Finding("prompts", True, f"{prompts} can be used"))
    return findings


# The graph ------------------------------------------------------------------------------------------------


def check_graph(graph: KnowledgeGraph) -> Finding:
    """Check that a graph answers, and has something to say."""
    query = check("SELECT * { ?s ?p ?o } LIMIT 3", Policy(row_limit=graph.row_limit))
    try:
        rows, taken = _timed(lambda: graph.select(query))
    except QueryTimeout as error:
        return _problem("graph", error, "raise it: --set graph_options.timeout=60")
    except TriadError as error:
        return _problem("graph", error, "is the server running, and is this the address of its SPARQL endpoint?")
    if rows.is_empty:
        return Finding("graph", False, f"{graph.name!r} is empty", "load data, or name other default_graphs")
    return Finding("graph", True, f"{graph.name!r} answers in {taken}")


# The embedder ---------------------------------------------------------------------------------------------


def _open_embedder(setup: Setup, opened: ExitStack) -> tuple[Embedder | None, list[Finding]]:
    try:
        embedder = setup.open_embedder(cached=False)
    except TriadError as error:
        return None, [_problem("embedder", error, "name another as 'embedder', or none: --set embedder=null")]
    if embedder is None:
        return None, []
    opened.enter_context(embedder)
    finding = check_embedder(embedder)
    return (embedder if finding.ok else None), [finding]


def check_embedder(embedder: Embedder) -> Finding:
    """Check that an embedder gives vectors, closer for like words than for others."""
    try:
        (wife, spouse, river), taken = _timed(lambda: embedder.embed(["wife", "spouse", "length of a river"]))
    except TriadError as error:
        return _problem("embedder", error, "check its name, its files or its address")
    if _cosine(wife, spouse) <= _cosine(wife, river):
        detail = f"{embedder.name!r} finds 'wife' no closer to 'spouse' than to the length of a river"
        return Finding("embedder", False, detail, "use a model for sentence embeddings, such as all-MiniLM-L6-v2")
    return Finding("embedder", True, f"{embedder.name!r} gives vectors of {len(wife)} numbers in {taken}")


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True)) / (math.hypot(*one) * math.hypot(*other) or 1.0)


# The label index ------------------------------------------------------------------------------------------


def check_index(index: LabelIndex, graph: KnowledgeGraph | None) -> list[Finding]:
    """Check that an index answers, and that it knows entities, relations and classes of the graph."""
    try:
        _, taken = _timed(lambda: index.search("a name", limit=1))
        samples = _samples(graph, index.labels) if graph else {}
        kinds = [_check_kind(index, kind, names) for kind, names in samples.items()]
    except TriadError as error:
        return [_problem("index", error, "is the server running, and does the index exist? 'triad index' builds one")]
    return [Finding("index", True, f"{index.name!r} answers in {taken}"), *kinds]


def _samples(graph: KnowledgeGraph, labels: Labels | None) -> dict[Kind, dict[str, str]]:
    """Return some entities, relations and classes of a graph, and their names."""
    # What describes the graph itself, and not the world, is not in every index.
    own = "|".join(["http://www.w3.org/(1999|2000|2002)/", "http://www.openlinksw.com/", "http://rdfs.org/ns/void"])
    rows = graph.lookup(
        f"SELECT ?entity ?relation ?class {{ ?entity <{RDF_TYPE}> ?class ; ?relation ?value "
        f'FILTER(isIRI(?entity) && !REGEX(STR(?class), "^({own})") && !REGEX(STR(?relation), "^({own})")) }} '
        f"LIMIT {SAMPLE}"
    )
    schema = Schema(graph, finder=LabelFinder(graph, labels))
    found: dict[Kind, dict[str, str]] = {}
    for kind in ("entity", "relation", "class"):
        terms = dict.fromkeys(row[kind] for row in rows)
        found[kind] = schema.labels(term.value for term in terms if isinstance(term, IRI))
    return found


def _check_kind(index: LabelIndex, kind: Kind, names: dict[str, str]) -> Finding:
    title = f"index of {'entities' if kind == 'entity' else 'classes' if kind == 'class' else 'relations'}"
    if not names:
        return Finding(title, True, "the graph has none to look up")
    results = index.search_many([Lookup(name, (kind,)) for name in names.values()])
    called = zip(names.items(), results, strict=True)
    known = [name for (iri, name), found in called if any(candidate.iri == iri for candidate in found)]
    if not known:
        said = f"{next(iter(names.values()))!r} and the like are not found"
        return Finding(title, False, said, "build the index anew, or name another with --index")
    return Finding(title, True, f"finds {len(known)} of {len(names)} names of the graph, such as {known[0]!r}")


# The graph's profile --------------------------------------------------------------------------------------


def check_profile(source: object, index_source: object, graph: KnowledgeGraph, index: LabelIndex) -> Finding:
    """Check that there is a profile of the graph, and that the graph has not changed since; sources opened the two."""
    mend = _profiling(source, index_source)
    try:
        if (profile := kept_profile(source, index_source, index=index)) is None:
            return Finding("profile", True, "there is none, so the graph itself is asked, which takes longer", mend)
        if why := outdated(profile, source, graph):
            return Finding("profile", False, f"it is out of date: {why}", mend)
    except TriadError as error:
        return _problem("profile", error, mend)
    detail = f"{len(profile.classes):,} classes and {len(profile.relations):,} relations, made {profile.created[:10]}"
    partial = "; it is partial:" if profile.partial else ""
    return Finding("profile", True, " ".join([detail + partial, *profile.partial]))


def _profiling(source: object, index_source: object) -> str:
    """Return the command that makes the profile of a graph."""
    named = source if isinstance(source, str | Path) else "GRAPH"
    address = str(named) if "://" in str(named) else ""
    if isinstance(index_source, str | Path) and index_source != "endpoint":
        return shlex.join(filter(None, ["triad", "index", address, "--profile", "--to", str(index_source)]))
    command = shlex.join(["triad", "index", str(named), "--to", "FOLDER"])
    return f"{command}, and then name the folder with --{'index' if address else 'graph'}"


# Passages and documents -----------------------------------------------------------------------------------


def check_passages(setup: Setup, embedder: Embedder | None = None) -> list[Finding]:
    """Check that passages answer, and that neither graph nor documents changed since; nothing if there are none."""
    wanted = setup.passages is not None or setup.documents is not None
    mend = "triad index CONFIG --passages"
    try:
        if why := why_outdated(setup) if wanted or setup.has_passages else "":
            return [Finding("passages", False, f"they are out of date: {why}", mend)]
        found = passages_of(setup, embedder)
        if found is None:
            return [Finding("passages", False, "there are none", mend)] if wanted else []
        _, taken = _timed(lambda: found.search("a name", 1))
    except TriadError as error:
        return [_problem("passages", error, mend)]
    return [Finding("passages", True, f"{len(found):,} passages answer in {taken}")]


# The glossary ---------------------------------------------------------------------------------------------


def check_words(setup: Setup, graph: KnowledgeGraph, index: LabelIndex) -> list[Finding]:
    """Check that all that the words of the glossary stand for is in the graph; nothing where there is no glossary."""
    if not setup.words:
        return []
    try:
        profile = None
        with suppress(DataError, SearchError):  # which the check of the profile tells
            profile = kept_profile(setup.graph, setup.index_source, index=index)
        glossary = setup.glossary(graph, profile)
        missing = [iri for iri in glossary.iris if kind_of(graph, iri, profile) is None]
        defined = glossary.defined.values()
        empty = [one for one in defined if not graph.ask(check(glossary.holding(one).asked(), Policy()))]
    except TriadError as error:
        return [_problem("words", error, "mend the config's key 'words'")]
    if empty:
        listed = "; ".join(f"{one.word!r}: {one.meaning}" for one in empty[:5])
        return [Finding("words", False, f"definitions that hold of nothing: {listed}", "mend the config's key 'words'")]
    if not missing:
        detail = f"the graph has all that the {len(glossary.words)} words of the glossary stand for"
        return [Finding("words", True, detail)]
    listed = "; ".join(f"{', '.join(map(repr, glossary.phrases(iri)))}: <{iri}>" for iri in missing[:5])
    more = f"; and {len(missing) - 5} more" if len(missing) > 5 else ""
    return [Finding("words", False, f"the graph does not have {listed}{more}", "mend the config's key 'words'")]


# The model ------------------------------------------------------------------------------------------------


class _Reply(BaseModel):
    ok: bool


def _check_models(config: Config) -> Iterator[Finding]:
    try:
        roles = load_roles(config.roles)
    except TriadError:  # what is wrong with the cards was said before
        roles = load_roles()
    try:
        names = config.model_names(roles)
    except TriadError as error:
        yield _problem("model", error, "name one with --model, or take 'model' away from the cards of single roles")
        return
    if not names:
        yield Finding("model", True, f"{NO_MODEL}: questions are answered by the lexical solver")
        return
    if config.on_model_failure == "lexical":
        yield Finding("model failure", True, "the lexical solver answers while the model fails")
    # A reply from the cache would say nothing about the server.
    options = config.model_options.model_copy(update={"cache": False})
    uncached = config.model_copy(update={"model_options": options})
    for name in sorted(set(names.values())):
        if needs_key(name) and not config.model_options.api_key_file:
            advice = (
                "set OPENAI_API_KEY, keep a key with 'triad models keys set openai', or name a model that needs none, "
                "such as --model ollama:llama3.1, or none"
            )
            yield Finding("model", False, f"there is no key for {name!r}", advice)
            continue
        try:
            model = uncached.open_model(name)
        except TriadError as error:
            yield _problem("model", error, "name another with --model")
            continue
        assert model is not None
        with closing(model):
            yield from check_model(model)


def check_model(model: Model) -> list[Finding]:
    """Check that a model gives a tiny JSON reply; of a recording, that it is there."""
    if isinstance(model, ReplayModel):
        files = ", ".join(repr(str(path)) for path in model.paths)
        return [Finding("model", True, f"recorded replies of {files} are used; they know the recorded questions only")]
    try:
        messages = [Message("user", 'Reply with this JSON object and nothing else: {"ok": true}')]
        completion, taken = _timed(lambda: model.complete(messages, json_schema(_Reply)))
        parse_reply(completion.text, _Reply)
    except ReplyError as error:
        return [_problem("model", error, f"{model.name!r} does not write JSON; use another model")]
    except TriadError as error:
        return [_problem("model", error, "check its name, its address and its key")]
    tokens = completion.usage.input_tokens + completion.usage.output_tokens
    return [Finding("model", True, f"{model.name!r} replies in JSON after {taken}, for {tokens:,} tokens")]


def _problem(title: str, error: TriadError, mend: str) -> Finding:
    return Finding(title, False, str(error), mend)


def check_tables(source: object) -> Iterator[Finding]:
    """Check the tables in the folder that a graph is opened from; nothing if there are none."""
    folder = from_home(source) if isinstance(source, str | Path) else None
    if folder is None or found_at(folder / FOLDER) != "folder":
        return
    mend = shlex.join(["triad", "index", "--to", str(source), "--tables"])
    try:
        schema = read_schema(folder / FOLDER)
        now = store_fingerprint(IndexedGraph.read(folder, "tables").store)
    except TriadError as error:
        yield _problem("tables", error, mend)
        return
    if schema.fingerprint not in ("", now):
        yield Finding("tables", False, "they are out of date: the graph has changed since they were made", mend)
        return
    rows = sum(table.rows for table in schema)
    yield Finding("tables", True, f"{len(schema.tables):,} tables with {rows:,} rows")
