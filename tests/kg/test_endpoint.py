from __future__ import annotations

import gzip
import itertools
import json
import socket
import time
import zlib
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pyoxigraph
import pytest
import tenacity

from tests.cases import cases
from tests.sparql_server import RESULTS_JSON, Reply, Serve, SparqlServer
from triad.errors import ConfigError, GraphError, QueryRejected, QuerySyntaxError, QueryTimeout
from triad.kg import endpoint
from triad.kg.base import SafeQuery
from triad.kg.endpoint import EndpointGraph
from triad.kg.results import excerpt
from triad.rdf import XSD, Literal, ResultSet, count_of

ANY = SafeQuery("ASK { ?s ?p ?o }")
ALL = SafeQuery("SELECT ?s WHERE { ?s ?p ?o }")
SECRET = "s3cr3t:/@"
ENCODED_SECRET = "s3cr3t%3A%2F%40"
BASIC = "Basic dXNlcjpzM2NyM3Q6L0A="


@pytest.fixture
def server(sparql_server: Serve) -> SparqlServer:
    store = pyoxigraph.Store()
    store.load(b"<http://example.org/a> <http://example.org/b> 1 .", format=pyoxigraph.RdfFormat.TURTLE)
    return sparql_server(store)


@pytest.fixture
def graph(server: SparqlServer) -> EndpointGraph:
    return EndpointGraph(server.url, retries=0)


@pytest.fixture
def no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "BACKOFF", tenacity.wait_none())


def document(count: int) -> str:
    bindings = [{"s": {"type": "uri", "value": f"http://example.org/{n}"}} for n in range(count)]
    return json.dumps({"head": {"vars": ["s"]}, "results": {"bindings": bindings}})


def rows(count: int, **headers: str) -> Reply:
    return Reply(body=document(count), headers={"Content-Type": RESULTS_JSON, **headers})


def table(term: Any) -> Reply:
    return Reply(200, json.dumps({"head": {"vars": ["n"]}, "results": {"bindings": [{"n": term}]}}))


# What is sent


def test_short_queries_are_sent_by_get_and_long_ones_by_post(graph: EndpointGraph, server: SparqlServer) -> None:
    graph.select(ALL)
    graph.select(SafeQuery(ALL + " " * 2000))
    assert [request.method for request in server.requests] == ["GET", "POST"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_method_may_be_set(server: SparqlServer, method: Any) -> None:
    EndpointGraph(server.url, method=method).select(ALL)
    assert server.requests[0].method == method


def test_requests_ask_for_json_and_say_who_asks(graph: EndpointGraph, server: SparqlServer) -> None:
    graph.select(ALL)
    headers = server.requests[0].headers
    assert RESULTS_JSON in headers["Accept"]
    assert headers["User-Agent"].startswith("triad-kgqa/")
    assert set(server.requests[0].parameters) == {"query"}


def test_headers_are_sent(server: SparqlServer) -> None:
    EndpointGraph(server.url, headers={"Authorization": "Bearer x", "User-Agent": "me"}).select(ALL)
    assert server.requests[0].headers["Authorization"] == "Bearer x"
    assert server.requests[0].headers["User-Agent"] == "me"


@pytest.mark.parametrize("graphs", ["http://example.org/g", ["http://example.org/g"]])
def test_default_graphs_are_sent(server: SparqlServer, graphs: Any) -> None:
    EndpointGraph(server.url, default_graphs=graphs).select(ALL)
    assert server.requests[0].parameters["default-graph-uri"] == ["http://example.org/g"]


def test_of_an_endpoint_only_some_graphs_may_exist(server: SparqlServer) -> None:
    address = f"{server.url}?default-graph-uri=http://example.org/all&named-graph-uri=http://example.org/all"
    graph = EndpointGraph(address, default_graphs="http://example.org/g", only_graphs=["http://example.org/o"])
    graph.select(ALL)
    sent = {"default-graph-uri": ["http://example.org/o"], "named-graph-uri": ["http://example.org/o"]}
    assert {name: value for name, value in server.requests[0].parameters.items() if name != "query"} == sent
    with pytest.raises(QueryRejected, match="GRAPH is not allowed here"):
        graph.select(SafeQuery("ASK { FILTER EXISTS { GRAPH ?g { ?s ?p ?o } } }"))


def test_parameters_of_the_address_are_sent(server: SparqlServer) -> None:
    EndpointGraph(f"{server.url}?timeout=1000&query=x").select(ALL)
    assert server.requests[0].parameters == {"timeout": ["1000"], "query": [ALL]}


def test_user_and_password_are_sent(server: SparqlServer) -> None:
    EndpointGraph(server.url, user="user", password=SECRET).select(ALL)
    assert server.requests[0].headers["Authorization"] == BASIC


def test_user_and_password_of_the_address_are_sent_and_not_shown(server: SparqlServer) -> None:
    graph = EndpointGraph(server.url.replace("//", f"//user:{ENCODED_SECRET}@") + "?key=s3cr3t")
    graph.select(ALL)
    assert server.requests[0].headers["Authorization"] == BASIC
    assert graph.name == server.url
    assert repr(graph) == f"EndpointGraph({server.url!r})"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 500, 503])
