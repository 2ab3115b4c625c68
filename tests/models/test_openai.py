from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.hostile_server import OK
from tests.models.openai_server import Connect, Server
from triad.configs import Options, make_config
from triad.errors import ConfigError, ModelError
from triad.models import openai
from triad.models.openai import OpenAIModel
from triad.text import unsaid
from triad.trace import Message

ASK = [Message("system", "Be brief."), Message("user", "Who founded Intel?")]
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
SOON = {"retry-after-ms": "1"}
KEY = "sk-a-very-secret-key"


def refuses(*words: str, status: int = 400, **error: Any) -> Callable[[Any], tuple[int, Any] | None]:
    """A rule by which a server refuses requests that have one of the words."""

    def rule(body: Any) -> tuple[int, Any] | None:
        for word in words:
            if word in str(body):
                return status, {"error": {"message": f"unsupported: {word}", **error}}
        return None

    return rule


# Replies


def test_a_reply_comes_with_tokens_money_and_time(server: Server, connect: Connect) -> None:
    completion = connect().complete(ASK)
    assert completion.text == "ok"
    usage = completion.usage
    assert (usage.calls, usage.cached, usage.input_tokens, usage.output_tokens) == (1, 0, 1000, 500)
    assert usage.money == pytest.approx(0.0012)
    assert usage.seconds > 0


def test_the_conversation_and_the_settings_are_sent(server: Server, connect: Connect) -> None:
    connect(seed=7, max_tokens=50).complete(ASK)
    assert server.requests == [
        {
            "model": "gpt-4.1-mini",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who founded Intel?"}],
            "max_tokens": 50,
            "seed": 7,
            "temperature": 0.0,
        }
    ]


def test_tokens_are_estimated_where_the_server_counts_none(server: Server, connect: Connect) -> None:
    server.reply("12345678", usage=None)
    usage = connect().complete([Message("user", "12345")]).usage
    assert (usage.input_tokens, usage.output_tokens) == (3, 2)


def test_prices_of_a_config_are_added(server: Server) -> None:
    prices = {"own": {"input": 1_000, "output": 0}}
    keys = {"graph": "g.ttl", "model": f"openai:own@{server.url}", "prices": prices}
    for options in (make_config(keys), Options.model_validate(keys)):
        model = options.open_model()
        assert model is not None
        usage = model.complete(ASK).usage
        assert usage.money == pytest.approx(usage.input_tokens / 1_000)
        model.close()


def test_prices_can_be_added(server: Server, connect: Connect) -> None:
    model = connect("own", prices={"own": {"input": 10, "output": 0}})
    assert model.complete(ASK).usage.money == pytest.approx(0.01)


def test_half_a_surrogate_pair_in_a_prompt_is_replaced(server: Server, connect: Connect) -> None:
    assert connect().complete([Message("user", "a\ud800b")]).text == "ok"
    assert server.requests[0]["messages"][0]["content"] == "a?b"


def test_a_model_can_be_used_again_after_it_was_closed(server: Server, connect: Connect) -> None:
    model = connect()
    model.complete(ASK)
    model.close()
    assert model.complete(ASK).text == "ok"


def test_threads_share_a_model(server: Server, connect: Connect) -> None:
    model = connect()
    with ThreadPoolExecutor(8) as pool:
        completions = list(pool.map(lambda _: model.complete(ASK), range(16)))
    assert [completion.text for completion in completions] == ["ok"] * 16


# Forms of a reply


def test_a_schema_is_sent_in_strict_mode(server: Server, connect: Connect) -> None:
    connect().complete(ASK, SCHEMA)
    asked = server.requests[0]["response_format"]
    assert asked == {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA}}


def test_without_a_schema_no_form_is_asked_for(server: Server, connect: Connect) -> None:
    connect().complete(ASK)
    assert "response_format" not in server.requests[0]


