"""WebQSP and ComplexWebQuestions (CWQ): questions over Freebase, with answers, names of answers and queries.

A WebQSP question may have several parses: the first one that its annotators found good and complete counts, else the
first. Answers are Freebase's ids, as IRIs; an answer that has only a name is compared by name.

Source: https://www.microsoft.com/en-us/download/details.aspx?id=52763 (WebQSP) and
https://www.tau-nlp.sites.tau.ac.il/compwebq (CWQ).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from triad import sparql
from triad.datasets.base import BadRecord, Format, Item, Record, SetFile, identity, listed, make_item, require, term_of
from triad.questions import Question
from triad.rdf import IRI, ResultSet, Term

__all__ = ["CWQ", "WEBQSP"]

_NAMESPACE = "http://rdf.freebase.com/ns/"
_STANDARD = {"OR": "||", "xsd:datetime": "xsd:dateTime"}
_VIRTUOSO = re.compile("|".join(rf"(?<![\w?:.]){word}(?!\w)" for word in _STANDARD))
_ID = re.compile(r"[mg]\.\w+\Z")


def _answer(key: Any, name: Any) -> tuple[Term, bool]:
    """Return an answer's term, and whether it is a name in place of an id."""
    if isinstance(key, str) and _ID.match(key):
        return IRI(_NAMESPACE + key), False
    if key not in (None, ""):
        return term_of(key), False
    if name in (None, ""):
        raise BadRecord("an answer has neither an id nor a name")
    return term_of(name), True


def _gold(answers: list[Any], key: str, name: str) -> tuple[ResultSet, bool]:
    if not all(isinstance(answer, Mapping) for answer in answers):
        raise BadRecord(f"answers must be objects, got {answers!r}")
    found = [_answer(answer.get(key), answer.get(name)) for answer in answers]
    return ResultSet(("answer",), tuple((term,) for term, _ in found)), any(by_name for _, by_name in found)


# WebQSP ---------------------------------------------------------------------------------------------------


def _webqsp_records(source: SetFile) -> Iterator[Record]:
    expected = "WebQSP is expected, an object with a list of 'Questions'"
    return listed(source, source.under("Questions"), expected, id_key="QuestionId")


def _webqsp_item(source: SetFile, place: str, record: Any) -> Item:
    text = require(record, "RawQuestion", str).strip()
    parses = require(record, "Parses", list)
    if not parses:
        raise BadRecord("there is no parse")
    parse = next((parse for parse in parses if _is_complete(parse)), parses[0])
    gold, by_name = _gold(require(parse, "Answers", list), "AnswerArgument", "EntityName")
    chain, constraints = (parse.get(key) for key in ("InferentialChain", "Constraints"))
    tags = {
        "hops": len(chain) if isinstance(chain, list) and chain else None,
        "constraints": len(constraints) if isinstance(constraints, list) else 0,
    }
    question = Question(text, source.wanted, identity(record.get("QuestionId"), text))
    return make_item(question, gold, _query(parse.get("Sparql")), tags=tags, by_name=by_name)


def _is_complete(parse: Any) -> bool:
    comment = parse.get("AnnotatorComment") if isinstance(parse, Mapping) else None
    return (
        isinstance(comment, Mapping)
        and comment.get("ParseQuality") == "Complete"
        and comment.get("QuestionQuality") == "Good"
    )


def _query(text: Any) -> str | None:
    """Return a query in standard SPARQL, which Virtuoso's is not in two words; some are notes that there is none."""
    if not isinstance(text, str) or "SELECT" not in text.upper():
        return None
    query = text
    for found in reversed(list(_VIRTUOSO.finditer(sparql.mask(query)))):
        query = query[: found.start()] + _STANDARD[found[0]] + query[found.end() :]
    return query


# CWQ ------------------------------------------------------------------------------------------------------


def _is_cwq(source: SetFile) -> bool:
    data = source.data
    return isinstance(data, list) and any(
        isinstance(record, Mapping) and "ID" in record and "question" in record for record in data
    )


def _cwq_records(source: SetFile) -> Iterator[Record]:
    return listed(source, source.data, "CWQ is expected, a JSON list of questions", id_key="ID")


def _cwq_item(source: SetFile, place: str, record: Any) -> Item:
    text = require(record, "question", str).strip()
    answers = record.get("answers")
    gold, by_name = _gold(answers, "answer_id", "answer") if isinstance(answers, list) else (None, False)
    question = Question(text, source.wanted, identity(record.get("ID"), text))
    tags = {"type": record.get("compositionality_type")}
    return make_item(question, gold, _query(record.get("sparql")), tags=tags, by_name=by_name)


WEBQSP = Format("webqsp", lambda source: source.under("Questions") is not None, _webqsp_records, _webqsp_item)
CWQ = Format("cwq", _is_cwq, _cwq_records, _cwq_item)
