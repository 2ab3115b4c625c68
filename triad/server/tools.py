"""The tools that a graph is to a language model, by the Model Context Protocol (MCP).

They are the same over HTTP, where each request has its key, and on standard input and output, where who starts the
program asks. A client that cancels a call, or leaves, cancels its question.

What a program needs to write queries, the schema of a graph, shapes of classes, and why a query finds nothing, is told
in lines, which cost a language model little to read, and in names with the graph's prefixes.
"""

import asyncio
import functools
from collections.abc import Awaitable, Callable, Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import FastAPI
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, ToolAnnotations
from pydantic import Field
from starlette.datastructures import State

from triad.agent import Agent
from triad.answers import Reading
from triad.deadline import Deadline
from triad.description import GraphDescription
from triad.handwritten import begun, prefixes_of
from triad.kg.guard import check
from triad.kg.lookups import LookupTime, QuestionGraph
from triad.language.glossary import whole_iri
from triad.phases.diagnosis import diagnose_query
from triad.rdf import BUILT_IN, IRI, Term, compact, writable
from triad.resources import read
from triad.server.access import Asker, check_scopes
from triad.server.asking import LANGUAGE, LONGEST, Asking, AskRequest
from triad.server.events import Events
from triad.server.problems import Problem, of
from triad.server.querying import QueryView, result_of, run
from triad.server.settings import KeyLimits
from triad.server.state.keys import SCOPES
from triad.server.things import ThingView, look_up
from triad.server.told import metadata
from triad.server.views import LinkView, View
from triad.strict import load_yaml
from triad.text import one_line, shortened

_INSTRUCTIONS: Final = (
    "Asks RDF knowledge graphs in plain language. Use ask for questions; its answers come with the SPARQL query that "
    "gave them. Where ask does not know, profile tells what a graph is about, find_names finds the IRIs of things, "
    "describe tells what the graph has on one of them, and run_query runs a SELECT or ASK query of your own. To write "
    "one, schema lists classes and relations, shape tells what the instances of a class have and shows some, and "
    "diagnose tells which part of a query finds nothing. The prefixes of schema need not be declared in queries."
)
_READS: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)

_PROMPTS: Final = load_yaml(read(Path(__file__).with_name("prompts.yaml")), "prompts.yaml")
_LINES: Final = 300  # classes and relations that are told of a graph
_FACTS: Final = 100  # that are told of one instance

QueryText = Annotated[str, Field(min_length=1, max_length=50_000, description="SPARQL: SELECT or ASK.")]
GraphName = Annotated[str | None, Field(description="The graph; by default the first one.", max_length=300)]


class FoundNames(View):
    """Names that were found."""

    names: list[LinkView]


class About(View):
    """What a graph is about."""

    profile: GraphDescription


class ToolAnswer(View):
    """An answer, or why there is none."""

    outcome: str = Field(description="answer, unknown, or said: a question back, for example.")
    text: str
    values: list[str]
    query: str | None = Field(description="The query that gave the answer.")
    confidence: float | None
    reasons: list[str] = Field(description="Why it is not known.")
    readings: list[Reading] = Field(description="What else the question may mean, each with its answer.")
    citations: list[dict[str, Any]]
    graph: str
    turn: str
    conversation: str | None = Field(description="What to name in order to ask on.")
    next_questions: list[str] = Field(description="What the answer invites to ask; each surely has an answer.")


class Told(View):
    """What is told of a graph, a thing a line."""

    lines: list[str]


class _Server(MCPServer):
    async def get_prompt(self, *arguments: Any, **named: Any) -> Any:
        """Return a prompt; that one is not there, or lacks its text, is for who asks to know, and not for the log."""
        try:
            return await super().get_prompt(*arguments, **named)
        except ValueError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from None