def test_a_server_that_refuses_schemas_is_asked_for_an_object_and_not_twice(server: Server, connect: Connect) -> None:
    server.rule = refuses("json_schema")
    model = connect()
    assert model.complete(ASK, SCHEMA).text == "ok"
    assert model.complete(ASK, SCHEMA).text == "ok"
    forms = [request["response_format"]["type"] for request in server.requests]
    assert forms == ["json_schema", "json_object", "json_object"]


@pytest.mark.parametrize("status", [400, 422])
def test_a_server_that_refuses_every_form_is_asked_in_words(server: Server, connect: Connect, status: int) -> None:
    server.rule = refuses("response_format", status=status)
    assert connect().complete(ASK, SCHEMA).text == "ok"
    assert len(server.requests) == 3
    assert "response_format" not in server.requests[-1]


def test_threads_that_learn_the_same_at_once_do_not_skip_a_form(server: Server, connect: Connect) -> None:
    gate = threading.Barrier(4)

    def rule(body: Any) -> tuple[int, Any] | None:
        if "json_schema" in str(body):
            gate.wait(120)
        return refuses("json_schema")(body)

    server.rule = rule
    model = connect()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: model.complete(ASK, SCHEMA), range(4)))
    assert server.requests[-1]["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize(("mode", "form"), [("schema", "json_schema"), ("object", "json_object")])
def test_a_form_that_was_chosen_is_not_given_up(server: Server, connect: Connect, mode: Any, form: Any) -> None:
    server.rule = refuses("response_format")
    with pytest.raises(ModelError, match="response_format"):
        connect(json_mode=mode).complete(ASK, SCHEMA)
    assert [request["response_format"]["type"] for request in server.requests] == [form]


def test_the_form_can_be_left_to_the_prompt(server: Server, connect: Connect) -> None:
    connect(json_mode="text").complete(ASK, SCHEMA)
    assert "response_format" not in server.requests[0]


# Parameters that a server refuses


def test_a_refused_parameter_is_left_out_and_not_sent_again(server: Server, connect: Connect) -> None:
    server.rule = refuses("temperature", param="temperature", code="unsupported_value")
    model = connect(seed=1)
    model.complete(ASK)
    model.complete(ASK)
    assert ["temperature" in request for request in server.requests] == [True, False, False]
    assert all(request["seed"] == 1 for request in server.requests)


def test_max_tokens_gives_way_to_max_completion_tokens(server: Server, connect: Connect) -> None:
    refusal = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    server.fail(400, refusal, param="max_tokens")
    connect(max_tokens=50).complete(ASK)
    assert server.requests[1]["max_completion_tokens"] == 50
    assert "max_tokens" not in server.requests[1]


def test_a_refusal_in_the_words_of_other_servers_is_understood(server: Server, connect: Connect) -> None:
    detail = [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]
    server.send(422, {"detail": detail})
    connect(seed=1).complete(ASK)
    assert ["seed" in request for request in server.requests] == [True, False]


@pytest.mark.slow(0.1)
def test_several_refusals_are_met_one_after_another(server: Server, connect: Connect) -> None:
    server.rule = refuses("json_schema", "temperature", "seed")
    assert connect(seed=1).complete(ASK, SCHEMA).text == "ok"
    assert len(server.requests) == 4


def test_a_wrong_value_is_an_error_and_not_left_out(server: Server, connect: Connect) -> None:
    server.fail(400, "temperature must be at most 2", param="temperature")
    with pytest.raises(ModelError, match="at most 2"):
        connect(temperature=9).complete(ASK)
    assert len(server.requests) == 1


# Retries


def test_a_call_is_tried_again_after_a_rate_limit_when_the_server_says(server: Server, connect: Connect) -> None:
    server.fail(429, headers=SOON)
    assert connect(retries=1).complete(ASK).text == "ok"
    assert len(server.requests) == 2


def test_a_call_is_tried_again_after_a_failure_of_the_server(server: Server, connect: Connect) -> None:
    server.fail(500, headers=SOON)
    server.fail(503, headers=SOON)
    assert connect(retries=2).complete(ASK).text == "ok"


def test_retries_are_bounded(server: Server, connect: Connect) -> None:
    server.rule = lambda body: (500, {"error": {"message": "down"}})
    with pytest.raises(ModelError, match=r"status 500 \(no retries allowed\) \(“down”\)"):
        connect().complete(ASK)
    assert len(server.requests) == 1


# Errors


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [
        (401, {"message": "bad key"}, "refused the key .“bad key”.; check OPENAI_API_KEY"),
        (403, {"message": "not you"}, "refused the key"),
        (404, {"message": "no such model"}, "not found .*the server has 'gpt-4.1-mini', 'gpt-4.1'"),
        (429, {"message": "slow down"}, "over its rate limit .*fewer calls"),
        (429, {"message": "pay", "code": "insufficient_quota"}, "no quota left .*billing"),
        (500, {"message": "down"}, "failed with HTTP status 500 .*try again later"),
        (400, {"message": "odd"}, "refused the request with HTTP status 400: “odd”"),
        (400, {"message": "maximum context length is 8 tokens, max_tokens is not allowed"}, "so long a prompt"),
        (400, {"message": "m", "code": "context_length_exceeded"}, "so long a prompt"),
        (400, {"message": "no", "code": "content_filter"}, "content filter"),
        (413, {"message": "large"}, "HTTP status 413: “large”"),
    ],
)
def test_an_error_names_model_and_address_and_says_what_to_do(
    server: Server, connect: Connect, status: int, error: Any, words: str
) -> None:
    server.send(status, {"error": error})
    with pytest.raises(ModelError, match=words) as caught:
        connect("gpt-4.1-mimi", max_tokens=9).complete(ASK)
    assert f"model 'gpt-4.1-mimi' at {server.url} " in str(caught.value)
    assert caught.value.begun == (status == 500)  # the others cost nothing


