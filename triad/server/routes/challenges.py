"""``/``, ``/text2sparql`` and ``/gerbil``: what the TEXT2SPARQL challenge and GERBIL ask systems by.

Sources: https://text2sparql.aksw.org and GERBIL's ``ExtendedQALDBasedWebService``.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, Request
from fastapi.responses import Response
from pydantic import Field

from triad.answers import Answer
from triad.datasets.qald import qald_record
from triad.questions import Question
from triad.server.access import Asker, Asks, admit
from triad.server.asking import LANGUAGE, LONGEST, AskRequest
from triad.server.events import unless_gone
from triad.server.problems import Problem, documented
from triad.server.routes.page import index
from triad.server.state.conversations import Kept
from triad.server.views import View

router = APIRouter()

QuestionText = Annotated[str, Query(min_length=1, max_length=LONGEST, examples=["Who founded Intel?"])]
DatasetId = Annotated[str, Query(min_length=1, max_length=300, description="The id of a data set, or a graph's name.")]
_FAILURES = ("not-found", "limit-reached", "graph-failed", "index-failed", "busy", "timeout")


class Text2Sparql(View):
    """The query of a question, as the TEXT2SPARQL challenge has it."""

    dataset: str
    question: str
    query: str
    """Empty if there is none."""


@router.get("/text2sparql", tags=["challenges"], responses=documented(*_FAILURES))
async def text2sparql(request: Request, asker: Asks, question: QuestionText, dataset: DatasetId) -> Text2Sparql:
    """Return the query of a question; where the answer is not known, that of the best guess."""
    kept = await _kept(request, asker, AskRequest(question, graph=dataset))
    answer = _answer(kept) or (kept.turn.unknown and kept.turn.unknown.guess)
    return Text2Sparql(dataset=dataset, question=question, query=(answer and answer.query) or "")


@router.get("/", include_in_schema=False, response_model=None)
async def root(request: Request, question: str | None = None, dataset: str | None = None) -> Text2Sparql | Response:
    """Return the page; or, if it is asked a question, what ``/text2sparql`` does."""
    if question is None and dataset is None:
        return await index(request)
    if not question or not dataset or len(question) > LONGEST:
        raise Problem("unprocessable", f"A question of at most {LONGEST:,} characters and a dataset are needed.")
    return await text2sparql(request, await admit(request, "ask"), question, dataset)


class Qald(View):
    """What GERBIL reads."""

    questions: list[dict[str, Any]] = Field(description="As QALD-JSON has them: id, question, query, answers.")


FormText = Annotated[str, Form(min_length=1, max_length=LONGEST, examples=["Who founded Intel?"])]
FormLanguage = Annotated[str, Form(pattern=f"{LANGUAGE}|^$", examples=["en"])]


@router.post("/gerbil", tags=["challenges"], responses=documented(*_FAILURES))
async def gerbil(request: Request, asker: Asks, query: FormText, lang: FormLanguage = "") -> Qald:
    """Answer a question of GERBIL over the first graph; one that is not known has no bindings."""
    return await gerbil_of(request, asker, "", query, lang)


@router.post("/gerbil/{graph}", tags=["challenges"], responses=documented(*_FAILURES))
async def gerbil_of(
    request: Request, asker: Asks, graph: Annotated[str, Path(max_length=300)], query: FormText, lang: FormLanguage = ""
) -> Qald:
    """Answer a question of GERBIL over a graph."""
    kept = await _kept(request, asker, AskRequest(query, graph=graph, language=lang or None))
    return Qald(questions=[qald_record(Question(query, lang or kept.turn.language, "1"), _answer(kept))])


async def _kept(request: Request, asker: Asker, asked: AskRequest) -> Kept:
    kept: Kept = await unless_gone(request, request.app.state.asking.answer(asker, asked))
    return kept


def _answer(kept: Kept) -> Answer | None:
    return None if kept.turn.unknown else kept.turn.answer
