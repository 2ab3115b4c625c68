"""The command line: ask, index, run benchmarks, and look after what is asked with.

Data go to standard output, everything else to standard error, so that any command can stand in a pipe. A fault of
the user's or of a service is one line, ``triad: …``, and exit code 1; a traceback is for bugs. What takes long to
import is imported by the command that needs it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from loguru import logger
from typer.core import TyperGroup

from triad.errors import AnswerError, ConfigError, DataError, ResourceNotFound, TriadError

if TYPE_CHECKING:
    from rich.console import Console

    from triad.agent import Agent
    from triad.answers import Answer
    from triad.configs import Config
    from triad.indexing.recipe import Recipe
    from triad.trace import Step, Trace

__all__ = ["app", "main"]


class _Faults(TyperGroup):
    """The frame around every command: what goes wrong for a reason is told in a line, with an exit code."""

    def invoke(self, ctx: Any) -> Any:
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except TriadError as error:
            _tell(error)
            raise typer.Exit(1) from error
        except KeyboardInterrupt as error:
            _tell("interrupted")
            raise typer.Exit(130) from error
        except BrokenPipeError as error:
            # Python flushes standard output once more when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(141) from error


app = typer.Typer(
    name="triad",
    cls=_Faults,
    help="Ask any RDF knowledge graph in plain language.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line."""
    app(prog_name="triad")


def _examples(*lines: str) -> str:
    return "\n\n".join(("[dim]Examples:[/]", *lines))


def _tell(message: object) -> None:
    from triad.text import clean

    typer.echo(clean(f"triad: {message}"), err=True)


# Options --------------------------------------------------------------------------------------------------


class Kind(Enum):
    """The folders of files that users edit."""

    roles = "roles"
    prompts = "prompts"
    configs = "configs"
    index = "index"


ConfigName = Annotated[
    str | None, typer.Option("--config", "-c", help="A config, by name or path: see 'triad list configs'.")
]
GraphSources = Annotated[
    list[str] | None,
    typer.Option("--graph", "-g", help="RDF files, a folder of 'triad index', or an endpoint's address."),
]
IndexSource = Annotated[
    str | None, typer.Option("--index", "-i", help="A label index; by default the one that comes with the graph.")
]
ModelName = Annotated[
    str | None,
    typer.Option(
        "--model",
        "-m",
        help="Such as openai:gpt-4.1-mini, ollama:llama3.1 or replay:FILE; none, the default, answers without a model.",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", help="Change a key of the config, as YAML: --set roles.advisor.tries=1", metavar="KEY=VALUE"),
]
AsJson = Annotated[bool, typer.Option("--json", help="Give JSON.")]


def _config(
    name: str | None, graph: list[str] | None, index: str | None, model: str | None, settings: list[str] | None
) -> Config:
    """Return the config that the options describe."""
    from triad.configs import load_config, make_config

    changes = _changes(graph, index, model, settings)
    if name is None and "graph" not in changes:
        logger.info("no graph and no config is named: the config 'demo' is used")
        name = "demo"
    if name is not None:
        return load_config(name, changes)
    return make_config({}, changes, "options")


def _changes(
    graph: list[str] | None, index: str | None, model: str | None, settings: list[str] | None
) -> dict[str, Any]:
    """Return the keys of a config that the options replace."""
    changes: dict[str, Any] = {}
    if graph:
        paths = [_from_here(source) for source in graph]
        changes["graph"] = paths[0] if len(paths) == 1 else paths
    if index:
        changes["index"] = _from_here(index)
    if model:
        kind, _, rest = model.partition(":")
        changes["model"] = f"replay:{_from_here(rest)}" if kind == "replay" else model
    return {**changes, **dict(map(_setting, settings or []))}


def _setting(text: str) -> tuple[str, Any]:
    import yaml

    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"--set takes KEY=VALUE, such as roles.advisor.tries=1, not {text!r}")
    try:
        return key.strip(), yaml.safe_load(value)
    except yaml.YAMLError as error:
        raise ConfigError(f"the value of --set {text!r} is not YAML: {' '.join(str(error).split())}") from error


