"""The defects of the code that Triad replaces, as a reading of it lists them: each must not come back.

B1 to B9 and E1 to E5, which are about templates and queries, are in ``tests/phases/test_template.py``.
"""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
import json
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import triad
from tests.phases.films import ENTRIES, EX, TURTLE, Script, World, chosen, entry, names, steps, world
from triad import resources
from triad.agent import Agent
from triad.errors import AnswerError, ConfigError, DataError, GraphError, ModelError
from triad.evaluation.metrics import challenge_f, mean, set_f
from triad.indexing import build
from triad.kg.base import KnowledgeGraph
from triad.kg.schema import HUB, Schema
from triad.models import CachedModel, RecordingModel, ScriptedModel, open_model
from triad.models.openai import OpenAIModel
from triad.phases.construction import choose, construct, diagnose, execute
from triad.phases.linking import link
from triad.prompts import load_prompt
from triad.queries.template import Template
from triad.questions import Query
from triad.questions import Question as Asked
from triad.rdf import ResultSet
from triad.roles import ROLES, load_roles
from triad.search.local import LocalIndex
from triad.trace import Message, Step, Trace, Usage

__all__ = ["world"]

PACKAGE = Path(triad.__file__).parent
SOURCES = {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
TREES = {path: ast.parse(text) for path, text in SOURCES.items()}
ROOT = resources.bundled_root()
SHIPPED = [path for kind in resources.SUFFIXES for path in sorted((ROOT / kind).rglob("*")) if path.is_file()]
KUBRICK = "SELECT ?f { ?f a <film> ; <director> <Stanley_Kubrick> } ORDER BY ?f"
NOTHING = "SELECT ?f { ?f a <film> ; <release_date> ?d FILTER(YEAR(?d) > 2020) }"


def calls(*named: str) -> Iterator[tuple[Path, ast.Call]]:
    """The calls of functions with some names, or of all, in the package."""
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and (not named or ast.unparse(node.func) in named):
                yield path, node


def agent(world: World, script: Script, index: Any = None, graph: KnowledgeGraph | None = None, **cards: Any) -> Agent:
    model = ScriptedModel(script)
    return Agent(graph or world.graph, world.index if index is None else index, model, roles=load_roles(cards))


class Counting(KnowledgeGraph):
    """A graph that counts its requests."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.name, self.timeout, self.row_limit = graph.name, graph.timeout, graph.row_limit
        self.prefixes = graph.prefixes
        self.graph = graph
        self.asked: list[str] = []

    def select(self, query: Any, *, timeout: float | None = None) -> ResultSet:
        self.asked.append(query)
        return self.graph.select(query, timeout=timeout)

    def ask(self, query: Any, *, timeout: float | None = None) -> bool:
        self.asked.append(query)
        return self.graph.ask(query, timeout=timeout)

    def lookup(self, query: str) -> ResultSet:
        self.asked.append(query)
        return self.graph.lookup(query)


# A. Runs as documented ------------------------------------------------------------------------------------


def project() -> dict[str, Any]:
    path = Path(__file__).parents[1] / "pyproject.toml"
    data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    return data


def required() -> list[Requirement]:
    return [Requirement(text) for text in project()["dependencies"]]


def imported() -> set[str]:
    """The distributions that the package imports."""
    modules: set[str] = set()
    for tree in TREES.values():
        checked = {id(node) for test in ast.walk(tree) if _is_type_checking(test) for node in ast.walk(test)}
        for node in ast.walk(tree):
            if id(node) in checked:
                continue
            if isinstance(node, ast.Import):
                modules |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                modules.add(node.module.split(".")[0])
    owners = importlib.metadata.packages_distributions()
    foreign = modules - set(sys.stdlib_module_names) - {"triad"}
    return {canonicalize_name(owners[module][0]) if module in owners else module for module in foreign}


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def test_installed_packages_are_those_that_the_metadata_ask_for() -> None:  # A1
    for requirement in required():
        try:
            version = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            continue  # of a part that is not installed here
        assert requirement.specifier.contains(version, prereleases=True), requirement


def test_no_package_is_pinned_to_a_single_version() -> None:  # A1
    assert not [str(requirement) for requirement in required() if "==" in str(requirement.specifier)]


def test_no_package_is_imported_that_the_metadata_do_not_ask_for() -> None:  # A2
    asked_for = {canonicalize_name(requirement.name) for requirement in required()}
    # Each is asked for by a package that we ask for; Dask is an extra.
    optional = {"dask", "fastembed", "numpy"}  # numpy comes with fastembed, and is imported beside it only
    come_along = {
        "distributed": "dask",
        "elastic-transport": "elasticsearch",
        "markupsafe": "jinja2",
        "pyparsing": "rdflib",
        "pydantic-core": "pydantic",
    }
    assert {come_along.get(name, name) for name in imported()} - asked_for - optional == set()


def test_no_heavy_package_is_asked_for() -> None:  # A2
    asked_for = {canonicalize_name(requirement.name) for requirement in required()}
    assert not asked_for & {"transformers", "torch", "tensorflow", "spacy"}


def test_no_folder_has_to_be_made_by_hand(tmp_path: Path) -> None:  # A3
    path = tmp_path / "results" / "of" / "today" / "replies.jsonl"
    RecordingModel(ScriptedModel(["a"]), path).complete([Message("user", "q")])
    assert path.is_file()


def test_no_file_is_named_by_the_time_or_with_a_colon(tmp_path: Path, cache_folder: Path) -> None:  # A4
    for path, call in calls():
        if ast.unparse(call.func).endswith(("strftime", "datetime.now", "isoformat")):
            line = ast.unparse(call)
            assert "Path(" not in line
            assert "open(" not in line, path
    file = tmp_path / "films.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    build(file, tmp_path / "built")
    made = [*tmp_path.rglob("*"), *cache_folder.rglob("*")]
    assert len(made) > 3
    assert not [path for path in made if re.search(r'[:*?"<>|\\]', path.name)]


def test_nothing_depends_on_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, world: World
) -> None:  # A4
    monkeypatch.chdir(tmp_path)
    assert len(agent(world, Script(parsing=KUBRICK)).ask("Which films?").values) == 2
    assert list(tmp_path.iterdir()) == []
    assert not list(calls("os.getcwd", "Path.cwd", "os.chdir"))


def test_no_subtask_lacks_its_prompt() -> None:  # A5
    roles = load_roles()
    subtasks = set()
    for _, call in calls("context.call", "self.context.call"):
        role, subtask = (ast.literal_eval(argument) for argument in call.args[:2])
        load_prompt(roles.card(role).prompts[subtask])
        subtasks.add(subtask)
    assert len(subtasks) == 13


def test_no_kind_of_model_is_announced_that_cannot_be_opened(tmp_path: Path) -> None:  # A6
    with pytest.raises(ConfigError) as caught:
        open_model("huggingface:gpt2")
    kinds = set(re.findall(r"'(\w+):", str(caught.value))) - {"huggingface"}
    assert kinds == {"openai", "ollama", "replay"}
    (tmp_path / "r.jsonl").touch()
    for source in ("openai:m@http://localhost:1/v1", "ollama:m", f"replay:{tmp_path / 'r.jsonl'}"):
        open_model(source).close()


@pytest.mark.skipif(not shutil.which("ruff", path=str(Path(sys.executable).parent)), reason="ruff is not installed")
def test_no_name_is_read_that_was_never_set() -> None:  # A7
    ruff = Path(sys.executable).parent / "ruff"
    command = [ruff, "check", "--isolated", "--no-cache", "--select", "F821,F822,F823", PACKAGE]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


_PRIVATE = re.compile(r"\b(10\.\d+|192\.168|172\.(1[6-9]|2\d|3[01]))\.\d+\.\d+\b")
_SECRET = re.compile(r"\bsk-[\w-]{16,}|api_key\s*[:=]\s*['\"]?\w{16,}|password\s*[:=]\s*['\"]\w+", re.IGNORECASE)


def test_no_shipped_file_has_a_private_address_a_proxy_or_a_secret() -> None:  # A8
    assert SHIPPED
    for path in [*SHIPPED, *SOURCES]:
        text = path.read_text(encoding="utf-8")
        assert not _PRIVATE.search(text), path
        assert not _SECRET.search(text), path
        if path.suffix == ".yaml":
            assert "proxy" not in text.lower(), path


def test_nothing_asks_at_the_terminal_while_an_index_is_made() -> None:  # A9
    assert not list(calls("input", "getpass.getpass"))


def test_an_rdf_file_needs_no_certain_name_and_is_read_as_rdf(tmp_path: Path) -> None:  # A9
    file = tmp_path / "any name.ttl"
    file.write_text(TURTLE, encoding="utf-8")
    report = build(file, tmp_path / "built")
    assert report.triples > 50
    with LocalIndex(tmp_path / "built" / "labels") as index:
        assert [item.iri for item in index.search("Stanley Kubrick", 1)] == [EX + "Kubrick"]


def test_a_bad_line_is_not_taken_for_the_one_before(tmp_path: Path) -> None:  # A9
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    file = tmp_path / "labels.nt"
    file.write_text(f'<{EX}a> {label} "first" .\nthis is no triple\n<{EX}b> {label} "second" .\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"labels\.nt"):
        build(file, tmp_path / "built")
    assert not (tmp_path / "built").exists()


# C. Linking -----------------------------------------------------------------------------------------------


def linked(world: World, sparql: str, script: Script | None = None, **more: Any) -> dict[str, list[str]]:
    template = Template(sparql)
    links = link(world.context(script, phase="linking", **more), template)
    return {mention.text: names(links[slot]) for slot, mention in template.slots.items()}


def test_no_prompt_is_sent_twice(world: World) -> None:  # C1
    script = Script(
        parsing=["SELECT ?x { <Qqqq> <director> ?x }", "SELECT ?x { <Dune> <release_date> ?x . <Dune> <maker> ?y }"],
        entity_selection=chosen([1, 2]),
        relation_selection=chosen([1, 2]),
        query_selection={"query": 1},
    )
    model = ScriptedModel(script)
    Agent(world.graph, world.index, model).ask("When did Dune come out?")
    assert len(model.calls) == len(set(model.calls)) == 5


def test_no_key_of_a_card_is_without_effect() -> None:  # C2
    read = "\n".join(text for path, text in SOURCES.items() if path.name != "roles.py")
    for card in ROLES.values():
        for key in card.model_fields:
            assert key == "purpose" or re.search(rf"\.{key}\b", read), f"{key} is read nowhere"


@pytest.mark.parametrize("number", [1, 3, 7])
def test_the_number_of_entities_is_not_fixed(world: World, number: int) -> None:  # C2, C12
    index = LocalIndex()
    index.add([entry(f"Dune{n}", "entity", "Dune", popularity=n) for n in range(12)])
    script = Script(entity_selection=chosen(range(1, 11)))
    found = linked(
        world, "SELECT ?x { <Dune> <director> ?x }", script, index=index, decision_maker={"entities": number}
    )
    assert len(found["Dune"]) == number
    assert f"At most {number} for each mention." in script.prompts["entity_selection"][0]


def test_candidates_are_not_looked_up_one_by_one(world: World) -> None:  # C3
    index = LocalIndex()
    index.add([entry(f"Dune{n}", "entity", f"Dune {n}", ["Film"]) for n in range(40)])
    script = Script(entity_selection=chosen([1]))
    few, many = Counting(world.graph), Counting(world.graph)
    linked(world, "SELECT ?x { <Dune> a <film> }", script, index=index, graph=few, decision_maker={"shown": 2})
    linked(world, "SELECT ?x { <Dune> a <film> }", script, index=index, graph=many, decision_maker={"shown": 40})
    assert len(many.asked) == len(few.asked) <= 5


def test_what_has_no_abstract_can_be_linked(world: World) -> None:  # C3
    assert "abstract" not in TURTLE
    assert linked(world, "SELECT ?x { ?x <director> <Stanley_Kubrick> }")["Stanley Kubrick"] == ["Kubrick"]


def test_no_graph_is_treated_in_a_way_of_its_own() -> None:  # C4
    for path, text in SOURCES.items():
        if path.parent.name == "phases" or path.name == "agent.py":
            assert not re.search("dbpedia|wikidata|yago", text, re.IGNORECASE), path


@pytest.mark.parametrize("sparql", ["SELECT ?x { <Zzyzx> <director> ?x }", "SELECT ?x { ?x a <spaceship> }"])
def test_the_model_is_not_asked_to_choose_from_nothing(world: World, sparql: str) -> None:  # C4, C9
    script = Script()
    linked(world, sparql, script)
    assert script.asked == []


@pytest.mark.parametrize("bad", [99, 0, -1])
def test_what_the_model_chooses_is_not_taken_unchecked(world: World, bad: int) -> None:  # C5
    for subtask, sparql in {
        "entity_selection": "SELECT ?x { <Dune> <release_date> ?x }",
        "relation_selection": "SELECT ?x { <Stanley_Kubrick> <home> ?x }",
    }.items():
        script = Script(**{subtask: [chosen([bad]), chosen([1])]})
        linked(world, sparql, script)
        assert f"got {bad}" in script.prompts[subtask][1]


def test_an_iri_of_the_model_never_reaches_the_graph(world: World) -> None:  # C5
    graph = Counting(world.graph)
    script = Script(parsing="SELECT ?x { <http://made.up/Dune_novel> <http://made.up/author> ?x }", answering={})
    index = LocalIndex()
    index.add([*ENTRIES, entry("DuneNovel", "entity", "Dune novel", ["Novel"])])
    answer = agent(world, script, index, graph).ask("Who wrote Dune?")
    assert answer.text == "Frank Herbert"
    assert not [query for query in graph.asked if "made.up" in query]


def test_the_relation_phrase_is_not_ignored(world: World) -> None:  # C6
    script = Script(relation_selection=chosen([1], [1]))
    linked(world, "SELECT ?x { <Stanley_Kubrick> <place_of_birth> ?x . <Stanley_Kubrick> <died_in> ?y }", script)
    first, second = script.prompts["relation_selection"][0].split("Pattern 2: ")
    assert "<place_of_birth>" in first
    assert "<died_in>" in second
    assert '\n1. "birth place"' in first


def test_a_hub_does_not_hide_its_rare_relations(world: World, tmp_path: Path) -> None:  # C7
    from triad.kg.local import LocalGraph

    file = tmp_path / "hub.nt"
    crowd = (f"<{EX}p{n}> <{EX}citizen> <{EX}Hub> .\n" for n in range(HUB + 500))
    file.write_text("".join(crowd) + f"<{EX}z> <{EX}king> <{EX}Hub> .\n", encoding="utf-8")
    with LocalGraph.load(file) as graph:
        counting = Counting(graph)
        assert {hop.relation for hop in Schema(counting).card(EX + "Hub")} == {EX + "citizen", EX + "king"}
    assert all("GROUP BY" in query or "LIMIT" in query for query in counting.asked)


def test_a_pattern_of_two_variables_costs_no_scan_and_no_product(world: World) -> None:  # C8
    graph = Counting(world.graph)
    sparql = "SELECT ?c { ?f <director> ?d . ?d <birth_place> ?p . ?p <state> ?c . ?f a <film> }"
    linked(world, sparql, graph=graph)
    assert len(graph.asked) < 40
    assert not [query for query in graph.asked if not re.search(r"<http|VALUES", query)]


def test_both_directions_are_not_two_questions(world: World) -> None:  # C10
    script = Script(relation_selection=chosen([1]))
    linked(world, "SELECT ?x { <Stanley_Kubrick> <home> ?x }", script)
    [prompt] = script.prompts["relation_selection"]
    assert '"birth place"' in prompt
    assert '"director", reversed' in prompt


def test_an_exact_name_or_alias_is_not_beaten_by_a_popular_part(world: World) -> None:  # C11
    index = LocalIndex()
    index.add(
        [
            entry("Popular", "entity", "New York City Marathon", popularity=100_000),
            entry("NewYork", "entity", "New York", popularity=1),
            entry("USA", "entity", "United States", aliases=("America", "USA"), popularity=1),
            entry("Song", "entity", "America America", popularity=100_000),
        ]
    )
    assert index.search("New York")[0].iri == EX + "NewYork"
    assert index.search("America")[0].iri == EX + "USA"


def test_a_class_is_not_taken_for_an_entity_of_its_name(world: World) -> None:  # C11
    index = LocalIndex()
    index.add([entry("Film", "class", "film"), entry("FilmMagazine", "entity", "Film", popularity=9_999)])
    assert linked(world, "SELECT ?x { ?x a <film> }", index=index)["film"] == ["Film"]


def test_no_function_has_a_default_that_calls_share() -> None:  # C12
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.Lambda)):
                for default in [*node.args.defaults, *node.args.kw_defaults]:
                    assert not isinstance(default, (ast.List, ast.Dict, ast.Set)), f"{path}:{node.lineno}"


def test_no_service_is_opened_or_wrapped_anew_for_each_question(world: World) -> None:  # C12
    made = agent(world, Script(parsing=KUBRICK))
    before = (made.graph, made.index, made.schema, dict(made.models), LocalIndex.search_many)
    for _ in range(2):
        made.ask("Which films?")
    assert (made.graph, made.index, made.schema, dict(made.models), LocalIndex.search_many) == before


@pytest.mark.parametrize("name", ["stanley_kubrick", "STANLEY_KUBRICK", "Stanley_kubrick"])
def test_case_is_not_a_difference(world: World, name: str) -> None:  # C13
    found = linked(world, f"SELECT ?x {{ ?x <DIRECTOR> <{name}> }}")
    assert list(found.values()) == [["director"], ["Kubrick"]]


# D. Search for a query ------------------------------------------------------------------------------------


def executions(context: Any) -> int:
    return [step.action for step in steps(context, "graph")].count("execute")


def test_four_ambiguous_triples_do_not_cost_twenty_thousand_executions(world: World) -> None:  # D1
    several = chosen(*[[1, 2, 3]] * 4)
    context = world.context(Script(relation_selection=several), decision_maker={"relations": 3}, phase="construction")
    things = ("Stanley_Kubrick", "David_Lynch", "The_Shining", "Missoula")
    patterns = " . ".join(f"<{thing}> <unclear{n}> ?x{n}" for n, thing in enumerate(things))
    template = Template(f"SELECT * {{ {patterns} }}")
    links = link(context, template)
    assert [len(options) for slot, options in links.items() if "relation" in slot] == [3] * 4
    started = time.perf_counter()
    queries = construct(context, template, links)
    execute(context, template, queries)
    assert len(queries) == 20
    assert executions(context) <= 20
    assert time.perf_counter() - started < 10


def test_candidates_are_ranked_and_a_clear_one_ends_the_search(world: World) -> None:  # D1
    context = world.context(phase="construction")
    sparql = f"SELECT ?f {{ ?f <{EX}director> <{EX}Kubrick> }}"
    execute(context, Template(sparql), [Query(sparql, score=score) for score in (0.9, 0.5, 0.4)])
    assert executions(context) == 1


def test_one_mention_does_not_mean_two_things_in_one_query(world: World) -> None:  # D2
    context = world.context(Script(entity_selection=chosen([1, 2])), phase="construction")
    patterns = "<Dune> <release_date> ?d . ?x <based_on> <Dune> . OPTIONAL { <dune> <author> ?a }"
    template = Template(f"SELECT * {{ {patterns} }}")
    for query in construct(context, template, link(context, template)):
        assert not {"DuneFilm", "DuneNovel"} <= set(re.findall("Dune[FN][a-z]+", query.sparql))


def test_one_triple_without_candidates_is_not_the_end(world: World) -> None:  # D3
    script = Script(parsing=[f"{KUBRICK.split('}')[0]} ; <based_on> <Qqqq> }}", KUBRICK])
    answer = agent(world, script).ask("Which films?")
    assert len(answer.values) == 2
    assert "No thing is called 'Qqqq'" in script.prompts["parsing"][1]


def test_booleans_do_not_flood_the_choice(world: World) -> None:  # D4
    sparql = f"ASK {{ <{EX}Dune> ?p ?o }}"
    queries = [Query(sparql, result=ResultSet(boolean=number % 2 == 0)) for number in range(1_000)]
    script = Script(query_selection={"query": 1})
    choose(world.context(script, phase="construction"), queries)
    assert script.prompts["query_selection"][0].count("\nQuery ") <= 2


def test_one_bad_query_does_not_end_the_question(world: World) -> None:  # D5
    class Bad(Counting):
        def select(self, query: Any, *, timeout: float | None = None) -> ResultSet:
            if "DuneFilm" in query:
                raise GraphError("QueryBadFormed")
            return super().select(query, timeout=timeout)

    script = Script(parsing="SELECT ?x { <Dune> <release_date> ?x }", entity_selection=chosen([1, 2]))
    answer = agent(world, script, graph=Bad(world.graph)).ask("When did Dune come out?")
    assert answer.text == "1965-08-01"


# F. Answers -----------------------------------------------------------------------------------------------


def test_no_text_is_run_as_a_program() -> None:  # F1
    assert not list(calls("eval", "exec", "compile", "__import__", "os.system", "os.popen", "yaml.unsafe_load"))
    own = {
        "worker.py",
        "pool.py",
        "parsing.py",
        "labels.py",
        "spill.py",
    }  # they read what another process or a moment of Triad's wrote
    assert {path.name for path, _ in calls("pickle.loads", "pickle.load")} <= own
    for path, call in calls("subprocess.run", "subprocess.Popen"):
        assert "shell" not in {keyword.arg for keyword in call.keywords}, path


@pytest.mark.parametrize("reply", ["__import__('os').system('touch hacked')", "yes", "true", "[print(1)]"])
def test_a_reply_is_data_whatever_it_says(
    world: World, reply: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # F1
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AnswerError):
        agent(world, Script(parsing=reply, answering=reply)).ask("Which films?")
    assert not (tmp_path / "hacked").exists()


def test_a_false_of_the_graph_is_not_outvoted(world: World) -> None:  # F2
    script = Script(
        parsing="ASK { <Stanley_Kubrick> <birth_place> <Missoula> }", answering={"known": True, "answer": "yes"}
    )
    answer = agent(world, script).ask("Was Kubrick born in Missoula?")
    assert (answer.boolean, answer.source) == (False, "graph")


def test_an_answer_of_the_advisor_is_not_dropped(world: World) -> None:  # F3
    script = Script(parsing=NOTHING, answering={"known": True, "answer": "Barbie"})
    answer = agent(world, script).ask("Which film came out in 2023?")
    assert (answer.text, answer.source) == ("Barbie", "model")
    assert [value.label for value in answer.values] == ["Barbie"]


def test_several_variables_are_not_flattened(world: World) -> None:  # F4
    script = Script(
        parsing="SELECT ?f ?d { ?f <director> <Stanley_Kubrick> ; <release_date> ?d } ORDER BY ?d",
        sentence={"sentence": "He directed two films."},
    )
    answer = agent(world, script).ask("Which films, and when?", sentence=True)
    assert answer.variables == ("f", "d")
    assert [[str(value) for value in row] for row in answer.rows] == [
        ["2001: A Space Odyssey", "1968-04-02"],
        ["The Shining", "1980-05-23"],
    ]
    assert answer.text == "He directed two films."
    assert "Stanley Kubrick" in answer.explain()


# G. Robustness, cost, evaluation --------------------------------------------------------------------------


def test_a_retry_does_not_repeat_its_prompt(world: World) -> None:  # G1
    script = Script(parsing=["SELECT ?f { ?f a <spaceship> }", "SELECT ?f { ?f <director> <Qqqq> }", KUBRICK])
    agent(world, script).ask("Which films?")
    assert len(set(script.prompts["parsing"])) == 3
    assert "spaceship" in script.prompts["parsing"][1]
    assert "Qqqq" in script.prompts["parsing"][2]


def test_a_diagnosis_never_says_nothing_new(world: World) -> None:  # G1
    context = world.context(phase="construction")
    template = Template(NOTHING)
    links = link(context, template)
    executed = execute(context, template, construct(context, template, links))
    assert len(diagnose(context, template, links, executed).splitlines()) > len(template.words().splitlines())


def test_a_failing_server_is_not_asked_for_ever() -> None:  # G2
    model = OpenAIModel("m", base_url="http://127.0.0.1:9/v1", api_key="none", retries=1, timeout=2)
    started = time.perf_counter()
    with pytest.raises(ModelError):
        model.complete([Message("user", "q")])
    assert time.perf_counter() - started < 8
    model.close()


def test_nothing_but_the_command_line_ends_the_program() -> None:  # G2
    ends = list(calls("exit", "quit", "sys.exit", "os._exit"))
    assert not [ast.unparse(call) for path, call in ends if path.name not in ("cli.py", "worker.py", "processes.py")]
    assert not [ast.unparse(call) for _, call in ends if ast.unparse(call).endswith("exit(0)")]


def test_a_reply_is_not_paid_for_twice(tmp_path: Path) -> None:  # G3
    inner = ScriptedModel(["a", "b"])
    model = CachedModel(inner, tmp_path)
    assert [model.complete([Message("user", "q")]).text for _ in range(3)] == ["a"] * 3
    assert len(inner.calls) == 1
    model.close()


def test_the_graph_is_not_asked_the_same_twice(world: World) -> None:  # G3
    graph = Counting(world.graph)
    made = agent(world, Script(parsing=KUBRICK), graph=graph)
    made.ask("Which films did Stanley Kubrick direct?")
    first = len(graph.asked)
    made.ask("Which films did Stanley Kubrick direct?")
    assert len(graph.asked) - first <= 4


def test_questions_do_not_have_to_wait_for_each_other(world: World) -> None:  # G3
    made = agent(world, Script(parsing=KUBRICK))
    with ThreadPoolExecutor(4) as pool:
        assert {answer.text for answer in pool.map(made.ask, ["Which films?"] * 8)} == {
            "2001: A Space Odyssey; The Shining"
        }


def test_what_is_recorded_is_appended_and_not_written_anew(tmp_path: Path) -> None:  # G4
    path = tmp_path / "r.jsonl"
    model = RecordingModel(ScriptedModel(["a", "b", "c"]), path)
    texts = []
    for number in range(3):
        model.complete([Message("user", str(number))])
        texts.append(path.read_bytes())
    assert texts[2].startswith(texts[1])
    assert texts[1].startswith(texts[0])
    assert [json.loads(line)["content"] for line in texts[2].splitlines()] == ["a", "b", "c"]


def test_the_trace_of_a_failure_is_kept(world: World) -> None:  # G4
    with pytest.raises(AnswerError) as caught:
        agent(world, Script(parsing="no"), generalist={"checks": 0}, advisor={"own_knowledge": "none"}).ask("Who?")
    trace = caught.value.trace
    assert trace is not None
    assert [step.action for step in trace.steps if step.service == "model"] == ["parsing"]
    assert trace.steps[-1].reply == "no"


def test_the_time_of_one_phase_does_not_wipe_out_that_of_another(world: World) -> None:  # G5
    slow = Script(parsing=[NOTHING, KUBRICK])

    def reply(messages: Any, schema: Any) -> str:
        time.sleep(0.05)
        return slow(messages, schema)

    made = Agent(world.graph, world.index, ScriptedModel(reply))
    trace = made.ask("Which films?").trace
    assert trace is not None
    seconds = trace.seconds_by_phase()
    assert list(seconds) == ["parsing", "linking", "construction", "answering"]
    assert seconds["parsing"] >= 0.1
    assert sum(seconds.values()) <= trace.seconds + 0.01


def test_times_and_costs_of_a_phase_add_up() -> None:  # G5
    used = [Step("parsing", "model", "parsing", "generalist", usage=Usage(1, 0, 10, 5, 0.1, 1.0), seconds=1.0)] * 3
    trace = Trace(Asked("?"), (*used, Step("linking", "index", "search", seconds=0.5)))
    assert trace.seconds_by_phase() == {"parsing": 3.0, "linking": 0.5}
    assert trace.usage_by("phase")["parsing"] == trace.usage
    assert trace.usage.input_tokens == 30


def test_a_row_that_is_twice_in_the_gold_costs_nothing() -> None:  # G6
    assert set_f(["a", "a", "b"], ["a", "b"]) == 1.0
    assert set_f(["a", "b"], ["a", "b", "b"]) == 1.0
    assert challenge_f(["a", "a", "b"], ["b", "a"]) == 1.0


def test_nothing_answered_where_there_is_nothing_is_right() -> None:  # G6
    assert set_f([], []) == 1.0
    assert set_f(["a"], []) == set_f([], ["a"]) == 0.0


def test_booleans_are_compared_by_what_they_say() -> None:  # G6
    assert set_f(["true"], ["true"]) == set_f(["false"], ["false"]) == 1.0
    assert set_f(["true"], ["false"]) == set_f(["false"], ["true"]) == 0.0


def test_scores_are_exact() -> None:  # G6
    assert set_f(["a", "b", "c", "d"], ["a", "b", "x"]) == 2 * 2 / 7
    assert mean([1.0, 0.5, None]) == 0.75


def test_gold_is_not_fetched_from_a_server_while_scores_are_made() -> None:  # G7
    for path, tree in TREES.items():
        if path.parent.name == "evaluation" and path.name in ("metrics.py", "report.py"):
            modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
            assert not {name for name in modules if name and name.startswith(("triad.kg", "triad.search"))}


def test_a_graph_that_is_down_is_not_a_wrong_answer(world: World) -> None:  # G7
    class Down(Counting):
        def select(self, query: Any, *, timeout: float | None = None) -> ResultSet:
            raise GraphError("the server is down")

        def lookup(self, query: str) -> ResultSet:
            raise GraphError("the server is down")

    script = Script(parsing=KUBRICK, answering={"known": True, "answer": "The Shining"})
    with pytest.raises(GraphError, match="the server is down"):
        agent(world, script, graph=Down(world.graph)).ask("Which films did Stanley Kubrick direct?")