def test_no_error_tells_the_password(server: SparqlServer, status: int) -> None:
    server.reply_next(Reply(status, "no"))
    graph = EndpointGraph(server.url.replace("//", f"//user:{ENCODED_SECRET}@") + "?key=s3cr3t", retries=0)
    with pytest.raises(GraphError) as caught:
        graph.select(ALL)
    assert "s3cr3t" not in f"{caught.value!r} {caught.value.__cause__!r}"


@pytest.mark.parametrize(
    "url", ["ftp://s3cr3t@example.org", "http://", "http://u:s3cr3t@h:port/", "http://s3cr3t@[::1", "http://s3cr3t @h"]
)
def test_an_address_that_cannot_be_used_is_an_error_that_does_not_tell_it(url: str) -> None:
    with pytest.raises(ConfigError, match="the address of the endpoint") as caught:
        EndpointGraph(url)
    assert "s3cr3t" not in str(caught.value)


@pytest.mark.parametrize("value", ["s3cr3t\r\nX-Evil: 1", "s3cr3t\x00", "s3cr3t…"])
def test_a_header_that_cannot_be_sent_is_an_error_that_does_not_tell_its_value(value: Any) -> None:
    with pytest.raises(ConfigError, match="'X-Key'") as caught:
        EndpointGraph("http://example.org", headers={"X-Key": value})
    assert "s3cr3t" not in str(caught.value)


def test_what_is_no_header_name_or_method_is_an_error() -> None:
    with pytest.raises(ConfigError, match="'X Key'"):
        EndpointGraph("http://example.org", headers={"X Key": "x"})
    with pytest.raises(ConfigError, match="'PUT' is not one of"):
        EndpointGraph("http://example.org", method="PUT")  # type: ignore[arg-type]  # what a config may say


# Redirections


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirection_is_followed_with_query_and_credentials(server: SparqlServer, method: Any, status: int) -> None:
    target = f"{server.url}/moved" + ("?query=ASK%7B%3Fs%20%3Fp%20%3Fo%7D" if method == "GET" else "")
    server.reply_next(Reply(status, headers={"Location": target}))
    assert EndpointGraph(server.url, method=method, user="user", password=SECRET).ask(ANY)
    assert [request.method for request in server.requests] == [method, method]
    assert server.requests[1].path == "/sparql/moved"
    assert server.requests[1].headers["Authorization"] == BASIC


def test_a_redirection_to_another_server_does_not_take_credentials_along(
    server: SparqlServer, sparql_server: Serve
) -> None:
    other = sparql_server(server.store)
    server.reply_next(Reply(307, headers={"Location": other.url}))
    headers = {"X-Key": SECRET}
    assert EndpointGraph(server.url, method="POST", user="user", password=SECRET, headers=headers).ask(ANY)
    assert not {"Authorization", "X-key", "X-Key"} & set(other.requests[0].headers)


@pytest.mark.parametrize("target", ["file:///etc/hosts", "ftp://example.org/", "http://example.org:port/"])
def test_a_redirection_to_what_is_not_http_is_an_error(graph: EndpointGraph, server: SparqlServer, target: str) -> None:
    server.reply_next(Reply(302, headers={"Location": target}))
    with pytest.raises(GraphError, match="HTTP 302"):
        graph.select(ALL)


