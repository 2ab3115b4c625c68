"""What the server does under load, on this machine: `python benchmarks/serve.py [load] [solver] [kept] …`.

One program is the client, and the model; the server runs beside it. Both share the machine's cores, so that figures are
given as ratios to what the same machine does without a server.

    load      200 clients and a model that takes half a second: p95 against a perfect server's, which costs nothing
              beside the model's time and the work of the engine, both told without a server
    solver    questions a second without a model, against cores / the engine's work for one: by one process, and by
              all workers
    kept      the second answer on a connection against the first; one that waits for an acknowledgement takes 40 ms
    streams   memory of 1,000 streams that wait
    memory    memory after some questions, and after many more (--questions)
    talks     memory after some conversations of 20 turns, and after many more (--conversations)
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import psutil
import yaml

QUESTIONS = (
    "Who founded Intel?",
    "When was Intel founded?",
    "Which rivers flow through Germany?",
    "What is the capital of France?",
    "Which films did Stanley Kubrick direct?",
    "How many countries are there?",
)
THINKING = 0.5
"""Seconds that the model takes."""
TURNS = 20
"""Questions of a conversation."""
READING = {
    "triples": [{"subject": "Intel", "relation": "founded by", "object": "?x"}],
    "answer_type": "select",
    "sparql": "SELECT DISTINCT ?x WHERE { <Intel> <founded_by> ?x }",
}
"""What the model replies: how to read the question whose answer it is asked for."""


class Model:
    """A model with OpenAI's API that thinks for a while; calls do not wait for each other."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.calls = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the calls of one connection."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next(
                    int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")
                )
                await reader.readexactly(length)
                self.calls += 1
                await asyncio.sleep(self.seconds)
                message = {"role": "assistant", "content": json.dumps(READING)}
                usage = {"prompt_tokens": 1_000, "completion_tokens": 50, "total_tokens": 1_050}
                body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}
                writer.write(
                    _with_length(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n", json.dumps(body).encode())
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()


def _length(head: bytes) -> int:
    return next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))


def _with_length(head: bytes, body: bytes) -> bytes:
    return head + f"Content-Length: {len(body)}\r\n\r\n".encode() + body


@asynccontextmanager
async def thinking(seconds: float) -> AsyncIterator[tuple[Model, str]]:
    """Yield a model, and what opens it."""
    model = Model(seconds)
    server = await asyncio.start_server(model.serve, "127.0.0.1", 0, backlog=2_048)
    async with server:
        yield model, f"openai:m@http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


@contextmanager
def served(folder: Path, config: str, workers: int, **limits: int) -> Iterator[tuple[int, psutil.Process]]:
    """Serve a config, and yield the port and the process."""
    settings = {
        "graphs": {"demo": {"config": config, "limits": {"seconds": 600, **limits}}},
        "limits": {"requests_a_minute": None},
        "state": f"sqlite:///{folder / 'state.db'}",
    }
    path = folder / "serve.yaml"
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    program = "from triad.cli import main; main()"
    command = [sys.executable, "-c", program, "serve", str(path), "--port", "0", "--workers", str(workers)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline().strip().rpartition(":")[2]), psutil.Process(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def _cookie(head: bytes) -> str:
    """Return the cookie that a response sets: whose conversations they are."""
    return head.partition(b"set-cookie:")[2].partition(b";")[0].decode().strip()


def _request(
    question: str, accept: str = "application/json", conversation: str | None = None, cookie: str | None = None
) -> bytes:
    head = f"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: {accept}\r\n"
    head += f"Cookie: {cookie}\r\nX-Triad: 1\r\n" if cookie else ""
    body = {"question": question} | ({"conversation": conversation} if conversation else {})
    return _with_length(head.encode(), json.dumps(body).encode())


async def client(port: int, questions: Sequence[str], times: list[float], turns: int = 0) -> int:
    """Ask one question after the other, in conversations of so many turns if any, and return how many failed."""
    failed = 0
    conversation = cookie = None
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for at, question in enumerate(questions):
        started = time.perf_counter()
        if turns and at % turns == 0:
            conversation = "new"
        writer.write(_request(question, conversation=conversation, cookie=cookie))
        head = await reader.readuntil(b"\r\n\r\n")
        body = await reader.readexactly(_length(head))
        times.append(time.perf_counter() - started)
        failed += not (head.startswith(b"HTTP/1.1 200") and b'"outcome":"answer"' in body)
        if turns:
            conversation = json.loads(body)["conversation"]
            cookie = cookie or _cookie(head)
    writer.close()
    return failed


async def ask(
    port: int, clients: int, each: int, questions: Sequence[str] = QUESTIONS, turns: int = 0
) -> tuple[list[float], int, float]:
    """Have clients ask, and return the times, how many failed, and how long all took."""
    times: list[float] = []
    asked = [[questions[(at + one) % len(questions)] for at in range(each)] for one in range(clients)]
    started = time.perf_counter()
    failed = sum(await asyncio.gather(*(client(port, one, times, turns) for one in asked)))
    return times, failed, time.perf_counter() - started


async def ready(port: int) -> None:
    """Wait until the server answers."""
    while True:
        try:
            await client(port, QUESTIONS[:1], [])
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.1)
        else:
            return


