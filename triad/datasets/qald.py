"""QALD: questions in several languages, a query, and answers as SPARQL JSON results.

The versions differ: a question's texts are under ``question`` or ``body``, the query is an object or a text, an answer
is a result or ``{"string": …}``. What else a record says of itself in a word, such as ``answertype`` or
``sparql_template_id``, becomes a tag. QALD-1 to -4, which are XML, are not read.

Source: https://github.com/ag-sc/QALD and https://github.com/KGQA/QALD-10.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from triad.answers import Answer
from triad.datasets.base import BadRecord, Format, Item, Record, SetFile, described, listed, require, result_of, tagged
from triad.questions import Question
from triad.rdf import ResultSet, Row


def _text_in(texts: Any, language: str) -> str:
    """Return a question's text in a language; ``pt`` finds ``pt_BR`` where there is no plain ``pt``."""
    if not isinstance(texts, list):
        raise BadRecord(f"a list of texts in several languages is expected, got {texts!r}")
    found = {  # of several texts in a language the first one counts
        str(text.get("language", "")).replace("_", "-").lower(): text["string"]
        for text in reversed(texts)
        if isinstance(text, Mapping) and isinstance(text.get("string"), str) and text["string"].strip()
    }
    wanted = language.replace("_", "-").lower()
    for tag, text in sorted(found.items()):
        if tag == wanted or (wanted not in found and tag.split("-")[0] == wanted):
            return str(text).strip()
    raise BadRecord(f"there is no text in {language!r}; there are: {', '.join(sorted(found)) or 'none'}")


def stored_result(answers: Any) -> ResultSet | None:
    """Return stored answers; None where none are stored, and a `BadRecord` where they are in no known form."""
    if not answers:
        return None
    if not isinstance(answers, list) or not all(isinstance(answer, Mapping) for answer in answers):
        raise BadRecord(f"'answers' must be a list of objects, got {answers!r}")
    if all("string" in answer for answer in answers):
        return result_of((answer["string"] for answer in answers), boolean=True)
    results = [_result(answer) for answer in answers if answer]
    if len(results) < 2:
        return results[0] if results else None
    variables = tuple(dict.fromkeys(name for result in results for name in result.variables))
    rows: list[Row] = [tuple(row.get(name) for name in variables) for result in results for row in result]
    return ResultSet(variables, tuple(rows))


def _result(answer: Mapping[str, Any]) -> ResultSet:
    """Read one result; a head without variables takes them from the rows."""
    head, results = answer.get("head") or {}, answer.get("results") or {}
    bindings = results.get("bindings", []) if isinstance(results, Mapping) else []
    named = head.get("vars", []) if isinstance(head, Mapping) else []
    named = [named] if isinstance(named, str) else named
    try:
        names = dict.fromkeys([*named, *(name for row in bindings for name in row)])
        known = {"boolean": _truth(answer["boolean"])} if "boolean" in answer else {"results": {"bindings": bindings}}
        return ResultSet.from_sparql_json({"head": {"vars": list(names)}, **known})
    except (ValueError, TypeError) as error:
        raise BadRecord(f"an answer is {error}" if isinstance(error, ValueError) else f"bad answer: {error}") from error


def _truth(value: Any) -> bool:
    word = str(value).lower()
    if word not in ("true", "false"):
        raise ValueError(f"neither true nor false: {value!r}")
    return word == "true"


def qald_record(question: Question, answer: Answer | None) -> dict[str, Any]:
    """Return a question with its query and its answers as QALD-JSON has them."""
    result = answer.result if answer else ResultSet(("answer",))
    return {
        "id": question.id,
        "question": [{"language": question.language, "string": question.text}],
        "query": {"sparql": (answer and answer.query) or ""},
        "answers": [result.to_sparql_json()],
    }


# The format -----------------------------------------------------------------------------------------------


def _from_extended(record: Any) -> Any:
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


def _records(source: SetFile) -> Iterator[Record]:
    data = source.under("questions")
    records = None if data is None else list(map(_from_extended, data))
    return listed(source, records, "QALD-JSON is expected, an object with a list of 'questions'")


def _item(source: SetFile, place: str, record: Any) -> Item:
    key = "body" if isinstance(record, Mapping) and "question" not in record and "body" in record else "question"
    text = _text_in(require(record, key, list), source.wanted)
    query = record.get("query")
    if isinstance(query, Mapping):
        query = query.get("sparql")
    if query is not None and not isinstance(query, str):
        raise BadRecord(f"the query must be a text, got {query!r}")
    plain = ((name, value) for name, value in record.items() if isinstance(value, str | int) and value != "")
    tags = {name: value for name, value in plain if name not in ("id", "query")}
    question = source.question(text, record.get("id"))
    return Item(question, stored_result(record.get("answers")), query, tags=tagged(tags))


QALD = Format(
    "qald",
    lambda source: source.under("questions") is not None,
    _records,
    _item,
    lambda source: described(source.data).get("id"),
)
