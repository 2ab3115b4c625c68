"""Phase 1, question parsing: from the question to a query template, by the generalist.

One call tells the answer type and writes the template, more than one where the question has several readings, or says
what the graph lacks. With ``calls: separate`` on the role card there are three calls, as in the Triad paper: for
triplet extraction, answer-type classification and template generation.
"""

from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import BaseModel

from triad.errors import QuerySyntaxError
from triad.phases.attempts import Absence
from triad.phases.context import Context
from triad.phases.grounding import vocabulary
from triad.phases.grounding.lines import NOT_READ
from triad.queries.template import Template
from triad.questions import AnswerType


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
    answer_type: AnswerType
    sparql: str = ""
    other: list[str] | None = None
    not_in_graph: str | None = None
    general: bool | None = None


class Parsed(NamedTuple):
    """What the generalist made of a question."""

    answer_type: AnswerType
    templates: tuple[Template, ...]
    """The templates of the readings, the likeliest first; those that are none are left out."""
    missing: str = ""
    """What part of the answer the graph lacks, in the model's words."""


def parse(context: Context, feedback: str = "") -> Parsed | Absence:
    """Return a query template for the question, or several, or what the graph lacks.

    With feedback, an earlier template had no results: it is the diagnosis of that.
    """
    role = context.roles.generalist
    question = context.question.text
    words = vocabulary(context, role.grounding)
    if role.calls == "together":
        inputs: dict[str, Any] = {"question": question, "vocabulary": words, "feedback": feedback}
        reply = context.call("generalist", "parsing", inputs, _ParsedReply, _fault_of_reply)
        if not reply.sparql.strip() and any(line.endswith(NOT_READ) for line in words):
            context.renew_time()  # what was not read may have it
            if (again := vocabulary(context, role.grounding)) != words:
                inputs["vocabulary"] = again
                reply = context.call("generalist", "parsing", inputs, _ParsedReply, _fault_of_reply)
        missing = " ".join((reply.not_in_graph or "").split())
        if not (sparql := reply.sparql.strip()):
            return Absence(missing, reply.answer_type, bool(reply.general))
        others = [one.strip() for one in (reply.other or ())[:2]]
        usable = (_template(one) for one in (sparql, *others) if not _fault(one, reply.answer_type))
        return Parsed(reply.answer_type, tuple(usable), missing)
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
    return Parsed(kind.answer_type, (_template(written.sparql),))


def _fault_of_reply(reply: _ParsedReply) -> str | None:
    """Say what is wrong with a reply, or None: it has a template, or says what is missing."""
    if reply.sparql.strip():
        return _fault(reply.sparql, reply.answer_type)
    if any(one.strip() for one in reply.other or ()):
        return "'sparql' is empty, but 'other' is not: what is not in the graph cannot be meant in another way"
    return None if (reply.not_in_graph or "").strip() else "'sparql' is empty, and 'not_in_graph' does not say why"


@lru_cache(maxsize=256)
def _template(sparql: str) -> Template:
    """Parse a template; a reply is parsed twice, for its check and for its use."""
    return Template(sparql)


def _fault(sparql: str, answer_type: AnswerType) -> str | None:
    try:
        template = _template(sparql)
    except QuerySyntaxError as error:
        return f"'sparql' is {error}"
    if (template.form == "ASK") != (answer_type == "boolean"):
        return f"an answer of type {answer_type!r} does not go with a query of form {template.form}"
    if not template.slots:
        return "'sparql' names nothing of the graph: write things, relations and classes as <mentions>"
    return None
