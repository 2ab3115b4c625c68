"""Whether a complete question is answered after another one as it is alone: all ordered pairs of some questions.

    TRIAD_DATA=… .venv/bin/python benchmarks/pairs.py            # the demo, and the graphs of ``free``
    TRIAD_DATA=… .venv/bin/python benchmarks/pairs.py --show     # with each pair that differs

No model is asked. A pair differs if the second question's turn shows other values than alone, or is understood
otherwise.
"""

from __future__ import annotations

import itertools
import json
import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from loguru import logger

from triad.agent import Agent
from triad.conversation import Conversation, Turn
from triad.language.cues import asks
from triad.language.detection import detect
from triad.language.pack import load_pack
from triad.language.tokens import Sentence

MOST = 16
"""Questions of a graph that are paired; of those that begin as one."""
DEMO = (
    "Who wrote Dune?", "Which writers were born in London?", "Which countries border Germany?",
    "Which films did Stanley Kubrick direct?", "What is the capital of France?", "Which universities are there?",
    "Which is the largest city in the world?", "What is the average runtime of the films?",
    "What is the biggest country in the world?", "What is the oldest book?", "List all rivers",
    "Which of the two has more inhabitants, France or Italy?", "Who founded Intel?", "How long is the Rhine?",
    "Which rivers flow through Germany?", "Which scientists were born in the 20th century?",
)  # fmt: skip


def main(show: Annotated[bool, typer.Option("--show", help="Print each pair that differs.")] = False) -> None:
    """Ask all pairs, and print how many differ."""
    logger.remove()
    total = differ = 0
    for name, agent, questions in graphs():
        found = list(different(agent, questions))
        number = len(questions) * (len(questions) - 1)
        total, differ = total + number, differ + len(found)
        print(f"{name}: {len(found)} of {number} differ")
        for before, question, alone, after in found if show else ():
            print(f"  {before} | {question}\n    alone: {alone.reply}\n    after: {after.reply} ({after.standalone})")
    print(f"all: {differ} of {total} differ")


def graphs() -> Iterator[tuple[str, Agent, Sequence[str]]]:
    """Yield each graph with its questions."""
    yield "demo", Agent.from_config("demo"), DEMO
    for file in sorted((Path(os.environ["TRIAD_DATA"]) / "free").glob("*/questions.json")):
        asked = [one["question"] for one in json.loads(file.read_text(encoding="utf-8"))]
        complete = [text for text in asked if asks(Sentence(text, load_pack(detect(text, "en"))))]
        graph = next(path for path in sorted(file.parent.iterdir()) if path.stem == "graph")
        yield file.parent.name, Agent(graph=str(graph), model="none"), random.Random(1).sample(complete, MOST)


def different(agent: Agent, questions: Sequence[str]) -> Iterator[tuple[str, str, Turn, Turn]]:
    """Yield the pairs of questions of which the second gives something else than alone, with both turns."""
    alone = {text: Conversation(agent).ask(text) for text in questions}
    for before, text in itertools.permutations(questions, 2):
        after = Conversation(agent, turns=[alone[before]]).ask(text)
        if _shown(after) != _shown(alone[text]):
            yield before, text, alone[text], after


def _shown(turn: Turn) -> tuple[object, ...]:
    answer = turn.answer
    return turn.kind, turn.standalone, answer and (answer.boolean, answer.rows)


if __name__ == "__main__":
    typer.run(main)