def work(process: psutil.Process) -> float:
    """Return the seconds that a server and what belongs to it worked."""
    times = [one.cpu_times() for one in (process, *process.children(recursive=True))]
    return float(sum(one.user + one.system for one in times))


def memory(process: psutil.Process) -> float:
    """Return the memory of a server and of what belongs to it, in MB."""
    every = [process, *process.children(recursive=True)]
    return float(sum(one.memory_info().rss for one in every)) / 1e6


def engine(config: str, questions: Sequence[str], times: int) -> tuple[float, float]:
    """Return the seconds that the library takes for a question, without a server, and those of processors for it."""
    import triad

    own = psutil.Process()
    with triad.Agent.from_config(config) as agent:
        for question in questions:
            agent.ask(question)
        before, began, started = work(own), time.thread_time(), time.perf_counter()
        for _ in range(times):
            for question in questions:
                agent.ask(question)
        taken, thread = time.perf_counter() - started, time.thread_time() - began
        # A model that thinks in this process is no part of the engine; where there is none, all of the process is.
        worked = work(own) - before if config == "demo" else thread
    return taken / (times * len(questions)), worked / (times * len(questions))


def ideal(clients: int, slots: int, thinking: float, worked: float, cores: int) -> float:
    """Return the seconds that a client waits for a perfect server, when all ask again as soon as they are answered.

    No answer comes before the model has thought and the engine has worked; and no server answers more questions a
    second than its places allow, or the processors.

    >>> ideal(200, 400, 0.5, 0.002, 2), ideal(200, 100, 0.5, 0.0, 2), ideal(200, 400, 0.5, 0.01, 2)
    (0.502, 1.0, 1.0)

    Args:
        clients: How many ask.
        slots: How many questions may be under way.
        thinking: Seconds of the model for a question.
        worked: Seconds of a processor for a question.
        cores: Processors.
    """
    one = thinking + worked
    return max(one, clients * one / slots, clients * worked / cores)


async def load(folder: Path, clients: int, workers: int) -> None:
    async with thinking(THINKING) as (model, name):
        config = folder / "load.yaml"
        keys = {"base": "demo", "model": name, "route": {"rungs": ["template"]}, "min_confidence": 0}
        config.write_text(yaml.safe_dump(keys), encoding="utf-8")
        times = 10
        _, worked = await asyncio.to_thread(engine, str(config), QUESTIONS[:1], times)
        calls = model.calls / (times + 1)
        with served(folder, str(config), workers, concurrent=clients) as (port, process):
            await ready(port)
            await ask(port, 2 * workers, 4, QUESTIONS[:1])
            before, began = work(process), time.process_time()
            waits, failed, _ = await ask(port, clients, 6, QUESTIONS[:1])
            each, own = (work(process) - before) / len(waits), (time.process_time() - began) / len(waits)
    best = ideal(clients, workers * clients, calls * THINKING, worked, os.cpu_count() or 1)
    p95 = statistics.quantiles(waits, n=20)[18]
    print(
        f"load: {clients} clients, {workers} workers, {calls:g} calls of {THINKING} s; the engine works "
        f"{1_000 * worked:.1f} ms a question, the server {1_000 * each:.1f} ms, client and model on the same cores "
        f"{1_000 * own:.1f} ms; ideal {best:.3f} s, "
        f"p50 {statistics.median(waits):.3f} s, p95 {p95:.3f} s = {p95 / best:.2f} x ideal, "
        f"{failed} of {len(waits)} failed"
    )