def test_errors_in_other_forms_are_understood(server: Server, connect: Connect) -> None:
    server.send(418, {"error": "a teapot"})
    with pytest.raises(ModelError, match="418: “a teapot”"):
        connect().complete(ASK)
    server.send(418, b"<html>a\n teapot</html>")
    with pytest.raises(ModelError, match="418: “<html>a teapot</html>”"):
        connect().complete(ASK)


def test_a_wrong_path_is_suspected_where_no_models_are_listed(server: Server, connect: Connect) -> None:
    server.models = []
    server.fail(404)
    with pytest.raises(ModelError, match="does the address end as"):
        connect().complete(ASK)


@pytest.mark.slow(0.6)
def test_a_slow_server_is_not_waited_for(server: Server, connect: Connect) -> None:
    done = threading.Event()
    for _ in range(2):
        server.send(200, lambda: done.wait(120) and {})
    with pytest.raises(ModelError, match=r"did not answer within 0.1 s in spite of up to 1 retries") as caught:
        connect(timeout=0.1, retries=1).complete(ASK)
    assert caught.value.begun == 2
    done.set()


def test_a_server_that_does_not_run_is_named() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        model = OpenAIModel("m", base_url=f"http://127.0.0.1:{unused.getsockname()[1]}/v1", retries=0)
        with pytest.raises(ModelError, match=r"cannot be reached .*refused.*is the server running\?") as caught:
            model.complete(ASK)
        assert caught.value.begun == 0
        model.close()


def test_half_an_answer_is_an_error(server: Server, connect: Connect) -> None:
    server.send(200, b'{"choices": [', **{"Content-Length": "1000"})
    with pytest.raises(ModelError, match="cannot be reached") as caught:
        connect().complete(ASK)
    assert caught.value.begun == 1


@pytest.mark.parametrize("body", [b"{", b"[]", b'"text"', b"null"])
def test_an_answer_that_is_no_completion_is_an_error(server: Server, connect: Connect, body: Any) -> None:
    server.send(200, body)
    with pytest.raises(ModelError, match=r"did not answer|without a choice"):
        connect().complete(ASK)


