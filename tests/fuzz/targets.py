"""What is fuzzed: for each target its seeds, and a function that raises an error if an input breaks what must hold.

What must hold everywhere: an input is taken, or refused by an error of `triad.errors`, in bounded time.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import re
import resource
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import duckdb
import pyoxigraph
from pydantic import BaseModel

from tests.http_server import Handler, LocalServer
from triad import sparql
from triad.agent import Agent
from triad.configs import load_config
from triad.conversation.store import Store
from triad.conversation.turns import Turn
from triad.deadline import Deadline
from triad.errors import ConfigError, DataError, GraphError, QueryRejected, QuerySyntaxError, ReplyError, TriadError
from triad.evaluation.folder import RunFolder, complete_lines
from triad.evaluation.summary import read_report
from triad.indexing.pipeline import run as build_index
from triad.indexing.recipe import recipe_of
from triad.kg.base import SafeQuery
from triad.kg.endpoint import EndpointGraph
from triad.kg.files import RDF_SUFFIXES
from triad.kg.guard import Policy, check
from triad.kg.local import LocalGraph
from triad.kg.parsing import ParseLimits, parse
from triad.kg.profile import PROFILE_FILE
from triad.models.replies import parse_reply
from triad.opening import Setup
from triad.retrieval import sql
from triad.server.things import look_up
from triad.sparql.patterns import Service

__all__ = ["CORPUS", "TARGETS", "Target"]

CORPUS: Final = Path(__file__).with_name("corpus")
"""A folder for each target, with inputs that were found to break it once."""

ROWS: Final = 100


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that takes inputs of strangers."""

    name: str
    run: Callable[[bytes], object]
    """Raises an error if an input breaks what must hold."""
    given: Sequence[bytes] | Callable[[], Sequence[bytes]]
    """Its examples, or what makes them when they are needed."""
    pieces: Sequence[bytes] = ()

    @property
    def examples(self) -> Sequence[bytes]:
        """Inputs that are right."""
        return self.given() if callable(self.given) else self.given

    @property
    def seeds(self) -> list[bytes]:
        """The examples, and what was found before."""
        return [*self.examples, *self.found()]

    def found(self) -> list[bytes]:
        """Return the inputs that were found to break it once."""
        return [path.read_bytes() for path in sorted((CORPUS / self.name).glob("*"))]


# Queries of graphs ------------------------------------------------------------------------------------------

_FACTS: Final = """
@prefix e: <http://e/> .
e:a e:p e:b, e:c ; e:n 1, 2.5, "x", "y"@en . e:b e:p e:c ; e:n 3 . e:c a e:K ; e:n "2020-01-01"^^<http://d> .
"""
_CHANGING: Final = re.compile(
    r"RAND|NOW|UUID|BNODE|SAMPLE|GROUP_CONCAT|LIMIT|OFFSET|ORDER|DESCRIBE|CONSTRUCT|BASE", re.IGNORECASE
)
"""Words of queries that may well give something else when they are asked again."""


@cache
def _graph() -> LocalGraph:
    folder = Path(tempfile.mkdtemp())
    store = pyoxigraph.Store(str(folder))
    store.extend(pyoxigraph.parse(_FACTS, pyoxigraph.RdfFormat.TURTLE))
    store.flush()
    del store
    return LocalGraph(folder, timeout=2, row_limit=ROWS)


def _guard(content: bytes) -> None:
    query = content.decode(errors="surrogateescape")
    try:
        safe = check(query, Policy(row_limit=ROWS))
    except (QueryRejected, QuerySyntaxError):
        return
    tree = sparql.parse(safe)
    assert tree.form in ("SELECT", "ASK")
    assert not list(sparql.nodes(tree, Service))
    assert tree.ask or (tree.limit is not None and tree.limit <= ROWS + 1)
    assert check(safe, Policy(row_limit=ROWS)) == safe, "written anew, it is another query"
    if _CHANGING.search(query) or len(query) > 1_000:
        return
    try:
        before, after = _graph().select(SafeQuery(query)), _graph().select(safe)
    except GraphError:
        return  # it takes too long, or the engine reads less than the guard
    assert Counter(map(str, before.rows)) == Counter(map(str, after.rows))
    assert (before.variables, before.boolean) == (after.variables, after.boolean)