def test_a_redirection_without_end_is_an_error(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(*[Reply(302, headers={"Location": server.url})] * 20)
    with pytest.raises(GraphError, match="HTTP 302"):
        graph.select(ALL)


# What is no result


@pytest.mark.parametrize(
    ("status", "error", "message"),
    [
        (400, QuerySyntaxError, "does not accept the query: “what it says”"),
        (401, GraphError, "check user, password and headers"),
        (403, GraphError, "check user, password and headers"),
        (404, GraphError, "no SPARQL service at this address"),
        (408, QueryTimeout, "gave up on the query"),
        (414, GraphError, "method='POST'"),
        (429, GraphError, "fewer requests"),
        (500, GraphError, r"failed \(HTTP 500 .*: “what it says”\)"),
        (504, QueryTimeout, "gateway"),
    ],
)
def test_each_status_has_its_error(
    graph: EndpointGraph, server: SparqlServer, status: int, error: type[GraphError], message: str
) -> None:
    server.reply_next(Reply(status, "<html><style>p {}</style><h1>what</h1>\n<p>it &#115;ays</html>"))
    with pytest.raises(error, match=message) as caught:
        graph.select(ALL)
    assert type(caught.value) is error


@pytest.mark.parametrize("page", ["<script>" * 9_000, "<style " * 9_000, "<" * 99_999, "&#" + "1" * 9_999], ids=len)
def test_markup_without_an_end_is_read_in_linear_time(page: str) -> None:
    begun = time.process_time()
    excerpt(f"</p>{page}")
    assert time.process_time() - begun < 1


def test_a_servers_message_is_quoted_with_its_iris_and_cut(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(Reply(400, "unknown prefix in <http://example.org/a> " + "x" * 1000))
    with pytest.raises(QuerySyntaxError, match=r"<http://example\.org/a>") as caught:
        graph.select(ALL)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("status", [200, 400, 500, 503])
@pytest.mark.parametrize(
    "message",
    [
        "Virtuoso S1T00 Error SR171: Transaction timed out",
        "Virtuoso 42000 Error The estimated execution time 1234 (sec) exceeds the limit of 400 (sec).",
        "java.util.concurrent.TimeoutException",
        "Query timed out",
        "Operation timed out.",
    ],
)
def test_an_engine_that_gives_up_is_a_timeout_and_is_not_asked_again(
    server: SparqlServer, status: int, message: str
) -> None:
    server.reply_next(Reply(status, message))
    with pytest.raises(QueryTimeout, match="gave up on the query"):
        EndpointGraph(server.url).select(ALL)
    assert len(server.requests) == 1


def test_a_page_in_place_of_a_result_is_quoted(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(Reply(200, "<html><h1>Down for maintenance</h1></html>"))
    with pytest.raises(GraphError, match="sent no SPARQL result but “Down for maintenance”"):
        graph.select(ALL)


def test_an_empty_answer_is_an_error(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(Reply(200, ""))
    with pytest.raises(GraphError, match="sent no SPARQL result but nothing"):
        graph.select(ALL)


@pytest.mark.parametrize("body", ['{"error": "no"}', "[]", "5", "[" * 100_000])
def test_other_json_is_an_error(graph: EndpointGraph, server: SparqlServer, body: Any) -> None:
    server.reply_next(Reply(200, body))
    with pytest.raises(GraphError, match="JSON that is no SPARQL result"):
        graph.select(ALL)


@pytest.mark.parametrize("sent", ["ff\r\n{", '5\r\n{"hea\r\n', '5\r\n{"hea\r\nno number\r\n'])
def test_half_an_answer_in_chunks_is_an_error(graph: EndpointGraph, server: SparqlServer, sent: str) -> None:
    server.reply_next(Reply(200, sent, {"Content-Type": RESULTS_JSON, "Transfer-Encoding": "chunked"}))
    with pytest.raises(GraphError, match="was cut off"):
        graph.select(ALL)


def test_a_result_with_an_error_at_its_end_is_a_timeout(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(Reply(200, document(3)[:100] + "\n##  Query cancelled due to timeout during execution   ##"))
    with pytest.raises(QueryTimeout, match="gave up on the query"):
        graph.select(ALL)


@pytest.mark.parametrize("missing", [0, 100])
def test_half_an_answer_is_an_error(graph: EndpointGraph, server: SparqlServer, missing: int) -> None:
    server.reply_next(Reply(200, document(3)[:100], missing=missing))
    with pytest.raises(GraphError, match="was cut off after 100 bytes"):
        graph.select(ALL)


def test_an_answer_beyond_the_byte_limit_is_an_error(server: SparqlServer) -> None:
    server.reply_next(rows(100))
    with pytest.raises(GraphError, match=r"the answer of .* is too large, more than 1,000 bytes came; a LIMIT helps"):
        EndpointGraph(server.url, byte_limit=1000).select(ALL)


@pytest.mark.slow(0.1)
def test_a_silent_server_is_a_timeout(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(Reply(delay=5))
    with pytest.raises(QueryTimeout, match=r"did not answer in 0\.2 seconds"):
        graph.select(ALL, timeout=0.2)


@pytest.mark.slow(0.1)
def test_a_server_that_sends_drop_by_drop_is_a_timeout(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(Reply(200, document(100), pause=0.02))
    with pytest.raises(QueryTimeout):
        graph.select(ALL, timeout=0.2)


@pytest.mark.slow(0.3)
@pytest.mark.parametrize("sent", [b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200])
def test_a_server_that_never_comes_to_its_answer_is_a_timeout(hostile_server: Any, sent: str) -> None:
    server = hostile_server(lambda _: itertools.cycle(sent[at : at + 10] for at in range(0, len(sent), 10)), pause=0.02)
    with pytest.raises(QueryTimeout, match=r"did not answer in 0\.3 seconds"):
        EndpointGraph(server.url).select(ALL, timeout=0.3)


def test_connections_are_used_again(hostile_server: Any) -> None:
    body = b'{"head": {}, "boolean": true}'
    server = hostile_server(lambda _: [b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)])
    with EndpointGraph(server.url) as graph:
        assert graph.ask(ANY)
        assert graph.ask(ANY)
        assert server.connections == 1
    assert graph.ask(ANY)
    graph.close()


def test_an_address_where_nobody_listens_is_an_error(no_backoff: None) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/sparql"
        with pytest.raises(GraphError, match=f"nothing answers at '{url}': connection refused"):
            EndpointGraph(url).select(ALL)


@pytest.mark.parametrize("host", ["nowhere.invalid", "a..b"])
def test_a_host_that_does_not_exist_is_an_error(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(name: str, *_: Any) -> None:
        raise socket.gaierror(socket.EAI_NONAME, f"{name} is not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(GraphError, match=f"no host of this name: 'http://{host}/sparql'"):
        EndpointGraph(f"http://{host}/sparql").select(ALL)


def test_a_server_that_does_not_speak_tls_is_an_error(server: SparqlServer) -> None:
    with pytest.raises(GraphError, match="cannot talk securely"):
        EndpointGraph(server.url.replace("http:", "https:")).select(ALL)


# Trying again


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_failures_that_may_pass_are_tried_again(server: SparqlServer, no_backoff: None, status: int) -> None:
    server.reply_next(Reply(status), Reply(status))
    assert EndpointGraph(server.url, retries=2).ask(ANY)
    assert len(server.requests) == 3


def test_tries_come_to_an_end(server: SparqlServer, no_backoff: None) -> None:
    server.reply_next(*[Reply(503, "busy")] * 5)
    with pytest.raises(GraphError, match=r"HTTP 503 .*busy"):
        EndpointGraph(server.url, retries=2).ask(ANY)
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 500])
def test_failures_that_do_not_pass_are_not_tried_again(server: SparqlServer, no_backoff: None, status: int) -> None:
    server.reply_next(Reply(status))
    with pytest.raises(GraphError):
        EndpointGraph(server.url).ask(ANY)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "value",
    ["0", format_datetime(datetime.now(UTC) - timedelta(seconds=1))],
    ids=["seconds", "a moment that has passed"],
)
def test_a_server_may_say_when_to_try_again(server: SparqlServer, monkeypatch: pytest.MonkeyPatch, value: Any) -> None:
    monkeypatch.setattr(endpoint, "BACKOFF", None)
    server.reply_next(Reply(429, headers={"Retry-After": value}))
    assert EndpointGraph(server.url).ask(ANY)


def test_what_is_no_time_to_try_again_is_ignored(server: SparqlServer, no_backoff: None) -> None:
    server.reply_next(Reply(429, headers={"Retry-After": "later"}))
    assert EndpointGraph(server.url).ask(ANY)


def test_nobody_waits_beyond_the_deadline(server: SparqlServer) -> None:
    server.reply_next(Reply(429, headers={"Retry-After": "3600"}))
    with pytest.raises(GraphError, match="fewer requests"):
        EndpointGraph(server.url).ask(ANY)
    assert len(server.requests) == 1


# Compression


@pytest.mark.parametrize(("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_a_compressed_answer_is_unpacked(graph: EndpointGraph, server: SparqlServer, encoding: str, pack: Any) -> None:
    server.reply_next(Reply(200, pack(document(3).encode()), {"Content-Encoding": encoding}))
    assert len(graph.select(ALL)) == 3
    assert server.requests[0].headers["Accept-Encoding"] == "gzip"


def test_a_compressed_error_is_quoted(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(Reply(400, gzip.compress(b"unknown prefix"), {"Content-Encoding": "gzip"}))
    with pytest.raises(QuerySyntaxError, match="unknown prefix"):
        graph.select(ALL)


@pytest.mark.slow(0.4)
def test_the_byte_limit_holds_for_what_was_unpacked(server: SparqlServer) -> None:
    server.reply_next(Reply(200, gzip.compress(b" " * 50_000_000), {"Content-Encoding": "gzip"}))
    with pytest.raises(GraphError, match="more than 100,000 bytes"):
        EndpointGraph(server.url, byte_limit=100_000).select(ALL)


@pytest.mark.parametrize(
    ("body", "message"),
    [(gzip.compress(document(3).encode())[:-20], "was cut off"), (b"<html>not packed</html>", "damaged")],
    ids=["cut", "not packed"],
)
def test_a_damaged_compressed_answer_is_an_error(
    graph: EndpointGraph, server: SparqlServer, body: Any, message: str
) -> None:
    server.reply_next(Reply(200, body, {"Content-Encoding": "gzip"}))
    with pytest.raises(GraphError, match=message):
        graph.select(ALL)


# What servers leave out, and how they say so


def test_virtuosos_typed_literals_are_read(graph: EndpointGraph, server: SparqlServer) -> None:
    term = {"type": "typed-literal", "datatype": XSD + "integer", "value": "1"}
    body = json.dumps({"head": {"vars": ["n"]}, "results": {"bindings": [{"n": term}]}})
    server.reply_next(Reply(200, body))
    assert graph.select(ALL).column("n") == [Literal("1", XSD + "integer")]


def test_a_literal_with_broken_bytes_or_raw_control_characters_does_not_spoil_the_result(
    graph: EndpointGraph, server: SparqlServer
) -> None:
    body = b'{"head": {"vars": ["s"]}, "results": {"bindings": [{"s": {"type": "literal", "value": "a\xff\tb"}}]}}'
    server.reply_next(Reply(200, body))
    assert graph.select(ALL).column("s") == [Literal("a\N{REPLACEMENT CHARACTER}\tb")]


@pytest.mark.parametrize(
    ("value", "datatype", "expected"), cases(__file__, "test_booleans_and_fractions_are_written_in_one_way")
)
def test_booleans_and_fractions_are_written_in_one_way(
    graph: EndpointGraph, server: SparqlServer, value: Any, datatype: str, expected: Any
) -> None:
    term = {"type": "literal", "datatype": XSD + datatype, "value": value}
    server.reply_next(Reply(200, json.dumps({"head": {"vars": ["n"]}, "results": {"bindings": [{"n": term}]}})))
    assert graph.select(ALL).column("n") == [Literal(expected, XSD + datatype)]


@pytest.mark.parametrize("value", ["1e999999999", "1E-999999999", "9" * 1000, "1e99999999999999999999999", "1e401"])
def test_a_number_that_would_be_long_is_left_as_it_is(graph: EndpointGraph, server: SparqlServer, value: Any) -> None:
    server.reply_next(table({"type": "literal", "datatype": XSD + "decimal", "value": value}))
    assert graph.select(ALL).column("n") == [Literal(value, XSD + "decimal")]


def test_a_table_that_would_be_large_is_an_error(graph: EndpointGraph, server: SparqlServer) -> None:
    head = {"vars": [str(at) for at in range(100_000)]}
    server.reply_next(Reply(200, json.dumps({"head": head, "results": {"bindings": [{}] * 2_000}})))
    with pytest.raises(GraphError, match="has 2,000 rows of 100,000 variables"):
        graph.select(ALL)


@pytest.mark.parametrize(
    "term",
    [
        {"type": "uri", "value": 5},
        {"type": "uri", "value": None},
        {"type": "uri"},
        {"type": "bnode", "value": ["b"]},
        {"type": "literal", "value": {}},
        {"type": "literal", "value": "x", "xml:lang": 5},
        {"type": "literal", "value": "x", "xml:lang": ["en"]},
        {"type": "literal", "value": "x", "datatype": ["x"]},
        {"value": "x"},
        "x",
        5,
        None,
    ],
)
def test_what_is_no_term_is_an_error(graph: EndpointGraph, server: SparqlServer, term: Any) -> None:
    server.reply_next(table(term))
    with pytest.raises(GraphError, match="JSON that is no SPARQL result"):
        graph.select(ALL)


@pytest.mark.parametrize(
    "data",
    [
        {"head": {}, "results": {"bindings": [{"n": {"type": "uri", "value": "x"}}]}},
        {"head": {"vars": [5]}, "results": {"bindings": []}},
        {"head": {"vars": None}, "results": {"bindings": [{}]}},
        {"head": {"vars": 5}, "results": {"bindings": []}},
        {"head": [], "results": {"bindings": []}},
        {"head": {"vars": ["n"]}, "results": {"bindings": 5}},
        {"head": {"vars": ["n"]}, "results": []},
        {"head": {"vars": ["n"]}, "results": {"bindings": [5]}},
    ],
)
def test_what_is_no_table_is_an_error(graph: EndpointGraph, server: SparqlServer, data: Any) -> None:
    server.reply_next(Reply(200, json.dumps(data)))
    with pytest.raises(GraphError, match="JSON that is no SPARQL result"):
        graph.select(ALL)


def test_a_variable_that_a_server_left_out_is_an_error(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(table({"type": "literal", "value": "x"}))
    result = graph.select(ALL)
    with pytest.raises(GraphError, match=r"no values of \?s; it gave n"):
        result.column("s")
    with pytest.raises(GraphError, match=r"no value of \?s"):
        [row["s"] for row in result]


@pytest.mark.parametrize("value", ["-1", "9" * 19, "9" * 5000, "1e3", "none", "²", ""])
def test_a_count_that_is_none_is_an_error(value: Any) -> None:
    with pytest.raises(GraphError, match="for a count"):
        count_of(Literal(value, XSD + "integer"))


@pytest.mark.parametrize(
    ("sent", "read"), [(r"a\ud800b", "a?b"), (r"\ud83d\ude00", "\N{GRINNING FACE}"), (r"\\ud800", "\\ud800")]
)
def test_half_a_surrogate_pair_is_replaced(graph: EndpointGraph, server: SparqlServer, sent: str, read: Any) -> None:
    reply = table({"type": "literal", "value": "SENT"})
    server.reply_next(Reply(200, str(reply.body).replace("SENT", sent)))
    assert graph.select(ALL).column("n") == [Literal(read)]


def test_half_a_surrogate_pair_in_a_query_is_an_error(graph: EndpointGraph) -> None:
    with pytest.raises(GraphError, match="half a surrogate pair"):
        graph.select(SafeQuery("SELECT ?s { ?s ?p '\ud800' }"))


@pytest.mark.parametrize("value", ["9" * 5000, "-1", "²", "many"])
def test_a_row_cap_that_is_none_is_ignored(graph: EndpointGraph, server: SparqlServer, value: Any) -> None:
    server.reply_next(Reply(200, document(3), {"X-SPARQL-MaxRows": value}))
    assert not graph.select(ALL).truncated


def test_a_location_that_is_no_address_is_an_error(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(Reply(302, headers={"Location": "http://[::1"}))
    with pytest.raises(GraphError, match="HTTP 302"):
        graph.select(ALL)


@pytest.mark.parametrize("value", [True, False])
def test_virtuosos_answer_to_an_ask_is_read(graph: EndpointGraph, server: SparqlServer, value: Any) -> None:
    row = {"__ASK_RETVAL": {"type": "typed-literal", "datatype": XSD + "integer", "value": "1"}}
    results = {"bindings": [row] if value else []}
    server.reply_next(Reply(200, json.dumps({"head": {"vars": ["__ASK_RETVAL"]}, "results": results})))
    assert graph.ask(ANY) is value


def test_nothing_found_in_time_is_not_the_same_as_nothing(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(rows(0, **{"X-SQL-State": "S1TAT"}), Reply(200, '{"boolean": false}', {"X-SQL-State": "S1TAT"}))
    with pytest.raises(QueryTimeout, match="found nothing in its time"):
        graph.select(ALL)
    with pytest.raises(QueryTimeout, match="found nothing in its time"):
        graph.ask(ANY)


def test_virtuosos_partial_results_are_truncated(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(rows(3, **{"X-SQL-State": "S1TAT"}))
    assert graph.select(ALL).truncated


@pytest.mark.parametrize(("limit", "truncated"), [("", True), ("LIMIT 3", False), ("LIMIT 5", True)])
def test_as_many_rows_as_the_server_says_it_gives_are_truncated(
    graph: EndpointGraph, server: SparqlServer, limit: Any, truncated: bool
) -> None:
    server.reply_next(rows(3, **{"X-SPARQL-MaxRows": "3"}))
    assert graph.select(SafeQuery(f"{ALL} {limit}")).truncated is truncated


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(("limit", "truncated"), [("", True), ("LIMIT 10000", False), ("LIMIT 20000", True)])
def test_ten_thousand_rows_are_truncated_unless_asked_for(server: SparqlServer, limit: Any, truncated: bool) -> None:
    server.reply_next(rows(10_000))
    result = EndpointGraph(server.url, row_limit=20_000).select(SafeQuery(f"{ALL} {limit}"))
    assert len(result) == 10_000
    assert result.truncated is truncated


def test_a_look_up_goes_on_where_the_server_cut(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(rows(3, **{"X-SPARQL-MaxRows": "3"}), rows(3), rows(2))
    result = graph.lookup(ALL)
    assert len(result) == 5
    assert not result.truncated
    first, *pages = [request.query for request in server.requests]
    assert first == ALL
    assert [page.partition("LIMIT")[2] for page in pages] == [" 3 OFFSET 0", " 3 OFFSET 3"]
    assert all(f"{{ {ALL} }} }} ORDER BY ?s" in page for page in pages)


def test_a_look_up_ends_at_a_page_without_rows(graph: EndpointGraph, server: SparqlServer) -> None:
    server.reply_next(rows(0, **{"X-SPARQL-MaxRows": "0"}))
    assert len(graph.lookup(ALL)) == 0
    assert len(server.requests) == 1


def test_a_look_up_does_not_go_on_beyond_its_own_limit(server: SparqlServer) -> None:
    server.reply_next(rows(3, **{"X-SPARQL-MaxRows": "3"}), rows(3), rows(3), rows(3))
    result = EndpointGraph(server.url, row_limit=5).lookup(ALL)
    assert len(result) == 5
    assert result.truncated
    assert len(server.requests) == 3


def test_what_is_kept_of_an_endpoint_is_of_one_account() -> None:
    address = "https://example.org/sparql"
    graphs = [
        EndpointGraph(address),
        EndpointGraph(address, user="ann", password="one"),
        EndpointGraph("https://ann:two@example.org/sparql"),
        EndpointGraph(address, headers={"X-Key": "three"}),
    ]
    assert len({graph.fingerprint for graph in graphs}) == 4
    assert EndpointGraph("https://ann:one@example.org/sparql").fingerprint == graphs[1].fingerprint


def test_triples_within_triples_are_texts_that_grow_no_more_than_they_nest() -> None:
    def nested(depth: int) -> dict[str, Any]:
        if not depth:
            return {"type": "literal", "value": 'a "b"'}
        end = {"type": "uri", "value": "urn:s"}
        return {"type": "triple", "value": {"subject": end, "predicate": end, "object": nested(depth - 1)}}

    def result(depth: int) -> dict[str, Any]:
        return {"head": {"vars": ["x"]}, "results": {"bindings": [{"x": nested(depth)}]}}

    [text] = ResultSet.from_sparql_json(result(30)).column("x")
    assert len(text.value) < 30 * 25
    assert text.value.startswith("<<( <urn:s> <urn:s> <<( <urn:s>")
    assert '"a \\"b\\"" )>> )>>' in text.value
    with pytest.raises(ValueError, match="nested more than 32 deep"):
        ResultSet.from_sparql_json(result(40))
