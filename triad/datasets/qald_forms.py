"""The other two forms of QALD: XML, which QALD-1 to -4 are in, and GERBIL's extended JSON. Both become plain QALD-JSON.

Sources: https://github.com/ag-sc/QALD, ``1/data`` to ``4/data``, and ``7/data/*-extended-json.json``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from triad.datasets.base import SetFile
from triad.errors import DataError

__all__ = ["from_extended", "from_xml", "is_xml"]


def is_xml(source: SetFile) -> bool:
    """Return whether a file begins as QALD's XML does."""
    start = source.text.lstrip()[:500]
    return start.startswith("<") and "<dataset" in start


def from_xml(source: SetFile) -> dict[str, Any]:
    """Return the content of QALD's XML as QALD-JSON.

    Raises:
        DataError: It is not XML.
    """
    try:
        root = ElementTree.fromstring(source.text)
    except (ElementTree.ParseError, ValueError) as error:
        raise DataError(f"{source.path}: not XML: {error}") from error
    return {"dataset": {"id": root.get("id")}, "questions": [_question(one) for one in root.iter("question")]}


def _question(element: Element) -> dict[str, Any]:
    texts = [{"language": one.get("lang", "en"), "string": _text(one)} for one in element.findall("string")]
    query = element.find("query")
    answers = element.findall("answers/answer")
    return {
        **element.attrib,
        "question": texts,
        "query": _text(query) if query is not None else None,
        "answers": [_result(answers)] if answers else [],
    }


def _result(answers: list[Element]) -> dict[str, Any]:
    if len(answers) == 1 and (boolean := answers[0].find("boolean")) is not None:
        return {"boolean": _text(boolean)}
    bindings = [
        {value.tag: {"type": "uri" if value.tag == "uri" else "literal", "value": _text(value)} for value in answer}
        for answer in answers
    ]
    return {"results": {"bindings": bindings}}


def _text(element: Element) -> str:
    return "".join(element.itertext()).strip()


def from_extended(record: Any) -> Any:
    """Return a record of the extended JSON as one of QALD-JSON; any other record as it is."""
    inner = record.get("question") if isinstance(record, Mapping) else None
    if not isinstance(inner, Mapping):
        return record
    listed = inner.get("language")
    texts = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    answers, tags = inner.get("answers"), inner.get("metadata")
    return {
        **(tags if isinstance(tags, Mapping) else {}),
        "id": inner.get("id"),
        "answertype": inner.get("answertype"),
        "question": [{"language": one.get("language"), "string": one.get("question")} for one in texts],
        "query": next((one["SPARQL"] for one in texts if one.get("SPARQL")), None),
        "answers": [answers] if isinstance(answers, Mapping) else answers,
    }