# Files with triples -----------------------------------------------------------------------------------------


def _rdf(content: bytes) -> None:
    suffix, _, body = content.partition(b"\n")
    format_ = RDF_SUFFIXES.get(suffix.decode(errors="replace"))
    if format_ is None:
        return
    limits = ParseLimits(memory=1 << 30, seconds=20)
    faults: list[object] = []
    for skip in (None, faults.append):
        with contextlib.suppress(DataError):
            for quads in parse(io.BytesIO(body), format_, "file", skip=skip, limits=limits, base_iri="http://e/"):
                for quad in quads:
                    str(quad)


# SQL --------------------------------------------------------------------------------------------------------

_TABLES: Final = ("Bike", "Car", "membership")
_OUTSIDE: Final = re.compile(r"read_|glob\b|getenv|scan|query|duckdb_|pragma_|current_setting", re.IGNORECASE)
"""What functions are called that reach what is not in the tables."""


def _sql(content: bytes) -> None:
    query = content.decode(errors="surrogateescape")
    try:
        safe = sql.check(query, _TABLES, ROWS)
    except (QueryRejected, QuerySyntaxError):
        return
    sql._checked(safe, _TABLES)
    _check_as_duckdb_reads_it(safe)


def _check_as_duckdb_reads_it(query: str) -> None:
    """Check what was accepted by another parser than the one that accepted it: that of the database itself."""
    [found] = duckdb.execute("SELECT json_serialize_sql(?)", [query]).fetchone() or ("",)
    read = json.loads(found)
    if read["error"]:
        assert read["error_type"] == "parser", read["error_message"]  # what it does not understand it does not run
        return
    [statement] = read["statements"]
    parts = list(_parts(statement))
    within = {entry["key"].lower() for part in parts for entry in part.get("cte_map", {"map": []})["map"]}
    known = within | {table.lower() for table in _TABLES}
    assert any(modifier["type"] == "LIMIT_MODIFIER" for modifier in statement["node"]["modifiers"])
    for part in parts:
        assert not _OUTSIDE.match(part.get("function_name", "")), part
        if part.get("type") == "BASE_TABLE":
            assert part["table_name"].lower() in known, part


def _parts(tree: Any) -> Iterator[dict[str, Any]]:
    if isinstance(tree, dict):
        yield tree
    for inner in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        yield from _parts(inner)


# Replies of models ------------------------------------------------------------------------------------------


class _Choice(BaseModel):
    number: int
    reason: str | None = None


class _Reply(BaseModel):
    choices: list[_Choice] = []
    sparql: str = ""
    sure: float = 0.0


def _reply(content: bytes) -> None:
    with contextlib.suppress(ReplyError):
        parse_reply(content.decode(errors="replace"), _Reply)


# Answers of endpoints ---------------------------------------------------------------------------------------


class _Server(LocalServer):
    """A server that sends what it is told, byte by byte."""

    def __init__(self) -> None:
        class Raw(Handler):
            def do_GET(self) -> None:
                self.wfile.write(outer.content)
                self.close_connection = True

            do_POST = do_GET

        outer = self
        self.content = b""
        super().__init__(Raw)


@cache
def _server() -> _Server:
    return _Server()


def _endpoint(content: bytes) -> None:
    """Ask a server whose answer is a head and a body, with an empty line between them."""
    server = _server()
    server.content = content
    graph = EndpointGraph(f"{server.address}/sparql", timeout=2, retries=0, row_limit=ROWS, byte_limit=1_000_000)
    with contextlib.closing(graph), contextlib.suppress(GraphError):
        result = graph.select(SafeQuery("SELECT * { ?s ?p ?o }"))
        assert len(result.rows) <= ROWS
        assert all(len(row) == len(result.variables) for row in result.rows)
        json.dumps(str(result)).encode()


