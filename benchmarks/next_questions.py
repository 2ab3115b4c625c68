"""Asks questions of graphs, and shows what each answer invites to ask next, with the share of that which has an answer.

    python benchmarks/next_questions.py mountain_photos wine_1 --each 6

Each name is a folder of ``spider``, of the development data (``TRIAD_DATA``), with a graph and questions; ``demo`` is
the demo with questions of its own. Nothing asks a language model. For each graph a line tells how many questions were
answered, how many next ones they had, how many of these have an answer when they are asked as anybody asks, and how
long they took to find. ``--list FILE`` writes the next questions, each once, as numbered lines: whether they are
grammatical is for a reader to say.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from triad import Agent
from triad.datasets import load_dataset
from triad.errors import AnswerError
from triad.resources import data_folder

DEMO = (
    "Who founded Intel?",
    "How long is the Danube?",
    "Who directed The Shining?",
    "Which films did Stanley Kubrick direct?",
    "What is the capital of Poland?",
    "Where was Marie Curie born?",
    "Which rivers flow through Germany?",
    "How many books are there?",
    "Who wrote Dracula?",
    "What is the highest mountain?",
)


def questions_of(name: str) -> Iterator[str]:
    """Yield the questions that a graph is asked."""
    if name == "demo":
        yield from DEMO
        return
    for one in load_dataset(data_folder() / "spider" / name / "questions.json", language="en").items:
        yield one.question.text


def measure(name: str, each: int, shown: bool) -> tuple[list[str], int, int]:
    """Show what the answers of a graph invite; return these questions, their number, and how many have an answer."""
    texts: dict[str, None] = {}
    seconds: list[float] = []
    asked = given = answered = 0
    graph = name if name == "demo" else str(data_folder() / "spider" / name / "kg.nt.gz")
    with Agent.from_config("demo") if name == "demo" else Agent(graph, model="none") as agent:
        for question in questions_of(name):
            if asked == each:
                break
            try:
                answer = agent.ask(question)
            except AnswerError:
                continue
            asked += 1
            began = time.perf_counter()
            found = agent.next_questions(answer)
            seconds.append(time.perf_counter() - began)
            if shown:
                print(f"  {question}  {answer.text[:60]}")
            for one in found:
                given += 1
                try:
                    answered += bool(agent.ask(one.question).values)
                except AnswerError:
                    print(f"    has no answer: {one.question}")
                texts[one.question] = None
                if shown:
                    print(f"    {one.question}  {one.answer[:60]}")
    middle = statistics.median(seconds) if seconds else 0.0
    print(
        f"{name}: {asked} answered, {given} next questions, {answered} with an answer, {middle:.2f} s each", flush=True
    )
    return [*texts], given, answered


def main() -> None:
    """Measure the graphs that are named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--each", type=int, default=8, help="questions of a graph that are answered")
    parser.add_argument("--list", type=Path, help="a file for the next questions, as numbered lines")
    parser.add_argument("--quiet", action="store_true", help="show the sums alone")
    options = parser.parse_args()
    found = [measure(name, options.each, not options.quiet) for name in options.graphs]
    given, answered = sum(one[1] for one in found), sum(one[2] for one in found)
    print(f"all: {given} next questions, {answered / max(1, given):.3f} with an answer")
    if options.list:
        texts = dict.fromkeys(text for one in found for text in one[0])
        options.list.write_text("".join(f"{at}. {text}\n" for at, text in enumerate(texts, 1)), encoding="utf-8")


if __name__ == "__main__":
    main()