def test_a_web_page_is_an_error(server: Server, connect: Connect) -> None:
    server.send(200, b"<html>", **{"Content-Type": "text/html"})
    with pytest.raises(ModelError, match="did not answer with a chat completion") as caught:
        connect().complete(ASK)
    assert caught.value.begun == 1


@pytest.mark.parametrize(
    ("response", "words"),
    [
        ({"choices": []}, "without a choice"),
        ({"choices": None}, "without a choice"),
        ({"content": ""}, "empty reply"),
        ({"content": None}, "empty reply"),
        ({"content": " \n"}, "empty reply"),
        ({"content": "Robert No", "finish_reason": "length"}, "cut the reply .*raise max_tokens"),
        ({"content": "", "finish_reason": "content_filter"}, "content filter"),
        ({"choices": [{"message": {"content": None, "refusal": "I will not"}}]}, "content filter.*I will not"),
        ({"choices": [{"index": 0}]}, "empty reply"),
    ],
)
def test_a_reply_that_is_of_no_use_is_an_error(server: Server, connect: Connect, response: Any, words: str) -> None:
    server.reply(**response)
    with pytest.raises(ModelError, match=words) as raised:
        connect().complete(ASK)
    assert "I will not" not in unsaid(str(raised.value))
    assert raised.value.usage is not None
    assert raised.value.usage.calls == 1
    assert raised.value.usage.input_tokens > 0


def test_a_reply_that_is_of_no_use_costs_what_the_server_counted(server: Server, connect: Connect) -> None:
    server.reply("", usage={"prompt_tokens": 1_000, "completion_tokens": 500})
    with pytest.raises(ModelError, match="empty reply") as raised:
        connect(prices={"gpt-4.1-mini": {"input": 1, "output": 2}}).complete(ASK)
    used = raised.value.usage
    assert used is not None
    assert (used.calls, used.input_tokens, used.output_tokens, used.money) == (1, 1_000, 500, 0.002)


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": "Robert "}, {"type": "text", "text": "Noyce"}],
        [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}, {"type": "text", "text": "Robert Noyce"}],
        ["Robert ", {"text": "Noyce"}],
    ],
)
def test_a_reply_in_parts_is_read(server: Server, connect: Connect, content: str) -> None:
    server.reply(content)
    assert connect().complete(ASK).text == "Robert Noyce"


def choice(**message: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": message}]}


@pytest.mark.parametrize(
    "body",
    [
        choice(content=5),
        choice(content={"text": "x"}),
        choice(content=[5]),
        choice(content="x", refusal=5),
        {"choices": "abc"},
        {"choices": [1, 2]},
        {"choices": [None]},
        {"choices": [{"message": "x"}]},
        {"choices": [{"message": [1]}]},
        {"error": "none"},
        b'{"choices": [{"message": {"content": "\xff"}}]}',
        b"[" * 100_000,
        b'{"choices": ' + b"[" * 100_000,
        b'{"choices": [{"index": ' + b"9" * 5_000 + b"}]}",
    ],
)
def test_a_malformed_reply_is_an_error(server: Server, connect: Connect, body: Any) -> None:
    server.send(200, body)
    with pytest.raises(ModelError, match="did not answer with a chat completion"):
        connect().complete(ASK)


@pytest.mark.parametrize(
    "counts",
    [
        "many",
        5,
        [1],
        {"prompt_tokens": "many"},
        {"prompt_tokens": -1, "completion_tokens": [1]},
        {"prompt_tokens": 1e9},
    ],
)
def test_counts_that_are_none_are_estimated(server: Server, connect: Connect, counts: Any) -> None:
    server.reply("12345678", usage=counts)
    usage = connect().complete([Message("user", "12345")]).usage
    assert (usage.input_tokens, usage.output_tokens) == (3, 2)


def test_counts_may_be_written_as_texts(server: Server, connect: Connect) -> None:
    server.reply("x", usage={"prompt_tokens": "1000", "completion_tokens": "500"})
    usage = connect().complete(ASK).usage
    assert (usage.input_tokens, usage.output_tokens) == (1000, 500)


def test_half_a_surrogate_pair_in_a_reply_is_replaced(server: Server, connect: Connect) -> None:
    server.send(200, b'{"choices": [{"message": {"content": "a\\ud800b"}}]}')
    assert connect().complete(ASK).text == "a?b"


@pytest.mark.parametrize("models", [[None], [5], [{"a": 1}], ["gpt-4.1-mini"], b"\xff", b"[" * 100_000])
def test_a_malformed_list_of_models_does_no_harm(server: Server, connect: Connect, models: Any) -> None:
    server.models = models
    server.fail(404)
    with pytest.raises(ModelError, match="was not found"):
        connect().complete(ASK)


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": 5, "param": 5, "code": []}},
        {"error": {"message": "not supported", "param": ["seed"]}},
        {"error": [1]},
        {"error": {"message": {"a": [1]}}},
        [1],
        b"[" * 100_000,
        b"[" * 900 + b"]" * 900,
        b'{"error": {"message": ' + b"[" * 900 + b"]" * 900 + b"}}",
        b"\xff",
    ],
)
@pytest.mark.parametrize("status", [400, 500])
def test_a_malformed_complaint_is_an_error(server: Server, connect: Connect, body: Any, status: int) -> None:
    server.send(status, body)
    with pytest.raises(ModelError, match=str(status)):
        connect().complete(ASK)