# Configs, folders of runs, chats ----------------------------------------------------------------------------


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _config(content: bytes) -> None:
    with _folder() as folder, contextlib.suppress(ConfigError):
        path = folder / "config.yaml"
        path.write_bytes(content)
        config = load_config(path)
        json.dumps(config.resolved())
        Setup.of(config)


def _run(content: bytes) -> None:
    """Report on a run whose files stand one after the other, and go on with it."""
    config, environment, answers = [*content.split(b"\n---\n"), b"", b""][:3]
    with _folder() as folder:
        (folder / "config.yaml").write_bytes(config)
        (folder / "environment.json").write_bytes(environment)
        (folder / "answers.jsonl").write_bytes(answers)
        before = list(complete_lines(folder / "answers.jsonl"))
        with contextlib.suppress(TriadError):
            read_report(folder)
        with contextlib.suppress(TriadError):
            done = RunFolder(folder).repair()
            damaged = folder / "damaged.jsonl"
            kept = list(complete_lines(folder / "answers.jsonl"))
            apart = list(complete_lines(damaged)) if damaged.is_file() else []
            assert not Counter([*kept, *apart]) - Counter(before)
            assert len({json.dumps(key) for key in done}) <= len(kept)


def _chats(content: bytes) -> None:
    """Open a file of chats, of which the input is a turn, or if it begins as a database does, the file."""
    with _folder() as folder:
        path = folder / "chats.db"
        if content.startswith(b"SQLite"):
            path.write_bytes(content)
        with contextlib.suppress(TriadError), contextlib.closing(Store(path)) as store:
            for one in store.list():
                with contextlib.suppress(TriadError):
                    store.turns(one.id)
            id_ = store.create(graph="g")
            store.append(id_, Turn("Who?", "Who?", reply="I."))
            with store._writing() as cursor:
                text = content.decode(errors="replace")
                cursor.execute("INSERT INTO turns VALUES (?, 2, '', ?)", (id_, text))
            with contextlib.suppress(DataError):
                store.turns(id_)
            with store._writing() as cursor:
                cursor.execute("DELETE FROM turns WHERE number = 2")
            assert [turn.reply for turn in store.turns(id_)] == ["I."]


@cache
def _database() -> bytes:
    with _folder() as folder:
        with contextlib.closing(Store(folder / "chats.db")) as store:
            store.append(store.create(graph="g"), Turn("Who?", "Who?", reply="I."))
            store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return (folder / "chats.db").read_bytes()


# Questions, graphs, indexes --------------------------------------------------------------------------------

_RIVERS: Final = """
@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix g: <http://www.w3.org/2003/01/geo/wgs84_pos#> .
e:River rdfs:label "river" . e:Country rdfs:label "country" . e:length rdfs:label "length" . e:opened rdfs:label "opened" .
e:flows rdfs:label "flows through" .
e:Aare a e:River ; rdfs:label "Aare" ; e:length 295 ; e:flows e:Alpia ; e:opened "1901-05-06"^^xsd:date .
e:Beda a e:River ; rdfs:label "Beda" ; e:length 802 ; e:flows e:Alpia, e:Norland .
e:Alpia a e:Country ; rdfs:label "Alpia" . e:Norland a e:Country ; rdfs:label "Norland" .
"""
_ASKED: Final = (
    "Which river has the longest length?",
    "What is the average length of the rivers?",
    "Rivers longer than 100",
)
_QUESTION: Final = 2_000  # characters
_CPU: Final = 10.0  # seconds of a question
_GROWTH: Final = 512 << 10  # kilobytes by which the process may grow


def _built(text: str, folder: Path) -> Path:
    (folder / "rivers.ttl").write_text(text, encoding="utf-8")
    build_index(recipe_of([folder / "rivers.ttl"]), folder / "index")
    return folder / "index"


@cache
def _indexed() -> Path:
    return _built(_RIVERS, Path(tempfile.mkdtemp()))


@cache
def _rivers() -> Agent:
    return Agent(_indexed(), model="none", min_confidence=0.0)