def tools(state: State, identify: Callable[[Context[Any, Any]], Awaitable[Asker]]) -> MCPServer:
    """Return the tools of an app of that state; ``identify`` tells who asks."""
    asking: Asking = state.asking
    server = _Server(
        "triad", title="Triad", version=version("triad-kgqa"), instructions=_INSTRUCTIONS, log_level="WARNING"
    )

    def tool(title: str) -> Callable[[Callable[..., Awaitable[Any]]], object]:
        return lambda work: server.tool(title=title, annotations=_READS)(_telling(work))

    async def asker_with(context: Context[Any, Any], *scopes: str) -> Asker:
        asker = await identify(context)
        check_scopes(asker, *scopes)
        return asker

    @tool("Ask a question")
    async def ask(
        context: Context[Any, Any],
        question: Annotated[str, Field(min_length=1, max_length=LONGEST, description="In plain language.")],
        graph: GraphName = None,
        language: Annotated[str | None, Field(description="Its language, as a tag.", pattern=LANGUAGE)] = None,
        conversation: Annotated[
            str | None, Field(description="To ask on: the conversation of an earlier answer; or 'new'.", max_length=32)
        ] = None,
        suggest: Annotated[bool, Field(description="Whether to tell what may be asked next.")] = False,
    ) -> ToolAnswer:
        """Ask a graph a question in plain language, and get the answer with its query."""
        asker = await asker_with(context, "ask")
        asked = AskRequest(question, graph=graph, language=language, conversation=conversation)
        events = Events(inspect=False)
        reporting = asyncio.create_task(_report(context, events))
        try:
            kept = await asking.answer(asker, asked, events)
            events.end()
            await asyncio.gather(reporting, return_exceptions=True)  # what was done is told before what came of it
            further = await asking.next_questions(asker, kept) if suggest else ()
            told = {"text": kept.turn.reply, "next_questions": [one.question for one in further]}
            readings = [*kept.turn.readings, *(Reading(one.label) for one in kept.turn.options)]
            return ToolAnswer.model_validate(metadata(kept) | told | {"readings": readings})
        finally:
            reporting.cancel()
            await asyncio.gather(reporting, return_exceptions=True)

    @tool("Find names")
    async def find_names(
        context: Context[Any, Any],
        text: Annotated[str, Field(min_length=1, max_length=200, description="A name, or how it begins.")],
        graph: GraphName = None,
        limit: Annotated[int, Field(ge=1, le=50)] = 10,
    ) -> FoundNames:
        """Find the things, classes and relations of a graph that have a name, with their IRIs."""
        asker = await asker_with(context, "ask", "query")

        def look(agent: Agent, _: Deadline) -> list[LinkView]:
            # Names that the text begins, and those that are like it.
            every = [*agent.index.complete(text, limit), *agent.index.search(text, limit)]
            return [*map(LinkView.model_validate, {one.iri: one for one in every}.values())][:limit]

        return FoundNames(names=await asking.look_up(asker, graph, "names", text, look))

    @tool("Describe a thing")
    async def describe(
        context: Context[Any, Any],
        iri: Annotated[str, Field(min_length=1, max_length=2_000, description="The IRI of a thing.")],
        graph: GraphName = None,
    ) -> ThingView:
        """Tell what a graph has on one thing: its classes, its relations, and their values."""
        asker = await asker_with(context, "ask", "query")
        if not writable(iri):
            raise Problem("bad-request", "That is no IRI.")
        if (found := await asking.look_up(asker, graph, "things", iri, functools.partial(look_up, iri=iri))) is None:
            raise Problem("not-found", "The graph says nothing of that thing.")
        return found

    @tool("What a graph is about")
    async def profile(context: Context[Any, Any], graph: GraphName = None) -> About:
        """Tell what a graph is about: its classes with their relations, and questions that it surely answers."""
        asker = await asker_with(context, "ask", "query")
        served = asking.graphs.find(graph, asker.reach)
        async with asking.audit.of(asker, served.name, "profile", ""):
            return About(profile=await served.description(5))

    @tool("Run a query")
    async def run_query(
        context: Context[Any, Any],
        query: QueryText,
        graph: GraphName = None,
        seconds: Annotated[float, Field(ge=0.1, le=60)] = 10.0,
    ) -> QueryView:
        """Run a SELECT or ASK query on a graph, if the guard lets it pass: it reads only, and has a limit."""
        asker = await asker_with(context, "query")
        return await run(asking.graphs.find(graph, asker.reach), query, seconds, asker, state, result_of)

    @tool("Classes and relations")
    async def schema(context: Context[Any, Any], graph: GraphName = None) -> Told:
        """List the prefixes, classes and relations of a graph, with counts and what the relations connect."""
        return await asking.look_up(await asker_with(context, "query"), graph, "profile", "", schema_of)

    @tool("What instances of a class have")
    async def shape(
        context: Context[Any, Any],
        class_: Annotated[str, Field(max_length=2_000, description="As schema names it, or its IRI.")],
        samples: Annotated[int, Field(ge=0, le=10, description="How many instances are shown.")] = 2,
        graph: GraphName = None,
    ) -> Told:
        """Tell what the instances of a class have, and what leads to them (^), and show some of them."""
        work = functools.partial(shape_of, class_=class_, samples=samples)
        return await asking.look_up(await asker_with(context, "query"), graph, "things", class_, work)

    @tool("Why a query finds nothing")
    async def diagnose(context: Context[Any, Any], query: QueryText, graph: GraphName = None) -> Told:
        """Tell which part of a query of yours finds nothing, and what there is without it."""
        work = functools.partial(diagnosis_of, query=query)
        return await asking.look_up(await asker_with(context, "query"), graph, "query", query, work)

    for name, prompt in _PROMPTS.items():
        server.prompt(name=name, title=prompt["title"])(_prompt(prompt["text"]))
    return server


async def serve(app: FastAPI) -> None:
    """Have the tools of an app answer on standard input and output until the input ends."""
    owner = Asker("program", "program", frozenset(SCOPES), KeyLimits(requests_a_minute=None))

    async def asker_of(_: Context[Any, Any]) -> Asker:
        return owner

    async with app.router.lifespan_context(app):
        await tools(app.state, asker_of).run_stdio_async()