# Deadlines and caps


@pytest.mark.slow(0.3)
@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([b"HTTP/1.1 100 Continue\r\n\r\n"], id="100 Continue"),
        pytest.param([OK, *[b"X: y\r\n"] * 1000], id="headers"),
        pytest.param([OK + b"Content-Length: 1000\r\n\r\n", *[b"x"] * 1000], id="body"),
    ],
)
def test_a_server_that_sends_a_little_now_and_then_is_not_waited_for(hostile_server: Any, parts: Any) -> None:
    server = hostile_server(lambda _: itertools.cycle(parts), pause=0.02)
    model = OpenAIModel("m", base_url=server.url, timeout=0.3, retries=0)
    with pytest.raises(ModelError, match=r"did not answer within 0\.3 s"):
        model.complete(ASK)
    model.close()


def test_a_reply_without_end_is_an_error(hostile_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "REPLY_LIMIT", 100_000)
    start = OK + b"Transfer-Encoding: chunked\r\n\r\n"
    server = hostile_server(lambda _: itertools.chain([start], itertools.repeat(b"1000\r\n" + b" " * 4096 + b"\r\n")))
    model = OpenAIModel("m", base_url=server.url, retries=0)
    with pytest.raises(ModelError, match="no reply of a reasonable size: more than 100,000 bytes"):
        model.complete(ASK)
    model.close()


def test_the_key_is_not_sent_on_to_another_server(hostile_server: Any) -> None:
    other = hostile_server(lambda _: [OK + b"Content-Length: 2\r\n\r\n{}"])
    moved = f"HTTP/1.1 307 Moved\r\nContent-Length: 0\r\nLocation: {other.url}\r\n\r\n"
    server = hostile_server(lambda _: [moved.encode()])
    model = OpenAIModel("m", base_url=server.url, api_key=KEY, retries=0)
    with pytest.raises(ModelError, match="did not answer with a chat completion"):
        model.complete(ASK)
    model.close()
    assert KEY.encode() in server.requests[0]
    assert KEY.encode() not in other.requests[0]


# Keys and addresses


def test_the_key_is_nowhere_to_be_seen(server: Server, connect: Connect) -> None:
    model = connect(api_key=KEY, base_url=server.url.replace("//", "//user:password@") + "?token=hidden")
    server.fail(401, f"Incorrect API key provided: {KEY} {'x' * 138} {KEY}")
    with pytest.raises(ModelError) as caught:
        model.complete(ASK)
    seen = f"{model!r} {model.fingerprint} {caught.value} {caught.value.__cause__}"
    assert "***" in seen
    assert not any(secret in seen for secret in (KEY[:8], "password", "hidden"))


