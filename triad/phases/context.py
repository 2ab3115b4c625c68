"""The context of one question: the ports and roles that the phases use, and a record of each call."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic import BaseModel

from triad import cancelling
from triad.embedding.vectors import Vectors
from triad.errors import GraphError, ModelError, PromptTooLong, ReplyError, TriadError
from triad.kg.base import KnowledgeGraph, SafeQuery
from triad.kg.guard import Policy
from triad.kg.lookups import LookupTime, QuestionGraph
from triad.kg.profile import GraphProfile
from triad.kg.schema import Schema
from triad.language.definitions import Defined
from triad.language.glossary import Glossary
from triad.language.pack import Pack, load_pack
from triad.models.model import Model
from triad.models.replies import json_schema, parse_reply
from triad.prompts import Prompt, load_prompt
from triad.questions import AnswerSet, Candidate, Question
from triad.rdf import ResultSet, writable
from triad.roles import Roles
from triad.search.base import LabelIndex, Lookup
from triad.text import quoted
from triad.trace import Message, Phase, Rung, Service, Step, Trace, Usage

if TYPE_CHECKING:
    from triad.examples.nearest import Examples

R = TypeVar("R", bound=BaseModel)

CHARACTERS: Final = 4_000_000
"""Characters of the rows of an answer, of which each is kept and told several times."""
_RETRY: Final = (
    "That reply cannot be used: {fault}\nReply again, to the same question, with one JSON object and nothing else."
)


class Recorder:
    """Collects the steps of one question, from any thread."""

    def __init__(self, question: Question, listener: Callable[[Step], None] | None = None) -> None:
        self.question = question
        self._steps: list[Step] = []
        self._listener = listener
        self._lock = threading.Lock()
        self._started = time.perf_counter()

    def add(self, step: Step) -> None:
        """Record a step, and call the listener with it."""
        with self._lock:
            self._steps.append(step)
        if self._listener:
            self._listener(step)

    def trace(self) -> Trace:
        """Return the steps that were recorded so far."""
        with self._lock:
            return Trace(self.question, tuple(self._steps), time.perf_counter() - self._started)


@dataclass(frozen=True, slots=True)
class Context:
    """The ports and roles that a phase uses. Its calls are recorded as steps of the phase."""

    question: Question
    graph: KnowledgeGraph
    index: LabelIndex
    schema: Schema
    models: Mapping[str, Model]
    """The model of each role."""
    roles: Roles
    recorder: Recorder
    policy: Policy = field(default_factory=Policy)
    phase: Phase = "parsing"
    attempt: int = 1
    vectors: Vectors | None = None
    """Vectors of texts, if there is an embedder."""
    min_confidence: float = 0.0
    """The confidence below which an answer is a guess."""
    least: float = 0.0
    """The confidence that the solver has to reach; what cannot come to it is found by less work."""
    on_doubt: Callable[[], None] | None = None
    """Called by the solver as soon as it knows that it will not reach it."""
    profile: GraphProfile | None = None
    """The profile of the graph, if there is one."""
    glossary: Glossary = field(default_factory=Glossary)
    """Words of users and what they stand for; empty if none are given."""
    within: AnswerSet | None = None
    """The earlier answer that the question is limited to."""
    weights: Path | None = None
    """The file of the solver's weights; None takes those that come with Triad."""
    examples: Examples | None = None
    """Pairs of questions and queries, of which the nearest are shown to the generalist; None shows the prompts' own."""
    rung: Rung | None = None
    """The rung of the ladder that is being climbed; None where there is no ladder."""

    @property
    def pack(self) -> Pack:
        """The words of the question's language."""
        return load_pack(self.question.language)

    def meaning(self, text: str) -> tuple[str, ...]:
        """Return the IRIs that a text stands for, if it is a word or a phrase of the glossary."""
        return self.glossary.meaning(text, self.pack) if self.glossary else ()

    def definition(self, text: str) -> Defined | None:
        """Return the definition of a text, if it is a word or a phrase that is defined."""
        known = self.glossary.defined
        return next((known[iri] for iri in self.meaning(text) if iri in known), None) if known else None

    def waiting(self, time: LookupTime) -> Context:
        """Return the context with no more time for look-ups than is left of some."""
        graph = self.graph.within(time) if isinstance(self.graph, QuestionGraph) else QuestionGraph(self.graph, time)
        return replace(self, graph=graph, schema=self.schema.over(graph))

    @property
    def late(self) -> int:
        """How many look-ups took too long so far: of what they would have told, nobody knows that it is not there."""
        return len(self.graph.time.slow) if isinstance(self.graph, QuestionGraph) else 0

    def renew_time(self) -> None:
        """Give the question as much time for look-ups as it had at first, for what has to be read once more."""
        if isinstance(self.graph, QuestionGraph):
            self.graph.time.renew(self.graph.time.seconds)

    def at(self, phase: Phase) -> Context:
        """Return the context for another phase."""
        return replace(self, phase=phase)

    def on(self, rung: Rung) -> Context:
        """Return the context for a rung of the ladder."""
        return replace(self, rung=rung)

    def call(
        self,
        role: str,
        subtask: str,
        inputs: Mapping[str, Any],
        reply_type: type[R],
        check: Callable[[R], str | None] = lambda _: None,
    ) -> R:
        """Have a role do a subtask, and return the model's reply once it passes its checks.

        ``check`` says what is wrong with a reply, or None; the model is told, and asked again, at most θ times. Where
        the prompt is too long for the model, it is asked anew with less: see `Prompt.shorter`.

        Raises:
            ReplyError: No reply passed, one was empty or cut, or no prompt is short enough.
            ModelError: The model failed.
            BudgetExceeded: A limit forbids the call.
            PromptError: The prompt cannot be used.
        """
        card = self.roles.card(role)
        prompt = load_prompt(card.prompts[subtask])
        examples = self._examples(prompt, card.examples) if role == "generalist" else card.examples
        messages = prompt.render(inputs, examples)
        shorter = prompt.shorter(inputs)
        for _ in range(card.checks + 1):
            while True:
                try:
                    with self.step("model", subtask, role=role, prompt=tuple(messages)) as outcome:
                        completion = self.models[role].complete(messages, json_schema(reply_type))
                        outcome |= {"reply": completion.text, "usage": completion.usage}
                    break
                except PromptTooLong as error:
                    if (less := next(shorter, None)) is None:
                        raise ReplyError(str(error)) from error
                    messages = less
                except ModelError as error:
                    if error.usage is None:
                        raise
                    raise ReplyError(str(error)) from error  # it would be no better for being asked again
            try:
                reply = parse_reply(completion.text, reply_type)
                fault = check(reply)
            except ReplyError as error:
                fault = str(error)
            if fault is None:
                return reply
            said = Message("assistant", completion.text[:2_000])
            messages = [*messages, said, Message("user", _RETRY.format(fault=fault))]
        tried = f"the model's reply for {subtask!r} failed its check {card.checks + 1} times"
        raise ReplyError(f"{tried}: {quoted(str(fault))}")

    def _examples(self, prompt: Prompt, most: int) -> int | list[dict[str, Any]]:
        """Return examples from experience for a prompt; if there are none that fit it, how many of its own it shows."""
        if self.examples is None or not self.examples.fit(prompt):
            return most
        with self.look_around("labels for examples"):
            return self.examples.shown(prompt, self.question.text, self.schema, most)

    def replies(self, role: str, subtask: str, messages: Sequence[Message], count: int) -> list[str]:
        """Have a model reply up to so many times at once, and return the replies, the likeliest first.

        Raises:
            ModelError: The model failed.
            BudgetExceeded: A limit forbids the call.
        """
        with self.step("model", subtask, role=role, prompt=tuple(messages)) as outcome:
            completions = self.models[role].complete_many(messages, count)
            texts = [one.text for one in completions]
            outcome |= {"reply": "\n\n".join(texts), "usage": Usage.total(one.usage for one in completions)}
        return texts

    def search(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Look up names in the label index; raises as `LabelIndex.search_many` does."""
        with self.step("index", "search", request="; ".join(lookup.text for lookup in lookups)) as outcome:
            found = [[item for item in items if writable(item.iri)] for items in self.index.search_many(lookups)]
            outcome["reply"] = "; ".join(", ".join(item.label for item in items[:3]) or "nothing" for items in found)
            if self.phase == "linking":
                outcome["candidates"] = tuple(dict.fromkeys(item.iri for items in found for item in items))
        return found

    def execute(self, query: SafeQuery, *, ask: bool, timeout: float | None = None) -> ResultSet:
        """Run a query that the guard has passed; raises as `KnowledgeGraph.select` does."""
        with self.step("graph", "execute", request=query) as outcome:
            if ask:
                result = ResultSet(boolean=self.graph.ask(query, timeout=timeout))
            else:
                result = _bounded(self.graph.select(query, timeout=timeout))
            outcome["reply"] = str(result.boolean).lower() if ask else f"{len(result)} rows"
        return result

    def look_around(self, what: str) -> AbstractContextManager[dict[str, Any]]:
        """Record lookups of the schema, which are many and small, as one step."""
        return self.step("graph", "schema", request=what)

    @contextmanager
    def step(self, service: Service, action: str, **known: Any) -> Iterator[dict[str, Any]]:
        """Record a call as a step; the caller puts its outcome into the dictionary that is yielded."""
        cancelling.check()
        outcome: dict[str, Any] = {}
        started = time.perf_counter()
        try:
            yield outcome
        except TriadError as error:
            outcome["error"] = str(error)
            if isinstance(error, ModelError) and error.usage:
                outcome["usage"] = error.usage
            elif error.begun:
                outcome["usage"] = self.models[known["role"]].begun(known["prompt"], error.begun)
            raise
        except cancelling.Cancelled:
            if service == "model":  # whose server has begun to work, and counts that
                outcome["usage"] = self.models[known["role"]].begun(known["prompt"])
            raise
        finally:
            known |= {"seconds": time.perf_counter() - started, "attempt": self.attempt, "rung": self.rung}
            self.recorder.add(Step(self.phase, service, action, **known, **outcome))


def _bounded(result: ResultSet) -> ResultSet:
    """Return the rows of a result that have no more characters than an answer may have."""
    size = 0
    for at, row in enumerate(result.rows):
        size += sum(len(term.value) for term in row if term is not None)
        if size > CHARACTERS:
            if not at:
                raise GraphError(f"a row of the result has more than {CHARACTERS:,} characters")
            return replace(result, rows=result.rows[:at], truncated=True)
    return result