async def _report(context: Context[Any, Any], events: Events) -> None:
    """Report the steps of a question as progress."""
    async for name, data in events:
        if name == "step":
            said = f"{data['phase']}: {data['service']} {data['action']}"
            await context.report_progress(data["number"], None, said)


def _telling(tool: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Return a tool that tells of errors what their problems tell, and nothing else."""

    @functools.wraps(tool)
    async def telling(*arguments: Any, **named: Any) -> Any:
        try:
            return await tool(*arguments, **named)
        except Exception as error:
            problem = of(error)
            raise ToolError(f"{problem.name}: {problem.detail}") from None

    return telling


def _prompt(template: str) -> Callable[[str], str]:
    def prompt(text: str) -> str:
        return template.format(text=text)

    return prompt


# What is told in lines ------------------------------------------------------------------------------------


def schema_of(agent: Agent, _: Deadline) -> Told:
    """Tell the prefixes, classes and relations of a graph, those with most instances and triples."""
    prefixes, profile = prefixes_of(agent), agent.profile
    lines = [f"prefix {prefix}: <{space}>" for prefix, space in prefixes.items()]
    if profile is None:
        for found in agent.describe(questions=0).classes:
            lines.append(f"class {compact(found.iri, prefixes)} ({found.label}): {found.instances} instances")
        return Told(lines=lines)
    for one in [one for one in profile.classes if one.instances and not one.iri.startswith(BUILT_IN)][:_LINES]:
        above = f", below {_listed(one.superclasses, prefixes)}" if one.superclasses else ""
        lines.append(f"class {_named(agent, one.iri, prefixes)}: {one.instances} instances{above}")
    for relation in profile.relations[:_LINES]:
        ends = (f"{_listed([end.subject], prefixes)} → {_listed([end.object], prefixes)}" for end in relation.ends[:3])
        told = "; ".join(ends)
        lines.append(f"relation {_named(agent, relation.iri, prefixes)}: {relation.triples} triples, {told}")
    return Told(lines=lines)


def shape_of(agent: Agent, deadline: Deadline, class_: str, samples: int) -> Told:
    """Tell what the instances of a class have, and what leads to them (^), with some of the instances."""
    prefixes = prefixes_of(agent)
    iri = whole_iri(class_, prefixes, "class")
    schema = agent.schema.over(QuestionGraph(agent.graph, LookupTime(deadline.left)))
    notes = agent.profile.notes if agent.profile else {}
    lines = [_named(agent, iri, prefixes)]
    for hop in sorted(schema.class_card(iri), key=lambda hop: (hop.direction == "in", -hop.coverage)):
        way = "^" if hop.direction == "in" else ""
        ends = f", to {_listed(hop.classes, prefixes)}" if hop.classes else ""
        values = notes[hop.relation].values if hop.relation in notes else ()
        such = f"one of {', '.join(values)}" if values else f"such as {_value(hop.sample, prefixes)}"
        lines.append(f"{way}{_named(agent, hop.relation, prefixes)}: {hop.coverage:.0%} have it{ends}, {such}")
    pattern = schema.instance_pattern("?x", iri)
    found = agent.graph.select(check(f"SELECT DISTINCT ?x {{ {pattern} FILTER(isIRI(?x)) }} LIMIT {samples or 1}"))
    for thing in found.column("x")[:samples]:
        held = agent.graph.select(check(f"SELECT ?p ?v {{ {thing.n3()} ?p ?v }} LIMIT {_FACTS}"), timeout=deadline.left)
        facts = (f"{compact(str(row['p']), prefixes)} {_value(row['v'], prefixes)}" for row in held)
        lines.append(f"{compact(str(thing), prefixes)} {'; '.join(facts)}")
    return Told(lines=lines)


def diagnosis_of(agent: Agent, deadline: Deadline, query: str) -> Told:
    """Tell what a query finds; where that is nothing, which parts find nothing, and what there is without each."""
    context, safe, tree = begun(agent, query)
    result = context.execute(safe, ask=tree.ask, timeout=deadline.left)
    if rows := len(result) or int(result.boolean or 0):
        return Told(lines=[f"It finds something: {rows} rows."])
    return Told(lines=["It finds nothing.", *diagnose_query(context, tree, prefixes_of(agent))])


def _named(agent: Agent, iri: str, prefixes: Mapping[str, str]) -> str:
    return f"{compact(iri, prefixes)} ({agent.schema.label(IRI(iri))})"


def _listed(iris: Iterable[str], prefixes: Mapping[str, str]) -> str:
    return ", ".join(compact(iri, prefixes) if iri else "anything" for iri in iris)


def _value(term: Term, prefixes: Mapping[str, str]) -> str:
    return compact(term.value, prefixes) if isinstance(term, IRI) else shortened(one_line(term.n3()))
