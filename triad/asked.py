"""What came of a question: an answer, why there is none, or what failed, in one shape.

The command line gives it as JSON (``triad ask --json``) and keeps it (``--save-trace``); the turns of the server have
the same keys as far as both know them.
"""

import json
from dataclasses import dataclass, replace
from typing import Any, Final, Literal as Choice, Self

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from triad.answers import Answer, Unknown, from_json
from triad.citations import Attribution
from triad.errors import AnswerError, TriadError
from triad.language.pack import load_pack
from triad.trace import Trace, Usage

Found = Answer | Unknown | TriadError
"""What came of a question, as Python has it."""

_CODES: Final = {"answer": 0, "failure": 1, "unknown": 2}


@dataclass(frozen=True, slots=True)
class Failure:
    """What failed."""

    kind: str
    """The name of the error in `triad.errors`, such as ``ModelError``."""
    message: str
    """What went wrong, and what would have worked, in a line."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what came of it."""

    outcome: Choice["answer", "unknown", "failure"]
    """An answer; that there is none, or only a guess; or that something failed."""
    question: str
    language: str
    """The language of the question, as a tag; empty where a failure came before it was told."""
    reply: str
    """What a person is told, in a line: the answer, why there is none, or what failed."""
    answer: Answer | None
    unknown: Unknown | None
    error: Failure | None
    usage: Usage
    """What the calls of a model cost."""
    seconds: float
    """From question to reply."""
    attribution: Attribution | None
    """What the answer rests on, where that was asked for."""
    trace: Trace | None
    """All calls on the way, where they were asked for; those inside of ``answer`` and ``unknown`` are null."""

    @classmethod
    def of(cls, question: str, found: Found, attribution: Attribution | None = None) -> Self:
        """Return what came of a question, in this shape."""
        answer = unknown = error = None
        if isinstance(found, TriadError):
            error = Failure(type(found).__name__, " ".join(str(found).split()))
            reply = error.message
        elif isinstance(found, Answer) and found.values:
            answer, reply = found, found.text
        else:
            unknown = found if isinstance(found, Unknown) else Unknown(found.question, guess=replace(found, trace=None))
            reply = load_pack(found.question.language).no_answer([str(unknown)] if unknown.reasons else [])
        trace: Trace | None = getattr(found, "trace", None)
        asked = trace.question if trace else getattr(found, "question", None)
        return cls(
            outcome="failure" if error else "answer" if answer else "unknown",
            question=question,
            language=asked.language if asked else "",
            reply=reply,
            answer=replace(answer, trace=None) if answer else None,
            unknown=replace(unknown, trace=None) if unknown else None,
            error=error,
            usage=trace.usage if trace else Usage(),
            seconds=trace.seconds if trace else 0.0,
            attribution=attribution,
            trace=trace,
        )

    @property
    def code(self) -> int:
        """The exit code of the command line: 0 for an answer, 2 for none, 1 for a failure."""
        return _CODES[self.outcome]

    def found(self) -> Answer | Unknown:
        """Return the answer or why there is none, with its trace.

        Raises:
            AnswerError: The question failed before anything was kept.
        """
        if whole := self.answer or self.unknown:
            return replace(whole, trace=self.trace)
        if self.trace is None:
            raise AnswerError(self.reply)
        return Answer(self.trace.question, trace=self.trace)


def read_asked(text: str) -> Answer | Unknown:
    """Read what the command line gave or kept, or Python's own JSON of it: an answer, or why there is none.

    Raises:
        ValueError: The text is none of these.
        AnswerError: It says that the question failed.
    """
    keys = _keys(text)
    if "outcome" in keys:
        return from_json(Asked, text).found()
    return from_json(Unknown, text) if "reasons" in keys else from_json(Answer, text)


def read_whole(text: str) -> Asked:
    """Read the same, and a failure, as `Asked`; raises a `ValueError` if the text is none of these."""
    if "outcome" in _keys(text):
        return from_json(Asked, text)
    found = read_asked(text)
    return Asked.of(found.question.text, found)


def _keys(text: str) -> dict[str, Any]:
    try:
        keys = json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if not isinstance(keys, dict):
        raise ValueError("no object")
    return keys


def schema_text() -> str:
    """Return the JSON schema of `Asked`."""
    schema = TypeAdapter(Asked).json_schema(mode="serialization")
    return json.dumps({"$schema": GenerateJsonSchema.schema_dialect, **schema}, indent=2, ensure_ascii=False) + "\n"