async def solver(folder: Path, workers: int) -> None:
    _, worked = await asyncio.to_thread(engine, "demo", QUESTIONS, 5)
    most = (os.cpu_count() or 1) / worked
    print(
        f"solver: the engine works {1_000 * worked:.1f} ms a question, so that {most:.0f} a second are the most", end=""
    )
    for count in sorted({1, workers}):
        with served(folder, "demo", count) as (port, process):
            await ready(port)
            await ask(port, 4 * count, 10)
            before, began = work(process), time.process_time()
            times, failed, seconds = await ask(port, 4 * count, 60)
            each, own = (work(process) - before) / len(times), (time.process_time() - began) / len(times)
        rate, part = len(times) / seconds, worked / each
        print(
            f"; {count} workers answer {rate:.0f} = {rate / most:.2f} of that, and work {1_000 * each:.1f} ms for "
            f"each, {part:.2f} of it the engine's, the client {1_000 * own:.1f} ms; {failed} of {len(times)} failed",
            end="",
        )
    print()


async def kept(folder: Path, connections: int) -> None:
    async def answered(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> float:
        started = time.perf_counter()
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await reader.readexactly(_length(await reader.readuntil(b"\r\n\r\n")))
        return time.perf_counter() - started

    with served(folder, "demo", 1) as (port, _):
        await ready(port)
        times: list[tuple[float, float]] = []
        for _ in range(connections):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            times.append((await answered(reader, writer), await answered(reader, writer)))
            writer.close()
    first, second = (statistics.median(one) for one in zip(*times, strict=True))
    print(f"kept: the second answer takes {1_000 * second:.1f} ms, {second / first:.2f} x the first")


async def streams(folder: Path, count: int) -> None:
    async with thinking(3_600) as (_, name):
        config = folder / "streams.yaml"
        config.write_text(yaml.safe_dump({"base": "demo", "model": name, "route": "phases"}), encoding="utf-8")
        with served(folder, str(config), 1, concurrent=8, queue=count) as (port, process):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    await asyncio.sleep(0.1)
                else:
                    break
            writer.write(_request("Who founded Intel?", "text/event-stream"))
            await asyncio.sleep(8)  # the graph is opened, and the first question waits for the model
            before = memory(process)
            waiting = [writer]
            for _ in range(count):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(_request("Who founded Intel?", "text/event-stream"))
                head = await reader.readuntil(b"\r\n\r\n")
                assert b" 200 " in head.partition(b"\r\n")[0], head
                waiting.append(writer)
            await asyncio.sleep(2)
            after = memory(process)
            for writer in waiting:
                writer.close()
    print(f"streams: {count:,} that wait take {after - before:.0f} MB more than {before:.0f} MB")


async def growth(folder: Path, questions: int, workers: int, turns: int = 0) -> None:
    clients = 2 * workers
    each = max(questions // 50, 100) // clients
    each = max(each - each % turns, turns) if turns else each
    failed = 0
    with served(folder, "demo", workers) as (port, process):
        await ready(port)
        figures: list[float] = []
        while len(figures) * clients * each < questions:
            failed += (await ask(port, clients, each, turns=turns))[1]
            figures.append(memory(process))
    tenth = max(len(figures) // 10, 1)  # all names and forms were met by then
    shown = ", ".join(f"{figure:.0f}" for figure in figures[tenth - 1 :: tenth])
    what = f"{questions // turns:,} conversations of {turns} turns" if turns else f"{questions:,} questions"
    print(
        f"{'talks' if turns else 'memory'}: after each tenth of {what} {shown} MB: "
        f"{100 * (figures[-1] / figures[tenth - 1] - 1):+.1f} % after the first tenth; {failed} failed"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["load", "solver", "kept", "streams", "memory", "talks"])
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--streams", type=int, default=1_000)
    parser.add_argument("--questions", type=int, default=2_000)
    parser.add_argument("--conversations", type=int, default=100)
    given = parser.parse_args()
    for part in given.parts:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if part == "load":
                asyncio.run(load(folder, given.clients, given.workers))
            elif part == "solver":
                asyncio.run(solver(folder, given.workers))
            elif part == "kept":
                asyncio.run(kept(folder, 200))
            elif part == "streams":
                asyncio.run(streams(folder, given.streams))
            elif part == "talks":
                asyncio.run(growth(folder, TURNS * given.conversations, given.workers, TURNS))
            else:
                asyncio.run(growth(folder, given.questions, given.workers))


if __name__ == "__main__":
    main()
