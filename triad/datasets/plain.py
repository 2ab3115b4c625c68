r"""The simplest formats, for a set of one's own: JSON lines and CSV; and records that models are fine-tuned on.

    {"id": "1", "question": "Who founded Intel?", "answers": ["http://dbpedia.org/resource/Gordon_Moore"]}
    {"id": "2", "question": "Is Bern a capital?", "answers": true}
    {"id": "3", "question": "Which cities are there?", "sparql": "SELECT ?city { ?city a <http://example.org/City> }"}

The answers of ``triad ask --json`` are such records, too, with the query that Triad found as theirs.

An answer that is an IRI is compared as such, any other text also with the label of what is answered; ``true`` and
``false``, or ``yes`` and ``no`` where no query tells otherwise, answer a yes/no question. ``language`` and
``tags`` (an object) may be given, too. In CSV the same names are columns, several answers have a ``|`` between them,
and other columns are tags.

In the format ``crp`` a record has an instruction, a question as input, and a reasoning path as output:

    {"instruction": "Generate a reasoning path that …", "input": "Question: { who wrote Momo }",
     "output": "Main Path:\n Momo -[author]-> ?x"}

The path is the gold query: a run finds its names in its graph, and runs it. There may be ``answers`` besides.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any, Final

from triad.datasets import base
from triad.datasets.base import BadRecord, Format, Item, SetFile, json_records, option, require, result_of, tagged
from triad.errors import DataError
from triad.queries.path_text import MalformedPath, is_path_text, parse_path
from triad.rdf import IRI, ResultSet
from triad.text import one_line

_WORDS: Final = {"yes": True, "no": False}
"""What people write for the answer of a yes/no question, besides true and false."""
_LONGEST: Final = (1 << 31) - 1
_COLUMNS: Final = ("id", "question", "language", "answers", "answer", "sparql", "query")


def _has_names(gold: ResultSet | None) -> bool:
    return gold is not None and any(not isinstance(term, IRI) for row in gold.rows for term in row)


# JSON lines -----------------------------------------------------------------------------------------------


def _is_jsonl(source: SetFile) -> bool:
    if isinstance(source.data, list):
        return any(isinstance(record, Mapping) and "question" in record for record in source.data)
    if isinstance(source.data, dict):
        return isinstance(source.data.get("question"), str) or _is_answer(source.data)
    return source.lines[0].lstrip().startswith("{") and '"question"' in source.text


def _is_answer(record: Any) -> bool:
    """Return whether a record is an answer of Triad's own, by itself: it has the question with its language."""
    return isinstance(record, Mapping) and isinstance(record.get("question"), Mapping) and "text" in record["question"]


def _is_asked(record: Any) -> bool:
    """Return whether a record is what ``triad ask --json`` gives, in which an answer has parts."""
    parts = {"outcome", "question", "answer", "unknown"}
    return isinstance(record, Mapping) and parts <= set(record) and isinstance(record["answer"], Mapping | None)


def _item(source: SetFile, place: str, record: Any) -> Item:
    if _is_asked(record):
        query = (record["answer"] or {}).get("query")
        record = {"question": record["question"], "language": record.get("language"), "query": query}
    elif _is_answer(record):
        record = {**record["question"], "question": record["question"]["text"], "query": record.get("query")}
    text = require(record, "question", str).strip()
    query = option(record, "sparql", str, "") or option(record, "query", str, "") or None
    answers = record.get("answers", record.get("answer"))
    if isinstance(answers, str) and (not query or base.answer_type(query) == "boolean"):
        answers = _WORDS.get(answers.strip().lower(), answers)
    gold = None
    if answers is not None:
        gold = result_of(answers if isinstance(answers, list) else [answers], boolean=isinstance(answers, str))
    question = source.question(text, record.get("id"), option(record, "language", str, source.language))
    return Item(question, gold, query, tags=tagged(option(record, "tags", dict, {})), by_name=_has_names(gold))


# CSV ------------------------------------------------------------------------------------------------------


def _is_csv(source: SetFile) -> bool:
    header = next(csv.reader(source.lines[:1]), [])
    return "question" in header and bool({"answers", "answer", "sparql", "query"} & set(header))


def _csv_records(source: SetFile) -> Iterator[base.Record]:
    if not _is_csv(source):
        raise DataError(
            f"{source.path}: a header with the columns question and answers or sparql is expected, with commas between "
            f"them; the first line is {one_line(source.lines[0], 80)!r}"
        )
    csv.field_size_limit(_LONGEST)  # by default that of the csv module, which a list of answers may exceed
    try:
        yield from base.numbered(csv.DictReader(io.StringIO(source.text, newline="")), "number")
    except csv.Error as error:
        raise DataError(f"{source.path}: not CSV: {error}") from error


def _csv_item(source: SetFile, place: str, record: Any) -> Item:
    if None in record:
        raise BadRecord(f"there are more values than columns: {record[None]!r}")
    given = {name: value for name, value in record.items() if value}
    known: dict[str, Any] = {name: given[name] for name in _COLUMNS if name in given}
    if (listed := known.pop("answers", known.pop("answer", None))) is not None:
        answers = [answer.strip() for answer in listed.split("|")]
        known["answers"] = answers if len(answers) > 1 else answers[0]
    known["tags"] = {name: value for name, value in given.items() if name not in _COLUMNS}
    return _item(source, place, known)


# Reasoning paths ------------------------------------------------------------------------------------------


def _is_crp(source: SetFile) -> bool:
    if isinstance(source.data, list):
        outputs = [record.get("output") for record in source.data[:20] if isinstance(record, Mapping)]
        return any(isinstance(output, str) and is_path_text(output) for output in outputs)
    return source.lines[0].lstrip().startswith("{") and '"output"' in source.lines[0] and "Main Path:" in source.text


def _crp_item(source: SetFile, place: str, record: Any) -> Item:
    said = require(record, "input", str).strip().removeprefix("Question:").strip()
    if not (text := said.removeprefix("{").removesuffix("}").strip()):
        raise BadRecord("'input' holds no question")
    path = require(record, "output", str).strip()
    try:
        parsed = parse_path(path)
    except MalformedPath as error:
        raise BadRecord(f"'output' is no reasoning path: {error}") from error
    answers = option(record, "answers", list, None)
    gold = None if answers is None else result_of(answers)
    sorts = [one.sort for one in parsed.restrictions]
    tags = {"hops": len(parsed.steps), **{f"{sort}_restrictions": sorts.count(sort) for sort in sorted(set(sorts))}}
    return Item(source.question(text, record.get("id")), gold, tags=tagged(tags), by_name=_has_names(gold), path=path)


JSONL = Format("jsonl", _is_jsonl, json_records, _item)
CSV = Format("csv", _is_csv, _csv_records, _csv_item)
CRP = Format("crp", _is_crp, json_records, _crp_item)