def _from_here(source: str) -> str:
    """Return a path as an absolute one: those in a config would start at the config's folder."""
    path = Path(source).expanduser()
    return str(path.absolute()) if path.exists() else source


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"triad {version('triad-kgqa')}")
        raise typer.Exit


@app.callback()
def _root(
    verbose: Annotated[
        int, typer.Option("--verbose", "-v", count=True, help="Log more; twice for everything.", show_default=False)
    ] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Log errors only.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    level = "ERROR" if quiet else ["INFO", "DEBUG", "TRACE"][min(verbose, 2)]
    form = "triad: {message}" if level in ("INFO", "ERROR") else "{time:HH:mm:ss.SSS} {level:<7} {name}: {message}"
    logger.remove()
    logger.add(_log, level=level, format=form, diagnose=False)


def _log(line: str) -> None:
    from triad.text import clean

    sys.stderr.write(clean(line))  # looked up anew each time, for a progress bar may have taken its place


# Asking ---------------------------------------------------------------------------------------------------


@app.command(
    epilog=_examples(
        'triad ask "Which rivers flow through Austria?"',
        'triad ask "Who wrote Momo?" --graph books.ttl',
        'triad ask "Who wrote Momo?" --graph books.ttl --model openai:gpt-4.1-mini',
        "triad ask - --json < questions.txt > answers.jsonl",
    )
)
def ask(
    question: Annotated[str, typer.Argument(help="The question, or - for one question a line of standard input.")],
    config: ConfigName = None,
    graph: GraphSources = None,
    index: IndexSource = None,
    model: ModelName = None,
    settings: Settings = None,
    sentence: Annotated[
        bool, typer.Option("--sentence", help="Answer in a sentence, which costs a call of a model.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Tell how the answer came about.")] = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show each step as it happens.")] = False,
    as_json: AsJson = False,
    save_trace: Annotated[
        Path | None, typer.Option("--save-trace", help="Keep answer and trace in a file for 'triad show'.")
    ] = None,
) -> None:
    """Ask a question.

    Without --config and --graph, the demo graph is asked. Without a model, in the config or by --model, the question's
    words are matched with the graph's names, and its query is found by walking the graph: this needs no key.
    """
    from triad import display

    if question == "-" and save_trace:
        raise ConfigError("--save-trace keeps one answer; for questions from standard input, --json gives every trace")
    settled = _config(config, graph, index, model, settings)
    out, log = display.data_console(), display.log_console()

    def answer(text: str) -> Answer:
        with log.status("reading the question") as status:

            def on_step(step: Step) -> None:
                status.update(f"{step.phase}: {step.action} done")
                if trace:
                    display.show_step(log, step)

            return agent.ask(text, sentence=sentence, on_step=on_step)

    def give(found: Answer) -> None:
        if explain:
            display.show_text(out, found.explain())
        else:
            display.show_answer(out, found, sentence=sentence)

    with _agent(settled, log) as agent:
        if question == "-":
            _ask_lines(answer, give, as_json)
            return
        try:
            found = answer(question)
        except AnswerError as error:
            if save_trace and error.trace:
                _save(save_trace, error.trace)
            raise
        if as_json:
            display.show_text(out, found.to_json(indent=2))
        else:
            give(found)
        if save_trace:
            _save(save_trace, found)


def _agent(config: Config, log: Console) -> Agent:
    """Open what a config names, and show what takes long of it."""
    from triad import display
    from triad.agent import Agent
    from triad.indexing import is_rdf, prepared
    from triad.kg.parsing import ParseLimits

    if config.index is None and is_rdf(config.graph_source):
        with display.progress(log, transient=True) as progress:
            limits = ParseLimits.taken(dict(config.graph_options))
            prepared(config.graph_source, progress=progress, limits=limits)
    with log.status("opening graph, index and model"):
        return Agent.from_config(config)


def _ask_lines(answer: Callable[[str], Answer], give: Callable[[Answer], None], as_json: bool) -> None:
    """Answer each line of standard input; one that fails does not keep the others from being answered."""
    from triad.answers import to_json

    failed = False
    for line in filter(None, map(str.strip, sys.stdin)):
        try:
            found = answer(line)
        except TriadError as error:
            failed = True
            _tell(error)
            if as_json:
                failure: dict[str, Any] = {"question": {"text": line}, "error": str(error)}
                if isinstance(error, AnswerError) and error.trace:
                    failure["trace"] = json.loads(to_json(error.trace))
                typer.echo(json.dumps(failure, ensure_ascii=False))
            continue
        if as_json:
            typer.echo(found.to_json())
        else:
            typer.echo(f"# {line}")
            give(found)
            typer.echo()
    if failed:
        raise typer.Exit(1)


@app.command(
    epilog=_examples(
        "triad chat",
        "triad chat --graph books.ttl --model openai:gpt-4.1-mini",
        'triad chat --resume "Who wrote Momo?"',
        "triad chat < questions.txt",
    )
)
def chat(
    config: ConfigName = None,
    graph: GraphSources = None,
    index: IndexSource = None,
    model: ModelName = None,
    settings: Settings = None,
    resume: Annotated[
        str | None, typer.Option("--resume", help="Go on with a conversation, by id or title; /list shows them.")
    ] = None,
    sentence: Annotated[
        bool, typer.Option("--sentence", help="Have a model write the replies, which costs a call a turn.")
    ] = False,
    store: Annotated[
        Path | None, typer.Option("--store", help="The file of conversations; by default the user's, or TRIAD_CHATS.")
    ] = None,
    forget: Annotated[bool, typer.Option("--forget", help="Keep nothing of the conversation.")] = False,
) -> None:
    """Ask several questions, each in the context of those before.

    "When was it founded?", "and of Italy?", "only those in Germany", "sort by population" and "why?" are understood.
    /help lists the commands, Ctrl-C stops a turn, Ctrl-D ends the chat.
    """
    from triad import display
    from triad.chat import Chat
    from triad.conversation.store import Store, default_path

    if forget and (resume or store):
        raise ConfigError("--forget keeps no conversation, so that --resume and --store have no use with it")
    settled = _config(config, graph, index, model, settings)
    path = store or default_path()
    kept = None if forget else Store(path)
    with _agent(settled, display.log_console()) as agent:
        history = None if forget else path.with_suffix(".history")
        well = Chat(agent, kept, resume=resume, sentence=sentence, history=history).run()
    if kept:
        kept.close()
    if not well and not sys.stdin.isatty():
        raise typer.Exit(1)


def _save(path: Path, value: Answer | Trace) -> None:
    from triad.answers import to_json

    _write(path, to_json(value, indent=2) + "\n")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {str(path)!r}: {error}") from error


@app.command(
    epilog=_examples(
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
    from triad import display, resources
    from triad.answers import to_json

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

    from triad import display
    from triad.configs import load_config

    keys = load_config(path).resolved()
    text = json.dumps(keys, indent=2) if as_json else yaml.safe_dump(keys, sort_keys=False, allow_unicode=True)
    display.show_text(display.data_console(), text.removesuffix("\n"))


def _read_answer(source: str) -> Answer:
    from triad import resources
    from triad.answers import Answer, from_json
    from triad.trace import Trace

    text = sys.stdin.read() if source == "-" else resources.read(Path(source))
    try:
        if "steps" in json.loads(text):
            trace = from_json(Trace, text)
            return Answer(trace.question, trace=trace)
        return from_json(Answer, text)
    except (ValueError, TypeError) as error:
        raise DataError(f"{source!r} is not an answer of 'triad ask --save-trace' or --json") from error


# Graphs and files -----------------------------------------------------------------------------------------


@app.command(
    "index",
    epilog=_examples(
        "triad index books.ttl authors.nt.gz --to books",
        "triad index dbpedia --dry-run",
        "triad index dbpedia --to elasticsearch:http://localhost:9200/dbpedia",
        "triad index https://example.org/sparql --to example",
        'triad ask "Who wrote Momo?" --graph books',
    ),
)
def index_sources(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="RDF files, compressed or not; a recipe, see 'triad list index'; or an endpoint's address."
        ),
    ],
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
        typer.Option("--parse-memory", min=0, help="GiB that the parser of a file may take; by default 2."),
    ] = None,
    parse_timeout: Annotated[
        float | None,
        typer.Option("--parse-timeout", min=1, help="Seconds in which the parser must come further; by default 60."),
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option("--embedder", help="Have Elasticsearch keep vectors, too, such as those of fastembed:NAME."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a graph and its label index, or the index alone, from RDF files, a recipe or an endpoint."""
    from triad import display
    from triad.indexing.pipeline import downloads_folder, run
    from triad.indexing.plan import plan

    recipe = _recipe(sources)
    out, log = display.data_console(), display.log_console()
    if dry_run:
        store = recipe.store and not (to or "").startswith("elasticsearch:")
        made = plan(recipe, downloads or downloads_folder(), store=store)
        if as_json:
            display.show_text(out, json.dumps(asdict(made), indent=2))
        else:
            display.show_plan(out, made)
        return
    if to is None:
        raise ConfigError("what is to be made? --to names a folder, or elasticsearch:http://HOST:9200/INDEX")
    if lenient and max_errors is None:
        max_errors = sys.maxsize
    limits = recipe.parse_limits
    if parse_memory is not None:
        limits = replace(limits, memory=int(parse_memory * 2**30))
    if parse_timeout is not None:
        limits = replace(limits, seconds=parse_timeout)
    with display.progress(log) as progress:
        report = run(
            recipe,
            to,
            downloads=downloads,
            resume=resume,
            overwrite=overwrite,
            max_errors=max_errors,
            progress=progress,
            embedder=embedder,
            limits=limits,
        )
    if as_json:
        display.show_text(out, json.dumps(asdict(report), default=str, indent=2))
        return
    for skipped in report.skipped_lines:
        logger.warning("left out: {}, line {}: {}", skipped.file, skipped.line, skipped.message)
    rows = [("triples", f"{report.triples:,}"), *((kind, f"{count:,}") for kind, count in report.entries.items())]
    if report.skipped:
        rows.append(("left out", f"{report.skipped:,}"))
    display.show_table(out, ("what", "count"), rows)
    use = f"--graph {report.target}" if report.store else f"--graph … --index {report.target}"
    logger.info('made in {:.1f} s; ask: triad ask "…" {}', report.seconds, use)


def _recipe(sources: list[str]) -> Recipe:
    """Return the recipe that is named, or that files or an endpoint are."""
    from triad.indexing.recipe import load_recipe, recipe_of

    [*_, last] = sources
    named = last.endswith((".yaml", ".yml")) or not (Path(last).suffix or "/" in last or Path(last).exists())
    if named and len(sources) > 1:
        raise ConfigError(f"the recipe {last!r} is carried out by itself; name nothing else")
    return load_recipe(last) if named else recipe_of(sources)


@app.command("list")
def list_files(
    kind: Annotated[Kind | None, typer.Argument(help="What to list; by default everything.")] = None,
    as_json: AsJson = False,
) -> None:
    """List roles, prompts, configs and indexing recipes: those in the folders of TRIAD_PATH, and the shipped ones."""
    from triad import display, resources

    rows = [
        (one.value, name, _description(one, path), str(path))
        for one in ([kind] if kind else Kind)
        for name, path in resources.available(one.value).items()
    ]
    header = ("kind", "name", "description", "path")
    out = display.data_console()
    if as_json:
        listed = [dict(zip(header, row, strict=True)) for row in rows]
        display.show_text(out, json.dumps(listed, indent=2, ensure_ascii=False))
    else:
        display.show_table(out, header, rows)


def _description(kind: Kind, path: Path) -> str:
    from triad import resources
    from triad.prompts import load_prompt
    from triad.strict import load_yaml

    try:
        if kind is Kind.prompts:
            return load_prompt(path).description
        data = load_yaml(resources.read(path), str(path))
    except ConfigError as error:
        return f"cannot be used: {error}"
    return str(data.get("description") or data.get("purpose") or "")


@app.command(epilog=_examples("triad copy configs demo", "triad copy prompts parse_question my_prompts/"))
def copy(
    kind: Annotated[Kind, typer.Argument(help="What to copy.")],
    name: Annotated[str, typer.Argument(help="Its name, as 'triad list' gives it.")],
    to: Annotated[
        Path | None, typer.Argument(help="File or folder to copy to; by default KIND/ in TRIAD_PATH or in this folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace what is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Copy a shipped role, prompt, config or recipe, to edit it."""
    from triad import resources

    suffix = resources.SUFFIXES[kind.value]
    shipped = {path.stem: path for path in sorted((resources.bundled_root() / kind.value).glob(f"*{suffix}"))}
    if name not in shipped:
        raise ResourceNotFound(f"nothing shipped in {kind.value!r} has the name {name!r}; known: {', '.join(shipped)}")
    source = shipped[name]
    root = Path(os.environ.get("TRIAD_PATH", "").split(os.pathsep)[0]).expanduser()
    target = to or root / kind.value
    if target.suffix != suffix:
        target /= source.name
    pairs = [(source, target)]
    if (companion := source.with_suffix("")).is_dir():
        pairs.append((companion, target.parent / companion.name))
    for _, path in pairs:
        if path.exists() and not force:
            raise ConfigError(f"{str(path)!r} exists; name another place, or replace it with --force")
    for origin, path in pairs:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(origin, path, dirs_exist_ok=True) if origin.is_dir() else shutil.copyfile(origin, path)
        except OSError as error:
            raise ConfigError(f"cannot write {str(path)!r}: {error}") from error
    copies = [str(path) for _, path in pairs]
    typer.echo(json.dumps(copies) if as_json else "\n".join(copies))
    if resources.available(kind.value).get(target.stem, Path()).resolve() != target.resolve():
        logger.info("name it by its path, or set TRIAD_PATH to the folder that has {!r}", kind.value)


@app.command(
    epilog=_examples("triad doctor", "triad doctor --graph https://dbpedia.org/sparql --model openai:gpt-4.1-mini")
)
def doctor(
    config: ConfigName = None,
    graph: GraphSources = None,
    index: IndexSource = None,
    model: ModelName = None,
    settings: Settings = None,
    as_json: AsJson = False,
) -> None:
    """Check graph, index, model, roles and prompts, and say how to mend what is wrong.

    The check of a model makes one tiny call; without a model there is none. Exits with 0 only if all is well.
    """
    from triad import display
    from triad.doctor import Finding, examine

    out = display.data_console()
    try:
        found = examine(_config(config, graph, index, model, settings))
    except ConfigError as error:
        found = iter([Finding("config", False, str(error), "see 'triad list configs', and 'triad doctor --help'")])
    findings = []
    for finding in found:
        findings.append(finding)
        if not as_json:
            display.show_finding(out, finding)
    if as_json:
        display.show_text(out, json.dumps([asdict(finding) for finding in findings], indent=2, ensure_ascii=False))
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)


# Runs -----------------------------------------------------------------------------------------------------


class ReportFormat(Enum):
    """What 'triad report' writes."""

    html = "html"
    markdown = "markdown"
    json = "json"
    qald = "qald"
    text2sparql = "text2sparql"


@app.command(
    "run",
    epilog=_examples(
        "triad run demo",
        "triad run qald9 --limit 20 --set run.workers=4 --out runs/first",
        "triad run qald9 --out runs/first --resume",
        "triad run table4 --dry-run",
    ),
)
def run_config(
    config: Annotated[str, typer.Argument(help="A config, by name or path: see 'triad list configs'.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The run's folder; by default runs/ and the config's name.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in that folder, if there is one.")
    ] = False,
    limit: Annotated[int | None, typer.Option("--limit", "-n", min=1, help="Ask so many questions at most.")] = None,
    ids: Annotated[str | None, typer.Option("--ids", help="Ask the questions of these ids, with commas.")] = None,
    filters: Annotated[
        list[str] | None,
        typer.Option("--filter", help="Ask those with this tag, such as answer_type=count.", metavar="TAG=VALUE"),
    ] = None,
    graph: GraphSources = None,
    index: IndexSource = None,
    model: ModelName = None,
    settings: Settings = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what the run would cost, and ask nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a config over its data set, and report how good the answers are and what they cost."""
    from triad import display
    from triad.evaluation.run import run
    from triad.explain import cost

    selection: dict[str, Any] = {
        "limit": limit,
        "ids": [id_.strip() for id_ in ids.split(",") if id_.strip()] if ids is not None else None,
        "filter": dict(map(_filter, filters)) if filters else None,
        "changes": _changes(graph, index, model, settings),
        "out": out,
        "resume": resume,
    }
    data, log = display.data_console(), display.log_console()
    if dry_run:
        estimate = run(config, dry_run=True, **selection)
        told = f"{estimate.questions:,} questions: {', '.join(cost(estimate.usage))}; by {estimate.basis}"
        display.show_text(data, json.dumps(asdict(estimate), indent=2) if as_json else told)
        return
    with display.run_progress(log) as progress:
        report = run(config, on_progress=progress, **selection)
    display.show_text(data, report.to_json() if as_json else report.to_markdown())
    logger.info("the answers and a page for the browser are in {}", report.folder)
    if report.stopped:
        raise typer.Exit(1)


def _filter(text: str) -> tuple[str, str]:
    tag, equals, value = text.partition("=")
    if not equals or not tag.strip():
        raise ConfigError(f"--filter takes TAG=VALUE, such as answer_type=count, not {text!r}")
    return tag.strip(), value.strip()


@app.command(
    "report",
    epilog=_examples(
        "triad report runs/first",
        "triad report runs/first runs/second --to both.html",
        "triad report runs/first --format markdown",
        "triad report runs/first --format qald > answers.json",
    ),
)
def report_runs(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs or sweeps.")],
    format_: Annotated[ReportFormat, typer.Option("--format", "-f", help="What to write.")] = ReportFormat.html,
    to: Annotated[
        Path | None, typer.Option("--to", help="The file; by default report.html in the first run, else the output.")
    ] = None,
) -> None:
    """Report on runs: a page for the browser, tables, or their answers in the formats of others."""
    from triad import display
    from triad.answers import to_json
    from triad.evaluation.export import EXPORTS
    from triad.evaluation.folder import RunFolder
    from triad.evaluation.report import write_html
    from triad.evaluation.summary import read_report, told_apart

    out = display.data_console()
    if format_ is ReportFormat.html:
        path = to or runs[0] / "report.html"
        write_html([read_report(run) for run in runs], path)
        display.show_text(out, str(path))
        return
    if export := EXPORTS.get(format_.value):
        if len(runs) > 1:
            raise ConfigError(f"--format {format_.value} is of one run, not of {len(runs)}")
        text = export(RunFolder(runs[0]))
    else:
        reports = told_apart([read_report(run) for run in runs])
        if format_ is ReportFormat.markdown:
            text = "\n".join(report.to_markdown() for report in reports)
        else:
            text = reports[0].to_json() if len(reports) == 1 else to_json(reports, indent=2)
    if to is None:
        display.show_text(out, text.removesuffix("\n"))
    else:
        _write(to, text)


@app.command(
    epilog=_examples(
        "triad compare runs/first runs/second", "triad compare runs/first runs/second --metric exact_match"
    )
)
def compare(
    before: Annotated[Path, typer.Argument(help="The folder of a run.")],
    after: Annotated[Path, typer.Argument(help="The folder of another run.")],
    metric: Annotated[str | None, typer.Option("--metric", help="What questions are compared by.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell what got better and what got worse from one run to another, and whether it is significant."""
    from triad import display
    from triad.evaluation.comparison import compare_runs
    from triad.evaluation.summary import HEADLINE

    compared = compare_runs(before, after, metric=metric or HEADLINE)
    text = compared.to_json() if as_json else compared.to_markdown()
    display.show_text(display.data_console(), text.removesuffix("\n"))