def _question(content: bytes) -> None:
    """Ask a question of the longest that a server takes: the input, as often as it has room."""
    text = content.decode(errors="replace")
    asked = ((text + " ") * (_QUESTION // (len(text) + 1) + 1))[:_QUESTION]
    agent = _rivers()
    begun, most = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with contextlib.suppress(TriadError):
        agent.ask(asked)
    assert time.process_time() - begun < _CPU
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < _GROWTH


def _value(content: bytes) -> None:
    """Ask about a graph in which the input is a value of several types."""
    text = json.dumps(content.decode(errors="replace").replace("\x7f", ""))
    types = ("xsd:integer", "xsd:double", "xsd:date", "xsd:gYear", "<http://www.opengis.net/ont/geosparql#wktLiteral>")
    facts = "".join(
        f" e:Cand e:length {text}^^{one} ; g:lat {text}^^{one} ; g:long 7 ; e:opened {text}^^{one} ." for one in types
    )
    with _folder() as folder, contextlib.suppress(DataError):
        made = _built(f"{_RIVERS} e:Cand a e:River ; rdfs:label 'Cand' . {facts}", folder)
        with Agent(made, model="none") as agent:
            _ask_all(agent)
            assert look_up(agent, Deadline(60), "http://e/Cand")


def _index(content: bytes) -> None:
    """Open the folder of an index of which one file has another content; a profile is packed, if it is not yet."""
    name, _, body = content.partition(b"\n")
    wanted = name.decode(errors="replace")
    if wanted == PROFILE_FILE and not body.startswith(b"\x1f\x8b"):
        body = gzip.compress(body)
    if wanted not in {str(path.relative_to(_indexed())) for path in _indexed().rglob("*") if path.is_file()}:
        return
    with _folder() as folder:
        shutil.copytree(_indexed(), folder / "index")
        file = folder / "index" / wanted
        file.write_bytes(body)
        with contextlib.suppress(TriadError), Agent(folder / "index", model="none") as agent:
            _ask_all(agent)


def _index_files() -> list[bytes]:
    profile = gzip.decompress((_indexed() / PROFILE_FILE).read_bytes())
    small = sorted(path for path in _indexed().rglob("*.json") if path.is_file())
    return [
        f"{PROFILE_FILE}\n".encode() + profile,
        f"{PROFILE_FILE}\n".encode() + gzip.compress(profile),
        *(f"{path.relative_to(_indexed())}\n".encode() + path.read_bytes() for path in small),
    ]


def _ask_all(agent: Agent) -> None:
    for question in _ASKED:
        with contextlib.suppress(TriadError):
            agent.ask(question)
    with contextlib.suppress(TriadError):
        agent.describe(questions=2, seconds=2)


_HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+json\r\nContent-Length: %d\r\n\r\n%s"
_RESULT: Final = json.dumps(
    {
        "head": {"vars": ["s", "p"]},
        "results": {
            "bindings": [
                {"s": {"type": "uri", "value": "http://e/a"}, "p": {"type": "literal", "value": "x", "xml:lang": "en"}},
                {"s": {"type": "bnode", "value": "b0"}},
                {
                    "p": {
                        "type": "typed-literal",
                        "value": "1.50",
                        "datatype": "http://www.w3.org/2001/XMLSchema#decimal",
                    }
                },
            ]
        },
    }
).encode()
_TURN: Final = b'{"question":"Who?","standalone":"Who?","answer":null,"unknown":null,"reply":"I.","trace":null}'
_RECORD: Final = (
    b'{"id":"q1","question":{"text":"Who?","language":"en"},"scores":{"f1":1.0},"usage":{"calls":1},"seconds":0.5}\n'
)


def _words(text: str) -> list[bytes]:
    return [f" {word} ".encode() for word in text.split()]


TARGETS: Final = {
    target.name: target
    for target in (
        Target(
            "guard",
            _guard,
            [
                b"SELECT * WHERE { ?s ?p ?o }",
                b"PREFIX e: <http://e/> SELECT DISTINCT ?s (COUNT(?o) AS ?n) { ?s e:p/e:n|^e:p ?o FILTER(?o > 1) } GROUP BY ?s",
                b"ASK { <http://e/a> <http://e/p> [] . OPTIONAL { ?a ?b 'x'@en } MINUS { ?a a ?b } }",
                b"SELECT ?x { { SELECT ?x { ?x ?y ?z } } UNION { VALUES ?x { 1 'a' UNDEF } } BIND(STR(?x) AS ?t) }",
                b"SELECT * { GRAPH ?g { ?s <http://e/p>+ ?o } FILTER NOT EXISTS { ?o ?q ?s } } HAVING (1) LIMIT 5",
                b"INSERT DATA { <a:a> <a:b> 1 }",
                b"SELECT * { SERVICE SILENT <http://evil.example/> { ?s ?p ?o } }",
            ],
            _words(
                "SELECT ASK CONSTRUCT DESCRIBE { } . ; , ?s ?o 1 'x' <http://e/p> a UNION OPTIONAL FILTER( ) SERVICE GRAPH LIMIT "
                "OFFSET ORDER BY GROUP HAVING VALUES BIND( AS MINUS INSERT DELETE DATA LOAD CLEAR FROM NAMED * + - ! | ^ / = && || "
                "IN EXISTS COUNT( DISTINCT \\u007D \\u0022 # BASE PREFIX :"
            ),
        ),
        Target(
            "rdf",
            _rdf,
            [
                b".ttl\n@prefix e: <http://e/> .\ne:a e:p e:b ; e:n 1, 2.5, \"x\"@en, '''y''' ; e:l (1 2), [ e:q true ] .\n",
                b'.nt\n<http://e/a> <http://e/p> "x" .\n<http://e/a> <http://e/p> _:b .\n',
                b'.nq\n<http://e/a> <http://e/p> "x"^^<http://e/t> <http://e/g> .\n',
                b".trig\n@prefix e: <http://e/> .\ne:g { e:a e:p e:b }\n",
                b".n3\n@prefix e: <http://e/> .\n{ ?x e:p ?y } => { ?y e:q ?x } .\n",
                b'.jsonld\n{"@context": {"n": "http://e/n"}, "@id": "http://e/a", "n": [1, "x", {"@value": "y", "@language": "en"}]}',
                b'.rdf\n<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY e "http://e/">]>\n<rdf:RDF xmlns:e="http://e/" '
                b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="&e;a"><e:n '
                b'xml:lang="en">x</e:n></rdf:Description></rdf:RDF>',
            ],
            _words("@prefix @base . ; , [] () << >> a true \"\"\" ''' ^^ @en _:b <a> <!ENTITY &e; <![CDATA[ ]]> @context @graph"),
        ),
        Target(
            "sql",
            _sql,
            [
                b"SELECT label, count(*) FROM Bike WHERE price > 5 AND label LIKE '%a' GROUP BY 1 ORDER BY 2 DESC LIMIT 5",
                b"WITH a AS (SELECT * FROM Car), b AS (SELECT 1) SELECT * FROM a JOIN b ON true UNION SELECT 1, 2",
                b"SELECT list_avg([x FOR x IN range(3)]), CASE WHEN 1 THEN 'a' END FROM Car, unnest([1]) u(x)",
                b"SELECT * FROM read_csv('/etc/passwd'); DROP TABLE Car",
            ],
            _words(
                "SELECT FROM WHERE Bike Car JOIN UNION ( ) , ; * 'x' \"y\" LIMIT OFFSET 1 -1 WITH AS RECURSIVE INSERT INTO COPY TO "
                "ATTACH PRAGMA read_text( getenv( glob( duckdb_settings() information_schema.tables PIVOT QUALIFY $1 ? :: -> LATERAL"
            ),
        ),
        Target(
            "reply",
            _reply,
            [
                b'{"choices": [{"number": 1, "reason": "x"}], "sparql": "SELECT", "sure": 0.5}',
                b'Sure!\n```json\n{"choices": [{"number": 2}]}\n```\nDone.',
                b"<think>{}</think> {'choices': [], sure: 1,}",
                b"[1, 2] {\"a\": 1} {\"sparql\": null}",
            ],
            _words('{ } [ ] : , "choices" "number" ```json ``` // /* */ true None NaN'),
        ),
        Target(
            "endpoint",
            _endpoint,
            [
                _HEAD % (len(_RESULT), _RESULT),
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(_RESULT), _RESULT),
                b'HTTP/1.0 200 OK\r\nX-SPARQL-MaxRows: 3\r\n\r\n{"head": {}, "boolean": true}',
                b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
                b"HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 4\r\n\r\nbusy",
            ],
            [b"Content-Encoding: gzip\r\n", b"Content-Length: 5\r\n", b"Location: http://[::1\r\n", b'"value": 5', b'"type": "uri"',
             b"\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n", b"1e999999999", b'"vars": []', b'"bindings": {}', b'"xml:lang": 1'],
        ),
        Target(
            "config",
            _config,
            [
                b"graph: films.ttl\nmodel: openai:gpt-4.1-mini\nroles:\n  generalist: {examples: 2}\nlimits: {calls: 8}\n",
                b"base: demo\nrun: {workers: 2, budget: {money: 5}}\nsweep: {generalist.examples: [1, 2]}\nindex: null\n",
                b"graph: [a.nt, $HOME/b.nt]\ngraph_options: {timeout: 5}\nwords: {a: b, c: [d, e]}\nlabels: [schema:name]\nroute: phases\n",
                b"graph: &g a.nt\nindex: *g\ndataset: {path: q.json, language: de}\nretrieval: {branches: [sql]}\n",
            ],
            [b": ", b"- ", b"!!int ", b"!!binary ", b"!!set ", b"2020-99-99", b"? ", b"|\n", b"null", b".nan", b".inf", b"~x/", b"${A:-b}",
             b"\ngraph: ", b"\nbase: ", b"0o", b"0b_", b"1:9", b"roles: ", b"graph_options: ", b"sweep: "],
        ),
        Target(
            "run",
            _run,
            [
                b"graph: g.ttl\nmodel: none\nrun: {seed: 0, repeat: 1}\n\n---\n"
                b'{"sessions": [{"name": "r", "models": {"advisor": "none"}, "questions": 2, "malformed": []}]}\n---\n'
                + _RECORD
                + _RECORD.replace(b"q1", b"q2").replace(b'"scores"', b'"error":{"type":"ModelError","message":"x"},"scores"')
                + _RECORD.replace(b"q1", b"q3"),
            ],
            [b"\n---\n", b'"repetition": -1, ', b'"answer": {}, ', b'"tags": {"a": "b"}, ', b'"said": [{}], ', b'"costs": {"a": {}}, '],
        ),
        Target(
            "question",
            _question,
            [
                b"Which rivers are longer than 5 km?",
                b"more than 1 rivers",
                b"countries 1990",
                "\ufdfa".encode(),
                b"ab",
                b"qwrtz zxcvv",
                b"How many rivers flow through Alpia and Norland, sorted by length, and in which year was each opened?",
            ],
            _words(
                "rivers countries length Alpia than more less at least between and or not the longest shortest average total per each "
                "same as first third 5 1990 km % 3.5 12:30 may monday last year who which how many is are that of in before after , ? ( )"
            ),
        ),
        Target(
            "value",
            _value,
            [b"295", b"abc", b"?", b"1.2.3", b"POINT(1.2.3 4.5)", b"2020-99-99", b"1e999", b"-INF", b"NaN", b"1_000", "\u0663".encode()],
            _words("POINT( ) 1 . , - + e E INF NaN : T Z _ 00 % x"),
        ),
        Target("index", _index, _index_files, [b'"count": -1, ', b'"classes": {}, ', b'"iri": 5, ', b'"version": 2, ', b'"value": "x"']),
        Target("chats", _chats, lambda: [_TURN, _database()], [b'"answer": {}, ', b'"doubts": [1], ', b'"rows": [[1]], ']),
    )
}  # fmt: skip
"""All targets by name."""
