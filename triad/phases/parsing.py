"""Phase 1, question parsing: from the question to a query template, by the generalist.

One call does the three subtasks (triplet extraction, answer-type classification, template generation), or, with
``calls: separate`` on the role card, one call each, as in the Triad paper.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from triad.errors import QuerySyntaxError
from triad.phases.context import Context
from triad.phases.grounding import vocabulary
from triad.queries.template import Template
from triad.questions import AnswerType, TriplePattern

__all__ = ["Parsed", "parse"]


class _Triple(BaseModel):
    subject: str
    relation: str
    object: str


class _Triplets(BaseModel):
    triples: list[_Triple]


class _Classified(BaseModel):
    answer_type: AnswerType


class _Written(BaseModel):
    sparql: str


class _ParsedReply(BaseModel):
    triples: list[_Triple]
    answer_type: AnswerType
    sparql: str


class Parsed:
    """The query template that the generalist wrote for a question."""

    def __init__(self, answer_type: AnswerType, triples: list[_Triple], sparql: str) -> None:
        self.sparql = sparql
        self.template = _template(sparql)
        self.answer_type: AnswerType = "boolean" if self.template.form == "ASK" else answer_type
        self.triples = tuple(TriplePattern(item.subject, item.relation, item.object) for item in triples)


def parse(context: Context, feedback: str = "") -> Parsed:
    """Return a query template for the question.

    Args:
        context: The ports and roles that the phase uses.
        feedback: The diagnosis of an earlier template without results.

    Raises:
        AnswerError: The model's reply failed its checks, or a limit was reached.
        ServiceError: The model, the label index or the graph failed.
    """
    role = context.roles.generalist
    question = context.question.text
    words = vocabulary(context, role.grounding)
    if role.calls == "together":
        inputs: dict[str, Any] = {"question": question, "vocabulary": words, "feedback": feedback}
        reply = context.call(
            "generalist", "parsing", inputs, _ParsedReply, lambda reply: _fault(reply.sparql, reply.answer_type)
        )
        return Parsed(reply.answer_type, reply.triples, reply.sparql)
    triplets = context.call("generalist", "triplet_extraction", {"question": question}, _Triplets)
    kind = context.call("generalist", "answer_type_classification", {"question": question}, _Classified)
    inputs = {
        "question": question,
        "triples": [item.model_dump() for item in triplets.triples],
        "answer_type": kind.answer_type,
        "vocabulary": words,
        "feedback": feedback,
    }
    written = context.call(
        "generalist", "template_generation", inputs, _Written, lambda reply: _fault(reply.sparql, kind.answer_type)
    )
    return Parsed(kind.answer_type, triplets.triples, written.sparql)


@lru_cache(maxsize=256)
def _template(sparql: str) -> Template:
    """Parse a template; a reply is parsed twice, for its check and for its use."""
    return Template(sparql)


def _fault(sparql: str, answer_type: AnswerType) -> str | None:
    """Say what is wrong with a template, or None."""
    try:
        template = _template(sparql)
    except QuerySyntaxError as error:
        return f"'sparql' is {error}"
    if template.form not in ("SELECT", "ASK"):
        return f"'sparql' must be a SELECT or an ASK query, not {template.form}"
    if (template.form == "ASK") != (answer_type == "boolean"):
        return f"an answer of type {answer_type!r} does not go with a query of form {template.form}"
    if not template.slots:
        return "'sparql' names nothing of the graph: write things, relations and classes as <mentions>"
    return None