def test_a_dummy_key_is_not_taken_for_a_secret(server: Server, connect: Connect) -> None:
    server.fail(401, "no")
    with pytest.raises(ModelError, match=r"model 'gpt-4.1-mini' at http"):
        connect(api_key="m").complete(ASK)


def test_the_key_comes_from_the_option_then_the_file_then_the_environment(
    server: Server, connect: Connect, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "key"
    file.write_text("from-file\n")
    connect().complete(ASK)
    monkeypatch.setenv("OPENAI_API_KEY", "from-environment")
    connect().complete(ASK)
    connect(api_key_file=file).complete(ASK)
    connect(api_key_file=file, api_key="given").complete(ASK)
    sent = [headers["Authorization"].removeprefix("Bearer ") for headers in server.headers]
    assert sent == ["no-key", "from-environment", "from-file", "given"]


def test_the_address_comes_from_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    assert OpenAIModel("m").address == server.url


def test_openai_itself_needs_a_key() -> None:
    with pytest.raises(ConfigError, match="set OPENAI_API_KEY"):
        OpenAIModel("gpt-4.1-mini")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"json_mode": "xml"}, "unknown json_mode 'xml'; known are auto, schema"),
        ({"retries": -1}, "retries=-1"),
        ({"timeout": 0}, "timeout=0"),
        ({"base_url": "localhost:8000"}, "base_url 'localhost:8000' is not an address"),
        ({"base_url": "ftp://me:pw@host/v1"}, "base_url 'host/v1' is not"),
        ({"base_url": "http://host:port/v1"}, "not an address"),
        ({"api_key": "sk-…"}, "holds a character that no key has"),
        ({"api_key_file": "/no/such/file"}, "cannot read api_key_file '/no/such/file'"),
        ({"prices": {"m": {"input": -1, "output": 1}}}, "price 'm.input'"),
    ],
)
def test_options_that_make_no_sense_are_named(options: Any, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        OpenAIModel("m", **{"base_url": "http://localhost/v1"} | options)


def test_an_empty_key_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "key").touch()
    with pytest.raises(ConfigError, match="is empty"):
        OpenAIModel("m", api_key_file=tmp_path / "key")


@pytest.mark.slow(0.4)
def test_a_failing_server_is_not_asked_for_ever() -> None:
    model = OpenAIModel("m", base_url="http://127.0.0.1:9/v1", api_key="none", retries=1, timeout=2)
    with pytest.raises(ModelError):
        model.complete([Message("user", "q")])
    model.close()


# Several replies


def test_several_replies_are_found_by_beam_search_in_one_call(server: Server, connect: Connect) -> None:
    texts = ["first", "second", ""]
    server.reply(choices=[{"message": {"content": text}, "finish_reason": "stop"} for text in texts])
    found = connect().complete_many(ASK, 3)
    assert [one.text for one in found] == ["first", "second"]
    assert [one.usage.calls for one in found] == [1, 0]
    assert (server.requests[0]["n"], server.requests[0]["use_beam_search"]) == (3, True)


@pytest.mark.slow(0.1)
def test_a_server_without_beam_search_gives_samples(server: Server, connect: Connect) -> None:
    server.rule = refuses("use_beam_search")
    model = connect()
    assert [one.text for one in model.complete_many(ASK, 3)] == ["ok"]
    assert (server.requests[-1]["n"], server.requests[-1]["temperature"]) == (3, 1.0)
    model.complete(ASK)
    assert server.requests[-1]["temperature"] == 0.0
    assert "n" not in server.requests[-1]


def test_a_server_that_gives_one_reply_at_a_time_gives_one(server: Server, connect: Connect) -> None:
    server.rule = refuses("use_beam_search", "'n':", param="n")
    assert [one.text for one in connect().complete_many(ASK, 3)] == ["ok"]
    assert "n" not in server.requests[-1]
